/*
 * A network of learners in one process: cooperative, isolated and averaged, side by side on the same samples.
 *
 * network_options.c reads what to build, diffuse_run.c runs it, diffuse_report.c prints and draws the result.
 */
#ifndef OKRA_CLI_DIFFUSE_H
#define OKRA_CLI_DIFFUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <okra/lab.h>
#include <okra/network.h>
#include <okra/okra.h>

#include "network_options.h"
#include "../common/output.h"

/* The learners that are compared. */
enum { COOPERATIVE, ISOLATED, AVERAGED, DIFFUSE_CURVES };

typedef struct diffuse_request {
    network_settings network;
    uint64_t runs, threads; /* 0 threads: one a core */
    double epsilon;         /* of the QKLMS whose dictionary's cost is shown for comparison */
    const char *out;        /* a directory; NULL: none */
    bool quiet;
    network_plan plan; /* what follows from them */
    size_t samples;
} diffuse_request;

typedef struct diffuse_outcome {
    double *mse[DIFFUSE_CURVES]; /* [samples]: mean over nodes and runs of the squared a-priori error */
    size_t runs;
    size_t features; /* D */
    size_t centres;  /* of QKLMS on one node's samples */
    double seconds;  /* of the cooperative learners, a node and sample */
} diffuse_outcome;

/* Returns EXIT_DONE, or another exit status after an error message. Free it in either case. */
int diffuse_run(const diffuse_request *request, diffuse_outcome *outcome);
void diffuse_free(diffuse_outcome *outcome);

/* The mean of the last 5%, in dB. */
double diffuse_floor_db(const diffuse_request *request, const diffuse_outcome *outcome, size_t curve);

/* The name of a curve. */
const char *diffuse_name(const diffuse_request *request, size_t curve);

/* The table, to standard output; or as JSON. */
void diffuse_print(const diffuse_request *request, const diffuse_outcome *outcome);
int diffuse_write(const diffuse_request *request, const diffuse_outcome *outcome, output *out);

/* diffuse.csv, .gp, .png and .svg in a directory. */
int diffuse_draw(const diffuse_request *request, const diffuse_outcome *outcome, const char *directory);

#endif
