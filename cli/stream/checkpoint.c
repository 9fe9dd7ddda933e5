/*
 * Checkpoints: the model, its progress, and the output so far; and resuming from one.
 */
#include <stdlib.h>

#include "session.h"
#include "../common/message.h"

double session_seconds(const session *s) { return s->seconds_before + message_clock() - s->started; }

int session_save(session *s)
{
    uint64_t bytes;
    int status = writer_sync(s->out, &bytes);
    s->progress.seconds = session_seconds(s);
    s->progress.fingerprint = s->fingerprint;
    s->saved_at = message_clock();
    s->unsaved = false;
    return status ? status
                  : resume_save(&s->metadata, s->set.save, s->learner.model, &s->progress, &s->score, &s->drift, bytes);
}

/* Reads the rows already processed again, without learning them. */
static int pass_rows(input *in, uint64_t rows, const char *model)
{
    enum { CHUNK = 256 };
    block b = {0}, *place = &b;
    uint64_t passed = 0;
    if (!block_reserve(&b, CHUNK, &in->columns)) {
        block_free(&b);
        return message_fail(EXIT_IO, "out of memory");
    }
    while (passed < rows && b.state == BLOCK_GOOD) {
        b.n = b.length = 0;
        while (b.n < CHUNK && passed + b.n < rows && b.state == BLOCK_GOOD)
            input_next(in, &place);
        passed += b.n;
    }
    int status = EXIT_DONE;
    if (b.state == BLOCK_STOPPED || b.state == BLOCK_FAILED)
        status = message_fail(EXIT_IO, "--resume: %s", b.why.text);
    else if (passed < rows)
        status = message_fail(EXIT_IO,
                              "--resume: %s: ends after %llu rows, %llu short of those that %s has learnt: it was cut "
                              "or rotated; give the file as it was, or --load %s for new rows",
                              okra_table_get(in->table)->path, (unsigned long long)passed,
                              (unsigned long long)(rows - passed), model, model);
    block_free(&b);
    return status;
}

/* A followed file has no end, so the rows are checked in one that is not followed. */
static int check_rows(const session *s)
{
    settings once = s->set;
    input *in;
    once.follow = false;
    once.headers = true;
    int status = input_open(&in, &s->options, &once, &s->resume, s->learns);
    if (!status) {
        in->f32 = s->learner.f32;
        status = pass_rows(in, s->progress.consumed, s->resume.path);
    }
    input_close(in);
    return status;
}

int session_resume(session *s)
{
    int status = resume_read_progress(&s->resume, &s->progress, &s->score, &s->drift, &s->in->score_from, &s->kept_out);
    if (status)
        return status;
    s->seconds_before = s->progress.seconds;
    if (s->set.follow)
        status = check_rows(s);
    if (!status)
        status = pass_rows(s->in, s->progress.consumed, s->resume.path);
    s->fingerprint = s->in->fingerprint;
    if (status || s->fingerprint == s->progress.fingerprint)
        return status;
    return message_fail(EXIT_IO,
                        "--resume: %s: its first %llu rows are not those that %s has learnt: it was edited or rotated; "
                        "give the file as it was, or --load %s for new rows",
                        okra_table_get(s->in->table)->path, (unsigned long long)s->progress.consumed, s->resume.path,
                        s->resume.path);
}
