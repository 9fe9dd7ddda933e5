/*
 * Kernel normalised LMS with the coherence criterion (C. Richard, J. C. M. Bermudez, P. Honeine 2009). A sample becomes
 * a centre if no kernel value with another is above the coherence. Then all coefficients take a normalised step along
 * k, the kernel values with all centres, the new one included: alpha += mu e k / (reg + |k|^2).
 */
#include "dictionary.h"

struct knlms {
    dictionary d;
    real mu, coherence, reg;
};

static void lay_out(void *self, const filter_shape *shape, okra_block *block)
{
    struct knlms *f = self;
    dictionary_lay_out(&f->d, shape, block);
    f->d.keeps_kernels = true;
    f->mu = (real)shape->spec->mu;
    f->coherence = (real)shape->spec->coherence;
    f->reg = (real)shape->spec->reg;
}

static okra_status step(void *self, const real *x, const real *y, real weight, real *yhat)
{
    struct knlms *f = self;
    dictionary *d = &f->d;
    dictionary_match match;
    size_t slot = SIZE_MAX, n = d->count;
    okra_status status = dictionary_eval(d, x, d->work, &match, yhat);
    bool fresh = !status && weight > 0 && (n == 0 || d->vec->amax(n, match.kernel) <= f->coherence);
    if (fresh)
        status = dictionary_slot(d, &slot);
    if (status)
        return status;

    real *k = d->work + (match.kernel - d->work);
    if (slot != SIZE_MAX) {
        k[slot] = 1; /* kappa(x, x): the new centre's own */
        n = slot == n ? n + 1 : n;
    }
    status = dictionary_gains(d, f->mu * weight / (f->reg + d->vec->dot(n, k, k)), 1, y, yhat);
    if (status)
        return status;
    if (fresh)
        dictionary_add(d, slot, x, NULL);
    if (weight > 0)
        dictionary_leak(d);
    for (size_t o = 0; o < d->outputs; o++)
        d->vec->axpy(n, d->gain[o], k, d->alpha + o * d->room);
    return OKRA_OK;
}

const filter_class OKRA_TYPED(filter_knlms) = {
    .name = "knlms",
    .state_bytes = STATE_BYTES(struct knlms),
    .lay_out = lay_out,
    .step = step,
    DICTIONARY_ENTRIES,
};
