/*
 * Kernel LMS (W. Liu, P. Pokharel, J. C. Principe 2008): every sample becomes a centre with coefficient mu e. If the
 * dictionary is full and does not grow (OKRA_FULL_STOP), the nearest centre takes the step instead.
 */
#include "dictionary.h"

struct klms {
    dictionary d;
    real mu;
};

static void lay_out(void *self, const filter_shape *shape, okra_block *block)
{
    struct klms *f = self;
    dictionary_lay_out(&f->d, shape, block);
    f->mu = (real)shape->spec->mu;
}

static okra_status step(void *self, const real *x, const real *y, real weight, real *yhat)
{
    struct klms *f = self;
    dictionary_match match;
    okra_status status = dictionary_eval(&f->d, x, f->d.work, &match, yhat);
    return status ? status : dictionary_learn(&f->d, x, &match, true, f->mu * weight, y, yhat);
}

const filter_class OKRA_TYPED(filter_klms) = {
    .name = "klms",
    .state_bytes = STATE_BYTES(struct klms),
    .lay_out = lay_out,
    .step = step,
    DICTIONARY_ENTRIES,
};
