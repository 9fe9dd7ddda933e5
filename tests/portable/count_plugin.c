/*
 * A plugin for qemu's user-mode emulators: counts the instructions that a program executes, and says so on standard
 * error at its end. The few declarations stand here because Debian has no package with qemu's header; they are version
 * 1 of its plugin interface. See instructions.sh.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

enum { ADD_U64 };
struct qemu_plugin_tb;

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*translated)(uint64_t id, struct qemu_plugin_tb *block));
void qemu_plugin_register_atexit_cb(uint64_t id, void (*at_end)(uint64_t id, void *data), void *data);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, int operation, void *counter,
                                              uint64_t more);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);

#define EXPORT __attribute__((visibility("default")))
extern EXPORT int qemu_plugin_version;
int qemu_plugin_version = 1;

static uint64_t executed;

/* Each time a block of code is entered, all its instructions count: a plain addition, so for one thread. */
static void translated(uint64_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_inline(block, ADD_U64, &executed, qemu_plugin_tb_n_insns(block));
}

static void at_end(uint64_t id, void *data)
{
    (void)id, (void)data;
    fprintf(stderr, "%" PRIu64 "\n", executed);
}

EXPORT int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv);
EXPORT int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
    (void)info, (void)argc, (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, at_end, NULL);
    return 0;
}
