/*
 * Kernel LMS with the novelty criterion (J. Platt 1991; W. Liu, J. C. Principe, S. Haykin 2010): a sample becomes a
 * centre if it is further than novelty-distance from every other and its error is above novelty-error. Other samples
 * are not learnt. The first sample is always novel.
 */
#include "dictionary.h"

struct nc_klms {
    dictionary d;
    real mu, distance, error;
};

static void lay_out(void *self, const filter_shape *shape, okra_block *block)
{
    struct nc_klms *f = self;
    dictionary_lay_out(&f->d, shape, block);
    f->mu = (real)shape->spec->mu;
    f->distance = (real)shape->spec->novelty_distance;
    f->error = (real)shape->spec->novelty_error;
}

/* The largest error of all outputs. */
static real largest_error(const struct nc_klms *f, const real *y, const real *yhat)
{
    real max = 0;
    for (size_t o = 0; o < f->d.outputs; o++)
        max = real_abs(y[o] - yhat[o]) > max ? real_abs(y[o] - yhat[o]) : max;
    return max;
}

static okra_status step(void *self, const real *x, const real *y, real weight, real *yhat)
{
    struct nc_klms *f = self;
    dictionary_match match;
    okra_status status = dictionary_eval(&f->d, x, f->d.work, &match, yhat);
    if (status)
        return status;
    bool novel = real_sqrt(match.dist2) > f->distance && largest_error(f, y, yhat) > f->error;
    novel = novel || f->d.count == 0;
    /* a step of 0 learns nothing, but still checks that yhat is finite */
    return dictionary_learn(&f->d, x, &match, novel, novel ? f->mu * weight : 0, y, yhat);
}

const filter_class OKRA_TYPED(filter_nc_klms) = {
    .name = "nc-klms",
    .state_bytes = STATE_BYTES(struct nc_klms),
    .lay_out = lay_out,
    .step = step,
    DICTIONARY_ENTRIES,
};
