/*
 * okra-mpi learn: least squares on a file that no process reads all of.
 *
 * Every process takes the rows of its part through the model's lags and scale and the features, and gathers them in an
 * R factor (okra/merge.h). R factors are joined two by two up to rank 0: TSQR. The result is the model of one process
 * that has learnt every row, which `okra run --load` continues.
 */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <okra/merge.h>
#include <okra/model_file.h>

#include "mpi_commands.h"
#include "compare/row_table.h"
#include "stream/run_options.h"
#include "common/refusal.h"
#include "common/message.h"
#include "common/text.h"
#include "world.h"

enum { CHUNK = 1024, TAG_R_FACTOR = 1, TAG_MODEL = 2 };

typedef struct course {
    settings set;
    resume_state none; /* no model to begin from */
    row_table rows;
    okra_spec spec;
    okra_filter *model; /* embeds and, in the end, is saved */
    okra_map *map;
    okra_r_factor *factor;
    size_t inputs, targets, features; /* of the filter */
    size_t n;                         /* samples in the chunk */
    double *X, *Y, *W, *Z;            /* of the chunk, in one block that begins with X */
    uint64_t seen, skipped;           /* rows of this part */
} course;

/* ---- what to learn ------------------------------------------------------------------------------------------ */

static int check_recipe(const course *c)
{
    const okra_spec *filter = &c->spec;
    const okra_recipe *recipe = okra_recipe_find(filter->recipe);
    if (!recipe || strcmp(recipe->filter, "rls") != 0)
        return message_fail(EXIT_USAGE, "--recipe %s: only least squares merges exactly: use rff-krls or rls",
                            filter->recipe);
    if (filter->beta < 1)
        return message_fail(EXIT_USAGE,
                            "--beta %g: least squares that forgets cannot be merged: leave --beta out, it is 1 here",
                            filter->beta);
    if (filter->precision != OKRA_F64)
        return message_fail(EXIT_USAGE, "--precision f32: okra-mpi learns in double precision: leave it out");
    return EXIT_DONE;
}

static int open_rows(course *c, const arguments *options)
{
    int status = settings_read(&c->set, options);
    if (!status && is_standard(options->operand))
        status = message_fail(EXIT_USAGE, "okra-mpi learn needs a FILE: processes read parts of it");
    if (!status)
        status = settings_read_model(&c->set, options);
    c->spec = c->set.spec;
    if (!arguments_value(options, "beta"))
        c->spec.beta = 1;
    status = status ? status : check_recipe(c);
    status = status ? status : row_table_open(&c->rows, options, &c->set, &c->none);
    if (!status)
        input_fit(c->rows.from, &c->spec);
    return status;
}

/* The spec, the columns and the size of the file as a text, by which processes compare theirs: machines may have copies
 * of the file, and one may have been cut short. */
static void describe(const course *c, const char *path, char *text, size_t size)
{
    const okra_spec *s = &c->spec;
    const columns *chosen = &c->rows.from->columns;
    struct stat file = {0};
    uint64_t sum = world_digest(chosen->weight, chosen->targets, chosen->n_targets);
    sum = world_digest(sum, chosen->inputs, chosen->n_inputs);
    stat(path, &file);
    snprintf(text, size, "%lld %016" PRIx64 " %s %zu %zu", (long long)file.st_size, sum, s->recipe, s->inputs,
             s->outputs);
    world_describe(s, text, size);
}

/* ---- the model ---------------------------------------------------------------------------------------------- */

static bool is_automatic(const course *c)
{
    return c->spec.scale == OKRA_SCALE_AUTO || c->spec.sigma == OKRA_SIGMA_AUTO;
}

/* Rows that a row may be predicted from, itself not counted. */
static size_t memory_of(const okra_spec *spec)
{
    size_t inputs = spec->lag_from + spec->lags, targets = spec->horizon + spec->target_lags;
    return inputs > targets ? inputs : targets;
}

/* Scale and width come from the first rows of the file, which every process reads itself, so that all agree. Those
 * rows are not the past of the part that follows. */
static int warm_up(course *c, const arguments *options)
{
    row_table first = {0};
    okra_status refused = OKRA_OK;
    int status = row_table_open(&first, options, &c->set, &c->none);
    if (!status)
        status = row_table_fill(&first, c->spec.warmup);
    if (!status && first.rows.n < c->spec.warmup)
        status = message_fail(EXIT_USAGE, "%s: has %zu rows, but the warm-up takes %zu: lower --warmup",
                              okra_table_get(first.from->table)->path, first.rows.n, c->spec.warmup);
    for (size_t i = 0; i < first.rows.n && !status && !refused; i++)
        refused = first.rows.weight[i] < 0
                      ? okra_skip(c->model)
                      : okra_step(c->model, first.rows.u + i * first.inputs, first.rows.y + i * first.targets,
                                  first.rows.weight[i], NULL, NULL);
    for (size_t i = 0; i < memory_of(&c->spec) && !status && !refused; i++)
        refused = okra_skip(c->model);
    row_table_close(&first);
    return refused ? message_fail(EXIT_IO, "warm-up: %s", okra_strerror(refused)) : status;
}

static int build(course *c, const arguments *options)
{
    okra_message why;
    okra_stats stats = {0};
    okra_spec bare;
    if (okra_spec_check(&c->spec, &why))
        return message_fail(EXIT_USAGE, "%s", why.text);
    if (c->spec.loss != OKRA_LOSS_SQUARE)
        return message_fail(EXIT_USAGE, "--loss: processes gather plain least squares: leave it out");
    okra_status status = okra_create(&c->spec, &c->model);
    if (status)
        return refuse_model(&c->spec, status);
    int warmed = is_automatic(c) ? warm_up(c, options) : EXIT_DONE;
    if (warmed)
        return warmed;
    status = okra_bare_spec(c->model, &bare);
    if (!status)
        status = okra_get_stats(c->model, &stats);
    if (status)
        return refuse_model(&c->spec, status);
    c->inputs = bare.inputs, c->targets = bare.outputs, c->features = stats.features;
    status = okra_map_create(&bare, &c->map);
    if (!status) /* the regularisation counts once */
        status = okra_r_factor_create(c->features, c->targets, world_rank() == 0 ? bare.lambda : 0, &c->factor);
    c->X = calloc(CHUNK, (c->inputs + c->targets + 1 + c->features) * sizeof *c->X);
    if (!status && !c->X)
        status = OKRA_E_MEMORY;
    if (status)
        return refuse_model(&c->spec, status);
    c->Y = c->X + CHUNK * c->inputs;
    c->W = c->Y + CHUNK * c->targets;
    c->Z = c->W + CHUNK;
    return EXIT_DONE;
}

static void close_course(course *c)
{
    row_table_close(&c->rows);
    okra_free(c->model), okra_map_free(c->map), okra_r_factor_free(c->factor);
    free(c->X);
}

/* ---- learning ----------------------------------------------------------------------------------------------- */

static bool all_finite(size_t n, const double *a)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(a[i]))
            return false;
    return true;
}

/* Row i of the row_table becomes a sample, unless something is missing or it belongs to the part before. */
static okra_status take_row(course *c, size_t i, bool ours)
{
    double *x = c->X + c->n * c->inputs, *y = c->Y + c->n * c->targets;
    const row_table *s = &c->rows;
    if (s->rows.weight[i] < 0) {
        c->skipped += ours;
        return okra_skip(c->model);
    }
    okra_status status = okra_embed(c->model, s->rows.u + i * s->inputs, s->rows.y + i * s->targets, x, y);
    if (status || !ours || !all_finite(c->inputs, x) || !all_finite(c->targets, y))
        return status;
    c->W[c->n++] = s->rows.weight[i];
    return OKRA_OK;
}

static okra_status learn_chunk(course *c)
{
    okra_status status = c->n ? okra_map_apply(c->map, c->n, c->X, c->Z) : OKRA_OK;
    if (!status && c->n)
        status = okra_r_factor_add(c->factor, c->n, c->Z, c->Y, c->W);
    c->n = 0;
    return status;
}

static int learn_part(course *c, progress_bar *bar)
{
    okra_message why;
    size_t ahead;
    okra_table *table = c->rows.from->table;
    if (okra_table_part(table, world_rank(), world_ranks(), memory_of(&c->spec), &ahead, &why))
        return message_fail(EXIT_IO, "%s", why.text);
    while (c->rows.rows.state == BLOCK_GOOD) {
        int status = row_table_fill(&c->rows, CHUNK);
        okra_status refused = OKRA_OK;
        for (size_t i = 0; i < c->rows.rows.n && !status && !refused; i++, c->seen++)
            refused = take_row(c, i, c->seen >= ahead);
        if (!status && !refused)
            refused = learn_chunk(c);
        if (refused)
            return message_fail(EXIT_IO, "%s:%llu: at the latest: %s", okra_table_get(table)->path,
                                (unsigned long long)okra_table_get(table)->line, okra_strerror(refused));
        if (status)
            return status;
        progress_bar_show(bar, c->seen, -1);
    }
    c->seen -= ahead;
    return EXIT_DONE;
}

/* ---- joining ------------------------------------------------------------------------------------------------ */

static void expect_joined(okra_status status)
{
    if (status)
        world_abort(message_fail(EXIT_IO, "joining: %s", okra_strerror(status)));
}

static void send_r_factor(course *c, double *numbers, int n, size_t to)
{
    expect_joined(okra_r_factor_pack(c->factor, numbers));
    MPI_Send(numbers, n, MPI_DOUBLE, (int)to, TAG_R_FACTOR, MPI_COMM_WORLD);
}

static void join_r_factor(course *c, double *numbers, int n, size_t from)
{
    okra_r_factor *other;
    MPI_Recv(numbers, n, MPI_DOUBLE, (int)from, TAG_R_FACTOR, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect_joined(okra_r_factor_create(c->features, c->targets, 0, &other));
    expect_joined(okra_r_factor_unpack(other, numbers));
    expect_joined(okra_r_factor_join(c->factor, other));
    okra_r_factor_free(other);
}

/* Two by two: after the k-th round, rank i 2^k has what 2^k ranks have seen. */
static int reduce(course *c)
{
    size_t n = okra_r_factor_numbers(c->factor), me = world_rank();
    double *numbers = calloc(n, sizeof *numbers);
    int status = EXIT_DONE;
    if (n > INT_MAX)
        status = message_fail(EXIT_USAGE, "--features: %zu numbers are too many for one message: ask for fewer", n);
    else if (!numbers)
        status = message_fail(EXIT_IO, "out of memory");
    status = world_agree(status);
    for (size_t step = 1; step < world_ranks() && !status; step *= 2) {
        if (me % (2 * step) == step) {
            send_r_factor(c, numbers, (int)n, me - step);
            break;
        }
        if (me % (2 * step) == 0 && me + step < world_ranks())
            join_r_factor(c, numbers, (int)n, me + step);
    }
    free(numbers);
    return status;
}

/* A later run continues from the lags of the last part, so its model goes to rank 0. */
static void send_last(const course *c)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    okra_message why;
    if (okra_pack(c->model, NULL, &bytes, &size, &why))
        world_abort(message_fail(EXIT_IO, "%s", why.text));
    if (size > INT_MAX)
        world_abort(message_fail(EXIT_USAGE, "--features: a model of %zu bytes is too large: ask for fewer", size));
    MPI_Send(bytes, (int)size, MPI_BYTE, 0, TAG_MODEL, MPI_COMM_WORLD);
    free(bytes);
}

static int fetch_last(course *c, int last)
{
    int size;
    okra_message why;
    MPI_Status message;
    MPI_Probe(last, TAG_MODEL, MPI_COMM_WORLD, &message);
    MPI_Get_count(&message, MPI_BYTE, &size);
    unsigned char *bytes = malloc((size_t)size + 1);
    if (!bytes)
        world_abort(message_fail(EXIT_IO, "out of memory"));
    MPI_Recv(bytes, size, MPI_BYTE, last, TAG_MODEL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    okra_free(c->model);
    c->model = NULL;
    okra_status status = okra_unpack(bytes, (size_t)size, SIZE_MAX, &c->model, NULL, &why);
    free(bytes);
    return status ? message_fail(EXIT_IO, "%s", why.text) : EXIT_DONE;
}

static int move_last(course *c)
{
    size_t last = world_ranks() - 1;
    if (last > 0 && world_rank() == last)
        send_last(c);
    return last > 0 && world_rank() == 0 ? fetch_last(c, (int)last) : EXIT_DONE;
}

static int save(course *c, const arguments *options, const char *path)
{
    okra_metadata *metadata = NULL;
    okra_message why;
    okra_status written = okra_r_factor_to_filter(c->factor, c->model);
    if (written)
        return message_fail(EXIT_IO, "%s", okra_strerror(written));
    int status = resume_start_metadata(&metadata, NULL, options, c->rows.from->table, &c->rows.from->columns, 0);
    if (!status && okra_save(c->model, path, metadata, &why))
        status = message_fail(EXIT_IO, "%s", why.text);
    okra_metadata_free(metadata);
    return status;
}

/* ---- the command -------------------------------------------------------------------------------------------- */

static int learn(course *c, const arguments *options, const char *path)
{
    char text[8192] = "";
    progress_bar bar = progress_bar_start(world_rank() == 0 && !arguments_value(options, "quiet"));
    int status = open_rows(c, options);
    if (!status)
        describe(c, options->operand, text, sizeof text);
    status = world_agree_on(status, "spec, or file", text);
    status = status ? status : world_agree(build(c, options));
    status = status ? status : world_agree(learn_part(c, &bar));
    progress_bar_end(&bar);
    status = status ? status : reduce(c);
    status = status ? status : world_agree(move_last(c));
    return status ? status : world_agree(world_rank() == 0 ? save(c, options, path) : EXIT_DONE);
}

static void tell(const course *c, const char *path, double seconds)
{
    unsigned long long counts[2] = {c->seen, c->skipped}, all[2] = {0};
    MPI_Reduce(counts, all, 2, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    print_plain(stdout, path);
    printf(": %llu rows, %llu learnt, %llu skipped, D = %zu, %zu ranks, %.2f s\n", all[0],
           (unsigned long long)okra_r_factor_samples(c->factor), all[1], c->features, world_ranks(), seconds);
}

static int cmd_learn(const arguments *options)
{
    const char *path = arguments_value(options, "save");
    double began = message_clock();
    course c = {0};
    if (!path)
        return message_fail(EXIT_USAGE, "okra-mpi learn needs --save FILE: where the model goes");
    int status = learn(&c, options, path);
    if (!status && !arguments_value(options, "quiet"))
        tell(&c, path, message_clock() - began);
    close_course(&c);
    return status;
}

static const cli_option options[] = {
    {"save", "FILE", "where the model goes", TO_TEXT(settings, save), .absent = "needed"},
    {"recipe", "rff-krls|rls", "what to learn with", TO_TEXT(settings, recipe), .fallback = "rff-krls"},
    PART_OPTIONS,
    WEIGHT_OPTION,
    FORMAT_OPTIONS,
    {"bad-rows", "stop|skip", "what to do with a row that does not parse; a skipped row is a gap",
     TO_CHOICE(settings, bad_rows), .fallback = "stop"},
    {"quiet", NULL, "no progress bar, no summary", TO_FLAG(settings, quiet)},
    HELP_OPTION,
};

static const cli_default defaults[] = {{"beta", "1"}, TARGET_LAGS_DEFAULT, {NULL, NULL}};

const cli_command mpi_learn_command = {
    .name = "learn",
    .operand = "FILE",
    .help = "regularised least squares on a file, each process reading its part",
    .more = "Every process reads its share of FILE and learns its rows by least squares in square-root information "
            "form. The results are merged by QR. The model is the same for any number of processes (--beta is 1), and "
            "'okra run --load' continues it. If scale or width is automatic, all processes estimate it from the first "
            "rows of the file.",
    .examples = "  mpirun -n 4 okra-mpi learn --sigma 2 --save model.okra stream.csv\n",
    .options = options,
    .parameters = ALL_PARAMETERS,
    .defaults = defaults,
    .run = cmd_learn,
};
