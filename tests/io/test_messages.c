/*
 * What becomes of tables of every kind, sound and unsound, in whole: columns, notes, rows, and every message to its
 * last letter. Messages are what users see of most mistakes, so a wrong number in one is a fault like another.
 */
#include "files.h"

#include <okra/io.h>

typedef struct input {
    const char *name, *bytes;
    size_t length;
    const char *format;
    okra_header header;
    size_t columns;
    const char *wanted;
} input;

#define BYTES(text) (text), sizeof(text) - 1

/* clang-format off */
static const input inputs[] = {
    {"t", BYTES("a,b\n1,x\n2,3\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: a b\n"
     "2! 15 t:2: column 2 (b): 'x' is not a number: correct it, leave it empty if there is no value, or leave its column out\n"
     "3: 2 3\n"
     "2 rows, 1\n"},
    {"t", BYTES("1,2\n3,x\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2:\n"
     "1: 1 2\n"
     "2! 15 t:2: column 2: 'x' is not a number: correct it, leave it empty if there is no value, or leave its column out\n"
     "2 rows, 1\n"},
    {"t", BYTES("a\n1\n2\n\n3\nx\n"), NULL, OKRA_HEADER_AUTO, 0,
     "1: a\n"
     "2: 1\n"
     "3: 2\n"
     "4: -\n"
     "5: 3\n"
     "6! 15 t:6: column 1 (a): 'x' is not a number: correct it, leave it empty if there is no value, or leave its column out\n"
     "5 rows, 1\n"},
    {"t", BYTES("a,b\n1,yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\n1,yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: a b\n"
     "2! 15 t:2: column 2 (b): 'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy' is not a number: correct it, leave it empty if there is no value, or leave its column out\n"
     "3! 15 t:3: column 2 (b): 'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy...' is not a number: correct it, leave it empty if there is no value, or leave its column out\n"
     "2 rows, 1\n"},
    {"t", BYTES("a,b\n1,yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\303\251y\n1,yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\303\251y\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: a b\n"
     "2! 15 t:2: column 2 (b): 'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy...' is not a number: correct it, leave it empty if there is no value, or leave its column out\n"
     "3! 15 t:3: column 2 (b): 'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\303\251...' is not a number: correct it, leave it empty if there is no value, or leave its column out\n"
     "2 rows, 1\n"},
    {"t", BYTES("a,b\n1,inf\n-Infinity,2\n1e999,3\nNaN,4\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: a b\n"
     "2! 15 t:2: column 2 (b): 'inf' is not finite: correct it, or leave it empty if there is no value\n"
     "3! 15 t:3: column 1 (a): '-Infinity' is not finite: correct it, or leave it empty if there is no value\n"
     "4! 15 t:4: column 1 (a): '1e999' is too large for a double: scale the column\n"
     "5: - 4\n"
     "4 rows, 1\n"},
    {"t", BYTES("a,b\n1\n1,2,3\n1,2,3,4\n1,2,\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: a b\n"
     "2! 15 t:2: 1 field where the header has 2: complete the row (a missing value is an empty field)\n"
     "3! 15 t:3: 3 fields where the header has 2: remove what is too much, or put a field with commas in quotes\n"
     "4! 15 t:4: 4 fields where the header has 2: remove what is too much, or put a field with commas in quotes\n"
     "5! 15 t:5: 3 fields where the header has 2: remove the separator at the end of the line\n"
     "4 rows, 1\n"},
    {"t", BYTES("a,b,\n1,2,\n1,2,3\n1,2\n1,2,,\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: a b\n"
     "2: 1 2\n"
     "3! 15 t:3: column 3: '3' is in a column without a name: name it in the header, or remove it\n"
     "4: 1 2\n"
     "5! 15 t:5: 4 fields where the header has 2: remove what is too much, or put a field with commas in quotes\n"
     "4 rows, 1\n"},
    {"t", BYTES("a,b,,\n1,2,,\n1,2\n1,2, ,\n1,2,,x\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: a b\n"
     "2: 1 2\n"
     "3: 1 2\n"
     "4: 1 2\n"
     "5! 15 t:5: column 4: 'x' is in a column without a name: name it in the header, or remove it\n"
     "4 rows, 1\n"},
    {"t", BYTES("a\n1\n1,2\n"), NULL, OKRA_HEADER_AUTO, 0,
     "1: a\n"
     "2: 1\n"
     "3! 15 t:3: 2 fields where the header has 1: remove what is too much, or put a field with commas in quotes\n"
     "2 rows, 1\n"},
    {"t", BYTES("title\na,b\n1,2\n"), NULL, OKRA_HEADER_AUTO, 0,
     "1: title\n"
     "2! 15 t:2: 2 fields where the header has 1: remove the lines above the header, or begin them with '#'; or write decimals with a point\n"
     "3! 15 t:3: 2 fields where the header has 1: remove what is too much, or put a field with commas in quotes\n"
     "2 rows, 1\n"},
    {"t", BYTES("title\na,b,c\n1,2,3\n"), NULL, OKRA_HEADER_AUTO, 0,
     "1: title\n"
     "2! 15 t:2: 3 fields where the header has 1: remove the lines above the header, or begin them with '#'\n"
     "3! 15 t:3: 3 fields where the header has 1: remove what is too much, or put a field with commas in quotes\n"
     "2 rows, 1\n"},
    {"t", BYTES("title\na;b;c\n1;2;3\n"), NULL, OKRA_HEADER_AUTO, 0,
     "1: title\n"
     "2! 15 t:2: column 1 (title): 'a;b;c' is not a number: remove the lines above the header, or begin them with '#'\n"
     "3! 15 t:3: column 1 (title): '1;2;3' is not a number: write decimals with a point, and the same separator in every line\n"
     "2 rows, 1\n"},
    {"t", BYTES("a,b\n1,2,3\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: a b\n"
     "2! 15 t:2: 3 fields where the header has 2: remove what is too much, put a field with commas in quotes, or name the first column in the header, if it names the rows\n"
     "1 rows, 1\n"},
    {"t", BYTES("a,b\n1,2\n1,2,3\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: a b\n"
     "2: 1 2\n"
     "3! 15 t:3: 3 fields where the header has 2: remove what is too much, or put a field with commas in quotes\n"
     "2 rows, 1\n"},
    {"t", BYTES("1,2\n1,2,3\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2:\n"
     "1: 1 2\n"
     "2! 15 t:2: 3 fields where the first row has 2: remove what is too much, or put a field with commas in quotes\n"
     "2 rows, 1\n"},
    {"t", BYTES("1\n1,2\n"), NULL, OKRA_HEADER_AUTO, 0,
     "1:\n"
     "1: 1\n"
     "2! 15 t:2: 2 fields where the first row has 1: remove the lines above the header, or begin them with '#'; or write decimals with a point\n"
     "2 rows, 1\n"},
    {"t", BYTES("x;y\n1,5;2\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: x y\n"
     "2! 15 t:2: column 1 (x): '1,5' has a decimal comma: write decimals with a point, as in tr ',;' '.,'\n"
     "1 rows, 1\n"},
    {"t", BYTES("x;y\n1;2\n1;2,5,3\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: x y\n"
     "2: 1 2\n"
     "3! 15 t:3: column 2 (y): '2,5,3' is not a number: write decimals with a point, and the same separator in every line\n"
     "2 rows, 1\n"},
    {"t", BYTES("x\ty\n1,5\t2\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: x y\n"
     "2! 15 t:2: column 1 (x): '1,5' has a decimal comma: write decimals with a point, as in tr ',' '.'\n"
     "1 rows, 1\n"},
    {"t", BYTES("x,y\n1;2,3\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: x y\n"
     "2! 15 t:2: column 1 (x): '1;2' is not a number: write decimals with a point, and the same separator in every line\n"
     "1 rows, 1\n"},
    {"t", BYTES("1,5;2\n"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t:1: has a decimal comma: write decimals with a point, as in tr ',;' '.,'\n"},
    {"t", BYTES("1,5\t2\n"), NULL, OKRA_HEADER_NO, 0,
     "2:\n"
     "1! 15 t:1: column 1: '1,5' has a decimal comma: write decimals with a point, as in tr ',' '.'\n"
     "1 rows, 1\n"},
    {"t", BYTES("a b\n1 2\n"), NULL, OKRA_HEADER_AUTO, 0,
     "1: a b\n"
     "2! 15 t:2: column 1 (a b): '1 2' holds numbers separated by blanks: separate them by commas or tabs, as in awk '{$1=$1}1' OFS=,\n"
     "1 rows, 1\n"},
    {"t", BYTES("1 2 3\n"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t:1: holds numbers separated by blanks: separate them by commas or tabs, as in awk '{$1=$1}1' OFS=,\n"},
    {"t", BYTES("1|2|3\n"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t:1: holds numbers separated by '|': separate them by commas or tabs, as in tr '|' ','\n"},
    {"t", BYTES("x\n1 2 3\n"), NULL, OKRA_HEADER_AUTO, 0,
     "1: x\n"
     "2! 15 t:2: column 1 (x): '1 2 3' holds numbers separated by blanks: separate them by commas or tabs, as in awk '{$1=$1}1' OFS=,\n"
     "1 rows, 1\n"},
    {"t", BYTES("x\n1|2\n"), NULL, OKRA_HEADER_AUTO, 0,
     "1: x\n"
     "2! 15 t:2: column 1 (x): '1|2' holds numbers separated by '|': separate them by commas or tabs, as in tr '|' ','\n"
     "1 rows, 1\n"},
    {"t", BYTES("2000,2001,b\n1,2,3\n"), NULL, OKRA_HEADER_AUTO, 0,
     "3: 2000 2001 b NOTE t:1: is taken for the names of the columns, though 2 of 3 are numbers: if it is a row, say so (header no)\n"
     "2: 1 2 3\n"
     "1 rows, 1\n"},
    {"t", BYTES("2000,b\n1,2\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: 2000 b NOTE t:1: is taken for the names of the columns, though 1 of 2 is a number: if it is a row, say so (header no)\n"
     "2: 1 2\n"
     "1 rows, 1\n"},
    {"t", BYTES("2000,b\n1,2\n"), NULL, OKRA_HEADER_YES, 0,
     "2: 2000 b\n"
     "2: 1 2\n"
     "1 rows, 1\n"},
    {"t", BYTES("2000,b\n1,2\n"), NULL, OKRA_HEADER_NO, 0,
     "2:\n"
     "1! 15 t:1: column 2: 'b' is not a number: correct it, leave it empty if there is no value, or leave its column out\n"
     "2: 1 2\n"
     "2 rows, 1\n"},
    {"t", BYTES("a,\"b\n1,2\n3,4\n"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t:1: a quote (\") is opened and never closed: close it or remove it\n"},
    {"t", BYTES("a,b\n\"1,2\n3,4\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: a b\n"
     "2! 15 t:2: a quote (\") is opened and never closed: close it or remove it\n"
     "3: 3 4\n"
     "2 rows, 1\n"},
    {"t", BYTES("a,b\n1,\"2\"x\n\"1\",\"2\"\n\" 1 \",\"2\"\"3\"\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: a b\n"
     "2! 15 t:2: column 2 (b): '\"2\"x' is not a number: correct it, leave it empty if there is no value, or leave its column out\n"
     "3: 1 2\n"
     "4! 15 t:4: column 2 (b): '2\"\"3' is not a number: correct it, leave it empty if there is no value, or leave its column out\n"
     "3 rows, 1\n"},
    {"t", BYTES("\"a \"\"q\"\"\",b\n1,2\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: a \"q\" b\n"
     "2: 1 2\n"
     "1 rows, 1\n"},
    {"t", BYTES("# c\n\na,b\n# d\n\n1,2\n #e\n3,4\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: a b\n"
     "6: 1 2\n"
     "8: 3 4\n"
     "2 rows, 1\n"},
    {"t", BYTES("#N/A,1\n#DIV/0!,2\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2:\n"
     "1: - 1\n"
     "2! 15 t:2: column 1: '#DIV/0!' is not a number: correct it, leave it empty if there is no value, or leave its column out\n"
     "2 rows, 1\n"},
    {"t", BYTES(""), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t: is empty: it needs rows of numbers, a header above them if you like\n"},
    {"t", BYTES("\n\n"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t: is empty: it needs rows of numbers, a header above them if you like\n"},
    {"t", BYTES("\357\273\277a,b\r\n1,2\r\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: a b\n"
     "2: 1 2\n"
     "1 rows, 1\n"},
    {"t", BYTES("a,b\n1,\0002\n3,4\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: a b\n"
     "2! 15 t:2: holds a zero byte: the file is damaged here: remove the line\n"
     "3: 3 4\n"
     "2 rows, 1\n"},
    {"t", BYTES("a\000,b\n1,2\n"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t:1: holds a zero byte, so it is not CSV text: if it is UTF-16, save it as UTF-8\n"},
    {"t", BYTES("a,b\r1,2\r"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t:1: lines end in CR alone: convert them, as in tr '\\r' '\\n'\n"},
    {"t", BYTES("{\"a\":1}\n"), NULL, OKRA_HEADER_AUTO, 0,
     "1: a\n"
     "1: 1\n"
     "1 rows, 1\n"},
    {"t", BYTES("[1,2]\n"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t:1: is JSON, of which an object a line can be read: make that, as in jq -c '.[]'\n"},
    {"t", BYTES("{x},b\n1,2\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: {x} b\n"
     "2: 1 2\n"
     "1 rows, 1\n"},
    {"t", BYTES("[m/s],b\n1,2\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: [m/s] b\n"
     "2: 1 2\n"
     "1 rows, 1\n"},
    {"t", BYTES("a,b\n1,2\n"), NULL, OKRA_HEADER_AUTO, 3,
     "! 15 t: has 2 columns, not 3: check the number that is asked for\n"},
    {"t", BYTES("a\n1\n"), NULL, OKRA_HEADER_AUTO, 2,
     "! 15 t: has 1 column, not 2: check the number that is asked for\n"},
    {"t", BYTES("a,b\n1,2\n"), "tsv", OKRA_HEADER_AUTO, 0,
     "1: a,b\n"
     "2! 15 t:2: column 1 (a,b): '1,2' has a decimal comma: write decimals with a point, as in tr ',' '.'\n"
     "1 rows, 1\n"},
    {"t.tsv", BYTES("a\tb\n1\t2\n\t3\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: a b\n"
     "2: 1 2\n"
     "3: - 3\n"
     "2 rows, 1\n"},
    {"t.csv", BYTES("a;b\n1;2\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: a b\n"
     "2: 1 2\n"
     "1 rows, 1\n"},
    {"t", BYTES("a,b\n 1 , +2 \n-.5,1e-3\n0x10,2\n1_000,3\n1.,.\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: a b\n"
     "2: 1 2\n"
     "3: -0.5 0.001\n"
     "4! 15 t:4: column 1 (a): '0x10' is not a number: correct it, leave it empty if there is no value, or leave its column out\n"
     "5! 15 t:5: column 1 (a): '1_000' is not a number: correct it, leave it empty if there is no value, or leave its column out\n"
     "6! 15 t:6: column 2 (b): '.' is not a number: correct it, leave it empty if there is no value, or leave its column out\n"
     "5 rows, 1\n"},
    {"t", BYTES("a\n1\n\n\n"), NULL, OKRA_HEADER_AUTO, 0,
     "1: a\n"
     "2: 1\n"
     "1 rows, 1\n"},
    {"t", BYTES("\n1\n\n2\n"), NULL, OKRA_HEADER_AUTO, 0,
     "1:\n"
     "2: 1\n"
     "3: -\n"
     "4: 2\n"
     "3 rows, 1\n"},
    {"r", BYTES("\000\000\000\000\000\000\360?\000\000\000\000\000\000\000@\000\000\000\000\000\000\010@\000\000\000\000\000\000\020@"), "f64", OKRA_HEADER_AUTO, 2,
     "2:\n"
     "1: 1 2\n"
     "2: 3 4\n"
     "2 rows, 1\n"},
    {"r", BYTES("\000\000\000\000\000\000\360?\000\000\000\000\000\000\000@\000\000\000\000\000\000\010@"), "f64", OKRA_HEADER_AUTO, 2,
     "! 15 r: its 24 bytes are no whole number of rows of 16 bytes (2 columns of f64): check the number of columns\n"},
    {"r", BYTES("\000\000\000\000\000\000\360?xyz"), "f64", OKRA_HEADER_AUTO, 0,
     "! 15 r: its 11 bytes are no whole number of rows of 8 bytes (1 column of f64): check the number of columns\n"},
    {"r", BYTES("\000\000\200?\000\000\000@\000\000@@"), "f32", OKRA_HEADER_AUTO, 2,
     "! 15 r: its 12 bytes are no whole number of rows of 8 bytes (2 columns of f32): check the number of columns\n"},
    {"r", BYTES("\000\000\200?\000\000\000@x"), "f32", OKRA_HEADER_AUTO, 0,
     "! 15 r: its 9 bytes are no whole number of rows of 4 bytes (1 column of f32): check the number of columns\n"},
    {"r", BYTES("\000\000\000\000\000\000\360?\000\000\000\000\000\000\360\177\000\000\000\000\000\000\370\177\000\000\000\000\000\000\000@\000\000\000\000\000\000\360\377\000\000\000\000\000\000\360\177"), "f64", OKRA_HEADER_AUTO, 2,
     "2:\n"
     "1! 15 r: row 1: column 2: is not finite: correct it, or make it NaN if there is no value\n"
     "2: - 2\n"
     "3! 15 r: row 3: column 1: is not finite: correct it, or make it NaN if there is no value\n"
     "3 rows, 1\n"},
    {"x.raw", BYTES("\000\000\000\000\000\000\360?"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 x.raw: its name does not tell what numbers it holds: give the format, one of f64, f32\n"},
    {"x.bin", BYTES("\000\000\000\000\000\000\360?"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 x.bin: its name does not tell what numbers it holds: give the format, one of f64, f32\n"},
    {"x.f32", BYTES("\000\000\200?\000\000\000@"), NULL, OKRA_HEADER_AUTO, 0,
     "1:\n"
     "1: 1\n"
     "2: 2\n"
     "2 rows, 1\n"},
    {"n", BYTES("\223NUMPY\001\000;\000{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }\000\000\000\000\000\000\360?\000\000\000\000\000\000\000@\000\000\000\000\000\000\010@\000\000\000\000\000\000\020@"), NULL, OKRA_HEADER_AUTO, 0,
     "2:\n"
     "1: 1 2\n"
     "2: 3 4\n"
     "2 rows, 1\n"},
    {"n", BYTES("\223NUMPY\001\000:\000{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2), }\000\000\000\000\000\000\360?\000\000\000\000\000\000\000@\000\000\000\000\000\000\010@\000\000\000\000\000\000\020@"), NULL, OKRA_HEADER_AUTO, 0,
     "2:\n"
     "1: 1 3\n"
     "2: 2 4\n"
     "2 rows, 1\n"},
    {"n", BYTES("\223NUMPY\001\0009\000{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }\000\000\000\000\000\000\360?\000\000\000\000\000\000\000@"), NULL, OKRA_HEADER_AUTO, 0,
     "1:\n"
     "1: 1\n"
     "2: 2\n"
     "2 rows, 1\n"},
    {"n", BYTES("\223NUMPY\001\000;\000{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }\000\000\000\000\000\000\360?\000\000\000\000\000\000\000@\000\000\000\000\000\000\010@\000\000\000\000\000\000\020@"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 n: its header tells of 3 rows, and the file ends within row 3: it was cut short\n"},
    {"n", BYTES("\223NUMPY\001\000:\000{'descr': '<f8', 'fortran_order': True, 'shape': (3, 2), }\000\000\000\000\000\000\360?\000\000\000\000\000\000\000@\000\000\000\000\000\000\010@\000\000\000\000\000\000\020@"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 n: its header tells of 3 rows, and the file ends within row 3: it was cut short\n"},
    {"n", BYTES("\223NUMPY\001\000;\000{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }\000\000\000\000\000\000\360?\000\000\000\000\000\000\000@\000\000\000\000\000\000\360\177\000\000\000\000\000\000\020@"), NULL, OKRA_HEADER_AUTO, 0,
     "2:\n"
     "1: 1 2\n"
     "2! 15 n: row 2: column 1: is not finite: correct it, or make it NaN if there is no value\n"
     "2 rows, 1\n"},
    {"n", BYTES("\223NUMPY\001\0009\000{'descr': '<i8', 'fortran_order': False, 'shape': (3,), }\000\000\000\000\000\000 \000\001\000\000\000\000\000 \000\000\000\000\000\000\000\340\377"), NULL, OKRA_HEADER_AUTO, 0,
     "1:\n"
     "1: 9007199254740992\n"
     "2! 15 n: row 2: column 1: is beyond 2^53, where not every whole number is a float64: save array.astype(float), if it may be rounded\n"
     "3: -9007199254740992\n"
     "3 rows, 1\n"},
    {"n", BYTES("\223NUMPY\001\0009\000{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }\377\377\377\377\377\377\337\377\000\000\000\000\000\000\000\200"), NULL, OKRA_HEADER_AUTO, 0,
     "1:\n"
     "1! 15 n: row 1: column 1: is beyond 2^53, where not every whole number is a float64: save array.astype(float), if it may be rounded\n"
     "2! 15 n: row 2: column 1: is beyond 2^53, where not every whole number is a float64: save array.astype(float), if it may be rounded\n"
     "2 rows, 1\n"},
    {"n", BYTES("\223NUMPY\001\0009\000{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }\000\177\377"), NULL, OKRA_HEADER_AUTO, 0,
     "1:\n"
     "1: 0\n"
     "2: 127\n"
     "3: 255\n"
     "3 rows, 1\n"},
    {"n", BYTES("\223NUMPY\001\0009\000{'descr': '|i1', 'fortran_order': False, 'shape': (3,), }\200\177\377"), NULL, OKRA_HEADER_AUTO, 0,
     "1:\n"
     "1: -128\n"
     "2: 127\n"
     "3: -1\n"
     "3 rows, 1\n"},
    {"n", BYTES("\223NUMPY\001\0009\000{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }\000\001"), NULL, OKRA_HEADER_AUTO, 0,
     "1:\n"
     "1: 0\n"
     "2: 1\n"
     "2 rows, 1\n"},
    {"n", BYTES("\223NUMPY\001\0009\000{'descr': '<U5', 'fortran_order': False, 'shape': (2,), }"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 n: holds values of type '<U5': save float64 or float32, numpy.save(FILE, array.astype(float))\n"},
    {"n", BYTES("\223NUMPY\001\000N\000{'descr': '<c16-and-much-more-of-it', 'fortran_order': False, 'shape': (2,), }"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 n: holds values of type '<c16-and-much-more-o': save float64 or float32, numpy.save(FILE, array.astype(float))\n"},
    {"n", BYTES("\223NUMPY\001\000B\000{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,), }"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 n: holds records, not numbers: save one field or a plain table of numbers\n"},
    {"n", BYTES("\223NUMPY\001\0007\000{'descr': '<f8', 'fortran_order': False, 'shape': (), }\000\000\000\000\000\000\360?"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 n: is no table but a single value: save rows, numpy.save(FILE, array.reshape(1))\n"},
    {"n", BYTES("\223NUMPY\001\000>\000{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 1), }\000\000\000\000\000\000\360?"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 n: is no table: give it one or two dimensions, array.reshape(len(array), -1)\n"},
    {"n", BYTES("\223NUMPY\001\000;\000{'descr': '<f8', 'fortran_order': False, 'shape': (2, 0), }"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 n: has rows of 0 numbers: 1 to 4194304 can be read\n"},
    {"n", BYTES("\223NUMPY\001\000A\000{'descr': '<f8', 'fortran_order': False, 'shape': (0, 4194305), }"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 n: has rows of 4194305 numbers: 1 to 4194304 can be read\n"},
    {"n", BYTES("\223NUMPY\001\000A\000{'descr': '<f8', 'fortran_order': False, 'shape': (0, 4194304), }"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 n: its header tells of 4194304 columns, and it ends within the first row: it was cut short, or is empty\n"},
    {"n", BYTES("\223NUMPY\001\000;\000{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3), }"), NULL, OKRA_HEADER_AUTO, 0,
     "3:\n"
     "0 rows, 1\n"},
    {"n", BYTES("\223NUMPY\001\000K\000{'descr': '<f8', 'fortran_order': False, 'shape': (1152921504606846976,), }"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 n: its header tells of more rows than any file can hold: it is damaged\n"},
    {"n", BYTES("\223NUMPY\001\000L\000{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,), }"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 n: its NPY header makes no sense: save it again with numpy.save()\n"},
    {"n", BYTES("\223NUMPY\001\0009\000{'descr': '<f8', 'fortran_order': Falsy, 'shape': (2,), }"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 n: its NPY header makes no sense: save it again with numpy.save()\n"},
    {"n", BYTES("\223NUMPY\001\0007\000{'descr': '<f8', 'fortran_order': False, 'shape': (2, }"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 n: its NPY header makes no sense: save it again with numpy.save()\n"},
    {"n", BYTES("\223NUMPY\001\000!\000{'descr': '<f8', 'shape': (1,), }\000\000\000\000\000\000\360?"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 n: its NPY header makes no sense: save it again with numpy.save()\n"},
    {"n", BYTES("\223NUMPY\001\0008\000{'descr': '<f8', 'fortran_order': False, 'shape': (1L,)}\000\000\000\000\000\000\360?"), NULL, OKRA_HEADER_AUTO, 0,
     "1:\n"
     "1: 1\n"
     "1 rows, 1\n"},
    {"n", BYTES("\223NUMPY\001\0004\000{\"shape\":(1,),\"fortran_order\":True,\"descr\":\">f8\"}  \n@\034\000\000\000\000\000\000"), NULL, OKRA_HEADER_AUTO, 0,
     "1:\n"
     "1: 7\n"
     "1 rows, 1\n"},
    {"n", BYTES("\223NUMPY\001\000;\000{'descr': '<f8', 'fortran_order': False, 'shape': (1,), } x\000\000\000\000\000\000\360?"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 n: its NPY header makes no sense: save it again with numpy.save()\n"},
    {"n", BYTES("\223NUMPY\002\0009\000\000\000{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }\000\000\000\000\000\000\360?"), NULL, OKRA_HEADER_AUTO, 0,
     "1:\n"
     "1: 1\n"
     "1 rows, 1\n"},
    {"n", BYTES("\223NUMPY\003\0009\000\000\000{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }\000\000\000\000\000\000\360?"), NULL, OKRA_HEADER_AUTO, 0,
     "1:\n"
     "1: 1\n"
     "1 rows, 1\n"},
    {"n", BYTES("\223NUMPY\004\0009\000\000\000{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }\000\000\000\000\000\000\360?"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 n: is of an NPY format that is not known here: save it as 1.0, 2.0 or 3.0\n"},
    {"n", BYTES("\223NUMPY\000\0009\000\000\000{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }\000\000\000\000\000\000\360?"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 n: is of an NPY format that is not known here: save it as 1.0, 2.0 or 3.0\n"},
    {"n", BYTES("\223NUMPY\001\0009"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 n: ends within its NPY header: it was cut short\n"},
    {"n", BYTES("\223NUMPY\001\0009\000{"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 n: ends within its NPY header: it was cut short\n"},
    {"n", BYTES("\223NUMPY\001\0009\000{'descr': '<f8', 'fortran_orde"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 n: ends within its NPY header: it was cut short\n"},
    {"n", BYTES("a,b\n1,2\n"), "npy", OKRA_HEADER_AUTO, 0,
     "! 15 n: does not begin as an NPY file: check the name, or the format asked for\n"},
    {"n", BYTES("\223NUMPY\001\000;\000{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }\000\000\000\000\000\000\360?\000\000\000\000\000\000\000@\000\000\000\000\000\000\010@\000\000\000\000\000\000\020@"), NULL, OKRA_HEADER_AUTO, 3,
     "! 15 n: has 2 columns, not 3: check the number that is asked for\n"},
    {"t", BYTES("\037\213xxxx"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t: begins as a compressed file does, and is not gzip, or was cut short: decompress it, or copy it again\n"},
    {"t", BYTES("\037"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t: begins as a compressed file does, and is not gzip, or was cut short: decompress it, or copy it again\n"},
    {"t", BYTES("BZh91AY&SYxx"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t: is compressed: decompress it first, with bunzip2 or through a pipe from bzcat\n"},
    {"t", BYTES("\3757zXZ\000"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t: is compressed: decompress it first, with unxz or through a pipe from xzcat\n"},
    {"t", BYTES("(\265/\375xx"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t: is compressed: decompress it first, with unzstd or through a pipe from zstdcat\n"},
    {"t", BYTES("PK\003\004xx"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t: is a zip archive (.npz, .xlsx): save the table as CSV or as a plain .npy\n"},
    {"t", BYTES("\320\317\021\340xx"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t: is an old Excel file: save the table as CSV\n"},
    {"t", BYTES("\211HDFxx"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t: is an HDF5 file: save the table as CSV or with numpy.save()\n"},
    {"t", BYTES("PAR1\025xx"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t: is a Parquet file: save the table as CSV or with numpy.save()\n"},
    {"t", BYTES("PAR1,b\n1,2\n"), NULL, OKRA_HEADER_AUTO, 0,
     "2: PAR1 b\n"
     "2: 1 2\n"
     "1 rows, 1\n"},
    {"t", BYTES("MATLAB 5.0 MAT-file, x"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t: is a MATLAB file: save the table as CSV, with writematrix()\n"},
    {"t", BYTES("MATLAB 7.3 MAT-file, x"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t: is a MATLAB file: save the table as CSV, with writematrix()\n"},
    {"t", BYTES("12345678{\"__metadata__\":{}}"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t: is a model, and rows of numbers are needed: load it as a model\n"},
    {"t", BYTES("RIFFxxxx"), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t: its header tells of 2021161088 bytes, and it has 8: it was cut short: copy it again, or save what is left with 'sox --ignore-length'\n"},
    {"t.wav", BYTES(""), NULL, OKRA_HEADER_AUTO, 0,
     "! 15 t.wav: is empty or no regular file, which audio needs: name the file, or send raw numbers, as 'sox x.wav -t f32 -' does\n"},
};
/* clang-format on */

/* ---- an input as text ------------------------------------------------------------------------------------------- */

typedef struct account {
    char text[4096];
    size_t length;
} account;

__attribute__((format(printf, 2, 3))) static void tell(account *a, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    a->length += (size_t)vsnprintf(a->text + a->length, sizeof a->text - a->length, format, arguments);
    va_end(arguments);
    assert_true(a->length < sizeof a->text);
}

static void tell_columns(account *a, const okra_table *reader)
{
    size_t columns = okra_table_get(reader)->columns;
    tell(a, "%zu:", columns);
    for (size_t c = 0; c < columns && okra_table_column_name(reader, c); c++)
        tell(a, " %s", okra_table_column_name(reader, c));
    assert_null(okra_table_column_name(reader, columns));
    tell(a, "%s%s\n", okra_table_get(reader)->note ? " NOTE " : "",
         okra_table_get(reader)->note ? okra_table_get(reader)->note : "");
}

/* A row as "LINE: numbers" or "LINE! message"; false at the end. */
static bool tell_row(account *a, okra_table *reader)
{
    enum { FEW = 8 };
    double row[FEW] = {0};
    bool more = false;
    okra_message why = {""};
    assert_true(okra_table_get(reader)->columns <= FEW);
    okra_status status = okra_table_next(reader, row, &more, &why);
    if (status)
        tell(a, "%llu! %d %s\n", (unsigned long long)okra_table_get(reader)->line, (int)status, why.text);
    if (status || !more)
        return more;
    tell(a, "%llu:", (unsigned long long)okra_table_get(reader)->line);
    for (size_t c = 0; c < okra_table_get(reader)->columns; c++)
        tell(a, isnan(row[c]) ? " -" : " %.17g", row[c]);
    tell(a, "\n");
    return true;
}

static void tell_input(account *a, const input *in)
{
    okra_table_options options = {.format = in->format, .header = in->header, .columns = in->columns};
    okra_table *reader;
    okra_message why = {""};
    a->length = 0;
    write_bytes(in->name, in->bytes, in->length);
    okra_status status = okra_table_open(in->name, &options, &reader, &why);
    if (status) {
        tell(a, "! %d %s\n", (int)status, why.text);
        assert_null(reader);
        assert_status(okra_table_open(in->name, &options, &reader, NULL), status);
        return;
    }
    tell_columns(a, reader);
    for (int rows = 0; rows < 12 && okra_table_get(reader)->columns < 9 && tell_row(a, reader); rows++)
        ;
    tell(a, "%llu rows, %.6g\n", (unsigned long long)okra_table_get(reader)->rows, okra_table_progress(reader));
    okra_table_close(reader);
}

static void inputs_are_told_in_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(inputs); i++) {
        static account a;
        tell_input(&a, &inputs[i]);
        if (strcmp(a.text, inputs[i].wanted) != 0)
            fail_msg("input %zu (%s):\n%s\nand not\n%s", i, inputs[i].bytes, a.text, inputs[i].wanted);
    }
}

/* Skipping gives the rows behind: at every place of every table. */
static void rows_are_skipped_one_by_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(inputs); i++) {
        static account whole, rest;
        okra_table_options options = {.format = inputs[i].format, .header = inputs[i].header};
        okra_table *reader, *skipping;
        write_bytes(inputs[i].name, inputs[i].bytes, inputs[i].length);
        if (okra_table_open(inputs[i].name, &options, &reader, NULL))
            continue;
        for (uint64_t skip = 1; okra_table_get(reader)->columns < 9; skip++) {
            assert_ok(okra_table_open(inputs[i].name, &options, &skipping, NULL));
            whole.length = rest.length = 0;
            bool more = tell_row(&whole, reader);
            okra_status skipped = okra_table_skip(skipping, skip, NULL);
            assert_true(more == !skipped);
            assert_int_equal(okra_table_get(skipping)->rows, okra_table_get(reader)->rows);
            okra_table_close(skipping);
            if (!more)
                break;
            assert_ok(okra_table_open(inputs[i].name, &options, &skipping, NULL));
            assert_ok(okra_table_skip(skipping, skip - 1, NULL));
            tell_row(&rest, skipping);
            assert_string_equal(rest.text, whole.text);
            okra_table_close(skipping);
        }
        okra_table_close(reader);
    }
}

/* What is asked of nothing. */
static void nobody_answers_nothing(void **state)
{
    (void)state;
    okra_table *reader;
    okra_message why;
    double row[1];
    bool more;
    size_t ahead = 7;
    char text[4] = "xyz";
    assert_near(okra_table_progress(NULL), -1, 0);
    assert_int_equal(okra_table_get(NULL)->rows, 0);
    assert_int_equal(okra_table_get(NULL)->columns, 0);
    assert_int_equal(okra_table_get(NULL)->line, 0);
    assert_null(okra_table_get(NULL)->note);
    assert_null(okra_table_column_name(NULL, 0));
    assert_string_equal(okra_table_get(NULL)->path, "");
    assert_int_equal(okra_table_get(NULL)->audio.rate, 0);
    assert_null(okra_table_get(NULL)->format);
    assert_int_equal(okra_table_text(NULL, 0, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_status(okra_table_skip(NULL, 1, &why), OKRA_E_NULL);
    assert_string_equal(why.text, okra_strerror(OKRA_E_NULL));
    assert_status(okra_table_part(NULL, 0, 1, 0, &ahead, &why), OKRA_E_NULL);
    assert_status(okra_table_open("t", NULL, NULL, &why), OKRA_E_NULL);
    write_file("t", "1,2\n3,4\n");
    assert_ok(okra_table_open("t", NULL, &reader, NULL));
    assert_status(okra_table_next(reader, NULL, &more, &why), OKRA_E_NULL);
    assert_status(okra_table_next(reader, row, NULL, &why), OKRA_E_NULL);
    assert_status(okra_table_use(reader, NULL), OKRA_E_NULL);
    assert_status(okra_table_part(reader, 0, 1, 0, NULL, &why), OKRA_E_NULL);
    assert_int_equal(okra_table_get(reader)->audio.rate, 0);
    assert_status(okra_table_part(reader, 1, 1, 0, &ahead, &why), OKRA_E_PARAMETER);
    assert_string_equal(why.text,
                        "t: part 1 of 1 cannot be read: parts count from 0, and are chosen before the first row");
    assert_status(okra_table_part(reader, 0, (size_t)UINT32_MAX + 1, 0, &ahead, NULL), OKRA_E_PARAMETER);
    assert_ok(okra_table_part(reader, 0, 1, 5, &ahead, NULL));
    assert_int_equal(ahead, 0);
    assert_int_equal(okra_table_text(reader, 2, text, sizeof text), 0);
    okra_table_close(reader);
}

/* Choices that are none, and columns beyond what can be. */
static void options_are_checked(void **state)
{
    (void)state;
    static const struct {
        okra_table_options options;
        const char *wanted;
    } cases[] = {
        {{.format = "xls"}, "t: no format 'xls': use one of csv, tsv, jsonl, npy, f64, f32, wav, flac, sound"},
        {{.header = OKRA_HEADER_NO + 1}, "t: no such header choice: use the names in okra/io.h"},
        {{.columns = 4194305}, "t: 4194305 columns are too many: at most 4194304"},
        {{.columns = 4194304}, "t: has 2 columns, not 4194304: check the number that is asked for"},
    };
    write_file("t", "1,2\n");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        okra_table *reader;
        okra_message why;
        assert_status(okra_table_open("t", &cases[i].options, &reader, &why), i < 3 ? OKRA_E_PARAMETER : OKRA_E_FORMAT);
        assert_string_equal(why.text, cases[i].wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_are_told_in_whole),
        cmocka_unit_test(rows_are_skipped_one_by_one),
        cmocka_unit_test(nobody_answers_nothing),
        cmocka_unit_test(options_are_checked),
    };
    return cmocka_run_group_tests_name("told in whole", tests, enter_directory, leave_directory);
}
