/* Writing rows: text and bytes as other programs read them, nothing lost in silence, and going on where a run stopped.
 */
#include "files.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <okra/io.h>

static char path[64];

static int remove_file(void **state)
{
    (void)state;
    if (*path)
        unlink(path);
    *path = '\0';
    return 0;
}

static void name_file(const char *name) { snprintf(path, sizeof path, "%s", name); }

#define ROW(...) ((const double[]){__VA_ARGS__})
#define GAP      ((double)NAN)

static okra_writer *open_writer(okra_writer_options options)
{
    okra_writer *writer;
    okra_message why;
    if (okra_writer_open(path, &options, &writer, &why))
        fail_msg("%s", why.text);
    return writer;
}

static void put(okra_writer *writer, const double *row)
{
    okra_message why;
    if (okra_writer_row(writer, row, NULL, &why))
        fail_msg("%s", why.text);
}

static void finish(okra_writer *writer)
{
    okra_message why;
    if (okra_writer_close(writer, &why))
        fail_msg("%s", why.text);
}

/* What the file holds now. */
static size_t contents(char *text, size_t size)
{
    size_t length;
    char *bytes = read_bytes(path, &length);
    assert_true(length < size);
    memcpy(text, bytes, length + 1);
    free(bytes);
    return length;
}

static void expect_text(const char *wanted)
{
    char text[4096];
    contents(text, sizeof text);
    assert_string_equal(text, wanted);
}

static void expect_no_writer(const char *name, okra_writer_options options, okra_status status, const char *part)
{
    okra_writer *writer = (okra_writer *)1;
    okra_message why;
    assert_status(okra_writer_open(name, &options, &writer, &why), status);
    assert_null(writer);
    if (!strstr(why.text, part) || strchr(why.text, '\n'))
        fail_msg("no '%s' in: %s", part, why.text);
    assert_status(okra_writer_open(name, &options, &writer, NULL), status);
}

/* ---- text ---------------------------------------------------------------------------------------------------- */

static void csv_with_a_header_and_gaps(void **state)
{
    (void)state;
    static const char *const names[] = {"n", "y, \"in\" m", "yhat"};
    name_file("out.csv");
    okra_writer *writer = open_writer((okra_writer_options){.columns = 3, .names = names, .numbered = true});
    put(writer, ROW(1, 0.1, -1e-7));
    put(writer, ROW(123456789, GAP, GAP));
    put(writer, ROW(9007199254740992, 1.0 / 3, 1e300));
    finish(writer);
    expect_text("n,\"y, \"\"in\"\" m\",yhat\n1,0.1,-1e-07\n123456789,,\n9007199254740992,0.3333333333333333,1e+300\n");
}

/* The count is never rounded, whatever happens to the other numbers. */
static void digits_and_floats(void **state)
{
    (void)state;
    name_file("out.csv");
    okra_writer *writer = open_writer((okra_writer_options){.columns = 2, .numbered = true, .digits = 3});
    put(writer, ROW(1234567, 1234567));
    finish(writer);
    expect_text("1234567,1.23e+06\n");
    writer = open_writer((okra_writer_options){.columns = 2, .numbered = true, .f32 = true});
    put(writer, ROW(16777217, (double)0.1f));
    finish(writer);
    expect_text("16777217,0.1\n");
    writer = open_writer((okra_writer_options){.columns = 1, .f32 = true});
    put(writer, ROW(GAP)); /* an empty line would be no row */
    finish(writer);
    expect_text("nan\n");
}

static void tabs_by_name_or_by_format(void **state)
{
    (void)state;
    static const char *const names[] = {"#a", "b\tc,d"};
    name_file("out.tsv");
    okra_writer *writer = open_writer((okra_writer_options){.columns = 2, .names = names});
    put(writer, ROW(1, 2));
    finish(writer);
    expect_text("\"#a\"\t\"b\tc,d\"\n1\t2\n");
    writer = open_writer((okra_writer_options){.columns = 2, .format = "csv"});
    put(writer, ROW(1, 2));
    finish(writer);
    expect_text("1,2\n");
}

/* Names and numbers come back as they were, through our own reader. */
static void text_reads_back(void **state)
{
    (void)state;
    static const char *const names[] = {"#x", "two\nlines", "\"quoted\"", "semi;colon, comma"};
    const double row[] = {0.1, GAP, -DBL_MIN, 0x1p-1074};
    static const char *const formats[] = {"csv", "tsv"};
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        okra_table *reader;
        double back[4];
        bool more;
        name_file("out.txt");
        okra_writer *writer = open_writer((okra_writer_options){.columns = 4, .names = names, .format = formats[i]});
        put(writer, row);
        finish(writer);
        assert_ok(okra_table_open(path, NULL, &reader, NULL));
        for (size_t c = 0; c < 4; c++)
            assert_string_equal(okra_table_column_name(reader, c), names[c]);
        assert_ok(okra_table_next(reader, back, &more, NULL));
        for (size_t c = 0; c < 4; c++)
            assert_true(isnan(row[c]) ? isnan(back[c]) : row[c] == back[c]);
        okra_table_close(reader);
    }
}

/* ---- bytes --------------------------------------------------------------------------------------------------- */

static void raw_numbers(void **state)
{
    (void)state;
    static const char wide[] = "\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\x04\xc0", narrow[] = "\0\0\x80\x3f\0\0\x20\xc0";
    char text[64];
    name_file("out.f64");
    okra_writer *writer = open_writer((okra_writer_options){.columns = 2, .f32 = true});
    put(writer, ROW(1, -2.5));
    finish(writer);
    assert_int_equal(contents(text, sizeof text), 16);
    assert_memory_equal(text, wide, 16);
    assert_int_equal(unlink(path), 0);
    name_file("out.f32");
    writer = open_writer((okra_writer_options){.columns = 2});
    put(writer, ROW(1, -2.5));
    assert_int_equal(okra_writer_get(writer)->bytes, 8);
    finish(writer);
    assert_int_equal(contents(text, sizeof text), 8);
    assert_memory_equal(text, narrow, 8);
}

/* The header, to the byte, as numpy.lib.format has it. */
static void expect_npy(const char *dictionary, size_t bytes)
{
    static const char start[10] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0};
    char text[4096], wanted[129];
    size_t length = contents(text, sizeof text);
    snprintf(wanted, sizeof wanted, "%-117s\n", dictionary);
    assert_memory_equal(text, start, sizeof start);
    assert_memory_equal(text + 10, wanted, 118);
    assert_int_equal(length, 128 + bytes);
}

static void npy_is_valid_at_every_flush(void **state)
{
    (void)state;
    name_file("out.npy");
    okra_writer *writer = open_writer((okra_writer_options){.columns = 2});
    expect_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 2), }", 0);
    put(writer, ROW(1, 2));
    expect_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 2), }", 0);
    assert_ok(okra_writer_flush(writer, false, NULL));
    expect_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }", 16);
    put(writer, ROW(3, GAP));
    assert_int_equal(okra_writer_get(writer)->bytes, 128 + 32);
    finish(writer);
    expect_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", 32);
    okra_table *reader;
    double row[2];
    bool more;
    assert_ok(okra_table_open(path, NULL, &reader, NULL));
    assert_ok(okra_table_skip(reader, 1, NULL));
    assert_ok(okra_table_next(reader, row, &more, NULL));
    assert_true(more && row[0] == 3 && isnan(row[1]));
    okra_table_close(reader);
    writer = open_writer((okra_writer_options){.columns = 1, .f32 = true});
    put(writer, ROW(1));
    finish(writer);
    expect_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", 4);
}

/* ---- when bytes leave ---------------------------------------------------------------------------------------- */

static size_t file_size(void)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return (size_t)info.st_size;
}

static void a_regular_file_is_written_in_large_pieces(void **state)
{
    (void)state;
    enum { ROWS = 100000 };
    name_file("out.csv");
    okra_writer *writer = open_writer((okra_writer_options){.columns = 1});
    put(writer, ROW(12345));
    assert_int_equal(file_size(), 0);
    assert_ok(okra_writer_flush(writer, false, NULL));
    assert_int_equal(file_size(), 6);
    for (size_t i = 1; i < ROWS; i++)
        put(writer, ROW(12345));
    assert_true(file_size() > 6 * ROWS - (1 << 17));
    assert_int_equal(okra_writer_get(writer)->bytes, 6 * ROWS);
    assert_ok(okra_writer_flush(writer, true, NULL));
    assert_int_equal(file_size(), 6 * ROWS);
    finish(writer);
    writer = open_writer((okra_writer_options){.columns = 1, .live = true});
    put(writer, ROW(7));
    assert_int_equal(file_size(), 2);
    finish(writer);
}

static void a_pipe_has_each_row_at_once(void **state)
{
    (void)state;
    static const char *const names[] = {"x", "y"};
    int ends[2];
    char text[64] = "";
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    okra_writer *writer = open_writer((okra_writer_options){.columns = 2, .names = names});
    alarm(20);
    assert_int_equal(read(ends[0], text, sizeof text), 4);
    put(writer, ROW(1, 2));
    assert_int_equal(read(ends[0], text, sizeof text), 4);
    assert_memory_equal(text, "1,2\n", 4);
    alarm(0);
    expect_no_writer(path, (okra_writer_options){.columns = 1, .format = "npy"}, OKRA_E_PARAMETER,
                     "no regular file, which npy needs: its header");
    finish(writer);
    close(ends[0]);
    close(ends[1]);
    *path = '\0';
}

/* ---- going on ------------------------------------------------------------------------------------------------ */

static void a_run_that_goes_on_drops_what_came_later(void **state)
{
    (void)state;
    static const char *const names[] = {"n"};
    static const struct {
        const char *name, *both;
    } outputs[] = {{"out.csv", "n\n1\n2\n3\n"}, {"out.f64", NULL}, {"out.npy", NULL}};
    for (size_t i = 0; i < COUNT_OF(outputs); i++) {
        okra_writer_options options = {.columns = 1, .names = names};
        char wanted[512], got[512];
        name_file(outputs[i].name);
        okra_writer *writer = open_writer(options);
        put(writer, ROW(1));
        uint64_t kept = okra_writer_get(writer)->bytes;
        put(writer, ROW(2));
        put(writer, ROW(3));
        finish(writer);
        size_t length = contents(wanted, sizeof wanted);
        writer = open_writer(options); /* the same again, with a row that must go */
        put(writer, ROW(1));
        put(writer, ROW(99));
        finish(writer);
        options.append_at = kept;
        writer = open_writer(options);
        assert_int_equal(okra_writer_get(writer)->bytes, kept);
        put(writer, ROW(2));
        put(writer, ROW(3));
        finish(writer);
        assert_int_equal(contents(got, sizeof got), length);
        assert_memory_equal(got, wanted, length);
        if (outputs[i].both)
            assert_string_equal(got, outputs[i].both);
        assert_int_equal(unlink(path), 0);
    }
}

static void a_file_that_is_not_the_one_to_go_on_with(void **state)
{
    (void)state;
    name_file("out.csv");
    expect_no_writer(path, (okra_writer_options){.columns = 1, .append_at = 4}, OKRA_E_OPEN, "No such file");
    okra_writer *writer = open_writer((okra_writer_options){.columns = 2});
    put(writer, ROW(1, 2));
    finish(writer);
    expect_no_writer(path, (okra_writer_options){.columns = 2, .append_at = 5}, OKRA_E_FORMAT,
                     "shorter than the 5 bytes");
    expect_no_writer(path, (okra_writer_options){.columns = 2, .append_at = 3}, OKRA_E_FORMAT, "no line ends");
    expect_no_writer(path, (okra_writer_options){.columns = 2, .append_at = 4, .format = "f64"}, OKRA_E_FORMAT,
                     "no whole number of rows");
    expect_text("1,2\n");
    assert_int_equal(unlink(path), 0);
    name_file("out.npy");
    writer = open_writer((okra_writer_options){.columns = 2});
    put(writer, ROW(1, 2));
    finish(writer);
    expect_no_writer(path, (okra_writer_options){.columns = 2, .append_at = 100}, OKRA_E_FORMAT, "no whole number");
    expect_no_writer(path, (okra_writer_options){.columns = 1, .append_at = 144}, OKRA_E_FORMAT, "no NPY file of 1");
    expect_no_writer(path, (okra_writer_options){.columns = 2, .f32 = true, .append_at = 144}, OKRA_E_FORMAT, "no NPY");
    expect_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }", 16);
}

/* ---- failures ------------------------------------------------------------------------------------------------ */

static void expect_failure(okra_status status, const okra_message *why, const char *part)
{
    assert_status(status, OKRA_E_WRITE);
    if (!strstr(why->text, part))
        fail_msg("no '%s' in: %s", part, why->text);
}

static void a_full_disk(void **state)
{
    (void)state;
    static const char *const names[] = {"x"};
    okra_message why = {{0}};
    okra_writer *writer;
    okra_writer_options options = {.columns = 1};
    assert_ok(okra_writer_open("/dev/full", &options, &writer, &why));
    expect_failure(okra_writer_row(writer, ROW(1), NULL, &why), &why,
                   "/dev/full: cannot be written: No space left on device");
    why = (okra_message){{0}};
    expect_failure(okra_writer_row(writer, ROW(1), NULL, &why), &why, "No space left");
    why = (okra_message){{0}};
    expect_failure(okra_writer_flush(writer, false, &why), &why, "free some room");
    why = (okra_message){{0}};
    expect_failure(okra_writer_close(writer, &why), &why, "No space left");
    options.names = names;
    expect_no_writer("/dev/full", options, OKRA_E_WRITE, "No space left");
}

/* A limit on file sizes stands in for a disk that fills up: what is buffered fails at close, and is told there. */
static void a_disk_that_fills_up(void **state)
{
    (void)state;
    struct rlimit old, small;
    okra_message why = {{0}};
    name_file("out.csv");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = (struct rlimit){1000, old.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    okra_writer *writer = open_writer((okra_writer_options){.columns = 1});
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (int i = 0; i < 300; i++)
        put(writer, ROW(12345));
    okra_status status = okra_writer_close(writer, &why);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    expect_failure(status, &why, "cannot be written: File too large");
}

static void a_reader_that_has_gone(void **state)
{
    (void)state;
    int ends[2];
    okra_message why = {{0}};
    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    okra_writer *writer = open_writer((okra_writer_options){.columns = 1});
    close(ends[0]);
    expect_failure(okra_writer_row(writer, ROW(1), NULL, &why), &why, "the program that was reading it has closed it");
    assert_status(okra_writer_close(writer, NULL), OKRA_E_WRITE);
    close(ends[1]);
    *path = '\0';
}

static void places_that_cannot_be_written(void **state)
{
    (void)state;
    okra_writer_options one = {.columns = 1};
    expect_no_writer("/no/such/folder/out.csv", one, OKRA_E_OPEN, "check the name and the folder");
    expect_no_writer("/tmp", one, OKRA_E_OPEN, "/tmp: cannot be opened for writing: Is a directory");
    expect_no_writer("-", (okra_writer_options){.columns = 1, .format = "npy"}, OKRA_E_PARAMETER, "name a file");
    expect_no_writer("-", (okra_writer_options){.columns = 1, .append_at = 3}, OKRA_E_PARAMETER, "name the file");
    expect_no_writer("x", (okra_writer_options){.columns = 0}, OKRA_E_PARAMETER, "at least one column");
    expect_no_writer("x", (okra_writer_options){.columns = 1, .digits = 18}, OKRA_E_PARAMETER, "from 1 to 17");
    expect_no_writer("x", (okra_writer_options){.columns = 1, .format = "xls"}, OKRA_E_PARAMETER, "format");
}

/* Runs in a child whose standard output is the file. */
static void standard_output(void **state)
{
    (void)state;
    name_file("out.csv");
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        okra_writer *writer;
        okra_writer_options options = {.columns = 2};
        bool done = freopen(path, "w", stdout) && !okra_writer_open(NULL, &options, &writer, NULL) &&
                    !okra_writer_row(writer, ROW(1, 2), NULL, NULL) && !okra_writer_close(writer, NULL) &&
                    write(STDOUT_FILENO, "open\n", 5) == 5;
        _exit(done ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    expect_text("1,2\nopen\n");
}

static void what_is_null_is_refused(void **state)
{
    (void)state;
    okra_writer *writer;
    okra_writer_options one = {.columns = 1};
    assert_status(okra_writer_open("x", NULL, &writer, NULL), OKRA_E_NULL);
    okra_message open, row, text, flush, next, skip, part, pair,
        *whys[] = {&open, &row, &text, &flush, &next, &skip, &part, &pair};
    for (size_t i = 0; i < sizeof whys / sizeof *whys; i++)
        strcpy(whys[i]->text, "?");
    assert_status(okra_writer_open("x", NULL, &writer, &open), OKRA_E_NULL);
    assert_status(okra_writer_row(NULL, ROW(1), NULL, &row), OKRA_E_NULL);
    assert_status(okra_writer_row(NULL, ROW(1), "", &text), OKRA_E_NULL);
    assert_status(okra_writer_flush(NULL, false, &flush), OKRA_E_NULL);
    assert_status(okra_table_next(NULL, NULL, NULL, &next), OKRA_E_NULL);
    assert_status(okra_table_skip(NULL, 1, &skip), OKRA_E_NULL);
    assert_status(okra_table_part(NULL, 0, 1, 0, NULL, &part), OKRA_E_NULL);
    assert_status(okra_table_open("x", &(okra_table_options){.mic = "y"}, NULL, &pair), OKRA_E_NULL);
    for (size_t i = 0; i < sizeof whys / sizeof *whys; i++)
        assert_string_equal(whys[i]->text, okra_strerror(OKRA_E_NULL));
    assert_status(okra_writer_open("x", &one, NULL, NULL), OKRA_E_NULL);
    assert_status(okra_writer_row(NULL, ROW(1), NULL, NULL), OKRA_E_NULL);
    assert_status(okra_writer_flush(NULL, false, NULL), OKRA_E_NULL);
    assert_ok(okra_writer_close(NULL, NULL));
    assert_int_equal(okra_writer_get(NULL)->bytes, 0);
}

static void text_columns_follow_the_numbers(void **state)
{
    (void)state;
    name_file("a.csv");
    static const char *const names[] = {"n", "y", "time", "note"};
    okra_writer *writer =
        open_writer((okra_writer_options){.columns = 4, .texts = 2, .names = names, .numbered = true});
    okra_message why;
    assert_int_equal(okra_writer_row(writer, (double[]){1, 0.5}, "12:00\0a \"b\", c", &why), OKRA_OK);
    assert_int_equal(okra_writer_row(writer, (double[]){2, GAP}, "\0", &why), OKRA_OK);
    assert_int_equal(okra_writer_row(writer, (double[]){3, 1}, NULL, &why), OKRA_E_PARAMETER);
    assert_non_null(strstr(why.text, "a.csv: has columns of text"));
    finish(writer);
    expect_text("n,y,time,note\n1,0.5,12:00,\"a \"\"b\"\", c\"\n2,,,\n");
    expect_no_writer("a.npy", (okra_writer_options){.columns = 4, .texts = 2}, OKRA_E_PARAMETER,
                     "need one of csv, tsv, jsonl, and");
    expect_no_writer("a.csv", (okra_writer_options){.columns = 2, .texts = 2}, OKRA_E_PARAMETER, "column of numbers");
}

/* Rows longer than the pieces that are written, 64 KiB: in every format, and what is put behind them. */
static void rows_of_any_length(void **state)
{
    (void)state;
    static const size_t columns[] = {1000, 8191, 8192, 8193, 30000};
    static const char *const names[] = {"long.csv", "long.f64", "long.npy"};
    enum { ROWS = 5 };
    for (size_t f = 0; f < COUNT_OF(names); f++)
        for (size_t i = 0; i < COUNT_OF(columns); i++) {
            size_t n = columns[i];
            double *row = malloc(n * sizeof *row);
            okra_table *reader;
            bool more;
            name_file(names[f]);
            okra_writer *writer = open_writer((okra_writer_options){.columns = n});
            for (size_t r = 0; r < ROWS; r++) {
                for (size_t c = 0; c < n; c++)
                    row[c] = (double)(c * ROWS + r) / 7;
                put(writer, row);
            }
            finish(writer);
            okra_table_options options = {.columns = n};
            assert_ok(okra_table_open(path, &options, &reader, NULL));
            for (size_t r = 0; r < ROWS; r++) {
                assert_ok(okra_table_next(reader, row, &more, NULL));
                assert_true(more);
                for (size_t c = 0; c < n; c++)
                    assert_near(row[c], (double)(c * ROWS + r) / 7, 0);
            }
            assert_ok(okra_table_next(reader, row, &more, NULL));
            assert_false(more);
            okra_table_close(reader);
            free(row);
        }
}

/* Numbers at both sides of their ends, and what is said of those beyond, in whole. */
static void options_have_ends(void **state)
{
    (void)state;
    static const char digits[] = "x: digits must be from 1 to 17, or 0 for as many as are needed";
    static const char columns[] = "x: a row needs at least one column, and at most four million";
    static const char texts[] = "x: text columns need one of csv, tsv, jsonl, and a column of numbers before them";
    static const char rate[] = "x: audio needs a rate, as audio input has: name a .csv file for what has none";
    const okra_audio slow = {.rate = 1}, fast = {.rate = (uint32_t)INT32_MAX + 1}, odd = {.rate = 8, .sample = 4};
    const struct {
        okra_writer_options options;
        const char *wanted;
    } cases[] = {
        {{.columns = 1}, NULL},
        {{.columns = 0}, columns},
        {{.columns = 4194305, .format = "f32"}, columns},
        {{.columns = 4194304, .format = "f32"}, NULL},
        {{.columns = 1, .digits = -1}, digits},
        {{.columns = 1, .digits = 1}, NULL},
        {{.columns = 1, .digits = 17}, NULL},
        {{.columns = 1, .digits = 18}, digits},
        {{.columns = 1, .texts = 1}, texts},
        {{.columns = 2, .texts = 1}, NULL},
        {{.columns = 2, .texts = 2}, texts},
        {{.columns = 2, .texts = 1, .format = "tsv"}, NULL},
        {{.columns = 2, .texts = 1, .format = "npy"}, texts},
        {{.columns = 1, .format = "xls"}, "x: no format 'xls': use one of csv, tsv, jsonl, npy, f64, f32, wav, flac"},
        {{.columns = 1, .format = "wav"}, rate},
        {{.columns = 1, .format = "wav", .audio = slow}, NULL},
        {{.columns = 1, .format = "wav", .audio = fast}, rate},
        {{.columns = 1, .format = "wav", .audio = odd}, rate},
        {{.columns = 1, .format = "wav", .audio = slow, .append_at = 1},
         "x: wav files cannot be continued: start again, or write CSV"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        okra_writer *writer = (okra_writer *)1;
        okra_message why = {""};
        okra_status status = okra_writer_open("x", &cases[i].options, &writer, &why);
        assert_status(status, cases[i].wanted ? OKRA_E_PARAMETER : OKRA_OK);
        assert_string_equal(why.text, cases[i].wanted ? cases[i].wanted : "");
        assert_true(!writer == !!cases[i].wanted);
        assert_ok(okra_writer_close(writer, NULL));
    }
}

/* Where output is gone on with, its length and what ends there decide. */
static void going_on_has_ends(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        uint64_t at;
        const char *wanted;
    } cases[] = {
        {"on.csv", "1,2\n3,4\n", 8, NULL},
        {"on.csv", "1,2\n3,4\n", 4, NULL},
        {"on.csv", "1,2\n3,4\n", 9,
         "on.csv: is shorter than the 9 bytes to be kept: it is not the output of the run that stopped; start again"},
        {"on.csv", "1,2\n3,4\n", 7,
         "on.csv: no line ends after its first 7 bytes: it is not the output of the run that stopped; start again"},
        {"on.csv", "1,2\n3,4\n", 5,
         "on.csv: no line ends after its first 5 bytes: it is not the output of the run that stopped; start again"},
        {"on.f64", "0123456789abcdef0123456789abcdef", 16, NULL},
        {"on.f64", "0123456789abcdef0123456789abcdef", 32, NULL},
        {"on.f64", "0123456789abcdef0123456789abcdef", 24,
         "on.f64: 24 bytes are no whole number of rows of 16 bytes: it is not the output of the run that stopped; "
         "start again"},
        {"on.f32", "0123456789abcdef", 8, NULL},
        {"on.f32", "0123456789abcdef", 12,
         "on.f32: 12 bytes are no whole number of rows of 8 bytes: it is not the output of the run that stopped; start "
         "again"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        okra_writer_options options = {.columns = 2, .append_at = cases[i].at};
        okra_writer *writer = (okra_writer *)1;
        okra_message why = {""};
        size_t length;
        write_file(cases[i].name, cases[i].text);
        okra_status status = okra_writer_open(cases[i].name, &options, &writer, &why);
        assert_status(status, cases[i].wanted ? OKRA_E_FORMAT : OKRA_OK);
        assert_string_equal(why.text, cases[i].wanted ? cases[i].wanted : "");
        if (!status)
            assert_int_equal(okra_writer_get(writer)->bytes, cases[i].at);
        assert_ok(okra_writer_close(writer, NULL));
        char *bytes = read_bytes(cases[i].name, &length);
        assert_int_equal(length, status ? strlen(cases[i].text) : cases[i].at); /* a refusal cuts nothing off */
        assert_memory_equal(bytes, cases[i].text, length);
        free(bytes);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, remove_file)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_have_ends),
        cmocka_unit_test(going_on_has_ends),
        cmocka_unit_test(rows_of_any_length),
        TEST(csv_with_a_header_and_gaps),
        TEST(digits_and_floats),
        TEST(text_columns_follow_the_numbers),
        TEST(tabs_by_name_or_by_format),
        TEST(text_reads_back),
        TEST(raw_numbers),
        TEST(npy_is_valid_at_every_flush),
        TEST(a_regular_file_is_written_in_large_pieces),
        TEST(a_pipe_has_each_row_at_once),
        TEST(a_run_that_goes_on_drops_what_came_later),
        TEST(a_file_that_is_not_the_one_to_go_on_with),
        TEST(a_full_disk),
        TEST(a_disk_that_fills_up),
        TEST(a_reader_that_has_gone),
        TEST(places_that_cannot_be_written),
        TEST(standard_output),
        TEST(what_is_null_is_refused),
    };
    return cmocka_run_group_tests_name("writer", tests, enter_directory, leave_directory);
}
