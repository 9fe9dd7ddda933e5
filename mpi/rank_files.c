#include "nodes.h"

#include <glob.h>
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <okra/model_file.h>
#include <okra/okra.h>

#include "common/message.h"
#include "world.h"

enum { PATH = 4096 };

static const char *file_of(const rank_files *f, uint64_t samples, const char *ending, char path[PATH])
{
    snprintf(path, PATH, "%s-%zu-%" PRIu64 "%s", f->prefix, world_rank(), samples, ending);
    return path;
}

/* A model of all nodes here: outputs share a map, as nodes do. */
static okra_filter *make_model(const rank_files *f)
{
    okra_spec spec = f->spec.filter;
    okra_filter *model = NULL;
    spec.outputs = f->spec.count;
    return okra_create(&spec, &model) ? NULL : model;
}

static int save(const rank_files *f, okra_diffusion *nodes, uint64_t samples)
{
    char path[PATH];
    okra_message why = {"out of memory"};
    okra_metadata *metadata = NULL;
    okra_filter *model = make_model(f);
    okra_status status = model ? okra_metadata_set(&metadata, "network", f->plan) : OKRA_E_MEMORY;
    status = status ? status : okra_counter_write(model, "learnt", samples);
    status = status ? status : okra_array_write(model, "theta", okra_diffusion_theta(nodes, 0));
    if (!status)
        status = okra_save(model, file_of(f, samples, ".okra", path), metadata, &why);
    okra_free(model);
    okra_metadata_free(metadata);
    return status ? message_fail(EXIT_IO, "%s", why.text) : EXIT_DONE;
}

int rank_files_write(rank_files *f, okra_diffusion *nodes, const double *errors)
{
    char path[PATH];
    okra_message why;
    uint64_t samples = okra_diffusion_get(nodes)->samples, before = f->last;
    /* The errors first: where the model is, they are there too. */
    bool failed = okra_file_save(file_of(f, samples, ".f64", path), errors, f->n_errors * sizeof *errors, &why);
    /* Those before go only when all ranks have the last. */
    int status = world_agree(failed ? message_fail(EXIT_IO, "%s", why.text) : save(f, nodes, samples));
    if (status || before == samples)
        return status;
    f->last = samples;
    if (before > 0) {
        unlink(file_of(f, before, ".okra", path));
        unlink(file_of(f, before, ".f64", path));
    }
    return EXIT_DONE;
}

static bool is_there(const rank_files *f, uint64_t samples)
{
    char path[PATH];
    return access(file_of(f, samples, ".okra", path), R_OK) == 0 &&
           access(file_of(f, samples, ".f64", path), R_OK) == 0;
}

/* What finds this rank's files; a prefix may hold what has a meaning in patterns. */
static void write_pattern(const rank_files *f, char pattern[static 2 * PATH])
{
    size_t at = 0;
    for (const char *p = f->prefix; *p && at < PATH; p++) {
        if (strchr("*?[]\\", *p))
            pattern[at++] = '\\';
        pattern[at++] = *p;
    }
    snprintf(pattern + at, 2 * PATH - at, "-%zu-*.okra", world_rank());
}

/* The latest that this rank has, up to `limit`; 0: none. */
static uint64_t latest(const rank_files *f, uint64_t limit)
{
    char pattern[2 * PATH];
    glob_t found;
    uint64_t best = 0;
    write_pattern(f, pattern);
    if (glob(pattern, 0, NULL, &found) != 0)
        return 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *number = strrchr(found.gl_pathv[i], '-') + 1;
        char *end;
        uint64_t samples = strtoull(number, &end, 10);
        if (strcmp(end, ".okra") == 0 && samples <= limit && samples > best && is_there(f, samples))
            best = samples;
    }
    globfree(&found);
    return best;
}

/* The latest that every rank has: the smallest of the latest, again and again until all have it. */
static uint64_t latest_common(const rank_files *f)
{
    uint64_t limit = UINT64_MAX, mine, smallest, largest;
    for (;;) {
        mine = latest(f, limit);
        MPI_Allreduce(&mine, &smallest, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
        MPI_Allreduce(&mine, &largest, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
        if (smallest == largest || smallest == 0)
            return smallest;
        limit = smallest;
    }
}

/* Takes the model at so many samples; without `nodes`, only checks that it is of this network. */
static int take_model(const rank_files *f, okra_diffusion *nodes, uint64_t samples)
{
    char path[PATH];
    okra_message why;
    okra_filter *model;
    okra_metadata *metadata;
    if (okra_load(file_of(f, samples, ".okra", path), 0, &model, &metadata, &why))
        return message_fail(EXIT_IO, "%s", why.text);
    const char *plan = okra_metadata_get(metadata, "network");
    int status = EXIT_DONE;
    if (!plan || strcmp(plan, f->plan) != 0)
        status = message_fail(
            EXIT_USAGE,
            "%s has another network, other options or another number of ranks: give the same, or another --save", path);
    okra_status taken = !status && nodes ? okra_array_read(model, "theta", okra_diffusion_theta(nodes, 0)) : OKRA_OK;
    if (taken)
        status = message_fail(EXIT_IO, "%s", okra_strerror(taken));
    okra_free(model);
    okra_metadata_free(metadata);
    return status;
}

static int take_errors(const rank_files *f, double *errors, uint64_t samples)
{
    char path[PATH];
    unsigned char *bytes;
    size_t size;
    okra_message why;
    if (okra_file_load(file_of(f, samples, ".f64", path), &bytes, &size, &why))
        return message_fail(EXIT_IO, "%s", why.text);
    size_t wanted = f->n_errors * sizeof *errors;
    if (size == wanted)
        memcpy(errors, bytes, size);
    free(bytes);
    return size == wanted
               ? EXIT_DONE
               : message_fail(EXIT_IO, "%s: %zu bytes, not %zu: remove it and its model", path, size, wanted);
}

int rank_files_read(rank_files *f, okra_diffusion *nodes, double *errors, uint64_t *samples)
{
    uint64_t mine = latest(f, UINT64_MAX);
    *samples = latest_common(f);
    if (*samples == 0) /* if only some ranks have written, it starts again; another network's files stay */
        return world_agree(mine > 0 ? take_model(f, NULL, mine) : EXIT_DONE);
    int status = take_model(f, nodes, *samples);
    status = world_agree(status ? status : take_errors(f, errors, *samples));
    if (!status)
        okra_diffusion_get(nodes)->samples = *samples;
    f->last = *samples;
    return status;
}
