/*
 * Deterministic features, paired: the kernel is an integral of cosines over its spectrum, and a quadrature rule gives
 * frequencies with weights instead of random ones (T. Dao, C. De Sa, C. Re 2017). There are two kinds of rule. The one
 * with the smaller error over a fixed set of differences is used:
 *
 * - in few dimensions the product of Gauss rules, with as many nodes an axis as does best: of a product that is too
 *   large only the heaviest nodes are kept, and their weights made to add up to 1;
 * - for the gaussian kernel in any number of dimensions a sparse rule: orthogonal directions from fixed random numbers,
 *   each at one of the two radii of the Gauss rule for the length of a normal vector.
 *
 * Several widths alternate, so each has the same rule.
 */
#include "quadrature.h"

#include <string.h>

#include "orf.h"

enum { PRODUCT_DIMENSIONS = 8, DIFFERENCES = 64, SPARSE_SEED = 1 };

/* The maximum number of nodes for each width. */
static size_t nodes_each(const fourier *f, const okra_spec *spec) { return f->frequencies / okra_spec_widths(spec); }

static void lay_out(void *self, const okra_spec *spec, const vec_table *vec, okra_block *block)
{
    fourier *f = self;
    fourier_lay_out(f, spec, true, vec, block);
    f->weighted = true;
    f->trig.plain = 0;
    trig_set_scale(&f->trig, 1);
}

/* ---- how good a rule is --------------------------------------------------------------------------------------- */

/* The rule's kernel so far, at fixed differences of about a width, which are typical of a well chosen width. */
typedef struct trial {
    const okra_spec *spec;
    double total; /* of the weights */
    double difference[DIFFERENCES][PRODUCT_DIMENSIONS], kernel[DIFFERENCES];
} trial;

static void trial_begin(trial *t, const okra_spec *spec)
{
    okra_random random = {.seed = SPARSE_SEED};
    *t = (trial){.spec = spec};
    for (size_t k = 0; k < DIFFERENCES; k++) {
        okra_random_normal(&random, spec->inputs, t->difference[k]);
        for (size_t j = 0; j < spec->inputs; j++)
            t->difference[k][j] /= sqrt((double)spec->inputs);
    }
}

static void trial_node(void *context, size_t i, const double *node, double weight)
{
    trial *t = context;
    (void)i;
    t->total += weight;
    for (size_t k = 0; k < DIFFERENCES; k++) {
        double phase = 0;
        for (size_t j = 0; j < t->spec->inputs; j++)
            phase += node[j] * t->difference[k][j];
        t->kernel[k] += weight * cos(phase);
    }
}

/* Errors at the level of rounding count as equal. */
static double trial_error(const trial *t)
{
    const double nothing = 1e-24;
    const double zero[PRODUCT_DIMENSIONS] = {0};
    double sum = 0;
    for (size_t k = 0; k < DIFFERENCES; k++) {
        double error =
            t->kernel[k] / t->total - okra_kernel_value(t->spec->kernel, 1, t->spec->inputs, t->difference[k], zero);
        sum += error * error;
    }
    return sum > nothing ? sum : nothing;
}

/* ---- the sparse rule ------------------------------------------------------------------------------------------ */

/*
 * |w|^2 / 2 of a normal vector has the gamma density of shape d/2, whose Gauss rule with two nodes is s^2 +- s with
 * weights (1 -+ 1/s) / 2, s^2 = d/2 + 1: exact up to |w|^6. Directions alternate between the two radii.
 */
static double radius(size_t d, size_t i, double *weight)
{
    double s = sqrt((double)d / 2 + 1), sign = i % 2 ? 1 : -1;
    *weight = (1 - sign / s) / 2;
    return sqrt(2 * (s * s + sign * s));
}

static void draw_sparse(fourier *f, const okra_spec *spec)
{
    okra_spec fixed = *spec;
    fixed.seed = SPARSE_SEED;
    for (size_t first = 0, last; first < f->frequencies; first = last) {
        last = orthogonal_end(f, first);
        orthogonal_directions(f, &fixed, first, last);
        for (size_t i = first; i < last; i++) {
            double weight, length = radius(spec->inputs, i / okra_spec_widths(spec), &weight);
            orthogonal_set_length(f, spec, i, length);
            f->amplitude[i] = (real)weight;
        }
    }
}

/* ---- products ------------------------------------------------------------------------------------------------- */

typedef struct placing {
    fourier *f;
    const okra_spec *spec;
} placing;

static void place_node(void *context, size_t i, const double *node, double weight)
{
    placing *p = context;
    size_t widths = okra_spec_widths(p->spec);
    for (size_t k = i * widths; k < (i + 1) * widths; k++) {
        fourier_put(p->f, p->spec, k, 1, node);
        p->f->amplitude[k] = (real)weight;
    }
}

static void draw_product(fourier *f, const okra_spec *spec, const okra_axis_rule *rule)
{
    placing p = {f, spec};
    double node[PRODUCT_DIMENSIONS];
    for (size_t i = 0; i < f->frequencies; i++)
        f->amplitude[i] = 0; /* the product may have fewer nodes */
    okra_product_rule(rule, spec->inputs, nodes_each(f, spec), node, place_node, &p);
}

/* Whether only a small part of a product's n^d nodes can be kept, too little to represent it. */
static bool hopeless(size_t n, size_t d, size_t kept) { return pow((double)n, (double)d) > 64 * (double)kept + 64; }

/* The nodes per axis of the best product; 0 if none has a smaller error than `worst`, that of the current rule. */
static size_t best_product(const fourier *f, const okra_spec *spec, double worst)
{
    okra_axis_rule rule;
    trial t;
    double node[PRODUCT_DIMENSIONS];
    size_t best = 0, largest = 2 * f->frequencies < RULE_MAX ? 2 * f->frequencies : RULE_MAX;
    for (size_t n = 1; n <= largest && !hopeless(n, spec->inputs, nodes_each(f, spec)); n += n < 32 ? 1 : n / 8) {
        if (!okra_kernel_rule(spec->kernel, n, &rule))
            continue;
        trial_begin(&t, spec);
        okra_product_rule(&rule, spec->inputs, nodes_each(f, spec), node, trial_node, &t);
        if (trial_error(&t) <= worst) /* of equals, the one that extends further */
            worst = trial_error(&t), best = n;
    }
    return best;
}

/* ---- drawing -------------------------------------------------------------------------------------------------- */

/* The sparse rule's error, from the frequencies in place. Those of one width are a rule of this kernel. */
static double sparse_error(const fourier *f, const okra_spec *spec)
{
    size_t widths = okra_spec_widths(spec);
    array_view omega;
    trial t;
    trial_begin(&t, spec);
    fourier_array(f, 0, &omega);
    for (size_t i = 0; i < f->frequencies; i += widths) {
        for (size_t j = 0; j < spec->inputs; j++)
            f->row[j] =
                (double)f->cycles[array_place(&omega, i, j)] * 2 * M_PI * spec->sigma * okra_spec_input_width(spec, j);
        trial_node(&t, i, f->row, (double)f->amplitude[i]);
    }
    return trial_error(&t);
}

/* Amplitudes are the roots of weights that add up to 1. */
static void weights_to_amplitudes(fourier *f)
{
    double total = 0;
    for (size_t i = 0; i < f->frequencies; i++)
        total += (double)f->amplitude[i];
    for (size_t i = 0; i < f->frequencies; i++)
        f->amplitude[i] = (real)sqrt((double)f->amplitude[i] / total);
}

static okra_status init_params(void *self, const okra_spec *spec)
{
    fourier *f = self;
    okra_axis_rule rule;
    double worst = (double)INFINITY;
    bool few = spec->inputs <= PRODUCT_DIMENSIONS;
    fourier_clear(f);
    if (spec->kernel == OKRA_GAUSSIAN) {
        draw_sparse(f, spec);
        worst = few ? sparse_error(f, spec) : 0;
    }
    size_t best = few ? best_product(f, spec, worst) : 0;
    if (best && okra_kernel_rule(spec->kernel, best, &rule))
        draw_product(f, spec, &rule);
    weights_to_amplitudes(f);
    return fourier_checked(f);
}

const map_class OKRA_TYPED(map_quadrature) = {
    .id = OKRA_MAP_QUADRATURE,
    .state_bytes = STATE_BYTES(fourier),
    .lay_out = lay_out,
    .init_params = init_params,
    FOURIER_ENTRIES,
};
