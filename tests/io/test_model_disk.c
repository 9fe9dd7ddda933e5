/* Model files on the disk: the old one or the new one, whatever happens; and what the format is made of. */
#include "model_files.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "io/checksum.h"

/* ---- on the disk --------------------------------------------------------------------------------------------- */

static okra_filter *trained(uint64_t rows)
{
    okra_spec spec = small_spec("rff-klms", OKRA_F64);
    okra_filter *model = make_model(&spec);
    take_rows(model, 0, rows);
    return model;
}

/* Nothing but the files named is in the folder. */
static void assert_files(const char *wanted)
{
    char names[256] = "";
    FILE *list = popen("ls -A | tr '\\n' ' '", "r");
    assert_non_null(list);
    assert_non_null(fgets(names, sizeof names, list));
    pclose(list);
    assert_string_equal(names, wanted);
}

static void saved_files_are_the_packed_bytes(void **state)
{
    (void)state;
    okra_filter *model = trained(50), *loaded;
    file packed = pack(model, NULL), read;
    assert_ok(okra_save(model, "a.okra", NULL, NULL));
    assert_ok(okra_file_load("a.okra", &read.bytes, &read.size, NULL));
    assert_same_file(&packed, &read);
    assert_ok(okra_load("a.okra", 0, &loaded, NULL, NULL));
    assert_files("a.okra ");
    assert_int_equal(unlink("a.okra"), 0);
    okra_free(model), okra_free(loaded);
    free(packed.bytes), free(read.bytes);
}

static void refusals_name_the_file(void **state)
{
    (void)state;
    okra_filter *model = (okra_filter *)1;
    okra_message why;
    FILE *out = fopen("no.okra", "w");
    fputs("x,y\n1,2\n", out);
    fclose(out);
    assert_status(okra_load("no.okra", 0, &model, NULL, &why), OKRA_E_FORMAT);
    assert_string_equal(why.text, "no.okra: not a model file: name one that okra has saved");
    assert_null(model);
    assert_status(okra_load("none.okra", 0, &model, NULL, &why), OKRA_E_OPEN);
    assert_string_equal(why.text, "none.okra: no such file: check the name and the folder");
    assert_status(okra_load("/tmp", 0, &model, NULL, &why), OKRA_E_OPEN);
    assert_non_null(strstr(why.text, "/tmp: is a directory"));
    assert_int_equal(unlink("no.okra"), 0);
    model = trained(1);
    assert_status(okra_save(model, "no/such/a.okra", NULL, &why), OKRA_E_WRITE);
    assert_string_equal(why.text,
                        "no/such/a.okra: cannot be written: No such file or directory: check the name and the folder");
    assert_status(okra_save(model, "/dev/full", NULL, &why), OKRA_E_WRITE);
    assert_string_equal(why.text, "/dev/full: cannot be written: No space left on device: free some room or choose "
                                  "another place");
    okra_free(model);
}

/* A limit on the size of files stands in for a full disk. */
static void a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    okra_filter *old = trained(10), *new = trained(20);
    file before = pack(old, NULL), after;
    okra_message why;
    struct rlimit unlimited, limited;
    assert_ok(okra_save(old, "a.okra", NULL, NULL));
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &unlimited);
    for (size_t room = 0; room < before.size; room += 97) {
        limited = (struct rlimit){room, unlimited.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limited);
        okra_status status = okra_save(new, "a.okra", NULL, &why);
        setrlimit(RLIMIT_FSIZE, &unlimited);
        assert_status(status, OKRA_E_WRITE);
        assert_non_null(strstr(why.text, "free some room"));
        assert_non_null(strstr(why.text, "the old file is as it was"));
        assert_files("a.okra ");
        assert_ok(okra_file_load("a.okra", &after.bytes, &after.size, NULL));
        assert_same_file(&before, &after);
        free(after.bytes);
    }
    assert_int_equal(unlink("a.okra"), 0);
    okra_free(old), okra_free(new);
    free(before.bytes);
}

static void links_and_permissions_stay(void **state)
{
    (void)state;
    struct stat info;
    okra_filter *model = trained(10);
    assert_int_equal(mkdir("models", 0777), 0);
    assert_ok(okra_save(model, "models/real.okra", NULL, NULL));
    assert_int_equal(chmod("models/real.okra", 0640), 0);
    assert_int_equal(symlink("models/real.okra", "link.okra"), 0);
    take_rows(model, 10, 20);
    assert_ok(okra_save(model, "link.okra", NULL, NULL));
    assert_int_equal(lstat("link.okra", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(stat("models/real.okra", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    file packed = pack(model, NULL), read;
    assert_ok(okra_file_load("models/real.okra", &read.bytes, &read.size, NULL));
    assert_same_file(&packed, &read);
    assert_int_equal(unlink("link.okra") | unlink("models/real.okra") | rmdir("models"), 0);
    okra_free(model);
    free(packed.bytes), free(read.bytes);
}

/* A link that leads nowhere yet leads to the new file, also over another link and from another folder. */
static void links_to_nothing_stay(void **state)
{
    (void)state;
    struct stat info;
    char deep[256];
    assert_int_equal(mkdir("models", 0777) | mkdir("models/new", 0777), 0);
    assert_non_null(getcwd(deep, 200));
    strcat(deep, "/models/new/b.okra");
    assert_int_equal(symlink("models/link.okra", "link.okra") | symlink("new/a.okra", "models/link.okra") |
                         symlink(deep, "far.okra") | symlink("round.okra", "round.okra") |
                         symlink("none/c.okra", "lost.okra"),
                     0);
    assert_ok(okra_file_save("link.okra", "a", 1, NULL));
    assert_ok(okra_file_save("far.okra", "b", 1, NULL));
    assert_status(okra_file_save("round.okra", "c", 1, NULL), OKRA_E_WRITE);
    assert_status(okra_file_save("lost.okra", "c", 1, NULL), OKRA_E_WRITE);
    static const char *const links[] = {"link.okra", "models/link.okra", "far.okra", "round.okra", "lost.okra"};
    for (size_t i = 0; i < COUNT_OF(links); i++) {
        assert_int_equal(lstat(links[i], &info), 0);
        assert_true(S_ISLNK(info.st_mode));
        assert_int_equal(unlink(links[i]), 0);
    }
    char *a = read_file("models/new/a.okra"), *b = read_file("models/new/b.okra");
    assert_string_equal(a, "a");
    assert_string_equal(b, "b");
    free(a), free(b);
    assert_int_equal(unlink("models/new/a.okra") | unlink("models/new/b.okra") | rmdir("models/new") | rmdir("models"),
                     0);
}

static mode_t mode_of(const char *path)
{
    struct stat info;
    assert_int_equal(lstat(path, &info), 0);
    return info.st_mode & 07777;
}

static void new_files_are_as_the_user_wants(void **state)
{
    (void)state;
    okra_filter *model = trained(10);
    mode_t usual = umask(022);
    assert_ok(okra_save(model, "a.okra", NULL, NULL));
    umask(077);
    assert_ok(okra_save(model, "b.okra", NULL, NULL));
    umask(usual);
    assert_int_equal(mode_of("a.okra"), 0644);
    assert_int_equal(mode_of("b.okra"), 0600);
    assert_int_equal(chmod("a.okra", 04755), 0);
    assert_ok(okra_save(model, "a.okra", NULL, NULL)); /* nobody runs a model, least of all as someone else */
    assert_int_equal(mode_of("a.okra"), 0755);
    assert_int_equal(unlink("a.okra") | unlink("b.okra"), 0);
    okra_free(model);
}

/* A file that only its owner may read is not open to others while its successor is written: the child is killed then.
 */
static void a_private_file_stays_private(void **state)
{
    (void)state;
    okra_filter *model = trained(10);
    char temporary[64];
    int ended;
    assert_ok(okra_save(model, "a.okra", NULL, NULL));
    assert_int_equal(chmod("a.okra", 0600), 0);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limited = {100, 100}, no_core = {0, 0};
        signal(SIGXFSZ, SIG_DFL);
        umask(0);
        setrlimit(RLIMIT_CORE, &no_core), setrlimit(RLIMIT_FSIZE, &limited);
        okra_save(model, "a.okra", NULL, NULL);
        _exit(1);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGXFSZ);
    snprintf(temporary, sizeof temporary, "a.okra.%ld.tmp", (long)child);
    assert_int_equal(mode_of(temporary), 0600);
    assert_int_equal(unlink("a.okra") | unlink(temporary), 0);
    okra_free(model);
}

/* ---- whose files they are ------------------------------------------------------------------------------------ */

enum { OWNER = 12345, GROUP = 23456, NOBODY = 54321 };

/* The last file that was opened to others (the library's fchmod ends up here), as it was just before. */
static struct stat before_opening;
int __real_fchmod(int fd, mode_t mode);
int __wrap_fchmod(int fd, mode_t mode);

int __wrap_fchmod(int fd, mode_t mode)
{
    assert_int_equal(fstat(fd, &before_opening), 0);
    return __real_fchmod(fd, mode);
}

/* An old file of that owner, group and mode. */
static void make_old(const char *path, uid_t owner, gid_t group, mode_t mode)
{
    write_file(path, "old");
    assert_int_equal(chown(path, owner, group) | chmod(path, mode), 0);
}

static void assert_belongs(const char *path, uid_t owner, gid_t group, mode_t mode)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_uid, owner);
    assert_int_equal(info.st_gid, group);
    assert_int_equal(info.st_mode & 07777, mode);
    assert_int_equal(before_opening.st_gid, group); /* the group first, then what it may do */
    assert_int_equal(before_opening.st_mode & 0077, 0);
}

static void only_as_root(void)
{
    if (geteuid() == 0)
        return;
    puts("skipped: only root can give files away");
    skip();
}

static void owner_and_group_stay(void **state)
{
    (void)state;
    only_as_root();
    make_old("a.okra", OWNER, GROUP, 0640);
    assert_ok(okra_file_save("a.okra", "new", 3, NULL));
    assert_belongs("a.okra", OWNER, GROUP, 0640);
    assert_int_equal(unlink("a.okra"), 0);
}

/* What saving as somebody of one group only leaves of an old file: its owner and mode. */
static void save_as(uid_t user, const char *path)
{
    int ended;
    pid_t child = fork();
    if (child == 0) {
        const gid_t none[1] = {NOBODY};
        bool left = setgroups(1, none) == 0 && setgid(NOBODY) == 0 && setuid(user) == 0;
        _exit(left && okra_file_save(path, "new", 3, NULL) == OKRA_OK ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
}

static void another_group_is_given_nothing(void **state)
{
    (void)state;
    only_as_root();
    static const mode_t modes[][2] = {{0640, 0600}, {0660, 0600}, {0644, 0644},
                                      {0664, 0644}, {0604, 0600}, {0600, 0600}};
    assert_int_equal(mkdir("open", 0777) | chmod("open", 0777) | chmod(".", 0755), 0);
    for (size_t i = 0; i < COUNT_OF(modes); i++)
        for (int own = 0; own < 2; own++) {
            struct stat info;
            make_old("open/a.okra", own ? NOBODY : OWNER, GROUP, modes[i][0]);
            save_as(NOBODY, "open/a.okra");
            assert_int_equal(stat("open/a.okra", &info), 0);
            assert_int_equal(info.st_uid, NOBODY);
            assert_int_equal(info.st_gid, NOBODY);
            assert_int_equal(info.st_mode & 07777, modes[i][1]);
            assert_int_equal(unlink("open/a.okra"), 0);
        }
    assert_int_equal(rmdir("open"), 0);
}

/* A list of who may read: owner and group nothing of it, one user named; as the kernel keeps it. */
static void put_list(const char *path, const char *attribute)
{
    static const unsigned char list[] = {2, 0,    0,    0,   1,   0,   6,  0, 255, 255, 255, 255, 2,   0,  4,
                                         0, 0x31, 0xd4, 0,   0,   4,   0,  0, 0,   255, 255, 255, 255, 16, 0,
                                         4, 0,    255,  255, 255, 255, 32, 0, 0,   0,   255, 255, 255, 255};
    if (setxattr(path, attribute, list, sizeof list, 0) == 0)
        return;
    assert_int_equal(errno, ENOTSUP);
    puts("skipped: this file system has no access control lists");
    skip();
}

static void lists_of_users_stay(void **state)
{
    (void)state;
    char before[256], after[256];
    static const char list[] = "system.posix_acl_access";
    write_file("a.okra", "old");
    put_list("a.okra", list);
    mode_t mode = mode_of("a.okra");
    ssize_t size = getxattr("a.okra", list, before, sizeof before);
    assert_true(size > 0);
    assert_ok(okra_file_save("a.okra", "new", 3, NULL));
    assert_int_equal(getxattr("a.okra", list, after, sizeof after), size);
    assert_memory_equal(before, after, (size_t)size);
    assert_int_equal(mode_of("a.okra"), mode);
    assert_int_equal(unlink("a.okra"), 0);
}

/* Nor does a replaced file get the list that its folder has for new ones. */
static void lists_of_folders_are_for_new_files(void **state)
{
    (void)state;
    char entries[256];
    assert_int_equal(mkdir("shared", 0777), 0);
    write_file("shared/a.okra", "old");
    assert_int_equal(chmod("shared/a.okra", 0640), 0);
    put_list("shared", "system.posix_acl_default");
    assert_ok(okra_file_save("shared/a.okra", "new", 3, NULL));
    assert_int_equal(mode_of("shared/a.okra"), 0640);
    assert_int_equal(getxattr("shared/a.okra", "system.posix_acl_access", entries, sizeof entries), -1);
    assert_int_equal(unlink("shared/a.okra") | rmdir("shared"), 0);
}

/* Whoever guesses the name under which a file is written first cannot have it written elsewhere. */
static void links_under_the_temporary_name_are_not_followed(void **state)
{
    (void)state;
    okra_filter *model = trained(10);
    char temporary[64];
    snprintf(temporary, sizeof temporary, "a.okra.%ld.tmp", (long)getpid());
    write_file("victim", "precious");
    assert_int_equal(symlink("victim", temporary), 0);
    assert_ok(okra_save(model, "a.okra", NULL, NULL));
    char *text = read_file("victim");
    assert_string_equal(text, "precious");
    free(text);
    assert_int_equal(unlink(temporary) | unlink("victim") | unlink("a.okra"), 0);
    okra_free(model);
}

/* A pipe is no file to rename over: what is saved comes out at its other end. */
static void pipes_are_written_as_they_are(void **state)
{
    (void)state;
    int ends[2];
    char path[32];
    okra_filter *model = trained(10);
    file packed = pack(model, NULL);
    unsigned char *got = malloc(packed.size + 1);
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    assert_true(packed.size < 65536); /* what a pipe holds */
    assert_ok(okra_save(model, path, NULL, NULL));
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    file read;
    assert_ok(okra_file_load(path, &read.bytes, &read.size, NULL));
    assert_same_file(&packed, &read);
    close(ends[0]);
    okra_free(model);
    free(packed.bytes), free(read.bytes), free(got);
}

/* Nobody knows how much will come out of a pipe: more than it holds, and more than room was made for at first. */
static void long_pipes_are_read_whole(void **state)
{
    (void)state;
    enum { SIZE = 300000 };
    int ends[2], status;
    char path[32];
    file sent = {.bytes = malloc(SIZE), .size = SIZE}, got;
    for (size_t i = 0; i < SIZE; i++)
        sent.bytes[i] = (unsigned char)(i * 31 >> 5);
    assert_int_equal(pipe(ends), 0);
    pid_t writer = fork();
    if (writer == 0) {
        size_t done = 0;
        for (ssize_t n = 1; n > 0 && done<SIZE; done += n> 0 ? (size_t)n : 0)
            n = write(ends[1], sent.bytes + done, SIZE - done);
        _exit(done == SIZE ? 0 : 1);
    }
    assert_true(writer > 0);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_ok(okra_file_load(path, &got.bytes, &got.size, NULL));
    close(ends[0]);
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_int_equal(status, 0);
    assert_same_file(&sent, &got);
    free(sent.bytes), free(got.bytes);
}

/* ---- the format ---------------------------------------------------------------------------------------------- */

static void checksum_knows_its_answers(void **state)
{
    (void)state;
    okra_checksum sum;
    char digits[CHECKSUM_DIGITS + 1];
    okra_checksum_start(&sum);
    okra_checksum_finish(&sum, digits);
    assert_string_equal(digits, "0000000000000000");
    okra_checksum_add(&sum, "123456789", 9); /* the check value of the CRC catalogue's CRC-64/XZ */
    okra_checksum_finish(&sum, digits);
    assert_string_equal(digits, "995dc9bbdf1939fa");
    okra_checksum_start(&sum);
    okra_checksum_add(&sum, "1234", 4);
    okra_checksum_add(&sum, "56789", 5);
    okra_checksum_finish(&sum, digits);
    assert_string_equal(digits, "995dc9bbdf1939fa");
}

/* The header's words share one level with the parameters: no recipe may bring a parameter of such a name. */
static void no_parameter_has_a_word_of_the_format(void **state)
{
    (void)state;
    static const char *const words[] = {"checksum", "format", "format_version", "okra_version",
                                        "recipe",   "inputs", "targets"};
    const okra_param *param;
    for (size_t i = 0; (param = okra_param_at(i)); i++)
        for (size_t k = 0; k < COUNT_OF(words); k++)
            assert_string_not_equal(param->name, words[k]);
}

static void metadata_says_what_is_there(void **state)
{
    (void)state;
    okra_metadata *notes = NULL, *metadata;
    okra_spec spec = small_spec("qklms", OKRA_F32);
    spec.sigma = OKRA_SIGMA_AUTO, spec.lags = 4, spec.scale = OKRA_SCALE_AUTO;
    okra_filter *model = make_model(&spec);
    take_rows(model, 0, 5);
    assert_ok(okra_metadata_set(&notes, "columns", "a,b,c,d"));
    file f = pack(model, notes);
    assert_ok(okra_read_header(f.bytes, f.size, &metadata, NULL));
    static const char *const wanted[][2] = {{"format", "okra model"},
                                            {"format_version", "1"},
                                            {"okra_version", OKRA_VERSION},
                                            {"recipe", "qklms"},
                                            {"sigma", "auto"},
                                            {"precision", "f32"},
                                            {"inputs", "2"},
                                            {"targets", "2"},
                                            {"lags", "4"},
                                            {"lag-from", "0"},
                                            {"target-lags", "0"},
                                            {"horizon", "1"},
                                            {"scale", "auto"},
                                            {"warmup", "512"},
                                            {"counter.rows", "5"},
                                            {"counter.learnt", "0"},
                                            {"epsilon", "0.1"},
                                            {"when-full", "stop"},
                                            {"metadata.columns", "a,b,c,d"}};
    for (size_t i = 0; i < COUNT_OF(wanted); i++) {
        const char *text = okra_metadata_get(metadata, wanted[i][0]);
        if (!text || strcmp(text, wanted[i][1]) != 0)
            fail_msg("%s is %s, not %s", wanted[i][0], text ? text : "missing", wanted[i][1]);
    }
    okra_metadata_free(notes), okra_metadata_free(metadata);
    okra_free(model);
    free(f.bytes);
}

int main(void)
{
    if (!okra_isa())
        return 77; /* OKRA_ISA asks for what this machine lacks */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saved_files_are_the_packed_bytes),
        cmocka_unit_test(refusals_name_the_file),
        cmocka_unit_test(a_full_disk_leaves_the_old_file),
        cmocka_unit_test(links_and_permissions_stay),
        cmocka_unit_test(links_to_nothing_stay),
        cmocka_unit_test(new_files_are_as_the_user_wants),
        cmocka_unit_test(a_private_file_stays_private),
        cmocka_unit_test(owner_and_group_stay),
        cmocka_unit_test(another_group_is_given_nothing),
        cmocka_unit_test(lists_of_users_stay),
        cmocka_unit_test(lists_of_folders_are_for_new_files),
        cmocka_unit_test(links_under_the_temporary_name_are_not_followed),
        cmocka_unit_test(pipes_are_written_as_they_are),
        cmocka_unit_test(long_pipes_are_read_whole),
        cmocka_unit_test(checksum_knows_its_answers),
        cmocka_unit_test(no_parameter_has_a_word_of_the_format),
        cmocka_unit_test(metadata_says_what_is_there),
    };
    return cmocka_run_group_tests_name("model disk", tests, enter_directory, leave_directory);
}
