/*
 * Slow, obvious filters in long double, written from the equations at the top of src/filter's files, the paper and
 * docs/choosing.md, and from nothing else: cosl and expl, matrices in full, linear systems solved again for each
 * sample.
 *
 * Every prediction comes with a tolerance, worked out from the precision of the filter it is compared with: what its
 * features, kernel values and sums may be off by, and what the recursion makes of that later. How is said where it is
 * done. Where rounding could change a decision (is this sample a new centre? which is the nearest?) a sample is
 * `marginal`: no comparison can hang on it.
 */
#ifndef OKRA_TESTS_REFERENCE_H
#define OKRA_TESTS_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

#include <okra/okra.h>

typedef long double wide;

enum { REFERENCE_OUTPUTS = 3, REFERENCE_INPUTS = 8 };

/* What a map has drawn, as the filter's arrays say; NULL where there is no such array. In cycles. */
typedef struct drawn_map {
    const wide *omega, *phase, *amplitude; /* frequencies x inputs, frequencies, frequencies */
    const wide *signs, *length;            /* of sorf: blocks 3 x n, frequencies */
} drawn_map;

typedef struct reference reference;

/* Whether there is one from the start; else test_one_step.c has it, a step at a time. */
bool reference_follows(const okra_spec *spec);

/* A reference for a filter of that spec. `map` is its map, and must outlive it. */
reference *reference_create(const okra_spec *spec, const drawn_map *map);
void reference_free(reference *r);

typedef struct opinion {
    wide yhat[REFERENCE_OUTPUTS];
    wide tolerance;
    bool marginal;
    okra_status status; /* that the step should get */
} opinion;

/* What a filter says to x, and would do with y. */
opinion reference_meet(reference *r, const wide *x, const wide *y, wide weight);

/* Learns the sample that was met. */
void reference_learn(reference *r);

/* Centres held, and how often there were none left. */
size_t reference_centres(const reference *r, size_t *full);

/* How far RLS by its recursion is from the least-squares problem, solved in one piece: in a prediction for the last x,
 * over what rounding in long double explains. 0 for other filters. */
wide reference_disagreement(const reference *r);

/* ---- the parts, for each other ------------------------------------------------------------------------------- */

/* A parameter as the filter has it, rounded to its precision; and that precision's eps. */
static inline wide narrowed(const okra_spec *spec, double value)
{
    return spec->precision == OKRA_F64 ? value : (double)(float)value;
}

static inline wide eps_of(const okra_spec *spec) { return spec->precision == OKRA_F64 ? 0x1p-52L : 0x1p-23L; }

/* R x = b for a positive definite R, n x n, which is destroyed; x in b. */
void reference_solve(size_t n, wide *R, size_t columns, wide *b);

wide reference_norm(size_t n, const wide *a);

/* Zeros, or the end of the program. */
void *reference_memory(size_t bytes);
wide *reference_zeros(size_t n);

/* Filters on centres (reference_kernel.c), as those above. */
typedef struct kernel_reference kernel_reference;
kernel_reference *kernel_reference_create(const okra_spec *spec);
void kernel_reference_free(kernel_reference *r);
opinion kernel_reference_meet(kernel_reference *r, const wide *x, const wide *y, wide weight);
void kernel_reference_learn(kernel_reference *r);
size_t kernel_reference_centres(const kernel_reference *r, size_t *full);

#endif
