/*
 * Numbers as bytes: NPY files and raw ones. The headers are written out here as numpy.lib.format describes them, and
 * the numbers are stored a byte at a time.
 */
#include "files.h"
#include "rows.h"

#include <fcntl.h>
#include <unistd.h>

#include <okra/io.h>

static char path[64];

static int remove_file(void **state)
{
    (void)state;
    return *path ? unlink(path) : 0;
}

/* ---- making files -------------------------------------------------------------------------------------------- */

typedef struct bytes {
    char text[8192];
    size_t length;
} bytes;

static void add(bytes *b, const void *more, size_t length)
{
    assert_true(b->length + length <= sizeof b->text);
    memcpy(b->text + b->length, more, length);
    b->length += length;
}

/* Magic string, version, length of the dictionary in 2 or 4 bytes; the dictionary ends in a line end at a multiple of
 * 64. */
static bytes npy(int version, const char *dictionary)
{
    bytes b = {.length = 0};
    size_t start = version == 1 ? 10 : 12, length = strlen(dictionary) + 1;
    length += (64 - (start + length) % 64) % 64;
    char head[12] = {'\x93', 'N', 'U', 'M', 'P', 'Y', (char)version, 0, (char)(length & 255), (char)(length >> 8)};
    add(&b, head, start);
    add(&b, dictionary, strlen(dictionary));
    while (b.length + 1 < start + length)
        add(&b, " ", 1);
    add(&b, "\n", 1);
    assert_int_equal(b.length % 64, 0);
    return b;
}

static void add_bits(bytes *b, uint64_t bits, size_t size, bool big_endian)
{
    for (size_t i = 0; i < size; i++) {
        char byte = (char)(bits >> 8 * (big_endian ? size - 1 - i : i));
        add(b, &byte, 1);
    }
}

static void add_f64(bytes *b, double x, bool big_endian)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    add_bits(b, bits, sizeof bits, big_endian);
}

static void add_f32(bytes *b, float x, bool big_endian)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    add_bits(b, bits, sizeof bits, big_endian);
}

static void save(const char *name, const bytes *b)
{
    snprintf(path, sizeof path, "%s", name);
    write_bytes(path, b->text, b->length);
}

/* ---- reading them -------------------------------------------------------------------------------------------- */

static okra_table *open_as(okra_table_options options)
{
    okra_table *reader;
    okra_message why;
    if (okra_table_open(path, &options, &reader, &why))
        fail_msg("%s", why.text);
    return reader;
}

static okra_table *open_guessing(void) { return open_as((okra_table_options){0}); }

static void expect_refusal(okra_table *reader, const char *part)
{
    double row[16];
    bool more;
    okra_message why;
    assert_status(okra_table_next(reader, row, &more, &why), OKRA_E_FORMAT);
    if (!strstr(why.text, part) || !strstr(why.text, okra_table_get(reader)->path))
        fail_msg("no '%s' in: %s", part, why.text);
}

static void expect_no_reader(okra_table_options options, const char *part)
{
    okra_table *reader = (okra_table *)1;
    okra_message why;
    assert_status(okra_table_open(path, &options, &reader, &why), OKRA_E_FORMAT);
    assert_null(reader);
    if (!strstr(why.text, part) || !strstr(why.text, path))
        fail_msg("no '%s' in: %s", part, why.text);
}

/* ---- NPY ----------------------------------------------------------------------------------------------------- */

static void both_sizes_and_both_byte_orders(void **state)
{
    (void)state;
    static const char *const types[] = {"<f8", ">f8", "<f4", ">f4", "=f8", "|f8", "f4"};
    bool host_is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        char dictionary[128];
        bool wide = strchr(types[i], '8'), swapped = strchr(types[i], '>'),
             big = strchr("<>", types[i][0]) ? swapped : host_is_big;
        snprintf(dictionary, sizeof dictionary, "{'descr': '%s', 'fortran_order': False, 'shape': (2, 3), }", types[i]);
        bytes b = npy(1 + (int)(i % 3), dictionary);
        const double values[] = {1, -0.1, 1e-300, (double)NAN, 5e300, 2.5};
        for (size_t k = 0; k < 6; k++)
            if (wide)
                add_f64(&b, values[k], big);
            else
                add_f32(&b, k == 4 ? 6.0f : (float)values[k], big);
        save("both.npy", &b);
        okra_table *reader = open_guessing();
        assert_int_equal(okra_table_get(reader)->columns, 3);
        assert_null(okra_table_column_name(reader, 0));
        expect_row(reader, wide ? ROW(1, -0.1, 1e-300) : ROW(1, (double)-0.1f, 0));
        assert_near(okra_table_progress(reader), 0.5, 1e-12);
        assert_int_equal(okra_table_get(reader)->line, 1);
        expect_row(reader, wide ? ROW(GAP, 5e300, 2.5) : ROW(GAP, 6, 2.5));
        assert_int_equal(okra_table_get(reader)->rows, 2);
        expect_end(reader);
    }
}

/* The lowest and the highest of each type, and a few between, by the definition of two's complement. */
static void whole_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *descr;
        size_t bytes;
        double lowest, highest; /* of those that a double tells from their neighbours */
    } types[] = {
        {"|b1", 1, 0, 1},
        {"|u1", 1, 0, 255},
        {"|i1", 1, -128, 127},
        {"<u2", 2, 0, 65535},
        {">u2", 2, 0, 65535},
        {"<i2", 2, -32768, 32767},
        {">i2", 2, -32768, 32767},
        {"<u4", 4, 0, 0x1p32 - 1},
        {">u4", 4, 0, 0x1p32 - 1},
        {"<i4", 4, -0x1p31, 0x1p31 - 1},
        {"<u8", 8, 0, 0x1p53},
        {"<i8", 8, -0x1p53, 0x1p53},
        {">i8", 8, -0x1p53, 0x1p53},
        {">i4", 4, -0x1p31, 0x1p31 - 1},
    };
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        char dictionary[128];
        snprintf(dictionary, sizeof dictionary, "{'descr': '%s', 'fortran_order': %s, 'shape': (2, 2), }",
                 types[i].descr, i % 2 ? "True" : "False");
        const double values[] = {types[i].lowest, types[i].highest, 1, types[i].lowest < 0 ? -1 : 0};
        bytes b = npy(1, dictionary);
        for (size_t k = 0; k < 4; k++)
            add_bits(&b, (uint64_t)(int64_t)values[k], types[i].bytes, types[i].descr[0] == '>');
        save("whole.npy", &b);
        okra_table *reader = open_guessing();
        expect_row(reader, ROW(values[0], values[i % 2 ? 2 : 1]));
        expect_row(reader, ROW(values[i % 2 ? 1 : 2], values[3]));
        expect_end(reader);
    }
}

/* Never rounded in silence. */
static void whole_numbers_beyond_a_double(void **state)
{
    (void)state;
    static const char *const descr[] = {"<i8", "<u8"};
    static const uint64_t beyond[][3] = {
        {(UINT64_C(1) << 53) + 1, -((UINT64_C(1) << 53) + 1), UINT64_C(1) << 63},
        {(UINT64_C(1) << 53) + 1, UINT64_C(1) << 63, UINT64_MAX},
    };
    for (size_t i = 0; i < 2; i++) {
        char dictionary[128];
        snprintf(dictionary, sizeof dictionary, "{'descr': '%s', 'fortran_order': False, 'shape': (4, 2), }", descr[i]);
        bytes b = npy(1, dictionary);
        for (size_t k = 0; k < 4; k++) {
            add_bits(&b, 7, 8, false);
            add_bits(&b, k < 3 ? beyond[i][k] : 8, 8, false);
        }
        save("beyond.npy", &b);
        okra_table *reader = open_guessing();
        for (int k = 1; k <= 3; k++) {
            char told[96];
            snprintf(told, sizeof told, "row %d: column 2: is beyond 2^53", k);
            expect_refusal(reader, told);
        }
        expect_row(reader, ROW(7, 8));
        expect_end(reader);
    }
}

/* As other programs write it, and Python 2 did: any order of keys, double quotes, no blanks, 3L. */
static void headers_of_other_programs(void **state)
{
    (void)state;
    static const char *const headers[] = {
        "{\"shape\":(3L,),\"descr\":\"<f8\",\"fortran_order\":False}",
        "{'fortran_order': True, 'shape': (3, 1), 'descr': '<f8'}",
        " { 'descr' : '<f8' , 'shape' : ( 3 , ) , 'fortran_order' : True } ",
    };
    for (size_t i = 0; i < COUNT_OF(headers); i++) {
        bytes b = npy(1, headers[i]);
        for (int k = 0; k < 3; k++)
            add_f64(&b, k, false);
        add(&b, "behind the array", 16); /* not ours */
        save("any.name", &b);
        okra_table *reader = open_guessing();
        assert_int_equal(okra_table_get(reader)->columns, 1);
        for (int k = 0; k < 3; k++)
            expect_row(reader, ROW(k));
        expect_end(reader);
        assert_int_equal(unlink(path), 0);
    }
    *path = '\0';
}

static bytes by_columns(size_t rows, size_t columns)
{
    char dictionary[128];
    snprintf(dictionary, sizeof dictionary, "{'descr': '<f4', 'fortran_order': True, 'shape': (%zu, %zu), }", rows,
             columns);
    bytes b = npy(1, dictionary);
    for (size_t c = 0; c < columns; c++)
        for (size_t r = 0; r < rows; r++)
            add_f32(&b, (float)(100 * r + c), false);
    return b;
}

static void arrays_in_fortran_order(void **state)
{
    (void)state;
    bytes b = by_columns(50, 3);
    save("f.npy", &b);
    okra_table *reader = open_guessing();
    for (int r = 0; r < 50; r++)
        expect_row(reader, ROW(100 * r, 100 * r + 1, 100 * r + 2));
    assert_near(okra_table_progress(reader), 1, 0);
    expect_end(reader);
    reader = open_guessing();
    expect_row(reader, ROW(0, 1, 2));
    assert_ok(okra_table_skip(reader, 40, NULL));
    assert_ok(okra_table_use(reader, (const bool[]){true, false, true}));
    expect_row(reader, ROW(4100, GAP, 4102));
    assert_int_equal(okra_table_get(reader)->line, 42);
    assert_status(okra_table_skip(reader, 9, NULL), OKRA_E_FORMAT);
    expect_end(reader);
}

/* More than fits a block of rows; written sparsely, so that most of it is zeros. */
static void arrays_in_fortran_order_of_any_size(void **state)
{
    (void)state;
    enum { ROWS = 300000, COLUMNS = 2 };
    char dictionary[128];
    snprintf(dictionary, sizeof dictionary, "{'descr': '<f8', 'fortran_order': True, 'shape': (%d, %d), }", ROWS,
             COLUMNS);
    bytes b = npy(1, dictionary), x = {.length = 0};
    add_f64(&x, 1.5, false);
    save("large.npy", &b);
    int fd = open(path, O_WRONLY);
    for (int r = 0; r < ROWS; r += 1000) /* in the second column */
        assert_int_equal(pwrite(fd, x.text, 8, (off_t)b.length + 8 * (ROWS + r)), 8);
    assert_int_equal(ftruncate(fd, (off_t)b.length + 8 * ROWS * COLUMNS), 0);
    assert_int_equal(close(fd), 0);
    okra_table *reader = open_guessing();
    for (int r = 0; r < ROWS; r++)
        expect_row(reader, ROW(0, r % 1000 ? 0 : 1.5));
    expect_end(reader);
}

static void arrays_that_are_no_table_of_floats(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"{'descr': '<f2', 'fortran_order': False, 'shape': (3,), }",
         "type '<f2': save float64 or float32, numpy.save"},
        {"{'descr': '<c16', 'fortran_order': False, 'shape': (3,), }", "array.astype(float)"},
        {"{'descr': '<i16', 'fortran_order': False, 'shape': (3,), }", "'<i16'"},
        {"{'descr': '<b2', 'fortran_order': False, 'shape': (3,), }", "'<b2'"},
        {"{'descr': '<f88', 'fortran_order': False, 'shape': (3,), }", "'<f88'"},
        {"{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (3,), }", "holds records"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (), }",
         "a single value: save rows, numpy.save(FILE, array.reshape(1))"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 1), }", "one or two dimensions, array.reshape(len"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 0), }", "rows of 0 numbers"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (0, 99999999999), }", "rows of 99999999999 numbers"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1152921504606846976, 2), }", "more rows than any file"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,), }", "makes no sense"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (-3,), }", "makes no sense"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3 3), }", "makes no sense"},
        {"{'descr': '<f8', 'fortran_order': 0, 'shape': (3,), }", "makes no sense"},
        {"{'descr': '<f8', 'shape': (3,), }", "makes no sense"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3,), 'more': 1}", "makes no sense"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3,), } }", "makes no sense"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3,)", "makes no sense"},
        {"{'descr': '<f8", "makes no sense"},
        {"", "makes no sense"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        bytes b = npy(1, bad[i][0]);
        for (int k = 0; k < 6; k++)
            add_f64(&b, k, false);
        save("bad.npy", &b);
        expect_no_reader((okra_table_options){0}, bad[i][1]);
    }
}

static void files_that_are_cut_short(void **state)
{
    (void)state;
    bytes b = npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }");
    size_t data = b.length;
    for (int k = 0; k < 6; k++)
        add_f64(&b, k, false);
    b.length = data + 4 * 8 + 3;
    save("short.npy", &b);
    expect_no_reader((okra_table_options){0}, "tells of 3 rows, and the file ends within row 3");
    b.length = data - 1;
    save("short.npy", &b);
    expect_no_reader((okra_table_options){0}, "ends within its NPY header");
    b.length = 7;
    save("short.npy", &b);
    expect_no_reader((okra_table_options){0}, "ends within its NPY header");
    b.length = 3;
    save("short.npy", &b);
    expect_no_reader((okra_table_options){0}, "does not begin as an NPY file");
    b = npy(4, "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }");
    save("short.npy", &b);
    expect_no_reader((okra_table_options){0}, "not known here");
}

static void numbers_that_are_not_finite(void **state)
{
    (void)state;
    bytes b = npy(2, "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }");
    const double values[] = {1, 2, (double)-INFINITY, (double)INFINITY, 5, 6};
    for (int k = 0; k < 6; k++)
        add_f64(&b, values[k], false);
    save("inf.npy", &b);
    okra_table *reader = open_guessing();
    expect_row(reader, ROW(1, 2));
    expect_refusal(reader, "row 2: column 1: is not finite");
    expect_row(reader, ROW(5, 6));
    assert_int_equal(okra_table_get(reader)->rows, 3);
    expect_end(reader);
    reader = open_guessing();
    assert_ok(okra_table_use(reader, (const bool[]){false, true}));
    expect_row(reader, ROW(GAP, 2));
    expect_refusal(reader, "row 2: column 2: is not finite");
    okra_table_close(reader);
}

static void an_array_without_rows(void **state)
{
    (void)state;
    bytes b = npy(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (0, 2), }");
    save("none.npy", &b);
    okra_table *reader = open_guessing();
    assert_int_equal(okra_table_get(reader)->columns, 2);
    expect_end(reader);
}

/* ---- pipes --------------------------------------------------------------------------------------------------- */

/* Opens a pipe that holds these bytes; path is its name. */
static int through_pipe(const bytes *b, int *writing)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], b->text, b->length), b->length);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    *writing = ends[1];
    return ends[0];
}

/* Each row as soon as its last byte is there; a reader that waited would hang. */
static void an_array_through_a_pipe(void **state)
{
    (void)state;
    int writing;
    bytes b = npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 2), }"), row = {.length = 0};
    add_f64(&b, 1, false);
    add_f64(&b, 2, false);
    alarm(20);
    int reading = through_pipe(&b, &writing);
    okra_table *reader = open_guessing();
    expect_row(reader, ROW(1, 2));
    assert_near(okra_table_progress(reader), 0.25, 1e-12);
    for (int k = 0; k < 5; k++)
        add_f64(&row, k, false);
    assert_int_equal(write(writing, row.text, row.length - 7), row.length - 7);
    assert_ok(okra_table_skip(reader, 1, NULL));
    expect_row(reader, ROW(2, 3));
    close(writing);
    expect_refusal(reader, "row 4: ends after 1 of its 16 bytes");
    alarm(0);
    expect_end(reader);
    close(reading);
    *path = '\0';
}

static void a_pipe_has_no_fortran_order(void **state)
{
    (void)state;
    int writing;
    bytes b = by_columns(3, 2);
    int reading = through_pipe(&b, &writing);
    expect_no_reader((okra_table_options){0}, "numpy.ascontiguousarray");
    close(reading);
    close(writing);
    *path = '\0';
}

/* ---- raw ----------------------------------------------------------------------------------------------------- */

static void raw_numbers(void **state)
{
    (void)state;
    bytes b = {.length = 0};
    for (int k = 0; k < 6; k++)
        add_f64(&b, k + 0.1, false);
    save("rows.f64", &b);
    okra_table *reader = open_as((okra_table_options){.columns = 3});
    expect_row(reader, ROW(0.1, 1.1, 2.1));
    assert_near(okra_table_progress(reader), 0.5, 1e-12);
    expect_row(reader, ROW(3.1, 4.1, 5.1));
    expect_end(reader);
    reader = open_guessing(); /* one column, where nobody says more */
    assert_ok(okra_table_skip(reader, 5, NULL));
    expect_row(reader, ROW(5.1));
    assert_int_equal(okra_table_get(reader)->line, 6);
    expect_end(reader);
    expect_no_reader((okra_table_options){.columns = 4}, "48 bytes are no whole number of rows of 32 bytes (4 columns");
    reader = open_as((okra_table_options){.format = "f32", .columns = 12}); /* asked for against the name */
    assert_int_equal(okra_table_get(reader)->columns, 12);
    okra_table_close(reader);
}

static void raw_floats(void **state)
{
    (void)state;
    bytes b = {.length = 0};
    for (int k = 0; k < 4; k++)
        add_f32(&b, k == 2 ? NAN : (float)k + 0.1f, false);
    save("rows.F32", &b);
    okra_table *reader = open_as((okra_table_options){.columns = 2});
    expect_row(reader, ROW((double)0.1f, (double)1.1f));
    expect_row(reader, ROW(GAP, (double)3.1f));
    expect_end(reader);
}

/* What is skipped is partly in the reader already, and partly still in the pipe. */
static void raw_numbers_through_a_pipe(void **state)
{
    (void)state;
    int writing;
    bytes b = {.length = 0}, later = {.length = 0};
    for (int k = 0; k < 5; k++)
        add_f64(&b, k, false);
    for (int k = 5; k < 11; k++)
        add_f64(&later, k, false);
    int reading = through_pipe(&b, &writing);
    okra_table *reader = open_as((okra_table_options){.format = "f64", .columns = 2});
    assert_true(okra_table_progress(reader) < 0);
    expect_row(reader, ROW(0, 1));
    assert_int_equal(write(writing, later.text, later.length), later.length);
    assert_ok(okra_table_skip(reader, 2, NULL));
    expect_row(reader, ROW(6, 7));
    expect_row(reader, ROW(8, 9));
    close(writing);
    expect_refusal(reader, "row 6: ends after 8 of its 16 bytes");
    expect_end(reader);
    close(reading);
    *path = '\0';
}

static void a_raw_file_that_does_not_say_of_what(void **state)
{
    (void)state;
    bytes b = {.length = 0};
    add_f64(&b, 1, false);
    save("rows.raw", &b);
    expect_no_reader((okra_table_options){0}, "give the format, one of f64, f32");
    okra_table *reader = open_as((okra_table_options){.format = "f64"});
    expect_row(reader, ROW(1));
    expect_end(reader);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, remove_file)
    const struct CMUnitTest tests[] = {
        TEST(both_sizes_and_both_byte_orders),
        TEST(whole_numbers),
        TEST(whole_numbers_beyond_a_double),
        TEST(headers_of_other_programs),
        TEST(arrays_in_fortran_order),
        TEST(arrays_in_fortran_order_of_any_size),
        TEST(arrays_that_are_no_table_of_floats),
        TEST(files_that_are_cut_short),
        TEST(numbers_that_are_not_finite),
        TEST(an_array_without_rows),
        TEST(an_array_through_a_pipe),
        TEST(a_pipe_has_no_fortran_order),
        TEST(raw_numbers),
        TEST(raw_floats),
        TEST(raw_numbers_through_a_pipe),
        TEST(a_raw_file_that_does_not_say_of_what),
    };
    return cmocka_run_group_tests_name("npy", tests, enter_directory, leave_directory);
}
