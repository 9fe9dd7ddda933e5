/*
 * libFuzzer on models as JSON, as `okra import` reads them: any text must end in a model file, or in a message of one
 * line. What was imported loads, exports to JSON that imports to the same bytes, and goes on.
 *
 * Most changes to a JSON text only break its syntax, so the mutator here prefers to put one value in place of another.
 */
#include <stdlib.h>
#include <string.h>

#include <okra/model_file.h>

#include "harness.h"
#include "models.h"
#include "tokens.h"

/* ---- the target ---------------------------------------------------------------------------------------------- */

static void check_export(const unsigned char *bytes, size_t size)
{
    char *json;
    unsigned char *back;
    size_t back_size;
    fuzz_expect(!okra_export(bytes, size, 0, &json, NULL));
    fuzz_expect(!okra_import(json, strlen(json), 0, &back, &back_size, NULL));
    fuzz_expect(size == back_size && memcmp(bytes, back, size) == 0);
    free(json);
    free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *bytes;
    size_t length;
    okra_message why = {""};
    okra_status status = okra_import((const char *)data, size, 0, &bytes, &length, &why);
    if (status) {
        fuzz_expect(!bytes && status == OKRA_E_FORMAT);
        fuzz_message(&why);
        return 0;
    }
    okra_filter *model = fuzz_unpack(bytes, length);
    check_export(bytes, length);
    fuzz_take_rows(model);
    okra_free(model);
    free(bytes);
    return 0;
}

/* ---- the mutator --------------------------------------------------------------------------------------------- */

static size_t mutate_token(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    size_t begin, end;
    uint8_t token[64];
    if (!tokens_find(data, size, seed % (size + 1), &begin, &end) || end - begin >= sizeof token / 2 ||
        size + sizeof token > max)
        return size;
    memcpy(token, data + begin, end - begin);
    size_t length = LLVMFuzzerMutate(token, end - begin, sizeof token);
    return tokens_splice(data, size, begin, end, token, length);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    if (seed % 8 < 4)
        return tokens_replace(data, size, max, seed / 8);
    if (seed % 8 < 6)
        return mutate_token(data, size, max, seed / 8);
    return LLVMFuzzerMutate(data, size, max);
}
