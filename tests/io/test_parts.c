/*
 * Files read in parts: for any number of them, every row is in exactly one, and what comes before a part is what comes
 * before it in the file.
 */
#include "check.h"

#include <okra/io.h>
#include <unistd.h>

enum { ROWS = 97, COLUMNS = 2, MAX_PARTS = 120 };

static char path[64];

static int make_path(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/okra-parts-%d", (int)getpid());
    return 0;
}

static int remove_path(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

static double cell(size_t row, size_t column) { return (double)row + 0.25 * (double)column; }

/* Lines of different lengths, some blank, some comments; `ending` is what ends a line. */
static void write_text(bool header, const char *ending, bool last_ending)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    if (header)
        fprintf(file, "# about\na,b%s", ending);
    for (size_t r = 0; r < ROWS; r++) {
        if (r % 7 == 3)
            fprintf(file, "%s  %s# between rows, 1,2%s", ending, ending, ending);
        fprintf(file, "%*s%g,%.*f%s", (int)(r % 11), "", cell(r, 0), 2 + (int)(r % 13), cell(r, 1),
                r + 1 < ROWS || last_ending ? ending : "");
    }
    assert_int_equal(fclose(file), 0);
}

static okra_table *open_as(const char *format)
{
    okra_table *reader;
    okra_message why;
    okra_table_options options = {.format = format, .columns = COLUMNS};
    if (okra_table_open(path, &options, &reader, &why))
        fail_msg("%s", why.text);
    return reader;
}

/* Reads a part whose first row, without those before it, should be *row; moves *row on to the next part's. */
static void read_part(const char *format, size_t part, size_t parts, size_t before, size_t *row)
{
    okra_table *reader = open_as(format);
    okra_message why;
    size_t ahead;
    double values[COLUMNS];
    if (okra_table_part(reader, part, parts, before, &ahead, &why))
        fail_msg("%s", why.text);
    assert_int_equal(ahead, part == 0 ? 0 : before < *row ? before : *row);
    size_t at = *row - ahead;
    for (bool more = true;;) {
        if (okra_table_next(reader, values, &more, &why))
            fail_msg("%s", why.text);
        if (!more)
            break;
        for (size_t c = 0; c < COLUMNS; c++)
            if (values[c] != cell(at, c))
                fail_msg("part %zu of %zu, %zu before: %g where row %zu has %g", part, parts, before, values[c], at,
                         cell(at, c));
        at++;
    }
    assert_true(at >= *row);
    *row = at;
    okra_table_close(reader);
}

static void read_all_parts(const char *format)
{
    for (size_t before = 0; before < 40; before = 3 * before + 1)
        for (size_t parts = 1; parts <= MAX_PARTS; parts += 1 + parts / 9) {
            size_t row = 0;
            for (size_t part = 0; part < parts; part++)
                read_part(format, part, parts, before, &row);
            assert_int_equal(row, ROWS);
        }
}

static void text_is_read_in_parts(void **state)
{
    (void)state;
    for (int shape = 0; shape < 8; shape++) {
        write_text(shape & 1, shape & 2 ? "\r\n" : "\n", shape & 4);
        read_all_parts("csv");
    }
}

static void binary_files_are_read_in_parts(void **state)
{
    (void)state;
    static const char *const formats[] = {"npy", "f64", "f32"};
    for (size_t f = 0; f < COUNT_OF(formats); f++) {
        okra_writer *writer;
        okra_writer_options options = {.format = formats[f], .columns = COLUMNS};
        assert_ok(okra_writer_open(path, &options, &writer, NULL));
        for (size_t r = 0; r < ROWS; r++)
            assert_ok(okra_writer_row(writer, (double[]){cell(r, 0), cell(r, 1)}, NULL, NULL));
        assert_ok(okra_writer_close(writer, NULL));
        read_all_parts(formats[f]);
    }
}

/* In one column blank lines are rows, but for those that the file ends with: each is in one part, too. */
static size_t read_column(size_t part, size_t parts, size_t before, double *rows)
{
    okra_table *reader;
    size_t ahead, n = 0, own = 0;
    double value;
    bool more;
    assert_ok(okra_table_open(path, NULL, &reader, NULL));
    assert_ok(okra_table_part(reader, part, parts, before, &ahead, NULL));
    while (okra_table_next(reader, &value, &more, NULL) == OKRA_OK && more)
        if (n++ >= ahead)
            rows[own++] = value;
    okra_table_close(reader);
    return own;
}

static void blank_lines_are_read_in_parts(void **state)
{
    (void)state;
    for (int shape = 0; shape < 4; shape++) {
        FILE *file = fopen(path, "w");
        const char *ending = shape & 1 ? "\r\n" : "\n";
        fprintf(file, "y%s", ending);
        for (size_t r = 0; r < ROWS; r++)
            if (r % 7 < 3 && r + 1 < ROWS)
                fputs(ending, file);
            else
                fprintf(file, "%.*f%s", (int)(r % 5), (double)r, ending);
        for (int k = 0; shape & 2 && k < 20; k++)
            fputs(ending, file);
        assert_int_equal(fclose(file), 0);
        for (size_t parts = 1; parts <= MAX_PARTS; parts++)
            for (size_t before = 0; before <= 6; before += 3) {
                double rows[2 * ROWS] = {0};
                size_t n = 0;
                for (size_t part = 0; part < parts; part++)
                    n += read_column(part, parts, before, rows + n);
                assert_int_equal(n, ROWS);
                for (size_t r = 0; r < ROWS; r++)
                    if (r % 7 < 3 && r + 1 < ROWS ? !isnan(rows[r]) : rows[r] != (double)r)
                        fail_msg("%zu parts, %zu before: %g in row %zu", parts, before, rows[r], r);
            }
    }
}

/* Lines longer than what is read at a time, so that a part may be within one. */
static void long_lines_are_read_in_parts(void **state)
{
    (void)state;
    FILE *file = fopen(path, "w");
    for (size_t r = 0; r < ROWS; r++)
        fprintf(file, "%g,%*s%g\n", cell(r, 0), r % 10 == 0 ? 200000 : 3, "", cell(r, 1));
    assert_int_equal(fclose(file), 0);
    for (size_t parts = 1; parts <= 41; parts += 10) {
        size_t row = 0;
        for (size_t part = 0; part < parts; part++)
            read_part("csv", part, parts, 5, &row);
        assert_int_equal(row, ROWS);
    }
}

/* Fewer bytes than parts, with and without what may come before the first row. */
static void tiny_texts_are_read_in_parts(void **state)
{
    (void)state;
    static const char *const texts[] = {"0,0.25\n", "0,0.25", "0,0.25\n1,1.25\n", "a,b\n0,0.25\n",
                                        "\357\273\2770,0.25\n1,1.25\n"}; /* a byte order mark */
    static const size_t rows[] = {1, 1, 2, 1, 2};
    for (size_t t = 0; t < COUNT_OF(texts); t++) {
        FILE *file = fopen(path, "w");
        assert_true(fputs(texts[t], file) >= 0);
        assert_int_equal(fclose(file), 0);
        for (size_t parts = 1; parts < 60; parts++) {
            size_t row = 0;
            for (size_t part = 0; part < parts; part++)
                read_part("csv", part, parts, 1, &row);
            assert_int_equal(row, rows[t]);
        }
    }
}

static void a_bad_row_is_named_by_its_place(void **state)
{
    (void)state;
    FILE *file = fopen(path, "w");
    fputs("a,b\n1,2\n3,4\n5,x\n7,8\n", file);
    assert_int_equal(fclose(file), 0);
    okra_table *reader = open_as("csv");
    okra_message why;
    double values[COLUMNS];
    bool more;
    size_t ahead;
    assert_ok(okra_table_part(reader, 1, 2, 0, &ahead, &why));
    assert_status(okra_table_next(reader, values, &more, &why), OKRA_E_FORMAT);
    assert_non_null(strstr(why.text, "(from byte 12):1: column 2 (b): 'x' is not a number"));
    assert_ok(okra_table_next(reader, values, &more, &why));
    assert_true(more && values[0] == 7);
    okra_table_close(reader);
}

static void what_cannot_be_parted_is_refused(void **state)
{
    (void)state;
    okra_message why;
    okra_table *reader;
    size_t ahead;
    double values[COLUMNS];
    bool more;
    write_text(true, "\n", true);
    reader = open_as("csv");
    assert_status(okra_table_part(reader, 2, 2, 0, &ahead, &why), OKRA_E_PARAMETER);
    assert_ok(okra_table_next(reader, values, &more, &why));
    assert_status(okra_table_part(reader, 0, 2, 0, &ahead, &why), OKRA_E_PARAMETER);
    okra_table_close(reader);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "1,2\n", 4), 4);
    snprintf(why.text, sizeof why.text, "/dev/fd/%d", ends[0]);
    assert_ok(okra_table_open(why.text, NULL, &reader, NULL));
    assert_status(okra_table_part(reader, 1, 2, 0, &ahead, &why), OKRA_E_FORMAT);
    assert_non_null(strstr(why.text, "regular file"));
    okra_table_close(reader);
    close(ends[0]), close(ends[1]);
}

static void arrays_stored_by_columns_are_refused(void **state)
{
    (void)state;
    static const char dictionary[] = "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 2), }";
    double numbers[6] = {0, 1, 2, 3, 4, 5};
    okra_message why;
    okra_table *reader;
    size_t ahead;
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite("\x93NUMPY\x01\0\x76\0", 1, 10, file); /* 118 bytes of dictionary */
    fprintf(file, "%-117s\n", dictionary);
    assert_int_equal(fwrite(numbers, sizeof *numbers, 6, file), 6);
    assert_int_equal(fclose(file), 0);
    reader = open_as("npy");
    assert_status(okra_table_part(reader, 0, 2, 0, &ahead, &why), OKRA_E_FORMAT);
    assert_non_null(strstr(why.text, "ascontiguousarray"));
    okra_table_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_read_in_parts),
        cmocka_unit_test(binary_files_are_read_in_parts),
        cmocka_unit_test(blank_lines_are_read_in_parts),
        cmocka_unit_test(long_lines_are_read_in_parts),
        cmocka_unit_test(tiny_texts_are_read_in_parts),
        cmocka_unit_test(a_bad_row_is_named_by_its_place),
        cmocka_unit_test(what_cannot_be_parted_is_refused),
        cmocka_unit_test(arrays_stored_by_columns_are_refused),
    };
    return cmocka_run_group_tests_name("parts", tests, make_path, remove_path);
}
