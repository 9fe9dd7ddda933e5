/*
 * Drift in a run.
 *
 * Rounding errors are no drift: a filter that has found an exact relation may err by 1e-16 today and by 1e-15 tomorrow.
 * So errors below a small share of the target do not count.
 */
#include "drift.h"

#include <math.h>
#include <stdlib.h>

#include "../common/message.h"

static const double ROUNDING_F64 = 1e-12, ROUNDING_F32 = 1e-6;

bool drift_start(drift_watch *w, size_t outputs)
{
    *w = (drift_watch){.outputs = outputs, .tests = calloc(outputs, sizeof *w->tests)};
    if (w->tests)
        drift_restart(w);
    return w->tests;
}

void drift_free(drift_watch *w)
{
    free(w->tests);
    *w = (drift_watch){0};
}

void drift_restart(drift_watch *w)
{
    w->waited = 0;
    for (size_t j = 0; j < w->outputs; j++)
        okra_drift_init(&w->tests[j]);
}

/* Scale and width change during the warm-up, and the error with them. */
static bool warms_up(drift_watch *w, const learner *l)
{
    const okra_spec *spec = okra_get_spec(l->model);
    bool has_warmup = spec->scale == OKRA_SCALE_AUTO || spec->sigma == OKRA_SIGMA_AUTO;
    return has_warmup && w->waited < spec->warmup && ++w->waited;
}

static void tell(const drift_watch *w, size_t output, const drift_place *place)
{
    const okra_drift *test = &w->tests[output];
    char label[COLUMN_LABEL];
    if (w->drifts > DRIFT_ROWS)
        return;
    message_note("%s:%llu: drift: the error%s%s rose from %.3g to %.3g, at about row %llu",
                 okra_table_get(place->table)->path, (unsigned long long)place->line, w->outputs > 1 ? " of " : "",
                 w->outputs > 1 ? column_label(place->table, place->targets[output], label) : "", test->before,
                 test->after, (unsigned long long)(place->row >= test->ago ? place->row - test->ago + 1 : 1));
    if (w->drifts == DRIFT_ROWS)
        message_note("%s: %d drifts have been reported: further ones are only counted",
                     okra_table_get(place->table)->path, DRIFT_ROWS);
}

bool drift_take(drift_watch *w, const learner *l, const double *y, const double *error, const drift_place *place)
{
    bool found = false;
    if (w->outputs == 0 || warms_up(w, l))
        return false;
    for (size_t j = 0; j < w->outputs; j++) {
        double rounding = (l->f32 ? ROUNDING_F32 : ROUNDING_F64) * fabs(y[j]);
        if (!okra_drift_update(&w->tests[j], fabs(error[j]) + rounding))
            continue;
        if (!found && w->drifts++ < DRIFT_ROWS)
            w->rows[w->drifts - 1] = place->row;
        found = true;
        tell(w, j, place);
    }
    return found;
}
