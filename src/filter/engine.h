/*
 * An engine: a map and an algorithm in one block of memory, without lags, scale or time. The public handle
 * (src/stream) has one inside. engine.c makes it and names its state; engine_run.c, of either precision, is it at work.
 */
#ifndef OKRA_ENGINE_H
#define OKRA_ENGINE_H

#include <okra/filter.h>

#include "../core/block.h"
#include "../vec/isa.h"

typedef struct okra_engine {
    okra_spec spec;
    okra_isa_id isa;
    size_t bytes;
    uint64_t learnt;
    void *core; /* typed, see engine_run.c */
} okra_engine;

/* What a map and an algorithm need of a spec whose stream has been checked; the reason in `why`, which may be NULL. */
okra_status okra_engine_check(const okra_spec *spec, okra_message *why);

/* The bytes of an engine of this spec, which has been checked; 0 where they cannot be counted. */
size_t okra_engine_size(const okra_spec *spec);

/* Builds one in aligned memory of that size. `empty`: the map is not drawn, as all arrays are to be written next. */
okra_status okra_engine_init(void *memory, const okra_spec *spec, bool empty, okra_engine **engine);

/* After its memory was copied to another place: addresses anew. */
void okra_engine_moved(okra_engine *engine);

/* Another width, and features of that width, which are drawn unless `empty`; what was learnt stays, and means nothing.
 */
okra_status okra_engine_set_sigma(okra_engine *engine, double sigma, bool empty);

/* To the state of a new one. */
void okra_engine_reset(okra_engine *engine);

/* All but the bytes. */
void okra_engine_stats(const okra_engine *engine, okra_stats *stats);

/* Bytes of scratch that engine_predict() needs, from any alignment. */
size_t okra_engine_scratch(const okra_engine *engine);

/* The state; see okra_counter_at() and so on. The counter i, or NULL past the last. */
uint64_t *okra_engine_counter(const okra_engine *engine, size_t i, okra_counter *counter);
okra_status okra_engine_array_at(const okra_engine *engine, size_t i, okra_array *array);
okra_status okra_engine_array_read(const okra_engine *engine, size_t i, void *out);
okra_status okra_engine_array_write(okra_engine *engine, size_t i, const void *in);

/* After counters or arrays were written. */
void okra_engine_after_load(okra_engine *engine);

/* What each precision provides for that. */
typedef struct okra_engine_ops {
    /* What the algorithm itself needs of a spec whose values are in range. */
    okra_status (*check)(const okra_spec *spec, okra_message *why);
    /* Lays map, algorithm and scratch out behind the engine; sets addresses only, see block.h. */
    void (*lay_out)(okra_engine *engine, okra_block *block);
    /* Draws the map. */
    okra_status (*init_params)(okra_engine *engine, const okra_spec *spec);
    /* Leaves that to whoever writes its arrays. */
    void (*init_empty)(okra_engine *engine);
    void (*reset)(okra_engine *engine);
    size_t (*features)(const okra_engine *engine);
    okra_merging (*merging)(const okra_engine *engine);
    size_t (*scratch)(const okra_engine *engine); /* bytes */
    size_t (*centres)(const okra_engine *engine, uint64_t *full);
    uint64_t (*updates)(const okra_engine *engine);
    /* The algorithm's own counter i, see filter.h; NULL past the last */
    uint64_t *(*counter)(const okra_engine *engine, size_t i, const char **name, uint64_t *most);
    void (*after_load)(okra_engine *engine);
    okra_status (*array_at)(const okra_engine *engine, size_t i, okra_array *array);
    okra_status (*array_read)(const okra_engine *engine, size_t i, void *out);
    okra_status (*array_write)(okra_engine *engine, size_t i, const void *in);
} okra_engine_ops;

extern const okra_engine_ops okra_engine_ops_f64, okra_engine_ops_f32;

#endif
