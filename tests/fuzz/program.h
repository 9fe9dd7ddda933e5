/*
 * Bytes read as a program: a fuzzer takes counts, numbers and specs off the front, and does what they say. Past the
 * last byte everything is 0, so that any bytes are a program.
 */
#ifndef OKRA_FUZZ_PROGRAM_H
#define OKRA_FUZZ_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <okra/okra.h>

typedef struct program {
    const uint8_t *at, *end;
} program;

/* Whether there is nothing left of it. */
bool program_over(const program *p);

/* 0 to 255, and 0 to `max`, which is below 256. */
unsigned program_byte(program *p);
size_t program_count(program *p, size_t max);

/* Mostly small numbers; also 0, NaN, infinities, the largest, the least, and any bits. */
double program_number(program *p);

/* n numbers of a precision, to be freed; not a byte more than they take. */
void *program_numbers(program *p, int precision, size_t n);

/* A recipe, small, with some parameters changed to what they may or may not be. */
void program_spec(program *p, okra_spec *spec);

/* Given frequencies, now and then, for so many inputs: what the spec then points to, to be freed; or NULL. */
double *program_frequencies(program *p, okra_spec *spec, size_t inputs);

/* Whether none of n numbers is NaN or infinite. */
bool numbers_finite(int precision, size_t n, const void *numbers);

/* The number i of a precision, and its size. */
double number_at(int precision, const void *numbers, size_t i);
size_t number_size(int precision);

#endif
