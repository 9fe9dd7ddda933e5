/*
 * The interface of a format of rows, inside libokra-io. table.c opens the source, has its format found (format.c) and
 * checks arguments. The file of a format knows its layout in bytes.
 */
#ifndef OKRA_IO_TABLE_H
#define OKRA_IO_TABLE_H

#include "compression.h"
#include "format.h"
#include "missing.h"

/* More columns than this mean a wrong format, and would cost the caller memory for a row. */
enum { OKRA_MAX_COLUMNS = 1 << 22 };

typedef struct okra_table_class {
    size_t size; /* of the format's struct, which begins with an okra_table */

    /* Reads what comes before the rows; sets columns, and names if there are any. The source is at the beginning. */
    okra_status (*open)(okra_table *table, const okra_table_options *options, okra_message *why);

    /* As okra_table_next(); sets `line`. After OKRA_E_FORMAT the bad row has been skipped. */
    okra_status (*next)(okra_table *table, double *row, bool *more, okra_message *why);

    /* Skips rows, fewer at the end. */
    okra_status (*skip)(okra_table *table, uint64_t rows, uint64_t *skipped, okra_message *why);

    /* As okra_table_part(), for a regular file and before any row; needed if the format has `parts`. */
    okra_status (*part)(okra_table *table, size_t part, size_t parts, size_t before, size_t *ahead, okra_message *why);

    /* As okra_table_text(); needed if the format has `text`. */
    size_t (*text)(const okra_table *table, size_t column, char *text, size_t size);

    double (*progress)(const okra_table *table); /* NULL: as its source */
    void (*close)(okra_table *table);            /* frees what the format added; NULL: nothing */
} okra_table_class;

struct okra_table {
    const okra_table_class *class;
    const okra_format_row *format;
    okra_source source;
    size_t columns;
    char **names;     /* of the columns; NULL: none */
    bool *ignored;    /* columns that may hold anything; NULL: none */
    okra_audio audio; /* rate 0: not audio */
    char *note;       /* of okra_table_info */
    okra_missing missing;
    okra_table_info info;
};

extern const okra_table_class okra_csv_class, okra_jsonl_class, okra_npy_class, okra_raw_class, okra_audio_class;

static inline bool okra_table_ignores(const okra_table *table, size_t c) { return table->ignored && table->ignored[c]; }

/* Where part `part` of `parts` begins, of `total` things; that of part `parts` is the end. */
static inline uint64_t okra_part_begin(uint64_t total, size_t part, size_t parts)
{
    return total / parts * part + total % parts * part / parts;
}

/* Names columns first .. first + n - 1 kind1, kind2, .., or just `kind` if not numbered. `names` is already allocated.
 * False if memory runs out. */
bool okra_table_number_columns(okra_table *table, size_t first, size_t n, const char *kind, bool numbered);

/* Opens options->mic with path, as one table. */
okra_status okra_pair_open(const char *path, const okra_table_options *options, okra_table **opened, okra_message *why);

/* Fills in the okra_table_info of okra_table_get(), once all of it is known. */
void okra_table_describe(okra_table *table);

/*
 * Refuses a truncated WAV (RIFF, RIFX, RF64) or AIFF file: libsndfile reads what is left without an error. *open is
 * true if the header leaves the length open, because the program that wrote it could not seek back to its beginning, or
 * was killed before it did. Other formats are not checked. Does not move the source.
 */
okra_status okra_sound_check_length(okra_source *source, bool *open, okra_message *why);

/* Whether the last failure to open a sound was lack of memory. */
bool okra_sound_lacks_memory(void);

/* The `variant` of formats that libsndfile writes. */
enum { OKRA_AUDIO_WAV, OKRA_AUDIO_FLAC };

#endif
