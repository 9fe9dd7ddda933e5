/*
 * okra, the program.
 */
#include "commands.h"
#include "common/program.h"

int main(int argc, char **argv)
{
    program_prepare(&okra_program);
    return program_finish(program_dispatch(&okra_program, argc, argv));
}
