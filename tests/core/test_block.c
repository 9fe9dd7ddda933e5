#include "check.h"

#include "core/block.h"

static void take_some(okra_block *block, void *pieces[3])
{
    pieces[0] = okra_block_take(block, 3, 1);
    pieces[1] = okra_block_take(block, 0, 8);
    pieces[2] = okra_block_take(block, 10, 8);
}

static void measuring_and_taking_agree(void **state)
{
    (void)state;
    void *pieces[3];
    okra_block block = okra_block_measure();
    take_some(&block, pieces);
    assert_null(pieces[0]);
    size_t bytes = okra_block_bytes(&block);
    assert_int_equal(bytes, 64 + 0 + 128);

    unsigned char *memory = okra_block_allocate(bytes);
    block = okra_block_at(memory);
    take_some(&block, pieces);
    assert_int_equal(okra_block_bytes(&block), bytes);
    assert_ptr_equal(pieces[0], memory);
    assert_ptr_equal(pieces[2], memory + 64);
    for (size_t i = 0; i < bytes; i++)
        assert_int_equal(memory[i], 0);
    free(memory);
}

static void overflow_is_caught(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{SIZE_MAX, 8}, {SIZE_MAX / 8, 8}, {SIZE_MAX / 2, 1}, {2, SIZE_MAX / 2 + 1}};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        unsigned char memory[1];
        okra_block block = okra_block_at(memory);
        assert_null(okra_block_take(&block, sizes[i][0], sizes[i][1]));
        assert_null(okra_block_take(&block, 1, 1)); /* and stays caught */
        assert_int_equal(okra_block_bytes(&block), 0);
    }
    /* many small pieces that add up */
    okra_block block = okra_block_measure();
    for (int i = 0; i < 5; i++)
        okra_block_take(&block, SIZE_MAX / 8, 1);
    assert_int_equal(okra_block_bytes(&block), 0);
}

/* Half the address space less an alignment is the most, in one piece or in several; not a byte more. */
static void the_limit_is_exact(void **state)
{
    (void)state;
    const size_t max = SIZE_MAX / 2 - OKRA_ALIGNMENT, before = 3 * OKRA_ALIGNMENT;
    for (size_t more = 0; more < 2; more++) {
        okra_block one = okra_block_measure(), two = okra_block_measure();
        okra_block_take(&one, 1, max + more);
        okra_block_take(&two, 1, before);
        okra_block_take(&two, 1, max - before + more);
        assert_int_equal(one.overflow, more);
        assert_int_equal(two.overflow, more);
        assert_int_equal(okra_block_bytes(&one) == 0, more);
    }
}

static void spare_stands_in_while_measuring(void **state)
{
    (void)state;
    int spare;
    okra_block block = okra_block_measure();
    assert_ptr_equal(okra_block_take_struct(&block, sizeof spare, &spare), &spare);
    _Alignas(OKRA_ALIGNMENT) unsigned char memory[64];
    block = okra_block_at(memory);
    assert_ptr_equal(okra_block_take_struct(&block, sizeof spare, &spare), memory);
}

static void alignment(void **state)
{
    (void)state;
    _Alignas(OKRA_ALIGNMENT) unsigned char memory[3 * OKRA_ALIGNMENT];
    for (size_t i = 0; i < OKRA_ALIGNMENT; i++) {
        unsigned char *aligned = okra_align(memory + i);
        assert_int_equal((uintptr_t)aligned % OKRA_ALIGNMENT, 0);
        assert_ptr_equal(aligned, memory + (i ? OKRA_ALIGNMENT : 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measuring_and_taking_agree),
        cmocka_unit_test(overflow_is_caught),
        cmocka_unit_test(the_limit_is_exact),
        cmocka_unit_test(spare_stands_in_while_measuring),
        cmocka_unit_test(alignment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
