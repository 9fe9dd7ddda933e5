/*
 * okra, the program.
 */
#include <stddef.h>

#include "commands.h"
#include "program.h"

static const cli_command *const commands[] = {
    &run_command,    &predict_command, &list_command,    &info_command,  &export_command,
    &import_command, &signal_command,  &theory_command,  &paper_command, &bench_command,
    &tune_command,   &compare_command, &diffuse_command, &merge_command, NULL,
};

static const program okra = {
    .name = "okra",
    .usage = "okra",
    .help = "learns a nonlinear map from a stream, one sample at a time, in fixed memory.",
    .examples = "  okra run stream.csv > predictions.csv\n"
                "  tail -f sensor.csv | okra run --target temperature\n",
    .commands = commands,
};

int main(int argc, char **argv)
{
    program_prepare(&okra);
    return program_finish(program_dispatch(&okra, argc, argv));
}
