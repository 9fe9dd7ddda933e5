/* Deterministic rules for a kernel's spectrum at width 1: nodes and weights, in double, for map quadrature.c. */
#ifndef OKRA_QUADRATURE_H
#define OKRA_QUADRATURE_H

#include "../kernel/axis_rule.h"

/*
 * Receives the nodes of a rule in d dimensions, one of each pair w, -w, with the weight of both: a cosine and a sine
 * represent both. Nodes are radians at width 1.
 */
typedef void okra_node_visitor(void *context, size_t i, const double *node, double weight);

/*
 * The `count` heaviest nodes of the product of that rule with itself over d axes, or all if there are fewer. Weights
 * are not scaled to add up to 1. node[d] is scratch. Returns the number of nodes.
 */
size_t okra_product_rule(const okra_axis_rule *rule, size_t d, size_t count, double *node, okra_node_visitor *on_node,
                         void *context);

#endif
