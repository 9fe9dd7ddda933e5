/*
 * The files that a session writes: predictions, metrics, model. Opening a file to write empties it, so it must not be
 * an input, or another output, of the same run.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session.h"
#include "../common/message.h"

/* ---- checks ---------------------------------------------------------------------------------------------------- */

static bool same_file(const char *path, const char *other)
{
    struct stat a, b;
    if (!path || !other)
        return false;
    return strcmp(path, other) == 0 || (stat(path, &a) == 0 && S_ISREG(a.st_mode) && stat(other, &b) == 0 &&
                                        a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

static bool is_input(const session *s, const char *path)
{
    struct stat a, b;
    if (!is_standard(s->set.in))
        return same_file(path, s->set.in) || same_file(path, s->set.mic);
    return path && stat(path, &a) == 0 && S_ISREG(a.st_mode) && fstat(STDIN_FILENO, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

static int check_outputs(const session *s)
{
    const struct {
        const char *option, *path;
    } writes[] = {{"out", s->set.out},
                  {"metrics", s->set.metrics},
                  {"relevance", s->set.relevance},
                  {"save", s->set.save}}; /* which may go to where it was loaded from */
    enum { WRITES = sizeof writes / sizeof *writes };
    for (size_t i = 0; i < WRITES; i++) {
        const char *path = writes[i].path;
        if (!path)
            continue;
        if (is_input(s, path) || same_file(path, s->set.omega) || (i < WRITES - 1 && same_file(path, s->set.load)))
            return message_fail(EXIT_USAGE, "--%s: '%s' is an input of this run: name another file", writes[i].option,
                                path);
        for (size_t j = 0; j < i; j++)
            if (same_file(path, writes[j].path))
                return message_fail(EXIT_USAGE, "--%s: '%s' is where --%s goes: name another file", writes[i].option,
                                    path, writes[j].option);
    }
    for (size_t i = 1; i < WRITES; i++)
        if (writes[i].path && is_standard(writes[i].path) && is_standard(s->set.out))
            return message_fail(EXIT_USAGE, "--%s: '-' is where the predictions go: name another file",
                                writes[i].option);
    return EXIT_DONE;
}

/* Reports a file that cannot be written before learning starts. */
static int check_place(const char *option, const char *path)
{
    if (!path || is_standard(path))
        return EXIT_DONE;
    char *folder = strdup(path), *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
        slash[slash == folder] = '\0';
    struct stat info;
    bool known = folder && stat(path, &info) == 0, device = known && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
    size_t length = strlen(path); /* of .jsonl, which is added to and not replaced */
    bool lines = known && length > 6 && strcmp(path + length - 6, ".jsonl") == 0 && access(path, W_OK) == 0;
    bool there = device || lines || (folder && access(slash ? folder : ".", W_OK) == 0);
    int status = EXIT_DONE;
    if (!there)
        status = message_fail(EXIT_IO, "--%s %s: its folder cannot be written: %s: choose another place", option, path,
                              strerror(errno));
    else if (known && S_ISDIR(info.st_mode))
        status = message_fail(EXIT_IO, "--%s %s: is a directory: name a file in it", option, path);
    free(folder);
    return status;
}

/* ---- predictions ----------------------------------------------------------------------------------------------- */

/* The titles of the output's columns. */
typedef struct titles {
    size_t n;
    char **names;
} titles;

static bool add_title(titles *t, const char *kind, const char *name, size_t number)
{
    enum { TITLE = 512 };
    char *title = malloc(TITLE);
    if (!title)
        return false;
    if (!name && number == 0)
        snprintf(title, TITLE, "%s", kind);
    else if (name)
        snprintf(title, TITLE, "%s%s%s", kind, *kind ? "_" : "", name);
    else
        snprintf(title, TITLE, "%s_%zu", *kind ? kind : "column", number);
    t->names[t->n++] = title;
    return true;
}

/* y,yhat,error,lo,hi; with the target's name, or number, if there are several. */
static bool add_target(titles *t, const session *s, size_t column)
{
    static const char *const kinds[] = {"y", "yhat", "error", "lo", "hi"};
    bool several = s->in->columns.n_targets > 1, there = column != NO_COLUMN, done = true;
    for (size_t k = 0; done && k < (s->set.percent ? 5 : 3); k++)
        done = add_title(t, kinds[k], several && there ? okra_table_column_name(s->in->table, column) : NULL,
                         several ? column + 1 : 0);
    return done;
}

static bool make_titles(titles *t, const session *s)
{
    const columns *c = &s->in->columns;
    *t = (titles){.names = calloc(1 + 5 * c->n_targets + c->n_kept, sizeof *t->names)};
    bool done = t->names && add_title(t, "n", NULL, 0);
    for (size_t j = 0; done && j < c->n_targets; j++)
        done = add_target(t, s, c->targets[j]);
    for (size_t k = 0; done && k < c->n_kept; k++)
        done = add_title(t, "", okra_table_column_name(s->in->table, c->kept[k]), c->kept[k] + 1);
    return done;
}

static void free_titles(titles *t)
{
    for (size_t i = 0; i < t->n; i++)
        free(t->names[i]);
    free(t->names);
}

/* A reader may be waiting for each row if the output is a pipe or a terminal. */
static bool is_waited_for(const session *s)
{
    struct stat info;
    int known = is_standard(s->set.out) ? fstat(STDOUT_FILENO, &info) : stat(s->set.out, &info);
    return s->set.line_buffered || known != 0 || !S_ISREG(info.st_mode);
}

static int open_predictions(session *s)
{
    okra_message why;
    titles t;
    int status = EXIT_DONE;
    if (!make_titles(&t, s)) {
        status = message_fail(EXIT_IO, "out of memory");
    } else {
        okra_writer_options how = {.columns = t.n,
                                   .names = (const char *const *)t.names,
                                   .digits = (int)s->set.digits,
                                   .texts = s->in->columns.kept_as_text ? s->in->columns.n_kept : 0,
                                   /* a time among the numbers is no float */
                                   .f32 = s->learner.f32 && (s->in->columns.n_kept == 0 || s->in->columns.kept_as_text),
                                   .numbered = true,
                                   .gather = true,
                                   .append_at = s->kept_out};
        if (okra_writer_open(s->set.out, &how, &s->opened, &why))
            status = message_fail(EXIT_IO, "%s", why.text);
    }
    free_titles(&t);
    return status;
}

/* ---- what is left of the microphone, as audio: the output of an echo canceller ---------------------------------- */

static bool is_audio_output(const char *path)
{
    const okra_format *format = path ? okra_format_of(path) : NULL;
    return format && format->audio && format->writes;
}

/* In the format of the target's own. */
static int open_residual(session *s)
{
    okra_message why;
    okra_writer_options how = {.columns = s->in->columns.n_targets, .append_at = s->kept_out};
    if (s->in->columns.n_kept > 0)
        return message_fail(
            EXIT_USAGE, "--keep: %s holds the residual and nothing else: leave --keep out, or write CSV", s->set.out);
    how.audio = okra_table_get(s->in->table)->audio;
    if (how.audio.rate == 0)
        return message_fail(EXIT_USAGE, "--out %s: %s has no sample rate: name a .csv file", s->set.out,
                            okra_table_get(s->in->table)->path);
    if (okra_writer_open(s->set.out, &how, &s->opened, &why))
        return message_fail(EXIT_IO, "%s", why.text);
    s->residual = true;
    return EXIT_DONE;
}

/* ---- all of them ----------------------------------------------------------------------------------------------- */

/* The first checkpoint is the empty model, so there is always one to resume from. */
static int begin_saving(session *s)
{
    if (!s->set.save)
        return EXIT_DONE;
    int status = resume_start_metadata(&s->metadata, s->resume.metadata, &s->options, s->in->table, &s->in->columns,
                                       s->in->score_from);
    return status || !saves_on_the_way(&s->set) || s->kept_out ? status : session_save(s);
}

int session_open_outputs(session *s)
{
    int status = check_outputs(s);
    if (!status)
        status = check_place("save", s->set.save);
    if (!status)
        status = check_place("metrics", s->set.metrics);
    if (!status)
        status = check_place("relevance", s->set.relevance);
    if (!status)
        status = is_audio_output(s->set.out) ? open_residual(s) : open_predictions(s);
    return status;
}

int session_start(session *s)
{
    writer_rows what = {.columns = &s->in->columns,
                        .intervals = s->set.percent != NULL,
                        .residual = s->residual,
                        .eager = is_waited_for(s) || s->set.follow};
    s->reader = reader_start(s->in, s->progress.consumed, s->set.checkpoint.count);
    s->out = s->reader ? writer_start(s->opened, &what, s->reader) : NULL;
    if (!s->out)
        return message_fail(EXIT_IO, "out of memory, or of threads");
    s->opened = NULL;
    s->metrics = (metrics_file){.path = s->set.metrics, .every = s->set.metrics_every};
    int status = session_write_metrics(s, false);
    return status ? status : begin_saving(s);
}
