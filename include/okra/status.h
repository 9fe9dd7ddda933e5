/*
 * The status that every call returns. Its values never change once released. The list below makes both the enum and the
 * texts.
 */
#ifndef OKRA_STATUS_H
#define OKRA_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define OKRA_API __attribute__((visibility("default")))
#else
#define OKRA_API
#endif

/* clang-format off */
/*       name                value  what it means, and what to do about it */
#define OKRA_STATUS_LIST(X)                                                                                         \
    X(OKRA_OK,                 0, "done")                                                                           \
    X(OKRA_E_NULL,             1, "a required pointer is NULL")                                                     \
    X(OKRA_E_MEMORY,           2, "out of memory: ask for fewer features or a smaller capacity")                             \
    X(OKRA_E_SIZE,             3, "the sizes asked for do not fit this machine's address space")                    \
    X(OKRA_E_RECIPE,           4, "no such recipe: okra_recipe_at() lists them")                                    \
    X(OKRA_E_PARAMETER,        5, "a parameter is unknown, unreadable or out of range: okra_spec_check() says which")\
    X(OKRA_E_PRECISION,        6, "a double call on a float32 object or the reverse: use the other call")           \
    X(OKRA_E_SAMPLE,           7, "a sample holds NaN or infinity, or a negative weight: nothing was learnt from it")\
    X(OKRA_E_RANGE,            8, "an input is too large for this width and precision: scale it")                   \
    X(OKRA_E_DIVERGED,         9, "the step would make the state non-finite, so it was not taken: lower the step size, or regularise more") \
    X(OKRA_E_ISA,             10, "OKRA_ISA names an instruction set that is not here: unset it, or say scalar")    \
    X(OKRA_E_BUFFER,          11, "the memory given is too small")                                                  \
    X(OKRA_E_ARRAY,           12, "the filter has no state array of that name")                                     \
    X(OKRA_E_OPEN,            13, "a file could not be opened")                                                     \
    X(OKRA_E_READ,            14, "a file could not be read")                                                       \
    X(OKRA_E_FORMAT,          15, "a file does not hold what it should")                                            \
    X(OKRA_E_WRITE,           16, "a file could not be written")                                                    \
    X(OKRA_E_FULL,            17, "the dictionary is full: raise capacity, or set when-full to stop or oldest")     \
    X(OKRA_E_UNSUPPORTED,     18, "this recipe cannot do that: okra_recipe tells what it can")                 \
    X(OKRA_E_ORDER,           19, "no row was begun: call okra_begin() before okra_commit()")
/* clang-format on */

typedef enum okra_status {
#define OKRA_STATUS_ENUM(name, value, text) name = (value),
    OKRA_STATUS_LIST(OKRA_STATUS_ENUM)
#undef OKRA_STATUS_ENUM
} okra_status;

/* One line in English for a status; never NULL, a static string. */
OKRA_API const char *okra_strerror(okra_status status);

/* "0.1.0", of the library that is linked. */
OKRA_API const char *okra_version(void);

/* The instruction set in use: "avx2", "neon" or "scalar"; NULL if the OKRA_ISA environment variable names one that is
 * not available. */
OKRA_API const char *okra_isa(void);

/*
 * One line that says what was wrong with a call: the value, the place, the remedy. Calls that can say more than a
 * status take a pointer to one, which may be NULL.
 */
typedef struct okra_message {
    char text[512];
} okra_message;

#ifdef __cplusplus
}
#endif
#endif
