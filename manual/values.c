/*
 * Words that stand for values, and the names behind them.
 */
#include "values.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <okra/io.h>
#ifdef OKRA_HAVE_LAB
#include <okra/lab.h>
#endif

static void add_word(value *v, const char *name, size_t n, const char *help)
{
    if (v->n_words == VALUE_WORDS || n >= VALUE_TEXT) {
        fprintf(stderr, "manual: no space for '%.*s': see VALUE_WORDS and VALUE_TEXT in values.h\n", (int)n, name);
        exit(EXIT_FAILURE);
    }
    value_word *word = &v->words[v->n_words++];
    snprintf(word->name, sizeof word->name, "%.*s", (int)n, name);
    word->help = help;
}

static void add_recipes(value *v)
{
    const okra_recipe *recipe;
    for (size_t i = 0; (recipe = okra_recipe_at(i)); i++)
        add_word(v, recipe->name, strlen(recipe->name), recipe->help);
}

static void add_signals(value *v)
{
#ifdef OKRA_HAVE_LAB
    const okra_signal_kind *kind;
    for (size_t i = 0; (kind = okra_signal_at(i)); i++)
        add_word(v, kind->name, strlen(kind->name), kind->help);
#else
    (void)v;
#endif
}

static void add_formats(value *v)
{
    const okra_format *format;
    for (size_t i = 0; (format = okra_format_at(i)); i++)
        if (format->reads)
            add_word(v, format->name, strlen(format->name), format->help);
}

static bool is_name(const char *text, size_t n, const char *name)
{
    return strlen(name) == n && !strncmp(text, name, n);
}

/* One of the parts between the bars: a word as it is, or what one in capitals stands for. */
static void add_part(value *v, const char *part, size_t length)
{
    size_t n = strspn(part, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    n = n < length ? n : length;
    bool file = is_name(part, n, "FILE") || is_name(part, n, "MODEL") || is_name(part, n, "PREFIX");
    v->file = v->file || file || is_name(part, n, "PATTERN");
    v->directory = v->directory || is_name(part, n, "DIR");
    if (is_name(part, n, "RECIPE"))
        add_recipes(v);
    else if (is_name(part, n, "SIGNAL"))
        add_signals(v);
    else if (is_name(part, n, "FORMAT"))
        add_formats(v);
    else if (n == 0 && strspn(part, "abcdefghijklmnopqrstuvwxyz0123456789+-") >= length)
        add_word(v, part, length, NULL);
}

void value_of_argument(value *v, const char *argument)
{
    *v = (value){.list = strstr(argument, ",..") || strstr(argument, "[,")};
    for (const char *part = argument; *part;) {
        size_t n = strcspn(part, "|");
        add_part(v, part, n);
        part += n + (part[n] == '|');
    }
}

void value_of_param(value *v, const okra_param *param)
{
    *v = (value){0};
    for (const okra_choice *choice = param->choices; choice && choice->name; choice++)
        add_word(v, choice->name, strlen(choice->name), choice->help);
}

void value_of_operand(value *v, const cli_command *command)
{
    const char *word;
    *v = (value){0};
    if (!command->operand_at && command->operand)
        add_part(v, command->operand, strlen(command->operand));
    for (size_t i = 0; command->operand_at && (word = command->operand_at(i)); i++)
        add_word(v, word, strlen(word), NULL);
}

bool value_is_free(const value *v) { return !v->file && !v->directory && v->n_words == 0; }

void print_function(const program *p, const char *suffix)
{
    putchar('_');
    for (const char *c = p->name; *c; c++)
        putchar(isalnum((unsigned char)*c) ? *c : '_');
    fputs(suffix, stdout);
}
