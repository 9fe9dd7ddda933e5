/* libFuzzer on the readers of bytes: the same as an NPY file and as raw numbers. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    okra_table_options options = {.format = "npy"};
    const char *path = fuzz_file(data, size);
    fuzz_rows(path, &options, size);
    options.format = size & 1 ? "f64" : "f32";
    options.columns = size / 2 % 4;
    if (size > 0) /* an empty file has no size to tell progress from */
        fuzz_rows(path, &options, size);
    return 0;
}
