/* Balls in a line: ball 1 leftmost, contact j between balls j and j+1, a wall's contact last. */
#include <math.h>
#include <stdlib.h>

#include "model/parts.h"

static const double PI = 3.14159265358979323846;

crm_contact_def crm_contact_def_default(void)
{
    return (crm_contact_def){NAN, NAN, NAN, NAN};
}

crm_chain_def crm_chain_def_default(void)
{
    crm_values none = {NAN, NULL};
    return (crm_chain_def){.mass = none,
                           .radius = none,
                           .stiffness = none,
                           .exponent = none,
                           .restitution = none,
                           .stored_energy = none,
                           .wall = crm_contact_def_default()};
}

static double value_of(crm_values values, size_t index)
{
    return values.each != NULL ? values.each[index] : values.all;
}

static bool given(crm_values values)
{
    return values.each != NULL || !isnan(values.all);
}

static double first_given(double a, double b)
{
    return isnan(a) ? b : a;
}

static crm_status check_values(crm_quantity quantity, crm_values values, size_t count,
                               const char *each_place, const char *all_place, crm_error *error)
{
    if (values.each == NULL) {
        return isnan(values.all) ? CRM_OK
                                 : crm_check_quantity(quantity, values.all, all_place, 0, error);
    }
    for (size_t i = 0; i < count; i++) {
        crm_status status = crm_check_quantity(quantity, values.each[i], each_place, i + 1, error);
        if (status != CRM_OK) {
            return status;
        }
    }
    return CRM_OK;
}

static crm_status check_chain(const crm_chain_def *def, crm_error *error)
{
    if (def->count == 0 || def->count >= UINT32_MAX - 1) {
        return crm_fail(error, CRM_ERROR_MODEL, "count", "count is %zu, must be 1 or more",
                        def->count);
    }
    const struct {
        crm_quantity quantity;
        crm_values values;
        size_t count;
        const char *each, *all;
    } checks[] = {
        {CRM_QUANTITY_MASS, def->mass, def->count, "mass[%zu]", "mass"},
        {CRM_QUANTITY_RADIUS, def->radius, def->count, "radius[%zu]", "radius"},
        {CRM_QUANTITY_STIFFNESS, def->stiffness, def->count - 1, "stiffness[%zu]", "stiffness"},
        {CRM_QUANTITY_EXPONENT, def->exponent, def->count - 1, "exponent[%zu]", "exponent"},
        {CRM_QUANTITY_RESTITUTION, def->restitution, def->count - 1, "restitution[%zu]",
         "restitution"},
        {CRM_QUANTITY_STORED_ENERGY, def->stored_energy, def->count - 1, "energy[%zu]", "energy"},
        {CRM_QUANTITY_STIFFNESS, {def->wall.stiffness, NULL}, 1, "", "wall.stiffness"},
        {CRM_QUANTITY_EXPONENT, {def->wall.exponent, NULL}, 1, "", "wall.exponent"},
        {CRM_QUANTITY_RESTITUTION, {def->wall.restitution, NULL}, 1, "", "wall.restitution"},
        {CRM_QUANTITY_STORED_ENERGY, {def->wall.stored_energy, NULL}, 1, "", "wall.energy"},
        {CRM_QUANTITY_VELOCITY, {0, &def->wall_velocity}, 1, "wall.velocity", ""},
    };
    for (size_t k = 0; k < sizeof checks / sizeof checks[0]; k++) {
        crm_status status = check_values(checks[k].quantity, checks[k].values, checks[k].count,
                                         checks[k].each, checks[k].all, error);
        if (status != CRM_OK) {
            return status;
        }
    }
    return CRM_OK;
}

static crm_status fill_masses(const crm_chain_def *def, double *mass, crm_error *error)
{
    bool from_density = !given(def->mass) && def->material != NULL && def->material->density > 0;
    if (def->material != NULL && !given(def->radius)) {
        return crm_fail(error, CRM_ERROR_MODEL, "material",
                        "a material gives mass and stiffness only together with a radius");
    }
    if (def->material != NULL && !from_density && !given(def->mass)) {
        return crm_fail(error, CRM_ERROR_MODEL, "material",
                        "no mass: give mass, or a density in the material");
    }
    for (size_t i = 0; i < def->count; i++) {
        if (from_density) {
            double radius = value_of(def->radius, i);
            mass[i] = 4.0 / 3.0 * PI * radius * radius * radius * def->material->density;
        } else {
            mass[i] = first_given(value_of(def->mass, i), 1.0);
        }
    }
    return CRM_OK;
}

static bool has_elasticity(const crm_material *material)
{
    return material != NULL && material->young > 0;
}

/* Hertz' stiffness goes with his exponent: any other needs a stiffness in its own units. */
static crm_status check_hertz_exponent(double exponent, const char *place, crm_error *error)
{
    if (exponent != 1.5) {
        return crm_fail(error, CRM_ERROR_MODEL, place,
                        "a stiffness from materials is Hertz', with exponent 1.5; for exponent %g "
                        "give stiffness as well",
                        exponent);
    }
    return CRM_OK;
}

static crm_status ball_stiffness(const crm_chain_def *def, size_t j, double exponent,
                                 double *stiffness, crm_error *error)
{
    *stiffness = value_of(def->stiffness, j);
    if (!isnan(*stiffness)) {
        return CRM_OK;
    }
    if (!has_elasticity(def->material) || !given(def->radius)) {
        *stiffness = 1.0;
        return CRM_OK;
    }
    *stiffness = crm_hertz_stiffness(*def->material, value_of(def->radius, j), *def->material,
                                     value_of(def->radius, j + 1));
    return check_hertz_exponent(exponent, "exponent", error);
}

static crm_status wall_stiffness(const crm_chain_def *def, double exponent, double *stiffness,
                                 crm_error *error)
{
    const crm_material *wall = def->wall_material != NULL ? def->wall_material : def->material;
    *stiffness =
        first_given(def->wall.stiffness, def->stiffness.each == NULL ? def->stiffness.all : NAN);
    if (!isnan(*stiffness)) {
        return CRM_OK;
    }
    if (!has_elasticity(def->material) || !has_elasticity(wall) || !given(def->radius)) {
        *stiffness = 1.0;
        return CRM_OK;
    }
    size_t ball = def->wall_side == CRM_WALL_LEFT ? 0 : def->count - 1;
    *stiffness = crm_hertz_stiffness(*def->material, value_of(def->radius, ball), *wall, INFINITY);
    return check_hertz_exponent(exponent, "wall.exponent", error);
}

static crm_status fill_ball_contacts(const crm_chain_def *def, crm_parts *p, crm_error *error)
{
    for (size_t j = 0; j + 1 < def->count; j++) {
        p->row[2 * j] = (uint32_t)j;
        p->w[2 * j] = -1;
        p->row[2 * j + 1] = (uint32_t)j + 1;
        p->w[2 * j + 1] = 1;
        p->column_start[j + 1] = 2 * j + 2;
        p->exponent[j] = first_given(value_of(def->exponent, j), 1.5);
        p->restitution[j] = first_given(value_of(def->restitution, j), 1.0);
        p->stored_energy[j] = first_given(value_of(def->stored_energy, j), 0.0);
        crm_status status = ball_stiffness(def, j, p->exponent[j], &p->stiffness[j], error);
        if (status != CRM_OK) {
            return status;
        }
    }
    return CRM_OK;
}

static double for_all(crm_values values)
{
    return values.each == NULL ? values.all : NAN;
}

static crm_status fill_wall_contact(const crm_chain_def *def, crm_parts *p, crm_error *error)
{
    if (def->wall_side == CRM_WALL_NONE) {
        return CRM_OK;
    }
    size_t j = def->count - 1;
    bool left = def->wall_side == CRM_WALL_LEFT;
    p->row[2 * j] = left ? 0 : (uint32_t)j;
    p->w[2 * j] = left ? 1 : -1;
    p->column_start[j + 1] = 2 * j + 1;
    p->boundary_velocity[j] = left ? -def->wall_velocity : def->wall_velocity;
    p->exponent[j] = first_given(first_given(def->wall.exponent, for_all(def->exponent)), 1.5);
    p->restitution[j] =
        first_given(first_given(def->wall.restitution, for_all(def->restitution)), 1.0);
    p->stored_energy[j] =
        first_given(first_given(def->wall.stored_energy, for_all(def->stored_energy)), 0.0);
    return wall_stiffness(def, p->exponent[j], &p->stiffness[j], error);
}

static crm_status name_chain(const crm_chain_def *def, crm_model *model, crm_error *error)
{
    model->body_noun = "ball";
    free(model->wall_names[0]);
    model->wall_names[0] = crm_copy_text(def->wall_side == CRM_WALL_LEFT    ? "left wall"
                                         : def->wall_side == CRM_WALL_RIGHT ? "right wall"
                                                                            : "wall");
    return model->wall_names[0] != NULL ? CRM_OK : crm_fail_memory(error);
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
    if (status != CRM_OK) {
        return status;
    }
    status = crm_parts_model(p, model, error);
    return status == CRM_OK ? name_chain(def, *model, error) : status;
}

crm_status crm_model_from_chain(const crm_chain_def *def, crm_model **model, crm_error *error)
{
    *model = NULL;
    crm_status status = check_chain(def, error);
    if (status != CRM_OK) {
        return status;
    }
    size_t contacts = def->count - 1 + (def->wall_side != CRM_WALL_NONE);
    crm_parts p;
    status = crm_parts_create(def->count, contacts, 2, &p, error);
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
