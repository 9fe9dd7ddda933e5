/* Internals of the theory, for tests. */
#ifndef OKRA_THEORY_H
#define OKRA_THEORY_H

#include <okra/lab.h>

/* Entry (i, j) of R in closed form. */
double okra_theory_entry(const okra_theory *theory, size_t i, size_t j);

#endif
