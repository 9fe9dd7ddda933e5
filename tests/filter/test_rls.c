/* RLS, the UD factor with cyclic regularisation, against the plain P recursion in long double. */
#include "typed.h"

#include "filter/ud.h"
#include "vec/isa.h"

enum { N = 300, D = 4, FEATURES = 37, OUTPUTS = 3 };

/* The oracle: P itself, every equation as in the textbook. */
typedef struct oracle {
    long double p[FEATURES][FEATURES], theta[OUTPUTS][FEATURES];
    long double beta, lambda;
    size_t period, outputs, learnt;
} oracle;

static void oracle_start(oracle *o, const okra_spec *spec, size_t period)
{
    memset(o, 0, sizeof *o);
    o->beta = (long double)(real)spec->beta;
    o->lambda = (long double)spec->lambda;
    o->period = period;
    o->outputs = spec->outputs;
    for (size_t i = 0; i < FEATURES; i++)
        o->p[i][i] = 1 / o->lambda;
}

/* P -= P z z'P / (r + z'Pz); returns r + z'Pz, and P z in g. */
static long double oracle_measure(oracle *o, const long double *z, long double r, long double *g)
{
    long double total = r;
    for (size_t i = 0; i < FEATURES; i++) {
        g[i] = 0;
        for (size_t j = 0; j < FEATURES; j++)
            g[i] += o->p[i][j] * z[j];
        total += z[i] * g[i];
    }
    for (size_t i = 0; i < FEATURES; i++)
        for (size_t j = 0; j < FEATURES; j++)
            o->p[i][j] -= g[i] * g[j] / total;
    return total;
}

/* yhat, z'Pz before, then learning. */
static long double oracle_step(oracle *o, const long double *z, const real *y, long double weight, double *yhat)
{
    long double g[FEATURES], spread;
    for (size_t k = 0; k < o->outputs; k++) {
        long double sum = 0;
        for (size_t i = 0; i < FEATURES; i++)
            sum += o->theta[k][i] * z[i];
        yhat[k] = (double)sum;
    }
    if (!(weight > 0))
        return 0;
    long double total = oracle_measure(o, z, o->beta / weight, g);
    spread = total - o->beta / weight;
    for (size_t i = 0; i < FEATURES; i++) {
        for (size_t k = 0; k < o->outputs; k++)
            o->theta[k][i] += ((long double)y[k] - (long double)yhat[k]) * g[i] / total;
        for (size_t j = 0; j < FEATURES; j++)
            o->p[i][j] /= o->beta;
    }
    if (o->period && ++o->learnt % o->period == 0) {
        long double unit[FEATURES] = {0};
        unit[(o->learnt / o->period - 1) % FEATURES] = 1;
        oracle_measure(o, unit, 1 / (o->lambda * (1 - o->beta) * FEATURES * (long double)o->period), g);
    }
    return spread;
}

/* The features as the filter computes them, in its own precision. */
static void features(okra_map *map, const real *x, long double *z)
{
    real zr[FEATURES];
    assert_ok(OKRA_PUBLIC(okra_map_apply)(map, 1, x, zr));
    for (size_t i = 0; i < FEATURES; i++)
        z[i] = (long double)zr[i];
}

static void compare(double beta, size_t cyclic, size_t period, size_t outputs, bool weighted)
{
    okra_spec spec = make_spec("rff-krls", D, outputs);
    spec.beta = beta, spec.cyclic = cyclic, spec.lambda = 0.1, spec.sigma = 2;
    okra_filter *filter = make_filter(&spec);
    okra_map *map;
    assert_ok(okra_map_create(&spec, &map));
    oracle *o = malloc(sizeof *o);
    oracle_start(o, &spec, period);
    real *X = make_normals(1, N * D), *Y = make_normals(2, N * outputs), *w = make_normals(3, N), got[OUTPUTS];
    for (size_t i = 0; i < N; i++) {
        long double z[FEATURES];
        double wanted[OUTPUTS];
        real weight = weighted ? (i % 7 ? real_abs(w[i]) + (real)0.1 : 0) : 1;
        features(map, X + i * D, z);
        oracle_step(o, z, Y + i * outputs, (long double)weight, wanted);
        assert_ok(step_weighted(filter, X + i * D, Y + i * outputs, weight, got));
        /* P's condition is at most lambda^-1 x the information, below 1e4 here; a prediction is of order one */
        for (size_t k = 0; k < outputs; k++)
            assert_near(got[k], wanted[k], 1e4 * REAL_EPS);
    }
    free(o), free(X), free(Y), free(w);
    okra_map_free(map);
    okra_free(filter);
}

static void matches_the_plain_recursion(void **state)
{
    (void)state;
    for (size_t outputs = 1; outputs <= OUTPUTS; outputs += 2)
        for (int weighted = 0; weighted < 2; weighted++) {
            compare(1, OKRA_AUTO, 0, outputs, weighted); /* nothing to regularise without forgetting */
            compare(0.99, 0, 0, outputs, weighted);
            compare(0.99, OKRA_AUTO, 8, outputs, weighted); /* 3 / (37 x 0.01) = 8.1 */
            compare(0.99, 3, 3, outputs, weighted);
            compare(0.9, OKRA_AUTO, 1, outputs, weighted);
        }
}

/* With beta = 1 the end of it is ridge regression: theta minimises sum e^2 + lambda |theta|^2, so its gradient is zero
 * there. */
static void ends_in_ridge_regression(void **state)
{
    (void)state;
    okra_spec spec = make_spec("rls", D, 1);
    spec.lambda = 0.5;
    okra_filter *filter = make_filter(&spec);
    real *X = make_normals(1, N * D), *Y = make_normals(2, N), theta[D + 1];
    assert_ok(run(filter, N, X, Y, NULL, NULL, NULL));
    assert_ok(okra_array_read(filter, "theta", theta));
    for (size_t j = 0; j <= D; j++) {
        double gradient = 0.5 * (double)theta[j], size = fabs(gradient);
        for (size_t i = 0; i < N; i++) {
            double e = (double)Y[i] - (double)theta[D], z = j < D ? (double)X[i * D + j] : 1;
            for (size_t k = 0; k < D; k++)
                e -= (double)theta[k] * (double)X[i * D + k];
            gradient -= e * z;
            size += fabs(e * z);
        }
        assert_near(gradient, 0, 100 * REAL_EPS * size); /* sums of 300 terms, P's condition below 10 */
    }
    free(X), free(Y);
    okra_free(filter);
}

/* variance = noise (1 + z'Pz): the spread from the oracle, the noise known. */
static void variance_is_noise_times_spread(void **state)
{
    (void)state;
    okra_spec spec = make_spec("rff-krls", D, 1);
    spec.sigma = 2, spec.lambda = 0.1;
    okra_filter *filter = make_filter(&spec);
    okra_map *map;
    assert_ok(okra_map_create(&spec, &map));
    oracle *o = malloc(sizeof *o);
    oracle_start(o, &spec, 0);
    real *X = make_normals(1, N * D), *Y = make_normals(2, N), yhat, variance, again;
    void *scratch = malloc(okra_scratch_size(filter));
    assert_ok(OKRA_PUBLIC(okra_predict)(filter, scratch, 1, X, &yhat, &variance));
    assert_true(isinf(variance)); /* nothing is known yet */
    double sum = 0, weight = 0;
    for (size_t i = 0; i < N; i++) {
        long double z[FEATURES], spread;
        double wanted, forget = (double)(real)0.999;
        features(map, X + i * D, z);
        assert_ok(OKRA_PUBLIC(okra_predict)(filter, scratch, 1, X + i * D, &yhat, &variance));
        assert_ok(step(filter, X + i * D, Y + i, &again));
        assert_memory_equal(&yhat, &again, sizeof yhat);
        spread = oracle_step(o, z, Y + i, 1, &wanted);
        if (i > 0)
            assert_near((double)variance / (sum / weight * (1 + (double)spread)), 1, 1e4 * REAL_EPS);
        sum = forget * sum + ((double)Y[i] - wanted) * ((double)Y[i] - wanted) / (1 + (double)spread);
        weight = forget * weight + 1;
    }
    free(o), free(X), free(Y), free(scratch);
    okra_map_free(map);
    okra_free(filter);
}

static void others_have_no_variance(void **state)
{
    (void)state;
    okra_spec spec = make_spec("rff-klms", 1, 1);
    okra_filter *filter = make_filter(&spec);
    void *scratch = malloc(okra_scratch_size(filter));
    real x = 0, yhat, variance;
    assert_status(OKRA_PUBLIC(okra_predict)(filter, scratch, 1, &x, &yhat, &variance), OKRA_E_UNSUPPORTED);
    assert_status(OKRA_PUBLIC(okra_predict)(filter, NULL, 1, &x, &yhat, &variance), OKRA_E_NULL);
    free(scratch);
    okra_free(filter);
}

/* U diag(d) U' from the state arrays is the oracle's P. */
static void factors_are_those_of_p(void **state)
{
    (void)state;
    okra_spec spec = make_spec("rff-krls", D, 1);
    spec.sigma = 2, spec.lambda = 0.1, spec.beta = 0.99;
    okra_filter *filter = make_filter(&spec);
    okra_map *map;
    assert_ok(okra_map_create(&spec, &map));
    oracle *o = malloc(sizeof *o);
    oracle_start(o, &spec, 8);
    real *X = make_normals(1, N * D), *Y = make_normals(2, N), u[FEATURES * (FEATURES + 1) / 2], d[FEATURES];
    for (size_t i = 0; i < N; i++) {
        long double z[FEATURES];
        double wanted = 0;
        features(map, X + i * D, z);
        oracle_step(o, z, Y + i, 1, &wanted);
    }
    assert_ok(run(filter, N, X, Y, NULL, NULL, NULL));
    assert_ok(okra_array_read(filter, "u", u));
    assert_ok(okra_array_read(filter, "d", d));
    for (size_t i = 0; i < FEATURES; i++) {
        assert_true(d[i] > 0);
        assert_true(u[i * (i + 1) / 2 + i] == 1);
        for (size_t j = 0; j < FEATURES; j++) {
            double sum = 0;
            for (size_t k = i > j ? i : j; k < FEATURES; k++)
                sum += (double)u[k * (k + 1) / 2 + i] * (double)u[k * (k + 1) / 2 + j] * (double)d[k];
            assert_near(sum, o->p[i][j], 1e4 * REAL_EPS); /* P is at most 1/lambda = 10 */
        }
    }
    free(o), free(X), free(Y);
    okra_map_free(map);
    okra_free(filter);
}

static ud_factor *make_factor(okra_block *block)
{
    ud_factor spare, *p = okra_block_take_struct(block, sizeof *p, &spare);
    ud_lay_out(p, FEATURES, vec_of(okra_isa_chosen()), block);
    return block->base ? p : NULL;
}

/* The largest element of P's diagonal, from the factors. */
static double largest_diagonal(const ud_factor *p)
{
    double largest = 0;
    for (size_t i = 0; i < p->n; i++) {
        double sum = 0;
        for (size_t j = i; j < p->n; j++) {
            double u = (double)p->u[triangle_place(i, j)];
            sum += u * u * (double)p->d[j];
        }
        largest = sum > largest ? sum : largest;
    }
    return largest;
}

/* With forgetting the bound on P's diagonal grows with every sample, and it has to be taken from P again before the
 * format ends. That work is spread: no sample may find the bound used up, which would be all of it at once. */
static void bound_on_p_is_kept_a_few_rows_at_a_time(void **state)
{
    (void)state;
    static const double betas[] = {0.99, 0.9, 0.5}; /* P itself stays far from the limit */
    enum { SAMPLES = 40000 };
    okra_block measure = okra_block_measure();
    make_factor(&measure);
    void *memory = okra_block_allocate(okra_block_bytes(&measure));
    okra_block block = okra_block_at(memory);
    ud_factor *p = make_factor(&block);
    real *z = make_normals(5, padded(FEATURES) * 1000), total;
    for (size_t k = 0; k < sizeof betas / sizeof *betas; k++) {
        real inv_beta = (real)(1 / betas[k]);
        size_t rounds = 0;
        ud_reset(p, FEATURES, 10);
        for (size_t i = 0; i < SAMPLES; i++) {
            real *row = z + i % 1000 * padded(FEATURES), before = p->diag_max;
            memset(row + FEATURES, 0, (padded(FEATURES) - FEATURES) * sizeof *row);
            ud_project(p, row);
            ud_tighten(p, inv_beta);
            rounds += p->diag_max < before;
            assert_true(p->diag_max * inv_beta <= UD_MOST);
            assert_true((double)p->diag_max >= (1 - 100 * FEATURES * REAL_EPS) * largest_diagonal(p));
            assert_true(ud_measure(p, 1 / inv_beta, inv_beta, &total));
            ud_accept(p, inv_beta);
            ud_settle(p);
        }
        assert_true(rounds > 0);
    }
    free(z);
    okra_block_release(memory);
}

/* Silence with forgetting: what was learnt between the features fades below what is normal, and is then 0. Numbers
 * that a product by less than 1 rounds back to themselves would stay for ever, and be slow. */
static void silence_leaves_no_denormals(void **state)
{
    (void)state;
    enum { INPUTS = 6, WEIGHTS = INPUTS + 1, SILENT = 40000 };
    okra_spec spec = make_spec("rls", INPUTS, 1);
    spec.beta = 0.95, spec.lambda = 1;
    okra_filter *filter = make_filter(&spec);
    real *X = make_normals(3, 50 * INPUTS), zeros[INPUTS] = {0}, y = 1, u[WEIGHTS * (WEIGHTS + 1) / 2], theta[WEIGHTS];
    for (size_t i = 0; i < 50; i++)
        assert_ok(step(filter, X + i * INPUTS, &y, NULL));
    y = 0;
    for (size_t i = 0; i < SILENT; i++)
        assert_ok(step(filter, zeros, &y, NULL));
    assert_ok(okra_array_read(filter, "u", u));
    assert_ok(okra_array_read(filter, "theta", theta));
    for (size_t i = 0; i < COUNT_OF(u); i++)
        assert_true(u[i] == 0 || real_abs(u[i]) >= REAL_MIN);
    for (size_t i = 0; i < WEIGHTS; i++)
        assert_true(theta[i] == 0 || real_abs(theta[i]) >= REAL_MIN);
    free(X);
    okra_free(filter);
}

int main(void)
{
    SKIP_WITHOUT_ISA();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(silence_leaves_no_denormals),
        cmocka_unit_test(matches_the_plain_recursion),
        cmocka_unit_test(ends_in_ridge_regression),
        cmocka_unit_test(variance_is_noise_times_spread),
        cmocka_unit_test(others_have_no_variance),
        cmocka_unit_test(factors_are_those_of_p),
        cmocka_unit_test(bound_on_p_is_kept_a_few_rows_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
