#include "tables.h"

const char table_path[] = "table";

okra_status open_bytes(const char *bytes, size_t length, okra_table **reader, okra_message *why)
{
    write_bytes(table_path, bytes, length);
    return okra_table_open(table_path, NULL, reader, why);
}

okra_table *open_as(const char *text, okra_table_options options)
{
    okra_table *reader;
    okra_message why;
    write_bytes(table_path, text, strlen(text));
    if (okra_table_open(table_path, &options, &reader, &why))
        fail_msg("%s", why.text);
    return reader;
}

okra_table *open_text(const char *text)
{
    okra_table *reader;
    okra_message why;
    if (open_bytes(text, strlen(text), &reader, &why))
        fail_msg("%s", why.text);
    return reader;
}

void expect_refusal(okra_table *reader, int line, const char *part, const char *other)
{
    double row[16];
    bool more;
    okra_message why;
    char place[64];
    snprintf(place, sizeof place, "%s:%d:", table_path, line);
    assert_status(okra_table_next(reader, row, &more, &why), OKRA_E_FORMAT);
    assert_int_equal(okra_table_get(reader)->line, line);
    if (strncmp(why.text, place, strlen(place)) != 0 || !strstr(why.text, part) || !strstr(why.text, other))
        fail_msg("not '%s' with '%s' and '%s': %s", place, part, other, why.text);
    assert_null(strchr(why.text, '\n'));
}
