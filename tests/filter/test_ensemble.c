/* The ensemble against what it is made of, through its state arrays: the weights and losses of members written out, and
 * members against filters of the public recipes that learn the same samples one by one. Compiled once per precision. */
#include "typed.h"

typedef long double wide;

enum { INPUTS = 3, OUTPUTS = 2, MEMBERS = 10, FEATURES = 24, ROWS = 700, HORIZON = 3, TRIAL_NUMBERS = 4, FAR = 400 };
enum { PLAIN }; /* the first member, see docs/choosing.md */

/* Inputs within what features are not clipped at, targets of ordinary size, and noise. */
static void make_sample(const real *normals, real *x, real *y)
{
    for (size_t j = 0; j < INPUTS; j++)
        x[j] = (real)(3 + 2 * tanh((double)normals[j]) * (double)(j + 1));
    for (size_t o = 0; o < OUTPUTS; o++)
        y[o] = (real)(sin(2 * (double)x[0] + (double)o) + (double)x[1] / 2 + tanh((double)normals[INPUTS + o]));
}

static okra_filter *make_auto(size_t horizon, int loss)
{
    okra_spec spec;
    assert_ok(okra_spec_init(&spec, "auto", INPUTS, OUTPUTS));
    spec.precision = OKRA_PRECISION, spec.features = FEATURES, spec.horizon = horizon, spec.loss = loss;
    return make_filter(&spec);
}

static uint64_t counter_of(const okra_filter *filter, const char *name)
{
    okra_counter counter;
    for (size_t i = 0; okra_counter_at(filter, i, &counter) == OKRA_OK; i++)
        if (strcmp(counter.name, name) == 0)
            return counter.value;
    fail_msg("no counter %s", name);
    return 0;
}

/* ---- the mean of the members -------------------------------------------------------------------------------- */

/* weight_k ~ exp(-(loss_k - least) / (20 horizon)), of members that are live and not on trial. */
static void weigh(const okra_filter *filter, wide *weight)
{
    real loss[MEMBERS], trial[MEMBERS][TRIAL_NUMBERS];
    uint64_t live = counter_of(filter, "live");
    wide least = (wide)INFINITY, total = 0;
    assert_ok(okra_array_read(filter, "loss", loss));
    assert_ok(okra_array_read(filter, "trial", trial));
    for (size_t k = 0; k < MEMBERS; k++) {
        bool heard = live >> k & 1 && !(trial[k][0] > 0);
        weight[k] = heard ? 1 : 0;
        least = heard ? fminl(least, (wide)loss[k]) : least;
    }
    for (size_t k = 0; k < MEMBERS; k++)
        total += weight[k] *= expl(-((wide)loss[k] - least) / (20 * HORIZON));
    for (size_t k = 0; k < MEMBERS; k++)
        weight[k] /= total;
}

/* With late labels a filter keeps what its members predicted: their mean is its prediction. */
static void predicts_the_weighted_mean(void **state)
{
    (void)state;
    okra_filter *filter = make_auto(HORIZON, OKRA_LOSS_HUBER);
    real *normals = make_normals(1, ROWS * (INPUTS + OUTPUTS));
    size_t several = 0;
    for (size_t t = 0; t < ROWS; t++) {
        real x[INPUTS], y[OUTPUTS], yhat[OUTPUTS], said[HORIZON][MEMBERS][OUTPUTS];
        wide weight[MEMBERS];
        uint64_t live = counter_of(filter, "live");
        if (live)
            weigh(filter, weight);
        make_sample(normals + t * (INPUTS + OUTPUTS), x, y);
        assert_ok(step(filter, x, y, yhat));
        if (!live)
            continue;
        assert_ok(okra_array_read(filter, "pending.yhat", said));
        for (size_t o = 0; o < OUTPUTS; o++) {
            wide mean = 0, size = 0;
            for (size_t k = 0; k < MEMBERS; k++)
                mean += weight[k] * (wide)said[t % HORIZON][k][o], size += fabsl((wide)said[t % HORIZON][k][o]);
            /* the exponent is a difference of losses of up to some thousands */
            assert_near(yhat[o], mean, 1e4 * REAL_EPS * (double)size);
        }
        for (size_t k = 0; k < MEMBERS; k++)
            several += weight[k] > 0.05L && weight[k] < 0.95L;
    }
    assert_true(several > ROWS / 2); /* it is a mean, not a choice */
    assert_int_equal(counter_of(filter, "live"), (1 << MEMBERS) - 1);
    free(normals);
    okra_free(filter);
}

/* The smallest loss of a member that is heard. None is more than 400 above it. */
static wide least_loss(const okra_filter *filter, const real *loss)
{
    real trial[MEMBERS][TRIAL_NUMBERS];
    uint64_t live = counter_of(filter, "live");
    wide least = (wide)INFINITY;
    assert_ok(okra_array_read(filter, "trial", trial));
    for (size_t k = 0; k < MEMBERS; k++)
        least = live >> k & 1 && !(trial[k][0] > 0) ? fminl(least, (wide)loss[k]) : least;
    for (size_t k = 0; k < MEMBERS; k++)
        assert_true((wide)loss[k] <= least + FAR * HORIZON * (1 + 4 * (wide)REAL_EPS));
    return least;
}

/* The loss of the first member: its squared errors over the level, which is that of the mean's errors. */
static void losses_are_relative_to_the_level(void **state)
{
    (void)state;
    okra_filter *filter = make_auto(HORIZON, OKRA_LOSS_SQUARE);
    real *normals = make_normals(2, ROWS * (INPUTS + OUTPUTS));
    real said[ROWS][MEMBERS][OUTPUTS], pending[HORIZON][MEMBERS][OUTPUTS], Y[ROWS][OUTPUTS];
    for (size_t t = 0; t < ROWS; t++) {
        real x[INPUTS], yhat[OUTPUTS], before[MEMBERS], after[MEMBERS], level[OUTPUTS + 1];
        make_sample(normals + t * (INPUTS + OUTPUTS), x, Y[t]);
        assert_ok(okra_array_read(filter, "loss", before));
        assert_ok(okra_array_read(filter, "level", level));
        assert_ok(step(filter, x, Y[t], yhat));
        assert_ok(okra_array_read(filter, "loss", after));
        assert_ok(okra_array_read(filter, "pending.yhat", pending));
        memcpy(said[t], pending[t % HORIZON], sizeof said[t]);
        if (!(level[OUTPUTS] >= 4) || t + 1 < HORIZON)
            continue;
        size_t due = t + 1 - HORIZON;
        wide excess = 0;
        for (size_t o = 0; o < OUTPUTS; o++) {
            wide e = (wide)Y[due][o] - (wide)said[due][PLAIN][o], r = e * e / (wide)level[o];
            excess += (r > 10 ? 10 * (1 + logl(r / 10)) : r) / OUTPUTS;
        }
        wide wanted = (wide)before[PLAIN] * (1 - 1.0L / 500) + excess, least = least_loss(filter, after);
        wanted = fminl(wanted, least + FAR * HORIZON);
        assert_near(after[PLAIN], wanted, 64 * REAL_EPS * (double)(wanted + 1));
    }
    free(normals);
    okra_free(filter);
}

/* A member that has not been heard for 256 samples is compared with the others at every eighth only. Between these, its
 * distance to the best member decays as all losses do: by a 500th. */
static void a_member_that_rests_is_seen_at_every_eighth_sample(void **state)
{
    (void)state;
    enum { REST = 256, EVERY = 8, LONG = 4 * ROWS };
    okra_filter *filter = make_auto(1, OKRA_LOSS_SQUARE);
    real *normals = make_normals(5, (size_t)LONG * (INPUTS + OUTPUTS));
    size_t kept = 0, moved = 0, due = 0;
    for (size_t t = 0; t < LONG; t++) {
        real x[INPUTS], y[OUTPUTS], yhat[OUTPUTS], quiet[MEMBERS], loss[2][MEMBERS], trial[MEMBERS][TRIAL_NUMBERS];
        make_sample(normals + t * (INPUTS + OUTPUTS), x, y);
        assert_ok(okra_array_read(filter, "quiet", quiet));
        assert_ok(okra_array_read(filter, "loss", loss[0]));
        assert_ok(okra_array_read(filter, "trial", trial));
        assert_ok(step(filter, x, y, yhat));
        assert_ok(okra_array_read(filter, "loss", loss[1]));
        size_t best = MEMBERS;
        for (size_t k = 0; k < MEMBERS; k++)
            if (quiet[k] < REST && !(trial[k][0] > 0) && (best == MEMBERS || loss[0][k] < loss[0][best]))
                best = k;
        for (size_t k = 0; k < MEMBERS; k++) {
            if (quiet[k] < REST)
                continue;
            wide before = (wide)loss[0][k] - (wide)loss[0][best], after = (wide)loss[1][k] - (wide)loss[1][best];
            bool same =
                fabsl(after - before * (1 - 1.0L / 500)) <= 16 * (wide)REAL_EPS * ((wide)loss[0][k] + (wide)loss[1][k]);
            assert_true(same || t % EVERY == 0);
            kept += same, moved += !same, due += t % EVERY == 0;
        }
    }
    assert_true(kept > ROWS && moved > ROWS / EVERY);
    assert_true(moved > due - due / 100); /* all but those that are off by as much as the best, to rounding */
    free(normals);
    okra_free(filter);
}

/* ---- members --------------------------------------------------------------------------------------------------- */

/* A filter of a public recipe on the scale that it estimates itself, like a member's. */
static okra_filter *make_twin(bool linear)
{
    okra_spec spec;
    assert_ok(okra_spec_init(&spec, linear ? "rls" : "rff-krls", INPUTS, OUTPUTS));
    spec.precision = OKRA_PRECISION, spec.scale = OKRA_SCALE_AUTO, spec.lambda = linear ? 1e-2 : 1;
    if (!linear) {
        assert_ok(okra_spec_set(&spec, "map", "linear+orf", NULL));
        spec.features = FEATURES / 6 * 2, spec.sigma = sqrt(2.0 * INPUTS);
    }
    return make_filter(&spec);
}

/*
 * Members that forget nothing, fitted to all samples so far at once, are where they would be had they learnt them one
 * by one: after 16, 64, 256 and 512 samples the scale is estimated again. The condition of the sums is at most their
 * trace, ROWS (INPUTS + 2) on this scale, over lambda, and either way rounds off by that times epsilon a few times.
 */
static void a_fit_is_what_single_samples_teach(void **state)
{
    (void)state;
    enum { COLUMNS = INPUTS + OUTPUTS, LONGEST = INPUTS + 1 + FEATURES };
    static const struct {
        bool linear;
        const char *scale, *theta;
        size_t features;
        double lambda;
    } cases[] = {{true, "m0.scale", "m0.theta", INPUTS + 1, 1e-2},
                 {false, "m5.scale", "m5.theta", INPUTS + 1 + FEATURES / 6 * 2, 1}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        okra_filter *filter = make_auto(1, OKRA_LOSS_SQUARE), *twin = make_twin(cases[i].linear);
        real *normals = make_normals(3, ROWS * COLUMNS), scale[2][COLUMNS], mean[COLUMNS], deviation[COLUMNS];
        real theta[2][OUTPUTS * LONGEST];
        for (size_t t = 0; t < 560; t++) { /* soon after a fit: members that are not heard go to sleep */
            real x[INPUTS], y[OUTPUTS], yhat[OUTPUTS];
            make_sample(normals + t * COLUMNS, x, y);
            assert_ok(step(filter, x, y, yhat));
            assert_ok(step(twin, x, y, yhat));
        }
        assert_ok(okra_array_read(filter, cases[i].scale, scale));
        assert_ok(okra_array_read(twin, "scale.mean", mean));
        assert_ok(okra_array_read(twin, "scale.deviation", deviation));
        for (size_t c = 0; c < COLUMNS; c++) {
            assert_near(scale[0][c], mean[c], 64 * REAL_EPS * (1 + fabs((double)mean[c])));
            assert_near(scale[1][c], deviation[c], 64 * REAL_EPS * (double)deviation[c]);
        }
        assert_ok(okra_array_read(filter, cases[i].theta, theta[0]));
        assert_ok(okra_array_read(twin, "theta", theta[1]));
        for (size_t j = 0; j < OUTPUTS * cases[i].features; j++)
            assert_near(theta[0][j], theta[1][j], 4 * ROWS * (INPUTS + 2) / cases[i].lambda * REAL_EPS);
        free(normals);
        okra_free(filter), okra_free(twin);
    }
}

/* ---- work ------------------------------------------------------------------------------------------------------ */

/* Widths are searched after 64 samples, 128, 256, ..; the work is spread, and done long before the next search. */
static void fits_are_done_in_time(void **state)
{
    (void)state;
    okra_filter *filter = make_auto(1, OKRA_LOSS_HUBER);
    real *normals = make_normals(4, ROWS * (INPUTS + OUTPUTS));
    for (size_t t = 1; t <= ROWS; t++) {
        real x[INPUTS], y[OUTPUTS], yhat[OUTPUTS];
        make_sample(normals + (t - 1) * (INPUTS + OUTPUTS), x, y);
        assert_ok(step(filter, x, y, yhat));
        assert_int_equal(counter_of(filter, "samples"), t);
        uint64_t live = counter_of(filter, "live");
        if (t < 16)
            assert_int_equal(live, 0);
        if (t == 32)
            assert_true((live & 0x7F) == 0x7F); /* all but the two slots and the tracker with their widths */
        if (t < 64)
            assert_int_equal(live & 0x380, 0);
        if (t == 112)
            assert_true(live & 0x100);
        if (t == 112 || t == 160 || t == 400 || t == ROWS)
            assert_int_equal(counter_of(filter, "stage"), 0);
    }
    free(normals);
    okra_free(filter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predicts_the_weighted_mean),
        cmocka_unit_test(losses_are_relative_to_the_level),
        cmocka_unit_test(a_member_that_rests_is_seen_at_every_eighth_sample),
        cmocka_unit_test(a_fit_is_what_single_samples_teach),
        cmocka_unit_test(fits_are_done_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
