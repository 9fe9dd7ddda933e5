/*
 * libFuzzer on the JSON reader, with jansson as the judge: it reads what jansson reads, as the same values, and refuses
 * the rest; the same however the text is cut into pieces; and what the writer makes of it reads as the same again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "json_events.h"

enum { DEPTH = 64 };

/* All but the place, which is in the last line. */
static void expect_same(const char *a, const char *b)
{
    size_t n = (size_t)(strrchr(a, '\n') - a);
    fuzz_expect(n == (size_t)(strrchr(b, '\n') - b) && memcmp(a, b, n) == 0);
}

static void check_pieces(const char *text, size_t size, const char *whole, okra_json_limits limits)
{
    for (size_t piece = 1; piece <= 5; piece += 2) {
        char *events = json_events(text, size, size % (piece + 1), piece, limits);
        fuzz_expect(strcmp(events, whole) == 0);
        free(events);
    }
}

static void check_rewritten(const char *text, size_t size, const char *whole, okra_json_limits limits)
{
    for (unsigned indent = 0; indent <= 2; indent += 2) {
        char *written = json_rewritten(text, size, indent);
        fuzz_expect(written != NULL);
        limits.text = strlen(written);
        char *events = json_events(written, strlen(written), 0, 0, limits);
        expect_same(events, whole);
        free(events), free(written);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    okra_json_limits limits = {.depth = DEPTH, .text = size, .unique = true};
    char *whole = json_events(text, size, 0, 0, limits);
    check_pieces(text, size, whole, limits);
    if (!strstr(whole, "\nerror ") && strncmp(whole, "error ", 6) != 0)
        check_rewritten(text, size, whole, limits);
    if (memchr(text, 0, size)) /* which jansson 2.14 passes over after a number or a word */
        fuzz_expect(strstr(whole, "error ") != NULL);
    else if (!strstr(whole, "nested too deeply"))
        for (int reals = 0; reals < 2; reals++)
            fuzz_expect(json_is_as_jansson(text, size, reals));
    free(whole);
    return 0;
}
