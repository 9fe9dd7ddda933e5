/*
 * okra-bench: speed on this machine. A section is one file that races runners (race.h) and reports rows (report.h);
 * main.c has the table of them.
 */
#ifndef OKRA_BENCH_H
#define OKRA_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include <okra/okra.h>

#include "report.h"

/* What the command line asked for, and where the results go. */
typedef struct bench {
    size_t rounds; /* 0: as many as the section thinks right */
    bool quick;    /* in seconds: few rounds, few runs, small sizes */
    bool quiet;
    const char *directory; /* for pictures */
    report report;
} bench;

/* Rounds of a race that by itself would have `usual` of them. */
size_t bench_rounds(const bench *b, size_t usual);

/* `count` zeroed elements, aligned for vectors, to be freed; ends the program if there is no memory. */
void *bench_take(size_t count, size_t size);

/* Ends the program with an error unless the status is good. */
void bench_check(okra_status status);

/* The same with a reason of our own. */
_Noreturn void bench_stop(const char *why);
static inline void bench_expect(bool good, const char *otherwise)
{
    if (!good)
        bench_stop(otherwise);
}

/* A line on standard error that overwrites itself, if that is a terminal and not --quiet; NULL clears it. */
void bench_progress(const bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The names that the `map` parameter takes: i = 0, 1, .. until NULL. */
const char *bench_map_at(size_t i);

/* A recipe on a map by name, width sqrt(d) so that features vary as they do in use; false if the library refuses. */
bool bench_map_spec(okra_spec *spec, const char *map, size_t inputs, size_t features, int precision);

#endif
