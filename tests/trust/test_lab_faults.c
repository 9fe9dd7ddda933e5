/* libokra-lab without memory: every allocation of every task fails once, and the task says so, keeps nothing, and works
 * again. The sanitizers see what leaks. */
#include "check.h"

#include <errno.h>

#include <okra/lab.h>

#include "faults.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(make_signals_without_memory),
        cmocka_unit_test(expect_cosines_without_memory),
        cmocka_unit_test(expect_pairs_without_memory),
        cmocka_unit_test(try_filters_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
