/*
 * What a network is made of, from the command line.
 */
#include "network_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <okra/io.h>

#include "node_data.h"
#include "../common/message.h"
#include "../common/text.h"

/* ---- names -------------------------------------------------------------------------------------------------- */

static const char *topology_name(int i) { return okra_topology_name((okra_topology)i); }

/* CTA and ATC: the others are what they are compared with. */
static const char *rule_name(int i) { return i <= OKRA_ATC ? okra_diffusion_rule_name((okra_diffusion_rule)i) : NULL; }

static const char *signal_name(int i)
{
    const okra_signal_kind *kind = okra_signal_at((size_t)i);
    return kind ? kind->name : NULL;
}

/* The number of the name that an option has as its value; *value is unchanged if it is not given. */
static int read_name(const char *option, const char *text, const char *(*name_at)(int i), int *value)
{
    const char *name;
    char hint[HINT_TEXT];
    if (!text)
        return EXIT_DONE;
    nearest search = nearest_to(text);
    for (int i = 0; (name = name_at(i)); i++) {
        nearest_offer(&search, name);
        if (strcmp(name, text) == 0) {
            *value = i;
            return EXIT_DONE;
        }
    }
    return message_fail(EXIT_USAGE, "--%s: no '%s': %s", option, text,
                        nearest_hint(&search, "", "the help of this command lists them", hint));
}

/* ---- graphs ------------------------------------------------------------------------------------------------- */

typedef struct edge_list {
    size_t (*edges)[2];
    size_t n, capacity, nodes;
} edge_list;

static int bad_edge(const okra_table *table, double value)
{
    return message_fail(EXIT_IO, "%s: line %llu: %g is no node: nodes are whole numbers from 0",
                        okra_table_get(table)->path, (unsigned long long)okra_table_get(table)->line, value);
}

static int add_edge(edge_list *list, const okra_table *table, const double row[2])
{
    if (list->n == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 256;
        size_t(*more)[2] = realloc(list->edges, list->capacity * sizeof *more);
        if (!more)
            return message_fail(EXIT_IO, "out of memory");
        list->edges = more;
    }
    for (size_t c = 0; c < 2; c++) {
        if (!(row[c] >= 0 && row[c] < 4294967295.0) || floor(row[c]) < row[c])
            return bad_edge(table, row[c]);
        size_t node = (size_t)row[c];
        list->edges[list->n][c] = node;
        list->nodes = node >= list->nodes ? node + 1 : list->nodes;
    }
    list->n++;
    return EXIT_DONE;
}

static int read_rows(edge_list *list, okra_table *table)
{
    double row[2];
    bool more = true;
    okra_message why;
    int status = EXIT_DONE;
    if (okra_table_get(table)->columns != 2)
        return message_fail(EXIT_IO, "%s: %zu columns: a list of edges has two, the nodes that each joins",
                            okra_table_get(table)->path, okra_table_get(table)->columns);
    while (!status) {
        if (okra_table_next(table, row, &more, &why))
            return message_fail(EXIT_IO, "%s", why.text);
        if (!more)
            break;
        status = add_edge(list, table, row);
    }
    return status;
}

/* The largest node in the file sets their number; --nodes must agree. */
static int read_edges(network_plan *plan, const char *path, uint64_t nodes)
{
    okra_table *table;
    okra_message why;
    edge_list list = {0};
    if (okra_table_open(path, NULL, &table, &why))
        return message_fail(EXIT_IO, "%s", why.text);
    int status = read_rows(&list, table);
    okra_table_close(table);
    if (!status && nodes && nodes != list.nodes)
        status = message_fail(EXIT_USAGE, "--nodes %llu: '%s' has %zu: leave --nodes out", (unsigned long long)nodes,
                              path, list.nodes);
    if (!status && okra_graph_from_edges(list.nodes, (const size_t(*)[2])list.edges, list.n, &plan->graph, &why))
        status = message_fail(EXIT_IO, "%s: %s", path, why.text);
    free(list.edges);
    plan->topology = path;
    return status;
}

static int refuse_beside_edges(const arguments *options)
{
    static const char *const others[] = {"topology", "probability", "radius"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (arguments_value(options, others[i]))
            return message_fail(EXIT_USAGE, "--%s and --edges: give only one of them", others[i]);
    return EXIT_DONE;
}

static int read_graph(network_plan *plan, const arguments *options, const network_settings *set)
{
    okra_graph_spec spec = {
        .seed = plan->diffusion.filter.seed, .probability = set->probability, .radius = set->radius};
    okra_message why;
    int topology = OKRA_RANDOM;
    int status =
        set->edges ? refuse_beside_edges(options) : read_name("topology", set->topology, topology_name, &topology);
    if (status)
        return status;
    if (set->edges)
        return read_edges(plan, set->edges, set->nodes);
    spec.topology = (okra_topology)topology;
    spec.nodes = set->nodes ? (size_t)set->nodes : 20;
    plan->topology = okra_topology_name(spec.topology);
    return okra_graph_create(&spec, &plan->graph, &why) ? message_fail(EXIT_USAGE, "%s", why.text) : EXIT_DONE;
}

/* ---- learners ----------------------------------------------------------------------------------------------- */

/* Numbers in an input of the plan's signal; 0 if it is a plain time series. */
static size_t signal_inputs(const network_plan *plan)
{
    okra_signal *probe;
    if (okra_signal_create(&plan->signal, &probe))
        return 0;
    size_t inputs = okra_signal_inputs(probe);
    okra_signal_free(probe);
    return inputs;
}

static int read_data(network_plan *plan, const network_settings *set)
{
    plan->files = set->files;
    if (plan->files && set->signal)
        return message_fail(EXIT_USAGE, "--signal and --in: give only one of them");
    if (plan->files)
        return node_data_inputs(plan, &plan->diffusion.filter.inputs);
    int which = 1, status = read_name("signal", set->signal, signal_name, &which);
    if (status)
        return status;
    okra_signal_spec_init(&plan->signal, signal_name(which));
    plan->signal.seed = plan->diffusion.filter.seed;
    plan->diffusion.filter.inputs = signal_inputs(plan);
    return plan->diffusion.filter.inputs
               ? EXIT_DONE
               : message_fail(EXIT_USAGE, "--signal %s: has no inputs: learners of a network need some (ex2)",
                              signal_name(which));
}

static int read_exchange(network_plan *plan, const network_settings *set)
{
    int rule = OKRA_CTA, status = read_name("rule", set->rule, rule_name, &rule);
    plan->diffusion.rule = (okra_diffusion_rule)rule;
    plan->diffusion.every = (size_t)set->every;
    plan->samples = (size_t)set->samples;
    return status;
}

/* What filters can be and nodes cannot. */
static int check_learners(const okra_spec *filter)
{
    if (filter->sigma == OKRA_SIGMA_AUTO)
        return message_fail(EXIT_USAGE, "--sigma auto: all nodes need the same width from the start: give a number");
    if (filter->precision != OKRA_F64)
        return message_fail(EXIT_USAGE, "--precision f32: networks learn in double precision: leave it out");
    return EXIT_DONE;
}

/* The parameters first: their seed is that of graph and signal too. */
int network_plan_read(network_plan *plan, const arguments *options, const network_settings *set)
{
    okra_spec *filter = &plan->diffusion.filter;
    okra_message why;
    *plan = (network_plan){0};
    okra_spec_init(filter, "rff-klms", 1, 1);
    filter->sigma = 5, filter->mu = 1, filter->features = 200;
    int status = arguments_apply(options, filter);
    if (!status)
        status = read_graph(plan, options, set);
    if (!status)
        status = read_data(plan, set);
    if (!status)
        status = read_exchange(plan, set);
    if (!status)
        status = check_learners(filter);
    if (!status && okra_spec_check(filter, &why))
        status = message_fail(EXIT_USAGE, "%s", why.text);
    if (!status)
        plan->diffusion.count = plan->graph->nodes;
    return status;
}

void network_plan_free(network_plan *plan)
{
    okra_graph_free(plan->graph);
    plan->graph = NULL;
}

const char *network_source(const network_plan *plan) { return plan->files ? plan->files : plan->signal.kind->name; }

double network_degree(const network_plan *plan) { return 2 * (double)plan->graph->edges / (double)plan->graph->nodes; }

uint64_t network_feature_seed(const network_plan *plan, uint32_t run)
{
    uint64_t seed = plan->diffusion.filter.seed;
    uint32_t out[4];
    okra_philox((uint32_t[2]){(uint32_t)seed, (uint32_t)(seed >> 32)}, (uint32_t[4]){run, 0, 32, 0}, out);
    return (uint64_t)out[1] << 32 | out[0];
}
