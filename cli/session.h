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
#include "feed.h"
#include "learner.h"
#include "omega.h"
#include "options.h"
#include "output.h"
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
    okra_reader *reader;
    columns columns;
    omega omega;
    learner learner;
    feed *feed;
    double *numbers; /* all that follows in `row` */
    sample row;
    score score;
    tally tally;
    double started, seconds_before;
    uint64_t score_from;    /* rows that are not scored */
    bool stopped;           /* by a bad row, or an input that failed: the model is good, and can go on */
    okra_message first_bad; /* what was wrong with the first row skipped */

    sink *out;
    uint64_t kept_out; /* bytes of an earlier output that stay; 0: a new one */
    output metrics;
    okra_notes *notes; /* for the model file */
} session;

/* Runs the whole command. Returns the exit status, or dies of the signal that ended it. */
int session_run(const arguments *options, bool learns);

/* Opens input, model and outputs. EXIT_DONE, or another exit status when it has said why. */
int session_prepare(session *s);

/* Settles the columns that the options name, or the model file. */
int session_choose_columns(session *s);

/* Opens the outputs, once nothing else can go wrong: a run that cannot start leaves earlier results as they are. */
int session_open_outputs(session *s);

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
