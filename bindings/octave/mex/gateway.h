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

/* ---- errors: values.c ------------------------------------------------------------------------------------ */

/* Ends the call with the error okra:NAME, NAME being the status in lower case; the text is printf's. */
__attribute__((format(printf, 2, 3), noreturn)) void fail(okra_status status, const char *format, ...);

/* Ends the call where status is no OKRA_OK, with the library's own words. */
void expect(okra_status status);

/* The same with what the library has said of this very call. */
void expect_said(okra_status status, const okra_message *why);

/* ---- numbers and texts: values.c ------------------------------------------------------------------------- */

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

/* Adds a name to a list of names with commas between them, as far as there is room. */
typedef struct name_list {
    char text[512];
} name_list;
void list_name(name_list *list, const char *name);

/* Sets a field of a 1 x 1 struct, adding it; fields cannot have dashes: when-full becomes when_full. */
void add_field(mxArray *to, const char *name, mxArray *value);

/* A column of n structs with the fields name, help and a third; and one of them. */
mxArray *new_list(size_t n, const char *third);
void list_put(mxArray *list, size_t i, const char *name, const char *help, mxArray *third);

/* ---- learners: learners.c -------------------------------------------------------------------------------- */

/* What a handle stands for: a filter, and what the host needs to know of it at every call. */
typedef struct learner {
    okra_filter *filter;
    size_t inputs, outputs;
    bool single;  /* precision f32 */
    bool ordered; /* with lags or a horizon: rows come in order of time */
} learner;

/* The learner of a handle; ends the call where it has been freed. Valid until one is made or freed. */
learner *handle_get(const mxArray *handle);

/* ---- commands -------------------------------------------------------------------------------------------- */

#define UNUSED __attribute__((unused))

/* A call okra_mex(NAME, arguments..): `in` and `n_in` are the arguments after the name. */
typedef void command(int n_out, mxArray *out[], int n_in, const mxArray *in[]);
#define COMMAND(name) void name(int n_out UNUSED, mxArray *out[] UNUSED, int n_in UNUSED, const mxArray *in[] UNUSED)

/* learners.c */
command do_check, do_create, do_free, do_copy, do_reset, do_save, do_load, do_count;
/* learning.c */
command do_run, do_predict, do_begin, do_commit;
/* looking.c */
command do_state, do_arrays, do_stats, do_relevance, do_parameters, do_recipes, do_version;
/* data.c */
command do_signal, do_signals, do_read, do_formats;

#endif
