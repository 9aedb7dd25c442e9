/* LAMMPS and Siconos on the elastic chain, in the table of bench_lzb. Each is run as a program of
 * its own that prints
 *
 *     result FIRST LAST ENERGY_ERROR [CPU_SECONDS]
 *
 *     run_peers [--csv FOLDER] [SICONOS_CHAIN]      the driver built from siconos_chain.cpp
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "../lzb/measure.h"

/* The loosest tolerance of ours that is OK for both lengths (bench_lzb). */
static const double OUR_TOLERANCE = 1e-2;
/* LAMMPS: the largest round step that is OK. The wave passes a bead in 3e-5 s. */
static const double VERLET_STEP = 1e-7, SECONDS_PER_BEAD = 2.98e-5;
/* Siconos: an impulse, N s. */
static const double IMPULSE_STEP = 1e-5;

static double children_seconds(void)
{
    struct rusage use;
    getrusage(RUSAGE_CHILDREN, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

typedef struct measured {
    bool found;
    double first, last, energy, seconds;
} measured;

/* CPU time: as the program says itself, else of the whole process. */
static measured measure(const char *command)
{
    measured t = {0};
    char line[512];
    double begin = children_seconds(), own = NAN;
    FILE *pipe = popen(command, "r");
    while (pipe != NULL && fgets(line, sizeof line, pipe) != NULL) {
        t.found = sscanf(line, "result %lf %lf %lf %lf", &t.first, &t.last, &t.energy, &own) >= 3 ||
                  t.found;
    }
    t.found = pipe != NULL && pclose(pipe) == 0 && t.found;
    t.seconds = isnan(own) ? children_seconds() - begin : own;
    return t;
}

static measured measure_lammps(size_t n, unsigned long steps)
{
    char command[1024];
    snprintf(command, sizeof command,
             "lmp -in '%s/bench/peers/lammps_chain.in' -log none -var n %zu -var step %g "
             "-var steps %lu 2>&1",
             CAROM_SOURCE_DIR, n, VERLET_STEP, steps);
    return measure(command);
}

static void report(const bench_case *about, const char *code, const char *unit, double setting,
                   const measured *t, double ours, FILE *csv)
{
    if (!t->found) {
        printf("%-11s %7zu  %s: not available, or failed\n", about->name, about->balls, code);
        return;
    }
    row r = {.what = about->name,
             .balls = about->balls,
             .code = code,
             .seconds = t->seconds,
             .ratio = t->seconds / ours,
             .energy = fabs(t->energy),
             .last = fabs(t->last - about->last),
             .worst = fmax(fabs(t->first - about->first), fabs(t->last - about->last))};
    snprintf(r.setting, sizeof r.setting, "%s %g", unit, setting);
    r.acceptable = r.energy <= about->energy_allowed && r.last <= about->last_allowed ? OK : NOT_OK;
    report_row(csv, &r);
}

static void run_lammps(const bench_case *about, double ours, FILE *csv)
{
    double steps = ceil((double)about->balls * SECONDS_PER_BEAD / VERLET_STEP) + 1000;
    measured start = measure_lammps(about->balls, 0),
             t = measure_lammps(about->balls, (unsigned long)steps);
    t.seconds -= start.seconds; /* reading, building: not counted with the others either */
    report(about, "LAMMPS gran/hertz/history", "step", VERLET_STEP, &t, ours, csv);
}

static void run_siconos(const char *driver, const bench_case *about, double ours, FILE *csv)
{
    char command[1024];
    snprintf(command, sizeof command, "'%s' %zu %g 2>&1", driver, about->balls, IMPULSE_STEP);
    measured t = measure(command);
    report(about, "Siconos MultipleImpact", "impulse", IMPULSE_STEP, &t, ours, csv);
}

int main(int argc, char **argv)
{
    const char *folder = NULL, *driver = NULL;
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--csv") == 0 && k + 1 < argc) {
            folder = argv[++k];
        } else {
            driver = argv[k];
        }
    }
    FILE *csv = report_file(folder, "peers.csv", REPORT_COLUMNS);
    report_head();
    for (size_t k = 0; k < bench_case_count && strcmp(bench_cases[k].name, "elastic") == 0; k++) {
        const bench_case *about = &bench_cases[k];
        trial t;
        trial_begin(&t, about);
        row ours = trial_measure(&t, "carom", run_carom, OUR_TOLERANCE, "tolerance", 0);
        trial_end(&t);
        ours.ratio = 1;
        report_row(csv, &ours);
        run_lammps(about, ours.seconds, csv);
        if (driver != NULL && about->balls <= 100) { /* a thousand beads take it many minutes */
            run_siconos(driver, about, ours.seconds, csv);
        }
    }
    return csv != NULL && fclose(csv) != 0;
}
