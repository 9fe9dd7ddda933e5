/*
 * What killed processes have left beside a file. A name alone proves nothing: the process may live in another container
 * or on another machine that shares the folder, where its number says nothing here. But it would be writing: so a file
 * goes only where its process is gone and nobody has written to it for a minute.
 */
#include "stale_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { STILL_SECONDS = 60 };

char *okra_folder_of(const char *path)
{
    char *folder = strdup(strchr(path, '/') ? path : ".");
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
        slash[slash == folder] = '\0';
    return folder;
}

/* The process of BASE.PID.tmp or BASE.PID-K.tmp; 0 where a name is not exactly that. */
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

void okra_remove_stale(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    char *name = okra_folder_of(path);
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
