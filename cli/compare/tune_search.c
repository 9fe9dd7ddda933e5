/*
 * Successive halving (Jamieson & Talwalkar, AISTATS 2016): all candidates learn the first rows, the better half
 * continues to twice as many, and so on to the last row. No row is learnt twice. Each rung is scored on all but the
 * first quarter of its rows: the first rows would favour fast starts, the last rows alone whoever suits them.
 *
 * A few places of the grids are starts. From the best of them the search goes on by steps along every axis, and by all
 * the steps that helped at once. Candidates run independently and are ranked after all have run, so the result does not
 * depend on the threads.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/message.h"
#include "tune.h"

#ifdef _OPENMP
#include <omp.h>
#else /* one thread */
static int omp_get_thread_num(void) { return 0; }
#endif

enum {
    MIN_ROWS = 512,        /* of a rung; one shorter than a warm-up would judge little else */
    MAX_HALVINGS = 4,      /* of candidates drawn at random, .. */
    STARTING_HALVINGS = 2, /* .. of starts, .. */
    REFINING_HALVINGS = 2  /* .. and among neighbours, which are too much alike for short rungs to tell */
};

/* ---- rungs --------------------------------------------------------------------------------------------------- */

static size_t halvings(size_t rows, size_t max)
{
    size_t n = 0;
    while (n < max && rows >> (n + 1) >= MIN_ROWS)
        n++;
    return n;
}

size_t tune_late(size_t rows) { return rows / 4; }

double tune_nmse(const tuning *t, const candidate *c, size_t from, size_t to)
{
    score all;
    double nmse = (double)INFINITY;
    if (!score_start(&all, t->rows->targets, 0))
        atomic_store(t->lacks_memory, true);
    else if (!c->runner.status && c->errors) {
        runner_score(t->rows, from, to, c->errors + from * t->rows->targets, &all);
        nmse = score_value(&all, "nmse");
    }
    score_free(&all);
    return isnan(nmse) ? (double)INFINITY : nmse;
}

/* Drops a candidate and frees its memory; its score stays. */
static void leave(candidate *c)
{
    c->out = true;
    runner_free(&c->runner);
    free(c->errors);
    c->errors = NULL;
}

static void advance(const tuning *t, candidate *c, size_t rows)
{
    size_t targets = t->rows->targets;
    if (c->rows == 0)
        runner_start(&c->runner, &c->spec, NULL);
    double *grown = realloc(c->errors, rows * targets * sizeof *grown);
    if (!grown)
        c->runner.status = OKRA_E_MEMORY;
    if (grown)
        c->errors = grown;
    if (c->runner.status != OKRA_E_MEMORY) {
        runner_go(&c->runner, t->rows, c->rows, rows, grown + c->rows * targets);
    }
    if (c->runner.status == OKRA_E_MEMORY)
        atomic_store(t->lacks_memory, true);
    c->rows = rows;
    c->late = tune_nmse(t, c, tune_late(rows), rows);
}

/* ---- a race -------------------------------------------------------------------------------------------------- */

typedef struct race {
    tuning *t;
    candidate **runners; /* candidates still in, the best first */
    size_t n;
    progress_bar *bar;
    uint64_t *done;
    double total; /* rows to go through, about */
} race;

/* Ties keep the order of creation. */
static int compare(const void *a, const void *b)
{
    const candidate *x = *(candidate *const *)a, *y = *(candidate *const *)b;
    int by_error = (x->late > y->late) - (x->late < y->late);
    return by_error ? by_error : (x > y) - (x < y);
}

static void note(race *r, size_t rows)
{
#pragma omp critical
    {
        *r->done += rows;
        if (omp_get_thread_num() == 0)
            progress_bar_show(r->bar, *r->done, (double)*r->done / r->total);
    }
}

static void run_rung(race *r, size_t rows)
{
#pragma omp parallel for schedule(dynamic) num_threads(r->t->threads > 0 ? r->t->threads : omp_get_max_threads())
    for (size_t i = 0; i < r->n; i++) {
        size_t before = r->runners[i]->rows;
        advance(r->t, r->runners[i], rows);
        note(r, rows - before);
    }
    qsort(r->runners, r->n, sizeof *r->runners, compare);
}

/* Drops the worse half and those with a refused row, but never a default. */
static void halve(race *r)
{
    size_t kept = 0, places = (r->n + 1) / 2;
    for (size_t i = 0; i < r->n; i++) {
        candidate *c = r->runners[i];
        if (c->is_default || (i < places && isfinite(c->late)))
            r->runners[kept++] = c;
        else
            leave(c);
    }
    r->n = kept;
}

static void run_race(race *r, size_t max_halvings)
{
    size_t rows = r->t->rows->rows.n;
    for (size_t left = halvings(rows, max_halvings); left > 0; left--) {
        run_rung(r, rows >> left);
        halve(r);
    }
    run_rung(r, rows);
}

/* ---- who runs ------------------------------------------------------------------------------------------------ */

static bool same_place(const candidate *a, const candidate *b)
{
    return a->space == b->space && !a->is_default && !b->is_default && memcmp(a->at, b->at, sizeof a->at) == 0;
}

/* The candidate at a place; NULL if it has not been tried. */
static const candidate *find_place(const tuning *t, const candidate *c)
{
    for (size_t i = 0; i < t->n; i++)
        if (same_place(&t->candidates[i], c))
            return &t->candidates[i];
    return NULL;
}

/* Adds a candidate that has not been tried, if the budget allows. */
static void enter(tuning *t, const candidate *c)
{
    if (t->n < t->budget && !find_place(t, c))
        t->candidates[t->n++] = *c;
}

static void enter_defaults(tuning *t)
{
    for (size_t k = 0; k < t->n_spaces; k++) {
        candidate c;
        tune_default(&t->spaces[k], &c);
        c.space = k;
        if (!t->spaces[k].found)
            t->candidates[t->n++] = c;
    }
}

/* Spaces take turns, those with found widths first. */
static void enter_starts(tuning *t)
{
    for (size_t i = 0; i <= 2 * TUNE_AXES; i++)
        for (size_t k = t->n_spaces; k-- > 0;) {
            candidate c;
            bool valid = tune_start(&t->spaces[k], i, &c);
            c.space = k;
            if (valid)
                enter(t, &c);
        }
}

/* Small grids may have too few places. */
static void enter_drawn(tuning *t, size_t until)
{
    size_t last = t->draws + 20 * until;
    for (; t->draws < last && t->n < until; t->draws++) {
        size_t k = t->draws % t->n_spaces;
        candidate c;
        bool valid = tune_draw(&t->spaces[k], (uint32_t)t->draws, &c);
        c.space = k;
        if (valid)
            enter(t, &c);
    }
}

/* On a short axis all steps are short. */
static int step_along(const tune_space *space, size_t axis, int stride)
{
    enum { SHORT = 4 };
    return axis < space->n_axes && space->axes[axis].n > SHORT ? stride : 1;
}

/* Steps up and down every axis. */
static void enter_neighbours(tuning *t, const candidate *of, int stride)
{
    const tune_space *space = &t->spaces[of->space];
    for (size_t axis = 0; axis < TUNE_AXES; axis++)
        for (int sign = -1; sign <= 1; sign += 2) {
            candidate c;
            if (tune_neighbour(space, of, axis, sign * step_along(space, axis, stride), &c))
                enter(t, &c);
        }
}

/* ---- the search ---------------------------------------------------------------------------------------------- */

/* The candidates from `first` on. */
static void race_from(tuning *t, size_t first, size_t max_halvings, race *r)
{
    r->n = 0;
    for (size_t i = first; i < t->n; i++)
        r->runners[r->n++] = &t->candidates[i];
    run_race(r, max_halvings);
}

/* The best candidate that ran on all rows; only of the defaults if `defaults`. */
static const candidate *find_best(const tuning *t, bool defaults)
{
    const candidate *best = NULL;
    for (size_t i = 0; i < t->n; i++) {
        const candidate *c = &t->candidates[i];
        if (!c->out && c->is_default == defaults && isfinite(c->late) && (!best || c->late < best->late))
            best = c;
    }
    return best;
}

/* How much less the error of a candidate is than that of another over the rows it has gone through: a share. */
static double gain(const tuning *t, const candidate *c, const candidate *over)
{
    double then = tune_nmse(t, over, tune_late(c->rows), c->rows);
    return isfinite(c->late) && then > 0 ? 1 - c->late / then : 0;
}

/* Along every axis on which a step has helped, that step. Two or more may help more than each. */
static void enter_combined(tuning *t, const candidate *of, int stride)
{
    const double worth = 0.002;
    const tune_space *space = &t->spaces[of->space];
    int steps[TUNE_AXES] = {0};
    size_t helped = 0;
    for (size_t axis = 0; axis < space->n_axes; axis++) {
        double most = worth;
        int step = step_along(space, axis, stride);
        for (int sign = -1; sign <= 1; sign += 2) {
            candidate c;
            const candidate *tried = tune_neighbour(space, of, axis, sign * step, &c) ? find_place(t, &c) : NULL;
            if (tried && gain(t, tried, of) > most) {
                most = gain(t, tried, of);
                steps[axis] = sign * step;
            }
        }
        helped += steps[axis] != 0;
    }
    candidate c;
    if (helped > 1 && tune_combine(space, of, steps, &c))
        enter(t, &c);
}

/* The neighbours of the best, and what they say together. */
static void look_around(tuning *t, race *r, const candidate *best, int stride)
{
    size_t first = t->n;
    enter_neighbours(t, best, stride);
    race_from(t, first, REFINING_HALVINGS, r);
    first = t->n;
    enter_combined(t, best, stride);
    race_from(t, first, 0, r);
}

/* From the best start: long steps, then short ones, for as long as they help. Then draws at random. */
static void refine(tuning *t, race *r)
{
    enum { LONG_STEP = 2 };
    int stride = LONG_STEP;
    for (size_t before = 0; t->n < t->budget && t->n != before;) {
        const candidate *best = find_best(t, false);
        before = t->n;
        if (best)
            look_around(t, r, best, stride);
        if (best != find_best(t, false))
            continue;
        if (best && stride > 1) {
            stride = 1, before = 0;
            continue;
        }
        size_t first = t->n;
        enter_drawn(t, t->n + (t->budget - t->n + 1) / 2);
        race_from(t, first, MAX_HALVINGS, r);
        stride = 1;
    }
}

/* The smallest in memory, and so the fastest, of those within a percent of the best. */
static const candidate *find_smallest(const tuning *t, const candidate *best)
{
    const double worth = 0.01;
    const candidate *smallest = best;
    for (size_t i = 0; best && i < t->n; i++) {
        const candidate *c = &t->candidates[i];
        if (!c->out && !c->is_default && c->late <= (1 + worth) * best->late &&
            okra_size(&c->spec) < okra_size(&smallest->spec))
            smallest = c;
    }
    return smallest;
}

/* The best on these rows looks better than it is, so a default wins unless clearly beaten. */
static int choose(tuning *t)
{
    const double margin = 0.02;
    const candidate *best = find_smallest(t, find_best(t, false));
    t->plain = find_best(t, true);
    if (atomic_load(t->lacks_memory)) /* an untried candidate might have won */
        return message_fail(EXIT_IO, "out of memory for the candidates: lower --rows or --threads");
    if (!best && !t->plain)
        return message_fail(EXIT_DIVERGED, "every candidate diverged, or no row could be scored: check the stream");
    t->winner = !t->plain || (best && best->late < (1 - margin) * t->plain->late) ? best : t->plain;
    return EXIT_DONE;
}

/* Rows of all rungs: each after the first has half as many candidates on twice as many rows. */
static double work(size_t candidates, size_t rows, size_t max_halvings)
{
    size_t rungs = halvings(rows, max_halvings);
    return (double)candidates * (double)rows * (1 + 0.5 * (double)rungs) / (double)(1 << rungs);
}

int tune_search(tuning *t)
{
    uint64_t done = 0;
    progress_bar bar = progress_bar_start(!t->quiet);
    size_t half = t->budget / 2, rows = t->rows->rows.n;
    double total = work(half, rows, MAX_HALVINGS) + work(t->budget - half, rows, REFINING_HALVINGS);
    race r = {.t = t, .bar = &bar, .done = &done, .total = total};
    t->candidates = calloc(t->budget + t->n_spaces, sizeof *t->candidates);
    r.runners = calloc(t->budget + t->n_spaces, sizeof *r.runners);
    if (!t->candidates || !r.runners) {
        free(r.runners);
        return message_fail(EXIT_IO, "out of memory for %zu candidates: lower --budget", t->budget);
    }
    enter_defaults(t);
    enter_starts(t);
    race_from(t, 0, STARTING_HALVINGS, &r);
    refine(t, &r);
    progress_bar_end(&bar);
    free(r.runners);
    return choose(t);
}

void tune_free(tuning *t)
{
    for (size_t i = 0; i < t->n; i++)
        leave(&t->candidates[i]);
    free(t->candidates);
    free(t->spaces);
    *t = (tuning){0};
}
