/* Quadrature rules for densities of one variable, in double. */
#ifndef OKRA_AXIS_RULE_H
#define OKRA_AXIS_RULE_H

#include <stdbool.h>
#include <stddef.h>

enum { RULE_MAX = 256 }; /* nodes along an axis */

/* A rule along one axis, symmetric about 0; nodes in order of falling weight, a node and its mirror next to each other.
 */
typedef struct okra_axis_rule {
    size_t n;
    double node[RULE_MAX], weight[RULE_MAX]; /* weights add up to 1 */
} okra_axis_rule;

/* The rule with n nodes (2 to RULE_MAX) for the standard normal density, and for exp(-|w|) / 2, for which n must be
 * even; false if there is none. */
bool okra_normal_rule(size_t n, okra_axis_rule *rule);
bool okra_laplace_rule(size_t n, okra_axis_rule *rule);

#endif
