/* The most memory that was allocated at once, in a program that is linked with OKRA_PEAK_WRAPS (tests/CMakeLists.txt).
 */
#ifndef OKRA_TESTS_PEAK_H
#define OKRA_TESTS_PEAK_H

#include <stddef.h>

/* From now on. */
void peak_start(void);

/* Bytes since then, above what there was then; a block that is made larger counts twice while it may be copied. */
size_t peak_bytes(void);

#endif
