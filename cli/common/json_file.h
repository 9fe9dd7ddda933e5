/*
 * --metrics: what a command found, as JSON.
 */
#ifndef OKRA_CLI_JSON_FILE_H
#define OKRA_CLI_JSON_FILE_H

#include "../../src/json/read.h"
#include "../../src/json/write.h"
#include "options.h"
#include "output.h"

/*
 * Opens the file of --metrics, if given, before any work is done. `result` is what goes to standard output, and leaves
 * no room for metrics there. Returns EXIT_DONE, or another exit status after an error message.
 */
int json_file_open(output *out, const arguments *options, const char *result);

/* Writes what was made, and frees it. Returns EXIT_DONE, or EXIT_IO after an error message. */
int json_file_write(output *out, okra_json_writer *made);

/* A reader of what was made, all of it, for those who show it as text. */
void json_file_read(okra_json_reader *reader, const char *text);

#endif
