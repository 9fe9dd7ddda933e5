/*
 * okra signal: synthetic streams, as long as wanted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <okra/io.h>
#include <okra/lab.h>

#include "commands.h"
#include "common/message.h"
#include "common/text.h"

/* ---- options: the fixed ones, every constant that some signal has, --help ------------------------------------ */

typedef struct request {
    uint64_t samples, seed, run, rate;
    const char *out;
} request;

enum { FIXED_OPTIONS = 5, MAX_OPTIONS = 64 };

static cli_option options[MAX_OPTIONS + 1] = {
    {"samples", "N", "how many; 0 for an endless stream", TO_COUNT(request, samples, 0, UINT64_MAX),
     .fallback = "1000"},
    {"seed", "N", "of everything random", TO_COUNT(request, seed, 0, UINT64_MAX), .fallback = "1"},
    {"run", "N", "the realisation under that seed", TO_COUNT(request, run, 0, UINT32_MAX), .fallback = "0"},
    {"out", "FILE", "output file; its name's ending chooses the format: see 'okra list'", TO_TEXT(request, out),
     .absent = "standard output, as CSV"},
    {"rate", "N", "samples a second, of audio", TO_COUNT(request, rate, 1, INT32_MAX), .fallback = "16000"},
};

static bool has_option(const char *name)
{
    for (const cli_option *o = options; o->name; o++)
        if (strcmp(o->name, name) == 0)
            return true;
    return false;
}

/* The table of signals is the library's; its constants become options before main() looks at any. */
__attribute__((constructor)) static void add_constants(void)
{
    const okra_signal_kind *kind;
    size_t n = FIXED_OPTIONS;
    for (size_t i = 0; (kind = okra_signal_at(i)); i++)
        for (const okra_signal_param *p = kind->params; p->name; p++)
            if (!has_option(p->name) && n == MAX_OPTIONS - 1)
                abort(); /* which every test would see: MAX_OPTIONS is too small for the library's table */
            else if (!has_option(p->name))
                options[n++] = (cli_option){p->name, "REAL", p->help, TO_NOTHING};
    options[n] = (cli_option){"help", NULL, "this text", TO_NOTHING};
}

/* ---- what to generate --------------------------------------------------------------------------------------- */

static int take_constants(const arguments *given, okra_signal_spec *spec)
{
    for (size_t i = FIXED_OPTIONS; options[i].argument; i++) { /* up to --help */
        okra_message why;
        double value;
        if (!arguments_value(given, options[i].name))
            continue;
        int status = arguments_number(given, options[i].name, &value);
        if (status)
            return status;
        if (okra_signal_spec_set(spec, options[i].name, value, &why))
            return message_fail(EXIT_USAGE, "--%s: %s", options[i].name, why.text);
    }
    return EXIT_DONE;
}

static int unknown_signal(const char *name)
{
    char hint[HINT_TEXT];
    const okra_signal_kind *kind;
    if (!name)
        return message_fail(EXIT_USAGE, "name a signal: 'okra list' shows them");
    nearest search = nearest_to(name);
    for (size_t i = 0; (kind = okra_signal_at(i)); i++)
        nearest_offer(&search, kind->name);
    return message_fail(EXIT_USAGE, "no signal '%s': %s", name,
                        nearest_hint(&search, "", "'okra list' shows them", hint));
}

static int take_spec(const arguments *given, const request *r, okra_signal_spec *spec)
{
    if (okra_signal_spec_init(spec, given->operand ? given->operand : ""))
        return unknown_signal(given->operand);
    spec->seed = r->seed;
    spec->run = (uint32_t)r->run;
    return take_constants(given, spec);
}

/* ---- generating --------------------------------------------------------------------------------------------- */

enum { CHUNK = 256, MAX_INPUTS = 1000 };

static int open_writer(const request *r, size_t inputs, okra_writer **writer)
{
    static char names[MAX_INPUTS][24];
    static const char *columns[MAX_INPUTS + 1];
    okra_message why;
    if (inputs > MAX_INPUTS)
        return message_fail(EXIT_USAGE, "%zu inputs: at most %d can be written", inputs, MAX_INPUTS);
    for (size_t j = 0; j < inputs; j++) {
        snprintf(names[j], sizeof names[j], inputs == 1 ? "u" : "x%zu", j + 1);
        columns[j] = names[j];
    }
    columns[inputs] = "y";
    okra_writer_options how = {.columns = inputs + 1, .names = columns, .audio = {.rate = (uint32_t)r->rate}};
    return okra_writer_open(r->out, &how, writer, &why) ? message_fail(EXIT_IO, "%s", why.text) : EXIT_DONE;
}

static int write_rows(okra_writer *writer, size_t inputs, size_t n, const double *X, const double *y)
{
    double row[MAX_INPUTS + 1];
    for (size_t i = 0; i < n; i++) {
        okra_message why;
        memcpy(row, X + i * inputs, inputs * sizeof *row);
        row[inputs] = y[i];
        if (okra_writer_row(writer, row, NULL, &why))
            return message_fail(EXIT_IO, "%s", why.text);
    }
    return EXIT_DONE;
}

static int write_signal(okra_signal *signal, uint64_t samples, okra_writer *writer)
{
    size_t inputs = okra_signal_inputs(signal);
    double *X = malloc(CHUNK * (inputs + 1) * sizeof *X), y[CHUNK];
    int status = X ? EXIT_DONE : message_fail(EXIT_IO, "out of memory");
    for (uint64_t done = 0; !status && (samples == 0 || done < samples); done += CHUNK) {
        size_t n = samples && samples - done < CHUNK ? (size_t)(samples - done) : CHUNK;
        okra_signal_next(signal, n, X, y);
        status = write_rows(writer, inputs, n, X, y);
    }
    free(X);
    return status;
}

static int cmd_signal(const arguments *given)
{
    okra_signal_spec spec;
    okra_signal *signal;
    okra_writer *writer = NULL;
    request r = {0};
    okra_message why;
    int status = arguments_read(given, &r);
    if (!status)
        status = take_spec(given, &r, &spec);
    if (status)
        return status;
    okra_status made = okra_signal_create(&spec, &signal);
    if (made)
        return message_fail(EXIT_IO, "%s", okra_strerror(made));
    status = open_writer(&r, okra_signal_inputs(signal), &writer);
    if (!status)
        status = write_signal(signal, r.samples, writer);
    if (okra_writer_get(writer)->clipped > 0)
        message_note("%llu values outside -1..1 were clipped: write CSV to keep them",
                     (unsigned long long)okra_writer_get(writer)->clipped);
    if (okra_writer_close(writer, &why) && !status)
        status = message_fail(EXIT_IO, "%s", why.text);
    okra_signal_free(signal);
    return status;
}

const cli_command signal_command = {
    .name = "signal",
    .operand = "SIGNAL",
    .help = "write a synthetic stream: the paper's examples and classic ones",
    .more = "SIGNAL is one of 'okra list'; ex1 to ex4 are the paper's examples. Columns are the inputs, then the "
            "target y. Constants have the signal's own defaults. A signal refuses constants that it does not have.",
    .examples = "  okra signal ex2 --samples 10000 --out stream.csv\n",
    .options = options,
    .run = cmd_signal,
};
