#include "tokens.h"

#include <string.h>

bool tokens_find(const uint8_t *data, size_t size, size_t from, size_t *begin, size_t *end)
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

size_t tokens_splice(uint8_t *data, size_t size, size_t begin, size_t end, const void *bytes, size_t length)
{
    memmove(data + begin + length, data + end, size - end);
    memcpy(data + begin, bytes, length);
    return size - (end - begin) + length;
}

size_t tokens_replace(uint8_t *data, size_t size, size_t max, unsigned seed)
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
    if (!tokens_find(data, size, seed % (size + 1), &begin, &end))
        return size;
    const char *value = values[seed / 64 % VALUES];
    char copy[256];
    size_t length = strlen(value);
    memcpy(copy, value, length);
    if (seed % 3 == 0 && tokens_find(data, size, seed / 3 % (size + 1), &other, &other_end) &&
        other_end - other <= sizeof copy)
        memcpy(copy, data + other, length = other_end - other);
    return size - (end - begin) + length <= max ? tokens_splice(data, size, begin, end, copy, length) : size;
}

size_t tokens_replace_digits(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    static const char *const numbers[] = {"0",
                                          "1",
                                          "2",
                                          "3",
                                          "4",
                                          "5",
                                          "7",
                                          "8",
                                          "16",
                                          "17",
                                          "21",
                                          "100",
                                          "255",
                                          "256",
                                          "-1",
                                          "0.5",
                                          "1e3",
                                          "65535",
                                          "65536",
                                          "16777216",
                                          "16777217",
                                          "2147483648",
                                          "4294967296",
                                          "4611686018427387904",
                                          "9223372036854775807",
                                          "18446744073709551615",
                                          "18446744073709551616",
                                          "1e300",
                                          "1e-320",
                                          "nan",
                                          "inf",
                                          "007",
                                          ""};
    enum { NUMBERS = sizeof numbers / sizeof *numbers, LONGEST = 24 };
    size_t begin = seed % (size + 1), end;
    while (begin < size && (data[begin] < '0' || data[begin] > '9'))
        begin++;
    for (end = begin; end < size && data[end] >= '0' && data[end] <= '9';)
        end++;
    if (begin == end || size + LONGEST > max)
        return size;
    const char *number = numbers[seed / 61 % NUMBERS];
    if (seed % 3)
        return tokens_splice(data, size, begin, end, number, strlen(number));
    data[end - 1] = (uint8_t)(seed % 2               ? data[end - 1] == '9' ? '0' : data[end - 1] + 1
                              : data[end - 1] == '0' ? '9'
                                                     : data[end - 1] - 1);
    return size;
}
