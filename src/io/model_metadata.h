/*
 * The description of a model, as the string metadata of its file, inside libokra-io: recipe and parameters, counters,
 * and the caller's metadata. Without the arrays.
 */
#ifndef OKRA_IO_MODEL_METADATA_H
#define OKRA_IO_MODEL_METADATA_H

#include "safetensors.h"

/* All metadata of a model's file, with the caller's own (may be NULL) at the end; to be freed. NULL if memory runs
 * out. */
okra_metadata *okra_metadata_make(const okra_filter *model, const okra_metadata *own);

/* Reads the spec from the header, and checks it. */
okra_status okra_metadata_spec(const okra_metadata *metadata, okra_spec *spec, okra_message *why);

/* OKRA_E_FORMAT, because the file has something that this version does not know. Says which version wrote it, and what
 * to do. */
okra_status okra_refuse_unsupported(const okra_metadata *metadata, okra_message *why, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets the model's counters, every one of them. */
okra_status okra_metadata_counters(const okra_metadata *metadata, okra_filter *model, okra_message *why);

/* The caller's own metadata in a header; *own is NULL if there is none. */
okra_status okra_metadata_own(const okra_metadata *header, okra_metadata **own);

#endif
