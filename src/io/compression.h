/*
 * Compression, inside libokra-io: a layer of bytes between a file and its format, of which the formats know nothing. A
 * kind of compression is a row of compressions[] in compression.c, and its codec a file of its own.
 */
#ifndef OKRA_IO_COMPRESSION_H
#define OKRA_IO_COMPRESSION_H

#include "source.h"

/* Bytes to be coded, and space for the result. A call takes from the front of both. */
typedef struct okra_coding {
    const char *in;
    size_t in_left;
    char *out;
    size_t out_left;
} okra_coding;

typedef enum okra_decoded {
    OKRA_DECODED_SOME,     /* as far as input and space went */
    OKRA_DECODED_MEMBER,   /* up to the end of a member; the next call begins the next one */
    OKRA_DECODED_DAMAGED,  /* and every later call the same */
    OKRA_DECODED_NO_MEMORY /* likewise */
} okra_decoded;

/* How much of what was put in must come out. */
typedef enum okra_encode {
    OKRA_ENCODE_SOME,  /* what makes a good block */
    OKRA_ENCODE_FLUSH, /* everything, so that a reader has it */
    OKRA_ENCODE_MEMBER /* everything, and the end of the member; the next call begins the next one */
} okra_encode;

/* A file is one member after another: each ends with its own checksum, and all are one stream of bytes. */
typedef struct okra_codec {
    void *(*start_decoder)(void); /* NULL if memory runs out */
    okra_decoded (*decode)(void *decoder, okra_coding *bytes);
    const char *(*fault)(const void *decoder); /* what is damaged */
    void (*free_decoder)(void *decoder);       /* NULL is allowed */

    void *(*start_encoder)(void);                                           /* NULL if memory runs out */
    bool (*encode)(void *encoder, okra_coding *bytes, okra_encode how_far); /* false: call again, with more space */
    void (*free_encoder)(void *encoder);                                    /* NULL is allowed */
} okra_codec;

extern const okra_codec okra_gzip_codec;

/* ---- the registry -------------------------------------------------------------------------------------------- */

typedef struct okra_compression_row {
    okra_compression compression; /* the public part */
    const char *magic;            /* the first bytes of its files */
    const okra_codec *codec;      /* NULL: not in this build */
    const char *lack;             /* why not */
    const char *undo, *undo_pipe; /* the programs that decompress a file, and into a pipe */
} okra_compression_row;

/* Row i, from 0; NULL beyond the last. */
const okra_compression_row *okra_compression_row_at(size_t i);

/* By the ending of a file's name; NULL if it has none of them. */
const okra_compression_row *okra_compression_of(const char *path);

/* The length of a name without the ending of its compression. */
size_t okra_compression_stem(const char *path);

/* ---- compressed inputs --------------------------------------------------------------------------------------- */

/* If the input begins as a compressed file does, the source gives what was compressed from here on. OKRA_E_FORMAT if
 * this build cannot decompress it. */
okra_status okra_source_unpack(okra_source *source, okra_message *why);

/* As okra_source_fill(), once there is space. OKRA_E_READ, with the cause and the remedy, if the compressed bytes are
 * damaged or end too early; what was decoded before that has been given. */
okra_status okra_unpack_fill(okra_source *source, okra_message *why);

/* Refuses what cannot be done with a compressed input: `what` says why not. OKRA_E_FORMAT. */
okra_status okra_refuse_compressed(const okra_source *source, const char *what, okra_message *why);

/* The share of the file that has been read; negative: size not known. */
double okra_unpack_progress(const okra_source *source);

void okra_unpack_close(okra_unpacker *unpacker);

/* Whether whole members end after the first `bytes` of a file, so that another can follow: OKRA_E_FORMAT if not, or
 * OKRA_E_MEMORY. */
okra_status okra_members_end(const okra_codec *codec, int fd, uint64_t bytes);

#endif
