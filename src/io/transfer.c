#include "transfer.h"

#include <errno.h>
#include <unistd.h>

bool okra_wait(int fd, short events)
{
    struct pollfd waiting = {.fd = fd, .events = events};
    if (errno == EINTR)
        return true;
    if (errno != EAGAIN)
        return false;
    poll(&waiting, 1, -1);
    return true;
}

ssize_t okra_read_some(int fd, void *to, size_t bytes)
{
    ssize_t got;
    do {
        got = read(fd, to, bytes);
    } while (got < 0 && okra_wait(fd, POLLIN));
    return got;
}

size_t okra_read_at(int fd, void *to, size_t bytes, int64_t offset, int *error)
{
    size_t done = 0;
    while (done < bytes) {
        ssize_t got = pread(fd, (char *)to + done, bytes - done, (off_t)offset + (off_t)done);
        if (got == 0)
            break;
        if (got > 0)
            done += (size_t)got;
        else if (errno != EINTR) {
            *error = errno;
            break;
        }
    }
    return done;
}

int okra_write_all(int fd, const void *from, size_t bytes, int64_t offset)
{
    for (size_t done = 0; done < bytes;) {
        const char *rest = (const char *)from + done;
        ssize_t put =
            offset < 0 ? write(fd, rest, bytes - done) : pwrite(fd, rest, bytes - done, (off_t)offset + (off_t)done);
        if (put >= 0)
            done += (size_t)put;
        else if (!okra_wait(fd, POLLOUT))
            return errno;
    }
    return 0;
}
