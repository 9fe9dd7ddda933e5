/*
 * Sequences of random numbers from Philox: the seed is the key; the counter is (index, stream, run), index 64 bits
 * wide.
 *
 * Uniform k comes from half (k mod 2) of counter k/2. Normals come 8 to a group of 4 counters (Box and Muller, see
 * body_normal.h): normal k is number k mod 8 of group k/8. So a value depends on its index alone, not on the sizes of
 * the calls.
 */
#define OKRA_PRECISION 64 /* numbers are made in double for both precisions */

#include <okra/random.h>
#include <string.h>

#include "../core/philox.h"
#include "isa.h"
#include "vec.h"

enum { GROUP_NORMALS = 8 };

void okra_philox(const uint32_t key[2], const uint32_t counter[4], uint32_t out[4]) { philox4x32(key, counter, out); }

static void split_seed(uint64_t seed, uint32_t key[2])
{
    key[0] = (uint32_t)seed;
    key[1] = (uint32_t)(seed >> 32);
}

void okra_random_uniform(okra_random *random, size_t n, double *out)
{
    uint32_t key[2], words[4];
    split_seed(random->seed, key);
    for (size_t i = 0; i < n; i++) {
        uint64_t k = random->next++, index = k / 2;
        if (i == 0 || k % 2 == 0)
            philox4x32(key, (uint32_t[4]){(uint32_t)index, (uint32_t)(index >> 32), random->stream, random->run},
                       words);
        uint64_t bits = k % 2 ? (uint64_t)words[3] << 32 | words[2] : (uint64_t)words[1] << 32 | words[0];
        out[i] = ((double)(bits >> 12) + 0.5) * 0x1p-52;
    }
}

void okra_random_normal(okra_random *random, size_t n, double *out)
{
    /* A bad OKRA_ISA is reported when objects are made; random numbers work nevertheless. */
    okra_isa_id isa = okra_isa_chosen();
    const vec_table *vec = vec_of(isa == OKRA_ISA_NONE ? OKRA_ISA_scalar : isa);
    uint32_t key[2];
    split_seed(random->seed, key);
    while (n > 0) {
        uint64_t group = random->next / GROUP_NORMALS;
        size_t skip = (size_t)(random->next % GROUP_NORMALS), count;
        if (skip == 0 && n >= GROUP_NORMALS) {
            count = n / GROUP_NORMALS * GROUP_NORMALS;
            vec->normals(key, random->stream, random->run, group, count / GROUP_NORMALS, out);
        } else {
            double part[GROUP_NORMALS];
            count = GROUP_NORMALS - skip < n ? GROUP_NORMALS - skip : n;
            vec->normals(key, random->stream, random->run, group, 1, part);
            memcpy(out, part + skip, count * sizeof *out);
        }
        random->next += count;
        out += count;
        n -= count;
    }
}
