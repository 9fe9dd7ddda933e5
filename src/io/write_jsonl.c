/* Rows as lines of JSON, an object a row, such that jsonl.c reads back the same columns, numbers and gaps. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../json/write.h"
#include "writer.h"

/* What comes before the value of each column: {"n": for the first, ,"y": for the others; one after the other. */
typedef struct jsonl_writer {
    size_t bytes;
    char labels[];
} jsonl_writer;

/* Columns without a name are called by their numbers, from 1. */
static void add_label(okra_json_writer *w, const char *const *names, size_t c)
{
    char number[24];
    snprintf(number, sizeof number, "%zu", c + 1);
    okra_text_add(&w->out, c == 0 ? "{" : ",");
    okra_json_put_text(w, NULL, names ? names[c] : number);
    okra_text_add_bytes(&w->out, ":", 2); /* with its NUL */
}

static bool jsonl_prepare(okra_writer *writer, const char *const *names)
{
    okra_json_writer w = {0};
    for (size_t c = 0; c < writer->options.columns; c++)
        add_label(&w, names, c);
    jsonl_writer *own = w.out.lacks_memory || !w.out.bytes ? NULL : malloc(sizeof *own + w.out.length);
    if (own) {
        own->bytes = w.out.length;
        memcpy(own->labels, w.out.bytes, w.out.length);
    }
    free(w.out.bytes);
    writer->own = own;
    return own;
}

static size_t jsonl_row_bytes(const okra_writer *writer)
{
    const jsonl_writer *own = writer->own;
    return own->bytes + writer->options.columns * OKRA_REAL_TEXT + sizeof "}\n";
}

static char *jsonl_row(okra_writer *writer, const double *values, char *to)
{
    const okra_writer_options *o = &writer->options;
    const char *label = ((const jsonl_writer *)writer->own)->labels;
    for (size_t c = 0; c < o->columns - o->texts; c++, label += strlen(label) + 1) {
        to = stpcpy(to, label);
        to = isfinite(values[c]) ? okra_write_number(o, c, values[c], to) : stpcpy(to, "null");
    }
    return o->texts == 0 ? stpcpy(to, "}\n") : to;
}

/* A text that is empty is a missing value. */
static void put_text(okra_writer *writer, const char *text)
{
    okra_json_writer w = {0};
    if (*text)
        okra_json_put_text(&w, NULL, text);
    else
        okra_json_put_null(&w, NULL);
    if (!w.out.lacks_memory)
        okra_output_put(&writer->output, w.out.bytes, w.out.length);
    else if (!writer->output.error)
        writer->output.error = ENOMEM;
    free(w.out.bytes);
}

static void jsonl_texts(okra_writer *writer, const char *texts)
{
    const okra_writer_options *o = &writer->options;
    const char *label = ((const jsonl_writer *)writer->own)->labels;
    for (size_t c = 0; c < o->columns; c++, label += strlen(label) + 1) {
        if (c < o->columns - o->texts)
            continue;
        okra_output_put(&writer->output, label, strlen(label));
        put_text(writer, texts);
        texts += strlen(texts) + 1;
    }
    okra_output_put(&writer->output, "}\n", 2);
}

const okra_writer_class okra_jsonl_writer = {
    .prepare = jsonl_prepare,
    .row_bytes = jsonl_row_bytes,
    .check = okra_check_lines,
    .row = jsonl_row,
    .texts = jsonl_texts,
};
