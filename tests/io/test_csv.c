/* The text reader: files as people and programs make them, endless input, and messages that find the fault. */
#include "tables.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/table.h"

/* ---- blank lines --------------------------------------------------------------------------------------------- */

/* In a single column a blank line is a missing value; in others it is none, nor where a file begins or ends. */
static void blank_lines_of_one_column_are_rows(void **state)
{
    (void)state;
    static const char *const endings[] = {"\n", "\r\n"};
    for (size_t k = 0; k < COUNT_OF(endings); k++)
        for (int header = 0; header < 2; header++) {
            static const char *const lines[] = {"", "y", "1", "", "# no row", "  ", "2", "3", "", "4", "", "", " "};
            char text[256] = "";
            for (size_t i = 0; i < COUNT_OF(lines); i++)
                if (i != 1 || header)
                    strcat(strcat(text, lines[i]), endings[k]);
            okra_table *reader = open_text(text);
            int line = header ? 3 : 2;
            expect_row(reader, ROW(1));
            assert_int_equal(okra_table_get(reader)->line, line);
            expect_row(reader, ROW(GAP));
            assert_int_equal(okra_table_get(reader)->line, line + 1);
            expect_row(reader, ROW(GAP));
            expect_row(reader, ROW(2));
            assert_int_equal(okra_table_get(reader)->line, line + 4);
            expect_row(reader, ROW(3));
            expect_row(reader, ROW(GAP));
            assert_int_equal(okra_table_get(reader)->line, line + 6);
            expect_row(reader, ROW(4));
            assert_int_equal(okra_table_get(reader)->rows, 7);
            expect_end(reader);
        }
    okra_table *reader = open_text("y\n\n1\n"); /* the first value is missing */
    expect_row(reader, ROW(GAP));
    expect_row(reader, ROW(1));
    expect_end(reader);
    reader = open_text("x,y\n1,2\n\n3,4\n");
    expect_row(reader, ROW(1, 2));
    expect_row(reader, ROW(3, 4));
    expect_end(reader);
    reader = open_text("y,\n1,\n\n2,\n"); /* a line that says nothing would have a separator */
    expect_row(reader, ROW(1));
    expect_row(reader, ROW(2));
    expect_end(reader);
    expect_end(open_text("y\n\n\n"));
}

static void blank_lines_have_no_text_and_are_skipped_as_rows(void **state)
{
    (void)state;
    char text[16] = "old";
    okra_table *reader = open_text("1\n\n2\n\n\n3\n");
    expect_row(reader, ROW(1));
    expect_row(reader, ROW(GAP));
    assert_int_equal(okra_table_text(reader, 0, text, sizeof text), 0);
    assert_string_equal(text, "");
    expect_row(reader, ROW(2));
    assert_int_equal(okra_table_text(reader, 0, text, sizeof text), 1);
    assert_ok(okra_table_skip(reader, 2, NULL));
    expect_row(reader, ROW(3));
    expect_end(reader);
}

/* What is behind them may be refused: they come first, and what follows is read. */
static void blank_lines_come_before_a_refusal(void **state)
{
    (void)state;
    okra_table *reader = open_text("1\n\n\"2\n\nfrog\n3\n");
    expect_row(reader, ROW(1));
    expect_row(reader, ROW(GAP));
    expect_refusal(reader, 3, "a quote", "never closed");
    expect_row(reader, ROW(GAP));
    expect_refusal(reader, 5, "column 1", "'frog' is not a number");
    expect_row(reader, ROW(3));
    expect_end(reader);
}

/* Of a pipe nobody knows whether more will come: a row is there at once, a blank line with the row behind it. */
static void blank_lines_of_a_pipe_wait_for_a_row(void **state)
{
    (void)state;
    int ends[2];
    char name[32];
    okra_table *reader;
    assert_int_equal(pipe(ends), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    assert_int_equal(write(ends[1], "y\n1\n\n", 5), 5);
    assert_ok(okra_table_open(name, NULL, &reader, NULL));
    expect_row(reader, ROW(1));
    assert_int_equal(write(ends[1], "\n2\n\n", 4), 4);
    expect_row(reader, ROW(GAP));
    expect_row(reader, ROW(GAP));
    expect_row(reader, ROW(2));
    close(ends[1]);
    expect_end(reader);
    close(ends[0]);
}

/* ---- columns ------------------------------------------------------------------------------------------------- */

static void a_header_names_the_columns(void **state)
{
    (void)state;
    okra_table *reader = open_text("x1, speed ,\"a \"\"b\"\", c\",\"two \"\"\nlines\",5\n1,2,3,4,5\n");
    assert_int_equal(okra_table_get(reader)->columns, 5);
    assert_string_equal(okra_table_column_name(reader, 0), "x1");
    assert_string_equal(okra_table_column_name(reader, 1), "speed");
    assert_string_equal(okra_table_column_name(reader, 2), "a \"b\", c");
    assert_string_equal(okra_table_column_name(reader, 3), "two \"\nlines");
    assert_string_equal(okra_table_column_name(reader, 4), "5");
    assert_null(okra_table_column_name(reader, 5));
    expect_row(reader, ROW(1, 2, 3, 4, 5));
    assert_int_equal(okra_table_get(reader)->line, 3);
    expect_end(reader);
}

static void numbers_alone_are_no_header(void **state)
{
    (void)state;
    okra_table *reader = open_text("1,2,nan,\n3,4,5,6\n");
    assert_int_equal(okra_table_get(reader)->columns, 4);
    assert_null(okra_table_column_name(reader, 0));
    expect_row(reader, ROW(1, 2, GAP, GAP));
    assert_int_equal(okra_table_get(reader)->line, 1);
    expect_row(reader, ROW(3, 4, 5, 6));
    expect_end(reader);
}

/* 1e400 is a number, though one that a double cannot hold: the row is told, not taken for a header. */
static void a_number_too_large_is_no_header(void **state)
{
    (void)state;
    okra_table *reader = open_text("1,1e400\n3,inf\n5,6\n");
    assert_null(okra_table_column_name(reader, 0));
    expect_refusal(reader, 1, "column 2", "'1e400' is too large for a double");
    expect_refusal(reader, 2, "column 2", "'inf' is not finite");
    expect_row(reader, ROW(5, 6));
    expect_end(reader);
}

static void a_header_alone_has_no_rows(void **state)
{
    (void)state;
    expect_end(open_text("x,y\n"));
    expect_end(open_text("x,y"));
}

/* Years would pass for data, and a row with a date for a header: the caller knows. */
static void a_header_as_the_caller_says(void **state)
{
    (void)state;
    okra_table *reader = open_as("2023,2024\n1,2\n", (okra_table_options){.header = OKRA_HEADER_YES});
    assert_string_equal(okra_table_column_name(reader, 1), "2024");
    expect_row(reader, ROW(1, 2));
    expect_end(reader);
    reader = open_as("monday,2\n1,2\n", (okra_table_options){.header = OKRA_HEADER_NO});
    assert_null(okra_table_column_name(reader, 0));
    expect_refusal(reader, 1, "column 1", "'monday' is not a number");
    expect_row(reader, ROW(1, 2));
    expect_end(reader);
    reader = open_as("monday,2\n1,2\n", (okra_table_options){.header = OKRA_HEADER_NO});
    assert_ok(okra_table_use(reader, (const bool[]){false, true}));
    expect_row(reader, ROW(GAP, 2));
    expect_row(reader, ROW(GAP, 2));
    expect_end(reader);
}

/* ---- separators ---------------------------------------------------------------------------------------------- */

static void tabs_separate_where_there_are_no_commas(void **state)
{
    (void)state;
    okra_table *reader = open_text("x\ta,b\n1\t2\n"); /* a comma: one column of text in CSV's eyes */
    assert_int_equal(okra_table_get(reader)->columns, 2);
    assert_string_equal(okra_table_column_name(reader, 0), "x\ta");
    okra_table_close(reader);
    reader = open_text("# a, b\n\nx\t\"a, b\"\t \"c\td\" \r\n 1 \t\t3\n\t\t\n4\t\"5\"\t6\n");
    assert_int_equal(okra_table_get(reader)->columns, 3);
    assert_string_equal(okra_table_column_name(reader, 1), "a, b");
    assert_string_equal(okra_table_column_name(reader, 2), "c\td");
    expect_row(reader, ROW(1, GAP, 3));
    assert_int_equal(okra_table_get(reader)->line, 4);
    expect_row(reader, ROW(GAP, GAP, GAP));
    expect_row(reader, ROW(4, 5, 6));
    expect_end(reader);
    reader = open_as("a, b\tx\n1\t2\n", (okra_table_options){.format = "tsv", .columns = 2});
    assert_string_equal(okra_table_column_name(reader, 0), "a, b");
    expect_row(reader, ROW(1, 2));
    expect_end(reader);
    reader = open_as("x\ty\n1\n", (okra_table_options){.format = "csv"});
    assert_int_equal(okra_table_get(reader)->columns, 1);
    okra_table_close(reader);
}

static void semicolons_separate_where_there_is_nothing_else(void **state)
{
    (void)state;
    okra_table *reader = open_text("x;\"a,b;c\"\n1;2\n1,5;2\n3;4\n");
    assert_int_equal(okra_table_get(reader)->columns, 2);
    assert_string_equal(okra_table_column_name(reader, 1), "a,b;c");
    expect_row(reader, ROW(1, 2));
    expect_refusal(reader, 3, "column 1 (x)", "'1,5' has a decimal comma: write decimals with a point");
    expect_row(reader, ROW(3, 4));
    expect_end(reader);
}

static void blanks_do_not_separate(void **state)
{
    (void)state;
    okra_table *reader;
    okra_message why;
    assert_status(open_bytes("# savetxt\n1 2  3\n", 17, &reader, &why), OKRA_E_FORMAT);
    assert_non_null(strstr(why.text, ":2: holds numbers separated by blanks: separate them by commas"));
    reader = open_text("car speed\n1\n"); /* a name */
    assert_int_equal(okra_table_get(reader)->columns, 1);
    expect_row(reader, ROW(1));
    expect_end(reader);
}

/* Not inside quotes, and not behind something. */
static void lines_that_begin_with_a_hash_are_comments(void **state)
{
    (void)state;
    okra_table *reader = open_text("# made, by \"hand\n#,\"\n\"#x\",y\n1,2\n  # \"3,4\n#\n5,6 # no\n7,8\n#");
    assert_string_equal(okra_table_column_name(reader, 0), "#x");
    expect_row(reader, ROW(1, 2));
    assert_int_equal(okra_table_get(reader)->line, 4);
    expect_refusal(reader, 7, "column 2 (y)", "'6 # no' is not a number");
    expect_row(reader, ROW(7, 8));
    expect_end(reader);
}

/* ---- rows ---------------------------------------------------------------------------------------------------- */

static void files_as_people_make_them(void **state)
{
    (void)state;
    okra_table *reader = open_text("\xEF\xBB\xBF\"x\",y\r\n\r\n 1 ,\t2\r\n   \n\"3\", \" 4 \" \r\n,\"\"\r\n\n5,6");
    assert_string_equal(okra_table_column_name(reader, 0), "x");
    expect_row(reader, ROW(1, 2));
    assert_int_equal(okra_table_get(reader)->line, 3);
    expect_row(reader, ROW(3, 4));
    expect_row(reader, ROW(GAP, GAP));
    expect_row(reader, ROW(5, 6));
    assert_int_equal(okra_table_get(reader)->line, 8);
    expect_end(reader);
}

static void every_bit_of_a_double_is_read(void **state)
{
    (void)state;
    okra_table *reader = open_text("0.1,-2.2250738585072014e-308,1.7976931348623157e308,4.9e-324\n");
    expect_row(reader, ROW(0.1, -DBL_MIN, DBL_MAX, 0x1p-1074));
    expect_end(reader);
}

static void a_bad_row_is_told_and_passed(void **state)
{
    (void)state;
    okra_table *reader = open_text("x,y\n1,two\n1\n1,2,3\n\"1\"2,3\n0x10,3\n1,2;3\nx\x01y,2\n7,8\n");
    expect_refusal(reader, 2, "column 2 (y)", "'two' is not a number");
    expect_refusal(reader, 3, "1 field where the header has 2", "complete");
    expect_refusal(reader, 4, "3 fields where the header has 2", "remove");
    expect_refusal(reader, 5, "column 1 (x)", "'\"1\"2' is not a number");
    expect_refusal(reader, 6, "column 1 (x)", "'0x10' is not a number");
    expect_refusal(reader, 7, "column 2 (y)", "'2;3' is not a number");
    expect_refusal(reader, 8, "column 1 (x)", "'x?y' is not a number");
    expect_row(reader, ROW(7, 8));
    expect_end(reader);
}

/* A value of any length is shown in part, and never in the middle of a character. */
static void a_long_value_is_cut_short(void **state)
{
    (void)state;
    char text[4096] = "x,y\n1,a";
    for (size_t i = 0; i < 500; i++)
        strcat(text, "\xC3\xA9");
    okra_table *reader = open_text(text);
    expect_refusal(reader, 2, "column 2 (y)", "\xC3\xA9...' is not a number: correct it");
    expect_end(reader);
}

static void columns_that_are_not_used_may_hold_anything(void **state)
{
    (void)state;
    okra_table *reader = open_text("day,x,note\n2024-01-01,1,\"a, b\nc\"\nmonday,2,1e400\nmonday,z,\n");
    assert_ok(okra_table_use(reader, (const bool[]){false, true, false}));
    expect_row(reader, ROW(GAP, 1, GAP));
    expect_row(reader, ROW(GAP, 2, GAP));
    expect_refusal(reader, 5, "column 2 (x)", "'z' is not a number");
    expect_end(reader);
}

static void a_quote_that_is_never_closed(void **state)
{
    (void)state;
    okra_table *reader = open_text("x,y\n1,\"2\n3,4\n");
    expect_refusal(reader, 2, "never closed", "quote");
    expect_row(reader, ROW(3, 4));
    expect_end(reader);
}

/* Writes a row with an open quote and many more, and keeps the pipe open: there is no end to wait for. */
static pid_t start_endless_stream(int *from, size_t rows)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        FILE *to = fdopen(ends[1], "w");
        fputs("x,y\n\"1,2\n", to);
        for (size_t i = 0; i < rows; i++)
            fputs("3,4\n", to);
        fflush(to);
        alarm(30); /* not for ever, where the test has died */
        pause();
        _exit(0);
    }
    close(ends[1]);
    *from = ends[0];
    return writer;
}

static void a_quote_that_is_never_closed_in_an_endless_stream(void **state)
{
    (void)state;
    enum { ROWS = 100000 };
    int from;
    pid_t writer = start_endless_stream(&from, ROWS);
    char name[32];
    snprintf(name, sizeof name, "/dev/fd/%d", from);
    okra_table *reader;
    double row[2];
    bool more;
    okra_message why;
    alarm(20);
    assert_ok(okra_table_open(name, NULL, &reader, NULL));
    assert_status(okra_table_next(reader, row, &more, &why), OKRA_E_FORMAT);
    assert_non_null(strstr(why.text, ":2: a quote"));
    for (size_t i = 0; i < ROWS; i++)
        expect_row(reader, ROW(3, 4));
    alarm(0);
    kill(writer, SIGKILL);
    waitpid(writer, NULL, 0);
    okra_table_close(reader);
    close(from);
}

/* Longer than any buffer to begin with, and more than one of them. */
static void lines_of_any_length(void **state)
{
    (void)state;
    enum { DIGITS = 300000 };
    char *text = malloc(2 * DIGITS + 64);
    assert_non_null(text);
    memset(text, '0', 2 * DIGITS + 64);
    memcpy(text, "x,y\n", 4);
    memcpy(text + DIGITS, "7,8\n", 4);
    strcpy(text + 2 * DIGITS, "1,2\n");
    okra_table *reader = open_text(text);
    expect_row(reader, ROW(7, 8));
    expect_row(reader, ROW(1, 2));
    assert_int_equal(okra_table_get(reader)->line, 3);
    expect_end(reader);
    free(text);
}

/* Memory is bounded, though nothing that is text tells where to stop. */
static void a_line_that_never_ends(void **state)
{
    (void)state;
    okra_table *reader;
    okra_message why;
    alarm(20);
    assert_status(okra_table_open("/dev/zero", NULL, &reader, &why), OKRA_E_READ);
    alarm(0);
    assert_non_null(strstr(why.text, "/dev/zero:1: more than 64 MiB without a line end"));
}

/* ---- input that never ends ----------------------------------------------------------------------------------- */

/* A row is delivered when its line is there, though the pipe stays open: a reader that waited would hang here. */
static void a_row_is_there_as_soon_as_its_line_is(void **state)
{
    (void)state;
    int ends[2];
    char name[32];
    okra_table *reader;
    assert_int_equal(pipe(ends), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    alarm(20);
    assert_int_equal(write(ends[1], "x,y\n", 4), 4);
    assert_ok(okra_table_open(name, NULL, &reader, NULL));
    assert_int_equal(write(ends[1], "1,2\n3,", 6), 6);
    expect_row(reader, ROW(1, 2));
    assert_int_equal(write(ends[1], "4\n", 2), 2);
    expect_row(reader, ROW(3, 4));
    assert_true(okra_table_progress(reader) < 0);
    assert_int_equal(write(ends[1], "5,6", 3), 3);
    close(ends[1]);
    expect_row(reader, ROW(5, 6));
    expect_end(reader);
    alarm(0);
    close(ends[0]);
}

static void progress_goes_from_0_to_1(void **state)
{
    (void)state;
    okra_table *reader = open_text("x,y\n1,2\n3,4\n");
    double share = okra_table_progress(reader);
    assert_near(share, 4 / 12.0, 1e-12);
    expect_row(reader, ROW(1, 2));
    assert_near(okra_table_progress(reader), 8 / 12.0, 1e-12);
    expect_row(reader, ROW(3, 4));
    assert_near(okra_table_progress(reader), 1, 0);
    expect_end(reader);
}

/* ---- places -------------------------------------------------------------------------------------------------- */

/* A row that was refused is a row: what one reader has passed, another can skip. */
static void skipping_gets_to_the_same_place(void **state)
{
    (void)state;
    static const char text[] = "x,y\n1,2\nx,3\n# no row\n\"4,5\n6,7\n8,9\n";
    okra_message why;
    for (uint64_t rows = 0; rows <= 5; rows++) {
        okra_table *reader = open_text(text);
        assert_ok(okra_table_skip(reader, rows, &why));
        assert_int_equal(okra_table_get(reader)->rows, rows);
        for (uint64_t n = rows; n < 5; n++) {
            double row[2];
            bool more;
            okra_status wanted = n == 1 || n == 2 ? OKRA_E_FORMAT : OKRA_OK;
            assert_status(okra_table_next(reader, row, &more, NULL), wanted);
            assert_true(more);
            assert_int_equal(okra_table_get(reader)->rows, n + 1);
        }
        expect_end(reader);
    }
    okra_table *reader = open_as("1,2\n3,4\n", (okra_table_options){.header = OKRA_HEADER_NO});
    assert_ok(okra_table_skip(reader, 1, &why));
    expect_row(reader, ROW(3, 4));
    assert_status(okra_table_skip(reader, 3, &why), OKRA_E_FORMAT);
    assert_non_null(strstr(why.text, "ends after 2 rows, and 3 more"));
    expect_end(reader);
}

/* ---- input that is none -------------------------------------------------------------------------------------- */

static void expect_no_reader(const char *name, okra_status status, const char *part)
{
    okra_table *reader = (okra_table *)1;
    okra_message why;
    assert_status(okra_table_open(name, NULL, &reader, &why), status);
    assert_null(reader);
    if (!strstr(why.text, part) || !strstr(why.text, name))
        fail_msg("no '%s' in: %s", part, why.text);
    assert_status(okra_table_open(name, NULL, &reader, NULL), status);
}

static void files_that_cannot_be_opened(void **state)
{
    (void)state;
    expect_no_reader("/no/such/file.csv", OKRA_E_OPEN, "no such file");
    expect_no_reader("/tmp", OKRA_E_OPEN, "is a directory");
    expect_no_reader("/dev/null", OKRA_E_FORMAT, "is empty");
    assert_status(okra_table_open(table_path, NULL, NULL, NULL), OKRA_E_NULL);
}

static void files_that_hold_no_text(void **state)
{
    (void)state;
    okra_table *reader;
    okra_message why;
    assert_status(open_bytes("", 0, &reader, &why), OKRA_E_FORMAT);
    assert_non_null(strstr(why.text, "is empty"));
    assert_status(open_bytes("\xEF\xBB\xBF \r\n", 6, &reader, &why), OKRA_E_FORMAT);
    assert_non_null(strstr(why.text, "is empty"));
    assert_status(open_bytes("\xFF\xFEx\0,\0y\0\n\0", 10, &reader, &why), OKRA_E_FORMAT);
    assert_non_null(strstr(why.text, "UTF-8"));
}

static void files_that_hold_something_else(void **state)
{
    (void)state;
    okra_table *reader;
    okra_message why;
    assert_status(open_bytes("\x1f\x9d\x90", 3, &reader, &why), OKRA_E_FORMAT);
    assert_non_null(strstr(why.text, "begins as a compressed file does"));
    assert_status(open_bytes("PK\x03\x04zip", 7, &reader, &why), OKRA_E_FORMAT);
    assert_non_null(strstr(why.text, "zip archive"));
    okra_table_options three = {.columns = 3};
    write_bytes(table_path, "1,2\n", 4);
    assert_status(okra_table_open(table_path, &three, &reader, &why), OKRA_E_FORMAT);
    assert_non_null(strstr(why.text, "has 2 columns, not 3"));
    okra_table_options wrong = {.format = "xls"};
    assert_status(okra_table_open(table_path, &wrong, &reader, &why), OKRA_E_PARAMETER);
    assert_null(reader);
}

static void formats_have_names(void **state)
{
    (void)state;
    static const char *const names[] = {"csv", "tsv", "jsonl", "npy", "f64", "f32", "wav", "flac", "sound"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(okra_format_at(i)->name, names[i]);
    assert_null(okra_format_at(sizeof names / sizeof *names));
}

static void formats_of_names(void **state)
{
    (void)state;
    static const struct {
        const char *path, *name;
    } cases[] = {{"x.csv", "csv"},    {"a.b/x.TSV", "tsv"}, {"x.tab", "tsv"},    {"x.ndjson", "jsonl"},
                 {"x.aiff", "sound"}, {"x.mp3", "sound"},   {"x.rf64", "sound"}, {"x.wav", "wav"},
                 {".flac", "flac"},   {"x.npy.f32", "f32"}};
    static const char *const none[] = {"csv", "x.", "x.cs", "x.csvv", "x.tsv tab", "x. ", "x.csv/y", "", "-"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(okra_format_of(cases[i].path)->name, cases[i].name);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_null(okra_format_of(none[i]));
    assert_null(okra_format_of(NULL));
}

/* What is told of a format is what its class can: the doors ask the one, and then call the other. */
static void formats_can_what_they_say(void **state)
{
    (void)state;
    const okra_format *format;
    for (size_t i = 0; (format = okra_format_at(i)); i++) {
        const okra_format_row *row = okra_format_named(format->name);
        assert_ptr_equal(&row->format, format);
        assert_ptr_equal(okra_format_by_suffix(format->name), NULL);
        assert_true(strlen(format->help) > 0 && strlen(format->suffixes) > 0);
        assert_int_equal(format->reads, row->reader != NULL);
        assert_int_equal(format->writes, row->writer != NULL);
        assert_int_equal(row->reader && row->reader->part, format->parts);
        assert_int_equal(row->reader && row->reader->text, format->text);
    }
}

/* The end of a long path is what tells files apart, and the rest of the message must still fit. */
static void a_long_path_is_cut_short(void **state)
{
    (void)state;
    char name[1024];
    memset(name, 'a', sizeof name);
    for (size_t i = 0; i < sizeof name; i += 100)
        name[i] = '/';
    strcpy(name + 900, "/tail.csv");
    okra_table *reader;
    okra_message why;
    assert_status(okra_table_open(name, NULL, &reader, &why), OKRA_E_OPEN);
    assert_non_null(strstr(why.text, "/tail.csv: no such file: check the name"));
}

static void what_is_null_is_refused(void **state)
{
    (void)state;
    double row[1];
    bool more;
    assert_status(okra_table_next(NULL, row, &more, NULL), OKRA_E_NULL);
    assert_status(okra_table_use(NULL, &more), OKRA_E_NULL);
    okra_table_close(NULL);
    assert_int_equal(okra_table_get(NULL)->columns, 0);
}

static void fields_can_be_had_as_text(void **state)
{
    (void)state;
    okra_table *reader = open_text("time, x ,note\n12:00:01,1,\" a \"\"b\"\", c \"\n,2,\n");
    const bool used[] = {false, true, false};
    double row[3];
    bool more;
    char text[8];
    assert_true(okra_table_get(reader)->format->text);
    assert_int_equal(okra_table_use(reader, used), OKRA_OK);
    assert_int_equal(okra_table_next(reader, row, &more, NULL), OKRA_OK);
    assert_int_equal(okra_table_text(reader, 0, text, sizeof text), 8);
    assert_string_equal(text, "12:00:0"); /* as far as it fits */
    assert_int_equal(okra_table_text(reader, 1, text, sizeof text), 1);
    assert_string_equal(text, "1");
    assert_int_equal(okra_table_text(reader, 2, text, sizeof text), 8);
    assert_string_equal(text, "a \"b\", ");
    assert_int_equal(okra_table_text(reader, 3, text, sizeof text), 0);
    assert_int_equal(okra_table_next(reader, row, &more, NULL), OKRA_OK);
    assert_int_equal(okra_table_text(reader, 0, text, sizeof text), 0);
    assert_int_equal(okra_table_text(reader, 2, NULL, 0), 0);
    assert_string_equal(text, "");
    okra_table_close(reader);
}

/* ---- what a terminal would obey ------------------------------------------------------------------------------ */

static void texts_are_made_plain(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"", ""},
        {"Temperatur in \u00b0C, \u6e29\u5ea6 \U0001F321", "Temperatur in \u00b0C, \u6e29\u5ea6 \U0001F321"},
        {"a\033[2Jb\tc\nd\x7f", "a?[2Jb?c?d?"},
        {"\xc2\x9b"
         "31m\xc2\x80\xc2\x9f\u00a0",
         "?31m??\u00a0"}, /* the same commands in eight bits */
        {"\x9b"
         "31m\xff\xc3",
         "?31m??"},
        {"\xc0\x9b\xe0\x80\x9b\xed\xa0\x80\xf4\x90\x80\x80", "????????????"}, /* overlong, surrogate, too large */
        {"\xe6\xb8", "??"},                                                   /* cut in the middle */
        /* NOLINTNEXTLINE(misc-misleading-bidirectional): that is what is tested */
        {"ab\xe2\x80\xaetxt\xe2\x81\xa6\xe2\x80\x8f\xe2\x80\xa8.", "ab?txt???."}, /* U+202E, U+2066, U+200F, U+2028 */
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        char text[128];
        snprintf(text, sizeof text, "%s", texts[i][0]);
        okra_plain_text(text);
        assert_string_equal(text, texts[i][1]);
    }
}

static void messages_pass_no_commands_on(void **state)
{
    (void)state;
    okra_table *reader = open_text("a\033]0;pwned\007,b\xc2\x9b"
                                   "2J\n1,2\nx\033[31m,2\n");
    double row[2];
    bool more;
    okra_message why;
    expect_row(reader, ROW(1, 2));
    assert_status(okra_table_next(reader, row, &more, &why), OKRA_E_FORMAT);
    assert_non_null(strstr(why.text, "column 1 (a?]0;pwned?): 'x?[31m' is not a number"));
    okra_table_close(reader);
}

/* A field may run over line ends for 64 KiB, and is otherwise taken for a mistake: of a file that is read in pieces of
 * that size, twice as much is. */
static void a_field_over_many_lines_has_an_end(void **state)
{
    (void)state;
    static const size_t lengths[] = {60000, 140000};
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        size_t length = lengths[i];
        char *text = malloc(length + 64), *to = text + sprintf(text, "x,y\n1,\"\n");
        memset(to, 'z', length);
        sprintf(to + length, "\"\n3,4\n");
        okra_table *reader = open_text(text);
        expect_refusal(reader, 2, i == 0 ? "is not a number" : "never closed", ":2:");
        if (i == 0)
            expect_row(reader, ROW(3, 4));
        okra_table_close(reader);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_made_plain),
        cmocka_unit_test(messages_pass_no_commands_on),
        cmocka_unit_test(fields_can_be_had_as_text),
        cmocka_unit_test(blank_lines_of_one_column_are_rows),
        cmocka_unit_test(blank_lines_have_no_text_and_are_skipped_as_rows),
        cmocka_unit_test(blank_lines_come_before_a_refusal),
        cmocka_unit_test(blank_lines_of_a_pipe_wait_for_a_row),
        cmocka_unit_test(a_header_names_the_columns),
        cmocka_unit_test(numbers_alone_are_no_header),
        cmocka_unit_test(a_number_too_large_is_no_header),
        cmocka_unit_test(a_header_alone_has_no_rows),
        cmocka_unit_test(a_header_as_the_caller_says),
        cmocka_unit_test(tabs_separate_where_there_are_no_commas),
        cmocka_unit_test(semicolons_separate_where_there_is_nothing_else),
        cmocka_unit_test(blanks_do_not_separate),
        cmocka_unit_test(lines_that_begin_with_a_hash_are_comments),
        cmocka_unit_test(files_as_people_make_them),
        cmocka_unit_test(every_bit_of_a_double_is_read),
        cmocka_unit_test(a_bad_row_is_told_and_passed),
        cmocka_unit_test(a_long_value_is_cut_short),
        cmocka_unit_test(columns_that_are_not_used_may_hold_anything),
        cmocka_unit_test(a_quote_that_is_never_closed),
        cmocka_unit_test(a_quote_that_is_never_closed_in_an_endless_stream),
        cmocka_unit_test(a_field_over_many_lines_has_an_end),
        cmocka_unit_test(lines_of_any_length),
        cmocka_unit_test(a_line_that_never_ends),
        cmocka_unit_test(a_row_is_there_as_soon_as_its_line_is),
        cmocka_unit_test(progress_goes_from_0_to_1),
        cmocka_unit_test(skipping_gets_to_the_same_place),
        cmocka_unit_test(files_that_cannot_be_opened),
        cmocka_unit_test(files_that_hold_no_text),
        cmocka_unit_test(files_that_hold_something_else),
        cmocka_unit_test(formats_have_names),
        cmocka_unit_test(formats_of_names),
        cmocka_unit_test(formats_can_what_they_say),
        cmocka_unit_test(a_long_path_is_cut_short),
        cmocka_unit_test(what_is_null_is_refused),
    };
    return cmocka_run_group_tests_name("csv", tests, enter_directory, leave_directory);
}
