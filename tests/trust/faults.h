/*
 * Functions of the system, of libsndfile and of zlib that can be told to fail: the linker puts these in
 * their place (--wrap) in whatever is linked statically. One fault at a time: call number `nth` of function `which`.
 */
#ifndef OKRA_TESTS_FAULTS_H
#define OKRA_TESTS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

/* X(name, what it is): the kind decides what a refusal may be called. */
#define FAULTY(X)             \
    X(malloc, MEMORY)         \
    X(calloc, MEMORY)         \
    X(realloc, MEMORY)        \
    X(reallocarray, MEMORY)   \
    X(aligned_alloc, MEMORY)  \
    X(strdup, MEMORY)         \
    X(asprintf, MEMORY)       \
    X(newlocale, MEMORY)      \
    X(open, FILES)            \
    X(fstat, FILES)           \
    X(stat, FILES)            \
    X(realpath, FILES)        \
    X(readlink, FILES)        \
    X(lseek, FILES)           \
    X(ftruncate, FILES)       \
    X(fchmod, FILES)          \
    X(fsync, FILES)           \
    X(fdatasync, FILES)       \
    X(rename, FILES)          \
    X(close, FILES)           \
    X(fclose, MEMORY)         \
    X(read, BYTES)            \
    X(pread, BYTES)           \
    X(write, BYTES)           \
    X(pwrite, BYTES)          \
    X(sf_open_fd, SOUND)      \
    X(sf_open_virtual, SOUND) \
    X(sf_format_check, SOUND) \
    X(sf_readf_double, SOUND) \
    X(inflateInit2_, MEMORY)  \
    X(inflate, MEMORY)        \
    X(deflateInit2_, MEMORY)

typedef enum fault_kind { MEMORY, FILES, BYTES, SOUND } fault_kind;

#define FAULT_ID(name, kind) FAULT_##name,
typedef enum fault_id { FAULTY(FAULT_ID) FAULT_COUNT } fault_id;

/* What happens instead: the function fails with this error, or handles one byte of those asked for, or says that there
 * are no more, or another thread comes before it. */
enum { FAULT_SHORT = -1, FAULT_END = -2, FAULT_OTHER_FIRST = -3 };

const char *fault_name(fault_id which);
fault_kind fault_kind_of(fault_id which);

/* From here on calls are counted, and number nth (from 1; 0: none) of that function fails, with this errno or as above.
 */
void fault_arm(fault_id which, size_t nth, int error);

/* Ends it; whether the fault has happened. */
bool fault_disarm(void);

/* Calls of the function since it was armed. */
size_t fault_calls(fault_id which);

#endif
