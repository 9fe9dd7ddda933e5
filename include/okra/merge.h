/*
 * libokra-lab: least squares from many places as if from one. What RLS without forgetting has learnt is an R factor:
 * the R of a QR decomposition of all samples. R factors are made apart, joined in any order (two stacked ones have a QR
 * decomposition too), and turned into an ordinary model. Nothing is squared on the way, so no digits are lost.
 *
 * An R factor belongs to one thread at a time, also where it is asked: okra_r_factor_pack() and _to_model()
 * first work in the samples that wait. Different ones are independent, and what is `const` is only read.
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

/* An upper triangle T of features + outputs columns, T'T = lambda I (of the features) + sum w (z, y)(z, y)'. */
typedef struct okra_r_factor okra_r_factor;

/* An R factor that has seen nothing; lambda >= 0 is the regularisation, of which R factors that are to be joined need
 * one among them. On failure *factor is NULL. */
OKRA_API okra_status okra_r_factor_create(size_t features, size_t outputs, double lambda, okra_r_factor **factor);
OKRA_API void okra_r_factor_free(okra_r_factor *factor);

/* n samples: Z is n x features, Y is n x outputs, row by row; weights[n] >= 0, or NULL for 1 each. OKRA_E_SAMPLE, and
 * none is taken, where a number is not finite. */
OKRA_API okra_status okra_r_factor_add(okra_r_factor *factor, size_t n, const double *Z, const double *Y,
                                       const double *weights);

/* Takes in what another of the same size has seen. */
OKRA_API okra_status okra_r_factor_join(okra_r_factor *factor, const okra_r_factor *other);

/* The samples seen. */
OKRA_API uint64_t okra_r_factor_samples(const okra_r_factor *factor);

/* An R factor as numbers, for a message: okra_r_factor_numbers() of them. OKRA_E_SAMPLE where they are none. */
OKRA_API size_t okra_r_factor_numbers(const okra_r_factor *factor);
OKRA_API okra_status okra_r_factor_pack(okra_r_factor *factor, double *numbers);
OKRA_API okra_status okra_r_factor_unpack(okra_r_factor *factor, const double *numbers);

/* Makes it what the filter of an RLS model (rls, rff-krls) has learnt. OKRA_E_UNSUPPORTED for other models, or where
 * the sizes differ; the model is then as it was. */
OKRA_API okra_status okra_r_factor_to_filter(okra_r_factor *factor, okra_filter *model);

/* ---- models ------------------------------------------------------------------------------------------------- */

/*
 * Merges n >= 1 models of one spec into a new one, which has the lags of the last; *merged is the caller's. `base` is
 * the model that all of them began from and is counted once; NULL: new ones. The noise, which is a running estimate, is
 * pooled. What cannot be merged is refused, with the reason in `why` (may be NULL): OKRA_E_PARAMETER where the specs,
 * features or scales differ, or one did not begin from base, OKRA_E_UNSUPPORTED for RLS that forgets, for dictionaries
 * and for models that are still in their warm-up.
 */
OKRA_API okra_status okra_merge(const okra_filter *const *models, size_t n, const okra_filter *base,
                                okra_filter **merged, okra_merging *how, okra_message *why);

#ifdef __cplusplus
}
#endif
#endif
