/* The stand-ins of faults.h. Everything else is handed on to the real function. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* reallocarray, asprintf */
#endif
#include "faults.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sndfile.h>
#include <zlib.h>

#include "io/number.h"

static struct plan {
    bool armed, happened;
    fault_id which;
    size_t nth;
    int error;
    size_t calls[FAULT_COUNT];
} plan;

const char *fault_name(fault_id which)
{
#define NAME(name, kind) #name,
    static const char *const names[] = {FAULTY(NAME)};
    return names[which];
}

fault_kind fault_kind_of(fault_id which)
{
#define KIND(name, kind) kind,
    static const fault_kind kinds[] = {FAULTY(KIND)};
    return kinds[which];
}

static bool strikes(fault_id which)
{
    if (!plan.armed || ++plan.calls[which] != plan.nth || which != plan.which)
        return false;
    plan.happened = true;
    if (plan.error > 0)
        errno = plan.error;
    return true;
}

size_t fault_calls(fault_id which) { return plan.calls[which]; }

/* ---- what fails as a whole ----------------------------------------------------------------------------------- */

#define WHOLE(type, name, failure, parameters, arguments) \
    type __real_##name parameters;                        \
    type __wrap_##name parameters;                        \
    type __wrap_##name parameters { return strikes(FAULT_##name) ? (failure) : __real_##name arguments; }
WHOLE(void *, malloc, NULL, (size_t n), (n))
WHOLE(void *, calloc, NULL, (size_t n, size_t m), (n, m))
WHOLE(void *, realloc, NULL, (void *p, size_t n), (p, n))
WHOLE(void *, reallocarray, NULL, (void *p, size_t n, size_t m), (p, n, m))
WHOLE(void *, aligned_alloc, NULL, (size_t a, size_t n), (a, n))
WHOLE(char *, strdup, NULL, (const char *text), (text))
WHOLE(int, fstat, -1, (int fd, struct stat *info), (fd, info))
WHOLE(int, stat, -1, (const char *path, struct stat *info), (path, info))
WHOLE(char *, realpath, NULL, (const char *path, char *to), (path, to))
WHOLE(ssize_t, readlink, -1, (const char *path, char *to, size_t room), (path, to, room))
WHOLE(off_t, lseek, -1, (int fd, off_t to, int whence), (fd, to, whence))
WHOLE(int, ftruncate, -1, (int fd, off_t size), (fd, size))
WHOLE(int, fchmod, -1, (int fd, mode_t mode), (fd, mode))
WHOLE(int, fsync, -1, (int fd), (fd))
WHOLE(int, fdatasync, -1, (int fd), (fd))
WHOLE(int, rename, -1, (const char *from, const char *to), (from, to))
WHOLE(SNDFILE *, sf_open_fd, NULL, (int fd, int mode, SF_INFO *info, int own), (fd, mode, info, own))
WHOLE(SNDFILE *, sf_open_virtual, NULL, (SF_VIRTUAL_IO * io, int mode, SF_INFO *info, void *user),
      (io, mode, info, user))
WHOLE(int, sf_format_check, 0, (const SF_INFO *info), (info))
WHOLE(sf_count_t, sf_readf_double, 0, (SNDFILE * file, double *to, sf_count_t n), (file, to, n))
WHOLE(int, inflateInit2_, Z_MEM_ERROR, (z_streamp z, int bits, const char *version, int size), (z, bits, version, size))
WHOLE(int, inflate, Z_MEM_ERROR, (z_streamp z, int flush), (z, flush))
WHOLE(int, deflateInit2_, Z_MEM_ERROR,
      (z_streamp z, int level, int method, int bits, int memory, int strategy, const char *version, int size),
      (z, level, method, bits, memory, strategy, version, size))

/* Only the first call of a process has anything to do, and another thread may have been between. */
locale_t __real_newlocale(int mask, const char *name, locale_t base);
locale_t __wrap_newlocale(int mask, const char *name, locale_t base);
locale_t __wrap_newlocale(int mask, const char *name, locale_t base)
{
    bool strike = strikes(FAULT_newlocale);
    if (strike && plan.error != FAULT_OTHER_FIRST)
        return (locale_t)0;
    if (strike)
        okra_c_locale();
    return __real_newlocale(mask, name, base);
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    return strikes(FAULT_open) ? -1 : __real_open(path, flags, mode);
}

int __wrap_asprintf(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap_asprintf(char **text, const char *format, ...)
{
    if (strikes(FAULT_asprintf))
        return -1;
    va_list more;
    va_start(more, format);
    int length = vasprintf(text, format, more);
    va_end(more);
    return length;
}

/* ---- what has closed, and says that all was not well --------------------------------------------------------- */

int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
    bool fails = strikes(FAULT_close);
    int error = errno, closed = __real_close(fd);
    errno = fails ? error : errno;
    return fails ? -1 : closed;
}

int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file)
{
    bool fails = strikes(FAULT_fclose);
    int closed = __real_fclose(file);
    return fails ? EOF : closed;
}

/* ---- bytes, that may come in part ---------------------------------------------------------------------------- */

#define PARTLY(name, parameters, short_arguments, arguments)                                                   \
    ssize_t __real_##name parameters;                                                                          \
    ssize_t __wrap_##name parameters;                                                                          \
    ssize_t __wrap_##name parameters                                                                           \
    {                                                                                                          \
        if (!strikes(FAULT_##name))                                                                            \
            return __real_##name arguments;                                                                    \
        return plan.error == FAULT_SHORT ? __real_##name short_arguments : (plan.error == FAULT_END ? 0 : -1); \
    }
PARTLY(read, (int fd, void *to, size_t n), (fd, to, n > 0), (fd, to, n))
PARTLY(write, (int fd, const void *from, size_t n), (fd, from, n > 0), (fd, from, n))
PARTLY(pread, (int fd, void *to, size_t n, off_t at), (fd, to, n > 0, at), (fd, to, n, at))
PARTLY(pwrite, (int fd, const void *from, size_t n, off_t at), (fd, from, n > 0, at), (fd, from, n, at))

/* ---- one fault ------------------------------------------------------------------------------------------- */

void fault_arm(fault_id which, size_t nth, int error)
{
    plan = (struct plan){.armed = true, .which = which, .nth = nth, .error = error};
}

bool fault_disarm(void)
{
    plan.armed = false;
    return plan.happened;
}
