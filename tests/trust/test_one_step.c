/*
 * One step at a time: from the state that a filter itself says it has, what the equations at the top of its file make
 * of the next sample, in long double; then what the filter made of it. So rounding is that of one step, and the
 * tolerance a few eps of the terms that are added. For algorithms whose recursion is too rich to be followed from the
 * start (reference.h does that for the others): forgetting to the prior, affine projection, APSM, the bank of steps;
 * and for the losses, of any algorithm. z = (x, 1), the map `linear`.
 */
#include "reference.h"
#include "typed.h"

enum { INPUTS_MAX = 40, OUTPUTS_MAX = 3, ORDER_MAX = 6, STEPS = 4, ROWS = 80, SPECS_EACH = 60 };
enum { D_MAX = INPUTS_MAX + 1, THETA_MAX = STEPS * OUTPUTS_MAX * D_MAX };

static const wide bank_steps[STEPS] = {1, 0.3L, 0.1L, 0.01L};

typedef struct subject {
    okra_spec spec;
    okra_filter *filter;
    size_t n, outputs; /* n: features */
    wide z[D_MAX], y[OUTPUTS_MAX], weight;
    wide yhat[OUTPUTS_MAX], theta[THETA_MAX], doubt; /* what is expected, and how far it may be off */
    wide P[D_MAX][D_MAX];                            /* of the prior's covariance */
    double worst;
} subject;

static wide eps(void) { return (wide)REAL_EPS; }

/* ---- the state ------------------------------------------------------------------------------------------------ */

/* Array `name` into to[]; its length, 0 if there is none. */
static size_t read_array(const okra_filter *filter, const char *name, wide *to)
{
    okra_array array;
    for (size_t i = 0; okra_array_at(filter, i, &array) == OKRA_OK; i++)
        if (strcmp(array.name, name) == 0) {
            size_t n = array.rows * array.cols;
            real *values = malloc((n + 1) * sizeof *values);
            assert_ok(okra_array_read(filter, name, values));
            for (size_t k = 0; k < n; k++)
                to[k] = values[k];
            free(values);
            return n;
        }
    return 0;
}

static uint64_t read_counter(const okra_filter *filter, const char *name)
{
    okra_counter counter;
    for (size_t i = 0; okra_counter_at(filter, i, &counter) == OKRA_OK; i++)
        if (strcmp(counter.name, name) == 0)
            return counter.value;
    fail_msg("no counter %s", name);
    return 0;
}

/* P, all of it, from `p`, columns down to the diagonal, and `p_scale`. */
static void read_p(subject *s)
{
    static wide p[D_MAX * (D_MAX + 1) / 2];
    wide scale;
    assert_int_equal(read_array(s->filter, "p", p), s->n * (s->n + 1) / 2);
    assert_int_equal(read_array(s->filter, "p_scale", &scale), 1);
    for (size_t j = 0, k = 0; j < s->n; j++)
        for (size_t i = 0; i <= j; i++, k++)
            s->P[i][j] = s->P[j][i] = scale * p[k];
}

static wide dot(const subject *s, const wide *a)
{
    wide sum = 0;
    for (size_t i = 0; i < s->n; i++)
        sum += a[i] * s->z[i];
    return sum;
}

static wide size_of(size_t n, const wide *a)
{
    wide max = 0;
    for (size_t i = 0; i < n; i++)
        max = fmaxl(max, fabsl(a[i]));
    return max;
}

/* ---- losses --------------------------------------------------------------------------------------------------- */

/* The share of a sample that counts, from relative error r; below: y < yhat. */
static wide share_at(const okra_spec *spec, wide r, bool below)
{
    switch (spec->loss) {
    case OKRA_LOSS_HUBER:
        return fminl(1, 1 / r);
    case OKRA_LOSS_MCC:
        return expl(-r * r / 2);
    case OKRA_LOSS_CAUCHY:
        return 1 / (1 + r * r);
    case OKRA_LOSS_QUANTILE:
        return 2 * (below ? 1 - spec->quantile : spec->quantile) / fmaxl(r, 0.05L);
    default:
        return 1;
    }
}

/* `errors` has, for each output, the 95% quantile and the median of |e|, a run and how many were seen. c is 1.6 q (q /
 * median)^(3/4), q / median from 1 to 1000; for a quantile the median. Beyond 3 c Huber's counts as the median. */
static wide share(const subject *s, wide spread)
{
    wide tracked[4 * OUTPUTS_MAX], worst = 0, least = 1;
    bool given = s->spec.loss_scale > 0;
    if (s->spec.loss == OKRA_LOSS_SQUARE)
        return 1;
    if (!given)
        assert_int_equal(read_array(s->filter, "errors", tracked), 4 * s->outputs);
    for (size_t o = 0; o < s->outputs; o++) {
        const wide *t = tracked + 4 * o;
        wide e = fabsl(s->y[o] - s->yhat[o]) / sqrtl(spread), c = s->spec.loss_scale;
        if (!given && t[3] < 5)
            return 1;
        if (!given)
            c = s->spec.loss == OKRA_LOSS_QUANTILE ? t[1]
                                                   : 1.6L * t[0] * powl(fminl(fmaxl(t[0] / t[1], 1), 1000), 0.75L);
        if (e / c > worst) {
            worst = e / c;
            least = !given && s->spec.loss == OKRA_LOSS_HUBER && worst > 3 ? t[1] / e : INFINITY;
        }
    }
    return fminl(share_at(&s->spec, worst, s->y[0] < s->yhat[0]), least);
}

/* Whether there is anything left of a sample in this precision; else it is not learnt. */
static bool counts(wide weight) { return (real)weight > 0 && 1 / (real)weight <= REAL_MAX; }

/* ---- algorithms ----------------------------------------------------------------------------------------------- */

/* theta = (1 - mu leak) theta + mu share weight e z, over reg + |z|^2 if it is normalised. */
static void expect_lms(subject *s)
{
    bool normalised = strcmp(okra_recipe_find(s->spec.recipe)->filter, "nlms") == 0;
    wide part = s->weight * share(s, 1), rate = s->spec.mu * part, keep = 1 - s->spec.mu * s->spec.leak;
    s->doubt = 1;
    if (!counts(part))
        return;
    rate /= normalised ? s->spec.reg + dot(s, s->z) : 1;
    for (size_t o = 0; o < s->outputs; o++)
        for (size_t i = 0; i < s->n; i++)
            s->theta[o * s->n + i] = keep * s->theta[o * s->n + i] + rate * (s->y[o] - s->yhat[o]) * s->z[i];
}

/* The mean of four NLMS filters, by exp(-(a_k / a_min - 1) m / 20), each of which then learns by its own error. */
static void expect_bank(subject *s)
{
    wide loss[STEPS + 1], weights[STEPS], total = 0, power = s->spec.reg + dot(s, s->z);
    size_t rows = s->outputs * s->n;
    assert_int_equal(read_array(s->filter, "loss", loss), STEPS + 1);
    wide least = fminl(fminl(loss[0], loss[1]), fminl(loss[2], loss[3]));
    for (size_t k = 0; k < STEPS; k++)
        total += weights[k] = least > 0 ? expl(-(loss[k] / least - 1) * loss[STEPS] / 20) : 1;
    s->doubt = 1 + loss[STEPS] / 20; /* what a relative eps of a loss does to a weight */
    for (size_t o = 0; o < s->outputs; o++)
        s->yhat[o] = 0;
    for (size_t k = 0; k < STEPS; k++)
        for (size_t o = 0; o < s->outputs; o++)
            s->yhat[o] += weights[k] / total * dot(s, s->theta + k * rows + o * s->n);
    wide part = s->weight * share(s, 1);
    for (size_t k = 0; k < STEPS; k++)
        for (size_t o = 0; o < s->outputs; o++) {
            wide *theta = s->theta + k * rows + o * s->n, e = s->y[o] - dot(s, theta);
            for (size_t i = 0; i < s->n && counts(part); i++)
                theta[i] = (1 - bank_steps[k] * s->spec.leak) * theta[i] + bank_steps[k] * part * e * s->z[i] / power;
        }
}

/* The last rows: Z, their targets and weights, the new one in the place of the oldest; the number of them. */
static size_t read_window(const subject *s, wide Z[][D_MAX], wide Y[][OUTPUTS_MAX], wide *weights)
{
    static wide z[ORDER_MAX * D_MAX], y[ORDER_MAX * OUTPUTS_MAX];
    size_t held = read_array(s->filter, "weights", weights), next = read_counter(s->filter, "next");
    read_array(s->filter, "rows", z), read_array(s->filter, "targets", y);
    for (size_t r = 0; r < held; r++) {
        memcpy(Z[r], z + r * s->n, s->n * sizeof *z);
        memcpy(Y[r], y + r * s->outputs, s->outputs * sizeof *y);
    }
    assert_int_equal(held, read_counter(s->filter, "held"));
    memcpy(Z[next], s->z, s->n * sizeof *z);
    /* a quantile moves the target: the error is share e, for as long as the row is held */
    bool quantile = s->spec.loss == OKRA_LOSS_QUANTILE;
    for (size_t o = 0; o < s->outputs; o++)
        Y[next][o] = quantile ? s->yhat[o] + share(s, 1) * (s->y[o] - s->yhat[o]) : s->y[o];
    weights[next] = s->weight * (quantile ? 1 : share(s, 1));
    return held < s->spec.order ? held + 1 : held;
}

/* c_i of APSM, and by how far the mean of them may be extrapolated; then c_i holds the gains. */
static void apsm_gains(const subject *s, size_t q, wide G[][ORDER_MAX], const wide *e, wide *c)
{
    wide squares = 0, square = 0;
    for (size_t i = 0; i < q; i++) {
        wide beyond = fmaxl(fabsl(e[i]) - s->spec.tolerance, 0);
        c[i] = copysignl(beyond, e[i]) / G[i][i];
    }
    for (size_t i = 0; i < q; i++) {
        squares += c[i] * c[i] * G[i][i] / q;
        for (size_t j = 0; j < q; j++)
            square += c[i] * c[j] * G[i][j] / (q * q);
    }
    wide m = square > 0 ? fminl(fmaxl(squares / square, 1), s->spec.order) : 0;
    for (size_t i = 0; i < q; i++)
        c[i] *= s->spec.mu * m / q;
}

/* theta += mu Z'(Z Z' + reg I)^-1 e, or APSM's. */
static void expect_projection(subject *s)
{
    static wide Z[ORDER_MAX][D_MAX], Y[ORDER_MAX][OUTPUTS_MAX];
    wide weights[ORDER_MAX], G[ORDER_MAX][ORDER_MAX], R[ORDER_MAX * ORDER_MAX], a[ORDER_MAX], e[ORDER_MAX];
    bool apsm = strcmp(s->spec.recipe, "rff-apsm") == 0;
    s->doubt = 1;
    if (!((real)(s->weight * share(s, 1)) > 0))
        return;
    size_t q = read_window(s, Z, Y, weights);
    for (size_t i = 0; i < q; i++)
        for (size_t j = 0; j < q; j++) {
            G[i][j] = 0;
            for (size_t k = 0; k < s->n; k++)
                G[i][j] += Z[i][k] * Z[j][k];
        }
    /* What eps of G and e becomes in (G + reg I)^-1 e. APSM divides by |z|^2 of a row only. */
    for (size_t i = 0; i < q; i++)
        s->doubt += apsm ? 4 * (wide)s->spec.order : 4 * (wide)q * G[i][i] / s->spec.reg;
    for (size_t o = 0; o < s->outputs; o++) {
        for (size_t i = 0; i < q; i++) {
            wide said = 0;
            for (size_t k = 0; k < s->n; k++)
                said += s->theta[o * s->n + k] * Z[i][k];
            e[i] = a[i] = weights[i] * (Y[i][o] - said);
            for (size_t j = 0; j < q; j++)
                R[i * q + j] = G[i][j] + (i == j ? s->spec.reg : 0);
        }
        if (apsm)
            apsm_gains(s, q, G, e, a);
        else
            reference_solve(q, R, 1, a);
        for (size_t i = 0; i < q; i++)
            for (size_t k = 0; k < s->n; k++)
                s->theta[o * s->n + k] += (apsm ? 1 : s->spec.mu) * a[i] * Z[i][k];
    }
}

/* g = P z, total = 1/w + z'g, theta = sqrt(beta) (theta + e g / total), P = beta (P - g g'/total) + (1 - beta) I /
 * lambda. */
static void expect_prior(subject *s)
{
    wide g[D_MAX], spread, beta = narrowed(&s->spec, s->spec.beta);
    read_p(s);
    for (size_t i = 0; i < s->n; i++)
        g[i] = dot(s, s->P[i]);
    spread = dot(s, g);
    s->doubt = 1 + (wide)s->n;
    wide part = share(s, 1 + spread);
    bool quantile = s->spec.loss == OKRA_LOSS_QUANTILE;
    wide weight = quantile ? s->weight : s->weight * part;
    if (!counts(weight))
        return;
    wide total = 1 / weight + spread;
    for (size_t o = 0; o < s->outputs; o++)
        for (size_t i = 0; i < s->n; i++) {
            wide e = (quantile ? part : 1) * (s->y[o] - s->yhat[o]), *theta = &s->theta[o * s->n + i];
            *theta = sqrtl(beta) * (*theta + e * g[i] / total);
        }
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < s->n; j++)
            s->P[i][j] = beta * (s->P[i][j] - g[i] * g[j] / total) + (i == j ? (1 - beta) / s->spec.lambda : 0);
}

/* ---- comparing ------------------------------------------------------------------------------------------------ */

static void compare(subject *s, const char *what, wide got, wide wanted, wide size)
{
    wide off = fabsl(got - wanted), allowed = 8 * ((wide)s->n + 8) * s->doubt * eps() * size;
    if (!(off <= allowed))
        fail_msg("%s, loss %d, %zu features, %zu outputs: %s is %.17Lg, not %.17Lg: off by %Lg, allowed %Lg",
                 s->spec.recipe, s->spec.loss, s->n, s->outputs, what, got, wanted, off, allowed);
    s->worst = fmax(s->worst, (double)(off / (allowed + 1e-300L)));
}

static void step_and_compare(subject *s, void expect(subject *s))
{
    static wide after[THETA_MAX], P[D_MAX][D_MAX];
    real x[D_MAX], y[OUTPUTS_MAX], yhat[OUTPUTS_MAX];
    const char *weights = expect == expect_bank ? "bank" : "theta";
    size_t numbers = read_array(s->filter, weights, s->theta);
    bool prior = expect == expect_prior;
    for (size_t o = 0; o < s->outputs; o++)
        s->yhat[o] = dot(s, s->theta + o * s->n);
    wide before = size_of(numbers, s->theta);
    expect(s);
    for (size_t i = 0; i + 1 < s->n; i++)
        x[i] = (real)s->z[i];
    for (size_t o = 0; o < s->outputs; o++)
        y[o] = (real)s->y[o];
    assert_ok(step_weighted(s->filter, x, y, (real)s->weight, yhat));
    read_array(s->filter, weights, after);
    wide scale = 1 + before + size_of(s->outputs, s->y);
    for (size_t o = 0; o < s->outputs; o++)
        compare(s, "a prediction", yhat[o], s->yhat[o], scale * (1 + size_of(s->n, s->z)));
    for (size_t i = 0; i < numbers; i++)
        compare(s, "a weight", after[i], s->theta[i], scale * (1 + size_of(s->n, s->z)));
    if (!prior)
        return;
    memcpy(P, s->P, sizeof P);
    read_p(s);
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < s->n; j++)
            compare(s, "an element of P", s->P[i][j], P[i][j], 1 / s->spec.lambda);
}

/* ---- random specs --------------------------------------------------------------------------------------------- */

static double uniform(okra_random *random)
{
    double u;
    okra_random_uniform(random, 1, &u);
    return u;
}

static double between(okra_random *random, double low, double high) { return low * pow(high / low, uniform(random)); }

static const char *recipe_of(void (*expect)(subject *), okra_random *random)
{
    bool one = uniform(random) < 0.5;
    return expect == expect_prior        ? (one ? "rls" : "rff-krls")
           : expect == expect_projection ? (one ? "rff-apa" : "rff-apsm")
                                         : (one ? "rff-nlms" : "rff-klms");
}

static void draw_spec(subject *s, void (*expect)(subject *), okra_random *random)
{
    size_t inputs = 1 + (size_t)(uniform(random) * INPUTS_MAX), outputs = 1 + (size_t)(uniform(random) * OUTPUTS_MAX);
    okra_spec *spec = &s->spec;
    *spec = make_spec(recipe_of(expect, random), inputs, outputs);
    spec->map = OKRA_MAP_LINEAR;
    spec->mu = expect == expect_bank ? OKRA_MU_AUTO : (double)narrowed(spec, between(random, 0.001, 0.02));
    if (strcmp(spec->recipe, "rff-klms") != 0 && expect != expect_bank)
        spec->mu = (double)narrowed(spec, between(random, 0.05, 1));
    if (spec->reg > 0)
        spec->reg = (double)narrowed(spec, between(random, OKRA_PRECISION == 64 ? 1e-3 : 0.3, 3));
    spec->leak = expect == expect_lms || expect == expect_bank ? (double)narrowed(spec, between(random, 1e-4, 0.5)) : 0;
    spec->order = expect == expect_projection ? 1 + (size_t)(uniform(random) * ORDER_MAX) : 0;
    spec->tolerance = expect == expect_projection ? (double)narrowed(spec, uniform(random) * 0.5) : 0;
    if (expect == expect_prior)
        spec->forget = OKRA_FORGET_PRIOR, spec->lambda = between(random, 0.1, 10),
        spec->beta = 1 - between(random, 1e-3, 0.3);
    spec->loss = (int)(uniform(random) * 6) % 5;
    if (spec->loss == OKRA_LOSS_QUANTILE)
        spec->outputs = 1, spec->quantile = (double)narrowed(spec, 0.1 + 0.8 * uniform(random));
    spec->loss_scale = uniform(random) < 0.5 ? OKRA_LOSS_SCALE_AUTO : (double)narrowed(spec, between(random, 0.1, 2));
    s->n = inputs + 1, s->outputs = spec->outputs;
}

/* A spec, and rows of which some weigh nothing and some have wild targets. */
static void follow(void (*expect)(subject *), uint32_t stream, double *worst)
{
    static subject s;
    okra_random random = {.seed = 5, .stream = stream};
    s = (subject){.worst = 0};
    draw_spec(&s, expect, &random);
    s.filter = make_filter(&s.spec);
    for (size_t row = 0; row < ROWS; row++) {
        double normals[INPUTS_MAX + OUTPUTS_MAX];
        okra_random_normal(&random, COUNT_OF(normals), normals);
        for (size_t i = 0; i + 1 < s.n; i++)
            s.z[i] = (real)normals[i];
        s.z[s.n - 1] = 1;
        for (size_t o = 0; o < s.outputs; o++)
            s.y[o] = (real)(normals[0] + 0.3 * normals[INPUTS_MAX + o] + (row % 13 == 12 ? 40.0 : 0.0));
        s.weight = row % 10 == 9 ? 0 : row % 4 == 3 ? (real)uniform(&random) : 1;
        step_and_compare(&s, expect);
    }
    *worst = fmax(*worst, s.worst);
    okra_free(s.filter);
}

static void follow_all(void (*expect)(subject *), const char *name)
{
    double worst = 0;
    for (uint32_t i = 0; i < SPECS_EACH; i++)
        follow(expect, i, &worst);
    print_message("f%d %s: worst %.4f of the tolerance\n", OKRA_PRECISION, name, worst);
    assert_true(worst < 1);
}

static void leak_and_losses(void **state) { (void)state, follow_all(expect_lms, "lms"); }
static void bank_of_steps(void **state) { (void)state, follow_all(expect_bank, "bank"); }
static void projections(void **state) { (void)state, follow_all(expect_projection, "projections"); }
static void back_to_the_prior(void **state) { (void)state, follow_all(expect_prior, "prior"); }

int main(void)
{
    SKIP_WITHOUT_ISA();
    const struct CMUnitTest tests[] = {cmocka_unit_test(leak_and_losses), cmocka_unit_test(bank_of_steps),
                                       cmocka_unit_test(projections), cmocka_unit_test(back_to_the_prior)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
