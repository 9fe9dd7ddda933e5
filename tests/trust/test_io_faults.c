/*
 * Every call that libokra-io makes to the system, the allocator, jansson, libsndfile or zlib fails once, in every
 * place: each task below is run to count its calls, then again with call 1, 2, .. of each function failing. Then either
 * the task says so, with a status that fits, one line of words, and nothing lost; or it got along without, and its
 * result is the same. And it works again afterwards. That nothing leaks on the way is for the sanitizers to see.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* F_SETPIPE_SZ, nftw */
#endif
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include <okra/io.h>
#include <okra/model_file.h>

#include "faults.h"
#include "io/number.h"

enum { COLUMNS = 3, ROWS = 50 };

static char directory[] = "/tmp/okra-faults-XXXXXX";
static okra_filter *model;
static okra_metadata *metadata;

/* ---- what a task has seen or made ---------------------------------------------------------------------------- */

static uint64_t seen;

static void see(const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        seen = (seen ^ ((const unsigned char *)bytes)[i]) * 1099511628211u; /* FNV-1a */
}

static void see_file(const char *name)
{
    FILE *file = fopen(name, "rb");
    char bytes[4096];
    size_t got;
    while (file && (got = fread(bytes, 1, sizeof bytes, file)) > 0)
        see(bytes, got);
    if (file)
        fclose(file);
}

/* ---- reading ------------------------------------------------------------------------------------------------- */

static okra_status read_rows(okra_table *reader, okra_message *why)
{
    double row[8];
    bool used[8] = {true, true, true}, more = true;
    okra_status status = okra_table_use(reader, used);
    if (status)
        snprintf(why->text, sizeof why->text, "%s", okra_strerror(status));
    if (!status)
        status = okra_table_skip(reader, 5, why);
    while (!status && more) {
        status = okra_table_next(reader, row, &more, why);
        if (!status && more)
            see(row, okra_table_get(reader)->columns * sizeof *row);
    }
    okra_table_close(reader);
    return status;
}

static okra_status read_as(const char *name, const char *format, size_t columns, okra_message *why)
{
    okra_table *reader;
    okra_table_options options = {.format = format, .columns = columns};
    okra_status status = okra_table_open(name, &options, &reader, why);
    return status ? status : read_rows(reader, why);
}

static okra_status read_csv(okra_message *why) { return read_as("rows.csv", NULL, 0, why); }
static okra_status read_long_line(okra_message *why) { return read_as("long.csv", NULL, 0, why); }
static okra_status read_npy(okra_message *why) { return read_as("rows.npy", NULL, 0, why); }
static okra_status read_by_columns(okra_message *why) { return read_as("columns.npy", NULL, 0, why); }
static okra_status read_raw(okra_message *why) { return read_as("rows.f64", "f64", COLUMNS, why); }
static okra_status read_gzip(okra_message *why) { return read_as("rows.csv.gz", NULL, 0, why); }
static okra_status read_wav(okra_message *why) { return read_as("far.wav", NULL, 0, why); }

static okra_status read_pair(okra_message *why)
{
    okra_table *reader;
    okra_table_options options = {.mic = "mic.wav"};
    okra_status status = okra_table_open("far.wav", &options, &reader, why);
    if (status)
        return status;
    see(okra_table_get(reader)->note, strlen(okra_table_get(reader)->note));
    return read_rows(reader, why);
}

/* The second of three parts, with the four rows before it. */
static okra_status read_part(const char *name, okra_message *why)
{
    okra_table *reader;
    okra_table_options options = {0};
    size_t ahead = 0;
    okra_status status = okra_table_open(name, &options, &reader, why);
    if (status)
        return status;
    status = okra_table_part(reader, 1, 3, 4, &ahead, why);
    see(&ahead, sizeof ahead);
    if (!status)
        return read_rows(reader, why);
    okra_table_close(reader);
    return status;
}

static okra_status read_part_of_csv(okra_message *why) { return read_part("rows.csv", why); }
static okra_status read_part_of_npy(okra_message *why) { return read_part("rows.npy", why); }

/* ---- writing ------------------------------------------------------------------------------------------------- */

static okra_status write_rows(const char *name, okra_writer_options options, size_t rows, okra_message *why)
{
    static const char *const names[] = {"a", "b", "c"};
    okra_writer *writer;
    options.columns = COLUMNS, options.names = names;
    okra_status status = okra_writer_open(name, &options, &writer, why);
    if (status)
        return status;
    for (size_t i = 0; i < rows && !status; i++) {
        double row[COLUMNS] = {(double)i / 64, 0.25, -(double)i / 128};
        status = okra_writer_row(writer, row, NULL, why);
        if (!status && i == rows / 2)
            status = okra_writer_flush(writer, true, why);
    }
    okra_status closed = okra_writer_close(writer, status ? NULL : why);
    status = status ? status : closed;
    if (!status)
        see_file(name);
    return status;
}

static okra_status write_csv(okra_message *why) { return write_rows("out.csv", (okra_writer_options){0}, ROWS, why); }
static okra_status write_gzip(okra_message *why)
{
    return write_rows("out.csv.gz", (okra_writer_options){0}, ROWS, why);
}
static okra_status write_npy(okra_message *why) { return write_rows("out.npy", (okra_writer_options){0}, ROWS, why); }
static okra_status write_raw(okra_message *why) { return write_rows("out.f64", (okra_writer_options){0}, ROWS, why); }

static okra_status write_wav(okra_message *why)
{
    return write_rows("out.wav", (okra_writer_options){.audio.rate = 8000}, ROWS, why);
}

static okra_status write_float_wav(okra_message *why)
{
    okra_audio audio = {.rate = 8000, .sample = OKRA_SAMPLE_F32};
    return write_rows("out.wav", (okra_writer_options){.audio = audio}, ROWS, why);
}

static okra_status write_flac(okra_message *why)
{
    return write_rows("out.flac", (okra_writer_options){.audio.rate = 8000}, ROWS, why);
}

/* From the tenth row of what there is. */
static okra_status append(const char *name, const char *to, size_t keep, okra_message *why)
{
    unsigned char *bytes = NULL;
    size_t size;
    okra_status status = okra_file_load(name, &bytes, &size, why);
    FILE *copy = status ? NULL : fopen(to, "wb");
    if (copy) {
        fwrite(bytes, 1, size, copy);
        fclose(copy);
    }
    free(bytes);
    return status ? status : write_rows(to, (okra_writer_options){.append_at = keep}, 10, why);
}

static okra_status append_csv(okra_message *why) { return append("rows.csv", "more.csv", 6, why); }
static size_t packed_rows; /* the size of rows.csv.gz */
static okra_status append_gzip(okra_message *why) { return append("rows.csv.gz", "more.csv.gz", packed_rows, why); }
static okra_status append_npy(okra_message *why)
{
    return append("rows.npy", "more.npy", 128 + 10 * COLUMNS * sizeof(double), why);
}

/* ---- models -------------------------------------------------------------------------------------------------- */

static okra_status save_anew(okra_message *why)
{
    unlink("new.okra");
    okra_status status = okra_save(model, "new.okra", metadata, why);
    if (!status)
        see_file("new.okra");
    return status;
}

/* Over an old file, through a link, which stays one; what was there is whole where it fails before the name changes. */
static okra_status save_over(okra_message *why)
{
    struct stat info;
    okra_status status = okra_save(model, "link.okra", metadata, why);
    bool kept = lstat("link.okra", &info) == 0 && S_ISLNK(info.st_mode);
    if (!kept && unlink("link.okra") == 0 && symlink("old.okra", "link.okra") == 0)
        see("lost", 4);
    if (!status)
        see_file("old.okra");
    return status;
}

static okra_status save_to_device(okra_message *why) { return okra_save(model, "/dev/null", metadata, why); }

static okra_status load(okra_message *why)
{
    okra_filter *loaded;
    okra_metadata *read;
    okra_status status = okra_load("saved.okra", 0, &loaded, &read, why);
    if (status)
        return loaded || read ? OKRA_OK : status; /* nothing may be there */
    see(okra_metadata_get(read, "source"), strlen(okra_metadata_get(read, "source")));
    okra_free(loaded);
    okra_metadata_free(read);
    return OKRA_OK;
}

static unsigned char *packed;
static size_t packed_size;
static char *exported;

static okra_status export(okra_message *why)
{
    char *json;
    okra_status status = okra_export(packed, packed_size, 0, &json, why);
    if (!status)
        see(json, strlen(json));
    free(json);
    return status;
}

static okra_status import(okra_message *why)
{
    unsigned char *bytes;
    size_t size = 0;
    okra_status status = okra_import(exported, strlen(exported), 0, &bytes, &size, why);
    if (!status)
        see(bytes, size);
    free(bytes);
    return status;
}

static okra_status read_metadata(okra_message *why)
{
    okra_metadata *header;
    const char *key, *value;
    okra_status status = okra_read_header(packed, packed_size, &header, why);
    for (size_t i = 0; !status && okra_metadata_at(header, i, &key, &value); i++)
        see(value, strlen(value));
    okra_metadata_free(header);
    return status;
}

static okra_status take_notes(okra_message *why)
{
    okra_metadata *made = NULL;
    okra_status status = OKRA_OK;
    for (int i = 0; i < 40 && !status; i++) {
        char key[16];
        snprintf(key, sizeof key, "key %d", i % 20);
        status = okra_metadata_set(&made, key, i < 20 ? "first" : "second");
    }
    for (size_t i = 0; i < 20 && !status; i++)
        see(okra_metadata_at(made, i, NULL, NULL) ? "there" : "gone ", 5);
    okra_metadata_free(made);
    snprintf(why->text, sizeof why->text, "%s", okra_strerror(status));
    return status;
}

/* Standard input, which does not tell its size, with more than fits at first. */
static okra_status load_standard(okra_message *why)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    int keep = dup(STDIN_FILENO), ends[2];
    if (keep < 0 || pipe(ends) != 0 || fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) < 0)
        return OKRA_OK;
    static char many[100000];
    FILE *in = fdopen(ends[1], "w");
    fwrite(many, 1, sizeof many, in);
    fclose(in);
    dup2(ends[0], STDIN_FILENO);
    okra_status status = okra_file_load("-", &bytes, &size, why);
    dup2(keep, STDIN_FILENO);
    close(ends[0]), close(keep);
    see(&size, sizeof size);
    free(bytes);
    return status;
}

typedef struct task {
    const char *name;
    okra_status (*run)(okra_message *why);
} task;

#define TASK(name)  \
    {               \
#name, name \
    }
static const task tasks[] = {
    TASK(read_csv),         TASK(read_long_line), TASK(read_npy),   TASK(read_by_columns), TASK(read_raw),
    TASK(read_wav),         TASK(read_pair),      TASK(write_csv),  TASK(write_npy),       TASK(write_raw),
    TASK(write_wav),        TASK(write_flac),     TASK(append_csv), TASK(append_npy),      TASK(write_float_wav),
    TASK(save_anew),        TASK(save_over),      TASK(load),       TASK(save_to_device),  TASK(load_standard),
    TASK(take_notes),       TASK(export),         TASK(import),     TASK(read_metadata),   TASK(read_part_of_csv),
    TASK(read_part_of_npy), TASK(read_gzip),      TASK(write_gzip), TASK(append_gzip),
};

/* ---- what they work on --------------------------------------------------------------------------------------- */

static void write_bytes(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void make_npy(const char *name, const char *dictionary)
{
    char header[129];
    double numbers[COLUMNS * ROWS] = {0};
    memcpy(header, "\x93NUMPY\x01\0\x76\0", 10); /* 118 bytes of dictionary */
    snprintf(header + 10, 119, "%-117s\n", dictionary);
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        numbers[i] = (double)i;
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    fwrite(header, 1, 128, file);
    fwrite(numbers, sizeof *numbers, COUNT_OF(numbers), file);
    assert_int_equal(fclose(file), 0);
}

/* A text column in quotes that is longer than any buffer to begin with. */
static void make_long_line(void)
{
    FILE *file = fopen("long.csv", "w");
    assert_non_null(file);
    fprintf(file, "a,b,c,\"text\"\n");
    for (int i = 0; i < 10; i++)
        fprintf(file, "%d,2,3,\"%*s\"\n", i, i == 2 || i == 7 ? 150000 : 3, "x");
    assert_int_equal(fclose(file), 0);
}

static void make_streams(void)
{
    okra_message why;
    okra_writer_options plain = {0}, sound = {.audio.rate = 8000};
    assert_ok(write_rows("rows.csv", plain, ROWS, &why));
    assert_ok(write_rows("rows.npy", plain, ROWS, &why));
    assert_ok(write_rows("rows.csv.gz", plain, ROWS, &why));
    struct stat info;
    assert_int_equal(stat("rows.csv.gz", &info), 0);
    packed_rows = (size_t)info.st_size;
    assert_ok(write_rows("rows.f64", plain, ROWS, &why));
    assert_ok(write_rows("far.wav", sound, ROWS, &why));
    assert_ok(write_rows("mic.wav", sound, ROWS + 5, &why));
    make_npy("columns.npy", "{'descr': '<f8', 'fortran_order': True, 'shape': (50, 3), }");
    make_long_line();
}

static void make_model(void)
{
    okra_message why;
    okra_spec spec;
    assert_ok(okra_spec_init(&spec, "rff-krls", 2, 1));
    spec.features = 8, spec.scale = OKRA_SCALE_AUTO, spec.sigma = OKRA_SIGMA_AUTO;
    assert_ok(okra_create(&spec, &model));
    for (int i = 0; i < 40; i++)
        assert_ok(okra_step(model, (double[]){i % 7, i % 5}, (double[]){i % 3}, 1, NULL, NULL));
    assert_ok(okra_metadata_set(&metadata, "source", "rows.csv"));
    assert_ok(okra_pack(model, metadata, &packed, &packed_size, &why));
    assert_ok(okra_export(packed, packed_size, 0, &exported, &why));
    write_bytes("saved.okra", packed, packed_size);
    write_bytes("old.okra", "old", 3);
    assert_int_equal(symlink("old.okra", "link.okra"), 0);
}

/* ---- one fault ----------------------------------------------------------------------------------------------- */

static bool fits(fault_kind kind, okra_status status)
{
    bool files = status == OKRA_E_OPEN || status == OKRA_E_READ || status == OKRA_E_WRITE || status == OKRA_E_FORMAT;
    /* a file that cannot be replaced for want of memory cannot be written */
    if (kind == MEMORY)
        return status == OKRA_E_MEMORY || status == OKRA_E_WRITE;
    return files || (kind == SOUND && status == OKRA_E_PARAMETER); /* no audio of that kind */
}

static uint64_t run_well(const task *t)
{
    okra_message why = {""};
    seen = 0;
    okra_status status = t->run(&why);
    if (status)
        fail_msg("%s: %s", t->name, why.text);
    return seen;
}

static void check_fault(const task *t, fault_id which, size_t nth, int error, uint64_t wanted)
{
    okra_message why = {""};
    seen = 0;
    fault_arm(which, nth, error);
    okra_status status = t->run(&why);
    bool happened = fault_disarm();
    const char *what = fault_name(which);
    if (!happened)
        fail_msg("%s: call %zu of %s did not come", t->name, nth, what);
    if (status == OKRA_OK && seen != wanted)
        fail_msg("%s: call %zu of %s failed (%d), and nothing was said: the result differs", t->name, nth, what, error);
    if (status != OKRA_OK && !fits(fault_kind_of(which), status))
        fail_msg("%s: call %zu of %s failed (%d): %s: %s", t->name, nth, what, error, okra_strerror(status), why.text);
    if (status != OKRA_OK && (!*why.text || strchr(why.text, '\n')))
        fail_msg("%s: call %zu of %s failed (%d): not one line: '%s'", t->name, nth, what, error, why.text);
}

static size_t count_calls(const task *t, fault_id which)
{
    okra_message why;
    fault_arm(which, 0, 0);
    assert_ok(t->run(&why));
    fault_disarm();
    return fault_calls(which);
}

static int error_of(fault_id which)
{
    return fault_kind_of(which) == MEMORY ? ENOMEM : which == FAULT_open ? EACCES : EIO;
}

static void every_call_fails_once(void **state)
{
    (void)state;
    size_t faults = 0;
    for (size_t i = 0; i < COUNT_OF(tasks); i++) {
        uint64_t wanted = run_well(&tasks[i]);
        for (int which = 0; which < FAULT_COUNT; which++) {
            size_t calls = count_calls(&tasks[i], (fault_id)which);
            for (size_t nth = 1; nth <= calls; nth++)
                check_fault(&tasks[i], (fault_id)which, nth, error_of((fault_id)which), wanted);
            faults += calls;
        }
        assert_true(run_well(&tasks[i]) == wanted);
    }
    print_message("%zu faults in %zu tasks\n", faults, COUNT_OF(tasks));
    assert_true(faults > 500);
}

/* Interrupted, not ready, or done in part: whoever goes on gets the same result. */
static void nothing_is_lost_on_the_way(void **state)
{
    (void)state;
    static const fault_id moving[] = {FAULT_read, FAULT_pread, FAULT_write, FAULT_pwrite};
    static const int ways[] = {EINTR, EAGAIN, FAULT_SHORT};
    for (size_t i = 0; i < COUNT_OF(tasks); i++) {
        uint64_t wanted = run_well(&tasks[i]);
        for (size_t m = 0; m < COUNT_OF(moving); m++)
            for (size_t w = 0; w < COUNT_OF(ways); w++) {
                bool waits = ways[w] != EAGAIN || moving[m] == FAULT_read || moving[m] == FAULT_write;
                size_t calls = waits ? count_calls(&tasks[i], moving[m]) : 0;
                for (size_t nth = 1; nth <= calls; nth++) {
                    check_fault(&tasks[i], moving[m], nth, ways[w], wanted);
                    if (seen != wanted)
                        fail_msg("%s: call %zu of %s was interrupted (%d): refused", tasks[i].name, nth,
                                 fault_name(moving[m]), ways[w]);
                }
            }
    }
}

/* ---- single cases -------------------------------------------------------------------------------------------- */

/* Before anything else of this process: the locale is made once. */
static void the_first_locale(void **state)
{
    (void)state;
    okra_table *reader;
    okra_message why = {""};
    FILE *file = fopen("first.csv", "w");
    fputs("1,2\n", file);
    fclose(file);
    fault_arm(FAULT_newlocale, 1, ENOMEM);
    okra_status status = okra_table_open("first.csv", NULL, &reader, &why);
    assert_true(fault_disarm());
    assert_status(status, OKRA_E_MEMORY);
    fault_arm(FAULT_newlocale, 1, FAULT_OTHER_FIRST);
    locale_t got = okra_c_locale();
    assert_true(fault_disarm());
    assert_true(got && got == okra_c_locale());
}

static void a_file_that_shrinks_is_told(void **state)
{
    (void)state;
    okra_message why = {""};
    fault_arm(FAULT_pread, 2, FAULT_END);
    okra_status status = read_by_columns(&why);
    assert_true(fault_disarm());
    assert_status(status, OKRA_E_READ);
    assert_non_null(strstr(why.text, "columns.npy: row 6: the file has been cut short"));
}

/* Another thread is saving the same file: the next name is taken, and none is left behind. */
static void a_name_may_be_taken(void **state)
{
    (void)state;
    okra_message why = {""};
    fault_arm(FAULT_open, 1, EEXIST);
    okra_status status = okra_file_save("taken.okra", "new", 3, &why);
    assert_true(fault_disarm());
    assert_ok(status);
    assert_int_equal(system("ls | grep -q tmp"), 1 << 8);
}

/* Each cause has its remedy. */
static void remedies_fit_the_cause(void **state)
{
    (void)state;
    static const struct {
        int error;
        const char *remedy;
    } causes[] = {{ENOSPC, "free some room"}, {EDQUOT, "free some room"}, {EFBIG, "free some room"},
                  {ENOENT, "check the name"}, {EACCES, "right to write"}, {EPERM, "right to write"},
                  {EROFS, "right to write"},  {EIO, "choose another"},    {ENOMEM, "free some memory"}};
    for (size_t i = 0; i < COUNT_OF(causes); i++) {
        okra_message why = {""};
        fault_arm(FAULT_write, 1, causes[i].error);
        okra_status status = okra_file_save("old.okra", "new", 3, &why);
        assert_true(fault_disarm());
        assert_status(status, OKRA_E_WRITE);
        assert_non_null(strstr(why.text, causes[i].remedy));
        assert_non_null(strstr(why.text, "the old file is as it was"));
        okra_writer *writer;
        assert_ok(okra_writer_open("rows.csv", &(okra_writer_options){.columns = 1}, &writer, &why));
        fault_arm(FAULT_write, 1, causes[i].error);
        okra_writer_row(writer, (double[]){1}, NULL, &why);
        status = okra_writer_flush(writer, false, &why);
        assert_true(fault_disarm());
        assert_status(status, OKRA_E_WRITE);
        assert_non_null(strstr(why.text, causes[i].remedy));
        assert_status(okra_writer_close(writer, NULL), OKRA_E_WRITE);
    }
}

/* A note is refused exactly where jansson would not hold it: every beginning of two bytes, with others after it. */
static void notes_are_utf8(void **state)
{
    (void)state;
    static const unsigned char rest[][2] = {{0}, {0x80}, {0xBF, 0}, {0x80, 0x80}, {0xBF, 0xBF}, {0x80, 0x7F}, {0x41}};
    okra_metadata *made = NULL;
    size_t taken = 0;
    for (unsigned first = 1; first < 256; first++)
        for (unsigned second = 0; second < 256; second++)
            for (size_t r = 0; r < COUNT_OF(rest); r++) {
                char text[5] = {(char)first, (char)second, (char)rest[r][0], (char)rest[r][1], 0};
                json_t *held = json_string(text);
                assert_status(okra_metadata_set(&made, "note", text), held ? OKRA_OK : OKRA_E_PARAMETER);
                taken += held != NULL;
                json_decref(held);
            }
    assert_true(taken > 1000);
    okra_metadata_free(made);
}

static void nothing_given_is_refused(void **state)
{
    (void)state;
    okra_message why = {""};
    unsigned char *bytes;
    size_t size;
    char *json;
    okra_metadata *read;
    assert_status(okra_file_load(NULL, &bytes, &size, &why), OKRA_E_NULL);
    assert_status(okra_file_save("x", NULL, 0, &why), OKRA_E_NULL);
    assert_status(okra_pack(NULL, NULL, &bytes, &size, &why), OKRA_E_NULL);
    assert_status(okra_save(model, NULL, NULL, &why), OKRA_E_NULL);
    assert_status(okra_unpack(packed, packed_size, 0, NULL, NULL, &why), OKRA_E_NULL);
    assert_status(okra_read_header(NULL, 0, &read, &why), OKRA_E_NULL);
    assert_status(okra_export(packed, packed_size, 0, NULL, &why), OKRA_E_NULL);
    assert_status(okra_export(NULL, 0, 0, &json, &why), OKRA_E_NULL);
    assert_status(okra_import(NULL, 0, 0, &bytes, &size, &why), OKRA_E_NULL);
    assert_status(okra_metadata_set(NULL, "a", "b"), OKRA_E_NULL);
    assert_string_equal(why.text, okra_strerror(OKRA_E_NULL));
    assert_status(okra_file_load(NULL, &bytes, &size, NULL), OKRA_E_NULL); /* no words wanted */
}

/* What is wrong with a model file that is otherwise whole, through its JSON: `old` becomes `fresh`. */
static void refused_with(const char *old, const char *fresh, const char *words)
{
    okra_message why = {""};
    unsigned char *bytes;
    size_t size;
    const char *at = strstr(exported, old);
    char *text = malloc(strlen(exported) + strlen(fresh) + 1);
    assert_true(at && text);
    sprintf(text, "%.*s%s%s", (int)(at - exported), exported, fresh, at + strlen(old));
    assert_status(okra_import(text, strlen(text), 0, &bytes, &size, &why), OKRA_E_FORMAT);
    assert_null(bytes);
    if (!strstr(why.text, words))
        fail_msg("no '%s' in: %s", words, why.text);
    free(text);
}

static void contradictions_are_told(void **state)
{
    (void)state;
    refused_with("\"arrays\": {", "\"arrays\": {\"zz\": {\"dtype\": \"F64\", \"shape\": [1, 1], \"data\": [[1]]},",
                 "array 'zz' is none that rff-krls has");
    refused_with("\"arrays\": {", "\"arrays\": {\"zz\": {\"dtype\": \"F64\", \"shape\": [0, 99999999], \"data\": []},",
                 "array 'zz' has a shape of 99999999 empty columns");
    refused_with("\"scale\": \"auto\",", "", "array 'scale.mean' is none that rff-krls has");
    const char *sigma = strstr(exported, "\"sigma\": ");
    char line[64] = "";
    assert_true(sigma && sscanf(sigma, "%63[^,]", line) == 1);
    for (size_t i = 0; i < 3; i++)
        refused_with(line, (const char *[]){"\"sigma\": \"1e308\"", "\"sigma\": \"1e-320\"", "\"sigma\": \"inf\""}[i],
                     "");
}

/* Of what a model may hold, only what was scaled too far and waits for its label can be infinite. */
static void check_infinities(int precision)
{
    okra_message why = {""};
    okra_spec spec;
    okra_filter *made;
    unsigned char *bytes, *back;
    size_t size, back_size;
    char *json, pending[4 * sizeof(double)], *at = pending;
    assert_ok(okra_spec_init(&spec, "lms", 2, 1));
    spec.precision = precision, spec.horizon = 2;
    assert_ok(okra_create(&spec, &made));
    for (size_t i = 0; i < 4; i++) {
        float narrow = (float)(i % 2 ? (double)INFINITY : -(double)INFINITY);
        double wide = (double)narrow;
        size_t width = (size_t)precision / 8;
        at = (char *)memcpy(at, precision == OKRA_F32 ? (void *)&narrow : (void *)&wide, width) + width;
    }
    assert_ok(okra_array_write(made, "pending.x", pending));
    assert_ok(okra_pack(made, NULL, &bytes, &size, &why));
    assert_ok(okra_export(bytes, size, 0, &json, &why));
    assert_non_null(strstr(json, "\"-inf\", \"inf\"]"));
    assert_ok(okra_import(json, strlen(json), 0, &back, &back_size, &why));
    assert_int_equal(back_size, size);
    assert_memory_equal(back, bytes, size);
    free(bytes), free(back), free(json);
    okra_free(made);
}

static void infinities_are_told(void **state)
{
    (void)state;
    check_infinities(OKRA_F64);
    check_infinities(OKRA_F32);
}

static void a_key_without_quotes_is_told(void **state)
{
    (void)state;
    okra_message why = {""};
    make_npy("keys.npy", "{descr: '<f8', 'fortran_order': False, 'shape': (50, 3), }");
    assert_status(read_as("keys.npy", NULL, 0, &why), OKRA_E_FORMAT);
    assert_non_null(strstr(why.text, "keys.npy: "));
}

/* Options that no file can have. */
static void impossible_options_are_refused(void **state)
{
    (void)state;
    okra_message why = {""};
    okra_table *reader;
    okra_writer *writer;
    okra_table_options wide = {.format = "f64", .columns = SIZE_MAX / 2};
    okra_writer_options more = {.columns = 1, .append_at = 10, .format = "csv"};
    assert_status(okra_table_open("rows.f64", &wide, &reader, &why), OKRA_E_PARAMETER);
    assert_non_null(strstr(why.text, "columns are too many"));
    assert_status(okra_writer_open("/dev/null", &more, &writer, &why), OKRA_E_PARAMETER);
    assert_non_null(strstr(why.text, "is no regular file"));
}

/* ---- the group ----------------------------------------------------------------------------------------------- */

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(directory) && chdir(directory) == 0 ? 0 : -1;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info, (void)kind, (void)place;
    return remove(path);
}

static int tear_down(void **state)
{
    (void)state;
    okra_free(model);
    okra_metadata_free(metadata);
    free(packed), free(exported);
    return chdir("/") == 0 ? nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS) : -1;
}

static void make_what_they_work_on(void **state)
{
    (void)state;
    make_streams();
    make_model();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_locale),
        cmocka_unit_test(make_what_they_work_on),
        cmocka_unit_test(every_call_fails_once),
        cmocka_unit_test(nothing_is_lost_on_the_way),
        cmocka_unit_test(a_file_that_shrinks_is_told),
        cmocka_unit_test(remedies_fit_the_cause),
        cmocka_unit_test(a_name_may_be_taken),
        cmocka_unit_test(nothing_given_is_refused),
        cmocka_unit_test(notes_are_utf8),
        cmocka_unit_test(contradictions_are_told),
        cmocka_unit_test(infinities_are_told),
        cmocka_unit_test(a_key_without_quotes_is_told),
        cmocka_unit_test(impossible_options_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
