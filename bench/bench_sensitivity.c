/* What derivatives cost beside the solve, in one run.
 *
 *     bench_sensitivity [BALLS [REPEATS]]     (default 1000 5)
 *
 * An elastic Hertz chain, struck by its first ball: the velocity of the last ball, its
 * gradient to all masses, and its change along one direction. Time of the processor, the least of
 * the repeats, the three in turn; bytes as the workspace had to be given.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "support.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double peak_megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

typedef struct subject {
    crm_model *model;
    crm_settings *settings;
    crm_workspace *workspace;
    double *velocity, *weight, *gradient, *mass, *change;
} subject;

static void check(crm_status status, const crm_error *error)
{
    if (status != CRM_OK) {
        fprintf(stderr, "%s\n", error->message);
        exit(1);
    }
}

static double time_solve(const subject *of)
{
    const crm_outcome *outcome;
    crm_error error;
    double began = now();
    check(crm_solve_with(of->workspace, of->model, of->velocity, of->settings, NULL, &outcome,
                         &error),
          &error);
    return now() - began;
}

static double time_reverse(const subject *of, crm_smoothness *smoothness)
{
    crm_response weights = {.velocity = of->weight};
    crm_variation gradient = {.mass = of->gradient};
    crm_error error;
    double began = now();
    check(crm_solve_reverse(of->workspace, of->model, of->velocity, of->settings, 1, &weights,
                            &gradient, smoothness, &error),
          &error);
    return now() - began;
}

static double time_forward(const subject *of)
{
    crm_variation direction = {.mass = of->mass};
    crm_response change = {.velocity = of->change};
    crm_error error;
    double began = now();
    check(crm_solve_forward(of->workspace, of->model, of->velocity, of->settings, 1, &direction,
                            &change, NULL, &error),
          &error);
    return now() - began;
}

int main(int count, char **words)
{
    size_t balls = count > 1 ? strtoul(words[1], NULL, 10) : 1000;
    size_t repeats = count > 2 ? strtoul(words[2], NULL, 10) : 5;
    crm_chain_def def = crm_chain_def_default();
    def.count = balls;
    double *numbers = calloc(5 * balls, sizeof *numbers);
    if (balls < 2 || numbers == NULL) {
        return 1;
    }
    subject of = {.model = chain_model(&def),
                  .settings = lzb_settings(lzb_bi),
                  .velocity = numbers,
                  .weight = numbers + balls,
                  .gradient = numbers + 2 * balls,
                  .mass = numbers + 3 * balls,
                  .change = numbers + 4 * balls};
    crm_error error;
    check(crm_workspace_create(&of.workspace, &error), &error);
    of.velocity[0] = of.weight[balls - 1] = 1;
    for (size_t i = 0; i < balls; i++) {
        of.mass[i] = sin((double)i);
    }
    double solve = INFINITY, reverse = INFINITY, forward = INFINITY, before = 0;
    crm_smoothness smoothness;
    for (size_t k = 0; k < repeats; k++) {
        solve = fmin(solve, time_solve(&of));
        before = k == 0 ? peak_megabytes() : before;
        reverse = fmin(reverse, time_reverse(&of, &smoothness));
        forward = fmin(forward, time_forward(&of));
    }
    double product = 0;
    for (size_t i = 0; i < balls; i++) {
        product += of.gradient[i] * of.mass[i];
    }
    printf("%zu balls: solve %.3g s, gradient to all masses %.1f x that, one direction %.1f x; "
           "forward and reverse differ by %.1e; %.0f MB more\n",
           balls, solve, reverse / solve, forward / solve,
           fabs(product - of.change[balls - 1]) / fabs(product), peak_megabytes() - before);
    crm_workspace_free(of.workspace);
    crm_settings_free(of.settings);
    crm_model_free(of.model);
    free(numbers);
    return 0;
}
