#include "sklearn.h"

#include <string.h>
#include <unistd.h>

enum { PATH_TEXT = 4096 };

static bool find_script(char path[PATH_TEXT])
{
    static const char name[] = "sklearn_rff.py";
    ssize_t length = readlink("/proc/self/exe", path, PATH_TEXT - sizeof name);
    while (length > 0 && path[length - 1] != '/')
        length--;
    if (length <= 0)
        return false;
    memcpy(path + length, name, sizeof name);
    return true;
}

/* Debian's Python has Debian's scikit-learn, where another one comes first in the path. */
static const char *const pythons[] = {"python3", "/usr/bin/python3"};

bool sklearn_start(child *c, size_t inputs, size_t features, size_t rows)
{
    char script[PATH_TEXT], numbers[3][32];
    if (!find_script(script))
        return false;
    snprintf(numbers[0], sizeof numbers[0], "%zu", inputs);
    snprintf(numbers[1], sizeof numbers[1], "%zu", features);
    snprintf(numbers[2], sizeof numbers[2], "%zu", rows);
    for (size_t i = 0; i < sizeof pythons / sizeof *pythons; i++)
        if (child_start(c, (const char *const[]){pythons[i], script, numbers[0], numbers[1], numbers[2], NULL}))
            return true;
    return false;
}
