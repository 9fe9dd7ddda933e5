/* libFuzzer on the text reader, with every choice of format and header. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = {NULL, "csv", "tsv"};
    okra_table_options options = {.format = formats[size % 3], .header = (okra_header)(size / 3 % 3)};
    fuzz_rows(fuzz_file(data, size), &options, size);
    return 0;
}
