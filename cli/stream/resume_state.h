/*
 * What a model file says, beside the model, about the run that made it: its columns, for the next run to find them by
 * name, and how far it had come, for a run that goes on where it stopped.
 */
#ifndef OKRA_CLI_RESUME_STATE_H
#define OKRA_CLI_RESUME_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <okra/model_file.h>
#include <okra/okra.h>

#include "columns.h"
#include "drift.h"
#include "../common/options.h"
#include "metrics.h"

/* How far a run has come. */
typedef struct progress {
    uint64_t consumed; /* rows of the input that are done with */
    uint64_t rows;     /* of them, rows predicted */
    uint64_t skipped;  /* of them, rows that did not parse */
    uint64_t gaps;     /* of them, rows that could not be learnt for want of what they are predicted from */
    uint64_t before;   /* samples that the model had learnt before */
    double seconds;
    uint64_t fingerprint; /* of the rows consumed: see input.h */
} progress;

typedef struct resume_state {
    const char *path;
    okra_filter *model; /* NULL: there is none yet */
    okra_metadata *metadata;
} resume_state;

/* ---- writing a model ------------------------------------------------------------------------------------------ */

/* Notes that stay the same all through a run; `before` are those of the model that it begins from, NULL if there is
 * none. EXIT_DONE, or another exit status after an error message. */
int resume_start_metadata(okra_metadata **metadata, const okra_metadata *before, const arguments *options,
                          const okra_table *table, const columns *c, uint64_t score_from);

/* The metadata of a model that go on to one made from it, which no run has brought to where it is: columns and options.
 * EXIT_DONE, or another exit status after an error message; to be freed in either case. */
int resume_inherit_metadata(okra_metadata **metadata, const okra_metadata *before);

/* The longest window of recent rows that a model file can keep. */
size_t resume_window_max(size_t outputs);

/* Saves the model, with how far it has come: `bytes` of predictions are on the disk. */
int resume_save(okra_metadata **metadata, const char *path, const okra_filter *model, const progress *p, const score *s,
                const drift_watch *drift, uint64_t bytes);

/* ---- reading one ---------------------------------------------------------------------------------------------- */

/* Loads it. With `may_be_absent`, a file that does not exist is no failure. To be freed in either case. */
int resume_load(resume_state *m, const char *path, size_t limit, bool may_be_absent);

void resume_free(resume_state *m); /* not the model, which somebody has adopted */

/* Takes the options that shape the output from the run that stopped, where they are not given again. Refuses others. */
int resume_read_options(const resume_state *m, arguments *options);

/* Takes parameters of the algorithm (mu, beta, capacity ..) that say other than the model, unless `resume`, and tells
 * so. Refuses other options that do: recipe, map, lags. */
int resume_check_options(resume_state *m, const arguments *options, bool resume, bool quiet);

/* The columns that the model was made with, in the table's file; lists as many as the model has. To be freed in either
 * case. `has` is false if the file does not say. */
typedef struct resume_columns {
    bool has;
    bool unnamed; /* either had no header: columns are where they were, whatever they are */
    column_list targets, inputs, weight;
} resume_columns;
int resume_read_columns(const resume_state *m, const okra_table *table, resume_columns *lists);
void resume_columns_free(resume_columns *lists);

/* How far it had come. EXIT_DONE, or another exit status after an error message. */
int resume_read_progress(const resume_state *m, progress *p, score *s, drift_watch *drift, uint64_t *score_from,
                         uint64_t *bytes);

/* What its errors were like, for a watch that goes on; it starts again where the file does not say. */
void resume_read_drift(const resume_state *m, drift_watch *w);

#endif
