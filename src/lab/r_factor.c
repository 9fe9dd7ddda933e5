/*
 * Least squares as an R factor (square-root information form). Rows are buffered until there are enough for a blocked
 * QR decomposition (LAPACK's dtpqrt), which also joins two R factors: that is TSQR.
 */
#include "r_factor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 256, BLOCK = 32 };

okra_status okra_r_factor_create(size_t features, size_t outputs, double lambda, okra_r_factor **factor)
{
    if (!factor)
        return OKRA_E_NULL;
    *factor = NULL;
    if (features < 1 || outputs < 1 || !(lambda >= 0 && isfinite(lambda)))
        return OKRA_E_PARAMETER;
    if (features > INT32_MAX / 2 || outputs > INT32_MAX / 2)
        return OKRA_E_SIZE;
    okra_r_factor *made = calloc(1, sizeof *made);
    if (!made)
        return OKRA_E_MEMORY;
    *made = (okra_r_factor){.features = features, .outputs = outputs, .n = features + outputs};
    made->t = calloc(made->n, made->n * sizeof(double));
    made->rows = calloc(made->n, BATCH * sizeof(double));
    made->scratch = calloc(made->n, BLOCK * sizeof(double));
    if (!made->t || !made->rows || !made->scratch) {
        okra_r_factor_free(made);
        return OKRA_E_MEMORY;
    }
    for (size_t i = 0; i < features; i++)
        made->t[i * made->n + i] = sqrt(lambda);
    *factor = made;
    return OKRA_OK;
}

void okra_r_factor_free(okra_r_factor *factor)
{
    if (factor)
        free(factor->t), free(factor->rows), free(factor->scratch);
    free(factor);
}

/* ---- taking in ---------------------------------------------------------------------------------------------- */

/* The R factor of (T; B), for B of m rows, by columns of `stride` numbers, the last l of them upper triangular. */
static okra_status stack(okra_r_factor *t, size_t m, size_t l, double *b, size_t stride)
{
    size_t block = t->n < BLOCK ? t->n : BLOCK;
    lapack_int failed =
        LAPACKE_dtpqrt(LAPACK_COL_MAJOR, (lapack_int)m, (lapack_int)t->n, (lapack_int)l, (lapack_int)block, t->t,
                       (lapack_int)t->n, b, (lapack_int)stride, t->scratch, (lapack_int)block);
    return failed ? OKRA_E_MEMORY : OKRA_OK;
}

okra_status r_factor_flush(okra_r_factor *t)
{
    okra_status status = t->buffered ? stack(t, t->buffered, 0, t->rows, BATCH) : OKRA_OK;
    t->buffered = 0;
    return status;
}

static bool all_finite(size_t n, const double *a)
{
    for (size_t i = 0; a && i < n; i++)
        if (!isfinite(a[i]))
            return false;
    return true;
}

okra_status okra_r_factor_add(okra_r_factor *t, size_t n, const double *Z, const double *Y, const double *weights)
{
    if (!t || !Z || !Y)
        return OKRA_E_NULL;
    if (!all_finite(n * t->features, Z) || !all_finite(n * t->outputs, Y) || !all_finite(n, weights))
        return OKRA_E_SAMPLE;
    for (size_t i = 0; weights && i < n; i++)
        if (weights[i] < 0)
            return OKRA_E_SAMPLE;
    for (size_t i = 0; i < n; i++) {
        double root = weights ? sqrt(weights[i]) : 1, *to = t->rows + t->buffered;
        for (size_t j = 0; j < t->features; j++)
            to[j * BATCH] = root * Z[i * t->features + j];
        for (size_t j = 0; j < t->outputs; j++)
            to[(t->features + j) * BATCH] = root * Y[i * t->outputs + j];
        t->samples++;
        okra_status status = ++t->buffered == BATCH ? r_factor_flush(t) : OKRA_OK;
        if (status)
            return status;
    }
    return OKRA_OK;
}

okra_status okra_r_factor_join(okra_r_factor *t, const okra_r_factor *other)
{
    if (!t || !other)
        return OKRA_E_NULL;
    if (t->features != other->features || t->outputs != other->outputs)
        return OKRA_E_UNSUPPORTED;
    size_t n = t->n, rows = n + other->buffered;
    double *b = calloc(rows, n * sizeof *b);
    if (!b)
        return OKRA_E_MEMORY;
    for (size_t j = 0; j < n; j++) { /* the buffered rows first: the R factor must be last */
        memcpy(b + j * rows, other->rows + j * BATCH, other->buffered * sizeof *b);
        memcpy(b + j * rows + other->buffered, other->t + j * n, (j + 1) * sizeof *b);
    }
    okra_status status = r_factor_flush(t);
    if (!status)
        status = stack(t, rows, n, b, rows);
    free(b);
    t->samples += other->samples;
    return status;
}

uint64_t okra_r_factor_samples(const okra_r_factor *t) { return t->samples; }

/* ---- as numbers --------------------------------------------------------------------------------------------- */

size_t okra_r_factor_numbers(const okra_r_factor *t) { return t->n * (t->n + 1) / 2 + 1; }

okra_status okra_r_factor_pack(okra_r_factor *t, double *numbers)
{
    if (!t || !numbers)
        return OKRA_E_NULL;
    okra_status status = r_factor_flush(t);
    for (size_t j = 0; j < t->n; numbers += ++j)
        memcpy(numbers, t->t + j * t->n, (j + 1) * sizeof *numbers);
    *numbers = (double)t->samples;
    return status;
}

okra_status okra_r_factor_unpack(okra_r_factor *t, const double *numbers)
{
    if (!t || !numbers)
        return OKRA_E_NULL;
    size_t n = okra_r_factor_numbers(t);
    if (!all_finite(n, numbers) || !(numbers[n - 1] >= 0 && numbers[n - 1] < 0x1p64))
        return OKRA_E_SAMPLE;
    t->buffered = 0;
    for (size_t j = 0; j < t->n; numbers += ++j)
        memcpy(t->t + j * t->n, numbers, (j + 1) * sizeof *numbers);
    t->samples = (uint64_t)*numbers;
    return OKRA_OK;
}

/* ---- what follows from it ----------------------------------------------------------------------------------- */

okra_status okra_r_factor_theta(okra_r_factor *t, double *theta)
{
    if (!t || !theta)
        return OKRA_E_NULL;
    okra_status status = r_factor_flush(t);
    for (size_t o = 0; o < t->outputs; o++)
        memcpy(theta + o * t->features, t->t + (t->features + o) * t->n, t->features * sizeof *theta);
    if (status)
        return status;
    lapack_int failed = LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'U', 'N', 'N', (lapack_int)t->features, (lapack_int)t->outputs,
                                       t->t, (lapack_int)t->n, theta, (lapack_int)t->features);
    return failed || !all_finite(t->features * t->outputs, theta) ? OKRA_E_DIVERGED : OKRA_OK;
}

/* R^-1 = U diag(d)^1/2, both upper. */
okra_status r_factor_to_ud(size_t n, const double *r, size_t stride, double *u, double *d)
{
    double *at = u;
    for (size_t j = 0; j < n; at += ++j)
        memcpy(at, r + j * stride, (j + 1) * sizeof *u);
    if (LAPACKE_dtptri(LAPACK_COL_MAJOR, 'U', 'N', (lapack_int)n, u))
        return OKRA_E_DIVERGED;
    at = u;
    for (size_t j = 0; j < n; at += ++j) {
        double root = at[j];
        d[j] = root * root;
        for (size_t i = 0; i <= j; i++)
            at[i] /= root;
    }
    return all_finite(n * (n + 1) / 2, u) && all_finite(n, d) ? OKRA_OK : OKRA_E_DIVERGED;
}

okra_status r_factor_from_ud(size_t n, const double *u, const double *d, double *r, size_t stride)
{
    for (size_t j = 0; j < n; u += ++j)
        for (size_t i = 0; i <= j; i++)
            r[j * stride + i] = u[i] * sqrt(d[j]);
    return LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'U', 'N', (lapack_int)n, r, (lapack_int)stride) ? OKRA_E_DIVERGED : OKRA_OK;
}

/* ---- to a model --------------------------------------------------------------------------------------------- */

double *model_array(const okra_filter *model, const char *name, size_t *n)
{
    okra_array array;
    for (size_t i = 0; okra_array_at(model, i, &array) == OKRA_OK; i++) {
        if (strcmp(array.name, name) != 0)
            continue;
        *n = array.rows * array.cols;
        double *numbers = calloc(*n + 1, sizeof *numbers);
        if (!numbers || okra_array_read(model, name, numbers)) {
            free(numbers);
            return NULL;
        }
        const float *narrow = (const float *)numbers;
        if (okra_get_spec(model)->precision == OKRA_F32)
            for (size_t k = *n; k-- > 0;) { /* from the end, so that nothing is read after it was overwritten */
                float value;
                memcpy(&value, narrow + k, sizeof value);
                numbers[k] = (double)value;
            }
        return numbers;
    }
    return NULL;
}

okra_status model_array_set(okra_filter *model, const char *name, size_t n, const double *numbers)
{
    if (okra_get_spec(model)->precision == OKRA_F64)
        return okra_array_write(model, name, numbers);
    float *narrow = calloc(n + 1, sizeof *narrow);
    if (!narrow)
        return OKRA_E_MEMORY;
    for (size_t i = 0; i < n; i++)
        narrow[i] = (float)numbers[i];
    okra_status status = okra_array_write(model, name, narrow);
    free(narrow);
    return status;
}

okra_status model_counter(const okra_filter *model, const char *name, uint64_t *value)
{
    okra_counter counter;
    okra_status status;
    for (size_t i = 0; !(status = okra_counter_at(model, i, &counter)); i++)
        if (strcmp(counter.name, name) == 0) {
            *value = counter.value;
            return OKRA_OK;
        }
    return status;
}

okra_status model_set_rls(okra_filter *model, uint64_t samples, size_t features, size_t outputs, const double *numbers)
{
    const struct {
        const char *name;
        size_t n;
    } arrays[] = {
        {"theta", outputs * features}, {"d", features}, {"u", features * (features + 1) / 2}, {"noise", outputs + 1}};
    okra_status status = okra_counter_write(model, "learnt", samples);
    if (!status)
        status = okra_counter_write(model, "cycle", samples);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !status; numbers += arrays[i++].n)
        status = model_array_set(model, arrays[i].name, arrays[i].n, numbers);
    return status;
}

/* The noise as RLS keeps it: sums of squares, with their number of samples. The corner of the R factor has the
 * residuals of all samples; the filter's own estimate is over at most a thousand. */
static void noise_of(const okra_r_factor *t, double *noise)
{
    const double max_samples = 1000;
    double samples = (double)t->samples, weight = samples < max_samples ? samples : max_samples;
    for (size_t o = 0; o < t->outputs; o++) {
        double sum = 0;
        for (size_t i = t->features; i <= t->features + o; i++)
            sum += t->t[(t->features + o) * t->n + i] * t->t[(t->features + o) * t->n + i];
        noise[o] = samples > 0 ? sum / samples * weight : 0;
    }
    noise[t->outputs] = weight;
}

static okra_status fits(const okra_r_factor *t, const okra_filter *model)
{
    okra_stats stats;
    const okra_spec *spec = okra_get_spec(model);
    okra_status status = okra_get_stats(model, &stats);
    if (!status && (stats.merging != OKRA_MERGE_EXACT || spec->outputs != t->outputs || stats.features != t->features))
        status = OKRA_E_UNSUPPORTED;
    return status;
}

okra_status okra_r_factor_to_filter(okra_r_factor *t, okra_filter *model)
{
    if (!t || !model)
        return OKRA_E_NULL;
    size_t D = t->features, packed = D * (D + 1) / 2;
    okra_status status = fits(t, model);
    double *numbers = calloc(D * t->outputs + D + packed + t->outputs + 1, sizeof *numbers);
    if (status || !numbers) {
        free(numbers);
        return status ? status : OKRA_E_MEMORY;
    }
    double *theta = numbers, *d = theta + D * t->outputs, *u = d + D, *noise = u + packed;
    status = okra_r_factor_theta(t, theta);
    if (!status)
        status = r_factor_to_ud(D, t->t, t->n, u, d);
    noise_of(t, noise);
    if (!status)
        status = model_set_rls(model, t->samples, D, t->outputs, numbers);
    free(numbers);
    return status;
}
