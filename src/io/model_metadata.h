/*
 * What a model is, as the string metadata of its file, inside libokra-io: recipe and parameters, embedding, counters,
 * notes. The arrays are elsewhere.
 */
#ifndef OKRA_IO_MODEL_METADATA_H
#define OKRA_IO_MODEL_METADATA_H

#include "safetensors.h"

/* An object of strings, to be given to json_decref(); NULL where there is no memory for it. */
json_t *okra_metadata_make(const okra_filter *model, const okra_metadata *notes);

/* The spec that the header tells, checked. */
okra_status okra_metadata_spec(const json_t *metadata, okra_spec *spec, okra_message *why);

/* "OKRA_E_FORMAT, because the file has something that is not known here": by whom it was written, and what to do. */
okra_status okra_refuse_stranger(const json_t *metadata, okra_message *why, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets the model's counters, every one of them. */
okra_status okra_metadata_counters(const json_t *metadata, okra_filter *model, okra_message *why);

/* The notes among the metadata, as a new list. */
okra_status okra_metadata_notes(const json_t *metadata, okra_metadata **notes);

#endif
