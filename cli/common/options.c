/*
 * Parsing of options, and the help that comes from the same table.
 */
#include "options.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "params.h"
#include "message.h"
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

/* The place of an option whose name is the first `length` characters of `name`; past the last if there is none. */
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
    snprintf(otherwise, sizeof otherwise, "'%s help %s' lists the options", message_name(), parsed->command->name);
    return message_fail(EXIT_USAGE, "no option '--%s': %s", name, nearest_hint(&search, "--", otherwise, hint));
}

/* Takes the option at argv[*i], with the next argument if that is its value. */
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
            return message_fail(EXIT_USAGE, "--%s takes no value", option_name(parsed, found));
        parsed->values[found] = "";
        return EXIT_DONE;
    }
    if (!value && *i + 1 < argc && strncmp(argv[*i + 1], "--", 2) != 0)
        value = argv[++*i];
    if (!value)
        return message_fail(EXIT_USAGE, "--%s needs a value: --%s=VALUE", option_name(parsed, found),
                            option_name(parsed, found));
    parsed->values[found] = value;
    return EXIT_DONE;
}

static int take_operand(arguments *parsed, const char *text)
{
    if (!parsed->command->operand)
        return message_fail(EXIT_USAGE, "'%s': %s %s takes options only", text, message_name(), parsed->command->name);
    if (parsed->operand && !parsed->command->many_operands)
        return message_fail(EXIT_USAGE, "'%s' after '%s': %s %s takes one %s", text, parsed->operand, message_name(),
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

/* The option of a dash and its letter; n_options if there is none. */
static size_t find_letter(const arguments *parsed, const char *text)
{
    size_t found = text[0] == '-' && text[1] && !text[2] ? 0 : parsed->n_options;
    while (found < parsed->n_options && text[1] != option_letter(option_name(parsed, found)))
        found++;
    return found;
}

/* -h for --help and, if the command has it, -o FILE for --out FILE. */
static int take_short(arguments *parsed, int argc, char **argv, int *i)
{
    const char *text = argv[*i];
    size_t found = find_letter(parsed, text);
    if (found == parsed->n_options)
        return message_fail(EXIT_USAGE, "no option '%s': options have two dashes; '%s help %s' lists them", text,
                            message_name(), parsed->command->name);
    if (!is_switch(parsed, found) && (*i + 1 >= argc || strncmp(argv[*i + 1], "--", 2) == 0))
        return message_fail(EXIT_USAGE, "%s needs a value: %s %s", text, text,
                            parsed->command->options[found].argument);
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
        return message_fail(EXIT_IO, "out of memory");
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

/* A copy of n texts; NULL if there is no memory. */
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

/* The option that an argument names, by its letter too, and its value if that is a part of it; beyond the last if it
 * names none. */
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

/* ---- values ---------------------------------------------------------------------------------------------------- */

static bool is_count(const char *text, uint64_t *count)
{
    errno = 0;
    *count = strtoull(text, NULL, 10);
    return *text && text[strspn(text, "0123456789")] == '\0' && !errno;
}

static bool is_real(const char *text, size_t length, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && end == text + length && isfinite(*value);
}

static int take_count(const cli_option *o, const char *text, uint64_t *value)
{
    uint64_t count;
    if (!is_count(text, &count) || count < o->low || count > o->high)
        return message_fail(EXIT_USAGE, "--%s: '%s' is no whole number from %llu to %llu", o->name, text,
                            (unsigned long long)o->low, (unsigned long long)o->high);
    *value = count;
    return EXIT_DONE;
}

static int take_real(const char *name, const char *text, double *value)
{
    double number;
    if (!is_real(text, strlen(text), &number))
        return message_fail(EXIT_USAGE, "--%s: '%s' is not a number", name, text);
    *value = number;
    return EXIT_DONE;
}

static int take_choice(const cli_option *o, const char *text, int *value)
{
    size_t length = strlen(text), n;
    int words = 0;
    for (const char *word = o->argument; *word; word += n + (word[n] == '|'), words++) {
        n = strcspn(word, "|");
        if (n == length && strncmp(word, text, n) == 0) {
            *value = words + 1;
            return EXIT_DONE;
        }
    }
    const char *bar = strchr(o->argument, '|');
    if (words == 2)
        return message_fail(EXIT_USAGE, "--%s: '%s' is neither %.*s nor %s", o->name, text, (int)(bar - o->argument),
                            o->argument, bar + 1);
    return message_fail(EXIT_USAGE, "--%s: '%s' is none of %s", o->name, text, o->argument);
}

static int take_amount(const cli_option *o, const char *text, amount *value)
{
    size_t length = strlen(text);
    amount given = {.in_unit = length > 0 && text[length - 1] == o->unit};
    double high = o->unit == '%' ? 100 : DBL_MAX;
    bool good = given.in_unit ? is_real(text, length - 1, &given.value) && given.value >= 0 && given.value <= high
                              : is_count(text, &given.count) && given.count >= o->low && given.count <= o->high;
    if (good)
        *value = given;
    return good ? EXIT_DONE
                : message_fail(EXIT_USAGE,
                               "--%s: '%s' is neither a whole number from %llu to %llu nor a number%s followed by %c",
                               o->name, text, (unsigned long long)o->low, (unsigned long long)o->high,
                               o->unit == '%' ? " from 0 to 100" : "", o->unit);
}

static int take_value(const cli_option *o, const char *text, void *field)
{
    switch (o->kind) {
    case OPTION_COUNT:
        return take_count(o, text, field);
    case OPTION_REAL:
        return take_real(o->name, text, field);
    case OPTION_CHOICE:
        return take_choice(o, text, field);
    case OPTION_AMOUNT:
        return take_amount(o, text, field);
    default:
        *(const char **)field = text;
        return EXIT_DONE;
    }
}

int arguments_read(const arguments *parsed, void *settings)
{
    int status = EXIT_DONE;
    for (size_t i = 0; i < parsed->n_options && !status; i++) {
        const cli_option *o = &parsed->command->options[i];
        const char *text = parsed->values[i] ? parsed->values[i] : o->fallback;
        void *field = (char *)settings + o->offset;
        if (o->kind == OPTION_FLAG)
            *(bool *)field = parsed->values[i] != NULL;
        else if (o->kind != OPTION_UNBOUND && text)
            status = take_value(o, text, field);
    }
    return status;
}

int arguments_number(const arguments *options, const char *name, double *value)
{
    const char *text = arguments_value(options, name);
    return text ? take_real(name, text, value) : EXIT_DONE;
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
        return message_fail(EXIT_USAGE,
                            "--%s: recipe %s, the default, has no such parameter: name one that has, as in --recipe %s",
                            name, spec->recipe, first_with(name));
    if (!recipe_param(okra_recipe_find(spec->recipe), name))
        return message_fail(EXIT_USAGE, "--%s: recipe %s has no such parameter: 'okra list %s' shows what it has", name,
                            spec->recipe, spec->recipe);
    return message_fail(EXIT_USAGE, "--%s", why->text); /* which begins with the parameter's name */
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

const char *option_help(const cli_option *option, char text[OPTION_HELP])
{
    const char *otherwise = option->fallback ? option->fallback : option->absent;
    snprintf(text, OPTION_HELP, "%s%s%s%s", option->help, otherwise ? " (" : "", otherwise ? otherwise : "",
             otherwise ? ")" : "");
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

/* Parameters of the stream, or of what learns it; the title if there are any. */
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
    for (const cli_option *option = command->options; option->name; option++) {
        char help[OPTION_HELP];
        print_option(option->name, option->argument, option_help(option, help));
    }
    print_parameters(command, true, "\nParameters of the stream:\n");
    print_parameters(command, false, "\nRecipe parameters ('okra list RECIPE' shows those of one recipe):\n");
    if (command->examples)
        printf("\nExamples:\n%s", command->examples);
}
