#include "program.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

bool program_over(const program *p) { return p->at == p->end; }

unsigned program_byte(program *p) { return program_over(p) ? 0 : *p->at++; }

size_t program_count(program *p, size_t max) { return program_byte(p) % (max + 1); }

/* ---- numbers ------------------------------------------------------------------------------------------------- */

static double any_bits(program *p)
{
    uint64_t bits = 0;
    double number;
    for (int k = 0; k < 8; k++)
        bits = bits << 8 | program_byte(p);
    memcpy(&number, &bits, sizeof number);
    return number;
}

double program_number(program *p)
{
    static const double special[] = {0,       -0.0,    NAN,    INFINITY, -INFINITY, DBL_MAX, -DBL_MAX, DBL_MIN,
                                     5e-324,  1e300,   -1e300, 1e-300,   FLT_MAX,   FLT_MIN, 1e-45,    -1e38,
                                     1e30,    1e-30,   1e15,   -1e15,    1e150,     1e19,    -1e19,    1e-10,
                                     65536.5, -1e-160, 1e8,    1e-8,     1e100,     -1e5,    1000,     0x1p-1040};
    enum { SPECIAL = sizeof special / sizeof *special, FIRST_SPECIAL = 255 - SPECIAL };
    unsigned code = program_byte(p);
    if (code == 255)
        return any_bits(p);
    if (code >= FIRST_SPECIAL)
        return special[code - FIRST_SPECIAL];
    enum { MIDDLE = FIRST_SPECIAL / 2 };
    return ((double)code - MIDDLE) / 32;
}

size_t number_size(int precision) { return precision == OKRA_F32 ? sizeof(float) : sizeof(double); }

void *program_numbers(program *p, int precision, size_t n)
{
    size_t size = number_size(precision);
    unsigned char *numbers = malloc(n * size);
    fuzz_expect(numbers || n == 0);
    for (size_t i = 0; i < n; i++) {
        double wide = program_number(p);
        float narrow = (float)wide;
        memcpy(numbers + i * size, precision == OKRA_F32 ? (void *)&narrow : (void *)&wide, size);
    }
    return numbers;
}

double number_at(int precision, const void *numbers, size_t i)
{
    double wide;
    float narrow;
    if (precision == OKRA_F32) {
        memcpy(&narrow, (const char *)numbers + i * sizeof narrow, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, (const char *)numbers + i * sizeof wide, sizeof wide);
    return wide;
}

bool numbers_finite(int precision, size_t n, const void *numbers)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(number_at(precision, numbers, i)))
            return false;
    return true;
}

/* ---- specs --------------------------------------------------------------------------------------------------- */

static void *field(okra_spec *spec, const okra_param *param) { return (char *)spec + param->offset; }

/* A real in its range, at its ends, or anything. */
static double parameter_real(program *p, const okra_param *param)
{
    static const double usual[] = {1e-6, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999, 1, 1.5, 2, 3, 10, 100};
    enum { USUAL = sizeof usual / sizeof *usual };
    size_t which = program_count(p, USUAL + 3);
    if (which < USUAL)
        return usual[which];
    return which == USUAL ? param->low : which == USUAL + 1 ? param->high : program_number(p);
}

static size_t parameter_count(program *p)
{
    size_t n = program_byte(p);
    return n < 250 ? n % 20 : n < 252 ? OKRA_AUTO : n < 254 ? (size_t)1 << 30 : SIZE_MAX / 2;
}

static void put_choice(program *p, okra_spec *spec, const okra_param *param)
{
    size_t n = 0, which = program_byte(p);
    int value = (int)which;
    while (param->choices[n].name)
        n++;
    fuzz_expect(n > 0);
    if (which < 250)
        value = param->choices[which % n].value;
    memcpy(field(spec, param), &value, sizeof value);
}

static void put_list(program *p, okra_spec *spec, const okra_param *param)
{
    double list[OKRA_INPUT_WIDTHS_MAX] = {parameter_real(p, param)};
    size_t more = program_byte(p);
    for (size_t i = 1; more > 200 && i < param->values && i <= more % param->values; i++)
        list[i] = parameter_real(p, param);
    memcpy(field(spec, param), list, param->values * sizeof *list);
}

static void put_parameter(program *p, okra_spec *spec, const okra_param *param)
{
    double real;
    size_t count;
    switch (param->kind) {
    case OKRA_PARAM_REAL:
        real = parameter_real(p, param);
        memcpy(field(spec, param), &real, sizeof real);
        break;
    case OKRA_PARAM_REALS:
        put_list(p, spec, param);
        break;
    case OKRA_PARAM_COUNT:
        count = parameter_count(p);
        memcpy(field(spec, param), &count, sizeof count);
        break;
    case OKRA_PARAM_SEED:
        spec->seed = program_byte(p);
        break;
    case OKRA_PARAM_CHOICE:
        put_choice(p, spec, param);
        break;
    }
}

void program_spec(program *p, okra_spec *spec)
{
    size_t recipes = 1;
    while (okra_recipe_at(recipes))
        recipes++;
    const okra_recipe *recipe = okra_recipe_at(program_count(p, recipes - 1));
    fuzz_expect(!okra_spec_init(spec, recipe->name, 1 + program_count(p, 3), 1));
    spec->outputs = 1 + program_count(p, 2);
    spec->precision = program_byte(p) % 2 ? OKRA_F32 : OKRA_F64;
    if (spec->features)
        spec->features = 2 * (1 + program_count(p, 9));
    if (spec->capacity)
        spec->capacity = 1 + program_count(p, 9);
    for (size_t changes = program_count(p, 5); changes > 0; changes--)
        put_parameter(p, spec, recipe->params[program_count(p, recipe->n_params - 1)].param);
}

double *program_frequencies(program *p, okra_spec *spec, size_t inputs)
{
    if (program_byte(p) < 240 || spec->features > 20)
        return NULL;
    double *given = program_numbers(p, OKRA_F64, spec->features * (inputs + 1));
    spec->omega = given;
    spec->phase = given + spec->features * inputs;
    return given;
}
