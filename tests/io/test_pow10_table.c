/* The table of powers of ten, against arithmetic with numbers of any length. */
#include "check.h"

#include "io/pow10_table.h"

/* A natural number in words of 32 bits, the lowest first. 10^342 times 2^128 has 1265 bits. */
enum { WORDS = 48 };
typedef struct natural {
    uint32_t word[WORDS];
} natural;

static natural from_words(uint64_t hi, uint64_t lo)
{
    return (natural){{(uint32_t)lo, (uint32_t)(lo >> 32), (uint32_t)hi, (uint32_t)(hi >> 32)}};
}

static void multiply_by_power(natural *a, int n)
{
    for (; n > 0; n--) {
        uint64_t carry = 0;
        for (size_t i = 0; i < WORDS; i++) {
            carry += (uint64_t)a->word[i] * 10;
            a->word[i] = (uint32_t)carry;
            carry >>= 32;
        }
        assert_true(carry == 0);
    }
}

static bool bit(const natural *a, int i) { return i >= 0 && a->word[i / 32] >> i % 32 & 1; }

static int bit_length(const natural *a)
{
    int length = 32 * WORDS;
    while (length > 0 && !bit(a, length - 1))
        length--;
    return length;
}

static bool is_less(const natural *a, const natural *b)
{
    for (size_t i = WORDS; i-- > 0;)
        if (a->word[i] != b->word[i])
            return a->word[i] < b->word[i];
    return false;
}

/* 10^n is an integer: its highest 128 bits, and one more where there are others below them. */
static void check_positive(int n)
{
    natural ten = from_words(0, 1);
    multiply_by_power(&ten, n);
    int length = bit_length(&ten);
    uint64_t hi = 0, lo = 0;
    for (int i = 1; i <= 64; i++)
        hi = hi << 1 | bit(&ten, length - i), lo = lo << 1 | bit(&ten, length - 64 - i);
    bool more = false;
    for (int i = 0; i < length - 128; i++)
        more |= bit(&ten, i);
    lo += more;
    hi += more && lo == 0;
    assert_true(okra_power_of_ten(n)->hi == hi && okra_power_of_ten(n)->lo == lo);
    assert_true(okra_power_is_exact(n) == !more);
    assert_int_equal(okra_log2_of_power(n), length - 1);
}

/* g 10^m reaches a power of two that (g - 1) 10^m does not: what is left without its highest bit is less than 10^m. */
static void check_negative(int m)
{
    const okra_power *g = okra_power_of_ten(-m);
    natural ten = from_words(0, 1), product = from_words(g->hi, g->lo);
    multiply_by_power(&ten, m);
    multiply_by_power(&product, m);
    int top = bit_length(&product) - 1;
    product.word[top / 32] ^= 1u << top % 32;
    assert_true(g->hi >> 63);
    assert_true(is_less(&product, &ten));
    assert_false(okra_power_is_exact(-m));
    assert_int_equal(okra_log2_of_power(-m), -bit_length(&ten));
}

static void every_power_is_right(void **state)
{
    (void)state;
    for (int n = OKRA_POWER_MIN; n <= OKRA_POWER_MAX; n++)
        n < 0 ? check_negative(-n) : check_positive(n);
}

static void products_have_128_bits(void **state)
{
    (void)state;
    uint64_t low, max = UINT64_MAX;
    assert_true(okra_multiply_wide(max, max, &low) == max - 1 && low == 1);
    assert_true(okra_multiply_wide(UINT64_C(1) << 40, UINT64_C(3) << 40, &low) == 3 << 16 && low == 0);
    assert_true(okra_multiply_wide(0xffffffff, UINT64_C(0x100000001), &low) == 0 && low == max);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_power_is_right),
        cmocka_unit_test(products_have_128_bits),
    };
    return cmocka_run_group_tests_name("pow10_table", tests, NULL, NULL);
}
