/*
 * libokra-io: models as files, to go on with after a crash, on another day or another machine.
 *
 *     okra_message why;
 *     if (okra_save(model, "plant.okra", NULL, &why)) puts(why.text);
 *     ..
 *     if (okra_load("plant.okra", 0, &model, NULL, &why)) puts(why.text);
 *
 * A loaded model goes on with the same bits as the one that was saved, on the same instruction set. docs/model-file.md
 * describes the format: it is a safetensors file, which many programs read.
 *
 * Every `why` (may be NULL) is one line that names the cause and the remedy, and the file where there is one.
 *
 * Every `limit` is the most memory, in bytes, that the model of a file may take (okra_size() of its spec); 0 means
 * 1 GiB. A dictionary takes memory for its whole capacity, however few centres its file has: a file of 1 kB can
 * describe a model of any size. One that takes more is refused, with OKRA_E_FORMAT, before the memory is asked for.
 *
 * Saving and packing only read the model and the metadata: other threads may read them meanwhile, and must not change
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

/* The model format that this library writes; it reads those before it too. */
#define OKRA_MODEL_FORMAT 1

/* ---- metadata -------------------------------------------------------------------------------------------- */

/*
 * What a program wants to know about a model beside the model itself: the names of columns, how far it has read. An
 * ordered list of keys and values, both UTF-8 text of any length. NULL is a list without entries; one that was made is
 * the caller's, to be given to okra_metadata_free(), which allows NULL.
 */
typedef struct okra_metadata okra_metadata;

OKRA_API void okra_metadata_free(okra_metadata *metadata);

/* Adds an entry, or gives the one of that key a new value, in its old place; both texts are copied. The list is made
 * where *metadata is NULL. OKRA_E_PARAMETER where a text is not UTF-8, OKRA_E_MEMORY; the list is then as it was. */
OKRA_API okra_status okra_metadata_set(okra_metadata **metadata, const char *key, const char *value);

/* The value of a key, or NULL; valid until that entry changes. */
OKRA_API const char *okra_metadata_get(const okra_metadata *metadata, const char *key);

/* Entry i = 0, 1, ..; false past the last. key and value may be NULL; the key is valid until an entry is added. */
OKRA_API bool okra_metadata_at(const okra_metadata *metadata, size_t i, const char **key, const char **value);

/* ---- files ----------------------------------------------------------------------------------------------- */

/*
 * Saves a model, with metadata (may be NULL). The file is whole or as it was before, whatever happens: it is written
 * under another name in the same folder (PATH.PID.tmp), brought to the disk, and renamed. OKRA_E_WRITE otherwise.
 */
OKRA_API okra_status okra_save(const okra_filter *model, const char *path, const okra_metadata *metadata,
                               okra_message *why);

/*
 * Loads a model; path "-" is standard input. *model is the caller's, to be given to okra_free(), and *metadata
 * (`metadata` may be NULL) to okra_metadata_free(). On failure both are NULL: OKRA_E_OPEN, OKRA_E_READ, OKRA_E_MEMORY,
 * or OKRA_E_FORMAT for what is no model file, of a newer format, truncated, altered, not what its own header says, or
 * larger than the limit.
 *
 * Nothing is taken on trust: sizes are checked before memory is allocated. Beside the model itself, which has its
 * limit, no file gets more than 64 times its own size and 64 MiB, all that is allocated on the way counted. Loading
 * takes time in proportion to the file and the model.
 */
OKRA_API okra_status okra_load(const char *path, size_t limit, okra_filter **model, okra_metadata **metadata,
                               okra_message *why);

/* ---- the same in memory ---------------------------------------------------------------------------------- */

/* The bytes of the file; *bytes is the caller's, to be given to free(). */
OKRA_API okra_status okra_pack(const okra_filter *model, const okra_metadata *metadata, unsigned char **bytes,
                               size_t *size, okra_message *why);

OKRA_API okra_status okra_unpack(const void *bytes, size_t size, size_t limit, okra_filter **model,
                                 okra_metadata **metadata, okra_message *why);

/* Everything that the header of a model file says, as it stands there: format, format_version, okra_version, recipe,
 * ..; *header is the caller's. The file's layout and checksum are verified, the model is not built. */
OKRA_API okra_status okra_read_header(const void *bytes, size_t size, okra_metadata **header, okra_message *why);

/* ---- as JSON --------------------------------------------------------------------------------------------- */

/*
 * A model file as JSON for people, and back to the same bytes. Numbers are the shortest that read back to the same
 * bits; NaN and infinities are strings. *json (NUL-terminated) and *bytes are the caller's, to be given to free().
 * Both refuse what okra_unpack() would: every file that can be loaded can be exported, what is exported can be
 * imported, and nothing else can.
 */
OKRA_API okra_status okra_export(const void *bytes, size_t size, size_t limit, char **json, okra_message *why);
OKRA_API okra_status okra_import(const char *json, size_t length, size_t limit, unsigned char **bytes, size_t *size,
                                 okra_message *why);

/* ---- whole files ----------------------------------------------------------------------------------------- */

/* Reads a file, or standard input where path is "-"; *bytes is the caller's, to be given to free(). */
OKRA_API okra_status okra_file_load(const char *path, unsigned char **bytes, size_t *size, okra_message *why);

/*
 * Writes a file as okra_save() does. A link is followed, to a new file too; an old one's permissions, group and
 * access control list are kept, or where the system does not allow it narrowed, so that nobody new can read it; root
 * keeps its owner too. What is no regular file (a pipe, "-" for standard output) is written as it is.
 */
OKRA_API okra_status okra_file_save(const char *path, const void *bytes, size_t size, okra_message *why);

#ifdef __cplusplus
}
#endif
#endif
