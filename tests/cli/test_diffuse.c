/*
 * diffuse as its users meet it: what it prints and writes, graphs from files, and refusals. The equations are in
 * tests/lab/test_network.c.
 */
#include "harness.h"

#include <jansson.h>
#include <unistd.h>

#define SMALL "diffuse", "--nodes", "6", "--topology", "ring", "--features", "30", "--samples", "200"

/* The number at KEY, or at KEY.WITHIN, of a JSON file. */
static double number_in(const char *file, const char *key, const char *within)
{
    json_t *all = json_load_file(file, 0, NULL), *found = json_object_get(all, key);
    assert_non_null(all);
    if (within)
        found = json_object_get(found, within);
    if (!json_is_number(found))
        fail_msg("%s has no number %s", file, key);
    double value = json_number_value(found);
    json_decref(all);
    return value;
}

/* ---- what it says ------------------------------------------------------------------------------------------- */

static void a_table_and_json_agree(void **state)
{
    (void)state;
    char line[128];
    outcome result = okra(NULL, SMALL, "--runs", "3", "--every", "2", "--metrics", "m.json");
    assert_done(result);
    assert_string_equal(result.err, "");
    assert_has(result.out,
               "6 nodes, 6 edges (ring), 2.0 neighbours each; 3 runs of 200 samples of ex2; D = 30, mu = 1\n");
    static const char *const names[] = {"cta", "isolated", "averaged"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        snprintf(line, sizeof line, "%-10s %7.2f dB   ", names[i], number_in("m.json", "floor_db", names[i]));
        assert_has(result.out, line);
    }
    /* theta to two neighbours at every second sample */
    assert_true(number_in("m.json", "bytes_per_sample", NULL) == 2 * 30 * 8 / 2.);
    double centres = number_in("m.json", "qklms_centres", NULL);
    assert_true(centres > 1 && centres <= 200);
    assert_true(number_in("m.json", "qklms_bytes_per_sample", NULL) == 2 * centres * (5 + 1) * 8 / 2);
    assert_true(number_in("m.json", "nodes", NULL) == 6 && number_in("m.json", "edges", NULL) == 6);
    assert_true(number_in("m.json", "runs", NULL) == 3 && number_in("m.json", "every", NULL) == 2);
    outcome_free(&result);
}

/* D is what the map makes of the inputs, which some maps keep beside the cosines. */
static void bytes_are_those_of_all_features(void **state)
{
    (void)state;
    outcome result = okra(NULL, SMALL, "--map", "linear+rff", "--mu", "0.01", "--metrics", "m.json");
    assert_done(result);
    double features = number_in("m.json", "features", NULL);
    assert_true(features > 30);
    assert_true(number_in("m.json", "bytes_per_sample", NULL) == 2 * features * 8);
    outcome_free(&result);
}

/* Cooperation pays: on the mean of 10 runs it is below isolation, and no better than the average of all. */
static void neighbours_help(void **state)
{
    (void)state;
    outcome result = okra(NULL, "diffuse", "--nodes", "10", "--probability", "0.4", "--features", "60", "--samples",
                          "1500", "--runs", "10", "--metrics", "m.json");
    assert_done(result);
    double cta = number_in("m.json", "floor_db", "cta"), alone = number_in("m.json", "floor_db", "isolated");
    assert_true(cta < alone - 1);
    assert_true(cta > number_in("m.json", "floor_db", "averaged"));
    outcome_free(&result);
}

static void curves_and_pictures_are_written(void **state)
{
    (void)state;
    outcome result = okra(NULL, SMALL, "--runs", "2", "--out", "pictures", "--metrics", "m.json");
    assert_done(result);
    char *csv = read_file("pictures/diffuse.csv"), *script = read_file("pictures/diffuse.gp");
    assert_int_equal(count_lines(csv), 201);
    assert_int_equal(strncmp(csv, "n,cta,isolated,averaged\n1,", 26), 0);
    double tail = 0;
    for (size_t n = 191; n <= 200; n++) /* the last 5% */
        tail += atof(cell(csv, n, 1)) / 10;
    assert_near(10 * log10(tail), number_in("m.json", "floor_db", "cta"), 1e-9);
    assert_has(script, "6 nodes, 2.0 neighbours each, 2 runs");
    assert_has(script, "'diffuse.csv'");
    if (system("command -v gnuplot > /dev/null") == 0) {
        assert_string_equal(result.err, "");
        char *svg = read_file("pictures/diffuse.svg");
        assert_has(svg, "</svg>");
        assert_has(svg, "isolated");
        assert_int_equal(access("pictures/diffuse.png", R_OK), 0);
        free(svg);
    }
    free(csv), free(script);
    outcome_free(&result);
}

/* ---- what must not matter ----------------------------------------------------------------------------------- */

static void assert_same_curves(const char *one, size_t column, const char *other, size_t its)
{
    char *a = read_file(one), *b = read_file(other), left[64];
    for (size_t n = 1; n <= 200; n++) {
        snprintf(left, sizeof left, "%s", cell(a, n, column));
        assert_string_equal(left, cell(b, n, its));
    }
    free(a), free(b);
}

static void atc_has_the_errors_of_cta(void **state)
{
    (void)state;
    outcome cta = okra(NULL, SMALL, "--out", "cta"), atc = okra(NULL, SMALL, "--rule", "atc", "--out", "atc");
    assert_done(cta);
    assert_done(atc);
    assert_has(atc.out, "\natc        ");
    assert_same_curves("cta/diffuse.csv", 1, "atc/diffuse.csv", 1);
    outcome_free(&cta), outcome_free(&atc);
}

/* Combining never is isolation; at every fifth sample it is neither that nor combining always. */
static void combining_at_every_kth_sample(void **state)
{
    (void)state;
    outcome never = okra(NULL, SMALL, "--every", "1000", "--out", "never");
    outcome fifth = okra(NULL, SMALL, "--every", "5", "--out", "fifth"), all = okra(NULL, SMALL, "--out", "all");
    assert_done(never);
    assert_done(fifth);
    assert_done(all);
    assert_same_curves("never/diffuse.csv", 1, "never/diffuse.csv", 2);
    char *a = read_file("fifth/diffuse.csv"), *b = read_file("all/diffuse.csv"), at_5[64];
    snprintf(at_5, sizeof at_5, "%s", cell(a, 100, 1));
    assert_string_not_equal(at_5, cell(b, 100, 1));
    assert_string_not_equal(at_5, cell(a, 100, 2));
    free(a), free(b);
    outcome_free(&never), outcome_free(&fifth), outcome_free(&all);
}

/* Small networks, many runs: a run a thread. A large one: threads inside. */
static void threads_do_not_change_the_bytes(void **state)
{
    (void)state;
    static const char *const threads[] = {"1", "2", "5"};
    char *first[2] = {NULL};
    for (size_t t = 0; t < COUNT_OF(threads); t++)
        for (size_t large = 0; large < 2; large++) {
            outcome result = large ? okra(NULL, "diffuse", "--nodes", "70", "--topology", "grid", "--features", "1000",
                                          "--samples", "20", "--threads", threads[t], "--out", "bytes")
                                   : okra(NULL, SMALL, "--runs", "7", "--threads", threads[t], "--out", "bytes");
            assert_done(result);
            char *csv = read_file("bytes/diffuse.csv");
            if (t > 0)
                assert_string_equal(csv, first[large]);
            free(first[large]);
            first[large] = csv;
            outcome_free(&result);
        }
    free(first[0]), free(first[1]);
}

/* ---- graphs and rows from files ----------------------------------------------------------------------------- */

static void edges_come_from_a_file(void **state)
{
    (void)state;
    write_file("ring.csv", "0,1\n1,2\n2,3\n3,4\n4,5\n5,0\n");
    write_file("both.csv", "from,to\n0,1\n1,0\n1,2\n2,1\n2,3\n3,2\n3,4\n4,3\n4,5\n5,4\n5,0\n0,5\n");
    outcome known = okra(NULL, SMALL, "--out", "known");
    outcome ring =
        okra(NULL, "diffuse", "--features", "30", "--samples", "200", "--edges", "ring.csv", "--out", "ring");
    outcome both = okra(NULL, "diffuse", "--features", "30", "--samples", "200", "--edges", "both.csv", "--nodes", "6",
                        "--out", "both");
    assert_done(known);
    assert_done(ring);
    assert_done(both);
    assert_has(ring.out, "6 nodes, 6 edges (ring.csv)");
    assert_same_curves("known/diffuse.csv", 1, "ring/diffuse.csv", 1);
    assert_same_curves("known/diffuse.csv", 1, "both/diffuse.csv", 1);
    outcome_free(&known), outcome_free(&ring), outcome_free(&both);
}

static void refuse_edges(const char *text, int status, const char *word)
{
    write_file("bad.csv", text);
    assert_refused(okra(NULL, "diffuse", "--edges", "bad.csv"), status, "bad.csv", word);
}

static void bad_edges_are_refused(void **state)
{
    (void)state;
    refuse_edges("0,1\n1,0\n1,2\n", 1, "not symmetric: the edge from 1 to 2");
    refuse_edges("0,1\n2,3\n", 1, "not connected");
    refuse_edges("0,1\n0,2\n1,2\n3,4\n", 1, "not connected");
    refuse_edges("0,1\n1,2\n0,1\n", 1, "twice");
    refuse_edges("0,1\n1,1\n", 1, "itself");
    refuse_edges("0,1\n1,1.5\n", 1, "line 2: 1.5 is no node");
    refuse_edges("0,1\n-1,1\n", 1, "-1 is no node");
    refuse_edges("0,1\n1,\n", 1, "is no node");
    refuse_edges("0,1\n1,1e300\n", 1, "is no node");
    refuse_edges("0,1\n1,4000000000\n", 1, "not connected"); /* and no memory is taken for them */
    refuse_edges("0,1,2\n", 1, "3 columns");
    refuse_edges("0,1\nx,2\n", 1, "'x' is not a number");
    refuse_edges("", 1, "bad.csv");
    assert_refused(okra(NULL, "diffuse", "--edges", "nowhere.csv"), 1, "nowhere.csv");
    write_file("bad.csv", "0,1\n");
    assert_refused(okra(NULL, "diffuse", "--edges", "bad.csv", "--nodes", "3"), 2, "--nodes 3", "has 2");
    assert_refused(okra(NULL, "diffuse", "--edges", "bad.csv", "--topology", "ring"), 2, "--topology and --edges");
    assert_refused(okra(NULL, "diffuse", "--edges", "bad.csv", "--radius", "1"), 2, "--radius and --edges");
}

/* node-K.csv for three nodes: seed K of Example 2. */
static void write_nodes(void)
{
    static const char *const nodes[] = {"0", "1", "2"};
    for (size_t k = 0; k < COUNT_OF(nodes); k++) {
        char name[32];
        snprintf(name, sizeof name, "node-%zu.csv", k);
        outcome result = okra(NULL, "signal", "ex2", "--samples", "250", "--seed", nodes[k], "--out", name);
        assert_done(result);
        outcome_free(&result);
    }
}

#define FILES \
    "diffuse", "--in", "node-%d.csv", "--nodes", "3", "--topology", "ring", "--features", "30", "--samples", "200"

/* Each node alone is `okra run` on its file, with the same features: their seed is that of the network's run 0. */
static void rows_come_from_files(void **state)
{
    (void)state;
    write_nodes();
    outcome one = okra(NULL, FILES, "--out", "one"), runs = okra(NULL, FILES, "--runs", "3", "--out", "three");
    assert_done(one);
    assert_done(runs);
    assert_has(one.out, "1 runs of 200 samples of node-%d.csv");
    char *csv = read_file("one/diffuse.csv");
    double wanted = 0; /* at the first sample all predict 0: the error is the target */
    for (size_t k = 0; k < 3; k++) {
        char name[32];
        snprintf(name, sizeof name, "node-%zu.csv", k);
        char *rows = read_file(name);
        double y = atof(cell(rows, 1, 5));
        wanted += y * y / 3;
        free(rows);
    }
    for (size_t c = 1; c <= 3; c++)
        assert_near(atof(cell(csv, 1, c)), wanted, 1e-12);
    free(csv);
    outcome_free(&one), outcome_free(&runs);
}

static void bad_files_are_refused_once(void **state)
{
    (void)state;
    write_nodes();
    assert_refused(okra(NULL, "diffuse", "--in", "node.csv"), 2, "no %d");
    assert_refused(okra(NULL, FILES, "--signal", "ex2"), 2, "--signal and --in");
    assert_refused(okra(NULL, FILES, "--samples", "251"), 1, "node 0", "node-0.csv: fewer than 251 rows");
    assert_refused(okra(NULL, "diffuse", "--in", "node-%d.csv", "--nodes", "4", "--samples", "200"), 1, "node 3",
                   "node-3.csv");
    write_file("node-1.csv", "a,b\n1,2\n3,4\n");
    assert_refused(okra(NULL, FILES, "--samples", "2"), 1, "node 1", "2 columns, but others have 6");
    write_file("node-0.csv", "a\n1\n2\n");
    assert_refused(okra(NULL, FILES), 1, "one column");
    /* found while threads are at work: still one line */
    write_file("node-0.csv", "1,2\n3,4\n5,6\n");
    write_file("node-1.csv", "1,2\n3,x\n5,6\n");
    write_file("node-2.csv", "1,2\n3,4\n5,6\n");
    assert_refused(okra(NULL, FILES, "--samples", "3", "--runs", "6", "--threads", "3"), 1, "node 1", "node-1.csv:2",
                   "'x' is not a number");
    write_file("node-1.csv", "1,2\n3,\n5,6\n");
    assert_refused(okra(NULL, FILES, "--samples", "3"), 1, "node-1.csv:2: column 2 is missing");
}

/* ---- refusals ----------------------------------------------------------------------------------------------- */

static void divergence_has_its_status(void **state)
{
    (void)state;
    assert_refused(okra(NULL, SMALL, "--mu", "1000", "--samples", "2000", "--runs", "4", "--threads", "2"), 3,
                   "sample ", "lower the step size");
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    assert_refused(okra(NULL, "diffuse", "--nodes", "0"), 2, "--nodes");
    assert_refused(okra(NULL, "diffuse", "--nodes", "99999999999"), 2, "--nodes");
    assert_refused(okra(NULL, "diffuse", "--topology", "rong"), 2, "--topology", "ring");
    assert_refused(okra(NULL, "diffuse", "--rule", "isolated"), 2, "--rule");
    assert_refused(okra(NULL, "diffuse", "--every", "0"), 2, "--every");
    assert_refused(okra(NULL, "diffuse", "--signal", "ex22"), 2, "--signal", "ex2");
    assert_refused(okra(NULL, "diffuse", "--signal", "mackey-glass"), 2, "mackey-glass", "no inputs");
    assert_refused(okra(NULL, "diffuse", "--probability", "1.5"), 2, "1.5");
    assert_refused(okra(NULL, "diffuse", "--probability", "0.001"), 2, "raise the probability");
    assert_refused(okra(NULL, "diffuse", "--topology", "geometric", "--radius", "0.01"), 2, "raise the radius");
    assert_refused(okra(NULL, "diffuse", "--topology", "geometric", "--radius", "-1"), 2, "radius of -1");
    assert_refused(okra(NULL, "diffuse", "--samples", "0"), 2, "--samples");
    assert_refused(okra(NULL, "diffuse", "--runs", "0"), 2, "--runs");
    assert_refused(okra(NULL, "diffuse", "--qklms-epsilon", "-1"), 2, "--qklms-epsilon");
    assert_refused(okra(NULL, "diffuse", "--sigma", "auto"), 2, "--sigma auto");
    assert_refused(okra(NULL, "diffuse", "--precision", "f32"), 2, "double precision");
    assert_refused(okra(NULL, "diffuse", "--beta", "1"), 2, "beta");
    assert_refused(okra(NULL, "diffuse", "rows.csv"), 2, "rows.csv", "options only");
    assert_refused(okra(NULL, "diffuse", "--metrics", "-"), 2, "--metrics");
    assert_refused(okra(NULL, SMALL, "--out", "nowhere/far"), 1, "nowhere/far");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_and_json_agree),
        cmocka_unit_test(bytes_are_those_of_all_features),
        cmocka_unit_test(neighbours_help),
        cmocka_unit_test(curves_and_pictures_are_written),
        cmocka_unit_test(atc_has_the_errors_of_cta),
        cmocka_unit_test(combining_at_every_kth_sample),
        cmocka_unit_test(threads_do_not_change_the_bytes),
        cmocka_unit_test(edges_come_from_a_file),
        cmocka_unit_test(bad_edges_are_refused),
        cmocka_unit_test(rows_come_from_files),
        cmocka_unit_test(bad_files_are_refused_once),
        cmocka_unit_test(divergence_has_its_status),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests_name("cli diffuse", tests, enter_directory, leave_directory);
}
