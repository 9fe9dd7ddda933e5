/*
 * libokra-io: streams of rows. Not part of okra.h, because libokra itself opens no file.
 *
 * A table or a writer belongs to one thread at a time; different ones are independent.
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

/* ---- the registry of formats ------------------------------------------------------------------------------- */

/* A format of rows. Fields may be added at the end. */
typedef struct okra_format {
    const char *name;     /* its name in options: "csv" */
    const char *suffixes; /* endings of its file names, without the point, separated by blanks: "tsv tab" */
    const char *help;     /* one line */
    bool reads, writes;   /* whether this build of the library can */
    bool text;            /* also holds text: names of columns, and fields that are not numbers */
    bool needs_columns;   /* does not store how many numbers are in a row: okra_table_options.columns says it */
    bool reads_pipe;      /* false: reads regular files only, as for audio */
    bool writes_pipe;     /* false: writes regular files only, because the header holds the number of rows */
    bool parts;           /* okra_table_part() can read a part of a file */
    bool audio;           /* a row is a frame and a column a channel; needs a rate: okra_audio */
} okra_format;

/* Format i of the registry, from 0; NULL beyond the last. Format 0, CSV, is the default. */
OKRA_API const okra_format *okra_format_at(size_t i);

/* The format that belongs to the ending of a file's name, csv for rows.csv.gz too; NULL if none does. */
OKRA_API const okra_format *okra_format_of(const char *path);

/* A compression of files. Fields may be added at the end. */
typedef struct okra_compression {
    const char *name;   /* "gzip" */
    const char *suffix; /* the ending of its file names, without the point, behind that of the format: "gz" */
    const char *help;   /* one line */
    bool works;         /* whether this build of the library can */
} okra_compression;

/* Compression i of the registry, from 0; NULL beyond the last. */
OKRA_API const okra_compression *okra_compression_at(size_t i);

/* How a sample of audio is stored. Values never change once released. */
typedef enum okra_sample_format {
    OKRA_SAMPLE_PCM16 = 0, /* integers of 16 bits, for -1 up to 1 - 2^-15 */
    OKRA_SAMPLE_PCM24 = 1,
    OKRA_SAMPLE_PCM32 = 2, /* in FLAC, which has no more, 24 bits */
    OKRA_SAMPLE_F32 = 3    /* floats, which may exceed -1..1; in FLAC, 24 bits */
} okra_sample_format;

typedef struct okra_audio {
    uint32_t rate; /* frames a second, above 0 */
    okra_sample_format sample;
    uint64_t frames; /* in a file that is read; 0: not known */
} okra_audio;

/* ---- tables: rows of numbers from a file or a pipe -------------------------------------------------------- */

typedef struct okra_table okra_table;

/* Whether the first line of a text names the columns. */
typedef enum okra_header {
    OKRA_HEADER_AUTO = 0, /* it does if any of its fields is not a number; the table's note says if others are */
    OKRA_HEADER_YES = 1,
    OKRA_HEADER_NO = 2
} okra_header;

/* What stands for a missing value, in any case, unless the caller says otherwise. */
#define OKRA_MISSING_WORDS "?,NA,N/A,#N/A,null,none,nil,-,--"

/* What the caller knows about an input. All zero: nothing, so guess. */
typedef struct okra_table_options {
    const char *format; /* its name, see okra_format_at(); NULL: guess */
    okra_header header; /* of text; the other formats have none */
    size_t columns; /* if the format needs it, the numbers in a row (0 means 1); else 0, or the number that the input
                       must have */

    /*
     * A second file, read in step with the first; NULL: none. Both are audio: what was played, and what a microphone
     * recorded of it. The columns are the channels of the first, called `far` (far1, far2, .. if there are several),
     * then those of the second, called `mic` (mic1, ..). Both must have the same rate. The table ends with the shorter
     * one. The other options apply to both files.
     */
    const char *mic;

    /*
     * A text file that grows: at its end, wait for more, as `tail -F` does. If the file is replaced or becomes shorter,
     * reading starts again at the beginning of the file that is there now: a record left open ends there, and a quote
     * that was never closed is an error of its line. A line that repeats the header is not a row.
     */
    bool follow;
    bool headers; /* a line that repeats the header is not a row, even if the file is not followed */

    /* Called by okra_table_next() before it waits for more of an input that is not a regular file, so that a caller who
     * passes rows on in blocks can pass on those that have arrived. May be NULL. */
    void (*waits)(void *context);
    void *context;

    /* Words and numbers that stand for a missing value, with commas between them, as in "?,-9999", besides an empty
     * field and nan; up to 32 of each. Words are those of text, in any case; numbers are of every format. NULL:
     * OKRA_MISSING_WORDS; "": none. */
    const char *missing;
    uint64_t reserved[3]; /* 0 */
} okra_table_options;

/*
 * Opens a file, or standard input if path is "-" or NULL, and reads until the columns are known. On failure *table
 * is NULL and `why` (may be NULL) is one line that names the file, the cause and the remedy: OKRA_E_OPEN, OKRA_E_READ,
 * OKRA_E_PARAMETER for bad options, or OKRA_E_FORMAT for an input that is empty or not of its format.
 *
 * The format is guessed in this order. A name that ends in .f64 or .f32 decides, because such files have no mark. Then
 * the first bytes decide (NPY, audio), whatever the name. Then the ending of the name decides (.tsv). Anything else is
 * text.
 *
 * Text is separated by commas; if its first line has none, by tabs; if it has neither, by semicolons. If the first line
 * has commas and also tabs, or else semicolons, the latter separate if every comma would then be an ordinary part of a
 * field: followed by a blank (`temp, C;hum, %`), or the decimal comma of a number (`1,5;2,5`), which is refused. The
 * format "csv" is the same without tabs.
 *
 * In text, blank lines and lines that begin with '#' are skipped, but a spreadsheet's #N/A, #DIV/0!, #VALUE!, #REF!,
 * #NAME?, #NUM!, #NULL! is a field. Fields may be in quotes, and lines may end in CRLF. In a table of one column, a
 * blank line after the first line is a row whose value is missing, except at the end of the input. If a header ends in
 * columns without a name (`a,y,`), these do not count: their fields must be empty.
 *
 * Annotated CSV of InfluxDB may hold several tables, each under lines that begin with `#group,`, `#datatype,` or
 * `#default,`. If a table's header is that of the first, it is skipped; if it is not, the header and the rows below it
 * are refused.
 *
 * A file compressed by gzip is recognised by its first bytes, whatever its name. What was compressed is then as a pipe
 * would give it, with a format that is guessed as if the name had no .gz. Several members, one after the other, are one
 * input. It cannot be followed or read in parts, and cannot hold audio or NPY in Fortran order.
 *
 * Audio is recognised by its name (.wav, .flac, .ogg, ..) or its first bytes. Its columns are called ch1, ch2, .. and
 * its values are from -1 to 1. Audio, and NPY files in Fortran order, cannot be read from a pipe.
 */
OKRA_API okra_status okra_table_open(const char *path, const okra_table_options *options, okra_table **table,
                                     okra_message *why);

/* Closes and frees; NULL is allowed. */
OKRA_API void okra_table_close(okra_table *table);

/* What is known about a table. All fields but rows and line are fixed from the start. Fields may be added at the
 * end. */
typedef struct okra_table_info {
    const char *path;          /* the input's name in messages: "stream.csv", "standard input" */
    const okra_format *format; /* of the second file, if there are two */
    size_t columns;
    okra_audio audio; /* how the second file, or the only one, is stored; 16 bits if this library cannot write it so. A
                         rate of 0: not audio */
    const char *note; /* a remark in one line, not a failure: files that differ in length, or a first line taken for a
                         header though some of its fields are numbers. NULL: none */
    uint64_t rows;    /* delivered, refused or skipped so far */
    uint64_t line;    /* of the last row read, from 1; in a binary file, the number of the row */
} okra_table_info;

/* Never NULL: for a NULL table, an empty path, no format and 0 columns. */
OKRA_API const okra_table_info *okra_table_get(const okra_table *table);

/* The name of column c (from 0): from the header, or NULL if there is none. */
OKRA_API const char *okra_table_column_name(const okra_table *table, size_t c);

/*
 * Says which columns are wanted: used[columns]. From here on the others may hold any text (a date, a label) and are
 * read as NaN. Without this call every column must hold numbers.
 */
OKRA_API okra_status okra_table_use(okra_table *table, const bool *used);

/*
 * Reads the next row into row[columns]. An empty field, or `nan`, is NaN. At the end *more is false, and row is
 * unchanged. OKRA_E_FORMAT, with the file, line, column and value in `why`, if a field is not a number, is infinite or
 * too large for a double, or (in NPY) is an integer beyond 2^53; if the row has too few or too many fields; or if the
 * input ends within it. The next call continues with the row after it. A row is returned as soon as its last byte has
 * arrived: the input need not end. OKRA_E_READ if no more can be read: the disk fails, or a compressed file is damaged
 * or was cut short, after the rows before it.
 */
OKRA_API okra_status okra_table_next(okra_table *table, double *row, bool *more, okra_message *why);

/*
 * Skips so many rows without looking at their numbers; in a binary file, without reading them. To continue where
 * another table of the same input was, skip its `rows`. OKRA_E_FORMAT if there are fewer.
 */
OKRA_API okra_status okra_table_skip(okra_table *table, uint64_t rows, okra_message *why);

/*
 * Restricts the table to part `part` = 0 .. parts - 1 of a regular file of text, raw numbers or NPY by rows, preceded
 * by up to `before` rows; *ahead is how many of those there are. Every row belongs to one part: in text, to the one in
 * whose share of the bytes it begins. Only those bytes are read, and a few around them. To be called before the first
 * row is read. OKRA_E_FORMAT if the input cannot be divided; in text, no row may hold a line end in quotes.
 */
OKRA_API okra_status okra_table_part(okra_table *table, size_t part, size_t parts, size_t before, size_t *ahead,
                                     okra_message *why);

/*
 * Copies the last row's field in that column, as it stands in the file but without quotes, to text[size], as far as it
 * fits, with a final NUL. For columns that do not hold numbers. Returns its length. Empty if the format has no text.
 */
OKRA_API size_t okra_table_text(const okra_table *table, size_t column, char *text, size_t size);

/* How much of the input has been read, 0 to 1; negative if its size is not known (a pipe). */
OKRA_API double okra_table_progress(const okra_table *table);

/* ---- writing numbers ------------------------------------------------------------------------------------- */

/*
 * Makes text safe for a terminal, in place: control characters, characters that change the direction of writing, line
 * ends, and what is not UTF-8 become '?'. The text never gets longer. Every `why` of this library is such a text;
 * column names and metadata are as they are in the file.
 */
OKRA_API void okra_plain_text(char *text);

/* Enough characters for any number from okra_format_real(), with the final NUL. */
enum { OKRA_REAL_TEXT = 32 };

/*
 * Writes x as the shortest decimal that reads back to the same bits, NUL-terminated, and returns its length. If several
 * are as short, takes the nearest to x. _f32: the shortest that reads back to the same float. The style is that of
 * Python's repr() without a final ".0": 0.0001 up to 9999999999999998 are written plainly, others as 1e-05 and 1.5e+16;
 * `nan`, `inf`, `-inf`.
 */
OKRA_API size_t okra_format_real(double x, char text[OKRA_REAL_TEXT]);
OKRA_API size_t okra_format_real_f32(float x, char text[OKRA_REAL_TEXT]);

/* ---- writing rows of numbers ----------------------------------------------------------------------------- */

typedef struct okra_writer okra_writer;

/* All zero but `columns`: the format of the file's name or else CSV, no header, the fewest digits. */
typedef struct okra_writer_options {
    const char *format; /* its name, see okra_format_at(); NULL: by the ending of the file's name, or else CSV */
    size_t columns;     /* 1 or more */
    size_t texts; /* how many of them, the last ones, are text: see okra_writer_row(). Only in formats with text */
    const char *const *names; /* names[columns], the header of a text; NULL: none. Not needed after the call */
    int digits;               /* in text: 0 for the fewest that read back to the same number, or 1 to 17 */
    bool f32;                 /* numbers are floats: shorter text, and NPY of 4 bytes a number */
    bool numbered;            /* the first column counts rows: text shows it as an integer, regardless of `digits` */
    bool live;                /* write each row at once, even to a regular file */
    bool gather;        /* write no row at once, even to a pipe: only when many are there, and by okra_writer_flush() */
    uint64_t append_at; /* not 0: keep so many bytes of the existing file, drop the rest, and append. Not for audio */
    okra_audio audio;   /* for audio formats, which need a rate */
    uint64_t reserved[4]; /* 0 */
} okra_writer_options;

/*
 * Creates a file, or empties an existing one; standard output if path is "-" or NULL. On failure *writer is NULL and
 * `why` says what to do: OKRA_E_OPEN, OKRA_E_PARAMETER for bad options, OKRA_E_WRITE, or OKRA_E_FORMAT if append_at
 * does not fit the file, which is then unchanged.
 *
 * Rows go to a regular file in large pieces, and to anything else (a pipe, a terminal) one at a time, unless `gather`
 * is set. If the name ends in .gz, the file is compressed. NPY and audio need a regular file that is not, because their
 * headers hold the number of rows. The file is valid from the start, and holds the rows up to the last
 * okra_writer_flush() or close; a FLAC file only after the close.
 */
OKRA_API okra_status okra_writer_open(const char *path, const okra_writer_options *options, okra_writer **writer,
                                      okra_message *why);

/*
 * Writes a row: values[columns - texts], and `texts` one after the other, each ended by a NUL; NULL if there are none.
 * In text, NaN is an empty field (`nan` if it is the only column). In audio, NaN is silence, and values beyond the
 * range of the samples are clipped. OKRA_E_WRITE, with the file, the cause and the remedy in `why`, if it could not be
 * written; every later call then returns the same.
 */
OKRA_API okra_status okra_writer_row(okra_writer *writer, const double *values, const char *texts, okra_message *why);

/* Hands everything over to the system; with `to_disk`, also to the disk, so that it survives a power failure. */
OKRA_API okra_status okra_writer_flush(okra_writer *writer, bool to_disk, okra_message *why);

/* The progress of a writer. Fields may be added at the end. */
typedef struct okra_writer_info {
    uint64_t bytes;   /* of the output with every row so far, header and kept bytes included. After a flush the file has
                         them all, and a later run can continue from there with append_at; of a compressed output,
                         after a flush to the disk */
    uint64_t clipped; /* values, of any column, that were clipped to the range of the samples */
} okra_writer_info;

/* Never NULL: zeros for a NULL writer. */
OKRA_API const okra_writer_info *okra_writer_get(const okra_writer *writer);

/* Writes what is left, closes and frees, even on failure; NULL is allowed. All rows are written only if it returns
 * OKRA_OK. */
OKRA_API okra_status okra_writer_close(okra_writer *writer, okra_message *why);

#ifdef __cplusplus
}
#endif
#endif
