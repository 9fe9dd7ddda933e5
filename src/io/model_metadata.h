/*
 * What a model is, as the string metadata of its file, inside libokra-io: recipe and parameters, counters, and
 * what the caller adds. The arrays are elsewhere.
 */
#ifndef OKRA_IO_MODEL_METADATA_H
#define OKRA_IO_MODEL_METADATA_H

#include "safetensors.h"

/* All that the header of a model's file says, with the caller's own (may be NULL) at the end; to be freed. NULL where
 * there is no memory for it. */
okra_metadata *okra_metadata_make(const okra_filter *model, const okra_metadata *own);

/* The spec that the header tells, checked. */
okra_status okra_metadata_spec(const okra_metadata *metadata, okra_spec *spec, okra_message *why);

/* "OKRA_E_FORMAT, because the file has something that is not known here": by whom it was written, and what to do. */
okra_status okra_refuse_unsupported(const okra_metadata *metadata, okra_message *why, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets the model's counters, every one of them. */
okra_status okra_metadata_counters(const okra_metadata *metadata, okra_filter *model, okra_message *why);

/* The caller's own among a header's; *own is NULL where there are none. */
okra_status okra_metadata_own(const okra_metadata *header, okra_metadata **own);

#endif
