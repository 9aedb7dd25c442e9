/* Names of quantities as linear functions of velocities and impulses, or the energy. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "inverse/admissible/problem.h"
#include "model/model.h"

typedef struct naming {
    const crm_scenario *scenario;
    crm_arena *arena;
    const crm_recorded *what;
    crm_impact impact;
    crm_admissible_named *named;
    double *velocity, *impulse; /* weights */
} naming;

static size_t count_of(const naming *n)
{
    return n->what->kind->count(n->what->field, &n->impact);
}

static double weight_of(const naming *n, size_t i)
{
    return crm_recorded_weight(n->what, &n->impact, i);
}

/* ---- One function for each field ------------------------------------------------------------- */

static bool name_velocity(naming *n)
{
    for (size_t i = 0; i < count_of(n); i++) {
        n->velocity[i] = weight_of(n, i);
    }
    n->named->quantity.velocity = n->velocity;
    return true;
}

static bool name_impulse(naming *n)
{
    for (size_t j = 0; j < count_of(n); j++) {
        n->impulse[j] = weight_of(n, j);
    }
    n->named->quantity.impulse = n->impulse;
    return true;
}

static bool name_gap_velocity(naming *n)
{
    const crm_model *model = n->scenario->model;
    for (size_t j = 0; j < count_of(n); j++) {
        double weight = weight_of(n, j);
        n->named->quantity.constant += weight * model->boundary_velocity[j];
        for (size_t k = model->w_start[j]; k < model->w_start[j + 1]; k++) {
            n->velocity[model->w_row[k]] += weight * model->w_value[k];
        }
    }
    n->named->quantity.velocity = n->velocity;
    return true;
}

static bool name_energy(naming *n)
{
    n->named->quantity.energy = 1;
    return true;
}

static bool name_energy_ratio(naming *n)
{
    double before = crm_model_kinetic_energy(n->scenario->model, n->scenario->velocity);
    n->named->quantity.energy = 1 / before;
    return before > 0;
}

/* -sum v+ / sum v-, of the bodies' first coordinates. */
static bool name_effective_restitution(naming *n)
{
    const crm_model *model = n->scenario->model;
    double before = 0;
    for (size_t i = 0; i < crm_model_bodies(model); i++) {
        before += n->scenario->velocity[crm_model_body_start(model, i)];
    }
    for (size_t i = 0; i < crm_model_bodies(model); i++) {
        n->velocity[crm_model_body_start(model, i)] = -1 / before;
    }
    n->named->quantity.velocity = n->velocity;
    return before != 0;
}

/* The energy of one body; with one coordinate it is m v^2 / 2. */
static bool name_body_energy(naming *n)
{
    const crm_model *model = n->scenario->model;
    size_t found = 0;
    for (size_t i = 0; i < count_of(n); i++) {
        size_t first = crm_model_body_start(model, i);
        if (weight_of(n, i) != 0) {
            found += crm_model_body_start(model, i + 1) - first;
            n->velocity[first] = 1;
            n->named->half_mass = 0.5 * weight_of(n, i) * crm_model_mass(model, first, first);
        }
    }
    n->named->quantity.velocity = n->velocity;
    return found == 1;
}

static const struct {
    const char *name;
    bool (*make)(naming *n); /* false: `but` */
    const char *but;
} known[] = {
    {"velocity", name_velocity, ""},
    {"gap_velocity", name_gap_velocity, ""},
    {"impulse", name_impulse, ""},
    {"energy_after", name_energy, ""},
    {"energy_ratio", name_energy_ratio, "has no meaning here: nothing moves before the impact"},
    {"effective_restitution", name_effective_restitution,
     "has no meaning here: the velocities before the impact sum to 0"},
    {"body_energy", name_body_energy,
     "is the energy of several coordinates, so that maximizing it is not a convex problem; ask for "
     "the body's velocities instead"},
};

/* ---- Any name -------------------------------------------------------------------------------- */

static bool take_weights(naming *n)
{
    n->velocity = CRM_ARENA_NEW(n->arena, double, n->scenario->model->coordinates);
    n->impulse = CRM_ARENA_NEW(n->arena, double, n->scenario->model->contacts);
    return n->velocity != NULL && n->impulse != NULL;
}

static bool refuse(const char *why, char *message, size_t size)
{
    snprintf(message, size, "%s", why);
    return false;
}

bool crm_admissible_name_quantity(crm_admissible_problem *problem, crm_admissible_named *named,
                                  char *message, size_t size, bool *memory)
{
    const crm_scenario *scenario = problem->scenario;
    const crm_recorded *what = &named->what;
    naming n = {.scenario = scenario,
                .arena = &problem->arena,
                .what = what,
                .named = named,
                .impact = {.model = scenario->model, .velocity = scenario->velocity}};
    *memory = !take_weights(&n);
    named->half_mass = NAN;
    if (*memory) {
        return false;
    }
    if (!crm_recorded_exists(what, &n.impact)) {
        return refuse("is of an entry that does not exist", message, size);
    }
    for (size_t k = 0; k < CRM_COUNT(known); k++) {
        if (strcmp(what->kind->name(what->field), known[k].name) != 0) {
            continue;
        }
        if (isnan(weight_of(&n, 0))) {
            return refuse("is not linear: of a list, entries, its sum and its mean can be bounded",
                          message, size);
        }
        return known[k].make(&n) || refuse(known[k].but, message, size);
    }
    return refuse("cannot be bounded; what can are velocity, gap_velocity, impulse, energy_after, "
                  "energy_ratio, effective_restitution and body_energy",
                  message, size);
}
