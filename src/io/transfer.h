/* Complete reads and writes, inside libokra-io. */
#ifndef OKRA_IO_TRANSFER_H
#define OKRA_IO_TRANSFER_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Whether to repeat a call that failed with errno: after a signal; or if another program has made our standard stream
 * non-blocking, after waiting for POLLIN or POLLOUT. */
bool okra_wait(int fd, short events);

/* One read(2), again after a signal or a wait: at least a byte, 0 at the end, negative with errno. */
ssize_t okra_read_some(int fd, void *to, size_t bytes);

/* Reads at an offset, and returns how many bytes there were; on failure *error is the errno. */
size_t okra_read_at(int fd, void *to, size_t bytes, int64_t offset, int *error);

/* Writes at an offset, or at the descriptor's position if it is -1. Returns an errno, or 0. */
int okra_write_all(int fd, const void *from, size_t bytes, int64_t offset);

#endif
