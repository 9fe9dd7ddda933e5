/*
 * Finds the command and runs it.
 */
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <okra/okra.h>

#include "output.h"
#include "message.h"
#include "text.h"

const char *program_exit_meaning(int status)
{
    static const char *const meanings[] = {
        [EXIT_DONE] = "done",
        [EXIT_IO] = "input or output failed",
        [EXIT_USAGE] = "wrong usage",
        [EXIT_DIVERGED] = "the filter diverged",
    };
    return status >= 0 && (size_t)status < sizeof meanings / sizeof *meanings ? meanings[status] : NULL;
}

static const cli_command *find_command(const program *p, const char *name)
{
    for (size_t i = 0; p->commands[i]; i++)
        if (strcmp(p->commands[i]->name, name) == 0)
            return p->commands[i];
    return NULL;
}

/* "merge, diffuse": what this build lacks; NULL if that is nothing. */
static const char *list_left_out(const program *p, char text[HINT_TEXT])
{
    size_t used = 0;
    for (size_t i = 0; p->left_out && p->left_out[i] && used < HINT_TEXT; i++)
        used += (size_t)snprintf(text + used, HINT_TEXT - used, "%s%s", i ? ", " : "", p->left_out[i]);
    return used > 0 ? text : NULL;
}

static bool is_left_out(const program *p, const char *name)
{
    size_t i = 0;
    while (p->left_out && p->left_out[i] && strcmp(p->left_out[i], name) != 0)
        i++;
    return p->left_out && p->left_out[i];
}

static int unknown_command(const program *p, const char *name)
{
    char list[HINT_TEXT];
    if (is_left_out(p, name))
        return message_fail(EXIT_USAGE,
                            "'%s' is not in this build: without the lab it lacks %s: build okra with the lab", name,
                            list_left_out(p, list));
    char hint[HINT_TEXT], otherwise[HINT_TEXT];
    nearest search = nearest_to(name);
    for (size_t i = 0; p->commands[i]; i++)
        nearest_offer(&search, p->commands[i]->name);
    nearest_offer(&search, "help");
    nearest_offer(&search, "--help");
    nearest_offer(&search, "--version");
    snprintf(otherwise, sizeof otherwise, "'%s --help' lists them", p->name);
    return message_fail(EXIT_USAGE, "no command '%s': %s", name, nearest_hint(&search, "", otherwise, hint));
}

static int print_help(const program *p)
{
    char left_out[HINT_TEXT];
    printf("%s: %s\n\nUsage: %s COMMAND [options] [FILE]\n\n", p->name, p->help, p->usage);
    print_entry(0, "", 0, p->more);
    printf("\nCommands:\n");
    for (size_t i = 0; p->commands[i]; i++)
        print_entry(2, p->commands[i]->name, 16, p->commands[i]->help);
    print_entry(2, "help COMMAND", 16, "the options of a command");
    if (list_left_out(p, left_out))
        printf("Not in this build, which has no lab: %s\n", left_out);
    printf("\nOptions:\n");
    print_entry(2, "--help", 16, "this text");
    print_entry(2, "--version", 16, "version and instruction set");
    printf("\nEnvironment:\n");
    for (const program_variable *variable = p->environment; variable->name; variable++)
        print_entry(2, variable->name, 24, variable->help);
    printf("\nExamples:\n%s\nExit status:", p->examples);
    for (int i = 0; program_exit_meaning(i); i++)
        printf("%s %d %s", i ? "," : "", i, program_exit_meaning(i));
    puts(".");
    return EXIT_DONE;
}

static int print_version(const program *p)
{
    const char *isa = okra_isa();
    if (!isa)
        return message_fail(EXIT_USAGE, "%s", okra_strerror(OKRA_E_ISA));
    printf("%s %s, instruction set %s\n", p->name, okra_version(), isa);
    return EXIT_DONE;
}

static int help_on(const program *p, const char *name)
{
    const cli_command *command = find_command(p, name);
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0)
        return print_help(p);
    if (!command)
        return unknown_command(p, name);
    command_help(command, p->usage);
    return EXIT_DONE;
}

static int run_command_line(const program *p, const cli_command *command, int argc, char **argv)
{
    arguments parsed;
    int status = arguments_parse(&parsed, command, argc, argv);
    if (!status && arguments_value(&parsed, "help"))
        command_help(command, p->usage);
    else if (!status)
        status = command->run(&parsed);
    arguments_free(&parsed);
    return status;
}

int program_dispatch(const program *p, int argc, char **argv)
{
    if (argc < 2)
        return message_fail(EXIT_USAGE, "a command is needed: '%s --help' lists them", p->name);
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return print_help(p);
    if (strcmp(name, "--version") == 0)
        return print_version(p);
    if (strcmp(name, "help") == 0)
        return argc > 2 ? help_on(p, argv[2]) : print_help(p);
    const cli_command *command = find_command(p, name);
    return command ? run_command_line(p, command, argc - 2, argv + 2) : unknown_command(p, name);
}

/*
 * If the shell has closed a standard stream (`okra run >&-`), the next file opened would take its number, and
 * predictions would land in it. An unusable descriptor in its place turns that into an error.
 */
static void guard_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
            _exit(EXIT_IO);
}

void program_prepare(const program *p)
{
    guard_standard_streams();
    signal(SIGPIPE, SIG_IGN);    /* a closed pipe is an error to tell, not a death */
    signal(SIGXFSZ, SIG_IGN);    /* and so is a limit on the size of files */
    static char buffer[1 << 16]; /* a page of help fits: if it cannot be written, program_finish() sees why */
    if (!isatty(STDOUT_FILENO))
        setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    message_as(p->name);
}

int program_finish(int status)
{
    errno = 0;
    if (status == EXIT_DONE && (fflush(stdout) != 0 || ferror(stdout)))
        return output_failed("standard output", errno ? errno : EIO);
    return status;
}
