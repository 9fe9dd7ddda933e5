/* Range checks of a spec, and error messages, for the checks of maps, filters and streams. */
#ifndef OKRA_CHECK_H
#define OKRA_CHECK_H

#include <okra/spec.h>

#include "../core/compiler.h"

/* Checks that the recipe exists and that its parameters of `scopes`, bits 1 << OKRA_SCOPE_.., are in range. The reason
 * in `why` (may be NULL). */
okra_status okra_check_values(const okra_spec *spec, int scopes, okra_message *why);

/* Checks the number of columns: products and sums of a few such numbers must fit 64 bits. */
okra_status okra_check_columns(const char *name, size_t n, size_t low, okra_message *why);

/* Writes a line to `why` (may be NULL) and returns `status`. */
OKRA_FORMAT(3, 4) okra_status okra_refuse(okra_status status, okra_message *why, const char *format, ...);

/* The same for a number outside its parameter's range, and for an invalid choice. */
okra_status okra_refuse_range(const okra_param *p, double number, okra_message *why);
okra_status okra_refuse_choice(const okra_spec *spec, const okra_param *p, okra_message *why);

/* Check that a number is in the parameter's range, and that the parameter's value in the spec is valid. */
okra_status okra_check_range(const okra_param *p, double number, okra_message *why);
okra_status okra_check_value(const okra_spec *spec, const okra_param *p, okra_message *why);

#endif
