/*
 * Parsing of options, and the help that comes from the same table.
 */
#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "params.h"
#include "talk.h"
#include "text.h"

bool is_standard(const char *path) { return !path || strcmp(path, "-") == 0; }

static size_t count_options(const cli_command *command)
{
    size_t n = 0;
    while (command->options[n].name)
        n++;
    return n;
}

const okra_param *command_param(const cli_command *command, size_t i)
{
    const okra_param *param;
    size_t at = 0;
    if (command->parameters == NO_PARAMETERS)
        return NULL;
    while ((param = okra_param_at(at++)))
        if ((param->scope != OKRA_SCOPE_STREAM || command->parameters == ALL_PARAMETERS) && i-- == 0)
            return param;
    return NULL;
}

const char *command_param_help(const cli_command *command, const okra_param *param, char text[PARAM_HELP])
{
    const cli_default *own = command->defaults;
    while (own && own->name && strcmp(own->name, param->name) != 0)
        own++;
    return param_help(param, own ? own->text : NULL, text);
}

static size_t count_params(const cli_command *command)
{
    size_t n = 0;
    while (command_param(command, n))
        n++;
    return n;
}

static const char *option_name(const arguments *parsed, size_t i)
{
    return i < parsed->n_options ? parsed->command->options[i].name
                                 : command_param(parsed->command, i - parsed->n_options)->name;
}

static bool is_switch(const arguments *parsed, size_t i)
{
    return i < parsed->n_options && !parsed->command->options[i].argument;
}

/* The place of an option whose name is the first `length` characters of `name`; past the last where there is none. */
static size_t find_option(const arguments *parsed, const char *name, size_t length)
{
    size_t n = parsed->n_options + parsed->n_params, i = 0;
    while (i < n && !(strlen(option_name(parsed, i)) == length && strncmp(option_name(parsed, i), name, length) == 0))
        i++;
    return i;
}

/* ---- parsing ------------------------------------------------------------------------------------------------- */

static int unknown_option(const arguments *parsed, const char *text, size_t length)
{
    char name[64], otherwise[HINT_TEXT], hint[HINT_TEXT];
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), text);
    nearest search = nearest_to(name);
    for (size_t i = 0; i < parsed->n_options + parsed->n_params; i++)
        nearest_offer(&search, option_name(parsed, i));
    snprintf(otherwise, sizeof otherwise, "'%s help %s' lists the options", talk_name(), parsed->command->name);
    return talk_fail(EXIT_USAGE, "no option '--%s': %s", name, nearest_hint(&search, "--", otherwise, hint));
}

/* Takes the option at argv[*i], with the next argument where that is its value. */
static int take_option(arguments *parsed, int argc, char **argv, int *i)
{
    const char *text = argv[*i] + 2;
    size_t length = strcspn(text, "=");
    const char *value = text[length] == '=' ? text + length + 1 : NULL;
    size_t found = find_option(parsed, text, length);
    if (found == parsed->n_options + parsed->n_params)
        return unknown_option(parsed, text, length);
    if (is_switch(parsed, found)) {
        if (value)
            return talk_fail(EXIT_USAGE, "--%s takes no value", option_name(parsed, found));
        parsed->values[found] = "";
        return EXIT_DONE;
    }
    if (!value && *i + 1 < argc && strncmp(argv[*i + 1], "--", 2) != 0)
        value = argv[++*i];
    if (!value)
        return talk_fail(EXIT_USAGE, "--%s needs a value: --%s=VALUE", option_name(parsed, found),
                         option_name(parsed, found));
    parsed->values[found] = value;
    return EXIT_DONE;
}

static int take_operand(arguments *parsed, const char *text)
{
    if (!parsed->command->operand)
        return talk_fail(EXIT_USAGE, "'%s': %s %s takes options only", text, talk_name(), parsed->command->name);
    if (parsed->operand && !parsed->command->many_operands)
        return talk_fail(EXIT_USAGE, "'%s' after '%s': %s %s takes one %s", text, parsed->operand, talk_name(),
                         parsed->command->name, parsed->command->operand);
    parsed->operand = text;
    parsed->operands[parsed->n_operands++] = text;
    return EXIT_DONE;
}

char option_letter(const char *name)
{
    if (strcmp(name, "help") == 0 || strcmp(name, "out") == 0)
        return name[0];
    return '\0';
}

/* The option of a dash and its letter; n_options where there is none. */
static size_t find_letter(const arguments *parsed, const char *text)
{
    size_t found = text[0] == '-' && text[1] && !text[2] ? 0 : parsed->n_options;
    while (found < parsed->n_options && text[1] != option_letter(option_name(parsed, found)))
        found++;
    return found;
}

/* -h for --help and, where the command has it, -o FILE for --out FILE. */
static int take_short(arguments *parsed, int argc, char **argv, int *i)
{
    const char *text = argv[*i];
    size_t found = find_letter(parsed, text);
    if (found == parsed->n_options)
        return talk_fail(EXIT_USAGE, "no option '%s': options have two dashes; '%s help %s' lists them", text,
                         talk_name(), parsed->command->name);
    if (!is_switch(parsed, found) && (*i + 1 >= argc || strncmp(argv[*i + 1], "--", 2) == 0))
        return talk_fail(EXIT_USAGE, "%s needs a value: %s %s", text, text, parsed->command->options[found].argument);
    parsed->values[found] = is_switch(parsed, found) ? "" : argv[++*i];
    return EXIT_DONE;
}

int arguments_parse(arguments *parsed, const cli_command *command, int argc, char **argv)
{
    *parsed = (arguments){.command = command, .n_options = count_options(command), .n_params = count_params(command)};
    parsed->given = argv;
    parsed->values = calloc(parsed->n_options + parsed->n_params + 1, sizeof *parsed->values);
    parsed->operands = calloc((size_t)argc + 1, sizeof *parsed->operands);
    if (!parsed->values || !parsed->operands)
        return talk_fail(EXIT_IO, "out of memory");
    bool options = true; /* until `--` */
    int status = EXIT_DONE;
    for (int i = 0; i < argc && !status; i++) {
        if (options && strcmp(argv[i], "--") == 0)
            options = false;
        else if (options && strncmp(argv[i], "--", 2) == 0)
            status = take_option(parsed, argc, argv, &i);
        else if (options && argv[i][0] == '-' && argv[i][1])
            status = take_short(parsed, argc, argv, &i);
        else
            status = take_operand(parsed, argv[i]);
    }
    return status;
}

/* A copy of n texts; NULL where there is no memory. */
static const char **copy_texts(const char *const *from, size_t n)
{
    const char **copy = calloc(n + 1, sizeof *copy);
    for (size_t i = 0; copy && i < n; i++)
        copy[i] = from[i];
    return copy;
}

bool arguments_copy(arguments *copy, const arguments *from)
{
    *copy = *from;
    copy->values = copy_texts(from->values, from->n_options + from->n_params);
    copy->operands = copy_texts(from->operands, from->n_operands);
    return copy->values && copy->operands;
}

void arguments_free(arguments *parsed)
{
    free(parsed->values), free(parsed->operands);
    parsed->values = parsed->operands = NULL;
}

const char *arguments_value(const arguments *parsed, const char *name)
{
    size_t i = find_option(parsed, name, strlen(name));
    return i < parsed->n_options + parsed->n_params ? parsed->values[i] : NULL;
}

/* The option that an argument names, by its letter too, and its value where that is a part of it; beyond the last where
 * it names none. */
static size_t option_in(const arguments *parsed, const char *text, const char **value)
{
    size_t length = strcspn(text, "="), found = parsed->n_options + parsed->n_params;
    *value = text[length] ? text + length + 1 : NULL;
    if (strncmp(text, "--", 2) == 0)
        return find_option(parsed, text + 2, length - 2);
    size_t letter = find_letter(parsed, text);
    return letter < parsed->n_options ? letter : found;
}

/* The command line has been parsed, so that every option in it has its value. */
const char *arguments_next(const arguments *parsed, const char *name, size_t *at)
{
    size_t wanted = find_option(parsed, name, strlen(name)), n = parsed->n_options + parsed->n_params;
    for (char **given = parsed->given + *at; *given && strcmp(*given, "--") != 0; given++) {
        const char *value;
        size_t found = option_in(parsed, *given, &value);
        if (found == n || is_switch(parsed, found))
            continue;
        if (!value)
            value = *++given;
        if (found != wanted)
            continue;
        *at = (size_t)(given - parsed->given) + 1;
        return value;
    }
    return NULL;
}

void arguments_set(arguments *parsed, const char *name, const char *value)
{
    size_t i = find_option(parsed, name, strlen(name));
    if (i < parsed->n_options + parsed->n_params)
        parsed->values[i] = value;
}

int arguments_count(const arguments *options, const char *name, uint64_t low, uint64_t high, uint64_t *value)
{
    const char *text = arguments_value(options, name);
    if (!text)
        return EXIT_DONE;
    errno = 0;
    unsigned long long number = strtoull(text, NULL, 10);
    bool digits = *text && text[strspn(text, "0123456789")] == '\0';
    if (!digits || errno || number < low || number > high)
        return talk_fail(EXIT_USAGE, "--%s: '%s' is no whole number from %llu to %llu", name, text,
                         (unsigned long long)low, (unsigned long long)high);
    *value = number;
    return EXIT_DONE;
}

int arguments_number(const arguments *options, const char *name, double *value)
{
    const char *text = arguments_value(options, name);
    char *end;
    if (!text)
        return EXIT_DONE;
    double number = strtod(text, &end);
    if (end == text || *end || !isfinite(number))
        return talk_fail(EXIT_USAGE, "--%s: '%s' is not a number", name, text);
    *value = number;
    return EXIT_DONE;
}

/* The first recipe that has a parameter: every parameter is some recipe's. */
static const char *first_with(const char *name)
{
    size_t i = 0;
    while (!recipe_param(okra_recipe_at(i), name))
        i++;
    return okra_recipe_at(i)->name;
}

static int refuse_param(const okra_spec *spec, const char *name, const okra_message *why)
{
    if (!recipe_param(okra_recipe_find(spec->recipe), name) && strcmp(spec->recipe, DEFAULT_RECIPE) == 0)
        return talk_fail(EXIT_USAGE,
                         "--%s: recipe %s, the default, has no such parameter: name one that has, as in --recipe %s",
                         name, spec->recipe, first_with(name));
    if (!recipe_param(okra_recipe_find(spec->recipe), name))
        return talk_fail(EXIT_USAGE, "--%s: recipe %s has no such parameter: 'okra list %s' shows what it has", name,
                         spec->recipe, spec->recipe);
    return talk_fail(EXIT_USAGE, "--%s", why->text); /* which begins with the parameter's name */
}

int arguments_apply(const arguments *parsed, okra_spec *spec)
{
    for (size_t i = 0; i < parsed->n_params; i++) {
        const char *name = option_name(parsed, parsed->n_options + i), *value = parsed->values[parsed->n_options + i];
        okra_message why;
        if (value && okra_spec_set(spec, name, value, &why))
            return refuse_param(spec, name, &why);
    }
    return EXIT_DONE;
}

/* ---- help ---------------------------------------------------------------------------------------------------- */

enum { HELP_COLUMN = 26 };

const okra_format *format_named(const char *name)
{
    const okra_format *format;
    for (size_t i = 0; (format = okra_format_at(i)); i++)
        if (format->reads && strcmp(format->name, name) == 0)
            return format;
    return NULL;
}

const char *argument_words(const char *argument, char text[ARGUMENT_TEXT])
{
    const okra_format *format;
    size_t used = 0;
    if (!argument || strcmp(argument, "FORMAT") != 0)
        return argument;
    for (size_t i = 0; (format = okra_format_at(i)) && used < ARGUMENT_TEXT; i++)
        if (format->reads)
            used += (size_t)snprintf(text + used, ARGUMENT_TEXT - used, "%s%s", used > 0 ? "|" : "", format->name);
    return text;
}

static void print_option(const char *name, const char *argument, const char *help)
{
    char left[ARGUMENT_TEXT + 64], words[ARGUMENT_TEXT];
    char letter = option_letter(name), brief[] = {'-', letter, ',', ' ', '\0'};
    snprintf(left, sizeof left, "%s--%s%s%s", letter ? brief : "", name, argument ? " " : "",
             argument ? argument_words(argument, words) : "");
    print_entry(2, left, HELP_COLUMN, help);
}

/* Parameters of the stream, or of what learns it; the title where there are any. */
static void print_parameters(const cli_command *command, bool of_stream, const char *title)
{
    const okra_param *param;
    for (size_t i = 0; (param = command_param(command, i)); i++) {
        char argument[PARAM_TEXT], help[PARAM_HELP];
        if ((param->scope == OKRA_SCOPE_STREAM) != of_stream)
            continue;
        fputs(title, stdout);
        title = "";
        print_option(param->name, param_argument(param, argument), command_param_help(command, param, help));
    }
}

void command_help(const cli_command *command, const char *program)
{
    printf("Usage: %s %s [options]%s%s%s\n\n", program, command->name, command->operand ? " [" : "",
           command->operand ? command->operand : "", command->operand ? "]" : "");
    print_entry(0, "", 0, command->more);
    printf("\nOptions (defaults in brackets):\n");
    for (const cli_option *option = command->options; option->name; option++)
        print_option(option->name, option->argument, option->help);
    print_parameters(command, true, "\nParameters of the stream:\n");
    print_parameters(command, false, "\nRecipe parameters ('okra list RECIPE' shows those of one recipe):\n");
    if (command->examples)
        printf("\nExamples:\n%s", command->examples);
}
