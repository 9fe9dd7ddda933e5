/* Sums and steps along vectors. */

/* One group's part of a dot product: a short chain, so that groups overlap. The same in every primitive. */
INLINE vreal group_dot(int count, const vreal *a, const vreal *b)
{
    vreal sum = v_mul(a[0], b[0]);
    OKRA_UNROLL(3) for (int k = 1; k < count; k++) sum = v_fma(a[k], b[k], sum);
    return sum;
}

static real dot(size_t n, const real *a, const real *b)
{
    vreal sum = v_set1(0);
    size_t i = 0;
    for (; i + STRIDE <= n; i += STRIDE) {
        vreal p[GROUP], q[GROUP];
        EACH p[k] = v_load(a + i + k * VW);
        EACH q[k] = v_load(b + i + k * VW);
        sum = v_add(sum, group_dot(GROUP, p, q));
    }
    real rest = 0;
    for (; i < n; i++)
        rest = s_fma(a[i], b[i], rest);
    return v_sum(sum) + rest;
}

static void axpy(size_t n, real g, const real *x, real *y)
{
    vreal step = v_set1(g);
    size_t i = 0;
    for (; i + VW <= n; i += VW)
        v_store(y + i, v_fma(step, v_load(x + i), v_load(y + i)));
    for (; i < n; i++)
        y[i] = s_fma(g, x[i], y[i]);
}

static void axpby(size_t n, real g, const real *x, real keep, real *y)
{
    vreal step = v_set1(g), part = v_set1(keep);
    size_t i = 0;
    for (; i + VW <= n; i += VW)
        v_store(y + i, v_fma(step, v_load(x + i), v_mul(part, v_load(y + i))));
    for (; i < n; i++)
        y[i] = s_fma(g, x[i], keep * y[i]);
}

static real amax(size_t n, const real *a)
{
    vreal max = v_set1(0);
    size_t i = 0;
    for (; i + VW <= n; i += VW)
        max = v_max(max, v_abs(v_load(a + i)));
    real lanes[VW], result = 0;
    v_store(lanes, max);
    for (int k = 0; k < VW; k++)
        result = lanes[k] > result ? lanes[k] : result;
    for (; i < n; i++)
        result = real_abs(a[i]) > result ? real_abs(a[i]) : result;
    return result;
}

static size_t finite_prefix(size_t n, const real *a)
{
    size_t i = 0;
    while (i + VW <= n && v_finite(v_load(a + i)))
        i += VW;
    while (i < n && real_abs(a[i]) <= REAL_MAX)
        i++;
    return i;
}

/* The first index whose value is >= min; n if there is none. */
static size_t find_first(size_t n, const real *a, real min)
{
    vreal w = v_set1(min);
    size_t i = 0;
    for (; i + STRIDE <= n; i += STRIDE) { /* a group at a time, until it is in one */
        vreal p[GROUP];
        EACH p[k] = v_load(a + i + k * VW);
        UP_TO(GROUP / 2) p[k] = v_max(p[k], p[k + GROUP / 2]);
        UP_TO(GROUP / 4) p[k] = v_max(p[k], p[k + 1]);
        if (v_any_at_least(p[0], w))
            break;
    }
    while (i + VW <= n && !v_any_at_least(v_load(a + i), w))
        i += VW;
    while (i < n && !(a[i] >= min))
        i++;
    return i;
}
