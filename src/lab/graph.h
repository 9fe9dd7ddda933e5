/* Shared by the files of the lab. */
#ifndef OKRA_GRAPH_INTERNAL_H
#define OKRA_GRAPH_INTERNAL_H

#include <okra/network.h>
#include <okra/okra.h>

/* Writes a message, unless `why` is NULL, and returns the status. */
__attribute__((format(printf, 3, 4))) okra_status lab_refuse(okra_message *why, okra_status status, const char *format,
                                                             ...);

/* The same with the text of okra_strerror(). */
okra_status lab_refuse_status(okra_message *why, okra_status status);

#endif
