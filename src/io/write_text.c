/* Rows as separated text (RFC 4180), such that csv.c reads back the same columns, numbers and gaps. */
#include <math.h>
#include <string.h>

#include "csv.h"
#include "writer.h"

static char separator_of(const okra_writer *writer) { return writer->format->variant == '\t' ? '\t' : ','; }

/* Quotes a name with any separator, so that the guess does not go wrong, and a leading '#', which would make the header
 * a comment. */
static bool needs_quotes(const char *name, bool first)
{
    return strpbrk(name, OKRA_SEPARATORS "\"\r\n") || (first && (!*name || *name == '#'));
}

static void put_quoted(okra_output *output, const char *name)
{
    okra_output_put(output, "\"", 1);
    for (const char *quote; (quote = strchr(name, '"')); name = quote + 1) {
        okra_output_put(output, name, (size_t)(quote - name));
        okra_output_put(output, "\"\"", 2);
    }
    okra_output_put(output, name, strlen(name));
    okra_output_put(output, "\"", 1);
}

static void put_field(okra_output *output, const char *text, bool first)
{
    if (needs_quotes(text, first))
        put_quoted(output, text);
    else
        okra_output_put(output, text, strlen(text));
}

static okra_status text_begin(okra_writer *writer, const char *const *names, okra_message *why)
{
    (void)why;
    okra_output *output = &writer->output;
    const char separator = separator_of(writer);
    for (size_t c = 0; names && c < writer->options.columns; c++) {
        if (c > 0)
            okra_output_put(output, &separator, 1);
        put_field(output, names[c], c == 0);
    }
    if (names)
        okra_output_put(output, "\n", 1);
    return OKRA_OK;
}

static size_t text_row_bytes(const okra_writer *writer) { return writer->options.columns * (OKRA_REAL_TEXT + 1) + 1; }

char *okra_write_number(const okra_writer_options *o, size_t c, double x, char *to)
{
    if (c == 0 && o->numbered)
        return to + okra_format_real(x, to);
    if (o->digits > 0)
        return to + okra_format_digits(x, o->digits, to);
    return to + (o->f32 ? okra_format_real_f32((float)x, to) : okra_format_real(x, to));
}

static char *text_row(okra_writer *writer, const double *values, char *to)
{
    const okra_writer_options *o = &writer->options;
    const char separator = separator_of(writer);
    for (size_t c = 0; c < o->columns - o->texts; c++) {
        if (c > 0)
            *to++ = separator;
        if (!isnan(values[c]) || o->columns == 1)
            to = okra_write_number(o, c, values[c], to); /* its NUL is overwritten */
    }
    if (o->texts == 0)
        *to++ = '\n';
    return to;
}

static void text_texts(okra_writer *writer, const char *texts)
{
    okra_output *output = &writer->output;
    const char separator = separator_of(writer);
    for (size_t c = 0; c < writer->options.texts; c++, texts += strlen(texts) + 1) {
        okra_output_put(output, &separator, 1);
        put_field(output, texts, false);
    }
    okra_output_put(output, "\n", 1);
}

okra_status okra_check_lines(okra_writer *writer, okra_message *why)
{
    char last;
    if (okra_writer_look(writer, writer->options.append_at - 1, &last, 1) && last == '\n')
        return OKRA_OK;
    return okra_refuse(
        why, "%s: no line ends after its first %llu bytes: it is not the output of the run that stopped; start again",
        writer->output.name, (unsigned long long)writer->options.append_at);
}

const okra_writer_class okra_text_writer = {
    .row_bytes = text_row_bytes,
    .check = okra_check_lines,
    .begin = text_begin,
    .row = text_row,
    .texts = text_texts,
};
