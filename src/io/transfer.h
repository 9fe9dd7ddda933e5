/* Reads and writes of all that is asked for, inside libokra-io. */
#ifndef OKRA_IO_TRANSFER_H
#define OKRA_IO_TRANSFER_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a call that left errno is to be made again: after a signal, or, once POLLIN or POLLOUT has come, where some
 * other program has made our standard stream non-blocking. */
bool okra_wait(int fd, short events);

/* Reads from a place in a file, and returns how many bytes there were; where that failed, *error is its errno. */
size_t okra_read_at(int fd, void *to, size_t bytes, int64_t offset, int *error);

/* Writes at a place in a file, or with an offset of -1 where the descriptor is. An errno, or 0. */
int okra_write_all(int fd, const void *from, size_t bytes, int64_t offset);

#endif
