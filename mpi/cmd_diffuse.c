/*
 * okra-mpi diffuse: a network whose nodes are spread over processes. The same learners, samples and bits as `okra
 * diffuse` has in one process.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <okra/io.h>

#include "common/json_file.h"
#include "mpi_commands.h"
#include "lab/network_options.h"
#include "lab/node_data.h"
#include "common/message.h"
#include "nodes.h"
#include "world.h"

enum { POINTS = 200, PLAN = 8192 };

typedef struct place {
    network_settings network;
    uint64_t checkpoint; /* samples from one to the next; 0: none */
    const char *save, *out;
    bool quiet;
    network_plan plan;          /* what follows from them */
    size_t nodes, first, count; /* of the network, and those here */
    exchange exchange;
    okra_diffusion *learners;
    node_data *data;
    double *y, *yhat, *X; /* of a sample, in one block */
    size_t interval;      /* samples of a point of the curve */
    size_t points;
    double *squares; /* [points][count]: sums over intervals */
    rank_files files;
    char text[PLAN];
    double seconds; /* of learning */
    uint64_t begun; /* samples that were there before */
} place;

/* ---- building ----------------------------------------------------------------------------------------------- */

/* What must be the same for all ranks, and for a job that resumes. */
static void describe(place *p)
{
    const okra_diffusion_spec *d = &p->plan.diffusion;
    uint64_t sum = world_digest(0, p->plan.graph->node, p->plan.graph->start[p->nodes]);
    snprintf(p->text, PLAN, "okra %s, %zu ranks, %zu nodes, graph %016" PRIx64 ", %s, rule %d, every %zu, %zu samples",
             okra_version(), world_ranks(), p->nodes, sum, network_source(&p->plan), d->rule, d->every,
             p->plan.samples);
    world_describe(&d->filter, p->text, PLAN);
}

static int read_options(place *p, const arguments *options)
{
    int status = arguments_read(options, p);
    if (!status)
        status = network_plan_read(&p->plan, options, &p->network);
    if (status)
        return status;
    p->nodes = p->plan.graph->nodes;
    p->files.prefix = p->save;
    if (p->nodes < world_ranks())
        return message_fail(EXIT_USAGE, "%zu nodes on %zu ranks: every rank needs one: use fewer ranks", p->nodes,
                            world_ranks());
    if (p->checkpoint && !p->files.prefix)
        return message_fail(EXIT_USAGE, "--checkpoint needs --save PREFIX: what the files' names begin with");
    describe(p);
    return EXIT_DONE;
}

static int build_learners(place *p)
{
    okra_message why;
    okra_diffusion_spec spec = p->plan.diffusion;
    spec.filter.seed = network_feature_seed(&p->plan, 0);
    spec.first = p->first, spec.count = p->count;
    spec.exchange = world_ranks() > 1 ? exchange_theta : NULL;
    spec.context = &p->exchange;
    if (okra_diffusion_create(&spec, p->plan.graph, &p->learners, &why))
        return message_fail(EXIT_IO, "%s", why.text);
    p->files.spec = spec;
    p->files.plan = p->text;
    return EXIT_DONE;
}

static int build(place *p)
{
    size_t samples = p->plan.samples;
    p->first = exchange_first_node(p->nodes, world_rank(), world_ranks());
    p->count = exchange_first_node(p->nodes, world_rank() + 1, world_ranks()) - p->first;
    p->interval = (samples + POINTS - 1) / POINTS;
    p->points = (samples + p->interval - 1) / p->interval;
    p->y = calloc(p->count, (p->plan.diffusion.filter.inputs + 2) * sizeof *p->y);
    p->squares = calloc(p->points, p->count * sizeof *p->squares);
    p->files.n_errors = p->points * p->count;
    if (!p->y || !p->squares)
        return message_fail(EXIT_IO, "out of memory");
    p->yhat = p->y + p->count;
    p->X = p->yhat + p->count;
    int status = build_learners(p);
    return status ? status : node_data_open(&p->data, &p->plan, 0, p->first, p->count);
}

static void tear_down(place *p)
{
    exchange_close(&p->exchange);
    okra_diffusion_free(p->learners);
    node_data_close(p->data);
    free(p->y), free(p->squares);
    network_plan_free(&p->plan);
}

/* ---- learning ----------------------------------------------------------------------------------------------- */

static void add_errors(place *p, uint64_t n)
{
    double *to = p->squares + n / p->interval * p->count;
    for (size_t i = 0; i < p->count; i++)
        to[i] += (p->y[i] - p->yhat[i]) * (p->y[i] - p->yhat[i]);
}

/* Sample n at every node. The others are waiting for theta: a failure here ends the job. */
static void learn_sample(place *p, uint64_t n)
{
    if (node_data_next(p->data, p->X, p->y))
        world_abort(EXIT_IO);
    okra_status status = okra_diffusion_step(p->learners, p->X, p->y, p->yhat);
    if (status)
        world_abort(message_fail(status == OKRA_E_DIVERGED ? EXIT_DIVERGED : EXIT_IO, "sample %" PRIu64 ": %s", n + 1,
                                 okra_strerror(status)));
    add_errors(p, n);
}

static int learn(place *p, progress_bar *bar)
{
    double began = message_clock();
    int status = EXIT_DONE;
    for (uint64_t n = p->begun; n < p->plan.samples && !status; n++) {
        learn_sample(p, n);
        progress_bar_show(bar, n + 1, (double)(n + 1) / (double)p->plan.samples);
        if (p->checkpoint && (n + 1) % p->checkpoint == 0)
            status = rank_files_write(&p->files, p->learners, p->squares);
    }
    p->seconds = message_clock() - began;
    progress_bar_end(bar);
    return status;
}

/* ---- results ------------------------------------------------------------------------------------------------ */

/* The squares of all nodes, in their order, at rank 0: [points][nodes]. */
static double *gather_squares(const place *p)
{
    int *counts = calloc(2 * world_ranks(), sizeof *counts);
    double *all = world_rank() == 0 ? calloc(p->points, p->nodes * sizeof *all) : NULL;
    if (!counts || (world_rank() == 0 && !all))
        world_abort(message_fail(EXIT_IO, "out of memory"));
    int *at = counts + world_ranks();
    for (size_t r = 0; r < world_ranks(); r++) {
        at[r] = (int)exchange_first_node(p->nodes, r, world_ranks());
        counts[r] = (int)exchange_first_node(p->nodes, r + 1, world_ranks()) - at[r];
    }
    for (size_t i = 0; i < p->points; i++)
        MPI_Gatherv(p->squares + i * p->count, (int)p->count, MPI_DOUBLE, all ? all + i * p->nodes : NULL, counts, at,
                    MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(counts);
    return all;
}

/* The network's mean squared error over interval i. */
static double point_mse(const place *p, const double *all, size_t i)
{
    size_t from = i * p->interval, to = from + p->interval < p->plan.samples ? from + p->interval : p->plan.samples;
    double sum = 0;
    for (size_t k = 0; k < p->nodes; k++)
        sum += all[i * p->nodes + k];
    return sum / (double)(to - from) / (double)p->nodes;
}

static int write_curve(const place *p, const double *all, const char *path)
{
    static const char *const names[] = {"n", "mse"};
    okra_writer_options options = {.columns = 2, .names = names, .numbered = true};
    okra_writer *writer;
    okra_message why;
    okra_status status = okra_writer_open(path, &options, &writer, &why);
    if (status)
        return message_fail(EXIT_IO, "%s", why.text);
    for (size_t i = 0; i < p->points && !status; i++) {
        size_t to = (i + 1) * p->interval < p->plan.samples ? (i + 1) * p->interval : p->plan.samples;
        status = okra_writer_row(writer, (double[]){(double)to, point_mse(p, all, i)}, NULL, &why);
    }
    okra_message closing;
    okra_status closed = okra_writer_close(writer, &closing);
    if (status || closed)
        return message_fail(EXIT_IO, "%s", status ? why.text : closing.text);
    return EXIT_DONE;
}

typedef struct traffic {
    double messages, bytes;     /* that all ranks together send for one sample of every node */
    double seconds, exchanging; /* of a sample of every node, and of that in exchanges, the slowest rank */
    double floor_db;
} traffic;

static traffic measure(const place *p, const double *all)
{
    double samples = fmax(1, (double)(p->plan.samples - p->begun)), times = (double)p->exchange.times;
    double own[2] = {times * p->exchange.n_neighbours / samples,
                     times * (double)(p->exchange.n_sent * p->exchange.features * sizeof(double)) / samples};
    double own_time[2] = {p->seconds / samples, p->exchange.seconds / samples}, sums[2], max[2];
    MPI_Reduce(own, sums, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(own_time, max, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    size_t tail = p->points / 20 ? p->points / 20 : 1;
    double sum = 0;
    for (size_t i = p->points - tail; all && i < p->points; i++)
        sum += point_mse(p, all, i) / (double)tail;
    return (traffic){sums[0], sums[1], max[0], max[1], 10 * log10(sum)};
}

static int report(const place *p, const double *all, const traffic *t, output *metrics)
{
    int status = p->out ? write_curve(p, all, p->out) : EXIT_DONE;
    if (!p->quiet)
        printf("%zu nodes, %zu edges (%s), %zu ranks, %zu samples of %s\n"
               "network error %.2f dB\n"
               "a sample of all nodes: %.3g messages, %.4g bytes, %.2f us, of which %.2f us in exchanges\n",
               p->nodes, p->plan.graph->edges, p->plan.topology, world_ranks(), p->plan.samples,
               network_source(&p->plan), t->floor_db, t->messages, t->bytes, 1e6 * t->seconds, 1e6 * t->exchanging);
    if (status || !metrics->file)
        return status;
    okra_json_writer made = {.indent = 2}, *w = &made;
    okra_json_open(w, NULL, '{');
    okra_json_put_count(w, "ranks", (uint64_t)world_ranks());
    okra_json_put_count(w, "nodes", p->nodes);
    okra_json_put_count(w, "edges", p->plan.graph->edges);
    okra_json_put_count(w, "features", okra_diffusion_get(p->learners)->features);
    okra_json_put_count(w, "samples", p->plan.samples);
    okra_json_put_count(w, "resumed_at", p->begun);
    okra_json_put_real(w, "floor_db", t->floor_db);
    okra_json_put_real(w, "messages_per_sample", t->messages);
    okra_json_put_real(w, "bytes_per_sample", t->bytes);
    okra_json_put_real(w, "seconds_per_sample", t->seconds);
    okra_json_put_real(w, "exchange_seconds_per_sample", t->exchanging);
    okra_json_close(w);
    return json_file_write(metrics, w);
}

static int finish(place *p, const arguments *options)
{
    output metrics = {0};
    int status = world_rank() == 0 ? json_file_open(&metrics, options, "summary") : EXIT_DONE;
    double *all = gather_squares(p);
    traffic t = measure(p, all);
    if (world_rank() == 0 && !status)
        status = report(p, all, &t, &metrics);
    int closed = output_close(&metrics);
    free(all);
    status = world_agree(status ? status : closed);
    return !status && p->files.prefix ? rank_files_write(&p->files, p->learners, p->squares) : status;
}

/* ---- the command -------------------------------------------------------------------------------------------- */

static int cmd_diffuse(const arguments *options)
{
    place p = {.exchange = {.comm = MPI_COMM_NULL, .request = MPI_REQUEST_NULL}};
    progress_bar bar = progress_bar_start(world_rank() == 0 && !arguments_value(options, "quiet"));
    int status = world_agree_on(read_options(&p, options), "network", p.text);
    status = status ? status : world_agree(build(&p));
    if (!status)
        status = exchange_open(&p.exchange, p.plan.graph, okra_diffusion_get(p.learners)->features);
    p.exchange.nodes = p.learners;
    if (!status && p.files.prefix)
        status = rank_files_read(&p.files, p.learners, p.squares, &p.begun);
    if (!status && p.begun > 0)
        status = world_agree(node_data_skip(p.data, p.begun));
    status = status ? status : learn(&p, &bar);
    status = status ? status : finish(&p, options);
    tear_down(&p);
    return status;
}

static const cli_option options[] = {
    NETWORK_OPTIONS,
    {"save", "PREFIX", "every rank saves its nodes in PREFIX-RANK-SAMPLES.okra; a job that finds them continues",
     TO_TEXT(place, save), .absent = "none"},
    {"checkpoint", "N", "also after every N samples", TO_COUNT(place, checkpoint, 1, UINT64_MAX),
     .absent = "at the end"},
    {"out", "FILE", "the learning curve: n, mean squared error of the network", TO_TEXT(place, out), .absent = "none"},
    {"metrics", "FILE", "messages, bytes and times as JSON", TO_NOTHING},
    {"quiet", NULL, "no progress bar, no summary", TO_FLAG(place, quiet)},
    HELP_OPTION,
};

const cli_command mpi_diffuse_command = {
    .name = "diffuse",
    .help = "a network of learners, its nodes spread over the processes",
    .more = "Nodes learn their own samples by rff-klms and mix theta with their neighbours', as in 'okra diffuse'. The "
            "result is the same for any number of processes. Theta is sent while the next sample's features are "
            "computed. Unless given, --sigma is 5, --mu 1 and --features 200. With --save and --checkpoint, a stopped "
            "job continues from the last checkpoint that all ranks have.",
    .examples = "  mpirun -n 4 okra-mpi diffuse --nodes 100 --topology geometric --out curve.csv\n",
    .options = options,
    .parameters = FILTER_PARAMETERS,
    .run = cmd_diffuse,
};
