/*
 * Lists of columns, as an option gives them or a model file keeps them.
 */
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "../common/message.h"

bool column_list_add(column_list *list, const char *text, bool number)
{
    struct column_item *items = realloc(list->items, (list->n + 1) * sizeof *items);
    if (!items)
        return false;
    list->items = items;
    items[list->n] = (struct column_item){strdup(text), number};
    return items[list->n].text && ++list->n;
}

void column_list_free(column_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->items[i].text);
    free(list->items);
    *list = (column_list){0};
}

/* Takes the next item off a comma-separated list, without the blanks around it; NULL at the end. */
static char *next_item(char **rest)
{
    char *item = strsep(rest, ",");
    if (!item)
        return NULL;
    item += strspn(item, " \t");
    size_t length = strlen(item);
    while (length > 0 && (item[length - 1] == ' ' || item[length - 1] == '\t'))
        item[--length] = '\0';
    return item;
}

static int take_items(column_list *list, char *rest, const char *said)
{
    for (char *item; (item = next_item(&rest));) {
        if (!*item)
            return message_fail(EXIT_USAGE, "%s: an empty name: separate names by single commas", said);
        if (!column_list_add(list, item, false))
            return message_fail(EXIT_IO, "out of memory");
    }
    return EXIT_DONE;
}

int column_list_split(column_list *list, const char *text, const char *said)
{
    *list = (column_list){0};
    char *copy = strdup(text);
    int status = copy ? take_items(list, copy, said) : message_fail(EXIT_IO, "out of memory");
    free(copy);
    return status;
}
