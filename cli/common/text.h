/*
 * Words: the nearest of a list to a mistyped one, text laid out in columns, text in memory, and text for terminals and
 * shells.
 */
#ifndef OKRA_CLI_TEXT_H
#define OKRA_CLI_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Finds the nearest word to a mistyped one: start with the word, offer every candidate, read `best`. */
typedef struct nearest {
    const char *word;
    const char *best; /* NULL while nothing is near enough to be worth a suggestion */
    size_t distance;
} nearest;

nearest nearest_to(const char *word);
void nearest_offer(nearest *search, const char *candidate);

/* "did you mean `best`?", with `prefix` before best, or `otherwise` if nothing is near; returns `hint`. */
enum { HINT_TEXT = 160 };
const char *nearest_hint(const nearest *search, const char *prefix, const char *otherwise, char hint[HINT_TEXT]);

/*
 * Prints `left` after `indent` blanks and `right` from column `column` on, wrapped at the width of a page, to standard
 * output. A `left` that is too long for its column gets a line of its own.
 */
void print_entry(int indent, const char *left, int column, const char *right);

/* What print(out, with) writes, as a string to be freed; NULL if there is no memory for all of it. */
char *printed_text(void (*print)(FILE *out, const void *with), const void *with);

/* Writes text fit for a terminal, as okra_plain_text() makes it. */
void print_plain(FILE *out, const char *text);

/* Writes a word so that any shell reads it back as one, as it is or in quotes: for a command that is run, not shown. */
void print_shell_word(FILE *out, const char *word);

/*
 * The same for a command that is shown, to be pasted into bash or zsh. A terminal obeys a control character in quotes,
 * and so does the shell's line editor: what is not plain text is written by its bytes' numbers, in $'..'.
 */
void print_pasted_word(FILE *out, const char *word);

/* " --name value" and " path", the way arguments_parse() reads them back: a value may begin with two dashes, a path
 * with one. */
void print_pasted_option(FILE *out, const char *name, const char *value);
void print_pasted_file(FILE *out, const char *path);

#endif
