/*
 * The ensemble behind the recipe `auto`: its members, and how they are fitted again to a window of past samples.
 *
 * ensemble.c predicts, learns and weighs. ensemble_fit.c decides when a member is fitted again, and does it in parts.
 */
#ifndef OKRA_ENSEMBLE_H
#define OKRA_ENSEMBLE_H

#include "member.h"
#include "sample_ring.h"
#include "width_search.h"

/* Members: linear ones, ones with equal widths, two that track a system that changes, and two slots for widths that
 * were found. The first is plain linear RLS, the baseline. */
enum { PLAIN, LINEAR, HALF, EQUAL, DOUBLE, STIFF, TRACK_HALF, TRACK, SLOT_A, SLOT_B, MEMBERS };
enum { KIND_LINEAR, KIND_EQUAL, KIND_TRACK, KIND_SLOT, KINDS };

/* What a member is. */
typedef struct member_plan {
    int kind;
    double width;  /* of its features, in units of the typical distance; 0: one for each input, found */
    double lambda; /* of the features; 0: found */
    double beta;   /* 0: the recipe's */
    bool tracks;   /* forgets back to the prior */
} member_plan;

#define member_plans OKRA_TYPED(member_plans)
#define member_pairs OKRA_TYPED(member_pairs)

extern const member_plan member_plans[MEMBERS];

/* Pairs of features of a kind. */
size_t member_pairs(const okra_spec *spec, int kind);

/* Counters of the fit: what is due, and where it is. Part of the state. */
typedef struct fit_state {
    uint64_t live;     /* a bit for each member that predicts */
    uint64_t due;      /* .. that is to be fitted again */
    uint64_t batch;    /* .. that is fitted with the current scale */
    uint64_t stage;    /* FIT_.. */
    uint64_t role;     /* the member being fitted */
    uint64_t searched; /* whether widths were searched for this batch */
    uint64_t at;       /* the next column, pivot or row */
    uint64_t first;    /* the first sample of the fit, .. */
    uint64_t next;     /* .. and the next one */
    uint64_t since;    /* samples before this one are of another system */
    uint64_t refresh;  /* the sample at which widths are searched again */
    uint64_t race;     /* the sample at which the worse slot goes to sleep */
    uint64_t left; /* the sample at which the data was noticed to have left its scale, until it is fitted again; or 0 */
    uint64_t ahead;    /* the last sample at which the better slot was far ahead of those that track; or 0 */
    uint64_t restarts; /* how often the data has left its scale, or the system has changed */
} fit_state;

enum { FIT_IDLE, FIT_SCALE, FIT_NEXT, FIT_SEARCH, FIT_ROWS, FIT_FACTOR, FIT_INVERT, FIT_START, FIT_CATCH_UP };

/* The parts that are too large for a state struct. */
#define ensemble_parts OKRA_TYPED(ensemble_parts)
typedef struct ensemble_parts {
    feature_map base; /* orthogonal frequencies at width 1 */
    member member[MEMBERS];
    loss_state errors; /* of all members */
    sample_ring ring;
    member_features fit[KINDS]; /* of the member being fitted; the scale is that of KIND_LINEAR */
    width_search search;
    matrix_space space;
    fit_state state;
    bool loaded;  /* the state was written from outside, and the fit is not looked at yet */
    real *column; /* [SEARCH_ROWS] */
    real *watch;  /* [inputs + outputs]: recent mean size of a column, in deviations of the members with equal widths */
    real *found;  /* [inputs + 1]: widths and lambda that were found last */
} ensemble_parts;

#define ensemble OKRA_TYPED(ensemble)
struct ensemble {
    const vec_table *vec;
    const okra_spec *spec;
    size_t inputs, outputs;
    size_t width;   /* of the longest z */
    size_t scratch; /* of the largest member */
    ensemble_parts *parts;
    loss_state *mixture; /* of the mean: weights the errors of members */
    size_t delay;
    real *pending;        /* [delay][MEMBERS][outputs]: members' predictions of rows with pending labels .. */
    real *pending_before; /* [MEMBERS][outputs]: .. and those that the last of them replaced */
    real *loss;           /* [MEMBERS] */
    real *level;          /* [outputs + 1] */
    real *trial;          /* [MEMBERS][TRIAL_NUMBERS] */
    real *quiet;          /* [MEMBERS]: samples for which a member's weight has been next to nothing */
    real *range;          /* [outputs][2]: the smallest and the largest target, after clipping */
    real *work;           /* scratch of a step; predict has its own */
};

#define fit_lay_out          OKRA_TYPED(fit_lay_out)
#define fit_reset            OKRA_TYPED(fit_reset)
#define fit_work             OKRA_TYPED(fit_work)
#define fit_watch            OKRA_TYPED(fit_watch)
#define fit_compare          OKRA_TYPED(fit_compare)
#define fit_champion         OKRA_TYPED(fit_champion)
#define fit_counter          OKRA_TYPED(fit_counter)
#define fit_array            OKRA_TYPED(fit_array)
#define fit_after_load       OKRA_TYPED(fit_after_load)
#define ensemble_begin_trial OKRA_TYPED(ensemble_begin_trial)

void fit_lay_out(struct ensemble *c, const filter_shape *shape, okra_block *block);
void fit_reset(struct ensemble *c);

/* After a sample was learnt and added to the ring: does the work that falls to it. */
void fit_work(struct ensemble *c);

/* Before that: looks whether the sample is still on the scale of the members. */
void fit_watch(struct ensemble *c, const real *x, const real *y);

/* .. and whether the system has changed. Losses are at most `far` apart. */
void fit_compare(struct ensemble *c, real far);

/* The slot with the smaller loss, if both are live. */
size_t fit_champion(const struct ensemble *c);

/* The state of the fit and the ring: counter i, NULL past the last, array i, false past the last. Files may hold
 * anything: what makes no sense is dropped. */
uint64_t *fit_counter(struct ensemble *c, size_t i, const char **name, uint64_t *max);
bool fit_array(const struct ensemble *c, size_t i, array_view *view);
void fit_after_load(struct ensemble *c);

/* A member has a new fit: it is heard once it has shown how good it is. */
void ensemble_begin_trial(struct ensemble *c, size_t k);

static inline bool member_is_live(const struct ensemble *c, size_t k) { return c->parts->state.live >> k & 1; }

/* Whether a member is learning the samples that came while it was fitted. */
static inline bool member_catches_up(const struct ensemble *c, size_t k)
{
    return c->parts->state.stage == FIT_CATCH_UP && c->parts->state.role == k;
}

#endif
