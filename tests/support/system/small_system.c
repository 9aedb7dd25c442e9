/* Small systems: see small_system.h. */
#include "small_system.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include "compare.h"

small_system small_system_blank(size_t n, size_t s)
{
    small_system system = {.n = n, .s = s};
    for (size_t i = 0; i < n; i++) {
        system.mass[i * n + i] = 1.0;
    }
    for (size_t j = 0; j < s; j++) {
        system.stiffness[j] = 1.0;
        system.exponent[j] = 1.5;
        system.restitution[j] = 1.0;
    }
    return system;
}

small_system small_system_chain(size_t count, bool wall)
{
    small_system system = small_system_blank(count, count - 1 + (wall ? 1 : 0));
    for (size_t j = 0; j + 1 < count; j++) {
        system.w[j * count + j] = -1.0;
        system.w[j * count + j + 1] = 1.0;
    }
    if (wall) {
        system.w[(count - 1) * count + count - 1] = -1.0;
    }
    return system;
}

crm_system_def small_system_def(const small_system *system)
{
    crm_system_def def = crm_system_def_default();
    def.coordinates = system->n;
    def.contacts = system->s;
    def.mass_dense = system->mass;
    def.w_dense = system->w;
    def.stiffness = system->stiffness;
    def.exponent = system->exponent;
    def.restitution = system->restitution;
    def.stored_energy = system->stored_energy;
    def.boundary_velocity = system->boundary_velocity;
    def.gap = system->gap;
    return def;
}

crm_model *small_system_model(const small_system *system)
{
    crm_system_def def = small_system_def(system);
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_system(&def, &model, &error), &error);
    return model;
}

small_system small_system_renumbered(const small_system *system, const size_t *contact_order,
                                     const size_t *coordinate_order)
{
    small_system result = *system;
    size_t n = system->n;
    for (size_t i = 0; i < n; i++) {
        size_t from = coordinate_order[i];
        result.velocity[i] = system->velocity[from];
        for (size_t k = 0; k < n; k++) {
            result.mass[i * n + k] = system->mass[from * n + coordinate_order[k]];
        }
    }
    for (size_t j = 0; j < system->s; j++) {
        size_t from = contact_order[j];
        result.stiffness[j] = system->stiffness[from];
        result.exponent[j] = system->exponent[from];
        result.restitution[j] = system->restitution[from];
        result.stored_energy[j] = system->stored_energy[from];
        result.boundary_velocity[j] = system->boundary_velocity[from];
        result.gap[j] = system->gap[from];
        for (size_t i = 0; i < n; i++) {
            result.w[j * n + i] = system->w[from * n + coordinate_order[i]];
        }
    }
    return result;
}

double small_system_energy(const small_system *system, const double *velocity)
{
    double twice = 0.0;
    for (size_t i = 0; i < system->n; i++) {
        for (size_t k = 0; k < system->n; k++) {
            twice += velocity[i] * system->mass[i * system->n + k] * velocity[k];
        }
    }
    return 0.5 * twice;
}

void small_system_gap_velocity(const small_system *system, const double *velocity, double *u)
{
    for (size_t j = 0; j < system->s; j++) {
        u[j] = system->boundary_velocity[j];
        for (size_t i = 0; i < system->n; i++) {
            u[j] += system->w[j * system->n + i] * velocity[i];
        }
    }
}

static double largest_closing_speed(const small_system *system)
{
    double u[SMALL], speed = 0;
    small_system_gap_velocity(system, system->velocity, u);
    for (size_t j = 0; j < system->s; j++) {
        speed = fmax(speed, -u[j]);
    }
    return speed;
}

double small_system_error(const small_system *system, const double *velocity, const double *truth)
{
    double worst = 0;
    for (size_t i = 0; i < system->n; i++) {
        worst = fmax(worst, fabs(velocity[i] - truth[i]));
    }
    return worst / largest_closing_speed(system);
}

static void print_list(const char *name, const double *values, size_t count)
{
    print_message("  %s:", name);
    for (size_t i = 0; i < count; i++) {
        print_message(" %.17g", values[i]);
    }
    print_message("\n");
}

void small_system_print(const small_system *system)
{
    print_message("system of %zu coordinates, %zu contacts\n", system->n, system->s);
    print_list("mass", system->mass, system->n * system->n);
    print_list("w", system->w, system->s * system->n);
    print_list("stiffness", system->stiffness, system->s);
    print_list("exponent", system->exponent, system->s);
    print_list("restitution", system->restitution, system->s);
    print_list("stored_energy", system->stored_energy, system->s);
    print_list("boundary_velocity", system->boundary_velocity, system->s);
    print_list("velocity", system->velocity, system->n);
}
