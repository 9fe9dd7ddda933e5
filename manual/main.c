/*
 * okra-manual: writes the parts of the manual to standard output, when okra is built. It is not installed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "manual.h"
#ifdef OKRA_HAVE_MPI
#include "mpi_commands.h"
#endif

static const program *find_program(const char *name)
{
#ifdef OKRA_HAVE_MPI
    if (strcmp(name, "okra-mpi") == 0)
        return &okra_mpi_program;
#endif
    return strcmp(name, "okra") == 0 ? &okra_program : NULL;
}

static int usage(void)
{
    fputs("usage: okra-manual page PROGRAM DATE | bash PROGRAM | zsh PROGRAM | library DATE HEADER.. | functions "
          "HEADER..\n",
          stderr);
    return EXIT_FAILURE;
}

/* As it goes into a page. "-": unknown. */
static const char *date_text(const char *date) { return strcmp(date, "-") == 0 ? "" : date; }

/* What is asked for; EXIT_FAILURE if it cannot be, and has been said. */
static int print_part(int argc, char **argv)
{
    const char *const *rest = (const char *const *)argv + 2;
    const program *p = find_program(argv[2]);
    if (strcmp(argv[1], "library") == 0 && argc > 3)
        return manual_library(rest + 1, date_text(argv[2])) ? EXIT_SUCCESS : EXIT_FAILURE;
    if (strcmp(argv[1], "functions") == 0)
        return manual_functions(rest) ? EXIT_SUCCESS : EXIT_FAILURE;
    if (p && strcmp(argv[1], "page") == 0 && argc == 4)
        manual_page(p, date_text(argv[3]));
    else if (p && strcmp(argv[1], "bash") == 0)
        manual_bash(p);
    else if (p && strcmp(argv[1], "zsh") == 0)
        manual_zsh(p);
    else
        return usage();
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    int status = argc < 3 ? usage() : print_part(argc, argv);
    return fflush(stdout) == 0 && !ferror(stdout) ? status : EXIT_FAILURE;
}
