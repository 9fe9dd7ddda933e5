/*
 * Sums of products of matrices, in tiles of 4 rows by 2 vectors: as many sums as hide the latency of a multiply-add,
 * few enough for 16 registers. Every other operation on dense matrices is made of these (filter/matrix.c).
 */

enum { MATRIX_ROWS = 4, MATRIX_VECTORS = 2, MATRIX_COLS = MATRIX_VECTORS * VW };
_Static_assert(LANES % MATRIX_COLS == 0, "a block is whole tiles");

#define EACH_MATRIX_ROW    UP_TO(MATRIX_ROWS)
#define EACH_MATRIX_VECTOR OKRA_UNROLL(2) for (int v = 0; v < MATRIX_VECTORS; v++)

/* A tile of C += sign A B. */
INLINE void matrix_tile(size_t terms, real sign, const real *a, size_t across, size_t along, const real *b, real *c,
                        size_t stride)
{
    vreal sum[MATRIX_ROWS][MATRIX_VECTORS];
    EACH_MATRIX_ROW EACH_MATRIX_VECTOR sum[k][v] = v_set1(0);
    for (size_t t = 0; t < terms; t++, a += along, b += stride) {
        vreal right[MATRIX_VECTORS];
        EACH_MATRIX_VECTOR right[v] = v_load(b + v * VW);
        EACH_MATRIX_ROW
        {
            vreal left = v_set1(a[(size_t)k * across]);
            EACH_MATRIX_VECTOR sum[k][v] = v_fma(left, right[v], sum[k][v]);
        }
    }
    vreal factor = v_set1(sign);
    EACH_MATRIX_ROW EACH_MATRIX_VECTOR
    {
        real *place = c + (size_t)k * stride + v * VW;
        v_store(place, v_fma(factor, sum[k][v], v_load(place)));
    }
}

static void matrix_add(size_t rows, size_t cols, size_t terms, real sign, const real *a, size_t across, size_t along,
                       const real *b, real *c, size_t stride)
{
    for (size_t j = 0; j < cols; j += MATRIX_COLS)
        for (size_t i = 0; i < rows; i += MATRIX_ROWS)
            matrix_tile(terms, sign, a + i * across, across, along, b + j, c + i * stride + j, stride);
}
