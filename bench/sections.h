/*
 * The sections. Those of two functions are written once for both precisions (src/core/real.h).
 */
#ifndef OKRA_BENCH_SECTIONS_H
#define OKRA_BENCH_SECTIONS_H

#include "bench.h"

void okra_lms_section_f64(bench *b);
void okra_lms_section_f32(bench *b);
void map_section(bench *b);
void accuracy_section(bench *b);
void okra_predict_section_f64(bench *b);
void okra_predict_section_f32(bench *b);
void kernel_section(bench *b);
void rls_section(bench *b);
void sorf_section(bench *b);
void io_section(bench *b);
void worst_section(bench *b);
void floors_section(bench *b);
void growth_section(bench *b);

#endif
