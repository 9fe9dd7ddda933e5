/*
 * libFuzzer on compressed tables: whatever comes behind the first bytes of a gzip file, rows come until the end or a
 * refusal, and the refusal stays.
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

/* Deflate makes at most 1032 bytes of one, and a row has one at least. */
enum { LARGEST = 4096, RATIO = 1032 };

static void read_rows(okra_table *table, size_t size)
{
    okra_message why = {{0}};
    double *row = calloc(okra_table_get(table)->columns, sizeof *row);
    okra_status status = OKRA_OK;
    bool more = true;
    fuzz_expect(row);
    while (more && status != OKRA_E_READ) {
        status = okra_table_next(table, row, &more, &why);
        fuzz_expect(status == OKRA_OK || status == OKRA_E_FORMAT || status == OKRA_E_READ);
        if (status)
            fuzz_message(&why);
        double progress = okra_table_progress(table);
        fuzz_expect(progress >= 0 && progress <= 1);
        fuzz_expect(okra_table_get(table)->rows <= RATIO * size);
    }
    fuzz_expect(okra_table_next(table, row, &more, &why) == status && (status || !more));
    free(row);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = {"csv", "jsonl", "npy", "f64"};
    uint8_t file[LARGEST] = {0x1f, 0x8b, 8};
    okra_table *table;
    okra_message why = {{0}};
    if (size < 1 || size > LARGEST - 3)
        return 0;
    memcpy(file + 3, data + 1, size - 1);
    okra_table_options options = {.format = formats[data[0] % 4]};
    if (okra_table_open(fuzz_file(file, size + 2), &options, &table, &why)) {
        fuzz_message(&why);
        return 0;
    }
    read_rows(table, size + 2);
    okra_table_close(table);
    return 0;
}
