/*
 * Bytes to a file descriptor, through write(2): output that did not reach the system is an error, not a shorter file.
 */
#include "writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "transfer.h"

enum { PIECE = 1 << 16 };

static okra_status cannot_open(const okra_output *output, int error, okra_message *why)
{
    okra_cannot_write(output->name, "opened for writing", error, "", why);
    return OKRA_E_OPEN;
}

okra_status okra_output_open(okra_output *output, const char *path, bool existing, size_t piece, okra_message *why)
{
    bool standard = okra_is_standard(path);
    struct stat info;
    *output = (okra_output){.fd = STDOUT_FILENO, .standard = standard, .capacity = PIECE + piece};
    okra_name_file(output->name, standard ? "standard output" : path);
    int flags = existing ? O_RDWR | O_CLOEXEC : O_WRONLY | O_CREAT | O_CLOEXEC;
    if (!standard && (output->fd = open(path, flags, 0666)) < 0)
        return cannot_open(output, errno, why);
    if (fstat(output->fd, &info) != 0) {
        okra_status status = cannot_open(output, errno, why);
        okra_output_close(output);
        return status;
    }
    output->regular = S_ISREG(info.st_mode);
    if ((output->buffer = malloc(output->capacity)))
        return OKRA_OK;
    okra_message_set(why, "%s: out of memory for rows of %zu bytes", output->name, piece);
    okra_output_close(output);
    return OKRA_E_MEMORY;
}

bool okra_output_compress(okra_output *output, const okra_codec *codec)
{
    output->codec = codec;
    output->encoder = codec->start_encoder();
    return output->encoder;
}

okra_status okra_output_start(okra_output *output, uint64_t keep, okra_message *why)
{
    output->bytes = output->packed = keep;
    if (output->regular && !output->standard &&
        (ftruncate(output->fd, (off_t)keep) != 0 || lseek(output->fd, (off_t)keep, SEEK_SET) < 0))
        output->error = errno;
    return okra_output_check(output, why);
}

static void write_packed(okra_output *output, okra_encode how_far)
{
    char packed[PIECE / 4];
    okra_coding bytes = {.in = output->buffer, .in_left = output->used};
    for (bool done = false; !done && !output->error;) {
        bytes.out = packed;
        bytes.out_left = sizeof packed;
        done = output->codec->encode(output->encoder, &bytes, how_far);
        output->error = okra_write_all(output->fd, packed, sizeof packed - bytes.out_left, -1);
        output->packed += sizeof packed - bytes.out_left;
    }
    output->member = how_far != OKRA_ENCODE_MEMBER;
    output->unflushed = how_far == OKRA_ENCODE_SOME;
}

static void write_buffer(okra_output *output, okra_encode how_far)
{
    if (!output->error && output->codec)
        write_packed(output, how_far);
    else if (!output->error)
        output->error = okra_write_all(output->fd, output->buffer, output->used, -1);
    output->used = 0;
}

void okra_output_flush(okra_output *output)
{
    if (!output->codec || output->used > 0 || output->unflushed) /* a flush of nothing has bytes too */
        write_buffer(output, OKRA_ENCODE_FLUSH);
}

/* An output without a row has a member too, or it would not be a compressed file. */
void okra_output_end_member(okra_output *output)
{
    if (output->codec && (output->used > 0 || output->member || output->packed == 0))
        write_buffer(output, OKRA_ENCODE_MEMBER);
}

char *okra_output_reserve(okra_output *output, size_t bytes)
{
    if (output->used + bytes > output->capacity)
        write_buffer(output, OKRA_ENCODE_SOME);
    return output->buffer + output->used;
}

void okra_output_put(okra_output *output, const char *text, size_t length)
{
    while (length > 0) {
        size_t part = length < PIECE ? length : PIECE;
        memcpy(okra_output_reserve(output, part), text, part);
        okra_output_add(output, part);
        text += part, length -= part;
    }
}

void okra_output_patch(okra_output *output, const char *bytes, size_t count, uint64_t offset)
{
    if (!output->error)
        output->error = okra_write_all(output->fd, bytes, count, (int64_t)offset);
}

void okra_output_sync(okra_output *output)
{
    if (output->regular && !output->error && fdatasync(output->fd) != 0)
        output->error = errno;
}

okra_status okra_output_check(const okra_output *output, okra_message *why)
{
    return output->error ? okra_cannot_write(output->name, "written", output->error, "", why) : OKRA_OK;
}

/* Some file systems report a full disk only here. */
void okra_output_close(okra_output *output)
{
    if (!output->standard && close(output->fd) != 0 && !output->error)
        output->error = errno;
    if (output->codec)
        output->codec->free_encoder(output->encoder);
    free(output->buffer);
    output->buffer = NULL;
}
