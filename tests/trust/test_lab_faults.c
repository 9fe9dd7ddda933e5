/* libokra-lab without memory: every allocation of every task fails once, and the task says so, keeps nothing, and works
 * again. The sanitizers see what leaks. */
#include "check.h"

#include <errno.h>

#include <okra/lab.h>
#include <okra/merge.h>
#include <okra/network.h>

#include "faults.h"
#include "lab/r_factor.h"

static okra_status make_signals(void)
{
    okra_status status = OKRA_OK;
    for (size_t i = 0; okra_signal_at(i) && !status; i++) {
        okra_signal_spec spec;
        okra_signal *signal;
        okra_signal_spec_init(&spec, okra_signal_at(i)->name);
        status = okra_signal_create(&spec, &signal);
        if (status && signal)
            return OKRA_OK; /* there must be none */
        okra_signal_free(signal);
    }
    return status;
}

static okra_status expect(int paired)
{
    double curve[10];
    okra_theory_spec spec;
    okra_theory *theory;
    okra_theory_spec_init(&spec);
    spec.features = 40, spec.paired = paired;
    okra_status status = okra_theory_create(&spec, &theory);
    if (status)
        return theory ? OKRA_OK : status;
    status = okra_theory_curve(theory, 0, COUNT_OF(curve), curve);
    okra_theory_free(theory);
    return status;
}

static okra_status expect_cosines(void) { return expect(0); }
static okra_status expect_pairs(void) { return expect(1); }

/* One thread: the faults are counted in one. */
static okra_status try_filters(void)
{
    okra_spec filters[2];
    okra_trial trial = {.filters = filters, .n_filters = 2, .samples = 50, .runs = 3, .seed = 1, .threads = 1};
    okra_trial_result results[2];
    okra_signal_spec_init(&trial.signal, "ex2");
    okra_spec_init(&filters[0], "rff-klms", 5, 1);
    okra_spec_init(&filters[1], "qklms", 5, 1);
    okra_status status = okra_trial_run(&trial, results, NULL);
    if (!status)
        okra_trial_free(results, 2);
    return status;
}

/* ---- networks, R factors, merges ---- */

static okra_status draw_graphs(void)
{
    const size_t edges[][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 1}};
    okra_graph *graph;
    okra_message why;
    for (okra_topology t = OKRA_RING; okra_topology_name(t); t++) {
        okra_graph_spec spec = {.topology = t, .nodes = 20};
        okra_status status = okra_graph_create(&spec, &graph, &why);
        if (status)
            return graph || !strstr(why.text, "out of memory") ? OKRA_OK : status;
        okra_graph_free(graph);
    }
    okra_status status = okra_graph_from_edges(4, edges, COUNT_OF(edges), &graph, &why);
    if (status)
        return graph || !strstr(why.text, "out of memory") ? OKRA_OK : status;
    okra_graph_free(graph);
    return OKRA_OK;
}

static okra_status diffuse(void)
{
    okra_graph *graph;
    okra_diffusion *d;
    okra_diffusion_spec spec;
    okra_graph_spec ring = {.topology = OKRA_RING, .nodes = 6};
    okra_status status = okra_graph_create(&ring, &graph, NULL);
    if (status)
        return status;
    okra_diffusion_spec_init(&spec, 2, graph);
    spec.filter.features = 10, spec.first = 1, spec.count = 3;
    status = okra_diffusion_create(&spec, graph, &d, NULL);
    okra_graph_free(graph);
    if (status)
        return d ? OKRA_OK : status;
    okra_diffusion_free(d);
    return OKRA_OK;
}

static okra_status join_r_factors(void)
{
    const double z[] = {1, 2, 3, 5}, y[] = {1, 2};
    double theta[2];
    okra_r_factor *a = NULL, *b = NULL;
    okra_status status = okra_r_factor_create(2, 1, 1, &a);
    if (!status)
        status = okra_r_factor_create(2, 1, 0, &b);
    if (!status)
        status = okra_r_factor_add(a, 2, z, y, NULL);
    if (!status)
        status = okra_r_factor_add(b, 1, z, y, NULL);
    if (!status)
        status = okra_r_factor_join(a, b);
    if (!status)
        status = okra_r_factor_theta(a, theta);
    okra_r_factor_free(a), okra_r_factor_free(b);
    return status;
}

/* Two models of a recipe from a base, in either precision; and, of least squares, an R factor to a model. */
static okra_status merge_models(const char *recipe, int precision)
{
    okra_spec spec;
    okra_message why = {""};
    okra_filter *models[3] = {NULL}, *merged = NULL;
    okra_r_factor *factor = NULL;
    okra_spec_init(&spec, recipe, 2, 1);
    spec.precision = precision, spec.beta = 1;
    okra_status status = OKRA_OK;
    for (size_t i = 0; i < 3 && !status; i++)
        status = okra_create(&spec, &models[i]);
    if (!status) {
        status = okra_merge((const okra_filter *const *)models, 2, models[2], &merged, NULL, &why);
        if (status && (merged || !*why.text))
            status = OKRA_OK;
    }
    okra_free(merged);
    if (!status && strcmp(recipe, "rls") == 0)
        status = okra_r_factor_create(3, 1, 1, &factor);
    if (!status && factor)
        status = okra_r_factor_to_filter(factor, models[0]);
    okra_r_factor_free(factor);
    for (size_t i = 0; i < 3; i++)
        okra_free(models[i]);
    return status;
}

static okra_status merge_exactly(void) { return merge_models("rls", OKRA_F64); }
static okra_status merge_floats(void) { return merge_models("rls", OKRA_F32); }
static okra_status merge_means(void) { return merge_models("nlms", OKRA_F64); }

static void without_memory(okra_status (*task)(void))
{
    size_t faults = 0;
    assert_ok(task());
    for (int which = 0; which < FAULT_COUNT; which++) {
        if (fault_kind_of((fault_id)which) != MEMORY)
            continue;
        fault_arm((fault_id)which, 0, 0);
        assert_ok(task());
        fault_disarm();
        size_t calls = fault_calls((fault_id)which);
        for (size_t nth = 1; nth <= calls; nth++, faults++) {
            fault_arm((fault_id)which, nth, ENOMEM);
            okra_status status = task();
            assert_true(fault_disarm());
            assert_status(status, OKRA_E_MEMORY);
        }
    }
    assert_true(faults > 3);
    assert_ok(task());
}

#define WITHOUT_MEMORY(task)                        \
    static void task##_without_memory(void **state) \
    {                                               \
        (void)state;                                \
        without_memory(task);                       \
    }
WITHOUT_MEMORY(make_signals)
WITHOUT_MEMORY(expect_cosines)
WITHOUT_MEMORY(expect_pairs)
WITHOUT_MEMORY(try_filters)
WITHOUT_MEMORY(draw_graphs)
WITHOUT_MEMORY(diffuse)
WITHOUT_MEMORY(join_r_factors)
WITHOUT_MEMORY(merge_exactly)
WITHOUT_MEMORY(merge_floats)
WITHOUT_MEMORY(merge_means)

/* As large as LAPACK can count passes the check of sizes, and is then a matter of memory, of which none is taken. */
static void the_largest_r_factor_needs_memory(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        okra_r_factor *factor;
        fault_arm(FAULT_calloc, 1, ENOMEM);
        okra_status status = okra_r_factor_create(wide ? 1 : INT32_MAX / 2, wide ? INT32_MAX / 2 : 1, 1, &factor);
        assert_true(fault_disarm());
        assert_status(status, OKRA_E_MEMORY);
        assert_null(factor);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(make_signals_without_memory),       cmocka_unit_test(expect_cosines_without_memory),
        cmocka_unit_test(expect_pairs_without_memory),       cmocka_unit_test(try_filters_without_memory),
        cmocka_unit_test(draw_graphs_without_memory),        cmocka_unit_test(diffuse_without_memory),
        cmocka_unit_test(join_r_factors_without_memory),     cmocka_unit_test(merge_exactly_without_memory),
        cmocka_unit_test(merge_floats_without_memory),       cmocka_unit_test(merge_means_without_memory),
        cmocka_unit_test(the_largest_r_factor_needs_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
