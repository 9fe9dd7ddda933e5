/*
 * okra-mpi, the program: learning that is spread over processes.
 */
#include "mpi_commands.h"
#include "common/program.h"
#include "world.h"

int main(int argc, char **argv)
{
    program_prepare(&okra_mpi_program);
    world_begin(&argc, &argv);
    return world_end(program_finish(program_dispatch(&okra_mpi_program, argc, argv)));
}
