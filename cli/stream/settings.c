/*
 * Options as values.
 */
#include "settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "interval.h"
#include "stream_options.h"
#include "../common/talk.h"
#include "../common/text.h"

/* ---- numbers and words --------------------------------------------------------------------------------------- */

static int take_size(const arguments *options, const char *name, size_t low, size_t *value)
{
    uint64_t number = *value;
    int status = arguments_count(options, name, low, 1 << 24, &number);
    *value = (size_t)number;
    return status;
}

/* One of two words: *second tells which. */
static int take_word(const arguments *options, const char *name, const char *one, const char *other, bool *second)
{
    const char *text = arguments_value(options, name);
    if (text && strcmp(text, one) != 0 && strcmp(text, other) != 0)
        return talk_fail(EXIT_USAGE, "--%s: '%s' is neither %s nor %s", name, text, one, other);
    if (text)
        *second = strcmp(text, other) == 0;
    return EXIT_DONE;
}

/* ---- groups of options --------------------------------------------------------------------------------------- */

static int read_recipe(settings *s, const arguments *o)
{
    const char *name = arguments_value(o, "recipe");
    const okra_recipe *recipe;
    char hint[HINT_TEXT];
    if (!okra_spec_init(&s->spec, name ? name : DEFAULT_RECIPE, 1, 1))
        return EXIT_DONE;
    nearest search = nearest_to(name ? name : DEFAULT_RECIPE);
    for (size_t i = 0; (recipe = okra_recipe_at(i)); i++)
        nearest_offer(&search, recipe->name);
    return talk_fail(EXIT_USAGE, "no recipe '%s': %s", search.word,
                     nearest_hint(&search, "", "'okra list' shows them", hint));
}

int settings_read_model(settings *s, const arguments *o)
{
    okra_message why;
    int status = read_recipe(s, o);
    if (!status)
        status = arguments_apply(o, &s->spec);
    if (!status && okra_spec_check(&s->spec, &why))
        status = talk_fail(EXIT_USAGE, "%s", why.text);
    if (!status && s->percent)
        status = interval_settle(s->percent, &s->spec, &s->q);
    return status;
}

static int read_format(settings *s, const arguments *o)
{
    const char *text = arguments_value(o, "format");
    const char *header = arguments_value(o, "header");
    char words[ARGUMENT_TEXT];
    bool none = false;
    s->format = text;
    if (text && !format_named(text))
        return talk_fail(EXIT_USAGE, "--format: '%s' is none of %s", text, argument_words("FORMAT", words));
    int status = take_word(o, "header", "yes", "no", &none);
    s->header = !header ? OKRA_HEADER_AUTO : none ? OKRA_HEADER_NO : OKRA_HEADER_YES;
    return status ? status : take_size(o, "columns", 1, &s->columns);
}

/* N rows, or P% of them. */
static int read_score_from(settings *s, const arguments *o)
{
    const char *text = arguments_value(o, "score-from");
    size_t length = text ? strlen(text) : 0;
    if (length == 0 || text[length - 1] != '%')
        return arguments_count(o, "score-from", 0, UINT64_MAX, &s->score_from);
    char *end;
    s->score_percent = strtod(text, &end);
    if (end == text || end != text + length - 1 || !(s->score_percent >= 0 && s->score_percent <= 100))
        return talk_fail(EXIT_USAGE, "--score-from: '%s' is no percentage from 0%% to 100%%", text);
    return EXIT_DONE;
}

static int read_rows_and_digits(settings *s, const arguments *o)
{
    uint64_t digits = s->digits;
    int status = take_word(o, "bad-rows", "stop", "skip", &s->skips_bad_rows);
    if (!status)
        status = take_word(o, "on-drift", "report", "reset", &s->resets_on_drift);
    if (!status)
        status = read_score_from(s, o);
    s->watches_drift = arguments_value(o, "on-drift");
    if (!status)
        status = arguments_count(o, "digits", 1, 17, &digits);
    s->digits = (size_t)digits;
    return status;
}

static int read_saving(settings *s, const arguments *o)
{
    int status = arguments_count(o, "checkpoint", 1, UINT64_MAX, &s->checkpoint);
    if (status)
        return status;
    if (s->checkpoint && !s->save)
        return talk_fail(EXIT_USAGE, "--checkpoint: no file to save the model in: give --save FILE");
    if (s->resume && !s->save && !s->load)
        return talk_fail(EXIT_USAGE, "--resume: no model to go on from: give the --save FILE of the run that stopped");
    if (is_standard(s->save) && s->save)
        return talk_fail(EXIT_USAGE, "--save: a model is not written to standard output: name a FILE");
    if (s->resume && is_standard(s->out))
        return talk_fail(EXIT_USAGE, "--resume: the predictions written so far are needed: give the --out FILE of the "
                                     "run that stopped");
    if (s->resume && is_standard(s->in))
        return talk_fail(EXIT_USAGE, "--resume: rows already learnt are skipped in a FILE, not in standard input: name "
                                     "it, or use --load alone for new rows");
    return EXIT_DONE;
}

/* ---- all of them --------------------------------------------------------------------------------------------- */

/* Two audio files in place of FILE: what was played, and what a microphone heard. */
static int read_pair(settings *s, const arguments *o)
{
    const char *far = arguments_value(o, "in");
    if (!far)
        return EXIT_DONE;
    if (o->operand)
        return talk_fail(EXIT_USAGE, "'%s' after --in %s: give one of them", o->operand, far);
    s->in = far;
    s->mic = arguments_value(o, "target");
    if (!s->mic)
        return talk_fail(EXIT_USAGE, "--in %s: the target is in another file: name it, --target mic.wav", far);
    if (is_standard(far) || is_standard(s->mic))
        return talk_fail(EXIT_USAGE, "--in, --target: audio is not read from standard input: name two files");
    return EXIT_DONE;
}

static void read_paths(settings *s, const arguments *o)
{
    s->in = o->operand;
    s->out = arguments_value(o, "out");
    s->metrics = arguments_value(o, "metrics");
    s->save = arguments_value(o, "save");
    s->load = arguments_value(o, "load");
    s->omega = arguments_value(o, "omega");
    s->percent = arguments_value(o, "interval");
    s->resume = arguments_value(o, "resume");
    s->line_buffered = arguments_value(o, "line-buffered");
    s->quiet = arguments_value(o, "quiet");
}

int settings_read(settings *s, const arguments *options)
{
    *s = (settings){0};
    read_paths(s, options);
    int status = read_pair(s, options);
    if (!status)
        status = read_format(s, options);
    if (!status)
        status = read_rows_and_digits(s, options);
    return status ? status : read_saving(s, options);
}
