/*
 * The table of okra's commands, in the order of their use, and what --help says of the whole.
 */
#include "commands.h"

#include <stddef.h>

#include "common/program.h"

/* Those that need libokra-lab. */
#define LAB_COMMANDS(X) X(merge) X(diffuse) X(signal) X(theory) X(paper)

#ifdef OKRA_HAVE_LAB
#define COMMAND(name) &name##_command,
#define NAME(name)
#else
#define COMMAND(name)
#define NAME(name) #name,
#endif

/* clang-format off */
static const cli_command *const commands[] = {
    &run_command, &predict_command, &tune_command, &compare_command, &list_command, &info_command, &export_command, &import_command,
    LAB_COMMANDS(COMMAND)
    &bench_command, NULL,
};
/* clang-format on */

static const char *const left_out[] = {LAB_COMMANDS(NAME) NULL};

static const program_variable environment[] = {
    {"OKRA_ISA", "the instruction set to use, as --version names it, instead of the best that the machine supports; "
                 "scalar runs everywhere"},
    {"OMP_NUM_THREADS", "threads, unless --threads is given (all cores)"},
    {NULL, NULL},
};

const program okra_program = {
    .name = "okra",
    .usage = "okra",
    .help = "learns a nonlinear map from a stream, one sample at a time, in fixed memory.",
    .more = "A stream is rows of numbers, from a file or a pipe. Every row is predicted before it is learnt "
            "(prequential), so errors are those of real use. A recipe does the learning. The default is auto, which "
            "finds widths and scales by itself. 'okra list' shows the others and their parameters; each parameter is "
            "an option of the same name.",
    .examples = "  okra run stream.csv > predictions.csv\n"
                "  tail -f sensor.csv | okra run --target temperature\n",
    .environment = environment,
    .commands = commands,
    .left_out = left_out,
};
