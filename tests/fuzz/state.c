#include "state.h"

#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "program.h"

static int precision_of(learner l)
{
    return l.model ? okra_get_spec(l.model)->precision : okra_get_spec(l.filter)->precision;
}

static okra_status counter_at(learner l, size_t i, okra_counter *counter)
{
    return l.model ? okra_counter_at(l.model, i, counter) : okra_counter_at(l.filter, i, counter);
}

static okra_status counter_write(learner l, const okra_counter *counter)
{
    return l.model ? okra_counter_write(l.model, counter->name, counter->value)
                   : okra_counter_write(l.filter, counter->name, counter->value);
}

static okra_status array_at(learner l, size_t i, okra_array *array)
{
    return l.model ? okra_array_at(l.model, i, array) : okra_array_at(l.filter, i, array);
}

static okra_status array_read(learner l, const okra_array *array, void *out)
{
    return l.model ? okra_array_read(l.model, array->name, out) : okra_array_read(l.filter, array->name, out);
}

static okra_status array_write(learner l, const okra_array *array, const void *in)
{
    return l.model ? okra_array_write(l.model, array->name, in) : okra_array_write(l.filter, array->name, in);
}

/* ---- rooms --------------------------------------------------------------------------------------------------- */

enum { UNTOUCHED = 0xa5 };

void *state_room(size_t n)
{
    void *room = malloc(n + !n);
    fuzz_expect(room);
    if (n > 0)
        memset(room, UNTOUCHED, n);
    return room;
}

bool state_untouched(const void *room, size_t n)
{
    const unsigned char *bytes = room;
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != UNTOUCHED)
            return false;
    return true;
}

/* ---- states -------------------------------------------------------------------------------------------------- */

static size_t array_bytes(learner l, const okra_array *array)
{
    return array->rows * array->cols * number_size(precision_of(l));
}

unsigned char *state_read(learner l, size_t *size)
{
    okra_array array;
    okra_counter counter;
    *size = 0;
    for (size_t i = 0; !counter_at(l, i, &counter); i++)
        *size += sizeof counter.value;
    for (size_t i = 0; !array_at(l, i, &array); i++)
        *size += array_bytes(l, &array);
    unsigned char *state = state_room(*size), *at = state;
    for (size_t i = 0; !counter_at(l, i, &counter); i++, at += sizeof counter.value)
        memcpy(at, &counter.value, sizeof counter.value);
    for (size_t i = 0; !array_at(l, i, &array); i++, at += array_bytes(l, &array))
        fuzz_expect(!array_read(l, &array, at));
    return state;
}

bool state_is(learner l, unsigned char *state, size_t size)
{
    size_t now_size;
    unsigned char *now = state_read(l, &now_size);
    bool same = now_size == size && memcmp(now, state, size) == 0;
    free(now);
    free(state);
    return same;
}

bool state_same(learner a, learner b)
{
    size_t size;
    unsigned char *state = state_read(b, &size);
    return state_is(a, state, size);
}

void state_copy(learner from, learner to)
{
    okra_array array;
    okra_counter counter;
    for (size_t i = 0; !counter_at(from, i, &counter); i++)
        fuzz_expect(!counter_write(to, &counter));
    for (size_t i = 0; !array_at(from, i, &array); i++) {
        void *numbers = state_room(array_bytes(from, &array));
        fuzz_expect(!array_read(from, &array, numbers) && !array_write(to, &array, numbers));
        free(numbers);
    }
}
