/*
 * The registry of formats, inside libokra-io. A format is a row of formats[] in format.c, which holds everything that
 * table.c, writer.c, the programs and the bindings know about it.
 */
#ifndef OKRA_IO_FORMAT_H
#define OKRA_IO_FORMAT_H

#include "source.h"

struct okra_table_class;
struct okra_writer_class;

enum { OKRA_MAGICS = 2, OKRA_FORMAT_LIST = 256 };

typedef struct okra_format_row {
    okra_format format;                     /* the public part; first, so that its address is the row's */
    const char *magic[OKRA_MAGICS];         /* its files begin with any of these; NULL: no mark */
    const struct okra_table_class *reader;  /* NULL: it cannot be read */
    const struct okra_writer_class *writer; /* NULL: it cannot be written */
    int variant;                            /* tells rows of one class apart: a separator, the bytes of a number */
} okra_format_row;

/* The row of that name; NULL if there is none. */
const okra_format_row *okra_format_named(const char *name);

/* The row that belongs to the ending of a file's name; NULL if none does. */
const okra_format_row *okra_format_by_suffix(const char *path);

/* The format if nothing else decides. */
const okra_format_row *okra_format_default(void);

/* Finds the format of an input: by its name if the format has no mark (raw numbers), then by its first bytes, then by
 * its name. OKRA_E_FORMAT for known formats that are not tables. */
okra_status okra_format_guess(okra_source *source, const char *path, const okra_format_row **found, okra_message *why);

/* Why a format cannot be read or written, and what to do. */
const char *okra_format_lack(const okra_format_row *row);

/* The names of the formats that have all capabilities of `wanted`, for messages: "csv, tsv". */
const char *okra_format_names(okra_format wanted, char list[OKRA_FORMAT_LIST]);

#endif
