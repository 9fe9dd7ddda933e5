/* Replaces isa.c if the scalar body is the only one, as in the single file: there is nothing to detect or choose, so it
 * needs neither an environment nor atomics. */
#include "isa.h"

#include <stddef.h>

#include <okra/okra.h>

const char *okra_isa_name(okra_isa_id isa) { return isa == OKRA_ISA_scalar ? "scalar" : NULL; }

bool okra_isa_usable(okra_isa_id isa) { return isa == OKRA_ISA_scalar; }

okra_isa_id okra_isa_chosen(void) { return OKRA_ISA_scalar; }

const char *okra_isa(void) { return okra_isa_name(OKRA_ISA_scalar); }
