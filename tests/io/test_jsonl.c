/* Lines of JSON as rows, and rows as lines of JSON. Every test works in a fresh directory. */
#include "tables.h"

#include <unistd.h>

static const okra_table_options jsonl = {.format = "jsonl"};

static okra_table *open_lines(const char *text) { return open_as(text, jsonl); }

static void expect_names(const okra_table *reader, size_t n, const char *const *names)
{
    assert_int_equal(okra_table_get(reader)->columns, n);
    for (size_t c = 0; c < n; c++)
        assert_string_equal(okra_table_column_name(reader, c), names[c]);
}

static void expect_no_lines(const char *text, const char *part)
{
    okra_table *reader;
    okra_message why;
    write_bytes(table_path, text, strlen(text));
    assert_status(okra_table_open(table_path, &jsonl, &reader, &why), OKRA_E_FORMAT);
    assert_null(reader);
    if (!strstr(why.text, part))
        fail_msg("no '%s' in: %s", part, why.text);
}

static void nested_values_are_columns(void **state)
{
    (void)state;
    static const char *const names[] = {"a.b", "a.c.0", "a.c.1.d", "v.0.0", "v.1.0", "x y", "n"};
    okra_table *reader =
        open_lines("{\"a\":{\"b\":1,\"c\":[2,{\"d\":3}]},\"v\":[[4],[5]],\"x y\":6,\"n\":null,\"e\":{}}\n"
                   "{\"n\":7,\"a\":{\"c\":[8,{\"d\":9}],\"b\":10}}\n");
    expect_names(reader, COUNT_OF(names), names);
    expect_row(reader, ROW(1, 2, 3, 4, 5, 6, GAP));
    expect_row(reader, ROW(10, 8, 9, GAP, GAP, GAP, 7));
    expect_end(reader);
}

static void values_are_numbers(void **state)
{
    (void)state;
    okra_table *reader = open_lines("\xEF\xBB\xBF{\"a\":true,\"b\":false,\"c\":\" 1.5 \",\"d\":-2e3}\r\n\n  \n"
                                    " {\"a\" : \"\", \"b\":\"nan\", \"c\":0.1, \"d\":\"\\u0031\"} \n{}");
    expect_row(reader, ROW(1, 0, 1.5, -2000));
    expect_row(reader, ROW(GAP, GAP, 0.1, 1));
    assert_int_equal(okra_table_get(reader)->line, 4);
    expect_row(reader, ROW(GAP, GAP, GAP, GAP));
    expect_end(reader);
}

static void wrong_values_are_refused(void **state)
{
    (void)state;
    okra_table *reader =
        open_lines("{\"a\":1,\"y\":2}\n{\"a\":\"monday\",\"y\":2}\n{\"a\":1e999,\"y\":2}\n{\"a\":1,\"y\":\"inf\"}\n"
                   "{\"a\":1,\"a\":2}\n[1,2]\n{\"a\":1,\n3\n{\"a\":1,\"y\":[1]}\n{\"a\":5,\"y\":6}\n");
    expect_row(reader, ROW(1, 2));
    expect_refusal(reader, 2, "column 1 (a): 'monday' is not a number: correct it", "make it null");
    expect_refusal(reader, 3, "column 1 (a): '1e999' is too large", "");
    expect_refusal(reader, 4, "column 2 (y): 'inf' is not finite", "");
    expect_refusal(reader, 5, "'a' is there twice: rename one", "");
    expect_refusal(reader, 6, "is not a JSON object: write a row as {\"x\":1,\"y\":2}", "");
    expect_refusal(reader, 7, "byte 8: cannot be read as JSON: a line must be one JSON object, as in jq -c .", "");
    expect_refusal(reader, 8, "is not a JSON object", "");
    expect_refusal(reader, 9, "'y.0' is not in the first object", "");
    expect_row(reader, ROW(5, 6));
    expect_end(reader);
}

/* A name that comes later is refused, unless columns were chosen: then it does not matter. */
static void later_names(void **state)
{
    (void)state;
    static const char lines[] = "{\"t\":\"noon\",\"a\":1}\n{\"t\":\"one\",\"b\":{\"c\":3},\"a\":2}\n";
    okra_table *reader = open_lines(lines);
    static const bool both[] = {true, true}, second[] = {false, true};
    assert_ok(okra_table_use(reader, both));
    expect_refusal(reader, 1, "column 1 (t): 'noon' is not a number", "or leave its column out");
    okra_table_close(reader);
    reader = open_lines("{\"a\":1}\n{\"a\":2,\"b\":3}\n");
    expect_row(reader, ROW(1));
    expect_refusal(reader, 2, "'b' is not in the first object, which names the columns: add it there", "as null");
    expect_end(reader);
    reader = open_lines(lines);
    assert_ok(okra_table_use(reader, second));
    expect_row(reader, ROW(GAP, 1));
    expect_row(reader, ROW(GAP, 2));
    char text[8];
    assert_int_equal(okra_table_text(reader, 0, text, sizeof text), 3);
    assert_string_equal(text, "one");
    assert_int_equal(okra_table_text(reader, 1, text, sizeof text), 1);
    assert_string_equal(text, "2");
    expect_end(reader);
}

static void texts_are_as_written(void **state)
{
    (void)state;
    okra_table *reader = open_lines("{\"a\":true,\"b\":\"x\\\"y\",\"c\":null,\"d\":1.50}\n");
    static const char *const texts[] = {"true", "x\"y", "", "1.50"};
    static const bool none[4] = {false};
    assert_ok(okra_table_use(reader, none));
    expect_row(reader, ROW(GAP, GAP, GAP, GAP));
    for (size_t c = 0; c < COUNT_OF(texts); c++) {
        char text[8], short_text[3];
        assert_int_equal(okra_table_text(reader, c, text, sizeof text), strlen(texts[c]));
        assert_string_equal(text, texts[c]);
        assert_int_equal(okra_table_text(reader, c, short_text, sizeof short_text), strlen(texts[c]));
        assert_int_equal(strncmp(short_text, texts[c], 2), 0);
    }
    expect_end(reader);
}

static void what_is_no_first_object(void **state)
{
    (void)state;
    expect_no_lines("", "table: is empty: it needs rows, each a JSON object on a line");
    expect_no_lines("\n \n", "is empty");
    expect_no_lines("{}\n", "table:1: names no values: the first object names the columns");
    expect_no_lines("\n{\n\"a\":1}\n",
                    "table:2: byte 2: cannot be read as JSON: a line must be one JSON object, as in jq -c .");
    expect_no_lines("a,y\n1,2\n", "table:1: byte 1: cannot be read as JSON");
    expect_no_lines("{\"a\":{\"b\":1},\"a.b\":2}\n", "table:1: has the name 'a.b' twice: rename one");
    expect_no_lines("{\"a\":[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}\n", "nested too deeply");
}

/* By its first bytes, also from a pipe; a row is there as soon as its line has come. */
static void pipes_are_recognised(void **state)
{
    (void)state;
    int ends[2];
    char name[32];
    okra_table *reader;
    assert_int_equal(pipe(ends), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    assert_int_equal(write(ends[1], "{\"a\":1}\n", 8), 8);
    assert_ok(okra_table_open(name, NULL, &reader, NULL));
    assert_string_equal(okra_table_get(reader)->format->name, "jsonl");
    expect_row(reader, ROW(1));
    assert_int_equal(write(ends[1], "{\"a\":2}\n{\"a", 11), 11);
    expect_row(reader, ROW(2));
    assert_int_equal(write(ends[1], "\":3}", 4), 4);
    close(ends[1]);
    expect_row(reader, ROW(3));
    expect_end(reader);
    close(ends[0]);
}

static void rows_are_skipped(void **state)
{
    (void)state;
    okra_table *reader = open_lines("{\"a\":1}\nbroken\n\n{\"a\":3}\n{\"a\":4}\n");
    assert_ok(okra_table_skip(reader, 3, NULL));
    expect_row(reader, ROW(4));
    assert_int_equal(okra_table_get(reader)->line, 5);
    assert_status(okra_table_skip(reader, 1, NULL), OKRA_E_FORMAT);
    okra_table_close(reader);
}

/* ---- the writer ---------------------------------------------------------------------------------------------- */

static void expect_file(const char *path, const char *wanted)
{
    char bytes[512] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    bytes[fread(bytes, 1, sizeof bytes - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(bytes, wanted);
}

static void rows_are_objects(void **state)
{
    (void)state;
    static const char *const names[] = {"n", "a.\"b", "y", "t"};
    okra_writer *writer;
    okra_writer_options o = {.columns = 4, .texts = 1, .names = names, .numbered = true, .digits = 3};
    assert_ok(okra_writer_open("p.jsonl", &o, &writer, NULL));
    assert_ok(okra_writer_row(writer, ROW(123456, 0.12345, GAP), "a\"\n", NULL));
    assert_ok(okra_writer_flush(writer, true, NULL));
    uint64_t bytes = okra_writer_get(writer)->bytes;
    assert_ok(okra_writer_row(writer, ROW(2, (double)INFINITY, 1), "", NULL));
    assert_ok(okra_writer_close(writer, NULL));
    static const char first[] = "{\"n\":123456,\"a.\\\"b\":0.123,\"y\":null,\"t\":\"a\\\"\\n\"}\n";
    char wanted[256];
    snprintf(wanted, sizeof wanted, "%s%s", first, "{\"n\":2,\"a.\\\"b\":null,\"y\":1,\"t\":null}\n");
    expect_file("p.jsonl", wanted);
    o.append_at = bytes; /* goes on after the first */
    assert_ok(okra_writer_open("p.jsonl", &o, &writer, NULL));
    assert_ok(okra_writer_row(writer, ROW(3, 1, 2), "z", NULL));
    assert_ok(okra_writer_close(writer, NULL));
    snprintf(wanted, sizeof wanted, "%s%s", first, "{\"n\":3,\"a.\\\"b\":1,\"y\":2,\"t\":\"z\"}\n");
    expect_file("p.jsonl", wanted);
    o.append_at = bytes - 1;
    assert_status(okra_writer_open("p.jsonl", &o, &writer, NULL), OKRA_E_FORMAT);
}

static void what_is_written_reads_back(void **state)
{
    (void)state;
    okra_writer *writer;
    okra_table *reader;
    okra_writer_options o = {.columns = 2}; /* without names */
    assert_ok(okra_writer_open("q.ndjson", &o, &writer, NULL));
    assert_ok(okra_writer_row(writer, ROW(0.1, GAP), NULL, NULL));
    assert_ok(okra_writer_row(writer, ROW(-1e-300, 5e-324), NULL, NULL));
    assert_ok(okra_writer_close(writer, NULL));
    assert_ok(okra_table_open("q.ndjson", NULL, &reader, NULL));
    static const char *const names[] = {"1", "2"};
    expect_names(reader, 2, names);
    expect_row(reader, ROW(0.1, GAP));
    expect_row(reader, ROW(-1e-300, 5e-324));
    expect_end(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nested_values_are_columns), cmocka_unit_test(values_are_numbers),
        cmocka_unit_test(wrong_values_are_refused),  cmocka_unit_test(later_names),
        cmocka_unit_test(texts_are_as_written),      cmocka_unit_test(what_is_no_first_object),
        cmocka_unit_test(pipes_are_recognised),      cmocka_unit_test(rows_are_skipped),
        cmocka_unit_test(rows_are_objects),          cmocka_unit_test(what_is_written_reads_back),
    };
    return cmocka_run_group_tests_name("jsonl", tests, enter_directory, leave_directory);
}
