/* Status texts, from the same list as the enum. */
#include <okra/okra.h>

const char *okra_strerror(okra_status status)
{
    switch (status) {
#define OKRA_STATUS_CASE(name, value, text) \
    case name:                              \
        return text;
        OKRA_STATUS_LIST(OKRA_STATUS_CASE)
#undef OKRA_STATUS_CASE
    }
    return "unknown status";
}

const char *okra_version(void) { return OKRA_VERSION; }
