/*
 * Candidates: a small grid for each parameter that matters. Widths are factors of the median distance, the number that
 * `--sigma auto` would find, or of widths found for each input; features are factors of the recipe's own. A parameter
 * that the command line gives is not searched.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/params.h"
#include "tune.h"

/* How the texts below become values. */
typedef enum unit { AS_IT_IS, OF_THE_WIDTH, OF_THE_DEFAULT } unit;

typedef struct grid {
    const char *name;
    const char *with; /* only of recipes that have this parameter, too; NULL: of all */
    unit unit;
    const char *usual;               /* where the search starts; NULL: at the recipe's default */
    const char *far, *farther;       /* values that other starts have; or NULL */
    const char *values[TUNE_VALUES]; /* ended by a NULL */
} grid;

/* Least squares start with the inputs beside the features, which gradients do not suit: their power has no bound. */
/* clang-format off */
static const grid grids[] = {
    {"sigma", NULL, OF_THE_WIDTH, "1", "2.8", NULL, {"0.25", "0.35", "0.5", "0.7", "1", "1.4", "2", "2.8", "4", "5.6", "8"}},
    {"lambda", NULL, AS_IT_IS, NULL, "1e-06", "1", {"1e-09", "1e-08", "1e-07", "1e-06", "1e-05", "0.0001", "0.001", "0.01", "0.1", "1", "10"}},
    {"mu", NULL, AS_IT_IS, NULL, "0.1", NULL, {"0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1", "1.5"}},
    {"beta", NULL, AS_IT_IS, NULL, "0.9997", NULL, {"0.99", "0.997", "0.999", "0.9997", "0.9999", "1"}},
    {"map", "lambda", AS_IT_IS, "linear+orf", NULL, NULL, {"rff", "orf", "linear+orf"}},
    {"map", "mu", AS_IT_IS, NULL, "linear+orf", NULL, {"rff", "orf", "linear+orf"}},
    {"kernel", NULL, AS_IT_IS, NULL, NULL, NULL, {"gaussian", "matern52", "matern32", "laplacian"}},
    {"features", NULL, OF_THE_DEFAULT, "1", NULL, NULL, {"0.5", "1", "2"}},
};
/* clang-format on */

_Static_assert(sizeof grids / sizeof *grids == TUNE_AXES, "an axis for each grid");

/* ---- widths --------------------------------------------------------------------------------------------------- */

/* What a spec has found at the end of its warm-up; the spec itself if it cannot start. */
static okra_spec found_by(const okra_spec *spec, const row_table *rows)
{
    runner probe;
    okra_spec found = *spec;
    if (!runner_start(&probe, spec, NULL)) {
        runner_go(&probe, rows, 0, rows->rows.n < spec->warmup ? rows->rows.n : spec->warmup, NULL);
        found = learner_spec(&probe.learner);
    }
    runner_free(&probe);
    return found;
}

/* Those that are scored come after them. */
size_t tune_width_rows(size_t rows)
{
    enum { FEWEST = 512 };
    return tune_late(rows) > FEWEST ? tune_late(rows) : rows < FEWEST ? rows : FEWEST;
}

/* Three digits: the line is for people, and nothing depends on more. */
static bool set_widths(okra_spec *spec, const double *widths)
{
    char text[OKRA_VALUE_TEXT];
    size_t used = 0;
    for (size_t j = 0; j < OKRA_INPUT_WIDTHS_MAX && widths[j] > 0 && used < sizeof text; j++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.3g", j > 0 ? "," : "", widths[j]);
    return used > 0 && used < sizeof text && !okra_spec_set(spec, "widths", text, NULL);
}

/* A width for each input, found on the first rows, which only a few features learn. */
static bool find_widths(okra_spec *spec, const row_table *rows)
{
    okra_spec probe = *spec;
    probe.sigma = 1;
    probe.widths[0] = OKRA_WIDTHS_AUTO;
    probe.features = 2;
    probe.warmup = tune_width_rows(rows->rows.n);
    if (okra_spec_check(&probe, NULL))
        return false;
    probe = found_by(&probe, rows);
    spec->sigma = 1;
    return set_widths(spec, probe.widths);
}

/* ---- the grid ------------------------------------------------------------------------------------------------- */

static void write_value(const tune_space *space, const grid *g, const char *value, double width, char text[TUNE_TEXT])
{
    double number = strtod(value, NULL);
    if (g->unit == OF_THE_WIDTH)
        snprintf(text, TUNE_TEXT, "%.3g", number * width);
    else if (g->unit == OF_THE_DEFAULT) /* even, as most maps need it */
        snprintf(text, TUNE_TEXT, "%.0f", 2 * ceil(number * (double)space->base.features / 2));
    else
        snprintf(text, TUNE_TEXT, "%s", value);
}

static bool is_usual(const tune_space *space, const grid *g, const char *value)
{
    char now[OKRA_VALUE_TEXT];
    if (g->usual)
        return strcmp(value, g->usual) == 0;
    return !okra_spec_get(&space->base, g->name, now, sizeof now) && strcmp(now, value) == 0;
}

static void make_axis(const tune_space *space, const grid *g, double width, tune_axis *axis)
{
    *axis = (tune_axis){.name = g->name, .usual = TUNE_VALUES};
    for (; axis->n < TUNE_VALUES && g->values[axis->n]; axis->n++) {
        write_value(space, g, g->values[axis->n], width, axis->values[axis->n]);
        if (is_usual(space, g, g->values[axis->n]))
            axis->usual = axis->n;
    }
    axis->usual = axis->usual < axis->n ? axis->usual : axis->n / 2;
}

/* "auto" leaves the choice to us. */
static bool is_open(const arguments *options, const char *name)
{
    const char *given = arguments_value(options, name);
    return !given || strcmp(given, "auto") == 0;
}

bool tune_space_make(tune_space *space, const recipe_entry *entry, bool found, const arguments *options,
                     const row_table *rows)
{
    const okra_recipe *recipe = okra_recipe_find(entry->spec.recipe);
    bool sigma = recipe_param(recipe, "sigma") && is_open(options, "sigma");
    *space = (tune_space){.base = entry->spec, .found = found};
    if (found) {
        bool open = sigma && recipe_param(recipe, "widths") && is_open(options, "widths");
        if (!open || !find_widths(&space->base, rows))
            return false;
    }
    double width = sigma ? found_by(&space->base, rows).sigma : 1;
    for (const grid *g = grids; g < grids + TUNE_AXES; g++)
        if (recipe_param(recipe, g->name) && (!g->with || recipe_param(recipe, g->with)) && is_open(options, g->name))
            make_axis(space, g, width > 0 ? width : 1, &space->axes[space->n_axes++]);
    return true;
}

/* ---- places on it --------------------------------------------------------------------------------------------- */

void tune_default(const tune_space *space, candidate *c) { *c = (candidate){.is_default = true, .spec = space->base}; }

/* Frequencies that are orthogonal are of radial kernels only: others take independent ones. */
static bool check(okra_spec *spec)
{
    if (okra_spec_check(spec, NULL) && spec->map & OKRA_MAP_ORF)
        spec->map = (spec->map & ~OKRA_MAP_ORF) | OKRA_MAP_RFF;
    return !okra_spec_check(spec, NULL);
}

/* The spec of a place; false if it makes none. */
static bool settle(const tune_space *space, candidate *c)
{
    c->spec = space->base;
    for (size_t i = 0; i < space->n_axes; i++)
        if (okra_spec_set(&c->spec, space->axes[i].name, space->axes[i].values[c->at[i]], NULL))
            return false;
    return check(&c->spec);
}

/* Sets the axis of a grid to one of its values, if it has both. */
static bool move_to(const tune_space *space, const grid *g, const char *value, candidate *c)
{
    for (size_t i = 0; i < space->n_axes && value; i++)
        for (size_t k = 0; k < space->axes[i].n && strcmp(space->axes[i].name, g->name) == 0; k++)
            if (strcmp(g->values[k], value) == 0 && c->at[i] != k) {
                c->at[i] = k;
                return true;
            }
    return false;
}

/* The usual place, and those that differ from it by a far value. */
bool tune_start(const tune_space *space, size_t i, candidate *c)
{
    *c = (candidate){0};
    for (size_t k = 0; k < space->n_axes; k++)
        c->at[k] = space->axes[k].usual;
    if (i == 0)
        return settle(space, c);
    const grid *g = grids + (i - 1) / 2;
    return (i - 1) / 2 < TUNE_AXES && move_to(space, g, (i - 1) % 2 ? g->farther : g->far, c) && settle(space, c);
}

bool tune_draw(const tune_space *space, uint32_t number, candidate *c)
{
    double chance[TUNE_AXES];
    okra_random random = {.seed = 1, .run = number};
    *c = (candidate){0};
    okra_random_uniform(&random, TUNE_AXES, chance);
    for (size_t i = 0; i < space->n_axes; i++)
        c->at[i] = (size_t)(chance[i] * (double)space->axes[i].n);
    return settle(space, c);
}

bool tune_combine(const tune_space *space, const candidate *of, const int *steps, candidate *c)
{
    *c = (candidate){.space = of->space};
    for (size_t i = 0; i < space->n_axes; i++) {
        int at = (int)of->at[i] + steps[i];
        if (at < 0 || at >= (int)space->axes[i].n)
            return false;
        c->at[i] = (size_t)at;
    }
    return settle(space, c);
}

bool tune_neighbour(const tune_space *space, const candidate *of, size_t axis, int steps, candidate *c)
{
    int moves[TUNE_AXES] = {0};
    if (axis >= space->n_axes)
        return false;
    moves[axis] = steps;
    return tune_combine(space, of, moves, c);
}
