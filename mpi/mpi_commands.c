/*
 * The table of okra-mpi's commands, the shortest of them, and what --help says of the whole.
 */
#include "mpi_commands.h"

#include <string.h>

#include "common/program.h"
#include "lab/paper.h"
#include "world.h"

/* The runs of the paper's figures shared among processes; the same bytes as `okra paper` writes. */
static int cmd_paper(const arguments *options)
{
    paper_share share = {.rank = world_rank(), .ranks = world_ranks(), .gather = world_gather, .agree = world_agree};
    for (size_t i = 0; i < options->n_operands; i++) {
        const char *what = options->operands[i];
        if (strcmp(what, "table1") == 0 || strcmp(what, "krls-time") == 0 || strcmp(what, "all") == 0)
            return message_fail(EXIT_USAGE,
                                "times need one idle core: 'okra paper %s' measures them; here, name a figure", what);
    }
    return paper_command_run(options, &share);
}

static const cli_command paper_command = {
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

static const cli_command *const commands[] = {&mpi_learn_command, &mpi_diffuse_command, &paper_command, NULL};

static const program_variable environment[] = {
    {"OKRA_ISA",
     "the instruction set to use, as 'okra --version' names it, instead of the best that the machine supports"},
    {"OMP_NUM_THREADS", "threads of each process (the cores of its machine over the processes there)"},
    {"OPENBLAS_NUM_THREADS", "the same, of linear algebra"},
    {NULL, NULL},
};

const program okra_mpi_program = {
    .name = "okra-mpi",
    .usage = "mpirun -n N okra-mpi",
    .help = "learns on many processes: exactly from parts of a file, or as a network of neighbours.",
    .more = "N processes, on one machine or many, give the results of one. Models are those of 'okra', and 'okra run "
            "--load' continues them.",
    .examples = "  mpirun -n 4 okra-mpi learn --sigma 2 --save model.okra stream.csv\n"
                "  mpirun -n 4 okra-mpi diffuse --nodes 1000 --topology geometric\n",
    .environment = environment,
    .commands = commands,
};
