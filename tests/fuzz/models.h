/* What the fuzzers of models share: rows for a model that may have come from anywhere, and its whole state. */
#ifndef OKRA_FUZZ_MODELS_H
#define OKRA_FUZZ_MODELS_H

#include <stdbool.h>
#include <stddef.h>

#include <okra/model_file.h>

/* Some dozen rows, with a gap now and then, through a model of not too many columns, whatever it says to them. */
void fuzz_take_rows(okra_filter *model);

/* The model as the bytes of a file, to be freed. */
unsigned char *fuzz_pack(const okra_filter *model, size_t *size);

/* The model of those bytes. */
okra_filter *fuzz_unpack(const unsigned char *bytes, size_t size);

/* The model, saved and loaded, is saved to the same bytes. */
void fuzz_round_trip(const okra_filter *model);

/* Whether two models are the same to the bit. */
bool fuzz_same_model(const okra_filter *a, const okra_filter *b);

#endif
