/*
 * Options as values.
 */
#include "run_options.h"

#include <string.h>

#include "interval.h"
#include "../common/message.h"
#include "../common/text.h"

static int read_recipe(settings *s)
{
    const char *name = s->recipe;
    const okra_recipe *recipe;
    char hint[HINT_TEXT];
    if (!okra_spec_init(&s->spec, name ? name : DEFAULT_RECIPE, 1, 1))
        return EXIT_DONE;
    nearest search = nearest_to(name ? name : DEFAULT_RECIPE);
    for (size_t i = 0; (recipe = okra_recipe_at(i)); i++)
        nearest_offer(&search, recipe->name);
    return message_fail(EXIT_USAGE, "no recipe '%s': %s", search.word,
                        nearest_hint(&search, "", "'okra list' shows them", hint));
}

/* How many inputs there are is seen later. */
static okra_status check_early(okra_spec spec, okra_message *why)
{
    memset(spec.widths, 0, sizeof spec.widths);
    return okra_spec_check(&spec, why);
}

int settings_read_model(settings *s, const arguments *o)
{
    okra_message why;
    int status = read_recipe(s);
    if (!status)
        status = arguments_apply(o, &s->spec);
    if (!status && check_early(s->spec, &why))
        status = message_fail(EXIT_USAGE, "%s", why.text);
    if (!status && s->percent)
        status = interval_settle(s->percent, &s->spec, &s->q);
    return status;
}

static int check_format(const settings *s)
{
    char words[ARGUMENT_TEXT];
    return !s->format || format_named(s->format)
               ? EXIT_DONE
               : message_fail(EXIT_USAGE, "--format: '%s' is none of %s", s->format, argument_words("FORMAT", words));
}

static int check_follow(const settings *s)
{
    if (s->follow && is_standard(s->in))
        return message_fail(EXIT_USAGE,
                            "--follow: standard input is always followed: leave --follow out, or name a FILE");
    if (s->follow && s->mic)
        return message_fail(EXIT_USAGE, "--follow: audio does not grow: leave --follow out");
    return EXIT_DONE;
}

static int check_saving(const settings *s)
{
    if (!(s->metrics_every >= 0))
        return message_fail(EXIT_USAGE, "--metrics-every: %g is not a number of seconds: give 0 or more",
                            s->metrics_every);
    if (saves_on_the_way(s) && !s->save)
        return message_fail(EXIT_USAGE, "--checkpoint: no file to save the model in: give --save FILE");
    if (s->resume && !s->save && !s->load)
        return message_fail(EXIT_USAGE, "--resume: no model to continue: give the --save FILE of the run that stopped");
    if (is_standard(s->save) && s->save)
        return message_fail(EXIT_USAGE, "--save: a model is not written to standard output: name a FILE");
    if (s->resume && is_standard(s->out))
        return message_fail(EXIT_USAGE,
                            "--resume: the predictions written so far are needed: give the --out FILE of the "
                            "run that stopped");
    if (s->resume && is_standard(s->in))
        return message_fail(
            EXIT_USAGE,
            "--resume: rows already learnt can be skipped only in a FILE: name it, or use --load alone for new rows");
    return EXIT_DONE;
}

/* ---- all of them --------------------------------------------------------------------------------------------- */

/* FILE, or two audio files instead: what was played, and what a microphone recorded. */
static int read_input(settings *s, const arguments *o)
{
    s->in = o->operand;
    if (!s->far)
        return EXIT_DONE;
    if (o->operand)
        return message_fail(EXIT_USAGE, "'%s' and --in %s: give only one of them", o->operand, s->far);
    s->in = s->far;
    s->mic = s->parts[TARGET];
    if (!s->mic)
        return message_fail(EXIT_USAGE, "--in %s: the target is in another file: name it, --target mic.wav", s->far);
    if (is_standard(s->far) || is_standard(s->mic))
        return message_fail(EXIT_USAGE, "--in, --target: audio is not read from standard input: name two files");
    return EXIT_DONE;
}

int settings_check(settings *s, const arguments *options)
{
    int status = read_input(s, options);
    if (!status)
        status = check_format(s);
    if (!status)
        status = check_follow(s);
    return status ? status : check_saving(s);
}

int settings_read(settings *s, const arguments *options)
{
    *s = (settings){0};
    int status = arguments_read(options, s);
    return status ? status : settings_check(s, options);
}
