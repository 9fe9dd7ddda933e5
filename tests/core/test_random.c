#include "check.h"

#include <Random123/philox.h>
#include <sys/wait.h>
#include <unistd.h>

#include "every_isa.h"

/* The known answers that Random123 publishes for philox4x32, 10 rounds. */
static void known_answers(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], answer[4];
    } rows[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint32_t out[4];
        okra_philox(rows[i].key, rows[i].counter, out);
        assert_memory_equal(out, rows[i].answer, sizeof out);
    }
}

static void equals_random123(void **state)
{
    (void)state;
    uint32_t counter[4] = {1, 2, 3, 4}, key[2] = {5, 6}, out[4];
    for (int i = 0; i < 10000; i++) {
        philox4x32_ctr_t c = {{counter[0], counter[1], counter[2], counter[3]}};
        philox4x32_key_t k = {{key[0], key[1]}};
        philox4x32_ctr_t wanted = philox4x32_R(10, c, k);
        okra_philox(key, counter, out);
        assert_memory_equal(out, wanted.v, sizeof out);
        memcpy(counter, out, sizeof counter); /* the next counter and key are as good as any */
        key[0] ^= out[1], key[1] += out[2];
    }
}

/* Value k is a function of (seed, run, stream, k), however the calls are cut. */
static void cutting_changes_nothing(void **state)
{
    (void)state;
    enum { N = 200 };
    void (*const fills[])(okra_random *, size_t, double *) = {okra_random_uniform, okra_random_normal};
    for (size_t f = 0; f < COUNT_OF(fills); f++) {
        double whole[N], part[N];
        okra_random random = {.seed = 7, .run = 3, .stream = 9};
        fills[f](&random, N, whole);
        assert_int_equal(random.next, N);
        for (size_t size = 1; size < 40; size++) {
            random.next = 0;
            for (size_t i = 0; i < N; i += size)
                fills[f](&random, size < N - i ? size : N - i, part + i);
            assert_memory_equal(part, whole, sizeof whole);
        }
    }
}

static void keys_separate_sequences(void **state)
{
    (void)state;
    const okra_random places[] = {{1, 0, 0, 0}, {2, 0, 0, 0},          {1, 1, 0, 0},
                                  {1, 0, 1, 0}, {1, 0, 0, 1ull << 40}, {1ull << 32, 0, 0, 0}};
    double first[COUNT_OF(places)];
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        okra_random random = places[i];
        okra_random_normal(&random, 1, &first[i]);
        for (size_t j = 0; j < i; j++)
            assert_true(first[i] != first[j]);
    }
}

static void uniform_is_inside_and_even(void **state)
{
    (void)state;
    enum { N = 1 << 18, CELLS = 64 };
    double *u = malloc(N * sizeof *u);
    int count[CELLS] = {0};
    okra_random random = {.seed = 11};
    okra_random_uniform(&random, N, u);
    for (int i = 0; i < N; i++) {
        assert_true(u[i] > 0 && u[i] < 1);
        count[(int)(u[i] * CELLS)]++;
    }
    double chi2 = 0, expected = (double)N / CELLS;
    for (int c = 0; c < CELLS; c++)
        chi2 += (count[c] - expected) * (count[c] - expected) / expected;
    assert_near(chi2, CELLS - 1, 5 * sqrt(2.0 * (CELLS - 1))); /* mean k - 1, variance 2 (k - 1) */
    free(u);
}

/* Box and Muller in long double from the same bits, by every instruction set. */
static void normals_match_libm(void **state)
{
    (void)state;
    enum { GROUPS = 2000 };
    static double out[GROUPS * 8];
    const uint32_t key[2] = {123, 456}, stream = 2, run = 5;
    for (int isa = 0; isa <= OKRA_ISA_COUNT; isa++) { /* the last one: long vectors, see wide.c */
        if (isa < OKRA_ISA_COUNT && !okra_isa_usable((okra_isa_id)isa))
            continue;
        const vec_table *vec = isa < OKRA_ISA_COUNT ? vec_of(isa) : &OKRA_TYPED(vec_wide);
        vec->normals(key, stream, run, 77, GROUPS, out);
        for (int i = 0; i < GROUPS * 4; i++) {
            uint32_t words[4], counter[4] = {77 * 4 + (uint32_t)i, 0, stream, run};
            okra_philox(key, counter, words);
            long double u = ((long double)(((uint64_t)words[1] << 32 | words[0]) >> 12) + 0.5L) * 0x1p-52L;
            long double v = ((long double)(((uint64_t)words[3] << 32 | words[2]) >> 12) + 0.5L) * 0x1p-52L;
            long double radius = sqrtl(-2 * logl(u)), angle = 2 * acosl(-1.0L) * v;
            /* A few roundings of the radius, the cosine to 4e-16; near u = 1 the logarithm's absolute error is 2^-53.
             */
            long double bound = 1e-15L * (radius + 1) + 3e-16L / (radius + 1e-300L);
            const double *pair = out + i / 4 * 8 + i % 4;
            assert_near(pair[0], radius * cosl(angle), bound);
            assert_near(pair[4], radius * sinl(angle), bound);
        }
    }
}

/* Moments against their standard errors, and the tail: P(|z| > 3) = 0.0026998. */
static void normals_are_normal(void **state)
{
    (void)state;
    enum { N = 1 << 20 };
    double *z = malloc(N * sizeof *z), sum[5] = {0}, tail = 0, lag = 0;
    okra_random random = {.seed = 3};
    okra_random_normal(&random, N, z);
    for (int i = 0; i < N; i++) {
        double p = 1;
        for (int k = 0; k < 5; k++, p *= z[i])
            sum[k] += p;
        tail += fabs(z[i]) > 3;
        lag += i ? z[i] * z[i - 1] : 0;
    }
    double n = N;
    assert_near(sum[1] / n, 0, 5 / sqrt(n));
    assert_near(sum[2] / n, 1, 5 * sqrt(2 / n));
    assert_near(sum[3] / n, 0, 5 * sqrt(15 / n));
    assert_near(sum[4] / n, 3, 5 * sqrt(96 / n));
    assert_near(lag / n, 0, 5 / sqrt(n));
    assert_near(tail / n, 0.0026998, 5 * sqrt(0.0026998 / n));
    free(z);
}

/* Where OKRA_ISA names no instruction set objects are refused, but numbers are had all the same: those of any other,
 * but for rounding. In a process of its own, as the choice is made once; so this goes first. */
static void a_bad_isa_still_has_numbers(void **state)
{
    (void)state;
    enum { N = 100 };
    double got[N], wanted[N];
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        setenv("OKRA_ISA", "none such", 1);
        okra_random_normal(&(okra_random){.seed = 3}, N, got);
        _exit(okra_isa() == NULL && write(ends[1], got, sizeof got) == sizeof got ? 0 : 1);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(read(ends[0], got, sizeof got), sizeof got);
    close(ends[0]), close(ends[1]);
    okra_random_normal(&(okra_random){.seed = 3}, N, wanted);
    for (size_t i = 0; i < N; i++)
        assert_near(got[i], wanted[i], 1e-14); /* of numbers up to 4, a few units of their last place */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bad_isa_still_has_numbers),
        cmocka_unit_test(known_answers),
        cmocka_unit_test(equals_random123),
        cmocka_unit_test(cutting_changes_nothing),
        cmocka_unit_test(keys_separate_sequences),
        cmocka_unit_test(uniform_is_inside_and_even),
        cmocka_unit_test(normals_match_libm),
        cmocka_unit_test(normals_are_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
