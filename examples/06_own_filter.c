/*
 * A filter of your own: sign-error LMS, theta += mu sign(e) z. A wild target pulls no harder than an ordinary one, so
 * noise with outliers does little harm. The class below is what a file in src/filter holds; docs/architecture.md says
 * how it becomes a recipe. Until then it is driven by hand, as src/filter/engine.c does.
 *
 * It is written against headers from inside okra (src/filter), which are not installed: this example is built in the
 * tree only, and linked to the static library.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <okra/okra.h>

#include "filter/weights.h"
#include "vec/isa.h"

/* ---- the algorithm ---------------------------------------------------------------------------------------- */

struct sign_lms {
    linear_weights w; /* first: theta, and the functions of weights.h that the class below takes over */
    real mu;
};

/* Runs twice, to measure and to place: takes the arrays, touches none of them. */
static void lay_out(void *self, const filter_shape *shape, okra_block *block)
{
    struct sign_lms *f = self;
    weights_lay_out(&f->w, shape, block);
    f->mu = (real)shape->spec->mu;
}

/* Predicts, then learns. All gains are known to be safe before theta is touched: a refusal changes nothing. */
static okra_status step(void *self, const real *z, const real *y, real weight, real *yhat)
{
    struct sign_lms *f = self;
    linear_weights *w = &f->w;
    real z_max = w->vec->amax(w->width, z);
    weights_predict(w, z, NULL, yhat, NULL);
    for (size_t o = 0; o < w->outputs; o++) {
        real sign = (real)((y[o] > yhat[o]) - (y[o] < yhat[o]));
        okra_status status = weights_gain(w, z, z_max, f->mu * weight, sign, 0, &w->gain[o]);
        if (status)
            return status;
    }
    for (size_t o = 0; o < w->outputs; o++)
        w->vec->axpy(w->width, w->gain[o], z, w->theta + o * w->width);
    return OKRA_OK;
}

static const filter_class sign_lms_class = {
    .name = "sign_lms",
    .state_bytes = STATE_BYTES(struct sign_lms),
    .lay_out = lay_out,
    .reset = weights_reset,
    .step = step,
    .predict = weights_predict,
    .array = weights_array,
    .after_load = weights_after_load,
};

/* ---- the front door, by hand ------------------------------------------------------------------------------ */

enum { INPUTS = 2, FEATURES = 300, SAMPLES = 60000, WINDOW = 10000 };

/* An instance: one block of memory, measured and then filled by the same lay_out. */
static void *make_filter(const filter_class *klass, const okra_spec *spec, size_t width)
{
    filter_shape shape = {
        .spec = spec, .vec = vec_of(okra_isa_chosen()), .features = FEATURES, .width = width, .outputs = 1};
    state_spare spare;
    okra_block block = okra_block_measure();
    klass->lay_out(okra_block_take_struct(&block, klass->state_bytes, &spare), &shape, &block);
    void *self = okra_block_allocate(okra_block_bytes(&block));
    if (self) {
        block = okra_block_at(self);
        klass->lay_out(okra_block_take_struct(&block, klass->state_bytes, &spare), &shape, &block);
        klass->reset(self);
    }
    return self;
}

/* ---- what it is good for ---------------------------------------------------------------------------------- */

/* y = sin(x1 x2) + x1, and noise, of which one in a hundred is a hundred times as large. */
static double observe(okra_random *random, double *x, double *clean)
{
    double normal, chance;
    okra_random_uniform(random, INPUTS, x);
    x[0] = 3 * x[0] - 1.5, x[1] = 3 * x[1] - 1.5;
    okra_random_normal(random, 1, &normal);
    okra_random_uniform(random, 1, &chance);
    *clean = sin(x[0] * x[1]) + x[0];
    return *clean + (chance < 0.01 ? 10 : 0.1) * normal;
}

/* The error against what is true, without the noise, over the last samples, in dB. */
static okra_status learn_own(const okra_spec *spec, double *db)
{
    okra_map *map = NULL;
    okra_random random = {.seed = 1};
    double x[INPUTS], z[(FEATURES + LANES - 1) / LANES * LANES] = {0}, clean, y, yhat, sum = 0; /* zeros in the padding
                                                                                                 */
    okra_status status = okra_map_create(spec, &map);
    void *filter = make_filter(&sign_lms_class, spec, padded(FEATURES));
    if (!filter)
        status = OKRA_E_MEMORY;
    for (int n = 0; n < SAMPLES && !status; n++) {
        y = observe(&random, x, &clean);
        status = okra_map_apply(map, 1, x, z);
        if (!status)
            status = sign_lms_class.step(filter, z, &y, 1, &yhat);
        sum += n < SAMPLES - WINDOW ? 0 : (clean - yhat) * (clean - yhat);
    }
    free(filter);
    okra_map_free(map);
    *db = 10 * log10(sum / WINDOW);
    return status;
}

static okra_status learn_lms(const okra_spec *spec, double *db)
{
    okra_filter *filter = NULL;
    okra_random random = {.seed = 1};
    double x[INPUTS], clean, y, yhat, sum = 0;
    okra_status status = okra_create(spec, &filter);
    for (int n = 0; n < SAMPLES && !status; n++) {
        y = observe(&random, x, &clean);
        status = okra_step(filter, x, &y, 1, &yhat, NULL);
        sum += n < SAMPLES - WINDOW ? 0 : (clean - yhat) * (clean - yhat);
    }
    okra_free(filter);
    *db = 10 * log10(sum / WINDOW);
    return status;
}

int main(void)
{
    okra_spec spec;
    double lms, own;
    okra_status status = okra_spec_init(&spec, "rff-klms", INPUTS, 1);
    spec.mu = 0.01; /* the best step for either, of those tried */
    if (!status)
        status = learn_lms(&spec, &lms);
    if (!status)
        status = learn_own(&spec, &own);
    if (status) {
        fprintf(stderr, "06_own_filter: %s\n", okra_strerror(status));
        return 1;
    }
    printf("error against the truth, one target in a hundred wild:\n");
    printf("rff-klms        %6.1f dB\n", lms);
    printf("sign-error LMS  %6.1f dB\n", own);
    return 0;
}
