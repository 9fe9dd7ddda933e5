/*
 * libFuzzer on model files: any bytes must end in a model, or in a message of one line. What was loaded is saved to a
 * file that gives the same model, is exported to JSON that is imported to the same model, and goes on, whatever
 * nonsense its numbers are; what was not loaded is not exported.
 *
 * Nothing gets past the checksum by chance, so the mutator here repairs it, and the header's length, after every
 * change. Build with clang -fsanitize=fuzzer,address,undefined; tests/fuzz/corpus/model is where to start from.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <okra/model_file.h>

#include "harness.h"
#include "models.h"
#include "io/safetensors.h"

/* ---- the target ---------------------------------------------------------------------------------------------- */

/* A state that no stream leads to may lead to any other, which is then refused; but nothing worse. */
static void check_saved(const okra_filter *model)
{
    size_t size;
    unsigned char *bytes = fuzz_pack(model, &size);
    okra_filter *twin;
    okra_status status = okra_unpack(bytes, size, 0, &twin, NULL, NULL);
    fuzz_expect(status == OKRA_OK || status == OKRA_E_FORMAT);
    okra_free(twin);
    free(bytes);
}

static void check_json(const void *data, size_t size, const okra_filter *model)
{
    char *json;
    unsigned char *bytes;
    size_t back;
    fuzz_expect(okra_export(data, size, 0, &json, NULL) == OKRA_OK);
    fuzz_expect(okra_import(json, strlen(json), 0, &bytes, &back, NULL) == OKRA_OK);
    okra_filter *twin = fuzz_unpack(bytes, back);
    fuzz_expect(fuzz_same_model(model, twin));
    okra_free(twin);
    free(json);
    free(bytes);
}

static void check_not_exported(const void *data, size_t size, const okra_message *why)
{
    char *json;
    okra_message same = {""};
    fuzz_expect(okra_export(data, size, 0, &json, &same) == OKRA_E_FORMAT && !json);
    fuzz_expect(strcmp(same.text, why->text) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    okra_filter *model;
    okra_metadata *metadata;
    okra_message why = {""};
    okra_status status = okra_unpack(data, size, 0, &model, &metadata, &why);
    if (status) {
        fuzz_expect(!model && !metadata && status == OKRA_E_FORMAT);
        fuzz_message(&why);
        check_not_exported(data, size, &why);
        return 0;
    }
    check_json(data, size, model);
    fuzz_round_trip(model);
    fuzz_take_rows(model);
    check_saved(model);
    okra_free(model);
    okra_metadata_free(metadata);
    return 0;
}

/* ---- the mutator --------------------------------------------------------------------------------------------- */

static uint64_t get_length(const uint8_t *data)
{
    uint64_t length = 0;
    for (int k = 0; k < 8; k++)
        length |= (uint64_t)data[k] << 8 * k;
    return length;
}

static void put_length(uint8_t *data, uint64_t length)
{
    for (int k = 0; k < 8; k++)
        data[k] = (uint8_t)(length >> 8 * k);
}

/* Changes the header, as long as it may become, and keeps the numbers behind it. */
static size_t mutate_header(uint8_t *data, size_t size, size_t max, size_t length)
{
    size_t numbers = size - 8 - length;
    uint8_t *kept = malloc(numbers + 1);
    fuzz_expect(kept != NULL);
    memcpy(kept, data + 8 + length, numbers);
    size_t changed = LLVMFuzzerMutate(data + 8, length, max - 8 - numbers);
    memcpy(data + 8 + changed, kept, numbers);
    put_length(data, changed);
    free(kept);
    return 8 + changed + numbers;
}

/* Turns one digit of the header into another: the likeliest way to a header that is valid and wrong. */
static void mutate_digit(uint8_t *data, size_t length, unsigned seed)
{
    for (size_t i = 0; i < length; i++) {
        uint8_t *at = data + 8 + (i + seed) % length;
        if (*at >= '0' && *at <= '9') {
            *at = (uint8_t)('0' + seed / 7 % 10);
            return;
        }
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    uint64_t length = size >= 8 ? get_length(data) : 0;
    bool whole = size > 8 && length > 0 && length <= size - 8 && max > size + 8;
    if (whole && seed % 4 == 0)
        size = mutate_header(data, size, max, (size_t)length);
    else if (whole && seed % 4 == 1)
        mutate_digit(data, (size_t)length, seed / 4);
    else if (whole && seed % 4 == 2 && size - 8 - length > 0)
        LLVMFuzzerMutate(data + 8 + length, size - 8 - (size_t)length, size - 8 - (size_t)length);
    else
        size = LLVMFuzzerMutate(data, size, max);
    okra_safetensors_sign(data, size);
    return size;
}
