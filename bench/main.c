/*
 * okra-bench, what `okra bench` runs: finds the sections, prints their tables, writes them as JSON. Exit status: 0
 * done, 1 something failed, 2 wrong usage.
 */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <okra/okra.h>

#include "bench.h"
#include "probe.h"
#include "sections.h"

#ifdef OKRA_HAVE_OPENBLAS
void openblas_set_num_threads(int n);
#endif

typedef struct section {
    const char *name;
    bool slow; /* takes minutes: runs only if named */
    void (*run)(bench *b);
    void (*run_f32)(bench *b); /* NULL if `run` does both precisions */
} section;

static const section sections[] = {
    {"lms", false, okra_lms_section_f64, okra_lms_section_f32},
    {"map", false, map_section, NULL},
    {"accuracy", false, accuracy_section, NULL},
    {"predict", false, okra_predict_section_f64, okra_predict_section_f32},
    {"kernel", false, kernel_section, NULL},
    {"rls", false, rls_section, NULL},
    {"sorf", false, sorf_section, NULL},
    {"io", false, io_section, NULL},
    {"worst", true, worst_section, NULL},
    {"floors", true, floors_section, NULL},
    {"growth", true, growth_section, NULL},
};

enum { SECTIONS = sizeof sections / sizeof *sections };

/* ---- the command line ---------------------------------------------------------------------------------------- */

typedef struct request {
    bool wanted[SECTIONS];
    const char *metrics;
} request;

static int unknown_section(const char *name)
{
    fprintf(stderr, "okra: bench has no section '%s': it has", name);
    for (size_t i = 0; i < SECTIONS; i++)
        fprintf(stderr, " %s,", sections[i].name);
    fputs(" and all\n", stderr);
    return 2;
}

static int take_section(const char *name, request *what)
{
    bool all = strcmp(name, "all") == 0, known = all;
    for (size_t i = 0; i < SECTIONS; i++)
        if (all || strcmp(name, sections[i].name) == 0)
            what->wanted[i] = known = true;
    return known ? 0 : unknown_section(name);
}

static int take_rounds(const char *text, bench *b)
{
    char *end;
    errno = 0;
    unsigned long rounds = strtoul(text, &end, 10);
    if (errno || *end || end == text || *text == '-' || rounds < 1 || rounds > 100000) {
        fprintf(stderr, "okra: --rounds: '%s' is no whole number from 1 to 100000\n", text);
        return 2;
    }
    b->rounds = rounds;
    return 0;
}

static int take_option(int option, const char *value, bench *b, request *what)
{
    if (option == 'r')
        return take_rounds(value, b);
    if (option == 'm')
        what->metrics = value;
    else if (option == 'o')
        b->directory = value;
    else if (option == 'q')
        b->quick = true;
    else
        b->quiet = true;
    return 0;
}

/* `okra bench` has looked at the options before; this is for who runs the program itself. */
static int refuse_option(const char *text)
{
    fprintf(stderr, "okra: bench: no option '%s', or its value is missing: 'okra help bench' lists them\n", text);
    return 2;
}

static int take_arguments(int argc, char **argv, bench *b, request *what)
{
    static const struct option options[] = {
        {"rounds", required_argument, NULL, 'r'}, {"metrics", required_argument, NULL, 'm'},
        {"out", required_argument, NULL, 'o'},    {"quick", no_argument, NULL, 'q'},
        {"quiet", no_argument, NULL, 's'},        {NULL, 0, NULL, 0},
    };
    int option, status = 0;
    opterr = 0;
    while (!status && (option = getopt_long(argc, argv, "", options, NULL)) != -1)
        status = option == '?' ? refuse_option(argv[optind - 1]) : take_option(option, optarg, b, what);
    for (size_t i = 0; optind == argc && i < SECTIONS; i++)
        what->wanted[i] = !sections[i].slow;
    for (int i = optind; i < argc && !status; i++)
        status = take_section(argv[i], what);
    return status;
}

/* ---- the results --------------------------------------------------------------------------------------------- */

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

static void print_machine(okra_json_writer *json)
{
    char cpu[256];
    double ghz = 1e-9 / probe_cycle();
    probe_cpu(cpu, sizeof cpu);
    printf("okra %s, instruction set %s, %s at %.2f GHz (a chain of multiply-adds of 4 cycles each, measured in every "
           "round), %s\n",
           okra_version(), okra_isa(), cpu, ghz, COMPILER);
    printf("Times are the shortest seen. Ratios, of processor time, are medians over the rounds, runners taking "
           "turns; ~ is half "
           "the way from the 10th to the 90th percentile.\n");
    fflush(stdout);
    okra_json_put_text(json, "version", okra_version());
    okra_json_put_text(json, "isa", okra_isa());
    okra_json_put_text(json, "cpu", cpu);
    okra_json_put_real(json, "ghz", ghz);
    okra_json_put_text(json, "compiler", COMPILER);
}

static void run_section(bench *b, const section *s, okra_json_writer *json)
{
    okra_json_open(json, s->name, '[');
    report_section(&b->report, json);
    s->run(b);
    if (s->run_f32)
        s->run_f32(b);
    okra_json_close(json);
}

static void run_all(bench *b, const request *what, okra_json_writer *json)
{
    okra_json_open(json, "sections", '{');
    for (size_t i = 0; i < SECTIONS; i++)
        if (what->wanted[i])
            run_section(b, &sections[i], json);
    okra_json_close(json);
}

static int write_metrics(const char *path, const char *text)
{
    FILE *file = path ? fopen(path, "w") : NULL;
    bool done = file && fputs(text, file) >= 0;
    int error = errno;
    if (file && fclose(file) != 0)
        done = false, error = errno;
    if (!path || done)
        return 0;
    fprintf(stderr, "okra: --metrics: '%s' cannot be written: %s\n", path, strerror(error));
    return 1;
}

int main(int argc, char **argv)
{
    bench b = {.directory = "okra-bench"};
    request what = {0};
    int status = take_arguments(argc, argv, &b, &what);
    if (status)
        return status;
    signal(SIGPIPE, SIG_IGN); /* a baseline that dies is an error to tell */
#ifdef OKRA_HAVE_OPENBLAS
    openblas_set_num_threads(1); /* one core, as all others */
#endif
    bench_expect(okra_isa() != NULL, okra_strerror(OKRA_E_ISA));
    okra_json_writer json = {.indent = 2};
    okra_json_open(&json, NULL, '{');
    print_machine(&json);
    run_all(&b, &what, &json);
    okra_json_close(&json);
    char *text = okra_text_take(&json.out);
    bench_expect(text != NULL, "out of memory");
    status = write_metrics(what.metrics, text);
    free(text);
    bench_expect(fflush(stdout) == 0 && !ferror(stdout), "standard output cannot be written");
    return status;
}
