/*
 * Every map's frequencies computed again from the random numbers that a seed stands for, and its rules by looking at
 * all there are. What a seed gives is promised: models do not keep what they can draw.
 */
#include "check.h"

#include "kernel/kernel.h"
#include "map/map.h"
#include "map/quadrature.h"
#include "vec/isa.h"

enum { OMEGA = 1, PHASE = 2, RADIAL_SCALE = 3, SCRAMBLE = 4, SIGNS = 5 }; /* streams */
enum { SEED = 21, MOST = 64, INPUTS = 20 };

static const double widths[] = {1.5, 0.4, 6};

static okra_spec spec_of(const char *map, int kernel, size_t d, size_t features, size_t n_widths)
{
    okra_spec spec;
    assert_ok(okra_spec_init(&spec, "rff-klms", d, 1));
    assert_ok(okra_spec_set(&spec, "map", map, NULL));
    spec.kernel = kernel, spec.sigma = widths[0], spec.features = features, spec.seed = SEED;
    for (size_t i = 1; i < n_widths && i < COUNT_OF(widths); i++)
        spec.sigma_more[i - 1] = widths[i];
    return spec;
}

static void read_array(const okra_spec *spec, const char *name, double *numbers)
{
    okra_filter *filter;
    assert_ok(okra_create(spec, &filter));
    assert_ok(okra_array_read(filter, name, numbers));
    okra_free(filter);
}

static double uniform(uint64_t seed, uint32_t stream, uint64_t i)
{
    okra_random random = {.seed = seed, .stream = stream, .next = i};
    double u;
    okra_random_uniform(&random, 1, &u);
    return u;
}

/* Coordinates of frequency i at width 1, before the radial scale: of the normal, the Cauchy or the Laplace
 * distribution. */
static void draw_row(uint64_t seed, int kernel, size_t i, size_t d, double *row)
{
    okra_random random = {.seed = seed, .stream = OMEGA, .next = (uint64_t)i << 32};
    if (kernel != OKRA_LAPLACIAN && kernel != OKRA_CAUCHY) {
        okra_random_normal(&random, d, row);
        return;
    }
    okra_random_uniform(&random, d, row);
    for (size_t j = 0; j < d; j++)
        row[j] = kernel == OKRA_LAPLACIAN ? -1 / tan(M_PI * row[j])
                 : row[j] < 0.5           ? log(2 * row[j])
                                          : -log(2 - 2 * row[j]);
}

static double radial_scale_of(uint64_t seed, int kernel, size_t i)
{
    return okra_kernel_radial_scale(kernel, uniform(seed, RADIAL_SCALE, i));
}

static double cycles(double radians, size_t i, size_t n_widths) { return radians / widths[i % n_widths] / (2 * M_PI); }

static const int kernels[] = {OKRA_GAUSSIAN, OKRA_LAPLACIAN, OKRA_CAUCHY, OKRA_MATERN32, OKRA_MATERN52};

/* ---- independent frequencies ---------------------------------------------------------------------------------- */

static void rff_and_pairs(void **state)
{
    (void)state;
    enum { D = 3, N = 21 };
    for (size_t k = 0; k < COUNT_OF(kernels); k++)
        for (size_t w = 1; w <= COUNT_OF(widths); w += 2)
            for (int paired = 0; paired < 2; paired++) {
                double omega[N * D], phase[N], row[D];
                okra_spec spec = spec_of(paired ? "pair" : "rff", kernels[k], D, paired ? 2 * N : N, w);
                read_array(&spec, "omega", omega);
                if (!paired)
                    read_array(&spec, "phase", phase);
                for (size_t i = 0; i < N; i++) {
                    draw_row(SEED, kernels[k], i, D, row);
                    double radial_scale = radial_scale_of(SEED, kernels[k], i);
                    for (size_t j = 0; j < D; j++) {
                        double wanted = cycles(radial_scale * row[j], i, w);
                        assert_near(omega[i * D + j], wanted, 1e-13 * fabs(wanted));
                    }
                    if (!paired)
                        assert_near(phase[i], uniform(SEED, PHASE, i), 0);
                }
            }
}

/* Blocks of d, the last one shorter: Gram and Schmidt in long double. The k-th row loses k / d of its length on
 * average, hence the last digits. */
static void orthogonal_rows(uint64_t seed, int kernel, size_t d, size_t n, double *unit, double *length)
{
    static long double q[MOST][INPUTS];
    for (size_t i = 0; i < n; i++) {
        double row[INPUTS];
        long double norm = 0, left = 0;
        draw_row(seed, kernel, i, d, row);
        for (size_t j = 0; j < d; j++)
            q[i][j] = (long double)row[j], norm += q[i][j] * q[i][j];
        for (size_t k = i / d * d; k < i; k++) {
            long double part = 0;
            for (size_t j = 0; j < d; j++)
                part += q[k][j] * q[i][j];
            for (size_t j = 0; j < d; j++)
                q[i][j] -= part * q[k][j];
        }
        for (size_t j = 0; j < d; j++)
            left += q[i][j] * q[i][j];
        length[i] = radial_scale_of(seed, kernel, i) * (double)sqrtl(norm);
        for (size_t j = 0; j < d; j++)
            q[i][j] /= sqrtl(left), unit[i * d + j] = (double)q[i][j];
    }
}

static void orthogonal_blocks(void **state)
{
    (void)state;
    static double omega[MOST * INPUTS], unit[MOST * INPUTS], length[MOST];
    static const int radial[] = {OKRA_GAUSSIAN, OKRA_MATERN32, OKRA_MATERN52};
    static const size_t sizes[][2] = {{1, 5}, {3, 20}, {7, 33}, {19, 50}, {20, 12}};
    for (size_t k = 0; k < COUNT_OF(radial); k++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++)
            for (size_t w = 1; w <= COUNT_OF(widths); w += 2) {
                size_t d = sizes[s][0], n = sizes[s][1];
                okra_spec spec = spec_of("orf", radial[k], d, 2 * n, w);
                read_array(&spec, "omega", omega);
                orthogonal_rows(SEED, radial[k], d, n, unit, length);
                for (size_t i = 0; i < n * d; i++)
                    assert_near(omega[i], cycles(length[i / d] * unit[i], i / d, w), 1e-11 * length[i / d]);
            }
}

/* ---- structured --------------------------------------------------------------------------------------------- */

static void signs_and_lengths(void **state)
{
    (void)state;
    static double signs[3 * MOST], length[MOST], row[MOST];
    static const size_t sizes[][3] = {{1, 5, 16}, {16, 16, 16}, {17, 40, 32}, {5, 17, 16}};
    for (size_t s = 0; s < COUNT_OF(sizes); s++)
        for (size_t w = 1; w <= COUNT_OF(widths); w += 2) {
            size_t frequencies = sizes[s][1], n = sizes[s][2], blocks = (frequencies + n - 1) / n;
            okra_spec spec = spec_of("sorf", OKRA_MATERN52, sizes[s][0], 2 * frequencies, w);
            assert_true(3 * blocks * n <= COUNT_OF(signs));
            read_array(&spec, "signs", signs);
            read_array(&spec, "length", length);
            for (size_t i = 0; i < 3 * blocks * n; i++)
                assert_near(signs[i], uniform(SEED, SIGNS, i) < 0.5 ? -1 : 1, 0);
            for (size_t i = 0; i < frequencies; i++) {
                double norm = 0;
                draw_row(SEED, OKRA_GAUSSIAN, i, n, row);
                for (size_t j = 0; j < n; j++)
                    norm = hypot(norm, row[j]);
                double wanted = cycles(radial_scale_of(SEED, OKRA_MATERN52, i) * norm * pow((double)n, -1.5), i, w);
                assert_near(length[i], wanted, 1e-14 * wanted);
            }
        }
}

/* ---- Halton's points ----------------------------------------------------------------------------------------- */

/* The digits of n in a prime base, each a digit + c modulo the base, behind the point; 60 of them are enough. */
static double halton(size_t j, unsigned base, size_t n)
{
    okra_random random = {.seed = SEED, .run = (uint32_t)j, .stream = SCRAMBLE};
    long double value = 0, place = 1;
    for (int digit = 0; digit < 60 && place > 0x1p-53L; digit++, n /= base) {
        double u[2];
        okra_random_uniform(&random, 2, u);
        size_t a = 1 + (size_t)floor(u[0] * (double)(base - 1)), c = (size_t)floor(u[1] * (double)base);
        place /= base;
        value += place * (long double)((a * n + c) % base);
    }
    return (double)(value + place / 2);
}

/* Quantiles amplify an error of 2^-53 by the inverse of the density, below 1e4 for these few points. */
static void points_of_halton(void **state)
{
    (void)state;
    enum { N = 40, D = 6 };
    static const unsigned primes[] = {2, 3, 5, 7, 11, 13, 17};
    for (size_t k = 0; k < COUNT_OF(kernels); k++)
        for (size_t w = 1; w <= COUNT_OF(widths); w += 2)
            for (size_t d = 1; d <= D; d += 5) {
                double omega[N * D];
                okra_spec spec = spec_of("qmc", kernels[k], d, 2 * N, w);
                read_array(&spec, "omega", omega);
                for (size_t i = 0; i < N; i++) {
                    double radial_scale = okra_kernel_radial_scale(kernels[k], halton(d, primes[d], i / w));
                    for (size_t j = 0; j < d; j++) {
                        double unit = okra_kernel_quantile(kernels[k], halton(j, primes[j], i / w));
                        assert_near(omega[i * d + j], cycles(radial_scale * unit, i, w),
                                    1e-11 * (1 + fabs(unit) * radial_scale));
                    }
                }
            }
}

/* ---- rules ------------------------------------------------------------------------------------------------------ */

/* The rules that are in the books. */
static void rules_of_the_books(void **state)
{
    (void)state;
    static const struct {
        int kernel;
        size_t n;
        double node[5], weight[5]; /* without mirror images, heaviest first */
    } books[] = {
        {OKRA_GAUSSIAN, 2, {1}, {0.5}},
        {OKRA_GAUSSIAN, 3, {0, 1.7320508075688772}, {2.0 / 3, 1.0 / 6}},
        {OKRA_GAUSSIAN, 4, {0.74196378430272585, 2.3344142183389773}, {0.45412414523193151, 0.045875854768068491}},
        {OKRA_GAUSSIAN,
         5,
         {0, 1.3556261799742659, 2.8569700138728056},
         {8.0 / 15, 0.22207592200561264, 0.011257411327720689}},
        {OKRA_CAUCHY, 2, {1}, {0.5}},
        {OKRA_CAUCHY, 4, {0.58578643762690495, 3.4142135623730951}, {0.42677669529663688, 0.073223304703363119}},
    };
    for (size_t b = 0; b < COUNT_OF(books); b++) {
        okra_axis_rule rule;
        size_t at = 0;
        assert_true(okra_kernel_rule(books[b].kernel, books[b].n, &rule));
        assert_int_equal(rule.n, books[b].n);
        for (size_t i = 0; at < rule.n; i++)
            for (int sign = 1; sign >= (books[b].node[i] > 0 ? -1 : 1); sign -= 2, at++) {
                assert_near(rule.node[at], sign * books[b].node[i], 1e-14);
                assert_near(rule.weight[at], books[b].weight[i], 1e-15);
            }
    }
}

/* All that a Gauss rule promises, as far as long double holds the moments: degrees up to 2 n - 1, and not 2 n. */
static void rules_are_of_their_degree(void **state)
{
    (void)state;
    for (size_t n = 2; n <= 24; n++)
        for (int cauchy = 0; cauchy <= (n % 2 == 0); cauchy++) {
            okra_axis_rule rule;
            size_t exact = cauchy ? n : 2 * n;
            long double moment = 1;
            assert_true(okra_kernel_rule(cauchy ? OKRA_CAUCHY : OKRA_GAUSSIAN, n, &rule));
            for (size_t degree = 0; degree <= exact; degree++) {
                long double sum = 0, size = 0, d = (long double)degree;
                for (size_t i = 0; i < rule.n; i++) {
                    long double term = (long double)rule.weight[i] * powl((long double)rule.node[i], d);
                    sum += term, size += fabsl(term);
                }
                if (degree % 2)
                    assert_near(sum, 0, 0); /* mirrored */
                else if (degree < exact)
                    assert_near(sum / moment, 1, 1e-13 * (double)(d + 1) * (double)(size / moment));
                else
                    assert_true(sum < moment * (1 - 1e-9L)); /* the error of a Gauss rule has a sign */
                moment *= degree % 2 ? 1 : cauchy ? (d + 1) * (d + 2) : d + 1;
            }
            for (size_t i = 1; i < n; i++)
                assert_true(rule.weight[i] <= rule.weight[i - 1]);
        }
}

static void rules_have_ends(void **state)
{
    (void)state;
    static okra_axis_rule rule;
    assert_false(okra_kernel_rule(OKRA_GAUSSIAN, 1, &rule));
    assert_false(okra_kernel_rule(OKRA_GAUSSIAN, RULE_MAX + 1, &rule));
    assert_false(okra_kernel_rule(OKRA_LAPLACIAN, 4, &rule));
    assert_false(okra_kernel_rule(OKRA_CAUCHY, 5, &rule));
    static const int both[] = {OKRA_GAUSSIAN, OKRA_CAUCHY};
    for (size_t k = 0; k < COUNT_OF(both); k++) {
        double total = 0;
        assert_true(okra_kernel_rule(both[k], RULE_MAX, &rule));
        assert_int_equal(rule.n, RULE_MAX);
        for (size_t i = 0; i < RULE_MAX; i++)
            total += rule.weight[i];
        assert_near(total, 1, 1e-13);
    }
    assert_true(okra_kernel_rule(OKRA_GAUSSIAN, RULE_MAX - 1, &rule));
    assert_int_equal(rule.n, RULE_MAX - 1);
}

/* ---- products ------------------------------------------------------------------------------------------------- */

enum { MOST_NODES = 4096, AXES = 8 };

typedef struct nodes {
    size_t n, d;
    double node[MOST_NODES][AXES], weight[MOST_NODES];
} nodes;

static void collect(void *context, size_t i, const double *node, double weight)
{
    nodes *all = context;
    assert_int_equal(i, all->n);
    assert_true(all->n < MOST_NODES);
    memcpy(all->node[i], node, all->d * sizeof *node);
    all->weight[all->n++] = weight;
}

static int heavier(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p < q) - (p > q);
}

/* The weights of all nodes, of w and -w together, heaviest first: by going through every index. By the weight of one
 * of the two, which is what is compared: the middle stands for itself alone. */
static size_t all_weights(const okra_axis_rule *rule, size_t d, double (*sorted)[2])
{
    size_t n = 0, total = 1;
    for (size_t j = 0; j < d; j++)
        total *= rule->n;
    for (size_t index = 0; index < total; index++) {
        double weight = 1, first = 0;
        for (size_t j = 0, rest = index; j < d; j++, rest /= rule->n) {
            double node = rule->node[rest % rule->n];
            weight *= rule->weight[rest % rule->n];
            first = node != 0 ? node : first; /* a sign that differs between the two */
        }
        if (first < 0)
            continue;
        assert_true(n < MOST_NODES);
        sorted[n][0] = weight, sorted[n++][1] = first > 0 ? 2 * weight : weight;
    }
    qsort(sorted, n, sizeof *sorted, heavier);
    return n;
}

static double weight_at(const okra_axis_rule *rule, double node)
{
    for (size_t i = 0; i < rule->n; i++)
        if (rule->node[i] == node)
            return rule->weight[i];
    fail_msg("%g is no node", node);
    return 0;
}

/* The nodes are distinct, none with its mirror image, each with its weight; and none is left out that is heavier. */
static void assert_product(const okra_axis_rule *rule, size_t d, size_t count)
{
    static nodes found;
    static double sorted[MOST_NODES][2];
    double scratch[AXES], least = (double)INFINITY;
    size_t all = all_weights(rule, d, sorted), wanted = count < all ? count : all;
    found.n = 0, found.d = d;
    assert_int_equal(okra_product_rule(rule, d, count, scratch, collect, &found), wanted);
    assert_int_equal(found.n, wanted);
    for (size_t i = 0; i < wanted; i++) {
        double weight = 1, first = 0;
        for (size_t j = d; j-- > 0;) {
            weight *= weight_at(rule, found.node[i][j]);
            first = found.node[i][j] != 0 ? found.node[i][j] : first;
        }
        assert_true(first >= 0);
        assert_near(found.weight[i], first > 0 ? 2 * weight : weight, 1e-15 * weight);
        least = fmin(least, weight);
        for (size_t k = 0; k < i; k++)
            assert_memory_not_equal(found.node[i], found.node[k], d * sizeof(double));
    }
    if (wanted > 0)
        assert_near(least / sorted[wanted - 1][0], 1, 1e-10);
}

static void products_keep_the_heaviest(void **state)
{
    (void)state;
    static const size_t shapes[][2] = {{2, 1}, {5, 1}, {4, 2}, {7, 2}, {9, 3}, {3, 4}, {2, 8}};
    static const size_t counts[] = {1, 2, 5, 12, 13, 40, 63, 4000};
    for (size_t s = 0; s < COUNT_OF(shapes); s++)
        for (size_t c = 0; c < COUNT_OF(counts); c++)
            for (int cauchy = 0; cauchy < 2; cauchy++) {
                okra_axis_rule rule;
                if (okra_kernel_rule(cauchy ? OKRA_CAUCHY : OKRA_GAUSSIAN, shapes[s][0], &rule))
                    assert_product(&rule, shapes[s][1], counts[c]);
            }
}

/* ---- the rule that is chosen ------------------------------------------------------------------------------------ */

enum { DIFFERENCES = 64 };

/* The sum of squared errors of a rule at 64 differences of about a width, drawn from seed 1. */
static double rule_error(int kernel, const nodes *rule)
{
    okra_random random = {.seed = 1};
    double square = 0, total = 0, zero[AXES] = {0};
    for (size_t i = 0; i < rule->n; i++)
        total += rule->weight[i];
    for (size_t k = 0; k < DIFFERENCES; k++) {
        double r[AXES], sum = 0;
        okra_random_normal(&random, rule->d, r);
        for (size_t j = 0; j < rule->d; j++)
            r[j] /= sqrt((double)rule->d);
        for (size_t i = 0; i < rule->n; i++) {
            double angle = 0;
            for (size_t j = 0; j < rule->d; j++)
                angle += rule->node[i][j] * r[j];
            sum += rule->weight[i] * cos(angle);
        }
        square += pow(sum / total - okra_kernel_value(kernel, 1, rule->d, r, zero), 2);
    }
    return square;
}

/* Orthogonal directions of seed 1 at the two radii in turn. */
static void sparse_rule(size_t d, size_t n, nodes *rule)
{
    static double unit[MOST * INPUTS], length[MOST];
    orthogonal_rows(1, OKRA_GAUSSIAN, d, n, unit, length);
    rule->n = n, rule->d = d;
    for (size_t i = 0; i < n; i++) {
        double s = sqrt((double)d / 2 + 1), outer = i % 2 ? 1 : -1;
        rule->weight[i] = (1 - outer / s) / 2;
        for (size_t j = 0; j < d; j++)
            rule->node[i][j] = sqrt(2 * (s * s + outer * s)) * unit[i * d + j];
    }
}

/* What a map has of a width: nodes in radians at width 1, and weights, which add up to 1. */
static void rule_of_map(const okra_spec *spec, nodes *rule)
{
    static double omega[MOST * AXES], amplitude[MOST];
    double total = 0;
    read_array(spec, "omega", omega);
    read_array(spec, "amplitude", amplitude);
    rule->n = spec->features / 2, rule->d = spec->inputs;
    for (size_t i = 0; i < rule->n; i++) {
        rule->weight[i] = amplitude[i] * amplitude[i];
        total += rule->weight[i];
        for (size_t j = 0; j < rule->d; j++)
            rule->node[i][j] = omega[i * rule->d + j] * 2 * M_PI * spec->sigma;
    }
    assert_near(total, 1, 1e-14);
}

/* The smallest error of all products that are not out of proportion. */
static double best_product(int kernel, size_t d, size_t count)
{
    static nodes product;
    double best = (double)INFINITY, scratch[AXES];
    for (size_t n = 2; n <= 31 && pow((double)n, (double)d) <= 64 * (double)count + 64; n++) {
        okra_axis_rule rule;
        if (!okra_kernel_rule(kernel, n, &rule) || n > 2 * count)
            continue;
        product.n = 0, product.d = d;
        okra_product_rule(&rule, d, count, scratch, collect, &product);
        best = fmin(best, rule_error(kernel, &product));
    }
    return best;
}

/* No rule that was looked at is better than the one that was taken; errors of rounding (1e-24, squared) are none. */
static void the_better_rule_is_taken(void **state)
{
    (void)state;
    static nodes taken, sparse;
    static const size_t shapes[][2] = {{1, 3},  {1, 7},  {2, 6},  {2, 25}, {2, 60}, {3, 14}, {3, 50},
                                       {4, 40}, {5, 60}, {6, 64}, {7, 64}, {8, 20}, {8, 64}};
    size_t products = 0, sparses = 0;
    for (size_t s = 0; s < COUNT_OF(shapes); s++)
        for (int cauchy = 0; cauchy < 2; cauchy++) {
            size_t d = shapes[s][0], n = shapes[s][1];
            int kernel = cauchy ? OKRA_CAUCHY : OKRA_GAUSSIAN;
            okra_spec spec = spec_of("quadrature", kernel, d, 2 * n, 1);
            if (okra_spec_check(&spec, NULL))
                continue;
            sparse_rule(d, n, &sparse);
            double by_product = best_product(kernel, d, n);
            double by_sparse = cauchy ? (double)INFINITY : rule_error(kernel, &sparse);
            rule_of_map(&spec, &taken);
            assert_near(rule_error(kernel, &taken), fmin(by_product, by_sparse),
                        2e-24 + 1e-6 * fmin(by_product, by_sparse));
            products += by_product < by_sparse, sparses += by_sparse < by_product;
        }
    assert_true(products > 5 && sparses > 0);
}

/* In more dimensions than products are for, the sparse rule, node by node; widths take turns. */
static void the_sparse_rule_in_many_dimensions(void **state)
{
    (void)state;
    enum { D = 11, N = 45 };
    for (size_t w = 1; w <= COUNT_OF(widths); w += 2) {
        static double omega[N * D], amplitude[N], unit[N * D], length[N];
        okra_spec spec = spec_of("quadrature", OKRA_GAUSSIAN, D, 2 * N, w);
        double total = 0, s = sqrt(D / 2.0 + 1);
        read_array(&spec, "omega", omega);
        read_array(&spec, "amplitude", amplitude);
        orthogonal_rows(1, OKRA_GAUSSIAN, D, N, unit, length);
        for (size_t i = 0; i < N; i++)
            total += (i / w) % 2 ? 1 - 1 / s : 1 + 1 / s;
        for (size_t i = 0; i < N; i++) {
            double outer = (i / w) % 2 ? 1 : -1, radius = sqrt(2 * (s * s + outer * s));
            assert_near(amplitude[i] * amplitude[i], (1 - outer / s) / total, 1e-15);
            for (size_t j = 0; j < D; j++)
                assert_near(omega[i * D + j], cycles(radius * unit[i * D + j], i, w), 1e-11);
        }
    }
}

/* A product with fewer nodes than there is room for leaves the rest without weight. */
static void what_is_left_over_has_no_weight(void **state)
{
    (void)state;
    static double amplitude[MOST];
    okra_spec spec = spec_of("quadrature", OKRA_GAUSSIAN, 1, 2 * MOST, 1);
    double total = 0;
    size_t used = 0;
    read_array(&spec, "amplitude", amplitude);
    for (size_t i = 0; i < MOST; i++)
        total += amplitude[i] * amplitude[i], used += amplitude[i] > 0;
    assert_near(total, 1, 1e-14);
    assert_true(used > 10);
}

/* ---- in place ---------------------------------------------------------------------------------------------------- */

/* draw() fills all that there is, and apply() all of z, zeros in the padding: filters take products with it. */
static void padding_is_written(void **state)
{
    (void)state;
    static const char *const maps[] = {"linear", "rff",        "pair",       "orf",        "sorf",
                                       "qmc",    "quadrature", "linear+rff", "linear+sorf"};
    for (size_t m = 0; m < COUNT_OF(maps); m++)
        for (size_t features = 2; features <= 40; features += 2) {
            okra_spec spec = spec_of(strcmp(maps[m], "linear") ? maps[m] : "rff", OKRA_GAUSSIAN, 3, features, 1);
            double x[] = {0.3, -1.1, 0.6};
            if (strcmp(maps[m], "linear") == 0)
                spec.map = OKRA_MAP_LINEAR;
            feature_map map;
            okra_block block = okra_block_measure();
            map_lay_out(&map, &spec, vec_of(OKRA_ISA_scalar), &block);
            void *memory = okra_block_allocate(okra_block_bytes(&block));
            memset(memory, 0xff, okra_block_bytes(&block)); /* NaN: draw() fills whatever it finds */
            block = okra_block_at(memory);
            map_lay_out(&map, &spec, vec_of(OKRA_ISA_scalar), &block);
            assert_ok(map.klass->init_params(map.state, &spec));
            size_t n = map_buffer(&map);
            double *z = okra_block_allocate(n * sizeof *z);
            for (size_t i = 0; i < n; i++)
                z[i] = (double)NAN;
            map_apply(&map, x, z);
            for (size_t i = 0; i < map.width; i++)
                assert_true(i < map.outputs ? isfinite(z[i]) : z[i] == 0);
            okra_block_release(z), okra_block_release(memory);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rff_and_pairs),
        cmocka_unit_test(orthogonal_blocks),
        cmocka_unit_test(signs_and_lengths),
        cmocka_unit_test(points_of_halton),
        cmocka_unit_test(rules_of_the_books),
        cmocka_unit_test(rules_are_of_their_degree),
        cmocka_unit_test(rules_have_ends),
        cmocka_unit_test(products_keep_the_heaviest),
        cmocka_unit_test(the_better_rule_is_taken),
        cmocka_unit_test(the_sparse_rule_in_many_dimensions),
        cmocka_unit_test(what_is_left_over_has_no_weight),
        cmocka_unit_test(padding_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
