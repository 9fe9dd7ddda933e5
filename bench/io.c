/*
 * Section io: reading and writing rows of numbers through the public API, against what anyone would write first: a line
 * at a time with getline() and strtod(), and fprintf("%.17g").
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <okra/io.h>

#include "bench.h"
#include "race.h"
#include "sections.h"

enum { ROWS = 40000, COLUMNS = 5, NUMBERS = ROWS * COLUMNS };

typedef struct task {
    const char *path;
    const double *numbers;
    double sum; /* so that nothing is optimised away */
} task;

/* ---- reading ------------------------------------------------------------------------------------------------- */

static void read_okra(void *context)
{
    task *t = context;
    okra_table *table;
    okra_message why;
    double row[COLUMNS];
    bool more = true;
    bench_expect(!okra_table_open(t->path, NULL, &table, &why), why.text);
    while (!okra_table_next(table, row, &more, &why) && more)
        t->sum += row[0];
    bench_expect(okra_table_get(table)->rows == ROWS, "rows are missing");
    okra_table_close(table);
}

static void read_libc(void *context)
{
    task *t = context;
    FILE *file = fopen(t->path, "r");
    char *line = NULL;
    size_t capacity = 0;
    bench_expect(file != NULL, "the file is gone");
    while (getline(&line, &capacity, file) > 0)
        for (char *p = line, *end; *p && *p != '\n'; p = *end == ',' ? end + 1 : end)
            t->sum += strtod(p, &end);
    free(line);
    (void)fclose(file);
}

/* ---- writing ------------------------------------------------------------------------------------------------- */

static void write_okra(void *context)
{
    task *t = context;
    okra_writer *writer;
    okra_message why;
    okra_writer_options options = {.columns = COLUMNS};
    bench_expect(!okra_writer_open(t->path, &options, &writer, &why), why.text);
    for (size_t i = 0; i < ROWS; i++)
        bench_expect(!okra_writer_row(writer, t->numbers + i * COLUMNS, NULL, &why), why.text);
    bench_expect(!okra_writer_close(writer, &why), why.text);
}

static void write_libc(void *context)
{
    task *t = context;
    FILE *file = fopen(t->path, "w");
    bench_expect(file != NULL, "no file can be made");
    for (size_t i = 0; i < NUMBERS; i++)
        fprintf(file, "%.17g%c", t->numbers[i], i % COLUMNS == COLUMNS - 1 ? '\n' : ',');
    bench_expect(fclose(file) == 0, "the disk is full");
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
    bench_expect(file && fseek(file, 0, SEEK_END) == 0, "the file is gone");
    double size = (double)ftell(file);
    (void)fclose(file);
    return size;
}

static void race_pair(bench *b, const char *what, const char *kind, task *t, void (*ours)(void *),
                      void (*theirs)(void *))
{
    double bytes = size_of(t->path);
    runner c[] = {{.work = ours, .context = t, .samples = NUMBERS}, {.work = theirs, .context = t, .samples = NUMBERS}};
    race r = race_run(c, 2, bench_rounds(b, 15));
    report_text(&b->report, "what", 16, what);
    report_text(&b->report, "numbers", 16, kind);
    report_real(&b->report, "bytes", bytes / NUMBERS);
    report_real(&b->report, "ns", race_best(&r, 0));
    report_real(&b->report, "mb_per_s", 1e3 * bytes / NUMBERS / race_best(&r, 0));
    report_spread(&b->report, "libc", race_ratio(&r, 1, 0));
    report_row(&b->report);
    race_free(&r);
}

static void compare(bench *b, const char *kind, const double *numbers, const char *path)
{
    task t = {.path = path, .numbers = numbers};
    write_libc(&t); /* 17 digits, for both to read */
    race_pair(b, "read CSV", kind, &t, read_okra, read_libc);
    write_okra(&t);
    race_pair(b, "write CSV", kind, &t, write_okra, write_libc);
    write_okra(&t);
    race_pair(b, "format a number", kind, &t, format_okra, format_libc);
}

void io_section(bench *b)
{
    static double numbers[NUMBERS], prices[NUMBERS];
    char path[] = "/tmp/okra-bench-XXXXXX";
    int fd = mkstemp(path);
    bench_expect(fd >= 0, "no file can be made in /tmp");
    close(fd);
    okra_random random = {.seed = 1};
    okra_random_normal(&random, NUMBERS, numbers);
    for (size_t i = 0; i < NUMBERS; i++)
        prices[i] = rint(1e4 * fabs(numbers[i])) / 100;
    report_table(&b->report, NULL,
                 "io: a number of a CSV file. libc: the time of getline, strtod and fprintf over ours.");
    compare(b, "random normal", numbers, path);
    compare(b, "two decimals", prices, path);
    unlink(path);
}
