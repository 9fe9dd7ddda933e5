/*
 * Errors, which carry the library's words and an identifier that is made from its list of statuses; and arguments of
 * the host as numbers, texts and rows, and back.
 */
#include "gateway.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* "OKRA_E_SAMPLE" is told as okra:sample. */
static void identify(okra_status status, char id[64])
{
    const char *name = "OKRA_E_UNKNOWN";
    switch (status) {
#define NAME_OF(enumerator, value, text) \
    case enumerator:                     \
        name = #enumerator;              \
        break;
        OKRA_STATUS_LIST(NAME_OF)
#undef NAME_OF
    }
    int length = snprintf(id, 64, "okra:%s", name + strlen("OKRA_E_"));
    for (int i = 0; i < length; i++)
        id[i] = (char)tolower((unsigned char)id[i]);
}

void fail(okra_status status, const char *format, ...)
{
    char id[64], text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    identify(status, id);
    mexErrMsgIdAndTxt(id, "%s", text);
    __builtin_unreachable();
}

void expect(okra_status status)
{
    if (status == OKRA_E_ORDER)
        fail(status, "no row was begun: call begin() before commit()");
    if (status)
        fail(status, "%s", okra_strerror(status));
}

void expect_said(okra_status status, const okra_message *why)
{
    if (status)
        fail(status, "%s", why->text);
}

char *text_of(const mxArray *array, const char *what)
{
    char *text = mxIsChar(array) ? mxArrayToString(array) : NULL;
    if (!text)
        fail(OKRA_E_PARAMETER, "%s must be a text, as in 'rff-klms'", what);
    return text;
}

size_t count_of(const mxArray *array, const char *what)
{
    bool number =
        (mxIsNumeric(array) || mxIsLogical(array)) && !mxIsComplex(array) && mxGetNumberOfElements(array) == 1;
    double value = number ? mxGetScalar(array) : -1;
    if (!(value >= 0 && value <= 0x1p53 && floor(value) == value))
        fail(OKRA_E_PARAMETER, "%s must be a whole number, 0 or more", what);
    return (size_t)value;
}

char *value_text(const mxArray *array, const char *name)
{
    if (mxIsChar(array))
        return text_of(array, name);
    size_t n = mxGetNumberOfElements(array), used = 0;
    bool several = mxIsDouble(array) && n > 1;
    if (!(mxIsNumeric(array) || mxIsLogical(array)) || mxIsComplex(array) || n < 1 || n > OKRA_INPUT_WIDTHS_MAX ||
        (n > 1 && !several))
        fail(OKRA_E_PARAMETER, "%s must be a text, a number, or a few numbers", name);
    char *text = mxMalloc(OKRA_VALUE_TEXT);
    for (size_t i = 0; i < n; i++) {
        double value = several ? ((const double *)mxGetData(array))[i] : mxGetScalar(array);
        used += (size_t)snprintf(text + used, OKRA_VALUE_TEXT - used, "%s%.17g", i ? "," : "", value);
    }
    return text;
}

void expect_matrix(const mxArray *array, const char *what)
{
    if (mxIsComplex(array))
        fail(OKRA_E_PARAMETER, "%s is complex: take real(%s), or give real and imaginary parts as two columns", what,
             what);
    if (!(mxIsDouble(array) || mxIsSingle(array)) || mxIsSparse(array) || mxGetNumberOfDimensions(array) != 2)
        fail(OKRA_E_PARAMETER, "%s must be a full real matrix of class double or single", what);
}

/* A matrix as it lies in memory: how far it is from one row to the next, and from one column to the next. */
typedef struct layout {
    size_t row, col;
} layout;

#define DEFINE_COPY(name, FROM, TO)                                                                      \
    static void name(size_t rows, size_t cols, const void *from, layout of_from, void *to, layout of_to) \
    {                                                                                                    \
        for (size_t j = 0; j < cols; j++)                                                                \
            for (size_t i = 0; i < rows; i++)                                                            \
                ((TO *)to)[i * of_to.row + j * of_to.col] =                                              \
                    (TO)((const FROM *)from)[i * of_from.row + j * of_from.col];                         \
    }
DEFINE_COPY(copy_doubles, double, double)
DEFINE_COPY(copy_singles, float, float)
DEFINE_COPY(narrow, double, float)
DEFINE_COPY(widen, float, double)

void rows_read(const mxArray *matrix, size_t first, size_t n, bool single, void *out)
{
    size_t cols = mxGetN(matrix);
    layout columns = {1, mxGetM(matrix)}, rows = {cols, 1};
    const char *from = (const char *)mxGetData(matrix) + first * mxGetElementSize(matrix);
    if (mxIsDouble(matrix))
        (single ? narrow : copy_doubles)(n, cols, from, columns, out, rows);
    else
        (single ? copy_singles : widen)(n, cols, from, columns, out, rows);
}

void rows_write(mxArray *matrix, size_t first, size_t n, bool single, const void *in)
{
    size_t cols = mxGetN(matrix);
    layout columns = {1, mxGetM(matrix)}, rows = {cols, 1};
    char *to = (char *)mxGetData(matrix) + first * mxGetElementSize(matrix);
    (single ? copy_singles : copy_doubles)(n, cols, in, rows, to, columns);
}

mxArray *new_matrix(size_t rows, size_t cols, bool single)
{
    return mxCreateNumericMatrix((mwSize)rows, (mwSize)cols, single ? mxSINGLE_CLASS : mxDOUBLE_CLASS, mxREAL);
}

void list_name(name_list *list, const char *name)
{
    size_t used = strlen(list->text);
    snprintf(list->text + used, sizeof list->text - used, "%s%s", used ? ", " : "", name);
}

void add_field(mxArray *to, const char *name, mxArray *value)
{
    char *field = mxMalloc(strlen(name) + 1);
    strcpy(field, name);
    for (char *dash; (dash = strchr(field, '-'));)
        *dash = '_';
    mxSetFieldByNumber(to, 0, mxAddField(to, field), value);
}

mxArray *new_list(size_t n, const char *third)
{
    const char *names[] = {"name", "help", third};
    return mxCreateStructMatrix((mwSize)n, 1, 3, names);
}

void list_put(mxArray *list, size_t i, const char *name, const char *help, mxArray *third)
{
    mxSetFieldByNumber(list, (mwIndex)i, 0, mxCreateString(name));
    mxSetFieldByNumber(list, (mwIndex)i, 1, mxCreateString(help));
    mxSetFieldByNumber(list, (mwIndex)i, 2, third);
}
