/*
 * MemorySanitizer believes that memory is uninitialised until instrumented code writes it, and the jansson that we link
 * is not instrumented. So what jansson allocates counts as written from the start, and so does the stack that it is
 * about to use, where our own frames were; everything of ours is still watched.
 */
#include <sanitizer/msan_interface.h>
#include <stdlib.h>

#include <jansson.h>

static void *allocate(size_t bytes)
{
    void *made = malloc(bytes);
    if (made)
        __msan_unpoison(made, bytes);
    return made;
}

__attribute__((constructor)) static void speak_for_jansson(void) { json_set_alloc_funcs(allocate, free); }

__attribute__((noinline)) static void clear_stack(void)
{
    char below[1 << 16];
    __msan_unpoison(below, sizeof below);
}

#define ON_A_CLEAR_STACK(type, name, parameters, arguments) \
    type __real_##name parameters;                          \
    type __wrap_##name parameters;                          \
    type __wrap_##name parameters                           \
    {                                                       \
        clear_stack();                                      \
        return __real_##name arguments;                     \
    }
ON_A_CLEAR_STACK(char *, json_dumps, (const json_t *json, size_t flags), (json, flags))
ON_A_CLEAR_STACK(size_t, json_dumpb, (const json_t *json, char *to, size_t room, size_t flags), (json, to, room, flags))
ON_A_CLEAR_STACK(int, json_object_update, (json_t * to, json_t *from), (to, from))

/* What it says of a mistake, it writes into memory of the caller's. */
json_t *__real_json_loadb(const char *text, size_t length, size_t flags, json_error_t *error);
json_t *__wrap_json_loadb(const char *text, size_t length, size_t flags, json_error_t *error);
json_t *__wrap_json_loadb(const char *text, size_t length, size_t flags, json_error_t *error)
{
    clear_stack();
    json_t *loaded = __real_json_loadb(text, length, flags, error);
    if (error)
        __msan_unpoison(error, sizeof *error);
    return loaded;
}
