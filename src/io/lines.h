/*
 * Lines in the midst of a file, inside libokra-io. The source's own place in the file is left alone.
 */
#ifndef OKRA_IO_LINES_H
#define OKRA_IO_LINES_H

#include "record.h"

/* The beginning of the first line that begins at byte `at` > 0 or later; the size of the file where there is none. */
okra_status okra_lines_find(const okra_source *source, int64_t at, int64_t *line, okra_message *why);

/*
 * Goes back from the beginning of a line, *line, over `wanted` rows: lines that are no comments, nor blank unless
 * scan.blank_too. *ahead is how many there are; `first` is where the first line of all begins.
 */
okra_status okra_lines_back(const okra_source *source, const okra_scan *scan, int64_t first, size_t wanted,
                            int64_t *line, size_t *ahead, okra_message *why);

/* What to say where the system refuses: errno tells. */
okra_status okra_lines_refuse(const okra_source *source, okra_message *why);

#endif
