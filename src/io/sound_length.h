/* How much sound a file says that it has, inside libokra-io, and whether it has it. */
#ifndef OKRA_IO_SOUND_LENGTH_H
#define OKRA_IO_SOUND_LENGTH_H

#include "source.h"

/*
 * Refuses a WAV (RIFF, RIFX, RF64) or AIFF file that was cut short: libsndfile reads what is left, and says nothing.
 * *open is true where the file leaves its length open, because the program that wrote it could not go back to its
 * beginning, or was killed before it did. Of others nothing is known here. Moves nothing in the source.
 */
okra_status okra_sound_check_length(okra_source *source, bool *open, okra_message *why);

#endif
