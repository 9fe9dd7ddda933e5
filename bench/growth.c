/*
 * Section growth: how the time per sample grows with the number of inputs, at equal error. Example 2 in d dimensions;
 * width and quantisation grow so that d = 5 is the paper's: sigma = 5 sqrt(d / 5), epsilon = d.
 */
#include "growth.h"

#include <math.h>

#include "equal_error.h"
#include "race.h"
#include "sections.h"

enum { MAX_MAPS = 32, MAX_FEATURES = 3000, SAMPLES = 15000, RUNS = 40 };

static task make_task(const bench *b, size_t d)
{
    task s = {.inputs = d, .samples = b->quick ? 1000 : SAMPLES, .runs = b->quick ? 4 : RUNS};
    s.sigma = 5 * sqrt((double)d / 5), s.mu = 1, s.epsilon = (double)d, s.stride = 6;
    bench_check(okra_signal_spec_init(&s.signal, "ex2"));
    bench_check(okra_signal_spec_set(&s.signal, "dim", (double)d, NULL));
    return s;
}

/* Every map that gets to the floor with at most four features for a centre: with more it would not be the faster one.
 */
static size_t find_maps(const bench *b, const task *s, const setup *qklms, setup *maps)
{
    size_t n = 0, max = (size_t)fmin(MAX_FEATURES, fmax(64, 4 * qklms->centres));
    const char *name;
    for (size_t i = 0; (name = bench_map_at(i)) && n < MAX_MAPS; i++)
        n += equal_error_smallest(b, s, name, qklms->floor, max, &maps[n]);
    bench_progress(b, NULL);
    return n;
}

/* QKLMS first, then the maps; one stream is enough if none of them is short. */
static race race_all(const bench *b, const task *s, const setup *qklms, const setup *maps, size_t n)
{
    replay replays[MAX_MAPS + 1];
    runner c[MAX_MAPS + 1];
    for (size_t i = 0; i <= n; i++) {
        replays[i] = replay_make(s, i == 0 ? qklms : &maps[i - 1], 1);
        replay_afresh(&replays[i]);
        c[i] = (runner){.work = replay_steadily, .context = &replays[i], .samples = replay_samples(&replays[i])};
    }
    race r = race_run(c, n + 1, bench_rounds(b, 21));
    for (size_t i = 0; i <= n; i++)
        replay_free(&replays[i]);
    return r;
}

static size_t fastest(const race *r, size_t n)
{
    size_t best = 1;
    for (size_t i = 2; i <= n; i++)
        if (race_ratio(r, 0, i).median > race_ratio(r, 0, best).median)
            best = i;
    return best;
}

static void report_point(bench *b, const task *s, const setup *qklms, const setup *map, const race *r, size_t who)
{
    report_count(&b->report, "d", s->inputs);
    report_real(&b->report, "M", qklms->centres);
    report_real(&b->report, "qklms_floor_db", 10 * log10(qklms->floor));
    report_real(&b->report, "qklms_ns", race_best(r, 0));
    report_text(&b->report, "map", 18, map ? map->name : "none");
    report_count(&b->report, "D", map ? map->features : 0);
    report_real(&b->report, "floor_db", map ? 10 * log10(map->floor) : NAN);
    report_real(&b->report, "ns", map ? race_best(r, who) : NAN);
    report_spread(&b->report, "qklms_over_map", map ? race_ratio(r, 0, who) : (spread){NAN, NAN, NAN});
    report_row(&b->report);
}

static growth_point measure(bench *b, size_t d)
{
    setup maps[MAX_MAPS];
    task s = make_task(b, d);
    bench_progress(b, "d = %zu: qklms", d);
    setup qklms = equal_error_qklms(&s);
    size_t n = find_maps(b, &s, &qklms, maps);
    race r = race_all(b, &s, &qklms, maps, n);
    size_t who = n ? fastest(&r, n) : 0;
    const setup *best = n ? &maps[who - 1] : NULL;
    report_point(b, &s, &qklms, best, &r, who);
    growth_point point = {.inputs = d, .qklms_ns = race_best(&r, 0), .centres = qklms.centres};
    if (best)
        point.map = best->name, point.features = best->features, point.map_ns = race_best(&r, who);
    race_free(&r);
    return point;
}

void growth_section(bench *b)
{
    static const size_t inputs[] = {2, 3, 5, 8, 12, 16, 20};
    growth_point points[sizeof inputs / sizeof *inputs];
    size_t n = b->quick ? 3 : sizeof inputs / sizeof *inputs;
    report_table(
        &b->report, NULL,
        "growth: Example 2 with d inputs, sigma = 5 sqrt(d/5), epsilon = d: QKLMS, and the map that is fastest "
        "at its smallest D with no higher floor");
    for (size_t i = 0; i < n; i++)
        points[i] = measure(b, inputs[i]);
    growth_draw(b, points, n);
}
