/*
 * An engine: a map and an algorithm in one block of memory, without lags, scale or time. The public handle (src/stream)
 * contains one. engine.c creates it and names its state; engine_run.c predicts and learns, in either precision.
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

/* Checks the map and algorithm of a spec whose stream is checked; the reason in `why` (may be NULL). */
okra_status okra_engine_check(const okra_spec *spec, okra_message *why);

/* The bytes of an engine of this checked spec; 0 on overflow. */
size_t okra_engine_size(const okra_spec *spec);

/* Builds one in aligned memory of that size. `empty`: the map is not drawn, because all arrays will be written. */
okra_status okra_engine_init(void *memory, const okra_spec *spec, bool empty, okra_engine **engine);

/* Sets the addresses again after the memory was copied. */
void okra_engine_moved(okra_engine *engine);

/* Sets another width and, unless `empty`, draws its features. The weights stay, but no longer fit. */
okra_status okra_engine_set_sigma(okra_engine *engine, double sigma, bool empty);

/* The same with a width for each input; NULL: equal ones. */
okra_status okra_engine_set_widths(okra_engine *engine, const double *widths, bool empty);

/* Returns to the state of a new engine. */
void okra_engine_reset(okra_engine *engine);

/* Fills in all but the bytes. */
void okra_engine_stats(const okra_engine *engine, okra_stats *stats);

/* The relevance of each input of the map, see okra_get_relevance(); false if it is not known. */
bool okra_engine_relevance(const okra_engine *engine, double *relevance);

/* Bytes of scratch that engine_predict() needs, from any alignment. */
size_t okra_engine_scratch(const okra_engine *engine);

/* The state; see okra_counter_at() and so on. The counter i, or NULL past the last. */
uint64_t *okra_engine_counter(const okra_engine *engine, size_t i, okra_counter *counter);
okra_status okra_engine_array_at(const okra_engine *engine, size_t i, okra_array *array);
okra_status okra_engine_array_read(const okra_engine *engine, size_t i, void *out);
okra_status okra_engine_array_write(okra_engine *engine, size_t i, const void *in);

/* Call after counters or arrays were written. */
void okra_engine_after_load(okra_engine *engine);

/* Functions of each precision. */
typedef struct okra_engine_ops {
    /* The algorithm's own checks of a spec whose values are in range. */
    okra_status (*check)(const okra_spec *spec, okra_message *why);
    /* Lays out map, algorithm and scratch behind the engine; sets addresses only, see block.h. */
    void (*lay_out)(okra_engine *engine, okra_block *block);
    /* Draws the map. */
    okra_status (*init_params)(okra_engine *engine, const okra_spec *spec);
    /* Does not draw it: its arrays will be written. */
    void (*init_empty)(okra_engine *engine);
    void (*reset)(okra_engine *engine);
    size_t (*features)(const okra_engine *engine);
    okra_merging (*merging)(const okra_engine *engine);
    size_t (*scratch)(const okra_engine *engine); /* bytes */
    size_t (*centres)(const okra_engine *engine, uint64_t *full);
    uint64_t (*updates)(const okra_engine *engine);
    uint64_t (*restarts)(const okra_engine *engine);
    bool (*relevance)(const okra_engine *engine, double *relevance);
    /* The algorithm's own counter i, see filter.h; NULL past the last */
    uint64_t *(*counter)(const okra_engine *engine, size_t i, const char **name, uint64_t *max);
    void (*after_load)(okra_engine *engine);
    okra_status (*array_at)(const okra_engine *engine, size_t i, okra_array *array);
    okra_status (*array_read)(const okra_engine *engine, size_t i, void *out);
    okra_status (*array_write)(okra_engine *engine, size_t i, const void *in);
} okra_engine_ops;

extern const okra_engine_ops okra_engine_ops_f64, okra_engine_ops_f32;

#endif
