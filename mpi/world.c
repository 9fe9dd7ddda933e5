#include "world.h"

#include <cblas.h>
#include <limits.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/message.h"

enum { MESSAGE = 1024 };

/* MPI_COMM_WORLD, once it is known. */
static int rank, ranks;
static bool said;

size_t world_rank(void) { return (size_t)rank; }

size_t world_ranks(void) { return (size_t)ranks; }

/* Processes on one machine share its cores. */
static void share_cores(void)
{
    MPI_Comm here;
    int neighbours;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &neighbours);
    MPI_Comm_free(&here);
    int threads = omp_get_num_procs() / neighbours > 1 ? omp_get_num_procs() / neighbours : 1;
    if (!getenv("OMP_NUM_THREADS"))
        omp_set_num_threads(threads);
    if (!getenv("OPENBLAS_NUM_THREADS"))
        openblas_set_num_threads(threads);
}

void world_begin(int *argc, char ***argv)
{
    int provided;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    share_cores();
    message_hold(rank == 0);
    if (rank > 0 && !freopen("/dev/null", "w", stdout)) /* results and help are said by one */
        world_abort(message_fail(EXIT_IO, "/dev/null cannot be opened"));
}

int world_end(int status)
{
    status = said ? status : world_agree(status);
    MPI_Finalize();
    return status;
}

int world_agree(int status)
{
    int failed = status ? rank : INT_MAX, well = status == 0, first, any_well;
    char message[MESSAGE] = "";
    if (said)
        return status;
    MPI_Allreduce(&failed, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == INT_MAX)
        return status;
    MPI_Allreduce(&well, &any_well, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    snprintf(message, sizeof message, "%s", message_held());
    MPI_Bcast(message, MESSAGE, MPI_CHAR, first, MPI_COMM_WORLD);
    MPI_Bcast(&status, 1, MPI_INT, first, MPI_COMM_WORLD);
    if (rank == 0 && any_well) /* it matters which */
        fprintf(stderr, "okra-mpi: rank %d: %s\n", first, message);
    else if (rank == 0)
        fprintf(stderr, "okra-mpi: %s\n", message);
    said = true;
    return status;
}

int world_agree_on(int status, const char *what, const char *text)
{
    int length = (int)strlen(text), first_length;
    status = world_agree(status);
    if (status)
        return status;
    first_length = length;
    MPI_Bcast(&first_length, 1, MPI_INT, 0, MPI_COMM_WORLD);
    char *first = malloc((size_t)first_length + 1);
    if (!first)
        world_abort(message_fail(EXIT_IO, "out of memory"));
    snprintf(first, (size_t)first_length + 1, "%s", text);
    MPI_Bcast(first, first_length + 1, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (strcmp(first, text) != 0)
        status = message_fail(
            EXIT_USAGE, "has another %s than rank 0: start all with the same command line, on the same files", what);
    free(first);
    return world_agree(status);
}

/* What ends one rank often ends its neighbours at the same sample: the lowest gets a moment to report it and end
 * them. */
static void let_others_speak(void)
{
    enum { MOMENT = 50, MAX = 19 }; /* milliseconds, ranks */
    long wait = MOMENT * (rank < MAX ? rank : MAX);
    nanosleep(&(struct timespec){.tv_nsec = wait * 1000000}, NULL);
}

void world_abort(int status)
{
    let_others_speak();
    fprintf(stderr, "okra-mpi: rank %d: %s\n", rank, message_held());
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, status);
    abort();
}

uint64_t world_digest(uint64_t sum, const size_t *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum = sum * 6364136223846793005u + numbers[i] + 1;
    return sum;
}

void world_describe(const okra_spec *spec, char *text, size_t size)
{
    const okra_recipe *recipe = okra_recipe_find(spec->recipe);
    size_t at = strlen(text);
    for (size_t i = 0; i < recipe->n_params && at < size; i++) {
        char value[OKRA_VALUE_TEXT] = "";
        okra_spec_get(spec, recipe->params[i].param->name, value, sizeof value);
        at += (size_t)snprintf(text + at, size - at, ", %s %s", recipe->params[i].param->name, value);
    }
}

okra_status world_gather(void *context, size_t n, double *numbers)
{
    (void)context;
    if (n > INT_MAX)
        return OKRA_E_SIZE;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, numbers, (int)n, MPI_DOUBLE, MPI_COMM_WORLD);
    return OKRA_OK;
}
