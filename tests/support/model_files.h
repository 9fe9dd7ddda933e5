/* Models and the files of them, for tests. */
#ifndef OKRA_TESTS_MODEL_FILES_H
#define OKRA_TESTS_MODEL_FILES_H

#include "files.h"

#include <okra/io.h>
#include <okra/model_file.h>

enum { TARGETS = 2 };

/* A model file in memory; whoever makes one frees its bytes. */
typedef struct file {
    unsigned char *bytes;
    size_t size;
} file;

file pack(const okra_filter *model, const okra_metadata *metadata);
okra_filter *unpack(const file *f);
void assert_same_file(const file *a, const file *b);

/* Two inputs and two targets, and few features or centres. */
okra_spec small_spec(const char *recipe, int precision);
okra_filter *make_model(const okra_spec *spec);

/* Row t of a stream with noise, gaps, weights and wild values; yhat[TARGETS] as doubles, which hold floats too. */
okra_status take_row(okra_filter *model, uint64_t t, double *yhat);
void take_rows(okra_filter *model, uint64_t from, uint64_t to);

/* For every recipe in both precisions. */
void for_each_model(void (*check)(okra_spec *spec));

/* A model of a few numbers that has seen ten rows. */
file small_file(const char *recipe, int precision);

/* The file with the first `old` of its header replaced, and a checksum that fits. */
file forge(const file *f, const char *old, const char *new);

/* Fails unless the file is neither loaded nor exported, with this status, in one line that has the part. */
void assert_file_refused(const file *f, okra_status status, const char *part);

#endif
