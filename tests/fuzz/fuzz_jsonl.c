/* libFuzzer on the reader of JSON lines. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    okra_table_options options = {.format = "jsonl"};
    fuzz_rows(fuzz_file(data, size), &options, size);
    return 0;
}
