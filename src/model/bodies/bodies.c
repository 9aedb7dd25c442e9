/* Spheres (discs, beads) in 1 to 3 dimensions, rods, boxes and ellipses in the plane, ellipsoids in
 * space, fixed bodies and walls: contacts found from the geometry.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "model/bodies/bodies.h"
#include "model/values.h"

static const double DEFAULT_TOLERANCE = 1e-9;

crm_bodies_def crm_bodies_def_default(void)
{
    return (crm_bodies_def){
        .dimension = 2, .contact = crm_contact_def_default(), .tolerance = DEFAULT_TOLERANCE};
}

crm_body_def crm_body_def_default(void)
{
    return (crm_body_def){.shape = CRM_SHAPE_SPHERE,
                          .radius = NAN,
                          .mass = NAN,
                          .length = NAN,
                          .size = {NAN, NAN},
                          .semi_axes = {NAN, NAN, NAN},
                          .orientation = {1, 0, 0, 0},
                          .inertia = NAN};
}

/* ---- To a system ----------------------------------------------------------------------------- */

static bool lay_out(const crm_bodies_def *def, crm_bodies_layout *l)
{
    size_t things = def->body_count + def->wall_count;
    *l = (crm_bodies_layout){.start = CRM_NEW(size_t, def->body_count + 1),
                             .number = CRM_NEW(uint32_t, things),
                             .sphere_turns = crm_bodies_sphere_turns(def)};
    if (l->start == NULL || l->number == NULL) {
        return false;
    }
    for (size_t i = 0; i < def->body_count; i++) {
        const crm_body_def *body = &def->bodies[i];
        l->start[i] = l->coordinates;
        l->coordinates += body->fixed ? 0 : def->dimension + crm_body_turns(body, l->sphere_turns);
        l->moving += !body->fixed;
    }
    l->start[def->body_count] = l->coordinates;
    size_t moving = 0;
    for (size_t i = 0; i < things; i++) {
        bool moves = i < def->body_count && !def->bodies[i].fixed;
        l->fixed += i < def->body_count && !moves;
        l->number[i] = (uint32_t)(moves ? moving : l->moving + i - moving);
        moving += moves;
    }
    return true;
}

/* ---- Masses ---------------------------------------------------------------------------------- */

/* The mass of spheres and ellipsoids follows from the density; that of bodies in the plane does
 * not. */
static double mass_from_density(const crm_body_def *body)
{
    const double *a = body->semi_axes;
    if (body->material == NULL || !(body->material->density > 0)) {
        return NAN;
    }
    switch (body->shape) {
    case CRM_SHAPE_SPHERE:
        return crm_values_ball_mass(body->radius, body->material->density);
    case CRM_SHAPE_ELLIPSOID: /* of a ball, stretched */
        return crm_values_ball_mass(1, body->material->density) * a[0] * a[1] * a[2];
    default:
        return NAN;
    }
}

const char *crm_body_shape_noun(crm_shape shape)
{
    static const char *const NOUNS[] = {"a sphere", "a rod", "a box", "an ellipse", "an ellipsoid"};
    return NOUNS[shape];
}

crm_status crm_body_mass(const crm_bodies_def *def, size_t i, double *mass, crm_error *error)
{
    const crm_body_def *body = &def->bodies[i];
    bool dense = body->shape == CRM_SHAPE_SPHERE || body->shape == CRM_SHAPE_ELLIPSOID;
    *mass = isnan(body->mass) ? mass_from_density(body) : body->mass;
    if (isnan(*mass)) {
        char place[64];
        snprintf(place, sizeof place, "bodies[%zu]", i + 1);
        return dense ? crm_fail(error, CRM_ERROR_MODEL, place,
                                "no mass: give mass, or a material with a density")
                     : crm_fail(error, CRM_ERROR_MODEL, place, "no mass: %s needs its mass given",
                                crm_body_shape_noun(body->shape));
    }
    return crm_ranges_check(CRM_DATUM_MASS, *mass, "bodies[%zu]", i + 1, error);
}

static bool is_rough(const crm_bodies_def *def)
{
    bool rough = def->contact.friction > 0;
    for (size_t k = 0; k < def->pair_count && !rough; k++) {
        rough = def->pairs[k].contact.friction > 0;
    }
    for (size_t k = 0; isnan(def->contact.friction) && k < def->material_friction_count && !rough;
         k++) {
        rough = def->material_friction[k].friction > 0;
    }
    return rough;
}

unsigned crm_bodies_sphere_turns(const crm_bodies_def *def)
{
    static const unsigned turns[] = {0, 0, 1, 3};
    return is_rough(def) || def->spheres_turn ? turns[def->dimension] : 0;
}

unsigned crm_body_turns(const crm_body_def *body, unsigned sphere_turns)
{
    return body->shape == CRM_SHAPE_SPHERE      ? sphere_turns
           : body->shape == CRM_SHAPE_ELLIPSOID ? 3
                                                : 1;
}

static double standard_inertia(const crm_body_def *body, unsigned turns, double mass)
{
    const double *w = body->size, *a = body->semi_axes;
    switch (body->shape) {
    case CRM_SHAPE_SPHERE:
        return mass * body->radius * body->radius * (turns == 1 ? 0.5 : 0.4);
    case CRM_SHAPE_ROD:
        return mass * body->length * body->length / 12;
    case CRM_SHAPE_BOX:
        return mass * (w[0] * w[0] + w[1] * w[1]) / 12;
    default:
        return mass * (a[0] * a[0] + a[1] * a[1]) / 4;
    }
}

void crm_body_moments(const crm_body_def *body, unsigned sphere_turns, double mass,
                      double moment[3])
{
    const double *a = body->semi_axes;
    unsigned turns = crm_body_turns(body, sphere_turns);
    bool ellipsoid = body->shape == CRM_SHAPE_ELLIPSOID;
    for (unsigned k = 0; k < turns && !ellipsoid; k++) {
        moment[k] = isnan(body->inertia) ? standard_inertia(body, turns, mass) : body->inertia;
    }
    for (int k = 0; k < 3 && ellipsoid; k++) {
        double b = a[(k + 1) % 3], c = a[(k + 2) % 3];
        moment[k] = mass * (b * b + c * c) / 5;
    }
}

static crm_status fill_masses(const crm_bodies_def *def, const crm_bodies_layout *l, double *mass,
                              crm_error *error)
{
    for (size_t i = 0; i < def->body_count; i++) {
        const crm_body_def *body = &def->bodies[i];
        double value = 0;
        crm_status status = body->fixed ? CRM_OK : crm_body_mass(def, i, &value, error);
        if (status != CRM_OK) {
            return status;
        }
        double moment[3];
        crm_body_moments(body, l->sphere_turns, value, moment);
        for (size_t k = l->start[i]; k < l->start[i + 1]; k++) {
            size_t own = k - l->start[i];
            mass[k] = own < def->dimension ? value : moment[own - def->dimension];
        }
    }
    return CRM_OK;
}

/* Gives the model these bodies in place of one per coordinate. */
static crm_status name_bodies(const crm_bodies_def *def, const crm_bodies_layout *l,
                              crm_model *model, crm_error *error)
{
    free(model->wall_names[0]);
    free(model->wall_names);
    model->bodies = l->moving;
    model->numbered = 0;
    model->walls = 0;
    model->wall_names = CRM_NEW(char *, l->fixed + def->wall_count);
    model->body_names = CRM_NEW(char *, l->moving);
    if (model->wall_names == NULL || model->body_names == NULL) {
        return crm_fail_memory(error);
    }
    model->walls = l->fixed + def->wall_count;
    for (size_t i = 0; i < def->body_count + def->wall_count; i++) {
        char name[96];
        size_t number = l->number[i];
        crm_bodies_party_name(def, i, name, sizeof name);
        char **slot = number < l->moving ? &model->body_names[number]
                                         : &model->wall_names[number - l->moving];
        *slot = crm_memory_copy_text(name);
        if (*slot == NULL) {
            return crm_fail_memory(error);
        }
    }
    return CRM_OK;
}

static crm_status place_bodies(const crm_bodies_def *def, const crm_bodies_layout *l,
                               const crm_touches *list, crm_model *model, crm_error *error)
{
    model->body_start = CRM_NEW(size_t, l->moving + 1);
    model->is_angle = CRM_NEW(bool, l->coordinates);
    if (model->body_start == NULL || model->is_angle == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t i = 0; i < def->body_count; i++) {
        if (!def->bodies[i].fixed) {
            model->body_start[l->number[i] + 1] = l->start[i + 1];
            for (unsigned k = 0; k < crm_body_turns(&def->bodies[i], l->sphere_turns); k++) {
                model->is_angle[l->start[i + 1] - 1 - k] = true;
            }
        }
    }
    for (size_t j = 0; j < list->count; j++) {
        model->party[2 * j] = l->number[list->items[j].first];
        model->party[2 * j + 1] = l->number[list->items[j].second];
    }
    return CRM_OK;
}

/* The parameters of each contact, from defaults, pairs and materials. */
static crm_status fill_contacts(const crm_bodies_def *def, const crm_touches *list, crm_parts *p,
                                crm_error *error)
{
    crm_contact_def *contact = CRM_NEW(crm_contact_def, list->count);
    crm_status status =
        contact != NULL ? crm_contacts_complete(def, list, contact, error) : crm_fail_memory(error);
    for (size_t j = 0; status == CRM_OK && j < list->count; j++) {
        crm_parts_contact(p, j, contact[j]);
    }
    free(contact);
    return status;
}

static crm_status build(const crm_bodies_def *def, const crm_bodies_layout *l,
                        const crm_touches *list, crm_parts *p, crm_model **model, crm_error *error)
{
    crm_status status = fill_masses(def, l, p->mass, error);
    if (status == CRM_OK) {
        status = crm_bodies_fill_directions(def, l, list, p, error);
    }
    if (status == CRM_OK) {
        status = fill_contacts(def, list, p, error);
    }
    if (status == CRM_OK) {
        status = crm_parts_model(p, model, error);
    }
    if (status == CRM_OK) {
        status = name_bodies(def, l, *model, error);
    }
    return status == CRM_OK ? place_bodies(def, l, list, *model, error) : status;
}

static crm_status assemble(const crm_bodies_def *def, const crm_touches *list, crm_model **model,
                           crm_error *error)
{
    crm_bodies_layout l;
    crm_parts p = {0};
    crm_status status = lay_out(def, &l)
                            ? crm_parts_create(l.coordinates, list->count,
                                               crm_bodies_entries(def) * list->count, &p, error)
                            : crm_fail_memory(error);
    if (status == CRM_OK) {
        status = build(def, &l, list, &p, model, error);
    }
    crm_parts_release(&p);
    free(l.start);
    free(l.number);
    return status;
}

crm_status crm_model_from_bodies_within(const crm_bodies_def *def, double most, crm_model **model,
                                        crm_error *error)
{
    if (crm_fail_if_null(model, "model", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *model = NULL;
    if (crm_fail_if_null(def, "def", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    crm_status status = crm_bodies_check(def, error);
    if (status != CRM_OK) {
        return status;
    }
    crm_touches list = {.most = most};
    if (most > 0) {
        list.met = CRM_NEW(uint32_t, def->body_count);
    }
    status =
        most > 0 && list.met == NULL ? crm_fail_memory(error) : crm_touches_find(def, &list, error);
    free(list.met);
    if (status == CRM_OK) {
        status = assemble(def, &list, model, error);
    }
    free(list.items);
    if (status != CRM_OK) {
        crm_model_free(*model);
        *model = NULL;
    }
    return status;
}

crm_status crm_model_from_bodies(const crm_bodies_def *def, crm_model **model, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    return crm_model_from_bodies_within(def, 0, model, error);
}
