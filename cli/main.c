/*
 * okra, the program: finds the command and hands over. Exit status: 0 done, 1 input or output failed, 2 wrong usage,
 * 3 the filter diverged.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <okra/okra.h>

#include "commands.h"
#include "metrics.h"
#include "talk.h"
#include "text.h"

static const cli_command *const commands[] = {&run_command,    &predict_command, &list_command,   &info_command,
                                              &export_command, &import_command,  &signal_command, &theory_command,
                                              &paper_command,  &bench_command,   &tune_command,   &compare_command};

enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

static const cli_command *find_command(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static int unknown_command(const char *name)
{
    char hint[HINT_TEXT];
    nearest search = nearest_to(name);
    for (size_t i = 0; i < N_COMMANDS; i++)
        nearest_offer(&search, commands[i]->name);
    nearest_offer(&search, "help");
    nearest_offer(&search, "--help");
    nearest_offer(&search, "--version");
    return talk_fail(EXIT_USAGE, "no command '%s': %s", name,
                     nearest_hint(&search, "", "'okra --help' lists them", hint));
}

static int print_help(void)
{
    printf("okra: learns a nonlinear map from a stream, one sample at a time, in fixed memory.\n\n"
           "Usage: okra COMMAND [options] [FILE]\n\n"
           "Commands:\n");
    for (size_t i = 0; i < N_COMMANDS; i++)
        print_entry(2, commands[i]->name, 16, commands[i]->help);
    print_entry(2, "help COMMAND", 16, "the options of a command");
    printf("\nOptions:\n");
    print_entry(2, "--help", 16, "this text");
    print_entry(2, "--version", 16, "version and instruction set");
    printf("\nExamples:\n"
           "  okra run stream.csv > predictions.csv\n"
           "  tail -f sensor.csv | okra run --target temperature\n\n"
           "Exit status: 0 done, 1 input or output failed, 2 wrong usage, 3 the filter diverged.\n");
    return EXIT_DONE;
}

static int print_version(void)
{
    const char *isa = okra_isa();
    if (!isa)
        return talk_fail(EXIT_USAGE, "%s", okra_strerror(OKRA_E_ISA));
    printf("okra %s, instruction set %s\n", okra_version(), isa);
    return EXIT_DONE;
}

static int help_on(const char *name)
{
    const cli_command *command = find_command(name);
    if (!command)
        return unknown_command(name);
    command_help(command);
    return EXIT_DONE;
}

static int run_command_line(const cli_command *command, int argc, char **argv)
{
    arguments parsed;
    int status = arguments_parse(&parsed, command, argc, argv);
    if (!status && arguments_value(&parsed, "help"))
        command_help(command);
    else if (!status)
        status = command->run(&parsed);
    arguments_free(&parsed);
    return status;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2)
        return talk_fail(EXIT_USAGE, "a command is needed: 'okra --help' lists them");
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return print_help();
    if (strcmp(name, "--version") == 0)
        return print_version();
    if (strcmp(name, "help") == 0)
        return argc > 2 ? help_on(argv[2]) : print_help();
    const cli_command *command = find_command(name);
    return command ? run_command_line(command, argc - 2, argv + 2) : unknown_command(name);
}

/*
 * Where the shell has closed a standard stream (`okra run >&-`), the next file opened would take its number, and
 * predictions would land in it. An unusable descriptor in its place turns that into an error.
 */
static void guard_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
            _exit(EXIT_IO);
}

/* What a command printed and nobody has checked: help and lists, on a full disk. */
static int flush_standard_output(int status)
{
    errno = 0;
    if (status == EXIT_DONE && (fflush(stdout) != 0 || ferror(stdout)))
        return output_failed("standard output", errno ? errno : EIO);
    return status;
}

int main(int argc, char **argv)
{
    guard_standard_streams();
    metrics_watch_memory();
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error to tell, not a death */
    signal(SIGXFSZ, SIG_IGN); /* and so is a limit on the size of files */
    return flush_standard_output(dispatch(argc, argv));
}
