/*
 * A time series that is learnt for as long as it lasts, by a program that may be interrupted at any moment. The model
 * is saved every 1000 rows; the next start loads it and continues with the next row, to the same bits as if nothing had
 * happened. Here the interruption is simulated: the model is dropped between two checkpoints.
 *
 *     05_checkpoints FOLDER         saves series.okra there
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <okra/lab.h>
#include <okra/model_file.h>
#include <okra/okra.h>

enum { ROWS = 6000, CHECKPOINT = 1000, INTERRUPTED = 3500, LEARNT = ROWS / 2 };

static void check(okra_status status, const okra_message *why)
{
    if (status) {
        fprintf(stderr, "05_checkpoints: %s\n", *why->text ? why->text : okra_strerror(status));
        exit(1);
    }
}

/* ---- the service ------------------------------------------------------------------------------------------ */

/* A model of the series: ten past values, scale and kernel width found by itself. */
static okra_filter *make_model(const char *recipe)
{
    okra_message why = {""};
    okra_spec spec;
    okra_filter *model;
    check(okra_spec_init(&spec, recipe, 0, 1), &why);
    spec.target_lags = 10;
    spec.scale = OKRA_SCALE_AUTO;
    if (spec.features)
        spec.sigma = OKRA_SIGMA_AUTO;
    check(okra_create(&spec, &model), &why);
    return model;
}

/* The model of the last checkpoint and its next row; a new model if there is none. */
static okra_filter *start(const char *path, size_t *row)
{
    okra_message why = {""};
    okra_metadata *metadata;
    okra_filter *model;
    *row = 0;
    if (access(path, F_OK) != 0)
        return make_model("rff-krls");
    check(okra_load(path, 0, &model, &metadata, &why), &why); /* never start again silently because of a bad file */
    const char *text = okra_metadata_get(metadata, "row");
    if (text)
        *row = strtoul(text, NULL, 10);
    else {
        snprintf(why.text, sizeof why.text, "%s does not say how far it has come", path);
        check(OKRA_E_FORMAT, &why);
    }
    okra_metadata_free(metadata);
    return model;
}

static void save(const okra_filter *model, const char *path, size_t row)
{
    okra_message why = {""};
    okra_metadata *metadata = NULL;
    char text[32];
    snprintf(text, sizeof text, "%zu", row);
    check(okra_metadata_set(&metadata, "row", text), &why);
    check(okra_save(model, path, metadata, &why), &why); /* the old file or the new one, never half of one */
    okra_metadata_free(metadata);
}

/* From where the last one stopped up to row `end`, with checkpoints. */
static void serve(const char *path, const double *series, size_t end, double *yhat)
{
    okra_message why = {""};
    size_t row;
    okra_filter *model = start(path, &row);
    printf("from row %4zu to %4zu\n", row + 1, end);
    for (; row < end; row++) {
        check(okra_step(model, NULL, &series[row], 1, &yhat[row], NULL), &why);
        if ((row + 1) % CHECKPOINT == 0)
            save(model, path, row + 1);
    }
    okra_free(model);
}

/* ---- the demonstration ------------------------------------------------------------------------------------ */

/* Mean squared error of the second half, over the series' variance there, in dB. */
static double error_db(const double *series, const double *yhat)
{
    double wrong = 0, sum = 0, squares = 0;
    for (size_t n = LEARNT; n < ROWS; n++) {
        wrong += (series[n] - yhat[n]) * (series[n] - yhat[n]);
        sum += series[n], squares += series[n] * series[n];
    }
    return 10 * log10(wrong / (squares - sum * sum / (ROWS - LEARNT)));
}

static void learn_once(okra_filter *model, const double *series, double *yhat)
{
    okra_message why = {""};
    for (size_t row = 0; row < ROWS; row++)
        check(okra_step(model, NULL, &series[row], 1, &yhat[row], NULL), &why);
    okra_free(model);
}

int main(int argc, char **argv)
{
    static double series[ROWS], linear[ROWS], whole[ROWS], resumed[ROWS];
    char path[512];
    okra_message why = {""};
    okra_signal_spec spec;
    okra_signal *signal;
    if ((size_t)snprintf(path, sizeof path, "%s/series.okra", argc > 1 ? argv[1] : ".") >= sizeof path) {
        fprintf(stderr, "05_checkpoints: the name of the folder is too long\n");
        return 1;
    }
    check(okra_signal_spec_init(&spec, "mackey-glass"), &why);
    check(okra_signal_create(&spec, &signal), &why);
    okra_signal_next(signal, ROWS, NULL, series);
    okra_signal_free(signal);

    remove(path);
    serve(path, series, INTERRUPTED, resumed); /* what it learnt after row 3000 is lost */
    serve(path, series, ROWS, resumed);
    learn_once(make_model("rff-krls"), series, whole);
    learn_once(make_model("rls"), series, linear);
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c): bits are what is compared */
    bool same = memcmp(whole, resumed, sizeof whole) == 0;
    printf("interrupted or not: %s\n", same ? "the same bits" : "DIFFERENT");
    printf("rls, linear  %6.1f dB\n", error_db(series, linear));
    printf("rff-krls     %6.1f dB\n", error_db(series, resumed));
    return same ? 0 : 1;
}
