/* libFuzzer on numbers as text, with the C library as the judge. */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/number.h"

/* What strtod takes beyond decimal numbers is not ours. */
static bool is_decimal(const char *text, size_t size)
{
    return strspn(text, "0123456789.eE+-") == size && strpbrk(text, "0123456789");
}

static void read_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1), *end;
    double x;
    fuzz_expect(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    okra_number kind = okra_parse_real(text, text + size, &x);
    double wanted = strtod(text, &end);
    bool whole = is_decimal(text, size) && end == text + size;
    fuzz_expect((kind == OKRA_NUMBER_REAL || kind == OKRA_NUMBER_LARGE) == whole);
    if (whole)
        fuzz_expect(kind == OKRA_NUMBER_LARGE ? isinf(wanted) : memcmp(&x, &wanted, sizeof x) == 0);
    free(text);
}

static void write_bits(const uint8_t *data)
{
    char text[OKRA_REAL_TEXT];
    double x, back;
    float narrow;
    memcpy(&x, data, sizeof x);
    memcpy(&narrow, data, sizeof narrow);
    fuzz_expect(okra_format_real(x, text) == strlen(text));
    back = strtod(text, NULL);
    fuzz_expect(isnan(x) ? isnan(back) : memcmp(&x, &back, sizeof x) == 0);
    fuzz_expect(okra_format_real_f32(narrow, text) == strlen(text));
    float narrow_back = strtof(text, NULL);
    fuzz_expect(isnan(narrow) ? isnan(narrow_back) : memcmp(&narrow, &narrow_back, sizeof narrow) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_text(data, size);
    if (size >= sizeof(double))
        write_bits(data);
    return 0;
}
