/*
 * okra list: the recipes and what can be set in them, read from libokra's table.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <okra/io.h>
#include <okra/okra.h>

#include "commands.h"
#include "common/params.h"
#include "common/message.h"
#include "common/text.h"
#ifdef OKRA_HAVE_LAB
#include "lab/signal_text.h"
#endif

enum { NAME_COLUMN = 14, CHOICE_COLUMN = 20 };

static void print_recipes(void)
{
    const okra_recipe *recipe;
    printf("Recipes, with their parameters and defaults ('okra list RECIPE' explains one):\n");
    for (size_t i = 0; (recipe = okra_recipe_at(i)); i++) {
        char defaults[DEFAULTS_TEXT];
        print_entry(2, recipe->name, NAME_COLUMN, recipe->help);
        print_entry(0, "", NAME_COLUMN, recipe_defaults(recipe, defaults));
    }
}

static void print_choices(const okra_param *param)
{
    for (const okra_choice *choice = param->choices; choice->name; choice++)
        print_entry(2, choice->name, CHOICE_COLUMN, choice->help ? choice->help : "");
}

static void print_named_choices(const char *title, const char *name)
{
    const okra_param *param;
    for (size_t i = 0; (param = okra_param_at(i)); i++)
        if (strcmp(param->name, name) == 0 && param->kind == OKRA_PARAM_CHOICE) {
            printf("\n%s (--%s):\n", title, name);
            print_choices(param);
        }
}

/* The words that a value may be, after the help, if they are few enough: of a number, with their meanings. */
static void append_words(const okra_param *param, const okra_recipe *recipe, char *text, size_t size)
{
    char names[PARAM_TEXT];
    size_t used = strlen(text);
    if (param->kind == OKRA_PARAM_CHOICE)
        snprintf(text + used, size - used, ": %s", param_names(param, recipe, ", ", names));
    else
        for (const okra_choice *word = param->choices; word && word->name && used < size; word++)
            used += (size_t)snprintf(text + used, size - used, ", %s: %s", word->name, word->help);
}

/* A row of a parameter table; of one recipe, or of all if it is NULL. */
static void print_param(const okra_param *param, const okra_recipe *recipe, const char *before_range, int column)
{
    char range[PARAM_TEXT], left[3 * PARAM_TEXT], right[4 * PARAM_TEXT];
    bool choice = param->kind == OKRA_PARAM_CHOICE;
    snprintf(left, sizeof left, "%-18s%s%s", param->name, before_range, choice ? "a name" : param_range(param, range));
    snprintf(right, sizeof right, "%s", param->help);
    append_words(param, recipe, right, sizeof right);
    print_entry(2, left, column, right);
}

static void print_all_params(void)
{
    const okra_param *param;
    printf("\nParameters, as options of the same name, and their ranges:\n");
    for (size_t i = 0; (param = okra_param_at(i)); i++)
        print_param(param, NULL, "", 38);
}

static void print_signals(void)
{
#ifdef OKRA_HAVE_LAB
    const okra_signal_kind *kind;
    printf("\nSignals, with their constants and defaults ('okra signal SIGNAL' writes one):\n");
    for (size_t i = 0; (kind = okra_signal_at(i)); i++) {
        char constants[DEFAULTS_TEXT];
        print_entry(2, kind->name, 16, kind->help);
        print_entry(2, "", 16, signal_defaults(kind, constants));
    }
#endif
}

static void print_formats(void)
{
    const okra_format *format;
    printf("\nFormats of files, by the endings of their names or by --format:\n");
    for (size_t i = 0; (format = okra_format_at(i)); i++)
        if (format->reads)
            print_entry(2, format->name, NAME_COLUMN, format->help);
    const okra_compression *compression;
    for (size_t i = 0; (compression = okra_compression_at(i)); i++) {
        char ending[NAME_COLUMN];
        snprintf(ending, sizeof ending, ".%s", compression->suffix);
        if (compression->works)
            print_entry(2, ending, NAME_COLUMN, compression->help);
    }
}

static void print_recipe(const okra_recipe *recipe)
{
    printf("%s: %s\n\n", recipe->name, recipe->help);
    print_entry(2, "parameter         default     range", 50, "meaning");
    for (size_t i = 0; i < recipe->n_params; i++) {
        char value[PARAM_TEXT], before_range[PARAM_TEXT];
        snprintf(before_range, sizeof before_range, "%-12s", param_default(&recipe->params[i], value));
        print_param(recipe->params[i].param, recipe, before_range, 50);
    }
    printf("\nExample: okra run --recipe %s stream.csv\n", recipe->name);
}

static int list_one(const char *name)
{
    const okra_recipe *recipe = okra_recipe_find(name);
    if (recipe) {
        print_recipe(recipe);
        return EXIT_DONE;
    }
    char hint[HINT_TEXT];
    nearest search = nearest_to(name);
    for (size_t i = 0; (recipe = okra_recipe_at(i)); i++)
        nearest_offer(&search, recipe->name);
    return message_fail(EXIT_USAGE, "no recipe '%s': %s", name,
                        nearest_hint(&search, "", "'okra list' shows them", hint));
}

static int cmd_list(const arguments *options)
{
    if (options->operand)
        return list_one(options->operand);
    print_recipes();
    print_named_choices("Maps", "map");
    print_named_choices("Kernels", "kernel");
    print_named_choices("When a dictionary is full", "when-full");
    print_all_params();
    print_signals();
    print_formats();
    return EXIT_DONE;
}

static const cli_option options[] = {
    HELP_OPTION,
};

const cli_command list_command = {
    .name = "list",
    .operand = "RECIPE",
    .help = "recipes, maps, kernels and signals, with their parameters, and formats",
    .more = "Shows every recipe, map and kernel with its parameters, ranges and defaults, every signal with its "
            "constants, and the file formats. With a RECIPE, shows what each of its parameters means.",
    .examples = "  okra list rff-krls\n",
    .options = options,
    .run = cmd_list,
};
