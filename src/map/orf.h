/* Orthogonal directions, for maps that give them lengths of their own. */
#ifndef OKRA_ORF_H
#define OKRA_ORF_H

#include "fourier.h"

#define orthogonal_directions OKRA_TYPED(orthogonal_directions)
#define orthogonal_set_length OKRA_TYPED(orthogonal_set_length)

/* Makes unit vectors of frequencies [first, last), at most `inputs` of them, mutually orthogonal. The length of each,
 * drawn independently, is left in its amplitude. */
void orthogonal_directions(fourier *f, const okra_spec *spec, size_t first, size_t last);

/* Scales direction i to that length, in radians at width 1, divided by its width and by those of the inputs. */
void orthogonal_set_length(fourier *f, const okra_spec *spec, size_t i, double length);

/* The end of the block of directions that begins with i. */
static inline size_t orthogonal_end(const fourier *f, size_t i)
{
    size_t d = f->trig.inputs;
    return f->frequencies - i < d ? f->frequencies : i + d;
}

#endif
