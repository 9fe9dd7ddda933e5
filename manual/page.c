/*
 * okra(1) and okra-mpi(1).
 */
#include <stdio.h>
#include <string.h>

#include <okra/io.h>
#include <okra/lab.h>

#include "manual.h"
#include "common/params.h"
#ifdef OKRA_HAVE_LAB
#include "lab/signal_text.h"
#endif
#include "roff.h"

enum { NAME_WIDTH = 12 }; /* of commands, recipes and signals */

/* ---- commands ------------------------------------------------------------------------------------------------ */

static void print_option(const char *name, const char *argument, const char *help)
{
    char words[ARGUMENT_TEXT], option[64], letter = option_letter(name), brief[] = {'-', letter, ',', ' ', '\0'};
    snprintf(option, sizeof option, "%s--%s", letter ? brief : "", name);
    roff_item(option, argument_words(argument, words));
    roff_prose(help, argument);
}

/* Examples are whole lines, with two blanks before each. */
static void print_examples(const char *lines)
{
    roff_verbatim_begin();
    for (const char *line = lines; *line;) {
        size_t n = strcspn(line, "\n");
        roff_escape(line + 2, n - 2);
        putchar('\n');
        line += n + 1;
    }
    roff_verbatim_end();
}

static void print_command(const program *p, const cli_command *command)
{
    char title[128];
    snprintf(title, sizeof title, "%s %s [options]%s%s%s", p->name, command->name, command->operand ? " [" : "",
             command->operand ? command->operand : "", command->operand ? "]" : "");
    roff_subsection(title);
    roff_prose(command->more, command->operand);
    for (const cli_option *option = command->options; option->name; option++) {
        char help[OPTION_HELP];
        print_option(option->name, option->argument, option_help(option, help));
    }
    if (command->parameters) {
        roff_paragraph();
        puts(command->parameters == ALL_PARAMETERS ? "Every parameter is an option as well: see PARAMETERS."
                                                   : "Every parameter but those of the stream is an option as well: "
                                                     "see PARAMETERS.");
    }
    if (command->examples)
        print_examples(command->examples);
}

static void print_commands(const program *p)
{
    roff_section("COMMANDS");
    for (size_t i = 0; p->commands[i]; i++) {
        roff_row(NAME_WIDTH, p->commands[i]->name, i == 0);
        roff_prose(p->commands[i]->help, NULL);
    }
    roff_row(NAME_WIDTH, "help", false);
    puts("the options of a \\fICOMMAND\\fR");
    roff_rows_end();
    for (size_t i = 0; p->commands[i]; i++)
        print_command(p, p->commands[i]);
}

/* ---- what `okra list` shows ---------------------------------------------------------------------------------- */

static void print_params(void)
{
    const okra_param *param;
    roff_section("PARAMETERS");
    roff_prose("Options of the commands that learn, with their ranges and, in brackets, their defaults. A recipe "
               "refuses parameters that it does not have. Every recipe has those of the stream, from --lags on.",
               NULL);
    for (size_t i = 0; (param = okra_param_at(i)); i++) {
        char argument[PARAM_TEXT], help[PARAM_HELP];
        print_option(param->name, param_argument(param, argument), param_help(param, NULL, help));
    }
}

static void print_recipes(void)
{
    const okra_recipe *recipe;
    roff_section("RECIPES");
    roff_prose("A recipe is a map, which turns inputs into features, and a filter, which learns from them. With each, "
               "its parameters and their defaults.",
               NULL);
    for (size_t i = 0; (recipe = okra_recipe_at(i)); i++) {
        char defaults[DEFAULTS_TEXT];
        roff_row(NAME_WIDTH, recipe->name, i == 0);
        roff_prose(recipe->help, NULL);
        puts(".br");
        roff_plain(recipe_defaults(recipe, defaults));
        putchar('\n');
    }
    roff_rows_end();
}

/* The names that a parameter may be given, and what they mean. */
static void print_choices(const char *title, const char *name, int width, const char *text)
{
    const okra_param *param;
    roff_section(title);
    roff_prose(text, NULL);
    for (size_t i = 0; (param = okra_param_at(i)); i++)
        for (const okra_choice *choice = param->choices; choice && choice->name; choice++)
            if (strcmp(param->name, name) == 0) {
                roff_row(width, choice->name, choice == param->choices);
                roff_prose(choice->help, NULL);
            }
    roff_rows_end();
}

static void print_signals(void)
{
#ifdef OKRA_HAVE_LAB
    const okra_signal_kind *kind;
    roff_section("SIGNALS");
    roff_prose("Synthetic streams, which 'okra signal' writes, with their constants and defaults. A constant is an "
               "option of that command.",
               NULL);
    for (size_t i = 0; (kind = okra_signal_at(i)); i++) {
        char constants[DEFAULTS_TEXT];
        roff_row(NAME_WIDTH + 2, kind->name, i == 0);
        roff_prose(kind->help, NULL);
        puts(".br");
        roff_plain(signal_defaults(kind, constants));
        putchar('\n');
    }
    roff_rows_end();
#endif
}

static void print_list(void)
{
    print_recipes();
    print_params();
    print_choices("MAPS", "map", 19, "How features are made from inputs, by --map.");
    print_choices("KERNELS", "kernel", 11, "Similarity of two inputs whose difference is r, by --kernel.");
    print_choices("FULL DICTIONARIES", "when-full", 8, "What to do when --capacity is reached, by --when-full.");
    print_signals();
}

/* ---- the rest ------------------------------------------------------------------------------------------------ */

static void print_formats(void)
{
    const okra_format *format;
    roff_section("FILES");
    roff_prose(
        "A stream is read and written in these formats, known by the names and contents of files or by --format.",
        NULL);
    for (size_t i = 0; (format = okra_format_at(i)); i++) {
        roff_row(7, format->name, i == 0);
        roff_prose(format->help, NULL);
    }
    const okra_compression *compression;
    for (size_t i = 0; (compression = okra_compression_at(i)); i++) {
        char ending[16];
        snprintf(ending, sizeof ending, ".%s", compression->suffix);
        roff_row(7, ending, false);
        roff_prose(compression->help, NULL);
    }
    roff_rows_end();
    roff_paragraph();
    roff_prose(
        "In text, an empty field or nan is a missing value; blank lines and lines that begin with # are skipped, "
        "except a spreadsheet's #N/A and the like; the first line names the columns if it holds more than numbers.",
        NULL);
    roff_paragraph();
    roff_prose("What --save writes is a model file, in the safetensors format: 'okra info' shows what it holds, 'okra "
               "export' writes it as JSON. It is always replaced as a whole or not at all.",
               NULL);
}

static void print_exits(void)
{
    roff_section("EXIT STATUS");
    for (int i = 0; program_exit_meaning(i); i++) {
        char status[16];
        snprintf(status, sizeof status, "%d", i);
        roff_row(4, status, i == 0);
        roff_prose(program_exit_meaning(i), NULL);
    }
    roff_rows_end();
    roff_paragraph();
    roff_prose("An error is one line on standard error that names the place and the remedy.", NULL);
}

static void print_environment(const program *p)
{
    roff_section("ENVIRONMENT");
    for (const program_variable *variable = p->environment; variable->name; variable++) {
        roff_item(variable->name, NULL);
        roff_prose(variable->help, NULL);
    }
}

/* NAME is one line that whatis(1) reads: without the full stop. */
static void print_name(const program *p)
{
    roff_section("NAME");
    roff_plain(p->name);
    fputs(" \\- ", stdout);
    roff_escape(p->help, strlen(p->help) - 1);
    putchar('\n');
}

static void print_synopsis(const program *p)
{
    roff_section("SYNOPSIS");
    roff_font('B', p->usage, strlen(p->usage));
    fputs(" \\fICOMMAND\\fR [options] [\\fIFILE\\fR]\n.br\n", stdout);
    roff_font('B', p->name, strlen(p->name));
    fputs(" \\fBhelp\\fR [\\fICOMMAND\\fR]\n.br\n", stdout);
    roff_font('B', p->name, strlen(p->name));
    puts(" \\fB\\-\\-help\\fR | \\fB\\-\\-version\\fR");
}

static void print_description(const program *p)
{
    roff_section("DESCRIPTION");
    roff_prose(p->more, NULL);
    roff_paragraph();
    roff_prose("An option that takes a value has it in the next word or after a =, as in --mu 0.5 or --mu=0.5. After "
               "-- nothing is an option. FILE may be -, or absent: standard input. Results go to standard output, or "
               "to --out; what is said about them goes to standard error.",
               "FILE");
}

static void print_see_also(bool lists)
{
    roff_section("REFERENCES");
    puts("P. Bouboulis, S. Pougkakiotis, S. Theodoridis,\n"
         ".I Efficient KLMS and KRLS Algorithms: A Random Fourier Feature Perspective,\n"
         "2016 (arXiv:1606.03685).\n"
         "Its figures and tables are what\n"
         ".B okra paper\n"
         "reproduces.");
    roff_section("SEE ALSO");
    puts(lists ? ".BR okra\\-mpi (1)," : ".BR okra (1),\n.BR mpirun (1),");
    puts(".BR okra (3)");
}

void manual_page(const program *p, const char *date)
{
    bool lists = false; /* choices are explained if a command takes them */
    for (size_t i = 0; p->commands[i]; i++)
        lists = lists || strcmp(p->commands[i]->name, "list") == 0;
    roff_begin(p->name, 1, date, "User Commands");
    print_name(p);
    print_synopsis(p);
    print_description(p);
    print_commands(p);
    if (lists) {
        print_list();
        print_formats();
    } else {
        print_params();
    }
    print_exits();
    print_environment(p);
    roff_section("EXAMPLES");
    puts("Those of a command are shown with it.");
    print_examples(p->examples);
    print_see_also(lists);
}
