/* What the fuzzers share: a check that ends the run, and bytes as a file. */
#ifndef OKRA_FUZZ_HARNESS_H
#define OKRA_FUZZ_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <okra/io.h>

/* libFuzzer calls it with bytes of its invention. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* .. and this, where a fuzzer has one, to invent them; the second is libFuzzer's own way of changing bytes. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

/* abort() where it is false, having said what was. */
#define fuzz_expect(truth) ((truth) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #truth))
_Noreturn void fuzz_fail(const char *file, int line, const char *text);

/* Says what is wrong, in one line that is there. */
void fuzz_message(const okra_message *why);

/* The name of a file that holds these bytes, until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

/*
 * Reads a file of `size` bytes to the end, whatever it holds: rows of finite numbers and NaN, messages of one line,
 * every row once, and a row that is skipped to is the row that is read.
 */
void fuzz_rows(const char *path, const okra_table_options *options, size_t size);

#endif
