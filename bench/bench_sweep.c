/* What a second job gains: a study of 10 000 points with one job and with two, in turn. */
#define _DEFAULT_SOURCE /* wait4 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"

enum { REPEATS = 5, JOBS = 2 };

static const char STUDY[] = "chain: {count: 3, velocity: [1]}\n"
                            "sweep:\n"
                            "  grid:\n"
                            "    chain.restitution: {from: 0.5, to: 1, steps: 100}\n"
                            "    chain.exponent: {from: 1, to: 3, steps: 100}\n";

typedef struct cost {
    double wall, cpu;
} cost;

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static cost run(const char *folder, const char *jobs)
{
    double before = wall_seconds();
    pid_t child = fork();
    if (child == 0) {
        if (chdir(folder) == 0) {
            execl(CAROM_PROGRAM, "carom", "sweep", "s.yaml", "--quiet", "--jobs", jobs, "-o",
                  "table.csv", (char *)NULL);
        }
        _exit(127);
    }
    int status = 1;
    struct rusage use;
    if (child < 0 || wait4(child, &status, 0, &use) != child || status != 0) {
        fprintf(stderr, "bench_sweep: the study failed\n");
        exit(1);
    }
    return (cost){wall_seconds() - before, seconds(use.ru_utime) + seconds(use.ru_stime)};
}

static int compare(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return first < second ? -1 : first > second;
}

static double median(double *values)
{
    qsort(values, REPEATS, sizeof *values, compare);
    return values[REPEATS / 2];
}

int main(void)
{
    char folder[] = "/tmp/carom-bench-XXXXXX", path[64];
    double wall[JOBS][REPEATS], cpu[JOBS][REPEATS], ratio[REPEATS];
    FILE *file = NULL;
    if (mkdtemp(folder) != NULL) {
        snprintf(path, sizeof path, "%s/s.yaml", folder);
        file = fopen(path, "w");
    }
    if (file == NULL || fputs(STUDY, file) < 0 || fclose(file) != 0) {
        fprintf(stderr, "bench_sweep: no place for the study\n");
        return 1;
    }
    for (int i = 0; i < REPEATS; i++) {
        for (int j = 0; j < JOBS; j++) {
            cost c = run(folder, j == 0 ? "1" : "2");
            wall[j][i] = c.wall;
            cpu[j][i] = c.cpu;
        }
        ratio[i] = wall[0][i] / wall[1][i];
    }
    printf("10 000 points of three balls by lzb, medians of %d\n", REPEATS);
    for (int j = 0; j < JOBS; j++) {
        printf("  %d job%s %6.2f s, %6.2f s of all cores\n", j + 1, j == 0 ? " " : "s",
               median(wall[j]), median(cpu[j]));
    }
    printf("  two jobs are %.2f times faster\n", median(ratio));
    remove(path);
    snprintf(path, sizeof path, "%s/table.csv", folder);
    remove(path);
    rmdir(folder);
    return 0;
}
