/*
 * mutate_models GOLDEN N [FIRST]: model files of every recipe and of the folder GOLDEN, N of them mutated, their
 * checksum repaired, through the commands that load them: info, export, import, predict, run, merge; and JSON mutated
 * likewise, through import. Each in a process of its own, with a limit of time, and with the sanitizers where they are
 * built in.
 *
 * Every file must be loaded or refused in one line. Loading, by okra_load() and okra_import(), must stay
 * within the memory that docs/model-file.md promises, every byte counted (peak.h); commands, which hold rows and
 * buffers too, within three times that in pages, because a sanitizer surrounds each block and keeps some that are free.
 * What loads must be shown and exported, and what was exported imported; what does not load must not be.
 *
 * File i is the same in every run: `mutate_models GOLDEN 1 i` repeats it. What fails is kept in the current folder.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* wait4 */
#endif
#include "model_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands.h"
#include "common/program.h"
#include "io/safetensors.h"
#include "peak.h"
#include "tokens.h"

/* ---- counts ------------------------------------------------------------------------------------------------------ */

#define VERDICTS(X)                            \
    X(loaded, "loaded")                        \
    X(refused, "refused")                      \
    X(predicted, "predicted with")             \
    X(ran, "gone on with")                     \
    X(merged, "merged")                        \
    X(json_loaded, "JSON imported")            \
    X(json_refused, "JSON refused")            \
    X(commands, "commands")                    \
    X(crashed, "crashed")                      \
    X(hung, "hung")                            \
    X(over, "over the bound")                  \
    X(wordy, "refused in other than one line") \
    X(disagreed, "taken by one command, not by another")

typedef struct verdicts {
#define FIELD(name, text) size_t name;
    VERDICTS(FIELD)
} verdicts;

static size_t faults(const verdicts *v) { return v->crashed + v->hung + v->over + v->wordy + v->disagreed; }

static void add(verdicts *sum, const verdicts *more)
{
#define ADD(name, text) sum->name += more->name;
    VERDICTS(ADD)
}

static void print(const verdicts *v)
{
#define PRINT(name, text) printf("%9zu %s\n", v->name, text);
    VERDICTS(PRINT)
}

/* ---- numbers at random ------------------------------------------------------------------------------------------- */

static uint64_t state;

/* splitmix64: every seed is as good as another, also the neighbour of one. Never twice in an expression: in which order
 * is the compiler's choice. */
static uint64_t draw(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static size_t below(size_t n) { return n ? (size_t)(draw() % n) : 0; }

/* ---- where mutations begin --------------------------------------------------------------------------------------- */

enum { BASES_MAX = 200, ROOM = 4096 };

typedef struct base {
    file file;
    char *json;
    size_t columns;
    char targets[64]; /* by their numbers, the last ones */
} base;

static base bases[BASES_MAX];
static size_t n_bases;

static void add_base(file f)
{
    assert_true(n_bases < BASES_MAX);
    base *b = &bases[n_bases++];
    okra_filter *model = unpack(&f);
    const okra_spec *spec = okra_get_spec(model);
    *b = (base){.file = f, .columns = spec->inputs + spec->outputs};
    for (size_t c = spec->inputs, at = 0; c < b->columns; c++)
        at += (size_t)snprintf(b->targets + at, sizeof b->targets - at, "%s%zu", at ? "," : "", c + 1);
    assert_ok(okra_export(f.bytes, f.size, 0, &b->json, NULL));
    okra_free(model);
}

/* One that has just begun, and one that scales, remembers and has learnt. */
static void add_recipe(okra_spec *spec)
{
    add_base(small_file(spec->recipe, spec->precision));
    spec->scale = OKRA_SCALE_AUTO, spec->warmup = 16, spec->lags = 2, spec->target_lags = 1, spec->horizon = 2;
    if (spec->features)
        spec->features = 6;
    if (spec->capacity)
        spec->capacity = 5;
    okra_filter *model = make_model(spec);
    take_rows(model, 0, 60);
    add_base(pack(model, NULL));
    okra_free(model);
}

static void add_folder(const char *folder)
{
    struct dirent **names;
    int n = scandir(folder, &names, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char path[4096];
        file f;
        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        const char *end = strrchr(path, '.');
        if (end && strcmp(end, ".okra") == 0) {
            assert_ok(okra_file_load(path, &f.bytes, &f.size, NULL));
            add_base(f);
        }
        free(names[i]);
    }
    assert_true(n > 2);
    free(names);
}

/* Rows for every number of columns that a model has. */
static void write_rows(size_t columns)
{
    char name[32];
    snprintf(name, sizeof name, "rows%zu.csv", columns);
    FILE *out = fopen(name, "w");
    assert_non_null(out);
    for (int t = 0; t < 30; t++)
        for (size_t c = 0; c < columns; c++)
            fprintf(out, "%.6g%c", sin(0.3 * t * (double)(c + 1)), c + 1 < columns ? ',' : '\n');
    assert_int_equal(fclose(out), 0);
}

/* ---- mutations --------------------------------------------------------------------------------------------------- */

static size_t header_length(const file *f)
{
    size_t length = 0;
    for (int k = 0; k < 8; k++)
        length |= (size_t)f->bytes[k] << 8 * k;
    return length;
}

static void set_length(file *f, uint64_t length)
{
    for (int k = 0; k < 8; k++)
        f->bytes[k] = (unsigned char)(length >> 8 * k);
}

static bool has_header(const file *f) { return f->size > 8 && header_length(f) > 0 && header_length(f) <= f->size - 8; }

/* A change to the header as a text, with the arrays moved behind it. */
typedef size_t change(uint8_t *text, size_t size, size_t max, unsigned seed);

static void change_header(file *f, change *how)
{
    size_t length = header_length(f), arrays = f->size - 8 - length;
    uint8_t *text = calloc(1, length + ROOM); /* with a NUL behind it */
    memcpy(text, f->bytes + 8, length);
    size_t new = how(text, length, length + ROOM, (unsigned)draw());
    f->bytes = realloc(f->bytes, 8 + length + ROOM + arrays);
    memmove(f->bytes + 8 + new, f->bytes + 8 + length, arrays);
    memcpy(f->bytes + 8, text, new);
    f->size = 8 + new + arrays;
    set_length(f, new);
    free(text);
}

static size_t change_byte(uint8_t *text, size_t size, size_t max, unsigned seed)
{
    (void)max;
    text[seed % size] ^= (uint8_t)(1u << seed / 7 % 8);
    return size;
}

static size_t remove_some(uint8_t *text, size_t size, size_t max, unsigned seed)
{
    (void)max;
    size_t begin = seed % size, end = begin + 1 + seed / 11 % 40;
    return tokens_splice(text, size, begin, end < size ? end : size, "", 0);
}

static size_t repeat_some(uint8_t *text, size_t size, size_t max, unsigned seed)
{
    char copy[200];
    size_t begin = seed % size, length = 1 + seed / 11 % sizeof copy;
    length = begin + length < size ? length : size - begin;
    memcpy(copy, text + begin, length);
    size_t to = draw() % size;
    return size + length <= max ? tokens_splice(text, size, to, to, copy, length) : size;
}

/* An array without numbers, of any shape, before the others. */
static size_t add_empty(uint8_t *text, size_t size, size_t max, unsigned seed)
{
    static const char *const names[] = {"y", "theta", "omega", "centres", "alpha", "warmup", "scale.mean", "x"};
    static const char *const sizes[] = {"0", "1", "2", "1048576", "4611686018427387904", "9223372036854775807"};
    static const char arrays[] = "},\"";
    char entry[200];
    const uint8_t *at = memmem(text, size, arrays, 3);
    if (!at)
        return size;
    bool rows = seed % 2;
    const char *n = sizes[seed / 2 % COUNT_OF(sizes)];
    int length =
        snprintf(entry, sizeof entry, "\"%s\":{\"dtype\":\"%s\",\"shape\":[%s,%s],\"data_offsets\":[0,0]},",
                 names[seed / 16 % COUNT_OF(names)], seed / 128 % 2 ? "F64" : "F32", rows ? n : "0", rows ? "0" : n);
    size_t to = (size_t)(at - text) + 2;
    return size + (size_t)length <= max ? tokens_splice(text, size, to, to, entry, (size_t)length) : size;
}

/* The same numbers in another shape. */
static size_t turn_shape(uint8_t *text, size_t size, size_t max, unsigned seed)
{
    static const char shape[] = "\"shape\":[";
    size_t from = seed % size, a, b;
    const uint8_t *at = memmem(text + from, size - from, shape, sizeof shape - 1);
    int read = 0;
    if (!at || sscanf((const char *)at + sizeof shape - 1, "%zu,%zu%n", &a, &b, &read) != 2)
        return size;
    char new[100];
    int length = snprintf(new, sizeof new,
                          seed / 5 % 3 == 0   ? "%zu,%zu"
                          : seed / 5 % 3 == 1 ? "1,%zu"
                                              : "%zu,1",
                          seed / 5 % 3 ? a * b : b, a);
    size_t begin = (size_t)(at - text) + sizeof shape - 1;
    return size + (size_t)length <= max ? tokens_splice(text, size, begin, begin + (size_t)read, new, (size_t)length)
                                        : size;
}

/* A number of the arrays, of either precision, in the file's byte order. */
static void change_number(file *f)
{
    static const double special[] = {0,
                                     -0.0,
                                     (double)NAN,
                                     (double)INFINITY,
                                     -(double)INFINITY,
                                     DBL_MAX,
                                     -DBL_MAX,
                                     DBL_MIN,
                                     5e-324,
                                     1e300,
                                     -1e300,
                                     1e-300,
                                     1e-170,
                                     (double)FLT_MAX,
                                     -(double)FLT_MAX,
                                     1e-45,
                                     1e-30,
                                     1e30,
                                     1e19,
                                     1e150,
                                     1,
                                     -1,
                                     2,
                                     0.5,
                                     1e15,
                                     -1e15,
                                     1e-8};
    size_t length = header_length(f), arrays = f->size - 8 - length, width = draw() % 2 ? 8 : 4;
    if (arrays < width)
        return;
    unsigned char *at = f->bytes + 8 + length + below(arrays / width) * width;
    double wide = special[below(COUNT_OF(special))];
    float narrow = (float)wide;
    uint64_t bits = draw();
    uint32_t half;
    if (draw() % 4 && width == 8)
        memcpy(&bits, &wide, sizeof bits);
    else if (width == 4)
        memcpy(&half, &narrow, sizeof half), bits = draw() % 4 ? half : bits;
    for (size_t k = 0; k < width; k++)
        at[k] = (unsigned char)(bits >> 8 * k);
}

static uint64_t draw_length(void)
{
    size_t shift = below(64);
    return draw() >> shift;
}

static void mutate(file *f)
{
    static change *const changes[] = {tokens_replace_digits,
                                      tokens_replace_digits,
                                      tokens_replace_digits,
                                      tokens_replace,
                                      turn_shape,
                                      add_empty,
                                      change_byte,
                                      remove_some,
                                      repeat_some};
    size_t kind = below(16);
    if (!has_header(f))
        return;
    if (kind < COUNT_OF(changes))
        change_header(f, changes[kind]);
    else if (kind < 14)
        change_number(f);
    else if (kind == 14)
        f->size = below(f->size);
    else
        set_length(f, draw_length());
}

/* Mostly one change, up to three. */
static size_t draw_changes(void) { return below(2) ? 1 + below(3) : 1; }

static file mutated_file(const base *b)
{
    file f = {malloc(b->file.size), b->file.size};
    memcpy(f.bytes, b->file.bytes, f.size);
    for (size_t k = draw_changes(); k > 0; k--)
        mutate(&f);
    okra_safetensors_sign(f.bytes, f.size);
    return f;
}

static file mutated_json(const base *b)
{
    static change *const changes[] = {tokens_replace_digits, tokens_replace_digits, tokens_replace, tokens_replace,
                                      remove_some,           repeat_some,           change_byte};
    size_t size = strlen(b->json), max = size + ROOM;
    file f = {malloc(max), size};
    memcpy(f.bytes, b->json, size);
    for (size_t k = draw_changes(); k > 0; k--) {
        change *how = changes[below(COUNT_OF(changes))];
        f.size = how(f.bytes, f.size, max, (unsigned)draw());
    }
    if (below(20) == 0)
        f.size = below(f.size);
    return f;
}

/* ---- one process ------------------------------------------------------------------------------------------------- */

enum { SECONDS = 20, LEAKS_EVERY = 16 };

/* What a process came to: its status, or below 0. */
enum { CRASHED = -1, HUNG = -2, OVER = -3, WORDY = -4 };

/* As docs/model-file.md promises it. */
/* Of the memory of a model, here and (in MB) for the commands: then the bound is as for a file that has none. */
enum { LIMIT = 33000000 };
#define LIMITED "--max-memory", "33"

static size_t bound(size_t size) { return 64 * size + (64 << 20); }

/* What counting found, as a status. */
enum { IS_OVER = 50, IS_WORDY = 51 };

static int count_load(const char *path, bool json)
{
    struct stat info;
    unsigned char *text = NULL, *bytes = NULL;
    size_t length, size;
    okra_message why = {""};
    okra_filter *model = NULL;
    okra_metadata *metadata = NULL;
    if (stat(path, &info) != 0)
        return CRASHED;
    peak_start();
    okra_status status =
        json ? okra_file_load(path, &text, &length, &why) : okra_load(path, LIMIT, &model, &metadata, &why);
    if (json && !status)
        status = okra_import((char *)text, length, LIMIT, &bytes, &size, &why);
    size_t peak = peak_bytes();
    okra_free(model);
    okra_metadata_free(metadata);
    free(text), free(bytes);
    if (peak > bound((size_t)info.st_size))
        return IS_OVER;
    return status == OKRA_OK                                                        ? 0
           : status == OKRA_E_FORMAT && *why.text && !strpbrk(why.text, "\n\r\033") ? 1
                                                                                    : IS_WORDY;
}

static int play(char **argv)
{
    int argc = 3; /* every command is about a file */
    while (argv[argc])
        argc++;
    if (strcmp(argv[1], "load") == 0 || strcmp(argv[1], "load-json") == 0)
        return count_load(argv[2], argv[1][4]);
    program_prepare(&okra_program);
    return program_finish(program_dispatch(&okra_program, argc, argv));
}

/* The pages of this process, which a child of it begins with, in KiB. */
static long pages_now(void)
{
    long all = 0, resident = 0;
    FILE *in = fopen("/proc/self/statm", "r");
    if (!in || fscanf(in, "%ld %ld", &all, &resident) != 2)
        resident = 0;
    if (in)
        fclose(in);
    return resident * (sysconf(_SC_PAGESIZE) >> 10);
}

/* A sanitizer may end a process with a status of the program's own: it is known by what it says. */
static bool sanitizer_spoke(void)
{
    char *said = read_file("err");
    bool spoke = strstr(said, "runtime error:") || strstr(said, "Sanitizer:");
    free(said);
    return spoke;
}

/* Runs a command in a process of its own; `argv` begins with the program and ends with NULL. Leaks are looked for on
 * demand. */
static int run(size_t size, char **argv, bool leaks)
{
    int ended;
    struct rusage used;
    long before = pages_now();
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int out = open("/dev/null", O_RDWR), error = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(out, 0), dup2(out, 1), dup2(error, 2);
        alarm(SECONDS);
        int status = play(argv);
        if (leaks)
            exit(status); /* where they are looked for, which takes longer than the rest */
        fflush(NULL);
        _exit(status);
    }
    if (child < 0 || wait4(child, &ended, 0, &used) != child)
        return CRASHED;
    if (WIFSIGNALED(ended))
        return WTERMSIG(ended) == SIGALRM ? HUNG : CRASHED;
    int status = WEXITSTATUS(ended);
    if (status && sanitizer_spoke())
        return CRASHED;
    if (status == IS_OVER || used.ru_maxrss - before > (long)(3 * (bound(size) >> 10)))
        return OVER;
    return status == IS_WORDY ? WORDY : status > 3 ? CRASHED : status;
}

static size_t lines_of(const char *name)
{
    char *text = read_file(name);
    size_t lines = 0;
    for (const char *p = text; (p = strchr(p, '\n')); p++)
        lines++;
    free(text);
    return lines;
}

/* ---- one file ---------------------------------------------------------------------------------------------------- */

typedef struct worker {
    verdicts count;
    size_t index;        /* of the file at hand */
    const char *keep_in; /* where files that fail are kept */
} worker;

static void keep(const worker *w, const char *path, char **argv, const char *what)
{
    char name[4200];
    size_t length;
    unsigned char *bytes;
    snprintf(name, sizeof name, "%s/mutant-%zu.%s", w->keep_in, w->index, strrchr(path, '.') + 1);
    fprintf(stderr, "file %zu: okra %s: %s: kept as %s\n", w->index, argv[1], what, name);
    if (okra_file_load(path, &bytes, &length, NULL) == OKRA_OK) {
        okra_file_save(name, bytes, length, NULL);
        free(bytes);
    }
    char *said = read_file("err");
    fprintf(stderr, "%.2000s", said);
    free(said);
}

static void count_fault(worker *w, int verdict, const char *path, char **argv)
{
    static const struct {
        size_t offset;
        const char *what;
    } kinds[] = {{offsetof(verdicts, crashed), "crashed"},
                 {offsetof(verdicts, hung), "hung"},
                 {offsetof(verdicts, over), "over the bound of memory"},
                 {offsetof(verdicts, wordy), "not one line"}};
    size_t kind = (size_t)(-1 - verdict);
    ++*(size_t *)(void *)((char *)&w->count + kinds[kind].offset);
    keep(w, path, argv, kinds[kind].what);
}

/* Whether a command on the file at `path` is done; what must not be is counted. `strict`: a refusal is one line. */
static bool passes(worker *w, const char *path, bool strict, char **argv)
{
    struct stat info = {0};
    stat(path, &info);
    int verdict = run((size_t)info.st_size, argv, w->index % LEAKS_EVERY == 0);
    w->count.commands++;
    if (verdict > 0 && strict && lines_of("err") != 1)
        verdict = WORDY;
    if (verdict < 0)
        count_fault(w, verdict, path, argv);
    return verdict == 0;
}

#define OKRA(...) ((char *[]){"okra", __VA_ARGS__, NULL})

static void expect(worker *w, bool same, const char *path, char **argv)
{
    if (same)
        return;
    w->count.disagreed++;
    keep(w, path, argv, "does not agree with loading");
}

static void try_file(worker *w, base *b, bool loaded)
{
    char rows[32];
    snprintf(rows, sizeof rows, "rows%zu.csv", b->columns);
    char **info = OKRA("info", LIMITED, "m.okra"), **export = OKRA("export", LIMITED, "m.okra", "--out", "m.json"),
         **import = OKRA("import", LIMITED, "m.json", "--out", "back.okra");
    expect(w, passes(w, "m.okra", true, info) == loaded, "m.okra", info);
    expect(w, passes(w, "m.okra", true, export) == loaded, "m.okra", export);
    if (loaded)
        expect(w, passes(w, "m.json", true, import), "m.okra", import);
    char **users[] = {
        OKRA("predict", LIMITED, "--load", "m.okra", "--target", b->targets, "--quiet", "--out", "out.csv", rows),
        OKRA("run", LIMITED, "--load", "m.okra", "--target", b->targets, "--quiet", "--out", "out.csv", "--save",
             "saved.okra", rows),
        OKRA("merge", LIMITED, "--quiet", "--out", "saved.okra", "m.okra", "base.okra")};
    size_t *done[] = {&w->count.predicted, &w->count.ran, &w->count.merged};
    for (size_t k = 0; k < COUNT_OF(users); k++) /* what is not loaded is told the same way by all */
        if (loaded || k == w->index % COUNT_OF(users))
            *done[k] += passes(w, "m.okra", false, users[k]);
}

static void try_one(worker *w)
{
    state = w->index * 2654435761u + 1;
    base *b = &bases[below(n_bases)];
    file f = mutated_file(b), json = mutated_json(b);
    write_bytes("m.okra", f.bytes, f.size);
    write_bytes("edited.json", json.bytes, json.size);
    write_bytes("base.okra", b->file.bytes, b->file.size);
    write_file("err", "");
    bool loaded = passes(w, "m.okra", false, OKRA("load", "m.okra"));
    loaded ? w->count.loaded++ : w->count.refused++;
    try_file(w, b, loaded);
    char **import = OKRA("import", LIMITED, "edited.json", "--out", "saved.okra");
    bool imported = passes(w, "edited.json", false, OKRA("load-json", "edited.json"));
    imported ? w->count.json_loaded++ : w->count.json_refused++;
    expect(w, passes(w, "edited.json", true, import) == imported, "edited.json", import);
    free(f.bytes), free(json.bytes);
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

/* Every n-th file, in a folder of its own. */
static void work(size_t first, size_t files, size_t at, size_t workers, const char *keep_in, int report)
{
    worker w = {.keep_in = keep_in};
    enter_directory(NULL);
    for (size_t i = 0; i < n_bases; i++)
        write_rows(bases[i].columns);
    for (size_t i = at; i < files; i += workers) {
        w.index = first + i;
        try_one(&w);
    }
    leave_directory(NULL);
    if (write(report, &w.count, sizeof w.count) != sizeof w.count)
        _exit(1);
    _exit(0);
}

/* AddressSanitizer keeps 256 MB of what was freed, which every process would be born with. It reads this once, at the
 * start. */
static void keep_little(char **argv)
{
    static const char name[] = "ASAN_OPTIONS";
    if (getenv(name) || setenv(name, "quarantine_size_mb=4", 1) != 0)
        return;
    execv("/proc/self/exe", argv);
}

int main(int argc, char **argv)
{
    enum { WORKERS = 2 };
    int ends[2];
    char here[4000];
    verdicts sum = {0}, one;
    keep_little(argv);
    if (argc < 3 || !getcwd(here, sizeof here) || pipe(ends) != 0)
        return 2;
    if (!okra_isa())
        return 77; /* OKRA_ISA asks for what this machine lacks */
    size_t files = strtoul(argv[2], NULL, 10), first = argc > 3 ? strtoul(argv[3], NULL, 10) : 0, done = 0;
    for_each_model(add_recipe);
    add_folder(argv[1]);
    for (size_t k = 0; k < WORKERS; k++)
        if (fork() == 0)
            work(first, files, k, WORKERS, here, ends[1]);
    close(ends[1]);
    for (; read(ends[0], &one, sizeof one) == sizeof one; done++)
        add(&sum, &one);
    printf("%9zu files, from %zu models\n", files, n_bases);
    print(&sum);
    return done == WORKERS && sum.loaded + sum.refused == files && faults(&sum) == 0 ? 0 : 1;
}
