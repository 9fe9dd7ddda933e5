/*
 * Predictive intervals: the normal quantile, and which recipes have a variance.
 */
#include "interval.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../common/message.h"

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

static int refuse_recipe(const char *name)
{
    char able[256] = "";
    size_t used = 0;
    const okra_recipe *recipe;
    for (size_t i = 0; (recipe = okra_recipe_at(i)) && used < sizeof able; i++)
        if (recipe->variance)
            used += (size_t)snprintf(able + used, sizeof able - used, "%s%s", used ? ", " : "", recipe->name);
    return message_fail(EXIT_USAGE, "--interval: recipe %s has no predictive variance: use one of %s", name, able);
}

int interval_settle(const char *text, const okra_spec *spec, double *q)
{
    char *end;
    double percent = strtod(text, &end);
    if (end == text || *end || !(percent > 0 && percent < 100))
        return message_fail(EXIT_USAGE, "--interval: '%s' is no percentage above 0 and below 100: give 95, say", text);
    if (!okra_recipe_find(spec->recipe)->variance)
        return refuse_recipe(spec->recipe);
    *q = normal_quantile((100 - percent) / 100);
    return EXIT_DONE;
}
