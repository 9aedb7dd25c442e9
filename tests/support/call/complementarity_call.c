#include "complementarity_call.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* These laws are solved to rounding; a dozen contacts lose a few digits. */
static const double rounding = 1e-12;

const char *const every_law[LAWS] = {"moreau", "newton", "generalized-newton", "poisson"};

crm_settings *settings_of(const char *law)
{
    crm_settings *settings = NULL;
    crm_error error = {0};
    assert_non_null(crm_law_find(law));
    assert_ok(crm_settings_create(crm_law_find(law), &settings, &error), &error);
    return settings;
}

crm_outcome *outcome_by(const crm_settings *settings, const small_system *system)
{
    crm_model *model = small_system_model(system);
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    assert_ok(crm_solve(model, system->velocity, settings, NULL, &outcome, &error), &error);
    crm_model_free(model);
    return outcome;
}

crm_outcome *outcome_of(const char *law, const small_system *system)
{
    crm_settings *settings = settings_of(law);
    crm_outcome *outcome = outcome_by(settings, system);
    crm_settings_free(settings);
    return outcome;
}

void assert_solved(const crm_outcome *outcome)
{
    if (outcome->result != CRM_SOLVED) {
        fail_msg("%s: %s", outcome->law->name, outcome->reason);
    }
}

crm_outcome *solve_by(const char *law, const small_system *system)
{
    crm_outcome *outcome = outcome_of(law, system);
    assert_solved(outcome);
    return outcome;
}

crm_outcome *solve_matrix(const small_system *system, const double *matrix)
{
    crm_settings *settings = settings_of("generalized-newton");
    crm_error error = {0};
    assert_ok(crm_settings_set_list(settings, "restitution_matrix", system->s * system->s, matrix,
                                    &error),
              &error);
    crm_outcome *outcome = outcome_by(settings, system);
    crm_settings_free(settings);
    assert_solved(outcome);
    return outcome;
}

void set_restitution(small_system *system, double e)
{
    for (size_t j = 0; j < system->s; j++) {
        system->restitution[j] = e;
    }
}

small_system random_struck_system(rng *r, int kind)
{
    random_choice choice = random_choice_default();
    choice.most_contacts = 7;
    choice.least_restitution = 0.0;
    choice.plastic_sometimes = true;
    disc_patch patch;
    small_system system = kind % 4 == 0   ? random_chain(r, choice, false)
                          : kind % 4 == 1 ? random_chain(r, choice, true)
                          : kind % 4 == 2 ? random_lagrangian(r, choice)
                                          : random_disc_patch(r, choice, &patch);
    for (size_t j = 0; j < system.s && kind % 3 == 0; j++) {
        system.boundary_velocity[j] = rng_uniform(r, -0.5, 0.5);
    }
    return system;
}

void make_all_close(small_system *system)
{
    double u[SMALL];
    small_system_gap_velocity(system, system->velocity, u);
    for (size_t j = 0; j < system->s; j++) {
        system->boundary_velocity[j] -= u[j] > 0.0 ? u[j] * (double)(2 - j % 2) : 0.0;
    }
}

bool some_part(const small_system *system)
{
    double u[SMALL];
    small_system_gap_velocity(system, system->velocity, u);
    for (size_t j = 0; j < system->s; j++) {
        if (u[j] > 0.0) {
            return true;
        }
    }
    return false;
}

void check_mechanics(const small_system *system, const crm_outcome *outcome)
{
    double u[SMALL];
    for (size_t i = 0; i < system->n; i++) {
        double balance = 0.0, size = 1.0;
        for (size_t k = 0; k < system->n; k++) {
            double term =
                system->mass[i * system->n + k] * (outcome->velocity[k] - system->velocity[k]);
            balance += term;
            size += fabs(term);
        }
        for (size_t j = 0; j < system->s; j++) {
            balance -= system->w[j * system->n + i] * outcome->impulse[j];
        }
        assert_near(balance, 0.0, rounding * size);
    }
    small_system_gap_velocity(system, outcome->velocity, u);
    assert_all_near(outcome->gap_velocity, u, system->s, rounding);
    for (size_t j = 0; j < system->s; j++) {
        assert_true(outcome->impulse[j] >= 0.0);
    }
    assert_true(outcome->kinetic);
    assert_true(outcome->error_estimate <= 1e-12);
    assert_true(isnan(outcome->energy_error) && isnan(outcome->duration));
    assert_null(outcome->peak_force);
}
