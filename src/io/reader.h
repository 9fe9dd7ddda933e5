/*
 * What a format of rows is, inside libokra-io. reader.c is the door: it opens the source, has its format found
 * (format.c) and checks arguments; a format's file knows how its rows lie in the bytes.
 */
#ifndef OKRA_IO_READER_H
#define OKRA_IO_READER_H

#include "format.h"

/* More columns than this are a mistake about the format, and would cost a caller memory for each row. */
enum { OKRA_MOST_COLUMNS = 1 << 22 };

typedef struct okra_reader_class {
    size_t size; /* of the format's struct, which begins with an okra_reader */

    /* Reads what comes before the rows; sets columns, and names where there are any. The source is at the beginning. */
    okra_status (*open)(okra_reader *reader, const okra_reader_options *options, okra_message *why);

    /* As okra_reader_next(); sets `line`. OKRA_E_FORMAT is for a row that has been passed. */
    okra_status (*next)(okra_reader *reader, double *row, bool *more, okra_message *why);

    /* Passes rows, fewer at the end. */
    okra_status (*skip)(okra_reader *reader, uint64_t rows, uint64_t *skipped, okra_message *why);

    /* As okra_reader_part(), for a regular file and before any row; where the format says that it has parts. */
    okra_status (*part)(okra_reader *reader, size_t part, size_t parts, size_t before, size_t *ahead,
                        okra_message *why);

    /* As okra_reader_text(); where the format says that it has text. */
    size_t (*text)(const okra_reader *reader, size_t column, char *text, size_t size);

    double (*progress)(const okra_reader *reader);
    void (*close)(okra_reader *reader); /* frees what the format added; NULL: nothing */
} okra_reader_class;

struct okra_reader {
    const okra_reader_class *class;
    const okra_format_row *format; /* NULL: of none, two files read together */
    okra_source source;
    size_t columns;
    char **names;      /* of the columns; NULL where there are none */
    bool *ignored;     /* columns that may hold anything; NULL: none */
    uint64_t line;     /* of the last row passed */
    uint64_t position; /* rows passed */
    okra_audio audio;  /* rate 0: it is none */
    char *note;        /* see okra_reader_note() */
};

extern const okra_reader_class okra_csv_class, okra_npy_class, okra_raw_class, okra_audio_class;

static inline bool okra_reader_ignores(const okra_reader *reader, size_t c)
{
    return reader->ignored && reader->ignored[c];
}

/* Where part `part` of `parts` begins, of `total` things; that of part `parts` is the end. */
static inline uint64_t okra_part_begin(uint64_t total, size_t part, size_t parts)
{
    return total / parts * part + total % parts * part / parts;
}

/* Calls columns first .. first + n - 1 kind1, kind2, .., or one that needs no number just `kind`; there is room in
 * `names`. False where there is no memory. */
bool okra_reader_number_columns(okra_reader *reader, size_t first, size_t n, const char *kind, bool numbered);

/* Whether the last sound that could not be opened lacked memory. */
bool okra_sound_lacks_memory(void);

/* The `variant` of formats that libsndfile writes. */
enum { OKRA_AUDIO_WAV, OKRA_AUDIO_FLAC };

#endif
