/* The Walsh-Hadamard transform, a <- H (diagonal a), H without its 1/sqrt(n): n log2(n) additions. */

/* Levels of butterflies h apart, for h from `h` up: two at a time, then the last one if their number is odd. */
INLINE void butterflies(size_t n, size_t h, real *a)
{
    for (; 4 * h <= n; h *= 4)
        for (size_t block = 0; block < n; block += 4 * h)
            for (real *p = a + block; p < a + block + h; p += VW) {
                vreal x0 = v_load(p), x1 = v_load(p + h), x2 = v_load(p + 2 * h), x3 = v_load(p + 3 * h);
                vreal s0 = v_add(x0, x1), s1 = v_sub(x0, x1), s2 = v_add(x2, x3), s3 = v_sub(x2, x3);
                v_store(p, v_add(s0, s2)), v_store(p + h, v_add(s1, s3));
                v_store(p + 2 * h, v_sub(s0, s2)), v_store(p + 3 * h, v_sub(s1, s3));
            }
    for (real *p = a; h < n && p < a + h; p += VW) {
        vreal x0 = v_load(p), x1 = v_load(p + h);
        v_store(p, v_add(x0, x1)), v_store(p + h, v_sub(x0, x1));
    }
}

/* For transforms shorter than a vector. */
static void hadamard_short(size_t n, const real *diagonal, real *a)
{
    for (size_t i = 0; i < n; i++)
        a[i] *= diagonal[i];
    for (size_t h = 1; h < n; h *= 2)
        for (size_t i = 0; i < n; i++)
            if (!(i & h)) {
                real x = a[i], y = a[i + h];
                a[i] = x + y, a[i + h] = x - y;
            }
}

static void hadamard(size_t n, const real *diagonal, real *a)
{
    if (n < VW) {
        hadamard_short(n, diagonal, a);
        return;
    }
    for (size_t i = 0; i < n; i += VW)
        v_store(a + i, v_hadamard(v_mul(v_load(a + i), v_load(diagonal + i))));
    butterflies(n, VW, a);
}

static void multiply(size_t n, const real *a, const real *b, real *out)
{
    size_t i = 0;
    for (; i + VW <= n; i += VW)
        v_store(out + i, v_mul(v_load(a + i), v_load(b + i)));
    for (; i < n; i++)
        out[i] = a[i] * b[i];
}
