/*
 * The progress bar, letter by letter, on a terminal and a clock that the test makes up.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct timespec test_time;
static int terminal = 1;

static int test_clock(clockid_t which, struct timespec *time)
{
    (void)which;
    *time = test_time;
    return 0;
}

static int test_terminal(int fd) { return fd == STDERR_FILENO && terminal; }

#define clock_gettime test_clock
#define isatty        test_terminal
#include "../../cli/common/message.c" /* NOLINT(bugprone-suspicious-include): with another clock */

static void set_clock(double seconds)
{
    test_time.tv_sec = (time_t)seconds;
    test_time.tv_nsec = (long)((seconds - (double)test_time.tv_sec) * 1e9 + 0.5);
}

/* ---- what is seen --------------------------------------------------------------------------------------------- */

static char seen[4096];
static FILE *kept;
static int before;
static off_t looked_at;

static int start_looking(void **state)
{
    (void)state;
    fflush(stderr);
    before = dup(STDERR_FILENO);
    kept = tmpfile();
    looked_at = 0;
    terminal = 1;
    set_clock(100);
    return !kept || before < 0 || dup2(fileno(kept), STDERR_FILENO) < 0;
}

static int stop_looking(void **state)
{
    (void)state;
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    return fclose(kept);
}

/* What has been written since the last look. */
static const char *look(void)
{
    fflush(stderr);
    ssize_t length = pread(fileno(kept), seen, sizeof seen - 1, looked_at);
    assert_true(length >= 0);
    seen[length] = '\0';
    looked_at += length;
    return seen;
}

#define WIPED "\r\033[K"

static void a_share_is_a_bar(void **state)
{
    (void)state;
    progress_bar bar = progress_bar_start(true);
    look();
    set_clock(100.05);
    progress_bar_show(&bar, 5, 0.5);
    assert_string_equal(look(), ""); /* too soon */
    set_clock(100.25);
    progress_bar_show(&bar, 5, 0.5);
    assert_string_equal(look(), "         5 rows  [###############...............]  50%  0:00 left");
    set_clock(100.3);
    progress_bar_show(&bar, 6, 0.6);
    assert_string_equal(look(), "");
    set_clock(110);
    progress_bar_show(&bar, 1234567, 0.1);
    assert_string_equal(look(), WIPED "   1234567 rows  [###...........................]  10%  1:30 left");
    set_clock(200);
    progress_bar_show(&bar, 1, 0.0125);
    assert_string_equal(look(), WIPED "         1 rows  [..............................]   1%  131:40 left");
    set_clock(201);
    progress_bar_show(&bar, 2, 1.5);
    assert_string_equal(look(), WIPED "         2 rows  [##############################] 100%  0:00 left");
    set_clock(202);
    progress_bar_show(&bar, 2, 1e-6);
    assert_string_equal(look(), WIPED "         2 rows  [..............................]   0%");
    set_clock(203);
    progress_bar_show(&bar, 2, 0);
    assert_string_equal(look(), WIPED "         2 rows  [..............................]   0%");
    progress_bar_end(&bar);
    assert_string_equal(look(), WIPED);
    set_clock(300);
    progress_bar_show(&bar, 3, 0.5);
    assert_string_equal(look(), "");
}

static void without_a_share_there_is_a_time(void **state)
{
    (void)state;
    progress_bar bar = progress_bar_start(true);
    look();
    set_clock(112.4);
    progress_bar_show(&bar, 77, -1);
    assert_string_equal(look(), "        77 rows  12 s");
    message_note("by the way: %d\n", 3);
    assert_string_equal(look(), WIPED "okra: by the way: 3?\n");
    progress_bar_end(&bar);
    assert_string_equal(look(), "");
    set_clock(113);
    bar = progress_bar_start(true);
    set_clock(114);
    progress_bar_show(&bar, 78, -1);
    look();
    message_clear();
    assert_string_equal(look(), WIPED);
}

static void nobody_sees_what_is_not_wanted(void **state)
{
    (void)state;
    look();
    progress_bar bar = progress_bar_start(false);
    set_clock(200);
    progress_bar_show(&bar, 1, 0.5);
    terminal = 0;
    bar = progress_bar_start(true);
    set_clock(300);
    progress_bar_show(&bar, 1, 0.5);
    progress_bar_end(&bar);
    assert_string_equal(look(), "");
}

static void the_clock_has_fractions(void **state)
{
    (void)state;
    test_time = (struct timespec){.tv_sec = 7, .tv_nsec = 250000000};
    assert_true(message_clock() > 7.249999 && message_clock() < 7.250001);
}

static void failures_are_said_once(void **state)
{
    (void)state;
    look();
    assert_int_equal(message_fail(2, "no '%s'", "a\nb"), 2);
    assert_string_equal(look(), "okra: no 'a?b'\n");
    message_as("okra-test");
    assert_string_equal(message_name(), "okra-test");
    message_note("well");
    assert_string_equal(look(), "okra-test: well\n");
    message_quiet();
    message_error("once more");
    assert_string_equal(look(), "");
    message_hold(true);
    message_error("kept %d", 7);
    message_note("still said");
    assert_string_equal(look(), "okra-test: still said\n");
    assert_string_equal(message_held(), "kept 7");
    message_hold(false);
    message_note("no more");
    assert_string_equal(look(), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_share_is_a_bar, start_looking, stop_looking),
        cmocka_unit_test_setup_teardown(without_a_share_there_is_a_time, start_looking, stop_looking),
        cmocka_unit_test_setup_teardown(nobody_sees_what_is_not_wanted, start_looking, stop_looking),
        cmocka_unit_test_setup_teardown(the_clock_has_fractions, start_looking, stop_looking),
        cmocka_unit_test_setup_teardown(failures_are_said_once, start_looking, stop_looking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
