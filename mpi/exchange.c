#include "nodes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/message.h"
#include "world.h"

size_t exchange_first_node(size_t nodes, size_t rank, size_t ranks) { return nodes * rank / ranks; }

/* The nodes of one rank with neighbours at another, in their order and numbered from the first of the rank: how many,
 * and which, unless `found` is NULL. */
static size_t border(const okra_graph *graph, size_t rank, size_t other, size_t *found)
{
    size_t nodes = graph->nodes, ranks = world_ranks(), n = 0, first = exchange_first_node(nodes, rank, ranks);
    size_t from = exchange_first_node(nodes, other, ranks), to = exchange_first_node(nodes, other + 1, ranks);
    for (size_t k = first; k < exchange_first_node(nodes, rank + 1, ranks); k++) {
        size_t i = graph->start[k];
        while (i < graph->start[k + 1] && (graph->node[i] < from || graph->node[i] >= to))
            i++;
        if (i == graph->start[k + 1])
            continue;
        if (found)
            found[n] = k - first;
        n++;
    }
    return n;
}

/* The neighbours, ascending, with what is sent to them and comes from them; numbers are those of whole thetas. Ghosts
 * are in the order of their numbers, so those of a rank lie together, and ranks follow one another. */
static int list_neighbours(exchange *x, const okra_graph *graph)
{
    size_t me = world_rank(), D = x->features, n_received = 0;
    for (size_t r = 0; r < world_ranks(); r++) {
        size_t sent = r == me ? 0 : border(graph, me, r, NULL);
        if (sent == 0)
            continue;
        size_t received = border(graph, r, me, NULL);
        x->neighbours[x->n_neighbours] = (int)r;
        x->send_counts[x->n_neighbours] = (int)(sent * D);
        x->send_at[x->n_neighbours] = (int)(x->n_sent * D);
        x->receive_counts[x->n_neighbours] = (int)(received * D);
        x->receive_at[x->n_neighbours++] = (int)(n_received * D);
        x->n_sent += sent;
        n_received += received;
    }
    size_t numbers = (x->n_sent > n_received ? x->n_sent : n_received) * D;
    if (numbers > INT_MAX) /* MPI counts in int */
        return message_fail(EXIT_IO, "%zu numbers are too many for one exchange: use more ranks", numbers);
    return EXIT_DONE;
}

static int plan(exchange *x, const okra_graph *graph)
{
    int status = list_neighbours(x, graph);
    if (status)
        return status;
    x->sent_nodes = calloc(x->n_sent + 1, sizeof *x->sent_nodes);
    x->packed = calloc(x->n_sent + 1, x->features * sizeof *x->packed);
    if (!x->sent_nodes || !x->packed)
        return message_fail(EXIT_IO, "out of memory");
    size_t at = 0;
    for (int i = 0; i < x->n_neighbours; i++)
        at += border(graph, world_rank(), (size_t)x->neighbours[i], x->sent_nodes + at);
    return EXIT_DONE;
}

int exchange_open(exchange *x, const okra_graph *graph, size_t features)
{
    size_t ranks = world_ranks();
    *x = (exchange){.comm = MPI_COMM_NULL, .request = MPI_REQUEST_NULL, .features = features};
    int *numbers = x->neighbours = calloc(5 * ranks, sizeof *numbers);
    int status = numbers ? EXIT_DONE : message_fail(EXIT_IO, "out of memory");
    if (!status) {
        x->send_counts = numbers + ranks, x->send_at = numbers + 2 * ranks;
        x->receive_counts = numbers + 3 * ranks, x->receive_at = numbers + 4 * ranks;
        status = plan(x, graph);
    }
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
    double began = message_clock();
    if (part == OKRA_EXCHANGE_BEGIN)
        begin(x);
    else /* NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): begin() began it */
        MPI_Wait(&x->request, MPI_STATUS_IGNORE);
    x->seconds += message_clock() - began;
    return OKRA_OK;
}
