/*
 * Candidates: a small grid for each parameter that matters. Widths are factors of the median distance, the number that
 * `--sigma auto` would find; features are factors of the recipe's own. A parameter that the command line gives is not
 * searched.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/params.h"
#include "tune.h"

/* How the texts below become values. */
typedef enum unit { AS_IT_IS, OF_THE_MEDIAN, OF_THE_DEFAULT } unit;

typedef struct grid {
    const char *name;
    unit unit;
    const char *values[TUNE_VALUES]; /* ended by a NULL */
} grid;

/* clang-format off */
static const grid grids[] = {
    {"sigma", OF_THE_MEDIAN, {"0.25", "0.35", "0.5", "0.7", "1", "1.4", "2", "2.8", "4", "5.6", "8"}},
    {"map", AS_IT_IS, {"rff", "orf", "linear+orf"}},
    {"features", OF_THE_DEFAULT, {"0.5", "1", "2"}},
    {"mu", AS_IT_IS, {"0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1", "1.5"}},
    {"lambda", AS_IT_IS, {"1e-06", "1e-05", "0.0001", "0.001", "0.01", "0.1", "1", "10"}},
    {"beta", AS_IT_IS, {"0.99", "0.997", "0.999", "0.9997", "0.9999", "1"}},
};
/* clang-format on */

_Static_assert(sizeof grids / sizeof *grids == TUNE_AXES, "an axis for each grid");

/* ---- the grid ------------------------------------------------------------------------------------------------ */

/* The width that the default has found at the end of its warm-up. */
static double median_width(const tune_space *space, const row_table *rows)
{
    runner probe;
    double width = 1;
    size_t warmup = space->base->spec.warmup;
    bool started = !runner_start(&probe, &space->base->spec, NULL);
    if (started) {
        runner_go(&probe, rows, 0, rows->rows.n < warmup ? rows->rows.n : warmup, NULL);
        width = learner_spec(&probe.learner).sigma;
    }
    runner_free(&probe);
    return width > 0 ? width : 1;
}

static void write_value(const tune_space *space, const grid *g, const char *value, double median, char text[TUNE_TEXT])
{
    double number = strtod(value, NULL);
    if (g->unit == OF_THE_MEDIAN) /* few digits: the line is for people, and nothing depends on more */
        snprintf(text, TUNE_TEXT, "%.3g", number * median);
    else if (g->unit == OF_THE_DEFAULT) /* even, as most maps need it */
        snprintf(text, TUNE_TEXT, "%.0f", 2 * ceil(number * (double)space->base->spec.features / 2));
    else
        snprintf(text, TUNE_TEXT, "%s", value);
}

static bool is_usual(const tune_space *space, const grid *g, const char *value)
{
    char now[OKRA_VALUE_TEXT];
    if (g->unit != AS_IT_IS)
        return strcmp(value, "1") == 0;
    return !okra_spec_get(&space->base->spec, g->name, now, sizeof now) && strcmp(now, value) == 0;
}

static void make_axis(const tune_space *space, const grid *g, double median, tune_axis *axis)
{
    *axis = (tune_axis){.name = g->name, .usual = TUNE_VALUES};
    for (; axis->n < TUNE_VALUES && g->values[axis->n]; axis->n++) {
        write_value(space, g, g->values[axis->n], median, axis->values[axis->n]);
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

void tune_space_make(tune_space *space, const arguments *options, const row_table *rows)
{
    const okra_recipe *recipe = okra_recipe_find(space->base->spec.recipe);
    double median = recipe_param(recipe, "sigma") && is_open(options, "sigma") ? median_width(space, rows) : 1;
    for (const grid *g = grids; g < grids + TUNE_AXES; g++)
        if (recipe_param(recipe, g->name) && is_open(options, g->name))
            make_axis(space, g, median, &space->axes[space->n_axes++]);
}

/* ---- places on it -------------------------------------------------------------------------------------------- */

void tune_default(const tune_space *space, candidate *c)
{
    *c = (candidate){.is_default = true, .spec = space->base->spec};
}

/* The spec of a place; false if it makes none: a map that the kernel does not have. */
static bool settle(const tune_space *space, candidate *c)
{
    c->spec = space->base->spec;
    for (size_t i = 0; i < space->n_axes; i++)
        if (okra_spec_set(&c->spec, space->axes[i].name, space->axes[i].values[c->at[i]], NULL))
            return false;
    return !okra_spec_check(&c->spec, NULL);
}

bool tune_usual(const tune_space *space, candidate *c)
{
    *c = (candidate){0};
    for (size_t i = 0; i < space->n_axes; i++)
        c->at[i] = space->axes[i].usual;
    return settle(space, c);
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

/* One step down or up on one axis. */
bool tune_neighbour(const tune_space *space, const candidate *of, size_t i, candidate *c)
{
    size_t axis = i / 2;
    bool up = i % 2;
    *c = (candidate){.space = of->space};
    memcpy(c->at, of->at, sizeof c->at);
    if (axis >= space->n_axes || (up ? c->at[axis] + 1 >= space->axes[axis].n : c->at[axis] == 0))
        return false;
    c->at[axis] += up ? 1 : (size_t)-1;
    return settle(space, c);
}
