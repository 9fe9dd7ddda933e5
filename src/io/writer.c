/* The public calls of writers: checks the options, and decides when to flush. */
#include "writer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "table.h"
#include "transfer.h"

/* ---- options ------------------------------------------------------------------------------------------------- */

static okra_status refuse(const char *name, const char *what, okra_message *why)
{
    return okra_error(OKRA_E_PARAMETER, why, "%s: %s", name, what);
}

/* From the options, or the name, or else the default. */
static okra_status find_format(const okra_writer_options *o, const char *path, const char *name,
                               const okra_format_row **format, okra_message *why)
{
    char list[OKRA_FORMAT_LIST];
    *format = o->format ? okra_format_named(o->format) : path ? okra_format_by_suffix(path) : NULL;
    if (!*format && !o->format)
        *format = okra_format_default();
    if (*format && (*format)->writer)
        return OKRA_OK;
    if (!*format)
        return okra_error(OKRA_E_PARAMETER, why, "%s: no format '%s': use one of %s", name, o->format,
                          okra_format_names((okra_format){.writes = true}, list));
    if ((*format)->format.reads)
        return okra_error(OKRA_E_PARAMETER, why, "%s: %s is read, not written: use one of %s", name,
                          (*format)->format.name, okra_format_names((okra_format){.writes = true}, list));
    return okra_error(OKRA_E_PARAMETER, why, "%s: %s cannot be written: %s", name, (*format)->format.name,
                      okra_format_lack(*format));
}

static bool has_rate(const okra_audio *audio)
{
    return audio->rate >= 1 && audio->rate <= INT32_MAX && (unsigned)audio->sample <= OKRA_SAMPLE_F32;
}

static okra_status check_format(const okra_writer_options *o, const okra_format_row *format, bool standard,
                                const char *name, okra_message *why)
{
    char list[OKRA_FORMAT_LIST];
    if (o->texts >= o->columns || (o->texts > 0 && !format->format.text))
        return okra_error(OKRA_E_PARAMETER, why, "%s: text columns need one of %s, and a column of numbers before them",
                          name, okra_format_names((okra_format){.text = true}, list));
    if (format->format.audio && !has_rate(&o->audio))
        return refuse(name, "audio needs a rate, as audio input has: name a .csv file for what has none", why);
    if (standard && !format->format.writes_pipe)
        return okra_error(OKRA_E_PARAMETER, why,
                          "%s: cannot be %s, whose header needs the number of rows: name a file, or use f64 or f32",
                          name, format->format.name);
    if (o->append_at > 0 && !format->writer->check)
        return okra_error(OKRA_E_PARAMETER, why, "%s: %s files cannot be continued: start again, or write CSV", name,
                          format->format.name);
    return OKRA_OK;
}

/* The codec that the name asks for; NULL: none. What comes out cannot be overwritten, as some headers are. */
static okra_status find_codec(const char *path, const okra_format_row *format, const okra_codec **codec,
                              okra_message *why)
{
    const okra_compression_row *row = okra_is_standard(path) ? NULL : okra_compression_of(path);
    *codec = row ? row->codec : NULL;
    if (row && !format->format.writes_pipe)
        return okra_error(OKRA_E_PARAMETER, why, "%s: %s cannot be compressed while it is written: leave out .%s", path,
                          format->format.name, row->compression.suffix);
    if (row && !*codec)
        return okra_error(OKRA_E_PARAMETER, why, "%s: cannot be compressed: %s: build it with that, or leave out .%s",
                          path, row->lack, row->compression.suffix);
    return OKRA_OK;
}

static okra_status check_options(const okra_writer_options *o, const char *path, const okra_format_row **format,
                                 okra_message *why)
{
    bool standard = okra_is_standard(path);
    const char *name = standard ? "standard output" : path;
    okra_status status = find_format(o, path, name, format, why);
    if (status)
        return status;
    if (o->columns < 1 || o->columns > OKRA_MAX_COLUMNS)
        return refuse(name, "a row needs at least one column, and at most four million", why);
    if (o->digits < 0 || o->digits > 17)
        return refuse(name, "digits must be from 1 to 17, or 0 for as many as are needed", why);
    if (standard && o->append_at > 0)
        return refuse(name, "cannot be continued: name the file", why);
    return check_format(o, *format, standard, name, why);
}

/* ---- opening ------------------------------------------------------------------------------------------------- */

bool okra_writer_look(const okra_writer *writer, uint64_t offset, char *bytes, size_t count)
{
    int error;
    return okra_read_at(writer->output.fd, bytes, count, (int64_t)offset, &error) == count;
}

static okra_status check_kind(const okra_writer *writer, okra_message *why)
{
    if (writer->output.regular)
        return OKRA_OK;
    if (writer->options.append_at > 0)
        return refuse(writer->output.name, "is no regular file, so there is nothing to go on with", why);
    if (writer->format->format.writes_pipe)
        return OKRA_OK;
    return okra_error(OKRA_E_PARAMETER, why,
                      "%s: is no regular file, which %s needs: its header tells the number of rows",
                      writer->output.name, writer->format->format.name);
}

static okra_status check_members(const okra_writer *writer, okra_message *why)
{
    okra_status status = okra_members_end(writer->codec, writer->output.fd, writer->options.append_at);
    if (status != OKRA_E_FORMAT)
        return status ? okra_status_error(status, why) : OKRA_OK;
    return okra_refuse(why,
                       "%s: no compressed data end after its first %llu bytes: it is not the output of the run that "
                       "stopped; start again",
                       writer->output.name, (unsigned long long)writer->options.append_at);
}

/* The file must be the one that was written: long enough, and with a row that ends at append_at. */
static okra_status check_existing(okra_writer *writer, okra_message *why)
{
    uint64_t keep = writer->options.append_at;
    struct stat info;
    if (keep == 0)
        return OKRA_OK;
    if (fstat(writer->output.fd, &info) == 0 && (uint64_t)info.st_size >= keep)
        return writer->codec ? check_members(writer, why) : writer->class->check(writer, why);
    return okra_refuse(
        why, "%s: is shorter than the %llu bytes to be kept: it is not the output of the run that stopped; start again",
        writer->output.name, (unsigned long long)keep);
}

/* The status of the output, after writing to it. */
static okra_status look(okra_writer *writer, okra_message *why)
{
    writer->info.bytes = okra_output_size(&writer->output);
    return okra_output_check(&writer->output, why);
}

static okra_status begin(okra_writer *writer, const char *const *names, okra_message *why)
{
    okra_status status = check_kind(writer, why);
    if (!status)
        status = check_existing(writer, why);
    if (!status && writer->codec && !okra_output_compress(&writer->output, writer->codec))
        status = okra_status_error(OKRA_E_MEMORY, why);
    if (!status)
        status = okra_output_start(&writer->output, writer->options.append_at, why);
    if (!status && writer->options.append_at == 0) {
        if (writer->class->begin)
            status = writer->class->begin(writer, names, why);
        okra_output_flush(&writer->output); /* so that the file is valid from now on */
    }
    return status ? status : look(writer, why);
}

static void release(okra_writer *writer)
{
    free(writer->own);
    free(writer);
}

/* Writes the end and frees everything. Returns the status. */
static okra_status finish(okra_writer *writer, okra_message *why)
{
    if (writer->class->end)
        writer->class->end(writer);
    okra_output_close(&writer->output);
    okra_status status = okra_output_check(&writer->output, why);
    release(writer);
    return status;
}

okra_status okra_writer_open(const char *path, const okra_writer_options *options, okra_writer **opened,
                             okra_message *why)
{
    if (!options || !opened)
        return okra_status_error(OKRA_E_NULL, why);
    *opened = NULL;
    const okra_format_row *format;
    const okra_codec *codec = NULL;
    okra_status status = check_options(options, path, &format, why);
    if (!status)
        status = find_codec(path, format, &codec, why);
    if (status)
        return status;
    okra_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return okra_status_error(OKRA_E_MEMORY, why);
    writer->options = *options;
    writer->options.names = NULL;
    writer->format = format;
    writer->codec = codec;
    writer->class = format->writer;
    if (writer->class->prepare && !writer->class->prepare(writer, options->names)) {
        release(writer);
        return okra_status_error(OKRA_E_MEMORY, why);
    }
    writer->row_bytes = writer->class->row_bytes ? writer->class->row_bytes(writer) : 0;
    status = okra_output_open(&writer->output, path, options->append_at > 0, writer->row_bytes, why);
    bool open = !status;
    if (open)
        status = begin(writer, options->names, why);
    if (!status)
        *opened = writer;
    else if (open)
        finish(writer, NULL);
    else
        release(writer);
    return status;
}

/* ---- rows ---------------------------------------------------------------------------------------------------- */

static void put_row(okra_writer *writer, const double *values, const char *texts)
{
    okra_output *output = &writer->output;
    char *to = okra_output_reserve(output, writer->row_bytes);
    okra_output_add(output, (size_t)(writer->class->row(writer, values, to) - to));
    if (writer->options.texts > 0)
        writer->class->texts(writer, texts);
    if ((!output->regular && !writer->options.gather) || writer->options.live)
        okra_output_flush(output);
}

okra_status okra_writer_row(okra_writer *writer, const double *values, const char *texts, okra_message *why)
{
    if (!writer || !values)
        return okra_status_error(OKRA_E_NULL, why);
    if (writer->options.texts > 0 && !texts)
        return refuse(writer->output.name, "has columns of text: give their texts with each row", why);
    put_row(writer, values, texts);
    return look(writer, why);
}

okra_status okra_writer_flush(okra_writer *writer, bool to_disk, okra_message *why)
{
    if (!writer)
        return okra_status_error(OKRA_E_NULL, why);
    if (to_disk)
        okra_output_end_member(&writer->output); /* so that a later run can append to the file */
    okra_output_flush(&writer->output);
    if (writer->class->update_header)
        writer->class->update_header(writer);
    okra_status status = look(writer, why);
    if (status || !to_disk)
        return status;
    okra_output_sync(&writer->output);
    return okra_output_check(&writer->output, why);
}

const okra_writer_info *okra_writer_get(const okra_writer *writer)
{
    static const okra_writer_info none = {0};
    return writer ? &writer->info : &none;
}

okra_status okra_writer_close(okra_writer *writer, okra_message *why)
{
    if (!writer)
        return OKRA_OK;
    okra_output_end_member(&writer->output);
    okra_writer_flush(writer, false, NULL);
    return finish(writer, why);
}
