/*
 * libFuzzer on the command line: bytes are a command and its arguments, with a NUL after each; what the commands do
 * with them before they open a file or run is done here. Whatever is refused is refused with the status for wrong
 * usage and one line; what is accepted makes a model spec that is valid, and parameters that are written as text and
 * read back are the same.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* asprintf */
#endif
#include "harness.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/columns.h"
#include "commands.h"
#include "common/params.h"
#include "compare/recipe_list.h"
#include "stream/run_options.h"
#include "common/message.h"

enum { MAX_ARGUMENTS = 40 };

static const cli_command *const commands[] = {&run_command,    &predict_command, &list_command,   &info_command,
                                              &export_command, &import_command,  &signal_command, &theory_command,
                                              &paper_command,  &bench_command,   &tune_command,   &compare_command};

/* ---- messages ------------------------------------------------------------------------------------------------ */

/* Standard error, for the program to talk to. */
static char said[4096];

static void listen_anew(void)
{
    static FILE *ear;
    if (!ear)
        fuzz_expect((ear = stderr = fmemopen(said, sizeof said, "w")) != NULL);
    rewind(ear);
    memset(said, 0, sizeof said);
    said[0] = '.'; /* for nothing: the program's lines begin with its name */
}

/* A refusal is wrong usage, and says so in one line; nothing is said otherwise. */
static bool accepted(int status)
{
    fflush(stderr);
    if (status == EXIT_DONE) {
        fuzz_expect(said[0] == '.');
        return true;
    }
    const char *end = memchr(said, '\n', sizeof said);
    fuzz_expect(status == EXIT_USAGE && strncmp(said, "okra: ", 6) == 0 && end && !end[1]);
    for (const char *c = said; c < end; c++)
        fuzz_expect((unsigned char)*c >= ' ' && *c != 0x7f);
    listen_anew();
    return false;
}

/* ---- arguments ----------------------------------------------------------------------------------------------- */

/* An argument whose first byte is above 127 is short for one of the command's options; what follows is its value. */
static char *make_argument(const cli_command *command, const char *text)
{
    size_t options = 0, params = 0, which = (unsigned char)*text & 127;
    char *argument;
    while (command->options[options].name)
        options++;
    while (okra_param_at(params))
        params++;
    if (*text >= 0)
        return strdup(text);
    fuzz_expect(options + params > 0);
    which %= options + params;
    const char *name = which < options ? command->options[which].name : okra_param_at(which - options)->name;
    bool has_value = which >= options || command->options[which].argument;
    fuzz_expect(asprintf(&argument, "--%s%s%s", name, has_value ? "=" : "", has_value ? text + 1 : "") > 0);
    return argument;
}

static int make_arguments(const cli_command *command, const uint8_t *data, size_t size, char **argv)
{
    int argc = 0;
    for (size_t at = 0; at < size && argc < MAX_ARGUMENTS;) {
        size_t length = strnlen((const char *)data + at, size - at);
        char *text = strndup((const char *)data + at, length);
        fuzz_expect(text && (argv[argc++] = make_argument(command, text)));
        free(text);
        at += length + 1;
    }
    argv[argc] = NULL;
    return argc;
}

/* ---- options as values --------------------------------------------------------------------------------------- */

static void check_list(const char *text)
{
    column_list list;
    if (accepted(column_list_split(&list, text, "--list"))) {
        fuzz_expect(list.n > 0);
        for (size_t i = 0; i < list.n; i++)
            fuzz_expect(*list.items[i].text && !strchr(list.items[i].text, ','));
    }
    column_list_free(&list);
}

/* Room for the settings of any command. */
typedef union any_settings {
    settings stream;
    max_align_t aligned;
    char bytes[1 << 14];
} any_settings;

/* A value that was accepted is one of those that its row allows. */
static void check_field(const cli_option *option, const void *field)
{
    switch (option->kind) {
    case OPTION_COUNT:
        fuzz_expect(*(const uint64_t *)field >= option->low && *(const uint64_t *)field <= option->high);
        break;
    case OPTION_REAL:
        fuzz_expect(isfinite(*(const double *)field));
        break;
    case OPTION_CHOICE:
        fuzz_expect(*(const int *)field >= 1 && strchr(option->argument, '|'));
        break;
    case OPTION_AMOUNT:
        fuzz_expect(((const amount *)field)->value >= 0 && isfinite(((const amount *)field)->value));
        break;
    case OPTION_FLAG:
        fuzz_expect(*(const bool *)field);
        break;
    default:
        break;
    }
}

/* Every option as its row says, as a number, a list, and as one of several. */
static void check_values(const arguments *parsed)
{
    any_settings set = {.bytes = {0}};
    bool good = accepted(arguments_read(parsed, &set));
    for (const cli_option *option = parsed->command->options; option->name; option++) {
        double number = 7;
        size_t at = 0, times = 0;
        const char *value = arguments_value(parsed, option->name), *next, *last = NULL;
        if (good && value && option->kind)
            check_field(option, set.bytes + option->offset);
        if (accepted(arguments_number(parsed, option->name, &number)))
            fuzz_expect(isfinite(number));
        while (option->argument && (next = arguments_next(parsed, option->name, &at))) {
            fuzz_expect(++times <= MAX_ARGUMENTS);
            last = next;
        }
        fuzz_expect(!option->argument || !value == !last);
        if (value)
            check_list(value);
    }
}

/* As `run` and `predict` read them: other tables are of other settings. */
static void check_settings(const arguments *parsed)
{
    any_settings room = {.bytes = {0}};
    settings *set = &room.stream;
    if (parsed->command != &run_command && parsed->command != &predict_command)
        return;
    if (!accepted(settings_read(set, parsed)))
        return;
    fuzz_expect(set->score_from.value >= 0 && set->score_from.value <= 100 && set->digits <= 17);
    fuzz_expect(!saves_on_the_way(set) || set->save);
    if (accepted(settings_read_model(set, parsed)))
        fuzz_expect(!okra_spec_check(&set->spec, NULL) && (!set->percent || (set->q >= 0 && isfinite(set->q))));
}

/* As `tune` and `compare` read their recipes. */
static void check_roster(const arguments *parsed)
{
    recipe_list recipes = {0};
    size_t at = 0;
    const char *text, *names = arguments_value(parsed, "recipes");
    names = names ? names : arguments_value(parsed, "recipe");
    bool good = accepted(recipe_list_add_names(&recipes, parsed, names ? names : "rls,krls", "--recipe"));
    while (good && (text = arguments_next(parsed, "with", &at)))
        good = accepted(recipe_list_add(&recipes, parsed, text, "--with"));
    if (good && accepted(recipe_list_check(&recipes, parsed)))
        for (size_t i = 0; i < recipes.n; i++)
            fuzz_expect(!okra_spec_check(&recipes.entries[i].spec, NULL));
    recipe_list_free(&recipes);
}

/* ---- parameters as text -------------------------------------------------------------------------------------- */

static const okra_recipe *find_recipe(const arguments *parsed)
{
    const char *name = arguments_value(parsed, "recipe");
    const okra_recipe *recipe = okra_recipe_find(name ? name : DEFAULT_RECIPE);
    return recipe ? recipe : okra_recipe_at(1);
}

/* A number that was taken is one of the range. */
static void check_range(const okra_param *param, const char *text)
{
    char *end;
    double number = strtod(text, &end);
    if (end != text && !*end && param->kind != OKRA_PARAM_CHOICE)
        fuzz_expect(number >= param->low && number <= param->high);
}

/* What okra_spec_get() writes, okra_spec_set() reads back to the same bits, whatever fields the text was for. */
static void check_written(const okra_spec *spec, const char *name)
{
    okra_spec again = *spec;
    char text[OKRA_VALUE_TEXT], small[OKRA_VALUE_TEXT];
    fuzz_expect(!okra_spec_get(spec, name, text, sizeof text));
    fuzz_expect(!okra_spec_set(&again, name, text, NULL) && memcmp(&again, spec, sizeof again) == 0);
    size_t length = strlen(text);
    fuzz_expect(okra_spec_get(spec, name, small, length) == OKRA_E_BUFFER);
    fuzz_expect(!okra_spec_get(spec, name, small, length + 1) && strcmp(small, text) == 0);
}

static void check_parameter(const okra_recipe *recipe, const okra_param *param, const char *text)
{
    okra_spec spec, before;
    okra_message why = {""};
    memset(&spec, 0, sizeof spec); /* padding too, to be compared */
    fuzz_expect(!okra_spec_init(&spec, recipe->name, 3, 1));
    memcpy(&before, &spec, sizeof spec);
    okra_status status = okra_spec_set(&spec, param->name, text, &why);
    if (status) {
        fuzz_expect(status == OKRA_E_PARAMETER && memcmp(&spec, &before, sizeof spec) == 0);
        fuzz_message(&why);
    } else {
        check_range(param, text);
        check_written(&spec, param->name);
    }
}

static void check_parameters(const arguments *parsed)
{
    const okra_recipe *recipe = find_recipe(parsed);
    const okra_param *param;
    for (size_t i = 0; (param = okra_param_at(i)); i++) {
        const char *text = arguments_value(parsed, param->name);
        if (text)
            check_parameter(recipe, param, text);
    }
}

/* ---- the target ---------------------------------------------------------------------------------------------- */

static void check_command(const cli_command *command, int argc, char **argv)
{
    arguments parsed;
    if (accepted(arguments_parse(&parsed, command, argc, argv))) {
        check_values(&parsed);
        check_parameters(&parsed);
        check_settings(&parsed);
        check_roster(&parsed);
    }
    arguments_free(&parsed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { COMMANDS = sizeof commands / sizeof *commands };
    char *argv[MAX_ARGUMENTS + 1];
    if (size == 0)
        return 0;
    listen_anew();
    const cli_command *command = commands[data[0] % COMMANDS];
    int argc = make_arguments(command, data + 1, size - 1, argv);
    check_command(command, argc, argv);
    for (int i = 0; i < argc; i++)
        free(argv[i]);
    return 0;
}
