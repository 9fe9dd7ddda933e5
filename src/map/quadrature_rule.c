#include "quadrature.h"

#include <math.h>

/* ---- products ------------------------------------------------------------------------------------------------- */

/* A walk over the nodes of a product with weights in [least, below): a depth-first search that turns back as soon as
 * even the heaviest nodes of the axes that remain would not do. */
typedef struct walk {
    const okra_axis_rule *rule;
    size_t d, max_nodes, found;
    double min_weight, below;
    double *node;
    okra_node_visitor *on_node; /* NULL only counts */
    void *context;
} walk;

/* Axes from j on. Of w and -w the one whose first coordinate off 0 is positive is taken. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as there are axes, of which products have few */
static void descend(walk *w, size_t j, double weight, bool mirrored)
{
    if (w->found >= w->max_nodes)
        return;
    if (j == w->d && weight < w->below) {
        if (w->on_node)
            w->on_node(w->context, w->found, w->node, mirrored ? 2 * weight : weight);
        w->found++;
    }
    if (j == w->d)
        return;
    double rest = pow(w->rule->weight[0], (double)(w->d - j - 1));
    for (size_t i = 0; i < w->rule->n && weight * w->rule->weight[i] * rest >= w->min_weight; i++) {
        if (!mirrored && w->rule->node[i] < 0)
            continue;
        w->node[j] = w->rule->node[i];
        descend(w, j + 1, weight * w->rule->weight[i], mirrored || w->node[j] > 0);
    }
}

static size_t count_from(walk w, double min_weight, size_t max_nodes)
{
    w.min_weight = min_weight, w.below = (double)INFINITY, w.max_nodes = max_nodes, w.on_node = NULL;
    descend(&w, 0, 1, false);
    return w.found;
}

/* Bisection finds the least weight, on a logarithmic scale, that gives `count` nodes; of those that tie there, the
 * first are taken. */
size_t okra_product_rule(const okra_axis_rule *rule, size_t d, size_t count, double *node, okra_node_visitor *on_node,
                         void *context)
{
    walk w = {.rule = rule, .d = d, .max_nodes = count, .node = node, .on_node = on_node, .context = context};
    double high = (double)d * log(rule->weight[0]) + 1e-9, low = (double)d * log(rule->weight[rule->n - 1]) - 1e-9;
    for (int i = 0; i < 60 && high - low > 1e-12 * fabs(low); i++) {
        double middle = (low + high) / 2;
        if (count_from(w, exp(middle), count) < count)
            high = middle;
        else
            low = middle;
    }
    w.min_weight = exp(high), w.below = (double)INFINITY;
    descend(&w, 0, 1, false);
    w.min_weight = exp(low), w.below = exp(high);
    descend(&w, 0, 1, false);
    return w.found;
}
