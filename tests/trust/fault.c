/*
 * A library to preload before the program, which then meets the failures that OKRA_FAULT plans: memory that ends, disks
 * that fill, calls that are interrupted. Faults begin with main(), so that the loader and the constructors of other
 * libraries, about which we decide nothing, are left alone; stderr is too, for it has to carry the message.
 *
 *   OKRA_FAULT=ITEM[,ITEM..]        ITEM: CALL:FAULT[@N[+]]   the N-th call, with + it and all after it; without @, all
 *   CALL: alloc open read write sync rename close seek truncate stat thread
 *   FAULT: enomem enospc eio epipe emfile eacces eagain       fails so
 *          eintr                                              every other call fails so, whatever N
 *          one half                                           takes one byte, or half of what it was given
 *   spare:NAME                      allocations of libraries with NAME in theirs do not count
 *   space:BYTES                     regular files take so many bytes more, and then there is no space left
 *
 * The file that OKRA_FAULT_FIRED names is made when a fault is first met. stdio calls libc's own write, which nobody
 * can stand in for: streams that are opened for writing, and standard output, are made with fopencookie() here, and
 * write as those of libc do.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SHOWN __attribute__((visibility("default")))

/* ---- the plan ------------------------------------------------------------------------------------------------ */

#define CALLS(X) X(alloc) X(open) X(read) X(write) X(sync) X(rename) X(close) X(seek) X(truncate) X(stat) X(thread)

#define CALL_NAME(name)     #name,
#define CALL_CONSTANT(name) call_##name,
static const char *const call_names[] = {CALLS(CALL_NAME)};
enum call { CALLS(CALL_CONSTANT) CALL_COUNT };

enum how { NEVER, FAILS, INTERRUPTED, ONE_BYTE, HALF };

static const struct {
    const char *name;
    enum how how;
    int error;
} fault_names[] = {
    {"enomem", FAILS, ENOMEM}, {"enospc", FAILS, ENOSPC},     {"eio", FAILS, EIO},       {"epipe", FAILS, EPIPE},
    {"emfile", FAILS, EMFILE}, {"eacces", FAILS, EACCES},     {"eagain", FAILS, EAGAIN}, {"one", ONE_BYTE, 0},
    {"half", HALF, 0},         {"eintr", INTERRUPTED, EINTR},
};

static struct fault {
    enum how how;
    int error;
    unsigned long first;
    bool all_after;
} faults[CALL_COUNT];

static atomic_ulong counts[CALL_COUNT];
static atomic_bool armed, fired;
static bool has_space_limit;
static atomic_long space_left;
static const char *fired_path, *spared;

static _Noreturn void refuse(const char *item)
{
    dprintf(STDERR_FILENO, "OKRA_FAULT: cannot make sense of '%s'\n", item);
    _exit(125);
}

static void plan_fault(struct fault *fault, const char *name, const char *when, const char *item)
{
    for (size_t i = 0; i < sizeof fault_names / sizeof *fault_names; i++)
        if (strcmp(fault_names[i].name, name) == 0)
            *fault = (struct fault){fault_names[i].how, fault_names[i].error, 1, true};
    if (fault->how == NEVER)
        refuse(item);
    if (!when)
        return;
    char *end;
    fault->first = strtoul(when, &end, 10);
    fault->all_after = *end == '+';
    if (end == when || end[fault->all_after])
        refuse(item);
}

static void plan_item(char *item)
{
    char *name = strchr(item, ':');
    if (!name)
        refuse(item);
    *name++ = '\0';
    if (strcmp(item, "space") == 0) {
        has_space_limit = true;
        space_left = strtol(name, NULL, 10);
        return;
    }
    if (strcmp(item, "spare") == 0) {
        spared = name;
        return;
    }
    char *when = strchr(name, '@');
    if (when)
        *when++ = '\0';
    for (size_t c = 0; c < CALL_COUNT; c++)
        if (strcmp(call_names[c], item) == 0) {
            plan_fault(&faults[c], name, when, item);
            return;
        }
    refuse(item);
}

/* Children, gnuplot say, are spared. */
static void make_plan(void)
{
    static char plan[256];
    const char *given = getenv("OKRA_FAULT");
    snprintf(plan, sizeof plan, "%s", given ? given : "");
    char *rest = plan;
    for (char *item = strsep(&rest, ","); item; item = strsep(&rest, ","))
        if (*item)
            plan_item(item);
    fired_path = getenv("OKRA_FAULT_FIRED");
    unsetenv("OKRA_FAULT");
}

static void note_firing(void)
{
    if (!fired_path || atomic_exchange(&fired, true))
        return;
    long fd = syscall(SYS_openat, AT_FDCWD, fired_path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0)
        syscall(SYS_close, fd);
}

/* What this call meets, with errno set where it is to fail. */
static enum how meets(enum call call)
{
    const struct fault *fault = &faults[call];
    if (fault->how == NEVER || !atomic_load(&armed))
        return NEVER;
    unsigned long n = atomic_fetch_add(&counts[call], 1) + 1;
    bool hit = fault->how == INTERRUPTED ? n % 2 == 1 : n == fault->first || (fault->all_after && n > fault->first);
    if (!hit)
        return NEVER;
    note_firing();
    errno = fault->error;
    return fault->how;
}

static bool fails(enum call call)
{
    enum how how = meets(call);
    return how == FAILS || how == INTERRUPTED;
}

static size_t shortened(enum how how, size_t count)
{
    return how == ONE_BYTE && count > 1 ? 1 : how == HALF && count > 1 ? count / 2 : count;
}

/* ---- whom we stand in for ------------------------------------------------------------------------------------ */

static void *find_next(void *_Atomic *known, const char *name)
{
    void *found = atomic_load(known);
    if (!found)
        atomic_store(known, found = dlsym(RTLD_NEXT, name));
    return found;
}

/* NOLINTBEGIN(bugprone-macro-parentheses): a name, not an expression */
#define DECLARE_NEXT(name)                          \
    static __typeof__(&name) next_##name(void)      \
    {                                               \
        static void *_Atomic known;                 \
        void *found = find_next(&known, #name);     \
        return (__typeof__(&name))(uintptr_t)found; \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
DECLARE_NEXT(malloc)
DECLARE_NEXT(calloc)
DECLARE_NEXT(realloc)
DECLARE_NEXT(reallocarray)
DECLARE_NEXT(aligned_alloc)
DECLARE_NEXT(posix_memalign)
DECLARE_NEXT(open)
DECLARE_NEXT(fopen)
DECLARE_NEXT(fileno)
DECLARE_NEXT(read)
DECLARE_NEXT(pread)
DECLARE_NEXT(write)
DECLARE_NEXT(pwrite)
DECLARE_NEXT(fsync)
DECLARE_NEXT(fdatasync)
DECLARE_NEXT(rename)
DECLARE_NEXT(close)
DECLARE_NEXT(lseek)
DECLARE_NEXT(ftruncate)
DECLARE_NEXT(fstat)
DECLARE_NEXT(pthread_create)

/* ---- memory and threads -------------------------------------------------------------------------------------- */

/* Whether this thread has come to code of the program's: what a sanitizer does at its start and its end is not ours,
 * and it dies without memory. */
static _Thread_local bool begun __attribute__((tls_model("initial-exec")));

static bool allocation_fails(const void *caller)
{
    Dl_info who;
    if (!begun)
        return false;
    if (spared && atomic_load(&armed) && dladdr(caller, &who) && who.dli_fname && strstr(who.dli_fname, spared))
        return false;
    return fails(call_alloc);
}

#define ALLOCATION_FAILS() allocation_fails(__builtin_return_address(0))

SHOWN void *malloc(size_t size) { return ALLOCATION_FAILS() ? NULL : next_malloc()(size); }

/* dlsym() itself may ask for memory, and does without. */
SHOWN void *calloc(size_t n, size_t size)
{
    static _Thread_local bool looking;
    if (looking)
        return NULL;
    looking = true;
    __typeof__(&calloc) next = next_calloc();
    looking = false;
    return ALLOCATION_FAILS() ? NULL : next(n, size);
}

SHOWN void *realloc(void *p, size_t size) { return ALLOCATION_FAILS() ? NULL : next_realloc()(p, size); }

SHOWN void *reallocarray(void *p, size_t n, size_t size)
{
    return ALLOCATION_FAILS() ? NULL : next_reallocarray()(p, n, size);
}

SHOWN void *aligned_alloc(size_t alignment, size_t size)
{
    return ALLOCATION_FAILS() ? NULL : next_aligned_alloc()(alignment, size);
}

SHOWN int posix_memalign(void **p, size_t alignment, size_t size)
{
    return ALLOCATION_FAILS() ? ENOMEM : next_posix_memalign()(p, alignment, size);
}

typedef struct thread_start {
    void *(*run)(void *);
    void *argument;
} thread_start;

static void *begin_thread(void *memory)
{
    thread_start start = *(thread_start *)memory;
    free(memory);
    begun = true;
    void *result = start.run(start.argument);
    begun = false;
    return result;
}

SHOWN int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *argument)
{
    thread_start *start = fails(call_thread) ? NULL : next_malloc()(sizeof *start);
    if (!start)
        return errno;
    *start = (thread_start){run, argument};
    int error = next_pthread_create()(thread, how, begin_thread, start);
    if (error)
        free(start);
    return error;
}

/* ---- files --------------------------------------------------------------------------------------------------- */

SHOWN int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    return fails(call_open) ? -1 : next_open()(path, flags, mode);
}

SHOWN ssize_t read(int fd, void *to, size_t count)
{
    enum how how = meets(call_read);
    return how == FAILS || how == INTERRUPTED ? -1 : next_read()(fd, to, shortened(how, count));
}

SHOWN ssize_t pread(int fd, void *to, size_t count, off_t offset)
{
    enum how how = meets(call_read);
    return how == FAILS || how == INTERRUPTED ? -1 : next_pread()(fd, to, shortened(how, count), offset);
}

/* How many of these bytes a disk takes that is about to be full. */
static size_t space_for(int fd, size_t count)
{
    struct stat info;
    if (!has_space_limit || !atomic_load(&armed) || next_fstat()(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return count;
    long before = atomic_fetch_sub(&space_left, (long)count);
    if (before >= (long)count)
        return count;
    note_firing();
    errno = ENOSPC;
    return before > 0 ? (size_t)before : 0;
}

/* The count that goes through; 0: it fails, with errno. */
static size_t let_through(int fd, size_t count, bool patiently)
{
    enum how how = meets(call_write);
    if (how == FAILS || (how == INTERRUPTED && !patiently))
        return 0;
    return space_for(fd, shortened(how, count));
}

SHOWN ssize_t write(int fd, const void *from, size_t count)
{
    size_t some = let_through(fd, count, false);
    return some == 0 && count > 0 ? -1 : next_write()(fd, from, some);
}

SHOWN ssize_t pwrite(int fd, const void *from, size_t count, off_t offset)
{
    size_t some = let_through(fd, count, false);
    return some == 0 && count > 0 ? -1 : next_pwrite()(fd, from, some, offset);
}

SHOWN int fsync(int fd) { return fails(call_sync) ? -1 : next_fsync()(fd); }
SHOWN int fdatasync(int fd) { return fails(call_sync) ? -1 : next_fdatasync()(fd); }
SHOWN int rename(const char *from, const char *to) { return fails(call_rename) ? -1 : next_rename()(from, to); }
SHOWN int ftruncate(int fd, off_t size) { return fails(call_truncate) ? -1 : next_ftruncate()(fd, size); }
SHOWN int fstat(int fd, struct stat *info) { return fails(call_stat) ? -1 : next_fstat()(fd, info); }

SHOWN off_t lseek(int fd, off_t offset, int whence) { return fails(call_seek) ? -1 : next_lseek()(fd, offset, whence); }

/* As the system does it: the descriptor is gone all the same. */
SHOWN int close(int fd)
{
    int status = next_close()(fd);
    return fails(call_close) ? -1 : status;
}

/* ---- streams ------------------------------------------------------------------------------------------------- */

enum { MAX_STREAMS = 64 };

static struct stream {
    FILE *_Atomic file;
    int fd;
} streams[MAX_STREAMS];

/* As libc: goes on after a short write, gives up at an error. An interruption is left out: it would need a handler that
 * does not restart calls, and a stream that blocks. */
static ssize_t stream_write(void *cookie, const char *from, size_t count)
{
    struct stream *s = cookie;
    size_t done = 0;
    while (done < count) {
        size_t some = let_through(s->fd, count - done, true);
        ssize_t put = some > 0 ? next_write()(s->fd, from + done, some) : -1;
        if (put < 0)
            return 0;
        done += (size_t)put;
    }
    return (ssize_t)done;
}

static int stream_close(void *cookie)
{
    struct stream *s = cookie;
    int status = close(s->fd);
    atomic_store(&s->file, NULL);
    return status;
}

static FILE *make_stream(int fd)
{
    for (size_t i = 0; i < MAX_STREAMS; i++)
        if (!atomic_load(&streams[i].file)) {
            streams[i].fd = fd;
            FILE *file =
                fopencookie(&streams[i], "w", (cookie_io_functions_t){.write = stream_write, .close = stream_close});
            atomic_store(&streams[i].file, file);
            return file;
        }
    errno = EMFILE;
    return NULL;
}

SHOWN FILE *fopen(const char *path, const char *mode)
{
    if (*mode != 'w')
        return fails(call_open) ? NULL : next_fopen()(path, mode);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    FILE *file = fd >= 0 ? make_stream(fd) : NULL;
    if (fd >= 0 && !file)
        next_close()(fd);
    return file;
}

SHOWN int fileno(FILE *file)
{
    for (size_t i = 0; i < MAX_STREAMS; i++)
        if (file && atomic_load(&streams[i].file) == file)
            return streams[i].fd;
    return next_fileno()(file);
}

/* ---- the start ----------------------------------------------------------------------------------------------- */

static int (*program_main)(int, char **, char **);

static int armed_main(int argc, char **argv, char **environment)
{
    if (getenv("OKRA_FAULT")) {
        FILE *out = make_stream(STDOUT_FILENO);
        make_plan();
        if (!out)
            refuse("standard output");
        stdout = out;
        begun = true;
        atomic_store(&armed, true);
    }
    return program_main(argc, argv, environment);
}

typedef int starter(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void),
                    void *);
SHOWN starter __libc_start_main;

SHOWN int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv, void (*begin)(void),
                            void (*end)(void), void (*loader_end)(void), void *stack)
{
    starter *next = (starter *)(uintptr_t)dlsym(RTLD_NEXT, "__libc_start_main");
    program_main = program;
    return next(armed_main, argc, argv, begin, end, loader_end, stack);
}
