/*
 * Drift: has the error risen for good? A test that is given the a-priori errors of a stream, one after the other, and
 * says when they have become larger than they used to be: the world has changed, or the filter has come to harm.
 *
 *     okra_drift drift;
 *     okra_drift_init(&drift);
 *     for (..)
 *         if (okra_drift_update(&drift, y - yhat))     // errors of one output, in any unit
 *             okra_restart(filter);              // or tell somebody
 *
 * Nothing is to be tuned. The unit of the errors does not matter, nor much their distribution, nor whether neighbours
 * are alike: the test measures what it needs. A false alarm in a million rows is rare (src/stream/drift.c has figures),
 * a deviation that doubles is found after 100 to 200 rows, one that grows tenfold after 20 to 40, once some thousand
 * rows have shown what is usual. An error that falls is no drift: it is what learning looks like, and the test takes
 * the lower level for the new usual one.
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
 * The state of a test: the caller's memory, a plain copy of which is a twin. Levels are means of log(error^2), clipped
 * so that no single row decides. All fields but the last three are the test's own; they are here to be saved.
 */
typedef struct okra_drift {
    uint64_t rows;          /* that the usual level was estimated from                     */
    double level;           /* the usual one                                               */
    uint64_t blocks;        /* of rows, that its fluctuation was estimated from            */
    double fluctuation;     /* sum over the blocks                                         */
    uint64_t new_blocks;    /* blocks that wait until the error is clearly as usual ..     */
    double new_fluctuation; /* .. and their sum                                            */
    uint64_t block_rows;    /* of the block under way ..                                   */
    double block;           /* .. and the sum over them                                    */
    uint64_t since;         /* rows since the error began to look larger; 0: it does not   */
    double since_level;     /* sum over them, not clipped                                  */
    double excess;          /* how far they were above the usual level                     */
    double shortfall;       /* how far the last rows were below it                         */

    double before, after; /* geometric means of |error| before the last drift and after it; 0 where there was none */
    uint64_t ago;         /* rows from its likely beginning to the one that showed it, both included */
} okra_drift;

/* The state of a test that has seen nothing. */
OKRA_API void okra_drift_init(okra_drift *drift);

/*
 * The next error. True where the errors have risen: `before`, `after` and `ago` then tell of it, and the test begins
 * anew with the rows to come, so that one change is told once. An error that is NaN or infinite is passed over.
 */
OKRA_API bool okra_drift_update(okra_drift *drift, double error);

#ifdef __cplusplus
}
#endif
#endif
