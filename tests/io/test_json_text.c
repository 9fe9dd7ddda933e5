/*
 * The JSON reader against jansson's own, of which it promises the results; what it says of faults; the limits; and the
 * characters that they rest on, all there are.
 */
#include "check.h"

#include <okra/io.h>

#include "io/json_limits.h"
#include "io/json_text.h"
#include "io/say.h"

/* ---- the same as jansson ---------------------------------------------------------------------------------------- */

static json_t *load(const char *text, size_t length, bool reals)
{
    const char *wrong = "";
    size_t line = 0, column = 0;
    json_t *json = okra_json_load(text, length, reals, &wrong, &line, &column);
    assert_true(json ? !wrong : wrong && line >= 1 && column >= 1);
    return json;
}

/* In memory that ends with the text, where a sanitizer sees what is read beyond. */
static void assert_as_jansson(const char *text, size_t length)
{
    char *copy = malloc(length ? length : 1);
    memcpy(copy, text, length);
    for (int reals = 0; reals < 2; reals++) {
        size_t flags = JSON_REJECT_DUPLICATES | (reals ? JSON_DECODE_INT_AS_REAL : 0);
        json_t *ours = load(copy, length, reals), *theirs = json_loadb(copy, length, flags, NULL);
        if (!ours != !theirs || (ours && !json_equal(ours, theirs)))
            fail_msg("%s by okra, %s by jansson: %.*s", ours ? "read" : "refused", theirs ? "read" : "refused",
                     (int)length, text);
        json_decref(ours), json_decref(theirs);
    }
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

static void dumps_are_jansson_s(void **state)
{
    (void)state;
    json_t *json = load(texts[5], strlen(texts[5]), false);
    for (size_t flags = 0; flags < 8; flags++) { /* widths of indentation */
        char *ours = okra_json_dump(json, JSON_INDENT(flags)), *theirs = json_dumps(json, JSON_INDENT(flags));
        assert_string_equal(ours, theirs);
        free(ours), free(theirs);
    }
    json_decref(json);
}

/* ---- where it is wrong --------------------------------------------------------------------------------------------
 */

static void faults_have_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wrong;
        size_t line, column;
    } cases[] = {
        {"x", "cannot be read as JSON", 1, 1},      {"  x", "cannot be read as JSON", 1, 3},
        {"[1,x]", "cannot be read as JSON", 1, 4},  {"[1,\n 2,\n  x]", "cannot be read as JSON", 3, 3},
        {"[1]\nx", "cannot be read as JSON", 2, 1}, {"{\"a\":1,\n\"a\":2}", "a name that is there twice", 2, 4},
        {"[1 2]", "cannot be read as JSON", 1, 4},  {"[", "cannot be read as JSON", 1, 2},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *wrong;
        size_t line = 0, column = 0;
        assert_null(okra_json_load(cases[i].text, strlen(cases[i].text), false, &wrong, &line, &column));
        assert_string_equal(wrong, cases[i].wrong);
        assert_int_equal(line, cases[i].line);
        assert_int_equal(column, cases[i].column);
    }
}

/* ---- limits ---------------------------------------------------------------------------------------------------------
 */

static void assert_looked_over(const char *text, int depth, size_t bytes_a_value, const char *wanted, size_t line,
                               size_t column)
{
    okra_json_limits limits = {.depth = depth, .bytes_a_value = bytes_a_value};
    size_t l = 0, c = 0;
    const char *wrong = okra_json_look_over(text, strlen(text), &limits, &l, &c);
    if (!wanted) {
        assert_null(wrong);
        return;
    }
    assert_non_null(wrong);
    assert_string_equal(wrong, wanted);
    assert_int_equal(l, line);
    assert_int_equal(c, column);
}

static void nesting_is_limited(void **state)
{
    (void)state;
    static const char deep[] = "nested too deeply", inside[] = "an object inside an array";
    assert_looked_over("[[[]]]", 3, 0, NULL, 0, 0);
    assert_looked_over("[[[[]]]]", 3, 0, deep, 1, 4);
    assert_looked_over("[]{}[][]", 1, 0, NULL, 0, 0);
    assert_looked_over("[[],[],[]]", 2, 0, NULL, 0, 0);
    assert_looked_over("]]}}[[]]", 2, 0, NULL, 0, 0); /* no JSON, which others see */
    assert_looked_over("[]]{[]}", 2, 0, NULL, 0, 0);
    assert_looked_over("{\"a\":[{}]}", 9, 0, inside, 1, 7);
    assert_looked_over("[{}]", 9, 0, inside, 1, 2);
    assert_looked_over("{\"a\":[],\"b\":{}}", 9, 0, NULL, 0, 0);
    assert_looked_over("{\"a\":[[]],\"b\":{\"c\":{}}}", 9, 0, NULL, 0, 0);
    assert_looked_over("{\"a\":{\"b\":[{", 9, 0, inside, 1, 12);
    /* brackets in texts are none; a quote may be escaped, and so may what escapes it */
    assert_looked_over("[\"[[[[\"]", 1, 0, NULL, 0, 0);
    assert_looked_over("[\"\\\"[[[\"]", 1, 0, NULL, 0, 0);
    assert_looked_over("[\"\\\\\"[", 1, 0, deep, 1, 6);
    assert_looked_over("[\"\\n\"\n,\n  [", 1, 0, deep, 3, 3);
    assert_looked_over("[\n\n[", 1, 0, deep, 3, 1);
    assert_looked_over("[\"x\ny\"[", 1, 0, deep, 2, 3);
    /* outside a text nothing is escaped */
    assert_looked_over("[\\\"[\"[", 1, 0, deep, 1, 6);
}

/* 64 commas, braces and brackets are free, and more for every so many bytes. */
static void density_is_limited(void **state)
{
    (void)state;
    char text[512];
    memset(text, ',', sizeof text);
    for (size_t length = 1; length < 200; length++)
        for (size_t bytes = 2; bytes <= 6; bytes += 2) {
            okra_json_limits limits = {.depth = 3, .bytes_a_value = bytes};
            size_t line = 0, column = 0, most = 64 + length / bytes;
            const char *wrong = okra_json_look_over(text, length, &limits, &line, &column);
            assert_true(!wrong == (length <= most));
            if (wrong) {
                assert_string_equal(wrong, "too many values for its length");
                assert_int_equal(column, most + 1);
            }
        }
    okra_json_limits none = {.depth = 3};
    size_t line, column;
    assert_null(okra_json_look_over(text, sizeof text, &none, &line, &column));
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
        cmocka_unit_test(dumps_are_jansson_s),
        cmocka_unit_test(faults_have_their_place),
        cmocka_unit_test(nesting_is_limited),
        cmocka_unit_test(density_is_limited),
        cmocka_unit_test(characters_are_told),
        cmocka_unit_test(bytes_that_are_no_characters),
        cmocka_unit_test(commands_are_made_plain),
        cmocka_unit_test(names_have_their_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
