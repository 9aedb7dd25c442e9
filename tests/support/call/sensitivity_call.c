/* Derivatives of small systems: see sensitivity_call.h. */
#include "sensitivity_call.h"

#include <math.h>
#include <string.h>

crm_variation variation_view(small_variation *v)
{
    return (crm_variation){.velocity = v->velocity,
                           .mass = v->mass,
                           .jacobian = v->jacobian,
                           .boundary_velocity = v->boundary_velocity,
                           .stiffness = v->stiffness,
                           .exponent = v->exponent,
                           .restitution = v->restitution,
                           .stored_energy = v->stored_energy};
}

crm_response response_view(small_response *r)
{
    return (crm_response){.velocity = r->velocity,
                          .impulse = r->impulse,
                          .loss = r->loss,
                          .peak_force = r->peak_force,
                          .energy = r->energy,
                          .duration = r->duration};
}

static bool has_diagonal_mass(const crm_model *model)
{
    return crm_variation_mass_size(model) == crm_model_coordinates(model);
}

small_variation random_direction(rng *r, const small_system *system, const crm_model *model)
{
    small_variation by = {0};
    size_t n = system->n, s = system->s;
    double fastest = largest_size(system->velocity, n);
    for (size_t i = 0; i < n; i++) {
        by.velocity[i] = fastest * rng_uniform(r, -0.5, 0.5);
        for (size_t k = 0; k <= i; k++) {
            double size = 0.3 * sqrt(system->mass[i * n + i] * system->mass[k * n + k]);
            double change = size * rng_uniform(r, -1, 1) / (double)n;
            if (has_diagonal_mass(model)) {
                by.mass[i] = change;
            } else {
                by.mass[i * n + k] = by.mass[k * n + i] = change;
            }
        }
    }
    for (size_t k = 0; k < crm_variation_jacobian_size(model); k++) {
        by.jacobian[k] = rng_uniform(r, -0.2, 0.2);
    }
    for (size_t j = 0; j < s; j++) {
        double e = system->restitution[j];
        by.boundary_velocity[j] = fastest * rng_uniform(r, -0.2, 0.2);
        by.stiffness[j] = system->stiffness[j] * rng_uniform(r, -0.5, 0.5);
        by.exponent[j] = rng_uniform(r, -0.2, 0.2);
        by.restitution[j] = e * (1 - e) * rng_uniform(r, -0.5, 0.5);
        by.stored_energy[j] = system->stored_energy[j] * rng_uniform(r, -0.5, 0.5);
    }
    return by;
}

small_system moved(const small_system *system, const crm_model *model, const small_variation *by,
                   double t)
{
    small_system to = *system;
    size_t n = to.n, entry = 0;
    for (size_t i = 0; i < n; i++) {
        to.velocity[i] += t * by->velocity[i];
        for (size_t k = 0; k < n; k++) {
            if (!has_diagonal_mass(model)) {
                to.mass[i * n + k] += t * by->mass[i * n + k];
            } else if (i == k) {
                to.mass[i * n + k] += t * by->mass[i];
            }
        }
    }
    for (size_t j = 0; j < to.s; j++) {
        size_t count;
        const uint32_t *row;
        const double *value;
        crm_model_gradient(model, j, &count, &row, &value);
        for (size_t k = 0; k < count; k++) {
            to.w[j * n + row[k]] += t * by->jacobian[entry++];
        }
        to.boundary_velocity[j] += t * by->boundary_velocity[j];
        to.stiffness[j] += t * by->stiffness[j];
        to.exponent[j] += t * by->exponent[j];
        to.restitution[j] += t * by->restitution[j];
        to.stored_energy[j] += t * by->stored_energy[j];
    }
    return to;
}

static double product(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

double variation_product(const crm_model *model, const small_variation *a, const small_variation *b)
{
    size_t n = crm_model_coordinates(model), s = crm_model_contacts(model);
    return product(a->velocity, b->velocity, n) +
           product(a->mass, b->mass, crm_variation_mass_size(model)) +
           product(a->jacobian, b->jacobian, crm_variation_jacobian_size(model)) +
           product(a->boundary_velocity, b->boundary_velocity, s) +
           product(a->stiffness, b->stiffness, s) + product(a->exponent, b->exponent, s) +
           product(a->restitution, b->restitution, s) +
           product(a->stored_energy, b->stored_energy, s);
}

double response_product(const crm_model *model, const small_response *a, const small_response *b)
{
    size_t n = crm_model_coordinates(model), s = crm_model_contacts(model);
    return product(a->velocity, b->velocity, n) + product(a->impulse, b->impulse, s) +
           product(a->loss, b->loss, s) + product(a->peak_force, b->peak_force, s) +
           a->energy * b->energy + a->duration * b->duration;
}

/* response += factor * outcome */
static void add_outcome(const small_system *system, const judgement *outcome, double factor,
                        small_response *response)
{
    for (size_t i = 0; i < system->n; i++) {
        response->velocity[i] += factor * outcome->velocity[i];
    }
    for (size_t j = 0; j < system->s; j++) {
        response->impulse[j] += factor * outcome->impulse[j];
        response->loss[j] += factor * outcome->loss[j];
        response->peak_force[j] += factor * outcome->peak_force[j];
    }
    response->energy += factor * small_system_energy(system, outcome->velocity);
    response->duration += factor * outcome->duration;
}

bool judge_differences(const small_system *system, const crm_model *model, bool mono,
                       const small_variation *by, double h, small_response *response)
{
    static const double places[] = {-2, -1, 1, 2},
                        factors[] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    *response = (small_response){0};
    bool finished = true;
    for (size_t k = 0; finished && k < 4; k++) {
        small_system at = moved(system, model, by, places[k] * h);
        judgement outcome = judge(&at, mono, 0);
        finished = outcome.finished;
        add_outcome(&at, &outcome, factors[k] / h, response);
    }
    return finished;
}
