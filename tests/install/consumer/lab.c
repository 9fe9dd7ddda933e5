/* A user of libokra-lab: a spectrum from LAPACK, and trials on several threads. */
#include <math.h>
#include <stdio.h>

#include <okra/lab.h>
#include <okra/okra.h>

int main(void)
{
    okra_theory_spec spec;
    okra_theory *theory;
    okra_theory_spec_init(&spec);
    spec.features = 20;
    if (okra_theory_create(&spec, &theory))
        return 1;
    const okra_theory_figures *found = okra_theory_get(theory);
    int good =
        found->lambda_max > 0 && found->lambda_max <= found->trace && fabs(found->mu_max * found->trace - 2) < 1e-9;
    okra_theory_free(theory);
    puts(okra_version());
    return !good;
}
