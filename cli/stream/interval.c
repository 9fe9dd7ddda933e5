/*
 * Predictive intervals: the normal quantile, and the question to libokra which recipes know a variance.
 */
#include "interval.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../common/talk.h"

/*
 * The q that a standard normal number exceeds in size with probability tail: erfc(q / sqrt 2) = tail, by Newton's
 * method. erfc is convex from 0 on, so that steps from 0 never pass the root: they climb to it and end where rounding
 * hides it, after 35 in the far tail of the percentage nearest to 100.
 */
static double normal_quantile(double tail)
{
    double q = 0, next = 0;
    do {
        q = next;
        double density = 2 / sqrt(2 * M_PI) * exp(-q * q / 2); /* of |number| */
        next = q + (erfc(q / M_SQRT2) - tail) / density;
    } while (next > q);
    return q;
}

/* Asked of a filter as small as can be, because the table of recipes does not tell. */
static okra_status ask_for_variance(const okra_recipe *recipe, bool *knows)
{
    okra_spec spec;
    okra_filter *filter = NULL;
    okra_spec_init(&spec, recipe->name, 1);
    spec.features = 2, spec.capacity = 1, spec.sigma = 1;
    okra_status status = okra_create(&spec, &filter);
    void *scratch = status ? NULL : malloc(okra_scratch_size(filter));
    *knows = scratch && !okra_predict_variance(filter, scratch, 0, NULL, NULL, NULL);
    if (!status && !scratch)
        status = OKRA_E_MEMORY;
    free(scratch);
    okra_free(filter);
    return status;
}

static int refuse_recipe(const char *name)
{
    char able[256] = "";
    size_t used = 0;
    bool knows;
    const okra_recipe *recipe;
    for (size_t i = 0; (recipe = okra_recipe_at(i)) && used < sizeof able; i++)
        if (!ask_for_variance(recipe, &knows) && knows)
            used += (size_t)snprintf(able + used, sizeof able - used, "%s%s", used ? ", " : "", recipe->name);
    return talk_fail(EXIT_USAGE, "--interval: recipe %s knows no variance: use one of %s", name, able);
}

int interval_settle(const char *text, const okra_spec *spec, double *q)
{
    char *end;
    bool knows;
    double percent = strtod(text, &end);
    if (end == text || *end || !(percent > 0 && percent < 100))
        return talk_fail(EXIT_USAGE, "--interval: '%s' is no percentage above 0 and below 100: give 95, say", text);
    if (ask_for_variance(okra_recipe_find(spec->recipe), &knows))
        return talk_fail(EXIT_IO, "--interval: out of memory");
    if (!knows)
        return refuse_recipe(spec->recipe);
    *q = normal_quantile((100 - percent) / 100);
    return EXIT_DONE;
}
