/* Tables of text for tests of the reader: written to one file, opened, and compared row by row. */
#ifndef OKRA_TESTS_TABLES_H
#define OKRA_TESTS_TABLES_H

#include "files.h"
#include "rows.h"

#include <okra/io.h>

/* The file that the text is written to. */
extern const char table_path[];

okra_status open_bytes(const char *bytes, size_t length, okra_table **reader, okra_message *why);

/* These must open. */
okra_table *open_text(const char *text);
okra_table *open_as(const char *text, okra_table_options options);

/* The next row must be refused, and the message have these parts: "table_path:LINE:" first. */
void expect_refusal(okra_table *reader, int line, const char *part, const char *other);

#endif
