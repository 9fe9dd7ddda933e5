/*
 * One row: its numbers, what the model predicts, what it learns, what is scored and written.
 */
#include <math.h>

#include "../common/refusal.h"
#include "session.h"
#include "../common/talk.h"

/* ---- taking the numbers -------------------------------------------------------------------------------------- */

/* A value that cannot be used makes the row a bad one. */
static bool refuse_value(const session *s, const feed_row *row, size_t column, const char *what, okra_message *why)
{
    char label[COLUMN_LABEL];
    snprintf(why->text, sizeof why->text, "%s:%llu: %s %s", okra_table_get(s->table)->path,
             (unsigned long long)row->line, column_label(s->table, column, label), what);
    return false;
}

/* Finite numbers that fit the model's precision, or NaN; the column of the first that does not, else NO_COLUMN. */
static size_t take_values(const session *s, const feed_row *row, size_t n, const size_t *from, double *to)
{
    size_t wrong = NO_COLUMN;
    for (size_t i = 0; i < n; i++) {
        double given = from[i] == NO_COLUMN ? (double)NAN : row->values[from[i]];
        to[i] = learner_rounded(&s->learner, given);
        if (!isnan(given) && !learner_fits(&s->learner, given) && wrong == NO_COLUMN)
            wrong = from[i];
    }
    return wrong;
}

bool session_take_numbers(session *s, const feed_row *row, okra_message *why)
{
    const columns *c = &s->columns;
    size_t weight = s->learns ? c->weight : NO_COLUMN;
    size_t wrong = take_values(s, row, c->n_inputs, c->inputs, s->row.u);
    if (wrong == NO_COLUMN)
        wrong = take_values(s, row, c->n_targets, c->targets, s->row.y);
    s->row.weight = 1;
    if (wrong == NO_COLUMN && weight != NO_COLUMN)
        wrong = take_values(s, row, 1, &weight, &s->row.weight);
    if (wrong != NO_COLUMN)
        return refuse_value(s, row, wrong, "is too large for float32: scale it, or use --precision f64", why);
    if (!(s->row.weight >= 0))
        return refuse_value(s, row, weight, "is no weight: give 0 or more", why);
    return true;
}

int session_take_bad_row(session *s, const char *why)
{
    s->stopped = !s->set.skips_bad_rows;
    if (s->stopped)
        return talk_fail(EXIT_IO, "%s", why);
    if (s->tally.skipped++ == 0)
        snprintf(s->first_bad.text, sizeof s->first_bad.text, "%s", why);
    s->tally.consumed++;
    okra_status status = okra_skip(s->learner.model);
    return status ? talk_fail(EXIT_IO, "%s", okra_strerror(status)) : EXIT_DONE;
}

/* ---- predicting and learning --------------------------------------------------------------------------------- */

static okra_status predict_and_learn(session *s)
{
    sample *r = &s->row;
    double *variance = s->set.percent ? r->variance : NULL;
    okra_status status = learner_step(&s->learner, r->u, r->y, r->weight, r->yhat, variance);
    if (status)
        return status;
    learner_error(&s->learner, r->y, r->yhat, r->error);
    if (variance)
        learner_interval(&s->learner, s->set.q, r->yhat, variance, r->lo, r->hi);
    return OKRA_OK;
}

static bool count_missing(size_t n, const double *values, uint64_t *missing)
{
    bool found = false;
    for (size_t i = 0; i < n; i++) {
        bool lacks = isnan(values[i]);
        missing[i] += lacks;
        found |= lacks;
    }
    return found;
}

/* A row lacks what it is predicted from where it has no prediction, but for the rows before the first: there are lags
 * to be filled then, or there is a mean in place of a prediction. */
static void note_gap(session *s)
{
    const okra_spec *spec = okra_get_spec(s->learner.model);
    bool lacks = count_missing(s->columns.n_inputs, s->row.u, s->missing) && spec->lag_from == 0;
    if (spec->target_lags > 0)
        count_missing(s->columns.n_targets, s->row.y, s->missing + s->columns.n_inputs);
    s->tally.gaps += lacks || (isnan(s->row.yhat[0]) && learner_learnt(&s->learner) > 0);
}

/* A row counts where each of its targets was there and was predicted. */
static void score_row(session *s)
{
    for (size_t j = 0; j < s->columns.n_targets; j++)
        if (isnan(s->row.error[j]))
            return;
    score_add(&s->score, s->row.y, s->row.error);
    if (s->set.percent)
        score_interval(&s->score, s->row.y, s->row.lo, s->row.hi);
}

static int write_row(session *s, const feed_row *row)
{
    if (s->residual)
        return session_write_residual(s);
    const sample *r = &s->row;
    double *to = sink_room(s->out);
    *to++ = (double)s->tally.consumed;
    for (size_t j = 0; j < s->columns.n_targets; j++) {
        *to++ = r->y[j];
        *to++ = r->yhat[j];
        *to++ = r->error[j];
        if (s->set.percent) {
            *to++ = r->lo[j];
            *to++ = r->hi[j];
        }
    }
    int status = EXIT_DONE;
    if (s->columns.kept_as_text && s->columns.n_kept > 0)
        status = sink_texts(s->out, row->texts, row->length);
    for (size_t k = 0; k < s->columns.n_kept && !s->columns.kept_as_text; k++)
        *to++ = row->values[s->columns.kept[k]];
    return status ? status : sink_row(s->out);
}

static okra_status restart(session *s)
{
    drift_begin_anew(&s->drift);
    return okra_restart(s->learner.model);
}

static okra_status watch_drift(session *s, const feed_row *row)
{
    drift_place place = {.table = s->table, .targets = s->columns.targets, .row = s->tally.consumed, .line = row->line};
    bool found = drift_take(&s->drift, &s->learner, s->row.y, s->row.error, &place);
    return found && s->set.resets_on_drift ? restart(s) : OKRA_OK;
}

/* A model that chooses for itself may begin anew, and what it had learnt is gone: not without a word. */
static void tell_restart(session *s, const feed_row *row)
{
    enum { TOLD = 10 };
    uint64_t restarts = learner_restarts(&s->learner);
    bool more = restarts > s->restarts;
    s->restarts = restarts;
    if (!more || s->set.quiet || restarts > TOLD)
        return;
    talk_note("%s:%llu: most columns have left the range that scale and width were found for: they are found again "
              "from here on, and what was learnt before is given up (restart %llu)%s",
              okra_table_get(s->table)->path, (unsigned long long)row->line, (unsigned long long)restarts,
              restarts == TOLD ? "; more are counted and not told" : "");
}

static int refuse(const session *s, const feed_row *row, okra_status status)
{
    return refuse_row(okra_table_get(s->table)->path, row->line, okra_get_spec(s->learner.model), status);
}

int session_take_row(session *s, const feed_row *row)
{
    okra_message why; /* filled where it is needed */
    if (!session_take_numbers(s, row, &why))
        return session_take_bad_row(s, why.text);
    okra_status learnt = predict_and_learn(s);
    if (learnt)
        return refuse(s, row, learnt);
    tell_restart(s, row);
    s->tally.consumed++;
    s->tally.rows++;
    note_gap(s);
    if (s->tally.consumed > s->score_from)
        score_row(s);
    okra_status relearnt = watch_drift(s, row);
    return relearnt ? refuse(s, row, relearnt) : write_row(s, row);
}
