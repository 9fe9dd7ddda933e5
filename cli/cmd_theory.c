/*
 * okra theory: what to expect of RFF-KLMS before running anything.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <okra/io.h>
#include <okra/lab.h>

#include "commands.h"
#include "common/json_file.h"
#include "stream/omega_file.h"
#include "common/output.h"
#include "common/message.h"

/* ---- the setting -------------------------------------------------------------------------------------------- */

enum { MAX = 1000000 };

typedef struct request {
    uint64_t dim, features, seed, centres, samples; /* 0 features: not given; 0 centres: no model of the targets */
    double sigma, mu, noise, sigma_x, centre_sigma, weight_sigma;
    bool paired, quiet;
    const char *omega, *curve; /* files; NULL: not given */
} request;

static int check_numbers(const request *r)
{
    const struct {
        const char *name;
        double value;
        bool above_zero;
    } numbers[] = {{"sigma", r->sigma, true},
                   {"mu", r->mu, true},
                   {"noise", r->noise, false},
                   {"sigma-x", r->sigma_x, true},
                   {"centre-sigma", r->centre_sigma, false},
                   {"weight-sigma", r->weight_sigma, false}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!(numbers[i].above_zero ? numbers[i].value > 0 : numbers[i].value >= 0))
            return message_fail(EXIT_USAGE, "--%s %g is out of range: give a number %s", numbers[i].name,
                                numbers[i].value, numbers[i].above_zero ? "above 0" : "of 0 or more");
    return EXIT_DONE;
}

static int take_setting(const request *r, okra_theory_spec *spec, omega *given)
{
    okra_theory_spec_init(spec);
    spec->dim = (size_t)r->dim, spec->seed = r->seed, spec->centres = (size_t)r->centres;
    spec->sigma = r->sigma, spec->mu = r->mu, spec->noise = r->noise, spec->sigma_x = r->sigma_x;
    spec->centre_sigma = r->centre_sigma, spec->weight_sigma = r->weight_sigma;
    spec->paired = r->paired;
    spec->features = r->features ? (size_t)r->features : spec->features;
    int status = check_numbers(r);
    if (status || !r->omega)
        return status;
    status = omega_load(given, r->omega, spec->dim);
    if (!status && r->features && r->features != given->features)
        return message_fail(EXIT_USAGE, "--features %zu: %s has %zu rows, one per feature: leave --features out",
                            (size_t)r->features, r->omega, given->features);
    spec->features = given->features, spec->omega = given->omega, spec->phase = given->phase;
    return status;
}

/* ---- the answer --------------------------------------------------------------------------------------------- */

static void make_answer(okra_json_writer *w, const okra_theory_spec *spec, const okra_theory_figures *f)
{
    const struct {
        const char *name;
        double value;
    } rows[] = {{"lambda_max", f->lambda_max},  {"trace", f->trace},
                {"mu_max", f->mu_max},          {"mu_max_mean", f->mu_max_mean},
                {"mu_max_mse", f->mu_max_mse},  {"mse_optimal_db", 10 * log10(f->mse_optimal)},
                {"mse_db", 10 * log10(f->mse)}, {"mse_db_paper", 10 * log10(f->mse_paper)}};
    okra_json_open(w, NULL, '{');
    okra_json_put_count(w, "dim", spec->dim);
    okra_json_put_count(w, "features", spec->features);
    okra_json_put_real(w, "mu", spec->mu);
    okra_json_put_count(w, "rank", f->rank);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        okra_json_put_real(w, rows[i].name, rows[i].value);
    okra_json_close(w);
}

static void print_answer(const okra_theory_spec *spec, const okra_theory_figures *f)
{
    printf("lambda_max    %-12.6g largest eigenvalue of R = E[z z']\n", f->lambda_max);
    printf("trace         %-12.6g of R\n", f->trace);
    printf("rank          %-12zu eigenvalues above 1e-6 of the trace\n", f->rank);
    printf("mu_max        %-12.6g 2 / trace: keep the step size below this one\n", f->mu_max);
    printf("mu_max_mean   %-12.6g 2 / lambda_max: bounds the mean only\n", f->mu_max_mean);
    printf("mu_max_mse    %-12.6g 1 / lambda_max: the paper's condition\n", f->mu_max_mse);
    printf("mse_db        %-12.6g steady state at mu = %g%s\n", 10 * log10(f->mse), spec->mu,
           spec->mu < f->mu_max ? "" : ": it diverges; lower mu");
    printf("mse_db_paper  %-12.6g the same by the paper's formula, without the second-order term\n",
           10 * log10(f->mse_paper));
}

static int write_metrics(const arguments *options, const okra_theory_spec *spec, const okra_theory_figures *f)
{
    output out;
    int status = json_file_open(&out, options, "answer");
    if (status || !out.file)
        return status;
    okra_json_writer made = {.indent = 2};
    make_answer(&made, spec, f);
    status = json_file_write(&out, &made);
    int closed = output_close(&out);
    return status ? status : closed;
}

/* n, refined, paper */
static int write_curve(const request *r, const okra_theory *theory)
{
    size_t n = (size_t)r->samples;
    double *curves = malloc((2 * n + 1) * sizeof *curves);
    output out = {0};
    int status = curves ? EXIT_DONE : message_fail(EXIT_IO, "out of memory for a curve of %zu samples", n);
    okra_status refined = status ? OKRA_OK : okra_theory_curve(theory, 0, n, curves);
    if (refined && refined != OKRA_E_MEMORY)
        status = message_fail(EXIT_USAGE, "--curve: needs a model of the targets: give --centres, as in --centres 10");
    else if (!status && (refined || okra_theory_curve(theory, 1, n, curves + n)))
        status = message_fail(EXIT_IO, "out of memory for a curve of %zu samples", n);
    if (!status)
        status = output_open(&out, r->curve);
    if (!status) {
        output_text(&out, "n,refined,paper");
        status = output_row(&out);
    }
    for (size_t i = 0; i < n && !status; i++) {
        char text[32];
        snprintf(text, sizeof text, "%zu,", i + 1);
        output_text(&out, text);
        output_real(&out, curves[i]);
        output_text(&out, ",");
        output_real(&out, curves[n + i]);
        status = output_row(&out);
    }
    free(curves);
    int closed = output_close(&out);
    return status ? status : closed;
}

static int answer(const arguments *options, const request *r, const okra_theory_spec *spec)
{
    okra_theory *theory;
    okra_message why;
    if (okra_theory_spec_check(spec, &why))
        return message_fail(EXIT_USAGE, "%s", why.text);
    okra_status failed = okra_theory_create(spec, &theory);
    if (failed)
        return message_fail(EXIT_IO, "%s", okra_strerror(failed));
    int status = write_metrics(options, spec, okra_theory_get(theory));
    if (!status && r->curve)
        status = write_curve(r, theory);
    if (!status && !r->quiet)
        print_answer(spec, okra_theory_get(theory));
    okra_theory_free(theory);
    return status;
}

static int cmd_theory(const arguments *options)
{
    request r = {0};
    okra_theory_spec spec;
    omega given = {0};
    int status = arguments_read(options, &r);
    if (!status)
        status = take_setting(&r, &spec, &given);
    if (!status)
        status = answer(options, &r, &spec);
    omega_free(&given);
    return status;
}

static const cli_option options[] = {
    {"dim", "N", "numbers in an input", TO_COUNT(request, dim, 0, MAX), .fallback = "5"},
    {"sigma", "REAL", "width of the gaussian kernel", TO_REAL(request, sigma), .fallback = "5"},
    {"features", "N", "number of features D", TO_COUNT(request, features, 0, MAX), .absent = "1000"},
    {"seed", "N", "of the features", TO_COUNT(request, seed, 0, MAX), .fallback = "1"},
    {"paired", NULL, "cosine and sine of D/2 frequencies, instead of cosines with phases", TO_FLAG(request, paired)},
    {"omega", "FILE", "features from a CSV file with the columns omega1,..,b in radians", TO_TEXT(request, omega),
     .absent = "drawn from --seed"},
    {"mu", "REAL", "step size", TO_REAL(request, mu), .fallback = "1"},
    {"noise", "REAL", "deviation of the noise", TO_REAL(request, noise), .fallback = "0.1"},
    {"sigma-x", "REAL", "deviation of the inputs", TO_REAL(request, sigma_x), .fallback = "1"},
    {"centres", "N", "number of centres of the kernel expansion that makes the targets",
     TO_COUNT(request, centres, 0, MAX), .absent = "no model of the targets"},
    {"centre-sigma", "REAL", "deviation of the centres", TO_REAL(request, centre_sigma), .fallback = "1"},
    {"weight-sigma", "REAL", "deviation of their weights", TO_REAL(request, weight_sigma), .fallback = "5"},
    {"curve", "FILE", "the predicted learning curve as CSV: n,refined,paper; needs --centres", TO_TEXT(request, curve)},
    {"samples", "N", "length of the curve", TO_COUNT(request, samples, 0, MAX), .fallback = "5000"},
    {"metrics", "FILE", "the answer as JSON", TO_NOTHING},
    {"quiet", NULL, "no text", TO_FLAG(request, quiet)},
    HELP_OPTION,
};

const cli_command theory_command = {
    .name = "theory",
    .help = "step size bounds and steady state of rff-klms, before running it",
    .more = "For inputs drawn from a normal distribution: the spectrum of the features' correlation R, the bounds on "
            "the step size, the steady-state error and the learning curve, by the paper's recursion and by one that "
            "keeps the second-order term.",
    .examples = "  okra theory --dim 5 --sigma 5 --features 300 --mu 1\n",
    .options = options,
    .run = cmd_theory,
};
