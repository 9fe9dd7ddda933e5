/* What tests of readers expect of their rows. */
#ifndef OKRA_TESTS_ROWS_H
#define OKRA_TESTS_ROWS_H

#include <math.h>

#include <okra/io.h>

/* The next row must be there, and hold these numbers; NaN stands for a missing one. */
void expect_row(okra_table *reader, const double *wanted);

#define ROW(...) ((const double[]){__VA_ARGS__})
#define GAP      ((double)NAN)

/* There must be no more rows; closes the reader. */
void expect_end(okra_table *reader);

#endif
