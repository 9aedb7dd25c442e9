/* Another M, W or contact data for a model that is there: the new parts are made beside the old
 * ones, and take their place when all of them are good.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "model/model.h"

static bool gives_mass(const crm_system_def *def)
{
    return def->mass_diagonal != NULL || def->mass_dense != NULL || def->mass_sparse != NULL;
}

static bool gives_w(const crm_system_def *def)
{
    return def->w_dense != NULL || def->w_sparse != NULL;
}

static bool is_of_coordinates(const crm_model *model)
{
    return model->body_start == NULL && model->body_size == 1;
}

static crm_status check_shape(const crm_system_def *def, const crm_model *model, crm_error *error)
{
    int masses =
        (def->mass_diagonal != NULL) + (def->mass_dense != NULL) + (def->mass_sparse != NULL);
    if (def->coordinates != 0 && def->coordinates != model->coordinates) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "coordinates",
                        "coordinates is %zu; the model has %zu, and keeps them", def->coordinates,
                        model->coordinates);
    }
    if (masses > 1) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "mass",
                        "give at most one of mass_diagonal, mass_dense and mass_sparse (%d given)",
                        masses);
    }
    if (def->w_dense != NULL && def->w_sparse != NULL) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "contacts",
                        "give at most one of w_dense and w_sparse (2 given)");
    }
    bool same = def->contacts == model->contacts || (!gives_w(def) && def->contacts == 0);
    if (!same && (!gives_w(def) || !is_of_coordinates(model) || def->contacts >= UINT32_MAX)) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "contacts",
                        "contacts is %zu; the model has %zu%s", def->contacts, model->contacts,
                        gives_w(def) ? ", and keeps them" : ", and no w is given");
    }
    return CRM_OK;
}

/* The contacts' data: pairs of the given and where it goes. */
enum { FIELDS = 5 };

static double **field(crm_model *model, size_t index)
{
    double **const fields[FIELDS] = {&model->stiffness, &model->exponent, &model->restitution,
                                     &model->stored_energy, &model->boundary_velocity};
    return fields[index];
}

/* Numbers that compliances replace, and stored energies that forces do, are written to. */
static crm_status own_fields(const crm_system_def *def, bool others, crm_model *next,
                             crm_error *error)
{
    const double *const given[FIELDS] = {def->stiffness, def->exponent, def->restitution,
                                         def->stored_energy, def->boundary_velocity};
    for (size_t f = 0; f < FIELDS && !others; f++) {
        if (given[f] == NULL) {
            double *copy = crm_memory_copy_doubles(*field(next, f), next->contacts);
            if (copy == NULL) {
                return crm_fail_memory(error);
            }
            *field(next, f) = copy;
        }
    }
    return CRM_OK;
}

static crm_status make_compliance(const crm_system_def *def, bool others, crm_model *next,
                                  crm_error *error)
{
    if (others || def->compliance != NULL) {
        next->compliance = (crm_compliance_store){0};
    }
    if (next->compliance.of == NULL && def->compliance == NULL && def->force == NULL) {
        return CRM_OK;
    }
    crm_status status = own_fields(def, others, next, error);
    return status == CRM_OK ? crm_model_comply(next, def->compliance, def->force, error) : status;
}

static crm_status copy_contacts(const crm_system_def *def, bool others, crm_model *next,
                                crm_error *error)
{
    static const double STANDARD[FIELDS] = {1, 1.5, 1, 0, 0};
    const double *const given[FIELDS] = {def->stiffness, def->exponent, def->restitution,
                                         def->stored_energy, def->boundary_velocity};
    for (size_t f = 0; f < FIELDS; f++) {
        if (given[f] == NULL && !others) {
            continue;
        }
        double *copy = CRM_NEW(double, next->contacts);
        if (copy == NULL) {
            return crm_fail_memory(error);
        }
        for (size_t j = 0; j < next->contacts; j++) {
            copy[j] = given[f] != NULL ? given[f][j] : STANDARD[f];
        }
        *field(next, f) = copy;
    }
    crm_status status =
        others || def->gap != NULL ? crm_system_copy_gap(def->gap, next, error) : CRM_OK;
    return status == CRM_OK ? make_compliance(def, others, next, error) : status;
}

/* Other contacts have no names, unless they are given. */
static crm_status make_names(const crm_system_def *def, bool others, crm_model *next,
                             crm_error *error)
{
    if (others || def->contact_names != NULL) {
        next->contact_names = NULL;
    }
    return crm_system_copy_contact_names(def, next, error);
}

/* What `next` does not have is NULL or the old model's. */
static crm_status make_mass(const crm_system_def *def, crm_model *next, crm_error *error)
{
    if (!gives_mass(def)) {
        return CRM_OK;
    }
    crm_system_def masses = *def;
    masses.coordinates = next->coordinates;
    return crm_mass_create(&masses, &next->mass, error);
}

static crm_status make_w(const crm_system_def *def, crm_model *next, crm_error *error)
{
    if (!gives_w(def)) {
        return CRM_OK;
    }
    next->w_start = NULL;
    next->w_row = NULL;
    next->w_value = NULL;
    crm_status status = crm_system_copy_w(def, next, error);
    if (status == CRM_OK) {
        status = crm_model_complete_w(next, error);
    }
    if (status == CRM_OK && is_of_coordinates(next)) {
        next->party = NULL;
        status = crm_model_find_parties(next, error);
    }
    return status;
}

static crm_status make_delassus(const crm_system_def *def, crm_model *next, crm_error *error)
{
    if (!gives_w(def) && !gives_mass(def)) {
        return CRM_OK;
    }
    next->d_start = NULL;
    next->d_column = NULL;
    next->d_value = NULL;
    next->d_diagonal = NULL;
    crm_status status = crm_delassus_assemble(next, error);
    return status == CRM_OK ? crm_ranges_check_delassus(next, error) : status;
}

static bool gives_t(const crm_system_def *def)
{
    return def->t_dense != NULL || def->t_sparse != NULL;
}

/* T of a model by columns, into arrays to be freed by the caller. */
static crm_status copy_tangents(const crm_model *model, size_t **start, uint32_t **row,
                                double **value, crm_error *error)
{
    const crm_model *all = model->directions;
    size_t columns = model->contacts * model->tangents, filled = 0,
           entries = all->w_start[all->contacts];
    *start = CRM_NEW(size_t, columns + 1);
    *row = CRM_NEW(uint32_t, entries);
    *value = CRM_NEW(double, entries);
    if (*start == NULL || *row == NULL || *value == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t i = 0; i < columns; i++) {
        size_t count;
        const uint32_t *rows;
        const double *values;
        crm_model_tangent(model, i / model->tangents, (unsigned)(i % model->tangents), &count,
                          &rows, &values);
        memcpy(*row + filled, rows, count * sizeof *rows);
        memcpy(*value + filled, values, count * sizeof *values);
        (*start)[i + 1] = filled += count;
    }
    return CRM_OK;
}

/* What stays of friction when M, mu or T is given anew: D of the directions does not. */
static crm_status remake_friction(const crm_system_def *def, const crm_model *model,
                                  crm_model *next, crm_error *error)
{
    crm_system_def whole = *def;
    size_t *start = NULL;
    uint32_t *row = NULL;
    double *value = NULL, *slip = NULL;
    crm_sparse_view kept;
    crm_status status = CRM_OK;
    whole.friction = def->friction != NULL ? def->friction : model->friction;
    if (!gives_t(def) && model->directions != NULL) {
        status = copy_tangents(model, &start, &row, &value, error);
        kept = (crm_sparse_view){start, row, value};
        whole.tangents = model->tangents;
        whole.t_sparse = &kept;
    }
    if (status == CRM_OK && def->tangential_velocity == NULL && model->directions != NULL &&
        whole.tangents == model->tangents) {
        slip = CRM_NEW(double, model->contacts * model->tangents);
        status = slip != NULL ? CRM_OK : crm_fail_memory(error);
        for (size_t i = 0; slip != NULL && i < model->contacts * model->tangents; i++) {
            slip[i] = model->directions->boundary_velocity[i + 1 + i / model->tangents];
        }
        whole.tangential_velocity = slip;
    }
    if (status == CRM_OK) {
        status = crm_model_make_friction(&whole, next, error);
    }
    free(start);
    free(row);
    free(value);
    free(slip);
    return status;
}

static crm_status make_friction(const crm_system_def *def, bool others, const crm_model *model,
                                crm_model *next, crm_error *error)
{
    bool same = !gives_w(def) && !gives_mass(def) && !gives_t(def) && def->friction == NULL &&
                def->tangential_velocity == NULL && def->boundary_velocity == NULL;
    if (same || (model->directions == NULL && def->friction == NULL)) {
        return CRM_OK;
    }
    next->friction = NULL;
    next->directions = NULL;
    next->tangents = 0;
    if (others) {
        return crm_model_make_friction(def, next, error);
    }
    if (gives_w(def) && !gives_t(def) && def->friction == NULL) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "contacts",
                        "w is given without t, and contacts have friction");
    }
    return remake_friction(def, model, next, error);
}

static void drop(void *own, const void *others)
{
    if (own != others) {
        free(own);
    }
}

/* Free what `model` does not share with `other`. */
static void drop_unshared(crm_model *model, crm_model *other, bool mass)
{
    if (mass) {
        crm_mass_release(&model->mass);
    }
    for (size_t f = 0; f < FIELDS; f++) {
        drop(*field(model, f), *field(other, f));
    }
    drop(model->gap, other->gap);
    drop(model->friction, other->friction);
    if (model->directions != other->directions) {
        crm_model_free_directions(model->directions);
    }
    if (model->compliance.of != other->compliance.of) {
        crm_compliance_release(&model->compliance);
    }
    drop(model->w_start, other->w_start);
    drop(model->w_row, other->w_row);
    drop(model->w_value, other->w_value);
    drop(model->party, other->party);
    if (model->contact_names != other->contact_names) {
        crm_model_free_texts(model->contact_names, model->contacts);
    }
    drop(model->d_start, other->d_start);
    drop(model->d_column, other->d_column);
    drop(model->d_value, other->d_value);
    drop(model->d_diagonal, other->d_diagonal);
}

crm_status crm_model_update(crm_model *model, const crm_system_def *def, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_fail_if_null(model, "model", error) || crm_fail_if_null(def, "def", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    crm_status status = check_shape(def, model, error);
    if (status != CRM_OK) {
        return status;
    }
    crm_model next = *model;
    next.contacts = gives_w(def) ? def->contacts : model->contacts;
    bool others = next.contacts != model->contacts;
    status = copy_contacts(def, others, &next, error);
    if (status == CRM_OK) {
        status = crm_model_check_contacts(&next, error);
    }
    if (status == CRM_OK) {
        status = make_names(def, others, &next, error);
    }
    if (status == CRM_OK) {
        status = make_w(def, &next, error);
    }
    bool mass = status == CRM_OK && gives_mass(def);
    if (status == CRM_OK) {
        status = make_mass(def, &next, error);
    }
    if (status == CRM_OK) {
        status = make_delassus(def, &next, error);
    }
    if (status == CRM_OK) {
        status = make_friction(def, others, model, &next, error);
    }
    if (status != CRM_OK) {
        drop_unshared(&next, model, mass);
        return status;
    }
    drop_unshared(model, &next, mass);
    *model = next;
    return CRM_OK;
}
