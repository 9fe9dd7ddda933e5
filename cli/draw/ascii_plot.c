/*
 * Curves as characters: each column of the page shows where the curve is half way through it.
 */
#include "ascii_plot.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 72, HEIGHT = 16 };

typedef struct frame {
    double left, right, bottom, top;
    bool log_x;
    char cells[HEIGHT][WIDTH + 1];
} frame;

static double place(const frame *f, double x) { return f->log_x ? log10(x) : x; }

/* ---- what is to be seen -------------------------------------------------------------------------------------- */

static void widen(double *low, double *high, double x)
{
    *low = x < *low ? x : *low;
    *high = x > *high ? x : *high;
}

static void find_range(frame *f, double top, size_t n, const ascii_curve *curves)
{
    f->left = f->bottom = (double)INFINITY;
    f->right = f->top = (double)-INFINITY;
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < curves[k].n; i++)
            if (isfinite(place(f, curves[k].x[i])) && isfinite(curves[k].y[i])) {
                widen(&f->left, &f->right, place(f, curves[k].x[i]));
                widen(&f->bottom, &f->top, curves[k].y[i]);
            }
    f->top = f->top > top && f->bottom < top ? top : f->top;
    if (!(f->top - f->bottom > 1)) /* a flat line needs some room about it */
        f->top = f->bottom + 1;
}

/* ---- drawing ------------------------------------------------------------------------------------------------- */

/* The curve's y at x, between the points on either side; NaN outside. */
static double height_at(const frame *f, const ascii_curve *curve, double x)
{
    for (size_t i = 1; i < curve->n; i++) {
        double a = place(f, curve->x[i - 1]), b = place(f, curve->x[i]);
        if (a <= x && x <= b)
            return b > a ? curve->y[i - 1] + (curve->y[i] - curve->y[i - 1]) * (x - a) / (b - a) : curve->y[i];
    }
    return (double)NAN;
}

static void draw(frame *f, const ascii_curve *curve)
{
    for (int column = 0; column < WIDTH; column++) {
        double y = height_at(f, curve, f->left + (f->right - f->left) * (column + 0.5) / WIDTH);
        double row = (f->top - y) / (f->top - f->bottom) * (HEIGHT - 1);
        if (row > -0.5 && row < HEIGHT - 0.5)
            f->cells[(int)(row + 0.5)][column] = curve->mark;
    }
}

static void print(FILE *out, const frame *f, const char *name)
{
    for (int row = 0; row < HEIGHT; row++) {
        double y = f->top - (f->top - f->bottom) * row / (HEIGHT - 1);
        size_t used = WIDTH;
        while (used > 0 && f->cells[row][used - 1] == ' ')
            used--;
        if (row % 5 == 0)
            fprintf(out, "%7.1f |%.*s\n", y, (int)used, f->cells[row]);
        else
            fprintf(out, "%7s |%.*s\n", "", (int)used, f->cells[row]);
    }
    char left[32], right[32];
    snprintf(left, sizeof left, "%.3g", f->log_x ? pow(10, f->left) : f->left);
    snprintf(right, sizeof right, "%.6g", f->log_x ? pow(10, f->right) : f->right);
    fprintf(out, "%7s +", "dB");
    for (int column = 0; column < WIDTH; column++)
        putc('-', out);
    int middle = WIDTH - (int)strlen(left) - (int)strlen(right);
    fprintf(out, "\n%9s%s%*s%*s%s\n", "", left, (middle + (int)strlen(name)) / 2, name,
            middle - (middle + (int)strlen(name)) / 2, "", right);
}

void ascii_plot(FILE *out, const char *name, bool log_x, double top, size_t n, const ascii_curve *curves)
{
    frame f = {.log_x = log_x};
    find_range(&f, top, n, curves);
    if (!(f.right > f.left))
        return; /* not even two points */
    for (int row = 0; row < HEIGHT; row++)
        memset(f.cells[row], ' ', WIDTH);
    for (size_t k = 0; k < n; k++)
        draw(&f, &curves[k]);
    print(out, &f, name);
}
