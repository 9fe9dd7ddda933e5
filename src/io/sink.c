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

static okra_status cannot_open(const okra_sink *sink, int error, okra_message *why)
{
    okra_cannot_write(sink->name, "opened for writing", error, "", why);
    return OKRA_E_OPEN;
}

okra_status okra_sink_open(okra_sink *sink, const char *path, bool existing, size_t piece, okra_message *why)
{
    bool standard = okra_is_standard(path);
    struct stat info;
    *sink = (okra_sink){.fd = STDOUT_FILENO, .standard = standard, .capacity = PIECE + piece};
    okra_name_file(sink->name, standard ? "standard output" : path);
    int flags = existing ? O_RDWR | O_CLOEXEC : O_WRONLY | O_CREAT | O_CLOEXEC;
    if (!standard && (sink->fd = open(path, flags, 0666)) < 0)
        return cannot_open(sink, errno, why);
    if (fstat(sink->fd, &info) != 0) {
        okra_status status = cannot_open(sink, errno, why);
        okra_sink_close(sink);
        return status;
    }
    sink->regular = S_ISREG(info.st_mode);
    if ((sink->buffer = malloc(sink->capacity)))
        return OKRA_OK;
    okra_message_set(why, "%s: out of memory for rows of %zu bytes", sink->name, piece);
    okra_sink_close(sink);
    return OKRA_E_MEMORY;
}

okra_status okra_sink_start(okra_sink *sink, uint64_t keep, okra_message *why)
{
    sink->bytes = keep;
    if (sink->regular && !sink->standard &&
        (ftruncate(sink->fd, (off_t)keep) != 0 || lseek(sink->fd, (off_t)keep, SEEK_SET) < 0))
        sink->error = errno;
    return okra_sink_check(sink, why);
}

void okra_sink_spill(okra_sink *sink)
{
    if (!sink->error)
        sink->error = okra_write_all(sink->fd, sink->buffer, sink->used, -1);
    sink->used = 0;
}

char *okra_sink_reserve(okra_sink *sink, size_t bytes)
{
    if (sink->used + bytes > sink->capacity)
        okra_sink_spill(sink);
    return sink->buffer + sink->used;
}

void okra_sink_put(okra_sink *sink, const char *text, size_t length)
{
    while (length > 0) {
        size_t part = length < PIECE ? length : PIECE;
        memcpy(okra_sink_reserve(sink, part), text, part);
        okra_sink_add(sink, part);
        text += part, length -= part;
    }
}

void okra_sink_patch(okra_sink *sink, const char *bytes, size_t count, uint64_t offset)
{
    if (!sink->error)
        sink->error = okra_write_all(sink->fd, bytes, count, (int64_t)offset);
}

void okra_sink_sync(okra_sink *sink)
{
    if (sink->regular && !sink->error && fdatasync(sink->fd) != 0)
        sink->error = errno;
}

okra_status okra_sink_check(const okra_sink *sink, okra_message *why)
{
    return sink->error ? okra_cannot_write(sink->name, "written", sink->error, "", why) : OKRA_OK;
}

/* Some file systems tell only now that there was no room. */
void okra_sink_close(okra_sink *sink)
{
    if (!sink->standard && close(sink->fd) != 0 && !sink->error)
        sink->error = errno;
    free(sink->buffer);
    sink->buffer = NULL;
}
