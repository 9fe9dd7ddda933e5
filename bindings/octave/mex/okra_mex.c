/*
 * The gateway between Octave or MATLAB and okra: okra_mex(COMMAND, arguments..). okra.m, okra_read.m and okra_signal.m
 * are what users call; commands are explained where they are defined.
 */
#include "gateway.h"

#include <string.h>

/* The commands, each with the number of arguments that it cannot do without. */
static const struct entry {
    const char *name;
    command *call;
    int least_in;
} commands[] = {
    {"run", do_run, 3},         {"predict", do_predict, 2},
    {"begin", do_begin, 2},     {"commit", do_commit, 3},
    {"check", do_check, 7},     {"create", do_create, 7},
    {"free", do_free, 1},       {"copy", do_copy, 1},
    {"reset", do_reset, 1},     {"save", do_save, 2},
    {"load", do_load, 1},       {"count", do_count, 0},
    {"state", do_state, 2},     {"arrays", do_arrays, 1},
    {"stats", do_stats, 1},     {"relevance", do_relevance, 1},
    {"recipes", do_recipes, 0}, {"parameters", do_parameters, 1},
    {"version", do_version, 0}, {"signal", do_signal, 4},
    {"signals", do_signals, 0}, {"read", do_read, 3},
    {"formats", do_formats, 0},
};

__attribute__((visibility("default"))) void mexFunction(int n_out, mxArray *out[], int n_in, const mxArray *in[])
{
    char name[16] = "";
    if (n_in > 0 && mxIsChar(in[0]))
        mxGetString(in[0], name, sizeof name);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0 && n_in - 1 >= commands[i].least_in) {
            commands[i].call(n_out, out, n_in - 1, in + 1);
            return;
        }
    fail(OKRA_E_PARAMETER, "okra_mex is the inside of okra: 'help okra' tells what to call");
}
