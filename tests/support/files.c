#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* nftw */
#endif
#include "files.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[512];

int enter_directory(void **state)
{
    (void)state;
    const char *place = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/okra-test-XXXXXX", place && *place ? place : "/tmp");
    /* Open to others, for a program that runs as nobody. */
    return mkdtemp(directory) && chmod(directory, 0755) == 0 && chdir(directory) == 0 ? 0 : -1;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info, (void)kind, (void)place;
    return remove(path);
}

int leave_directory(void **state)
{
    (void)state;
    return chdir("/") == 0 ? nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS) : -1;
}

void write_bytes(const char *name, const void *bytes, size_t length)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

void *read_bytes(const char *name, size_t *length)
{
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    char *bytes = NULL;
    *length = 0;
    for (size_t room = 4096, got = 1; got > 0; room *= 2) {
        char *larger = realloc(bytes, room + 1);
        assert_non_null(larger);
        bytes = larger;
        *length += got = fread(bytes + *length, 1, room - *length, file);
    }
    bytes[*length] = '\0';
    fclose(file);
    return bytes;
}

void write_file(const char *name, const char *text) { write_bytes(name, text, strlen(text)); }

char *read_file(const char *name)
{
    size_t length;
    return read_bytes(name, &length);
}
