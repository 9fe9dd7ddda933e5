/*
 * libokra-io: streams of rows. Not part of okra.h, because libokra itself opens no file.
 */
#ifndef OKRA_IO_H
#define OKRA_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <okra/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- reading rows of numbers ----------------------------------------------------------------------------- */

typedef struct okra_reader okra_reader;

/*
 * Opens a CSV file, or standard input where path is "-" or NULL, and reads its first line to learn the columns: it is a
 * header where any of its fields is not a number. On failure *reader is NULL and `why` (may be NULL) is one line that
 * names the file, the cause and the remedy: OKRA_E_OPEN, OKRA_E_READ, or OKRA_E_FORMAT for an empty file.
 */
OKRA_API okra_status okra_reader_open(const char *path, okra_reader **reader, okra_message *why);

/* Closes and frees; NULL is allowed. */
OKRA_API void okra_reader_close(okra_reader *reader);

/* The number of columns, and the name of column c (from 0): from the header, or NULL where there is none. */
OKRA_API size_t okra_reader_columns(const okra_reader *reader);
OKRA_API const char *okra_reader_column_name(const okra_reader *reader, size_t c);

/*
 * Says which columns are wanted: used[columns]. The others may hold any text (a date, a label) from here on, and come
 * as NaN. Without this call every column must hold numbers.
 */
OKRA_API okra_status okra_reader_use(okra_reader *reader, const bool *used);

/*
 * Reads the next row into row[columns]. An empty field, or one that says nan, is NaN. *more is false at the end, and
 * row is then untouched. OKRA_E_FORMAT, with the file, line, column and value in `why`, where a field is not a number,
 * is too large for a double, or the row has too few or too many fields; the next call goes on with the line after it.
 */
OKRA_API okra_status okra_reader_next(okra_reader *reader, double *row, bool *more, okra_message *why);

/* What the messages call the input ("stream.csv", "standard input"), and the line number of the last row read, from 1.
 */
OKRA_API const char *okra_reader_path(const okra_reader *reader);
OKRA_API uint64_t okra_reader_line(const okra_reader *reader);

/* How much of the input has been read, 0 to 1; negative where its size cannot be known (a pipe). */
OKRA_API double okra_reader_progress(const okra_reader *reader);

/* ---- writing numbers ------------------------------------------------------------------------------------- */

/* Enough characters for any number that okra_format_real() writes, with the final NUL. */
enum { OKRA_REAL_TEXT = 32 };

/*
 * Writes x as the shortest decimal that reads back to the same bits, NUL-terminated, and returns its length. _f32: the
 * shortest that reads back to the same float. `nan`, `inf`, `-inf` where it is not finite.
 */
OKRA_API size_t okra_format_real(double x, char text[OKRA_REAL_TEXT]);
OKRA_API size_t okra_format_real_f32(float x, char text[OKRA_REAL_TEXT]);

#ifdef __cplusplus
}
#endif
#endif
