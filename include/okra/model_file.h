/*
 * libokra-io: models as files, to continue with after a crash, on another day or another machine.
 *
 *     okra_message why;
 *     if (okra_save(model, "plant.okra", NULL, &why)) puts(why.text);
 *     ..
 *     if (okra_load("plant.okra", 0, &model, NULL, &why)) puts(why.text);
 *
 * On the same instruction set, a loaded model continues with the same bits as the saved one. docs/model-file.md
 * describes the format: it is a safetensors file, which many programs read.
 *
 * Every `why` (may be NULL) is one line that names the cause, the remedy, and the file if there is one.
 *
 * Every `limit` is the maximum memory, in bytes, that the model of a file may take (okra_size() of its spec); 0 means 1
 * GiB. A dictionary takes memory for its whole capacity, however few centres its file has: a file of 1 kB can describe
 * a model of any size. A model above the limit is refused, with OKRA_E_FORMAT, before memory is allocated.
 *
 * Saving and packing only read the model and the metadata: other threads may read them at the same time, but not change
 * them. Calls on different ones are independent.
 */
#ifndef OKRA_MODEL_FILE_H
#define OKRA_MODEL_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include <okra/filter.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The model format that this library writes; it also reads older ones. */
#define OKRA_MODEL_FORMAT 1

/* ---- metadata -------------------------------------------------------------------------------------------- */

/*
 * What a program stores with a model: the names of columns, how far it has read. An ordered list of keys and values,
 * both UTF-8 text of any length. NULL is an empty list. The caller owns a list and frees it with okra_metadata_free(),
 * which allows NULL.
 */
typedef struct okra_metadata okra_metadata;

OKRA_API void okra_metadata_free(okra_metadata *metadata);

/* Adds an entry, or replaces the value of an existing key, which keeps its place; both texts are copied. If *metadata
 * is NULL, a list is made. OKRA_E_PARAMETER if a text is not UTF-8, or OKRA_E_MEMORY; the list is then unchanged. */
OKRA_API okra_status okra_metadata_set(okra_metadata **metadata, const char *key, const char *value);

/* The value of a key, or NULL; valid until that entry changes. */
OKRA_API const char *okra_metadata_get(const okra_metadata *metadata, const char *key);

/* Entry i = 0, 1, ..; false past the last. key and value may be NULL; the key is valid until an entry is added. */
OKRA_API bool okra_metadata_at(const okra_metadata *metadata, size_t i, const char **key, const char **value);

/* ---- files ----------------------------------------------------------------------------------------------- */

/*
 * Saves a model, with metadata (may be NULL). The file is either complete or unchanged, even after a crash: it is
 * written under another name in the same folder (PATH.PID.tmp), synced to the disk, and renamed. OKRA_E_WRITE on
 * failure.
 */
OKRA_API okra_status okra_save(const okra_filter *model, const char *path, const okra_metadata *metadata,
                               okra_message *why);

/*
 * Loads a model; path "-" is standard input. The caller frees *model with okra_free(), and *metadata (`metadata` may be
 * NULL) with okra_metadata_free(). On failure both are NULL: OKRA_E_OPEN, OKRA_E_READ, OKRA_E_MEMORY, or OKRA_E_FORMAT
 * for a file that is not a model, has a newer format, is truncated or altered, contradicts its own header, or is above
 * the limit.
 *
 * Files are not trusted: sizes are checked before memory is allocated. Besides the model itself, which has its limit,
 * loading allocates at most 64 times the size of the file plus 64 MiB in all. It takes time in proportion to the file
 * and the model.
 */
OKRA_API okra_status okra_load(const char *path, size_t limit, okra_filter **model, okra_metadata **metadata,
                               okra_message *why);

/* ---- the same in memory ---------------------------------------------------------------------------------- */

/* The bytes of the file; the caller frees *bytes with free(). */
OKRA_API okra_status okra_pack(const okra_filter *model, const okra_metadata *metadata, unsigned char **bytes,
                               size_t *size, okra_message *why);

OKRA_API okra_status okra_unpack(const void *bytes, size_t size, size_t limit, okra_filter **model,
                                 okra_metadata **metadata, okra_message *why);

/* All entries in the header of a model file, unchanged: format, format_version, okra_version, recipe, ..; the caller
 * owns *header. The file's layout and checksum are verified; the model is not built. */
OKRA_API okra_status okra_read_header(const void *bytes, size_t size, okra_metadata **header, okra_message *why);

/* ---- as JSON --------------------------------------------------------------------------------------------- */

/*
 * A model file as JSON for people, and back to the same bytes. Numbers are the shortest that read back to the same
 * bits; NaN and infinities are strings. The caller frees *json (NUL-terminated) and *bytes with free(). Both refuse
 * what okra_unpack() refuses: a file can be exported if and only if it can be loaded, and every export can be imported.
 */
OKRA_API okra_status okra_export(const void *bytes, size_t size, size_t limit, char **json, okra_message *why);
OKRA_API okra_status okra_import(const char *json, size_t length, size_t limit, unsigned char **bytes, size_t *size,
                                 okra_message *why);

/* ---- whole files ----------------------------------------------------------------------------------------- */

/* Reads a file, or standard input if path is "-"; the caller frees *bytes with free(). */
OKRA_API okra_status okra_file_load(const char *path, unsigned char **bytes, size_t *size, okra_message *why);

/*
 * Writes a file as okra_save() does. A link is followed, even to a file that does not exist yet. An existing file keeps
 * its permissions, group and access control list; if the system does not allow that, they are narrowed, so that nobody
 * new can read it. Root also keeps the owner. What is not a regular file (a pipe, "-" for standard output) is written
 * directly.
 */
OKRA_API okra_status okra_file_save(const char *path, const void *bytes, size_t size, okra_message *why);

#ifdef __cplusplus
}
#endif
#endif
