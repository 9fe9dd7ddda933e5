#include "probe.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

#if defined(__x86_64__)
#define FOR_AVX2 __attribute__((target("avx2,fma")))
bool probe_has_avx2(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#else
#define FOR_AVX2
bool probe_has_avx2(void) { return false; }
#endif

/* ---- the clock ----------------------------------------------------------------------------------------------- */

enum { LINKS = 4096, CYCLES_PER_LINK = 4, CHAINS = 5 };

/* What the compiler cannot know, it can neither compute beforehand nor move past the clock. */
static volatile double chain_end = 1;

FOR_AVX2 static void chain(void)
{
    double x = chain_end;
    for (int i = 0; i < LINKS; i++)
        x = __builtin_fma(x, 0.999, 0.001);
    chain_end = x;
}

static double seconds_of_chain(void)
{
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    chain();
    clock_gettime(CLOCK_MONOTONIC, &after);
    return (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
}

/* The shortest of a few: an interrupt makes a chain longer, nothing makes it shorter. */
double probe_cycle(void)
{
    double best = INFINITY;
    for (int i = 0; i < CHAINS && probe_has_avx2(); i++)
        best = fmin(best, seconds_of_chain());
    return isfinite(best) ? best / LINKS / CYCLES_PER_LINK : NAN;
}

/* ---- memory -------------------------------------------------------------------------------------------------- */

typedef uint32_t v8 __attribute__((vector_size(32)));

enum { UNROLL = 8, BYTES_PER_CALL = 8 << 20 };

reading reading_make(size_t bytes)
{
    size_t whole = (bytes + UNROLL * sizeof(v8) - 1) / (UNROLL * sizeof(v8)) * UNROLL * sizeof(v8);
    size_t passes = BYTES_PER_CALL / whole;
    return (reading){.buffer = bench_take(whole, 1), .bytes = whole, .passes = passes ? passes : 1};
}

void reading_free(reading *r) { free(r->buffer); }

double reading_bytes(const reading *r) { return (double)r->bytes * (double)r->passes; }

/* Loads only: an exclusive or is cheaper than they are. */
FOR_AVX2 void reading_work(void *context)
{
    reading *r = context;
    v8 sum[UNROLL] = {{0}};
    for (size_t pass = 0; pass < r->passes; pass++) {
        const v8 *p = r->buffer, *end = p + r->bytes / sizeof *p;
        for (; p < end; p += UNROLL)
            for (int k = 0; k < UNROLL; k++)
                sum[k] ^= p[k];
        __asm__ volatile("" ::: "memory"); /* every pass reads again */
    }
    for (int k = 0; k < UNROLL; k++)
        r->sum += sum[k][0];
}

/* ---- names --------------------------------------------------------------------------------------------------- */

void probe_cpu(char *name, size_t size)
{
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(name, size, "unknown CPU");
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(name, size, "%s", colon + 2);
        break;
    }
    if (file)
        (void)fclose(file);
}
