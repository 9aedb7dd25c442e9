/* How fast the LZB law is computed: the default scheme beside the published time-scale Euler
 * scheme, in one run, on the chain of P1 section 4.3 (identical elastic Hertz beads of steel, the
 * first at 1 m/s). Machines are noisy; the ratio in one run is the figure to look at.
 *
 *     bench_lzb [largest n]      (default 1000000)
 */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* P1's step, and the last ball's velocity for any n >= 100 as computed at tolerance 1e-12 by two
 * programs independently of each other.
 */
static const double P1_STEP = 1e-8;
static const double LAST = 0.98567885709003;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static crm_model *steel_chain(size_t count)
{
    const crm_material steel = {.young = 203e9, .poisson = 0.3, .density = 7780};
    crm_chain_def def = crm_chain_def_default();
    def.count = count;
    def.radius.all = 0.01;
    def.material = &steel;
    crm_model *model = NULL;
    crm_error error = {0};
    if (crm_model_from_chain(&def, &model, &error) != CRM_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    return model;
}

typedef struct run {
    double seconds;
    double last_error;   /* of the last ball, relative to 1 m/s */
    double energy_error; /* relative */
    double estimate;
    unsigned long long steps;
} run;

static run solve(const crm_model *model, const char *scheme, double tolerance, double step)
{
    size_t n = crm_model_coordinates(model);
    double *velocity = calloc(n, sizeof *velocity);
    crm_settings *settings = NULL;
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    if (velocity == NULL || crm_settings_create(crm_law_find("lzb"), &settings, &error) != CRM_OK) {
        exit(1);
    }
    velocity[0] = 1;
    crm_settings_set_text(settings, "scheme", scheme, &error);
    crm_settings_set_number(settings, "tolerance", tolerance, &error);
    if (step > 0) {
        crm_settings_set_number(settings, "step", step, &error);
    }
    double begin = now();
    if (crm_solve(model, velocity, settings, NULL, &outcome, &error) != CRM_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    run result = {.seconds = now() - begin,
                  .last_error = fabs(outcome->velocity[n - 1] - LAST),
                  .energy_error = fabs(outcome->energy_after / outcome->energy_before - 1),
                  .estimate = outcome->error_estimate,
                  .steps = outcome->steps};
    crm_outcome_free(outcome);
    crm_settings_free(settings);
    free(velocity);
    return result;
}

static void print_run(size_t n, const char *name, run r, double baseline)
{
    printf("%8zu  %-22s %10.5f s  %9llu steps  last ball %.1e  energy %.1e", n, name, r.seconds,
           r.steps, r.last_error, r.energy_error);
    if (baseline > 0) {
        printf("  %8.0f x", baseline / r.seconds);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    size_t largest = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
    printf("%8s  %-22s %12s  %15s  %17s  %14s  %s\n", "beads", "scheme", "CPU", "", "error of", "",
           "faster than time-euler");
    for (size_t n = 100; n <= 1000; n *= 10) {
        crm_model *model = steel_chain(n);
        run euler = solve(model, "time-euler", 1e-8, P1_STEP);
        print_run(n, "time-euler, 1e-8 s", euler, 0);
        const double tolerances[] = {1e-5, 1e-6, 1e-8, 1e-10};
        for (size_t k = 0; k < sizeof tolerances / sizeof tolerances[0]; k++) {
            char name[32];
            snprintf(name, sizeof name, "auto, tolerance %.0e", tolerances[k]);
            print_run(n, name, solve(model, "auto", tolerances[k], 0), euler.seconds);
        }
        crm_model_free(model);
    }
    for (size_t n = 10000; n <= largest; n *= 10) {
        crm_model *model = steel_chain(n);
        print_run(n, "auto, tolerance 1e-08", solve(model, "auto", 1e-8, 0), 0);
        crm_model_free(model);
    }
    return 0;
}
