/*
 * The table of okra-mpi's commands, and what --help says of the whole.
 */
#include "mpi_commands.h"

#include <stddef.h>

#include "common/program.h"

static const cli_command *const commands[] = {&mpi_learn_command, &mpi_diffuse_command, &mpi_paper_command, NULL};

static const program_variable environment[] = {
    {"OKRA_ISA", "the instruction set to use, as 'okra --version' names it, instead of the best that the machine has"},
    {"OMP_NUM_THREADS", "threads of each process (the cores of its machine over the processes there)"},
    {"OPENBLAS_NUM_THREADS", "the same, of linear algebra"},
    {NULL, NULL},
};

const program okra_mpi_program = {
    .name = "okra-mpi",
    .usage = "mpirun -n N okra-mpi",
    .help = "learns on many processes: exactly from parts of a file, or as a network of neighbours.",
    .more = "N processes, on one machine or on many that MPI joins, give the results that one would. What they save is "
            "what 'okra' saves, and 'okra run --load' goes on with it.",
    .examples = "  mpirun -n 4 okra-mpi learn --sigma 2 --save model.okra stream.csv\n"
                "  mpirun -n 4 okra-mpi diffuse --nodes 1000 --topology geometric\n",
    .environment = environment,
    .commands = commands,
};
