/*
 * Everything before the first row, in an order that reports mistakes early: options, model, input, outputs.
 */
#include <stdlib.h>
#include <string.h>

#include "interval.h"
#include "relevance.h"
#include "../common/model_input.h"
#include "../common/params.h"
#include "../common/refusal.h"
#include "session.h"
#include "../common/message.h"

/* ---- the model file, and the options --------------------------------------------------------------------------- */

/* Loads the model to start from. A run to resume that never saved a model starts again. */
static int load_model(session *s)
{
    const char *load = s->set.load, *path = load ? load : s->set.resume ? s->set.save : NULL;
    if (!path)
        return EXIT_DONE;
    if (is_standard(path) && is_standard(s->options.operand))
        return message_fail(EXIT_USAGE, "--load: standard input is already the stream: name a FILE for one of them");
    int status = resume_load(&s->resume, path, (size_t)s->set.max_memory * MEGABYTE, s->set.resume && !load);
    if (status || !s->resume.model)
        return status;
    if (s->set.resume)
        status = resume_read_options(&s->resume, &s->options);
    return status ? status : resume_check_options(&s->resume, &s->options, s->set.resume, s->set.quiet);
}

static int settle(session *s)
{
    int status = EXIT_DONE;
    if (!s->resume.model) {
        status = settings_read_model(&s->set, &s->options);
    } else {
        s->set.spec = *okra_get_spec(s->resume.model);
        status = s->set.percent ? interval_settle(s->set.percent, &s->set.spec, &s->set.q) : EXIT_DONE;
    }
    return status || !s->set.relevance ? status : relevance_settle(&s->set.spec);
}

/* ---- the model ------------------------------------------------------------------------------------------------- */

/* Uses the features of --omega instead of drawn ones. */
static int use_omega(session *s)
{
    okra_spec *spec = &s->set.spec;
    const char *path = s->set.omega;
    if (!path)
        return EXIT_DONE;
    if (!recipe_param(okra_recipe_find(spec->recipe), "features"))
        return message_fail(EXIT_USAGE, "--omega: recipe %s has no random features: use one whose name begins with rff",
                            spec->recipe);
    if (is_standard(path) && is_standard(s->set.in))
        return message_fail(EXIT_USAGE, "--omega: standard input is already the stream: name a FILE for one of them");
    int status =
        omega_load(&s->omega, path, s->set.spec.inputs * s->set.spec.lags + spec->outputs * s->set.spec.target_lags);
    if (status)
        return status;
    if (arguments_value(&s->options, "features") && spec->features != s->omega.features)
        return message_fail(EXIT_USAGE, "--features %zu: %s has %zu rows, one per feature: leave --features out",
                            spec->features, path, s->omega.features);
    spec->features = s->omega.features;
    spec->omega = s->omega.omega;
    spec->phase = s->omega.phase;
    return EXIT_DONE;
}

static int make_model(session *s)
{
    okra_spec *spec = &s->set.spec;
    okra_message why;
    input_fit(s->in, spec);
    int status = use_omega(s);
    if (status)
        return status;
    if (okra_spec_check(spec, &why))
        return message_fail(EXIT_USAGE, "%s", why.text);
    okra_status made = learner_start(&s->learner, spec);
    return made ? refuse_model(spec, made) : EXIT_DONE;
}

static int adopt_model(session *s)
{
    okra_filter *model = s->resume.model;
    learner_adopt(&s->learner, model);
    okra_freeze(model, !s->learns);
    s->progress.before = learner_learnt(&s->learner);
    s->restarts = learner_counter(&s->learner, "restarts");
    return EXIT_DONE;
}

/* A model file must keep the whole window, or a run that resumes would report other recent figures. */
static int fit_window(session *s)
{
    size_t max = resume_window_max(s->in->columns.n_targets);
    if (s->set.window <= max)
        return EXIT_DONE;
    if (!arguments_value(&s->options, "window")) /* the default, of very many targets */
        s->set.window = max;
    else if (s->set.save)
        return message_fail(EXIT_USAGE,
                            "--window %llu: a model can keep only %zu recent rows of %zu target%s: lower --window, or "
                            "leave --save out",
                            (unsigned long long)s->set.window, max, s->in->columns.n_targets,
                            s->in->columns.n_targets == 1 ? "" : "s");
    return EXIT_DONE;
}

static int make_score(session *s)
{
    size_t inputs = s->in->columns.n_inputs, outputs = s->in->columns.n_targets;
    s->missing = calloc(inputs + outputs, sizeof *s->missing);
    if (score_start(&s->score, outputs, (size_t)s->set.window) && s->missing)
        return EXIT_DONE;
    return message_fail(EXIT_IO, "out of memory for %zu inputs and %zu targets", inputs, outputs);
}

/* A loaded model continues its drift tests. */
static int start_watch(session *s)
{
    if (s->set.on_drift == 0)
        return EXIT_DONE;
    if (!drift_start(&s->drift, s->in->columns.n_targets))
        return message_fail(EXIT_IO, "out of memory");
    if (s->resume.model)
        resume_read_drift(&s->resume, &s->drift);
    return EXIT_DONE;
}

/* ---- all of it ------------------------------------------------------------------------------------------------- */

int session_prepare(session *s)
{
    int status = arguments_read(&s->options, &s->set);
    if (!status)
        status = load_model(s);
    if (!status)
        status = settings_read(&s->set, &s->options); /* again: a resumed run has read some of them from the model */
    if (!status)
        status = settle(s);
    if (!status)
        status = input_open(&s->in, &s->options, &s->set, &s->resume, s->learns);
    if (!status)
        status = fit_window(s);
    if (!status)
        status = make_score(s);
    if (!status)
        status = s->resume.model ? adopt_model(s) : make_model(s);
    if (!status)
        s->in->f32 = s->learner.f32;
    if (!status)
        status = start_watch(s);
    if (!status && s->set.resume && s->resume.model)
        status = session_resume(s);
    return status ? status : session_open_outputs(s);
}
