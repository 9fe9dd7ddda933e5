/*
 * Samples for nodes. Signals are generated a block at a time, because a node needs one sample at a time, and signals
 * are faster in blocks.
 */
#include "node_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <okra/io.h>

#include "../common/message.h"

enum { BLOCK = 32 };

struct node_data {
    const network_plan *plan;
    size_t first, count, inputs;
    okra_signal **signals; /* [count], or NULL .. */
    double *X, *y;         /* .. [count][BLOCK][inputs] and [count][BLOCK], of which `at` have been given */
    size_t at;
    okra_table **tables; /* [count] */
    double *row;
};

/* ---- files -------------------------------------------------------------------------------------------------- */

/* The pattern with the node's number in place of %d. */
static void file_name(const network_plan *plan, size_t node, char *name, size_t size)
{
    const char *place = strstr(plan->files, "%d");
    snprintf(name, size, "%.*s%zu%s", (int)(place - plan->files), plan->files, node, place + 2);
}

static int open_file(const network_plan *plan, size_t node, okra_table **table)
{
    char name[4096];
    okra_message why;
    file_name(plan, node, name, sizeof name);
    if (okra_table_open(name, NULL, table, &why))
        return message_fail(EXIT_IO, "node %zu: %s", node, why.text);
    return EXIT_DONE;
}

int node_data_inputs(const network_plan *plan, size_t *inputs)
{
    okra_table *table = NULL;
    if (!strstr(plan->files, "%d"))
        return message_fail(EXIT_USAGE, "--in: '%s' has no %%d for the number of the node", plan->files);
    int status = open_file(plan, 0, &table);
    if (status)
        return status;
    size_t columns = okra_table_get(table)->columns;
    okra_table_close(table);
    if (columns < 2)
        return message_fail(EXIT_IO, "--in: the files have one column: they need inputs, and the target in the last");
    *inputs = columns - 1;
    return EXIT_DONE;
}

/* A file with too few rows is reported before learning starts. */
static int check_file(node_data *data, size_t i)
{
    okra_message why;
    size_t node = data->first + i, columns = okra_table_get(data->tables[i])->columns;
    if (columns != data->inputs + 1)
        return message_fail(EXIT_IO, "node %zu: %s: has %zu columns, but others have %zu", node,
                            okra_table_get(data->tables[i])->path, columns, data->inputs + 1);
    if (okra_table_skip(data->tables[i], data->plan->samples, &why))
        return message_fail(EXIT_IO, "node %zu: %s: fewer than %zu rows: complete it, or lower --samples", node,
                            okra_table_get(data->tables[i])->path, data->plan->samples);
    okra_table_close(data->tables[i]);
    data->tables[i] = NULL;
    return open_file(data->plan, node, &data->tables[i]);
}

static int open_files(node_data *data)
{
    int status = EXIT_DONE;
    data->tables = calloc(data->count, sizeof(okra_table *));
    data->row = calloc(data->inputs + 1, sizeof *data->row);
    if (!data->tables || !data->row)
        return message_fail(EXIT_IO, "out of memory");
    for (size_t i = 0; i < data->count && !status; i++) {
        status = open_file(data->plan, data->first + i, &data->tables[i]);
        if (!status)
            status = check_file(data, i);
    }
    return status;
}

static int read_file(node_data *data, size_t i, double *x, double *y)
{
    okra_table *table = data->tables[i];
    okra_message why;
    bool more = true;
    if (okra_table_next(table, data->row, &more, &why))
        return message_fail(EXIT_IO, "node %zu: %s", data->first + i, why.text);
    if (!more)
        return message_fail(EXIT_IO, "node %zu: %s: became shorter while it was read", data->first + i,
                            okra_table_get(table)->path);
    for (size_t c = 0; c <= data->inputs; c++)
        if (isnan(data->row[c]))
            return message_fail(EXIT_IO, "node %zu: %s:%llu: column %zu is missing: networks need every value",
                                data->first + i, okra_table_get(table)->path,
                                (unsigned long long)okra_table_get(table)->line, c + 1);
    memcpy(x, data->row, data->inputs * sizeof *x);
    *y = data->row[data->inputs];
    return EXIT_DONE;
}

/* ---- signals ------------------------------------------------------------------------------------------------ */

static int open_signals(node_data *data, uint32_t run)
{
    okra_signal_spec spec = data->plan->signal;
    okra_status status = OKRA_OK;
    spec.run = run;
    data->at = BLOCK;
    data->signals = calloc(data->count, sizeof(okra_signal *));
    data->X = calloc(data->count, BLOCK * data->inputs * sizeof *data->X);
    data->y = calloc(data->count, BLOCK * sizeof *data->y);
    if (!data->signals || !data->X || !data->y)
        return message_fail(EXIT_IO, "out of memory");
    for (size_t i = 0; i < data->count && !status; i++) {
        spec.branch = (uint32_t)(data->first + i);
        status = okra_signal_create(&spec, &data->signals[i]);
    }
    return status ? message_fail(EXIT_IO, "%s: %s", spec.kind->name, okra_strerror(status)) : EXIT_DONE;
}

static void generate(node_data *data)
{
    for (size_t i = 0; i < data->count; i++)
        okra_signal_next(data->signals[i], BLOCK, data->X + i * BLOCK * data->inputs, data->y + i * BLOCK);
    data->at = 0;
}

/* ---- the front door ----------------------------------------------------------------------------------------- */

int node_data_open(node_data **data, const network_plan *plan, uint32_t run, size_t first, size_t count)
{
    node_data *made = *data = calloc(1, sizeof *made);
    if (!made)
        return message_fail(EXIT_IO, "out of memory");
    *made = (node_data){.plan = plan, .first = first, .count = count, .inputs = plan->diffusion.filter.inputs};
    return plan->files ? open_files(made) : open_signals(made, run);
}

void node_data_close(node_data *data)
{
    if (!data)
        return;
    for (size_t i = 0; i < data->count; i++) {
        if (data->signals)
            okra_signal_free(data->signals[i]);
        if (data->tables)
            okra_table_close(data->tables[i]);
    }
    free(data->signals), free(data->tables), free(data->X), free(data->y), free(data->row);
    free(data);
}

int node_data_next(node_data *data, double *X, double *y)
{
    int status = EXIT_DONE;
    if (data->tables) {
        for (size_t i = 0; i < data->count && !status; i++)
            status = read_file(data, i, X + i * data->inputs, y + i);
        return status;
    }
    if (data->at == BLOCK)
        generate(data);
    for (size_t i = 0; i < data->count; i++) {
        memcpy(X + i * data->inputs, data->X + (i * BLOCK + data->at) * data->inputs, data->inputs * sizeof *X);
        y[i] = data->y[i * BLOCK + data->at];
    }
    data->at++;
    return EXIT_DONE;
}

int node_data_skip(node_data *data, uint64_t samples)
{
    okra_message why;
    for (size_t i = 0; i < data->count && data->tables; i++)
        if (okra_table_skip(data->tables[i], samples, &why))
            return message_fail(EXIT_IO, "node %zu: %s", data->first + i, why.text);
    for (; samples > 0 && data->signals; samples--) {
        if (data->at == BLOCK)
            generate(data);
        data->at++;
    }
    return EXIT_DONE;
}
