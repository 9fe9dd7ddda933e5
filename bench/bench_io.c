/*
 * Reading and writing rows of numbers through the public API, against what anyone would write first: a line at a time
 * with getline() and strtod(), and fprintf("%.17g"). Prints nanoseconds per number and megabytes per second.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <okra/io.h>
#include <okra/okra.h>

#include "clock.h"

enum { ROWS = 40000, COLUMNS = 5, NUMBERS = ROWS * COLUMNS, ROUNDS = 15 };

typedef struct task {
    const char *path;
    const double *numbers;
    double sum; /* so that nothing is optimised away */
} task;

static void expect(bool done, const char *what)
{
    if (!done) {
        fprintf(stderr, "bench_io: %s\n", what);
        exit(1);
    }
}

/* ---- reading ------------------------------------------------------------------------------------------------- */

static void read_okra(void *context)
{
    task *t = context;
    okra_reader *reader;
    okra_message why;
    double row[COLUMNS];
    bool more = true;
    expect(!okra_reader_open(t->path, &reader, &why), why.text);
    while (!okra_reader_next(reader, row, &more, &why) && more)
        t->sum += row[0];
    expect(okra_reader_position(reader) == ROWS, "rows are missing");
    okra_reader_close(reader);
}

static void read_libc(void *context)
{
    task *t = context;
    FILE *file = fopen(t->path, "r");
    char *line = NULL;
    size_t capacity = 0;
    expect(file != NULL, "the file is gone");
    while (getline(&line, &capacity, file) > 0)
        for (char *p = line, *end; *p && *p != '\n'; p = *end == ',' ? end + 1 : end)
            t->sum += strtod(p, &end);
    free(line);
    fclose(file);
}

/* ---- writing ------------------------------------------------------------------------------------------------- */

static void write_okra(void *context)
{
    task *t = context;
    okra_writer *writer;
    okra_message why;
    okra_writer_options options = {.columns = COLUMNS};
    expect(!okra_writer_open(t->path, &options, &writer, &why), why.text);
    for (size_t i = 0; i < ROWS; i++)
        expect(!okra_writer_row(writer, t->numbers + i * COLUMNS, &why), why.text);
    expect(!okra_writer_close(writer, &why), why.text);
}

static void write_libc(void *context)
{
    task *t = context;
    FILE *file = fopen(t->path, "w");
    expect(file != NULL, "no file can be made");
    for (size_t i = 0; i < NUMBERS; i++)
        fprintf(file, "%.17g%c", t->numbers[i], i % COLUMNS == COLUMNS - 1 ? '\n' : ',');
    expect(fclose(file) == 0, "the disk is full");
}

static void format_okra(void *context)
{
    task *t = context;
    char text[OKRA_REAL_TEXT];
    for (size_t i = 0; i < NUMBERS; i++)
        t->sum += (double)okra_format_real(t->numbers[i], text);
}

static void format_libc(void *context)
{
    task *t = context;
    char text[OKRA_REAL_TEXT];
    for (size_t i = 0; i < NUMBERS; i++)
        t->sum += snprintf(text, sizeof text, "%.17g", t->numbers[i]);
}

/* ---- the table ----------------------------------------------------------------------------------------------- */

static double size_of(const char *path)
{
    FILE *file = fopen(path, "r");
    expect(file && fseek(file, 0, SEEK_END) == 0, "the file is gone");
    double size = (double)ftell(file);
    fclose(file);
    return size;
}

static void show(const char *what, contender *c, double bytes)
{
    race(c, 2, ROUNDS);
    printf("%-24s %10.1f %10.1f %10.1f %14.1f\n", what, 1e9 * c[0].best / NUMBERS, 1e9 * c[1].best / NUMBERS,
           c[1].best / c[0].best, 1e-6 * bytes / c[0].best);
}

static void compare(const char *kind, const double *numbers, const char *path)
{
    char what[64];
    task t = {.path = path, .numbers = numbers};
    printf("%s\n%-24s %10s %10s %10s %14s\n", kind, "ns per number", "okra", "libc", "ratio", "okra MB/s");
    contender writing[] = {{"okra", write_okra, &t, 0}, {"libc", write_libc, &t, 0}};
    contender formatting[] = {{"okra", format_okra, &t, 0}, {"libc", format_libc, &t, 0}};
    contender reading[] = {{"okra", read_okra, &t, 0}, {"libc", read_libc, &t, 0}};
    write_libc(&t); /* 17 digits, for both to read */
    snprintf(what, sizeof what, "read CSV, %.1f bytes", size_of(path) / NUMBERS);
    show(what, reading, size_of(path));
    write_okra(&t);
    snprintf(what, sizeof what, "write CSV, %.1f bytes", size_of(path) / NUMBERS);
    show(what, writing, size_of(path));
    show("format a number", formatting, size_of(path) - NUMBERS);
}

int main(void)
{
    static double numbers[NUMBERS], prices[NUMBERS];
    char path[] = "/tmp/okra-bench-XXXXXX";
    int fd = mkstemp(path);
    expect(fd >= 0, "no file can be made in /tmp");
    close(fd);
    okra_random random = {.seed = 1};
    okra_random_normal(&random, NUMBERS, numbers);
    for (size_t i = 0; i < NUMBERS; i++)
        prices[i] = rint(1e4 * fabs(numbers[i])) / 100;
    compare("random normal numbers", numbers, path);
    compare("numbers of two decimals", prices, path);
    return unlink(path);
}
