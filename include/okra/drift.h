/*
 * Drift: has the error risen for good? The test takes the a-priori errors of a stream one by one, and reports when they
 * have become larger than usual: the data have changed, or the filter has gone wrong.
 *
 *     okra_drift drift;
 *     okra_drift_init(&drift);
 *     for (..)
 *         if (okra_drift_update(&drift, y - yhat))     // errors of one output, in any unit
 *             okra_restart(filter);              // or raise an alarm
 *
 * There is nothing to tune. The unit of the errors does not matter; their distribution and their correlation matter
 * little. A false alarm in a million rows is rare (src/stream/drift.c has figures). After some thousand rows have set
 * the usual level, a deviation that doubles is found in 100 to 200 rows, and one that grows tenfold in 20 to 40. A
 * falling error is not drift but learning: the lower level becomes the usual one.
 */
#ifndef OKRA_DRIFT_H
#define OKRA_DRIFT_H

#include <stdbool.h>
#include <stdint.h>

#include <okra/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The state of a test, in the caller's memory; it can be copied by assignment. Levels are means of log(error^2),
 * clipped so that no single row decides. All fields but the last three are internal; they are public so that they can
 * be saved.
 */
typedef struct okra_drift {
    uint64_t rows;          /* used to estimate the usual level */
    double level;           /* the usual level */
    uint64_t blocks;        /* blocks of rows used to estimate its fluctuation */
    double fluctuation;     /* sum over the blocks */
    uint64_t new_blocks;    /* blocks held back until the error is clearly as usual .. */
    double new_fluctuation; /* .. and their sum */
    uint64_t block_rows;    /* rows in the current block .. */
    double block;           /* .. and the sum over them */
    uint64_t since;         /* rows since the error began to look larger; 0: it does not */
    double since_level;     /* sum over them, not clipped */
    double excess;          /* how far they were above the usual level */
    double shortfall;       /* how far the last rows were below it */

    double before, after; /* geometric means of |error| before and after the last drift; 0 if there was none */
    uint64_t ago;         /* rows from its likely beginning to the row that revealed it, both included */
} okra_drift;

/* Initialises a test: no errors seen yet. */
OKRA_API void okra_drift_init(okra_drift *drift);

/*
 * Takes the next error. Returns true if the errors have risen: `before`, `after` and `ago` then describe the drift, and
 * the test starts again, so that one change is reported once. A NaN or infinite error is ignored.
 */
OKRA_API bool okra_drift_update(okra_drift *drift, double error);

#ifdef __cplusplus
}
#endif
#endif
