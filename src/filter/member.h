/*
 * A member of the ensemble: least squares on z = (x, 1, cosines and sines of x / widths), on a scale of its own.
 *
 * Inputs and targets are standardised by the member's own means and deviations. For the features they are clipped, too:
 * far outside the range of the widths, features are noise, and a single such sample would move every weight. The linear
 * part is clipped only in a member that tracks: it has seen too little to know how to extrapolate.
 */
#ifndef OKRA_MEMBER_H
#define OKRA_MEMBER_H

#include "../map/fourier.h"
#include "rls.h"

/* What a member sees of a sample. Also used alone, while samples are gathered for a new member. */
#define member_features OKRA_TYPED(member_features)
typedef struct member_features {
    size_t inputs, outputs;
    size_t features; /* inputs + 1 + 2 pairs */
    bool linear;     /* there are no pairs */
    real clip;       /* no standardised input is larger in the linear part */
    fourier map;
    real *scale;  /* [2][inputs + outputs]: means, then deviations */
    real *widths; /* [inputs], of standardised inputs */
} member_features;

#define member_lay_out_features OKRA_TYPED(member_lay_out_features)
#define member_scratch          OKRA_TYPED(member_scratch)
#define member_set_widths       OKRA_TYPED(member_set_widths)
#define member_copy             OKRA_TYPED(member_copy)
#define member_mend_scale       OKRA_TYPED(member_mend_scale)
#define member_z                OKRA_TYPED(member_z)
#define member_z_scaled         OKRA_TYPED(member_z_scaled)

void member_lay_out_features(member_features *m, const okra_spec *spec, size_t pairs, const vec_table *vec,
                             okra_block *block);

/* Numbers of scratch for member_z(). */
size_t member_scratch(const member_features *m);

/* Takes the frequencies of `base` over the widths in m->widths. */
void member_set_widths(member_features *m, const fourier *base);

/* A scale that cannot scale becomes 0 and 1, and widths stay above 0. */
void member_mend_scale(member_features *m);

/* Takes scale and widths of another. */
void member_copy(member_features *to, const member_features *from, const fourier *base);

/* z[padded(features)] of x[inputs], with zeros in the padding. */
void member_z(const member_features *m, const real *x, real *z, real *work);

/* The same of inputs that are standardised already. */
void member_z_scaled(const member_features *m, const real *x, real *z, real *work);

static inline real member_mean(const member_features *m, size_t column) { return m->scale[column]; }
static inline real member_deviation(const member_features *m, size_t column)
{
    return m->scale[m->inputs + m->outputs + column];
}

/* Column `column`, an input or, from m->inputs on, a target, standardised. */
static inline real member_scaled(const member_features *m, size_t column, real value)
{
    return (value - member_mean(m, column)) / member_deviation(m, column);
}

#define member OKRA_TYPED(member)
typedef struct member {
    member_features f;
    const filter_class *klass; /* rls, or rls_prior */
    void *state;
    loss_state loss;
    real *lambda; /* [1] */
    real *target; /* [outputs]: of this sample, standardised */
} member;

#define member_lay_out    OKRA_TYPED(member_lay_out)
#define member_reset      OKRA_TYPED(member_reset)
#define member_can_start  OKRA_TYPED(member_can_start)
#define member_learn      OKRA_TYPED(member_learn)
#define member_predict    OKRA_TYPED(member_predict)
#define member_array      OKRA_TYPED(member_array)
#define member_after_load OKRA_TYPED(member_after_load)

/* spec: lambda, beta and way to forget of this member. */
void member_lay_out(member *m, const okra_spec *spec, size_t pairs, const vec_table *vec, const loss_state *loss,
                    okra_block *block);
void member_reset(member *m, const okra_spec *spec);

/* Whether its state can be set from a whole set of samples (rls_start()). */
bool member_can_start(const member *m);

/* Predicts into yhat[outputs], then learns; z and work are scratch, of padded(features) and member_scratch() numbers.
 */
okra_status member_learn(member *m, const real *x, const real *y, real weight, real *yhat, real *z, real *work);

/* State array i, named `scale`, `widths`, `lambda`, and then those of the class; false past the last. */
bool member_array(const member *m, size_t i, array_view *view);
void member_after_load(member *m, const fourier *base);

/* As filter_class.predict(); `work` has member_scratch() and padded(features) numbers. */
void member_predict(const member *m, const real *x, real *yhat, real *variance, real *z, real *work);

#endif
