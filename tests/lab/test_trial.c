/* Monte Carlo: the same bits for any number of threads, and the paper's figures within their standard errors. */
#include "check.h"

#include <okra/lab.h>
#include <pthread.h>
#include <time.h>

/* The paper's two filters on one of its examples. */
static void make_trial(okra_trial *trial, okra_spec filters[2], const char *signal, size_t inputs, double sigma,
                       double epsilon, size_t features)
{
    assert_ok(okra_spec_init(&filters[0], "qklms", inputs, 1));
    filters[0].sigma = sigma, filters[0].mu = 1, filters[0].epsilon = epsilon, filters[0].capacity = 1000;
    assert_ok(okra_spec_init(&filters[1], "rff-klms", inputs, 1));
    filters[1].sigma = sigma, filters[1].mu = 1, filters[1].features = features;
    *trial = (okra_trial){.filters = filters, .n_filters = 2, .seed = 1};
    assert_ok(okra_signal_spec_init(&trial->signal, signal));
}

static void threads_change_nothing(void **state)
{
    (void)state;
    enum { RUNS = 37, SAMPLES = 300 };
    okra_trial trial;
    okra_spec filters[2];
    okra_trial_result first[2], again[2];
    make_trial(&trial, filters, "ex4", 2, 0.05, 0.01, 50);
    trial.runs = RUNS, trial.samples = SAMPLES, trial.threads = 1;
    assert_ok(okra_trial_run(&trial, first, NULL));
    static const int threads[] = {2, 7};
    for (size_t t = 0; t < COUNT_OF(threads); t++) {
        size_t done;
        trial.threads = threads[t];
        assert_ok(okra_trial_run(&trial, again, &done));
        assert_int_equal(done, RUNS);
        for (size_t k = 0; k < 2; k++) {
            assert_memory_equal(first[k].mse, again[k].mse, SAMPLES * sizeof(double));
            assert_memory_equal(first[k].floor, again[k].floor, RUNS * sizeof(double));
            assert_true(first[k].centres == again[k].centres);
        }
        okra_trial_free(again, 2);
    }
    okra_trial_free(first, 2);
}

/* ---- in several processes, which are threads here ---- */

enum { MAX_RANKS = 17 };

typedef struct meeting {
    pthread_barrier_t all_here;
    double *rows[MAX_RANKS];
    size_t ranks;
} meeting;

typedef struct member {
    meeting *place;
    okra_trial trial;
    okra_trial_result results[2];
    size_t done;
    okra_status status;
} member;

/* Brings everybody's row to everybody, as processes do by messages. */
static okra_status gather(void *context, size_t n, double *numbers)
{
    member *me = context;
    meeting *place = me->place;
    size_t rank = me->trial.rank;
    place->rows[rank] = numbers + rank * n;
    pthread_barrier_wait(&place->all_here);
    for (size_t r = 0; r < place->ranks; r++)
        if (r != rank)
            memcpy(numbers + r * n, place->rows[r], n * sizeof *numbers);
    pthread_barrier_wait(&place->all_here);
    return OKRA_OK;
}

static void *take_part(void *context)
{
    member *me = context;
    me->status = okra_trial_run(&me->trial, me->results, &me->done);
    return NULL;
}

static void run_together(const okra_trial *trial, size_t ranks, member members[MAX_RANKS])
{
    meeting place = {.ranks = ranks};
    pthread_t threads[MAX_RANKS];
    assert_int_equal(pthread_barrier_init(&place.all_here, NULL, (unsigned)ranks), 0);
    for (size_t r = 0; r < ranks; r++) {
        members[r] = (member){.place = &place, .trial = *trial};
        members[r].trial.rank = r, members[r].trial.ranks = ranks, members[r].trial.gather = gather;
        members[r].trial.threads = 1, members[r].trial.context = &members[r];
        assert_int_equal(pthread_create(&threads[r], NULL, take_part, &members[r]), 0);
    }
    for (size_t r = 0; r < ranks; r++)
        assert_int_equal(pthread_join(threads[r], NULL), 0);
    pthread_barrier_destroy(&place.all_here);
}

static void processes_change_nothing(void **state)
{
    (void)state;
    enum { RUNS = 37, SAMPLES = 200 };
    okra_trial trial;
    okra_spec filters[2];
    okra_trial_result alone[2];
    static member members[MAX_RANKS];
    make_trial(&trial, filters, "ex4", 2, 0.05, 0.01, 50);
    trial.runs = RUNS, trial.samples = SAMPLES;
    assert_ok(okra_trial_run(&trial, alone, NULL));
    for (size_t ranks = 2; ranks <= MAX_RANKS; ranks += ranks < 5 ? 1 : MAX_RANKS - 5) {
        run_together(&trial, ranks, members);
        for (size_t r = 0; r < ranks; r++) {
            assert_ok(members[r].status);
            assert_int_equal(members[r].done, RUNS);
            for (size_t k = 0; k < 2; k++) {
                const okra_trial_result *result = &members[r].results[k];
                assert_memory_equal(alone[k].mse, result->mse, SAMPLES * sizeof(double));
                assert_memory_equal(alone[k].floor, result->floor, RUNS * sizeof(double));
                assert_true(alone[k].centres == result->centres);
            }
            okra_trial_free(members[r].results, 2);
        }
    }
    okra_trial_free(alone, 2);
}

/* What one finds, all are told. */
static void a_failure_is_everybodys(void **state)
{
    (void)state;
    okra_trial trial;
    okra_spec filters[2];
    okra_trial_result results[2];
    static member members[MAX_RANKS];
    make_trial(&trial, filters, "ex3", 1, 0.05, 0.01, 20);
    trial.runs = 8, trial.samples = 2000, filters[1].mu = 1e9;
    run_together(&trial, 3, members);
    for (size_t r = 0; r < 3; r++)
        assert_status(members[r].status, OKRA_E_DIVERGED);
    trial.ranks = 2;
    assert_status(okra_trial_run(&trial, results, NULL), OKRA_E_PARAMETER); /* nobody gathers */
    trial.gather = gather, trial.rank = 2;
    assert_status(okra_trial_run(&trial, results, NULL), OKRA_E_PARAMETER);
}

/* The mean over runs of the squared a-priori errors, computed here by hand. */
static void curve_is_the_mean_of_squares(void **state)
{
    (void)state;
    enum { RUNS = 5, SAMPLES = 40 };
    okra_trial trial;
    okra_spec filters[2];
    okra_trial_result results[2];
    double wanted[SAMPLES] = {0};
    make_trial(&trial, filters, "ex3", 1, 0.05, 0.01, 20);
    trial.runs = RUNS, trial.samples = SAMPLES;
    assert_ok(okra_trial_run(&trial, results, NULL));
    for (uint32_t run = 0; run < RUNS; run++) {
        okra_signal_spec spec = trial.signal;
        okra_signal *signal;
        okra_filter *filter;
        double x[SAMPLES], y[SAMPLES];
        spec.seed = trial.seed, spec.run = run;
        assert_ok(okra_signal_create(&spec, &signal));
        okra_signal_next(signal, SAMPLES, x, y);
        assert_ok(okra_create(&filters[0], &filter));
        for (size_t n = 0; n < SAMPLES; n++) {
            double yhat;
            assert_ok(okra_step(filter, x + n, y + n, 1, &yhat, NULL));
            wanted[n] += (y[n] - yhat) * (y[n] - yhat);
        }
        okra_free(filter);
        okra_signal_free(signal);
    }
    for (size_t n = 0; n < SAMPLES; n++)
        assert_near(results[0].mse[n], wanted[n] / RUNS, 1e-15);
    okra_trial_free(results, 2);
}

/*
 * Against reference figures of an independent implementation: the dictionary's size; each filter's floor in dB; and the
 * paired difference of the floors' means. Deviations over runs are taken from the trial itself, and three standard
 * errors allowed on each side, the references' own included where they rest on 200 runs; they are rounded to 0.1 dB,
 * hence the further 0.05.
 */
static void reproduces(const char *signal, size_t inputs, double sigma, double epsilon, size_t features, size_t samples,
                       size_t runs, double centres, double centres_off, double qklms_db, double rff_db)
{
    okra_trial trial;
    okra_spec filters[2];
    okra_trial_result r[2];
    make_trial(&trial, filters, signal, inputs, sigma, epsilon, features);
    trial.runs = runs, trial.samples = samples;
    assert_ok(okra_trial_run(&trial, r, NULL));
    assert_near(r[0].centres, centres, centres_off);
    const double references[] = {qklms_db, rff_db};
    for (size_t k = 0; k < 2; k++) {
        double sum = 0, square = 0, n = (double)runs;
        for (size_t i = 0; i < runs; i++)
            sum += r[k].floor[i], square += r[k].floor[i] * r[k].floor[i];
        double mean = sum / n, error = sqrt((square / n - mean * mean) / n);
        double error_db = 10 / log(10) * error / mean, reference_db = error_db * sqrt(n / 200);
        assert_near(10 * log10(mean), references[k],
                    3 * sqrt(error_db * error_db + reference_db * reference_db) + 0.05);
    }
    okra_trial_free(r, 2);
}

static void reproduces_the_references(void **state)
{
    (void)state;
    reproduces("ex2", 5, 5, 5, 300, 15000, 40, 104, 4, -13.3, -14.5);
    reproduces("ex3", 1, 0.05, 0.01, 100, 500, 200, 7.3, 0.5, -28.5, -29.0);
    reproduces("ex4", 2, 0.05, 0.01, 100, 1000, 200, 32, 1.5, -23.7, -23.2);
}

/* RFF-KLMS on Example 1 by D: reference floors -15.5, -16.9 and -17.0 dB over 100 runs, which have a standard error of
 * some 0.06 dB each. */
static void example1_by_size(void **state)
{
    (void)state;
    enum { RUNS = 40, SIZES = 3 };
    static const size_t features[SIZES] = {100, 500, 1000};
    static const double references[SIZES] = {-15.5, -16.9, -17.0};
    okra_spec filters[SIZES];
    okra_trial trial = {.filters = filters, .n_filters = SIZES, .samples = 5000, .runs = RUNS, .seed = 1};
    okra_trial_result r[SIZES];
    assert_ok(okra_signal_spec_init(&trial.signal, "ex1"));
    for (size_t k = 0; k < SIZES; k++) {
        assert_ok(okra_spec_init(&filters[k], "rff-klms", 5, 1));
        filters[k].sigma = 5, filters[k].mu = 1, filters[k].features = features[k];
    }
    assert_ok(okra_trial_run(&trial, r, NULL));
    for (size_t k = 0; k < SIZES; k++) {
        double sum = 0, square = 0;
        for (size_t i = 0; i < RUNS; i++)
            sum += r[k].floor[i] / RUNS, square += r[k].floor[i] * r[k].floor[i] / RUNS;
        double error_db = 10 / log(10) * sqrt((square - sum * sum) / RUNS) / sum;
        assert_near(10 * log10(sum), references[k], 3 * sqrt(error_db * error_db + 0.06 * 0.06) + 0.05);
    }
    okra_trial_free(r, SIZES);
}

/* Example 2 varies more from one realisation to the next than from filter to filter: -1.17 dB, deviation 0.20 at 40
 * runs. */
static void paired_difference_on_example2(void **state)
{
    (void)state;
    enum { RUNS = 40 };
    okra_trial trial;
    okra_spec filters[2];
    okra_trial_result r[2];
    make_trial(&trial, filters, "ex2", 5, 5, 5, 300);
    trial.runs = RUNS, trial.samples = 15000, trial.seed = 2;
    assert_ok(okra_trial_run(&trial, r, NULL));
    double sum[2] = {0};
    for (size_t i = 0; i < RUNS; i++)
        sum[0] += r[0].floor[i], sum[1] += r[1].floor[i];
    assert_near(10 * log10(sum[1] / sum[0]), -1.17, 3 * 0.20);
    okra_trial_free(r, 2);
}

static int stop_at_once(void *context, size_t done, size_t runs)
{
    (void)runs;
    *(size_t *)context = done;
    return 0;
}

static void trials_can_be_ended_and_refused(void **state)
{
    (void)state;
    okra_trial trial;
    okra_spec filters[2];
    okra_trial_result r[2];
    size_t done, seen = 0;
    make_trial(&trial, filters, "ex3", 1, 0.05, 0.01, 20);
    trial.runs = 1000, trial.samples = 50, trial.progress = stop_at_once, trial.context = &seen;
    assert_ok(okra_trial_run(&trial, r, &done));
    assert_true(done == seen && done > 0 && done < 1000);
    okra_trial_free(r, 2);
    filters[1].mu = 1e9;
    trial.samples = 2000;
    assert_status(okra_trial_run(&trial, r, &done), OKRA_E_DIVERGED);
    trial.samples = 0;
    assert_status(okra_trial_run(&trial, r, &done), OKRA_E_PARAMETER);
    assert_status(okra_trial_run(NULL, r, &done), OKRA_E_NULL);
}

/* ---- against loops written out ---------------------------------------------------------------------------------- */

enum { FILTERS = 2, MAX_SAMPLES = 45, MAX_RUNS = 40 };

/* The features of run r have a seed of their own: the words of Philox at (r, 0, 31, 0) under the trial's seed. */
static uint64_t seed_of_run(uint64_t seed, uint32_t run)
{
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)}, counter[4] = {run, 0, 31, 0};
    uint32_t out[4];
    okra_philox(key, counter, out);
    return ((uint64_t)out[1] << 32) + out[0];
}

/* Squared errors of one run of one filter, and its centres. */
static size_t run_by_hand(const okra_trial *trial, size_t k, uint32_t run, double squares[MAX_SAMPLES])
{
    okra_signal_spec spec = trial->signal;
    okra_spec filter_spec = trial->filters[k];
    okra_signal *signal;
    okra_filter *filter;
    okra_stats stats;
    spec.seed = trial->seed, spec.run = run;
    filter_spec.seed = seed_of_run(trial->seed, run);
    assert_ok(okra_signal_create(&spec, &signal));
    assert_ok(okra_create(&filter_spec, &filter));
    for (size_t n = 0; n < trial->samples; n++) {
        double x[2], y, yhat;
        okra_signal_next(signal, 1, x, &y);
        assert_ok(okra_step(filter, x, &y, 1, &yhat, NULL));
        squares[n] = (y - yhat) * (y - yhat);
    }
    assert_ok(okra_get_stats(filter, &stats));
    okra_free(filter);
    okra_signal_free(signal);
    return stats.centres;
}

/* Means over `runs` runs, and each run's mean over its last twentieth, or its last sample. */
static void assert_results(const okra_trial *trial, const okra_trial_result *results, size_t runs)
{
    static double squares[MAX_SAMPLES];
    for (size_t k = 0; k < FILTERS; k++) {
        double mean[MAX_SAMPLES] = {0}, centres = 0;
        for (uint32_t run = 0; run < runs; run++) {
            double tail = 0;
            size_t last = trial->samples >= 40 ? 2 : 1;
            centres += (double)run_by_hand(trial, k, run, squares);
            for (size_t n = 0; n < trial->samples; n++) {
                mean[n] += squares[n] / (double)runs;
                tail += n + last >= trial->samples ? squares[n] / (double)last : 0;
            }
            assert_near(results[k].floor[run], tail, 1e-14);
        }
        for (size_t n = 0; n < trial->samples; n++)
            assert_near(results[k].mse[n], mean[n], 1e-14);
        assert_near(results[k].centres, centres / (double)runs, 1e-12);
        assert_true(results[k].seconds > 0 && results[k].seconds < 60);
    }
}

static void results_are_loops_written_out(void **state)
{
    (void)state;
    static const size_t shapes[][2] = {{1, 1}, {19, 3}, {20, 16}, {39, 17}, {40, 33}, {MAX_SAMPLES, 2}};
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        okra_trial trial;
        okra_spec filters[FILTERS];
        okra_trial_result results[FILTERS];
        size_t done = 0;
        make_trial(&trial, filters, "ex4", 2, 0.3, 0.01, 15);
        trial.seed = 0x123456789abcdef0, trial.samples = shapes[i][0], trial.runs = shapes[i][1];
        assert_ok(okra_trial_run(&trial, results, &done));
        assert_int_equal(done, trial.runs);
        assert_results(&trial, results, trial.runs);
        okra_trial_free(results, FILTERS);
        assert_null(results[0].mse);
        assert_null(results[1].floor);
    }
}

typedef struct calls {
    size_t n, done[8], runs[8], stop_at;
} calls;

static int note_progress(void *context, size_t done, size_t runs)
{
    calls *c = context;
    c->done[c->n] = done, c->runs[c->n++] = runs;
    return c->n < c->stop_at;
}

/* Sixteen runs at a time; what is ended early counts as far as it went. */
static void progress_is_told(void **state)
{
    (void)state;
    for (size_t stop_at = 2; stop_at <= 8; stop_at += 6) {
        okra_trial trial;
        okra_spec filters[FILTERS];
        okra_trial_result results[FILTERS];
        calls c = {.stop_at = stop_at};
        size_t done;
        make_trial(&trial, filters, "ex4", 2, 0.3, 0.01, 15);
        trial.samples = 30, trial.runs = MAX_RUNS, trial.progress = note_progress, trial.context = &c;
        assert_ok(okra_trial_run(&trial, results, &done));
        assert_int_equal(c.n, stop_at == 2 ? 2 : 3);
        for (size_t i = 0; i < c.n; i++)
            assert_true(c.runs[i] == MAX_RUNS && c.done[i] == (i < 2 ? 16 * (i + 1) : MAX_RUNS));
        assert_int_equal(done, c.done[c.n - 1]);
        assert_results(&trial, results, done);
        okra_trial_free(results, FILTERS);
    }
}

/* Passes of one thread take no longer together than the whole. */
static void seconds_are_a_mean(void **state)
{
    (void)state;
    okra_trial trial;
    okra_spec filters[FILTERS];
    okra_trial_result results[FILTERS];
    struct timespec begin, end;
    make_trial(&trial, filters, "ex4", 2, 0.3, 0.01, 300);
    trial.samples = 500, trial.runs = 32, trial.threads = 1;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    assert_ok(okra_trial_run(&trial, results, NULL));
    clock_gettime(CLOCK_MONOTONIC, &end);
    double whole = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    assert_true(32 * (results[0].seconds + results[1].seconds) <= whole);
    okra_trial_free(results, FILTERS);
}

static okra_status nobody_answers(void *context, size_t n, double *numbers)
{
    (void)context, (void)n, (void)numbers;
    return OKRA_E_READ;
}

static void refusals_leave_nothing(void **state)
{
    (void)state;
    okra_trial good, trial;
    okra_spec filters[FILTERS];
    okra_trial_result results[FILTERS];
    size_t done = 9;
    make_trial(&good, filters, "ex4", 2, 0.3, 0.01, 15);
    good.samples = 30, good.runs = 2;
    trial = good, trial.runs = 0;
    memset(results, 0xff, sizeof results);
    assert_status(okra_trial_run(&trial, results, &done), OKRA_E_PARAMETER);
    assert_int_equal(done, 0);
    for (size_t k = 0; k < FILTERS; k++) /* which may be given to okra_trial_free() */
        assert_true(!results[k].mse && !results[k].floor && results[k].centres == 0 && results[k].seconds == 0);
    trial = good, trial.n_filters = 0;
    assert_status(okra_trial_run(&trial, results, NULL), OKRA_E_PARAMETER);
    trial = good, trial.runs = (size_t)UINT32_MAX + 1;
    assert_status(okra_trial_run(&trial, results, NULL), OKRA_E_PARAMETER);
    trial = good, trial.filters = NULL;
    assert_status(okra_trial_run(&trial, results, NULL), OKRA_E_NULL);
    assert_status(okra_trial_run(&good, NULL, NULL), OKRA_E_NULL);
    trial = good, trial.signal.branch = OKRA_SIGNAL_BRANCHES;
    assert_status(okra_trial_run(&trial, results, NULL), OKRA_E_PARAMETER);
    filters[1].sigma = -2;
    done = 9;
    assert_status(okra_trial_run(&good, results, &done), OKRA_E_PARAMETER);
    assert_int_equal(done, 0);
    assert_null(results[0].mse);
    filters[1].sigma = 1;
    trial = good, trial.ranks = 2, trial.gather = nobody_answers;
    assert_status(okra_trial_run(&trial, results, &done), OKRA_E_READ);
    assert_int_equal(done, 0);
    trial.ranks = 1, trial.rank = 0; /* alone: nobody is asked */
    assert_ok(okra_trial_run(&trial, results, &done));
    okra_trial_free(results, FILTERS);
    okra_trial_free(NULL, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_change_nothing),
        cmocka_unit_test(a_failure_is_everybodys),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(curve_is_the_mean_of_squares),
        cmocka_unit_test(reproduces_the_references),
        cmocka_unit_test(paired_difference_on_example2),
        cmocka_unit_test(example1_by_size),
        cmocka_unit_test(trials_can_be_ended_and_refused),
        cmocka_unit_test(results_are_loops_written_out),
        cmocka_unit_test(progress_is_told),
        cmocka_unit_test(refusals_leave_nothing),
        cmocka_unit_test(seconds_are_a_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
