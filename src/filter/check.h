/* Whether a spec can be built: asked by the front doors of filters and maps. */
#ifndef OKRA_CHECK_H
#define OKRA_CHECK_H

#include <okra/spec.h>

/* What a map needs of the spec, and that OKRA_ISA is usable; the reason in `why`, which may be NULL. */
okra_status okra_check_map(const okra_spec *spec, okra_message *why);

/* Writes a line to `why` where there is one, and answers `status`. */
__attribute__((format(printf, 3, 4))) okra_status okra_refuse(okra_status status, okra_message *why, const char *format,
                                                              ...);

#endif
