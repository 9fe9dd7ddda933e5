/*
 * The folder before, the program with its faults, the folder after.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem */
#endif
#include "fault_case.h"

#include <dirent.h>
#include <fcntl.h>
#include <okra/model_file.h>
#include <unistd.h>

static const char fired[] = "fired";

static size_t complaints;

/* All of them are told, and counted: one fault often tells what another is about. */
static void complain(const fault_case *s, const char *plan, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_error("%s, %s: %s\n", s->name, plan, text);
    complaints++;
}

size_t fault_case_complaints(void) { return complaints; }

/* ---- files --------------------------------------------------------------------------------------------------- */

static bool ends_in(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcmp(name + length - tail, end) == 0;
}

static void copy_file(const char *from, const char *to)
{
    unsigned char *bytes;
    size_t size;
    okra_message why;
    FILE *file = fopen(to, "w");
    assert_non_null(file);
    if (okra_file_load(from, &bytes, &size, &why))
        fail_msg("%s", why.text);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    free(bytes);
}

static void set_up(const fault_case *s)
{
    unlink(fired);
    for (size_t i = 0; i < FAULT_CASE_FILES && s->results[i]; i++)
        if (s->begins[i])
            copy_file(s->begins[i], s->results[i]);
        else
            unlink(s->results[i]);
}

/* Lines that tell times, and the checksum over them, are dropped. */
static void drop_times(char *text)
{
    static const char *const words[] = {"second", "\"checksum\"", "ns_per_row"};
    char *to = text;
    for (char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        bool timed = false;
        for (size_t i = 0; i < COUNT_OF(words); i++)
            timed = timed || memmem(line, length, words[i], strlen(words[i]));
        if (!timed) {
            memmove(to, line, length);
            to += length;
        }
        line += length;
    }
    *to = '\0';
}

/* Any bytes as text, two letters each. */
static char *in_hex(const unsigned char *bytes, size_t size)
{
    char *text = malloc(2 * size + 1);
    assert_non_null(text);
    for (size_t i = 0; i < size; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    text[2 * size] = '\0';
    return text;
}

/* What a file holds, times apart, as text; NULL if there is none. A model must be whole. */
static char *look(const fault_case *s, const char *plan, const char *name)
{
    unsigned char *bytes;
    size_t size;
    okra_message why;
    char *text;
    if (access(name, F_OK) != 0)
        return NULL;
    if (okra_file_load(name, &bytes, &size, &why))
        fail_msg("%s", why.text);
    if (ends_in(name, ".okra")) {
        okra_filter *model = NULL;
        if (okra_unpack(bytes, size, 0, &model, NULL, &why) || okra_export(bytes, size, 0, &text, &why)) {
            complain(s, plan, "%s: %s", name, why.text);
            text = strdup("damaged");
        }
        okra_free(model);
    } else if (ends_in(name, ".json") || ends_in(name, ".csv")) {
        text = strndup((const char *)bytes, size);
    } else {
        text = in_hex(bytes, size);
    }
    free(bytes);
    assert_non_null(text);
    if (!ends_in(name, ".csv"))
        drop_times(text);
    return text;
}

static trace look_around(const fault_case *s, const char *plan, const char *out)
{
    trace t = {.out = strdup(s->timed ? "" : out)};
    for (size_t i = 0; i < FAULT_CASE_FILES && s->results[i]; i++)
        t.files[i] = look(s, plan, s->results[i]);
    drop_times(t.out);
    return t;
}

void trace_free(trace *t)
{
    free(t->out);
    for (size_t i = 0; i < FAULT_CASE_FILES; i++)
        free(t->files[i]);
}

/* ---- running ------------------------------------------------------------------------------------------------- */

static outcome run(const fault_case *s, const char *plan)
{
    const char *arguments[FAULT_CASE_ARGUMENTS + 2] = {OKRA_PROGRAM};
    for (size_t i = 0; i < FAULT_CASE_ARGUMENTS && s->arguments[i]; i++)
        arguments[1 + i] = s->arguments[i];
    char *input = s->piped ? read_file(s->piped) : NULL;
    call how = {.input = input, .piped = s->piped};
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    if (plan) {
        setenv("LD_PRELOAD", OKRA_FAULT_LIBRARY, 1);
        setenv("OKRA_FAULT", plan, 1);
        setenv("OKRA_FAULT_FIRED", fired, 1);
        /* The sanitizer wants to be first; behind us it works as well. */
        setenv("ASAN_OPTIONS", "verify_asan_link_order=0:allocator_may_return_null=1", 1);
    }
    outcome result = run_program(&how, arguments);
    unsetenv("LD_PRELOAD"), unsetenv("OKRA_FAULT"), unsetenv("ASAN_OPTIONS");
    free(input);
    return result;
}

trace fault_case_reference(const fault_case *s)
{
    set_up(s);
    outcome result = run(s, NULL);
    if (result.status != 0)
        fail_msg("%s, without faults: status %d: %s", s->name, result.status, result.err);
    trace t = look_around(s, "without faults", result.out);
    outcome_free(&result);
    return t;
}

/* ---- judging ------------------------------------------------------------------------------------------------- */

/* Complains of the first line that differs. */
static void compare(const fault_case *s, const char *plan, const char *name, const char *got, const char *wanted)
{
    if (!got || !wanted) {
        if (got != wanted)
            complain(s, plan, "%s is %sthere, unlike without faults", name, got ? "" : "not ");
        return;
    }
    size_t line = 1;
    for (; *got && *got == *wanted; got++, wanted++)
        line += *got == '\n';
    if (*got || *wanted)
        complain(s, plan, "%s, line %zu: '%.60s' in place of '%.60s'", name, line, got, wanted);
}

static void check_same(const fault_case *s, const char *plan, const trace *got, const trace *wanted)
{
    compare(s, plan, "standard output", got->out, wanted->out);
    for (size_t i = 0; i < FAULT_CASE_FILES && s->results[i]; i++)
        compare(s, plan, s->results[i], got->files[i], wanted->files[i]);
}

static void check_no_temporaries(const fault_case *s, const char *plan)
{
    DIR *folder = opendir(".");
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));)
        if (ends_in(entry->d_name, ".tmp"))
            complain(s, plan, "%s is left behind", entry->d_name);
    closedir(folder);
}

/* OpenMP's own last words, after an empty line. */
static bool is_told_by_openmp(const fault_case *s, const outcome *result)
{
    return s->teams && result->status == 1 && strncmp(result->err, "\nlibgomp: ", 10) == 0 &&
           count_lines(result->err) == 2;
}

/* One line, and where a run that stopped could not save its model either, one for that. */
static bool is_told_once(const char *err)
{
    const char *second = strchr(err, '\n');
    bool unsaved = second && strncmp(second + 1, "okra: ", 6) == 0 && strstr(second, "the model is not saved");
    return strncmp(err, "okra: ", 6) == 0 && count_lines(err) == 1 + (size_t)unsaved;
}

static void check_told(const fault_case *s, const char *plan, const outcome *result, const char *const *words)
{
    if (is_told_by_openmp(s, result))
        return;
    bool said = !words || strstr(result->err, "closed it");
    for (; words && *words; words++)
        said = said || strstr(result->err, *words);
    /* A size may be too much to ask for: then what asked for it was wrong. */
    int wanted = strstr(result->err, "no memory for so many: ") ? 2 : 1;
    if (result->status != wanted || !is_told_once(result->err) || !said)
        complain(s, plan, "status %d, and not one line that says so: %s", result->status, result->err);
}

static void check_made_up(const fault_case *s, const char *plan, const trace *wanted)
{
    outcome again = run(s, NULL);
    if (again.status != 0)
        complain(s, plan, "run again without it: status %d: %s", again.status, again.err);
    trace left = look_around(s, plan, again.out);
    check_same(s, plan, &left, wanted);
    trace_free(&left);
    outcome_free(&again);
}

verdict fault_case_run(const fault_case *s, const char *plan, const trace *wanted, const char *const *words)
{
    set_up(s);
    outcome result = run(s, plan);
    verdict v = {.met = access(fired, F_OK) == 0, .told = result.status != 0};
    trace left = look_around(s, plan, result.out);
    if (v.told)
        check_told(s, plan, &result, words);
    else
        check_same(s, plan, &left, wanted);
    if (!v.told && result.err[0])
        complain(s, plan, "nothing is wrong, but it said: %s", result.err);
    if (v.told && !v.met)
        complain(s, plan, "failed without a fault: %s", result.err);
    check_no_temporaries(s, plan);
    if (v.told && s->resumes)
        check_made_up(s, plan, wanted);
    trace_free(&left);
    outcome_free(&result);
    return v;
}
