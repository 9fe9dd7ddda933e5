/*
 * The theory of RFF-KLMS (section 4 of the paper, with its equations corrected).
 *
 * R = E[z z'] for x ~ N(0, s^2 I) has the entries, with z scaled by sqrt(2/D),
 *
 *     r_ij = (1/D) [ exp(-|w_i - w_j|^2 s^2 / 2) cos(b_i - b_j) + exp(-|w_i + w_j|^2 s^2 / 2) cos(b_i + b_j) ].
 *
 * R is numerically of low rank, so R = L L' by a pivoted Cholesky factorisation that stops at a tolerance, L of D x r;
 * the eigenvalues of the small L'L are R's, and V = L Q diag(1 / sqrt(l)) its eigenvectors.
 *
 * In that basis, with a_i the mean square of coordinate i of theta - theta_opt, one sample changes
 *
 *     a_i <- (1 - 2 mu l_i) a_i + mu^2 l_i (sum_j l_j a_j + J_opt)         the refined recursion,
 *     a_i <- (1 - 2 mu l_i) a_i + mu^2 l_i J_opt                            the paper's, which drops the second order
 * term,
 *
 * and the error is J_opt + sum_j l_j a_j. Their fixed points give mu J_opt tr R / (2 - mu tr R) and mu J_opt tr R / 2.
 */
#include "theory.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <okra/lab.h>
#include <okra/okra.h>

#include "graph.h"

struct okra_theory {
    okra_theory_spec spec;
    double *omega, *phase; /* radians */
    okra_theory_figures figures;
    size_t rank;        /* columns of L */
    double *factor;     /* L, column by column, D x rank */
    double *eigenvalue; /* [rank], largest first */
    double *vector;     /* Q: eigenvectors of L'L, column by column in that order, rank x rank */
    double *start;      /* [rank]: a_i before anything was learnt */
};

void okra_theory_spec_init(okra_theory_spec *spec)
{
    *spec = (okra_theory_spec){.dim = 5,
                               .sigma = 5,
                               .features = 1000,
                               .seed = 1,
                               .mu = 1,
                               .noise = 0.1,
                               .sigma_x = 1,
                               .centres = 10,
                               .centre_sigma = 1,
                               .weight_sigma = 5,
                               .tolerance = 1e-6};
}

/* ---- the features ------------------------------------------------------------------------------------------- */

/* cos(w.x) and sin(w.x) = cos(w.x - pi/2), both scaled by sqrt(2/D): a paired map is a map with phases that has each
 * frequency twice. */
static void pair_features(okra_theory *t)
{
    size_t half = t->spec.features / 2;
    memcpy(t->omega + half * t->spec.dim, t->omega, half * t->spec.dim * sizeof *t->omega);
    for (size_t i = 0; i < t->spec.features; i++)
        t->phase[i] = i < half ? 0 : -M_PI / 2;
}

/* The features that a filter of this spec has. */
static okra_status draw_features(okra_theory *t)
{
    size_t d = t->spec.dim, frequencies = t->spec.paired ? t->spec.features / 2 : t->spec.features;
    okra_spec spec;
    okra_filter *filter;
    okra_status status = okra_spec_init(&spec, "rff-klms", d, 1);
    spec.sigma = t->spec.sigma, spec.features = frequencies, spec.seed = t->spec.seed;
    spec.omega = t->spec.omega, spec.phase = t->spec.phase;
    if (!status)
        status = okra_create(&spec, &filter);
    if (status)
        return status;
    status = okra_array_read(filter, "omega", t->omega);
    if (!status)
        status = okra_array_read(filter, "phase", t->phase);
    okra_free(filter);
    if (status)
        return status;
    for (size_t i = 0; i < frequencies * d; i++)
        t->omega[i] *= 2 * M_PI;
    for (size_t i = 0; i < frequencies; i++)
        t->phase[i] *= 2 * M_PI;
    if (t->spec.paired)
        pair_features(t);
    return OKRA_OK;
}

double okra_theory_entry(const okra_theory *t, size_t i, size_t j)
{
    const double *wi = t->omega + i * t->spec.dim, *wj = t->omega + j * t->spec.dim;
    double s = t->spec.sigma_x, less = 0, more = 0;
    for (size_t k = 0; k < t->spec.dim; k++) {
        less += (wi[k] - wj[k]) * (wi[k] - wj[k]);
        more += (wi[k] + wj[k]) * (wi[k] + wj[k]);
    }
    return (exp(-less * s * s / 2) * cos(t->phase[i] - t->phase[j]) +
            exp(-more * s * s / 2) * cos(t->phase[i] + t->phase[j])) /
           (double)t->spec.features;
}

/* ---- the spectrum ------------------------------------------------------------------------------------------- */

/* The largest remaining diagonal element. */
static size_t find_pivot(const double *diagonal, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (diagonal[i] > diagonal[best])
            best = i;
    return best;
}

/* Column k of L, through the pivot p. */
static void add_column(okra_theory *t, double *diagonal, size_t k, size_t p)
{
    size_t n = t->spec.features;
    double *column = t->factor + k * n, root = sqrt(diagonal[p]);
    for (size_t i = 0; i < n; i++)
        column[i] = okra_theory_entry(t, i, p);
    /* the part in the earlier columns: row p of L, times L */
    cblas_dgemv(CblasColMajor, CblasNoTrans, (int)n, (int)k, -1, t->factor, (int)n, t->factor + p, (int)n, 1, column,
                1);
    for (size_t i = 0; i < n; i++) {
        column[i] /= root;
        diagonal[i] -= column[i] * column[i];
    }
    diagonal[p] = 0;
}

/* Adds columns to L until the rest of the trace is below the tolerance. */
static okra_status factorise(okra_theory *t)
{
    size_t n = t->spec.features, capacity = 0;
    double *diagonal = malloc(n * sizeof *diagonal), left = 0;
    if (!diagonal)
        return OKRA_E_MEMORY;
    for (size_t i = 0; i < n; i++)
        left += diagonal[i] = okra_theory_entry(t, i, i);
    t->figures.trace = left;
    for (size_t rank = 0; rank < n && left > t->spec.tolerance * t->figures.trace; rank++) {
        if (rank == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            double *grown = realloc(t->factor, capacity * n * sizeof *grown);
            if (!grown) {
                free(diagonal);
                return OKRA_E_MEMORY;
            }
            t->factor = grown;
        }
        size_t p = find_pivot(diagonal, n);
        if (!(diagonal[p] > 0))
            break;
        add_column(t, diagonal, rank, p);
        t->rank = rank + 1;
        left = 0;
        for (size_t i = 0; i < n; i++)
            left += diagonal[i] > 0 ? diagonal[i] : 0;
    }
    free(diagonal);
    return OKRA_OK;
}

/* Eigenvalues of L'L, largest first, and their vectors. */
static okra_status solve(okra_theory *t)
{
    size_t r = t->rank, n = t->spec.features;
    double *ascending = malloc((r + 1) * sizeof *ascending);
    t->vector = malloc((r * r + 1) * sizeof *t->vector);
    t->eigenvalue = calloc(r + 1, sizeof *t->eigenvalue);
    if (!ascending || !t->vector || !t->eigenvalue) {
        free(ascending);
        return OKRA_E_MEMORY;
    }
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, (int)r, (int)n, 1, t->factor, (int)n, 0, t->vector, (int)r);
    int failed = LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', (lapack_int)r, t->vector, (lapack_int)r, ascending);
    for (size_t k = 0; k < r / 2; k++)
        cblas_dswap((int)r, t->vector + k * r, 1, t->vector + (r - 1 - k) * r, 1);
    for (size_t k = 0; k < r; k++)
        t->eigenvalue[k] = ascending[r - 1 - k];
    free(ascending);
    bool memory = failed == LAPACK_WORK_MEMORY_ERROR || failed == LAPACK_TRANSPOSE_MEMORY_ERROR;
    return memory ? OKRA_E_MEMORY : failed ? OKRA_E_DIVERGED : OKRA_OK;
}

/* out[rank]: coordinates of x in R's eigenbasis, v_k.x with v_k = L q_k / sqrt(l_k). */
static void coordinates(const okra_theory *t, const double *x, double *work, double *out)
{
    size_t r = t->rank;
    int n = (int)t->spec.features;
    cblas_dgemv(CblasColMajor, CblasTrans, n, (int)r, 1, t->factor, n, x, 1, 0, work, 1); /* L'x */
    for (size_t k = 0; k < r; k++) {
        double sum = 0;
        for (size_t i = 0; i < r; i++)
            sum += t->vector[k * r + i] * work[i];
        out[k] = t->eigenvalue[k] > 0 ? sum / sqrt(t->eigenvalue[k]) : 0;
    }
}

/* ---- the expansion model ------------------------------------------------------------------------------------ */

/*
 * For one centre c: cross[i] = E[kappa(c, x) z_i(x)], and returns E[kappa(c, x)^2]. The product of the kernel and the
 * density of x is a gaussian with mean c s^2 / (s^2 + sigma^2) and variance s^2 sigma^2 / (s^2 + sigma^2).
 */
static double centre_moments(const okra_theory *t, const double *c, double *cross)
{
    size_t d = t->spec.dim;
    double s2 = t->spec.sigma_x * t->spec.sigma_x, k2 = t->spec.sigma * t->spec.sigma, cc = 0;
    for (size_t j = 0; j < d; j++)
        cc += c[j] * c[j];
    double mass = pow(k2 / (k2 + s2), (double)d / 2) * exp(-cc / (2 * (k2 + s2)));
    double variance = s2 * k2 / (s2 + k2), scale = sqrt(2.0 / (double)t->spec.features);
    for (size_t i = 0; i < t->spec.features; i++) {
        double ww = 0, wc = 0;
        for (size_t j = 0; j < d; j++) {
            double w = t->omega[i * d + j];
            ww += w * w;
            wc += w * c[j];
        }
        cross[i] = mass * scale * exp(-variance * ww / 2) * cos(wc * s2 / (s2 + k2) + t->phase[i]);
    }
    return pow(k2 / (k2 + 2 * s2), (double)d / 2) * exp(-cc / (k2 + 2 * s2));
}

/*
 * The best theta for one centre of weight 1 has coordinates v_k.cross / l_k and leaves E[kappa^2] - sum_k (v_k.cross)^2
 * / l_k of its power. Weights are independent, so both average over centres, times M weight_sigma^2: into start[] and
 * the optimum.
 */
enum { CENTRE_SAMPLES = 200 };

static okra_status average_centres(okra_theory *t)
{
    size_t d = t->spec.dim, r = t->rank;
    double *work = malloc((d + t->spec.features + 2 * r + 1) * sizeof *work), lost = 0;
    if (!work)
        return OKRA_E_MEMORY;
    double *c = work, *cross = c + d, *part = cross + t->spec.features, *inner = part + r;
    double power = (double)t->spec.centres * t->spec.weight_sigma * t->spec.weight_sigma / CENTRE_SAMPLES;
    okra_random random = {.seed = t->spec.seed, .stream = 21};
    for (int n = 0; n < CENTRE_SAMPLES; n++) {
        okra_random_normal(&random, d, c);
        for (size_t j = 0; j < d; j++)
            c[j] *= t->spec.centre_sigma;
        double left = centre_moments(t, c, cross);
        coordinates(t, cross, inner, part);
        for (size_t k = 0; k < r; k++) {
            double theta = part[k] / t->eigenvalue[k];
            t->start[k] += power * theta * theta;
            left -= part[k] * theta;
        }
        lost += power * (left > 0 ? left : 0);
    }
    t->figures.mse_optimal += lost;
    free(work);
    return OKRA_OK;
}

/* ---- together ----------------------------------------------------------------------------------------------- */

static void conclude(okra_theory *t)
{
    okra_theory_figures *f = &t->figures;
    double mu = t->spec.mu, load = mu * f->trace;
    while (f->rank < t->rank && t->eigenvalue[f->rank] > t->spec.tolerance * f->trace)
        f->rank++;
    f->spectrum = t->eigenvalue;
    f->lambda_max = f->rank ? t->eigenvalue[0] : 0;
    f->mu_max = 2 / f->trace;
    f->mu_max_mean = 2 / f->lambda_max;
    f->mu_max_mse = 1 / f->lambda_max;
    f->mse = load < 2 ? f->mse_optimal * (1 + load / (2 - load)) : (double)INFINITY;
    f->mse_paper = f->mse_optimal * (1 + load / 2);
}

static okra_status compute(okra_theory *t)
{
    okra_status status = draw_features(t);
    status = status ? status : factorise(t);
    status = status ? status : solve(t);
    if (status)
        return status;
    t->figures.mse_optimal = t->spec.noise * t->spec.noise;
    t->start = calloc(t->rank + 1, sizeof *t->start);
    if (!t->start)
        return OKRA_E_MEMORY;
    status = t->spec.centres ? average_centres(t) : OKRA_OK;
    conclude(t);
    return status;
}

static okra_status check_sizes(const okra_theory_spec *s, okra_message *why)
{
    const size_t max = 1 << 20;
    if (s->dim < 1 || s->dim > max)
        return lab_refuse(why, OKRA_E_PARAMETER, "dim = %zu is out of range: it must be from 1 to %zu", s->dim, max);
    if (s->features < 1 || s->features > max)
        return lab_refuse(why, OKRA_E_PARAMETER, "features = %zu is out of range: it must be from 1 to %zu",
                          s->features, max);
    if (!s->omega != !s->phase)
        return lab_refuse(why, OKRA_E_PARAMETER, "omega and phase go together: one of them is NULL");
    if (s->paired && s->omega)
        return lab_refuse(why, OKRA_E_PARAMETER, "paired features are drawn: give omega, or paired, not both");
    if (s->paired && s->features % 2)
        return lab_refuse(why, OKRA_E_PARAMETER,
                          "features = %zu is odd: paired has a cosine and a sine of each frequency", s->features);
    return OKRA_OK;
}

okra_status okra_theory_spec_check(const okra_theory_spec *spec, okra_message *why)
{
    if (!spec)
        return lab_refuse_status(why, OKRA_E_NULL);
    const struct {
        const char *name;
        double value;
        bool may_be_zero;
    } reals[] = {{"sigma", spec->sigma, false},
                 {"mu", spec->mu, false},
                 {"noise", spec->noise, true},
                 {"sigma_x", spec->sigma_x, false},
                 {"centre_sigma", spec->centre_sigma, true},
                 {"weight_sigma", spec->weight_sigma, true},
                 {"tolerance", spec->tolerance, false}};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        if (!isfinite(reals[i].value) || reals[i].value < 0 || (!(reals[i].value > 0) && !reals[i].may_be_zero))
            return lab_refuse(why, OKRA_E_PARAMETER, "%s = %g is out of range: it must be finite and %s", reals[i].name,
                              reals[i].value, reals[i].may_be_zero ? "0 or more" : "above 0");
    return check_sizes(spec, why);
}

okra_status okra_theory_create(const okra_theory_spec *spec, okra_theory **theory)
{
    if (!spec || !theory)
        return OKRA_E_NULL;
    *theory = NULL;
    okra_status status = okra_theory_spec_check(spec, NULL);
    if (status)
        return status;
    okra_theory *made = calloc(1, sizeof *made);
    if (!made)
        return OKRA_E_MEMORY;
    made->spec = *spec;
    made->omega = malloc(spec->features * spec->dim * sizeof *made->omega);
    made->phase = malloc(spec->features * sizeof *made->phase);
    status = made->omega && made->phase ? compute(made) : OKRA_E_MEMORY;
    if (status)
        okra_theory_free(made);
    else
        *theory = made;
    return status;
}

void okra_theory_free(okra_theory *theory)
{
    if (!theory)
        return;
    free(theory->omega), free(theory->phase), free(theory->factor);
    free(theory->eigenvalue), free(theory->vector), free(theory->start);
    free(theory);
}

const okra_theory_figures *okra_theory_get(const okra_theory *theory) { return &theory->figures; }

okra_status okra_theory_curve(const okra_theory *theory, int as_printed, size_t n, double *mse)
{
    if (!theory || !mse)
        return OKRA_E_NULL;
    if (theory->spec.centres == 0)
        return OKRA_E_UNSUPPORTED;
    size_t r = theory->rank;
    double *a = malloc((r + 1) * sizeof *a), mu = theory->spec.mu;
    if (!a)
        return OKRA_E_MEMORY;
    memcpy(a, theory->start, r * sizeof *a);
    for (size_t i = 0; i < n; i++) {
        double excess = 0;
        for (size_t k = 0; k < r; k++)
            excess += theory->eigenvalue[k] * a[k];
        mse[i] = theory->figures.mse_optimal + excess;
        double drive = mu * mu * (as_printed ? theory->figures.mse_optimal : mse[i]);
        for (size_t k = 0; k < r; k++)
            a[k] += theory->eigenvalue[k] * (drive - 2 * mu * a[k]);
    }
    free(a);
    return OKRA_OK;
}
