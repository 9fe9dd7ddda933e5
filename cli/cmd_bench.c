/*
 * okra bench: speed on this machine. The measuring is done by another program, okra-bench, which links the baselines,
 * so that okra need not; this one finds it and passes the arguments on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "common/message.h"

enum { PATH_TEXT = 4096 };

/* Where it may lie, seen from the directory of okra: beside it, in the build tree, installed. */
static const char *const places[] = {"okra-bench", "../bench/okra-bench", OKRA_BENCH_PLACE};

/* The directory of this program, with its slash; false if unknown. */
static bool own_directory(char path[PATH_TEXT])
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_TEXT - 1);
    if (length < 0)
        return false;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    if (slash)
        slash[1] = '\0';
    return slash != NULL;
}

static bool find_program(char path[PATH_TEXT])
{
    char directory[PATH_TEXT];
    if (!own_directory(directory))
        return false;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (snprintf(path, PATH_TEXT, "%s%s", directory, places[i]) < PATH_TEXT && access(path, X_OK) == 0)
            return true;
    return false;
}

static int cmd_bench(const arguments *options)
{
    char path[PATH_TEXT];
    size_t n = 0;
    if (!find_program(path))
        return message_fail(EXIT_IO, "bench: the program okra-bench is missing: 'make bench' in the sources builds it");
    while (options->given[n])
        n++;
    char **argv = calloc(n + 2, sizeof *argv);
    if (!argv)
        return message_fail(EXIT_IO, "out of memory");
    argv[0] = path;
    memcpy(argv + 1, options->given, n * sizeof *argv);
    execv(path, argv);
    free(argv);
    return message_fail(EXIT_IO, "bench: '%s' cannot be run", path);
}

/* The sections that okra-bench has; it knows best, and refuses others. */
static const char *section_at(size_t i)
{
    static const char *const sections[] = {"lms", "map",   "accuracy", "predict", "kernel", "rls", "sorf",
                                           "io",  "worst", "floors",   "growth",  "all",    NULL};
    return sections[i];
}

static const cli_option options[] = {
    {"rounds", "N", "rounds of every race (by section, 15 to 61)", TO_NOTHING},
    {"metrics", "FILE", "all tables as JSON", TO_NOTHING},
    {"out", "DIR", "where the picture of growth goes (okra-bench)", TO_NOTHING},
    {"quick", NULL, "few rounds and runs: takes seconds, too rough to quote", TO_NOTHING},
    {"quiet", NULL, "no progress line", TO_NOTHING},
    HELP_OPTION,
};

const cli_command bench_command = {
    .name = "bench",
    .operand = "SECTION..",
    .many_operands = true,
    .operand_at = section_at,
    .help = "speed on this machine, beside lower bounds and baselines",
    .more = "SECTION is lms (the block call: lower bounds, libm, SLEEF, scikit-learn), map (every feature map alone), "
            "accuracy (how close each is to the kernel), predict (batches, against OpenBLAS), kernel (dictionaries: "
            "QKLMS, KRLS, dlib), rls (against OpenBLAS), sorf (dense against structured features) or io (reading and "
            "writing CSV). Without a SECTION, all of these are measured. Three take minutes and must be named: worst "
            "(the longest step of every recipe beside the usual one), floors (the smallest D that learns as well as "
            "QKLMS, and the times there) and growth (how both grow with the number of inputs, with a picture). all: "
            "everything. Baselines are measured if they were installed when okra was built.",
    .examples = "  okra bench --quick lms\n",
    .options = options,
    .run = cmd_bench,
};
