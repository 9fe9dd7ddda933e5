/*
 * Scores. The variance of the targets is accumulated by Welford's method (Technometrics 4, 1962): the textbook
 * difference of mean squares loses every digit on targets that vary little around a large mean.
 */
#include "score.h"

#include <math.h>
#include <stdlib.h>

bool score_start(score *s, size_t outputs)
{
    *s = (score){.outputs = outputs};
    s->mean = calloc(outputs, sizeof(double));
    s->spread = calloc(outputs, sizeof(double));
    return s->mean && s->spread;
}

void score_free(score *s)
{
    free(s->mean);
    free(s->spread);
    s->mean = s->spread = NULL;
}

void score_add(score *s, const double *y, const double *error)
{
    double n = (double)++s->rows;
    for (size_t j = 0; j < s->outputs; j++) {
        double off = y[j] - s->mean[j];
        s->mean[j] += off / n;
        s->spread[j] += off * (y[j] - s->mean[j]);
        s->squares += error[j] * error[j];
    }
}

void score_interval(score *s, const double *y, const double *lo, const double *hi)
{
    for (size_t j = 0; j < s->outputs; j++)
        s->inside += lo[j] <= y[j] && y[j] <= hi[j];
}

/* Over rows and outputs. */
static double share(const score *s, double sum)
{
    return s->rows > 0 ? sum / ((double)s->rows * (double)s->outputs) : (double)NAN;
}

double score_mse(const score *s) { return share(s, s->squares); }

double score_coverage(const score *s) { return share(s, (double)s->inside); }

double score_mse_db(const score *s) { return 10 * log10(score_mse(s)); }

/* The mean of a microphone's samples counts as echo too. */
double score_erle_db(const score *s)
{
    double squares = 0;
    for (size_t j = 0; j < s->outputs; j++)
        squares += s->spread[j] + (double)s->rows * s->mean[j] * s->mean[j];
    return 10 * log10(squares / s->squares);
}

double score_nmse(const score *s)
{
    double spread = 0;
    for (size_t j = 0; j < s->outputs; j++)
        spread += s->spread[j];
    return spread > 0 ? s->squares / spread : (double)NAN;
}
