/*
 * Finds a width for each input, and a regularisation, by the evidence of the linear model on the features: of all
 * settings, that under which the targets seen were most probable (D. MacKay 1992; as the automatic relevance
 * determination of Gaussian processes). For n samples, least sum of squares S, A = Z'Z + diag(prior):
 *
 *     L = [n/2 log(S/n) + 1/2 log|A| - 1/2 sum log prior]/n + 1/(4n) sum_j (log w_j - log w)^2
 *
 * is minimised over log w_j and log lambda. The prior is lambda for the features and fixed for the linear part. The
 * last term holds widths that nothing depends on near w, where the search starts.
 *
 * First come the widths in use, if there are any, and a grid of equal widths and regularisations. From the best of
 * them, iRprop+ (C. Igel, M. Huesken 2000) takes STEPS steps along the signs of the gradient.
 *
 * The search is done in parts: search_advance() does one, and returns its cost in multiply-adds. The result depends on
 * the samples only, not on how the parts are spread over time.
 */
#ifndef OKRA_WIDTH_SEARCH_H
#define OKRA_WIDTH_SEARCH_H

#include "matrix.h"
#include "member.h"
#include "sample_ring.h"

enum { SEARCH_POINTS = 7 };
enum { SEARCH_ROWS = 512, SEARCH_PAIRS = 64, SEARCH_BLOCK = 32 };

/* Scratch that the search shares with whoever takes turns with it: z[SEARCH_BLOCK][stride], a and inverse
 * [stride][stride], of at least search_stride() numbers a row; and work for features. */
#define matrix_space OKRA_TYPED(matrix_space)
typedef struct matrix_space {
    size_t stride; /* the largest */
    real *z, *a, *inverse, *work;
} matrix_space;

#define width_search OKRA_TYPED(width_search)
typedef struct width_search {
    const vec_table *vec;
    const fourier *base;
    size_t inputs, outputs, rows_max, stride;
    member_features f; /* at the current point */
    real width;        /* w */
    real *x, *y;       /* [rows][inputs], [rows][outputs]: standardised samples, and .. */
    real *root;        /* .. [rows] the roots of their weights */
    real *theta;       /* [outputs][stride] */
    real *slope;       /* [inputs][map.width]: derivative by the frequencies */
    real *points;      /* [SEARCH_POINTS][inputs + 1], which are: */
    real *point, *best, *gradient, *before, *size, *move; /* log w_j and log lambda; see step() */
    real *start;                                          /* the widths in use */
    real *number;                                         /* [SEARCH_NUMBERS]: where the search is */
} width_search;

#define search_stride     OKRA_TYPED(search_stride)
#define search_pairs      OKRA_TYPED(search_pairs)
#define search_lay_out    OKRA_TYPED(search_lay_out)
#define search_reset      OKRA_TYPED(search_reset)
#define search_begin      OKRA_TYPED(search_begin)
#define search_advance    OKRA_TYPED(search_advance)
#define search_is_done    OKRA_TYPED(search_is_done)
#define search_lambda     OKRA_TYPED(search_lambda)
#define search_value      OKRA_TYPED(search_value)
#define search_shares     OKRA_TYPED(search_shares)
#define search_array      OKRA_TYPED(search_array)
#define search_after_load OKRA_TYPED(search_after_load)

size_t search_pairs(const okra_spec *spec);
size_t search_stride(const okra_spec *spec);
void search_lay_out(width_search *s, const okra_spec *spec, const vec_table *vec, const fourier *base,
                    okra_block *block);
void search_reset(width_search *s);

/* Begins a search over the samples from `first` on, with the scale of `scale`. Widths in use: `widths` and lambda, or
 * NULL. */
void search_begin(width_search *s, const sample_ring *ring, uint64_t first, const member_features *scale,
                  const real *widths, real lambda);

/* Does a part, and returns its cost. */
size_t search_advance(width_search *s, const matrix_space *space);
bool search_is_done(const width_search *s);

/* The least L found so far. */
real search_value(const width_search *s);

/* After the search: the widths into widths[inputs]; returns lambda. */
real search_lambda(const width_search *s, real *widths);

/* How fast the target varies along each input, as widths of standardised inputs say: 1/width^2, adding up to 1. */
void search_shares(const real *widths, size_t inputs, double *shares);

/* The prior of the linear part. */
#define SEARCH_LINEAR_PRIOR ((real)1e-3)

/* State array i of a search under way; false beyond. */
bool search_array(const width_search *s, size_t i, array_view *view);

/* False if the state makes no sense: then the search is over. */
bool search_after_load(width_search *s);

#endif
