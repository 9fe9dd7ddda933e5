#include "ud.h"

#include <string.h>

void ud_lay_out(ud_factor *p, size_t capacity, const vec_table *vec, okra_block *block)
{
    size_t width = padded(capacity), cols = ud_columns(capacity), bytes = SIZE_MAX;
    p->vec = vec;
    p->capacity = capacity;
    /* about cols^2 / 2 numbers: check first that the square does not overflow */
    if (okra_multiply(cols, cols, &bytes) && okra_multiply(bytes, sizeof(real), &bytes))
        p->u = okra_block_take(block, triangle_size(cols), sizeof(real));
    else
        p->u = okra_block_take(block, SIZE_MAX, sizeof(real));
    p->d = okra_block_take(block, width, sizeof(real));
    p->d_next = okra_block_take(block, width, sizeof(real));
    p->f = okra_block_take(block, width, sizeof(real));
    p->v = okra_block_take(block, width, sizeof(real));
    p->l = okra_block_take(block, width + 1, sizeof(real));
    p->g = okra_block_take(block, width, sizeof(real));
}

void ud_resize(ud_factor *p, size_t n)
{
    p->n = n;
    p->cols = ud_columns(n);
}

void ud_clear_padding(ud_factor *p)
{
    for (size_t j = p->n; j < p->cols; j++) {
        for (size_t i = 0; i <= j; i++)
            p->u[triangle_place(i, j)] = i == j ? (real)1 : 0;
        p->d[j] = 0;
    }
}

static real smallest(size_t n, const real *d)
{
    real min = REAL_MAX;
    for (size_t j = 0; j < n; j++)
        min = d[j] < min ? d[j] : min;
    return min;
}

static void begin_round(ud_factor *p)
{
    p->row = 0;
    p->row_max = 0;
}

void ud_reset(ud_factor *p, size_t n, real inv_lambda)
{
    ud_resize(p, n);
    memset(p->u, 0, triangle_size(p->cols) * sizeof *p->u);
    size_t vectors = padded(p->capacity) * sizeof(real);
    memset(p->d, 0, vectors), memset(p->d_next, 0, vectors), memset(p->f, 0, vectors), memset(p->g, 0, vectors);
    for (size_t j = 0; j < p->cols; j++) {
        p->u[triangle_place(j, j)] = 1;
        p->d[j] = j < n ? inv_lambda : 0;
    }
    p->pending = false;
    p->diag_max = p->d_min = inv_lambda;
    begin_round(p);
}

void ud_append(ud_factor *p, const real *column, real d)
{
    size_t j = p->n;
    ud_resize(p, j + 1);
    if (j % TILE_COLS == 0) { /* a new group of columns starts with zeros below the diagonal and units above it */
        memset(p->u + triangle_size(j), 0, (triangle_size(j + TILE_COLS) - triangle_size(j)) * sizeof *p->u);
        ud_clear_padding(p);
    }
    for (size_t i = 0; i < j; i++)
        p->u[triangle_place(i, j)] = column[i];
    p->u[triangle_place(j, j)] = 1;
    p->d[j] = d;
    p->diag_max = d > p->diag_max ? d : p->diag_max;
    p->d_min = d < p->d_min ? d : p->d_min;
}

bool ud_start(ud_factor *p, const real *inverse, size_t stride)
{
    real diag_max = 0;
    for (size_t j = 0; j < p->n; j++) {
        const real *above = inverse + j;
        real root = above[j * stride], scale = 1 / root, *column = p->u + triangle_place(0, j);
        p->d[j] = root * root;
        for (size_t i = 0; i < j; i++)
            column[i / TILE_ROWS * TILE + i % TILE_ROWS] = scale * above[i * stride];
    }
    for (size_t i = 0; i < p->n; i++) {
        const real *row = inverse + i * stride + i;
        real diagonal = p->vec->dot(p->n - i, row, row);
        diag_max = diagonal <= diag_max ? diag_max : diagonal; /* NaN too */
    }
    p->diag_max = diag_max;
    p->d_min = smallest(p->n, p->d);
    begin_round(p);
    return diag_max <= UD_NEAR && p->d_min > UD_LEAST;
}

bool ud_project(ud_factor *p, const real *z)
{
    bool applied = p->pending;
    if (applied)
        p->vec->ud_update_product(p->cols, p->u, p->l, p->v, p->g, z, p->f);
    else
        p->vec->ud_product(p->cols, p->u, z, p->f);
    p->pending = false;
    return applied;
}

void ud_row(ud_factor *p, size_t j)
{
    memset(p->f, 0, p->cols * sizeof *p->f);
    for (size_t k = j; k < p->cols; k++)
        p->f[k] = p->u[triangle_place(j, k)];
}

void ud_sweep(ud_factor *p, size_t j)
{
    for (size_t i = 0; i < j; i++) {
        real *u = &p->u[triangle_place(i, j)];
        *u = real_abs(*u) < REAL_MIN ? 0 : *u;
    }
}

/* Element i of the diagonal of P. */
static real diagonal_at(const ud_factor *p, size_t i)
{
    real diagonal = 0;
    for (size_t j = i; j < p->n; j++) {
        real u = p->u[triangle_place(i, j)];
        diagonal += u * p->d[j] * u; /* u^2 alone may overflow */
    }
    return diagonal;
}

/* Checks more rows; true after the last. */
static bool see_rows(ud_factor *p, size_t rows)
{
    size_t end = rows < p->n - p->row ? p->row + rows : p->n;
    for (; p->row < end; p->row++) {
        real diagonal = diagonal_at(p, p->row);
        p->row_max = diagonal > p->row_max ? diagonal : p->row_max;
    }
    return p->row == p->n;
}

static void end_round(ud_factor *p)
{
    p->diag_max = p->row_max;
    begin_round(p);
}

void ud_refresh(ud_factor *p)
{
    p->d_min = smallest(p->n, p->d);
    begin_round(p);
    see_rows(p, p->n);
    end_round(p);
}

/* From UD_NEAR to UD_MOST there are log(UD_NEAR) / log(inv_beta) samples. All rows must be checked in half of those. */
static size_t rows_a_sample(const ud_factor *p, real inv_beta)
{
    real samples = real_log(UD_NEAR) / (2 * real_log(inv_beta));
    return samples >= (real)p->n ? 1 : samples > 1 ? 1 + (size_t)((real)p->n / samples) : p->n;
}

void ud_tighten(ud_factor *p, real inv_beta)
{
    if (inv_beta > 1 && p->diag_max > UD_NEAR && see_rows(p, rows_a_sample(p, inv_beta)))
        end_round(p);
}

/* The largest diagonal element of P after the computed update, tried row by row. */
static real diag_max_after(const ud_factor *p)
{
    real diag_max = 0;
    for (size_t i = 0; i < p->n; i++) {
        real g = 0, diagonal = 0;
        for (size_t j = i; j < p->n; j++) {
            real u = p->u[triangle_place(i, j)], next = u + p->l[j] * g;
            g += p->v[j] * u;
            diagonal += next * p->d_next[j] * next;
        }
        if (!(diagonal <= diag_max)) /* NaN too */
            diag_max = diagonal;
    }
    return diag_max;
}

/*
 * A measurement only lowers the diagonal of P, and forgetting raises it by 1 / beta. So one product per sample updates
 * the bound; it is recomputed when it is too large. While it holds, U is finite: P_ii >= U_ij^2 d_j, and no d is
 * smaller than UD_LEAST.
 *
 * A d that is held at UD_LEAST is an exception: it raises P, and by much if U is large. No a_j / a_j+1 is below
 * r / total, so a lower bound on d is kept in the same way. If the bound comes near UD_LEAST, and still does when it is
 * recomputed, the update is tried first.
 */
bool ud_measure(ud_factor *p, real r, real inv_beta, real *total)
{
    *total = p->vec->ud_gains(p->cols, r, inv_beta, p->f, p->d, p->v, p->l, p->d_next);
    if (!(p->diag_max * inv_beta <= UD_MOST))
        ud_refresh(p);
    if (!(p->diag_max * inv_beta <= UD_MOST && *total <= REAL_MAX) || p->vec->finite(p->cols, p->l) < p->cols ||
        p->vec->finite(p->cols, p->d_next) < p->cols)
        return false;
    p->d_min_next = p->d_min * (r / *total) * inv_beta;
    if (p->d_min_next <= 2 * UD_LEAST)
        p->d_min_next = smallest(p->n, p->d_next);
    p->held = p->d_min_next <= UD_LEAST;
    if (p->held)
        p->diag_max_next = diag_max_after(p);
    return !p->held || p->diag_max_next <= UD_MOST;
}

void ud_accept(ud_factor *p, real inv_beta)
{
    memcpy(p->d, p->d_next, p->n * sizeof *p->d);
    p->diag_max = p->held ? p->diag_max_next : p->diag_max * inv_beta;
    p->row_max *= inv_beta;
    if (p->held) /* this raises the rows already checked */
        begin_round(p);
    p->d_min = p->d_min_next;
    p->pending = true;
}

bool ud_settle(ud_factor *p)
{
    bool applied = p->pending;
    if (applied)
        p->vec->ud_update(p->cols, p->u, p->l, p->v, p->g);
    p->pending = false;
    return applied;
}

real ud_spread_of(const ud_factor *p, const real *f)
{
    real sum = 0;
    for (size_t j = 0; j < p->n; j++)
        sum += p->d[j] * f[j] * f[j];
    return sum;
}

real ud_spread(const ud_factor *p, const real *z, real *work)
{
    p->vec->ud_product(p->cols, p->u, z, work);
    return ud_spread_of(p, work);
}
