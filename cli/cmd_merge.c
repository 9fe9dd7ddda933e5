/*
 * okra merge: models that learnt apart, into one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <okra/merge.h>
#include <okra/model_file.h>

#include "commands.h"
#include "stream/resume_state.h"
#include "common/model_input.h"
#include "common/message.h"
#include "common/text.h"

typedef struct merger {
    model_settings set;
    size_t n;
    okra_filter **models;
    okra_metadata *metadata; /* of the last */
    okra_filter *base, *merged;
} merger;

static int load_all(merger *m, const arguments *options)
{
    const char *base = m->set.base;
    size_t limit = (size_t)m->set.max_memory * MEGABYTE;
    okra_message why;
    m->models = calloc(options->n_operands, sizeof(okra_filter *));
    if (!m->models)
        return message_fail(EXIT_IO, "out of memory");
    for (; m->n < options->n_operands; m->n++) {
        okra_metadata_free(m->metadata);
        m->metadata = NULL;
        if (okra_load(options->operands[m->n], limit, &m->models[m->n], &m->metadata, &why))
            return message_fail(EXIT_IO, "%s", why.text);
    }
    if (base && okra_load(base, limit, &m->base, NULL, &why))
        return message_fail(EXIT_IO, "%s", why.text);
    return EXIT_DONE;
}

static void clear_up(merger *m)
{
    for (size_t i = 0; i < m->n; i++)
        okra_free(m->models[i]);
    free(m->models);
    okra_free(m->base), okra_free(m->merged);
    okra_metadata_free(m->metadata);
}

/* The same file twice would count its samples twice. */
static int refuse_twins(const arguments *options)
{
    struct stat a, b;
    for (size_t i = 0; i < options->n_operands; i++)
        for (size_t j = 0; j < i; j++)
            if (stat(options->operands[i], &a) == 0 && stat(options->operands[j], &b) == 0 && a.st_dev == b.st_dev &&
                a.st_ino == b.st_ino)
                return message_fail(EXIT_USAGE, "'%s' and '%s' are the same file: its samples would count twice",
                                    options->operands[j], options->operands[i]);
    return EXIT_DONE;
}

/* ---- whose fault it is ---------------------------------------------------------------------------------------- */

static bool merges(okra_filter *const *models, size_t n, const okra_filter *base, okra_message *why)
{
    okra_filter *merged = NULL;
    okra_status status = okra_merge((const okra_filter *const *)models, n, base, &merged, NULL, why);
    okra_free(merged);
    return status == OKRA_OK;
}

/* If they do not all merge: the first that does not merge with those before it. `why` explains it. */
static size_t first_unfit(const merger *m, const okra_filter *base, okra_message *why)
{
    size_t fit = 0, unfit = m->n;
    while (unfit - fit > 1) {
        size_t middle = fit + (unfit - fit) / 2;
        if (merges(m->models, middle, base, why))
            fit = middle;
        else
            unfit = middle;
    }
    return unfit - 1;
}

/* Names the file that merges with no other; else it and the one that it does not fit, the first or the base. */
static int refuse_models(const merger *m, const arguments *options, okra_status status, okra_message *why)
{
    okra_message alone;
    if (status != OKRA_E_PARAMETER && status != OKRA_E_UNSUPPORTED)
        return message_fail(EXIT_IO, "%s", why->text);
    const okra_filter *base = merges(m->models, m->n, NULL, why) ? m->base : NULL;
    size_t unfit = first_unfit(m, base, why);
    const char *name = options->operands[unfit];
    if (base)
        return message_fail(EXIT_IO, "%s and --base %s: %s", name, m->set.base, why->text);
    if (!merges(m->models + unfit, 1, NULL, &alone) && strcmp(alone.text, why->text) == 0)
        return message_fail(EXIT_IO, "%s: %s", name, why->text);
    return message_fail(EXIT_IO, "%s and %s: %s", options->operands[0], name, why->text);
}

/* ---- merging -------------------------------------------------------------------------------------------------- */

static int write_merged(const merger *m, const char *out)
{
    okra_metadata *metadata;
    okra_message why;
    int status = resume_inherit_metadata(&metadata, m->metadata);
    if (!status && okra_save(m->merged, out, metadata, &why))
        status = message_fail(EXIT_IO, "%s", why.text);
    okra_metadata_free(metadata);
    return status;
}

static void tell(const merger *m, okra_merging how, const char *out)
{
    okra_stats stats = {0};
    okra_get_stats(m->merged, &stats);
    print_plain(stdout, out);
    printf(": %zu models, %llu samples, %s\n", m->n, (unsigned long long)stats.learnt,
           how == OKRA_MERGE_EXACT ? "merged exactly: as if one model had learnt them all"
                                   : "theta averaged by samples: an approximation");
}

static int cmd_merge(const arguments *options)
{
    merger m = {0};
    okra_merging how;
    okra_message why;
    int status = arguments_read(options, &m.set);
    if (status)
        return status;
    if (!m.set.out)
        return message_fail(EXIT_USAGE, "okra merge needs -o FILE: where the merged model goes");
    if (options->n_operands < 2)
        return message_fail(EXIT_USAGE, "okra merge needs two models or more: name their files");
    status = refuse_twins(options);
    if (!status)
        status = load_all(&m, options);
    if (!status) {
        okra_status merged = okra_merge((const okra_filter *const *)m.models, m.n, m.base, &m.merged, &how, &why);
        status = merged ? refuse_models(&m, options, merged, &why) : EXIT_DONE;
    }
    if (!status)
        status = write_merged(&m, m.set.out);
    if (!status && strcmp(m.set.out, "-") != 0 && !m.set.quiet)
        tell(&m, how, m.set.out);
    clear_up(&m);
    return status;
}

static const cli_option options[] = {
    {"out", "FILE", "where the merged model goes", TO_TEXT(model_settings, out), .absent = "needed"},
    {"base", "FILE", "the model that all of them started from; it counts once", TO_TEXT(model_settings, base),
     .absent = "none: they started empty"},
    MEMORY_OPTION(model_settings),
    {"quiet", NULL, "say nothing", TO_FLAG(model_settings, quiet)},
    HELP_OPTION,
};

const cli_command merge_command = {
    .name = "merge",
    .operand = "MODEL MODEL..",
    .many_operands = true,
    .help = "merge models that learnt separately into one",
    .more = "Merges models of the same spec, each trained on its own rows, into one. RLS without forgetting (rff-krls "
            "and rls with --beta 1) merges exactly: the result is what one model would have learnt from all rows. LMS "
            "and NLMS are averaged by the samples each has learnt. Dictionaries and RLS that forgets are refused. If "
            "scale or width is automatic, start all models from one that has finished its warm-up (okra run --load "
            "BASE), and name it with --base. Lags and column names are taken from the last model. 'okra run --load' "
            "continues from the result.",
    .examples = "  okra merge --out both.okra north.okra south.okra\n",
    .options = options,
    .run = cmd_merge,
};
