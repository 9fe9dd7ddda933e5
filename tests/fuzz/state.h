/* The whole state of a filter or a model, as its counters and arrays tell it, to be compared and copied. */
#ifndef OKRA_FUZZ_STATE_H
#define OKRA_FUZZ_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include <okra/okra.h>

/* One of the two. */
typedef struct learner {
    okra_filter *filter;
    okra_filter *model;
} learner;

static inline learner a_filter(okra_filter *filter) { return (learner){.filter = filter}; }
static inline learner a_model(okra_filter *model) { return (learner){.model = model}; }

/* Counters, arrays, and a model's width in force, one after the other; to be freed. */
unsigned char *state_read(learner l, size_t *size);

/* Whether that is the learner's state; `state` is freed. */
bool state_is(learner l, unsigned char *state, size_t size);

bool state_same(learner a, learner b);

/* All that one has learnt, into a new one of its spec. */
void state_copy(learner from, learner to);

/* n bytes that no call has touched, to be freed; and whether that is still so. */
void *state_room(size_t n);
bool state_untouched(const void *room, size_t n);

#endif
