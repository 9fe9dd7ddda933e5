#include "models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { COLUMNS_MAX = 64, ROWS = 40 };

static void take_row(okra_filter *model, size_t t)
{
    double u[COLUMNS_MAX], y[COLUMNS_MAX], yhat[COLUMNS_MAX];
    float uf[COLUMNS_MAX], yf[COLUMNS_MAX], yhatf[COLUMNS_MAX];
    for (size_t c = 0; c < COLUMNS_MAX; c++) {
        uf[c] = (float)(u[c] = sin((double)(t * (c + 1))));
        yf[c] = (float)(y[c] = cos((double)(t + c)));
    }
    if (t % 13 == 7)
        okra_skip(model);
    else if (okra_get_spec(model)->precision == OKRA_F32)
        okra_step_f32(model, uf, yf, 1, yhatf, NULL);
    else
        okra_step(model, u, y, 1, yhat, NULL);
}

void fuzz_take_rows(okra_filter *model)
{
    const okra_spec *spec = okra_get_spec(model);
    for (size_t t = 0; t < ROWS && spec->inputs <= COLUMNS_MAX && spec->outputs <= COLUMNS_MAX; t++)
        take_row(model, t);
}

unsigned char *fuzz_pack(const okra_filter *model, size_t *size)
{
    unsigned char *bytes;
    fuzz_expect(okra_pack(model, NULL, &bytes, size, NULL) == OKRA_OK);
    return bytes;
}

okra_filter *fuzz_unpack(const unsigned char *bytes, size_t size)
{
    okra_filter *model;
    fuzz_expect(okra_unpack(bytes, size, 0, &model, NULL, NULL) == OKRA_OK);
    return model;
}

bool fuzz_same_model(const okra_filter *a, const okra_filter *b)
{
    size_t size_a, size_b;
    unsigned char *bytes_a = fuzz_pack(a, &size_a), *bytes_b = fuzz_pack(b, &size_b);
    bool same = size_a == size_b && memcmp(bytes_a, bytes_b, size_a) == 0;
    free(bytes_a);
    free(bytes_b);
    return same;
}

void fuzz_round_trip(const okra_filter *model)
{
    size_t size;
    unsigned char *bytes = fuzz_pack(model, &size);
    okra_filter *twin = fuzz_unpack(bytes, size);
    fuzz_expect(fuzz_same_model(model, twin));
    okra_free(twin);
    free(bytes);
}
