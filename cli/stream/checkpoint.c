/*
 * What must survive: the model, how far it has come, and the output up to there.
 */
#include <stdlib.h>

#include "session.h"
#include "../common/talk.h"

double session_seconds(const session *s) { return s->seconds_before + talk_clock() - s->started; }

int session_save(session *s)
{
    uint64_t bytes;
    int status = writer_sync(s->out, &bytes);
    s->tally.seconds = session_seconds(s);
    return status ? status
                  : saved_write(&s->metadata, s->set.save, s->learner.model, &s->tally, &s->score, &s->drift, bytes);
}

/* The rows that are done with are passed without a look at their numbers. */
int session_recall(session *s)
{
    okra_message why;
    int status = saved_recall_progress(&s->saved, &s->tally, &s->score, &s->drift, &s->in->score_from, &s->kept_out);
    if (status)
        return status;
    s->seconds_before = s->tally.seconds;
    if (!okra_table_skip(s->in->table, s->tally.consumed, &why))
        return EXIT_DONE;
    return talk_fail(EXIT_IO, "--resume: %s", why.text);
}
