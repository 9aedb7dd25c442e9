#include "model/parts.h"

#include <stdlib.h>

crm_status crm_parts_create(size_t coordinates, size_t contacts, size_t most, crm_parts *parts,
                            crm_error *error)
{
    *parts = (crm_parts){.coordinates = coordinates,
                         .contacts = contacts,
                         .mass = CRM_NEW(double, coordinates),
                         .column_start = CRM_NEW(size_t, contacts + 1),
                         .row = CRM_NEW(uint32_t, most * contacts),
                         .w = CRM_NEW(double, most *contacts),
                         .stiffness = CRM_NEW(double, contacts),
                         .exponent = CRM_NEW(double, contacts),
                         .restitution = CRM_NEW(double, contacts),
                         .stored_energy = CRM_NEW(double, contacts),
                         .boundary_velocity = CRM_NEW(double, contacts)};
    bool all = parts->mass != NULL && parts->column_start != NULL && parts->row != NULL &&
               parts->w != NULL && parts->stiffness != NULL && parts->exponent != NULL &&
               parts->restitution != NULL && parts->stored_energy != NULL &&
               parts->boundary_velocity != NULL;
    return all ? CRM_OK : crm_fail_memory(error);
}

void crm_parts_release(crm_parts *parts)
{
    free(parts->mass);
    free(parts->column_start);
    free(parts->row);
    free(parts->w);
    free(parts->stiffness);
    free(parts->exponent);
    free(parts->restitution);
    free(parts->stored_energy);
    free(parts->boundary_velocity);
}

crm_status crm_parts_model(const crm_parts *parts, crm_model **model, crm_error *error)
{
    const crm_sparse_view w = {parts->column_start, parts->row, parts->w};
    const crm_system_def system = {.coordinates = parts->coordinates,
                                   .contacts = parts->contacts,
                                   .mass_diagonal = parts->mass,
                                   .w_sparse = &w,
                                   .stiffness = parts->stiffness,
                                   .exponent = parts->exponent,
                                   .restitution = parts->restitution,
                                   .stored_energy = parts->stored_energy,
                                   .boundary_velocity = parts->boundary_velocity};
    return crm_model_from_system(&system, model, error);
}
