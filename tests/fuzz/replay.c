/*
 * fuzz_NAME FILE|FOLDER...: a fuzzer without libFuzzer. It is given each file, and each file of each folder, once; a
 * file that breaks something ends it, and is the last one named.
 */
#include "harness.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <okra/model_file.h>

/* Fuzzers with a mutator of their own name it; nothing is mutated here. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max)
{
    (void)data, (void)max;
    return size;
}

static size_t replay_file(const char *path)
{
    unsigned char *bytes;
    size_t size;
    okra_message why;
    printf("%s\n", path);
    fflush(stdout); /* it may be the last word */
    if (okra_file_load(path, &bytes, &size, &why)) {
        fprintf(stderr, "%s\n", why.text);
        exit(1);
    }
    uint8_t *exact = malloc(size ? size : 1); /* so that a read past the end is seen */
    fuzz_expect(exact != NULL);
    memcpy(exact, bytes, size);
    free(bytes);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return 1;
}

/* The number of files that there were. */
static size_t replay(const char *path)
{
    struct dirent **entries;
    int n = scandir(path, &entries, NULL, alphasort);
    if (n < 0)
        return replay_file(path);
    size_t files = 0;
    for (int i = 0; i < n; i++) {
        char inside[4096];
        snprintf(inside, sizeof inside, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.')
            files += replay_file(inside);
        free(entries[i]);
    }
    free(entries);
    return files;
}

int main(int argc, char **argv)
{
    size_t files = 0;
    for (int i = 1; i < argc; i++)
        files += replay(argv[i]);
    printf("%zu files, no finding\n", files);
    return files > 0 ? 0 : 1;
}
