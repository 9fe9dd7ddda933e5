/* Every map against the exact kernel: what each must be on average, how far off it may be, and which beats which. */
#include "check.h"

#include "kernel/kernel.h"
#include "map/quadrature.h"
#include "spec/params.h"

enum { MOST_FEATURES = 4096, MOST_INPUTS = 80 };

static const char *const random_maps[] = {"rff", "pair", "orf", "sorf", "qmc"};
static const char *const kernels[] = {"gaussian", "laplacian", "cauchy", "matern32", "matern52"};

static okra_spec map_spec(const char *map, const char *kernel, double sigma, size_t d, size_t features, uint64_t seed)
{
    okra_spec spec;
    assert_ok(okra_spec_init(&spec, "rff-klms", d, 1));
    assert_ok(okra_spec_set(&spec, "map", map, NULL));
    assert_ok(okra_spec_set(&spec, "kernel", kernel, NULL));
    spec.sigma = sigma, spec.features = features, spec.seed = seed;
    return spec;
}

static bool is_refused(const char *map, const char *kernel, size_t d)
{
    okra_spec spec = map_spec(map, kernel, 1, d, 100, 1);
    return okra_spec_check(&spec, NULL) != OKRA_OK;
}

static okra_map *make_map(const okra_spec *spec)
{
    okra_map *map;
    assert_ok(okra_map_create(spec, &map));
    return map;
}

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* z(x).z(y) */
static double approximation(okra_map *map, const double *x, const double *y)
{
    static double zx[MOST_FEATURES], zy[MOST_FEATURES];
    assert_ok(okra_map_apply(map, 1, x, zx));
    assert_ok(okra_map_apply(map, 1, y, zy));
    return dot(okra_map_outputs(map), zx, zy);
}

/* ---- pairs of inputs about a width apart ---------------------------------------------------------------------- */

enum { PAIRS = 40 };

typedef struct inputs {
    size_t d;
    double x[PAIRS][MOST_INPUTS], y[PAIRS][MOST_INPUTS];
    double width; /* the typical distance */
} inputs;

static void make_inputs(inputs *in, size_t d)
{
    okra_random random = {.seed = 77, .stream = (uint32_t)d};
    in->d = d;
    in->width = sqrt(2.0 * (double)d);
    for (size_t p = 0; p < PAIRS; p++) {
        okra_random_normal(&random, d, in->x[p]);
        okra_random_normal(&random, d, in->y[p]);
    }
}

/* The mean squared error of a map over the pairs. */
static double error_of(const okra_spec *spec, const inputs *in)
{
    okra_map *map = make_map(spec);
    double sum = 0;
    for (size_t p = 0; p < PAIRS; p++) {
        double e = approximation(map, in->x[p], in->y[p]) -
                   okra_kernel_value(spec->kernel, spec->sigma, in->d, in->x[p], in->y[p]);
        sum += e * e / PAIRS;
    }
    okra_map_free(map);
    return sum;
}

/* ---- right on average ----------------------------------------------------------------------------------------- */

/*
 * Seeds are independent, so the mean over them of z(x).z(y) is within 5 of its own standard errors of the kernel. Sign
 * flips and Hadamard transforms are only close to a random rotation: sorf may be off by O(1/n) beyond that, n the
 * padded dimension (Yu and others 2016, theorem 3: sqrt(n) times a constant over n; 0.5 / n is what is allowed here).
 */
static void check_average(const char *map, const char *kernel, const inputs *in)
{
    enum { SEEDS = 200, FEATURES = 64, CHECKED = 3 };
    double mean[CHECKED] = {0}, square[CHECKED] = {0};
    okra_spec spec = map_spec(map, kernel, in->width, in->d, FEATURES, 0);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        spec.seed = seed;
        okra_map *m = make_map(&spec);
        for (size_t p = 0; p < CHECKED; p++) {
            double k = approximation(m, in->x[p], in->y[p]);
            mean[p] += k / SEEDS, square[p] += k * k / SEEDS;
        }
        okra_map_free(m);
    }
    double structure = strcmp(map, "sorf") == 0 ? 0.5 / fmax(16, (double)in->d) : 0;
    for (size_t p = 0; p < CHECKED; p++) {
        double exact = okra_kernel_value(spec.kernel, spec.sigma, in->d, in->x[p], in->y[p]);
        double deviation = sqrt((square[p] - mean[p] * mean[p]) / SEEDS);
        assert_near(mean[p], exact, 5 * deviation + structure + 1e-12);
    }
}

static void random_maps_are_right_on_average(void **state)
{
    (void)state;
    static const size_t dims[] = {1, 3, 20};
    for (size_t i = 0; i < COUNT_OF(dims); i++) {
        inputs in;
        make_inputs(&in, dims[i]);
        for (size_t m = 0; m < COUNT_OF(random_maps); m++)
            for (size_t k = 0; k < COUNT_OF(kernels); k++)
                if (!is_refused(random_maps[m], kernels[k], dims[i]))
                    check_average(random_maps[m], kernels[k], &in);
    }
}

/* ---- better than rff at equal D ------------------------------------------------------------------------------- */

/* The same seeds and inputs for both: the better map has the smaller error in the mean, by more than 3 standard errors
 * of the paired differences, and `times` smaller in all. */
static void assert_better(const char *map, const char *than, const char *kernel, size_t d, size_t features,
                          double times)
{
    enum { SEEDS = 40 };
    inputs in;
    make_inputs(&in, d);
    double sum = 0, square = 0, ours = 0, theirs = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        okra_spec a = map_spec(map, kernel, in.width, d, features, seed);
        okra_spec b = map_spec(than, kernel, in.width, d, features, seed);
        double ea = error_of(&a, &in), eb = error_of(&b, &in), less = eb - ea;
        ours += ea / SEEDS, theirs += eb / SEEDS;
        sum += less / SEEDS, square += less * less / SEEDS;
    }
    double error = sqrt((square - sum * sum) / SEEDS);
    if (!(sum > 3 * error && theirs > times * times * ours))
        fail_msg("%s against %s, %s, d = %zu, D = %zu: rms %g, %g", map, than, kernel, d, features, sqrt(ours),
                 sqrt(theirs));
}

static void better_maps_have_lower_error(void **state)
{
    (void)state;
    static const size_t dims[] = {2, 5, 10, 20};
    for (size_t i = 0; i < COUNT_OF(dims); i++) {
        size_t d = dims[i];
        assert_better("orf", "rff", "gaussian", d, 100, 1.5);
        assert_better("orf", "rff", "matern52", d, 100, 1.2);
        assert_better("orf", "pair", "gaussian", d, 100, 1.05);
        assert_better("qmc", "rff", "gaussian", d, 100, 1.4);
        assert_better("qmc", "rff", "cauchy", d, 100, 1.1);
        assert_better("qmc", "rff", "matern32", d, 100, 1.1);
        assert_better("quadrature", "rff", "gaussian", d, 100, 2);
    }
    assert_better("qmc", "rff", "laplacian", 2, 100, 1.5);
    assert_better("quadrature", "qmc", "gaussian", 2, 100, 1000);
    assert_better("quadrature", "qmc", "cauchy", 2, 100, 5);
    assert_better("sorf", "rff", "gaussian", 64, 256, 1.5);
}

/* ---- what each is made of ------------------------------------------------------------------------------------- */

/* Returns how many numbers it has. */
static size_t read_array(const okra_spec *spec, const char *name, double *out)
{
    okra_filter *filter;
    okra_array array = {.name = ""};
    assert_ok(okra_create(spec, &filter));
    for (size_t i = 0; strcmp(array.name, name) != 0; i++)
        assert_ok(okra_array_at(filter, i, &array));
    assert_ok(okra_array_read(filter, name, out));
    okra_free(filter);
    return array.rows * array.cols;
}

/* Pairs have |z| = 1 whatever x, but for the rounding of D squares. */
static void pairs_have_unit_length(void **state)
{
    (void)state;
    static const char *const maps[] = {"pair", "orf", "sorf", "qmc", "quadrature"};
    double x[] = {0.3, -7, 12}, z[150];
    for (size_t m = 0; m < COUNT_OF(maps); m++) {
        okra_spec spec = map_spec(maps[m], "gaussian", 0.7, 3, 150, 3);
        okra_map *map = make_map(&spec);
        assert_ok(okra_map_apply(map, 1, x, z));
        assert_near(dot(150, z, z), 1, 150 * DBL_EPSILON);
        okra_map_free(map);
    }
}

/* All cosines, then all sines, of the frequencies that the filter shows (in cycles). */
static void pairs_are_cosines_then_sines(void **state)
{
    (void)state;
    enum { FEATURES = 38, D = 3, N = FEATURES / 2 };
    static const char *const maps[] = {"pair", "orf", "qmc", "quadrature"};
    double x[D] = {0.3, -1.1, 0.6}, z[FEATURES], omega[N * D], amplitude[N];
    for (size_t m = 0; m < COUNT_OF(maps); m++) {
        okra_spec spec = map_spec(maps[m], "gaussian", 1.3, D, FEATURES, 3);
        okra_map *map = make_map(&spec);
        assert_ok(okra_map_apply(map, 1, x, z));
        read_array(&spec, "omega", omega);
        if (spec.map == OKRA_MAP_QUADRATURE)
            read_array(&spec, "amplitude", amplitude);
        for (size_t i = 0; i < N; i++) {
            double a = spec.map == OKRA_MAP_QUADRATURE ? amplitude[i] : sqrt(1.0 / N);
            double angle = 2 * M_PI * dot(D, omega + i * D, x);
            assert_near(z[i], a * cos(angle), 1e-14);
            assert_near(z[N + i], a * sin(angle), 1e-14);
        }
        okra_map_free(map);
    }
}

/* Directions are orthogonal within blocks of d, to rounding; lengths are those of a chi distribution with d degrees of
 * freedom: their squares have mean d and variance 2 d. */
static void orf_is_orthogonal(void **state)
{
    (void)state;
    enum { D = 7, N = 5000 };
    static double omega[N * D];
    okra_spec spec = map_spec("orf", "gaussian", 1 / (2 * M_PI), D, 2 * N, 11); /* so that cycles are radians */
    read_array(&spec, "omega", omega);
    double mean = 0;
    for (size_t i = 0; i < N; i++) {
        double square = dot(D, omega + i * D, omega + i * D);
        mean += square / N;
        for (size_t j = i / D * D; j < i; j++) {
            double size = sqrt(square * dot(D, omega + j * D, omega + j * D));
            assert_near(dot(D, omega + i * D, omega + j * D), 0, 8 * D * DBL_EPSILON * size);
        }
    }
    assert_near(mean, D, 5 * sqrt(2.0 * D / N));
}

/* z of one x, in the precision of the spec. */
static void apply_once(const okra_spec *spec, const double *x, double *z)
{
    static float narrow_x[MOST_INPUTS], narrow_z[MOST_FEATURES];
    okra_map *map = make_map(spec);
    for (size_t j = 0; j < spec->inputs; j++)
        narrow_x[j] = (float)x[j];
    if (spec->precision == OKRA_F64)
        assert_ok(okra_map_apply(map, 1, x, z));
    else
        assert_ok(okra_map_apply_f32(map, 1, narrow_x, narrow_z));
    for (size_t i = 0; i < spec->features && spec->precision == OKRA_F32; i++)
        z[i] = (double)narrow_z[i];
    okra_map_free(map);
}

/* sorf against the product of matrices that it stands for: n is the power of two, 16 at least, that holds the inputs.
 */
static void check_sorf(int precision, size_t d, size_t n, size_t features)
{
    enum { ROUNDS = 3 };
    static double signs[MOST_FEATURES * ROUNDS], length[MOST_FEATURES], x[MOST_INPUTS], z[MOST_FEATURES];
    size_t frequencies = features / 2, blocks = (frequencies + n - 1) / n;
    /* cycles of a few hundred at most, in sums of n numbers three times over */
    double bound = precision == OKRA_F64 ? 1e-12 : 1e-3;
    okra_random random = {.seed = 5};
    okra_random_normal(&random, d, x);
    for (size_t j = 0; j < d; j++)
        x[j] = (double)(float)x[j];
    okra_spec spec = map_spec("sorf", "gaussian", 2, d, features, 11);
    assert_int_equal(read_array(&spec, "signs", signs), blocks * ROUNDS * n);
    assert_int_equal(read_array(&spec, "length", length), frequencies);
    spec.precision = precision;
    apply_once(&spec, x, z);
    for (size_t b = 0; b < blocks; b++) {
        double t[128] = {0}, next[128] = {0};
        memcpy(t, x, d * sizeof *x);
        for (size_t round = 0; round < ROUNDS; round++) {
            for (size_t i = 0; i < n; i++) {
                next[i] = 0;
                for (size_t j = 0; j < n; j++)
                    next[i] += (__builtin_popcountll(i & j) % 2 ? -1 : 1) * signs[(b * ROUNDS + round) * n + j] * t[j];
            }
            memcpy(t, next, n * sizeof *t);
        }
        for (size_t i = 0; i < n && b * n + i < frequencies; i++) {
            size_t f = b * n + i;
            double size = sqrt(1.0 / (double)frequencies), phase = 2 * M_PI * length[f] * t[i];
            assert_near(z[f], size * cos(phase), bound);
            assert_near(z[frequencies + f], size * sin(phase), bound);
        }
    }
}

/* Inputs that fill their power of two and inputs that do not; blocks that end before, with and after the vectors that
 * hold the frequencies. */
static void sorf_is_its_matrices(void **state)
{
    (void)state;
    static const size_t sizes[][3] = {{1, 16, 2},    {15, 16, 32}, {16, 16, 32}, {16, 16, 34},  {17, 32, 30},
                                      {20, 32, 100}, {32, 32, 66}, {33, 64, 20}, {64, 64, 100}, {65, 128, 200}};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        check_sorf(OKRA_F64, sizes[i][0], sizes[i][1], sizes[i][2]);
        check_sorf(OKRA_F32, sizes[i][0], sizes[i][1], sizes[i][2]);
    }
}

/* Gauss rules with n nodes are exact for polynomials up to degree 2 n - 1: moments of the normal, 1, 3, 15, .., and of
 * the Laplace density, (2 k)!, where each half has n/2 nodes. */
static void axis_rules_have_their_moments(void **state)
{
    (void)state;
    okra_axis_rule rule;
    for (size_t n = 2; n <= RULE_MAX; n += n < 20 ? 1 : 17)
        for (int cauchy = 0; cauchy < 2; cauchy++) {
            if (!okra_kernel_rule(cauchy ? OKRA_CAUCHY : OKRA_GAUSSIAN, n, &rule))
                continue;
            size_t exact = cauchy ? n - 1 : 2 * n - 1;
            long double moment = 1;
            for (size_t degree = 0; degree <= exact && degree <= 12; degree += 2) {
                long double sum = 0;
                for (size_t i = 0; i < rule.n; i++)
                    sum += (long double)rule.weight[i] * powl((long double)rule.node[i], (long double)degree);
                assert_near(sum, moment, 1e-12 * (double)moment);
                long double d = (long double)degree;
                moment *= cauchy ? (d + 1) * (d + 2) : d + 1;
            }
        }
    assert_false(okra_kernel_rule(OKRA_CAUCHY, 3, &rule));
    assert_false(okra_kernel_rule(OKRA_MATERN32, 4, &rule));
}

typedef struct moments {
    double total, square;
} moments;

static void add_moments(void *context, size_t i, const double *node, double weight)
{
    moments *m = context;
    (void)i;
    m->total += weight, m->square += weight * (node[0] * node[0] + node[1] * node[1]);
}

/* A whole product keeps the weights and second moments of its axes: a node stands for its mirror image too, the one at
 * 0 for itself alone. */
static void products_have_their_moments(void **state)
{
    (void)state;
    for (size_t n = 2; n <= 7; n++) {
        okra_axis_rule rule;
        moments m = {0, 0};
        double node[2];
        assert_true(okra_kernel_rule(OKRA_GAUSSIAN, n, &rule));
        assert_int_equal(okra_product_rule(&rule, 2, 1000, node, add_moments, &m), (n * n + 1) / 2);
        assert_near(m.total, 1, 1e-13);
        assert_near(m.square, 2, 1e-12);
    }
}

/* In one dimension a rule of n nodes has only rounding left: the kernel is the integral. */
static void quadrature_is_exact_where_it_can_be(void **state)
{
    (void)state;
    inputs in;
    make_inputs(&in, 1);
    okra_spec spec = map_spec("quadrature", "gaussian", in.width, 1, 60, 1);
    assert_near(sqrt(error_of(&spec, &in)), 0, 100 * DBL_EPSILON);
    okra_spec other = spec;
    other.seed = 99; /* there is nothing random in it */
    assert_true(error_of(&spec, &in) == error_of(&other, &in));
}

/* Feature i depends on the seed and i, not on D: the frequencies of a small map are the first of a larger one's. */
static void frequencies_do_not_depend_on_D(void **state)
{
    (void)state;
    enum { D = 4, SMALL = 18, LARGE = 50 };
    static const char *const maps[] = {"pair", "orf", "qmc"};
    double small[SMALL * D], large[LARGE * D];
    for (size_t m = 0; m < COUNT_OF(maps); m++) {
        okra_spec spec = map_spec(maps[m], "matern32", 1, D, 2 * SMALL, 7);
        spec.sigma_more[0] = 3;
        read_array(&spec, "omega", small);
        spec.features = 2 * LARGE;
        read_array(&spec, "omega", large);
        assert_memory_equal(small, large, sizeof small);
    }
}

/* ---- sums and widths ------------------------------------------------------------------------------------------ */

/* z = (x, 1, rest), bit for bit. */
static void sums_are_their_parts(void **state)
{
    (void)state;
    enum { D = 3, FEATURES = 38 };
    static const char *const parts[] = {"rff", "pair", "orf", "sorf", "qmc", "quadrature"};
    double x[D] = {0.3, -1.1, 0.6}, alone[FEATURES], sum[D + 1 + FEATURES];
    for (size_t m = 0; m < COUNT_OF(parts); m++) {
        char name[32];
        snprintf(name, sizeof name, "linear+%s", parts[m]);
        okra_spec part = map_spec(parts[m], "gaussian", 1.3, D, FEATURES, 3);
        okra_spec whole = map_spec(name, "gaussian", 1.3, D, FEATURES, 3);
        okra_map *a = make_map(&part), *b = make_map(&whole);
        assert_int_equal(okra_map_outputs(b), D + 1 + FEATURES);
        assert_ok(okra_map_apply(a, 1, x, alone));
        assert_ok(okra_map_apply(b, 1, x, sum));
        assert_memory_equal(sum, x, sizeof x);
        assert_true(sum[D] == 1);
        assert_memory_equal(sum + D + 1, alone, sizeof alone);
        okra_map_free(a), okra_map_free(b);
    }
}

/* With several widths the kernel is their mean: of 40,000 features the error is below 5 standard errors, each below
 * 1 / sqrt(D/2). */
static void several_widths_are_a_mean_of_kernels(void **state)
{
    (void)state;
    enum { FEATURES = 3996, SEEDS = 10 };
    static const double widths[] = {0.5, 2, 9};
    inputs in;
    make_inputs(&in, 2);
    static const char *const maps[] = {"rff", "pair", "orf", "sorf", "qmc"};
    for (size_t m = 0; m < COUNT_OF(maps); m++) {
        double mean = 0, exact = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            okra_spec spec = map_spec(maps[m], "gaussian", widths[0], 2, FEATURES, seed);
            assert_ok(okra_spec_set(&spec, "sigma", "0.5,2,9", NULL));
            assert_int_equal(okra_spec_widths(&spec), 3);
            okra_map *map = make_map(&spec);
            mean += approximation(map, in.x[0], in.y[0]) / SEEDS;
            okra_map_free(map);
        }
        for (size_t k = 0; k < COUNT_OF(widths); k++)
            exact += okra_kernel_value(OKRA_GAUSSIAN, widths[k], 2, in.x[0], in.y[0]) / 3;
        double structure = strcmp(maps[m], "sorf") == 0 ? 0.5 / 16 : 0;
        assert_near(mean, exact, 5 / sqrt(FEATURES / 2.0 * SEEDS) + structure);
    }
}

/* Width by width the rule is the same: the map with two widths is the mean of two maps with half the features. */
static void quadrature_with_widths_is_a_mean_of_rules(void **state)
{
    (void)state;
    enum { FEATURES = 200 };
    inputs in;
    make_inputs(&in, 2);
    okra_spec both = map_spec("quadrature", "gaussian", 1.5, 2, FEATURES, 1);
    okra_spec first = map_spec("quadrature", "gaussian", 1.5, 2, FEATURES / 2, 1), second = first;
    both.sigma_more[0] = second.sigma = 4;
    okra_map *a = make_map(&both), *b = make_map(&first), *c = make_map(&second);
    for (size_t p = 0; p < PAIRS; p++)
        assert_near(approximation(a, in.x[p], in.y[p]),
                    (approximation(b, in.x[p], in.y[p]) + approximation(c, in.x[p], in.y[p])) / 2, 1e-9);
    okra_map_free(a), okra_map_free(b), okra_map_free(c);
}

/* ---- a width for each input ----------------------------------------------------------------------------------- */

static const double input_widths[] = {0.5, 3, 1, 20, 0.7};

static void give_widths(okra_spec *spec)
{
    for (size_t j = 0; j < spec->inputs; j++)
        spec->widths[j] = input_widths[j % COUNT_OF(input_widths)];
}

/* In the mean over seeds, within 5 of its standard errors, the kernel exp(-sum (r_j / w_j)^2 / 2 s^2), written out. The
 * inputs are as far apart as their widths, so that every width counts. */
static void check_input_widths(const char *map, size_t d)
{
    enum { SEEDS = 200, FEATURES = 64 };
    double x[MOST_INPUTS], y[MOST_INPUTS] = {0}, mean = 0, square = 0, sum = 0;
    okra_random random = {.seed = 5};
    okra_spec spec = map_spec(map, "gaussian", sqrt((double)d), d, FEATURES, 0);
    give_widths(&spec);
    okra_random_normal(&random, d, x);
    for (size_t j = 0; j < d; j++) {
        sum += x[j] * x[j] / (double)d;
        x[j] *= spec.widths[j];
    }
    for (spec.seed = 0; spec.seed < SEEDS; spec.seed++) {
        okra_map *m = make_map(&spec);
        double k = approximation(m, x, y);
        mean += k / SEEDS, square += k * k / SEEDS;
        okra_map_free(m);
    }
    double structure = strcmp(map, "sorf") == 0 ? 0.5 / fmax(16, (double)d) : 0;
    assert_near(mean, exp(-sum / 2), 5 * sqrt(fmax(square - mean * mean, 0) / SEEDS) + structure + 1e-12);
}

static void a_width_for_each_input_is_its_kernel(void **state)
{
    (void)state;
    static const size_t dims[] = {1, 2, 5, 20};
    for (size_t m = 0; m < COUNT_OF(random_maps); m++)
        for (size_t i = 0; i < COUNT_OF(dims); i++)
            check_input_widths(random_maps[m], dims[i]);
}

/* The features of x are those of x_j / w_j without widths, for every map and kernel, and several values of sigma. The
 * phases are a few dozen cycles of a few roundings each. */
static void widths_are_scaled_inputs(void **state)
{
    (void)state;
    enum { D = 4, FEATURES = 60 };
    const okra_choice *maps = okra_param_at(0)->choices;
    double x[D] = {0.3, -2.5, 0.75, 6}, scaled[D], z[D + 1 + FEATURES], wanted[D + 1 + FEATURES];
    for (const okra_choice *map = maps; map->name; map++)
        for (size_t k = 0; k < COUNT_OF(kernels); k++)
            for (int bits = 32; bits <= 64; bits += 32) {
                if (map->value == OKRA_MAP_LINEAR || is_refused(map->name, kernels[k], D))
                    continue;
                okra_spec plain = map_spec(map->name, kernels[k], 1.5, D, FEATURES, 3), spec = plain;
                spec.precision = plain.precision = bits;
                spec.sigma_more[0] = plain.sigma_more[0] = 4;
                give_widths(&spec);
                for (size_t j = 0; j < D; j++)
                    scaled[j] = x[j] / spec.widths[j];
                apply_once(&spec, x, z);
                apply_once(&plain, scaled, wanted);
                for (size_t i = map->value & OKRA_MAP_LINEAR ? D + 1 : 0; i < FEATURES; i++)
                    assert_near(z[i], wanted[i], bits == 64 ? 1e-12 : 1e-3);
            }
}

static void bad_widths_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t d;
        double widths[3];
        const char *says;
    } rows[] = {
        {1, {1, 2, 0}, "widths has 2 numbers, and there are 1 inputs"},
        {3, {1, 2, 0}, "widths has 2 numbers, and there are 3 inputs"},
        {2, {5, 0, 0}, "widths has 1 number, and there are 2 inputs"},
        {65, {1, 2, 0}, "up to 64 inputs, and there are 65"},
        {2, {1, -1, 0}, "widths = -1 is out of range"},
        {2, {-1, 1, 0}, "leave the others zero"},
        {2, {-2, 1, 0}, "widths = -2 is out of range"},
        {2, {1, (double)NAN, 0}, "widths = nan is out of range"},
        {2, {(double)INFINITY, 1, 0}, "widths = inf is out of range"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        okra_message why = {""};
        okra_map *map;
        okra_spec spec = map_spec("orf", "gaussian", 1, rows[i].d, 100, 1);
        memcpy(spec.widths, rows[i].widths, sizeof rows[i].widths);
        assert_status(okra_spec_check(&spec, &why), OKRA_E_PARAMETER);
        assert_non_null(strstr(why.text, rows[i].says));
        assert_status(okra_map_create(&spec, &map), OKRA_E_PARAMETER);
    }
    okra_spec spec = map_spec("orf", "gaussian", 1, 64, 100, 1); /* as many as there can be */
    give_widths(&spec);
    assert_ok(okra_spec_check(&spec, NULL));
    spec.lags = 2;
    assert_status(okra_spec_check(&spec, NULL), OKRA_E_PARAMETER);
}

/* ---- refusals ------------------------------------------------------------------------------------------------- */

static void what_a_map_cannot_do_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *map, *kernel;
        size_t d, features;
        const char *says;
    } rows[] = {
        {"pair", "gaussian", 2, 101, "features = 101 is odd"},
        {"linear+orf", "gaussian", 2, 7, "features = 7 is odd"},
        {"orf", "laplacian", 2, 100, "laplacian does not: use pair or qmc"},
        {"sorf", "cauchy", 2, 100, "depends on distance alone"},
        {"linear+sorf", "cauchy", 2, 100, "depends on distance alone"},
        {"quadrature", "matern32", 2, 100, "no rule for kernel matern32"},
        {"quadrature", "laplacian", 2, 100, "no rule for kernel laplacian"},
        {"quadrature", "cauchy", 5, 100, "up to 4 inputs"},
        {"qmc", "gaussian", 1001, 100, "up to 1000 inputs"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        okra_message why = {""};
        okra_spec spec = map_spec(rows[i].map, rows[i].kernel, 1, rows[i].d, rows[i].features, 1);
        assert_status(okra_spec_check(&spec, &why), OKRA_E_PARAMETER);
        assert_non_null(strstr(why.text, rows[i].says));
    }
    okra_message why = {""};
    okra_spec spec = map_spec("pair", "gaussian", 1, 2, 4, 1);
    assert_ok(okra_spec_set(&spec, "sigma", "1,2,3", NULL));
    assert_status(okra_spec_check(&spec, &why), OKRA_E_PARAMETER);
    assert_non_null(strstr(why.text, "too few for 3 widths"));
    assert_ok(okra_spec_init(&spec, "auto", 2, 1));
    spec.sigma = 1, spec.scale = OKRA_SCALE_NONE, spec.features = 301;
    assert_status(okra_spec_check(&spec, &why), OKRA_E_PARAMETER);
    assert_non_null(strstr(why.text, "features = 301 is odd"));
    assert_ok(okra_spec_init(&spec, "qklms", 2, 1));
    assert_ok(okra_spec_set(&spec, "sigma", "1,2,3", NULL));
    assert_status(okra_spec_check(&spec, &why), OKRA_E_PARAMETER);
    assert_non_null(strstr(why.text, "give one sigma"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_maps_are_right_on_average),
        cmocka_unit_test(better_maps_have_lower_error),
        cmocka_unit_test(pairs_have_unit_length),
        cmocka_unit_test(pairs_are_cosines_then_sines),
        cmocka_unit_test(orf_is_orthogonal),
        cmocka_unit_test(sorf_is_its_matrices),
        cmocka_unit_test(axis_rules_have_their_moments),
        cmocka_unit_test(products_have_their_moments),
        cmocka_unit_test(quadrature_is_exact_where_it_can_be),
        cmocka_unit_test(frequencies_do_not_depend_on_D),
        cmocka_unit_test(sums_are_their_parts),
        cmocka_unit_test(several_widths_are_a_mean_of_kernels),
        cmocka_unit_test(quadrature_with_widths_is_a_mean_of_rules),
        cmocka_unit_test(a_width_for_each_input_is_its_kernel),
        cmocka_unit_test(widths_are_scaled_inputs),
        cmocka_unit_test(bad_widths_are_refused),
        cmocka_unit_test(what_a_map_cannot_do_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
