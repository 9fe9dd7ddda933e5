/*
 * The samples of some nodes of a network, one of each at a time: from a branch of the signal for every node, or from a
 * file for every node.
 */
#ifndef OKRA_CLI_NODE_DATA_H
#define OKRA_CLI_NODE_DATA_H

#include <stddef.h>
#include <stdint.h>

#include "network_options.h"

typedef struct node_data node_data;

/* Of nodes first .. first + count - 1, in realisation `run`. Files are checked to have samples enough. Returns
 * EXIT_DONE, or another exit status after an error message. Close it in either case. */
int node_data_open(node_data **data, const network_plan *plan, uint32_t run, size_t first, size_t count);
void node_data_close(node_data *data);

/* The next sample of each: X[count][inputs], y[count]. */
int node_data_next(node_data *data, double *X, double *y);

/* Skips so many samples. */
int node_data_skip(node_data *data, uint64_t samples);

/* The inputs of the files of a plan. Returns EXIT_DONE, or another exit status after an error message, also if there
 * are none. */
int node_data_inputs(const network_plan *plan, size_t *inputs);

#endif
