/* Gauss rules. */
#include "axis_rule.h"

#include <math.h>

/* One step of QL with Wilkinson's shift on rows first .. last of a tridiagonal matrix: a on the diagonal, b[i] between
 * i and i + 1, v the first components of the eigenvectors. */
static void ql_step(size_t first, size_t last, double *a, double *b, double *v)
{
    double half = (a[first + 1] - a[first]) / (2 * b[first]), root = hypot(half, 1);
    double g = a[last] - a[first] + b[first] / (half + copysign(root, half));
    double sine = 1, cosine = 1, shift = 0;
    for (size_t i = last; i-- > first;) {
        double f = sine * b[i], h = cosine * b[i], length = hypot(f, g);
        if (i + 1 < last)
            b[i + 1] = length;
        sine = f / length, cosine = g / length;
        g = a[i + 1] - shift;
        double twice = (a[i] - g) * sine + 2 * cosine * h;
        shift = sine * twice;
        a[i + 1] = g + shift;
        g = cosine * twice - h;
        double mixed = v[i + 1];
        v[i + 1] = sine * v[i] + cosine * mixed;
        v[i] = cosine * v[i] - sine * mixed;
    }
    a[first] -= shift;
    b[first] = g;
}

/*
 * The Gauss rule whose orthonormal polynomials have the recurrence b_k p_(k+1) = (x - a_k) p_k - b_(k-1) p_(k-1): nodes
 * are the eigenvalues of the tridiagonal matrix of a and b, left in a; weights the squares of the first components of
 * its eigenvectors (G. H. Golub, J. H. Welsch 1969). The order is unspecified.
 */
static void gauss_rule(size_t n, double *a, double *b, double *weight)
{
    for (size_t i = 0; i < n; i++)
        weight[i] = i == 0;
    for (size_t first = 0; first < n; first++)
        for (;;) {
            size_t last = first;
            while (last + 1 < n && fabs(b[last]) > 1e-17 * (fabs(a[last]) + fabs(a[last + 1])))
                last++;
            if (last == first)
                break;
            ql_step(first, last, a, b, weight);
        }
    for (size_t i = 0; i < n; i++)
        weight[i] *= weight[i];
}

/* Adds a node and its mirror image, or 0 alone, to the rule. */
static void put_mirrored(okra_axis_rule *rule, double node, double weight)
{
    rule->node[rule->n] = node, rule->weight[rule->n++] = weight;
    if (node > 0)
        rule->node[rule->n] = -node, rule->weight[rule->n++] = weight;
}

/* Heaviest first; an insertion that keeps mirrored nodes together. */
static void sort_by_weight(okra_axis_rule *rule)
{
    for (size_t i = 1; i < rule->n; i++) {
        double node = rule->node[i], weight = rule->weight[i];
        size_t k = i;
        for (; k > 0 && rule->weight[k - 1] < weight; k--)
            rule->node[k] = rule->node[k - 1], rule->weight[k] = rule->weight[k - 1];
        rule->node[k] = node, rule->weight[k] = weight;
    }
}

/* For the standard normal: Hermite polynomials, a = 0, b_k = sqrt(k + 1). Only nodes above 0 are used. */
bool okra_normal_rule(size_t n, okra_axis_rule *rule)
{
    double node[RULE_MAX], between[RULE_MAX], weight[RULE_MAX];
    if (n < 2 || n > RULE_MAX)
        return false;
    for (size_t k = 0; k < n; k++)
        node[k] = 0, between[k] = sqrt((double)(k + 1));
    gauss_rule(n, node, between, weight);
    rule->n = 0;
    for (size_t i = 0; i < n; i++)
        if (n % 2 && fabs(node[i]) < 1e-9)
            put_mirrored(rule, 0, weight[i]);
        else if (node[i] > 0)
            put_mirrored(rule, node[i], weight[i]);
    sort_by_weight(rule);
    return true;
}

/*
 * For the Laplace density exp(-|w|) / 2: cosines are smooth on either side of 0, so each side has a Laguerre rule,
 * a_k = 2 k + 1, b_k = k + 1. So the number of nodes must be even.
 */
bool okra_laplace_rule(size_t n, okra_axis_rule *rule)
{
    double node[RULE_MAX], between[RULE_MAX], weight[RULE_MAX];
    if (n < 2 || n > RULE_MAX || n % 2)
        return false;
    for (size_t k = 0; k < n / 2; k++)
        node[k] = 2 * (double)k + 1, between[k] = (double)(k + 1);
    gauss_rule(n / 2, node, between, weight);
    rule->n = 0;
    for (size_t i = 0; i < n / 2; i++)
        put_mirrored(rule, node[i], weight[i] / 2);
    sort_by_weight(rule);
    return true;
}
