#include "weights.h"

#include <string.h>

void weights_lay_out(linear_weights *w, const filter_shape *shape, okra_block *block)
{
    size_t row = SIZE_MAX;
    okra_multiply(shape->width, sizeof(real), &row);
    w->vec = shape->vec;
    w->features = shape->features;
    w->width = shape->width;
    w->halves = false;
    w->outputs = shape->outputs;
    w->theta = okra_block_take(block, shape->outputs, row);
    w->gain = okra_block_take(block, shape->outputs, sizeof *w->gain);
    w->keep = 1;
}

void weights_reset(void *self)
{
    linear_weights *w = self;
    memset(w->theta, 0, w->outputs * w->width * sizeof *w->theta);
    w->max_abs = 0;
}

void weights_predict(const void *self, const real *z, real *work, real *yhat, real *variance)
{
    const linear_weights *w = self;
    (void)work, (void)variance;
    for (size_t o = 0; o < w->outputs; o++)
        yhat[o] = w->vec->dot(w->width, w->theta + o * w->width, z);
}

bool weights_array(const void *self, size_t i, array_view *view)
{
    const linear_weights *w = self;
    if (i == 0 && w->halves)
        *view = (array_view){"theta", 1, w->features, w->theta, ARRAY_HALVES, w->width / 2, false};
    else if (i == 0)
        *view = (array_view){"theta", w->outputs, w->features, w->theta, ARRAY_ROWS, w->width, false};
    return i < 1;
}

void weights_after_load(void *self)
{
    linear_weights *w = self;
    w->max_abs = w->vec->amax(w->outputs * w->width, w->theta);
}

/*
 * Rounding is monotone, so fl(theta_i + g z_i) <= fl(max_abs + |g| z_max). The running bound costs nothing per feature
 * and is never too small. It grows too large over time, so it is recomputed from the weights before a step is rejected:
 * the result depends on the state alone, not on its history.
 */
bool weights_reserve(linear_weights *w, real step)
{
    if (!(w->max_abs + step <= REAL_MAX))
        weights_after_load(w);
    if (!(w->max_abs + step <= REAL_MAX))
        return false;
    w->max_abs += step;
    return true;
}

okra_status weights_gain(linear_weights *w, const real *z, real z_max, real rate, real y, real yhat, real *gain)
{
    *gain = rate * (y - yhat);
    if (weights_reserve(w, real_abs(*gain) * z_max))
        return OKRA_OK;
    return w->vec->finite(w->width, z) == w->width ? OKRA_E_DIVERGED : OKRA_E_RANGE;
}

okra_status weights_learn(linear_weights *w, const real *z, real rate, const real *y, real *yhat)
{
    real z_max = w->vec->amax(w->width, z);
    weights_predict(w, z, NULL, yhat, NULL);
    for (size_t o = 0; o < w->outputs; o++) {
        okra_status status = weights_gain(w, z, z_max, rate, y[o], yhat[o], &w->gain[o]);
        if (status)
            return status;
    }
    bool leaks = w->keep < 1 && rate > 0;
    for (size_t o = 0; o < w->outputs; o++)
        if (leaks)
            w->vec->axpby(w->width, w->gain[o], z, w->keep, w->theta + o * w->width);
        else
            w->vec->axpy(w->width, w->gain[o], z, w->theta + o * w->width);
    return OKRA_OK;
}
