/* How long the compliant law takes for chains of equal Hertz balls, the first struck: CPU seconds,
 * the growth from one length to the next, and how far the end balls are from what is known of them
 * (docs/benchmarks.md, "elastic").
 *
 *     bench_compliant [tolerance]        (default 1e-10)
 */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "clock.h"

static const double FIRST = -0.07108501708609, LAST = 0.98567885709003;

/* Seconds; the largest error of the two balls. */
static double solve(size_t count, double tolerance, double *off, double *estimate)
{
    crm_chain_def def = crm_chain_def_default();
    def.count = count;
    crm_model *model = NULL;
    crm_settings *settings = NULL;
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    double *velocity = calloc(count, sizeof *velocity);
    if (velocity == NULL) {
        exit(1);
    }
    velocity[0] = 1;
    check(crm_model_from_chain(&def, &model, &error), &error);
    check(crm_settings_create(crm_law_find("compliant"), &settings, &error), &error);
    check(crm_settings_set_number(settings, "tolerance", tolerance, &error), &error);
    double start = cpu_seconds();
    check(crm_solve(model, velocity, settings, NULL, &outcome, &error), &error);
    double seconds = cpu_seconds() - start;
    *off = fmax(fabs(outcome->velocity[0] - FIRST), fabs(outcome->velocity[count - 1] - LAST));
    *estimate = outcome->error_estimate;
    crm_outcome_free(outcome);
    crm_settings_free(settings);
    crm_model_free(model);
    free(velocity);
    return seconds;
}

int main(int count, char **words)
{
    static const size_t lengths[] = {1000, 3000, 10000, 30000};
    double tolerance = count > 1 ? strtod(words[1], NULL) : 1e-10, before = 0;
    printf("%8s %10s %8s %10s %10s\n", "balls", "CPU s", "growth", "estimate", "off");
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        double off, estimate, seconds = solve(lengths[i], tolerance, &off, &estimate);
        printf("%8zu %10.3f ", lengths[i], seconds);
        if (i > 0) {
            double growth =
                log(seconds / before) / log((double)lengths[i] / (double)lengths[i - 1]);
            printf("%8.2f", growth);
        } else {
            printf("%8s", "");
        }
        printf(" %10.1e %10.1e\n", estimate, off);
        before = seconds;
    }
    return 0;
}
