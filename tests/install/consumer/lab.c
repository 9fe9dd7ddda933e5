/* A user of libokra-lab: a spectrum, from LAPACK, and trials on two threads. */
#include <math.h>
#include <stdio.h>

#include <okra/lab.h>
#include <okra/okra.h>

static int spectrum_is_sound(void)
{
    okra_theory_spec spec;
    okra_theory *theory;
    okra_theory_spec_init(&spec);
    spec.features = 20;
    if (okra_theory_create(&spec, &theory))
        return 0;
    const okra_theory_figures *found = okra_theory_get(theory);
    int sound = found->lambda_max > 0 && found->lambda_max <= found->trace;
    sound = sound && fabs(found->mu_max * found->trace - 2) < 1e-9;
    okra_theory_free(theory);
    return sound;
}

static int trials_learn(void)
{
    okra_spec filter;
    okra_trial trial = {.filters = &filter, .n_filters = 1, .samples = 400, .runs = 4, .seed = 1, .threads = 2};
    okra_trial_result result;
    size_t done;
    if (okra_spec_init(&filter, "rff-klms", 5, 1) || okra_signal_spec_init(&trial.signal, "ex2"))
        return 0;
    filter.sigma = 5;
    if (okra_trial_run(&trial, &result, &done))
        return 0;
    int learns = done == trial.runs && result.mse[trial.samples - 1] < result.mse[0];
    okra_trial_free(&result, 1);
    return learns;
}

int main(void)
{
    puts(okra_version());
    return !(spectrum_is_sound() && trials_learn());
}
