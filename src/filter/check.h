/* Whether a spec can be built: asked by the front doors of filters and maps. */
#ifndef OKRA_CHECK_H
#define OKRA_CHECK_H

#include <okra/spec.h>

#include "../core/compiler.h"

/* What a map needs of the spec, and that OKRA_ISA is usable; the reason in `why`, which may be NULL. */
okra_status okra_check_map(const okra_spec *spec, okra_message *why);

/* The recipe, the columns and the parameters of the stream around a filter: counts of which products and sums fit 64
 * bits. */
okra_status okra_check_stream(const okra_spec *spec, okra_message *why);

/* What a map and an algorithm need of it, of which the stream has been checked. */
okra_status okra_check_engine(const okra_spec *spec, okra_message *why);

/* Writes a line to `why` where there is one, and answers `status`. */
OKRA_FORMAT(3, 4) okra_status okra_refuse(okra_status status, okra_message *why, const char *format, ...);

/* .. of a number that is out of its parameter's range, or a choice that is none of it. */
okra_status okra_refuse_range(const okra_param *p, double number, okra_message *why);
okra_status okra_refuse_choice(const okra_spec *spec, const okra_param *p, okra_message *why);

/* Whether that number is in the parameter's range, and whether the value that the spec has is valid. */
okra_status okra_check_range(const okra_param *p, double number, okra_message *why);
okra_status okra_check_value(const okra_spec *spec, const okra_param *p, okra_message *why);

#endif
