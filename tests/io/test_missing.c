/* What stands for a missing value: the usual words, or the caller's words and numbers. */
#include "tables.h"

#include <unistd.h>

static okra_table *open_with(const char *format, const char *missing, const char *text)
{
    return open_as(text, (okra_table_options){.format = format, .missing = missing});
}

static void usual_words_are_gaps(void **state)
{
    (void)state;
    okra_table *reader = open_with(NULL, NULL, "a,b,c\n?,NA,n/A\n#N/A,NULL,none\nnil,-,--\nnA, \"?\" ,-1\n");
    for (size_t i = 0; i < 3; i++)
        expect_row(reader, ROW(GAP, GAP, GAP));
    expect_row(reader, ROW(GAP, GAP, -1));
    expect_end(reader);
}

/* A line of numbers and gaps is no header. */
static void a_first_line_may_have_gaps(void **state)
{
    (void)state;
    okra_table *reader = open_with(NULL, NULL, "1,NA,3\n4,5,6\n");
    expect_row(reader, ROW(1, GAP, 3));
    expect_row(reader, ROW(4, 5, 6));
    expect_end(reader);
}

static void words_and_numbers_are_the_callers(void **state)
{
    (void)state;
    okra_table *reader = open_with(NULL, " -9999 ,bad,1e3,,", "a,b,c\n-9999,BAD,1000\n-9999.0,999,-9998\n1,NA,2\n");
    expect_row(reader, ROW(GAP, GAP, GAP));
    expect_row(reader, ROW(GAP, 999, -9998));
    expect_refusal(reader, 4, "column 2 (b): 'NA' is not a number", "leave it empty");
    expect_end(reader);
    reader = open_with(NULL, "", "a,b\n1,?\n,2\n");
    expect_refusal(reader, 2, "column 2 (b): '?' is not a number", "leave it empty");
    expect_row(reader, ROW(GAP, 2));
    expect_end(reader);
    reader = open_with("jsonl", "off,-1", "{\"a\":\"Off\",\"b\":-1}\n{\"a\":\"-1\",\"b\":2}\n");
    expect_row(reader, ROW(GAP, GAP));
    expect_row(reader, ROW(GAP, 2));
    expect_end(reader);
}

static void too_many_are_refused(void **state)
{
    (void)state;
    okra_table *reader;
    okra_message why;
    char words[3 * 33 + 1];
    for (size_t i = 0; i < 33; i++)
        snprintf(words + 3 * i, 4, "w%c,", (char)('0' + i));
    write_bytes(table_path, "1\n", 2);
    assert_status(okra_table_open(table_path, &(okra_table_options){.missing = words}, &reader, &why),
                  OKRA_E_PARAMETER);
    assert_null(reader);
    assert_non_null(strstr(why.text, "more than 32"));
    words[3 * 32] = '\0';
    assert_ok(okra_table_open(table_path, &(okra_table_options){.missing = words}, &reader, &why));
    okra_table_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_words_are_gaps),
        cmocka_unit_test(a_first_line_may_have_gaps),
        cmocka_unit_test(words_and_numbers_are_the_callers),
        cmocka_unit_test(too_many_are_refused),
    };
    return cmocka_run_group_tests_name("missing", tests, enter_directory, leave_directory);
}
