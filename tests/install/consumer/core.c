/* A user of libokra alone, in C and in C++: learns a sine, and says the version. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <okra/okra.h>

enum { SAMPLES = 600, SCORED = 100 };

int main(void)
{
    okra_spec spec;
    okra_filter *filter;
    double first = 0, last = 0;
    okra_status status = okra_spec_init(&spec, "rff-klms", 1, 1);
    if (status || okra_create(&spec, &filter))
        return 1;
    for (int i = 0; i < SAMPLES && !status; i++) {
        double x = 3 * sin(0.7 * i), y = sin(x), yhat;
        status = okra_step(filter, &x, &y, 1, &yhat, NULL);
        *(i < SCORED ? &first : &last) += i < SCORED || i >= SAMPLES - SCORED ? (y - yhat) * (y - yhat) : 0;
    }
    okra_free(filter);
    puts(okra_version());
    return status || last > first / 4 || strcmp(okra_version(), OKRA_VERSION) != 0;
}
