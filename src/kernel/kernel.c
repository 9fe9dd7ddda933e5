#include "kernel.h"

#include <math.h>

#include "../core/compiler.h"
#include "axis_rule.h"

/* Newton's method stops after a step below this relative size: as it doubles the digits, only rounding is left then.
 * Ten steps are plenty; the limit is for u so near 0 that probabilities lose digits. */
static const double LAST_STEP = 1e-9;
enum { STEPS_MOST = 30 };

/* ---- values ------------------------------------------------------------------------------------------------- */

/* |r / sigma|^2 */
static double squared(double sigma, size_t d, const double *x, const double *y)
{
    double sum = 0;
    for (size_t j = 0; j < d; j++) {
        double r = (x[j] - y[j]) / sigma;
        sum += r * r;
    }
    return sum;
}

static double gaussian(double sigma, size_t d, const double *x, const double *y)
{
    return exp(-squared(sigma, d, x, y) / 2);
}

static double laplacian(double sigma, size_t d, const double *x, const double *y)
{
    double sum = 0;
    for (size_t j = 0; j < d; j++)
        sum += fabs(x[j] - y[j]) / sigma;
    return exp(-sum);
}

static double cauchy(double sigma, size_t d, const double *x, const double *y)
{
    double product = 1;
    for (size_t j = 0; j < d; j++) {
        double r = (x[j] - y[j]) / sigma;
        product *= 1 + r * r;
    }
    return 1 / product;
}

/* sqrt(2 nu) |r| / sigma, limited to where exp() gives 0: infinity times 0 would be NaN. */
static double matern_distance(double twice_nu, double sigma, size_t d, const double *x, const double *y)
{
    return fmin(sqrt(twice_nu * squared(sigma, d, x, y)), 1000);
}

static double matern32(double sigma, size_t d, const double *x, const double *y)
{
    double a = matern_distance(3, sigma, d, x, y);
    return (1 + a) * exp(-a);
}

static double matern52(double sigma, size_t d, const double *x, const double *y)
{
    double a = matern_distance(5, sigma, d, x, y);
    return (1 + a + a * a / 3) * exp(-a);
}

/* ---- quantiles of a coordinate ------------------------------------------------------------------------------ */

/*
 * The normal quantile by Newton's method, on a concave function, from below its root: the iterates rise to it, and no
 * safeguard is needed. Near the centre the function is erf(w), w = z / sqrt 2, which keeps its digits there, from the
 * tangent at 0. Further out it is the logarithm of the tail's Q(z) = erfc(w) / 2, as a function of -z, from Q(z) <=
 * exp(-z^2 / 2) / 2.
 */
static double normal_centre(double c)
{
    double w = c * sqrt(M_PI) / 2, step = 1;
    for (int i = 0; i < STEPS_MOST && fabs(step) > LAST_STEP * w; i++) {
        step = (c - erf(w)) * exp(w * w) * sqrt(M_PI) / 2;
        w += step;
    }
    return M_SQRT2 * w;
}

static double normal_tail(double q)
{
    double z = sqrt(-2 * log(2 * q)), step = 1;
    for (int i = 0; i < STEPS_MOST && fabs(step) > LAST_STEP; i++) {
        double tail = erfc(z * M_SQRT1_2) / 2, density = exp(-z * z / 2) / sqrt(2 * M_PI);
        step = log(tail / q) * tail / density;
        z += step;
    }
    return z;
}

/* Both halves use the distance of u to the nearer end, an exact difference, so they are mirror images. */
static double normal_quantile(double u)
{
    double q = u < 0.5 ? u : 1 - u;
    return copysign(q > 0.25 ? normal_centre(1 - 2 * q) : normal_tail(q), u - 0.5);
}

/* tan(pi (u - 1/2)); near its poles as a cotangent, because rounding of the argument would dominate there. */
static double cauchy_quantile(double u)
{
    double q = u < 0.5 ? u : 1 - u;
    return q > 0.25 ? tan(M_PI * (u - 0.5)) : copysign(1 / tan(M_PI * q), u - 0.5);
}

static double laplace_quantile(double u) { return u < 0.5 ? log(2 * u) : -log(2 * (1 - u)); }

/* ---- draws of coordinates ----------------------------------------------------------------------------------- */

/* By the tangent alone, not by cauchy_quantile(): the bits of the frequencies of a seed depend on it. */
static void draw_cauchy(okra_random *random, size_t n, double *omega)
{
    okra_random_uniform(random, n, omega);
    for (size_t j = 0; j < n; j++)
        omega[j] = tan(M_PI * (omega[j] - 0.5));
}

static void draw_laplace(okra_random *random, size_t n, double *omega)
{
    okra_random_uniform(random, n, omega);
    for (size_t j = 0; j < n; j++)
        omega[j] = laplace_quantile(omega[j]);
}

/* ---- the radial scale --------------------------------------------------------------------------------------- */

/*
 * A Student t vector of nu degrees of freedom is a normal one times sqrt(nu / q), q chi-squared with nu degrees of
 * freedom. With a = nu / 2 and x = q / 2 that is sqrt(a / x), x of the gamma distribution with density x^(a-1) e^-x /
 * gamma(a). From below, P(x) = x^a e^-x / gamma(a+1) S(x) with S(x) = 1 + x / (a+1) + x^2 / (a+1)(a+2) + .., all of one
 * sign; from above, Q(x) = 1 - P(x) is erfc(sqrt x) and, each time that a grows by 1, its density more. So each keeps
 * its digits in its own tail.
 *
 * log P is concave in log x, and log Q in x: after at most one step, Newton's method on these approaches its root from
 * one side.
 */
static double lower_quantile(double a, double u)
{
    double x = pow(u * tgamma(a + 1), 1 / a), step = 1;
    x += x * x / (a + 1); /* the first two terms of the inverse of P */
    for (int i = 0; i < STEPS_MOST && fabs(step) > LAST_STEP; i++) {
        double term = 1, sum = 1;
        for (double k = 1; term > 1e-17 * sum; k++)
            sum += term *= x / (a + k);
        double lower = pow(x, a) * exp(-x) / tgamma(a + 1) * sum;
        step = log(u / lower) * sum / a; /* the slope of log P is x P'(x) / P(x) = a / S(x) */
        x *= exp(step);
    }
    return x;
}

/* For a = 3/2 and 5/2. */
static double upper_quantile(double a, double q)
{
    double x = a, step = 1;
    for (int i = 0; i < STEPS_MOST && fabs(step) > LAST_STEP; i++) {
        double density = exp(-x) * 2 * sqrt(x / M_PI), upper = erfc(sqrt(x)) + density;
        if (a > 2) {
            density *= x / 1.5;
            upper += density;
        }
        step = log(upper / q) * upper / density;
        x += step;
    }
    return x;
}

/* ---- the vector form -------------------------------------------------------------------------------------------- */

/* The kernels in vec are powers of 2 of a scaled r, see src/vec/body_kernel.h. This scale makes them powers of e. */
static double gaussian_scale(double sigma) { return 1 / (sigma * sqrt(2 * M_LN2)); }
static double laplacian_scale(double sigma) { return 1 / (sigma * M_LN2); }
static double cauchy_scale(double sigma) { return 1 / sigma; }
static double matern32_scale(double sigma) { return sqrt(3) / (sigma * M_LN2); }
static double matern52_scale(double sigma) { return sqrt(5) / (sigma * M_LN2); }

/* ---- the registry ------------------------------------------------------------------------------------------- */

/* A row: the id without OKRA_, the name, the formula, and the rest of a `kernel`. The same id names the vector form in
 * src/vec/body_kernel.h. */
/* clang-format off */
#define KERNEL_LIST(X)                                                                                                 \
    X(GAUSSIAN, "gaussian", "exp(-|r|^2 / 2 sigma^2)",                                                                 \
      .value = gaussian, .scale = gaussian_scale,                                                                      \
      .radial = true, .draw = okra_random_normal, .quantile = normal_quantile, .rule = okra_normal_rule)               \
    X(LAPLACIAN, "laplacian", "exp(-|r|_1 / sigma)",                                                                   \
      .value = laplacian, .scale = laplacian_scale,                                                                    \
      .draw = draw_cauchy, .quantile = cauchy_quantile)                                                                \
    X(CAUCHY, "cauchy", "product of 1 / (1 + r_j^2 / sigma^2)",                                                        \
      .value = cauchy, .scale = cauchy_scale,                                                                          \
      .draw = draw_laplace, .quantile = laplace_quantile, .rule = okra_laplace_rule)                                   \
    X(MATERN32, "matern32", "(1 + a) exp(-a), a = sqrt(3) |r| / sigma",                                                \
      .value = matern32, .scale = matern32_scale,                                                                      \
      .radial = true, .freedom = 3, .draw = okra_random_normal, .quantile = normal_quantile)                           \
    X(MATERN52, "matern52", "(1 + a + a^2 / 3) exp(-a), a = sqrt(5) |r| / sigma",                                      \
      .value = matern52, .scale = matern52_scale,                                                                      \
      .radial = true, .freedom = 5, .draw = okra_random_normal, .quantile = normal_quantile)
/* clang-format on */

typedef struct kernel {
    int id;
    double (*value)(double sigma, size_t d, const double *x, const double *y);
    double (*scale)(double sigma);
    bool radial;    /* see okra_kernel_is_radial() */
    double freedom; /* of the Student t; 0: no radial scale */
    void (*draw)(okra_random *random, size_t n, double *omega);
    double (*quantile)(double u);
    bool (*rule)(size_t n, okra_axis_rule *rule); /* or NULL */
} kernel;

#define CHOICE(ID, name, formula, ...) {name, OKRA_##ID, HELP(formula)},
const okra_choice okra_kernel_choices[] = {KERNEL_LIST(CHOICE){NULL, 0, NULL}};
#undef CHOICE

#define ROW(ID, name, formula, ...) {.id = OKRA_##ID, __VA_ARGS__},
static const kernel kernels[] = {KERNEL_LIST(ROW)};
#undef ROW

static const kernel *find(int id)
{
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (kernels[i].id == id)
            return &kernels[i];
    return NULL;
}

double okra_kernel_value(int id, double sigma, size_t d, const double *x, const double *y)
{
    const kernel *k = find(id);
    return k ? k->value(sigma, d, x, y) : (double)NAN;
}

bool okra_kernel_is_radial(int id) { return find(id)->radial; }

void okra_kernel_draw(int id, okra_random *random, size_t n, double *omega) { find(id)->draw(random, n, omega); }

double okra_kernel_quantile(int id, double u) { return find(id)->quantile(u); }

double okra_kernel_scale(int id, double sigma) { return find(id)->scale(sigma); }

double okra_kernel_radial_scale(int id, double u)
{
    double a = find(id)->freedom / 2;
    if (a == 0)
        return 1;
    return sqrt(a / (u < 0.5 ? lower_quantile(a, u) : upper_quantile(a, 1 - u)));
}

bool okra_kernel_has_rule(int id) { return find(id)->rule; }

bool okra_kernel_rule(int id, size_t n, okra_axis_rule *rule)
{
    const kernel *k = find(id);
    return k->rule && k->rule(n, rule);
}
