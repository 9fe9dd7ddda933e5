/*
 * What is left of the microphone, as audio: the output of an echo canceller.
 */
#include <math.h>

#include "session.h"
#include "../common/talk.h"

bool is_audio_output(const char *path)
{
    const okra_format *format = path ? okra_format_of(path) : NULL;
    return format && format->audio && format->writes;
}

int session_open_residual(session *s)
{
    okra_message why;
    okra_writer *writer;
    okra_writer_options how = {.columns = s->columns.n_targets, .live = s->set.line_buffered, .append_at = s->kept_out};
    if (s->columns.n_kept > 0)
        return talk_fail(EXIT_USAGE, "--keep: %s holds the residual and nothing else: leave --keep out, or write CSV",
                         s->set.out);
    how.audio = okra_table_get(s->table)->audio;
    if (how.audio.rate == 0)
        return talk_fail(EXIT_USAGE, "--out %s: %s has no sample rate: name a .csv file", s->set.out,
                         okra_table_get(s->table)->path);
    if (okra_writer_open(s->set.out, &how, &writer, &why))
        return talk_fail(EXIT_IO, "%s", why.text);
    s->residual = true;
    return session_start_sink(s, writer, how.columns);
}

/* Where there is no prediction, while the lags are not yet filled, nothing is taken away. */
int session_write_residual(session *s)
{
    const sample *r = &s->row;
    double *to = sink_room(s->out);
    for (size_t j = 0; j < s->columns.n_targets; j++)
        to[j] = isnan(r->error[j]) ? r->y[j] : r->error[j];
    return sink_row(s->out);
}
