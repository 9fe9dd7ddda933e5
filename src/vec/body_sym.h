/*
 * A symmetric matrix P, as an upper triangle in the tiles of vec.h. The tiles that the diagonal goes through are whole:
 * what is below the diagonal in them mirrors what is above. One pass can add sign b b' to P, which leaves it symmetric
 * to the bit, and form q = P z: an element above the diagonal tiles counts twice, for its row and for its column.
 */

enum { SYM_PRODUCT = 1, SYM_UPDATE = 2 };

INLINE void sym_pass(size_t n, real *p, real sign, const real *b, const real *z, real *q, int what)
{
    if (what & SYM_PRODUCT)
        memset(q, 0, (n + TILE_ROWS - 1) / TILE_ROWS * TILE_ROWS * sizeof *q);
    for (size_t j = 0; j < n; j += TILE_COLS) {
        TREAL bj[TILE_COLS], zj[TILE_COLS], sum[TILE_COLS];
        if (what & SYM_UPDATE)
            EACH_COLUMN bj[k] = T_SET1(sign * b[j + (size_t)k]);
        if (what & SYM_PRODUCT) {
            EACH_COLUMN zj[k] = T_SET1(z[j + (size_t)k]);
            EACH_COLUMN sum[k] = T_SET1(0);
        }
        for (size_t i = 0; i < j + TILE_COLS; i += TILE_ROWS, p += TILE)
            for (size_t s = 0; s < TILE_ROWS; s += TILE_W) {
                bool above = i + TILE_ROWS <= j;
                TREAL bi, zi, qi, now;
                if (what & SYM_UPDATE)
                    bi = T_LOAD(b + i + s);
                if (what & SYM_PRODUCT) {
                    zi = T_LOAD(z + i + s);
                    qi = T_LOAD(q + i + s);
                }
                EACH_COLUMN
                {
                    now = T_LOAD(p + k * TILE_ROWS + s);
                    if (what & SYM_UPDATE) {
                        now = T_FMA(bj[k], bi, now);
                        T_STORE(p + k * TILE_ROWS + s, now);
                    }
                    if (what & SYM_PRODUCT) {
                        sum[k] = T_FMA(now, zi, sum[k]);
                        qi = T_FMA(now, zj[k], qi);
                    }
                }
                if (what & SYM_PRODUCT && above)
                    T_STORE(q + i + s, qi);
            }
        if (what & SYM_PRODUCT)
            EACH_COLUMN q[j + (size_t)k] += T_SUM(sum[k]);
    }
}

/* q = P z */
static void sym_product(size_t n, const real *p, const real *z, real *q)
{
    sym_pass(n, (real *)p, 0, NULL, z, q, SYM_PRODUCT); /* only read */
}

static void sym_update(size_t n, real *p, real sign, const real *b) { sym_pass(n, p, sign, b, NULL, NULL, SYM_UPDATE); }

static void sym_update_product(size_t n, real *p, real sign, const real *b, const real *z, real *q)
{
    sym_pass(n, p, sign, b, z, q, SYM_UPDATE | SYM_PRODUCT);
}
