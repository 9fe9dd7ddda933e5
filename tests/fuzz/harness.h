/* What the fuzzers share: a check that ends the run, and bytes as a file. */
#ifndef OKRA_FUZZ_HARNESS_H
#define OKRA_FUZZ_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <okra/io.h>

/* libFuzzer calls it with bytes of its invention. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* abort() where it is false. */
void fuzz_expect(bool truth);

/* The name of a file that holds these bytes, until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

/*
 * Reads a file of `size` bytes to the end, whatever it holds: rows of finite numbers and NaN, messages of one line,
 * every row once, and a row that is skipped to is the row that is read.
 */
void fuzz_rows(const char *path, const okra_reader_options *options, size_t size);

#endif
