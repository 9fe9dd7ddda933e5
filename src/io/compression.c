/* The registry of compressions, and how to recognise one. */
#include "compression.h"

#include <string.h>
#include <strings.h>

#ifdef OKRA_HAVE_GZIP
#define GZIP_CODEC &okra_gzip_codec
#else
#define GZIP_CODEC NULL
#endif

/* The marks are long enough that raw numbers, which may begin with any bytes, are hardly ever taken for them. */
static const okra_compression compressions[] = {
    {.suffix = "gz",
     .magic = "\x1f\x8b\x08", /* the third byte is the method, of which there is one */
     .codec = GZIP_CODEC,
     .lack = "this okra was built without zlib",
     .undo = "with gunzip or through a pipe from zcat"},
};

enum { COMPRESSIONS = sizeof compressions / sizeof *compressions };

const okra_compression *okra_compression_at(size_t i) { return i < COMPRESSIONS ? &compressions[i] : NULL; }

const okra_compression *okra_compression_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *point = strrchr(slash ? slash : path, '.');
    for (size_t i = 0; point && i < COMPRESSIONS; i++)
        if (strcasecmp(point + 1, compressions[i].suffix) == 0)
            return &compressions[i];
    return NULL;
}

size_t okra_compression_stem(const char *path)
{
    const okra_compression *compression = okra_compression_of(path);
    return strlen(path) - (compression ? strlen(compression->suffix) + 1 : 0);
}
