/* Models of any Lagrangian system: checks the definition, copies it, assembles D. Chains, packings
 * and bodies use the last stages, too.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "model/model.h"

crm_system_def crm_system_def_default(void)
{
    return (crm_system_def){0};
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
        return crm_fail(error, CRM_ERROR_ARGUMENT,
                        def->contacts >= UINT32_MAX ? "contacts" : "coordinates",
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
    if (crm_ranges_check(CRM_DATUM_GRADIENT, value, "", 0, NULL) == CRM_OK) {
        return CRM_OK;
    }
    char place[64];
    snprintf(place, sizeof place, "contacts[%zu].w[%%zu]", contact + 1);
    return crm_ranges_check(CRM_DATUM_GRADIENT, value, place, row + 1, error);
}

static crm_status fail_no_gradient(size_t contact, crm_error *error)
{
    char place[64];
    snprintf(place, sizeof place, "contacts[%zu].w", contact + 1);
    return crm_fail(error, CRM_ERROR_MODEL, place,
                    "the contact moves no coordinate: w has no entry other than 0");
}

/* Columns are short, so a linear search is cheap. Dense ones cannot repeat entries. */
static bool listed_before(const crm_model *model, size_t begin, size_t end, size_t row)
{
    bool found = false;
    for (size_t k = begin; k < end && end - begin < 64; k++) {
        found |= model->w_row[k] == row;
    }
    return found;
}

/* ---- Copying the definition ------------------------------------------------------------------ */

static bool make_w(crm_model *model, size_t entries)
{
    model->w_start = CRM_NEW(size_t, model->contacts + 1);
    model->w_row = CRM_NEW(uint32_t, entries);
    model->w_value = CRM_NEW(double, entries);
    return model->w_start != NULL && model->w_row != NULL && model->w_value != NULL;
}

static bool copy_sparse_w(const crm_sparse_view *w, crm_model *model)
{
    size_t s = model->contacts, entries = w->column_start[s];
    if (!make_w(model, entries)) {
        return false;
    }
    memcpy(model->w_start, w->column_start, (s + 1) * sizeof *model->w_start);
    if (entries > 0) {
        memcpy(model->w_row, w->row, entries * sizeof *model->w_row);
        memcpy(model->w_value, w->value, entries * sizeof *model->w_value);
    }
    return true;
}

static bool copy_dense_w(const double *w, crm_model *model)
{
    size_t n = model->coordinates, s = model->contacts, entries = 0, filled = 0;
    for (size_t k = 0; k < n * s; k++) {
        entries += w[k] != 0;
    }
    if (!make_w(model, entries)) {
        return false;
    }
    for (size_t j = 0; j < s; j++) {
        for (size_t i = 0; i < n; i++) {
            if (w[j * n + i] != 0) {
                model->w_row[filled] = (uint32_t)i;
                model->w_value[filled++] = w[j * n + i];
            }
        }
        model->w_start[j + 1] = filled;
    }
    return true;
}

crm_status crm_system_copy_w(const crm_system_def *def, crm_model *model, crm_error *error)
{
    crm_status status = def->w_sparse != NULL && model->contacts > 0
                            ? crm_sparse_check(def->w_sparse, model->coordinates, model->contacts,
                                               "contacts.w", error)
                            : CRM_OK;
    if (status != CRM_OK) {
        return status;
    }
    bool done = def->w_sparse != NULL  ? copy_sparse_w(def->w_sparse, model)
                : def->w_dense != NULL ? copy_dense_w(def->w_dense, model)
                                       : make_w(model, 0);
    return done ? CRM_OK : crm_fail_memory(error);
}

/* A model of contacts that touch has no gaps. */
crm_status crm_system_copy_gap(const double *gap, crm_model *model, crm_error *error)
{
    model->gap = NULL;
    for (size_t j = 0; gap != NULL && j < model->contacts; j++) {
        if (gap[j] != 0) {
            model->gap = crm_memory_copy_doubles(gap, model->contacts);
            return model->gap != NULL ? CRM_OK : crm_fail_memory(error);
        }
    }
    return CRM_OK;
}

static crm_status copy_contacts(const crm_system_def *def, crm_model *model, crm_error *error)
{
    const struct {
        const double *values;
        double standard;
        double **copy;
    } fields[] = {
        {def->stiffness, 1, &model->stiffness},
        {def->exponent, 1.5, &model->exponent},
        {def->restitution, 1, &model->restitution},
        {def->stored_energy, 0, &model->stored_energy},
        {def->boundary_velocity, 0, &model->boundary_velocity},
    };
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) {
        double *copy = *fields[f].copy = CRM_NEW(double, model->contacts);
        if (copy == NULL) {
            return crm_fail_memory(error);
        }
        for (size_t j = 0; j < model->contacts; j++) {
            copy[j] = fields[f].values != NULL ? fields[f].values[j] : fields[f].standard;
        }
    }
    crm_status status = crm_system_copy_gap(def->gap, model, error);
    return status == CRM_OK ? crm_model_comply(model, def->compliance, def->force, error) : status;
}

static crm_status copy_texts(const char *const *names, size_t count, const char *what, char **copy,
                             crm_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (names[i] == NULL) {
            char place[64];
            snprintf(place, sizeof place, "%s[%zu]", what, i + 1);
            return crm_fail(error, CRM_ERROR_ARGUMENT, place, "the name is NULL");
        }
        copy[i] = crm_memory_copy_text(names[i]);
        if (copy[i] == NULL) {
            return crm_fail_memory(error);
        }
    }
    return CRM_OK;
}

static crm_status copy_coordinate_names(const crm_system_def *def, crm_model *model,
                                        crm_error *error)
{
    if (def->coordinate_names == NULL) {
        return CRM_OK;
    }
    model->body_names = CRM_NEW(char *, model->bodies);
    if (model->body_names == NULL) {
        return crm_fail_memory(error);
    }
    model->numbered = 0;
    return copy_texts(def->coordinate_names, model->bodies, "coordinate_names", model->body_names,
                      error);
}

crm_status crm_system_copy_contact_names(const crm_system_def *def, crm_model *model,
                                         crm_error *error)
{
    if (def->contact_names == NULL) {
        return CRM_OK;
    }
    model->contact_names = CRM_NEW(char *, model->contacts);
    return model->contact_names == NULL ? crm_fail_memory(error)
                                        : copy_texts(def->contact_names, model->contacts,
                                                     "contact_names", model->contact_names, error);
}

/* ---- Checks of the model --------------------------------------------------------------------- */

static crm_status check_gradient(const crm_model *model, size_t contact, size_t begin, size_t end,
                                 crm_error *error)
{
    for (size_t k = begin; k < end; k++) {
        size_t row = model->w_row[k];
        crm_status status = check_entry(model->w_value[k], contact, row, error);
        if (status != CRM_OK) {
            return status;
        }
        if (listed_before(model, begin, k, row)) {
            char place[64];
            snprintf(place, sizeof place, "contacts[%zu].w", contact + 1);
            return crm_fail(error, CRM_ERROR_ARGUMENT, place, "coordinate %zu is listed twice",
                            row + 1);
        }
    }
    return CRM_OK;
}

/* Single entries may be arbitrarily small, but not all of a column. */
static crm_status check_size(const crm_model *model, size_t contact, size_t begin, size_t end,
                             crm_error *error)
{
    double largest = 0;
    for (size_t k = begin; k < end; k++) {
        largest = fmax(largest, fabs(model->w_value[k]));
    }
    if (largest >= CRM_GRADIENT_LEAST) {
        return CRM_OK;
    }
    char place[64];
    snprintf(place, sizeof place, "contacts[%zu].w", contact + 1);
    return crm_fail(error, CRM_ERROR_MODEL, place,
                    "the largest entry of w is %g in size, must be from %g to 1e30", largest,
                    CRM_GRADIENT_LEAST);
}

static void fit_w(crm_model *model)
{
    size_t entries = model->w_start[model->contacts];
    entries = entries > 0 ? entries : 1;
    uint32_t *row = crm_memory_resize(model->w_row, entries, sizeof *row);
    double *value = crm_memory_resize(model->w_value, entries, sizeof *value);
    model->w_row = row != NULL ? row : model->w_row;
    model->w_value = value != NULL ? value : model->w_value;
}

/* Entries that are 0 are left out, in place. */
crm_status crm_model_complete_w(crm_model *model, crm_error *error)
{
    size_t filled = 0, begin = model->w_start[0];
    model->w_start[0] = 0;
    for (size_t j = 0; j < model->contacts; j++) {
        size_t end = model->w_start[j + 1], filled_before = filled;
        crm_status status = check_gradient(model, j, begin, end, error);
        if (status != CRM_OK) {
            return status;
        }
        for (size_t k = begin; k < end; k++) {
            if (model->w_value[k] != 0) {
                model->w_row[filled] = model->w_row[k];
                model->w_value[filled++] = model->w_value[k];
            }
        }
        if (filled == filled_before) {
            return fail_no_gradient(j, error);
        }
        status = check_size(model, j, filled_before, filled, error);
        if (status != CRM_OK) {
            return status;
        }
        model->w_start[j + 1] = filled;
        begin = end;
    }
    fit_w(model);
    return CRM_OK;
}

/* A contact with stored energy must be closed. */
static crm_status check_apart(const crm_model *model, crm_error *error)
{
    for (size_t j = 0; model->gap != NULL && j < model->contacts; j++) {
        if (model->gap[j] > 0 && model->stored_energy[j] > 0) {
            char place[48];
            snprintf(place, sizeof place, "contacts[%zu].gap", j + 1);
            return crm_fail(error, CRM_ERROR_MODEL, place,
                            "gap is %g: a contact that is apart cannot store energy (%g)",
                            model->gap[j], model->stored_energy[j]);
        }
    }
    return CRM_OK;
}

/* Stiffness and exponent (fields 0 and 1) by a loading curve, restitution (2) by what it depends
 * on.
 */
static bool is_said_elsewhere(const crm_model *model, size_t field, size_t j)
{
    const crm_compliance *c = crm_model_compliance(model, j);
    return c != NULL &&
           (field < 2 ? c->loading != NULL
                      : field == 2 && (c->unloading != NULL || c->restitution != NULL));
}

crm_status crm_model_check_contacts(const crm_model *model, crm_error *error)
{
    const struct {
        const double *values;
        crm_datum datum;
        const char *place;
    } fields[] = {
        {model->stiffness, CRM_DATUM_STIFFNESS, "contacts[%zu].stiffness"},
        {model->exponent, CRM_DATUM_EXPONENT, "contacts[%zu].exponent"},
        {model->restitution, CRM_DATUM_RESTITUTION, "contacts[%zu].restitution"},
        {model->stored_energy, CRM_DATUM_STORED_ENERGY, "contacts[%zu].energy"},
        {model->boundary_velocity, CRM_DATUM_GAP_VELOCITY, "contacts[%zu].boundary_velocity"},
        {model->gap, CRM_DATUM_GAP, "contacts[%zu].gap"},
    };
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) {
        for (size_t j = 0; fields[f].values != NULL && j < model->contacts; j++) {
            bool elsewhere = isnan(fields[f].values[j]) && is_said_elsewhere(model, f, j);
            crm_status status = elsewhere ? CRM_OK
                                          : crm_ranges_check(fields[f].datum, fields[f].values[j],
                                                             fields[f].place, j + 1, error);
            if (status != CRM_OK) {
                return status;
            }
        }
    }
    return check_apart(model, error);
}

/* A contact is between the first two coordinates that it moves, or between one and the
 * surroundings.
 */
crm_status crm_model_find_parties(crm_model *model, crm_error *error)
{
    model->party = CRM_NEW(uint32_t, 2 * model->contacts);
    if (model->party == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < model->contacts; j++) {
        size_t begin = model->w_start[j];
        model->party[2 * j] = model->w_row[begin];
        model->party[2 * j + 1] =
            begin + 1 < model->w_start[j + 1] ? model->w_row[begin + 1] : (uint32_t)model->bodies;
    }
    return CRM_OK;
}

/* Coordinates stand for bodies. */
static crm_status name_parts(crm_model *model, crm_error *error)
{
    static const char *const surroundings = "surroundings";
    model->bodies = model->numbered = model->coordinates;
    model->body_size = 1;
    model->body_noun = "coordinate";
    crm_status status = crm_model_find_parties(model, error);
    return status == CRM_OK ? crm_model_name_walls(model, &surroundings, 1, error) : status;
}

crm_status crm_model_finish(crm_model *model, crm_error *error)
{
    crm_status status = crm_model_complete_w(model, error);
    if (status == CRM_OK) {
        status = crm_model_check_contacts(model, error);
    }
    if (status == CRM_OK) {
        status = name_parts(model, error);
    }
    if (status == CRM_OK) {
        status = crm_delassus_assemble(model, error);
    }
    return status == CRM_OK ? crm_ranges_check_delassus(model, error) : status;
}

static crm_status fill(const crm_system_def *def, crm_model *model, crm_error *error)
{
    crm_status status = crm_mass_create(def, &model->mass, error);
    if (status == CRM_OK) {
        status = crm_system_copy_w(def, model, error);
    }
    if (status == CRM_OK) {
        status = copy_contacts(def, model, error);
    }
    if (status == CRM_OK) {
        status = crm_model_finish(model, error);
    }
    if (status == CRM_OK) {
        status = crm_model_make_friction(def, model, error);
    }
    if (status == CRM_OK) {
        status = copy_coordinate_names(def, model, error);
    }
    return status == CRM_OK ? crm_system_copy_contact_names(def, model, error) : status;
}

crm_status crm_model_from_system(const crm_system_def *def, crm_model **model, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_fail_if_null(model, "model", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *model = NULL;
    if (crm_fail_if_null(def, "def", error)) {
        return CRM_ERROR_ARGUMENT;
    }
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
