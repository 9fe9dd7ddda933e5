/*
 * Words: the nearest of a list to a mistyped one, text laid out in columns, and text in memory.
 */
#ifndef OKRA_CLI_TEXT_H
#define OKRA_CLI_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* The search for what a mistyped word was meant to be: start with the word, offer every candidate, read `best`. */
typedef struct nearest {
    const char *word;
    const char *best; /* NULL while nothing is near enough to be worth a suggestion */
    size_t distance;
} nearest;

nearest nearest_to(const char *word);
void nearest_offer(nearest *search, const char *candidate);

/* "did you mean `best`?", with `prefix` before best, or `otherwise` where nothing is near; returns `hint`. */
enum { HINT_TEXT = 160 };
const char *nearest_hint(const nearest *search, const char *prefix, const char *otherwise, char hint[HINT_TEXT]);

/*
 * Prints `left` after `indent` blanks and `right` from column `column` on, wrapped at the width of a page, to standard
 * output. A `left` that is too long for its column gets a line of its own.
 */
void print_entry(int indent, const char *left, int column, const char *right);

/* What print(out, with) writes, as a string to be freed; NULL where there is no memory for all of it. */
char *printed_text(void (*print)(FILE *out, const void *with), const void *with);

/* Writes a word so that a shell reads it back as one: as it is, or in quotes. */
void print_shell_word(FILE *out, const char *word);

#endif
