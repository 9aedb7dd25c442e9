/* Any Lagrangian system: check what the caller brings, copy it, assemble D. The chain and the
 * bodies end here too.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

crm_system_def crm_system_def_default(void)
{
    return (crm_system_def){0};
}

typedef struct rule {
    const char *name;
    double least, most;
    bool open_least;
    const char *allowed;
} rule;

static const rule rules[] = {
    [CRM_QUANTITY_MASS] = {"mass", 0, INFINITY, true, "a positive number"},
    [CRM_QUANTITY_RADIUS] = {"radius", 0, INFINITY, true, "a positive number"},
    [CRM_QUANTITY_STIFFNESS] = {"stiffness", 0, INFINITY, true, "a positive number"},
    [CRM_QUANTITY_EXPONENT] = {"exponent", 0, INFINITY, true, "a positive number"},
    [CRM_QUANTITY_RESTITUTION] = {"restitution", 0, 1, false, "between 0 and 1"},
    [CRM_QUANTITY_STORED_ENERGY] = {"energy", 0, INFINITY, false, "0 or positive"},
    [CRM_QUANTITY_VELOCITY] = {"velocity", -INFINITY, INFINITY, false, "a finite number"},
};

crm_status crm_check_quantity(crm_quantity quantity, double value, const char *place, size_t index,
                              crm_error *error)
{
    const rule *r = &rules[quantity];
    bool above = r->open_least ? value > r->least : value >= r->least;
    if (isfinite(value) && above && value <= r->most) {
        return CRM_OK;
    }
    char where[128];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(where, sizeof where, place, index);
#pragma GCC diagnostic pop
    return crm_fail(error, CRM_ERROR_MODEL, where, "%s is %g, must be %s", r->name, value,
                    r->allowed);
}

static crm_status check_shape(const crm_system_def *def, crm_error *error)
{
    int masses =
        (def->mass_diagonal != NULL) + (def->mass_dense != NULL) + (def->mass_sparse != NULL);
    int gradients = (def->w_dense != NULL) + (def->w_sparse != NULL);
    if (def->coordinates == 0) {
        return crm_fail(error, CRM_ERROR_MODEL, "mass", "the system has no coordinates");
    }
    if (def->coordinates >= UINT32_MAX || def->contacts >= UINT32_MAX) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, NULL,
                        "more than 2^32 - 2 coordinates or contacts");
    }
    if (masses != 1) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "mass",
                        "give exactly one of mass_diagonal, mass_dense and mass_sparse (%d given)",
                        masses);
    }
    if (gradients != 1 && def->contacts > 0) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "contacts",
                        "give exactly one of w_dense and w_sparse (%d given)", gradients);
    }
    return CRM_OK;
}

static crm_status check_entry(double value, size_t contact, size_t row, crm_error *error)
{
    if (!isfinite(value)) {
        char place[64];
        snprintf(place, sizeof place, "contacts[%zu].w[%zu]", contact + 1, row + 1);
        return crm_fail(error, CRM_ERROR_MODEL, place, "w is %g, must be a finite number", value);
    }
    return CRM_OK;
}

static crm_status fail_no_gradient(size_t contact, crm_error *error)
{
    char place[64];
    snprintf(place, sizeof place, "contacts[%zu].w", contact + 1);
    return crm_fail(error, CRM_ERROR_MODEL, place,
                    "the contact moves no coordinate: w has no entry other than 0");
}

/* Columns are short: a look back at what this one holds so far is cheap. Dense ones cannot repeat.
 */
static bool listed_before(const crm_model *model, size_t begin, size_t end, size_t row)
{
    bool found = false;
    for (size_t k = begin; k < end && end - begin < 64; k++) {
        found |= model->w_row[k] == row;
    }
    return found;
}

/* W by columns from either form; entries that are 0 are left out. */
static crm_status copy_w(const crm_system_def *def, crm_model *model, crm_error *error)
{
    size_t n = model->coordinates, s = model->contacts;
    size_t entries = 0;
    for (size_t k = 0; def->w_dense != NULL && k < n * s; k++) {
        entries += def->w_dense[k] != 0;
    }
    if (def->w_sparse != NULL) {
        entries = def->w_sparse->column_start[s];
    }
    model->w_start = CRM_NEW(size_t, s + 1);
    model->w_row = CRM_NEW(uint32_t, entries);
    model->w_value = CRM_NEW(double, entries);
    if (model->w_start == NULL || model->w_row == NULL || model->w_value == NULL) {
        return crm_fail_memory(error);
    }
    size_t filled = 0;
    for (size_t j = 0; j < s; j++) {
        size_t begin = def->w_dense != NULL ? 0 : def->w_sparse->column_start[j];
        size_t end = def->w_dense != NULL ? n : def->w_sparse->column_start[j + 1];
        size_t filled_before = filled;
        for (size_t k = begin; k < end; k++) {
            size_t row = def->w_dense != NULL ? k : def->w_sparse->row[k];
            double value = def->w_dense != NULL ? def->w_dense[j * n + k] : def->w_sparse->value[k];
            crm_status status = check_entry(value, j, row, error);
            if (status != CRM_OK) {
                return status;
            }
            if (row >= n) {
                return crm_fail(error, CRM_ERROR_ARGUMENT, "contacts",
                                "w of contact %zu: coordinate %zu is past the %zu there are", j + 1,
                                row + 1, n);
            }
            if (listed_before(model, filled_before, filled, row)) {
                char place[64];
                snprintf(place, sizeof place, "contacts[%zu].w", j + 1);
                return crm_fail(error, CRM_ERROR_ARGUMENT, place, "coordinate %zu is listed twice",
                                row + 1);
            }
            if (value != 0) {
                model->w_row[filled] = (uint32_t)row;
                model->w_value[filled++] = value;
            }
        }
        model->w_start[j + 1] = filled;
        if (filled == filled_before) {
            return fail_no_gradient(j, error);
        }
    }
    return CRM_OK;
}

static crm_status copy_contact_values(const double *values, double standard, crm_quantity quantity,
                                      const char *place, size_t count, double **copy,
                                      crm_error *error)
{
    *copy = CRM_NEW(double, count);
    if (*copy == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < count; j++) {
        (*copy)[j] = values != NULL ? values[j] : standard;
        crm_status status = crm_check_quantity(quantity, (*copy)[j], place, j + 1, error);
        if (status != CRM_OK) {
            return status;
        }
    }
    return CRM_OK;
}

static crm_status copy_contacts(const crm_system_def *def, crm_model *model, crm_error *error)
{
    const struct {
        const double *values;
        double standard;
        crm_quantity quantity;
        const char *place;
        double **copy;
    } fields[] = {
        {def->stiffness, 1, CRM_QUANTITY_STIFFNESS, "contacts[%zu].stiffness", &model->stiffness},
        {def->exponent, 1.5, CRM_QUANTITY_EXPONENT, "contacts[%zu].exponent", &model->exponent},
        {def->restitution, 1, CRM_QUANTITY_RESTITUTION, "contacts[%zu].restitution",
         &model->restitution},
        {def->stored_energy, 0, CRM_QUANTITY_STORED_ENERGY, "contacts[%zu].energy",
         &model->stored_energy},
        {def->boundary_velocity, 0, CRM_QUANTITY_VELOCITY, "contacts[%zu].boundary_velocity",
         &model->boundary_velocity},
    };
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) {
        crm_status status =
            copy_contact_values(fields[f].values, fields[f].standard, fields[f].quantity,
                                fields[f].place, model->contacts, fields[f].copy, error);
        if (status != CRM_OK) {
            return status;
        }
    }
    return CRM_OK;
}

/* Coordinates stand for bodies; a contact is between the first two that it moves, or between
 * one and the surroundings.
 */
static crm_status name_parts(const crm_system_def *def, crm_model *model, crm_error *error)
{
    model->bodies = model->coordinates;
    model->body_noun = "coordinate";
    model->party = CRM_NEW(uint32_t, 2 * model->contacts);
    model->wall_names = CRM_NEW(char *, 1);
    if (model->party == NULL || model->wall_names == NULL) {
        return crm_fail_memory(error);
    }
    model->walls = 1;
    model->wall_names[0] = crm_copy_text("surroundings");
    if (model->wall_names[0] == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < model->contacts; j++) {
        size_t begin = model->w_start[j];
        model->party[2 * j] = model->w_row[begin];
        model->party[2 * j + 1] =
            begin + 1 < model->w_start[j + 1] ? model->w_row[begin + 1] : (uint32_t)model->bodies;
    }
    if (def->coordinate_names != NULL) {
        model->body_names = CRM_NEW(char *, model->bodies);
        for (size_t i = 0; model->body_names != NULL && i < model->bodies; i++) {
            model->body_names[i] = crm_copy_text(def->coordinate_names[i]);
            if (model->body_names[i] == NULL) {
                return crm_fail_memory(error);
            }
        }
        return model->body_names != NULL ? CRM_OK : crm_fail_memory(error);
    }
    return CRM_OK;
}

static crm_status fill(const crm_system_def *def, crm_model *model, crm_error *error)
{
    crm_status status = crm_mass_create(def, &model->mass, error);
    if (status == CRM_OK) {
        status = copy_w(def, model, error);
    }
    if (status == CRM_OK) {
        status = copy_contacts(def, model, error);
    }
    if (status == CRM_OK) {
        status = name_parts(def, model, error);
    }
    if (status == CRM_OK) {
        status = crm_delassus_assemble(model, error);
    }
    return status;
}

crm_status crm_model_from_system(const crm_system_def *def, crm_model **model, crm_error *error)
{
    *model = NULL;
    crm_status status = check_shape(def, error);
    if (status != CRM_OK) {
        return status;
    }
    crm_model *made = CRM_NEW(crm_model, 1);
    if (made == NULL) {
        return crm_fail_memory(error);
    }
    made->coordinates = def->coordinates;
    made->contacts = def->contacts;
    status = fill(def, made, error);
    if (status != CRM_OK) {
        crm_model_free(made);
        return status;
    }
    *model = made;
    return CRM_OK;
}
