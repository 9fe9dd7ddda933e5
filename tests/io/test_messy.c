/*
 * Tables as spreadsheets, loggers and other programs leave them: what is meant is read or told, and nothing is passed
 * over in silence.
 */
#include "tables.h"

/* ---- words that begin with '#' ------------------------------------------------------------------------------- */

static void errors_of_spreadsheets_are_fields(void **state)
{
    (void)state;
    static const char *const words[] = {"#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        char text[128], told[64];
        snprintf(text, sizeof text, "a,y\n1,2\n%s,3\n %s ,\"4\"\n5,6\n", words[i], words[i]);
        snprintf(told, sizeof told, "'%s' is not a number: ", words[i]);
        okra_reader *reader = open_text(text);
        expect_row(reader, ROW(1, 2));
        expect_refusal(reader, 3, "column 1 (a)", told);
        expect_refusal(reader, 4, "column 1 (a)", told);
        expect_row(reader, ROW(5, 6));
        expect_end(reader);
    }
}

/* At the end of a line of any kind, and of the input; longer words and other beginnings are comments as ever. */
static void errors_of_spreadsheets_at_the_end_of_a_line(void **state)
{
    (void)state;
    okra_reader *reader = open_text("y\n#N/A\r\n#N/As \"are\n#N/A\"\n#n/a\n#\n#N\n#NUM!\n1\n#REF!");
    expect_refusal(reader, 2, "column 1 (y)", "'#N/A'");
    expect_refusal(reader, 7 + 1, "column 1 (y)", "'#NUM!'");
    expect_row(reader, ROW(1));
    expect_refusal(reader, 10, "column 1 (y)", "'#REF!'");
    expect_end(reader);
}

/* Where a file is read in parts, the rows that come before are counted in another way. */
static void errors_of_spreadsheets_before_a_part(void **state)
{
    (void)state;
    okra_reader *reader = open_text("a,y\n1,2\n#N/A,2\n#N/A\r\n3,4\n5,6\n7,8\n");
    size_t ahead;
    assert_ok(okra_reader_part(reader, 1, 2, 3, &ahead, NULL));
    assert_int_equal(ahead, 3);
    okra_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_of_spreadsheets_are_fields),
        cmocka_unit_test(errors_of_spreadsheets_at_the_end_of_a_line),
        cmocka_unit_test(errors_of_spreadsheets_before_a_part),
    };
    return cmocka_run_group_tests_name("messy", tests, enter_directory, leave_directory);
}
