/*
 * Memory that ends, disks that fill, calls that are cut short or fail: at every point of every command. Interruptions
 * and short reads and writes never show; everything else ends in one line and status 1, with nothing broken.
 *
 * The short form takes samples of the points; `test_cli_fault all` takes every one, `test_cli_fault all tune` those of
 * one case.
 */
#include "fault_case.h"

#include <unistd.h>

#include <okra/io.h>

static bool every_point;
static size_t dense = 2, stride = 151; /* of the points: the first `dense`, then every `stride`th */
static const char *only;
static size_t runs, met, told;

enum { ROWS = 150 };

/* clang-format off */
static const fault_case cases[] = {
    {.name = "run", .arguments = {"run", "--quiet", "--recipe", "rff-krls", "--features", "12", "--scale", "auto", "--sigma", "auto", "--interval", "90",
        "--on-drift", "report", "--save", "m.okra", "--checkpoint", "40", "--out", "out.csv", "--metrics", "out.json", "in.csv"},
     .results = {"m.okra", "out.csv", "out.json"}, .begins = {"old.okra"}},
    {.name = "pipe", .arguments = {"run", "--quiet"}, .piped = "in.csv"},
    {.name = "resume", .arguments = {"run", "--quiet", "--recipe", "qklms", "--capacity", "9", "--target-lags", "2", "--save", "m.okra",
        "--checkpoint", "30", "--resume", "--out", "out.csv", "--metrics", "out.json", "in.csv"},
     .results = {"m.okra", "out.csv", "out.json"}, .resumes = true},
    {.name = "resume NPY", .arguments = {"run", "--quiet", "--recipe", "rls", "--lags", "2", "--save", "m.okra", "--checkpoint", "50", "--resume",
        "--out", "out.npy", "in.csv"},
     .results = {"m.okra", "out.npy"}, .resumes = true},
    {.name = "keep", .arguments = {"run", "--quiet", "--recipe", "lms", "--inputs", "a", "--target", "y", "--keep", "note", "--bad-rows", "skip",
        "--save", "link.okra", "--line-buffered", "--out", "out.csv", "text.csv"},
     .results = {"m.okra", "out.csv"}, .begins = {"old.okra"}},
    {.name = "omega", .arguments = {"run", "--quiet", "--recipe", "rff-klms", "--sigma", "1", "--omega", "omega.csv", "--precision", "f32", "in.npy",
        "--format", "npy", "--out", "out.f32", "--metrics", "-"},
     .results = {"out.f32"}},
    {.name = "predict", .arguments = {"predict", "--quiet", "--load", "m.okra", "--out", "out.npy", "in.csv"},
     .results = {"m.okra", "out.npy"}, .begins = {"old.okra"}},
    {.name = "info", .arguments = {"info", "old.okra"}},
    {.name = "info JSON", .arguments = {"info", "--metrics", "out.json", "old.okra"}, .results = {"out.json"}},
    {.name = "export", .arguments = {"export", "--out", "out.json", "old.okra"}, .results = {"out.json"}, .begins = {"old.json"}},
    {.name = "export to a pipe", .arguments = {"export", "old.okra"}, .piped = "empty"},
    {.name = "import", .arguments = {"import", "--out", "m.okra", "new.json"}, .results = {"m.okra"}, .begins = {"old.okra"}},
    {.name = "signal", .arguments = {"signal", "ex2", "--samples", "100"}, .piped = "empty"},
    {.name = "signal FLAC", .arguments = {"signal", "echo", "--samples", "3000", "--out", "out.flac"}, .results = {"out.flac"}},
    {.name = "tune", .arguments = {"tune", "--quiet", "--recipe", "lms,rff-klms", "--budget", "3", "--threads", "2", "--metrics", "out.json", "in.csv"},
     .results = {"out.json"}, .timed = true, .teams = true},
    {.name = "compare", .arguments = {"compare", "--quiet", "--recipes", "rls,qklms", "--plot", "ascii", "--metrics", "out.json", "in.csv"},
     .results = {"out.json"}, .timed = true},
    {.name = "theory", .arguments = {"theory", "--dim", "2", "--features", "20", "--centres", "3", "--samples", "50", "--curve", "out.csv", "--metrics", "out.json"},
     .results = {"out.csv", "out.json"}},
    {.name = "list", .arguments = {"list"}},
    {.name = "help", .arguments = {"help", "run"}, .piped = "empty"},
    {.name = "echo WAV", .arguments = {"run", "--quiet", "--recipe", "nlms", "--in", "far.wav", "--target", "mic.wav", "--lags", "3", "--out", "out.wav"},
     .results = {"out.wav"}},
    {.name = "echo FLAC", .arguments = {"run", "--quiet", "--recipe", "nlms", "--in", "far.flac", "--target", "mic.wav", "--save", "m.okra", "--out", "out.flac"},
     .results = {"m.okra", "out.flac"}, .begins = {"old.okra"}, .decodes = true},
};
/* clang-format on */

/* ---- the folder ---------------------------------------------------------------------------------------------- */

static void write_rows(const char *name, okra_writer_options how, const double *rows, size_t first, size_t n)
{
    static const char *const names[] = {"a", "b", "y"};
    okra_writer *writer;
    okra_message why;
    how.names = names;
    if (okra_writer_open(name, &how, &writer, &why))
        fail_msg("%s", why.text);
    for (size_t i = 0; i < n; i++)
        assert_ok(okra_writer_row(writer, rows + 3 * i + first, NULL, NULL));
    assert_ok(okra_writer_close(writer, NULL));
}

static void write_inputs(void)
{
    static double rows[ROWS][3];
    okra_random random = {.seed = 5};
    okra_audio audio = {.rate = 8000};
    okra_random_uniform(&random, ROWS * 3, &rows[0][0]);
    for (size_t n = 0; n < ROWS; n++)
        rows[n][2] = 0.4 * sin(5 * rows[n][0]) + 0.1 * rows[n][1];
    write_rows("in.csv", (okra_writer_options){.columns = 3}, &rows[0][0], 0, ROWS);
    write_rows("in.npy", (okra_writer_options){.columns = 3}, &rows[0][0], 0, ROWS);
    write_rows("far.wav", (okra_writer_options){.columns = 1, .audio = audio}, &rows[0][0], 0, ROWS);
    write_rows("far.flac", (okra_writer_options){.columns = 1, .audio = audio}, &rows[0][0], 0, ROWS);
    write_rows("mic.wav", (okra_writer_options){.columns = 1, .audio = audio}, &rows[0][0], 2, ROWS);
    write_file("text.csv", "a,note,y\n1,\"one, and\",2\n2,two,x\n2,two,3\n3,,\n1,last,2\n");
    write_file("omega.csv", "omega1,omega2,b\n0.5,1,0\n-1,0.25,2\n0.1,0.1,4\n");
    write_file("empty", "");
}

static void make(const char *const *arguments)
{
    outcome result = run_program(&(call){0}, arguments);
    assert_done(result);
    outcome_free(&result);
}
#define MAKE(...) make((const char *const[]){OKRA_PROGRAM, __VA_ARGS__, NULL})

static int prepare(void **state)
{
    if (enter_directory(state))
        return -1;
    write_inputs();
    MAKE("run", "--quiet", "--recipe", "rls", "--scale", "auto", "--save", "old.okra", "--out", "any.csv", "in.csv");
    MAKE("run", "--quiet", "--recipe", "krls", "--capacity", "5", "--save", "new.okra", "--out", "any.csv", "in.csv");
    MAKE("export", "--out", "old.json", "old.okra");
    MAKE("export", "--out", "new.json", "new.okra");
    return symlink("m.okra", "link.okra");
}

/* ---- plans --------------------------------------------------------------------------------------------------- */

static bool run_case(const fault_case *s, const char *plan, const trace *wanted, const char *const *words, bool hidden)
{
    verdict v = fault_case_run(s, plan, wanted, words);
    runs++, met += v.met, told += v.told;
    if (hidden && v.told)
        fail_msg("%s, %s: must not show", s->name, plan);
    if (strcmp(s->name, "keep") == 0) {
        char target[16];
        assert_int_equal(readlink("link.okra", target, sizeof target), 6); /* a link stays one */
    }
    return v.met;
}

/* The fault at one call after the other, until none meets it. `plan` has a place for the number. */
static void sweep(const fault_case *s, const char *plan, const trace *wanted, const char *const *words)
{
    char text[64];
    size_t point = 1;
    for (;; point += point < dense ? 1 : stride) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(text, sizeof text, plan, point);
#pragma GCC diagnostic pop
        if (!run_case(s, text, wanted, words, false))
            return;
    }
}

static void for_every_case(void (*act)(const fault_case *s, const trace *wanted))
{
    size_t before = fault_case_complaints();
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        if (only && strcmp(only, cases[i].name) != 0)
            continue;
        trace wanted = fault_case_reference(&cases[i]);
        act(&cases[i], &wanted);
        trace_free(&wanted);
    }
    assert_int_equal(fault_case_complaints(), before);
}

/* In the short form cases share the plans among them. */
static bool takes_turn(const fault_case *s, size_t plan)
{
    return every_point || ((size_t)(s - cases) + plan) % 4 == 0;
}

static void interrupt(const fault_case *s, const trace *wanted)
{
    static const char *const plans[] = {"read:one,write:half", "read:half,write:one", "read:eintr,write:eintr"};
    for (size_t i = 0; i < COUNT_OF(plans); i++)
        if (takes_turn(s, i))
            run_case(s, plans[i], wanted, NULL, true);
}

static void short_and_interrupted_calls_never_show(void **state)
{
    (void)state;
    for_every_case(interrupt);
}

/* libsndfile itself does not survive all of its own. */
static void fail_allocations(const fault_case *s, const trace *wanted)
{
    static const char *const memory[] = {"memory", NULL};
    const char *const *words = s->decodes ? NULL : memory;
    sweep(s, "spare:libsndfile,alloc:enomem@%zu", wanted, words);
    if (takes_turn(s, 0))
        sweep(s, "spare:libsndfile,alloc:enomem@%zu+", wanted, words);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for_every_case(fail_allocations);
}

static void fail_calls(const fault_case *s, const trace *wanted)
{
    static const char *const plans[] = {
        "open:emfile@%zu",  "open:eacces@%zu+",  "read:eio@%zu+",  "write:eio@%zu+",
        "write:enospc@%zu", "sync:eio@%zu",      "rename:eio@%zu", "close:eio@%zu",
        "seek:eio@%zu",     "truncate:eio@%zu+", "stat:eio@%zu",   "thread:eagain@%zu",
    };
    for (size_t i = 0; i < COUNT_OF(plans); i++)
        if (takes_turn(s, i) && (strncmp(plans[i], "thread", 6) != 0 || !s->teams))
            sweep(s, plans[i], wanted, NULL);
}

static void every_call_may_fail(void **state)
{
    (void)state;
    for_every_case(fail_calls);
}

/* Rows that a reader has closed its ears to: one line, whichever row it was. */
static void leave(const fault_case *s, const trace *wanted)
{
    static const char *const words[] = {"closed it", NULL};
    if (s->piped)
        sweep(s, "write:epipe@%zu+", wanted, words);
}

static void a_reader_may_leave_at_any_row(void **state)
{
    (void)state;
    for_every_case(leave);
}

/* At steps through all that a case writes, until the disk is large enough. */
static void fill_the_disk(const fault_case *s, const trace *wanted)
{
    static const char *const words[] = {"No space left", NULL};
    char plan[32];
    size_t step = every_point ? 101 : 4999, space = 0;
    do
        snprintf(plan, sizeof plan, "space:%zu", space);
    while (space += space == 0 ? 1 : step, run_case(s, plan, wanted, words, false));
}

static void the_disk_may_be_full(void **state)
{
    (void)state;
    for_every_case(fill_the_disk);
}

static int report(void **state)
{
    print_message("%zu runs: %zu met their fault, %zu told it in one line, %zu did not let it show\n", runs, met, told,
                  met - told);
    return leave_directory(state);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_and_interrupted_calls_never_show),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(every_call_may_fail),
        cmocka_unit_test(a_reader_may_leave_at_any_row),
        cmocka_unit_test(the_disk_may_be_full),
    };
    if (argc > 1 && strcmp(argv[1], "all") == 0)
        every_point = true, dense = SIZE_MAX, stride = 1;
    only = argc > 2 ? argv[2] : NULL;
    return cmocka_run_group_tests_name("cli fault", tests, prepare, report);
}
