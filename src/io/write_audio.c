/*
 * Rows as frames of audio, through libsndfile. Its bytes go through our output, so that a full disk is reported as for
 * every other format. What it writes at the beginning, once the length is known, becomes a patch.
 *
 * Integers are made here: libsndfile writes with a scale of 2^15 - 1 but reads with 2^-15, so a file that is read and
 * written would change.
 */
#include <errno.h>
#include <math.h>
#include <sndfile.h>
#include <stdlib.h>

#include "table.h"
#include "writer.h"

enum { BLOCK_FRAMES = 1024 };

typedef struct audio_writer {
    SNDFILE *file;
    uint64_t at;   /* libsndfile's position */
    bool patched;  /* earlier bytes have been overwritten */
    int bits;      /* of an integer; 0: samples are floats */
    size_t max;    /* frames to hold until they are written */
    size_t held;   /* how many there are */
    int *whole;    /* [max][columns], in the upper bits, or .. */
    float *floats; /* .. these */
} audio_writer;

/* ---- the output as libsndfile sees it -------------------------------------------------------------------------- */

static audio_writer *own(const okra_writer *writer) { return writer->own; }

static sf_count_t file_length(void *user) { return (sf_count_t)((okra_writer *)user)->output.bytes; }

static sf_count_t file_tell(void *user) { return (sf_count_t)own(user)->at; }

static sf_count_t file_seek(sf_count_t offset, int whence, void *user)
{
    sf_count_t to = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file_tell(user) : file_length(user);
    if (__builtin_add_overflow(to, offset, &to) || to < 0 || to > file_length(user))
        return -1;
    own(user)->at = (uint64_t)to;
    return to;
}

/* GCOVR_EXCL_START: required by sf_open_virtual(), but not called when a file is written. */
static sf_count_t file_read(void *to, sf_count_t count, void *user)
{
    (void)to, (void)count, (void)user;
    return 0;
}
/* GCOVR_EXCL_STOP */

static sf_count_t file_write(const void *from, sf_count_t count, void *user)
{
    okra_output *output = &((okra_writer *)user)->output;
    uint64_t *at = &own(user)->at, behind = output->bytes - *at;
    size_t old = behind < (uint64_t)count ? (size_t)behind : (size_t)count;
    if (old > 0) {
        own(user)->patched = true;
        okra_output_flush(output);
        okra_output_patch(output, from, old, *at);
    }
    okra_output_put(output, (const char *)from + old, (size_t)count - old);
    *at += (uint64_t)count;
    return output->error ? 0 : count;
}

/* ---- opening ------------------------------------------------------------------------------------------------- */

static bool is_flac(const okra_writer *writer) { return writer->format->variant == OKRA_AUDIO_FLAC; }

/* libsndfile's names, and the bits of an integer. */
static const struct sample {
    int format, bits;
} samples[] = {{SF_FORMAT_PCM_16, 16}, {SF_FORMAT_PCM_24, 24}, {SF_FORMAT_PCM_32, 32}, {SF_FORMAT_FLOAT, 0}};

static const struct sample *sample_of(const okra_writer *writer)
{
    okra_sample_format wanted = writer->options.audio.sample;
    return &samples[is_flac(writer) && wanted != OKRA_SAMPLE_PCM16 ? OKRA_SAMPLE_PCM24 : wanted];
}

static okra_status refuse(const okra_writer *writer, okra_message *why)
{
    return okra_error(
        OKRA_E_PARAMETER, why,
        "%s: no such audio can be written: %zu channels at %u frames a second: FLAC has at most 8, WAV 1024",
        writer->output.name, writer->options.columns, (unsigned)writer->options.audio.rate);
}

static okra_status lack_memory(const okra_writer *writer, okra_message *why)
{
    return okra_error(OKRA_E_MEMORY, why, "%s: out of memory", writer->output.name);
}

static bool allocate(audio_writer *audio, const okra_writer_options *o)
{
    audio->max = o->live ? 1 : BLOCK_FRAMES;
    if (audio->bits > 0)
        audio->whole = calloc(audio->max * o->columns, sizeof *audio->whole);
    else
        audio->floats = calloc(audio->max * o->columns, sizeof *audio->floats);
    return audio->whole || audio->floats;
}

/* No peak chunk, which holds the time of day: the same rows must give the same bytes. */
static okra_status audio_begin(okra_writer *writer, const char *const *names, okra_message *why)
{
    (void)names;
    SF_INFO info = {.samplerate = (int)writer->options.audio.rate,
                    .channels = (int)writer->options.columns,
                    .format = (is_flac(writer) ? SF_FORMAT_FLAC : SF_FORMAT_WAV) | sample_of(writer)->format};
    audio_writer *audio = writer->own = calloc(1, sizeof *audio);
    if (!sf_format_check(&info))
        return refuse(writer, why);
    if (audio)
        audio->bits = sample_of(writer)->bits;
    if (!audio || !allocate(audio, &writer->options))
        return lack_memory(writer, why);
    SF_VIRTUAL_IO output = {file_length, file_seek, file_read, file_write, file_tell};
    audio->file = sf_open_virtual(&output, SFM_WRITE, &info, writer);
    if (!audio->file && writer->output.error)
        return okra_output_check(&writer->output, why);
    if (!audio->file)
        return okra_sound_lacks_memory() ? lack_memory(writer, why) : refuse(writer, why);
    sf_command(audio->file, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
    sf_command(audio->file, SFC_UPDATE_HEADER_NOW, NULL, 0);
    return OKRA_OK;
}

/* ---- rows ---------------------------------------------------------------------------------------------------- */

/* Frames that libsndfile does not accept are an error too. */
static void hand_over(okra_writer *writer)
{
    audio_writer *audio = own(writer);
    sf_count_t held = (sf_count_t)audio->held, taken = audio->bits > 0
                                                           ? sf_writef_int(audio->file, audio->whole, held)
                                                           : sf_writef_float(audio->file, audio->floats, held);
    if (taken != held && !writer->output.error)
        writer->output.error = ENOMEM; /* the likely cause in an encoder */
    audio->held = 0;
}

/* In the upper bits, where libsndfile expects it. */
static int whole_number(const okra_writer *writer, double x, uint64_t *clipped)
{
    int bits = own(writer)->bits;
    double full = ldexp(1, bits - 1), scaled = rint(x * full);
    double kept = fmax(-full, fmin(full - 1, scaled));
    *clipped += kept < scaled || kept > scaled;
    return (int)(kept * ldexp(1, 32 - bits));
}

static char *audio_row(okra_writer *writer, const double *values, char *to)
{
    audio_writer *audio = own(writer);
    size_t columns = writer->options.columns, first = audio->held * columns;
    for (size_t c = 0; c < columns; c++) {
        double x = isnan(values[c]) ? 0 : values[c];
        if (audio->bits > 0)
            audio->whole[first + c] = whole_number(writer, x, &writer->info.clipped);
        else
            audio->floats[first + c] = (float)x;
    }
    if (++audio->held == audio->max)
        hand_over(writer);
    return to;
}

static void audio_update_header(okra_writer *writer)
{
    audio_writer *audio = own(writer);
    hand_over(writer);
    sf_command(audio->file, SFC_UPDATE_HEADER_NOW, NULL, 0);
    okra_output_flush(&writer->output);
}

/* An encoder without memory for its last frames reports no error, but does not update the header. */
static void finish(okra_writer *writer)
{
    audio_writer *audio = own(writer);
    audio->patched = false;
    sf_close(audio->file);
    if (is_flac(writer) && !audio->patched && !writer->output.error)
        writer->output.error = ENOMEM;
}

static void audio_end(okra_writer *writer)
{
    audio_writer *audio = own(writer);
    if (!audio)
        return;
    if (audio->file)
        finish(writer);
    free(audio->whole);
    free(audio->floats);
    okra_output_flush(&writer->output);
}

const okra_writer_class okra_audio_writer = {
    .begin = audio_begin,
    .row = audio_row,
    .update_header = audio_update_header,
    .end = audio_end,
};
