/* The ensemble against its members: nine filters of the public recipes that are given the same samples, mixed here in
 * long double. Compiled once per precision. */
#include "typed.h"

typedef long double wide;

enum { INPUTS = 3, OUTPUTS = 2, MEMBERS = 9, FEATURES = 12, ROWS = 240, FIRST = 60 };

/* docs/choosing.md: two linear, seven with features at half, one and two widths; lambda; which of them forget. */
static const struct {
    int map; /* -1: linear */
    double width, lambda;
    bool forgets;
} plans[MEMBERS] = {{-1, 1, 1e-2, false}, {-1, 1, 1e-2, true}, {0, 0.5, 1e-2, true},
                    {1, 1, 1e-2, true},   {2, 2, 1e-2, true},  {0, 0.5, 1, true},
                    {1, 1, 1, true},      {2, 2, 1, true},     {1, 1, 1e-2, false}};

typedef struct mixture {
    okra_filter *whole, *member[MEMBERS];
    void *scratch;
} mixture;

static mixture make_mixture(void)
{
    mixture m;
    okra_spec whole = make_spec("auto", INPUTS, OUTPUTS);
    whole.features = FEATURES, whole.sigma = 4;
    m.whole = make_filter(&whole);
    size_t max = okra_scratch_size(m.whole);
    for (size_t k = 0; k < MEMBERS; k++) {
        bool linear = plans[k].map < 0;
        okra_spec spec = make_spec(linear ? "rls" : "rff-krls", INPUTS, OUTPUTS);
        if (!linear) {
            assert_ok(okra_spec_set(&spec, "map", "linear+orf", NULL));
            spec.features = FEATURES, spec.sigma = plans[k].width * whole.sigma;
            spec.seed = whole.seed + (uint64_t)plans[k].map;
        }
        spec.lambda = plans[k].lambda, spec.beta = plans[k].forgets ? whole.beta : 1;
        m.member[k] = make_filter(&spec);
        size_t size = okra_scratch_size(m.member[k]);
        max = size > max ? size : max;
    }
    m.scratch = malloc(max);
    return m;
}

static void free_mixture(mixture *m)
{
    okra_free(m->whole);
    for (size_t k = 0; k < MEMBERS; k++)
        okra_free(m->member[k]);
    free(m->scratch);
}

/* Inputs well within what the features are not clipped at, targets of ordinary size: bounded, and noisy. */
static void make_sample(const real *normals, real *x, real *y)
{
    for (size_t j = 0; j < INPUTS; j++)
        x[j] = (real)tanh((double)normals[j]) * 2;
    for (size_t o = 0; o < OUTPUTS; o++)
        y[o] = (real)(sin(2 * (double)x[0] + (double)o) + (double)x[1] / 2 + tanh((double)normals[INPUTS + o]));
}

static void learn(mixture *m, const real *x, const real *y)
{
    real yhat[OUTPUTS];
    assert_ok(step(m->whole, x, y, yhat));
    for (size_t k = 0; k < MEMBERS; k++)
        assert_ok(step(m->member[k], x, y, yhat));
}

/* weight_k ~ exp(-(a_k - a_min) / a_min m / 20), from the sums that the filter keeps. */
static void weigh(const okra_filter *whole, wide *weight)
{
    real standing[MEMBERS + 1];
    wide min = (wide)INFINITY, total = 0;
    assert_ok(okra_array_read(whole, "loss", standing));
    for (size_t k = 0; k < MEMBERS; k++)
        min = fminl(min, (wide)standing[k]);
    for (size_t k = 0; k < MEMBERS; k++)
        total += weight[k] = expl(-((wide)standing[k] - min) / min * (wide)standing[MEMBERS] / 20);
    for (size_t k = 0; k < MEMBERS; k++)
        weight[k] /= total;
}

typedef struct answer {
    real yhat[OUTPUTS], variance[OUTPUTS];
} answer;

static answer ask(const mixture *m, const okra_filter *filter, const real *x)
{
    answer a = {0};
    assert_ok(predict_variance(filter, m->scratch, 1, x, a.yhat, a.variance));
    return a;
}

/* The mean of the mixture; and its variance: the members' own, and their spread about the mean. Members that speak for
 * themselves compute what their public twins do; the rest is sums of nine. */
static void check_mixture(const mixture *m, const real *x, const answer *members)
{
    wide weight[MEMBERS];
    weigh(m->whole, weight);
    answer got = ask(m, m->whole, x);
    for (size_t o = 0; o < OUTPUTS; o++) {
        wide mean = 0, variance = 0, size = 0;
        for (size_t k = 0; k < MEMBERS; k++)
            mean += weight[k] * (wide)members[k].yhat[o], size += fabsl((wide)members[k].yhat[o]);
        for (size_t k = 0; k < MEMBERS; k++) {
            wide off = (wide)members[k].yhat[o] - mean;
            variance += weight[k] * ((wide)members[k].variance[o] + off * off);
        }
        /* the exponents are below 60 where a weight matters, and known to a few eps of their terms */
        assert_near(got.yhat[o], mean, 1000 * (wide)REAL_EPS * size);
        assert_near(got.variance[o], variance, 1000 * (wide)REAL_EPS * (variance + size * size));
    }
}

static void is_the_mixture_of_its_members(void **state)
{
    (void)state;
    mixture m = make_mixture();
    real *normals = make_normals(1, (ROWS + 1) * (INPUTS + OUTPUTS)), x[INPUTS], y[OUTPUTS];
    wide others = 0;
    for (size_t t = 0; t < ROWS; t++) {
        make_sample(normals + t * (INPUTS + OUTPUTS), x, y);
        if (t >= FIRST) {
            answer members[MEMBERS];
            wide weight[MEMBERS];
            for (size_t k = 0; k < MEMBERS; k++)
                members[k] = ask(&m, m.member[k], x);
            check_mixture(&m, x, members);
            weigh(m.whole, weight);
            others = fmaxl(others, fminl(weight[0], weight[3]));
        }
        learn(&m, x, y);
    }
    assert_true(others > 0.01L); /* the first is heard, and not alone: every term has been seen */
    free(normals);
    free_mixture(&m);
}

/* A member whose weights are so large that it has no number to say speaks as the first, deviation and all. */
static void who_has_no_number_speaks_as_the_first(void **state)
{
    (void)state;
    static const size_t mute[] = {1, 3, 8};
    real *normals = make_normals(1, (FIRST + 1) * (INPUTS + OUTPUTS)), x[INPUTS], y[OUTPUTS];
    for (size_t i = 0; i < COUNT_OF(mute); i++) {
        size_t n = INPUTS + 1 + (plans[mute[i]].map < 0 ? 0 : FEATURES);
        mixture m = make_mixture();
        for (size_t t = 0; t <= FIRST; t++) {
            make_sample(normals + t * (INPUTS + OUTPUTS), x, y);
            if (t < FIRST)
                learn(&m, x, y);
        }
        answer members[MEMBERS];
        for (size_t k = 0; k < MEMBERS; k++)
            members[k] = ask(&m, m.member[k == mute[i] ? 0 : k], x);
        char name[16];
        real theta[OUTPUTS * (INPUTS + 1 + FEATURES)];
        for (size_t j = 0; j < OUTPUTS * n; j++)
            theta[j] = x[j % n % INPUTS] > 0 ? REAL_MAX : -REAL_MAX;
        snprintf(name, sizeof name, "m%zu.theta", mute[i]);
        assert_ok(okra_array_write(m.whole, name, theta));
        check_mixture(&m, x, members);
        free_mixture(&m);
    }
    free(normals);
}

int main(void)
{
    SKIP_WITHOUT_ISA();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_mixture_of_its_members),
        cmocka_unit_test(who_has_no_number_speaks_as_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
