/*
 * An echo canceller: WAV in, WAV out. What a loudspeaker plays comes back to the microphone through its own distortion
 * and the room; a model learns that way and takes the echo away. The sound is generated, five seconds of it at 16 kHz:
 * channel 1 is what was played, channel 2 what the microphone heard.
 *
 *     03_echo_canceller FOLDER      writes pair.wav there, and residual.wav: the microphone without its echo
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <okra/io.h>
#include <okra/lab.h>
#include <okra/okra.h>

enum { RATE = 16000, FRAMES = 5 * RATE, TAPS = 16 };
static const okra_audio format = {.rate = RATE, .sample = OKRA_SAMPLE_PCM16};

/* Ends the program where something went wrong: what it was is in `why`. */
static void check(okra_status status, const okra_message *why)
{
    if (status) {
        fprintf(stderr, "03_echo_canceller: %s\n", *why->text ? why->text : okra_strerror(status));
        exit(1);
    }
}

/* ---- a pair of far end and microphone --------------------------------------------------------------------- */

static void make_pair(const char *path)
{
    static double far[FRAMES], mic[FRAMES];
    okra_message why = {""};
    okra_signal_spec spec;
    okra_signal *echo;
    okra_writer *writer;
    check(okra_signal_spec_init(&spec, "echo"), &why);
    check(okra_signal_create(&spec, &echo), &why);
    okra_signal_next(echo, FRAMES, far, mic);
    okra_signal_free(echo);

    check(okra_writer_open(path, &(okra_writer_options){.columns = 2, .audio = format}, &writer, &why), &why);
    for (size_t t = 0; t < FRAMES; t++)
        check(okra_writer_row(writer, (double[]){far[t], mic[t]}, NULL, &why), &why);
    check(okra_writer_close(writer, &why), &why);
}

/* ---- cancelling --------------------------------------------------------------------------------------------- */

/* The inputs themselves, and random features of them for what the loudspeaker has bent. */
static okra_filter *make_canceller(const char *recipe)
{
    okra_message why = {""};
    okra_spec spec;
    okra_filter *model;
    check(okra_spec_init(&spec, recipe, 1, 1), &why);
    spec.lags = TAPS;
    if (spec.features) { /* the linear recipes have none, and a map of their own */
        spec.features = 200;
        spec.map = OKRA_MAP_LINEAR + OKRA_MAP_ORF;
        spec.sigma = 0.7;
    }
    check(okra_spec_check(&spec, &why), &why);
    check(okra_create(&spec, &model), &why);
    return model;
}

/* Writes what is left of the microphone; the echo return loss enhancement of the second half, in dB. */
static double cancel(const char *recipe, const char *in, const char *out)
{
    okra_message why = {""};
    okra_table *table;
    okra_writer *writer;
    okra_filter *model = make_canceller(recipe);
    double frame[2], echo, before = 0, after = 0;
    bool more = true;
    check(okra_table_open(in, NULL, &table, &why), &why);
    check(okra_writer_open(out, &(okra_writer_options){.columns = 1, .audio = format}, &writer, &why), &why);
    for (size_t t = 0; check(okra_table_next(table, frame, &more, &why), &why), more; t++) {
        check(okra_step(model, &frame[0], &frame[1], 1, &echo, NULL), &why);
        double left = isnan(echo) ? frame[1] : frame[1] - echo; /* no prediction until the taps are filled */
        check(okra_writer_row(writer, &left, NULL, &why), &why);
        if (t >= FRAMES / 2)
            before += frame[1] * frame[1], after += left * left;
    }
    check(okra_writer_close(writer, &why), &why);
    okra_table_close(table);
    okra_free(model);
    return 10 * log10(before / after);
}

int main(int argc, char **argv)
{
    char pair[512], residual[512];
    const char *folder = argc > 1 ? argv[1] : ".";
    if ((size_t)snprintf(pair, sizeof pair, "%s/pair.wav", folder) >= sizeof pair ||
        (size_t)snprintf(residual, sizeof residual, "%s/residual.wav", folder) >= sizeof residual) {
        fprintf(stderr, "03_echo_canceller: the name of the folder is too long\n");
        return 1;
    }
    make_pair(pair);
    printf("the echo is weaker by, second half of %d s:\n", FRAMES / RATE);
    printf("nlms, linear          %5.1f dB\n", cancel("nlms", pair, residual));
    printf("rff-krls, 200 features%5.1f dB\n", cancel("rff-krls", pair, residual));
    printf("listen to %s and %s\n", pair, residual);
    return 0;
}
