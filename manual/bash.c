/*
 * Completion for bash: a function of nothing but bash's own words. What is offered stands in the script, so that no
 * program runs while a user types.
 */
#include <stdio.h>

#include "manual.h"
#include "values.h"

/* ---- values -------------------------------------------------------------------------------------------------- */

/* A call that offers what a value may be; nothing for what only the user knows. */
static void print_offer(const program *p, const value *v)
{
    if (v->n_words) {
        print_function(p, v->list ? "_offer_list \"" : "_offer \"");
        for (size_t i = 0; i < v->n_words; i++)
            printf("%s%s", i ? " " : "", v->words[i].name);
        putchar('"');
    } else {
        fputs(v->file ? "compopt -o default" : v->directory ? "compopt -o dirnames" : ":", stdout);
    }
}

static void print_name(const char *name, bool first)
{
    printf("%s--%s", first ? "" : " | ", name);
    if (option_letter(name))
        printf(" | -%c", option_letter(name));
}

/* An option or a parameter, whichever comes as number i; false past the last. */
static bool take_option(const cli_option *options, size_t i, const char **name, value *v)
{
    const okra_param *param = options ? NULL : okra_param_at(i);
    *name = options ? options[i].name : param ? param->name : NULL;
    *v = (value){0};
    if (param)
        value_of_param(v, param);
    else if (*name && options[i].argument)
        value_of_argument(v, options[i].argument);
    return *name != NULL;
}

/* The lines of `case $option in ..` for options, or for parameters if those are NULL: one line for all whose values
 * are files, one for folders, one for what only the user knows, and one for each that has words. */
static void print_cases(const program *p, const cli_option *options, const char *indent)
{
    static const value kinds[] = {{.file = true}, {.directory = true}, {.file = false}};
    const char *name;
    value v;
    for (size_t i = 0; take_option(options, i, &name, &v); i++)
        if (v.n_words) {
            fputs(indent, stdout), print_name(name, true), fputs(") ", stdout);
            print_offer(p, &v), puts(" ;;");
        }
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t found = 0;
        for (size_t i = 0; take_option(options, i, &name, &v); i++) {
            bool is_switch = options && !options[i].argument;
            if (v.n_words || is_switch || v.file != kinds[k].file || v.directory != kinds[k].directory)
                continue;
            fputs(found ? "" : indent, stdout);
            print_name(name, found++ == 0);
        }
        if (found)
            fputs(") ", stdout), print_offer(p, &kinds[k]), puts(" ;;");
    }
}

static void print_parameter_values(const program *p)
{
    print_function(p, "_parameter()\n{\n    case $option in\n");
    print_cases(p, NULL, "    ");
    puts("    *) return 1 ;;\n    esac\n}\n");
}

/* ---- commands ------------------------------------------------------------------------------------------------ */

static void print_option_names(const program *p, const cli_command *command)
{
    const okra_param *param;
    print_function(p, "_offer \"");
    for (const cli_option *option = command->options; option->name; option++)
        printf("%s--%s", option == command->options ? "" : " ", option->name);
    for (size_t i = 0; (param = command_param(command, i)); i++)
        printf(" --%s", param->name);
    puts("\"");
}

static void print_command(const program *p, const cli_command *command)
{
    value operand;
    value_of_operand(&operand, command);
    printf("    %s)\n        if [[ $option ]]; then\n            case $option in\n", command->name);
    print_cases(p, command->options, "            ");
    fputs("            *) ", stdout);
    if (command->parameters) {
        print_function(p, "_parameter");
        puts(" ;;");
    } else {
        puts("false ;;");
    }
    fputs("            esac && return\n        fi\n        if [[ $options && $current == -* ]]; then\n            ",
          stdout);
    print_option_names(p, command);
    fputs("        else\n            ", stdout);
    print_offer(p, &operand);
    puts("\n        fi ;;");
}

static void print_names(const program *p)
{
    for (size_t i = 0; p->commands[i]; i++)
        printf("%s%s", i ? " " : "", p->commands[i]->name);
}

/* ---- the script ---------------------------------------------------------------------------------------------- */

static void print_helpers(const program *p)
{
    puts("# Those of the words that begin as what is being typed does.");
    print_function(p, "_offer()\n{\n");
    puts("    mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$1\" -- \"$current\")\n}\n");
    puts("# The same for the last name of a list with commas.");
    print_function(p, "_offer_list()\n{\n");
    puts("    if [[ $current == *,* ]]; then\n"
         "        before+=${current%,*},\n"
         "        current=${current##*,}\n"
         "    fi\n"
         "    compopt -o nospace");
    fputs("    ", stdout);
    print_function(p, "_offer \"$1\"\n}\n\n");
}

/* What the words before the cursor say: `option`, whose value is being typed, `current`, and whether options may
 * follow. */
static void print_reading(void)
{
    puts("    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} before='' option='' "
         "options=yes word\n"
         "    COMPREPLY=()");
}

static void print_equals(void)
{
    puts("    # --mu=0.5 is three words, or one where = has been taken out of COMP_WORDBREAKS.\n"
         "    if [[ $current == \"=\" ]]; then\n"
         "        option=$previous current=''\n"
         "    elif [[ $previous == \"=\" ]]; then\n"
         "        option=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "    elif [[ $current == --*=* ]]; then\n"
         "        option=${current%%=*} before=${current%%=*}= current=${current#*=}\n"
         "    elif [[ $previous == -* && $current != --* ]]; then\n"
         "        option=$previous\n"
         "    fi\n"
         "    for word in \"${COMP_WORDS[@]:2:COMP_CWORD - 2}\"; do\n"
         "        [[ $word != -- ]] || option='' options=''\n"
         "    done");
}

void manual_bash(const program *p)
{
    printf("# bash completion for %s, made from its table of options; see manual/ in the sources of okra.\n\n",
           p->name);
    print_helpers(p);
    puts("# Values of recipe parameters.");
    print_parameter_values(p);
    print_function(p, "()\n{\n");
    print_reading();
    puts("    if ((COMP_CWORD == 1)); then");
    fputs("        ", stdout);
    print_function(p, "_offer \"");
    print_names(p);
    puts(" help --help --version\"\n        return\n    fi");
    print_equals();
    puts("    case ${COMP_WORDS[1]} in");
    for (size_t i = 0; p->commands[i]; i++)
        print_command(p, p->commands[i]);
    fputs("    help) ", stdout);
    print_function(p, "_offer \"");
    print_names(p);
    puts("\" ;;\n    esac\n}\n");
    fputs("complete -F ", stdout);
    print_function(p, " ");
    puts(p->name);
}
