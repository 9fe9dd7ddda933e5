/*
 * Writes a manual page in roff with the macros of man(7). Text is escaped here, so that the page shows it unchanged: a
 * dash can be copied into a shell.
 */
#ifndef OKRA_MANUAL_ROFF_H
#define OKRA_MANUAL_ROFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The first lines of a page: its name, section, the date of the version ("" if unknown), what it is part of. */
void roff_begin(const char *name, int section, const char *date, const char *volume);

void roff_section(const char *title);
void roff_subsection(const char *title);
void roff_paragraph(void);

/* Between these: lines as they are. */
void roff_verbatim_begin(void);
void roff_verbatim_end(void);

/* n characters, or a whole text, plain. */
void roff_escape(const char *text, size_t n);
void roff_plain(const char *text);

/* In a font, 'B' or 'I', and back. */
void roff_font(char font, const char *text, size_t n);

/*
 * Running text, and the end of its line: options and quoted commands are set bold, `words` and *words* and those of
 * `names` (NULL, or words with blanks between them) in italics, functions() bold.
 */
void roff_prose(const char *text, const char *names);

/* An item of a table of short names, `width` characters wide, its text still to come; `first` of its table. The table
 * is to be ended. */
void roff_row(int width, const char *left, bool first);
void roff_rows_end(void);

/* The tag of an item of a list; its text follows. `left` is set bold, `right`, with a blank before it, in italics;
 * either may be NULL. */
void roff_item(const char *left, const char *right);

#endif
