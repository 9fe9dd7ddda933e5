/*
 * canary MODE: misuses the library on purpose, in the one way that MODE says. A sanitizer, or valgrind, that watches
 * must end the program with a report; a build where the canary lives is not watched. The mistakes are the caller's but
 * happen inside libokra wherever they can, so that it is the library that is proven to be instrumented.
 */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <okra/okra.h>

enum { ROWS = 8, INPUTS = 3 };

static okra_filter *make_filter(void)
{
    okra_spec spec;
    okra_filter *filter = NULL;
    if (okra_spec_init(&spec, "rff-klms", INPUTS, 1) || okra_create(&spec, &filter))
        exit(2);
    return filter;
}

/* A buffer whose size and contents the compiler cannot know; it would warn of what is meant here. */
static double *buffer(size_t numbers, int clear)
{
    volatile size_t n = numbers;
    double *made = malloc(n * sizeof *made);
    if (!made)
        exit(2);
    if (clear)
        memset(made, 0, n * sizeof *made);
    return made;
}

/* The last prediction goes past the end of its buffer. */
static int overflow(void)
{
    okra_filter *filter = make_filter();
    double *X = buffer((size_t)ROWS * INPUTS, 1), *Yhat = buffer(ROWS - 1, 1);
    void *scratch = malloc(okra_scratch_size(filter));
    okra_status status = okra_predict(filter, scratch, ROWS, X, Yhat, NULL);
    free(scratch);
    free(X), free(Yhat);
    okra_free(filter);
    return (int)status;
}

/* Nobody has written the inputs that the library looks at. */
static int uninitialised(void)
{
    okra_filter *filter = make_filter();
    double *X = buffer(INPUTS, 0), yhat = 0;
    void *scratch = malloc(okra_scratch_size(filter));
    okra_status status = okra_predict(filter, scratch, 1, X, &yhat, NULL);
    free(scratch);
    free(X);
    okra_free(filter);
    return (int)status;
}

/* A filter that is not freed, and that nothing points to at the end. */
static int leak(void)
{
    volatile size_t bytes = okra_size(okra_get_spec(make_filter()));
    return bytes == 0;
}

static void *learn(void *filter)
{
    const double x[INPUTS] = {1, 2, 3}, y = 1;
    for (int i = 0; i < 1000; i++)
        okra_step(filter, x, &y, 1, NULL, NULL);
    return NULL;
}

/* Two threads learn with one filter. */
static int race(void)
{
    okra_filter *filter = make_filter();
    pthread_t threads[2];
    for (int t = 0; t < 2; t++)
        if (pthread_create(&threads[t], NULL, learn, filter))
            exit(2);
    for (int t = 0; t < 2; t++)
        pthread_join(threads[t], NULL);
    okra_free(filter);
    return 0;
}

/* A sum of integers past the largest: no call of the library has one to misuse. */
static int sum(void)
{
    volatile int max = INT_MAX;
    max = max + 1;
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } modes[] = {
        {"overflow", overflow}, {"uninitialised", uninitialised}, {"leak", leak}, {"race", race}, {"sum", sum}};
    for (size_t i = 0; argc == 2 && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(argv[1], modes[i].name) == 0)
            return modes[i].run();
    fprintf(stderr, "canary: overflow, uninitialised, leak, race or sum\n");
    return 2;
}
