#include "member.h"

#include <string.h>

#define CLIP       ((real)4)  /* deviations, for features .. */
#define TRACK_CLIP ((real)10) /* .. and for the linear part of a member that tracks */

static const filter_class *const rls_class = &OKRA_TYPED(filter_rls);

bool member_can_start(const member *m) { return m->klass == rls_class; }

/* ---- features ------------------------------------------------------------------------------------------------- */

static okra_spec map_spec(const okra_spec *spec, size_t pairs)
{
    okra_spec part = *spec;
    part.features = 2 * pairs;
    return part;
}

void member_lay_out_features(member_features *m, const okra_spec *spec, size_t pairs, const vec_table *vec,
                             okra_block *block)
{
    okra_spec part = map_spec(spec, pairs);
    size_t columns = spec->inputs + spec->outputs;
    m->inputs = spec->inputs;
    m->outputs = spec->outputs;
    m->linear = pairs == 0;
    m->clip = spec->forget == OKRA_FORGET_PRIOR ? TRACK_CLIP : REAL_MAX;
    m->features = m->inputs + 1 + 2 * pairs;
    if (pairs)
        fourier_lay_out_pairs(&m->map, &part, vec, block);
    m->scale = okra_block_take(block, columns, 2 * sizeof(real));
    m->widths = okra_block_take(block, m->inputs, sizeof(real));
}

size_t member_scratch(const member_features *m)
{
    return m->linear ? 0 : padded(m->inputs) + trig_outputs(&m->map.trig) + padded(2 * m->map.frequencies);
}

void member_set_widths(member_features *m, const fourier *base)
{
    if (m->linear)
        return;
    fourier_clear(&m->map);
    for (size_t block = 0; block < m->map.frequencies; block += LANES)
        for (size_t j = 0; j < m->inputs; j++)
            for (size_t k = 0; k < LANES && block + k < m->map.frequencies; k++) {
                size_t place = (block * m->inputs + j * LANES) + k;
                m->map.cycles[place] = base->cycles[place] / m->widths[j];
            }
}

void member_copy(member_features *to, const member_features *from, const fourier *base)
{
    memcpy(to->scale, from->scale, 2 * (to->inputs + to->outputs) * sizeof(real));
    memcpy(to->widths, from->widths, to->inputs * sizeof(real));
    member_set_widths(to, base);
}

void member_mend_scale(member_features *m)
{
    const real min = real_sqrt(REAL_LEAST), max = real_sqrt(REAL_MAX);
    size_t columns = m->inputs + m->outputs;
    for (size_t c = 0; c < columns; c++) {
        real deviation = m->scale[columns + c];
        if (!(deviation >= min && deviation <= max && real_abs(m->scale[c]) / deviation <= max))
            m->scale[c] = 0, m->scale[columns + c] = 1;
    }
    for (size_t j = 0; j < m->inputs; j++)
        m->widths[j] = m->widths[j] > (real)1e-6 ? m->widths[j] : 1;
}

static real clipped(real value, real max) { return value > max ? max : value < -max ? -max : value; }

void member_z_scaled(const member_features *m, const real *x, real *z, real *work)
{
    size_t n = m->inputs;
    real *near = work, *pairs = work + padded(n);
    memset(z + n + 1, 0, (padded(m->features) - n - 1) * sizeof *z);
    z[n] = 1;
    for (size_t j = 0; j < n; j++)
        z[j] = clipped(x[j], m->clip);
    if (m->linear)
        return;
    for (size_t j = 0; j < n; j++)
        near[j] = clipped(x[j], CLIP);
    fourier_apply(&m->map, near, pairs, pairs + padded(2 * m->map.frequencies));
    memcpy(z + n + 1, pairs, 2 * m->map.frequencies * sizeof *z);
}

/* z itself holds the standardised inputs first. */
void member_z(const member_features *m, const real *x, real *z, real *work)
{
    for (size_t j = 0; j < m->inputs; j++)
        z[j] = member_scaled(m, j, x[j]);
    member_z_scaled(m, z, z, work);
}

/* ---- members -------------------------------------------------------------------------------------------------- */

void member_lay_out(member *m, const okra_spec *spec, size_t pairs, const vec_table *vec, const loss_state *loss,
                    okra_block *block)
{
    state_spare spare;
    member_lay_out_features(&m->f, spec, pairs, vec, block);
    m->loss = *loss;
    filter_shape shape = {.spec = spec, .vec = vec, .outputs = spec->outputs, .loss = &m->loss};
    shape.features = m->f.features;
    shape.width = padded(shape.features);
    const filter_class *variant = rls_class->variant(spec);
    m->klass = variant ? variant : rls_class;
    void *state = okra_block_take_struct(block, m->klass->state_bytes, &spare);
    m->klass->lay_out(state, &shape, block);
    m->state = block->base ? state : NULL;
    m->lambda = okra_block_take(block, 1, sizeof(real));
    m->target = okra_block_take(block, m->f.outputs, sizeof(real));
}

void member_reset(member *m, const okra_spec *spec)
{
    size_t columns = m->f.inputs + m->f.outputs;
    for (size_t c = 0; c < columns; c++)
        m->f.scale[c] = 0, m->f.scale[columns + c] = 1;
    for (size_t j = 0; j < m->f.inputs; j++)
        m->f.widths[j] = 1;
    *m->lambda = (real)spec->lambda;
    m->klass->reset(m->state);
}

/* Predictions in units of the targets. Next to the largest number, a finite one may overflow by its last digit. */
static void unscale(const member *m, real *yhat, real *variance)
{
    for (size_t o = 0; o < m->f.outputs; o++) {
        real deviation = member_deviation(&m->f, m->f.inputs + o);
        real value = yhat[o] * deviation + member_mean(&m->f, m->f.inputs + o);
        yhat[o] = real_abs(yhat[o]) <= REAL_MAX ? clipped(value, REAL_MAX) : value;
        if (variance)
            variance[o] *= deviation * deviation;
    }
}

okra_status member_learn(member *m, const real *x, const real *y, real weight, real *yhat, real *z, real *work)
{
    member_z(&m->f, x, z, work);
    for (size_t o = 0; o < m->f.outputs; o++)
        m->target[o] = member_scaled(&m->f, m->f.inputs + o, y[o]);
    if (member_can_start(m)) /* lambda is found, or the same as ever */
        rls_set_lambda(m->state, *m->lambda);
    okra_status status = m->klass->step(m->state, z, m->target, weight, yhat);
    m->klass->settle(m->state);
    unscale(m, yhat, NULL);
    return status;
}

void member_predict(const member *m, const real *x, real *yhat, real *variance, real *z, real *work)
{
    member_z(&m->f, x, z, work);
    m->klass->predict(m->state, z, work + member_scratch(&m->f), yhat, variance);
    unscale(m, yhat, variance);
}

/* ---- state ---------------------------------------------------------------------------------------------------- */

bool member_array(const member *m, size_t i, array_view *view)
{
    size_t columns = m->f.inputs + m->f.outputs;
    const array_view own[] = {
        {"scale", 2, columns, m->f.scale, ARRAY_ROWS, columns, false},
        {"widths", 1, m->f.inputs, m->f.widths, ARRAY_ROWS, m->f.inputs, false},
        {"lambda", 1, 1, m->lambda, ARRAY_ROWS, 1, true},
    };
    const size_t n = sizeof own / sizeof *own;
    if (i >= n)
        return m->klass->array(m->state, i - n, view);
    *view = own[i];
    return true;
}

void member_after_load(member *m, const fourier *base)
{
    member_mend_scale(&m->f);
    member_set_widths(&m->f, base);
    *m->lambda = *m->lambda >= (real)1e-30 && *m->lambda <= (real)1e30 ? *m->lambda : 1;
    m->klass->after_load(m->state);
}
