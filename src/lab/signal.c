/* Signals: the registry, specs, and the stream that every class feeds. */
#include "signal.h"
#include "graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const signal_class *const classes[] = {
    &signal_ex1,    &signal_ex2,     &signal_ex3,  &signal_ex4,  &signal_mackey_glass,
    &signal_lorenz, &signal_channel, &signal_sinc, &signal_echo,
};

enum { N_CLASSES = sizeof classes / sizeof *classes };

const okra_signal_kind *okra_signal_at(size_t i) { return i < N_CLASSES ? &classes[i]->kind : NULL; }

const okra_signal_kind *okra_signal_find(const char *name)
{
    for (size_t i = 0; name && i < N_CLASSES; i++)
        if (strcmp(classes[i]->kind.name, name) == 0)
            return &classes[i]->kind;
    return NULL;
}

okra_status okra_signal_spec_init(okra_signal_spec *spec, const char *name)
{
    if (!spec || !name)
        return OKRA_E_NULL;
    *spec = (okra_signal_spec){.kind = okra_signal_find(name), .seed = 1};
    if (!spec->kind)
        return OKRA_E_PARAMETER;
    for (size_t i = 0; spec->kind->params[i].name; i++)
        spec->values[i] = spec->kind->params[i].value;
    return OKRA_OK;
}

okra_status okra_signal_spec_set(okra_signal_spec *spec, const char *name, double value, okra_message *why)
{
    if (!spec || !spec->kind || !name)
        return lab_refuse_status(why, OKRA_E_NULL);
    for (size_t i = 0; spec->kind->params[i].name; i++) {
        const okra_signal_param *p = &spec->kind->params[i];
        if (strcmp(p->name, name) != 0)
            continue;
        if (value >= p->low && value <= p->high && !(p->whole && floor(value) < value)) {
            spec->values[i] = value;
            return OKRA_OK;
        }
        return lab_refuse(why, OKRA_E_PARAMETER, "%s = %g is out of range: it must be %sfrom %g to %g", name, value,
                          p->whole ? "a whole number " : "", p->low, p->high);
    }
    return lab_refuse(why, OKRA_E_PARAMETER, "signal %s has no constant '%s'", spec->kind->name, name);
}

static const signal_class *class_of(const okra_signal_spec *spec)
{
    for (size_t i = 0; i < N_CLASSES; i++)
        if (&classes[i]->kind == spec->kind)
            return classes[i];
    return NULL;
}

okra_status okra_signal_create(const okra_signal_spec *spec, okra_signal **signal)
{
    if (!spec || !signal)
        return OKRA_E_NULL;
    *signal = NULL;
    const signal_class *klass = class_of(spec);
    if (!klass || spec->branch >= OKRA_SIGNAL_BRANCHES)
        return OKRA_E_PARAMETER;
    okra_signal *made = malloc(sizeof *made);
    double *state = calloc((klass->state_of ? klass->state_of(spec) : klass->state) + 1, sizeof *state);
    if (!made || !state) {
        free(made), free(state);
        return OKRA_E_MEMORY;
    }
    uint32_t branch = spec->branch * SIGNAL_STREAMS;
    *made = (okra_signal){.spec = *spec,
                          .klass = klass,
                          .inputs = klass->inputs_of ? klass->inputs_of(spec) : klass->inputs,
                          .input = signal_random(spec, SIGNAL_INPUTS + branch),
                          .noise = signal_random(spec, SIGNAL_NOISE + branch),
                          .other = signal_random(spec, SIGNAL_OTHER + branch),
                          .state = state};
    if (klass->start)
        klass->start(made);
    *signal = made;
    return OKRA_OK;
}

void okra_signal_free(okra_signal *signal)
{
    if (signal)
        free(signal->state);
    free(signal);
}

size_t okra_signal_inputs(const okra_signal *signal) { return signal->inputs; }

void okra_signal_next(okra_signal *signal, size_t n, double *X, double *y)
{
    while (n > 0) {
        size_t count = n < SIGNAL_CHUNK ? n : SIGNAL_CHUNK;
        okra_random_normal(&signal->noise, count, y);
        signal->klass->next(signal, count, X, y);
        signal->n += count;
        X = X ? X + count * signal->inputs : NULL;
        y += count;
        n -= count;
    }
}
