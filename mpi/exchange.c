#include "exchange.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/talk.h"
#include "world.h"

size_t exchange_first_node(size_t nodes, size_t rank, size_t ranks) { return nodes * rank / ranks; }

static size_t owner_of(size_t nodes, size_t node)
{
    size_t ranks = world_ranks(), r = node * ranks / nodes;
    while (exchange_first_node(nodes, r + 1, ranks) <= node)
        r++;
    return r;
}

/* ---- who needs what ----------------------------------------------------------------------------------------- */

/* Calls found(context, rank, node here, node there) for every edge that leaves this process, in the order of the nodes
 * here. */
typedef void edge_visitor(void *context, size_t rank, size_t here, size_t there);

static void visit_edges(const okra_graph *graph, edge_visitor *found, void *context)
{
    size_t nodes = graph->nodes, me = world_rank();
    size_t first = exchange_first_node(nodes, me, world_ranks());
    for (size_t k = first; k < exchange_first_node(nodes, me + 1, world_ranks()); k++) {
        for (size_t i = graph->start[k]; i < graph->start[k + 1]; i++) {
            size_t rank = owner_of(nodes, graph->node[i]);
            if (rank != me)
                found(context, rank, k, graph->node[i]);
        }
    }
}

/* What this process sends to each rank: which of its nodes, and how many. */
typedef struct survey {
    size_t *last;   /* [ranks]: the last node found for it, + 1 */
    size_t *counts; /* [ranks] */
    size_t *at;     /* [ranks]: where its nodes go in `nodes`, in the second round */
    size_t *nodes;  /* NULL in the first round */
} survey;

static void note_node(void *context, size_t rank, size_t here, size_t there)
{
    survey *s = context;
    (void)there;
    if (s->last[rank] == here + 1)
        return;
    s->last[rank] = here + 1;
    if (s->nodes)
        s->nodes[s->at[rank]++] = here;
    else
        s->counts[rank]++;
}

/* MPI counts in int. */
static int refuse_size(size_t numbers)
{
    return talk_fail(EXIT_IO, "%zu numbers are too many for one exchange: use more ranks", numbers);
}

/* The neighbours, ascending, with what is sent to them; numbers are those of whole thetas. */
static int list_neighbours(exchange *x, const survey *s)
{
    size_t total = 0;
    for (size_t r = 0; r < world_ranks(); r++) {
        s->at[r] = total;
        if (s->counts[r] == 0)
            continue;
        x->neighbours[x->n_neighbours] = (int)r;
        x->send_counts[x->n_neighbours] = (int)(s->counts[r] * x->features);
        x->send_at[x->n_neighbours++] = (int)(total * x->features);
        total += s->counts[r];
    }
    x->n_sent = total;
    x->sent_nodes = calloc(total + 1, sizeof *x->sent_nodes);
    x->packed = calloc(total + 1, x->features * sizeof *x->packed);
    if (total * x->features > INT_MAX)
        return refuse_size(total * x->features);
    return x->sent_nodes && x->packed ? EXIT_DONE : talk_fail(EXIT_IO, "out of memory");
}

static int plan_sending(exchange *x, const okra_graph *graph)
{
    size_t ranks = world_ranks();
    survey s = {.last = calloc(ranks, sizeof(size_t)),
                .counts = calloc(ranks, sizeof(size_t)),
                .at = calloc(ranks, sizeof(size_t))};
    int status = s.last && s.counts && s.at ? EXIT_DONE : talk_fail(EXIT_IO, "out of memory");
    if (!status) {
        visit_edges(graph, note_node, &s);
        status = list_neighbours(x, &s);
    }
    if (!status) {
        memset(s.last, 0, ranks * sizeof *s.last);
        s.nodes = x->sent_nodes;
        visit_edges(graph, note_node, &s);
        size_t first = exchange_first_node(graph->nodes, world_rank(), ranks);
        for (size_t i = 0; i < x->n_sent; i++)
            x->sent_nodes[i] -= first;
    }
    free(s.last), free(s.counts), free(s.at);
    return status;
}

/* Ghosts are in the order of their numbers, so those of a rank lie together, and ranks follow one another. */
static void note_ghost(void *context, size_t rank, size_t here, size_t there)
{
    bool *ghost = context;
    (void)rank, (void)here;
    ghost[there] = true;
}

static int plan_receiving(exchange *x, const okra_graph *graph)
{
    size_t nodes = graph->nodes, at = 0;
    bool *ghost = calloc(nodes, sizeof *ghost);
    if (!ghost)
        return talk_fail(EXIT_IO, "out of memory");
    visit_edges(graph, note_ghost, ghost);
    for (int i = 0; i < x->n_neighbours; i++) {
        size_t rank = (size_t)x->neighbours[i], count = 0;
        for (size_t k = exchange_first_node(nodes, rank, world_ranks());
             k < exchange_first_node(nodes, rank + 1, world_ranks()); k++)
            count += ghost[k];
        x->receive_counts[i] = (int)(count * x->features);
        x->receive_at[i] = (int)(at * x->features);
        at += count;
    }
    free(ghost);
    return at * x->features > INT_MAX ? refuse_size(at * x->features) : EXIT_DONE;
}

int exchange_open(exchange *x, const okra_graph *graph, size_t features)
{
    size_t ranks = world_ranks();
    *x = (exchange){.comm = MPI_COMM_NULL, .request = MPI_REQUEST_NULL, .features = features};
    int *numbers = x->neighbours = calloc(5 * ranks, sizeof *numbers);
    int status = numbers ? EXIT_DONE : talk_fail(EXIT_IO, "out of memory");
    if (!status) {
        x->send_counts = numbers + ranks, x->send_at = numbers + 2 * ranks;
        x->receive_counts = numbers + 3 * ranks, x->receive_at = numbers + 4 * ranks;
        status = plan_sending(x, graph);
    }
    if (!status)
        status = plan_receiving(x, graph);
    status = world_agree(status);
    if (!status)
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, x->n_neighbours, x->neighbours, x->receive_counts,
                                       x->n_neighbours, x->neighbours, x->send_counts, MPI_INFO_NULL, 0, &x->comm);
    return status;
}

void exchange_close(exchange *x)
{
    if (x->request != MPI_REQUEST_NULL)
        /* NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): begin() began it, after the last sample */
        MPI_Wait(&x->request, MPI_STATUS_IGNORE);
    if (x->comm != MPI_COMM_NULL)
        MPI_Comm_free(&x->comm);
    free(x->neighbours), free(x->sent_nodes), free(x->packed);
}

/* ---- exchanging --------------------------------------------------------------------------------------------- */

static void begin(exchange *x)
{
    size_t bytes = x->features * sizeof(double);
    for (size_t i = 0; i < x->n_sent; i++)
        memcpy(x->packed + i * x->features, okra_diffusion_theta(x->nodes, x->sent_nodes[i]), bytes);
    MPI_Ineighbor_alltoallv(x->packed, x->send_counts, x->send_at, MPI_DOUBLE,
                            okra_diffusion_get(x->nodes)->ghost_theta, x->receive_counts, x->receive_at, MPI_DOUBLE,
                            x->comm, &x->request);
    x->times++;
}

okra_status exchange_theta(void *context, okra_exchange part)
{
    exchange *x = context;
    double began = talk_clock();
    if (part == OKRA_EXCHANGE_BEGIN)
        begin(x);
    else /* NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): begin() began it */
        MPI_Wait(&x->request, MPI_STATUS_IGNORE);
    x->seconds += talk_clock() - began;
    return OKRA_OK;
}
