/*
 * A stream of rows going through a model: what `run` and `predict` have in common.
 *
 * prepare.c opens everything, rows.c takes one row, session.c loops and reports, checkpoint.c keeps what must survive.
 */
#ifndef OKRA_CLI_SESSION_H
#define OKRA_CLI_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include <okra/io.h>
#include <okra/model_file.h>
#include <okra/okra.h>

#include "columns.h"
#include "drift.h"
#include "feed.h"
#include "learner.h"
#include "omega.h"
#include "../common/options.h"
#include "../common/output.h"
#include "saved.h"
#include "score.h"
#include "settings.h"
#include "sink.h"

/* One row, as numbers of the model's precision; NaN stands for what is missing. */
typedef struct sample {
    double *u, *y, weight;
    double *yhat, *error;
    double *variance, *lo, *hi; /* where intervals are wanted */
} sample;

typedef struct session {
    bool learns; /* or only predicts */
    arguments options;
    settings set;
    saved saved;    /* where it begins from a model file */
    bool countable; /* the input can be gone through twice: once to count its rows */
    okra_table *table;
    columns columns;
    omega omega;
    learner learner;
    feed *feed;
    double *numbers; /* all that follows in `row` */
    sample row;
    uint64_t *missing; /* values of each input, and of each target that others are predicted from, since the start */
    score score;
    drift_watch drift;
    uint64_t restarts; /* of the model, that are known */
    tally tally;
    double started, seconds_before;
    uint64_t score_from;    /* rows that are not scored */
    bool stopped;           /* by a bad row, or an input that failed: the model is good, and can go on */
    okra_message first_bad; /* what was wrong with the first row skipped */

    sink *out;
    bool residual;     /* the output is audio: errors, and no predictions */
    uint64_t clipped;  /* values of it that were clipped, once it is closed */
    uint64_t kept_out; /* bytes of an earlier output that stay; 0: a new one */
    output metrics;
    okra_metadata *metadata; /* for the model file */
} session;

/* Runs the whole command. Returns the exit status, or dies of the signal that ended it. */
int session_run(const arguments *options, bool learns);

/* Opens input, model and outputs. EXIT_DONE, or another exit status when it has said why. */
int session_prepare(session *s);

/* Opens the input, once the settings are read: its columns, room for a row, and the rows that are not scored. */
int session_open_input(session *s);

/* Gives a spec the inputs and targets that the input has. */
void session_fit(const session *s, okra_spec *spec);

/* Frees all that a session holds. */
void session_free(session *s);

/* Settles the columns that the options name, or the model file. */
int session_choose_columns(session *s);

/* Opens the outputs, once nothing else can go wrong: a run that cannot start leaves earlier results as they are. */
int session_open_outputs(session *s);

/* The numbers of a row, into s->row; false, with the place and the remedy in `why`, where the row is bad. */
bool session_take_numbers(session *s, const feed_row *row, okra_message *why);

/* The residual as audio in place of the predictions, in the format of the target's own. */
bool is_audio_output(const char *path);
int session_open_residual(session *s);
int session_write_residual(session *s);

/* Hands rows of so many columns over to a writer from here on, which is the session's. */
int session_start_sink(session *s, okra_writer *writer, size_t n);

/* Takes one row, or one that does not parse. */
int session_take_row(session *s, const feed_row *row);
int session_take_bad_row(session *s, const char *why);

/* Brings the predictions to the disk, then saves the model, in this order: a model file never knows of rows that the
 * output has lost. */
int session_save(session *s);

/* Goes on where the run that made the model file stopped. */
int session_recall(session *s);

/* Seconds of work so far, those before a stop included. */
double session_seconds(const session *s);

#endif
