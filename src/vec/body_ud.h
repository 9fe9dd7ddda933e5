/*
 * Bierman's update of P = U diag(d) U', U unit upper triangular, by a measurement z with variance r (G. J. Bierman,
 * Factorization Methods for Discrete Sequential Estimation, 1977), arranged by columns. With f = U'z, v_j = d_j f_j,
 * a_0 = r, a_j+1 = a_j + v_j f_j and l_j = -f_j / a_j:
 *
 *     column j:  U_j += l_j g,  g += v_j U_j (the old one),  d_j *= a_j / a_j+1
 *
 * and g ends as P z, so that the gain is g / a_n. All d stay positive by construction. One pass over U can apply one
 * measurement's update and form the next one's f.
 */

enum { UD_PRODUCT = 1, UD_UPDATE = 2 };

/* The unit of work in a column of a tile: a vector, or the column if it is shorter. */
#define EACH_COLUMN UP_TO(TILE_COLS)
#if VECTOR_BYTES > TILE_BYTES
#define EACH_ROW OKRA_UNROLL(8) for (int i = 0; i < TILE_ROWS; i++)
typedef struct column {
    real row[TILE_ROWS];
} column;

INLINE column column_load(const real *p)
{
    column a;
    memcpy(&a, p, sizeof a);
    return a;
}

INLINE void column_store(real *p, column a) { memcpy(p, &a, sizeof a); }

INLINE column column_set1(real a)
{
    column all;
    EACH_ROW all.row[i] = a;
    return all;
}

INLINE column column_fma(column a, column b, column c)
{
    EACH_ROW c.row[i] = s_fma(a.row[i], b.row[i], c.row[i]);
    return c;
}

INLINE real column_sum(column a)
{
    real sum = 0;
    EACH_ROW sum += a.row[i];
    return sum;
}
#define TREAL   column
#define TILE_W  TILE_ROWS
#define T_LOAD  column_load
#define T_STORE column_store
#define T_SET1  column_set1
#define T_FMA   column_fma
#define T_SUM   column_sum
#else
#define TREAL   vreal
#define TILE_W  VW
#define T_LOAD  v_load
#define T_STORE v_store
#define T_SET1  v_set1
#define T_FMA   v_fma
#define T_SUM   v_sum
#endif

INLINE void ud_pass(size_t n, real *u, const real *l, const real *v, real *g, const real *z, real *f, int what)
{
    _Static_assert(VECTOR_BYTES > TILE_BYTES || TILE_ROWS % VW == 0, "a column of a tile is whole vectors");
    if (what & UD_UPDATE)
        memset(g, 0, (n + TILE_ROWS - 1) / TILE_ROWS * TILE_ROWS * sizeof *g);
    for (size_t j = 0; j < n; j += TILE_COLS) {
        TREAL lj[TILE_COLS], vj[TILE_COLS], sum[TILE_COLS];
        if (what & UD_UPDATE) {
            EACH_COLUMN lj[k] = T_SET1(l[j + (size_t)k]);
            EACH_COLUMN vj[k] = T_SET1(v[j + (size_t)k]);
        }
        EACH_COLUMN sum[k] = T_SET1(0);
        for (size_t i = 0; i < j + TILE_COLS; i += TILE_ROWS, u += TILE)
            for (size_t s = 0; s < TILE_ROWS; s += TILE_W) {
                TREAL gi, zi, now;
                if (what & UD_UPDATE)
                    gi = T_LOAD(g + i + s);
                if (what & UD_PRODUCT)
                    zi = T_LOAD(z + i + s);
                EACH_COLUMN
                {
                    TREAL old = now = T_LOAD(u + k * TILE_ROWS + s);
                    if (what & UD_UPDATE) {
                        now = T_FMA(lj[k], gi, old);
                        T_STORE(u + k * TILE_ROWS + s, now);
                        gi = T_FMA(vj[k], old, gi);
                    }
                    if (what & UD_PRODUCT)
                        sum[k] = T_FMA(now, zi, sum[k]);
                }
                if (what & UD_UPDATE)
                    T_STORE(g + i + s, gi);
            }
        if (what & UD_PRODUCT)
            EACH_COLUMN f[j + (size_t)k] = T_SUM(sum[k]);
    }
}

/* f = U'z */
static void ud_product(size_t n, const real *u, const real *z, real *f)
{
    ud_pass(n, (real *)u, NULL, NULL, NULL, z, f, UD_PRODUCT); /* only read */
}

static void ud_update(size_t n, real *u, const real *l, const real *v, real *g)
{
    ud_pass(n, u, l, v, g, NULL, NULL, UD_UPDATE);
}

static void ud_update_product(size_t n, real *u, const real *l, const real *v, real *g, const real *z, real *f)
{
    ud_pass(n, u, l, v, g, z, f, UD_UPDATE | UD_PRODUCT);
}

/* v, l and the next d, divided by the forgetting, from f and d; returns a_n. l has a capacity of n + 1. */
static real ud_gains(size_t n, real r, real inv_beta, const real *f, const real *d, real *v, real *l, real *d_next)
{
    size_t j = 0;
    for (; j + VW <= n; j += VW)
        v_store(v + j, v_mul(v_load(d + j), v_load(f + j)));
    for (; j < n; j++)
        v[j] = d[j] * f[j];
    real a_n = r; /* four at a time, which makes the chain from one a to the next a quarter as long */
    for (j = 0; j < n; j += 4) {
        real w0 = v[j] * f[j], w1 = v[j + 1] * f[j + 1], w2 = v[j + 2] * f[j + 2], w3 = v[j + 3] * f[j + 3];
        l[j] = a_n;
        l[j + 1] = a_n + w0;
        l[j + 2] = a_n + (w0 + w1);
        l[j + 3] = a_n + ((w0 + w1) + w2);
        a_n += (w0 + w1) + (w2 + w3);
    }
    l[n] = a_n;
    vreal forget = v_set1(inv_beta);
    for (j = 0; j + VW <= n; j += VW) {
        vreal a = v_load(l + j), a_next = v_load(l + j + 1);
        vreal next = v_mul(v_mul(v_load(d + j), v_div(a, a_next)), forget);
        v_store(d_next + j, v_max(next, v_set1(UD_LEAST)));
        v_store(l + j, v_div(v_sub(v_set1(0), v_load(f + j)), a));
    }
    for (; j < n; j++) {
        real a = l[j];
        real next = d[j] * (a / l[j + 1]) * inv_beta;
        d_next[j] = next > UD_LEAST ? next : UD_LEAST;
        l[j] = -f[j] / a;
    }
    return a_n;
}
