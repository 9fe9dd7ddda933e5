/* The picture of section growth: its data, a gnuplot script beside them to edit, and what the script draws. */
#include "growth.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static FILE *create(const bench *b, const char *name)
{
    char path[4096], otherwise[4200];
    snprintf(path, sizeof path, "%s/%s", b->directory, name);
    snprintf(otherwise, sizeof otherwise, "'%s' cannot be written: name another --out DIR", path);
    FILE *file = fopen(path, "w");
    bench_expect(file != NULL, otherwise);
    return file;
}

/* Empty cells if no map reached the floor. */
static void write_data(const bench *b, const growth_point *points, size_t n)
{
    FILE *csv = create(b, "growth.csv");
    fputs("d,qklms_ns,map_ns,M,D,map\n", csv);
    for (size_t i = 0; i < n; i++) {
        const growth_point *p = &points[i];
        if (p->map)
            fprintf(csv, "%zu,%.1f,%.1f,%.1f,%zu,%s\n", p->inputs, p->qklms_ns, p->map_ns, p->centres, p->features,
                    p->map);
        else
            fprintf(csv, "%zu,%.1f,,%.1f,,\n", p->inputs, p->qklms_ns, p->centres);
    }
    bench_expect(fclose(csv) == 0, "growth.csv cannot be written");
}

/* A column of the data as a curve. */
static void write_curve(FILE *gp, int column, const char *colour, const char *title)
{
    fprintf(gp, "'growth.csv' every ::1 using 1:%d with linespoints pt 7 ps 0.7 lw 1.8 lc rgb '%s' title '%s'", column,
            colour, title);
}

static void write_panel(FILE *gp, const char *title, const char *label, int theirs, const char *their_title, int ours,
                        const char *our_title)
{
    fprintf(gp, "set title '%s'\nset ylabel '%s'\nplot ", title, label);
    write_curve(gp, theirs, "#b5542b", their_title);
    fputs(", \\\n     ", gp);
    write_curve(gp, ours, "#1f5f8b", our_title);
    fprintf(gp, ", \\\n     'growth.csv' every ::1 using 1:%d:6 with labels font ',9' offset 0,-1 notitle\n", ours);
}

static void write_picture(FILE *gp, const char *terminal, const char *name)
{
    fprintf(gp, "\nset terminal %s\nset output '%s'\n", terminal, name);
    fputs("set multiplot layout 1,2 title 'Example 2 with d inputs, at equal error'\n", gp);
    write_panel(gp, "time per sample", "ns", 2, "QKLMS", 3, "the fastest map");
    write_panel(gp, "size", "M, D", 4, "centres M of QKLMS", 5, "features D of that map");
    fputs("unset multiplot\nunset output\n", gp);
}

static void write_script(const bench *b)
{
    FILE *gp = create(b, "growth.gp");
    fputs("# gnuplot growth.gp draws growth.png and growth.svg from growth.csv\n"
          "set datafile separator ','\n"
          "set border 3 lc rgb '#444444'\nset tics nomirror out textcolor rgb '#222222'\n"
          "set grid lt 1 lw 0.6 lc rgb '#e2e2e2'\n"
          "set logscale y\nset xlabel 'inputs d'\nset xrange [0:21]\nset key bottom right samplen 2 spacing 1.15\n",
          gp);
    write_picture(gp, "pngcairo size 1300,620 font 'sans,14'", "growth.png");
    write_picture(gp, "svg size 900,430 font 'sans,12'", "growth.svg");
    bench_expect(fclose(gp) == 0, "growth.gp cannot be written");
}

/* By a shell in the directory, so that the script's names are those of the files beside it. */
static bool run_gnuplot(const char *directory)
{
    setenv("OKRA_BENCH_OUT", directory, 1);
    return system("cd \"$OKRA_BENCH_OUT\" && gnuplot growth.gp 2> /dev/null") == 0;
}

void growth_draw(const bench *b, const growth_point *points, size_t n)
{
    char otherwise[4200];
    snprintf(otherwise, sizeof otherwise, "--out: '%s' cannot be made", b->directory);
    bench_expect(mkdir(b->directory, 0777) == 0 || errno == EEXIST, otherwise);
    write_data(b, points, n);
    write_script(b);
    if (run_gnuplot(b->directory))
        printf("drawn: %s/growth.png\n", b->directory);
    else
        fprintf(stderr, "okra: %s/growth.gp was not drawn: install gnuplot, then run it there\n", b->directory);
}
