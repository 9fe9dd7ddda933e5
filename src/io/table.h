/*
 * What a format of rows is, inside libokra-io. table.c is the door: it opens the source, has its format found
 * (format.c) and checks arguments; a format's file knows how its rows lie in the bytes.
 */
#ifndef OKRA_IO_TABLE_H
#define OKRA_IO_TABLE_H

#include "format.h"

/* More columns than this are a mistake about the format, and would cost a caller memory for each row. */
enum { OKRA_MAX_COLUMNS = 1 << 22 };

typedef struct okra_table_class {
    size_t size; /* of the format's struct, which begins with an okra_table */

    /* Reads what comes before the rows; sets columns, and names where there are any. The source is at the beginning. */
    okra_status (*open)(okra_table *table, const okra_table_options *options, okra_message *why);

    /* As okra_table_next(); sets `line`. OKRA_E_FORMAT is for a row that has been passed. */
    okra_status (*next)(okra_table *table, double *row, bool *more, okra_message *why);

    /* Passes rows, fewer at the end. */
    okra_status (*skip)(okra_table *table, uint64_t rows, uint64_t *skipped, okra_message *why);

    /* As okra_table_part(), for a regular file and before any row; where the format says that it has parts. */
    okra_status (*part)(okra_table *table, size_t part, size_t parts, size_t before, size_t *ahead, okra_message *why);

    /* As okra_table_text(); where the format says that it has text. */
    size_t (*text)(const okra_table *table, size_t column, char *text, size_t size);

    double (*progress)(const okra_table *table); /* NULL: as its source */
    void (*close)(okra_table *table);            /* frees what the format added; NULL: nothing */
} okra_table_class;

struct okra_table {
    const okra_table_class *class;
    const okra_format_row *format;
    okra_source source;
    size_t columns;
    char **names;     /* of the columns; NULL where there are none */
    bool *ignored;    /* columns that may hold anything; NULL: none */
    okra_audio audio; /* rate 0: it is none */
    char *note;       /* of okra_table_info */
    okra_table_info info;
};

extern const okra_table_class okra_csv_class, okra_npy_class, okra_raw_class, okra_audio_class;

static inline bool okra_table_ignores(const okra_table *table, size_t c) { return table->ignored && table->ignored[c]; }

/* Where part `part` of `parts` begins, of `total` things; that of part `parts` is the end. */
static inline uint64_t okra_part_begin(uint64_t total, size_t part, size_t parts)
{
    return total / parts * part + total % parts * part / parts;
}

/* Calls columns first .. first + n - 1 kind1, kind2, .., or one that needs no number just `kind`; there is room in
 * `names`. False where there is no memory. */
bool okra_table_number_columns(okra_table *table, size_t first, size_t n, const char *kind, bool numbered);

/* Opens options->mic with path, as one table. */
okra_status okra_pair_open(const char *path, const okra_table_options *options, okra_table **opened, okra_message *why);

/* Sets what okra_table_get() tells, once all of it is known. */
void okra_table_describe(okra_table *table);

/*
 * Refuses a WAV (RIFF, RIFX, RF64) or AIFF file that was cut short: libsndfile reads what is left, and says nothing.
 * *open is true where the file leaves its length open, because the program that wrote it could not go back to its
 * beginning, or was killed before it did. Of others nothing is known here. Moves nothing in the source.
 */
okra_status okra_sound_check_length(okra_source *source, bool *open, okra_message *why);

/* Whether the last sound that could not be opened lacked memory. */
bool okra_sound_lacks_memory(void);

/* The `variant` of formats that libsndfile writes. */
enum { OKRA_AUDIO_WAV, OKRA_AUDIO_FLAC };

#endif
