/* What every test file needs: cmocka, and a few checks that say more when they fail. */
#ifndef OKRA_TESTS_CHECK_H
#define OKRA_TESTS_CHECK_H

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <okra/okra.h>

#define assert_ok(call)                                        \
    do {                                                       \
        okra_status status_ = (call);                          \
        if (status_ != OKRA_OK)                                \
            fail_msg("%s: %s", #call, okra_strerror(status_)); \
    } while (0)

#define assert_status(call, wanted) assert_int_equal((int)(call), (int)(wanted))

/* |got - wanted| <= bound, false for NaN. */
#define assert_near(got, wanted, bound)                                                                         \
    do {                                                                                                        \
        double got_ = (double)(got), wanted_ = (double)(wanted), bound_ = (double)(bound);                      \
        if (!(fabs(got_ - wanted_) <= bound_))                                                                  \
            fail_msg("%s = %.17g, not %.17g: off by %g, allowed %g", #got, got_, wanted_, fabs(got_ - wanted_), \
                     bound_);                                                                                   \
    } while (0)

/* The filter of a model's spec by itself, on so many inputs. */
static inline okra_spec without_stream(const okra_spec *spec, size_t inputs)
{
    okra_spec filter = *spec;
    filter.inputs = inputs;
    filter.lags = filter.horizon = 1;
    filter.lag_from = filter.target_lags = 0;
    filter.scale = OKRA_SCALE_NONE;
    return filter;
}

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#endif
