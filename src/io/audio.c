/*
 * Audio through libsndfile: a frame is a row, a channel a column. libsndfile seeks, so it has the descriptor to itself,
 * and a pipe cannot be read. It reads through our callbacks, because it takes a read error for the end of the file.
 */
#include <sndfile.h>
#include <stdlib.h>

#include "raw.h"
#include "transfer.h"

enum { BLOCK_FRAMES = 1024 };

typedef struct audio_table {
    okra_raw raw; /* rows are taken from the block as from any bytes */
    SNDFILE *file;
    double *block; /* decoded frames: `held` of them, of which `at` are delivered */
    size_t held, at;
    off_t begin, place; /* offset of the sound in the file, and libsndfile's position in it */
    int error;          /* errno of the first read that failed; 0: none */
} audio_table;

/* ---- the file as libsndfile sees it -------------------------------------------------------------------------- */

static sf_count_t file_length(void *user)
{
    const audio_table *audio = user;
    return (sf_count_t)(audio->raw.base.source.size - audio->begin);
}

static sf_count_t file_tell(void *user) { return (sf_count_t)((audio_table *)user)->place; }

static sf_count_t file_seek(sf_count_t offset, int whence, void *user)
{
    audio_table *audio = user;
    sf_count_t to = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file_tell(user) : file_length(user), beyond;
    if (__builtin_add_overflow(to, offset, &to) || to < 0 || __builtin_add_overflow(audio->begin, to, &beyond))
        return -1; /* an offset from the file may be anything */
    audio->place = (off_t)to;
    return to;
}

static sf_count_t file_read(void *to, sf_count_t count, void *user)
{
    audio_table *audio = user;
    size_t done = 0;
    if (!audio->error)
        done = okra_read_at(audio->raw.base.source.fd, to, (size_t)count, audio->begin + audio->place, &audio->error);
    audio->place += (off_t)done;
    return (sf_count_t)done;
}

static sf_count_t file_write(const void *from, sf_count_t count, void *user)
{
    (void)from, (void)count, (void)user;
    return 0;
}

/* libsndfile has a text for it, but no public number. */
bool okra_sound_lacks_memory(void)
{
    const char *cause = sf_strerror(NULL);
    return strstr(cause, "malloc") || strstr(cause, "creating flac");
}

/* ---- what is not read ---------------------------------------------------------------------------------------- */

static okra_status refuse_disk(const audio_table *audio, okra_message *why)
{
    return okra_error(OKRA_E_READ, why, "%s: cannot be read: %s: check the disk, or use another copy",
                      audio->raw.base.source.path, okra_error_text(audio->error));
}

static okra_status refuse_sound(const okra_source *source, okra_message *why)
{
    const char *cause = sf_strerror(NULL);
    if (okra_sound_lacks_memory())
        return okra_error(OKRA_E_MEMORY, why, "%s: out of memory", source->path);
    int length = (int)strcspn(cause, ".\n");
    return okra_refuse(why, "%s: cannot be read as audio: %.*s: convert it to WAV or FLAC, with sox or ffmpeg",
                       source->path, length, cause);
}

/*
 * A header that was to be completed later. libsndfile believes a length of 0; if the length is marked as open, it finds
 * the end itself.
 */
static okra_status note_open(okra_table *table, okra_message *why)
{
    okra_message note;
    if (table->audio.frames == 0)
        return okra_refuse(why,
                           "%s: its header tells of no sound, and there is more behind it: the program that wrote it "
                           "was stopped, or wrote into a pipe: save what there is with 'sox --ignore-length'",
                           table->source.path);
    okra_message_set(&note,
                     "%s: its header does not tell how long it is, as of a program that wrote into a pipe, or was "
                     "stopped: its %llu rows are what there is",
                     table->source.path, (unsigned long long)table->audio.frames);
    table->note = strdup(note.text);
    return table->note ? OKRA_OK : okra_error(OKRA_E_MEMORY, why, "%s: out of memory", table->source.path);
}

static okra_status refuse_rest(audio_table *audio, okra_message *why)
{
    okra_table *table = &audio->raw.base;
    audio->raw.left = 0;
    table->info.line = table->source.line;
    return okra_refuse(
        why,
        "%s: row %llu of %llu: cannot be decoded: the file is damaged or was cut short: copy it again, or save what "
        "is left with sox",
        table->source.path, (unsigned long long)table->info.line, (unsigned long long)table->audio.frames);
}

/* ---- opening ------------------------------------------------------------------------------------------------- */

static okra_sample_format sample_of(int format)
{
    switch (format & SF_FORMAT_SUBMASK) {
    case SF_FORMAT_PCM_24:
        return OKRA_SAMPLE_PCM24;
    case SF_FORMAT_PCM_32:
        return OKRA_SAMPLE_PCM32;
    case SF_FORMAT_FLOAT:
    case SF_FORMAT_DOUBLE:
        return OKRA_SAMPLE_F32;
    default:
        return OKRA_SAMPLE_PCM16;
    }
}

/* From the beginning of the file: our buffer may have read past it. */
static okra_status open_sound(audio_table *audio, SF_INFO *info, okra_message *why)
{
    okra_source *source = &audio->raw.base.source;
    SF_VIRTUAL_IO file = {file_length, file_seek, file_read, file_write, file_tell};
    audio->begin = (off_t)(source->position - (int64_t)okra_source_held(source));
    audio->file = sf_open_virtual(&file, SFM_READ, info, audio);
    if (audio->error)
        return refuse_disk(audio, why);
    return audio->file && info->channels > 0 && info->samplerate > 0 ? OKRA_OK : refuse_sound(source, why);
}

static okra_status allocate(audio_table *audio, okra_message *why)
{
    okra_table *table = &audio->raw.base;
    audio->block = calloc(BLOCK_FRAMES * table->columns, sizeof *audio->block);
    table->names = calloc(table->columns, sizeof *table->names);
    if (audio->block && table->names && okra_table_number_columns(table, 0, table->columns, "ch", true))
        return OKRA_OK;
    return okra_error(OKRA_E_MEMORY, why, "%s: out of memory for %zu channels", table->source.path, table->columns);
}

static okra_status audio_open(okra_table *table, const okra_table_options *options, okra_message *why)
{
    (void)options;
    audio_table *audio = (audio_table *)table;
    SF_INFO info = {0};
    bool open;
    if (table->source.unpacker)
        return okra_refuse_compressed(&table->source, "audio needs a file to seek in", why);
    if (table->source.size < 0)
        return okra_refuse(why,
                           "%s: is empty or no regular file, which audio needs: name the file, or send raw numbers, as "
                           "'sox x.wav -t f32 -' does",
                           table->source.path);
    okra_status status = okra_sound_check_length(&table->source, &open, why);
    if (!status)
        status = open_sound(audio, &info, why);
    if (status)
        return status;
    bool known = info.frames > 0 && info.frames < SF_COUNT_MAX;
    table->audio = (okra_audio){.rate = (uint32_t)info.samplerate,
                                .sample = sample_of(info.format),
                                .frames = known ? (uint64_t)info.frames : 0};
    okra_dtype dtype = {.bytes = sizeof(double), .big_endian = okra_host_is_big_endian};
    okra_raw_start(&audio->raw, dtype, (size_t)info.channels, known ? table->audio.frames : OKRA_TO_THE_END);
    if (open)
        status = note_open(table, why);
    return status ? status : allocate(audio, why);
}

/* ---- rows ---------------------------------------------------------------------------------------------------- */

/* How many frames are decoded; decodes some if there are none. 0: the end. */
static size_t at_hand(audio_table *audio)
{
    if (audio->at < audio->held)
        return audio->held - audio->at;
    sf_count_t got = sf_readf_double(audio->file, audio->block, BLOCK_FRAMES);
    audio->at = 0;
    audio->held = got > 0 ? (size_t)got : 0;
    return audio->held;
}

static okra_status audio_next(okra_table *table, double *row, bool *more, okra_message *why)
{
    audio_table *audio = (audio_table *)table;
    okra_raw *raw = &audio->raw;
    bool some = raw->left > 0 && at_hand(audio) > 0;
    if (!some && audio->error)
        return refuse_disk(audio, why);
    *more = some || (raw->left > 0 && raw->left != OKRA_TO_THE_END);
    if (!*more)
        return OKRA_OK;
    if (!some)
        return refuse_rest(audio, why);
    const double *frame = audio->block + audio->at++ * table->columns;
    return okra_raw_take(raw, (const char *)frame, sizeof *frame, row, why);
}

/* Skips by decoding: libsndfile's seek is not exact in every format. */
static okra_status audio_skip(okra_table *table, uint64_t rows, uint64_t *skipped, okra_message *why)
{
    audio_table *audio = (audio_table *)table;
    size_t some;
    rows = rows < audio->raw.left ? rows : audio->raw.left;
    for (*skipped = 0; *skipped < rows && (some = at_hand(audio)) > 0;) {
        uint64_t passed = rows - *skipped < some ? rows - *skipped : some;
        audio->at += (size_t)passed;
        *skipped += passed;
    }
    okra_raw_pass(&audio->raw, *skipped);
    return audio->error ? refuse_disk(audio, why) : OKRA_OK;
}

/* ---- the class ----------------------------------------------------------------------------------------------- */

static double audio_progress(const okra_table *table)
{
    const audio_table *audio = (const audio_table *)table;
    uint64_t frames = table->audio.frames;
    return frames > 0 ? 1 - (double)audio->raw.left / (double)frames : 0;
}

static void audio_close(okra_table *table)
{
    audio_table *audio = (audio_table *)table;
    if (audio->file)
        sf_close(audio->file);
    free(audio->block);
}

const okra_table_class okra_audio_class = {
    .size = sizeof(audio_table),
    .open = audio_open,
    .next = audio_next,
    .skip = audio_skip,
    .progress = audio_progress,
    .close = audio_close,
};
