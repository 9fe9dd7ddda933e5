/* Arguments of the host as numbers, texts and rows, and back. */
#include "gateway.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

char *text_of(const mxArray *array, const char *what)
{
    char *text = mxIsChar(array) ? mxArrayToString(array) : NULL;
    if (!text)
        fail(OKRA_E_PARAMETER, "%s must be a text, as in 'rff-klms'", what);
    return text;
}

size_t count_of(const mxArray *array, const char *what)
{
    bool number = (mxIsNumeric(array) || mxIsLogical(array)) && mxGetNumberOfElements(array) == 1;
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
    if (!(mxIsNumeric(array) || mxIsLogical(array)) || mxIsComplex(array) || n < 1 || n > OKRA_WIDTHS_MAX ||
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
    if (!(mxIsDouble(array) || mxIsSingle(array)) || mxIsComplex(array) || mxIsSparse(array) ||
        mxGetNumberOfDimensions(array) != 2)
        fail(OKRA_E_PARAMETER, "%s must be a full real matrix of class double or single", what);
}

/* n rows of cols numbers from one layout into another: numbers next to each other in a row, and rows, are so far apart.
 */
#define TRANSPOSE(FROM, TO, from, from_row, from_col, to, to_row, to_col) \
    for (size_t j = 0; j < cols; j++)                                     \
        for (size_t i = 0; i < n; i++)                                    \
    ((TO *)(to))[i * (to_row) + j * (to_col)] = (TO)((const FROM *)(from))[i * (from_row) + j * (from_col)]

void rows_read(const mxArray *matrix, size_t first, size_t n, bool single, void *out)
{
    size_t stride = mxGetM(matrix), cols = mxGetN(matrix);
    const void *data = mxGetData(matrix);
    if (mxIsDouble(matrix) && !single)
        TRANSPOSE(double, double, (const double *)data + first, 1, stride, out, cols, 1);
    else if (mxIsDouble(matrix))
        TRANSPOSE(double, float, (const double *)data + first, 1, stride, out, cols, 1);
    else if (!single)
        TRANSPOSE(float, double, (const float *)data + first, 1, stride, out, cols, 1);
    else
        TRANSPOSE(float, float, (const float *)data + first, 1, stride, out, cols, 1);
}

void rows_write(mxArray *matrix, size_t first, size_t n, bool single, const void *in)
{
    size_t stride = mxGetM(matrix), cols = mxGetN(matrix);
    void *data = mxGetData(matrix);
    if (single)
        TRANSPOSE(float, float, in, cols, 1, (float *)data + first, 1, stride);
    else
        TRANSPOSE(double, double, in, cols, 1, (double *)data + first, 1, stride);
}

mxArray *new_matrix(size_t rows, size_t cols, bool single)
{
    return mxCreateNumericMatrix((mwSize)rows, (mwSize)cols, single ? mxSINGLE_CLASS : mxDOUBLE_CLASS, mxREAL);
}

mxArray *new_number(double value) { return mxCreateDoubleScalar(value); }

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
