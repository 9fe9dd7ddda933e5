/*
 * The program's own talk: list, help, version, and what a mistyped command gets.
 */
#include "harness.h"

/* Long lines are wrapped, so only the beginning is sure to be in one piece. */
static void assert_begins(const char *text, const char *help)
{
    char beginning[25];
    snprintf(beginning, sizeof beginning, "%s", help);
    assert_has(text, beginning);
}

static void list_shows_every_recipe_map_kernel_and_parameter(void **state)
{
    (void)state;
    outcome result = okra(NULL, "list");
    assert_done(result);
    const okra_recipe *recipe;
    for (size_t i = 0; (recipe = okra_recipe_at(i)); i++) {
        assert_has(result.out, recipe->name);
        assert_begins(result.out, recipe->help);
    }
    const okra_param *param;
    for (size_t i = 0; (param = okra_param_at(i)); i++) {
        assert_has(result.out, param->name);
        assert_begins(result.out, param->help);
    }
    assert_has(result.out, "Maps");
    assert_has(result.out, "rff ");
    assert_has(result.out, "Kernels");
    assert_has(result.out, "gaussian ");
    assert_string_equal(result.err, "");
    outcome_free(&result);
}

static void list_one_shows_defaults_and_ranges(void **state)
{
    (void)state;
    outcome result = okra(NULL, "list", "rff-nlms");
    assert_done(result);
    assert_has(result.out, "features          300         1 to 1073741824");
    assert_has(result.out, "mu                0.5         > 0");
    assert_has(result.out, "gaussian, laplacian");
    assert_null(strstr(result.out, "rff-klms"));
    outcome_free(&result);
}

/* Ranges as people read them, whatever stands in the table for "no limit". */
static void list_and_help_put_ranges_in_words(void **state)
{
    (void)state;
    outcome list = okra(NULL, "list"), help = okra(NULL, "run", "--help");
    assert_done(list);
    assert_done(help);
    assert_has(list.out, "beta              0.01 to 1 ");
    assert_has(list.out, "epsilon           >= 0 ");
    assert_has(list.out, "coherence         0 to 1 ");
    assert_has(list.out, "surprise          any number ");
    assert_has(list.out, "nu                1e-07 to 1 ");
    assert_has(list.out, "replace the oldest centre"); /* what the words of --when-full mean */
    assert_has(help.out, "any number (-1)");
    assert_has(help.out, "--epsilon REAL ");
    assert_has(help.out, "--capacity N ");
    assert_has(help.out, "--when-full stop|oldest|error\n");
    assert_null(strstr(list.out, "e+30"));
    assert_null(strstr(help.out, "e+30"));
    outcome_free(&list);
    outcome_free(&help);
}

static void numbers_with_words_show_them(void **state)
{
    (void)state;
    outcome list = okra(NULL, "list"), one = okra(NULL, "list", "rls"), help = okra(NULL, "run", "--help");
    assert_has(list.out, "cyclic=auto");
    assert_has(list.out, "auto: as often as the forgetting needs");
    assert_has(one.out, "cyclic            auto        0 to 1073741824");
    assert_has(help.out, "--cyclic N|auto ");
    assert_has(help.out, "(auto)");
    outcome_free(&list);
    outcome_free(&one);
    outcome_free(&help);
}

/* krls cannot let go of a centre. */
static void list_one_shows_what_the_recipe_accepts(void **state)
{
    (void)state;
    outcome krls = okra(NULL, "list", "krls"), klms = okra(NULL, "list", "klms");
    assert_has(krls.out, "stop, error");
    assert_has(klms.out, "stop, oldest, error");
    outcome_free(&krls);
    outcome_free(&klms);
}

static void list_suggests_the_recipe_that_was_meant(void **state)
{
    (void)state;
    assert_refused(okra(NULL, "list", "rff-nmls"), 2, "'rff-nmls'", "did you mean 'rff-nlms'?");
    assert_refused(okra(NULL, "list", "quicksilver"), 2, "'quicksilver'", "okra list");
    assert_refused(okra(NULL, "list", "lms", "nlms"), 2, "'nlms'", "takes one");
}

static void list_on_a_full_disk_fails(void **state)
{
    (void)state;
    call full = {.out = "/dev/full"};
    assert_refused(okra_how(full, "list"), 1, "standard output", "No space left");
    assert_refused(okra_how(full, "--help"), 1, "standard output", "No space left");
}

static void help_comes_from_the_tables(void **state)
{
    (void)state;
    outcome help = okra(NULL, "help", "run"), same = okra(NULL, "run", "--help"), also = okra(NULL, "run", "-h");
    assert_done(help);
    assert_done(same);
    assert_string_equal(help.out, same.out);
    assert_string_equal(help.out, also.out);
    assert_has(help.out, "--target COL");
    const okra_param *param;
    for (size_t i = 0; (param = okra_param_at(i)); i++)
        assert_has(help.out, param->name);
    assert_has(help.out, "number of features D; 1 to 1073741824 (300)");
    outcome_free(&help);
    outcome_free(&same);
    outcome_free(&also);
}

static void help_on_help_is_help(void **state)
{
    (void)state;
    outcome help = okra(NULL, "help"), same = okra(NULL, "help", "help");
    assert_done(help);
    assert_done(same);
    assert_string_equal(help.out, same.out);
    outcome_free(&help);
    outcome_free(&same);
}

static void help_names_the_commands_and_exit_statuses(void **state)
{
    (void)state;
    outcome help = okra(NULL, "--help"), same = okra(NULL, "help");
    assert_done(help);
    assert_string_equal(help.out, same.out);
    assert_has(help.out, "run ");
    assert_has(help.out, "list ");
    assert_has(help.out, "0 done, 1 input or output failed, 2 wrong usage, 3 the filter diverged");
    outcome_free(&help);
    outcome_free(&same);
}

static void version_names_the_instruction_set(void **state)
{
    (void)state;
    outcome result = okra(NULL, "--version");
    assert_done(result);
    assert_has(result.out, "okra " OKRA_VERSION);
    assert_has(result.out, okra_isa());
    outcome_free(&result);
}

static void a_mistyped_command_gets_a_suggestion(void **state)
{
    (void)state;
    assert_refused(okra(NULL, "rnu"), 2, "'rnu'", "did you mean 'run'?");
    assert_refused(okra(NULL, "help", "lst"), 2, "'lst'", "did you mean 'list'?");
    assert_refused(okra(NULL, "--verison"), 2, "'--verison'", "did you mean '--version'?");
    assert_refused(okra(NULL, "marmalade"), 2, "'marmalade'", "okra --help");
    assert_refused(run_program(&(call){0}, (const char *const[]){OKRA_PROGRAM, NULL}), 2, "command", "okra --help");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(list_shows_every_recipe_map_kernel_and_parameter),
        cmocka_unit_test(list_one_shows_defaults_and_ranges),
        cmocka_unit_test(list_and_help_put_ranges_in_words),
        cmocka_unit_test(numbers_with_words_show_them),
        cmocka_unit_test(list_one_shows_what_the_recipe_accepts),
        cmocka_unit_test(list_suggests_the_recipe_that_was_meant),
        cmocka_unit_test(list_on_a_full_disk_fails),
        cmocka_unit_test(help_comes_from_the_tables),
        cmocka_unit_test(help_on_help_is_help),
        cmocka_unit_test(help_names_the_commands_and_exit_statuses),
        cmocka_unit_test(version_names_the_instruction_set),
        cmocka_unit_test(a_mistyped_command_gets_a_suggestion),
    };
    return cmocka_run_group_tests_name("cli list", tests, enter_directory, leave_directory);
}
