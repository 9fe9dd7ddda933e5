/*
 * A session runs a stream of rows through a model, for `run` and `predict`.
 *
 * session_prepare.c opens everything, session_outputs.c its outputs, learn_block.c learns a block of rows, session.c
 * loops and reports, checkpoint.c keeps what must survive.
 */
#ifndef OKRA_CLI_SESSION_H
#define OKRA_CLI_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include <okra/io.h>
#include <okra/model_file.h>
#include <okra/okra.h>

#include "drift.h"
#include "input.h"
#include "learner.h"
#include "metrics_file.h"
#include "omega_file.h"
#include "reader.h"
#include "resume_state.h"
#include "metrics.h"
#include "run_options.h"
#include "writer.h"
#include "../common/options.h"

typedef struct session {
    bool learns; /* or only predicts */
    arguments options;
    settings set;
    resume_state resume; /* the model file that it starts from */
    input *in;
    omega omega;
    learner learner;
    uint64_t *missing; /* values of each input, and of each target that others are predicted from, since the start */
    score score;
    drift_watch drift;
    uint64_t restarts; /* of the model, that are known */
    progress progress;
    double started, seconds_before;
    bool unsaved;           /* rows have been learnt since the model was saved */
    double saved_at;        /* a time of message_clock() */
    uint64_t fingerprint;   /* of the rows processed */
    bool stopped;           /* by a bad row or a failed input: the model is good, and the run can resume */
    okra_message first_bad; /* what was wrong with the first row skipped */

    reader *reader;
    okra_writer *opened; /* the output, until there is a writer for it */
    writer *out;
    bool residual;     /* the output is audio: errors, and no predictions */
    uint64_t clipped;  /* values of it that were clipped, once it is closed */
    uint64_t kept_out; /* bytes of an earlier output that stay; 0: a new one */
    metrics_file metrics;
    okra_metadata *metadata; /* for the model file */
} session;

/* Runs the whole command. Returns the exit status, or dies of the signal that ended it. */
int session_run(const arguments *options, bool learns);

/* Opens input, model and outputs. Returns EXIT_DONE, or another exit status after an error message. */
int session_prepare(session *s);

/* Opens the outputs last: a run that cannot start leaves earlier results unchanged. */
int session_open_outputs(session *s);

/* Starts the reading and writing threads. With checkpoints, saves the initial model. */
int session_start(session *s);

/* Predicts and learns the rows of a block, and stores the results in it. */
int session_take_block(session *s, block *b);

/* Flushes the predictions to disk, then saves the model: a model file never counts rows that the output lacks. */
int session_save(session *s);

/* Resumes the run that made the model file. */
int session_resume(session *s);

/* Writes the current metrics, if --metrics is given. */
int session_write_metrics(session *s, bool at_end);

/* Seconds of work so far, including those before a stop. */
double session_seconds(const session *s);

#endif
