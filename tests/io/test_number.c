/*
 * Numbers as text: exact both ways, the fewest digits, and deaf to the locale. The C library is the judge. `test_number
 * MILLIONS` looks at so many numbers of every kind, where a few hundred thousand guard a change.
 */
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
    assert_formats(1e-4, "0.0001");
    assert_formats(1.25e-5, "1.25e-05");
    assert_formats(9007199254740993e0, "9007199254740992");
    assert_formats(9999999999999998.0, "9999999999999998");
    assert_formats(1e16, "1e+16");
    assert_formats(120000, "120000");
    assert_formats(-120.5, "-120.5");
    assert_formats(0x1p-1073, "1e-323");
    assert_formats(9.5367431640625e-07, "9.5367431640625e-07");
    assert_formats_f32(0.1f, "0.1");
    assert_formats_f32(16777216.0f, "16777216");
    assert_formats_f32(1.0f / 3, "0.33333334");
    assert_formats_f32(FLT_MAX, "3.4028235e+38");
    assert_formats_f32(0x1p-149f, "1e-45");
}

static void a_number_of_digits(void **state)
{
    (void)state;
    char text[OKRA_REAL_TEXT];
    assert_int_equal(okra_format_digits(1.0 / 3, 3, text), 5);
    assert_string_equal(text, "0.333");
    okra_format_digits(-1234567, 3, text);
    assert_string_equal(text, "-1.23e+06");
    okra_format_digits(0.1, 17, text);
    assert_string_equal(text, "0.10000000000000001");
    okra_format_digits((double)NAN, 3, text);
    assert_string_equal(text, "nan");
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

/* ---- many numbers -------------------------------------------------------------------------------------------- */

static uint32_t numbers_of_a_kind = 100000;

/* The i-th of a sequence of random numbers that has this name. */
static uint64_t draw(uint32_t name, uint32_t i)
{
    uint32_t bits[4], key[2] = {name, 2}, counter[4] = {i, 0, 0, 0};
    okra_philox(key, counter, bits);
    return (uint64_t)bits[1] << 32 | bits[0];
}

/* Of any size, or of those next to a power of two where shortest decimals are hardest, or subnormal. */
static double draw_double(uint32_t i)
{
    uint64_t bits = draw(1, i), fraction = UINT64_C(0xfffffffffffff);
    double x;
    if (i % 8 == 1)
        bits = (bits & ~fraction) + (bits % 5) - 2;
    else if (i % 8 == 2)
        bits &= fraction >> i / 8 % 52;
    else if (i % 8 >= 3)
        return (double)(int64_t)bits * 0x1p-63 * (i % 8 == 3 ? 1e6 : 1); /* what files hold */
    memcpy(&x, &bits, sizeof x);
    return isfinite(x) ? x : 1;
}

static float draw_float(uint32_t i)
{
    uint32_t bits = (uint32_t)draw(2, i), fraction = 0x7fffff;
    float x;
    if (i % 8 == 1)
        bits = (bits & ~fraction) + (bits % 5) - 2;
    else if (i % 8 == 2)
        bits &= fraction >> i / 8 % 23;
    memcpy(&x, &bits, sizeof x);
    return isfinite(x) ? x : 1;
}

/* Text must read as strtod reads it, bit for bit. */
static void check_reading(const char *text)
{
    double x, wanted = strtod(text, NULL);
    okra_number kind = parse(text, &x);
    if (isinf(wanted) ? kind != OKRA_NUMBER_LARGE : kind != OKRA_NUMBER_REAL || memcmp(&x, &wanted, sizeof x) != 0)
        fail_msg("%s reads as %.17g (%a), not %.17g (%a)", text, x, x, wanted, wanted);
}

static void doubles_read_as_strtod_reads_them(void **state)
{
    (void)state;
    char text[64];
    for (uint32_t i = 0; i < numbers_of_a_kind; i++) {
        double x = draw_double(i);
        snprintf(text, sizeof text, "%.17g", x);
        check_reading(text);
        snprintf(text, sizeof text, "%.*e", 13 + (int)(i % 10), x);
        check_reading(text);
        okra_format_real(x, text);
        check_reading(text);
    }
}

/* Any digits with any exponent: the text need not be near a double. */
static void digits_read_as_strtod_reads_them(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < numbers_of_a_kind; i++) {
        uint64_t a = draw(3, i), b = draw(4, i), shape = draw(5, i);
        char digits[64], text[128];
        snprintf(digits, sizeof digits, "%020llu%020llu", (unsigned long long)a, (unsigned long long)b);
        int length = 1 + (int)(shape % 40), point = (int)((shape >> 8) % ((unsigned)length + 1));
        int exponent = (int)((shape >> 32) % 700) - 360;
        snprintf(text, sizeof text, "%s%.*s.%.*se%d", i & 1 ? "-" : "", point, digits, length - point, digits + point,
                 exponent);
        check_reading(text);
    }
}

/* Changes the last digit that is not 0 by one, downwards: the number is then just below what it was. */
static void lower_last_digit(char *text)
{
    char *e = strchr(text, 'e'), *p = e;
    while (*--p == '0' || *p == '.')
        if (*p == '0')
            *p = '9';
    *p = (char)(*p - 1);
}

/* The middle between two doubles, exact, cut short after any digit, and just below and just above. */
static void check_middle(double x, uint32_t i)
{
    static char text[1200];
    long double middle = ((long double)x + (long double)nextafter(x, (double)INFINITY)) / 2;
    snprintf(text, sizeof text, "%.*Le", 15 + (int)(i % 10), middle);
    check_reading(text);
    snprintf(text, sizeof text, "%.1080Le", middle);
    check_reading(text);
    lower_last_digit(text);
    check_reading(text);
    snprintf(text, sizeof text, "%.1080Le", middle);
    strchr(text, 'e')[-1] = '1';
    check_reading(text);
}

static void middles_read_as_strtod_reads_them(void **state)
{
    (void)state;
    if (LDBL_MANT_DIG < 54)
        skip();
    for (uint32_t i = 0; i < numbers_of_a_kind / 20; i++)
        check_middle(fmin(fabs(draw_double(i)), 0x1p1023), i);
}

/* Integers and binary fractions of few digits have their middles in few digits too, and trailing zeros. */
static void short_middles_read_as_strtod_reads_them(void **state)
{
    (void)state;
    char text[128];
    for (uint32_t i = 0; i < numbers_of_a_kind; i++) {
        uint64_t odd = (draw(6, i) >> 10) | UINT64_C(1) << 53 | 1; /* 54 bits: between two doubles */
        int shift = (int)(i % 32);
        snprintf(text, sizeof text, "%llu", (unsigned long long)odd);
        check_reading(text);
        snprintf(text, sizeof text, "%.*Lf", 40, ldexpl((long double)odd, -shift));
        check_reading(text);
        snprintf(text, sizeof text, "%.*f", 16 + (int)(i % 8), (double)(odd >> 40) / 1024);
        check_reading(text);
    }
}

/* ---- the fewest digits --------------------------------------------------------------------------------------- */

/* The digits that count, as d.ddd, and how many. */
static int significant_digits(const char *text, char digits[32])
{
    int n = 0;
    for (; *text && *text != 'e'; text++)
        if (*text >= (n > 0 ? '0' : '1') && *text <= '9')
            digits[n++] = *text;
    while (n > 0 && digits[n - 1] == '0')
        n--;
    digits[n] = '\0';
    return n;
}

static double back_double(const char *text) { return strtod(text, NULL); }
static double back_float(const char *text) { return (double)strtof(text, NULL); }

/*
 * The text of x, that `back` reads: the same bits; one digit fewer would not do; and the correctly rounded text of that
 * length, which is nearest of all, is the same wherever it would do.
 */
static void check_shortest(double x, const char *text, double (*back)(const char *))
{
    char rounded[64], digits[32], others[32];
    double got = back(text);
    int n = significant_digits(text, digits);
    if (memcmp(&got, &x, sizeof x) != 0)
        fail_msg("%a is written %s, which is %a", x, text, got);
    snprintf(rounded, sizeof rounded, "%.*e", n > 1 ? n - 2 : 0, x);
    if (n > 1 && back(rounded) == x)
        fail_msg("%s, and %s would do", text, rounded);
    snprintf(rounded, sizeof rounded, "%.*e", n > 1 ? n - 1 : 0, x);
    significant_digits(rounded, others);
    if (back(rounded) == x && strcmp(digits, others) != 0)
        fail_msg("%s, and %s is nearer", text, rounded);
}

static void doubles_are_written_shortest(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < numbers_of_a_kind; i++) {
        char text[OKRA_REAL_TEXT];
        double x = draw_double(i);
        size_t length = okra_format_real(x, text);
        assert_int_equal(length, strlen(text));
        check_shortest(x, text, back_double);
    }
}

static void floats_are_written_shortest(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < numbers_of_a_kind; i++) {
        char text[OKRA_REAL_TEXT];
        float x = draw_float(i);
        size_t length = okra_format_real_f32(x, text);
        assert_int_equal(length, strlen(text));
        check_shortest((double)x, text, back_float);
    }
}

/* Every power of two and its neighbours: the interval that rounds to it is lopsided. */
static void powers_of_two_are_written_shortest(void **state)
{
    (void)state;
    char text[OKRA_REAL_TEXT];
    for (int e = -1074; e <= 1023; e++) {
        double x = ldexp(1, e), near[] = {x, nextafter(x, 0), nextafter(x, (double)INFINITY)};
        for (size_t j = 0; j < COUNT_OF(near); j++) {
            okra_format_real(near[j], text);
            check_shortest(near[j], text, back_double);
        }
    }
    for (int e = -149; e <= 127; e++) {
        okra_format_real_f32(ldexpf(1, e), text);
        check_shortest(ldexp(1, e), text, back_float);
    }
}

/* ---- what is a number ---------------------------------------------------------------------------------------- */

static void what_reads_as_a_number(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good[] = {{"0", 0},
                {"+1.5", 1.5},
                {"-.5", -0.5},
                {"2.", 2},
                {"1e3", 1000},
                {"1E-3", 0.001},
                {"1e-400", 0},
                {"1e-99999999999999999999", 0},
                {"0e99999999999999999999", 0},
                {"1.50000000000000000000000000000e0", 1.5},
                {"00000000000000000000000000000000012", 12},
                {"-000000000000000000000000000000.000000001e9", -1},
                {"1000000000000000000000000000000e-30", 1}};
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
        {"1e99999999999999999999", OKRA_NUMBER_LARGE},
        {"1.7976931348623159e308", OKRA_NUMBER_LARGE},
        {"0x10", OKRA_NUMBER_TEXT},
        {"0x1p3", OKRA_NUMBER_TEXT},
        {"nan(1)", OKRA_NUMBER_TEXT},
        {"1.5m", OKRA_NUMBER_TEXT},
        {"1 2", OKRA_NUMBER_TEXT},
        {"1.2.3", OKRA_NUMBER_TEXT},
        {"--1", OKRA_NUMBER_TEXT},
        {"e5", OKRA_NUMBER_TEXT},
        {"1e", OKRA_NUMBER_TEXT},
        {"1e+", OKRA_NUMBER_TEXT},
        {"1e5.", OKRA_NUMBER_TEXT},
        {"1234567/", OKRA_NUMBER_TEXT},
        {"1234567:", OKRA_NUMBER_TEXT},
        {"-", OKRA_NUMBER_TEXT},
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

int main(int argc, char **argv)
{
    if (argc > 1)
        numbers_of_a_kind = 1000000 * (uint32_t)strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_numbers),
        cmocka_unit_test(numbers_that_are_not_finite),
        cmocka_unit_test(a_number_of_digits),
        cmocka_unit_test(doubles_read_as_strtod_reads_them),
        cmocka_unit_test(digits_read_as_strtod_reads_them),
        cmocka_unit_test(middles_read_as_strtod_reads_them),
        cmocka_unit_test(short_middles_read_as_strtod_reads_them),
        cmocka_unit_test(doubles_are_written_shortest),
        cmocka_unit_test(floats_are_written_shortest),
        cmocka_unit_test(powers_of_two_are_written_shortest),
        cmocka_unit_test(what_reads_as_a_number),
        cmocka_unit_test(what_does_not),
        cmocka_unit_test(the_locale_does_not_matter),
    };
    return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
