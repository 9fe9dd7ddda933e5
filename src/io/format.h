/*
 * The registry of formats, inside libokra-io: a format is a row of formats[] in format.c, which says everything that
 * the doors (table.c, writer.c), the programs and the bindings know about it.
 */
#ifndef OKRA_IO_FORMAT_H
#define OKRA_IO_FORMAT_H

#include "source.h"

struct okra_table_class;
struct okra_writer_class;

enum { OKRA_MAGICS = 2, OKRA_FORMAT_LIST = 256 };

typedef struct okra_format_row {
    okra_format format;                     /* what everybody may know; first, so that its address is the row's */
    const char *magic[OKRA_MAGICS];         /* what its files begin with: any of these; NULL: nothing */
    const struct okra_table_class *reader;  /* NULL: it cannot be read */
    const struct okra_writer_class *writer; /* NULL: it cannot be written */
    int variant;                            /* tells rows of one class apart: a separator, the bytes of a number */
} okra_format_row;

/* The row that options name; NULL where there is none. */
const okra_format_row *okra_format_named(const char *name);

/* The row that the ending of a file's name stands for; NULL where it stands for none. */
const okra_format_row *okra_format_by_suffix(const char *path);

/* What is taken for rows where nothing tells otherwise. */
const okra_format_row *okra_format_default(void);

/* Finds the format of an input by its name where that says what no content can, then by its first bytes, then by its
 * name. OKRA_E_FORMAT for what is known to be something else. */
okra_status okra_format_guess(okra_source *source, const char *path, const okra_format_row **found, okra_message *why);

/* Why a format can neither be read nor written, and what to do. */
const char *okra_format_lack(const okra_format_row *row);

/* The names of the formats that can what `wanted` can, for messages: "csv, tsv". */
const char *okra_format_names(okra_format wanted, char list[OKRA_FORMAT_LIST]);

#endif
