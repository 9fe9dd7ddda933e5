/* Which instruction sets there are, and which one runs: the last that is usable. CONTRIBUTING.md says what a further
 * one needs. */
#ifndef OKRA_ISA_H
#define OKRA_ISA_H

#include <stdbool.h>

typedef enum okra_isa_id {
    OKRA_ISA_NONE = -1,
#define ISA(name, usable) OKRA_ISA_##name,
#include "isa_list.h"
#undef ISA
    OKRA_ISA_COUNT
} okra_isa_id;

const char *okra_isa_name(okra_isa_id isa);

/* Whether this machine and its operating system can run it. */
bool okra_isa_usable(okra_isa_id isa);

/* The best usable one, or the one that OKRA_ISA asks for; OKRA_ISA_NONE where that one is not usable. Decided once. */
okra_isa_id okra_isa_chosen(void);

#endif
