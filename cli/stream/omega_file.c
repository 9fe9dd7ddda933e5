/*
 * --omega: features drawn elsewhere.
 */
#include "omega_file.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <okra/io.h>

#include "columns.h"
#include "../common/message.h"

static int check_columns(const okra_table *table, size_t inputs)
{
    size_t found = okra_table_get(table)->columns;
    if (found != inputs + 1)
        return message_fail(EXIT_IO, "%s: %zu columns, but %zu input%s need omega1 to omega%zu and b: %zu columns",
                            okra_table_get(table)->path, found, inputs, inputs == 1 ? "" : "s", inputs, inputs + 1);
    for (size_t c = 0; c < inputs; c++) {
        const char *name = okra_table_column_name(table, c);
        if (name && strcmp(name, "b") == 0)
            return message_fail(EXIT_IO, "%s: column %zu is b, the phases: they go last", okra_table_get(table)->path,
                                c + 1);
    }
    return EXIT_DONE;
}

/* Reserves space for `capacity` features; false, with the old ones unchanged, if there is no memory. */
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

static int add_feature(omega *o, const okra_table *table, const double *row, size_t inputs)
{
    for (size_t c = 0; c <= inputs; c++) {
        char label[COLUMN_LABEL];
        if (isnan(row[c]))
            return message_fail(EXIT_IO, "%s:%llu: %s has no value: every frequency and phase is needed",
                                okra_table_get(table)->path, (unsigned long long)okra_table_get(table)->line,
                                column_label(table, c, label));
    }
    memcpy(o->omega + o->features * inputs, row, inputs * sizeof *row);
    o->phase[o->features++] = row[inputs];
    return EXIT_DONE;
}

static int read_features(omega *o, okra_table *table, double *row, size_t inputs)
{
    size_t capacity = 0;
    for (;;) {
        bool more;
        okra_message why;
        if (okra_table_next(table, row, &more, &why))
            return message_fail(EXIT_IO, "%s", why.text);
        if (!more)
            break;
        if (o->features == capacity) {
            capacity = capacity > 0 ? 2 * capacity : 256;
            if (!make_room(o, capacity, inputs))
                return message_fail(EXIT_IO, "%s: out of memory", okra_table_get(table)->path);
        }
        int status = add_feature(o, table, row, inputs);
        if (status)
            return status;
    }
    if (o->features == 0)
        return message_fail(EXIT_IO, "%s: a header and no rows: it needs one row per feature",
                            okra_table_get(table)->path);
    return EXIT_DONE;
}

int omega_load(omega *o, const char *path, size_t inputs)
{
    *o = (omega){0};
    okra_table *table;
    okra_message why;
    if (okra_table_open(path, NULL, &table, &why))
        return message_fail(EXIT_IO, "%s", why.text);
    int status = check_columns(table, inputs);
    double *row = status ? NULL : calloc(inputs + 1, sizeof *row);
    if (!status)
        status = row ? read_features(o, table, row, inputs) : message_fail(EXIT_IO, "out of memory");
    free(row);
    okra_table_close(table);
    return status;
}

void omega_free(omega *o)
{
    free(o->omega);
    free(o->phase);
    *o = (omega){0};
}
