/* libFuzzer on audio: WAV, FLAC and whatever else libsndfile takes the bytes for. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MAX_FRAMES = 1 << 16 }; /* that FLAC makes of a byte */
    okra_table_options options = {.format = "wav"};
    if (size > 0)
        fuzz_rows(fuzz_file(data, size), &options, size * MAX_FRAMES);
    return 0;
}
