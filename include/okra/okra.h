/*
 * okra: Online Kernel Regression and Adaptation. Learns a nonlinear map from a stream, one sample at a time, in fixed
 * memory. This header is the whole library; its chapters can be read in this order.
 *
 *     okra_spec spec;
 *     okra_filter *filter;
 *     okra_spec_init(&spec, "rff-klms", 5, 1);         // inputs of 5 numbers, 1 output
 *     spec.sigma = 5;                                  // kernel width
 *     spec.mu = 1;                                     // step size
 *     okra_status status = okra_create(&spec, &filter);
 *     for (..) status = okra_step(filter, x, &y, 1, &yhat, NULL);   // yhat: the prediction made before y is learnt
 *     okra_free(filter);
 *
 * libokra needs libc and libm only, opens no file, and keeps no state outside the objects you create.
 */
#ifndef OKRA_OKRA_H
#define OKRA_OKRA_H

#include <okra/version.h>
#include <okra/status.h>
#include <okra/random.h>
#include <okra/spec.h>
#include <okra/map.h>
#include <okra/filter.h>
#include <okra/drift.h>

#endif
