/* The registry of formats, and how to find the format of an input. */
#include "format.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "compression.h"
#include "table.h"
#include "writer.h"

#ifdef OKRA_HAVE_AUDIO
#define WITH_AUDIO   true
#define AUDIO_READER &okra_audio_class
#define AUDIO_WRITER &okra_audio_writer
#else
#define WITH_AUDIO   false
#define AUDIO_READER NULL
#define AUDIO_WRITER NULL
#endif

/* ---- the registry -------------------------------------------------------------------------------------------- */

/* The first is the default. Marks are looked for in this order. */
/* clang-format off */
static const okra_format_row formats[] = {
    {.format = {.name = "csv", .suffixes = "csv", .help = "text, separated by commas or semicolons",
                .reads = true, .writes = true, .text = true, .reads_pipe = true, .writes_pipe = true, .parts = true},
     .reader = &okra_csv_class, .writer = &okra_text_writer},
    {.format = {.name = "tsv", .suffixes = "tsv tab", .help = "text, separated by tabs",
                .reads = true, .writes = true, .text = true, .reads_pipe = true, .writes_pipe = true, .parts = true},
     .reader = &okra_csv_class, .writer = &okra_text_writer, .variant = '\t'},
    {.format = {.name = "jsonl", .suffixes = "jsonl ndjson",
                .help = "lines of JSON, an object a row: nested values are columns a.b, and a.0 in arrays",
                .reads = true, .writes = true, .text = true, .reads_pipe = true, .writes_pipe = true},
     .magic = {"{\"", "{ \""}, .reader = &okra_jsonl_class, .writer = &okra_jsonl_writer},
    {.format = {.name = "npy", .suffixes = "npy",
                .help = "what numpy.save() writes: floats of 4 or 8 bytes, integers or booleans, in 1 or 2 dimensions",
                .reads = true, .writes = true, .reads_pipe = true, .parts = true},
     .magic = {"\x93NUMPY"}, .reader = &okra_npy_class, .writer = &okra_npy_writer},
    {.format = {.name = "f64", .suffixes = "f64",
                .help = "little-endian numbers of 8 bytes and nothing else: the number of columns must be given",
                .reads = true, .writes = true, .needs_columns = true, .reads_pipe = true, .writes_pipe = true,
                .parts = true},
     .reader = &okra_raw_class, .writer = &okra_raw_writer, .variant = 8},
    {.format = {.name = "f32", .suffixes = "f32", .help = "the same of 4 bytes",
                .reads = true, .writes = true, .needs_columns = true, .reads_pipe = true, .writes_pipe = true,
                .parts = true},
     .reader = &okra_raw_class, .writer = &okra_raw_writer, .variant = 4},
    {.format = {.name = "wav", .suffixes = "wav", .help = "audio, a row a frame and a column a channel",
                .reads = WITH_AUDIO, .writes = WITH_AUDIO, .audio = true},
     .magic = {"RIFF", "RF64"}, .reader = AUDIO_READER, .writer = AUDIO_WRITER, .variant = OKRA_AUDIO_WAV},
    {.format = {.name = "flac", .suffixes = "flac", .help = "the same, compressed without loss",
                .reads = WITH_AUDIO, .writes = WITH_AUDIO, .audio = true},
     .magic = {"fLaC"}, .reader = AUDIO_READER, .writer = AUDIO_WRITER, .variant = OKRA_AUDIO_FLAC},
    {.format = {.name = "sound", .suffixes = "aif aiff aifc au snd caf w64 rf64 ogg oga opus mp3",
                .help = "audio of other kinds (.ogg, .mp3, .aiff, ..): read, not written",
                .reads = WITH_AUDIO, .audio = true},
     .magic = {"OggS"}, .reader = AUDIO_READER},
};
/* clang-format on */

enum { FORMATS = sizeof formats / sizeof *formats };

const okra_format *okra_format_at(size_t i) { return i < FORMATS ? &formats[i].format : NULL; }

const okra_format_row *okra_format_default(void) { return &formats[0]; }

const okra_format_row *okra_format_named(const char *name)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(formats[i].format.name, name) == 0)
            return &formats[i];
    return NULL;
}

/* ---- names --------------------------------------------------------------------------------------------------- */

enum { ENDING = 16 }; /* longer than any in the registry */

/* The ending of a name, below that of a compression: csv of rows.csv.gz. Empty if there is none, or a long one. */
static const char *name_ending(const char *path, char ending[ENDING])
{
    size_t end = okra_compression_stem(path), begin = end;
    while (begin > 0 && path[begin - 1] != '.' && path[begin - 1] != '/')
        begin--;
    bool found = begin > 0 && path[begin - 1] == '.' && end - begin < ENDING;
    snprintf(ending, ENDING, "%.*s", found ? (int)(end - begin) : 0, path + begin);
    return ending;
}

/* Whether a word is one of a list with blanks between them. */
static bool is_listed(const char *list, const char *word)
{
    size_t length = strlen(word), n;
    for (const char *p = list; *p && length > 0; p += n + (p[n] == ' ')) {
        n = strcspn(p, " ");
        if (n == length && strncasecmp(p, word, n) == 0)
            return true;
    }
    return false;
}

const okra_format_row *okra_format_by_suffix(const char *path)
{
    char ending[ENDING];
    name_ending(path, ending);
    for (size_t i = 0; i < FORMATS; i++)
        if (is_listed(formats[i].format.suffixes, ending))
            return &formats[i];
    return NULL;
}

const okra_format *okra_format_of(const char *path)
{
    const okra_format_row *row = path ? okra_format_by_suffix(path) : NULL;
    return row ? &row->format : NULL;
}

/* Whether a format has all capabilities of `wanted`. */
static bool can(const okra_format *format, const okra_format *wanted)
{
    return format->reads >= wanted->reads && format->writes >= wanted->writes && format->text >= wanted->text &&
           format->parts >= wanted->parts && format->needs_columns >= wanted->needs_columns;
}

const char *okra_format_names(okra_format wanted, char list[OKRA_FORMAT_LIST])
{
    size_t used = 0;
    list[0] = '\0';
    for (size_t i = 0; i < FORMATS && used < OKRA_FORMAT_LIST; i++)
        if (can(&formats[i].format, &wanted))
            used += (size_t)snprintf(list + used, OKRA_FORMAT_LIST - used, "%s%s", used > 0 ? ", " : "",
                                     formats[i].format.name);
    return list;
}

const char *okra_format_lack(const okra_format_row *row)
{
    return row->format.audio ? "this okra was built without audio: build it with libsndfile, or convert the file to CSV"
                             : "this okra was built without it: convert the file to CSV";
}

/* ---- guessing ------------------------------------------------------------------------------------------------ */

static okra_status find_magic(okra_source *source, const okra_format_row **found, okra_message *why)
{
    for (size_t i = 0; i < FORMATS; i++)
        for (size_t m = 0; m < OKRA_MAGICS && formats[i].magic[m]; m++) {
            bool begins;
            okra_status status =
                okra_source_begins(source, formats[i].magic[m], strlen(formats[i].magic[m]), &begins, why);
            if (!status && begins)
                *found = &formats[i];
            if (status || begins)
                return status;
        }
    return OKRA_OK;
}

/* Files of other formats, which would otherwise be reported as bad text. Their marks are long enough that no table
 * begins with them: a column may be called PAR1. */
typedef struct unsupported {
    size_t at; /* offset of the mark */
    const char *bytes, *what;
} unsupported;

static const unsupported others[] = {
    {0, "\x1f", "begins as a compressed file does, and is not gzip, or was cut short: decompress it, or copy it again"},
    {4, "1AY&SY", "is compressed: decompress it first, with bunzip2 or through a pipe from bzcat"},
    {0, "\3757zXZ", "is compressed: decompress it first, with unxz or through a pipe from xzcat"},
    {0, "\x28\xB5\x2F\xFD", "is compressed: decompress it first, with unzstd or through a pipe from zstdcat"},
    {0, "PK\x03\x04", "is a zip archive (.npz, .xlsx): save the table as CSV or as a plain .npy"},
    {0, "\xD0\xCF\x11\xE0", "is an old Excel file: save the table as CSV"},
    {0, "\x89HDF", "is an HDF5 file: save the table as CSV or with numpy.save()"},
    {0, "PAR1\x15", "is a Parquet file: save the table as CSV or with numpy.save()"},
    {0, "MATLAB 5.0 MAT-file", "is a MATLAB file: save the table as CSV, with writematrix()"},
    {0, "MATLAB 7.3 MAT-file", "is a MATLAB file: save the table as CSV, with writematrix()"},
    {257, "ustar", "is an archive: extract the table, with tar xf"},
    {8, "{\"__metadata__\":", "is a model, and rows of numbers are needed: load it as a model"},
};

/* Stops at the first byte that differs, because a short line may be all there is. */
static okra_status refuse_unsupported(okra_source *source, okra_message *why)
{
    for (const unsupported *o = others; o < others + sizeof others / sizeof *others; o++) {
        size_t count = strlen(o->bytes);
        bool it_is = false;
        okra_status status = OKRA_OK;
        if (o->at == 0)
            status = okra_source_begins(source, o->bytes, count, &it_is, why);
        else if (okra_source_held(source) >= o->at + count)
            it_is = memcmp(source->buffer + source->start + o->at, o->bytes, count) == 0;
        if (status)
            return status;
        if (it_is)
            return okra_refuse(why, "%s: %s", source->path, o->what);
    }
    return OKRA_OK;
}

okra_status okra_format_guess(okra_source *source, const char *path, const okra_format_row **found, okra_message *why)
{
    const okra_format_row *named = okra_format_by_suffix(path);
    char list[OKRA_FORMAT_LIST], ending[ENDING];
    *found = named && named->format.needs_columns ? named : NULL; /* regardless of its bytes */
    okra_status status = *found ? OKRA_OK : find_magic(source, found, why);
    if (!status && !*found && named && named->magic[0])
        *found = named; /* its reader says what is wrong with it */
    if (status || *found)
        return status;
    if (is_listed("raw bin", name_ending(path, ending)))
        return okra_refuse(why, "%s: its name does not tell what numbers it holds: give the format, one of %s",
                           source->path, okra_format_names((okra_format){.needs_columns = true}, list));
    *found = named ? named : okra_format_default();
    return refuse_unsupported(source, why);
}
