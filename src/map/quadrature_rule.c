#include "quadrature.h"

#include <math.h>

/* ---- products ------------------------------------------------------------------------------------------------- */

/* A walk over the nodes of a product with weights in [least, below): a depth-first search that turns back as soon as
 * even the heaviest nodes of the axes that remain would not do. */
typedef struct walk {
    const okra_axis_rule *rule;
    size_t d, most, found;
    double least, below;
    double *node;
    okra_node_sink *sink; /* NULL only counts */
    void *context;
} walk;

/* Axes from j on. Of w and -w the one whose first coordinate off 0 is positive is taken. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as there are axes, of which products have few */
static void visit(walk *w, size_t j, double weight, bool mirrored)
{
    if (w->found >= w->most)
        return;
    if (j == w->d && weight < w->below) {
        if (w->sink)
            w->sink(w->context, w->found, w->node, mirrored ? 2 * weight : weight);
        w->found++;
    }
    if (j == w->d)
        return;
    double rest = pow(w->rule->weight[0], (double)(w->d - j - 1));
    for (size_t i = 0; i < w->rule->n && weight * w->rule->weight[i] * rest >= w->least; i++) {
        if (!mirrored && w->rule->node[i] < 0)
            continue;
        w->node[j] = w->rule->node[i];
        visit(w, j + 1, weight * w->rule->weight[i], mirrored || w->node[j] > 0);
    }
}

static size_t count_from(walk w, double least, size_t most)
{
    w.least = least, w.below = (double)INFINITY, w.most = most, w.sink = NULL;
    visit(&w, 0, 1, false);
    return w.found;
}

/* Bisection finds the least weight, on a logarithmic scale, that gives `count` nodes; of those that tie there, the
 * first are taken. */
size_t okra_product_rule(const okra_axis_rule *rule, size_t d, size_t count, double *node, okra_node_sink *sink,
                         void *context)
{
    walk w = {.rule = rule, .d = d, .most = count, .node = node, .sink = sink, .context = context};
    double high = (double)d * log(rule->weight[0]) + 1e-9, low = (double)d * log(rule->weight[rule->n - 1]) - 1e-9;
    for (int i = 0; i < 60 && high - low > 1e-12 * fabs(low); i++) {
        double middle = (low + high) / 2;
        if (count_from(w, exp(middle), count) < count)
            high = middle;
        else
            low = middle;
    }
    w.least = exp(high), w.below = (double)INFINITY;
    visit(&w, 0, 1, false);
    w.least = exp(low), w.below = exp(high);
    visit(&w, 0, 1, false);
    return w.found;
}
