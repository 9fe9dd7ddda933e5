/*
 * The memory of a block of rows.
 */
#include "block.h"

#include <stdlib.h>
#include <string.h>

/* Makes the array that the pointer at `place` points to as long as n elements. False if there is no memory. */
static bool grow(void *place, size_t n, size_t size)
{
    void *old;
    memcpy(&old, place, sizeof old);            /* whatever it points to */
    void *grown = realloc(old, (n + 1) * size); /* there may be no columns of a kind */
    if (grown)
        memcpy(place, &grown, sizeof grown);
    return grown;
}

bool block_reserve(block *b, size_t rows, const columns *c)
{
    double **per_target[] = {&b->y, &b->yhat, &b->error, &b->variance, &b->lo, &b->hi};
    if (rows <= b->capacity)
        return true;
    bool done = grow(&b->u, rows * c->n_inputs, sizeof *b->u) && grow(&b->weight, rows, sizeof *b->weight) &&
                grow(&b->line, rows, sizeof *b->line) && grow(&b->text, rows, sizeof *b->text) &&
                grow(&b->kept, rows * c->n_kept, sizeof *b->kept);
    for (size_t i = 0; done && i < sizeof per_target / sizeof *per_target; i++)
        done = grow(per_target[i], rows * c->n_targets, sizeof(double));
    if (done)
        b->capacity = rows;
    return done;
}

bool block_reserve_text(block *b, size_t bytes)
{
    if (bytes <= b->texts_capacity - b->length)
        return true;
    size_t capacity = 2 * b->texts_capacity + bytes + 64;
    char *grown = realloc(b->texts, capacity);
    if (grown) {
        b->texts = grown;
        b->texts_capacity = capacity;
    }
    return grown;
}

void block_clear(block *b)
{
    b->n = b->length = 0;
    b->state = BLOCK_GOOD;
    b->why.text[0] = '\0';
}

void block_free(block *b)
{
    free(b->u), free(b->y), free(b->weight), free(b->line), free(b->kept), free(b->texts), free(b->text);
    free(b->yhat), free(b->error), free(b->variance), free(b->lo), free(b->hi);
    *b = (block){0};
}
