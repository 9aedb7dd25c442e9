/* Friction of contacts, and the directions in which they act: W and T side by side. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/precondition.h"
#include "model/model.h"

/* ---- What a definition gives ----------------------------------------------------------------- */

static bool is_rough(const double *friction, size_t contacts)
{
    for (size_t j = 0; friction != NULL && j < contacts; j++) {
        if (friction[j] != 0) {
            return true;
        }
    }
    return false;
}

static crm_status check_friction(const double *friction, size_t contacts, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t j = 0; friction != NULL && j < contacts && status == CRM_OK; j++) {
        status = crm_ranges_check(CRM_DATUM_FRICTION, friction[j], "contacts[%zu].friction", j + 1,
                                  error);
    }
    return status;
}

static crm_status check_tangents(const crm_system_def *def, const crm_model *model,
                                 crm_error *error)
{
    if (def->tangents != 1 && def->tangents != 2) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "tangents",
                        "tangents is %u: contacts with friction have 1 (plane) or 2 (space)",
                        def->tangents);
    }
    if ((def->t_dense != NULL) + (def->t_sparse != NULL) != 1) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "contacts",
                        "contacts have friction: give exactly one of t_dense and t_sparse");
    }
    return def->t_sparse != NULL
               ? crm_sparse_check(def->t_sparse, model->coordinates,
                                  model->contacts * def->tangents, "contacts.t", error)
               : CRM_OK;
}

/* ---- Directions ------------------------------------------------------------------------------ */

static crm_status append(crm_model *all, size_t contact, size_t row, double value, crm_error *error)
{
    if (crm_ranges_check(CRM_DATUM_TANGENT, value, "", 0, NULL) != CRM_OK) {
        char place[64];
        snprintf(place, sizeof place, "contacts[%zu].t[%%zu]", contact + 1);
        return crm_ranges_check(CRM_DATUM_TANGENT, value, place, row + 1, error);
    }
    if (value != 0) {
        size_t end = all->w_start[all->contacts]++;
        all->w_row[end] = (uint32_t)row;
        all->w_value[end] = value;
    }
    return CRM_OK;
}

/* Column `from` of T, behind the columns that are there; contacts counts those. */
static crm_status append_tangent(const crm_system_def *def, size_t from, crm_model *all,
                                 crm_error *error)
{
    size_t n = all->coordinates, contact = from / def->tangents;
    crm_status status = CRM_OK;
    all->w_start[all->contacts + 1] = all->w_start[all->contacts];
    all->contacts++;
    for (size_t i = 0; def->t_dense != NULL && i < n && status == CRM_OK; i++) {
        status = append(all, contact, i, def->t_dense[from * n + i], error);
    }
    const crm_sparse_view *t = def->t_sparse;
    for (size_t k = t != NULL ? t->column_start[from] : 0;
         t != NULL && k < t->column_start[from + 1] && status == CRM_OK; k++) {
        status = append(all, contact, t->row[k], t->value[k], error);
    }
    return status;
}

static void append_normal(const crm_model *model, size_t j, crm_model *all)
{
    size_t begin = model->w_start[j], count = model->w_start[j + 1] - begin,
           end = all->w_start[all->contacts];
    memcpy(all->w_row + end, model->w_row + begin, count * sizeof *all->w_row);
    memcpy(all->w_value + end, model->w_value + begin, count * sizeof *all->w_value);
    all->w_start[++all->contacts] = end + count;
}

static crm_status fill_directions(const crm_system_def *def, const crm_model *model, crm_model *all,
                                  crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t j = 0; j < model->contacts; j++) {
        all->boundary_velocity[all->contacts] = model->boundary_velocity[j];
        append_normal(model, j, all);
        for (unsigned k = 0; k < def->tangents && status == CRM_OK; k++) {
            size_t from = j * def->tangents + k;
            double slip = def->tangential_velocity != NULL ? def->tangential_velocity[from] : 0;
            all->boundary_velocity[all->contacts] = slip;
            status = crm_ranges_check(CRM_DATUM_GAP_VELOCITY, slip,
                                      "contacts[%zu].tangential_velocity", j + 1, error);
            if (status == CRM_OK) {
                status = append_tangent(def, from, all, error);
            }
        }
        if (status != CRM_OK) {
            return status;
        }
    }
    status = crm_delassus_assemble(all, error);
    if (status == CRM_OK && all->d_start == NULL) {
        status = crm_fail(error, CRM_ERROR_MODEL, "contacts.friction",
                          "too many contacts depend on each other for friction: D of all "
                          "directions is too full to be stored");
    }
    return status;
}

static size_t tangent_entries(const crm_system_def *def, const crm_model *model)
{
    size_t columns = model->contacts * def->tangents;
    return def->t_sparse != NULL ? def->t_sparse->column_start[columns]
                                 : columns * model->coordinates;
}

void crm_model_free_directions(crm_model *directions)
{
    if (directions != NULL) {
        directions->mass = (crm_mass){0};
        crm_model_free(directions);
    }
}

crm_status crm_model_make_friction(const crm_system_def *def, crm_model *model, crm_error *error)
{
    model->friction = NULL;
    model->tangents = 0;
    model->directions = NULL;
    crm_status status = check_friction(def->friction, model->contacts, error);
    if (status != CRM_OK || !is_rough(def->friction, model->contacts)) {
        return status;
    }
    status = check_tangents(def, model, error);
    if (status != CRM_OK) {
        return status;
    }
    size_t count = model->contacts * (1 + def->tangents),
           entries = model->w_start[model->contacts] + tangent_entries(def, model);
    crm_model *all = model->directions = CRM_NEW(crm_model, 1);
    model->friction = crm_memory_copy_doubles(def->friction, model->contacts);
    model->tangents = def->tangents;
    if (all == NULL || model->friction == NULL) {
        return crm_fail_memory(error);
    }
    all->coordinates = model->coordinates;
    all->mass = model->mass;
    all->w_start = CRM_NEW(size_t, count + 1);
    all->w_row = CRM_NEW(uint32_t, entries);
    all->w_value = CRM_NEW(double, entries);
    all->boundary_velocity = CRM_NEW(double, count);
    if (all->w_start == NULL || all->w_row == NULL || all->w_value == NULL ||
        all->boundary_velocity == NULL) {
        return crm_fail_memory(error);
    }
    return fill_directions(def, model, all, error);
}

/* ---- Reading --------------------------------------------------------------------------------- */

const double *crm_model_friction(const crm_model *model)
{
    CRM_PRECONDITION(model != NULL);
    return model->friction;
}

unsigned crm_model_tangents(const crm_model *model)
{
    CRM_PRECONDITION(model != NULL);
    return model->tangents;
}

void crm_model_tangent(const crm_model *model, size_t contact, unsigned tangent, size_t *count,
                       const uint32_t **row, const double **value)
{
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(contact < crm_model_contacts(model));
    CRM_PRECONDITION(tangent < crm_model_tangents(model));
    crm_model_gradient(model->directions, contact * (1 + model->tangents) + 1 + tangent, count, row,
                       value);
}

void crm_model_slip_velocity(const crm_model *model, const double *velocity, double *u)
{
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(velocity != NULL);
    CRM_PRECONDITION(u != NULL || model->tangents == 0);
    const crm_model *all = model->directions;
    for (size_t j = 0; all != NULL && j < model->contacts; j++) {
        for (unsigned k = 0; k < model->tangents; k++) {
            size_t i = j * (1 + model->tangents) + 1 + k;
            double sum = all->boundary_velocity[i];
            for (size_t l = all->w_start[i]; l < all->w_start[i + 1]; l++) {
                sum += all->w_value[l] * velocity[all->w_row[l]];
            }
            u[j * model->tangents + k] = sum;
        }
    }
}
