/*
 * Merging models of one spec that were trained separately.
 *
 * RLS with beta = 1 has L_i = R_i'R_i, the information of base and of its own samples. With L_b the base's, which is in
 * every L_i,
 *
 *     L = sum_i L_i - (m - 1) L_b,    L (theta - theta_b) = sum_i L_i (theta_i - theta_b).
 *
 * The sums come from QR of the stacked (R_i, R_i (theta_i - theta_b)). The excess is subtracted where no digits are
 * lost: with S = R_s R_b^-1 = W diag(s) V', s^2 is at least m in exact arithmetic, and L = R_b' V diag(s^2 - m + 1) V'
 * R_b. P = L^-1 is then B B' with B = R_b^-1 V diag(s^2 - m + 1)^-1/2, of which RQ gives U and d. A base that has
 * learnt nothing has R_b = sqrt(lambda) I.
 */
#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "r_factor.h"

/* ---- what must agree ---------------------------------------------------------------------------------------- */

static okra_status differ(okra_message *why, const char *what, const char *a, const char *b)
{
    return lab_refuse(why, OKRA_E_PARAMETER, "the models differ in %s: %s and %s: merge models of one spec", what, a,
                      b);
}

static okra_status same_parameters(const okra_spec *a, const okra_spec *b, okra_message *why)
{
    const okra_recipe *recipe = okra_recipe_find(a->recipe);
    char one[OKRA_VALUE_TEXT], other[OKRA_VALUE_TEXT];
    if (strcmp(a->recipe, b->recipe) != 0)
        return differ(why, "recipe", a->recipe, b->recipe);
    for (size_t i = 0; recipe && i < recipe->n_params; i++) {
        const char *name = recipe->params[i].param->name;
        okra_status status = okra_spec_get(a, name, one, sizeof one);
        if (!status)
            status = okra_spec_get(b, name, other, sizeof other);
        if (status)
            return lab_refuse(why, status, "%s: %s", name, okra_strerror(status));
        if (strcmp(one, other) != 0)
            return differ(why, name, one, other);
    }
    return OKRA_OK;
}

static okra_status same_shape(const okra_spec *a, const okra_spec *b, okra_message *why)
{
    bool inputs = a->inputs != b->inputs;
    if (!inputs && a->outputs == b->outputs)
        return OKRA_OK;
    return lab_refuse(why, OKRA_E_PARAMETER, "the models differ in %s: %zu and %zu: merge models of one spec",
                      inputs ? "inputs" : "targets", inputs ? a->inputs : a->outputs, inputs ? b->inputs : b->outputs);
}

/* Arrays that define the features. */
static okra_status same_meaning(const okra_filter *a, const okra_filter *b, okra_message *why)
{
    static const char *const names[] = {"omega", "phase", "scale.mean", "scale.deviation"};
    bool same = true;
    for (size_t i = 0; i < sizeof names / sizeof *names && same; i++) {
        size_t n = 0, m = 0;
        double *one = model_array(a, names[i], &n), *other = model_array(b, names[i], &m);
        same = n == m && (n == 0 || (one && other && memcmp(one, other, n * sizeof *one) == 0));
        free(one), free(other);
        if (!same)
            lab_refuse(why, OKRA_E_PARAMETER,
                       i < 2 ? "the models have different features (%s): merge models of one seed and one machine"
                             : "the models standardise differently (%s): let all begin from one model that has "
                               "finished its warm-up, and name it as the base",
                       names[i]);
    }
    return same ? OKRA_OK : OKRA_E_PARAMETER;
}

static okra_status mergeable(const okra_filter *a, const okra_filter *b, okra_message *why)
{
    const okra_spec *one = okra_get_spec(a), *other = okra_get_spec(b);
    okra_status status = same_parameters(one, other, why);
    if (!status)
        status = same_shape(one, other, why);
    return status ? status : same_meaning(a, b, why);
}

/* How such models are merged. */
static okra_status kind_of(const okra_filter *model, okra_merging *how, okra_message *why)
{
    okra_stats stats;
    const okra_spec *spec = okra_get_spec(model);
    okra_get_stats(model, &stats);
    *how = stats.merging;
    if (*how == OKRA_MERGE_EXACT && spec->beta < 1)
        return lab_refuse(why, OKRA_E_UNSUPPORTED, "RLS that forgets (beta = %g) cannot be merged: learn with beta = 1",
                          spec->beta);
    if (*how != OKRA_MERGE_NONE)
        return OKRA_OK;
    return lab_refuse(why, OKRA_E_UNSUPPORTED,
                      "models of recipe %s cannot be merged: what they learn can be neither added nor averaged",
                      spec->recipe);
}

/* Rows held back until scale or width is estimated are in no theta: merging would lose them. */
static okra_status refuse_warming(const okra_filter *model, okra_message *why)
{
    size_t rows = 0;
    free(model_array(model, "warmup", &rows));
    if (rows == 0)
        return OKRA_OK;
    return lab_refuse(why, OKRA_E_UNSUPPORTED,
                      "a model is still in its warm-up of %zu rows: let one model finish it, all begin from that, "
                      "and name it as the base",
                      okra_get_spec(model)->warmup);
}

static uint64_t learnt(const okra_filter *model)
{
    uint64_t value = 0;
    return model && model_counter(model, "learnt", &value) == OKRA_OK ? value : 0;
}

/* The samples of a model beyond those of the base. A model with fewer than the base is refused earlier. */
static uint64_t learnt_since(const okra_filter *base, const okra_filter *model) { return learnt(model) - learnt(base); }

/* The samples of all models, those of the base counted once. */
static uint64_t learnt_together(const okra_filter *const *models, size_t m, const okra_filter *base)
{
    uint64_t sum = learnt(base);
    for (size_t i = 0; i < m; i++)
        sum += learnt_since(base, models[i]);
    return sum;
}

static okra_status refuse_stranger(okra_message *why)
{
    return lab_refuse(why, OKRA_E_PARAMETER,
                      "a model knows less than the base: it did not begin from it: name the model that all began "
                      "from, or none");
}

/* ---- on average --------------------------------------------------------------------------------------------- */

static okra_status average(const okra_filter *const *models, size_t m, const okra_filter *base, okra_filter *merged)
{
    size_t n = 0;
    double *mean = model_array(merged, "theta", &n), total = 0;
    okra_status status = mean ? OKRA_OK : OKRA_E_MEMORY;
    for (size_t i = 0; i < m; i++)
        total += (double)learnt_since(base, models[i]);
    for (size_t k = 0; k < n && mean; k++)
        mean[k] = 0;
    for (size_t i = 0; i < m && !status; i++) {
        double *theta = model_array(models[i], "theta", &n);
        status = theta ? OKRA_OK : OKRA_E_MEMORY;
        double share = total > 0 ? (double)learnt_since(base, models[i]) / total : 1 / (double)m;
        for (size_t k = 0; k < n && theta; k++)
            mean[k] += share * theta[k];
        free(theta);
    }
    status = status ? status : okra_counter_write(merged, "learnt", learnt_together(models, m, base));
    status = status ? status : model_array_set(merged, "theta", n, mean);
    free(mean);
    return status;
}

/* ---- exactly ------------------------------------------------------------------------------------------------ */

typedef struct workbench {
    size_t m, D, O;
    okra_r_factor *sum;       /* (R_s, R_s (theta_s - theta_b)) */
    double *theta_b, *inv_rb; /* [O][D]; R_b^-1, [D][D] by columns */
    double *s, *w, *vt;       /* S = W diag(s) V' */
    double *merged;           /* the state of RLS (model_set_rls), which is .. */
    double *theta, *d, *u, *noise;
} workbench;

static okra_status furnish(workbench *b)
{
    size_t packed = b->D * (b->D + 1) / 2;
    b->merged = calloc(b->O * b->D + b->D + packed + b->O + 1, sizeof *b->merged);
    if (!b->merged)
        return OKRA_E_MEMORY;
    b->theta = b->merged;
    b->d = b->theta + b->O * b->D;
    b->u = b->d + b->D;
    b->noise = b->u + packed;
    return OKRA_OK;
}

static void clear_up(workbench *b)
{
    okra_r_factor_free(b->sum);
    free(b->theta_b), free(b->inv_rb), free(b->s), free(b->w), free(b->vt), free(b->merged);
}

/* theta_b and R_b^-1 = U diag(d)^1/2; of nothing learnt, 0 and I / sqrt(lambda). */
static okra_status lay_base(workbench *b, const okra_filter *base, double lambda)
{
    size_t D = b->D, n = 0;
    b->inv_rb = calloc(D, D * sizeof(double));
    b->theta_b = base ? model_array(base, "theta", &n) : calloc(b->O, D * sizeof(double));
    double *u = base ? model_array(base, "u", &n) : NULL, *d = base ? model_array(base, "d", &n) : NULL, *at = u;
    bool all = b->inv_rb && b->theta_b && (!base || (u && d));
    for (size_t j = 0; j < D && all; j++) {
        if (!base)
            b->inv_rb[j * D + j] = 1 / sqrt(lambda);
        for (size_t i = 0; base && i <= j; i++)
            b->inv_rb[j * D + i] = *at++ * sqrt(d[j]);
    }
    free(u), free(d);
    return all ? OKRA_OK : OKRA_E_MEMORY;
}

/* (R, R (theta - theta_b)) of a model, as an R factor. */
static okra_status r_factor_of(const workbench *b, const okra_filter *model, okra_r_factor **factor)
{
    size_t n = 0, D = b->D;
    double *u = model_array(model, "u", &n), *d = model_array(model, "d", &n), *theta = model_array(model, "theta", &n);
    okra_status status = okra_r_factor_create(D, b->O, 0, factor);
    if (!status && !(u && d && theta))
        status = OKRA_E_MEMORY;
    if (!status)
        status = r_factor_from_ud(D, u, d, (*factor)->t, (*factor)->n);
    for (size_t o = 0; o < b->O && !status; o++) {
        double *q = (*factor)->t + (D + o) * (*factor)->n;
        for (size_t i = 0; i < D; i++)
            q[i] = theta[o * D + i] - b->theta_b[o * D + i];
        cblas_dtrmv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, (int)D, (*factor)->t, (int)(*factor)->n, q,
                    1);
    }
    free(u), free(d), free(theta);
    return status;
}

static okra_status add_noise(workbench *b, const okra_filter *model)
{
    size_t n = 0;
    double *noise = model_array(model, "noise", &n);
    if (!noise)
        return OKRA_E_MEMORY;
    for (size_t o = 0; o < n; o++)
        b->noise[o] += noise[o];
    free(noise);
    return OKRA_OK;
}

static okra_status add_model(workbench *b, const okra_filter *model)
{
    okra_r_factor *factor = NULL;
    okra_status status = add_noise(b, model);
    if (!status)
        status = r_factor_of(b, model, &factor);
    if (!status && !b->sum) {
        b->sum = factor;
        return OKRA_OK;
    }
    if (!status)
        status = okra_r_factor_join(b->sum, factor);
    okra_r_factor_free(factor);
    return status;
}

/* S = R_s R_b^-1, and its singular values and vectors. */
static okra_status decompose(workbench *b)
{
    size_t D = b->D;
    double *S = calloc(D, D * sizeof *S);
    b->s = calloc(D, sizeof *b->s);
    b->w = calloc(D, D * sizeof *b->w);
    b->vt = calloc(D, D * sizeof *b->vt);
    bool all = S && b->s && b->w && b->vt;
    if (all) {
        memcpy(S, b->inv_rb, D * D * sizeof *S);
        cblas_dtrmm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, (int)D, (int)D, 1, b->sum->t,
                    (int)b->sum->n, S, (int)D);
    }
    lapack_int n = (lapack_int)D;
    int failed = all ? LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'A', n, n, S, n, b->s, b->w, n, b->vt, n) : 0;
    free(S);
    return !all ? OKRA_E_MEMORY : failed ? OKRA_E_DIVERGED : OKRA_OK;
}

/* s^2 - (m - 1), at least 1 except for rounding. */
static double kept(const workbench *b, size_t i)
{
    double root = sqrt((double)(b->m - 1));
    return (b->s[i] - root) * (b->s[i] + root);
}

static okra_status check_base(const workbench *b, okra_message *why)
{
    for (size_t i = 0; i < b->D; i++)
        if (!(kept(b, i) > 0.5))
            return refuse_stranger(why);
    return OKRA_OK;
}

/* theta = theta_b + R_b^-1 V diag(s / kept) W' q. */
static okra_status merge_theta(const workbench *b)
{
    int D = (int)b->D;
    double *a = calloc(b->D, sizeof *a);
    if (!a)
        return OKRA_E_MEMORY;
    for (size_t o = 0; o < b->O; o++) {
        double *to = b->theta + o * b->D;
        const double *q = b->sum->t + (b->D + o) * b->sum->n;
        cblas_dgemv(CblasColMajor, CblasTrans, D, D, 1, b->w, D, q, 1, 0, a, 1);
        for (size_t i = 0; i < b->D; i++)
            a[i] *= b->s[i] / kept(b, i);
        cblas_dgemv(CblasColMajor, CblasTrans, D, D, 1, b->vt, D, a, 1, 0, to, 1);
        cblas_dtrmv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, D, b->inv_rb, D, to, 1);
        cblas_daxpy(D, 1, b->theta_b + o * b->D, 1, to, 1);
    }
    free(a);
    return OKRA_OK;
}

/* B = R_b^-1 V diag(kept)^-1/2 = R^ Q, R^ upper: U = R^ over its diagonal, d the diagonal squared. */
static okra_status merge_ud(const workbench *b)
{
    size_t D = b->D;
    double *u = b->u;
    double *B = calloc(D, D * sizeof *B), *tau = calloc(D, sizeof *tau);
    bool all = B && tau;
    for (size_t j = 0; j < D && all; j++)
        for (size_t i = 0; i < D; i++)
            B[j * D + i] = b->vt[i * D + j] / sqrt(kept(b, j));
    int failed = 0;
    if (all) {
        cblas_dtrmm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, (int)D, (int)D, 1, b->inv_rb,
                    (int)D, B, (int)D);
        failed = LAPACKE_dgerqf(LAPACK_COL_MAJOR, (lapack_int)D, (lapack_int)D, B, (lapack_int)D, tau);
    }
    for (size_t j = 0; j < D && all && !failed; j++) {
        double root = B[j * D + j];
        b->d[j] = root * root;
        for (size_t i = 0; i <= j; i++)
            *u++ = i == j ? 1 : B[j * D + i] / root;
    }
    free(B), free(tau);
    return !all ? OKRA_E_MEMORY : failed ? OKRA_E_DIVERGED : OKRA_OK;
}

static okra_status merge_exactly(const okra_filter *const *models, size_t m, const okra_filter *base,
                                 okra_filter *merged, okra_message *why)
{
    okra_stats stats;
    const okra_spec *spec = okra_get_spec(merged);
    okra_status status = okra_get_stats(merged, &stats);
    workbench b = {.m = m, .D = stats.features, .O = spec->outputs};
    status = status ? status : furnish(&b);
    status = status ? status : lay_base(&b, base, spec->lambda);
    for (size_t i = 0; i < m && !status; i++)
        status = add_model(&b, models[i]);
    if (!status)
        status = decompose(&b);
    if (!status && check_base(&b, why)) {
        clear_up(&b);
        return OKRA_E_PARAMETER;
    }
    status = status ? status : merge_theta(&b);
    status = status ? status : merge_ud(&b);
    status = status ? status : model_set_rls(merged, learnt_together(models, m, base), b.D, b.O, b.merged);
    clear_up(&b);
    return status ? lab_refuse(why, status, "merging: %s", okra_strerror(status)) : OKRA_OK;
}

/* ---- the front door ----------------------------------------------------------------------------------------- */

static okra_status check_model(const okra_filter *model, const okra_filter *first, const okra_filter *base,
                               okra_message *why)
{
    okra_status status = mergeable(first, model, why);
    if (!status)
        status = refuse_warming(model, why);
    return !status && learnt(model) < learnt(base) ? refuse_stranger(why) : status;
}

okra_status okra_merge(const okra_filter *const *models, size_t n, const okra_filter *base, okra_filter **merged,
                       okra_merging *how, okra_message *why)
{
    okra_merging kind;
    if (merged)
        *merged = NULL;
    if (!models || !merged || n < 1)
        return lab_refuse(why, OKRA_E_NULL, "there is nothing to merge: give a model or more");
    for (size_t i = 0; i < n; i++)
        if (!models[i])
            return lab_refuse_status(why, OKRA_E_NULL);
    okra_status status = kind_of(models[0], &kind, why);
    for (size_t i = 0; i < n && !status; i++)
        status = check_model(models[i], models[0], base, why);
    if (!status && base)
        status = mergeable(models[0], base, why);
    if (status)
        return status;
    status = okra_clone(models[n - 1], merged);
    if (!status && kind != OKRA_MERGE_EXACT)
        status = average(models, n, base, *merged);
    if (status)
        lab_refuse_status(why, status);
    else if (kind == OKRA_MERGE_EXACT)
        status = merge_exactly(models, n, base, *merged, why);
    if (how)
        *how = kind;
    if (status) {
        okra_free(*merged);
        *merged = NULL;
    }
    return status;
}
