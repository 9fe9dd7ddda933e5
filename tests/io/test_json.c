/*
 * The JSON reader against jansson's, and against itself with the text in pieces; what it says of faults; its limits;
 * the writer; the set of keys; and the characters that they rest on, all there are.
 */
#include "check.h"

#include <okra/io.h>

#include "io/number.h"
#include "io/message.h"
#include "json/write.h"
#include "json_events.h"

/* ---- the same as jansson ---------------------------------------------------------------------------------------- */

static const okra_json_limits wide = {.depth = 64, .text = 1 << 20, .unique = true};

/* In memory that ends with the text, where a sanitizer sees what is read beyond. */
static void assert_as_jansson(const char *text, size_t length)
{
    char *copy = malloc(length ? length : 1);
    memcpy(copy, text, length);
    for (int reals = 0; reals < 2; reals++)
        if (!json_is_as_jansson(copy, length, reals))
            fail_msg("not what jansson reads: %.*s", (int)length, text);
    free(copy);
}

static const char *const texts[] = {
    "{}",
    "[]",
    " \t\r\n{ } \t\r\n",
    "{\"a\":1}",
    "[1,2,3]",
    "[ 1 , -2 , 3.5 , -4e5 , 6E+7 , 8e-9 , 0 , -0 , 0.0 , 1e0 ]",
    "[9223372036854775807, -9223372036854775808]",
    "[9223372036854775808]",
    "[-9223372036854775809]",
    "[1e308, 1e309]",
    "[1e309]",
    "[-1e309]",
    "[1e-400]",
    "[true,false,null]",
    "[tru]",
    "[truex]",
    "[nul",
    "{\"a\":{\"b\":[{\"c\":\"d\"}]}}",
    "{\"a\":1,\"a\":2}",
    "{\"a\":1,}",
    "[1,]",
    "[,1]",
    "[1 2]",
    "{\"a\" 1}",
    "{\"a\":}",
    "{a:1}",
    "{\"a\":1",
    "[1",
    "[",
    "{",
    "",
    " ",
    "1",
    "\"text\"",
    "null",
    "[] []",
    "[]x",
    "[01]",
    "[1.]",
    "[.5]",
    "[-]",
    "[+1]",
    "[1e]",
    "[1e+]",
    "[1e-]",
    "[--1]",
    "[0x10]",
    "[1.5.5]",
    "[00]",
    "[-01]",
    "[10]",
    "[0e5]",
    "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]",
    "[\"\\a\"]",
    "[\"\\\"]",
    "[\"\\",
    "[\"a",
    "[\"tab\tinside\"]",
    "[\"line\ninside\"]",
    "[\"\x1f\"]",
    "[\"\x7f\"]",
    "[\"\\u0041\\u00e9\\u20AC\"]",
    "[\"\\u007f\\u0080\\u07ff\\u0800\\uffff\\ud7ff\\ue000\"]",
    "[\"\\ud800\\udc00\\udbff\\udfff\\ud83c\\udf21\"]",
    "[\"\\u0000\"]",
    "[\"\\u0001\"]",
    "[\"\\ud800\"]",
    "[\"\\udc00\"]",
    "[\"\\udfff\"]",
    "[\"\\ud800x\"]",
    "[\"\\ud800\\n\"]",
    "[\"\\ud800\\u0041\"]",
    "[\"\\ud800\\ud800\"]",
    "[\"\\ud800\\ue000\"]",
    "[\"\\ud800\\udbff\"]",
    "[\"\\udbff\\udc00\"]",
    "[\"\\u12\"]",
    "[\"\\u12",
    "[\"\\u00g0\"]",
    "[\"\\u00G0\"]",
    "[\"\\u00`0\"]",
    "[\"\\uABCD\\uabcd\\uEf09\"]",
    "[\"\\u\x10\x11\x12\x13\"]",
    "[\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\xa1\"]",
    "[\"\xc3\"]",
    "[\"\xc3",
    "[\"\xed\xa0\x80\"]",
    "[\"\xf4\x90\x80\x80\"]",
    "[\"\xf4\x8f\xbf\xbf\"]",
    "[\"\xc0\x80\"]",
    "[\"\xff\"]",
    "{\"\":\"\"}",
    "{\"\\u0041\":1,\"A\":2}",
    "{\"\\u0041\":1,\"B\":2}",
    "[[[[[[]]]]]]",
    "[{}]",
    "[1}",
    "{\"a\":1]",
    "{1:2}",
    "{\"a\":1 \"b\":2}",
    "{\"a\":1, \"b\":[1, 2], \"c\":\"x\"}",
};

static void texts_read_as_jansson_reads_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (size_t length = 0; length <= strlen(texts[i]); length++) /* and every beginning of it */
            assert_as_jansson(texts[i], length);
    assert_as_jansson("[\"\0\"]", 5);
    assert_as_jansson("[1]\0", 4);
}

/* Letters that JSON is made of in the place of others. */
static void altered_texts_read_as_jansson_reads_them(void **state)
{
    (void)state;
    static const char letters[] = "{}[]:,\"\\ u0129eE+-.dDcf\n\x01\xc3\xa9tn";
    okra_random random = {.seed = 15};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (int times = 0; times < 60; times++) {
            char text[128];
            size_t length = strlen(texts[i]);
            double u[4];
            assert_true(length < sizeof text);
            memcpy(text, texts[i], length + 1);
            okra_random_uniform(&random, 4, u);
            for (int k = 0; k < 2 && length; k++)
                text[(size_t)(u[2 * k] * (double)length)] = letters[(size_t)(u[2 * k + 1] * (sizeof letters - 1))];
            assert_as_jansson(text, length);
        }
}

/* ---- in pieces -------------------------------------------------------------------------------------------------- */

/* Each piece in memory of its own, which is gone when the next one comes. */
static void assert_same_in_two(const char *text, size_t length, size_t cut, const char *whole)
{
    okra_json_reader r;
    okra_json_event event;
    char *first = malloc(cut + 1), *second = malloc(length - cut + 1);
    memcpy(first, text, cut), memcpy(second, text + cut, length - cut);
    okra_json_start(&r, wide);
    okra_json_feed(&r, first, cut);
    while ((event = okra_json_next(&r)) < OKRA_JSON_END && event != OKRA_JSON_MORE)
        ;
    free(first);
    okra_json_feed(&r, second, length - cut);
    okra_json_finish(&r);
    while (event != OKRA_JSON_ERROR && (event = okra_json_next(&r)) < OKRA_JSON_END)
        assert_true(event != OKRA_JSON_MORE);
    assert_true((event == OKRA_JSON_END) == (strstr(whole, "\nend ") != NULL));
    okra_json_stop(&r);
    free(second);
}

/* Every split of a text in two, and the bytes one by one, give the same events, faults and places. */
static void every_split_is_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        size_t length = strlen(texts[i]);
        char *whole = json_events(texts[i], length, 0, 0, wide);
        for (size_t cut = 0; cut <= length; cut++) {
            char *two = json_events(texts[i], length, cut, 0, wide),
                 *many = json_events(texts[i], length, cut, 1, wide);
            assert_string_equal(two, whole);
            assert_string_equal(many, whole);
            assert_same_in_two(texts[i], length, cut, whole);
            free(two), free(many);
        }
        free(whole);
    }
}

/* What is told of a text: all events in their order. */
static void events_are_told_in_order(void **state)
{
    (void)state;
    static const char text[] = "{\"a\": [1, -2.5e3, \"x\\ny\"],\n \"b\": {\"c\": null}, \"d\": true}";
    char *events = json_events(text, sizeof text - 1, 3, 2, wide);
    assert_string_equal(events,
                        "{ \nkey a\n[ \nnumber 1 whole\nnumber -2.5e3\nstring x\ny\n] \nkey b\n{ \nkey c\nnull \n} "
                        "\nkey d\ntrue \n} \nend \n at 56, line 2, column 30");
    free(events);
}

/* Skipping ends where the value does, whatever is in it. */
static void values_are_skipped(void **state)
{
    (void)state;
    static const char text[] = "[[1,[2,{\"a\":[]}],\"]\"],{\"b\":{}},3,[],\"s\"]";
    static const okra_json_event wanted[] = {OKRA_JSON_ARRAY_END, OKRA_JSON_OBJECT_END, OKRA_JSON_NUMBER,
                                             OKRA_JSON_ARRAY_END, OKRA_JSON_STRING,     OKRA_JSON_ARRAY_END};
    static const size_t ends[] = {21, 30, 32, 35, 39, 40};
    okra_json_reader r;
    okra_json_start(&r, wide);
    okra_json_feed(&r, text, sizeof text - 1);
    okra_json_finish(&r);
    assert_int_equal(okra_json_next(&r), OKRA_JSON_ARRAY);
    for (size_t i = 0; i < COUNT_OF(wanted); i++) {
        assert_int_equal(okra_json_skip(&r, okra_json_next(&r)), wanted[i]);
        assert_int_equal(r.offset, ends[i]);
    }
    assert_int_equal(okra_json_next(&r), OKRA_JSON_END);
    okra_json_stop(&r);
}

/* ---- where it is wrong --------------------------------------------------------------------------------------------
 */

static void assert_fault(const char *text, okra_json_limits limits, const char *wrong, size_t line, size_t column)
{
    char wanted[160];
    char *events = json_events(text, strlen(text), 0, 0, limits);
    snprintf(wanted, sizeof wanted, "line %zu, column %zu", line, column);
    const char *last = strrchr(events, '\n') + 1;
    if (strncmp(last, wrong, strlen(wrong)) != 0 || !strstr(last, wanted))
        fail_msg("'%s': %s, not %s at %s", text, last, wrong, wanted);
    free(events);
}

static void faults_have_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wrong;
        size_t line, column;
    } cases[] = {
        {"x", "cannot be read as JSON", 1, 1},          {"  x", "cannot be read as JSON", 1, 3},
        {"[1,x]", "cannot be read as JSON", 1, 4},      {"[1,\n 2,\n  x]", "cannot be read as JSON", 3, 3},
        {"[1]\nx", "cannot be read as JSON", 2, 1},     {"{\"a\":1,\n\"a\":2}", "a name that is there twice", 2, 4},
        {"[1 2]", "cannot be read as JSON", 1, 4},      {"[", "cannot be read as JSON", 1, 2},
        {"[\"a\\x\"]", "cannot be read as JSON", 1, 5}, {"[\"a\nb\"]", "cannot be read as JSON", 1, 4},
        {"[01]", "cannot be read as JSON", 1, 3},       {"[-]", "cannot be read as JSON", 1, 3},
        {"[trux]", "cannot be read as JSON", 1, 5},     {"[\"\xc3\x28\"]", "cannot be read as JSON", 1, 4},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_fault(cases[i].text, wide, cases[i].wrong, cases[i].line, cases[i].column);
}

/* ---- limits ---------------------------------------------------------------------------------------------------------
 */

static void nesting_is_limited(void **state)
{
    (void)state;
    static const char deep[] = "nested too deeply";
    okra_json_limits one = {.depth = 1, .text = 100}, three = {.depth = 3, .text = 100, .unique = true};
    assert_fault("[[[]]]", three, "", 1, 7);
    assert_fault("[[[[]]]]", three, deep, 1, 4);
    assert_fault("[[],[],{\"a\":[]}]", three, "", 1, 17);
    assert_fault("{\"a\":{\"b\":[{", three, deep, 1, 12);
    assert_fault("[\"[[[[\"]", one, "", 1, 9);
    assert_fault("[\"\\\"[[[\"]", one, "", 1, 10);
    assert_fault("[\"\\\\\",[", one, deep, 1, 7);
    assert_fault("[\"\\n\"\n,\n  [", one, deep, 3, 3);
    assert_fault("[\n\n[", one, deep, 3, 1);
    char nest[70];
    memset(nest, '[', sizeof nest - 1), nest[sizeof nest - 1] = '\0';
    assert_fault(nest, (okra_json_limits){.depth = 1000, .text = 1}, deep, 1, 65); /* it has 64 bits for them */
}

static void texts_are_limited(void **state)
{
    (void)state;
    static const char wrong[] = "a text that is too long";
    okra_json_limits five = {.depth = 2, .text = 5, .unique = true};
    assert_fault("[\"abcde\", 12345, \"\\u00e9\xc3\xa9z\"]", five, "", 1, 30);
    assert_fault("[\"abcdef\"]", five, wrong, 1, 3);
    assert_fault("[123456]", five, wrong, 1, 3);
    assert_fault("[\"abcd\\u00e9\"]", five, wrong, 1, 13);
    assert_fault("{\"abcdef\":1}", five, wrong, 1, 3);
}

static void names_are_compared_within_their_object(void **state)
{
    (void)state;
    static const char twice[] = "a name that is there twice";
    okra_json_limits free_to = wide;
    free_to.unique = false;
    assert_fault("{\"a\":{\"a\":{\"a\":1}},\"b\":{\"a\":1}}", wide, "", 1, 32);
    assert_fault("[{\"a\":1},{\"a\":1}]", wide, "", 1, 18);
    assert_fault("{\"a\":{\"b\":1},\"a\":1}", wide, twice, 1, 17);
    assert_fault("{\"a\":{\"b\":1,\"b\":1}}", wide, twice, 1, 16);
    assert_fault("{\"\":1,\"\":1}", wide, twice, 1, 9);
    assert_fault("{\"a\":1,\"\\u0061\":1}", wide, twice, 1, 16);
    assert_fault("{\"a\":1,\"a\":1}", free_to, "", 1, 14);
}

/* ---- writing --------------------------------------------------------------------------------------------------------
 */

/* With jansson's bytes, whatever the indentation, where it escapes as much. */
static void texts_are_written_as_jansson_writes_them(void **state)
{
    (void)state;
    size_t written = 0;
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (unsigned indent = 0; indent < 5; indent++) {
            char *ours = json_rewritten(texts[i], strlen(texts[i]), indent);
            size_t flags = JSON_DECODE_ANY | JSON_REJECT_DUPLICATES;
            json_t *json = ours ? json_loadb(texts[i], strlen(texts[i]), flags, NULL) : NULL;
            char *theirs =
                json ? json_dumps(json, JSON_ENCODE_ANY | (indent ? JSON_INDENT(indent) : JSON_COMPACT)) : NULL;
            if (theirs && !strpbrk(texts[i], ".eE\x7f\\") && !strstr(texts[i], "-0")) {
                assert_string_equal(ours, theirs);
                written++;
            }
            free(ours), free(theirs), json_decref(json);
        }
    assert_true(written > 60);
}

static char *text_of(double x)
{
    okra_json_writer w = {0};
    okra_json_put_real(&w, NULL, x);
    return okra_text_take(&w.out);
}

/* Reals stay reals, and come back to the same bits. */
static void reals_are_reals(void **state)
{
    (void)state;
    static const double numbers[] = {0, -0.0, 1, -1, 0.1, 1e15, 1e16, 1e22, 1e-5, 5e-324, 1.7976931348623157e308, 2.5};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        char *text = text_of(numbers[i]);
        json_t *read = json_loadb(text, strlen(text), JSON_DECODE_ANY, NULL);
        assert_true(json_is_real(read));
        double back = json_real_value(read);
        assert_memory_equal(&back, &numbers[i], sizeof back);
        json_decref(read), free(text);
    }
    char *nan = text_of((double)NAN), *infinite = text_of(-(double)INFINITY), *one = text_of(1);
    assert_string_equal(nan, "null");
    assert_string_equal(infinite, "null");
    assert_string_equal(one, "1.0");
    free(nan), free(infinite), free(one);
}

/* Lines of their own, and levels on one. */
static void levels_have_their_lines(void **state)
{
    (void)state;
    okra_json_writer w = {.indent = 2};
    okra_json_open(&w, NULL, '{');
    okra_json_open_line(&w, "shape", '[');
    okra_json_put_count(&w, NULL, UINT64_MAX);
    okra_json_put_count(&w, NULL, 0);
    okra_json_close(&w);
    okra_json_open(&w, "none", '[');
    okra_json_close(&w);
    okra_json_open(&w, "data", '[');
    okra_json_open_line(&w, NULL, '{');
    okra_json_put_bool(&w, "a", false);
    okra_json_put_null(&w, "b");
    okra_json_close(&w), okra_json_close(&w), okra_json_close(&w);
    char *text = okra_text_take(&w.out);
    assert_string_equal(
        text, "{\n  \"shape\": [18446744073709551615, 0],\n  \"none\": [],\n  \"data\": [\n    {\"a\": false, "
              "\"b\": null}\n  ]\n}");
    free(text);
}

/* No byte of what is written is a command to a terminal, and jansson reads the same text back. */
static void strings_are_escaped(void **state)
{
    (void)state;
    for (uint32_t code = 1; code < 0x3000; code++) {
        char bytes[5] = "", text[12];
        if (code >= 0xd800 && code < 0xe000)
            continue;
        okra_utf8_write(code, bytes);
        snprintf(text, sizeof text, "a%sb", bytes);
        okra_json_writer w = {0};
        okra_json_put_text(&w, NULL, text);
        char *written = okra_text_take(&w.out), *plain = strdup(written);
        okra_plain_text(plain);
        assert_string_equal(plain, written);
        json_t *read = json_loadb(written, strlen(written), JSON_DECODE_ANY, NULL);
        assert_string_equal(json_string_value(read), text);
        json_decref(read), free(written), free(plain);
    }
    okra_json_writer w = {0};
    okra_json_put_text(&w, NULL, "a\xff\xc3z\x1b");
    char *written = okra_text_take(&w.out);
    assert_string_equal(written, "\"a??z\\u001b\"");
    free(written);
}

/* ---- keys -----------------------------------------------------------------------------------------------------------
 */

/* Texts that share beginnings, of all lengths, in an order that is kept. */
static void keys_are_found(void **state)
{
    (void)state;
    enum { KEYS = 5000 };
    okra_keys keys = {0};
    for (int round = 0; round < 2; round++) {
        for (unsigned i = 0; i < KEYS; i++) {
            char key[40];
            snprintf(key, sizeof key, "%.*s%x", (int)(i % 7), "\x01\xff\xffzzz", i * 2654435761u >> i % 25);
            size_t place = okra_keys_find(&keys, key), slow = 0;
            while (slow < keys.count && strcmp(okra_keys_at(&keys, slow), key) != 0)
                slow++;
            assert_int_equal(place, slow < keys.count ? slow : OKRA_NO_KEY);
            if (place == OKRA_NO_KEY)
                assert_true(okra_keys_add(&keys, key));
            assert_int_equal(okra_keys_find(&keys, key), place == OKRA_NO_KEY ? keys.count - 1 : place);
        }
        assert_true(keys.count > KEYS / 2);
        okra_keys_clear(&keys);
        assert_int_equal(okra_keys_find(&keys, ""), OKRA_NO_KEY);
    }
    okra_keys_free(&keys);
}

/* ---- counts ---------------------------------------------------------------------------------------------------------
 */

static void counts_are_digits(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good;
        uint64_t value;
    } cases[] = {{"0", true, 0},
                 {"7", true, 7},
                 {"18446744073709551615", true, UINT64_MAX},
                 {"18446744073709551616", false, 0},
                 {"99999999999999999999", false, 0},
                 {"", false, 0},
                 {"00", false, 0},
                 {"07", false, 0},
                 {"+7", false, 0},
                 {"-7", false, 0},
                 {" 7", false, 0},
                 {"7 ", false, 0},
                 {"7.", false, 0},
                 {"x", false, 0}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint64_t value;
        assert_int_equal(okra_parse_count(cases[i].text, &value), cases[i].good);
        assert_true(!cases[i].good || value == cases[i].value);
    }
}

/* ---- characters ---------------------------------------------------------------------------------------------------
 */

/* A number in so many bytes, too many perhaps. */
static void encode(uint32_t code, size_t length, unsigned char bytes[5])
{
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    memset(bytes, 0, 5);
    for (size_t k = length; k-- > 1; code >>= 6)
        bytes[k] = (unsigned char)(0x80 | (code & 0x3f));
    bytes[0] = (unsigned char)(lead[length] | code);
}

/* Every character in its own length and in longer ones. */
static void characters_are_told(void **state)
{
    (void)state;
    static const uint32_t ends[] = {0, 0x80, 0x800, 0x10000, 0x200000};
    for (uint32_t code = 1; code < 0x200000; code += code < 0x11000 || code > 0x10f000 ? 1 : 97)
        for (size_t length = 1; length <= 4; length++) {
            unsigned char bytes[5];
            uint32_t found;
            if (code >= ends[length])
                continue;
            encode(code, length, bytes);
            bool right = code >= ends[length - 1] && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
            assert_int_equal(okra_utf8(bytes, &found), right ? length : 0);
            assert_true(!right || found == code);
        }
}

/* Whatever follows a first byte that is none of a character's; and first bytes that begin none. */
static void bytes_that_are_no_characters(void **state)
{
    (void)state;
    uint32_t found;
    for (unsigned first = 0x80; first < 0x100; first++)
        for (unsigned next = 0; next < 0x100; next++) {
            unsigned char bytes[5] = {(unsigned char)first, (unsigned char)next, 0x80, 0x80, 0};
            bool two = first >= 0xc2 && first <= 0xdf, three = first >= 0xe0 && first <= 0xef;
            bool four = first >= 0xf0 && first <= 0xf4, follows = next >= 0x80 && next <= 0xbf;
            follows = follows && !(first == 0xe0 && next < 0xa0) && !(first == 0xed && next > 0x9f);
            follows = follows && !(first == 0xf0 && next < 0x90) && !(first == 0xf4 && next > 0x8f);
            assert_int_equal(okra_utf8(bytes, &found), follows ? (two ? 2 : three ? 3 : four ? 4 : 0) : 0);
            bytes[2] = 0x7f;
            assert_int_equal(okra_utf8(bytes, &found), follows && two ? 2 : 0);
            bytes[2] = 0x80, bytes[3] = 0xc0;
            assert_int_equal(okra_utf8(bytes, &found), follows ? (two ? 2 : three ? 3 : 0) : 0);
        }
    assert_true(okra_is_utf8("") && okra_is_utf8("a\xc3\xa9") && !okra_is_utf8("a\xc3") && !okra_is_utf8("\xa9"));
}

/* At both ends of what is a command to a terminal. */
static void commands_are_made_plain(void **state)
{
    (void)state;
    static const uint32_t ranges[][2] = {{1, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},
                                         {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}};
    for (uint32_t code = 1; code < 0x3000; code++) {
        unsigned char bytes[5];
        char text[16];
        size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
        bool command = false;
        for (size_t r = 0; r < COUNT_OF(ranges); r++)
            command = command || (code >= ranges[r][0] && code <= ranges[r][1]);
        encode(code, length, bytes);
        snprintf(text, sizeof text, "a%sb", (char *)bytes);
        okra_plain_text(text);
        if (command)
            assert_string_equal(text, "a?b");
        else
            assert_memory_equal(text + 1, bytes, length);
    }
}

/* ---- messages -------------------------------------------------------------------------------------------------------
 */

/* 255 letters fit; of more the last 252, after dots. */
static void names_have_their_length(void **state)
{
    (void)state;
    char path[OKRA_NAME + 10], name[OKRA_NAME];
    for (size_t length = OKRA_NAME - 5; length < OKRA_NAME + 5; length++) {
        for (size_t i = 0; i < length; i++)
            path[i] = (char)('a' + i % 26);
        path[length] = '\0';
        okra_name_file(name, path);
        if (length < OKRA_NAME)
            assert_string_equal(name, path);
        else {
            assert_int_equal(strlen(name), OKRA_NAME - 1);
            assert_memory_equal(name, "...", 3);
            assert_string_equal(name + 3, path + length - (OKRA_NAME - 1 - 3));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_read_as_jansson_reads_them),
        cmocka_unit_test(altered_texts_read_as_jansson_reads_them),
        cmocka_unit_test(every_split_is_the_same),
        cmocka_unit_test(events_are_told_in_order),
        cmocka_unit_test(values_are_skipped),
        cmocka_unit_test(faults_have_their_place),
        cmocka_unit_test(nesting_is_limited),
        cmocka_unit_test(texts_are_limited),
        cmocka_unit_test(names_are_compared_within_their_object),
        cmocka_unit_test(texts_are_written_as_jansson_writes_them),
        cmocka_unit_test(reals_are_reals),
        cmocka_unit_test(levels_have_their_lines),
        cmocka_unit_test(strings_are_escaped),
        cmocka_unit_test(keys_are_found),
        cmocka_unit_test(counts_are_digits),
        cmocka_unit_test(characters_are_told),
        cmocka_unit_test(bytes_that_are_no_characters),
        cmocka_unit_test(commands_are_made_plain),
        cmocka_unit_test(names_have_their_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
