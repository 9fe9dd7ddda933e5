#include "quadrature.h"

#include <math.h>

/* ---- products ------------------------------------------------------------------------------------------------- */

/* A depth-first search for the nodes of a product with weights in [min_weight, below). It backtracks as soon as even
 * the heaviest nodes of the remaining axes give too small a weight. */
typedef struct walk {
    const okra_axis_rule *rule;
    size_t d, max_nodes, found;
    double min_weight, below;
    double *node;
    okra_node_visitor *on_node; /* NULL: only count */
    void *context;
} walk;

/* Searches axes from j on. Of w and -w, takes the one whose first nonzero coordinate is positive. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as the number of axes, which is small for products */
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

/* Bisection, on a logarithmic scale, finds the minimum weight that gives `count` nodes. Of nodes that tie there, the
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
