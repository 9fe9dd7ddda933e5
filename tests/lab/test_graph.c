/*
 * Graphs against matrices written out: by hand where they are regular, from the same random numbers where they are
 * drawn.
 */
#include "check.h"

#include <okra/network.h>
#include <okra/random.h>

static okra_graph *make_graph(okra_topology topology, size_t nodes)
{
    okra_graph *graph;
    okra_message why;
    okra_graph_spec spec = {.topology = topology, .nodes = nodes, .seed = 3};
    if (okra_graph_create(&spec, &graph, &why))
        fail_msg("%s", why.text);
    return graph;
}

static void assert_refused(okra_status status, okra_status expected, okra_graph *const *graph, const okra_message *why,
                           const char *word)
{
    assert_int_equal(status, expected);
    assert_null(*graph);
    if (!strstr(why->text, word))
        fail_msg("'%s' does not speak of '%s'", why->text, word);
}

enum { MAX = 40 };

/* Rows ascend and have the node itself; the edges are those of the matrix. */
static void assert_adjacency(const okra_graph *graph, size_t nodes, bool edge[MAX][MAX])
{
    size_t edges = 0;
    assert_int_equal(graph->nodes, nodes);
    for (size_t k = 0; k < nodes; k++) {
        size_t n = graph->start[k + 1] - graph->start[k], at = 0;
        const size_t *row = graph->node + graph->start[k];
        for (size_t l = 0; l < nodes; l++)
            if (k == l || edge[k][l]) {
                assert_true(at < n && row[at] == l);
                at++, edges += k < l;
            }
        assert_int_equal(at, n);
    }
    assert_int_equal(graph->edges, edges);
}

static bool is_connected(size_t nodes, bool edge[MAX][MAX])
{
    bool seen[MAX] = {true};
    for (size_t round = 0; round < nodes; round++)
        for (size_t k = 0; k < nodes; k++)
            for (size_t l = 0; l < nodes; l++)
                seen[l] = seen[l] || (seen[k] && edge[k][l]);
    for (size_t k = 0; k < nodes; k++)
        if (!seen[k])
            return false;
    return true;
}

/* One attempt at a graph, from the numbers of stream 41. */
static void draw_random(const okra_graph_spec *spec, uint32_t attempt, bool edge[MAX][MAX])
{
    okra_random random = {.seed = spec->seed, .run = attempt, .stream = 41};
    double n = (double)spec->nodes, p = spec->probability > 0 ? spec->probability : 2 * log(n) / n;
    for (size_t a = 0; a < spec->nodes; a++)
        for (size_t b = a + 1; b < spec->nodes; b++) {
            double chance;
            okra_random_uniform(&random, 1, &chance);
            edge[a][b] = edge[b][a] = chance < p;
        }
}

static void draw_geometric(const okra_graph_spec *spec, uint32_t attempt, bool edge[MAX][MAX])
{
    okra_random random = {.seed = spec->seed, .run = attempt, .stream = 41};
    double at[2 * MAX], n = (double)spec->nodes;
    double radius = spec->radius > 0 ? spec->radius : sqrt(2 * log(n) / (M_PI * n));
    size_t number[MAX];
    okra_random_uniform(&random, 2 * spec->nodes, at);
    for (size_t a = 0; a < spec->nodes; a++) {
        number[a] = 0;
        for (size_t b = 0; b < spec->nodes; b++)
            number[a] += at[2 * b] < at[2 * a];
    }
    for (size_t a = 0; a < spec->nodes; a++)
        for (size_t b = 0; b < spec->nodes; b++)
            edge[number[a]][number[b]] =
                a != b && pow(at[2 * a] - at[2 * b], 2) + pow(at[2 * a + 1] - at[2 * b + 1], 2) < radius * radius;
}

/* The first attempt that is connected, of `max`. */
static uint32_t first_connected(const okra_graph_spec *spec, uint32_t max, bool edge[MAX][MAX])
{
    for (uint32_t attempt = 0; attempt < max; attempt++) {
        memset(edge, 0, sizeof(bool[MAX][MAX]));
        if (spec->topology == OKRA_RANDOM)
            draw_random(spec, attempt, edge);
        else
            draw_geometric(spec, attempt, edge);
        if (is_connected(spec->nodes, edge))
            return attempt;
    }
    return max;
}

static void drawn_graphs_have_the_edges_of_their_numbers(void **state)
{
    (void)state;
    static bool edge[MAX][MAX];
    static const okra_graph_spec specs[] = {{.topology = OKRA_RANDOM, .nodes = 20},
                                            {.topology = OKRA_RANDOM, .nodes = MAX, .probability = 0.09},
                                            {.topology = OKRA_RANDOM, .nodes = 8, .probability = 1},
                                            {.topology = OKRA_GEOMETRIC, .nodes = 20},
                                            {.topology = OKRA_GEOMETRIC, .nodes = MAX, .radius = 0.26},
                                            {.topology = OKRA_GEOMETRIC, .nodes = 8, .radius = 2}};
    uint32_t again = 0;
    for (size_t i = 0; i < COUNT_OF(specs); i++)
        for (uint64_t seed = 0; seed < 8; seed++) {
            okra_graph_spec spec = specs[i];
            okra_graph *graph;
            spec.seed = seed;
            uint32_t attempt = first_connected(&spec, 100, edge);
            assert_true(attempt < 100);
            assert_ok(okra_graph_create(&spec, &graph, NULL));
            assert_adjacency(graph, spec.nodes, edge);
            okra_graph_free(graph);
            again += attempt > 0;
        }
    assert_true(again > 5);
}

/* Attempt 99 is the last: seeds are looked for that are connected then, and only after it. */
static void a_hundred_attempts_are_made(void **state)
{
    (void)state;
    static bool edge[MAX][MAX];
    okra_graph_spec spec = {.topology = OKRA_RANDOM, .nodes = 5, .probability = 0.14};
    okra_graph *graph;
    okra_message why;
    bool last = false, late = false;
    for (spec.seed = 0; !last || !late; spec.seed++) {
        uint32_t attempt = first_connected(&spec, 101, edge);
        if (attempt == 99) {
            assert_ok(okra_graph_create(&spec, &graph, NULL));
            assert_adjacency(graph, spec.nodes, edge);
            okra_graph_free(graph);
            last = true;
        } else if (attempt == 100) {
            assert_status(okra_graph_create(&spec, &graph, &why), OKRA_E_PARAMETER);
            assert_null(graph);
            assert_string_equal(why.text, "no connected graph of 5 nodes in 100 attempts: raise the probability");
            late = true;
        }
    }
}

static void rings_and_grids_are_as_drawn_by_hand(void **state)
{
    (void)state;
    for (size_t nodes = 1; nodes <= 30; nodes++) {
        static bool ring[MAX][MAX], grid[MAX][MAX], all[MAX][MAX];
        size_t columns = nodes; /* the smallest divisor whose square is the number of nodes or more */
        for (size_t c = nodes; c >= 1; c--)
            columns = nodes % c == 0 && c * c >= nodes ? c : columns;
        for (size_t k = 0; k < nodes; k++)
            for (size_t l = 0; l < nodes; l++) {
                size_t down = k / columns > l / columns ? k / columns - l / columns : l / columns - k / columns;
                size_t right = k % columns > l % columns ? k % columns - l % columns : l % columns - k % columns;
                ring[k][l] = k != l && ((k + 1) % nodes == l || (l + 1) % nodes == k);
                grid[k][l] = down + right == 1;
                all[k][l] = k != l;
            }
        okra_graph *graph = make_graph(OKRA_RING, nodes);
        assert_adjacency(graph, nodes, ring);
        okra_graph_free(graph), graph = make_graph(OKRA_GRID, nodes);
        assert_adjacency(graph, nodes, grid);
        okra_graph_free(graph), graph = make_graph(OKRA_COMPLETE, nodes);
        assert_adjacency(graph, nodes, all);
        okra_graph_free(graph);
    }
}

/* A graph's edges in any order and direction give the graph again. */
static void edges_may_come_in_any_order(void **state)
{
    (void)state;
    enum { MANY = 150 };
    static bool edge[MAX][MAX];
    static size_t list[2 * MANY][2];
    okra_random random = {.seed = 2};
    for (size_t k = 1; k < MAX; k++)
        edge[k][k / 2] = edge[k / 2][k] = edge[k][(k * 7 + 3) % k] = edge[(k * 7 + 3) % k][k] = true;
    for (int both = 0; both < 2; both++) {
        okra_graph *graph;
        size_t n = 0;
        for (size_t k = 0; k < MAX; k++)
            for (size_t l = 0; l < MAX; l++)
                if (edge[k][l] && (both || (k + l) % 2 == (k < l))) /* one direction of each, now this, now that */
                    list[n][0] = k, list[n++][1] = l;
        for (size_t i = n; i-- > 1;) {
            double chance;
            okra_random_uniform(&random, 1, &chance);
            size_t j = (size_t)(chance * (double)(i + 1)), swap[2] = {list[i][0], list[i][1]};
            memcpy(list[i], list[j], sizeof swap);
            memcpy(list[j], swap, sizeof swap);
        }
        assert_true(n > 64);
        assert_ok(okra_graph_from_edges(MAX, (const size_t(*)[2])list, n, &graph, NULL));
        assert_adjacency(graph, MAX, edge);
        okra_graph_free(graph);
    }
}

static void assert_spec(okra_graph_spec spec, const char *word)
{
    okra_graph *graph = (okra_graph *)&spec;
    okra_message why;
    okra_status status = okra_graph_create(&spec, &graph, &why);
    if (word) {
        assert_refused(status, OKRA_E_PARAMETER, &graph, &why, word);
        assert_status(okra_graph_create(&spec, &graph, NULL), OKRA_E_PARAMETER);
    } else
        assert_ok(status);
    okra_graph_free(graph);
}

static void specs_of_graphs_have_ends(void **state)
{
    (void)state;
    const double nan = (double)NAN;
    assert_spec((okra_graph_spec){.topology = OKRA_RANDOM, .nodes = 3, .probability = 1}, NULL);
    assert_spec((okra_graph_spec){.topology = OKRA_RANDOM, .nodes = 3, .probability = 1.0001}, "probability 1.0001");
    assert_spec((okra_graph_spec){.topology = OKRA_RANDOM, .nodes = 3, .probability = -1e-9}, "probability -1e-09");
    assert_spec((okra_graph_spec){.topology = OKRA_RANDOM, .nodes = 3, .probability = nan}, "probability");
    assert_spec((okra_graph_spec){.topology = OKRA_GEOMETRIC, .nodes = 3, .radius = (double)INFINITY}, NULL);
    assert_spec((okra_graph_spec){.topology = OKRA_GEOMETRIC, .nodes = 3, .radius = -1e-9}, "radius of -1e-09");
    assert_spec((okra_graph_spec){.topology = OKRA_GEOMETRIC, .nodes = 3, .radius = nan}, "radius");
    assert_spec((okra_graph_spec){.topology = OKRA_COMPLETE + 1, .nodes = 3}, "no topology has the number 5");
    assert_spec((okra_graph_spec){.topology = OKRA_RING, .nodes = (size_t)UINT32_MAX + 1}, "from 1 to 4294967295");
    assert_string_equal(okra_topology_name(OKRA_COMPLETE), "complete");
    assert_null(okra_topology_name(OKRA_COMPLETE + 1));
}

/* What is missing, and lists that are wrong in one place. */
static void edges_have_their_refusals(void **state)
{
    (void)state;
    okra_graph *graph;
    okra_message why;
    const size_t second[][2] = {{0, 1}, {2, 3}, {3, 1}}, first[][2] = {{0, 1}, {3, 0}, {1, 2}};
    const size_t two[][2] = {{0, 1}, {1, 0}, {3, 0}, {1, 2}}, last[][2] = {{0, 1}, {1, 2}, {1, 2}};
    okra_graph_spec spec = {.nodes = 2};
    assert_status(okra_graph_create(NULL, &graph, &why), OKRA_E_NULL);
    assert_string_equal(why.text, okra_strerror(OKRA_E_NULL));
    assert_status(okra_graph_create(&spec, NULL, NULL), OKRA_E_NULL);
    assert_status(okra_graph_from_edges(2, NULL, 1, &graph, NULL), OKRA_E_NULL);
    assert_status(okra_graph_from_edges(2, second, 1, NULL, NULL), OKRA_E_NULL);
    assert_refused(okra_graph_from_edges(3, second, 3, &graph, &why), OKRA_E_FORMAT, &graph, &why,
                   "edge 2 joins 2 and 3: nodes are 0 to 2");
    assert_refused(okra_graph_from_edges(3, first, 3, &graph, &why), OKRA_E_FORMAT, &graph, &why,
                   "edge 2 joins 3 and 0: nodes are 0 to 2");
    assert_refused(okra_graph_from_edges(4, two, 4, &graph, &why), OKRA_E_FORMAT, &graph, &why,
                   "the edge from 1 to 2 has no way back");
    assert_refused(okra_graph_from_edges(3, last, 3, &graph, &why), OKRA_E_FORMAT, &graph, &why,
                   "the edge from 1 to 2 is there twice");
    assert_refused(okra_graph_from_edges(0, NULL, 0, &graph, &why), OKRA_E_PARAMETER, &graph, &why, "0 nodes");
    /* the most nodes there may be, without edges, and one more */
    assert_refused(okra_graph_from_edges(UINT32_MAX, NULL, 0, &graph, &why), OKRA_E_FORMAT, &graph, &why,
                   "some of its 4294967295 nodes cannot be reached");
    assert_refused(okra_graph_from_edges((size_t)UINT32_MAX + 1, NULL, 0, &graph, &why), OKRA_E_PARAMETER, &graph, &why,
                   "4294967296 nodes");
    okra_graph_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_graphs_have_the_edges_of_their_numbers),
        cmocka_unit_test(a_hundred_attempts_are_made),
        cmocka_unit_test(rings_and_grids_are_as_drawn_by_hand),
        cmocka_unit_test(edges_may_come_in_any_order),
        cmocka_unit_test(specs_of_graphs_have_ends),
        cmocka_unit_test(edges_have_their_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
