/* Balls in a line: ball 1 leftmost, contact j between balls j and j+1, a wall's contact last. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "model/parts.h"
#include "model/values.h"

crm_chain_def crm_chain_def_default(void)
{
    crm_values none = {NAN, NULL};
    return (crm_chain_def){.mass = none,
                           .radius = none,
                           .gap = none,
                           .stiffness = none,
                           .exponent = none,
                           .restitution = none,
                           .stored_energy = none,
                           .force = none,
                           .wall = crm_contact_def_default()};
}

static crm_status check_chain(const crm_chain_def *def, crm_error *error)
{
    if (def->count == 0 || def->count >= UINT32_MAX - 1) {
        return crm_fail(error, CRM_ERROR_MODEL, "count", "count is %zu, must be 1 or more",
                        def->count);
    }
    const crm_values_check checks[] = {
        {CRM_DATUM_MASS, def->mass, def->count, "mass[%zu]", "mass"},
        {CRM_DATUM_RADIUS, def->radius, def->count, "radius[%zu]", "radius"},
        {CRM_DATUM_GAP, def->gap, def->count - 1, "gap[%zu]", "gap"},
        {CRM_DATUM_GAP, {def->wall_gap, NULL}, 1, "", "wall.gap"},
        {CRM_DATUM_STIFFNESS, def->stiffness, def->count - 1, "stiffness[%zu]", "stiffness"},
        {CRM_DATUM_EXPONENT, def->exponent, def->count - 1, "exponent[%zu]", "exponent"},
        {CRM_DATUM_RESTITUTION, def->restitution, def->count - 1, "restitution[%zu]",
         "restitution"},
        {CRM_DATUM_STORED_ENERGY, def->stored_energy, def->count - 1, "energy[%zu]", "energy"},
        {CRM_DATUM_STIFFNESS, {def->wall.stiffness, NULL}, 1, "", "wall.stiffness"},
        {CRM_DATUM_EXPONENT, {def->wall.exponent, NULL}, 1, "", "wall.exponent"},
        {CRM_DATUM_RESTITUTION, {def->wall.restitution, NULL}, 1, "", "wall.restitution"},
        {CRM_DATUM_STORED_ENERGY, {def->wall.stored_energy, NULL}, 1, "", "wall.energy"},
        {CRM_DATUM_VELOCITY, {0, &def->wall_velocity}, 1, "wall.velocity", ""},
    };
    crm_status status =
        crm_ranges_check_choice((unsigned)def->wall_side, CRM_WALL_RIGHT + 1, "wall_side", error);
    if (status == CRM_OK && def->materials == NULL) {
        status = crm_ranges_check_material(def->material, "material", 0, error);
    }
    for (size_t i = 0; def->materials != NULL && i < def->count && status == CRM_OK; i++) {
        status = crm_ranges_check_material(def->materials[i], "material[%zu]", i + 1, error);
    }
    if (status == CRM_OK) {
        status = crm_ranges_check_material(def->wall_material, "wall.material", 0, error);
    }
    if (status == CRM_OK && def->wall.friction > 0) {
        status = crm_fail(error, CRM_ERROR_MODEL, "wall.friction", "%s", CRM_CHAIN_NO_FRICTION);
    }
    return status == CRM_OK ? crm_values_check_all(checks, sizeof checks / sizeof checks[0], error)
                            : status;
}

const crm_material *crm_chain_material(const crm_chain_def *def, size_t ball)
{
    return def->materials != NULL ? def->materials[ball] : def->material;
}

static crm_status fill_masses(const crm_chain_def *def, double *mass, crm_error *error)
{
    bool given = crm_values_given(def->mass);
    for (size_t i = 0; i < def->count; i++) {
        const crm_material *material = crm_chain_material(def, i);
        if (material != NULL && !crm_values_given(def->radius)) {
            return crm_fail(error, CRM_ERROR_MODEL, "material",
                            "a material gives mass and stiffness only together with a radius");
        }
        if (material != NULL && !given && !(material->density > 0)) {
            return crm_fail(error, CRM_ERROR_MODEL, "material",
                            "no mass: give mass, or a density in the material");
        }
        mass[i] = material != NULL && !given
                      ? crm_values_ball_mass(crm_value_at(def->radius, i), material->density)
                      : crm_values_first_given(crm_value_at(def->mass, i), 1.0);
    }
    return CRM_OK;
}

/* ---- Which touch ----------------------------------------------------------------------------- */

/* As bodies do (crm_bodies_def.tolerance); of balls without a radius any gap counts. */
static const double TOUCHING = 1e-9;

static bool is_open(double gap, double size)
{
    return gap > (isnan(size) ? 0 : TOUCHING * size);
}

static bool balls_are_apart(const crm_chain_def *def, size_t j)
{
    return is_open(crm_value_at(def->gap, j),
                   crm_value_at(def->radius, j) + crm_value_at(def->radius, j + 1));
}

static bool wall_is_apart(const crm_chain_def *def)
{
    size_t ball = def->wall_side == CRM_WALL_LEFT ? 0 : def->count - 1;
    return is_open(def->wall_gap, crm_value_at(def->radius, ball));
}

static bool balls_are_contact(const crm_chain_def *def, size_t j)
{
    return def->gaps_close || !balls_are_apart(def, j);
}

static bool wall_is_contact(const crm_chain_def *def)
{
    return def->wall_side != CRM_WALL_NONE && (def->gaps_close || !wall_is_apart(def));
}

static size_t count_contacts(const crm_chain_def *def)
{
    size_t count = wall_is_contact(def);
    for (size_t j = 0; j + 1 < def->count; j++) {
        count += balls_are_contact(def, j);
    }
    return count;
}

/* A contact with stored energy must be closed. */
static crm_status check_apart(const crm_chain_def *def, crm_error *error)
{
    for (size_t j = 0; j + 1 < def->count; j++) {
        if (balls_are_apart(def, j) && crm_value_at(def->stored_energy, j) > 0) {
            char place[48];
            snprintf(place, sizeof place, "gap[%zu]", j + 1);
            return crm_fail(error, CRM_ERROR_MODEL, place,
                            "balls %zu and %zu are apart, and cannot store energy", j + 1, j + 2);
        }
    }
    return CRM_OK;
}

/* ---- Contacts -------------------------------------------------------------------------------- */

static crm_status fill_ball_contacts(const crm_chain_def *def, crm_parts *p, crm_error *error)
{
    crm_status status = check_apart(def, error);
    for (size_t j = 0, k = 0; j + 1 < def->count && status == CRM_OK; j++) {
        if (!balls_are_contact(def, j)) {
            continue;
        }
        p->row[2 * k] = (uint32_t)j;
        p->w[2 * k] = -1;
        p->row[2 * k + 1] = (uint32_t)j + 1;
        p->w[2 * k + 1] = 1;
        p->column_start[k + 1] = 2 * k + 2;
        crm_contact_def contact = {crm_value_at(def->stiffness, j),
                                   crm_value_at(def->exponent, j),
                                   crm_value_at(def->restitution, j),
                                   crm_value_at(def->stored_energy, j),
                                   crm_value_at(def->force, j),
                                   def->compliance,
                                   0};
        double hertz =
            crm_values_hertz(crm_chain_material(def, j), crm_value_at(def->radius, j),
                             crm_chain_material(def, j + 1), crm_value_at(def->radius, j + 1));
        status = crm_values_complete_contact(&contact, hertz, "exponent", error);
        crm_parts_contact(p, k++, contact);
    }
    return status;
}

/* A list has no value for the wall, and the default beside it would be a silent error. */
static crm_status check_wall_given(const crm_chain_def *def, const crm_contact_def *contact,
                                   double hertz, crm_error *error)
{
    const struct {
        const char *name;
        bool listed;
        double value;
    } needed[] = {
        {"stiffness", def->stiffness.each != NULL && isnan(hertz), contact->stiffness},
        {"exponent", def->exponent.each != NULL, contact->exponent},
        {"restitution", def->restitution.each != NULL, contact->restitution},
    };
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (needed[i].listed && isnan(needed[i].value)) {
            return crm_fail(error, CRM_ERROR_MODEL, "wall",
                            "the wall has no %s: that of the chain is a list for the contacts "
                            "between balls; give the wall its own",
                            needed[i].name);
        }
    }
    return CRM_OK;
}

static crm_status fill_wall_contact(const crm_chain_def *def, crm_parts *p, crm_error *error)
{
    if (!wall_is_contact(def)) {
        return CRM_OK;
    }
    size_t j = p->contacts - 1; /* the last */
    bool left = def->wall_side == CRM_WALL_LEFT;
    size_t ball = left ? 0 : def->count - 1;
    p->row[2 * j] = (uint32_t)ball;
    p->w[2 * j] = left ? 1 : -1;
    p->column_start[j + 1] = 2 * j + 1;
    p->boundary_velocity[j] = left ? -def->wall_velocity : def->wall_velocity;
    const crm_contact_def all = {crm_value_for_all(def->stiffness),
                                 crm_value_for_all(def->exponent),
                                 crm_value_for_all(def->restitution),
                                 crm_value_for_all(def->stored_energy),
                                 crm_value_for_all(def->force),
                                 def->compliance,
                                 0};
    crm_contact_def contact = crm_values_overlay(def->wall, all);
    const crm_material *own = crm_chain_material(def, ball);
    const crm_material *wall = def->wall_material != NULL ? def->wall_material : own;
    double hertz = crm_values_hertz(own, crm_value_at(def->radius, ball), wall, INFINITY);
    crm_status status = check_wall_given(def, &contact, hertz, error);
    if (status == CRM_OK) {
        status = crm_values_complete_contact(&contact, hertz, "wall.exponent", error);
    }
    crm_parts_contact(p, j, contact);
    return status;
}

/* Gaps may close during the impact: then all neighbours are contacts, the wall's the last. */
static crm_status fill_gaps(const crm_chain_def *def, crm_parts *p, crm_error *error)
{
    bool wall = def->wall_side != CRM_WALL_NONE && wall_is_apart(def), any = wall;
    for (size_t j = 0; j + 1 < def->count && !any; j++) {
        any = balls_are_apart(def, j);
    }
    if (!def->gaps_close || !any) {
        return CRM_OK;
    }
    p->gap = CRM_NEW(double, p->contacts);
    if (p->gap == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j + 1 < def->count; j++) {
        p->gap[j] = balls_are_apart(def, j) ? crm_value_at(def->gap, j) : 0;
    }
    if (wall) {
        p->gap[p->contacts - 1] = def->wall_gap;
    }
    return CRM_OK;
}

static crm_status name_chain(const crm_chain_def *def, crm_model *model, crm_error *error)
{
    const char *wall = def->wall_side == CRM_WALL_LEFT    ? "left wall"
                       : def->wall_side == CRM_WALL_RIGHT ? "right wall"
                                                          : "wall";
    model->body_noun = "ball";
    return crm_model_name_walls(model, &wall, 1, error);
}

static crm_status build(const crm_chain_def *def, crm_parts *p, crm_model **model, crm_error *error)
{
    crm_status status = fill_masses(def, p->mass, error);
    if (status == CRM_OK) {
        status = fill_ball_contacts(def, p, error);
    }
    if (status == CRM_OK) {
        status = fill_wall_contact(def, p, error);
    }
    if (status == CRM_OK) {
        status = fill_gaps(def, p, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    status = crm_parts_model(p, model, error);
    return status == CRM_OK ? name_chain(def, *model, error) : status;
}

crm_status crm_model_from_chain(const crm_chain_def *def, crm_model **model, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_fail_if_null(model, "model", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *model = NULL;
    if (crm_fail_if_null(def, "def", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    crm_status status = check_chain(def, error);
    if (status != CRM_OK) {
        return status;
    }
    size_t contacts = count_contacts(def);
    crm_parts p;
    status = crm_parts_create(def->count, contacts, 2 * contacts, &p, error);
    if (status == CRM_OK) {
        status = build(def, &p, model, error);
    }
    crm_parts_release(&p);
    if (status != CRM_OK) {
        crm_model_free(*model);
        *model = NULL;
    }
    return status;
}

double crm_chain_memory(const crm_chain_def *def)
{
    CRM_USUAL_ARITHMETIC;
    return def != NULL ? crm_model_bytes((double)def->count, 2) : 0;
}
