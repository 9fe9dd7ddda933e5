#include "isa.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <okra/okra.h>

const char *okra_isa_name(okra_isa_id isa)
{
#define ISA(name, usable) #name,
    static const char *const names[] = {
#include "isa_list.h"
    };
#undef ISA
    return isa == OKRA_ISA_NONE ? NULL : names[isa];
}

bool okra_isa_usable(okra_isa_id isa)
{
    switch (isa) {
#define ISA(name, usable) \
    case OKRA_ISA_##name: \
        return usable;
#include "isa_list.h"
#undef ISA
    default:
        return false;
    }
}

static okra_isa_id choose(void)
{
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment */
    const char *wanted = getenv("OKRA_ISA");
    bool forced = wanted && *wanted;
    for (int isa = OKRA_ISA_COUNT - 1; isa >= 0; isa--)
        if (okra_isa_usable((okra_isa_id)isa) && (!forced || strcmp(wanted, okra_isa_name((okra_isa_id)isa)) == 0))
            return (okra_isa_id)isa;
    return OKRA_ISA_NONE;
}

okra_isa_id okra_isa_chosen(void)
{
    /* Two threads may both choose; they choose the same. 0 is "not yet". */
    static atomic_int chosen;
    int isa = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (isa == 0) {
        isa = (int)choose() + 2;
        atomic_store_explicit(&chosen, isa, memory_order_relaxed);
    }
    return (okra_isa_id)(isa - 2);
}

const char *okra_isa(void) { return okra_isa_name(okra_isa_chosen()); }
