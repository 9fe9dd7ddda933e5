/*
 * Output that checks every write: a prediction that did not reach the disk is an error, not a shorter file.
 */
#include "output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include <okra/io.h>

#include "message.h"

int output_failed(const char *name, int error)
{
    if (error == EPIPE)
        return message_fail(EXIT_IO, "%s: the program that was reading it has closed it", name);
    return message_fail(EXIT_IO, "%s: cannot be written: %s: free some room or choose another place", name,
                        strerror(error));
}

static void check(output *out, bool done)
{
    if (!done && !out->error)
        out->error = errno ? errno : EIO;
}

int output_open(output *out, const char *path)
{
    bool standard = !path || strcmp(path, "-") == 0;
    *out = (output){.file = standard ? stdout : fopen(path, "we"), .name = standard ? "standard output" : path};
    if (!out->file)
        return message_fail(EXIT_IO, "%s: cannot be opened for writing: %s: choose another place", path,
                            strerror(errno));
    struct stat info;
    out->live = fstat(fileno(out->file), &info) != 0 || !S_ISREG(info.st_mode);
    return EXIT_DONE;
}

void output_text(output *out, const char *text)
{
    errno = 0;
    check(out, fputs(text, out->file) >= 0);
}

void output_real(output *out, double x)
{
    char text[OKRA_REAL_TEXT];
    okra_format_real(x, text);
    output_text(out, text);
}

int output_row(output *out)
{
    output_text(out, "\n");
    if (out->live)
        check(out, fflush(out->file) == 0);
    return out->error ? output_failed(out->name, out->error) : EXIT_DONE;
}

int output_close(output *out)
{
    if (!out->file)
        return EXIT_DONE;
    bool reported = out->error != 0;
    errno = 0;
    /* Standard output stays open: main() looks at it once more. */
    check(out, (out->file == stdout ? fflush(stdout) : fclose(out->file)) == 0);
    out->file = NULL;
    return !reported && out->error ? output_failed(out->name, out->error) : EXIT_DONE;
}
