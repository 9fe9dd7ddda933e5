/*
 * The host keeps numbers, not pointers: a handle is a place in the table below and how often that place had been given
 * away before, so that a handle which outlives its learner is told from the place's next tenant. The table is the one
 * thing that must outlive a call.
 */
#include "gateway.h"

#include <stdlib.h>

typedef struct place {
    learner tenant;
    uint32_t turn; /* odd while there is a tenant */
} place;

static place *table;
static size_t n_places, n_tenants;

enum { TURN_BITS = 32 };

/* At the end of the host, or when it unloads the gateway. */
static void free_all(void)
{
    for (size_t i = 0; i < n_places; i++)
        learner_free(&table[i].tenant);
    free(table);
    table = NULL;
    n_places = n_tenants = 0;
}

/* A place without a tenant, or NULL: no memory. */
static place *find_room(void)
{
    for (size_t i = 0; i < n_places; i++)
        if (table[i].turn % 2 == 0)
            return &table[i];
    size_t more = n_places ? 2 * n_places : 16;
    place *larger = realloc(table, more * sizeof *table);
    if (!larger)
        return NULL;
    if (!table)
        mexAtExit(free_all);
    for (size_t i = n_places; i < more; i++)
        larger[i] = (place){.turn = 0};
    table = larger;
    size_t first = n_places;
    n_places = more;
    return &table[first];
}

mxArray *handle_new(learner given)
{
    place *room = find_room();
    if (!room) {
        learner_free(&given);
        expect(OKRA_E_MEMORY);
    }
    room->tenant = given;
    room->turn++;
    n_tenants++;
    mexLock();
    mxArray *handle = mxCreateNumericMatrix(1, 1, mxUINT64_CLASS, mxREAL);
    *(uint64_t *)mxGetData(handle) = (uint64_t)(room - table) << TURN_BITS | room->turn;
    return handle;
}

static place *find(const mxArray *handle)
{
    if (!mxIsUint64(handle) || mxGetNumberOfElements(handle) != 1)
        return NULL;
    uint64_t number = *(const uint64_t *)mxGetData(handle);
    size_t i = (size_t)(number >> TURN_BITS);
    uint32_t turn = (uint32_t)number;
    return i < n_places && turn % 2 && table[i].turn == turn ? &table[i] : NULL;
}

learner *handle_get(const mxArray *handle)
{
    place *at = find(handle);
    if (!at)
        fail(OKRA_E_NULL, "this object has been deleted: make a new one");
    return &at->tenant;
}

void handle_free(const mxArray *handle)
{
    place *at = find(handle);
    if (!at)
        return;
    learner_free(&at->tenant);
    at->turn++;
    n_tenants--;
    mexUnlock();
}

size_t handle_count(void) { return n_tenants; }
