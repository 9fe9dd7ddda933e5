/* gzip, through zlib. The state of a decoder or an encoder is zlib's own. */
#define ZLIB_CONST
#include <stdlib.h>
#include <zlib.h>

#include "compression.h"

/* Added to the size of the window: zlib then reads and writes gzip's header and checksum, and no other. */
enum { GZIP_WRAPPER = 16, USUAL_MEMORY = 8 };

/* Buffers are far smaller than what the count can hold. */
static void lend(z_stream *z, const okra_coding *bytes)
{
    z->next_in = (const Bytef *)bytes->in;
    z->avail_in = (uInt)bytes->in_left;
    z->next_out = (Bytef *)bytes->out;
    z->avail_out = (uInt)bytes->out_left;
}

static void take_back(const z_stream *z, okra_coding *bytes)
{
    bytes->in += bytes->in_left - z->avail_in;
    bytes->in_left = z->avail_in;
    bytes->out += bytes->out_left - z->avail_out;
    bytes->out_left = z->avail_out;
}

/* ---- decoding ------------------------------------------------------------------------------------------------ */

static void *start_decoder(void)
{
    z_stream *z = calloc(1, sizeof *z);
    if (z && inflateInit2(z, MAX_WBITS + GZIP_WRAPPER) == Z_OK)
        return z;
    free(z);
    return NULL;
}

static okra_decoded decode(void *decoder, okra_coding *bytes)
{
    z_stream *z = decoder;
    lend(z, bytes);
    int code = inflate(z, Z_SYNC_FLUSH);
    take_back(z, bytes);
    switch (code) {
    case Z_OK:
    case Z_BUF_ERROR: /* nothing could be done: it needs more input */
        return OKRA_DECODED_SOME;
    case Z_STREAM_END:
        inflateReset(z);
        return OKRA_DECODED_MEMBER;
    case Z_MEM_ERROR:
        return OKRA_DECODED_NO_MEMORY;
    default:
        return OKRA_DECODED_DAMAGED;
    }
}

static const char *fault(const void *decoder)
{
    const z_stream *z = decoder;
    return z->msg ? z->msg : "not gzip";
}

static void free_decoder(void *decoder)
{
    if (decoder)
        inflateEnd(decoder);
    free(decoder);
}

/* ---- encoding ------------------------------------------------------------------------------------------------ */

/* Digits of predictions are nearly random: a higher level takes five times as long, for 6% fewer bytes. */
static void *start_encoder(void)
{
    z_stream *z = calloc(1, sizeof *z);
    if (z &&
        deflateInit2(z, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + GZIP_WRAPPER, USUAL_MEMORY, Z_DEFAULT_STRATEGY) == Z_OK)
        return z;
    free(z);
    return NULL;
}

static bool encode(void *encoder, okra_coding *bytes, okra_encode how_far)
{
    static const int flush[] = {
        [OKRA_ENCODE_SOME] = Z_NO_FLUSH, [OKRA_ENCODE_FLUSH] = Z_SYNC_FLUSH, [OKRA_ENCODE_MEMBER] = Z_FINISH};
    z_stream *z = encoder;
    lend(z, bytes);
    int code = deflate(z, flush[how_far]);
    take_back(z, bytes);
    if (how_far != OKRA_ENCODE_MEMBER)
        return bytes->out_left > 0;
    if (code == Z_STREAM_END)
        deflateReset(z);
    return code == Z_STREAM_END;
}

static void free_encoder(void *encoder)
{
    if (encoder)
        deflateEnd(encoder);
    free(encoder);
}

/* ---- the codec ----------------------------------------------------------------------------------------------- */

const okra_codec okra_gzip_codec = {
    .start_decoder = start_decoder,
    .decode = decode,
    .fault = fault,
    .free_decoder = free_decoder,
    .start_encoder = start_encoder,
    .encode = encode,
    .free_encoder = free_encoder,
};
