/*
 * Completion for zsh, by its _arguments: options and names with what they mean.
 */
#include <stdio.h>
#include <string.h>

#include "manual.h"
#include "common/params.h"
#include "values.h"

/* ---- quoting ------------------------------------------------------------------------------------------------- */

/* Within '..', with a backslash before each of some characters. */
static void print_quoted(const char *text, const char *special)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            printf(*text == '\\' || strchr(special, *text) ? "\\%c" : "%c", *text);
    }
}

/* ---- values -------------------------------------------------------------------------------------------------- */

/* Within "..", within '..': first a shell reads the one, then _arguments lets a shell read the other. */
static void print_meaning(const char *text)
{
    putchar('"');
    print_quoted(text, ":\"$`");
    putchar('"');
}

static void print_words(const value *v)
{
    bool explained = v->n_words && v->words[0].help;
    fputs(explained ? "((" : "(", stdout);
    for (size_t i = 0; i < v->n_words; i++) {
        printf("%s%s", i ? " " : "", v->words[i].name);
        if (explained) {
            fputs("\\:", stdout);
            print_meaning(v->words[i].help ? v->words[i].help : "");
        }
    }
    fputs(explained ? "))" : ")", stdout);
}

/* What _arguments calls an action. */
static void print_action(const value *v)
{
    if (v->n_words && v->list) {
        fputs("_sequence compadd -", stdout);
        for (size_t i = 0; i < v->n_words; i++)
            printf(" %s", v->words[i].name);
    } else if (v->n_words) {
        print_words(v);
    } else {
        fputs(v->file ? "_files" : v->directory ? "_files -/" : " ", stdout);
    }
}

/* ---- options ------------------------------------------------------------------------------------------------- */

/* '--name=[help]:argument:action', or for a switch '--name[help]'. */
static void print_spec(const char *name, const char *argument, const char *help, const value *v, bool repeats)
{
    char letter = option_letter(name);
    fputs("        ", stdout);
    if (repeats)
        fputs("'*'", stdout);
    else if (letter)
        printf("'(-%c --%s)'", letter, name);
    if (letter)
        printf("{-%c,--%s%s}'[", letter, name, argument ? "=" : "");
    else
        printf("'--%s%s[", name, argument ? "=" : "");
    print_quoted(help, "[]");
    putchar(']');
    if (argument) {
        putchar(':');
        print_quoted(strchr(argument, '|') ? name : argument, ":"); /* what is asked for, in a word */
        putchar(':');
        print_action(v);
    }
    puts("'");
}

/* Those of the stream, or of what learns it. */
static void print_parameters(const char *name, bool of_stream)
{
    const okra_param *param;
    printf("    local -a %s=(\n", name);
    for (size_t i = 0; (param = okra_param_at(i)); i++) {
        char argument[PARAM_TEXT], help[PARAM_HELP];
        value v;
        if ((param->scope == OKRA_SCOPE_STREAM) != of_stream)
            continue;
        value_of_param(&v, param);
        print_spec(param->name, param_argument(param, argument), param_help(param, NULL, help), &v, false);
    }
    puts("    )");
}

static void print_command(const cli_command *command)
{
    value v = {0};
    printf("    %s)\n        specs=(\n", command->name);
    for (const cli_option *option = command->options; option->name; option++) {
        char help[OPTION_HELP];
        if (option->argument)
            value_of_argument(&v, option->argument);
        print_spec(option->name, option->argument, option_help(option, help), &v, option->repeats);
    }
    if (command->parameters)
        puts(command->parameters == ALL_PARAMETERS ? "        $settings $stream" : "        $settings");
    if (command->operand) {
        value_of_operand(&v, command);
        fputs(command->many_operands ? "        '*:" : "        '1:", stdout);
        print_quoted(command->operand, ":");
        putchar(':');
        print_action(&v);
        puts("'");
    }
    puts("        ) ;;");
}

/* ---- the script ---------------------------------------------------------------------------------------------- */

static void print_commands(const program *p)
{
    puts("    local -a specs names=(");
    for (size_t i = 0; p->commands[i]; i++) {
        printf("        '%s:", p->commands[i]->name);
        print_quoted(p->commands[i]->help, "");
        puts("'");
    }
    puts("    )");
}

void manual_zsh(const program *p)
{
    printf("#compdef %s\n# Made from the table of options of %s; see manual/ in the sources of okra.\n\n", p->name,
           p->name);
    print_function(p, "()\n{\n");
    print_commands(p);
    print_parameters("settings", false);
    print_parameters("stream", true);
    puts("    if ((CURRENT == 2)); then\n"
         "        names+=('help:the options of a command')\n"
         "        _describe -t commands command names\n"
         "        _arguments '(-)--help[this text]' '(-)--version[version and instruction set]'\n"
         "        return\n"
         "    fi\n"
         "    shift words\n"
         "    ((CURRENT--))\n"
         "    case $words[1] in");
    for (size_t i = 0; p->commands[i]; i++)
        print_command(p->commands[i]);
    puts("    help)\n"
         "        _describe -t commands command names\n"
         "        return ;;\n"
         "    *) return 1 ;;\n"
         "    esac\n"
         "    _arguments -S $specs\n"
         "}\n");
    print_function(p, " \"$@\"\n");
}
