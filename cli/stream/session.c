/*
 * The loop over the rows, and the messages about them. Every row is predicted before its target is learnt, and written
 * before waiting for the next, so the stream may be endless.
 */
#include "session.h"

#include <stdlib.h>
#include <unistd.h>

#include "../common/signals.h"
#include "summary.h"
#include "../common/message.h"

/* ---- messages -------------------------------------------------------------------------------------------------- */

static summary summarise(const session *s)
{
    summary all = {.rows = s->progress.rows,
                   .learnt = learner_learnt(&s->learner) - s->progress.before,
                   .skipped = s->progress.skipped,
                   .gaps = s->progress.gaps,
                   .missing = s->missing,
                   .restarts = s->restarts,
                   .seconds = session_seconds(s),
                   .learns = s->learns,
                   .loaded = s->resume.model != NULL,
                   .table = s->in->table,
                   .columns = &s->in->columns,
                   .score = &s->score,
                   .drift = s->drift.outputs ? &s->drift : NULL,
                   .spec = learner_spec(&s->learner),
                   .model = s->learner.model,
                   .intervals = s->set.percent != NULL,
                   .audio = okra_table_get(s->in->table)->audio.rate > 0,
                   .residual = s->residual,
                   .clipped = s->out ? writer_clipped(s->out) : s->clipped};
    okra_get_stats(s->learner.model, &all.stats);
    return all;
}

static void print_summary(const session *s)
{
    summary all = summarise(s);
    summary_print(&all);
    if (s->progress.consumed == 0)
        message_note("%s: no rows%s yet", okra_table_get(s->in->table)->path,
                     okra_table_column_name(s->in->table, 0) ? " below its header" : "");
    if (s->first_bad.text[0])
        message_note("the first row skipped: %s", s->first_bad.text);
}

int session_write_metrics(session *s, bool at_end)
{
    if (!s->metrics.path)
        return EXIT_DONE;
    summary all = summarise(s);
    return metrics_file_write(&s->metrics, &all, at_end);
}

static int write_relevance(const session *s)
{
    if (!s->set.relevance)
        return EXIT_DONE;
    summary all = summarise(s);
    column_names names = summary_names(&all);
    return relevance_write(s->set.relevance, s->learner.model, &names);
}

/* ---- the rows -------------------------------------------------------------------------------------------------- */

/* An input with only bad rows is most likely the wrong one; an empty one may still grow. */
static int check_rows_came(const session *s)
{
    if (s->progress.consumed > 0 && s->progress.skipped == s->progress.consumed)
        return message_fail(EXIT_IO, "%s: all rows (%llu) were skipped; the first one: %s",
                            okra_table_get(s->in->table)->path, (unsigned long long)s->progress.skipped,
                            s->first_bad.text);
    return EXIT_DONE;
}

/* Whether a checkpoint is due, by rows or by the clock. */
static bool is_due(const session *s)
{
    if (s->set.checkpoint.in_unit)
        return message_clock() >= s->saved_at + s->set.checkpoint.value;
    return s->set.checkpoint.count > 0 && s->progress.consumed % s->set.checkpoint.count == 0;
}

/* Learns a block and passes it on; *state says whether there are more. A block ends where a checkpoint is due. */
static int take_block(session *s, block *b, block_state *state)
{
    okra_message why = b->why;
    *state = b->state;
    bool rows = b->n > 0;
    s->fingerprint = b->fingerprint;
    s->unsaved |= rows;
    int status = session_take_block(s, b), written = writer_put(s->out, b);
    status = status ? status : written;
    if (!status && rows && is_due(s))
        status = session_save(s);
    s->stopped = !status && (*state == BLOCK_STOPPED || *state == BLOCK_FAILED);
    return s->stopped ? message_fail(EXIT_IO, "%s", why.text) : status;
}

/* Seconds after which to look at the clock even if no row has come; 0: never. */
static unsigned watches_clock(const session *s) { return s->metrics.path || s->set.checkpoint.in_unit ? 1 : 0; }

static int take_rows(session *s, progress_bar *bar)
{
    block_state state = BLOCK_GOOD;
    int status = EXIT_DONE;
    while (!status && state == BLOCK_GOOD && !signals_end()) {
        block *b = reader_next(s->reader, watches_clock(s));
        double share = b ? b->progress : -1, began = message_clock();
        size_t rows = b ? b->n : 0;
        if (b)
            status = take_block(s, b, &state);
        reader_pace(s->reader, rows, message_clock() - began);
        bool asked = signals_noted() && signals_report();
        if (asked)
            print_summary(s);
        if (!status && !b && s->set.checkpoint.in_unit && s->unsaved && is_due(s))
            status = session_save(s);
        if (!status && (asked || metrics_file_is_due(&s->metrics)))
            status = session_write_metrics(s, false);
        if (b)
            progress_bar_show(bar, s->progress.rows, share);
    }
    return state == BLOCK_ENDED && !status ? check_rows_came(s) : status;
}

/* ---- the end --------------------------------------------------------------------------------------------------- */

/* The first failure decides the exit status, and only it is reported, except that an unsaved model is always
 * reported. */
static int finish(session *s, int status)
{
    int kept = s->set.save && (!status || s->stopped) ? session_save(s) : EXIT_DONE;
    status = status ? status : kept;
    if (status)
        message_quiet();
    s->clipped = writer_clipped(s->out);
    int closed = writer_close(s->out);
    s->out = NULL;
    status = status ? status : closed;
    if (status)
        message_quiet();
    int written = session_write_metrics(s, true);
    status = status ? status : written;
    if (!status)
        status = write_relevance(s);
    if (!status && !s->set.quiet)
        print_summary(s);
    return status;
}

/* No bar if predictions go to the same terminal. */
static bool wants_bar(const session *s) { return !s->set.quiet && !(is_standard(s->set.out) && isatty(STDOUT_FILENO)); }

static int go_through(session *s)
{
    progress_bar bar = progress_bar_start(wants_bar(s));
    int status = session_start(s);
    if (!status)
        status = take_rows(s, &bar);
    progress_bar_end(&bar);
    status = finish(s, status);
    if (!reader_stop(s->reader))
        s->in = NULL; /* which its thread keeps */
    return status;
}

static void session_free(session *s)
{
    okra_writer_close(s->opened, NULL);
    input_close(s->in);
    okra_metadata_free(s->metadata);
    resume_free(&s->resume);
    omega_free(&s->omega);
    if (s->learner.model != s->resume.model)
        okra_free(s->resume.model);
    learner_free(&s->learner);
    score_free(&s->score);
    drift_free(&s->drift);
    arguments_free(&s->options);
    free(s->missing);
}

int session_run(const arguments *options, bool learns)
{
    session s = {.learns = learns, .started = message_clock()};
    signals_expect_report();
    int status = arguments_copy(&s.options, options) ? session_prepare(&s) : message_fail(EXIT_IO, "out of memory");
    if (!status)
        status = go_through(&s);
    if (status)
        message_quiet();
    session_free(&s);
    if (!status)
        signals_die();
    return status;
}
