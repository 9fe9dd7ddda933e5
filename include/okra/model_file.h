/*
 * libokra-io: models as files, to go on with after a crash, on another day or another machine.
 *
 *     okra_message why;
 *     if (okra_model_save(model, "plant.okra", NULL, &why)) puts(why.text);
 *     ..
 *     if (okra_model_load("plant.okra", &model, NULL, &why)) puts(why.text);
 *
 * A loaded model goes on with the same bits as the one that was saved, on the same instruction set. docs/model-file.md
 * describes the format: it is a safetensors file, which many programs read.
 *
 * Every `why` (may be NULL) is one line that names the cause and the remedy, and the file where there is one.
 *
 * Saving and packing only read the model and the notes: other threads may read them meanwhile, and must not change
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

/* ---- notes ----------------------------------------------------------------------------------------------- */

/*
 * What a program wants to know about a model beside the model itself: the names of columns, how far it has read. An
 * ordered list of keys and values, both UTF-8 text of any length.
 */
typedef struct okra_notes okra_notes;

/* An empty list; *notes is the caller's, to be given to okra_notes_free(), which allows NULL. */
OKRA_API okra_status okra_notes_create(okra_notes **notes);
OKRA_API void okra_notes_free(okra_notes *notes);

/* Adds a note, or gives the one of that key a new value, in its old place; both texts are copied. OKRA_E_PARAMETER
 * where one is not UTF-8. */
OKRA_API okra_status okra_notes_set(okra_notes *notes, const char *key, const char *value);

/* The value of a key, or NULL; valid until that note changes. NULL notes have none. */
OKRA_API const char *okra_notes_get(const okra_notes *notes, const char *key);

/* Note i = 0, 1, ..; false past the last. key and value may be NULL. */
OKRA_API bool okra_notes_at(const okra_notes *notes, size_t i, const char **key, const char **value);

/* ---- files ----------------------------------------------------------------------------------------------- */

/*
 * Saves a model, with notes (may be NULL). The file is whole or as it was before, whatever happens: it is written under
 * another name in the same folder (PATH.PID.tmp), brought to the disk, and renamed. OKRA_E_WRITE otherwise.
 */
OKRA_API okra_status okra_model_save(const okra_filter *model, const char *path, const okra_notes *notes,
                                     okra_message *why);

/*
 * Loads a model; path "-" is standard input. *model is the caller's, to be given to okra_free(), and *notes
 * (`notes` may be NULL) to okra_notes_free(). On failure both are NULL: OKRA_E_OPEN, OKRA_E_READ, OKRA_E_MEMORY, or
 * OKRA_E_FORMAT for what is no model file, of a newer format, truncated, altered, or not what its own header says.
 *
 * Nothing is taken on trust: sizes are checked before memory is allocated, and no file gets more than 64 times its own
 * size and 64 MiB, all that is allocated on the way counted. Loading takes time in proportion to the file.
 */
OKRA_API okra_status okra_model_load(const char *path, okra_filter **model, okra_notes **notes, okra_message *why);

/* ---- the same in memory ---------------------------------------------------------------------------------- */

/* The bytes of the file; *bytes is the caller's, to be given to free(). */
OKRA_API okra_status okra_model_pack(const okra_filter *model, const okra_notes *notes, unsigned char **bytes,
                                     size_t *size, okra_message *why);

OKRA_API okra_status okra_model_unpack(const void *bytes, size_t size, okra_filter **model, okra_notes **notes,
                                       okra_message *why);

/* Everything that the header of a model file says, as it stands there: format, format_version, okra_version, recipe,
 * ..; *metadata is the caller's. The file's layout and checksum are verified, the model is not built. */
OKRA_API okra_status okra_model_metadata(const void *bytes, size_t size, okra_notes **metadata, okra_message *why);

/* ---- as JSON --------------------------------------------------------------------------------------------- */

/*
 * A model file as JSON for people, and back to the same bytes. Numbers are the shortest that read back to the same
 * bits; NaN and infinities are strings. *json (NUL-terminated) and *bytes are the caller's, to be given to free().
 * Both refuse what okra_model_unpack() would: every file that can be loaded can be exported, what is exported can be
 * imported, and nothing else can.
 */
OKRA_API okra_status okra_model_export(const void *bytes, size_t size, char **json, okra_message *why);
OKRA_API okra_status okra_model_import(const char *json, size_t length, unsigned char **bytes, size_t *size,
                                       okra_message *why);

/* ---- whole files ----------------------------------------------------------------------------------------- */

/* Reads a file, or standard input where path is "-"; *bytes is the caller's, to be given to free(). */
OKRA_API okra_status okra_file_load(const char *path, unsigned char **bytes, size_t *size, okra_message *why);

/*
 * Writes a file as okra_model_save() does. A link is followed, to a new file too; an old one's permissions, group and
 * access control list are kept, or where the system does not allow it narrowed, so that nobody new can read it; root
 * keeps its owner too. What is no regular file (a pipe, "-" for standard output) is written as it is.
 */
OKRA_API okra_status okra_file_save(const char *path, const void *bytes, size_t size, okra_message *why);

#ifdef __cplusplus
}
#endif
#endif
