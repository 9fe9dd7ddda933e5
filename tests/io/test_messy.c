/*
 * Tables as spreadsheets, loggers and other programs leave them: what is meant is read or told, and nothing is passed
 * over in silence.
 */
#include "tables.h"

/* ---- words that begin with '#' ------------------------------------------------------------------------------- */

static void errors_of_spreadsheets_are_fields(void **state)
{
    (void)state;
    static const char *const words[] = {"#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        char text[128], told[64];
        snprintf(text, sizeof text, "a,y\n1,2\n%s,3\n %s ,\"4\"\n5,6\n", words[i], words[i]);
        snprintf(told, sizeof told, "'%s' is not a number: ", words[i]);
        okra_table *reader = open_text(text);
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
    okra_table *reader = open_text("y\n#N/A\r\n#N/As \"are\n#N/A\"\n#n/a\n#\n#N\n#NUM!\n1\n#REF!");
    expect_row(reader, ROW(GAP)); /* a missing value */
    expect_refusal(reader, 7 + 1, "column 1 (y)", "'#NUM!'");
    expect_row(reader, ROW(1));
    expect_refusal(reader, 10, "column 1 (y)", "'#REF!'");
    expect_end(reader);
    reader = open_text("y\n#N/A\" ,\"\n1\n"); /* a comment may hold any quotes */
    expect_row(reader, ROW(1));
    expect_end(reader);
}

/* Where a file is read in parts, the rows that come before are counted in another way. */
static void errors_of_spreadsheets_before_a_part(void **state)
{
    (void)state;
    okra_table *reader = open_text("a,y\n1,2\n#N/A,2\n#N/A\r\n3,4\n5,6\n7,8\n");
    size_t ahead;
    assert_ok(okra_table_part(reader, 1, 2, 3, &ahead, NULL));
    assert_int_equal(ahead, 3);
    okra_table_close(reader);
}

/* ---- the first line ------------------------------------------------------------------------------------------ */

static void expect_note(const char *text, const char *wanted)
{
    okra_table *reader = open_text(text);
    const char *note = okra_table_get(reader)->note;
    bool right = note && wanted ? strstr(note, wanted) != NULL : note == wanted;
    if (!right)
        fail_msg("'%s' of '%s'", note ? note : "nothing", text);
    okra_table_close(reader);
}

static void a_header_with_numbers_is_noted(void **state)
{
    (void)state;
    expect_note("# c\n5.1,3.5,1.4,0.2,Iris-setosa\n",
                "table:2: is taken for the names of the columns, though 4 of 5 are numbers: if it is a row, say so");
    expect_note("u?,1,,10\n1,2,3,4\n", "though 2 of 4 are numbers");
    expect_note("?,1,,10\n1,2,3,4\n", NULL); /* a row */
    expect_note("country,2024\n1,2\n", "though 1 of 2 is a number");
    expect_note("x,inf\n1,2\n", "though 1 of 2 is a number");
    expect_note("x,y\n1,2\n", NULL);
    expect_note("x,,nan,z\n1,2,3,4\n", NULL);
    expect_note("1,2\n3,4\n", NULL);
    okra_table *reader = open_as("x,2\n", (okra_table_options){.header = OKRA_HEADER_YES});
    assert_null(okra_table_get(reader)->note);
    okra_table_close(reader);
    reader = open_as("x,2\n", (okra_table_options){.header = OKRA_HEADER_NO});
    assert_null(okra_table_get(reader)->note);
    okra_table_close(reader);
}

static void separators_at_the_end_make_no_column(void **state)
{
    (void)state;
    okra_table *reader = open_text("a;y; \"\";\n1;2;;\r\n3;4\n5; ;\"\"; \n6;7;8;\n9;10;;;\nx;1;2;\n11;12;;\n");
    assert_int_equal(okra_table_get(reader)->columns, 2);
    assert_null(okra_table_column_name(reader, 2));
    expect_row(reader, ROW(1, 2));
    expect_row(reader, ROW(3, 4));
    expect_row(reader, ROW(5, GAP));
    expect_refusal(reader, 5, "column 3: '8' is in a column without a name", "name it in the header, or remove it");
    expect_refusal(reader, 6, "5 fields where the header has 2", "");
    expect_refusal(reader, 7, "column 1 (a): 'x' is not a number", "");
    assert_ok(okra_table_use(reader, (const bool[]){false, true}));
    expect_row(reader, ROW(GAP, 12));
    expect_end(reader);
}

/* Without a name there is no telling a column from a separator too many; names in between and before are left alone. */
static void other_columns_without_a_name_stay(void **state)
{
    (void)state;
    okra_table *reader = open_text(",a,,y\n0,1,2,3\n");
    assert_int_equal(okra_table_get(reader)->columns, 4);
    expect_row(reader, ROW(0, 1, 2, 3));
    expect_end(reader);
    reader = open_text("1,2,\n3,4,5\n");
    assert_int_equal(okra_table_get(reader)->columns, 3);
    expect_row(reader, ROW(1, 2, GAP));
    expect_row(reader, ROW(3, 4, 5));
    expect_end(reader);
    reader = open_as(",\n3,4\n", (okra_table_options){.header = OKRA_HEADER_YES});
    assert_int_equal(okra_table_get(reader)->columns, 2);
    expect_row(reader, ROW(3, 4));
    expect_end(reader);
}

static void expect_no_table(const char *text, const char *part)
{
    okra_table *reader;
    okra_message why;
    assert_status(open_bytes(text, strlen(text), &reader, &why), OKRA_E_FORMAT);
    assert_null(reader);
    if (!strstr(why.text, part))
        fail_msg("no '%s' in: %s", part, why.text);
}

static void lines_that_end_in_cr_alone(void **state)
{
    (void)state;
    static const char told[] = "table:1: lines end in CR alone: convert them, as in tr '\\r' '\\n'";
    expect_no_table("a,y\r1,2\r3,4\r", told);
    expect_no_table("1\r2", told);
    expect_no_table("\"a\"\r\"1\"\r", told);
    expect_no_table("a,y\r \r\r1,2\n", told);
    okra_table *reader = open_text("a,\"y\rz\"\r\r\n1,2\r\r\n"); /* in quotes, and before the line end */
    assert_string_equal(okra_table_column_name(reader, 1), "y\rz");
    expect_row(reader, ROW(1, 2));
    expect_end(reader);
}

static void json_is_no_table(void **state)
{
    (void)state;
    static const char object[] = "table:1: is JSON, of which an object a line can be read: make that, as in jq -c .",
                      array[] = "is JSON, of which an object a line can be read: make that, as in jq -c '.[]'";
    expect_no_table("{\n\"x\": 1}\n", object);
    expect_no_table("{}", object);
    expect_no_table("\n [ {\"x\": 1}]\n", array);
    expect_no_table("[\n1]\n", array);
    expect_no_table("[-1, 2]\n", array);
    okra_table *reader = open_text("[m/s],{x}\n1,2\n");
    expect_row(reader, ROW(1, 2));
    expect_end(reader);
    reader = open_text("{x},y\n1,2\n");
    expect_row(reader, ROW(1, 2));
    expect_end(reader);
}

static void files_of_other_programs(void **state)
{
    (void)state;
    expect_no_table("BZh91AY&SY..", "is compressed: decompress it first, with bunzip2");
    expect_no_table("\3757zXZ..", "with unxz");
    expect_no_table("\x28\xB5\x2F\xFD..", "with unzstd");
    expect_no_table("\xD0\xCF\x11\xE0..", "is an old Excel file: save the table as CSV");
    expect_no_table("\x89HDF..", "is an HDF5 file");
    expect_no_table("PAR1\x15..", "is a Parquet file");
    expect_no_table("MATLAB 5.0 MAT-file, Platform: GLNXA64", "is a MATLAB file");
    expect_no_table("MATLAB 7.3 MAT-file, Platform: GLNXA64", "is a MATLAB file");
    expect_no_table("12345678{\"__metadata__\":{}}", "is a model, and rows of numbers are needed");
    static const char *const tables[] = {"PAR1,PAR2\n1,2\n", "BZh,y\n1,2\n", "MATLAB 5,y\n1,2\n"};
    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        okra_table *reader = open_text(tables[i]);
        expect_row(reader, ROW(1, 2));
        expect_end(reader);
    }
}

/* ---- separators ---------------------------------------------------------------------------------------------- */

static void expect_names(const char *text, const char *format, const char *first, const char *last)
{
    okra_table *reader = open_as(text, (okra_table_options){.format = format, .header = OKRA_HEADER_YES});
    assert_string_equal(okra_table_column_name(reader, 0), first);
    assert_string_equal(okra_table_column_name(reader, okra_table_get(reader)->columns - 1), last);
    okra_table_close(reader);
}

static void commas_inside_names(void **state)
{
    (void)state;
    expect_names("temp, C;hum, %;y\n", NULL, "temp, C", "y");
    expect_names("temp, C;hum, %;y\n", "csv", "temp, C", "y");
    expect_names("temp, C\thum, %\ty; z\n", NULL, "temp, C", "y; z");
    expect_names("2,5;y\n", NULL, "2,5", "y");
    expect_names("\"a,b\";c, d\n", NULL, "a,b", "c, d");
    expect_names("size 5\"\ty\n", NULL, "size 5\"", "y");
    /* the comma, as ever */
    expect_names("a;b,c\n", NULL, "a;b", "c");
    expect_names("a, ;b\n", NULL, "a", ";b");
    expect_names("a, b,c;d\n", NULL, "a", "c;d");
    expect_names("a,\tb,\tc\n", NULL, "a", "c");
    expect_names("1,2,3;x\n", NULL, "1", "3;x");
    expect_names("a, b\tc\n", "csv", "a", "b\tc");
}

static void decimal_commas(void **state)
{
    (void)state;
    static const char semicolons[] = "table:1: has a decimal comma: write decimals with a point, as in tr ',;' '.,'",
                      tabs[] = "table:1: has a decimal comma: write decimals with a point, as in tr ',' '.'";
    expect_no_table("1,5;2,5\n1,6;2,6\n", semicolons);
    expect_no_table("monday;-2,5e3;7\n", semicolons);
    expect_no_table("1,5\t2\n", tabs);
    okra_table *reader = open_text("a\ty\n1,5\t2\n1, 5\t2\n1,2,3\t4\n");
    expect_refusal(reader, 2, "column 1 (a)",
                   "'1,5' has a decimal comma: write decimals with a point, as in tr ',' '.'");
    expect_refusal(reader, 3, "column 1 (a)", "'1, 5' is not a number");
    expect_refusal(reader, 4, "column 1 (a)", "'1,2,3' is not a number: write decimals with a point");
    expect_end(reader);
}

static void rows_separated_in_other_ways(void **state)
{
    (void)state;
    okra_table *reader = open_text("a b y\n1  2 3\n|1|2|3|\n1 2 x\n4\n");
    expect_refusal(reader, 2, "column 1 (a b y): '1  2 3' holds numbers separated by blanks: separate them by commas",
                   "as in awk '{$1=$1}1' OFS=,");
    expect_refusal(reader, 3, "'|1|2|3|' holds numbers separated by '|': separate them by commas", "as in tr '|' ','");
    expect_refusal(reader, 4, "'1 2 x' is not a number: correct it", "");
    expect_row(reader, ROW(4));
    expect_end(reader);
    expect_no_table("1|2\n", "table:1: holds numbers separated by '|'");
    reader = open_text("a,y\n1 000,2\n"); /* thousands */
    expect_refusal(reader, 2, "'1 000' is not a number: correct it", "");
    expect_end(reader);
}

/* The hints are for the first row: a later one is wrong by itself. */
static void rows_that_do_not_fit_the_header(void **state)
{
    (void)state;
    okra_table *reader = open_text("a,y\nr1,1,2\n1,2,3\n1,2,\n");
    expect_refusal(reader, 2, "3 fields where the header has 2: remove what is too much",
                   "or name the first column in the header, if it names the rows");
    expect_refusal(reader, 3, "3 fields where the header has 2: remove what is too much, or put a field with commas",
                   "in quotes");
    expect_refusal(reader, 4, "3 fields where the header has 2: remove the separator at the end of the line", "");
    expect_end(reader);
    static const char above[] = "remove the lines above the header, or begin them with '#'";
    reader = open_text("Sensor export\na,b,y\n1,2,3\n");
    expect_refusal(reader, 2, "3 fields where the header has 1", above);
    expect_refusal(reader, 3, "3 fields where the header has 1: remove what is too much", "");
    expect_end(reader);
    reader = open_text("Sensor export\na;b;y\n");
    expect_refusal(reader, 2, "column 1 (Sensor export): 'a;b;y' is not a number", above);
    expect_end(reader);
    reader = open_text("y\n\"a,b\"\n");
    expect_refusal(reader, 2, "column 1 (y): 'a,b' is not a number: correct it", "");
    expect_end(reader);
    reader = open_text("y,\n1,2 3\n");
    expect_refusal(reader, 2, "column 2: '2 3' is in a column without a name", "");
    expect_end(reader);
    reader = open_text("7\n1,2,3\n");
    expect_row(reader, ROW(7));
    expect_refusal(reader, 2, "3 fields where the first row has 1", above);
    expect_end(reader);
    reader = open_text("y\n1,5\n");
    expect_refusal(reader, 2, "2 fields where the header has 1", "write decimals with a point");
    expect_end(reader);
}

static void a_zero_byte_in_a_row(void **state)
{
    (void)state;
    static const char text[] = "a,y\n1,2\n3,\0004\n\0\0\0\0\n5,6\n";
    static const char told[] = "holds a zero byte: the file is damaged here: remove the line";
    okra_table *reader;
    assert_ok(open_bytes(text, sizeof text - 1, &reader, NULL));
    expect_row(reader, ROW(1, 2));
    expect_refusal(reader, 3, told, "");
    expect_refusal(reader, 4, told, "");
    expect_row(reader, ROW(5, 6));
    expect_end(reader);
}

/* ---- annotated tables ---------------------------------------------------------------------------------------- */

#define ANNOTATIONS "#group,false,false\r\n#datatype,string,long\r\n#default,_result,\r\n"

static void annotated_tables_repeat_their_header(void **state)
{
    (void)state;
    okra_table *reader =
        open_text(ANNOTATIONS ",a,y\r\n,1,2\r\n,3,4\r\n\r\n" ANNOTATIONS ",a,y\r\n,5,6\r\n\r\n,a,y\r\n,7,8\r\n");
    assert_int_equal(okra_table_get(reader)->columns, 3);
    expect_row(reader, ROW(GAP, 1, 2));
    expect_row(reader, ROW(GAP, 3, 4));
    expect_row(reader, ROW(GAP, 5, 6));
    assert_int_equal(okra_table_get(reader)->line, 12);
    expect_row(reader, ROW(GAP, 7, 8)); /* the header without annotations */
    expect_end(reader);
    reader = open_text("a,y\n1,2\n\n#datatype,long,long\na,y\n3,4\n"); /* annotated from the second on */
    expect_row(reader, ROW(1, 2));
    expect_row(reader, ROW(3, 4));
    expect_end(reader);
}

/* Its rows would have the numbers of other columns; a table like the first may follow. */
static void annotated_tables_with_other_columns(void **state)
{
    (void)state;
    static const char told[] = "is in a table with other columns than the first: put it into a file of its own";
    okra_table *reader =
        open_text(ANNOTATIONS ",a,y\n,1,2\n\n" ANNOTATIONS ",a,z\n,3,4\n\n" ANNOTATIONS ",a,y\n,5,6\n");
    expect_row(reader, ROW(GAP, 1, 2));
    expect_refusal(reader, 10, told, "");
    expect_refusal(reader, 11, told, "");
    expect_row(reader, ROW(GAP, 5, 6));
    expect_end(reader);
}

/* Other comments say nothing about the next line, and a header that comes again is a bad row as ever. */
static void comments_are_no_annotations(void **state)
{
    (void)state;
    okra_table *reader = open_text("#groups\na,y\n1,2\n#group\n3,4\n# default,x\n5,6\na,y\n");
    expect_row(reader, ROW(1, 2));
    expect_row(reader, ROW(3, 4));
    expect_row(reader, ROW(5, 6));
    expect_refusal(reader, 8, "'a' is not a number", "");
    expect_end(reader);
    size_t ahead;
    okra_message why;
    reader = open_text(ANNOTATIONS ",a,y\n,1,2\n,3,4\n");
    assert_status(okra_table_part(reader, 0, 2, 0, &ahead, &why), OKRA_E_FORMAT);
    assert_non_null(strstr(why.text, "table: cannot be read in parts, because it may hold several tables"));
    okra_table_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_of_spreadsheets_are_fields),
        cmocka_unit_test(errors_of_spreadsheets_at_the_end_of_a_line),
        cmocka_unit_test(errors_of_spreadsheets_before_a_part),
        cmocka_unit_test(a_header_with_numbers_is_noted),
        cmocka_unit_test(separators_at_the_end_make_no_column),
        cmocka_unit_test(other_columns_without_a_name_stay),
        cmocka_unit_test(lines_that_end_in_cr_alone),
        cmocka_unit_test(json_is_no_table),
        cmocka_unit_test(files_of_other_programs),
        cmocka_unit_test(commas_inside_names),
        cmocka_unit_test(decimal_commas),
        cmocka_unit_test(rows_separated_in_other_ways),
        cmocka_unit_test(rows_that_do_not_fit_the_header),
        cmocka_unit_test(a_zero_byte_in_a_row),
        cmocka_unit_test(annotated_tables_repeat_their_header),
        cmocka_unit_test(annotated_tables_with_other_columns),
        cmocka_unit_test(comments_are_no_annotations),
    };
    return cmocka_run_group_tests_name("messy", tests, enter_directory, leave_directory);
}
