/*
 * WAV and AIFF files are made of chunks: four letters, a number of bytes, and these bytes, padded to an even number.
 * The first chunk is the file and holds the others, one of which is the sound.
 *
 * A program that writes to a pipe cannot seek back to fill in the length. It writes the largest possible length, or 0.
 * These are distinguished from a real length that the file does not reach.
 */
#include <string.h>
#include <sys/types.h>

#include "raw.h"
#include "transfer.h"

typedef struct container {
    const char *begins, *sound; /* the letters of the file, and of its sound */
    bool big_endian;
    bool wide; /* lengths of 64 bits are in a chunk of their own, "ds64" */
} container;

static const container containers[] = {
    {"RIFF", "data", false, false},
    {"RIFX", "data", true, false},
    {"RF64", "data", false, true},
    {"FORM", "SSND", true, false},
};

enum { HEAD = 8, FILE_HEAD = 12, MAX_CHUNKS = 1000 };

/* A file with its chunks, from the source's position on. */
typedef struct sound_file {
    const container *kind;
    int fd;
    off_t begin;
    uint64_t size;                /* of the file */
    uint64_t claimed;             /* length in its header */
    uint64_t sound, sound_begins; /* the claimed length of the sound, and its offset */
    uint64_t wide_sound;          /* from "ds64" */
} sound_file;

/* False at the end, or on a read error: libsndfile meets it too, and audio.c reports it. */
static bool read_at(const sound_file *file, uint64_t at, unsigned char *to, size_t bytes)
{
    int error;
    return at < file->size && okra_read_at(file->fd, to, bytes, file->begin + (int64_t)at, &error) == bytes;
}

/* The largest lengths, as sox, ffmpeg and arecord write them to pipes. Other lengths are taken as real. */
static bool is_open(const sound_file *file, uint64_t claimed)
{
    if (file->kind->wide)
        return claimed >= 1ull << 62;
    return (claimed >= 0x7ffff000 && claimed < 0x80001000) || claimed >= 0xfffff000;
}

static uint64_t load(const sound_file *file, const unsigned char *bytes, size_t n)
{
    return okra_load_bits((okra_dtype){.bytes = n, .big_endian = file->kind->big_endian}, (const char *)bytes);
}

static bool begin(sound_file *file)
{
    unsigned char head[FILE_HEAD];
    if (!read_at(file, 0, head, HEAD))
        return false;
    for (size_t i = 0; i < sizeof containers / sizeof *containers; i++)
        if (memcmp(head, containers[i].begins, 4) == 0)
            file->kind = &containers[i];
    file->claimed = file->kind ? load(file, head + 4, 4) : 0;
    if (file->kind && file->kind->wide && file->claimed == UINT32_MAX)
        file->claimed = 0; /* until "ds64" gives it */
    return file->kind;
}

/* The lengths in "ds64": of the file, then of the sound. */
static void take_wide(sound_file *file, uint64_t at)
{
    unsigned char both[16];
    if (!read_at(file, at, both, sizeof both))
        return;
    file->claimed = load(file, both, 8);
    file->wide_sound = load(file, both + 8, 8);
}

/* Finds the sound; false if there is none. Gives up after a million chunks, and leaves the file to libsndfile. */
static bool find_sound(sound_file *file)
{
    uint64_t at = FILE_HEAD;
    unsigned char head[HEAD];
    for (int k = 0; k < MAX_CHUNKS && read_at(file, at, head, HEAD); k++) {
        uint64_t length = load(file, head + 4, 4);
        at += HEAD;
        if (memcmp(head, file->kind->sound, 4) == 0) {
            file->sound_begins = at;
            file->sound = file->kind->wide && length == UINT32_MAX ? file->wide_sound : length;
            return true;
        }
        if (file->kind->wide && memcmp(head, "ds64", 4) == 0)
            take_wide(file, at);
        at += length + length % 2;
    }
    return false;
}

static okra_status refuse(const okra_source *source, uint64_t claimed, const char *of, uint64_t has, okra_message *why)
{
    return okra_refuse(
        why,
        "%s: its header tells of %llu bytes%s, and it has %llu: it was cut short: copy it again, or save what is left "
        "with 'sox --ignore-length'",
        source->path, (unsigned long long)claimed, of, (unsigned long long)has);
}

static okra_status check(const okra_source *source, sound_file *file, bool *open, okra_message *why)
{
    bool found = find_sound(file);
    if (!is_open(file, file->claimed) && file->claimed > file->size - HEAD)
        return refuse(source, file->claimed + HEAD, "", file->size, why);
    if (!found)
        return OKRA_OK;
    uint64_t left = file->size - file->sound_begins;
    /* a length of 0, though more bytes follow */
    bool unfinished = file->sound == 0 && (file->claimed < file->size - HEAD || is_open(file, file->claimed));
    bool more = file->sound > left, endless = more && is_open(file, file->sound);
    *open = left > 0 && (unfinished || endless);
    return more && !endless ? refuse(source, file->sound, " of sound", left, why) : OKRA_OK;
}

okra_status okra_sound_check_length(okra_source *source, bool *open, okra_message *why)
{
    int64_t left = okra_source_left(source);
    sound_file file = {.fd = source->fd, .begin = (off_t)(source->position - (int64_t)okra_source_held(source))};
    file.size = left > 0 ? (uint64_t)left : 0;
    *open = false;
    return begin(&file) ? check(source, &file, open, why) : OKRA_OK;
}
