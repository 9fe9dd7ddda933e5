/*
 * okra diffuse: a network of learners, simulated in one process.
 */
#include "commands.h"
#include "lab/diffuse.h"
#include "draw/figure.h"
#include "common/metrics.h"
#include "common/talk.h"

static int read_request(const arguments *options, diffuse_request *request)
{
    uint64_t runs = 1, threads = 0;
    request->epsilon = 5;
    int status = network_plan_read(&request->plan, options);
    if (!status)
        status = arguments_count(options, "runs", 1, UINT32_MAX, &runs);
    if (!status)
        status = arguments_count(options, "threads", 1, 1024, &threads);
    if (!status)
        status = arguments_number(options, "qklms-epsilon", &request->epsilon);
    if (!status && !(request->epsilon >= 0))
        status = talk_fail(EXIT_USAGE, "--qklms-epsilon: %g is no squared distance: give 0 or more", request->epsilon);
    request->samples = request->plan.samples;
    request->runs = (size_t)runs;
    request->threads = (int)threads;
    request->quiet = arguments_value(options, "quiet");
    return status;
}

static int cmd_diffuse(const arguments *options)
{
    const char *directory = arguments_value(options, "out");
    diffuse_request request = {0};
    diffuse_outcome outcome = {0};
    output metrics = {0};
    int status = read_request(options, &request);
    if (!status && directory)
        status = figure_make_directory(directory);
    if (!status)
        status = metrics_open(&metrics, options, "table");
    if (!status)
        status = diffuse_run(&request, &outcome);
    if (!status)
        diffuse_print(&request, &outcome);
    if (!status && directory)
        status = diffuse_draw(&request, &outcome, directory);
    if (!status && metrics.file)
        status = diffuse_write(&request, &outcome, &metrics);
    int closed = output_close(&metrics);
    diffuse_free(&outcome);
    network_plan_free(&request.plan);
    return status ? status : closed;
}

static const cli_option options[] = {
    NETWORK_OPTIONS,
    {"runs", "N", "realisations to average over (1)"},
    {"qklms-epsilon", "E", "squared distance of the QKLMS whose dictionary is priced beside (5)"},
    {"threads", "T", "threads; the results do not depend on it (all cores)"},
    {"out", "DIR", "the learning curves as diffuse.csv, a gnuplot script, PNG and SVG (none)"},
    {"metrics", "FILE", "the table as JSON"},
    {"quiet", NULL, "no progress bar"},
    {"help", NULL, "this text"},
    {NULL, NULL, NULL},
};

const cli_command diffuse_command = {
    .name = "diffuse",
    .help = "a network of learners that exchange what they have learnt, simulated",
    .more =
        "Every node of a network learns samples of its own by rff-klms, with features that all share, and mixes its "
        "theta with its neighbours'. Compares that with nodes that learn alone and with one learner that has the "
        "mean of all steps, on the same samples, and tells what the exchange costs. Data, features and random graphs "
        "follow from --seed. Unless given, --sigma is 5, --mu 1 and --features 200. 'okra-mpi diffuse' does the same "
        "across processes and machines; 'okra merge' joins models exactly.",
    .examples = "  okra diffuse --nodes 30 --topology geometric --samples 2000 --out network\n",
    .options = options,
    .parameters = FILTER_PARAMETERS,
    .run = cmd_diffuse,
};
