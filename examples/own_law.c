/* A law of one's own beside those of the library: contacts collide one after the other, the fastest
 * first, each by Newton's rule with its own e, until none closes. Build with
 *     cc own_law.c $(pkg-config --cflags --libs carom)
 */
#include <carom/carom.h>
#include <stdio.h>

/* The contact that closes fastest; `count` when none does. */
static size_t find_fastest(const double *u, size_t count, double least)
{
    size_t fastest = count;
    for (size_t j = 0; j < count; j++) {
        if (u[j] < -least && (fastest == count || u[j] < u[fastest])) {
            fastest = j;
        }
    }
    return fastest;
}

static crm_status solve(const crm_problem *problem, crm_outcome *outcome, crm_error *error)
{
    const crm_model *model = crm_problem_model(problem);
    const double *e = crm_model_restitution(model), *before = crm_problem_gap_velocity(problem);
    size_t count = crm_model_contacts(model);
    double least = 0, *u = crm_problem_take(problem, count);
    crm_status status = u != NULL ? CRM_OK : CRM_ERROR_MEMORY;
    if (status == CRM_OK) {
        status = crm_settings_get_number(crm_problem_settings(problem), "least", &least, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    for (size_t j = 0; j < count; j++) {
        u[j] = before[j];
    }
    for (size_t j;
         (j = find_fastest(u, count, least)) < count && crm_problem_go_on(problem, NULL);) {
        double p = -(1 + e[j]) * u[j] / crm_model_delassus(model, j, j);
        outcome->impulse[j] += p;
        outcome->steps++;
        for (size_t k = 0; k < count; k++) {
            u[k] += crm_model_delassus(model, k, j) * p;
        }
    }
    return CRM_OK;
}

static const crm_parameter options[] = {{.name = "least",
                                         .kind = CRM_PARAMETER_NUMBER,
                                         .standard = 1e-9,
                                         .least = 0,
                                         .most = 1,
                                         .text = "Closing speeds that are left alone, in m/s."}};
static const crm_law fastest_first = {
    .name = "fastest-first", .parameters = options, .parameter_count = 1, .solve = solve};

int main(void)
{
    static const char text[] =
        "laws: [binary, fastest-first, {law: fastest-first, least: 0.1}]\n"
        "chain: {count: 3, mass: [1, 2, 1], velocity: [1], restitution: 0.5}\n";
    const crm_law *const own[] = {&fastest_first};
    const crm_source source = {
        .text = text, .length = sizeof text - 1, .own_laws = own, .own_law_count = 1};
    crm_scenario *scenario = NULL;
    crm_error error = {0};
    crm_status status = crm_scenario_load(&source, &scenario, &error);
    for (size_t i = 0; status == CRM_OK && i < crm_scenario_law_count(scenario); i++) {
        crm_outcome *after = NULL;
        status = crm_solve(crm_scenario_model(scenario), crm_scenario_velocity(scenario),
                           crm_scenario_settings(scenario, i), NULL, &after, &error);
        if (status == CRM_OK) {
            printf("%-15s %.6f %.6f %.6f  energy %.6f\n", crm_scenario_label(scenario, i),
                   after->velocity[0], after->velocity[1], after->velocity[2], after->energy_after);
        }
        crm_outcome_free(after);
    }
    if (status != CRM_OK) {
        fprintf(stderr, "%s: %s\n", error.place, error.message);
    }
    crm_scenario_free(scenario);
    return status != CRM_OK;
}
