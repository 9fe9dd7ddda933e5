/*
 * Thousands of random specs of every recipe, each over a hundred samples and more, against the slow references of
 * reference.h: inputs, outputs, maps, kernels, widths, features, steps, regularisation, forgetting, thresholds,
 * capacities, what a full dictionary does, weights. Compiled once per precision.
 *
 *     test_reference [SPECS]
 *
 * prints for each recipe what was compared, what had to be left out, and how much of the tolerance was ever used.
 * Samples on which a decision hangs within rounding are left out for both; where a tolerance is more than a twentieth
 * of the targets a comparison says little, and is counted as blunt. Both must be rare.
 */
#include "reference.h"
#include "typed.h"

enum { ROWS_LEAST = 100, ROWS_MAX = 300 };

static size_t n_specs = SPECS;

typedef struct totals {
    size_t specs, samples, left_out, blunt, centres, refused;
    wide worst; /* error over its tolerance */
    wide batch; /* disagreement of recursion and batch, see reference.h */
} totals;

/* ---- a random spec ------------------------------------------------------------------------------------------ */

static double uniform(okra_random *random)
{
    double u;
    okra_random_uniform(random, 1, &u);
    return u;
}

static size_t count_between(okra_random *random, size_t low, size_t high)
{
    return low + (size_t)(uniform(random) * (double)(high - low + 1));
}

static double between(okra_random *random, double low, double high) { return low * pow(high / low, uniform(random)); }

static int map_of(const okra_recipe *recipe, okra_random *random)
{
    const okra_choice *maps = maps_of(recipe);
    size_t n = 0;
    while (maps && maps[n].name)
        n++;
    return n ? maps[count_between(random, 0, n - 1)].value : recipe->map;
}

static void draw_map(okra_spec *spec, okra_random *random)
{
    spec->kernel = (int)count_between(random, OKRA_GAUSSIAN, OKRA_MATERN52);
    spec->sigma = between(random, 0.5, 4) * sqrt((double)spec->inputs);
    spec->seed = (uint64_t)(uniform(random) * 0x1p53);
    if (spec->features) {
        spec->map = map_of(okra_recipe_find(spec->recipe), random);
        spec->features = count_between(random, 1, 64);
        if (spec->map != OKRA_MAP_RFF && spec->map != OKRA_MAP_RFF + OKRA_MAP_LINEAR)
            spec->features += spec->features % 2;
        if (uniform(random) < 0.25)
            spec->sigma_more[0] = 2 * spec->sigma;
    }
}

/* Steps that are stable, and some that are a little beyond; LMS on inputs needs 2 / (2 + |x|^2). */
static void draw_learning(okra_spec *spec, okra_random *random)
{
    bool float32 = OKRA_PRECISION == 32, lms = strcmp(okra_recipe_find(spec->recipe)->filter, "lms") == 0;
    spec->mu = between(random, 0.02, lms ? 1.5 : 1.9);
    if (lms && spec->map & OKRA_MAP_LINEAR)
        spec->mu = between(random, 0.001, 0.02);
    spec->reg = between(random, 1e-4, 1);
    spec->leak = spec->mu > 0 && uniform(random) < 0.5 ? between(random, 1e-4, 0.5) : 0;
    spec->loss = OKRA_LOSS_SQUARE; /* the others are in test_one_step.c */
    spec->lambda = between(random, float32 ? 0.1 : 1e-4, 10);
    spec->beta = uniform(random) < 0.3 ? 1 : 1 - between(random, 1e-4, 0.1);
    spec->cyclic = uniform(random) < 0.5 ? OKRA_AUTO : count_between(random, 0, 10);
}

static void draw_dictionary(okra_spec *spec, okra_random *random)
{
    const double apart = between(random, 0.05, 1);
    double x[REFERENCE_INPUTS] = {0}, zero[REFERENCE_INPUTS] = {0};
    spec->capacity = count_between(random, 1, strcmp(spec->recipe, "krls") == 0 ? 25 : 60);
    spec->when_full = (int)count_between(random, OKRA_FULL_STOP, OKRA_FULL_ERROR);
    spec->epsilon = apart * (double)spec->inputs;
    spec->novelty_distance = apart * sqrt((double)spec->inputs), spec->novelty_error = between(random, 0.01, 0.5);
    for (size_t j = 0; j < spec->inputs; j++)
        x[j] = apart;
    spec->coherence = okra_kernel_value(spec->kernel, spec->sigma, spec->inputs, x, zero);
    spec->surprise = -between(random, 0.05, 2), spec->surprise_max = between(random, 0.5, 200);
    spec->nu = OKRA_PRECISION == 64 ? between(random, 1e-4, 0.3) : between(random, 0.03, 0.5);
}

/* Spec number i; false if the draw is not one that can be built. */
static size_t count_recipes(void)
{
    size_t recipes = 1; /* one, the default, there always is */
    while (okra_recipe_at(recipes))
        recipes++;
    return recipes;
}

static bool draw_spec(size_t i, okra_spec *spec, okra_random *random)
{
    size_t recipes = count_recipes();
    *random = (okra_random){.seed = 41, .stream = (uint32_t)i};
    *spec = make_spec(okra_recipe_at(i % recipes)->name, count_between(random, 1, REFERENCE_INPUTS),
                      count_between(random, 1, REFERENCE_OUTPUTS));
    draw_map(spec, random);
    draw_learning(spec, random);
    if (spec->capacity)
        draw_dictionary(spec, random);
    return reference_follows(spec) && okra_spec_check(spec, NULL) == OKRA_OK;
}

/* ---- a stream for it ---------------------------------------------------------------------------------------- */

typedef struct sample {
    real x[REFERENCE_INPUTS], y[REFERENCE_OUTPUTS], weight;
    wide wide_x[REFERENCE_INPUTS], wide_y[REFERENCE_OUTPUTS];
} sample;

/* y = a sine, a slope and noise, different for each output. Weights in a third of the streams, some of them 0. */
static sample draw_sample(const okra_spec *spec, okra_random *random, bool weighted)
{
    sample s = {.weight = 1};
    double z[REFERENCE_INPUTS + REFERENCE_OUTPUTS];
    okra_random_normal(random, REFERENCE_INPUTS + REFERENCE_OUTPUTS, z);
    for (size_t j = 0; j < spec->inputs; j++)
        s.x[j] = (real)z[j], s.wide_x[j] = s.x[j];
    for (size_t o = 0; o < spec->outputs; o++) {
        s.y[o] = (real)(sin(1.3 * z[0] + (double)o) + z[spec->inputs - 1] / 2 + 0.1 * z[REFERENCE_INPUTS + o]);
        s.wide_y[o] = s.y[o];
    }
    if (weighted)
        s.weight = uniform(random) < 0.1 ? 0 : (real)(uniform(random) + 0.05);
    return s;
}

/* ---- a filter and its reference ----------------------------------------------------------------------------- */

static wide *read_wide(const okra_filter *filter, const char *name)
{
    okra_array array;
    for (size_t i = 0; okra_array_at(filter, i, &array) == OKRA_OK; i++)
        if (strcmp(array.name, name) == 0) {
            size_t n = array.rows * array.cols;
            real *values = malloc((n + 1) * sizeof *values);
            wide *copy = reference_zeros(n);
            assert_ok(okra_array_read(filter, name, values));
            for (size_t k = 0; k < n; k++)
                copy[k] = values[k];
            free(values);
            return copy;
        }
    return NULL;
}

/* The arrays of a filter's map: freed by free_map(). */
static drawn_map read_map(const okra_filter *filter)
{
    return (drawn_map){read_wide(filter, "omega"), read_wide(filter, "phase"), read_wide(filter, "amplitude"),
                       read_wide(filter, "signs"), read_wide(filter, "length")};
}

static void free_map(const drawn_map *map)
{
    const wide *arrays[] = {map->omega, map->phase, map->amplitude, map->signs, map->length};
    for (size_t a = 0; a < COUNT_OF(arrays); a++)
        free((void *)(uintptr_t)arrays[a]);
}

/* Says which spec it was: `test_reference` draws it again from its number. */
static void fail_spec(const okra_spec *spec, size_t number, size_t row, const char *what, wide got, wide wanted,
                      wide tolerance)
{
    fail_msg("spec %zu, %s, map %d, kernel %d, %zu inputs, %zu outputs, D %zu, capacity %zu, row %zu: %s %.17Lg, "
             "not %.17Lg: off by %Lg, allowed %Lg",
             number, spec->recipe, spec->map, spec->kernel, spec->inputs, spec->outputs, spec->features, spec->capacity,
             row, what, got, wanted, fabsl(got - wanted), tolerance);
}

static void compare_row(const okra_spec *spec, size_t number, size_t row, okra_filter *filter, reference *r,
                        const sample *s, totals *t)
{
    opinion said = reference_meet(r, s->wide_x, s->wide_y, s->weight);
    real yhat[REFERENCE_OUTPUTS] = {7, 7, 7};
    t->samples++;
    if (said.marginal) {
        t->left_out++;
        return;
    }
    okra_status status = step_weighted(filter, s->x, s->y, s->weight, yhat);
    if (status != said.status)
        fail_spec(spec, number, row, "status", status, said.status, 0);
    t->refused += status != OKRA_OK;
    for (size_t o = 0; o < spec->outputs && !status; o++) {
        wide off = fabsl(yhat[o] - said.yhat[o]);
        if (!(off <= said.tolerance))
            fail_spec(spec, number, row, "prediction", yhat[o], said.yhat[o], said.tolerance);
        t->worst = off > 0 ? fmaxl(t->worst, off / said.tolerance) : t->worst;
    }
    t->blunt += said.tolerance > 0.05L;
    if (!status)
        reference_learn(r);
    okra_stats stats;
    size_t full, centres = reference_centres(r, &full);
    assert_ok(okra_get_stats(filter, &stats));
    if (stats.centres != centres || stats.full != full)
        fail_spec(spec, number, row, "centres", stats.centres, (wide)centres, 0);
}

static void compare(const okra_spec *spec, size_t number, okra_random *random, totals *t)
{
    okra_filter *filter = make_filter(spec);
    drawn_map map;
    map = read_map(filter);
    reference *r = reference_create(spec, &map);
    bool weighted = uniform(random) < 1.0 / 3;
    size_t rows = count_between(random, ROWS_LEAST, ROWS_MAX), full;
    for (size_t i = 0; i < rows; i++) {
        sample s = draw_sample(spec, random, weighted);
        compare_row(spec, number, i, filter, r, &s, t);
    }
    t->specs++;
    t->centres += reference_centres(r, &full);
    t->batch = fmaxl(t->batch, reference_disagreement(r));
    reference_free(r);
    free_map(&map);
    okra_free(filter);
}

/* ---- all of them -------------------------------------------------------------------------------------------- */

static totals totals_of[32];

static void report(const char *recipe, const totals *t)
{
    print_message("f%d %-10s %6zu specs %9zu samples, %5zu left out, %5zu blunt, %6zu refused, %5.1f centres, worst "
                  "%.3Lf of the tolerance, batch %.3Lf\n",
                  OKRA_PRECISION, recipe, t->specs, t->samples, t->left_out, t->blunt, t->refused,
                  (double)t->centres / (double)t->specs, t->worst, t->batch);
}

static void random_specs_match_the_equations(void **state)
{
    (void)state;
    size_t recipes = count_recipes();
    for (size_t i = 0; i < n_specs; i++) {
        okra_spec spec;
        okra_random random;
        if (draw_spec(i, &spec, &random))
            compare(&spec, i, &random, &totals_of[i % recipes]);
    }
    size_t specs = 0;
    for (size_t k = 0; k < recipes; k++) {
        report(okra_recipe_at(k)->name, &totals_of[k]);
        specs += totals_of[k].specs;
        assert_true(totals_of[k].left_out * 50 <= totals_of[k].samples);
        assert_true(totals_of[k].blunt * 20 <= totals_of[k].samples);
        assert_true(totals_of[k].batch <= 1);
    }
    assert_true(specs * 2 >= n_specs); /* the rest are combinations that cannot be built */
}

int main(int argc, char **argv)
{
    SKIP_WITHOUT_ISA();
    if (argc > 1)
        n_specs = strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_specs_match_the_equations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
