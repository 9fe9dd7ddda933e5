/*
 * Columns by name or number. A column has one part at most, and everything that is not clear is asked back.
 */
#include "columns.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "talk.h"
#include "text.h"

typedef enum part { UNUSED, TARGET, WEIGHT, INPUT } part;

static const char *const part_names[] = {"", "target", "weight", "input"};
static const char *const option_names[] = {"", "--target", "--weight", "--inputs"};

typedef struct choice {
    const okra_reader *reader;
    size_t columns;
    part *parts;           /* of each column */
    bool target_asked_for; /* rather than the last column by default */
} choice;

const char *column_label(const okra_reader *reader, size_t column, char label[COLUMN_LABEL])
{
    const char *name = okra_reader_column_name(reader, column);
    int used = snprintf(label, COLUMN_LABEL, "column %zu", column + 1);
    if (name)
        snprintf(label + used, COLUMN_LABEL - (size_t)used, " (%.60s)", name);
    return label;
}

/* ---- finding a column ---------------------------------------------------------------------------------------- */

static int unknown_column(const choice *c, part as, const char *name)
{
    char hint[HINT_TEXT], otherwise[HINT_TEXT];
    const char *path = okra_reader_path(c->reader);
    if (!okra_reader_column_name(c->reader, 0))
        return talk_fail(EXIT_USAGE, "%s: '%s' is no column: %s has no header, so give a number from 1 to %zu",
                         option_names[as], name, path, c->columns);
    nearest search = nearest_to(name);
    for (size_t i = 0; i < c->columns; i++)
        nearest_offer(&search, okra_reader_column_name(c->reader, i));
    snprintf(otherwise, sizeof otherwise, "its %zu columns begin with '%.60s'", c->columns,
             okra_reader_column_name(c->reader, 0));
    return talk_fail(EXIT_USAGE, "%s: %s has no column '%s': %s", option_names[as], path, name,
                     nearest_hint(&search, "", otherwise, hint));
}

static bool is_number(const char *text) { return *text && text[strspn(text, "0123456789")] == '\0'; }

static int find_number(const choice *c, part as, const char *text, size_t *found)
{
    errno = 0;
    unsigned long long number = strtoull(text, NULL, 10);
    if (errno || number < 1 || number > c->columns)
        return talk_fail(EXIT_USAGE, "%s: %s has no column %s: they are numbered from 1 to %zu", option_names[as],
                         okra_reader_path(c->reader), text, c->columns);
    *found = (size_t)number - 1;
    return EXIT_DONE;
}

/* A name goes before a number: a header may well call its columns 0, 1, 2. */
static int find_column(const choice *c, part as, const char *text, size_t *found)
{
    *found = NO_COLUMN;
    for (size_t i = 0; i < c->columns; i++) {
        const char *name = okra_reader_column_name(c->reader, i);
        if (!name || strcmp(name, text) != 0)
            continue;
        if (*found != NO_COLUMN)
            return talk_fail(EXIT_USAGE, "%s: %s has two columns '%s', %zu and %zu: choose one by its number",
                             option_names[as], okra_reader_path(c->reader), text, *found + 1, i + 1);
        *found = i;
    }
    if (*found != NO_COLUMN)
        return EXIT_DONE;
    return is_number(text) ? find_number(c, as, text, found) : unknown_column(c, as, text);
}

/* ---- giving parts -------------------------------------------------------------------------------------------- */

static int give_part(choice *c, size_t column, part as)
{
    char label[COLUMN_LABEL];
    part had = c->parts[column];
    c->parts[column] = as;
    if (had == UNUSED)
        return EXIT_DONE;
    column_label(c->reader, column, label);
    if (had == as)
        return talk_fail(EXIT_USAGE, "%s: names %s twice", option_names[as], label);
    if (had == TARGET && !c->target_asked_for)
        return talk_fail(EXIT_USAGE, "%s: %s is the target, being the last column: name another one with --target",
                         option_names[as], label);
    return talk_fail(EXIT_USAGE, "%s: %s is already the %s: leave it out of one of the two", option_names[as], label,
                     part_names[had]);
}

/* Takes the next item off a comma-separated list, without the blanks around it; NULL at the end. */
static char *next_item(char **list)
{
    char *item = strsep(list, ",");
    if (!item)
        return NULL;
    item += strspn(item, " \t");
    size_t length = strlen(item);
    while (length > 0 && (item[length - 1] == ' ' || item[length - 1] == '\t'))
        item[--length] = '\0';
    return item;
}

static int take_items(choice *c, part as, char *list, size_t *places, size_t *n)
{
    int status = EXIT_DONE;
    for (char *item; !status && (item = next_item(&list));) {
        size_t column;
        if (!*item)
            return talk_fail(EXIT_USAGE, "%s: an empty name: separate columns by single commas", option_names[as]);
        status = find_column(c, as, item, &column);
        if (!status)
            status = give_part(c, column, as);
        if (!status) /* parts are given once, so there are never more than columns */
            places[(*n)++] = column;
    }
    return status;
}

static int take_list(choice *c, part as, const char *text, size_t *places, size_t *n)
{
    char *list = strdup(text);
    int status = list ? take_items(c, as, list, places, n) : talk_fail(EXIT_IO, "out of memory");
    free(list);
    return status;
}

static int take_weight(choice *c, const char *text, size_t *weight)
{
    int status = find_column(c, WEIGHT, text, weight);
    return status ? status : give_part(c, *weight, WEIGHT);
}

static int take_rest(choice *c, columns *chosen)
{
    for (size_t i = 0; i < c->columns; i++)
        if (c->parts[i] == UNUSED) {
            c->parts[i] = INPUT;
            chosen->inputs[chosen->n_inputs++] = i;
        }
    if (chosen->n_inputs > 0)
        return EXIT_DONE;
    return talk_fail(EXIT_USAGE, "%s: no column is left for the inputs: it has %zu, and a comma must separate them",
                     okra_reader_path(c->reader), c->columns);
}

static int give_parts(choice *c, columns *chosen, const char *targets, const char *inputs, const char *weight)
{
    int status = EXIT_DONE;
    if (targets) {
        status = take_list(c, TARGET, targets, chosen->targets, &chosen->n_targets);
    } else {
        chosen->targets[chosen->n_targets++] = c->columns - 1;
        c->parts[c->columns - 1] = TARGET;
    }
    if (!status && weight)
        status = take_weight(c, weight, &chosen->weight);
    if (status)
        return status;
    return inputs ? take_list(c, INPUT, inputs, chosen->inputs, &chosen->n_inputs) : take_rest(c, chosen);
}

/* Columns without a part may then hold dates and labels. */
static int read_only_these(const choice *c, okra_reader *reader)
{
    bool *used = calloc(c->columns, sizeof *used);
    for (size_t i = 0; used && i < c->columns; i++)
        used[i] = c->parts[i] != UNUSED;
    bool told = used && !okra_reader_use(reader, used);
    free(used);
    return told ? EXIT_DONE : talk_fail(EXIT_IO, "out of memory");
}

int columns_choose(columns *chosen, okra_reader *reader, const char *targets, const char *inputs, const char *weight)
{
    choice c = {.reader = reader, .columns = okra_reader_columns(reader), .target_asked_for = targets != NULL};
    *chosen = (columns){.weight = NO_COLUMN};
    chosen->targets = calloc(c.columns, sizeof *chosen->targets);
    chosen->inputs = calloc(c.columns, sizeof *chosen->inputs);
    c.parts = calloc(c.columns, sizeof *c.parts);
    int status = chosen->targets && chosen->inputs && c.parts ? give_parts(&c, chosen, targets, inputs, weight)
                                                              : talk_fail(EXIT_IO, "out of memory");
    if (!status)
        status = read_only_these(&c, reader);
    free(c.parts);
    return status;
}

void columns_free(columns *chosen)
{
    free(chosen->targets);
    free(chosen->inputs);
    chosen->targets = chosen->inputs = NULL;
}
