/*
 * What figures have in common: their files, their look, and gnuplot.
 */
#include "figure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../common/message.h"
#include "../common/text.h"

/* ---- files --------------------------------------------------------------------------------------------------- */

int figure_make_directory(const char *directory)
{
    struct stat info;
    bool there = mkdir(directory, 0777) == 0 || (errno == EEXIST && stat(directory, &info) == 0);
    if (there && stat(directory, &info) == 0 && !S_ISDIR(info.st_mode))
        return message_fail(EXIT_IO, "--out: '%s' is no directory: name another", directory);
    return there ? EXIT_DONE : message_fail(EXIT_IO, "--out: '%s' cannot be made: %s", directory, strerror(errno));
}

static int cannot_write(const figure_file *f)
{
    return message_fail(EXIT_IO, "'%s' cannot be written: name another --out DIR", f->path);
}

int figure_create(figure_file *f, const figure *of, const char *ending)
{
    size_t length = (size_t)snprintf(f->path, sizeof f->path, "%s/%s%s", of->directory, of->name, ending);
    f->file = length < sizeof f->path ? fopen(f->path, "we") : NULL;
    return f->file ? EXIT_DONE : cannot_write(f);
}

int figure_close(figure_file *f)
{
    bool good = !ferror(f->file);
    return fclose(f->file) == 0 && good ? EXIT_DONE : cannot_write(f);
}

/* ---- scripts ------------------------------------------------------------------------------------------------- */

static const char *const colours[] = {"#b5542b", "#1f5f8b", "#1f6f3f", "#6b4a8b",
                                      "#b8860b", "#3a9a9a", "#a03a6a", "#555555"};

const char *figure_colour(size_t k) { return colours[k % (sizeof colours / sizeof *colours)]; }

void figure_style(FILE *gp, const figure *of)
{
    const char *name = of->name;
    fprintf(gp,
            "# gnuplot %s.gp draws %s.png and %s.svg from %s.csv\n"
            "set datafile separator ','\n"
            "set border 3 lc rgb '#444444'\nset tics nomirror out textcolor rgb '#222222'\n"
            "set grid lt 1 lw 0.6 lc rgb '#e2e2e2'\n"
            "dB(x) = 10 * log10(x)\n",
            name, name, name, name);
}

void figure_string(FILE *gp, const char *text)
{
    putc('\'', gp);
    for (; *text; text++)
        fprintf(gp, *text == '\'' ? "''" : "%c", *text);
    putc('\'', gp);
}

void figure_pictures(FILE *gp, const figure *of, int width, int height, void (*draw)(FILE *gp, const void *context),
                     const void *context)
{
    fprintf(gp, "\nset terminal pngcairo size %d,%d font 'sans,14'\nset output '%s.png'\n", width * 3 / 2,
            height * 3 / 2, of->name);
    draw(gp, context);
    fprintf(gp, "unset output\n\nset terminal svg size %d,%d font 'sans,12'\nset output '%s.svg'\n", width, height,
            of->name);
    draw(gp, context);
    fputs("unset output\n", gp);
}

/* ---- pictures ------------------------------------------------------------------------------------------------ */

static void print_command(FILE *out, const void *with)
{
    const figure *of = with;
    fputs("cd -- ", out);
    print_shell_word(out, of->directory);
    fprintf(out, " && gnuplot %s.gp 2> /dev/null", of->name);
}

void figure_draw(const figure *of)
{
    char *command = printed_text(print_command, of);
    if (!command || system(command) != 0)
        message_note("%s/%s.gp was not drawn: install gnuplot, then run it there", of->directory, of->name);
    free(command);
}
