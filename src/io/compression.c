/* The registry of compressions, and how to recognise one. */
#include "compression.h"

#include <string.h>
#include <strings.h>

#ifdef OKRA_HAVE_GZIP
#define WITH_GZIP  true
#define GZIP_CODEC &okra_gzip_codec
#else
#define WITH_GZIP  false
#define GZIP_CODEC NULL
#endif

/* The marks are long enough that raw numbers, which may begin with any bytes, are hardly ever taken for them. */
static const okra_compression_row compressions[] = {
    {.compression = {.name = "gzip",
                     .suffix = "gz",
                     .help = "compressed, as in rows.csv.gz: read in any format but audio, written in those that a "
                             "pipe can have",
                     .works = WITH_GZIP},
     .magic = "\x1f\x8b\x08", /* the third byte is the method, of which there is one */
     .codec = GZIP_CODEC,
     .lack = "this okra was built without zlib",
     .undo = "gunzip",
     .undo_pipe = "zcat"},
};

enum { COMPRESSIONS = sizeof compressions / sizeof *compressions };

const okra_compression_row *okra_compression_row_at(size_t i) { return i < COMPRESSIONS ? &compressions[i] : NULL; }

const okra_compression *okra_compression_at(size_t i) { return i < COMPRESSIONS ? &compressions[i].compression : NULL; }

const okra_compression_row *okra_compression_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *point = strrchr(slash ? slash : path, '.');
    for (size_t i = 0; point && i < COMPRESSIONS; i++)
        if (strcasecmp(point + 1, compressions[i].compression.suffix) == 0)
            return &compressions[i];
    return NULL;
}

size_t okra_compression_stem(const char *path)
{
    const okra_compression_row *row = okra_compression_of(path);
    return strlen(path) - (row ? strlen(row->compression.suffix) + 1 : 0);
}
