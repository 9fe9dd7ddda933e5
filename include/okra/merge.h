/*
 * libokra-lab: least squares over data in many places. What RLS without forgetting has learnt is an R factor: the R of
 * a QR decomposition of all samples. R factors are computed separately, joined in any order (by a QR decomposition of
 * one stacked on the other), and converted to an ordinary model. Nothing is squared on the way, so no digits are lost.
 *
 * An R factor belongs to one thread at a time, also when it is read: okra_r_factor_pack() and _to_filter() first add
 * the buffered samples. Different ones are independent. A `const` argument is only read.
 */
#ifndef OKRA_MERGE_H
#define OKRA_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include <okra/filter.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- R factors ---------------------------------------------------------------------------------------------- */

/* An upper triangular T of features + outputs columns: T'T = lambda I (of the features) + sum w (z, y)(z, y)'. */
typedef struct okra_r_factor okra_r_factor;

/* Makes an R factor without samples. lambda >= 0 is the regularisation: give it to one of the R factors that are to be
 * joined, and 0 to the others. On failure *factor is NULL. */
OKRA_API okra_status okra_r_factor_create(size_t features, size_t outputs, double lambda, okra_r_factor **factor);
OKRA_API void okra_r_factor_free(okra_r_factor *factor);

/* Adds n samples: Z is n x features, Y is n x outputs, row by row; weights[n] >= 0, or NULL for 1 each. If a number is
 * not finite or a weight is negative, none is added: OKRA_E_SAMPLE. */
OKRA_API okra_status okra_r_factor_add(okra_r_factor *factor, size_t n, const double *Z, const double *Y,
                                       const double *weights);

/* Adds the samples of another R factor of the same size. */
OKRA_API okra_status okra_r_factor_join(okra_r_factor *factor, const okra_r_factor *other);

/* The number of samples seen. */
OKRA_API uint64_t okra_r_factor_samples(const okra_r_factor *factor);

/* An R factor as an array of okra_r_factor_numbers() numbers, to be sent in a message. okra_r_factor_unpack() returns
 * OKRA_E_SAMPLE if they are not an R factor. */
OKRA_API size_t okra_r_factor_numbers(const okra_r_factor *factor);
OKRA_API okra_status okra_r_factor_pack(okra_r_factor *factor, double *numbers);
OKRA_API okra_status okra_r_factor_unpack(okra_r_factor *factor, const double *numbers);

/* Copies it into an RLS model (rls, rff-krls), as what the model's filter has learnt. OKRA_E_UNSUPPORTED for other
 * models, or if the sizes differ; the model is then unchanged. */
OKRA_API okra_status okra_r_factor_to_filter(okra_r_factor *factor, okra_filter *model);

/* ---- models ------------------------------------------------------------------------------------------------- */

/*
 * Merges n >= 1 models of one spec into a new one, which has the lags of the last; the caller owns *merged. `base` is
 * the model that all of them started from, and is counted once; NULL: they started empty. The noise, which is a running
 * estimate, is pooled. On failure `why` (may be NULL) has the reason. OKRA_E_PARAMETER: the specs, features or scales
 * differ, or a model did not start from base. OKRA_E_UNSUPPORTED: RLS with forgetting, dictionaries, and models still
 * in their warm-up.
 */
OKRA_API okra_status okra_merge(const okra_filter *const *models, size_t n, const okra_filter *base,
                                okra_filter **merged, okra_merging *how, okra_message *why);

#ifdef __cplusplus
}
#endif
#endif
