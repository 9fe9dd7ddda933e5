/* The version of this header; okra_version() is that of the library linked. */
#ifndef OKRA_VERSION_H
#define OKRA_VERSION_H

#define OKRA_VERSION_MAJOR 0
#define OKRA_VERSION_MINOR 1
#define OKRA_VERSION_PATCH 0
#define OKRA_VERSION       "0.1.0"

#endif
