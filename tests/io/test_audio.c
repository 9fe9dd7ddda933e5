/*
 * Audio: WAV files written out here byte by byte, as Microsoft's "Multimedia Programming Interface" (1991) has them,
 * and others made or read back with libsndfile itself. Every test works in a fresh directory.
 */
#include "files.h"
#include "rows.h"

#include <signal.h>
#include <sndfile.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <okra/io.h>

/* ---- making files -------------------------------------------------------------------------------------------- */

typedef struct bytes {
    unsigned char text[4096];
    size_t length;
} bytes;

static void add(bytes *b, const void *more, size_t length)
{
    assert_true(b->length + length <= sizeof b->text);
    memcpy(b->text + b->length, more, length);
    b->length += length;
}

static void add_number(bytes *b, uint64_t number, size_t size)
{
    for (size_t i = 0; i < size; i++)
        add(b, &(unsigned char){(unsigned char)(number >> 8 * i)}, 1);
}

static void add_floats(bytes *b, const float *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, values + i, sizeof bits);
        add_number(b, bits, sizeof bits);
    }
}

enum { WHOLE = 1, FLOATS = 3 };

/* RIFF, a format chunk of 16 bytes, a data chunk; `data` bytes of samples are still to be added. */
static bytes wav(int kind, size_t channels, size_t rate, size_t bits, size_t data)
{
    bytes b = {.length = 0};
    add(&b, "RIFF", 4), add_number(&b, 36 + data, 4), add(&b, "WAVEfmt ", 8), add_number(&b, 16, 4);
    add_number(&b, (uint64_t)kind, 2), add_number(&b, channels, 2), add_number(&b, rate, 4);
    add_number(&b, rate * channels * bits / 8, 4), add_number(&b, channels * bits / 8, 2), add_number(&b, bits, 2);
    add(&b, "data", 4), add_number(&b, data, 4);
    return b;
}

static void save(const char *name, const bytes *b) { write_bytes(name, b->text, b->length); }

/* A ramp of 16-bit samples: frame t, channel c holds first + 100 t + c. */
static void save_ramp(const char *name, size_t channels, size_t rate, int frames, int first)
{
    bytes b = wav(WHOLE, channels, rate, 16, (size_t)frames * channels * 2);
    for (int t = 0; t < frames; t++)
        for (size_t c = 0; c < channels; c++)
            add_number(&b, (uint64_t)(int64_t)(first + 100 * t + (int)c), 2);
    save(name, &b);
}

static void save_flac(const char *name, const short *samples, sf_count_t n)
{
    SF_INFO info = {.samplerate = 8000, .channels = 1, .format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16};
    SNDFILE *file = sf_open(name, SFM_WRITE, &info);
    assert_non_null(file);
    assert_int_equal(sf_write_short(file, samples, n), n);
    assert_int_equal(sf_close(file), 0);
}

static off_t file_size(const char *name)
{
    struct stat info;
    assert_int_equal(stat(name, &info), 0);
    return info.st_size;
}

/* ---- reading them -------------------------------------------------------------------------------------------- */

static okra_table *open_file(const char *path)
{
    okra_table *reader;
    okra_message why;
    if (okra_table_open(path, NULL, &reader, &why))
        fail_msg("%s", why.text);
    return reader;
}

/* One line that names the file and has the part. */
static void check_message(const okra_message *why, const char *path, const char *part)
{
    if (!strstr(why->text, part) || !strstr(why->text, path) || strchr(why->text, '\n'))
        fail_msg("no '%s' about %s in: %s", part, path, why->text);
}

static void expect_no_reader(const char *path, const char *part)
{
    okra_table *reader = (okra_table *)1;
    okra_message why;
    assert_status(okra_table_open(path, NULL, &reader, &why), OKRA_E_FORMAT);
    assert_null(reader);
    check_message(&why, path, part);
}

static void expect_audio(const okra_table *reader, unsigned rate, okra_sample_format sample, uint64_t frames)
{
    okra_audio audio;
    audio = okra_table_get(reader)->audio;
    assert_true(audio.rate > 0);
    assert_int_equal(audio.rate, rate);
    assert_int_equal(audio.sample, sample);
    assert_int_equal(audio.frames, frames);
}

/* ---- single files -------------------------------------------------------------------------------------------- */

static void samples_of_16_bits(void **state)
{
    (void)state;
    const int samples[] = {-32768, 32767, -1, 0, 12345, -23456};
    bytes b = wav(WHOLE, 2, 44100, 16, sizeof samples / 2);
    for (size_t i = 0; i < COUNT_OF(samples); i++)
        add_number(&b, (uint64_t)(int64_t)samples[i], 2);
    save("a.wav", &b);
    okra_table *reader = open_file("a.wav");
    assert_int_equal(okra_table_get(reader)->columns, 2);
    assert_string_equal(okra_table_column_name(reader, 0), "ch1");
    assert_string_equal(okra_table_column_name(reader, 1), "ch2");
    assert_null(okra_table_get(reader)->note);
    expect_audio(reader, 44100, OKRA_SAMPLE_PCM16, 3);
    expect_row(reader, ROW(-1, 32767 / 32768.0));
    assert_near(okra_table_progress(reader), 1 / 3.0, 1e-12);
    expect_row(reader, ROW(-1 / 32768.0, 0));
    expect_row(reader, ROW(12345 / 32768.0, -23456 / 32768.0));
    assert_int_equal(okra_table_get(reader)->line, 3);
    expect_end(reader);
}

static void samples_of_24_and_32_bits_and_floats(void **state)
{
    (void)state;
    const float values[] = {0.1f, -1.5f, 3e-9f};
    bytes b = wav(WHOLE, 1, 8000, 24, 6);
    add_number(&b, 0x800001, 3), add_number(&b, 0x123456, 3);
    save("a.wav", &b);
    okra_table *reader = open_file("a.wav");
    expect_audio(reader, 8000, OKRA_SAMPLE_PCM24, 2);
    expect_row(reader, ROW(-8388607 / 8388608.0));
    expect_row(reader, ROW(0x123456 / 8388608.0));
    expect_end(reader);
    b = wav(WHOLE, 1, 8000, 32, 4);
    add_number(&b, 0x12345678, 4);
    save("a.wav", &b);
    reader = open_file("a.wav");
    expect_audio(reader, 8000, OKRA_SAMPLE_PCM32, 1);
    expect_row(reader, ROW(0x12345678 / 2147483648.0));
    expect_end(reader);
    b = wav(FLOATS, 1, 8000, 32, sizeof values);
    add_floats(&b, values, COUNT_OF(values));
    save("a.wav", &b);
    reader = open_file("a.wav");
    expect_audio(reader, 8000, OKRA_SAMPLE_F32, 3);
    for (size_t i = 0; i < COUNT_OF(values); i++)
        expect_row(reader, ROW((double)values[i])); /* as they are, beyond 1 too */
    expect_end(reader);
}

static void flac_and_files_without_a_name_that_tells(void **state)
{
    (void)state;
    static short samples[3000];
    for (int i = 0; i < 3000; i++)
        samples[i] = (short)(i * i);
    save_flac("a.flac", samples, 3000);
    save_ramp("noname", 1, 8000, 3, 5);
    assert_int_equal(rename("a.flac", "other"), 0);
    okra_table *reader = open_file("other");
    expect_audio(reader, 8000, OKRA_SAMPLE_PCM16, 3000);
    for (int i = 0; i < 3000; i++)
        expect_row(reader, ROW(samples[i] / 32768.0));
    expect_end(reader);
    reader = open_file("noname");
    expect_row(reader, ROW(5 / 32768.0));
    okra_table_close(reader);
}

static void rows_skipped_are_rows_read(void **state)
{
    (void)state;
    static short samples[5000];
    for (int i = 0; i < 5000; i++)
        samples[i] = (short)(7 * i);
    save_flac("a.flac", samples, 5000);
    okra_table *reader = open_file("a.flac");
    expect_row(reader, ROW(0));
    assert_ok(okra_table_skip(reader, 1023, NULL));
    expect_row(reader, ROW(samples[1024] / 32768.0));
    assert_ok(okra_table_skip(reader, 3000, NULL));
    expect_row(reader, ROW(samples[4025] / 32768.0));
    assert_int_equal(okra_table_get(reader)->line, 4026);
    assert_status(okra_table_skip(reader, UINT64_MAX, NULL), OKRA_E_FORMAT);
    assert_int_equal(okra_table_get(reader)->rows, 5000);
    expect_end(reader);
}

static void numbers_that_are_not_finite(void **state)
{
    (void)state;
    const float values[] = {1, (float)INFINITY, (float)NAN, 2, 3, 4};
    bytes b = wav(FLOATS, 2, 8000, 32, sizeof values);
    double row[2];
    bool more;
    okra_message why;
    add_floats(&b, values, COUNT_OF(values));
    save("a.wav", &b);
    okra_table *reader = open_file("a.wav");
    assert_status(okra_table_next(reader, row, &more, &why), OKRA_E_FORMAT);
    check_message(&why, "a.wav", "row 1: column 2: is not finite");
    expect_row(reader, ROW((double)NAN, 2));
    expect_row(reader, ROW(3, 4));
    expect_end(reader);
    reader = open_file("a.wav");
    assert_ok(okra_table_use(reader, (const bool[]){true, false}));
    expect_row(reader, ROW(1, (double)NAN));
    okra_table_close(reader);
}

/* ---- files that are broken ----------------------------------------------------------------------------------- */

static void files_that_are_cut_short(void **state)
{
    (void)state;
    save_ramp("a.wav", 1, 8000, 100, 0);
    assert_int_equal(truncate("a.wav", 144), 0);
    expect_no_reader("a.wav", "tells of 244 bytes, and it has 144: it was cut short");
    assert_int_equal(truncate("a.wav", 30), 0);
    expect_no_reader("a.wav", "cut short");
    bytes b = wav(WHOLE, 1, 8000, 16, 4);
    add_number(&b, 0, 2), add_number(&b, 16384, 2);
    memset(b.text + 4, 0xff, 4), memset(b.text + 40, 0xff, 4); /* from a program that wrote to a pipe */
    save("a.wav", &b);
    okra_table *reader = open_file("a.wav");
    expect_row(reader, ROW(0));
    expect_row(reader, ROW(0.5));
    expect_end(reader);
}

/* A WAV file of two frames, with other lengths than it has: in its first chunk, and of its sound. */
static void save_told(const char *name, uint64_t file, uint64_t sound, const char *after)
{
    bytes b = wav(WHOLE, 1, 8000, 16, sound);
    add_number(&b, 0, 2), add_number(&b, 16384, 2);
    add(&b, after, strlen(after));
    for (size_t i = 0; i < 4; i++)
        b.text[4 + i] = (unsigned char)(file >> 8 * i);
    save(name, &b);
}

static void expect_two_rows(const char *name, const char *note)
{
    okra_table *reader = open_file(name);
    const char *said = okra_table_get(reader)->note;
    if (!said != !note || (note && !strstr(said, note)))
        fail_msg("%s: noted: %s", name, said ? said : "nothing");
    expect_row(reader, ROW(0));
    expect_row(reader, ROW(0.5));
    expect_end(reader);
}

/* The sound is longer than the file, whatever the file says of itself. */
static void sound_that_is_not_there(void **state)
{
    (void)state;
    static const uint64_t told[] = {40, 0, 36, 0x7fffffff, 0xffffffff};
    static const uint64_t sounds[] = {5, 6, 1000, 0x10000000, 0x7fffefff, 0x80001000, 0xffffefff};
    for (size_t i = 0; i < COUNT_OF(told); i++)
        for (size_t k = 0; k < COUNT_OF(sounds); k++) {
            char words[128];
            save_told("a.wav", told[i], sounds[k], "");
            snprintf(words, sizeof words, "tells of %llu bytes of sound, and it has 4: it was cut short",
                     (unsigned long long)sounds[k]);
            expect_no_reader("a.wav", words);
        }
    save_told("a.wav", 44, 40, "LISTabcd");
    expect_no_reader("a.wav", "40 bytes of sound, and it has 12");
}

/* What programs say that cannot know it: it is read, and told. */
static void lengths_that_are_left_open(void **state)
{
    (void)state;
    static const uint64_t open[] = {0x7ffff000, 0x7fffffff, 0x80000000, 0x80000fff, 0xfffff000, 0xffffffdb, 0xffffffff};
    for (size_t i = 0; i < COUNT_OF(open); i++) {
        save_told("a.wav", open[i], open[i], "");
        expect_two_rows("a.wav", "a.wav: its header does not tell how long it is");
        save_told("a.wav", 0, open[i], "");
        expect_two_rows("a.wav", "its 2 rows are what there is");
        save_told("a.wav", open[i], 4, ""); /* which tells what matters */
        expect_two_rows("a.wav", NULL);
    }
    save_told("a.wav", 0, 4, "");
    expect_two_rows("a.wav", NULL);
    save_told("b.wav", 0xffffffff, 0xffffffff, "");
    okra_table *reader;
    assert_ok(okra_table_open("a.wav", &(okra_table_options){.mic = "b.wav"}, &reader, NULL));
    assert_non_null(strstr(okra_table_get(reader)->note, "b.wav: its header does not tell"));
    okra_table_close(reader);
}

/* The header of a recorder that was killed before it came back to complete it. */
static void headers_that_were_not_finished(void **state)
{
    (void)state;
    static const uint64_t told[] = {0, 36, 0x7fffffff, 0xffffffff};
    for (size_t i = 0; i < COUNT_OF(told); i++) {
        save_told("a.wav", told[i], 0, "");
        expect_no_reader("a.wav", "tells of no sound, and there is more behind it");
    }
    bytes b = wav(WHOLE, 1, 8000, 16, 0);
    save("a.wav", &b);
    for (int k = 0; k < 2; k++) { /* nothing, and said so; or nothing yet */
        okra_table *reader = open_file("a.wav");
        assert_null(okra_table_get(reader)->note);
        expect_end(reader);
        memset(b.text + 4, 0xff, 4), memset(b.text + 40, 0xff, 4);
        save("a.wav", &b);
    }
}

/* Files beyond 4 GB have their lengths in a chunk of their own. */
static void save_wide(const char *name, uint64_t file, uint64_t sound)
{
    bytes plain = wav(WHOLE, 1, 8000, 16, UINT32_MAX), b = {.length = 0};
    add(&b, "RF64", 4), add_number(&b, UINT32_MAX, 4), add(&b, "WAVEds64", 8), add_number(&b, 28, 4);
    add_number(&b, file, 8), add_number(&b, sound, 8), add_number(&b, sound / 2, 8), add_number(&b, 0, 4);
    add(&b, plain.text + 12, plain.length - 12);
    add_number(&b, 0, 2), add_number(&b, 16384, 2);
    save(name, &b);
}

static void long_files_that_are_cut_short(void **state)
{
    (void)state;
    save_wide("a.wav", 76, 4);
    expect_two_rows("a.wav", NULL);
    save_wide("a.wav", 76, 6);
    expect_no_reader("a.wav", "tells of 6 bytes of sound, and it has 4");
    save_wide("a.wav", 76, 5000000000);
    expect_no_reader("a.wav", "tells of 5000000000 bytes of sound, and it has 4");
    save_wide("a.wav", 5000000000, 4);
    expect_no_reader("a.wav", "tells of 5000000008 bytes, and it has 84");
    save_wide("a.wav", 1ull << 62, 1ull << 62);
    expect_two_rows("a.wav", "does not tell how long");
    save_wide("a.wav", 0, 0);
    expect_no_reader("a.wav", "tells of no sound");
}

static void an_aiff_file_that_is_cut_short(void **state)
{
    (void)state;
    static const short samples[] = {100, -200, 300, 16384};
    SF_INFO info = {.samplerate = 8000, .channels = 1, .format = SF_FORMAT_AIFF | SF_FORMAT_PCM_16};
    SNDFILE *file = sf_open("a.aiff", SFM_WRITE, &info);
    assert_int_equal(sf_write_short(file, samples, 4), 4);
    sf_close(file);
    okra_table *reader = open_file("a.aiff");
    for (size_t i = 0; i < 4; i++)
        expect_row(reader, ROW(samples[i] / 32768.0));
    expect_end(reader);
    char told[128];
    long size = (long)file_size("a.aiff");
    snprintf(told, sizeof told, "tells of %ld bytes, and it has %ld: it was cut short", size, size - 3);
    size_t length;
    char *whole = read_bytes("a.aiff", &length);
    assert_int_equal(truncate("a.aiff", size - 3), 0);
    expect_no_reader("a.aiff", told);
    memset(whole + 4, 0, 4); /* the file tells nothing, its sound does */
    write_bytes("a.aiff", whole, length - 3);
    expect_no_reader("a.aiff", "of sound, and it has");
    free(whole);
}

static void a_flac_file_that_is_cut_short(void **state)
{
    (void)state;
    enum { N = 50000 };
    static short samples[N];
    double row[1];
    bool more = true;
    okra_message why;
    okra_status status = OKRA_OK;
    for (int i = 0; i < N; i++)
        samples[i] = (short)(i * 7919);
    save_flac("a.flac", samples, N);
    assert_int_equal(truncate("a.flac", file_size("a.flac") / 2), 0);
    okra_table *reader = open_file("a.flac");
    while (!status && more) {
        status = okra_table_next(reader, row, &more, &why);
        if (!status && more)
            assert_near(row[0], samples[okra_table_get(reader)->rows - 1] / 32768.0, 0);
    }
    assert_status(status, OKRA_E_FORMAT);
    assert_in_range(okra_table_get(reader)->rows, N / 4, 3 * N / 4);
    check_message(&why, "a.flac", "of 50000: cannot be decoded: the file is damaged or was cut short");
    expect_end(reader);
}

static void files_that_are_no_audio(void **state)
{
    (void)state;
    bytes b = wav(WHOLE, 0, 8000, 16, 4);
    add_number(&b, 0, 4);
    save("none.wav", &b);
    expect_no_reader("none.wav", "cannot be read as audio");
    b = wav(0x7777, 1, 8000, 16, 4);
    add_number(&b, 0, 4);
    save("codec.wav", &b);
    expect_no_reader("codec.wav", "convert it to WAV or FLAC");
    b = (bytes){.text = "x,y\n1,2\n", .length = 8};
    save("text.wav", &b);
    expect_no_reader("text.wav", "cannot be read as audio");
    b.length = 0;
    save("empty.flac", &b);
    expect_no_reader("empty.flac", "is empty or no regular file");
}

static void a_pipe_is_refused(void **state)
{
    (void)state;
    int ends[2];
    char path[32];
    assert_int_equal(pipe(ends), 0);
    bytes b = wav(WHOLE, 1, 8000, 16, 2);
    assert_int_equal(write(ends[1], b.text, b.length), (ssize_t)b.length);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    expect_no_reader(path, "send raw numbers");
    close(ends[0]);
}

/* ---- pairs --------------------------------------------------------------------------------------------------- */

static okra_table *open_pair(const char *far, const char *mic)
{
    okra_table *reader;
    okra_message why;
    if (okra_table_open(far, &(okra_table_options){.mic = mic}, &reader, &why))
        fail_msg("%s", why.text);
    return reader;
}

static void two_files_in_step(void **state)
{
    (void)state;
    save_ramp("a.wav", 1, 8000, 20, 0);
    save_ramp("b.wav", 1, 8000, 20, 5000);
    okra_table *reader = open_pair("a.wav", "b.wav");
    assert_int_equal(okra_table_get(reader)->columns, 2);
    assert_string_equal(okra_table_column_name(reader, 0), "far");
    assert_string_equal(okra_table_column_name(reader, 1), "mic");
    assert_string_equal(okra_table_get(reader)->path, "a.wav and b.wav");
    assert_null(okra_table_get(reader)->note);
    expect_audio(reader, 8000, OKRA_SAMPLE_PCM16, 20);
    expect_row(reader, ROW(0, 5000 / 32768.0));
    assert_ok(okra_table_skip(reader, 10, NULL));
    expect_row(reader, ROW(1100 / 32768.0, 6100 / 32768.0));
    assert_int_equal(okra_table_get(reader)->line, 12);
    assert_near(okra_table_progress(reader), 12 / 20.0, 1e-12);
    for (int t = 12; t < 20; t++)
        expect_row(reader, ROW(100 * t / 32768.0, (5000 + 100 * t) / 32768.0));
    expect_end(reader);
}

static void channels_and_lengths_may_differ(void **state)
{
    (void)state;
    save_ramp("a.wav", 2, 8000, 3, 0);
    save_ramp("b.wav", 3, 8000, 2, 1000);
    static const char *const names[] = {"far1", "far2", "mic1", "mic2", "mic3"};
    okra_table *reader = open_pair("a.wav", "b.wav");
    for (size_t c = 0; c < COUNT_OF(names); c++)
        assert_string_equal(okra_table_column_name(reader, c), names[c]);
    assert_string_equal(okra_table_get(reader)->note,
                        "a.wav has 3 frames and b.wav has 2: the stream ends with the shorter one");
    assert_ok(okra_table_use(reader, (const bool[]){true, false, false, true, false}));
    expect_row(reader, ROW(0, (double)NAN, (double)NAN, 1001 / 32768.0, (double)NAN));
    expect_row(reader, ROW(100 / 32768.0, (double)NAN, (double)NAN, 1101 / 32768.0, (double)NAN));
    expect_end(reader);
    reader = open_pair("b.wav", "a.wav");
    assert_status(okra_table_skip(reader, UINT64_MAX, NULL), OKRA_E_FORMAT);
    assert_int_equal(okra_table_get(reader)->rows, 2);
    expect_end(reader);
}

/* FLAC from a stream has a length of 0, which means that it does not tell: nothing is said about lengths then. */
static void a_length_that_is_not_told_is_not_compared(void **state)
{
    (void)state;
    static const short samples[3000];
    static const char unknown[4];
    save_flac("a.flac", samples, COUNT_OF(samples));
    FILE *file = fopen("a.flac", "r+b");
    assert_int_equal(fseek(file, 22, SEEK_SET), 0); /* in the first block; its upper 4 bits of 36 are 0 as they are */
    assert_int_equal(fwrite(unknown, 1, sizeof unknown, file), sizeof unknown);
    assert_int_equal(fclose(file), 0);
    save_ramp("b.wav", 1, 8000, 3, 0);
    for (int turn = 0; turn < 2; turn++) {
        okra_table *reader = turn ? open_pair("a.flac", "b.wav") : open_pair("b.wav", "a.flac");
        assert_null(okra_table_get(reader)->note);
        okra_table_close(reader);
    }
}

/* A bad frame in one file is a bad row, and the next row is the next frame of both. */
static void a_bad_frame_keeps_them_in_step(void **state)
{
    (void)state;
    const float values[] = {(float)INFINITY, 0.5f};
    bytes b = wav(FLOATS, 1, 8000, 32, sizeof values);
    double row[2];
    bool more;
    okra_message why;
    add_floats(&b, values, COUNT_OF(values));
    save("a.wav", &b);
    save_ramp("b.wav", 1, 8000, 2, 0);
    okra_table *reader = open_pair("a.wav", "b.wav");
    assert_status(okra_table_next(reader, row, &more, &why), OKRA_E_FORMAT);
    check_message(&why, "a.wav", "row 1");
    expect_row(reader, ROW(0.5, 100 / 32768.0));
    expect_end(reader);
}

static void pairs_that_do_not_fit(void **state)
{
    (void)state;
    static const char *const pairs[][3] = {
        {"a.wav", "b.wav", "has 8000 frames a second, and b.wav has 16000: convert one of them"},
        {"a.wav", "c.csv", "c.csv: is no audio"},
        {"c.csv", "a.wav", "c.csv: is no audio"},
        {"a.wav", "none.wav", "none.wav: no such file"},
    };
    save_ramp("a.wav", 1, 8000, 3, 0);
    save_ramp("b.wav", 1, 16000, 3, 0);
    bytes text = {.text = "x,y\n1,2\n", .length = 8};
    save("c.csv", &text);
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        okra_table *reader = (okra_table *)1;
        okra_message why;
        assert_true(okra_table_open(pairs[i][0], &(okra_table_options){.mic = pairs[i][1]}, &reader, &why) != OKRA_OK);
        assert_null(reader);
        check_message(&why, "", pairs[i][2]);
    }
}

/* ---- writing ------------------------------------------------------------------------------------------------- */

static okra_writer *open_writer(const char *path, size_t columns, okra_audio audio)
{
    okra_writer *writer;
    okra_message why;
    okra_writer_options options = {.columns = columns, .audio = audio};
    if (okra_writer_open(path, &options, &writer, &why))
        fail_msg("%s", why.text);
    return writer;
}

static void finish(okra_writer *writer)
{
    okra_message why;
    if (okra_writer_close(writer, &why))
        fail_msg("%s", why.text);
}

/* Every number of 16 bits, read and written, is what it was, in both formats. */
static void what_is_read_is_written(void **state)
{
    (void)state;
    static const char *const names[] = {"a.wav", "a.flac"};
    static short back[65536];
    for (size_t k = 0; k < COUNT_OF(names); k++) {
        okra_writer *writer = open_writer(names[k], 1, (okra_audio){.rate = 11025});
        for (int i = -32768; i < 32768; i++)
            assert_ok(okra_writer_row(writer, ROW(i / 32768.0), NULL, NULL));
        assert_int_equal(okra_writer_get(writer)->clipped, 0);
        finish(writer);
        SF_INFO info = {0};
        SNDFILE *file = sf_open(names[k], SFM_READ, &info);
        assert_non_null(file);
        assert_int_equal(info.format, (k ? SF_FORMAT_FLAC : SF_FORMAT_WAV) | SF_FORMAT_PCM_16);
        assert_int_equal(info.samplerate, 11025);
        assert_int_equal(info.frames, 65536);
        assert_int_equal(sf_read_short(file, back, 65536), 65536);
        for (int i = -32768; i < 32768; i++)
            assert_int_equal(back[i + 32768], i);
        sf_close(file);
    }
    assert_int_equal(file_size("a.wav"), 44 + 2 * 65536);
    assert_true(file_size("a.flac") < file_size("a.wav"));
}

static void every_sample_format_reads_back(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        okra_sample_format sample, is;
        double step; /* of the numbers that it has */
    } formats[] = {{"a.wav", OKRA_SAMPLE_PCM24, OKRA_SAMPLE_PCM24, 0x1p-23},
                   {"a.wav", OKRA_SAMPLE_PCM32, OKRA_SAMPLE_PCM32, 0x1p-31},
                   {"a.wav", OKRA_SAMPLE_F32, OKRA_SAMPLE_F32, 0x1p-24},
                   {"a.flac", OKRA_SAMPLE_PCM24, OKRA_SAMPLE_PCM24, 0x1p-23},
                   {"a.flac", OKRA_SAMPLE_F32, OKRA_SAMPLE_PCM24, 0x1p-23}};
    for (size_t k = 0; k < COUNT_OF(formats); k++) {
        okra_writer *writer = open_writer(formats[k].name, 2, (okra_audio){.rate = 48000, .sample = formats[k].sample});
        for (int i = 0; i < 5000; i++)
            assert_ok(okra_writer_row(writer, ROW(sin(i), -i / 5000.0), NULL, NULL));
        finish(writer);
        okra_table *reader = open_file(formats[k].name);
        expect_audio(reader, 48000, formats[k].is, 5000);
        for (int i = 0; i < 5000; i++) {
            double row[2];
            bool more;
            assert_ok(okra_table_next(reader, row, &more, NULL));
            assert_near(row[0], sin(i), formats[k].step / 2);
            assert_near(row[1], -i / 5000.0, formats[k].step / 2);
        }
        expect_end(reader);
    }
}

static void what_is_too_loud_is_clipped_and_gaps_are_silent(void **state)
{
    (void)state;
    okra_writer *writer = open_writer("a.wav", 2, (okra_audio){.rate = 8000});
    assert_ok(okra_writer_row(writer, ROW(1.5, -1), NULL, NULL));
    assert_ok(okra_writer_row(writer, ROW(-1.0001, (double)NAN), NULL, NULL));
    assert_int_equal(okra_writer_get(writer)->clipped, 2);
    finish(writer);
    okra_table *reader = open_file("a.wav");
    expect_row(reader, ROW(32767 / 32768.0, -1));
    expect_row(reader, ROW(-1, 0));
    expect_end(reader);
    writer = open_writer("a.wav", 1, (okra_audio){.rate = 8000, .sample = OKRA_SAMPLE_F32});
    assert_ok(okra_writer_row(writer, ROW(1.5), NULL, NULL));
    assert_int_equal(okra_writer_get(writer)->clipped, 0);
    finish(writer);
    reader = open_file("a.wav");
    expect_row(reader, ROW(1.5));
    expect_end(reader);
}

/* A program that is killed between two flushes leaves a file that plays. */
static void a_wav_file_is_valid_at_every_flush(void **state)
{
    (void)state;
    okra_writer *writer = open_writer("a.wav", 1, (okra_audio){.rate = 8000});
    expect_end(open_file("a.wav"));
    assert_ok(okra_writer_row(writer, ROW(0.5), NULL, NULL));
    assert_ok(okra_writer_flush(writer, false, NULL));
    assert_int_equal(okra_writer_get(writer)->bytes, file_size("a.wav"));
    okra_table *reader = open_file("a.wav");
    expect_row(reader, ROW(0.5));
    expect_end(reader);
    assert_ok(okra_writer_row(writer, ROW(0.25), NULL, NULL));
    finish(writer);
    reader = open_file("a.wav");
    expect_row(reader, ROW(0.5));
    expect_row(reader, ROW(0.25));
    expect_end(reader);
}

static void audio_that_cannot_be_written(void **state)
{
    (void)state;
    const okra_audio usual = {.rate = 8000};
    const struct {
        const char *path;
        okra_writer_options options;
        const char *part;
    } bad[] = {{"a.wav", {.columns = 1}, "needs a rate"},
               {"a.ogg",
                {.columns = 1, .audio = usual},
                "sound is read, not written: use one of csv, tsv, jsonl, npy, f64, f32, wav, flac"},
               {"-", {.columns = 1, .audio = usual, .format = "wav"}, "name a file"},
               {"/dev/null", {.columns = 1, .audio = usual, .format = "wav"}, "no regular file"},
               {"a.flac", {.columns = 9, .audio = usual}, "FLAC has at most 8"},
               {"a.wav", {.columns = 1, .audio = usual, .append_at = 44}, "start again"},
               {"a.wav", {.columns = 2, .texts = 1, .audio = usual}, "text columns need one of csv, tsv,"}};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        okra_writer *writer = (okra_writer *)1;
        okra_message why;
        assert_status(okra_writer_open(bad[i].path, &bad[i].options, &writer, &why), OKRA_E_PARAMETER);
        assert_null(writer);
        check_message(&why, "", bad[i].part);
    }
}

/* A limit on file sizes stands in for a disk that fills up. */
static void a_disk_that_fills_up(void **state)
{
    (void)state;
    static const char *const names[] = {"a.wav", "a.flac"};
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = (struct rlimit){1000, old.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    for (size_t k = 0; k < COUNT_OF(names); k++) {
        okra_message why = {{0}};
        okra_status status = OKRA_OK;
        okra_writer *writer = open_writer(names[k], 1, (okra_audio){.rate = 8000});
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        for (int i = 0; i < 3000; i++)
            okra_writer_row(writer, ROW(sin(i * i)), NULL, NULL);
        status = okra_writer_close(writer, &why);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        assert_status(status, OKRA_E_WRITE);
        check_message(&why, names[k], "cannot be written: File too large");
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_directory, leave_directory)
    const struct CMUnitTest tests[] = {
        TEST(samples_of_16_bits),
        TEST(samples_of_24_and_32_bits_and_floats),
        TEST(flac_and_files_without_a_name_that_tells),
        TEST(rows_skipped_are_rows_read),
        TEST(numbers_that_are_not_finite),
        TEST(files_that_are_cut_short),
        TEST(sound_that_is_not_there),
        TEST(lengths_that_are_left_open),
        TEST(headers_that_were_not_finished),
        TEST(long_files_that_are_cut_short),
        TEST(an_aiff_file_that_is_cut_short),
        TEST(a_flac_file_that_is_cut_short),
        TEST(files_that_are_no_audio),
        TEST(a_pipe_is_refused),
        TEST(two_files_in_step),
        TEST(channels_and_lengths_may_differ),
        TEST(a_length_that_is_not_told_is_not_compared),
        TEST(a_bad_frame_keeps_them_in_step),
        TEST(pairs_that_do_not_fit),
        TEST(what_is_read_is_written),
        TEST(every_sample_format_reads_back),
        TEST(what_is_too_loud_is_clipped_and_gaps_are_silent),
        TEST(a_wav_file_is_valid_at_every_flush),
        TEST(audio_that_cannot_be_written),
        TEST(a_disk_that_fills_up),
    };
    return cmocka_run_group_tests_name("audio", tests, NULL, NULL);
}
