/*
 * okra-mpi, the program: learning that is spread over processes.
 */
#include "mpi_commands.h"
#include "program.h"
#include "world.h"

static const cli_command *const commands[] = {&mpi_learn_command, &mpi_diffuse_command, &mpi_paper_command, NULL};

static const program okra_mpi = {
    .name = "okra-mpi",
    .usage = "mpirun -n N okra-mpi",
    .help = "learns on many processes: exactly from parts of a file, or as a network of neighbours.",
    .examples = "  mpirun -n 4 okra-mpi learn --sigma 2 --save model.okra stream.csv\n"
                "  mpirun -n 4 okra-mpi diffuse --nodes 1000 --topology geometric\n",
    .commands = commands,
};

int main(int argc, char **argv)
{
    program_prepare(&okra_mpi);
    world_begin(&argc, &argv);
    return world_end(program_finish(program_dispatch(&okra_mpi, argc, argv)));
}
