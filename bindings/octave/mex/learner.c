/* Learners: a filter, and what the host needs to know of it at every call. */
#include "gateway.h"

static learner wrap(okra_filter *filter)
{
    const okra_spec *spec = okra_get_spec(filter);
    return (learner){.filter = filter,
                     .inputs = spec->inputs,
                     .outputs = spec->outputs,
                     .single = spec->precision == OKRA_F32,
                     .ordered = spec->lags > 1 || spec->lag_from > 0 || spec->target_lags > 0 || spec->horizon > 1};
}

learner learner_create(const okra_spec *spec)
{
    okra_filter *filter;
    expect(okra_create(spec, &filter));
    return wrap(filter);
}

void learner_free(learner *of)
{
    okra_free(of->filter);
    *of = (learner){0};
}

void learner_save(const learner *of, const char *path)
{
    okra_message why;
    expect_said(okra_save(of->filter, path, NULL, &why), &why);
}

learner learner_load(const char *path)
{
    okra_message why;
    okra_filter *filter;
    expect_said(okra_load(path, 0, &filter, NULL, &why), &why);
    return wrap(filter);
}

learner learner_copy(const learner *of)
{
    okra_filter *twin;
    expect(okra_clone(of->filter, &twin));
    return wrap(twin);
}
