/*
 * Whole files: read at once, and written so that a crash, a full disk or a power cut leaves the old file or the new
 * one, never a part. The order matters: the new bytes are on the disk before the name points at them, and the name is
 * on the disk before the call returns.
 */
#include <okra/model_file.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "message.h"
#include "transfer.h"

#define KEPT "; the old file is as it was"

/* ---- reading ------------------------------------------------------------------------------------------------- */

/* The first capacity: if the size of the file is known, that size, and one byte more to detect its end. */
static int measure(int fd, size_t *capacity)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return errno;
    bool known = S_ISREG(info.st_mode) && info.st_size > 0 && (uintmax_t)info.st_size < SIZE_MAX / 4;
    *capacity = known ? (size_t)info.st_size + 1 : (size_t)1 << 16;
    return S_ISDIR(info.st_mode) ? EISDIR : 0;
}

/* Reads up to the end into *bytes, which has `capacity` at first. Returns an errno, or 0. */
static int read_all(int fd, unsigned char **bytes, size_t capacity, size_t *size)
{
    for (*size = 0;;) {
        if (*size == capacity) {
            unsigned char *larger = capacity <= SIZE_MAX / 2 ? realloc(*bytes, 2 * capacity) : NULL;
            if (!larger)
                return ENOMEM;
            *bytes = larger;
            capacity *= 2;
        }
        ssize_t got = read(fd, *bytes + *size, capacity - *size);
        if (got == 0)
            return 0;
        if (got > 0)
            *size += (size_t)got;
        else if (!okra_wait(fd, POLLIN))
            return errno;
    }
}

static okra_status load_from(int fd, const char *name, unsigned char **bytes, size_t *size, okra_message *why)
{
    size_t capacity = 1;
    int error = measure(fd, &capacity);
    if (error)
        return okra_cannot_open(name, error, why);
    *bytes = malloc(capacity);
    error = *bytes ? read_all(fd, bytes, capacity, size) : ENOMEM;
    if (!error)
        return OKRA_OK;
    free(*bytes);
    *bytes = NULL;
    okra_message_set(why, "%s: cannot be read: %s: %s", name, okra_error_text(error),
                     error == ENOMEM ? "free some memory" : "check the disk, or use another copy");
    return error == ENOMEM ? OKRA_E_MEMORY : OKRA_E_READ;
}

okra_status okra_file_load(const char *path, unsigned char **bytes, size_t *size, okra_message *why)
{
    if (!path || !bytes || !size)
        return okra_status_error(OKRA_E_NULL, why);
    *bytes = NULL;
    if (okra_is_standard(path))
        return load_from(STDIN_FILENO, "standard input", bytes, size, why);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return okra_cannot_open(path, errno, why);
    okra_status status = load_from(fd, path, bytes, size, why);
    close(fd);
    return status;
}

/* ---- what killed processes have left ------------------------------------------------------------------------- */

/* The folder that a path is in, to be freed; NULL if memory runs out. */
static char *folder_of(const char *path)
{
    char *folder = strdup(strchr(path, '/') ? path : ".");
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
        slash[slash == folder] = '\0';
    return folder;
}

enum { STILL_SECONDS = 60 };

/* The process id in BASE.PID.tmp or BASE.PID-K.tmp; 0 if a name is not exactly that. */
static long owner_of(const char *name, const char *base)
{
    size_t length = strlen(base);
    if (strncmp(name, base, length) != 0 || name[length] != '.')
        return 0;
    const char *digits = name + length + 1, *rest = digits + strspn(digits, "0123456789");
    if (*digits < '1' || *digits > '9' || rest - digits > 10)
        return 0;
    if (*rest == '-')
        rest += 1 + strspn(rest + 1, "0123456789");
    return strcmp(rest, ".tmp") == 0 ? strtol(digits, NULL, 10) : 0;
}

static bool is_gone(long process)
{
    return process == (pid_t)process && kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

static bool is_still(int folder, const char *name)
{
    struct stat info;
    return fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info.st_mode) && info.st_nlink == 1 &&
           info.st_uid == geteuid() && time(NULL) - info.st_mtime > STILL_SECONDS;
}

/*
 * Removes the temporary files PATH.PID.tmp of saves that were killed. The name alone proves nothing: the process may
 * run in another container, or on another machine that shares the folder. But it would be writing. So a file is removed
 * only if its process does not exist and nobody has written to it for a minute.
 */
static void remove_stale(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    char *name = folder_of(path);
    DIR *folder = name ? opendir(name) : NULL;
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): this folder's stream is ours alone */
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        long process = owner_of(entry->d_name, base);
        if (process > 0 && is_gone(process) && is_still(dirfd(folder), entry->d_name))
            unlinkat(dirfd(folder), entry->d_name, 0);
    }
    if (folder)
        closedir(folder);
    free(name);
}

/* ---- writing ------------------------------------------------------------------------------------------------- */

/* A device, a pipe or a terminal: a rename would replace it. */
static okra_status write_in_place(const char *path, const void *bytes, size_t size, okra_message *why)
{
    bool standard = okra_is_standard(path);
    int fd = standard ? STDOUT_FILENO : open(path, O_WRONLY | O_CLOEXEC);
    int error = fd < 0 ? errno : okra_write_all(fd, bytes, size, -1);
    if (!standard && fd >= 0 && close(fd) != 0 && !error)
        error = errno;
    return error ? okra_cannot_write(standard ? "standard output" : path, "written", error, "", why) : OKRA_OK;
}

/* A free name next to the file: PATH.PID.tmp, or with a number if threads save the same file at once. There is space
 * for TEMPORARY characters more than the path. */
enum { TEMPORARY = 64 };

static int open_temporary(const char *path, mode_t mode, char *name, size_t capacity)
{
    int fd = -1;
    errno = EEXIST;
    for (int k = 0; k < 1000 && fd < 0 && errno == EEXIST; k++) {
        if (k == 0)
            snprintf(name, capacity, "%s.%ld.tmp", path, (long)getpid());
        else
            snprintf(name, capacity, "%s.%ld-%d.tmp", path, (long)getpid(), k);
        fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    }
    return fd;
}

/* Until the folder is on the disk too, a power cut may restore the old name. A folder that may not be opened, or a file
 * system that cannot sync one, is not an error. */
static int sync_folder(const char *path)
{
    char *folder = folder_of(path);
    if (!folder)
        return ENOMEM;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int error = fd < 0 ? (errno == EACCES ? 0 : errno) : fsync(fd) != 0 && errno != EINVAL ? errno : 0;
    if (fd >= 0)
        close(fd);
    free(folder);
    return error;
}

/* Copies the access control list of the old file. If the old file has none, removes the one that the folder may give to
 * every new file. False on failure. */
static bool keep_list(int fd, const char *path, bool same_group)
{
    static const char list[] = "system.posix_acl_access";
    char entries[4096]; /* about five hundred entries */
    ssize_t size = getxattr(path, list, entries, sizeof entries);
    if (size > 0)
        return same_group && fsetxattr(fd, list, entries, (size_t)size, 0) == 0;
    return (errno == ENODATA || errno == ENOTSUP) &&
           (fremovexattr(fd, list) == 0 || errno == ENODATA || errno == ENOTSUP);
}

/*
 * Copies owner, group and access control list of the old file, as far as the system allows. Returns permissions that
 * open the new file to nobody new: if the group differs, the group and others get what both had. To be called while
 * only the owner may read the file.
 */
static mode_t inherit(int fd, const char *path, const struct stat *old)
{
    mode_t mode = old->st_mode & 0777, everybody = mode & mode >> 3 & 07;
    bool same_group = fchown(fd, old->st_uid, old->st_gid) == 0 || fchown(fd, (uid_t)-1, old->st_gid) == 0;
    if (!keep_list(fd, path, same_group))
        return mode & 0700;
    return same_group ? mode : (mode & 0700) | everybody << 3 | everybody;
}

/* Everything that can fail before the name changes. */
static int fill_temporary(int fd, const char *path, const void *bytes, size_t size, const struct stat *old)
{
    int error = okra_write_all(fd, bytes, size, -1);
    if (!error && old && fchmod(fd, inherit(fd, path, old)) != 0)
        error = errno;
    if (!error && fsync(fd) != 0)
        error = errno;
    if (close(fd) != 0 && !error)
        error = errno;
    return error;
}

static okra_status replace(const char *path, const void *bytes, size_t size, const struct stat *old, okra_message *why)
{
    size_t capacity = strlen(path) + TEMPORARY;
    char *temporary = malloc(capacity);
    /* a private file must not be readable by others while it is written */
    int fd = temporary ? open_temporary(path, old ? 0600 : 0666, temporary, capacity) : -1;
    int error = fd < 0 ? (temporary ? errno : ENOMEM) : fill_temporary(fd, path, bytes, size, old);
    if (!error && rename(temporary, path) != 0)
        error = errno;
    if (error && fd >= 0)
        unlink(temporary);
    free(temporary);
    if (error)
        return okra_cannot_write(path, "written", error, old ? KEPT : "", why);
    remove_stale(path);
    error = sync_folder(path);
    return error ? okra_cannot_write(path, "made safe against a power cut", error, "", why) : OKRA_OK;
}

/* ---- links --------------------------------------------------------------------------------------------------- */

/* The target of a link at `path`, as a path from here, to be freed. NULL with errno: EINVAL if it is not a link. */
static char *read_link(const char *path)
{
    char says[PATH_MAX];
    ssize_t length = readlink(path, says, sizeof says);
    if (length < 0)
        return NULL;
    if (length == sizeof says) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    says[length] = '\0';
    if (says[0] == '/')
        return strdup(says);
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0, capacity = folder + (size_t)length + 1;
    char *whole = malloc(capacity);
    if (whole)
        snprintf(whole, capacity, "%.*s%s", (int)folder, path, says);
    return whole;
}

/* The target of a path through links if there is no file yet, to be freed: realpath() needs a file. NULL with errno. */
static char *follow_links(const char *path)
{
    enum { MAX_LINKS = 40 }; /* as in Linux */
    char *at = strdup(path);
    for (int k = 0; at && k < MAX_LINKS; k++) {
        char *next = read_link(at);
        if (!next && (errno == EINVAL || errno == ENOENT)) /* a new file goes there */
            return at;
        free(at);
        at = next;
    }
    if (at)
        errno = ELOOP;
    free(at);
    return NULL;
}

okra_status okra_file_save(const char *path, const void *bytes, size_t size, okra_message *why)
{
    if (!path || !bytes)
        return okra_status_error(OKRA_E_NULL, why);
    struct stat old;
    bool exists = !okra_is_standard(path) && stat(path, &old) == 0;
    if (okra_is_standard(path) || (exists && !S_ISREG(old.st_mode)))
        return write_in_place(path, bytes, size, why);
    /* follow links, which are kept */
    char *target = exists ? realpath(path, NULL) : errno == ENOENT ? follow_links(path) : NULL;
    if (!target) /* unknown target: do not replace it */
        return okra_cannot_write(path, "written", errno, KEPT, why);
    okra_status status = replace(target, bytes, size, exists ? &old : NULL, why);
    free(target);
    return status;
}
