/*
 * --omega: the map of an experiment that somebody else has drawn.
 */
#include "omega.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <okra/io.h>

#include "columns.h"
#include "../common/talk.h"

static int check_columns(const okra_reader *reader, size_t inputs)
{
    size_t found = okra_reader_columns(reader);
    if (found != inputs + 1)
        return talk_fail(EXIT_IO, "%s: %zu columns, but %zu input%s need omega1 to omega%zu and b: %zu columns",
                         okra_reader_path(reader), found, inputs, inputs == 1 ? "" : "s", inputs, inputs + 1);
    for (size_t c = 0; c < inputs; c++) {
        const char *name = okra_reader_column_name(reader, c);
        if (name && strcmp(name, "b") == 0)
            return talk_fail(EXIT_IO, "%s: column %zu is b, the phases: they go last", okra_reader_path(reader), c + 1);
    }
    return EXIT_DONE;
}

/* Room for `capacity` features; false, with the old ones as they were, where there is no memory. */
static bool make_room(omega *o, size_t capacity, size_t inputs)
{
    size_t largest = SIZE_MAX / sizeof(double);
    if (capacity > largest / inputs)
        return false;
    double *frequencies = realloc(o->omega, capacity * inputs * sizeof(double));
    if (!frequencies)
        return false;
    o->omega = frequencies;
    double *phases = realloc(o->phase, capacity * sizeof(double));
    if (!phases)
        return false;
    o->phase = phases;
    return true;
}

static int add_feature(omega *o, const okra_reader *reader, const double *row, size_t inputs)
{
    for (size_t c = 0; c <= inputs; c++) {
        char label[COLUMN_LABEL];
        if (isnan(row[c]))
            return talk_fail(EXIT_IO, "%s:%llu: %s has no value: every frequency and phase is needed",
                             okra_reader_path(reader), (unsigned long long)okra_reader_line(reader),
                             column_label(reader, c, label));
    }
    memcpy(o->omega + o->features * inputs, row, inputs * sizeof *row);
    o->phase[o->features++] = row[inputs];
    return EXIT_DONE;
}

static int read_features(omega *o, okra_reader *reader, double *row, size_t inputs)
{
    size_t capacity = 0;
    for (;;) {
        bool more;
        okra_message why;
        if (okra_reader_next(reader, row, &more, &why))
            return talk_fail(EXIT_IO, "%s", why.text);
        if (!more)
            break;
        if (o->features == capacity) {
            capacity = capacity > 0 ? 2 * capacity : 256;
            if (!make_room(o, capacity, inputs))
                return talk_fail(EXIT_IO, "%s: out of memory", okra_reader_path(reader));
        }
        int status = add_feature(o, reader, row, inputs);
        if (status)
            return status;
    }
    if (o->features == 0)
        return talk_fail(EXIT_IO, "%s: a header and no rows: it needs one row per feature", okra_reader_path(reader));
    return EXIT_DONE;
}

int omega_load(omega *o, const char *path, size_t inputs)
{
    *o = (omega){0};
    okra_reader *reader;
    okra_message why;
    if (okra_reader_open(path, &reader, &why))
        return talk_fail(EXIT_IO, "%s", why.text);
    int status = check_columns(reader, inputs);
    double *row = status ? NULL : calloc(inputs + 1, sizeof *row);
    if (!status)
        status = row ? read_features(o, reader, row, inputs) : talk_fail(EXIT_IO, "out of memory");
    free(row);
    okra_reader_close(reader);
    return status;
}

void omega_free(omega *o)
{
    free(o->omega);
    free(o->phase);
    *o = (omega){0};
}
