/* Reads and writes that were not done yet, inside libokra-io. */
#ifndef OKRA_IO_WAIT_H
#define OKRA_IO_WAIT_H

#include <errno.h>
#include <poll.h>
#include <stdbool.h>

/* Whether a call that left errno is to be made again: after a signal, or, once POLLIN or POLLOUT has come, where some
 * other program has made our standard stream non-blocking. */
static inline bool okra_wait(int fd, short events)
{
    struct pollfd waiting = {.fd = fd, .events = events};
    if (errno == EINTR)
        return true;
    if (errno != EAGAIN)
        return false;
    poll(&waiting, 1, -1);
    return true;
}

#endif
