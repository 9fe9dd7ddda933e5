/*
 * Scores. The variance of the targets is accumulated by Welford's method (Technometrics 4, 1962): the textbook
 * difference of mean squares loses every digit on targets that vary little around a large mean.
 */
#include "metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the metrics ----------------------------------------------------------------------------------------------- */

static const metric_sum *sum_of(const score *s, const char *name)
{
    size_t i = 0;
    while (strcmp(score_metrics[i].name, name) != 0)
        i++;
    return &s->sums[i];
}

static double mean_of(const score *s, const char *name)
{
    const metric_sum *sum = sum_of(s, name);
    return sum->n > 0 ? sum->sum / (double)sum->n : (double)NAN;
}

static double add_square(const score_item *i) { return i->error * i->error; }
static double add_absolute(const score_item *i) { return fabs(i->error); }
static double add_error(const score_item *i) { return i->error; }
static double add_inside(const score_item *i) { return i->lo <= i->y && i->y <= i->hi; }
static double add_width(const score_item *i) { return isfinite(i->hi - i->lo) ? i->hi - i->lo : (double)NAN; }

static double mse(const score *s) { return mean_of(s, "mse"); }
static double mse_db(const score *s) { return 10 * log10(mse(s)); }
static double rmse(const score *s) { return sqrt(mse(s)); }
static double mae(const score *s) { return mean_of(s, "mae"); }
static double bias(const score *s) { return mean_of(s, "bias"); }
static double coverage(const score *s) { return mean_of(s, "coverage"); }
static double width(const score *s) { return mean_of(s, "interval_width"); }

/* Squared errors over squared deviations; NaN if the targets never vary. */
static double nmse(const score *s)
{
    double spread = 0;
    for (size_t j = 0; j < s->outputs; j++)
        spread += s->spread[j];
    return spread > 0 ? sum_of(s, "mse")->sum / spread : (double)NAN;
}

static double r2(const score *s) { return 1 - nmse(s); }

/* Squared targets over squared errors. The mean of a microphone's samples counts as echo too. */
static double erle_db(const score *s)
{
    double squares = 0;
    for (size_t j = 0; j < s->outputs; j++)
        squares += s->spread[j] + (double)s->rows * s->mean[j] * s->mean[j];
    return 10 * log10(squares / sum_of(s, "mse")->sum);
}

/* Errors are y - yhat. */
const metric score_metrics[] = {
    {"mse", METRIC_ALWAYS, add_square, mse, true}, /* mean squared error */
    {"mse_db", METRIC_ALWAYS, NULL, mse_db, false},
    {"nmse", METRIC_ALWAYS, NULL, nmse, true}, /* over the variance of the targets */
    {"rmse", METRIC_ALWAYS, NULL, rmse, false},
    {"mae", METRIC_ALWAYS, add_absolute, mae, true}, /* mean absolute error */
    {"bias", METRIC_ALWAYS, add_error, bias, true},  /* mean error */
    {"r2", METRIC_ALWAYS, NULL, r2, false},          /* share of the variance that is predicted */
    {"erle_db", METRIC_AUDIO, NULL, erle_db, true},  /* echo return loss enhancement */
    {"coverage", METRIC_INTERVALS, add_inside, coverage, true},
    {"interval_width", METRIC_INTERVALS, add_width, width, false}, /* of those that are finite */
    {.name = NULL},
};
_Static_assert(sizeof score_metrics / sizeof *score_metrics <= METRICS_MAX + 1, "raise METRICS_MAX");

double score_value(const score *s, const char *name)
{
    size_t i = 0;
    while (strcmp(score_metrics[i].name, name) != 0)
        i++;
    return score_metrics[i].value(s);
}

/* ---- rows ------------------------------------------------------------------------------------------------------ */

bool score_start(score *s, size_t outputs, size_t window)
{
    *s = (score){.outputs = outputs, .window = window};
    for (size_t i = 0; score_metrics[i].name; i++)
        if (score_metrics[i].add)
            s->added[s->n_added++] = (unsigned char)i;
    s->mean = calloc(outputs, sizeof(double));
    s->spread = calloc(outputs, sizeof(double));
    s->recent = calloc(window * outputs + 1, sizeof *s->recent);
    return s->mean && s->spread && s->recent;
}

void score_free(score *s)
{
    free(s->mean), free(s->spread), free(s->recent);
    s->mean = s->spread = NULL;
    s->recent = NULL;
}

static void add_item(score *s, size_t output, const score_item *item)
{
    double off = item->y - s->mean[output];
    s->mean[output] += off / (double)s->rows;
    s->spread[output] += off * (item->y - s->mean[output]);
    bool intervals = !isnan(item->lo);
    for (size_t k = 0; k < s->n_added; k++) {
        size_t i = s->added[k];
        if (score_metrics[i].when == METRIC_INTERVALS && !intervals)
            continue;
        double more = score_metrics[i].add(item);
        if (!isnan(more)) {
            s->sums[i].sum += more;
            s->sums[i].n++;
        }
    }
    if (s->window > 0)
        s->recent[s->kept % s->window * s->outputs + output] = *item;
}

void score_add(score *s, const double *y, const double *error, const double *lo, const double *hi)
{
    s->rows++;
    for (size_t j = 0; j < s->outputs; j++) {
        score_item item = {y[j], error[j], lo ? lo[j] : (double)NAN, hi ? hi[j] : (double)NAN};
        add_item(s, j, &item);
    }
    s->kept++;
}

bool score_recent(const score *s, score *recent)
{
    if (!score_start(recent, s->outputs, 0))
        return false;
    uint64_t rows = s->kept < s->window ? s->kept : s->window;
    for (uint64_t i = s->kept - rows; i < s->kept; i++) {
        recent->rows++;
        for (size_t j = 0; j < s->outputs; j++)
            add_item(recent, j, &s->recent[i % s->window * s->outputs + j]);
    }
    return true;
}
