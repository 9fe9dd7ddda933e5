/*
 * Finds columns by name or number. A column has at most one part; anything ambiguous is refused.
 */
#include "columns.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/message.h"
#include "../common/text.h"

static const char *const part_names[] = {"target", "weight", "input", "one left out", "kept one"};

typedef struct choice {
    const okra_table *table;
    const column_request *request;
    size_t columns;
    part *parts; /* of each column; N_PARTS: none */
    bool *kept;
} choice;

const char *column_label(const okra_table *table, size_t column, char label[COLUMN_LABEL])
{
    const char *name = okra_table_column_name(table, column);
    int used = snprintf(label, COLUMN_LABEL, "column %zu", column + 1);
    if (name)
        snprintf(label + used, COLUMN_LABEL - (size_t)used, " (%.60s)", name);
    return label;
}

/* ---- finding a column ---------------------------------------------------------------------------------------- */

/* The names of all columns, or the first of them. */
static const char *list_names(const choice *c, char list[HINT_TEXT])
{
    size_t used = (size_t)snprintf(list, HINT_TEXT, "it has ");
    for (size_t i = 0; i < c->columns; i++) {
        const char *name = okra_table_column_name(c->table, i);
        if (used + strlen(name) + 30 > HINT_TEXT) {
            snprintf(list + used, HINT_TEXT - used, "%s of %zu", i > 0 ? ", .." : "a column too long to name",
                     c->columns);
            break;
        }
        used += (size_t)snprintf(list + used, HINT_TEXT - used, "%s%s", i > 0 ? ", " : "", name);
    }
    return list;
}

static int unknown_column(const choice *c, part as, const char *name)
{
    char hint[HINT_TEXT], otherwise[HINT_TEXT];
    const char *path = okra_table_get(c->table)->path, *said = c->request->said[as];
    if (!okra_table_column_name(c->table, 0))
        return message_fail(EXIT_USAGE, "%s: '%s' is no column: %s has no header, so give a number from 1 to %zu", said,
                            name, path, c->columns);
    nearest search = nearest_to(name);
    for (size_t i = 0; i < c->columns; i++)
        nearest_offer(&search, okra_table_column_name(c->table, i));
    return message_fail(EXIT_USAGE, "%s: %s has no column '%s': %s", said, path, name,
                        nearest_hint(&search, "", list_names(c, otherwise), hint));
}

static bool is_number(const char *text) { return *text && text[strspn(text, "0123456789")] == '\0'; }

static int find_number(const choice *c, part as, const char *text, size_t *found)
{
    errno = 0;
    unsigned long long number = strtoull(text, NULL, 10);
    if (errno || number < 1 || number > c->columns)
        return message_fail(EXIT_USAGE, "%s: %s has no column %s: they are numbered from 1 to %zu",
                            c->request->said[as], okra_table_get(c->table)->path, text, c->columns);
    *found = (size_t)number - 1;
    return EXIT_DONE;
}

/* The column of that name; *found is unchanged if there is none. */
static int find_name(const choice *c, part as, const char *text, size_t *found)
{
    for (size_t i = 0; i < c->columns; i++) {
        const char *name = okra_table_column_name(c->table, i);
        if (!name || strcmp(name, text) != 0)
            continue;
        if (*found != NO_COLUMN)
            return message_fail(EXIT_USAGE, "%s: %s has two columns '%s', %zu and %zu: choose one by its number",
                                c->request->said[as], okra_table_get(c->table)->path, text, *found + 1, i + 1);
        *found = i;
    }
    return EXIT_DONE;
}

static int find_column(const choice *c, part as, const struct column_item *item, size_t *found)
{
    bool may_miss = as == TARGET && c->request->targets_may_miss;
    *found = NO_COLUMN;
    int status = item->number ? EXIT_DONE : find_name(c, as, item->text, found);
    if (status || *found != NO_COLUMN)
        return status;
    if (may_miss && (!item->number || strtoull(item->text, NULL, 10) > c->columns))
        return EXIT_DONE;
    return is_number(item->text) ? find_number(c, as, item->text, found) : unknown_column(c, as, item->text);
}

/* ---- giving parts -------------------------------------------------------------------------------------------- */

static int refuse_part(const choice *c, size_t column, part as, part had)
{
    char label[COLUMN_LABEL];
    const char *said = c->request->said[as];
    column_label(c->table, column, label);
    if (had == as)
        return message_fail(EXIT_USAGE, "%s: names %s twice", said, label);
    if (had == TARGET && !c->request->lists[TARGET])
        return message_fail(EXIT_USAGE,
                            "%s: %s is the target, because it is the last column: name another one with --target", said,
                            label);
    return message_fail(EXIT_USAGE, "%s: %s is already the %s: leave it out of one of the two", said, label,
                        part_names[had]);
}

static int give_part(choice *c, size_t column, part as)
{
    part had = as == KEPT && !c->kept[column] ? N_PARTS : as == KEPT ? KEPT : c->parts[column];
    if (as == KEPT)
        c->kept[column] = true;
    else
        c->parts[column] = as;
    return had == N_PARTS ? EXIT_DONE : refuse_part(c, column, as, had);
}

/* Parts are given once, so there are never more places than columns, but for targets that are not there. */
static int take_list(choice *c, part as, size_t **places, size_t *n)
{
    const column_list *list = c->request->lists[as];
    *places = calloc(list->n + 1, sizeof **places);
    if (!*places)
        return message_fail(EXIT_IO, "out of memory");
    for (size_t i = 0; i < list->n; i++) {
        size_t column;
        int status = find_column(c, as, &list->items[i], &column);
        if (!status && column != NO_COLUMN)
            status = give_part(c, column, as);
        if (status)
            return status;
        (*places)[(*n)++] = column;
    }
    return EXIT_DONE;
}

static int take_weight(choice *c, columns *chosen)
{
    size_t *place = NULL, n = 0;
    if (!c->request->lists[WEIGHT])
        return EXIT_DONE;
    int status = take_list(c, WEIGHT, &place, &n);
    if (!status && n != 1)
        status = message_fail(EXIT_USAGE, "%s: names %zu columns: weights take one", c->request->said[WEIGHT], n);
    if (!status)
        chosen->weight = place[0];
    free(place);
    return status;
}

static int take_targets(choice *c, columns *chosen)
{
    size_t after = c->columns; /* the last column that may be one */
    if (c->request->lists[TARGET])
        return take_list(c, TARGET, &chosen->targets, &chosen->n_targets);
    while (after > 0 && c->parts[after - 1] == LEFT_OUT)
        after--;
    if (after == 0)
        return message_fail(EXIT_USAGE, "%s: leaves no column of %s as the target", c->request->said[LEFT_OUT],
                            okra_table_get(c->table)->path);
    chosen->targets = calloc(1, sizeof *chosen->targets);
    if (!chosen->targets)
        return message_fail(EXIT_IO, "out of memory");
    chosen->targets[chosen->n_targets++] = after - 1;
    return give_part(c, after - 1, TARGET);
}

static int leave_out(choice *c)
{
    size_t *places = NULL, n = 0;
    int status = c->request->lists[LEFT_OUT] ? take_list(c, LEFT_OUT, &places, &n) : EXIT_DONE;
    free(places);
    return status;
}

/* If none are left, targets are predicted from their own past. */
static int take_rest(choice *c, columns *chosen)
{
    chosen->inputs = calloc(c->columns, sizeof *chosen->inputs);
    if (!chosen->inputs)
        return message_fail(EXIT_IO, "out of memory");
    for (size_t i = 0; i < c->columns; i++)
        if (c->parts[i] == N_PARTS && !c->kept[i] && !c->request->no_inputs) {
            c->parts[i] = INPUT;
            chosen->inputs[chosen->n_inputs++] = i;
        }
    return EXIT_DONE;
}

static int take_kept(choice *c, columns *chosen)
{
    return c->request->lists[KEPT] ? take_list(c, KEPT, &chosen->kept, &chosen->n_kept) : EXIT_DONE;
}

static int give_parts(choice *c, columns *chosen)
{
    int status = leave_out(c);
    if (!status)
        status = take_targets(c, chosen);
    if (!status)
        status = take_weight(c, chosen);
    if (!status)
        status = take_kept(c, chosen);
    if (status)
        return status;
    return c->request->lists[INPUT] ? take_list(c, INPUT, &chosen->inputs, &chosen->n_inputs) : take_rest(c, chosen);
}

/* Columns without a part may then hold dates and labels. */
static int read_only_these(const choice *c, okra_table *table)
{
    bool *used = calloc(c->columns, sizeof *used);
    for (size_t i = 0; used && i < c->columns; i++)
        used[i] = c->parts[i] < LEFT_OUT || (c->kept[i] && !c->request->kept_as_text);
    bool limited = used && !okra_table_use(table, used);
    free(used);
    return limited ? EXIT_DONE : message_fail(EXIT_IO, "out of memory");
}

int columns_choose(columns *chosen, okra_table *table, const column_request *request)
{
    choice c = {.table = table, .request = request, .columns = okra_table_get(table)->columns};
    *chosen = (columns){.weight = NO_COLUMN, .kept_as_text = request->kept_as_text};
    c.parts = calloc(c.columns, sizeof *c.parts);
    c.kept = calloc(c.columns, sizeof *c.kept);
    for (size_t i = 0; c.parts && i < c.columns; i++)
        c.parts[i] = N_PARTS;
    int status = c.parts && c.kept ? give_parts(&c, chosen) : message_fail(EXIT_IO, "out of memory");
    if (!status)
        status = read_only_these(&c, table);
    free(c.parts);
    free(c.kept);
    return status;
}

void columns_free(columns *chosen)
{
    free(chosen->targets);
    free(chosen->inputs);
    free(chosen->kept);
    *chosen = (columns){.weight = NO_COLUMN};
}
