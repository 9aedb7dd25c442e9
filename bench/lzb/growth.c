#include "growth.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../clock.h"
#include "report.h"
#include "runner.h"

/* ---- Growth ---------------------------------------------------------------------------------- */

static double least_seconds(runner run, const chain *c, double setting, int repeats, answer *a)
{
    double least = INFINITY;
    for (int k = 0; k < repeats; k++) {
        run(c, setting, 0, a);
        least = fmin(least, a->seconds);
    }
    return least;
}

static void growth_of(const char *code, runner run, double setting, size_t most, FILE *csv)
{
    double first = 0, before = 0;
    for (size_t n = 1000; n <= most; n *= 10) {
        chain c = chain_of_steel(n);
        answer a = {.velocity = malloc(n * sizeof *a.velocity)};
        if (a.velocity == NULL) {
            exit(1);
        }
        double seconds = least_seconds(run, &c, setting, n < 1000000 ? 7 : 2, &a);
        first = first > 0 ? first : seconds / (double)n;
        double exponent = before > 0 ? log10(seconds / before) : NAN;
        before = seconds;
        printf("%-28s %8zu  %10.4g s %8.0f ns per bead %6.2f x  exponent %.3f  energy %.1e\n", code,
               n, seconds, 1e9 * seconds / (double)n, seconds / (double)n / first, exponent,
               fabs(chain_energy(&c, a.velocity) / chain_energy(&c, c.velocity) - 1));
        fflush(stdout);
        if (csv != NULL) {
            fprintf(csv, "\"%s\",%zu,%.4g,%.4g,%.3f,%.3f\n", code, n, seconds,
                    1e9 * seconds / (double)n, seconds / (double)n / first, exponent);
        }
        free(a.velocity);
        chain_release(&c);
    }
}

void bench_growth(double tolerance, size_t most, FILE *csv)
{
    printf("\nCost per bead of the elastic chain, ours at tolerance %.0e\n", tolerance);
    growth_of("carom", run_carom, tolerance, most, csv);
    growth_of("RKN splitting, window", run_splitting, 1.4e-5, most, csv);
}

/* ---- Losses ---------------------------------------------------------------------------------- */

typedef struct lossy_case {
    size_t balls;
    double restitution, tolerance;
    runner run;
    const char *stiffness_model;
} lossy_case;

/* Returns the time it takes. */
static double measure_lossy(const lossy_case *about, FILE *csv)
{
    chain c = chain_of_steel(about->balls);
    answer a = {.velocity = malloc(about->balls * sizeof *a.velocity)};
    if (a.velocity == NULL) {
        exit(1);
    }
    c.restitution = about->restitution;
    double seconds =
        least_seconds(about->run, &c, about->tolerance, about->balls < 1000 ? 10 : 1, &a);
    printf("%8zu  e = %-5g %-5s tolerance %.0e %10.4g s %10llu steps %12llu evaluations  estimate "
           "%.1e\n",
           about->balls, about->restitution, about->stiffness_model, about->tolerance, seconds,
           (unsigned long long)a.steps, (unsigned long long)a.evaluations, a.estimate);
    fflush(stdout);
    if (csv != NULL) {
        fprintf(csv, "%zu,%g,%s,%g,%.4g,%llu,%llu,%.2g\n", about->balls, about->restitution,
                about->stiffness_model, about->tolerance, seconds, (unsigned long long)a.steps,
                (unsigned long long)a.evaluations, a.estimate);
    }
    free(a.velocity);
    chain_release(&c);
    return seconds;
}

void bench_lossy(FILE *csv)
{
    enum { BI = 1, MONO = 3, CASES = 8 };
    const lossy_case cases[CASES] = {{200, 0.5, 1e-8, run_carom, "bi"},
                                     [BI] = {200, 0.9, 1e-8, run_carom, "bi"},
                                     {200, 0.9, 1e-10, run_carom, "bi"},
                                     [MONO] = {200, 0.9, 1e-8, run_carom_mono, "mono"},
                                     {1000, 0.9, 1e-6, run_carom, "bi"},
                                     {1000, 0.9, 1e-8, run_carom, "bi"},
                                     {1000, 0.9, 1e-6, run_carom_mono, "mono"},
                                     {1000, 0.9, 1e-8, run_carom_mono, "mono"}};
    double seconds[CASES];
    printf("\nEqual balls with losses, the first struck\n");
    for (size_t k = 0; k < CASES; k++) {
        seconds[k] = measure_lossy(&cases[k], csv);
    }
    printf("%8zu  e = %-5g mono takes %.2f times as long as bi\n", cases[BI].balls,
           cases[BI].restitution, seconds[MONO] / seconds[BI]);
}

/* ---- A small impact -------------------------------------------------------------------------- */

enum { CRADLE = 5, CALLS = 300 };

static void cradle_row(const char *code, runner run, double tolerance, const double *truth,
                       const double *ours, row *r)
{
    chain c = chain_of_steel(CRADLE);
    double velocity[CRADLE];
    answer a = {.velocity = velocity};
    *r = (row){.what = "cradle", .balls = CRADLE, .code = code, .ratio = NAN, .last = NAN};
    r->seconds = least_seconds(run, &c, tolerance, CALLS, &a);
    snprintf(r->setting, sizeof r->setting, "tolerance %.0e", tolerance);
    r->ratio = ours != NULL ? r->seconds / *ours : 1;
    r->energy = fabs(chain_energy(&c, velocity) / chain_energy(&c, c.velocity) - 1);
    r->last = fabs(velocity[CRADLE - 1] - truth[CRADLE - 1]);
    for (size_t i = 0; i < CRADLE; i++) {
        r->worst = fmax(r->worst, fabs(velocity[i] - truth[i]));
    }
    r->acceptable = r->worst <= 1e-8 ? OK : NOT_OK;
    chain_release(&c);
}

void bench_cradle(FILE *csv)
{
    double truth[CRADLE];
    answer a = {.velocity = truth};
    chain c = chain_of_steel(CRADLE);
    row ours, peer;
    run_reference(&c, 2e-10, 0, &a); /* good to 1e-12 */
    chain_release(&c);
    cradle_row("carom", run_carom, 1e-8, truth, NULL, &ours);
    report_row(csv, &ours);
    for (double tolerance = 1e-8; tolerance > 1e-11; tolerance /= 10) {
        cradle_row("CVODE Adams", run_cvode, tolerance, truth, &ours.seconds, &peer);
        report_row(csv, &peer);
        if (peer.acceptable == OK) {
            break;
        }
    }
}

/* ---- The program ----------------------------------------------------------------------------- */

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static double children_seconds(void)
{
    struct rusage use;
    getrusage(RUSAGE_CHILDREN, &use);
    return seconds_of(use.ru_utime) + seconds_of(use.ru_stime);
}

static void run_once(const char *program, const char *file, double *wall, double *cpu)
{
    int status = 1;
    double begin = wall_seconds(), used = children_seconds();
    pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stdout) != NULL) {
            execl(program, program, "solve", file, (char *)NULL);
        }
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        fprintf(stderr, "%s solve %s failed\n", program, file);
        exit(1);
    }
    *wall = fmin(*wall, wall_seconds() - begin);
    *cpu = fmin(*cpu, children_seconds() - used);
}

void bench_program(const char *program, const char *file, FILE *csv)
{
    double wall = INFINITY, cpu = INFINITY;
    for (int k = 0; k < 10; k++) {
        run_once(program, file, &wall, &cpu);
    }
    printf("\ncarom solve examples/long_chain.yaml (1000 beads, default tolerance), the whole "
           "process:\n  %.1f ms wall, %.1f ms CPU\n",
           1e3 * wall, 1e3 * cpu);
    if (csv != NULL) {
        fprintf(csv, "carom solve examples/long_chain.yaml,%.4g,%.4g\n", wall, cpu);
    }
}
