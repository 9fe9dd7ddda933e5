/*
 * libFuzzer on the CSV reader: any bytes must end in rows of finite numbers and NaN, or in messages of one
 * line, with nothing read twice and nothing out of bounds. Build with clang
 * -fsanitize=fuzzer,address,undefined.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <okra/io.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool truth)
{
    if (!truth)
        abort();
}

static void check_message(const okra_message *why)
{
    size_t length = strnlen(why->text, sizeof why->text);
    expect(length > 0 && length < sizeof why->text && !memchr(why->text, '\n', length));
}

static void check_row(const okra_reader *reader, const double *row)
{
    for (size_t c = 0; c < okra_reader_columns(reader); c++)
        expect(!isinf(row[c]));
}

/* Every record takes a byte at least, so `size` bounds the rows. */
static void read_all(okra_reader *reader, size_t size)
{
    double *row = calloc(okra_reader_columns(reader), sizeof *row);
    uint64_t line = 0;
    bool more = true;
    for (size_t rows = 0; row && more; rows++) {
        okra_message why = {{0}};
        okra_status status = okra_reader_next(reader, row, &more, &why);
        expect(rows <= size && (status == OKRA_OK || status == OKRA_E_FORMAT));
        if (status)
            check_message(&why);
        else if (more)
            check_row(reader, row);
        expect(!more || okra_reader_line(reader) > line);
        line = okra_reader_line(reader);
        double progress = okra_reader_progress(reader);
        expect(progress >= 0 && progress <= 1);
    }
    free(row);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    char path[32];
    okra_reader *reader;
    okra_message why = {{0}};
    if (fd < 0)
        fd = memfd_create("fuzz", 0);
    expect(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    snprintf(path, sizeof path, "/dev/fd/%d", fd); /* opened anew each time, from the beginning */
    if (okra_reader_open(path, &reader, &why))
        check_message(&why);
    else
        read_all(reader, size);
    if (reader)
        okra_reader_close(reader);
    return 0;
}
