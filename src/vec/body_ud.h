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

INLINE void ud_pass(size_t n, real *u, const real *l, const real *v, real *g, const real *z, real *f, int what)
{
    _Static_assert(TILE_ROWS % VW == 0 && (int)TILE_COLS == (int)GROUP,
                   "a tile is whole vectors, a column of it in flight each");
    if (what & UD_UPDATE)
        memset(g, 0, (n + TILE_ROWS - 1) / TILE_ROWS * TILE_ROWS * sizeof *g);
    for (size_t j = 0; j < n; j += TILE_COLS) {
        vreal lj[GROUP], vj[GROUP], sum[GROUP];
        if (what & UD_UPDATE) {
            EACH lj[k] = v_set1(l[j + (size_t)k]);
            EACH vj[k] = v_set1(v[j + (size_t)k]);
        }
        EACH sum[k] = v_set1(0);
        for (size_t i = 0; i < j + TILE_COLS; i += TILE_ROWS, u += TILE)
            for (size_t s = 0; s < TILE_ROWS; s += VW) {
                vreal gi, zi, column;
                if (what & UD_UPDATE)
                    gi = v_load(g + i + s);
                if (what & UD_PRODUCT)
                    zi = v_load(z + i + s);
                EACH
                {
                    vreal old = column = v_load(u + k * TILE_ROWS + s);
                    if (what & UD_UPDATE) {
                        column = v_fma(lj[k], gi, old);
                        v_store(u + k * TILE_ROWS + s, column);
                        gi = v_fma(vj[k], old, gi);
                    }
                    if (what & UD_PRODUCT)
                        sum[k] = v_fma(column, zi, sum[k]);
                }
                if (what & UD_UPDATE)
                    v_store(g + i + s, gi);
            }
        if (what & UD_PRODUCT)
            EACH f[j + (size_t)k] = v_sum(sum[k]);
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

/* v, l and the next d, divided by the forgetting, from f and d; returns a_n. l has room for one number more than n. */
static real ud_gains(size_t n, real r, real inv_beta, const real *f, const real *d, real *v, real *l, real *d_next)
{
    size_t j = 0;
    for (; j + VW <= n; j += VW)
        v_store(v + j, v_mul(v_load(d + j), v_load(f + j)));
    for (; j < n; j++)
        v[j] = d[j] * f[j];
    real a_n = r; /* four at a time: the chain from one a to the next is then a quarter as long */
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
