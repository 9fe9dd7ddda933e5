/*
 * Compressed tables. What is read was compressed by zlib itself, and what is written is decompressed by the program
 * gzip. Every test works in a fresh directory.
 */
#include "files.h"
#include "rows.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <okra/io.h>

/* ---- making files -------------------------------------------------------------------------------------------- */

enum { FILE_BYTES = 1 << 20 };

typedef struct bytes {
    size_t length;
    char text[FILE_BYTES];
} bytes;

/* Appends a member; flush Z_SYNC_FLUSH: without its end. */
static void pack(bytes *to, const void *text, size_t length, int flush)
{
    z_stream z = {.next_in = (Bytef *)text,
                  .avail_in = (uInt)length,
                  .next_out = (Bytef *)to->text + to->length,
                  .avail_out = (uInt)(FILE_BYTES - to->length)};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, MAX_WBITS + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, flush), flush == Z_FINISH ? Z_STREAM_END : Z_OK);
    assert_true(z.avail_out > 0);
    to->length = FILE_BYTES - z.avail_out;
    deflateEnd(&z);
}

static void save(const char *name, const bytes *b) { write_bytes(name, b->text, b->length); }

static void save_packed(const char *name, const void *text, size_t length)
{
    static bytes b;
    b.length = 0;
    pack(&b, text, length, Z_FINISH);
    save(name, &b);
}

/* ---- reading them -------------------------------------------------------------------------------------------- */

static okra_table *open_as(const char *name, okra_table_options options)
{
    okra_table *table;
    okra_message why;
    if (okra_table_open(name, &options, &table, &why))
        fail_msg("%s", why.text);
    return table;
}

static okra_table *open_it(const char *name) { return open_as(name, (okra_table_options){0}); }

static void expect_line(const okra_message *why, const char *part)
{
    if (!strstr(why->text, part) || strchr(why->text, '\n'))
        fail_msg("no '%s': %s", part, why->text);
}

/* Rows until the end or a refusal, which must come again; closes the table. */
static okra_status read_rest(okra_table *table, size_t *rows, double *sum, okra_message *why)
{
    double row[8];
    bool more = true;
    okra_status status = OKRA_OK;
    for (*rows = 0, *sum = 0; !status && more;) {
        status = okra_table_next(table, row, &more, why);
        *rows += !status && more;
        *sum += !status && more ? row[0] : 0;
    }
    if (status == OKRA_E_READ)
        assert_status(okra_table_next(table, row, &more, why), OKRA_E_READ);
    okra_table_close(table);
    return status;
}

static okra_status read_all(const char *name, size_t *rows, double *sum, okra_message *why)
{
    okra_table *table;
    *rows = 0, *sum = 0;
    okra_status status = okra_table_open(name, NULL, &table, why);
    return status ? status : read_rest(table, rows, sum, why);
}

static void expect_two_rows(okra_table *table)
{
    assert_int_equal(okra_table_get(table)->columns, 2);
    expect_row(table, ROW(1, 2));
    expect_row(table, ROW(3, 4));
    expect_end(table);
}

static void expect_refused(const char *name, const okra_table_options *options, okra_status status, const char *part)
{
    okra_table *table;
    okra_message why;
    assert_status(okra_table_open(name, options, &table, &why), status);
    expect_line(&why, part);
}

static const char npy[] =
    "\x93NUMPY\x01\0\x46\0{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }          \n";
static const double numbers[] = {1, 2, 3, 4};

/* An array of two rows; returns its length. */
static size_t make_npy(char *to, bool by_columns)
{
    memcpy(to, npy, sizeof npy - 1);
    if (by_columns)
        memcpy(strstr(to + 10, "False"), "True ", 5);
    memcpy(to + sizeof npy - 1, numbers, sizeof numbers);
    return sizeof npy - 1 + sizeof numbers;
}

/* ---- what is inside ------------------------------------------------------------------------------------------ */

/* The name without .gz, and then the bytes, say what it is, as of a file that is not compressed. */
static void every_format_of_a_pipe(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
    } cases[] = {{"a.csv.gz", "a,b\n1,2\n3,4\n"},
                 {"a.tsv.gz", "a\tb,c\n1\t2\n3\t4\n"},
                 {"a.GZ", "a;b\n1;2\n3;4\n"},
                 {"no_name", "1,2\n3,4"},
                 {"a.csv", "a,b\r\n1,2\r\n3,4\r\n"},
                 {"a.jsonl.gz", "\n{\"a\":1,\"b\":2}\n{\"a\":3,\"b\":4}\n"},
                 {"b.gz", "{\"a\":1,\"b\":2}\n{\"a\":3,\"b\":4}\n"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        save_packed(cases[i].name, cases[i].text, strlen(cases[i].text));
        expect_two_rows(open_it(cases[i].name));
    }
    char array[256];
    save_packed("a.f64.gz", numbers, sizeof numbers);
    expect_two_rows(open_as("a.f64.gz", (okra_table_options){.columns = 2}));
    save_packed("a.npy.gz", array, make_npy(array, false));
    expect_two_rows(open_it("a.npy.gz"));
    assert_string_equal(okra_format_of("x/a.jsonl.gz")->name, "jsonl");
    assert_null(okra_format_of("a.csv/b.gz"));
    assert_null(okra_format_of(".gz"));
}

/* Browsers decompress files and leave them their names. */
static void a_name_alone_is_no_compression(void **state)
{
    (void)state;
    write_file("a.csv.gz", "a,b\n1,2\n3,4\n");
    expect_two_rows(open_it("a.csv.gz"));
}

static void members_are_one_stream(void **state)
{
    (void)state;
    static const char text[] = "a,b\n1,2\n3,4\n";
    for (size_t cut = 0; cut < sizeof text; cut++) {
        static bytes b;
        b.length = 0;
        pack(&b, text, cut, Z_FINISH);
        pack(&b, "", 0, Z_FINISH);
        pack(&b, text + cut, sizeof text - 1 - cut, Z_FINISH);
        save("a.gz", &b);
        expect_two_rows(open_it("a.gz"));
    }
}

static void what_is_compressed_twice_is_refused(void **state)
{
    (void)state;
    static bytes b;
    b.length = 0;
    pack(&b, "1,2\n", 4, Z_FINISH);
    save_packed("a.gz", b.text, b.length);
    expect_refused("a.gz", NULL, OKRA_E_FORMAT, "a.gz: begins as a compressed file does");
}

/* ---- pieces -------------------------------------------------------------------------------------------------- */

enum { MANY = 20000 };

/* Rows 0 .. MANY - 1, one of them as long as several buffers; the numbers do not compress well. */
static char *make_rows(size_t *length, double *sum)
{
    char *text = malloc(FILE_BYTES * 2), *end = text + sprintf(text, "a,b\n");
    *sum = 0;
    for (size_t i = 0; i < MANY; i++) {
        uint64_t mixed = i * 0x9e3779b97f4a7c15;
        end += sprintf(end, "%zu,%llu.5\n", i, (unsigned long long)(mixed >> 40));
        *sum += (double)i;
        if (i == MANY / 2)
            end += sprintf(end, "7,%300000d\n", 8), *sum += 7;
    }
    *length = (size_t)(end - text);
    return text;
}

static void long_files_and_long_lines(void **state)
{
    (void)state;
    size_t length, rows;
    double wanted, sum;
    okra_message why;
    char *text = make_rows(&length, &wanted);
    save_packed("a.csv.gz", text, length);
    assert_ok(read_all("a.csv.gz", &rows, &sum, &why));
    assert_int_equal(rows, MANY + 1);
    assert_near(sum, wanted, 0);
    okra_table *table = open_it("a.csv.gz");
    assert_true(okra_table_progress(table) >= 0 && okra_table_progress(table) < 0.7);
    assert_ok(okra_table_skip(table, MANY / 2 + 2, &why));
    assert_int_equal(okra_table_get(table)->line, MANY / 2 + 3);
    const size_t next = MANY / 2 + 1;
    expect_row(table, ROW((double)next, (double)(next * 0x9e3779b97f4a7c15 >> 40) + 0.5));
    assert_ok(read_rest(table, &rows, &sum, &why));
    assert_int_equal(rows, MANY / 2 - 2);
    free(text);
}

/* Sends bytes one by one, from another process, to our standard input. */
static pid_t send_slowly(const bytes *b)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    for (size_t i = 0; child == 0 && i < b->length; i++)
        if (write(ends[1], b->text + i, 1) != 1)
            _exit(1);
    if (child == 0)
        _exit(0);
    close(ends[1]);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    return child;
}

static void a_pipe_in_any_pieces(void **state)
{
    (void)state;
    static bytes b;
    int keep = dup(STDIN_FILENO), ended;
    b.length = 0;
    pack(&b, "a,b\n1,", 6, Z_FINISH);
    pack(&b, "2\n3,4\n", 6, Z_FINISH);
    pid_t child = send_slowly(&b);
    expect_two_rows(open_it("-"));
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
    dup2(keep, STDIN_FILENO);
    close(keep);
}

/* A row is there once it was flushed, though the pipe stays open: a reader that waited for more would hang here. */
static void a_pipe_gives_what_was_flushed(void **state)
{
    (void)state;
    static bytes b;
    int keep = dup(STDIN_FILENO), ends[2];
    b.length = 0;
    pack(&b, "a,b\n1,2\n", 8, Z_SYNC_FLUSH);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], b.text, b.length), b.length);
    dup2(ends[0], STDIN_FILENO);
    okra_table *table = open_it("-");
    assert_true(okra_table_progress(table) < 0);
    expect_row(table, ROW(1, 2));
    okra_table_close(table);
    dup2(keep, STDIN_FILENO);
    close(keep), close(ends[0]), close(ends[1]);
}

/* ---- damage -------------------------------------------------------------------------------------------------- */

static const char small[] = "a,b\n10,2.25\n20,4.75\n40,8.5\n80,16.125\n";

/* Whole rows, as many as were there, and then one line: never a row that was cut, and never a silent end. */
static void files_cut_at_every_byte(void **state)
{
    (void)state;
    static bytes b;
    static const double sums[] = {0, 10, 30, 70, 150};
    b.length = 0;
    pack(&b, small, 12, Z_FINISH);
    size_t whole = b.length, rows;
    pack(&b, small + 12, sizeof small - 13, Z_FINISH);
    for (size_t cut = 1; cut < b.length; cut++) {
        double sum = 0;
        okra_message why;
        write_bytes("a.csv.gz", b.text, cut);
        okra_status status = read_all("a.csv.gz", &rows, &sum, &why);
        if (cut == whole) { /* which cannot be told from a file that was not cut */
            assert_ok(status);
            assert_int_equal(rows, 1);
            continue;
        }
        assert_status(status, cut < 3 ? OKRA_E_FORMAT : OKRA_E_READ);
        expect_line(&why, cut < 3 ? "was cut short" : "end here and are not complete: it was cut short");
        expect_line(&why, "a.csv.gz:");
        assert_true(rows < COUNT_OF(sums) && (rows >= 1 || cut < whole));
        assert_near(sum, rows > 0 ? sums[rows] : 0, 0);
    }
}

/* But for the time and the system in the header, and the bits that fill up the last byte before the checksum: they mean
 * nothing. */
static void no_changed_byte_goes_unnoticed(void **state)
{
    (void)state;
    static bytes b;
    b.length = 0;
    pack(&b, small, sizeof small - 1, Z_FINISH);
    for (size_t at = 10; at < b.length; at++)
        for (int bit = 0; bit < 8; bit++) {
            size_t rows;
            double sum;
            okra_message why;
            b.text[at] = (char)(b.text[at] ^ 1 << bit);
            save("a.csv.gz", &b);
            if (read_all("a.csv.gz", &rows, &sum, &why))
                expect_line(&why, "a.csv.gz:");
            else
                assert_true(at == b.length - 9 && rows == 4);
            b.text[at] = (char)(b.text[at] ^ 1 << bit);
        }
}

static void expect_rows_then(const bytes *b, size_t wanted, const char *part)
{
    size_t rows;
    double sum;
    okra_message why;
    save("a.csv.gz", b);
    assert_status(read_all("a.csv.gz", &rows, &sum, &why), OKRA_E_READ);
    assert_int_equal(rows, wanted);
    expect_line(&why, part);
}

static void a_wrong_checksum_and_a_wrong_length(void **state)
{
    (void)state;
    static bytes b;
    static const size_t from_end[] = {8, 4};
    for (size_t i = 0; i < COUNT_OF(from_end); i++) {
        b.length = 0;
        pack(&b, small, sizeof small - 1, Z_FINISH);
        b.text[b.length - from_end[i]] ^= 1;
        expect_rows_then(&b, 4, "a.csv.gz:6: its compressed data are damaged here or before (incorrect");
        pack(&b, "5,6\n", 4, Z_FINISH); /* nothing after it is trusted */
        expect_rows_then(&b, 4, "a.csv.gz:6: its compressed data are damaged here or before (incorrect");
    }
}

static void bytes_behind_the_last_member(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
        const char *part;
    } cases[] = {{"\n", 1, "a.csv.gz:6: other bytes follow the end of its compressed data: copy it again"},
                 {"\0\0\0\0", 4, "other bytes follow"},
                 {"5,6\n", 4, "other bytes follow"},
                 {"\x1f", 1, "not complete"},
                 {"\x1f\x8c\x08", 3, "damaged here or before (incorrect header check)"}};
    static bytes b;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        b.length = 0;
        pack(&b, small, sizeof small - 1, Z_FINISH);
        memcpy(b.text + b.length, cases[i].bytes, cases[i].length);
        b.length += cases[i].length;
        expect_rows_then(&b, 4, cases[i].part);
    }
}

/* The last row of an array is known before the checksum comes, which is looked at nevertheless. */
static void the_end_of_an_array_is_checked(void **state)
{
    (void)state;
    static bytes b;
    char array[256];
    size_t rows;
    double sum;
    okra_message why;
    b.length = 0;
    pack(&b, array, make_npy(array, false), Z_FINISH);
    b.text[b.length - 8] ^= 1;
    save("a.npy.gz", &b);
    assert_status(read_all("a.npy.gz", &rows, &sum, &why), OKRA_E_READ);
    assert_int_equal(rows, 2);
    expect_line(&why, "damaged");
}

/* ---- what cannot be ------------------------------------------------------------------------------------------ */

static void what_needs_to_seek_is_refused(void **state)
{
    (void)state;
    char array[256];
    okra_message why;
    size_t ahead;
    save_packed("a.csv.gz", small, sizeof small - 1);
    expect_refused("a.csv.gz", &(okra_table_options){.follow = true}, OKRA_E_PARAMETER,
                   "a.csv.gz: is compressed and cannot be followed: name a file of text that grows");
    okra_table *table = open_it("a.csv.gz");
    assert_status(okra_table_part(table, 0, 2, 0, &ahead, &why), OKRA_E_FORMAT);
    expect_line(&why, "a.csv.gz: is compressed, and cannot be read in parts: decompress it first, with gunzip");
    okra_table_close(table);
    save_packed("a.npy.gz", array, make_npy(array, true));
    expect_refused("a.npy.gz", NULL, OKRA_E_FORMAT, "stored by columns (Fortran order)");
    save_packed("a.wav.gz", "RIFF\x24\0\0\0WAVE", 12);
    expect_refused("a.wav.gz", NULL, OKRA_E_FORMAT, "a.wav.gz: is compressed, and audio needs a file to seek in");
}

static void archives_are_named(void **state)
{
    (void)state;
    char archive[512] = "rows.csv";
    memcpy(archive + 257, "ustar", 5);
    save_packed("a.tar.gz", archive, sizeof archive);
    expect_refused("a.tar.gz", NULL, OKRA_E_FORMAT, "is an archive: extract the table");
}

/* ---- writing ------------------------------------------------------------------------------------------------- */

static okra_writer *open_writer(const char *name, okra_writer_options options)
{
    static const char *const names[] = {"a", "b"};
    okra_writer *writer;
    okra_message why;
    options.columns = 2;
    options.names = names;
    if (okra_writer_open(name, &options, &writer, &why))
        fail_msg("%s", why.text);
    return writer;
}

static void put_rows(okra_writer *writer, size_t from, size_t to)
{
    okra_message why;
    for (size_t i = from; i < to; i++)
        if (okra_writer_row(writer, ROW((double)i, (double)i / 7), NULL, &why))
            fail_msg("%s", why.text);
}

/* What the program gzip makes of a file, to be freed. */
static char *gunzip(const char *name, size_t *length)
{
    char command[128];
    snprintf(command, sizeof command, "gzip -dc < %s > plain", name);
    assert_int_equal(system(command), 0);
    return read_bytes("plain", length);
}

static void expect_same(const char *packed, const char *plain)
{
    size_t length, wanted_length;
    char *made = gunzip(packed, &length), *wanted = read_bytes(plain, &wanted_length);
    assert_int_equal(length, wanted_length);
    assert_memory_equal(made, wanted, length);
    free(made), free(wanted);
}

static void every_format_is_what_it_is_without(void **state)
{
    (void)state;
    static const char *const names[] = {"a.csv", "a.tsv", "a.jsonl", "a.f64", "a.f32"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        for (size_t rows = 0; rows <= 30000; rows = rows * 30 + 1) {
            char packed[32];
            struct stat plain, small_one;
            snprintf(packed, sizeof packed, "%s.gz", names[i]);
            for (int k = 0; k < 2; k++) {
                okra_writer *writer = open_writer(k ? packed : names[i], (okra_writer_options){0});
                put_rows(writer, 0, rows);
                assert_ok(okra_writer_close(writer, NULL));
            }
            expect_same(packed, names[i]);
            assert_int_equal(stat(packed, &small_one) | stat(names[i], &plain), 0);
            assert_true(rows < 1000 || small_one.st_size < plain.st_size * 2 / 3);
        }
}

static void headers_that_are_completed_later_are_refused(void **state)
{
    (void)state;
    okra_writer *writer;
    okra_message why;
    okra_writer_options options = {.columns = 2, .audio.rate = 8000};
    static const char *const names[] = {"new.npy.gz", "new.wav.gz", "new.flac.gz"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        assert_status(okra_writer_open(names[i], &options, &writer, &why), OKRA_E_PARAMETER);
        expect_line(&why, "cannot be compressed while it is written: leave out .gz");
        assert_int_equal(access(names[i], F_OK), -1);
    }
}

/* A writer that was killed: its rows up to the last flush are there, and the reader says that there is no end. */
static void what_was_flushed_can_be_read(void **state)
{
    (void)state;
    size_t rows;
    double sum;
    okra_message why;
    okra_writer *writer = open_writer("a.csv.gz", (okra_writer_options){0});
    assert_status(read_all("a.csv.gz", &rows, &sum, &why), OKRA_E_READ); /* the header is there from the start */
    expect_line(&why, "a.csv.gz:2: its compressed data end here");
    for (size_t i = 0; i < 3; i++) {
        put_rows(writer, i * 1000, (i + 1) * 1000);
        for (int twice = 0; twice < 2; twice++)
            assert_ok(okra_writer_flush(writer, false, &why));
        assert_status(read_all("a.csv.gz", &rows, &sum, &why), OKRA_E_READ);
        assert_int_equal(rows, (i + 1) * 1000);
    }
    assert_ok(okra_writer_close(writer, &why));
    assert_ok(read_all("a.csv.gz", &rows, &sum, &why));
    assert_int_equal(rows, 3000);
}

static void live_rows_are_there_at_once(void **state)
{
    (void)state;
    okra_message why;
    okra_writer *writer = open_writer("a.csv.gz", (okra_writer_options){.live = true});
    for (size_t i = 0; i < 20; i++) {
        size_t rows;
        double sum;
        put_rows(writer, i, i + 1);
        assert_status(read_all("a.csv.gz", &rows, &sum, &why), OKRA_E_READ);
        assert_int_equal(rows, i + 1);
    }
    assert_ok(okra_writer_close(writer, &why));
}

/* After a flush to the disk the file is whole, and another run goes on there, whatever was written since. */
static void a_run_goes_on_where_it_stopped(void **state)
{
    (void)state;
    okra_message why;
    okra_writer *writer = open_writer("whole.csv", (okra_writer_options){0});
    put_rows(writer, 0, 9000);
    assert_ok(okra_writer_close(writer, &why));
    uint64_t keep = 0;
    for (size_t i = 0; i < 3; i++) {
        writer = open_writer("a.csv.gz", (okra_writer_options){.append_at = keep});
        put_rows(writer, i * 3000, (i + 1) * 3000);
        for (int twice = 0; twice < 2; twice++)
            assert_ok(okra_writer_flush(writer, true, &why));
        keep = okra_writer_get(writer)->bytes;
        struct stat info;
        assert_int_equal(stat("a.csv.gz", &info), 0);
        assert_int_equal(info.st_size, keep);
        free(gunzip("a.csv.gz", &(size_t){0}));
        if (i < 2)
            put_rows(writer, 0, 5000); /* and stops before the next checkpoint */
        assert_ok(okra_writer_close(writer, &why));
    }
    expect_same("a.csv.gz", "whole.csv");
}

static void a_file_that_is_not_that_of_the_run_stays(void **state)
{
    (void)state;
    okra_message why;
    okra_writer *writer = open_writer("a.csv.gz", (okra_writer_options){0});
    put_rows(writer, 0, 100);
    assert_ok(okra_writer_flush(writer, true, &why));
    uint64_t whole = okra_writer_get(writer)->bytes;
    put_rows(writer, 100, 200);
    assert_ok(okra_writer_close(writer, &why));
    size_t length, now;
    char *before = read_bytes("a.csv.gz", &length);
    for (uint64_t keep = 1; keep <= length + 1; keep++) {
        okra_writer_options options = {.columns = 2, .append_at = keep};
        if (keep == whole || keep == length)
            continue;
        assert_status(okra_writer_open("a.csv.gz", &options, &writer, &why), OKRA_E_FORMAT);
        expect_line(&why, keep > length ? "is shorter than" : "a.csv.gz: no compressed data end after its first ");
        char *after = read_bytes("a.csv.gz", &now);
        assert_int_equal(now, length);
        assert_memory_equal(after, before, now);
        free(after);
    }
    free(before);
}

static void a_full_disk_is_reported(void **state)
{
    (void)state;
    okra_writer *writer;
    okra_message why;
    okra_writer_options options = {.columns = 2};
    assert_int_equal(symlink("/dev/full", "full.csv.gz"), 0);
    assert_ok(okra_writer_open("full.csv.gz", &options, &writer, &why));
    assert_status(okra_writer_row(writer, numbers, NULL, &why), OKRA_E_WRITE);
    expect_line(&why, "full.csv.gz: cannot be written: No space left on device: free some room");
    assert_status(okra_writer_close(writer, &why), OKRA_E_WRITE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_of_a_pipe),
        cmocka_unit_test(a_name_alone_is_no_compression),
        cmocka_unit_test(members_are_one_stream),
        cmocka_unit_test(what_is_compressed_twice_is_refused),
        cmocka_unit_test(long_files_and_long_lines),
        cmocka_unit_test(a_pipe_in_any_pieces),
        cmocka_unit_test(a_pipe_gives_what_was_flushed),
        cmocka_unit_test(files_cut_at_every_byte),
        cmocka_unit_test(no_changed_byte_goes_unnoticed),
        cmocka_unit_test(a_wrong_checksum_and_a_wrong_length),
        cmocka_unit_test(bytes_behind_the_last_member),
        cmocka_unit_test(the_end_of_an_array_is_checked),
        cmocka_unit_test(what_needs_to_seek_is_refused),
        cmocka_unit_test(archives_are_named),
        cmocka_unit_test(every_format_is_what_it_is_without),
        cmocka_unit_test(headers_that_are_completed_later_are_refused),
        cmocka_unit_test(what_was_flushed_can_be_read),
        cmocka_unit_test(live_rows_are_there_at_once),
        cmocka_unit_test(a_run_goes_on_where_it_stopped),
        cmocka_unit_test(a_file_that_is_not_that_of_the_run_stays),
        cmocka_unit_test(a_full_disk_is_reported),
    };
    return cmocka_run_group_tests_name("gzip", tests, enter_directory, leave_directory);
}
