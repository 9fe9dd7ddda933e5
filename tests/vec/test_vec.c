/* Every instruction set that this machine has, against sums, kernels and factored matrices in long double, and
 * against the scalar oracle.
 */
#include "check.h"

#include "every_isa.h"

static void check_dot(const vec_table *vec)
{
    real a[MAX], b[MAX];
    fill(1, MAX, a), fill(2, MAX, b);
    for (size_t l = 0; l < COUNT_OF(lengths); l++) {
        long double sum = 0, size = 0;
        for (size_t i = 0; i < lengths[l]; i++) {
            sum += (long double)a[i] * (long double)b[i];
            size += fabsl((long double)a[i] * (long double)b[i]);
        }
        /* The usual bound for any order of summation: n roundings of partial sums below sum |a b|. */
        assert_near(vec->dot(lengths[l], a, b), sum, (double)(lengths[l] + 1) * EPS * (double)size);
    }
}

static void check_axpy(const vec_table *vec)
{
    real x[MAX], y[MAX], old[MAX];
    const real g = (real)0.3;
    for (size_t l = 0; l < COUNT_OF(lengths); l++) {
        size_t n = lengths[l];
        fill(1, MAX, x), fill(2, MAX, y), memcpy(old, y, sizeof y);
        vec->axpy(n, g, x, y);
        for (size_t i = 0; i < MAX; i++) {
            long double wanted = i < n ? (long double)g * (long double)x[i] + (long double)old[i] : (long double)old[i];
            /* two roundings at most; beyond the end nothing is touched */
            assert_near(y[i], wanted, i < n ? EPS * (fabs((double)g * (double)x[i]) + fabs((double)old[i])) : 0);
        }
    }
}

static void check_amax(const vec_table *vec)
{
    real a[MAX];
    fill(3, MAX, a);
    for (size_t l = 0; l < COUNT_OF(lengths); l++)
        for (size_t at = 0; at < lengths[l]; at++) {
            real keep = a[at];
            a[at] = at % 2 ? 100 : -100;
            assert_true(vec->amax(lengths[l], a) == 100);
            a[at] = keep;
        }
    assert_true(vec->amax(0, a) == 0);
}

static void check_finite(const vec_table *vec)
{
    real a[MAX];
    fill(4, MAX, a);
    const real bad[] = {(real)NAN, (real)INFINITY, -(real)INFINITY};
    for (size_t l = 0; l < COUNT_OF(lengths); l++) {
        size_t n = lengths[l];
        assert_int_equal(vec->finite(n, a), n);
        for (size_t at = 0; at < n; at++) {
            real keep = a[at];
            a[at] = bad[at % 3];
            assert_int_equal(vec->finite(n, a), at);
            a[at] = keep;
        }
    }
    a[0] = REAL_MAX, a[1] = -REAL_MAX, a[2] = 0;
    assert_int_equal(vec->finite(3, a), 3);
}

static void check_find_first(const vec_table *vec)
{
    real a[MAX];
    fill(11, MAX, a);
    for (size_t l = 0; l < COUNT_OF(lengths); l++) {
        size_t n = lengths[l];
        assert_int_equal(vec->find_first(n, a, 100), n);
        for (size_t at = 0; at < n; at++) {
            real keep = a[at], keep_last = a[n - 1];
            a[n - 1] = a[at] = at % 2 ? 100 : 200; /* the first of two; at least is enough */
            assert_int_equal(vec->find_first(n, a, 100), at);
            a[n - 1] = keep_last, a[at] = keep;
        }
        real end = a[n];
        a[n] = 100; /* one past the end is not looked at */
        assert_int_equal(vec->find_first(n, a, 100), n);
        a[n] = end;
    }
    a[0] = a[1] = -(real)INFINITY;
    assert_int_equal(vec->find_first(2, a, -(real)INFINITY), 0);
}

/* ---- kernels -------------------------------------------------------------------------------------------------- */

/* Centres laid out by the rule in vec.h, the lanes past the last repeating the first of their block. */
typedef struct test_centres {
    centre_set set;
    real *x, *shifted; /* the input, as it came and for the expanded form */
    real *alpha, *t, *k;
    real xx;
    size_t n, d;
} test_centres;

static size_t lane_place(const test_centres *c, size_t m, size_t j)
{
    return (m / LANES * c->d + j) * LANES + m % LANES;
}

static void make_centres(test_centres *c, size_t n, size_t d, real spread)
{
    const real scale = (real)0.83, origin = (real)0.37 * spread;
    size_t width = padded(n);
    *c = (test_centres){.n = n, .d = d, .set = {.inputs = d, .width = width, .scale = scale}};
    c->x = calloc(d, sizeof(real)), c->shifted = calloc(d, sizeof(real));
    c->set.centre = calloc(width * d + 1, sizeof(real)), c->set.twice = calloc(width * d + 1, sizeof(real));
    c->set.square = calloc(width + 1, sizeof(real)), c->alpha = calloc(width + 1, sizeof(real));
    c->t = calloc(width + 1, sizeof(real)), c->k = calloc(width + 1, sizeof(real));
    fill(12, width * d, c->set.centre), fill(13, d, c->x), fill(14, n, c->alpha);
    long double xx = 0;
    for (size_t j = 0; j < d; j++) {
        c->x[j] *= spread;
        c->shifted[j] = scale * (c->x[j] - origin);
        xx += (long double)c->shifted[j] * (long double)c->shifted[j];
    }
    c->xx = (real)xx;
    for (size_t m = 0; m < width; m++) {
        long double square = 0;
        for (size_t j = 0; j < d; j++) {
            real *at = c->set.centre + lane_place(c, m, j);
            *at *= spread;
            if (m == 5 || m == 9) /* a duplicate of x, and a near one */
                *at = c->x[j] + (m == 9 ? (real)0.01 : 0);
            if (m >= n)
                *at = c->set.centre[lane_place(c, m / LANES * LANES, j)];
            real shifted = scale * (*at - origin);
            c->set.twice[lane_place(c, m, j)] = 2 * shifted;
            square += (long double)shifted * (long double)shifted;
        }
        c->set.square[m] = (real)-square;
    }
}

static void free_centres(test_centres *c)
{
    real *arrays[] = {c->set.centre, c->set.twice, c->set.square, c->x, c->shifted, c->alpha, c->t, c->k};
    for (size_t i = 0; i < COUNT_OF(arrays); i++)
        free(arrays[i]);
}

/*
 * Bounds, from what each form is given. Expanded, with S = |c|^2 + |x|^2: |c|^2 and |x|^2 are rounded once each, their
 * sum once, and each of d multiply-adds, two roundings of eps / 2 where the machine does not fuse, is of a partial sum
 * below 2 S: at most (d + 2) eps S. Direct: a scaled difference is off by eps of itself, its square by 2 eps, and d + 1
 * sums of one sign follow: (d + 4) eps |r|^2; and for the 1-norm (d + 2) eps |r|_1. 2^t is then off by ln 2 times that
 * and 4 eps for the polynomial. A matern's |r| has half the error of |r|^2 and a rounding, (d + 5) / 2 eps, the
 * logarithm of its kernel less than that of 2^-|r|, as the factor grows, which is good to 4 eps and multiplied once. A
 * factor of the cauchy kernel has the error of r_j^2, 2 eps, and two roundings, and is multiplied: 4 d eps, and one for
 * the division; past the end of the format there is 0.
 */
typedef struct expected {
    long double value, error;
} expected;

static expected expect_kernel(int how, long double d, long double squared, long double l1, long double product,
                              long double squared_error)
{
    const long double max = OKRA_PRECISION == 64 ? 1000 : 120, root = sqrtl(squared);
    const long double power = fminl(how == OKRA_LAPLACIAN ? l1 : how < OKRA_LAPLACIAN ? squared : root, max);
    const long double a = logl(2) * power;
    long double error = squared_error;
    switch (how) {
    case OKRA_CAUCHY:
        return (expected){1 / product, (4 * d + 1) * (long double)EPS / product + 1 / (long double)REAL_MAX};
    case OKRA_MATERN32:
    case OKRA_MATERN52:
        error = (d + 5) / 2 * (long double)EPS * root;
        break;
    case OKRA_LAPLACIAN:
        error = (d + 2) * (long double)EPS * l1;
    }
    long double factor = how == OKRA_MATERN32 ? 1 + a : how == OKRA_MATERN52 ? 1 + a + a * a / 3 : 1;
    long double value = exp2l(-power) * factor;
    return (expected){value, value * (expm1l(logl(2) * error) + (how < OKRA_MATERN32 ? 4 : 9) * (long double)EPS)};
}

static void assert_kernels(const test_centres *c, int how)
{
    for (size_t m = 0; m < c->set.width; m++) {
        long double squared = 0, l1 = 0, product = 1, size = 0, d = (long double)c->d;
        for (size_t j = 0; j < c->d; j++) {
            long double at = (long double)c->set.twice[lane_place(c, m, j)] / 2, x = (long double)c->shifted[j],
                        r = x - at;
            if (how != GAUSSIAN_EXPANDED)
                r = (long double)c->set.scale *
                    ((long double)c->x[j] - (long double)c->set.centre[lane_place(c, m, j)]);
            squared += r * r, l1 += fabsl(r), product *= 1 + r * r, size += at * at + x * x;
        }
        long double bound =
            how == GAUSSIAN_EXPANDED ? (d + 2) * (long double)EPS * size : (d + 4) * (long double)EPS * squared;
        assert_near(c->t[m], -squared, bound);
        assert_true(c->t[m] <= 0 || how == GAUSSIAN_EXPANDED);
        expected wanted = expect_kernel(how, d, squared, l1, product, bound);
        assert_near(c->k[m], wanted.value, wanted.error);
        if (squared == 0 && how != GAUSSIAN_EXPANDED)
            assert_true(c->t[m] == 0 && c->k[m] == 1);
    }
}

static void assert_best_and_sum(const vec_table *vec, const test_centres *c, real best, real sum)
{
    real max = -(real)INFINITY;
    for (size_t m = 0; m < c->n; m++)
        max = c->t[m] > max ? c->t[m] : max;
    assert_true(best == max); /* padding lanes cannot beat a centre */
    assert_true(sum == vec->dot(c->set.width, c->alpha, c->k));
}

static real evaluate(const vec_table *vec, const test_centres *c, int how, real *k, real *best)
{
    return vec->kernels(&c->set, how, how == GAUSSIAN_EXPANDED ? c->shifted : c->x, c->xx, c->alpha, c->t, k, best);
}

static const size_t dims[] = {1, 2, 5, 20};

static void check_kernels(const vec_table *vec)
{
    /* the last puts most powers below the least */
    static const real spreads[] = {(real)0.1, 1, 20};
    for (size_t l = 0; l < COUNT_OF(lengths); l++)
        for (size_t q = 0; q < COUNT_OF(dims); q++)
            for (size_t s = 0; s < COUNT_OF(spreads); s++)
                for (int how = GAUSSIAN_EXPANDED; how <= OKRA_MATERN52; how++) {
                    test_centres c;
                    make_centres(&c, lengths[l], dims[q], spreads[s]);
                    real best = 7, again = 7, sum = evaluate(vec, &c, how, c.k, &best);
                    assert_kernels(&c, how);
                    assert_best_and_sum(vec, &c, best, sum);
                    assert_true(evaluate(vec, &c, how, NULL, &again) == sum && again == best);
                    free_centres(&c);
                }
}

/* Distances beyond the format are infinite, never NaN, and their kernels as small as can be. */
static void check_far_kernels(const vec_table *vec)
{
    for (int how = OKRA_GAUSSIAN; how <= OKRA_MATERN52; how++) {
        test_centres c;
        make_centres(&c, 17, 2, 1);
        c.x[0] = REAL_MAX / 4, c.x[1] = -REAL_MAX / 4;
        real best, sum = evaluate(vec, &c, how, c.k, &best);
        assert_true(best == -(real)INFINITY);
        for (size_t m = 0; m < c.set.width; m++)
            assert_true(c.t[m] == best && c.k[m] >= 0 && (double)c.k[m] < 1e-30);
        assert_true((double)real_abs(sum) < 1e-30);
        free_centres(&c);
    }
}

/*
 * 2^t over a fine grid, where nothing but the polynomial rounds: its error with rounded coefficients, 1.5 eps in double
 * and next to nothing in float, a half for the result, and some for the steps.
 */
static void check_exp2(const vec_table *vec)
{
    const double bound = OKRA_PRECISION == 64 ? 2.4 * EPS : 0.8 * EPS;
    enum { STEPS = 1000 };
    for (int whole = 0; whole < 100; whole += 9) {
        for (int i = 0; i < STEPS; i += LANES) {
            real centre[LANES], t[LANES], k[LANES], alpha[LANES] = {0}, x = 0, best;
            centre_set set = {.inputs = 1, .width = LANES, .scale = 1, .centre = centre};
            for (int lane = 0; lane < LANES; lane++)
                centre[lane] = (real)whole + (real)(i + lane) / STEPS;
            vec->kernels(&set, OKRA_LAPLACIAN, &x, 0, alpha, t, k, &best);
            for (int lane = 0; lane < LANES; lane++) {
                long double wanted = exp2l(-(long double)centre[lane]);
                assert_near(k[lane], wanted, (long double)bound * wanted);
            }
        }
    }
}

/* ---- P = U diag(d) U' ------------------------------------------------------------------------------------------ */

static const size_t orders[] = {4, 8, 12, 20, 36, 100};
enum { ORDER_MAX = 100, ORDER_ROOM = 128 };

/* Factors in tiles, and the same as plain matrices. */
typedef struct test_factor {
    size_t n;
    real *u, d[ORDER_ROOM], z[ORDER_ROOM];
    long double full[ORDER_MAX][ORDER_MAX]; /* U */
    long double p[ORDER_MAX][ORDER_MAX];    /* U diag(d) U' */
    long double size[ORDER_MAX][ORDER_MAX]; /* the same of |U| */
} test_factor;

static void read_factor(test_factor *f, const real *d)
{
    for (size_t j = 0; j < f->n; j++)
        for (size_t i = 0; i < f->n; i++)
            f->full[i][j] = i <= j ? (long double)f->u[triangle_place(i, j)] : 0;
    for (size_t i = 0; i < f->n; i++)
        for (size_t j = 0; j < f->n; j++) {
            f->p[i][j] = f->size[i][j] = 0;
            for (size_t k = 0; k < f->n; k++) {
                f->p[i][j] += f->full[i][k] * (long double)d[k] * f->full[j][k];
                f->size[i][j] += fabsl(f->full[i][k] * (long double)d[k] * f->full[j][k]);
            }
        }
}

/* Nothing but zeros below the diagonal and ones on it. */
static void assert_unit_upper(const test_factor *f)
{
    size_t used = 0;
    for (size_t j = 0; j < f->n; j++) {
        assert_true(f->u[triangle_place(j, j)] == 1);
        for (size_t i = 0; i <= j; i++)
            used += f->u[triangle_place(i, j)] != 0;
    }
    for (size_t i = 0; i < triangle_size(f->n); i++)
        used -= f->u[i] != 0;
    assert_int_equal(used, 0);
}

static void make_factor(test_factor *f, size_t n)
{
    real raw[ORDER_MAX];
    f->n = n;
    f->u = calloc(triangle_size(n) + 1, sizeof(real));
    fill(15, ORDER_ROOM, f->z), fill(16, ORDER_ROOM, f->d);
    for (size_t j = 0; j < n; j++) {
        f->d[j] = (real)0.01 + f->d[j] * f->d[j];
        fill(20 + (uint32_t)j, n, raw);
        for (size_t i = 0; i < j; i++)
            f->u[triangle_place(i, j)] = raw[i] / real_sqrt((real)n);
        f->u[triangle_place(j, j)] = 1;
    }
    read_factor(f, f->d);
}

/* f = U'z: n roundings of partial sums below |U|'|z|. */
static void check_ud_product(const vec_table *vec)
{
    static test_factor a;
    for (size_t q = 0; q < COUNT_OF(orders); q++) {
        real f[ORDER_ROOM];
        make_factor(&a, orders[q]);
        vec->ud_product(a.n, a.u, a.z, f); /* a.z goes on past n: the zeros of the last tile keep it out */
        for (size_t j = 0; j < a.n; j++) {
            long double sum = 0, size = 0;
            for (size_t i = 0; i <= j; i++)
                sum += a.full[i][j] * (long double)a.z[i], size += fabsl(a.full[i][j] * (long double)a.z[i]);
            assert_near(f[j], sum, (double)(a.n + 1) * EPS * (double)size);
        }
        free(a.u);
    }
}

/* The scalars from given f and d: sums of one sign, so everything is good to a relative error of a few eps a term. */
static void check_ud_gains(const vec_table *vec)
{
    static test_factor a;
    const real r = (real)0.3, inv_beta = (real)1.25;
    for (size_t q = 0; q < COUNT_OF(orders); q++) {
        real f[ORDER_ROOM], v[ORDER_ROOM], l[ORDER_ROOM + 1], next[ORDER_ROOM];
        make_factor(&a, orders[q]);
        fill(17, ORDER_ROOM, f);
        v[a.n] = next[a.n] = 77;
        real total = vec->ud_gains(a.n, r, inv_beta, f, a.d, v, l, next);
        long double sum = (long double)r;
        for (size_t j = 0; j < a.n; j++) {
            long double before = sum, terms = (long double)(j + 6) * (long double)EPS;
            long double gain = (long double)a.d[j] * (long double)f[j];
            sum += gain * (long double)f[j];
            assert_near(v[j], gain, (long double)EPS * fabsl(gain));
            long double ratio = (long double)f[j] / before, down = (long double)a.d[j] * (long double)inv_beta;
            assert_near(l[j], -ratio, terms * fabsl(ratio));
            assert_near(next[j], down * before / sum, 2 * terms * down);
        }
        assert_near(total, sum, (double)(a.n + 2) * EPS * (double)sum);
        assert_true(v[a.n] == 77 && next[a.n] == 77);
        free(a.u);
    }
}

/*
 * A measurement: U diag(d) U' becomes (P - P z z'P / (r + z'P z)) / beta, and g is P z. An element of U takes n
 * multiply-adds on its way, f, v, l and d each n more: 8 n eps of the largest sum of sizes covers both.
 */
static void check_ud_measurement(const vec_table *vec)
{
    static test_factor a, b;
    const real r = (real)0.7, inv_beta = (real)1.01;
    for (size_t q = 0; q < COUNT_OF(orders); q++) {
        real f[ORDER_ROOM], v[ORDER_ROOM], l[ORDER_ROOM + 1], next[ORDER_ROOM], g[ORDER_ROOM];
        make_factor(&a, orders[q]), make_factor(&b, orders[q]);
        size_t n = a.n;
        vec->ud_product(n, b.u, b.z, f);
        real total = vec->ud_gains(n, r, inv_beta, f, b.d, v, l, next);
        vec->ud_update(n, b.u, l, v, g);
        assert_unit_upper(&b);
        read_factor(&b, next);

        long double pz[ORDER_MAX], sum = (long double)r, size = 0;
        for (size_t i = 0; i < n; i++) {
            long double row = 0;
            pz[i] = 0;
            for (size_t k = 0; k < n; k++)
                pz[i] += a.p[i][k] * (long double)a.z[k], row += a.size[i][k] * fabsl((long double)a.z[k]);
            assert_near(g[i], pz[i], 4 * (double)n * EPS * (double)row);
            sum += (long double)a.z[i] * pz[i];
            size = fmaxl(size, fmaxl(a.size[i][i], b.size[i][i]));
        }
        assert_near(total, sum, 8 * (double)n * EPS * (double)sum);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                assert_near(b.p[i][j], (a.p[i][j] - pz[i] * pz[j] / sum) * (long double)inv_beta,
                            8 * (double)n * EPS * (double)size);
        free(a.u), free(b.u);
    }
}

/* Applying one measurement and projecting the next in one pass gives the bits of the two passes. */
static void check_ud_fused(const vec_table *vec)
{
    static test_factor a, b;
    for (size_t q = 0; q < COUNT_OF(orders); q++) {
        real f[2][ORDER_ROOM] = {{0}}, g[2][ORDER_ROOM] = {{0}}, v[ORDER_ROOM], l[ORDER_ROOM + 1], next[ORDER_ROOM];
        make_factor(&a, orders[q]), make_factor(&b, orders[q]);
        vec->ud_product(a.n, a.u, a.z, f[0]);
        vec->ud_gains(a.n, 1, 1, f[0], a.d, v, l, next);
        fill(18, ORDER_ROOM, a.z);
        vec->ud_update_product(a.n, a.u, l, v, g[0], a.z, f[0]);
        vec->ud_update(b.n, b.u, l, v, g[1]);
        vec->ud_product(b.n, b.u, a.z, f[1]);
        assert_memory_equal(a.u, b.u, triangle_size(a.n) * sizeof(real));
        assert_memory_equal(f[0], f[1], a.n * sizeof(real));
        assert_memory_equal(g[0], g[1], a.n * sizeof(real));
        free(a.u), free(b.u);
    }
}

/* A symmetric matrix of n columns in tiles, those of the diagonal whole, and as long double in f->p. */
static void make_symmetric(test_factor *f, size_t n)
{
    make_factor(f, n);
    memset(f->u, 0, triangle_size(n) * sizeof *f->u);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (i / TILE_ROWS <= j / TILE_ROWS) {
                real value = (real)f->p[i < j ? i : j][i < j ? j : i];
                f->u[triangle_place(i, j)] = value;
                f->p[i][j] = f->p[j][i] = (long double)value;
            }
    for (size_t i = n; i < ORDER_ROOM; i++)
        f->z[i] = f->d[i] = 0;
}

/* P += sign b b', then q = P z: an element of P is one multiply-add, one of q n of them. */
static void check_sym(const vec_table *vec)
{
    static test_factor a, b;
    for (size_t k = 0; k < 2 * COUNT_OF(orders); k++) {
        real q[2][ORDER_ROOM] = {{0}}, sign = k % 2 ? 1 : -1;
        make_symmetric(&a, orders[k / 2]), make_symmetric(&b, orders[k / 2]);
        size_t n = a.n;
        vec->sym_update(n, b.u, sign, b.d);
        vec->sym_product(n, b.u, b.z, q[1]);
        for (size_t i = 0; i < n; i++) {
            long double sum = 0, size = 0;
            for (size_t j = 0; j < n; j++) {
                long double wanted = a.p[i][j] + (long double)sign * (long double)a.d[i] * (long double)a.d[j];
                long double terms = fabsl(a.p[i][j]) + fabsl((long double)a.d[i] * (long double)a.d[j]);
                if (i / TILE_ROWS <= j / TILE_ROWS)
                    assert_near(b.u[triangle_place(i, j)], wanted, EPS * (double)terms);
                sum += wanted * (long double)a.z[j], size += terms * fabsl((long double)a.z[j]);
            }
            assert_near(q[1][i], sum, (double)(n + 2) * EPS * (double)size);
            for (size_t j = i; j < n && j / TILE_ROWS == i / TILE_ROWS; j++) /* symmetric to the bit */
                assert_true(b.u[triangle_place(i, j)] == b.u[triangle_place(j, i)]);
        }
        vec->sym_update_product(n, a.u, sign, a.d, a.z, q[0]); /* one pass has the bits of two */
        assert_memory_equal(a.u, b.u, triangle_size(n) * sizeof(real));
        assert_memory_equal(q[0], q[1], n * sizeof(real));
        free(a.u), free(b.u);
    }
}

/* y = keep y + g x: two roundings. */
static void check_axpby(const vec_table *vec)
{
    for (size_t n = 0; n <= 70; n++) {
        real x[71], y[71], before[71];
        fill(30, 71, x), fill(31, 71, y);
        memcpy(before, y, sizeof y);
        vec->axpby(n, (real)0.7, x, (real)0.9, y);
        for (size_t i = 0; i < n; i++)
            assert_near(y[i],
                        (long double)(real)0.9 * (long double)before[i] + (long double)(real)0.7 * (long double)x[i],
                        EPS * (double)(real_abs(x[i]) + real_abs(before[i])));
        assert_memory_equal(y + n, before + n, (71 - n) * sizeof *y);
    }
}

ON_EVERY_ISA(dot)
ON_EVERY_ISA(axpy)
ON_EVERY_ISA(amax)
ON_EVERY_ISA(finite)
ON_EVERY_ISA(find_first)
ON_EVERY_ISA(kernels)
ON_EVERY_ISA(far_kernels)
ON_EVERY_ISA(exp2)
ON_EVERY_ISA(ud_product)
ON_EVERY_ISA(ud_gains)
ON_EVERY_ISA(ud_measurement)
ON_EVERY_ISA(ud_fused)
ON_EVERY_ISA(sym)
ON_EVERY_ISA(axpby)

static void unknown_isa_has_no_table(void **state)
{
    (void)state;
    assert_null(vec_of(OKRA_ISA_NONE));
    assert_null(vec_of(OKRA_ISA_COUNT));
    assert_false(okra_isa_usable(OKRA_ISA_NONE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dot),
        cmocka_unit_test(test_axpy),
        cmocka_unit_test(test_amax),
        cmocka_unit_test(test_finite),
        cmocka_unit_test(test_find_first),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_far_kernels),
        cmocka_unit_test(test_exp2),
        cmocka_unit_test(test_ud_product),
        cmocka_unit_test(test_ud_gains),
        cmocka_unit_test(test_ud_measurement),
        cmocka_unit_test(test_ud_fused),
        cmocka_unit_test(test_sym),
        cmocka_unit_test(test_axpby),
        cmocka_unit_test(unknown_isa_has_no_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
