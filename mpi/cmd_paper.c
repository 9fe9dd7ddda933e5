/*
 * okra-mpi paper: the runs of the paper's figures shared among processes; the same bytes as `okra paper` writes.
 */
#include <string.h>

#include "mpi_commands.h"
#include "lab/paper.h"
#include "world.h"

static int cmd_paper(const arguments *options)
{
    paper_share share = {.rank = world_rank(), .ranks = world_ranks(), .gather = world_gather, .agree = world_agree};
    for (size_t i = 0; i < options->n_operands; i++) {
        const char *what = options->operands[i];
        if (strcmp(what, "table1") == 0 || strcmp(what, "krls-time") == 0 || strcmp(what, "all") == 0)
            return talk_fail(EXIT_USAGE,
                             "times are those of one core, undisturbed: 'okra paper %s' measures them; here, name "
                             "a figure",
                             what);
    }
    return paper_command_run(options, &share);
}

const cli_command mpi_paper_command = {
    .name = "paper",
    .operand = "WHAT..",
    .many_operands = true,
    .operand_at = paper_figure_at,
    .help = "the paper's figures, their runs shared among the processes",
    .more = "WHAT is fig1, fig2a, fig2b, fig3a or fig3b. Several are done in the order given. The files are those of "
            "'okra paper', byte for byte, but for the "
            "times in summary.json.",
    .examples = "  mpirun -n 4 okra-mpi paper fig2a --out figures\n",
    .options = paper_options,
    .run = cmd_paper,
};
