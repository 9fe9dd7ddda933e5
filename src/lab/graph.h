/* What files of the lab share. */
#ifndef OKRA_GRAPH_INTERNAL_H
#define OKRA_GRAPH_INTERNAL_H

#include <okra/network.h>
#include <okra/okra.h>

/* Writes a message, unless nobody wants it, and answers the status. */
__attribute__((format(printf, 3, 4))) okra_status lab_refuse(okra_message *why, okra_status status, const char *format,
                                                             ...);

/* The same in the library's own words. */
okra_status lab_refuse_status(okra_message *why, okra_status status);

#endif
