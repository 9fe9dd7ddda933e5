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

/* A format of rows. What is read from and written to follows from it; fields may be added at the end. */
typedef struct okra_format {
    const char *name;     /* what options call it: "csv" */
    const char *suffixes; /* endings of file names that stand for it, without the point, blanks between: "tsv tab" */
    const char *help;     /* one line */
    bool reads, writes;   /* whether this build of the library does */
    bool text;            /* has text too: names of columns, and fields that are no numbers */
    bool needs_columns;   /* does not tell how many numbers are a row: okra_table_options.columns does */
    bool reads_pipe;      /* false: of regular files only, as audio is */
    bool writes_pipe;     /* false: to regular files only, because a header tells the number of rows */
    bool parts;           /* okra_table_part() reads a part of a file */
    bool audio;           /* a row is a frame and a column a channel; needs a rate: okra_audio */
} okra_format;

/* Format i of the registry, from 0; NULL beyond the last. Format 0, CSV, is the default. */
OKRA_API const okra_format *okra_format_at(size_t i);

/* The format that the ending of a file's name stands for; NULL where it stands for none. */
OKRA_API const okra_format *okra_format_of(const char *path);

/* How a sample of audio is stored. Values never change once released. */
typedef enum okra_sample_format {
    OKRA_SAMPLE_PCM16 = 0, /* whole numbers of 16 bits; they stand for -1 up to 1 - 2^-15 */
    OKRA_SAMPLE_PCM24 = 1,
    OKRA_SAMPLE_PCM32 = 2, /* in FLAC, which has no more than 24 bits, these */
    OKRA_SAMPLE_F32 = 3    /* floats, which need not keep to -1..1; in FLAC, 24 bits */
} okra_sample_format;

typedef struct okra_audio {
    uint32_t rate; /* frames a second, above 0 */
    okra_sample_format sample;
    uint64_t frames; /* in a file that is read; 0: it does not tell */
} okra_audio;

/* ---- tables: rows of numbers out of a file or a pipe ------------------------------------------------------ */

typedef struct okra_table okra_table;

/* Whether the first line of a text names the columns. */
typedef enum okra_header {
    OKRA_HEADER_AUTO = 0, /* it does where any of its fields is not a number; the table's note tells if others are */
    OKRA_HEADER_YES = 1,
    OKRA_HEADER_NO = 2
} okra_header;

/* What is known about an input. All zero: nothing, guess. */
typedef struct okra_table_options {
    const char *format; /* the name of one, see okra_format_at(); NULL: guess */
    okra_header header; /* of text; the other formats have none */
    size_t columns;     /* where the format needs it, numbers in a row, 0 for 1; else 0, or what the input must have */

    /*
     * A second file, read in step with the first; NULL: there is none. Both are audio: what was played and what a
     * microphone heard of it. The columns are the channels of the first, called `far` (far1, far2, .. where there are
     * several), then those of the second, called `mic` (mic1, ..). Both must have the same rate; the table ends with
     * the shorter one. The other options are for either file.
     */
    const char *mic;

    /*
     * A text file that grows: at its end more is waited for, as `tail -F` does. Where another file has come to have its
     * name, or it has become shorter, reading goes on at the beginning of what is there now; a line like the header is
     * no row.
     */
    bool follow;
    bool headers; /* a line like the header is no row, in a file that is not followed too */

    /* Called by okra_table_next(), before it waits for more of an input that is no regular file: whoever hands rows on
     * in blocks can hand over those that have come. NULL: nobody is told. */
    void (*waits)(void *context);
    void *context;
    uint64_t reserved[4]; /* 0 */
} okra_table_options;

/*
 * Opens a file, or standard input where path is "-" or NULL, and reads as far as it takes to know the columns. On
 * failure *table is NULL and `why` (may be NULL) is one line that names the file, the cause and the remedy:
 * OKRA_E_OPEN, OKRA_E_READ, OKRA_E_PARAMETER for bad options, or OKRA_E_FORMAT for an input that is empty or is not
 * what it should be.
 *
 * A guess takes formats that need columns (.f64, .f32) at their names; then what begins as a format does (NPY, audio)
 * is of it, whatever its name; then names count (.tsv); everything else is text, separated by commas, or where the
 * first line has none by tabs, or else by semicolons. Where it has commas and tabs, or else semicolons, these separate
 * if every comma then stands inside a field as people write it: followed by a blank
 * (`temp, C;hum, %`), or as the decimal comma of a number (`1,5;2,5`), which is refused. "csv" is the same without
 * tabs. In text, blank lines and lines that begin with '#' are passed over (but a spreadsheet's #N/A, #DIV/0!, #VALUE!,
 * #REF!, #NAME?, #NUM!, #NULL! is a field), fields may be in quotes, and lines may end in CRLF. Where there is but one
 * column, blank lines after its first line are rows that lack their value, except those that the input ends with.
 * Columns that a header ends with and does not name (`a,y,`) are none: there rows may have empty fields, and nothing
 * else. Audio is known by its name (.wav, .flac, .ogg, ..) or its first bytes; its columns are called ch1, ch2, .. and
 * its values are from -1 to 1. Audio, and NPY files in Fortran order, cannot come through a pipe.
 */
OKRA_API okra_status okra_table_open(const char *path, const okra_table_options *options, okra_table **table,
                                     okra_message *why);

/* Closes and frees; NULL is allowed. */
OKRA_API void okra_table_close(okra_table *table);

/* What is known of a table. All but rows and line stays as it is from the start; fields may be added at the end. */
typedef struct okra_table_info {
    const char *path;          /* what the messages call the input: "stream.csv", "standard input" */
    const okra_format *format; /* of two files, the second's */
    size_t columns;
    okra_audio audio; /* how it is stored, as far as it can be written here: 16 bits stand for what cannot. Of two
                         files, the second's. A rate of 0: it is no audio */
    const char *note; /* what is worth knowing and no failure, in one line: files that differ in length, a first line
                         that is taken for a header though some of its fields are numbers. NULL: nothing */
    uint64_t rows;    /* delivered, refused or skipped so far */
    uint64_t line;    /* of the last row read, from 1; in a binary file, the number of the row */
} okra_table_info;

/* Never NULL: of no table, no path, no format and no columns. */
OKRA_API const okra_table_info *okra_table_get(const okra_table *table);

/* The name of column c (from 0): from the header, or NULL where there is none. */
OKRA_API const char *okra_table_column_name(const okra_table *table, size_t c);

/*
 * Says which columns are wanted: used[columns]. The others may hold any text (a date, a label) from here on, and come
 * as NaN. Without this call every column must hold numbers.
 */
OKRA_API okra_status okra_table_use(okra_table *table, const bool *used);

/*
 * Reads the next row into row[columns]. An empty field, or one that says nan, is NaN. *more is false at the end, and
 * row is then untouched. OKRA_E_FORMAT, with the file, line, column and value in `why`, where a field is not a number,
 * is infinite or too large for a double, in NPY a whole number beyond 2^53, where the row has too few or too many
 * fields, or the input ends within it; the next call goes on with the row after it. A row is there as soon as its last
 * byte is: input may never end.
 */
OKRA_API okra_status okra_table_next(okra_table *table, double *row, bool *more, okra_message *why);

/*
 * Passes so many rows without looking at their numbers; in a binary file, without reading them. Skipping as many rows
 * as the `rows` of another table of the same input gets to where that one was. OKRA_E_FORMAT where there are fewer.
 */
OKRA_API okra_status okra_table_skip(okra_table *table, uint64_t rows, okra_message *why);

/*
 * From here on only part `part` = 0 .. parts - 1 of a regular file of text, raw numbers or NPY by rows, and up to
 * `before` rows that come before it; *ahead tells how many of those there are. Every row belongs to one part: in text,
 * to the one in whose share of the bytes it begins. Only those bytes are read, and a few around them. To be called
 * before anything is read. OKRA_E_FORMAT where the input cannot be parted; in text, no row may hold a line end in
 * quotes.
 */
OKRA_API okra_status okra_table_part(okra_table *table, size_t part, size_t parts, size_t before, size_t *ahead,
                                     okra_message *why);

/*
 * The last row's field in that column as it was written, without quotes, for columns that hold no numbers: copied to
 * text[size] as far as it fits, with a final NUL; returns its length. Empty where the format has no text.
 */
OKRA_API size_t okra_table_text(const okra_table *table, size_t column, char *text, size_t size);

/* How much of the input has been read, 0 to 1; negative where its size cannot be known (a pipe). */
OKRA_API double okra_table_progress(const okra_table *table);

/* ---- writing numbers ------------------------------------------------------------------------------------- */

/*
 * Makes text fit for a terminal, in place: what a terminal would take for a command (control characters, those that
 * turn the direction of writing, line ends) becomes '?', and so does what is not UTF-8. Never longer than before. Every
 * `why` of this library is such a text; column names and metadata are as the file has them.
 */
OKRA_API void okra_plain_text(char *text);

/* Enough characters for any number that okra_format_real() writes, with the final NUL. */
enum { OKRA_REAL_TEXT = 32 };

/*
 * Writes x as the shortest decimal that reads back to the same bits, and of those the nearest to x, NUL-terminated, and
 * returns its length. _f32: the shortest that reads back to the same float. The style is that of Python's repr()
 * without a final ".0": 0.0001 up to 9999999999999998 are written plainly, others as 1e-05 and 1.5e+16; `nan`, `inf`,
 * `-inf`.
 */
OKRA_API size_t okra_format_real(double x, char text[OKRA_REAL_TEXT]);
OKRA_API size_t okra_format_real_f32(float x, char text[OKRA_REAL_TEXT]);

/* ---- writing rows of numbers ----------------------------------------------------------------------------- */

typedef struct okra_writer okra_writer;

/* All zero but `columns`: a CSV file, or what its name says, without a header, in the shortest digits. */
typedef struct okra_writer_options {
    const char *format; /* the name of one, see okra_format_at(); NULL: by the ending of the name, or else CSV */
    size_t columns;     /* 1 or more */
    size_t texts;       /* how many of them, at the end, are text: see okra_writer_row(); formats with text only */
    const char *const *names; /* names[columns], the header of a text; NULL: none. Not kept */
    int digits;               /* of text: 0 for the fewest that read back to the same number, or 1 to 17 */
    bool f32;                 /* numbers are floats: shorter text, and NPY of 4 bytes a number */
    bool numbered;            /* the first column counts rows: text shows it as an integer, whatever the digits */
    bool live;                /* write each row at once to a regular file too */
    bool gather;              /* or none at once: rows are written where many have come, and by okra_writer_flush() */
    uint64_t append_at;   /* not 0: keep so many bytes of the file that is there, drop the rest, and go on. No audio */
    okra_audio audio;     /* of formats of audio, which need a rate */
    uint64_t reserved[4]; /* 0 */
} okra_writer_options;

/*
 * Creates a file, or empties the one that is there; standard output where path is "-" or NULL. On failure *writer is
 * NULL and `why` says what to do: OKRA_E_OPEN, OKRA_E_PARAMETER for bad options, OKRA_E_FORMAT where append_at does not
 * fit the file, which is then as it was, or OKRA_E_WRITE.
 *
 * To a regular file rows are written in large pieces; to anything else (a pipe, a terminal) each row at once, unless
 * they are to gather. NPY and
 * audio need a regular file, because their headers tell the number of rows: the file is valid from the start, and holds
 * the rows up to the last okra_writer_flush() or close; FLAC, up to the close only.
 */
OKRA_API okra_status okra_writer_open(const char *path, const okra_writer_options *options, okra_writer **writer,
                                      okra_message *why);

/*
 * Writes a row: values[columns - texts], and `texts` one after the other, each ended by a NUL; NULL where there are
 * none. In text NaN is an empty field (`nan` where it is the only column); in audio it is silence, and what exceeds the
 * range of whole numbers is clipped. OKRA_E_WRITE, with the file, the cause and the remedy in `why`, where it could not
 * be written; every later call then says the same.
 */
OKRA_API okra_status okra_writer_row(okra_writer *writer, const double *values, const char *texts, okra_message *why);

/* Hands everything over to the system, and where `to_disk` to the disk, so that it survives a power failure. */
OKRA_API okra_status okra_writer_flush(okra_writer *writer, bool to_disk, okra_message *why);

/* How far a writer has come. Fields may be added at the end. */
typedef struct okra_writer_info {
    uint64_t bytes;   /* of the output with every row so far, header and kept bytes included. After a flush the file
                         has them, and a later run can go on from there with append_at */
    uint64_t clipped; /* values, of any column, that were clipped to the range of the samples */
} okra_writer_info;

/* Never NULL: of no writer, zeros. */
OKRA_API const okra_writer_info *okra_writer_get(const okra_writer *writer);

/* Writes what is left, closes and frees, in any case; NULL is allowed. Only after OKRA_OK is all of it written. */
OKRA_API okra_status okra_writer_close(okra_writer *writer, okra_message *why);

#ifdef __cplusplus
}
#endif
#endif
