/* The numbers a model accepts (carom/model.h, "Ranges").
 *
 * Laws and accounts form v'Mv, D = W'M^-1 W, p = u/D and E/K, and squares of some of these. With
 * masses of 1e-60 to 1e60, gap gradients of 1e-30 to 1e30 and speeds of 1e-40 to 1e40, energies
 * are 1e-140 to 1e140, D_jj 1e-120 to 1e120, impulses 1e-130 to 1e130: squares of all of them, and
 * sums of millions of such squares, are numbers still (1e-308 to 1e308). Nothing has units of its
 * own, so that within the ranges a change of units is a change of units in the outcome.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "model/model.h"

typedef struct rule {
    const char *name;
    double least, most; /* of the size */
    bool zero;          /* is allowed too */
    bool negative;      /* is allowed too */
    const char *allowed;
} rule;

static const rule RULES[] = {
    [CRM_DATUM_MASS] = {"mass", 1e-60, 1e60, false, false,
                        "a positive number (from 1e-60 to 1e60)"},
    [CRM_DATUM_INERTIA] = {"inertia", 1e-60, 1e60, false, false,
                           "a positive number (from 1e-60 to 1e60)"},
    [CRM_DATUM_RADIUS] = {"radius", 1e-30, 1e30, false, false,
                          "a positive number (from 1e-30 to 1e30)"},
    [CRM_DATUM_THICKNESS] = {"radius", 1e-30, 1e30, true, false,
                             "0 or positive (from 1e-30 to 1e30)"},
    [CRM_DATUM_LENGTH] = {"length", 1e-30, 1e30, false, false,
                          "a positive number (from 1e-30 to 1e30)"},
    [CRM_DATUM_GAP] = {"gap", 1e-30, 1e30, true, false, "0 or positive (from 1e-30 to 1e30)"},
    [CRM_DATUM_POSITION] = {"position", 0, 1e30, true, true,
                            "a finite number (at most 1e30 in size)"},
    [CRM_DATUM_NORMAL] = {"normal", 0, 1e30, true, true, "a finite number (at most 1e30 in size)"},
    /* Below 1e-4 a force is a constant, beyond 100 a collision. */
    [CRM_DATUM_EXPONENT] = {"exponent", 1e-4, 100, false, false,
                            "a positive number (from 1e-4 to 100)"},
    [CRM_DATUM_STIFFNESS] = {"stiffness", 1e-150, 1e150, false, false,
                             "a positive number (from 1e-150 to 1e150)"},
    /* Below 1e-14 the speed that comes back is no more than the rounding of what was there. */
    [CRM_DATUM_RESTITUTION] = {"restitution", 1e-14, 1, true, false,
                               "between 0 and 1 (0, or from 1e-14 on)"},
    /* Beyond 1e6 nothing slips but by rounding. */
    [CRM_DATUM_FRICTION] = {"friction", 0, 1e6, true, false, "between 0 and 1e6"},
    [CRM_DATUM_STORED_ENERGY] = {"energy", 1e-140, 1e140, true, false,
                                 "0 or positive (from 1e-140 to 1e140)"},
    [CRM_DATUM_VELOCITY] = {"velocity", 0, 1e40, true, true,
                            "a finite number (at most 1e40 in size)"},
    /* w times a velocity. */
    [CRM_DATUM_GAP_VELOCITY] = {"velocity", 0, 1e70, true, true,
                                "a finite number (at most 1e70 in size)"},
    [CRM_DATUM_GRADIENT] = {"w", 0, 1e30, true, true, "a finite number (at most 1e30 in size)"},
    [CRM_DATUM_TANGENT] = {"t", 0, 1e30, true, true, "a finite number (at most 1e30 in size)"},
    [CRM_DATUM_YOUNG] = {"young", 1e-150, 1e150, true, false,
                         "0 (not given), or from 1e-150 to 1e150"},
    [CRM_DATUM_DENSITY] = {"density", 1e-150, 1e150, true, false,
                           "0 (not given), or from 1e-150 to 1e150"},
    [CRM_DATUM_SPRING] = {"stiffness", 1e-150, 1e150, true, false,
                          "0 or positive (from 1e-150 to 1e150)"},
    [CRM_DATUM_DAMPING] = {"damping", 1e-150, 1e150, true, false,
                           "0 or positive (from 1e-150 to 1e150)"},
    [CRM_DATUM_SPRING_LENGTH] = {"length", 1e-30, 1e30, true, false,
                                 "0 or positive (from 1e-30 to 1e30)"},
    [CRM_DATUM_ANGLE] = {"angle", 0, 1e30, true, true, "a finite number (at most 1e30 in size)"},
    [CRM_DATUM_SPIN] = {"spin", 0, 1e40, true, true, "a finite number (at most 1e40 in size)"},
    [CRM_DATUM_AMPLITUDE] = {"amplitude", 0, 1e30, true, true,
                             "a finite number (at most 1e30 in size)"},
    [CRM_DATUM_FREQUENCY] = {"frequency", 0, 1e40, true, false, "0 or positive (at most 1e40)"},
    [CRM_DATUM_PHASE] = {"phase", 0, 1e30, true, true, "a finite number (at most 1e30 in size)"},
};

static const double SPEED_LEAST = 1e-40, GAP_SPEED_LEAST = 1e-70;

/* Of D_jj, and of E/K: energy of a contact over its stiffness, a power of its indentation. */
static const double DERIVED_LEAST = 1e-150, DERIVED_MOST = 1e150;

/* Writes the place, a format with the index, into the error. */
static void write_place(const char *place, size_t index, crm_error *error)
{
    if (error != NULL) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(error->place, sizeof error->place, place, index);
#pragma GCC diagnostic pop
    }
}

crm_status crm_ranges_check(crm_datum datum, double value, const char *place, size_t index,
                            crm_error *error)
{
    const rule *r = &RULES[datum];
    double size = r->negative ? fabs(value) : value;
    if ((size >= r->least && size <= r->most) || (r->zero && value == 0)) {
        return CRM_OK;
    }
    crm_fail(error, CRM_ERROR_MODEL, NULL, "%s is %g, must be %s", r->name, value, r->allowed);
    write_place(place, index, error);
    return CRM_ERROR_MODEL;
}

crm_status crm_ranges_check_material(const crm_material *material, const char *place, size_t index,
                                     crm_error *error)
{
    if (material == NULL) {
        return CRM_OK;
    }
    crm_status status = crm_ranges_check(CRM_DATUM_YOUNG, material->young, place, index, error);
    if (status == CRM_OK) {
        status = crm_ranges_check(CRM_DATUM_DENSITY, material->density, place, index, error);
    }
    if (status == CRM_OK && !(material->poisson > -1 && material->poisson <= 0.5)) {
        status = crm_fail(error, CRM_ERROR_MODEL, NULL,
                          "poisson is %g, must be above -1 and at most 0.5", material->poisson);
        write_place(place, index, error);
    }
    return status;
}

crm_status crm_ranges_check_choice(unsigned value, unsigned count, const char *place,
                                   crm_error *error)
{
    return value < count
               ? CRM_OK
               : crm_fail(error, CRM_ERROR_ARGUMENT, place,
                          "%s is %u, which is none of the %u there are", place, value, count);
}

static bool in_derived_range(double value)
{
    return value >= DERIVED_LEAST && value <= DERIVED_MOST;
}

/* A full M may be nearly singular: D_jj is then far from w^2 / m. */
crm_status crm_ranges_check_delassus(const crm_model *model, crm_error *error)
{
    for (size_t j = 0; j < model->contacts; j++) {
        if (!in_derived_range(model->d_diagonal[j])) {
            char place[64];
            snprintf(place, sizeof place, "contacts[%zu].w", j + 1);
            return crm_fail(error, CRM_ERROR_MODEL, place,
                            "the square of w over the mass it moves is %g, must be from %g to %g",
                            model->d_diagonal[j], DERIVED_LEAST, DERIVED_MOST);
        }
    }
    return CRM_OK;
}

/* ---- At an impact ---------------------------------------------------------------------------- */

static crm_status check_speeds(const crm_model *model, const double *velocity, crm_error *error)
{
    double fastest = 0;
    size_t where = 0;
    for (size_t i = 0; i < model->coordinates; i++) {
        crm_status status =
            crm_ranges_check(CRM_DATUM_VELOCITY, velocity[i], "velocity[%zu]", i + 1, error);
        if (status != CRM_OK) {
            return status;
        }
        where = fabs(velocity[i]) > fastest ? i : where;
        fastest = fmax(fastest, fabs(velocity[i]));
    }
    double boundary = 0;
    for (size_t j = 0; j < model->contacts; j++) {
        boundary = fmax(boundary, fabs(model->boundary_velocity[j]));
    }
    bool moves = fastest > 0 || boundary > 0;
    if (!moves || fastest >= SPEED_LEAST || boundary >= GAP_SPEED_LEAST) {
        return CRM_OK;
    }
    char place[64];
    snprintf(place, sizeof place, "velocity[%zu]", where + 1);
    return crm_fail(error, CRM_ERROR_MODEL, place,
                    "the largest velocity is %g, must be 0, or from %g to 1e40 in size", fastest,
                    SPEED_LEAST);
}

/* The largest closing speed there is, or that stored energy may make of itself. */
static double fastest_closing(const crm_model *model, const double *gap_velocity)
{
    double speed = 0;
    for (size_t j = 0; j < model->contacts; j++) {
        double stored = sqrt(2.0 * model->stored_energy[j] * model->d_diagonal[j]);
        speed = fmax(speed, fmax(-gap_velocity[j], stored));
    }
    return speed;
}

static crm_status check_compliance(const crm_model *model, const double *gap_velocity,
                                   crm_error *error)
{
    double speed = fastest_closing(model, gap_velocity);
    for (size_t j = 0; speed > 0 && j < model->contacts; j++) {
        double energy = 0.5 * speed * speed / model->d_diagonal[j];
        bool power = !isnan(model->stiffness[j]);
        if (power && !in_derived_range(energy / model->stiffness[j])) {
            char place[64];
            snprintf(place, sizeof place, "contacts[%zu].stiffness", j + 1);
            return crm_fail(error, CRM_ERROR_MODEL, place,
                            "stiffness is %g for an energy of %g at the largest closing speed: "
                            "their ratio must be from %g to %g",
                            model->stiffness[j], energy, DERIVED_LEAST, DERIVED_MOST);
        }
    }
    return CRM_OK;
}

crm_status crm_ranges_check_impact(const crm_model *model, const double *velocity,
                                   const double *gap_velocity, crm_error *error)
{
    crm_status status = check_speeds(model, velocity, error);
    return status == CRM_OK ? check_compliance(model, gap_velocity, error) : status;
}
