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

/* ---- the target ---------------------------------------------------------------------------------------------- */

static void check_export(const unsigned char *bytes, size_t size)
{
    char *json;
    unsigned char *back;
    size_t back_size;
    fuzz_expect(!okra_model_export(bytes, size, &json, NULL));
    fuzz_expect(!okra_model_import(json, strlen(json), &back, &back_size, NULL));
    fuzz_expect(size == back_size && memcmp(bytes, back, size) == 0);
    free(json);
    free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *bytes;
    size_t length;
    okra_message why = {""};
    okra_status status = okra_model_import((const char *)data, size, &bytes, &length, &why);
    if (status) {
        fuzz_expect(!bytes && status == OKRA_E_FORMAT);
        fuzz_message(&why);
        return 0;
    }
    okra_model *model = fuzz_unpack(bytes, length);
    check_export(bytes, length);
    fuzz_take_rows(model);
    okra_model_free(model);
    free(bytes);
    return 0;
}

/* ---- the mutator --------------------------------------------------------------------------------------------- */

/* Where the value or key that begins at or after `from` begins and ends; false where there is none. */
static bool find_token(const uint8_t *data, size_t size, size_t from, size_t *begin, size_t *end)
{
    static const char letters[] = "0123456789+-.eE";
    while (from < size && data[from] != '"' && !(data[from] && strchr(letters, data[from])))
        from++;
    if (from == size)
        return false;
    *begin = *end = from;
    if (data[from] == '"') {
        for (++*end; *end < size && data[*end] != '"'; ++*end)
            ;
        *end += *end < size;
    } else {
        while (*end < size && data[*end] && strchr(letters, data[*end]))
            ++*end;
    }
    return true;
}

/* Puts `length` bytes in place of data[begin..end); the new size. */
static size_t splice(uint8_t *data, size_t size, size_t begin, size_t end, const void *bytes, size_t length)
{
    memmove(data + begin + length, data + end, size - end);
    memcpy(data + begin, bytes, length);
    return size - (end - begin) + length;
}

/* Another value for a token: a special one, or what another place has. */
static size_t replace_token(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static const char *const values[] = {"0",
                                         "1",
                                         "2",
                                         "-0.0",
                                         "-1",
                                         "1e308",
                                         "1e-320",
                                         "3.4e38",
                                         "1e39",
                                         "16777217",
                                         "4294967296",
                                         "1e999",
                                         "\"nan\"",
                                         "\"inf\"",
                                         "\"-inf\"",
                                         "\"auto\"",
                                         "\"yes\"",
                                         "\"no\"",
                                         "\"1\"",
                                         "\"0\"",
                                         "\"3\"",
                                         "\"16\"",
                                         "\"f32\"",
                                         "\"f64\"",
                                         "\"F32\"",
                                         "\"none\"",
                                         "\"error\"",
                                         "\"2000000\"",
                                         "\"18446744073709551615\"",
                                         "[]",
                                         "[[]]",
                                         "{}",
                                         "null",
                                         "true",
                                         "\"nan 0x7ff8000000000001\""};
    enum { VALUES = sizeof values / sizeof *values };
    size_t begin, end, other, other_end;
    if (!find_token(data, size, seed % (size + 1), &begin, &end))
        return size;
    const char *value = values[seed / 64 % VALUES];
    char copy[256];
    size_t length = strlen(value);
    memcpy(copy, value, length);
    if (seed % 3 == 0 && find_token(data, size, seed / 3 % (size + 1), &other, &other_end) &&
        other_end - other <= sizeof copy)
        memcpy(copy, data + other, length = other_end - other);
    return size - (end - begin) + length <= most ? splice(data, size, begin, end, copy, length) : size;
}

static size_t mutate_token(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    size_t begin, end;
    uint8_t token[64];
    if (!find_token(data, size, seed % (size + 1), &begin, &end) || end - begin >= sizeof token / 2 ||
        size + sizeof token > most)
        return size;
    memcpy(token, data + begin, end - begin);
    size_t length = LLVMFuzzerMutate(token, end - begin, sizeof token);
    return splice(data, size, begin, end, token, length);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    if (seed % 8 < 4)
        return replace_token(data, size, most, seed / 8);
    if (seed % 8 < 6)
        return mutate_token(data, size, most, seed / 8);
    return LLVMFuzzerMutate(data, size, most);
}
