/*
 * Quantised kernel LMS (B. Chen, S. Zhao, P. Zhu, J. C. Principe 2012; section 2 of the paper). If the squared distance
 * of a sample from the nearest centre is below epsilon, its step mu e is added to that centre. Else it becomes a
 * centre.
 */
#include "dictionary.h"

struct qklms {
    dictionary d;
    real mu, epsilon;
};

static void lay_out(void *self, const filter_shape *shape, okra_block *block)
{
    struct qklms *f = self;
    dictionary_lay_out(&f->d, shape, block);
    f->mu = (real)shape->spec->mu;
    f->epsilon = (real)shape->spec->epsilon;
}

static okra_status step(void *self, const real *x, const real *y, real weight, real *yhat)
{
    struct qklms *f = self;
    dictionary_match match;
    okra_status status = dictionary_eval(&f->d, x, f->d.work, &match, yhat);
    return status ? status : dictionary_learn(&f->d, x, &match, !(match.dist2 < f->epsilon), f->mu * weight, y, yhat);
}

const filter_class OKRA_TYPED(filter_qklms) = {
    .name = "qklms",
    .state_bytes = STATE_BYTES(struct qklms),
    .lay_out = lay_out,
    .step = step,
    DICTIONARY_ENTRIES,
};
