#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void fuzz_fail(const char *file, int line, const char *text)
{
    dprintf(STDERR_FILENO, "%s:%d: not so: %s\n", file, line, text); /* a fuzzer may have taken stderr */
    abort();
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static int fd = -1;
    static char path[32];
    if (fd < 0)
        fd = memfd_create("fuzz", 0);
    fuzz_expect(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    snprintf(path, sizeof path, "/dev/fd/%d", fd); /* opened again each time, from the beginning */
    return path;
}

void fuzz_message(const okra_message *why)
{
    size_t length = strnlen(why->text, sizeof why->text);
    fuzz_expect(length > 0 && length < sizeof why->text && !memchr(why->text, '\n', length));
}

static okra_table *open_file(const char *path, const okra_table_options *options)
{
    okra_table *reader;
    okra_message why = {{0}};
    okra_status status = okra_table_open(path, options, &reader, &why);
    fuzz_expect(!status == (reader != NULL));
    if (status)
        fuzz_message(&why);
    return reader;
}

/* One row or refusal; false at the end. */
static bool next(okra_table *reader, double *row, okra_status *status)
{
    okra_message why = {{0}};
    uint64_t position = okra_table_get(reader)->rows;
    bool more;
    *status = okra_table_next(reader, row, &more, &why);
    fuzz_expect(*status == OKRA_OK || *status == OKRA_E_FORMAT);
    if (*status)
        fuzz_message(&why);
    fuzz_expect(okra_table_get(reader)->rows == position + (*status || more));
    for (size_t c = 0; !*status && more && c < okra_table_get(reader)->columns; c++)
        fuzz_expect(!isinf(row[c]));
    return *status || more;
}

/* Every row takes a byte at least, so `size` bounds them. */
static uint64_t read_all(okra_table *reader, size_t size, double *row)
{
    uint64_t line = 0;
    okra_status status;
    while (next(reader, row, &status)) {
        double progress = okra_table_progress(reader);
        fuzz_expect(progress >= 0 && progress <= 1);
        fuzz_expect(okra_table_get(reader)->rows <= size && okra_table_get(reader)->line > line);
        line = okra_table_get(reader)->line;
    }
    return okra_table_get(reader)->rows;
}

/* Two readers, of which one reads `rows` rows and the other skips them, go on alike. */
static void compare(okra_table *a, okra_table *b, uint64_t rows, double *row_a, double *row_b)
{
    okra_status status_a, status_b;
    okra_message why = {{0}};
    for (uint64_t i = 0; i < rows; i++)
        fuzz_expect(next(a, row_a, &status_a));
    fuzz_expect(!okra_table_skip(b, rows, &why));
    bool more = next(a, row_a, &status_a);
    fuzz_expect(next(b, row_b, &status_b) == more && status_a == status_b);
    if (more && !status_a)
        fuzz_expect(memcmp(row_a, row_b, okra_table_get(a)->columns * sizeof *row_a) == 0);
    fuzz_expect(okra_table_get(a)->line == okra_table_get(b)->line);
}

void fuzz_rows(const char *path, const okra_table_options *options, size_t size)
{
    okra_table *reader = open_file(path, options);
    if (!reader)
        return;
    size_t columns = okra_table_get(reader)->columns;
    double *row = calloc(columns, sizeof *row), *other = calloc(columns, sizeof *other);
    fuzz_expect(row && other);
    uint64_t rows = read_all(reader, size, row);
    okra_table *a = open_file(path, options), *b = open_file(path, options);
    fuzz_expect(a && b);
    compare(a, b, rows / 2, row, other);
    okra_table_close(a);
    okra_table_close(b);
    okra_table_close(reader);
    free(row);
    free(other);
}
