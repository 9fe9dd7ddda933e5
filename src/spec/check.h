/* Whether the values of a spec are in range, and how to refuse them: for the checks of maps, filters and streams. */
#ifndef OKRA_CHECK_H
#define OKRA_CHECK_H

#include <okra/spec.h>

#include "../core/compiler.h"

/* Whether the recipe is one, and its parameters of those scopes, bits 1 << OKRA_SCOPE_.., have values in range; the
 * reason in `why`, which may be NULL. */
okra_status okra_check_values(const okra_spec *spec, int scopes, okra_message *why);

/* Whether so many columns can be counted with: products and sums of a few such numbers fit 64 bits. */
okra_status okra_check_columns(const char *name, size_t n, size_t low, okra_message *why);

/* Writes a line to `why` where there is one, and answers `status`. */
OKRA_FORMAT(3, 4) okra_status okra_refuse(okra_status status, okra_message *why, const char *format, ...);

/* .. of a number that is out of its parameter's range, or a choice that is none of it. */
okra_status okra_refuse_range(const okra_param *p, double number, okra_message *why);
okra_status okra_refuse_choice(const okra_spec *spec, const okra_param *p, okra_message *why);

/* Whether that number is in the parameter's range, and whether the value that the spec has is valid. */
okra_status okra_check_range(const okra_param *p, double number, okra_message *why);
okra_status okra_check_value(const okra_spec *spec, const okra_param *p, okra_message *why);

#endif
