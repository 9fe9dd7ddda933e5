/*
 * What the files of the gateway share. They speak the MEX C API and okra's public headers, and nothing else. Memory for
 * a call comes from mxMalloc(): an error leaves the call by a jump, and the host then frees it.
 */
#ifndef OKRA_GATEWAY_H
#define OKRA_GATEWAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mex.h>
#include <okra/model_file.h>
#include <okra/okra.h>

/* ---- errors: errors.c ------------------------------------------------------------------------------------ */

/* Ends the call with the error okra:NAME, NAME being the status in lower case; the text is printf's. */
__attribute__((format(printf, 2, 3), noreturn)) void fail(okra_status status, const char *format, ...);

/* Ends the call where status is no OKRA_OK, with the library's own words. */
void expect(okra_status status);

/* The same with what the library has said of this very call. */
void expect_said(okra_status status, const okra_message *why);

/* ---- numbers and texts: arrays.c ------------------------------------------------------------------------- */

/* A text argument; `what` names it in the error. */
char *text_of(const mxArray *array, const char *what);

/* A whole number from 0 to 2^53. */
size_t count_of(const mxArray *array, const char *what);

/* The value of a parameter as text that okra_spec_set() reads: texts as they are, numbers with commas between them. */
char *value_text(const mxArray *array, const char *name);

/* Ends the call unless the argument is a full real matrix of doubles or singles. */
void expect_matrix(const mxArray *array, const char *what);

/*
 * Samples are rows, and the host stores columns. Rows first .. first + n - 1 of a matrix, row by row, as doubles or as
 * floats; and back, into a matrix of that class.
 */
void rows_read(const mxArray *matrix, size_t first, size_t n, bool single, void *out);
void rows_write(mxArray *matrix, size_t first, size_t n, bool single, const void *in);

/* A matrix that rows_write() fills. */
mxArray *new_matrix(size_t rows, size_t cols, bool single);

mxArray *new_number(double value);

/* Adds a name to a list of names with commas between them, as far as there is room. */
typedef struct name_list {
    char text[512];
} name_list;
void list_name(name_list *list, const char *name);

/* Sets a field of a 1 x 1 struct, adding it; fields cannot have dashes: when-full becomes when_full. */
void add_field(mxArray *to, const char *name, mxArray *value);

/* ---- learners: learner.c --------------------------------------------------------------------------------- */

/* What a handle stands for. */
typedef struct learner {
    okra_filter *filter;
    size_t inputs, outputs;
    bool single;  /* precision f32 */
    bool ordered; /* with lags or a horizon: rows come in order of time */
} learner;

learner learner_create(const okra_spec *spec);
learner learner_load(const char *path);
learner learner_copy(const learner *of);
void learner_save(const learner *of, const char *path);
void learner_free(learner *of);

/* ---- handles: handles.c ---------------------------------------------------------------------------------- */

/* Takes a learner in, and keeps the gateway loaded for as long as there is one. */
mxArray *handle_new(learner given);

/* The learner of a handle; ends the call where it has been freed. Valid until the next handle_new() or handle_free().
 */
learner *handle_get(const mxArray *handle);

/* Frees a handle's learner; one that is gone already is no error, because hosts run destructors twice. */
void handle_free(const mxArray *handle);

size_t handle_count(void);

/* ---- commands -------------------------------------------------------------------------------------------- */

/* A call okra_mex(NAME, arguments..): `in` and `n_in` are the arguments after the name. */
typedef void command(int n_out, mxArray *out[], int n_in, const mxArray *in[]);

/* making.c */
command do_check, do_create, do_free, do_copy, do_reset, do_save, do_load, do_count;
/* learning.c */
command do_run, do_predict;
/* looking.c */
command do_state, do_arrays, do_stats, do_parameters, do_recipes, do_version;
/* signals.c */
command do_signal, do_signals;
/* tables.c */
command do_read, do_formats;

#endif
