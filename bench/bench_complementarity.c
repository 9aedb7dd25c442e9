/* How long the laws by complementarity take on impacts of up to some hundred contacts, all of them
 * in one run: microseconds per call of crm_solve, the least of several rounds.
 *
 *     bench_complementarity [calls]      (default 2000, fewer for large ones)
 */
#include <carom/carom.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "clock.h"

enum { ROUNDS = 7, MOST = 4096 };

/* ---- Systems --------------------------------------------------------------------------------- */

static crm_model *chain(size_t count, bool uneven)
{
    double mass[MOST];
    for (size_t i = 0; i < count; i++) {
        mass[i] = uneven && i % 2 == 1 ? 1e-6 : 1;
    }
    crm_chain_def def = crm_chain_def_default();
    def.count = count;
    def.mass.each = mass;
    def.restitution.all = 0.5;
    crm_model *model = NULL;
    crm_error error = {0};
    check(crm_model_from_chain(&def, &model, &error), &error);
    return model;
}

static crm_model *hexagonal(size_t columns, size_t rows)
{
    crm_packing_def def = crm_packing_def_default();
    def.columns = columns;
    def.rows = rows;
    def.walls = CRM_PACKING_FLOOR;
    def.restitution.all = 0.5;
    crm_model *model = NULL;
    crm_error error = {0};
    check(crm_model_from_packing(&def, &model, &error), &error);
    return model;
}

/* A full M and full W: entries by a simple rule, the same every time. */
static crm_model *full(size_t n, size_t s)
{
    static double mass[64 * 64], w[64 * 64], restitution[64];
    unsigned long state = 12345;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            mass[i * n + k] = i == k ? 1 : 0.3 / (double)(1 + (i > k ? i - k : k - i));
        }
    }
    for (size_t k = 0; k < n * s; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        w[k] = (double)(state >> 33) / 2147483648.0 - 0.5;
    }
    for (size_t j = 0; j < s; j++) {
        restitution[j] = 0.5;
    }
    crm_system_def def = crm_system_def_default();
    def.coordinates = n;
    def.contacts = s;
    def.mass_dense = mass;
    def.w_dense = w;
    def.restitution = restitution;
    crm_model *model = NULL;
    crm_error error = {0};
    check(crm_model_from_system(&def, &model, &error), &error);
    return model;
}

/* ---- Timing ---------------------------------------------------------------------------------- */

static double time_law(const crm_model *model, const char *law, size_t calls, crm_result *result)
{
    crm_settings *settings = NULL;
    crm_error error = {0};
    check(crm_settings_create(crm_law_find(law), &settings, &error), &error);
    double velocity[MOST], best = 1e300;
    for (size_t i = 0; i < crm_model_coordinates(model); i++) {
        velocity[i] = (double)((i * 7919) % 13) / 13.0 - 0.4;
    }
    for (int round = 0; round < ROUNDS; round++) {
        double start = cpu_seconds();
        for (size_t i = 0; i < calls; i++) {
            crm_outcome *outcome = NULL;
            velocity[0] = 1.0 + 1e-6 * (double)i;
            check(crm_solve(model, velocity, settings, NULL, &outcome, &error), &error);
            *result = outcome->result;
            crm_outcome_free(outcome);
        }
        double taken = (cpu_seconds() - start) / (double)calls;
        best = taken < best ? taken : best;
    }
    crm_settings_free(settings);
    return 1e6 * best;
}

static void report(const char *name, crm_model *model, size_t calls)
{
    static const char *const laws[] = {"moreau", "newton", "poisson"};
    size_t s = crm_model_contacts(model);
    size_t each = calls / (1 + s * s / 64) + 1;
    printf("%-22s %5zu", name, s);
    for (size_t k = 0; k < 3; k++) {
        crm_result result = CRM_SOLVED;
        double taken = time_law(model, laws[k], each, &result);
        printf("  %10.2f%s", taken, result == CRM_SOLVED ? " " : "*");
    }
    printf("\n");
    crm_model_free(model);
}

int main(int argc, char **argv)
{
    size_t calls = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
    printf("%-22s %5s  %10s   %10s   %10s   (*: not solved)\n", "", "", "moreau", "newton",
           "poisson");
    report("chain", chain(3, false), calls);
    report("chain", chain(11, false), calls);
    report("chain", chain(101, false), calls);
    report("chain, masses 1e6:1", chain(11, true), calls);
    report("chain, masses 1e6:1", chain(41, true), calls);
    report("full, independent", full(6, 3), calls);
    report("full, independent", full(12, 8), calls);
    report("full, independent", full(32, 24), calls);
    report("full, dependent", full(4, 6), calls);
    report("full, dependent", full(8, 14), calls);
    report("hexagonal on a floor", hexagonal(3, 2), calls);
    report("hexagonal on a floor", hexagonal(4, 3), calls);
    report("hexagonal on a floor", hexagonal(5, 5), calls);
    report("hexagonal on a floor", hexagonal(6, 5), calls);
    report("hexagonal on a floor", hexagonal(8, 7), calls);
    report("hexagonal on a floor", hexagonal(15, 14), calls);
    return 0;
}
