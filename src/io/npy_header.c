/*
 * NPY headers. numpy writes the keys in order and single quotes; other programs do not, so any Python dictionary of
 * these three keys is read.
 */
#include "npy_header.h"

#include <stdio.h>

/* ---- a piece of Python --------------------------------------------------------------------------------------- */

typedef struct cursor {
    const char *p, *end;
} cursor;

typedef struct word {
    const char *begin;
    size_t length;
} word;

static bool is_word(word w, const char *text) { return w.length == strlen(text) && !memcmp(w.begin, text, w.length); }

static void skip_space(cursor *c)
{
    while (c->p < c->end && (*c->p == ' ' || *c->p == '\n' || *c->p == '\t' || *c->p == '\r'))
        c->p++;
}

static bool take(cursor *c, char wanted)
{
    skip_space(c);
    bool there = c->p < c->end && *c->p == wanted;
    c->p += there;
    return there;
}

/* In quotes of either kind, without escapes: no dtype has any. */
static bool take_string(cursor *c, word *w)
{
    skip_space(c);
    if (c->p >= c->end || (*c->p != '\'' && *c->p != '"'))
        return false;
    const char *closing = memchr(c->p + 1, *c->p, (size_t)(c->end - c->p - 1));
    if (!closing)
        return false;
    *w = (word){c->p + 1, (size_t)(closing - c->p - 1)};
    c->p = closing + 1;
    return true;
}

static bool take_name(cursor *c, const char *name)
{
    size_t length = strlen(name);
    skip_space(c);
    bool there = (size_t)(c->end - c->p) >= length && memcmp(c->p, name, length) == 0;
    c->p += there ? length : 0;
    return there;
}

static bool take_bool(cursor *c, bool *value)
{
    *value = take_name(c, "True");
    return *value || take_name(c, "False");
}

/* 3, or 3L as Python 2 wrote it. */
static bool take_count(cursor *c, uint64_t *value)
{
    skip_space(c);
    const char *begin = c->p;
    *value = 0;
    for (; c->p < c->end && *c->p >= '0' && *c->p <= '9'; c->p++)
        if (__builtin_mul_overflow(*value, UINT64_C(10), value) ||
            __builtin_add_overflow(*value, (uint64_t)(*c->p - '0'), value))
            return false;
    bool found = c->p > begin;
    if (found && c->p < c->end && *c->p == 'L')
        c->p++;
    return found;
}

/* (), (3,) or (3, 2). Counts all dimensions, keeps the first two. */
static bool take_shape(cursor *c, uint64_t shape[2], size_t *dimensions)
{
    if (!take(c, '('))
        return false;
    for (*dimensions = 0; !take(c, ')'); ++*dimensions) {
        uint64_t size;
        if (!take_count(c, &size))
            return false;
        if (*dimensions < 2)
            shape[*dimensions] = size;
        if (!take(c, ','))
            return ++*dimensions, take(c, ')');
    }
    return true;
}

/* ---- reading ------------------------------------------------------------------------------------------------- */

typedef struct dictionary {
    word descr;
    bool structured; /* descr is a list */
    bool by_columns;
    uint64_t shape[2];
    size_t dimensions;
    unsigned found; /* the three keys, one bit each */
} dictionary;

enum { HAS_DESCR = 1, HAS_ORDER = 2, HAS_SHAPE = 4, HAS_ALL = 7 };

static bool take_entry(cursor *c, dictionary *d)
{
    word key;
    if (!take_string(c, &key) || !take(c, ':'))
        return false;
    if (is_word(key, "descr")) {
        d->found |= HAS_DESCR;
        d->structured = take(c, '[');
        return take_string(c, &d->descr);
    }
    if (is_word(key, "fortran_order")) {
        d->found |= HAS_ORDER;
        return take_bool(c, &d->by_columns);
    }
    if (!is_word(key, "shape"))
        return false;
    d->found |= HAS_SHAPE;
    return take_shape(c, d->shape, &d->dimensions);
}

static bool take_dictionary(cursor *c, dictionary *d)
{
    *d = (dictionary){0};
    if (!take(c, '{'))
        return false;
    while (!take(c, '}'))
        if (!take_entry(c, d) || (!take(c, ',') && (skip_space(c), c->p == c->end || *c->p != '}')))
            return false;
    skip_space(c);
    return d->found == HAS_ALL && c->p == c->end;
}

static const struct dtype {
    const char *name;
    okra_dtype dtype;
} dtypes[] = {
    {"f8", {.bytes = 8, .kind = OKRA_DTYPE_FLOAT}},    {"f4", {.bytes = 4, .kind = OKRA_DTYPE_FLOAT}},
    {"i8", {.bytes = 8, .kind = OKRA_DTYPE_SIGNED}},   {"i4", {.bytes = 4, .kind = OKRA_DTYPE_SIGNED}},
    {"i2", {.bytes = 2, .kind = OKRA_DTYPE_SIGNED}},   {"i1", {.bytes = 1, .kind = OKRA_DTYPE_SIGNED}},
    {"u8", {.bytes = 8, .kind = OKRA_DTYPE_UNSIGNED}}, {"u4", {.bytes = 4, .kind = OKRA_DTYPE_UNSIGNED}},
    {"u2", {.bytes = 2, .kind = OKRA_DTYPE_UNSIGNED}}, {"u1", {.bytes = 1, .kind = OKRA_DTYPE_UNSIGNED}},
    {"b1", {.bytes = 1, .kind = OKRA_DTYPE_UNSIGNED}}, /* False and True are 0 and 1 */
};

/* '<f8', '>f4', '=f8', '|u1', 'f8': if the byte order is missing, it is this machine's. */
static bool read_descr(word descr, okra_dtype *dtype)
{
    bool big_endian = okra_host_is_big_endian;
    if (descr.length > 0 && descr.begin[0] && strchr("<>=|", descr.begin[0])) {
        if (descr.begin[0] == '<' || descr.begin[0] == '>')
            big_endian = descr.begin[0] == '>';
        descr = (word){descr.begin + 1, descr.length - 1};
    }
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        if (!is_word(descr, dtypes[i].name))
            continue;
        *dtype = dtypes[i].dtype;
        dtype->big_endian = big_endian;
        return true;
    }
    return false;
}

static okra_status check_shape(const dictionary *d, const char *path, okra_npy *npy, okra_message *why)
{
    uint64_t columns = d->dimensions == 2 ? d->shape[1] : 1, total;
    if (d->dimensions < 1)
        return okra_refuse(why, "%s: is no table but a single value: save rows, numpy.save(FILE, array.reshape(1))",
                           path);
    if (d->dimensions > 2)
        return okra_refuse(why, "%s: is no table: give it one or two dimensions, array.reshape(len(array), -1)", path);
    if (columns == 0 || columns > OKRA_MAX_COLUMNS)
        return okra_refuse(why, "%s: has rows of %llu numbers: 1 to %d can be read", path, (unsigned long long)columns,
                           OKRA_MAX_COLUMNS);
    if (__builtin_mul_overflow(d->shape[0], columns * npy->dtype.bytes, &total) || total > INT64_MAX)
        return okra_refuse(why, "%s: its header tells of more rows than any file can hold: it is damaged", path);
    npy->rows = d->shape[0];
    npy->columns = (size_t)columns;
    /* One row or one column is the same in either order. */
    npy->by_columns = d->by_columns && npy->rows > 1 && npy->columns > 1;
    return OKRA_OK;
}

okra_status okra_npy_read(const char *text, size_t length, const char *path, okra_npy *npy, okra_message *why)
{
    cursor c = {text, text + length};
    dictionary d;
    bool read = take_dictionary(&c, &d);
    if (d.structured)
        return okra_refuse(why, "%s: holds records, not numbers: save one field or a plain table of numbers", path);
    if (!read)
        return okra_refuse(why, "%s: its NPY header makes no sense: save it again with numpy.save()", path);
    if (!read_descr(d.descr, &npy->dtype))
        return okra_refuse(
            why, "%s: holds values of type '%.*s': save float64 or float32, numpy.save(FILE, array.astype(float))",
            path, d.descr.length < 20 ? (int)d.descr.length : 20, d.descr.begin);
    return check_shape(&d, path, npy, why);
}

/* ---- writing ------------------------------------------------------------------------------------------------- */

/* First the version, 1.0, and the length of the rest; last a line end. */
void okra_npy_write(size_t bytes, size_t columns, uint64_t rows, char header[OKRA_NPY_HEADER])
{
    static const char start[10] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, OKRA_NPY_HEADER - sizeof start, 0};
    char shape[64], text[OKRA_NPY_HEADER];
    memset(header, ' ', OKRA_NPY_HEADER);
    memcpy(header, start, sizeof start);
    snprintf(shape, sizeof shape, columns == 1 ? "(%llu,)" : "(%llu, %zu)", (unsigned long long)rows, columns);
    int length = snprintf(text, sizeof text, "{'descr': '<f%zu', 'fortran_order': False, 'shape': %s, }", bytes, shape);
    memcpy(header + sizeof start, text, (size_t)length);
    header[OKRA_NPY_HEADER - 1] = '\n';
}
