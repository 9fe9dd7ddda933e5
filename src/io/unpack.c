/*
 * Compressed inputs: reads pieces of the file, and decodes them into the buffer of the source. The pieces and the
 * decoder's window have a fixed size, so memory does not depend on how much comes out of a file.
 */
#include "compression.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "transfer.h"

enum { PIECE = 1 << 16 };

struct okra_unpacker {
    const okra_compression_row *row;
    void *decoder;
    okra_decoded last; /* result of the last call */
    bool full;         /* it filled all space: there may be more without another read */
    int64_t size;      /* of the file; negative: not known */
    size_t start, end; /* bytes [start, end) of the piece are still to be decoded */
    char piece[PIECE];
};

/* ---- what cannot be done ------------------------------------------------------------------------------------- */

okra_status okra_refuse_compressed(const okra_source *source, const char *what, okra_message *why)
{
    return okra_refuse(why, "%s: is compressed, and %s: decompress it first, with %s", source->path, what,
                       source->unpacker->row->undo);
}

/* A checksum comes after what it is for, so that some rows before may be wrong as well. */
static okra_status refuse_damaged(const okra_source *source, okra_message *why)
{
    const okra_unpacker *u = source->unpacker;
    if (u->last == OKRA_DECODED_NO_MEMORY)
        return okra_error(OKRA_E_MEMORY, why, "%s: out of memory", source->path);
    return okra_error(
        OKRA_E_READ, why,
        "%s:%llu: its compressed data are damaged here or before (%s): copy it again, or compress it again",
        source->path, (unsigned long long)source->line, u->row->codec->fault(u->decoder));
}

static okra_status refuse_end(const okra_source *source, okra_message *why)
{
    return okra_error(OKRA_E_READ, why,
                      "%s:%llu: its compressed data end here and are not complete: it was cut short, or is still being "
                      "written: copy it again, or wait",
                      source->path, (unsigned long long)source->line);
}

static okra_status refuse_rest(const okra_source *source, okra_message *why)
{
    const okra_compression_row *row = source->unpacker->row;
    return okra_error(OKRA_E_READ, why,
                      "%s:%llu: other bytes follow the end of its compressed data: copy it again, or decompress it "
                      "first, with %s or through a pipe from %s",
                      source->path, (unsigned long long)source->line, row->undo, row->undo_pipe);
}

/* ---- opening ------------------------------------------------------------------------------------------------- */

static okra_status find_compression(okra_source *source, const okra_compression_row **found, okra_message *why)
{
    const okra_compression_row *c;
    *found = NULL;
    for (size_t i = 0; (c = okra_compression_row_at(i)); i++) {
        bool begins;
        okra_status status = okra_source_begins(source, c->magic, strlen(c->magic), &begins, why);
        if (!status && begins)
            *found = c;
        if (status || begins)
            return status;
    }
    return OKRA_OK;
}

/* What was read so far is compressed, and is the first piece. The first buffer of a source is not larger. */
static void take_held(okra_source *source)
{
    okra_unpacker *u = source->unpacker;
    u->end = okra_source_held(source);
    memcpy(u->piece, source->buffer + source->start, u->end);
    u->size = source->size;
    source->size = -1;
    source->start = source->end = 0;
    source->finished = false;
}

okra_status okra_source_unpack(okra_source *source, okra_message *why)
{
    const okra_compression_row *found;
    okra_status status = find_compression(source, &found, why);
    if (status || !found)
        return status;
    if (!found->codec)
        return okra_refuse(why,
                           "%s: is compressed, and %s: build it with that, or decompress the file first, with %s or "
                           "through a pipe from %s",
                           source->path, found->lack, found->undo, found->undo_pipe);
    okra_unpacker *u = source->unpacker = calloc(1, sizeof *u);
    if (!u || !(u->decoder = found->codec->start_decoder()))
        return okra_error(OKRA_E_MEMORY, why, "%s: out of memory", source->path);
    u->row = found;
    take_held(source);
    return OKRA_OK;
}

void okra_unpack_close(okra_unpacker *u)
{
    if (u && u->decoder)
        u->row->codec->free_decoder(u->decoder);
    free(u);
}

/* ---- reading ------------------------------------------------------------------------------------------------- */

static okra_status read_piece(okra_source *source, okra_message *why)
{
    okra_unpacker *u = source->unpacker;
    ssize_t got = okra_read_some(source->fd, u->piece, sizeof u->piece);
    if (got < 0)
        return okra_cannot_read(source, why);
    u->start = 0;
    u->end = (size_t)got;
    source->position += got;
    return OKRA_OK;
}

/* At the end of the file. */
static okra_status end_input(okra_source *source, okra_message *why)
{
    source->finished = source->unpacker->last == OKRA_DECODED_MEMBER;
    return source->finished ? OKRA_OK : refuse_end(source, why);
}

/* Decodes into the buffer, as far as the piece and the space go. */
static okra_status decode(okra_source *source, okra_message *why)
{
    okra_unpacker *u = source->unpacker;
    okra_coding bytes = {u->piece + u->start, u->end - u->start, source->buffer + source->end,
                         source->capacity - source->end - 1};
    if (u->last == OKRA_DECODED_MEMBER && *bytes.in != u->row->magic[0])
        return refuse_rest(source, why);
    u->last = u->row->codec->decode(u->decoder, &bytes);
    u->full = bytes.out_left == 0 && u->last == OKRA_DECODED_SOME;
    u->start = u->end - bytes.in_left;
    source->end = (size_t)(bytes.out - source->buffer);
    return OKRA_OK;
}

okra_status okra_unpack_fill(okra_source *source, okra_message *why)
{
    okra_unpacker *u = source->unpacker;
    const size_t end = source->end;
    okra_status status = OKRA_OK;
    while (!status && source->end == end && !source->finished) {
        bool read = u->start == u->end && !u->full;
        if (u->last >= OKRA_DECODED_DAMAGED)
            return refuse_damaged(source, why);
        if (read)
            status = read_piece(source, why);
        if (!status)
            status = read && u->end == 0 ? end_input(source, why) : decode(source, why);
    }
    return status;
}

double okra_unpack_progress(const okra_source *source)
{
    const okra_unpacker *u = source->unpacker;
    double share = u->size < 0 ? -1 : (double)(source->position - (int64_t)(u->end - u->start)) / (double)u->size;
    return share < 1 ? share : 1;
}

/* ---- files that are to be continued -------------------------------------------------------------------------- */

typedef struct member_check {
    const okra_codec *codec;
    void *decoder;
    okra_decoded last;
    char in[PIECE / 4], out[PIECE / 4]; /* `out` is not looked at */
} member_check;

static bool check_piece(member_check *m, size_t length)
{
    okra_coding bytes = {.in = m->in, .in_left = length};
    do {
        bytes.out = m->out;
        bytes.out_left = sizeof m->out;
        m->last = m->codec->decode(m->decoder, &bytes);
    } while (m->last < OKRA_DECODED_DAMAGED && (bytes.in_left > 0 || bytes.out_left == 0));
    return m->last < OKRA_DECODED_DAMAGED;
}

okra_status okra_members_end(const okra_codec *codec, int fd, uint64_t bytes)
{
    member_check m = {.codec = codec, .decoder = codec->start_decoder()};
    if (!m.decoder)
        return OKRA_E_MEMORY;
    bool good = true;
    int error;
    for (uint64_t at = 0, length; good && at < bytes; at += length) {
        length = bytes - at < sizeof m.in ? bytes - at : sizeof m.in;
        good = okra_read_at(fd, m.in, (size_t)length, (int64_t)at, &error) == length && check_piece(&m, (size_t)length);
    }
    codec->free_decoder(m.decoder);
    if (m.last == OKRA_DECODED_NO_MEMORY)
        return OKRA_E_MEMORY;
    return good && m.last == OKRA_DECODED_MEMBER ? OKRA_OK : OKRA_E_FORMAT;
}
