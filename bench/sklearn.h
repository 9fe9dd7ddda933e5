/* The baseline from scikit-learn, if Python has it. */
#ifndef OKRA_BENCH_SKLEARN_H
#define OKRA_BENCH_SKLEARN_H

#include <stddef.h>

#include "child.h"

/* Starts sklearn_rff.py, which lies beside the program; a round is so many rows. False if it cannot run. */
bool sklearn_start(child *c, size_t inputs, size_t features, size_t rows);

#endif
