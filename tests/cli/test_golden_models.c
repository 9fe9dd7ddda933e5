/*
 * Golden model files: what was saved in format 1 is still loaded, says what it said then, and goes on learning
 * (golden/models, with the script that made them).
 */
#include "harness.h"

#include <okra/io.h>

enum { ROWS = 40 };

#define STREAM OKRA_GOLDEN_DIR "/stream.csv"
#define MODELS OKRA_GOLDEN_DIR "/models/"

/*
 * The arrays are in the files, maps included, so that only rounding in 40 steps of up to 24 numbers, of size 5 at most,
 * can differ: 40 x 24 x 5 x eps. Least squares multiplies that by its condition, which regularisation keeps below 1000
 * on this stream. On the instruction set that made them (scalar) the same bits are expected with the same libm.
 */
static const double plain = 40 * 24 * 5 * DBL_EPSILON, squares = 1000 * 40 * 24 * 5 * DBL_EPSILON,
                    narrow = 40 * 24 * 5 * (double)FLT_EPSILON;

static const struct golden {
    const char *name, *recipe;
    const double *bound;
} models[] = {
    {"rff-klms-f64", "rff-klms", &plain},
    {"rff-klms-f32", "rff-klms", &narrow},
    {"rff-nlms-sorf", "rff-nlms", &plain},
    {"rff-nlms-quadrature", "rff-nlms", &plain},
    {"rff-krls", "rff-krls", &squares},
    {"qklms", "qklms", &plain},
    {"krls", "krls", &squares},
    {"auto", "auto", &squares},
    {"rff-krls-prior", "rff-krls", &squares},
    {"rff-apsm", "rff-apsm", &plain},
    {"nlms-auto", "rff-nlms", &plain},
    {"embedded", "rff-klms", &plain},
    {"warming", "rls", &squares},
};

/* Rows 301 to 340 of the stream, which follow what most of the models have learnt. */
static void write_next_rows(void)
{
    char *stream = read_file(STREAM), *at = stream;
    FILE *next = fopen("next.csv", "w");
    for (size_t line = 0; line <= 300 + ROWS; line++) {
        char *end = strchr(at, '\n');
        assert_non_null(end);
        if (line == 0 || line > 300)
            fprintf(next, "%.*s\n", (int)(end - at), at);
        at = end + 1;
    }
    fclose(next);
    free(stream);
}

static void path_of(const struct golden *m, const char *ending, char path[512])
{
    snprintf(path, 512, MODELS "%s%s", m->name, ending);
}

static void check_predictions(const struct golden *m)
{
    char model[512], wanted_path[512];
    path_of(m, ".okra", model), path_of(m, ".txt", wanted_path);
    outcome ran = okra(NULL, "run", "--load", model, "--save", "on.okra", "--quiet", "next.csv");
    assert_done(ran);
    char *wanted = read_file(wanted_path);
    for (size_t row = 1; row <= ROWS; row++) {
        double got = strtod(cell(ran.out, row, 2), NULL), then = strtod(cell(wanted, row, 0), NULL);
        if (!(fabs(got - then) <= *m->bound))
            fail_msg("%s, row %zu: %.17g, and it was %.17g: off by %g, allowed %g", m->name, row, got, then,
                     fabs(got - then), *m->bound);
    }
    free(wanted);
    outcome_free(&ran);
}

static void old_models_say_what_they_said(void **state)
{
    (void)state;
    write_next_rows();
    for (size_t i = 0; i < COUNT_OF(models); i++)
        check_predictions(&models[i]);
}

/* What is saved after them is loaded in turn, and has seen all their rows. */
static void old_models_go_on(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(models); i++) {
        char model[512], rows[64];
        path_of(&models[i], ".okra", model);
        outcome ran = okra(NULL, "run", "--load", model, "--save", "on.okra", "--quiet", "next.csv");
        assert_done(ran);
        outcome_free(&ran);
        outcome told = okra(NULL, "info", "--metrics", "-", "on.okra");
        assert_done(told);
        json_t *all = json_loads(told.out, 0, NULL);
        assert_string_equal(json_string_value(json_object_get(all, "recipe")), models[i].recipe);
        assert_string_equal(json_string_value(json_object_get(all, "format_version")), "1");
        snprintf(rows, sizeof rows, "%g", json_number(json_object_get(all, "counters"), "rows"));
        assert_string_equal(rows, strcmp(models[i].name, "warming") == 0 ? "60" : "340");
        json_decref(all);
        outcome_free(&told);
    }
}

/* To JSON and back: the same bytes, so that today's okra writes what it wrote then. */
static void old_models_are_what_is_written_today(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(models); i++) {
        char model[512];
        size_t old_size, new_size;
        path_of(&models[i], ".okra", model);
        outcome out = okra(NULL, "export", "--out", "m.json", model);
        assert_done(out);
        outcome back = okra(NULL, "import", "--out", "m.okra", "m.json");
        assert_done(back);
        void *old = read_bytes(model, &old_size), *new = read_bytes("m.okra", &new_size);
        assert_int_equal(old_size, new_size);
        assert_memory_equal(old, new, old_size);
        free(old), free(new);
        outcome_free(&out), outcome_free(&back);
    }
}

int main(void)
{
    if (!okra_isa())
        return 77; /* OKRA_ISA asks for what this machine lacks */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(old_models_say_what_they_said),
        cmocka_unit_test(old_models_go_on),
        cmocka_unit_test(old_models_are_what_is_written_today),
    };
    return cmocka_run_group_tests_name("golden models", tests, enter_directory, leave_directory);
}
