/*
 * What a run stores in its model file besides the model: its columns, so that the next run finds them by name, and its
 * progress, so that it can resume.
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

/* Progress of a run. */
typedef struct progress {
    uint64_t consumed; /* rows of the input that have been processed */
    uint64_t rows;     /* of them, rows predicted */
    uint64_t skipped;  /* of them, rows that did not parse */
    uint64_t gaps;     /* of them, rows without a prediction, because a value is missing */
    uint64_t before;   /* samples that the model had learnt before this run */
    double seconds;
    uint64_t fingerprint; /* of the rows consumed: see input.h */
} progress;

typedef struct resume_state {
    const char *path;
    okra_filter *model; /* NULL: there is none yet */
    okra_metadata *metadata;
} resume_state;

/* ---- writing a model ------------------------------------------------------------------------------------------ */

/* Starts the metadata with what does not change during a run. `before` is the metadata of the loaded model, or NULL.
 * Returns EXIT_DONE, or another exit status after an error message. */
int resume_start_metadata(okra_metadata **metadata, const okra_metadata *before, const arguments *options,
                          const okra_table *table, const columns *c, uint64_t score_from);

/* Copies the metadata that a model made from another one keeps: columns and options, but no progress. Returns
 * EXIT_DONE, or another exit status after an error message. Free it in either case. */
int resume_inherit_metadata(okra_metadata **metadata, const okra_metadata *before);

/* The longest window of recent rows that a model file can keep. */
size_t resume_window_max(size_t outputs);

/* Saves the model and its progress. `bytes` of predictions are on disk. */
int resume_save(okra_metadata **metadata, const char *path, const okra_filter *model, const progress *p, const score *s,
                const drift_watch *drift, uint64_t bytes);

/* ---- reading one ---------------------------------------------------------------------------------------------- */

/* Loads a model file. With `may_be_absent`, a missing file is no error. Free it in either case. */
int resume_load(resume_state *m, const char *path, size_t limit, bool may_be_absent);

void resume_free(resume_state *m); /* not the model, which the learner owns */

/* Takes the options that shape the output from the run that stopped. An option given again must have the same value. */
int resume_read_options(const resume_state *m, arguments *options);

/* Applies changed parameters of the algorithm (mu, beta, capacity ..), with a note; refuses them with `resume`.
 * Always refuses a changed recipe, map or lags. */
int resume_check_options(resume_state *m, const arguments *options, bool resume, bool quiet);

/* The columns that the model was made with. `has` is false if the model file does not say. Free it in either case. */
typedef struct resume_columns {
    bool has;
    bool unnamed; /* one of the files has no header: columns are matched by number */
    column_list targets, inputs, weight;
} resume_columns;
int resume_read_columns(const resume_state *m, const okra_table *table, resume_columns *lists);
void resume_columns_free(resume_columns *lists);

/* Reads the progress. Returns EXIT_DONE, or another exit status after an error message. */
int resume_read_progress(const resume_state *m, progress *p, score *s, drift_watch *drift, uint64_t *score_from,
                         uint64_t *bytes);

/* Reads the state of the drift tests. If the model file has none, they restart. */
void resume_read_drift(const resume_state *m, drift_watch *w);

#endif
