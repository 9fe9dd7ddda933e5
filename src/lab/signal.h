/* The internals of signals: a file has one or more `signal_class`es, each a row of the registry in signal.c. */
#ifndef OKRA_SIGNAL_INTERNAL_H
#define OKRA_SIGNAL_INTERNAL_H

#include <okra/lab.h>
#include <okra/random.h>

/* Streams of random numbers, by purpose; each branch adds an offset. */
enum { SIGNAL_STREAMS = 64 };
enum { SIGNAL_COEFFICIENTS = 11, SIGNAL_INPUTS = 12, SIGNAL_NOISE = 13, SIGNAL_OTHER = 14 };

struct okra_signal {
    okra_signal_spec spec;
    const struct signal_class *klass;
    size_t inputs;
    okra_random input, noise, other; /* the position in each sequence */
    uint64_t n;                      /* samples generated so far */
    double *state;                   /* belongs to the class */
};

/* The numbers in an input and in the state are fixed, or follow from the spec. `start` may be NULL. */
typedef struct signal_class {
    okra_signal_kind kind;
    size_t inputs, state;
    size_t (*inputs_of)(const okra_signal_spec *spec), (*state_of)(const okra_signal_spec *spec);
    void (*start)(okra_signal *signal);
    /* n samples, at most SIGNAL_CHUNK: X is n x inputs; y holds n standard normals, for the noise */
    void (*next)(okra_signal *signal, size_t n, double *X, double *y);
} signal_class;

enum { SIGNAL_CHUNK = 256 };

/* The random numbers of a purpose. */
static inline okra_random signal_random(const okra_signal_spec *spec, uint32_t stream)
{
    return (okra_random){.seed = spec->seed, .run = spec->run, .stream = stream};
}

/* Constant i of this signal. */
static inline double signal_value(const okra_signal *signal, size_t i) { return signal->spec.values[i]; }

extern const signal_class signal_ex1, signal_ex2, signal_ex3, signal_ex4;
extern const signal_class signal_mackey_glass, signal_lorenz, signal_channel, signal_sinc, signal_echo;

/* The signal of that name, or NULL. */
const okra_signal_kind *okra_signal_find(const char *name);

#endif
