/* Numbers as text: exact both ways, the fewest digits, and deaf to the locale. */
#include "check.h"

#include <locale.h>
#include <unistd.h>

#include <okra/io.h>

#include "io/number.h"

static okra_number parse(const char *text, double *x) { return okra_parse_real(text, text + strlen(text), x); }

static void assert_formats(double x, const char *wanted)
{
    char text[OKRA_REAL_TEXT];
    assert_int_equal(okra_format_real(x, text), strlen(wanted));
    assert_string_equal(text, wanted);
}

static void assert_formats_f32(float x, const char *wanted)
{
    char text[OKRA_REAL_TEXT];
    assert_int_equal(okra_format_real_f32(x, text), strlen(wanted));
    assert_string_equal(text, wanted);
}

static void known_numbers(void **state)
{
    (void)state;
    assert_formats(0, "0");
    assert_formats(-0.0, "-0");
    assert_formats(0.1, "0.1");
    assert_formats(-2.5, "-2.5");
    assert_formats(123456, "123456");
    assert_formats(0.1 + 0.2, "0.30000000000000004");
    assert_formats(1.0 / 3, "0.3333333333333333");
    assert_formats(DBL_MAX, "1.7976931348623157e+308");
    assert_formats(DBL_MIN, "2.2250738585072014e-308");
    assert_formats(-DBL_MIN, "-2.2250738585072014e-308");
    assert_formats(0x1p-1074, "5e-324");
    assert_formats_f32(0.1f, "0.1");
    assert_formats_f32(16777216.0f, "16777216");
    assert_formats_f32(1.0f / 3, "0.33333334");
    assert_formats_f32(FLT_MAX, "3.4028235e+38");
    assert_formats_f32(0x1p-149f, "1e-45");
}

static void numbers_that_are_not_finite(void **state)
{
    (void)state;
    assert_formats((double)NAN, "nan");
    assert_formats(-(double)NAN, "nan");
    assert_formats((double)INFINITY, "inf");
    assert_formats(-(double)INFINITY, "-inf");
    assert_formats_f32(NAN, "nan");
    assert_formats_f32(-INFINITY, "-inf");
}

/* Without the zeros before the first and after the last that counts. */
static int significant_digits(const char *text)
{
    int digits = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text >= '1' && *text <= '9')
            digits += zeros + 1, zeros = 0;
        else if (*text == '0' && digits > 0)
            zeros++;
    }
    return digits;
}

/* Same bits back, and one digit fewer would not do. */
static void random_doubles_round_trip(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 100000; i++) {
        uint32_t bits[4], key[2] = {1, 2}, counter[4] = {i, 0, 0, 0};
        double x, back;
        char text[OKRA_REAL_TEXT], shorter[64];
        okra_philox(key, counter, bits);
        memcpy(&x, bits, sizeof x);
        if (!isfinite(x))
            continue;
        okra_format_real(x, text);
        assert_int_equal(parse(text, &back), OKRA_NUMBER_REAL);
        assert_memory_equal(&x, &back, sizeof x);
        int digits = significant_digits(text);
        snprintf(shorter, sizeof shorter, "%.*e", digits > 1 ? digits - 2 : 0, x);
        assert_true(digits == 1 || strtod(shorter, NULL) != x);
    }
}

static void random_floats_round_trip(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 100000; i++) {
        uint32_t bits[4], key[2] = {3, 4}, counter[4] = {i, 0, 0, 0};
        float x, back;
        char text[OKRA_REAL_TEXT];
        okra_philox(key, counter, bits);
        memcpy(&x, bits, sizeof x);
        if (!isfinite(x))
            continue;
        size_t length = okra_format_real_f32(x, text);
        back = strtof(text, NULL);
        assert_memory_equal(&x, &back, sizeof x);
        assert_true(length <= strlen("-1.23456789e-38"));
    }
}

static void what_reads_as_a_number(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good[] = {{"0", 0}, {"+1.5", 1.5}, {"-.5", -0.5}, {"2.", 2}, {"1e3", 1000}, {"1E-3", 0.001}, {"1e-400", 0}};
    double x;
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        assert_int_equal(parse(good[i].text, &x), OKRA_NUMBER_REAL);
        assert_near(x, good[i].value, 0);
    }
}

static void what_does_not(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        okra_number kind;
    } bad[] = {
        {"", OKRA_NUMBER_MISSING},
        {"nan", OKRA_NUMBER_MISSING},
        {"-NaN", OKRA_NUMBER_MISSING},
        {"inf", OKRA_NUMBER_INFINITE},
        {"-Infinity", OKRA_NUMBER_INFINITE},
        {"1e400", OKRA_NUMBER_LARGE},
        {"-1e400", OKRA_NUMBER_LARGE},
        {"0x10", OKRA_NUMBER_TEXT},
        {"0x1p3", OKRA_NUMBER_TEXT},
        {"nan(1)", OKRA_NUMBER_TEXT},
        {"1.5m", OKRA_NUMBER_TEXT},
        {"1 2", OKRA_NUMBER_TEXT},
        {"1.2.3", OKRA_NUMBER_TEXT},
        {"--1", OKRA_NUMBER_TEXT},
        {"e5", OKRA_NUMBER_TEXT},
        {"1e", OKRA_NUMBER_TEXT},
        {".", OKRA_NUMBER_TEXT},
        {"+", OKRA_NUMBER_TEXT},
        {"infinite", OKRA_NUMBER_TEXT},
        {"na", OKRA_NUMBER_TEXT},
        {"1,5", OKRA_NUMBER_TEXT},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        double x = 7;
        assert_int_equal(parse(bad[i].text, &x), bad[i].kind);
        assert_true(isnan(x));
    }
    static const char with_zero_byte[] = "1\0002";
    double x;
    assert_int_equal(okra_parse_real(with_zero_byte, &with_zero_byte[3], &x), OKRA_NUMBER_TEXT);
}

/* Builds a locale with a decimal comma, where the system has the means, and works under it. */
static void the_locale_does_not_matter(void **state)
{
    (void)state;
    char directory[] = "/tmp/okra-locale-XXXXXX", command[256], text[OKRA_REAL_TEXT];
    assert_non_null(mkdtemp(directory));
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>/dev/null", directory);
    bool built = system(command) == 0;
    setenv("LOCPATH", directory, 1);
    bool set = built && setlocale(LC_ALL, "de_DE.UTF-8");
    double x;
    snprintf(text, sizeof text, "%g", 0.5);
    bool comma = strchr(text, ',') != NULL;
    okra_number kind = parse("2.5", &x);
    okra_format_real(0.5, text);
    snprintf(command, sizeof command, "rm -r %s", directory);
    (void)!system(command);
    if (!set || !comma)
        skip();
    assert_string_equal(text, "0.5");
    assert_int_equal(kind, OKRA_NUMBER_REAL);
    assert_near(x, 2.5, 0);
    snprintf(text, sizeof text, "%g", 0.5);
    assert_string_equal(text, "0,5"); /* and the program's own locale is back */
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_numbers),
        cmocka_unit_test(numbers_that_are_not_finite),
        cmocka_unit_test(random_doubles_round_trip),
        cmocka_unit_test(random_floats_round_trip),
        cmocka_unit_test(what_reads_as_a_number),
        cmocka_unit_test(what_does_not),
        cmocka_unit_test(the_locale_does_not_matter),
    };
    return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
