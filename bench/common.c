/* What every section needs. */
#include "bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

size_t bench_rounds(const bench *b, size_t usual)
{
    if (b->rounds)
        return b->rounds;
    return b->quick ? 3 : usual;
}

/* ---- the end ------------------------------------------------------------------------------------------------- */

void bench_stop(const char *why)
{
    fprintf(stderr, "okra: bench: %s\n", why);
    exit(1);
}

void bench_check(okra_status status) { bench_expect(status == OKRA_OK, okra_strerror(status)); }

void *bench_take(size_t count, size_t size)
{
    size_t bytes = (count * size + 63) / 64 * 64 + 64;
    void *memory = aligned_alloc(64, bytes);
    bench_expect(memory != NULL, okra_strerror(OKRA_E_MEMORY));
    return memset(memory, 0, bytes);
}

/* ---- talk ---------------------------------------------------------------------------------------------------- */

void bench_progress(const bench *b, const char *format, ...)
{
    va_list arguments;
    if (b->quiet || !isatty(STDERR_FILENO))
        return;
    fputs("\r\033[K", stderr);
    if (!format)
        return;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fflush(stderr);
}

/* ---- maps ---------------------------------------------------------------------------------------------------- */

const char *bench_map_at(size_t i)
{
    const okra_param *param;
    for (size_t p = 0; (param = okra_param_at(p)); p++)
        if (strcmp(param->name, "map") == 0)
            for (size_t k = 0; param->choices[k].name; k++)
                if (k == i)
                    return param->choices[k].name;
    return NULL;
}

bool bench_map_spec(okra_spec *spec, const char *map, size_t inputs, size_t features, int precision)
{
    bench_check(okra_spec_init(spec, "rff-klms", inputs, 1));
    spec->features = features, spec->precision = precision, spec->sigma = sqrt((double)inputs);
    return okra_spec_set(spec, "map", map, NULL) == OKRA_OK && okra_spec_check(spec, NULL) == OKRA_OK;
}
