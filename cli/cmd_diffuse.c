/*
 * okra diffuse: a network of learners, simulated in one process.
 */
#include "commands.h"
#include "lab/diffuse.h"
#include "draw/figure.h"
#include "common/json_file.h"
#include "common/message.h"

static int read_request(const arguments *options, diffuse_request *request)
{
    int status = arguments_read(options, request);
    if (!status)
        status = network_plan_read(&request->plan, options, &request->network);
    if (!status && !(request->epsilon >= 0))
        status =
            message_fail(EXIT_USAGE, "--qklms-epsilon: %g is no squared distance: give 0 or more", request->epsilon);
    request->samples = request->plan.samples;
    return status;
}

static int cmd_diffuse(const arguments *options)
{
    diffuse_request request = {0};
    diffuse_outcome outcome = {0};
    output metrics = {0};
    int status = read_request(options, &request);
    if (!status && request.out)
        status = figure_make_directory(request.out);
    if (!status)
        status = json_file_open(&metrics, options, "table");
    if (!status)
        status = diffuse_run(&request, &outcome);
    if (!status)
        diffuse_print(&request, &outcome);
    if (!status && request.out)
        status = diffuse_draw(&request, &outcome, request.out);
    if (!status && metrics.file)
        status = diffuse_write(&request, &outcome, &metrics);
    int closed = output_close(&metrics);
    diffuse_free(&outcome);
    network_plan_free(&request.plan);
    return status ? status : closed;
}

static const cli_option options[] = {
    NETWORK_OPTIONS,
    {"runs", "N", "realisations to average over", TO_COUNT(diffuse_request, runs, 1, UINT32_MAX), .fallback = "1"},
    {"qklms-epsilon", "E",
     "quantisation of the QKLMS whose dictionary's cost is shown for comparison, a squared distance",
     TO_REAL(diffuse_request, epsilon), .fallback = "5"},
    {"threads", "T", "threads; the results do not depend on it", TO_COUNT(diffuse_request, threads, 1, 1024),
     .absent = "all cores"},
    {"out", "DIR", "the learning curves as diffuse.csv, a gnuplot script, PNG and SVG", TO_TEXT(diffuse_request, out),
     .absent = "none"},
    {"metrics", "FILE", "the table as JSON", TO_NOTHING},
    {"quiet", NULL, "no progress bar", TO_FLAG(diffuse_request, quiet)},
    HELP_OPTION,
};

const cli_command diffuse_command = {
    .name = "diffuse",
    .help = "simulate a network of learners that exchange what they have learnt",
    .more = "Every node of a network learns its own samples by rff-klms and mixes its theta with its neighbours'. All "
            "nodes share the same features. Compares this, on the same samples, with nodes that learn alone and with "
            "one learner that takes the mean of all steps, and shows what the exchange costs. --seed fixes data, "
            "features and random graphs. Unless given, --sigma is 5, --mu 1 and --features 200. 'okra-mpi diffuse' "
            "does the same across processes and machines; 'okra merge' joins models exactly.",
    .examples = "  okra diffuse --nodes 30 --topology geometric --samples 2000 --out network\n",
    .options = options,
    .parameters = FILTER_PARAMETERS,
    .run = cmd_diffuse,
};
