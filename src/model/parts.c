#include "model/parts.h"

#include <stdlib.h>

crm_status crm_parts_create(size_t coordinates, size_t contacts, size_t entries, crm_parts *parts,
                            crm_error *error)
{
    *parts = (crm_parts){.coordinates = coordinates,
                         .contacts = contacts,
                         .mass = CRM_NEW(double, coordinates),
                         .column_start = CRM_NEW(size_t, contacts + 1),
                         .row = CRM_NEW(uint32_t, entries),
                         .w = CRM_NEW(double, entries),
                         .stiffness = CRM_NEW(double, contacts),
                         .exponent = CRM_NEW(double, contacts),
                         .restitution = CRM_NEW(double, contacts),
                         .stored_energy = CRM_NEW(double, contacts),
                         .boundary_velocity = CRM_NEW(double, contacts),
                         .force = CRM_NEW(double, contacts),
                         .compliance = CRM_NEW(crm_compliance_def, contacts)};
    bool all = parts->mass != NULL && parts->column_start != NULL && parts->row != NULL &&
               parts->w != NULL && parts->stiffness != NULL && parts->exponent != NULL &&
               parts->restitution != NULL && parts->stored_energy != NULL &&
               parts->boundary_velocity != NULL && parts->force != NULL &&
               parts->compliance != NULL;
    return all ? CRM_OK : crm_fail_memory(error);
}

crm_status crm_parts_add_tangents(crm_parts *parts, unsigned each, size_t entries, crm_error *error)
{
    size_t count = each * parts->contacts;
    crm_parts_tangents *t = &parts->tangents;
    *t = (crm_parts_tangents){.friction = CRM_NEW(double, parts->contacts),
                              .each = each,
                              .column_start = CRM_NEW(size_t, count + 1),
                              .row = CRM_NEW(uint32_t, entries),
                              .t = CRM_NEW(double, entries),
                              .velocity = CRM_NEW(double, count)};
    return t->friction != NULL && t->column_start != NULL && t->row != NULL && t->t != NULL &&
                   t->velocity != NULL
               ? CRM_OK
               : crm_fail_memory(error);
}

static void release_tangents(crm_parts_tangents *t)
{
    free(t->friction);
    free(t->column_start);
    free(t->row);
    free(t->t);
    free(t->velocity);
    *t = (crm_parts_tangents){0};
}

void crm_parts_release(crm_parts *parts)
{
    release_tangents(&parts->tangents);
    free(parts->mass);
    free(parts->column_start);
    free(parts->row);
    free(parts->w);
    free(parts->stiffness);
    free(parts->exponent);
    free(parts->restitution);
    free(parts->stored_energy);
    free(parts->boundary_velocity);
    free(parts->gap);
    free(parts->force);
    free(parts->compliance);
    *parts = (crm_parts){.coordinates = parts->coordinates, .contacts = parts->contacts};
}

/* New memory is zero, and pages that are never written take none: zeros are not stored. */
void crm_parts_contact(crm_parts *parts, size_t contact, crm_contact_def values)
{
    parts->stiffness[contact] = values.stiffness;
    parts->exponent[contact] = values.exponent;
    parts->restitution[contact] = values.restitution;
    if (values.stored_energy != 0) {
        parts->stored_energy[contact] = values.stored_energy;
    }
    if (values.force > 0 || values.force < 0) {
        parts->force[contact] = values.force;
    }
    if (crm_compliance_is_given(&values.compliance)) {
        parts->compliance[contact] = values.compliance;
    }
    if (parts->tangents.friction != NULL) {
        parts->tangents.friction[contact] = values.friction;
    }
}

static void hand_over(crm_parts *parts, crm_model *model)
{
    model->w_start = parts->column_start;
    model->w_row = parts->row;
    model->w_value = parts->w;
    model->stiffness = parts->stiffness;
    model->exponent = parts->exponent;
    model->restitution = parts->restitution;
    model->stored_energy = parts->stored_energy;
    model->boundary_velocity = parts->boundary_velocity;
    model->gap = parts->gap;
    *parts = (crm_parts){.coordinates = parts->coordinates,
                         .contacts = parts->contacts,
                         .force = parts->force,
                         .compliance = parts->compliance};
}

static crm_status add_friction(const crm_parts_tangents *t, crm_model *model, crm_error *error)
{
    const crm_sparse_view columns = {t->column_start, t->row, t->t};
    const crm_system_def def = {.friction = t->friction,
                                .tangents = t->each,
                                .t_sparse = &columns,
                                .tangential_velocity = t->velocity};
    return t->friction != NULL ? crm_model_make_friction(&def, model, error) : CRM_OK;
}

crm_status crm_parts_model(crm_parts *parts, crm_model **model, crm_error *error)
{
    *model = NULL;
    crm_model *made = CRM_NEW(crm_model, 1);
    if (made == NULL) {
        return crm_fail_memory(error);
    }
    made->coordinates = parts->coordinates;
    made->contacts = parts->contacts;
    const crm_system_def masses = {.coordinates = parts->coordinates, .mass_diagonal = parts->mass};
    crm_status status = crm_mass_create(&masses, &made->mass, error);
    free(parts->mass);
    crm_parts_tangents tangents = parts->tangents;
    hand_over(parts, made);
    if (status == CRM_OK) {
        status = crm_model_comply(made, parts->compliance, parts->force, error);
    }
    crm_parts_release(parts);
    if (status == CRM_OK) {
        status = crm_model_finish(made, error);
    }
    if (status == CRM_OK) {
        status = add_friction(&tangents, made, error);
    }
    release_tangents(&tangents);
    if (status != CRM_OK) {
        crm_model_free(made);
        return status;
    }
    *model = made;
    return CRM_OK;
}
