/* How fast the LZB law is computed, beside other ways to compute it, in one run: docs/benchmarks.md
 * explains every row. Machines are noisy; look at the ratios.
 *
 *     bench_lzb [--full] [--only CASE] [--most N] [--csv FOLDER]
 *
 * --full: measure the slow codes on all of the long chain, not on a part; minutes instead of
 * seconds. --only: one case (`lossy`: the chains with losses), no growth. --most: largest chain for
 * the growth (default 1000000).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lzb/growth.h"
#include "lzb/measure.h"

typedef struct options {
    bool full;
    const char *only; /* NULL: all cases */
    size_t most;
    const char *folder;
} options;

/* time-euler is asked for this error where the others are asked for 1e-6. */
static const double EULER_ERROR = 1e-4;

/* Tolerances below the first that is OK are left out where a run takes longer, s. */
static const double LONG = 0.5;

/* All tolerances; returns the fastest row that is OK. */
static row measure_ours(trial *t, const char *code, runner run, FILE *csv)
{
    row best = {.seconds = INFINITY, .ratio = NAN};
    for (size_t k = 0; k < bench_tolerance_count; k++) {
        row r = trial_measure(t, code, run, bench_tolerances[k], "tolerance", 0);
        report_row(csv, &r);
        if (r.acceptable == OK && r.seconds < best.seconds) {
            best = r;
        }
        if (r.acceptable == OK && r.seconds > LONG) {
            break;
        }
    }
    return best;
}

static void measure_peers(trial *t, const options *o, double ours, FILE *csv)
{
    for (size_t k = 0; k < bench_peer_count; k++) {
        const peer *p = &bench_peers[k];
        uint64_t budget = o->full || t->about->balls <= 100 ? 0 : p->budget;
        row r = trial_measure(t, p->name, p->run, p->setting, p->unit, budget);
        r.ratio = r.seconds / ours;
        report_row(csv, &r);
    }
}

/* time-euler at the step it needs, beside the fastest of ours that is OK. Where the case has a
 * horizon the scheme is given the projection there for nothing: then ours to the horizon stands
 * beside it, and ours to the end beside the scheme to its end.
 */
static void measure_euler(trial *t, const options *o, const row *ours, FILE *csv)
{
    double step, until = 0, compared = ours->seconds;
    row euler = trial_search_euler(t, EULER_ERROR, o->full ? 30 : 3, &step);
    if (t->about->horizon > 0) {
        row part = trial_measure_to_horizon(t, ours->value);
        report_row(csv, &part);
        row to_end = trial_euler_to_end(t, &euler, step, EULER_ERROR, &until);
        to_end.ratio = to_end.seconds / ours->seconds;
        report_row(csv, &to_end);
        printf("%-11s %7zu  all velocities within %.0e of the end from %.2g s on\n", t->about->name,
               t->about->balls, EULER_ERROR, until);
        euler.code = "time-euler, to the horizon";
        compared = part.seconds;
    }
    euler.ratio = euler.seconds / compared;
    report_row(csv, &euler);
    printf("%-11s %7zu  reference good to about %.0e\n", t->about->name, t->about->balls,
           t->uncertainty);
}

static void measure_case(const bench_case *about, const options *o, FILE *csv)
{
    trial t;
    trial_begin(&t, about);
    row ours = measure_ours(&t, "carom", run_carom, csv);
    row gauss = measure_ours(&t, "carom, gauss", run_carom_gauss, csv);
    if (about->euler_step > 0) {
        measure_euler(&t, o, &ours, csv);
    } else {
        measure_peers(&t, o, ours.seconds, csv);
    }
    ours.code = "carom, fastest that is OK";
    ours.ratio = 1;
    report_row(csv, &ours);
    gauss.code = "gauss, fastest that is OK";
    gauss.ratio = gauss.seconds / ours.seconds;
    report_row(csv, &gauss);
    trial_end(&t);
}

static options read_options(int count, char **values)
{
    options o = {.most = 1000000};
    for (int k = 1; k < count; k++) {
        bool more = k + 1 < count;
        if (strcmp(values[k], "--full") == 0) {
            o.full = true;
        } else if (strcmp(values[k], "--most") == 0 && more) {
            o.most = strtoul(values[++k], NULL, 10);
        } else if (strcmp(values[k], "--only") == 0 && more) {
            o.only = values[++k];
        } else if (strcmp(values[k], "--csv") == 0 && more) {
            o.folder = values[++k];
        } else {
            fprintf(stderr, "usage: bench_lzb [--full] [--only CASE] [--most N] [--csv FOLDER]\n");
            exit(2);
        }
    }
    return o;
}

static void close_file(FILE *file)
{
    if (file != NULL && fclose(file) != 0) {
        perror("bench_lzb");
        exit(1);
    }
}

int main(int argc, char **argv)
{
    options o = read_options(argc, argv);
    FILE *csv = report_file(o.folder, "lzb.csv", REPORT_COLUMNS);
    report_head();
    for (size_t k = 0; k < bench_case_count; k++) {
        if (o.only == NULL || strcmp(o.only, bench_cases[k].name) == 0) {
            measure_case(&bench_cases[k], &o, csv);
        }
    }
    if (o.only == NULL) {
        bench_cradle(csv);
    }
    close_file(csv);
    if (o.only == NULL || strcmp(o.only, "lossy") == 0) {
        csv = report_file(
            o.folder, "lossy.csv",
            "balls,restitution,stiffness_model,tolerance,cpu_seconds,steps,evaluations,estimate");
        bench_lossy(csv);
        close_file(csv);
    }
    if (o.only != NULL) {
        return 0;
    }
    csv = report_file(o.folder, "growth.csv",
                      "code,balls,cpu_seconds,ns_per_bead,ratio_to_1000,exponent");
    bench_growth(1e-4, o.most, csv);
    close_file(csv);
    csv = report_file(o.folder, "program.csv", "command,wall_seconds,cpu_seconds");
    bench_program(CAROM_PROGRAM, CAROM_SOURCE_DIR "/examples/long_chain.yaml", csv);
    close_file(csv);
    return 0;
}
