#include "check.h"

/* Released values never change: programs have them compiled in. */
static void values_are_pinned(void **state)
{
    (void)state;
    assert_int_equal(OKRA_OK, 0);
    assert_int_equal(OKRA_E_NULL, 1);
    assert_int_equal(OKRA_E_PARAMETER, 5);
    assert_int_equal(OKRA_E_DIVERGED, 9);
    assert_int_equal(OKRA_E_WRITE, 16);
}

static void every_status_has_a_text(void **state)
{
    (void)state;
    for (int i = OKRA_OK; i <= OKRA_E_WRITE; i++) {
        const char *text = okra_strerror((okra_status)i);
        assert_true(strlen(text) > 3);
        assert_string_not_equal(text, okra_strerror((okra_status)-1));
        assert_null(strchr(text, '\n'));
    }
    assert_non_null(okra_strerror((okra_status)12345));
}

static void version_is_the_headers(void **state)
{
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", OKRA_VERSION_MAJOR, OKRA_VERSION_MINOR, OKRA_VERSION_PATCH);
    assert_string_equal(okra_version(), text);
    assert_string_equal(OKRA_VERSION, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_pinned),
        cmocka_unit_test(every_status_has_a_text),
        cmocka_unit_test(version_is_the_headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
