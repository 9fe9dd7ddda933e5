/* The instruction sets, and the one in use: the last usable one. CONTRIBUTING.md says how to add one. */
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

/* The best usable one, or the one that OKRA_ISA names; OKRA_ISA_NONE if that one is not usable. Decided once. */
okra_isa_id okra_isa_chosen(void);

#endif
