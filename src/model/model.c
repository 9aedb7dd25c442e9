/* Reading a model, and freeing it. */
#include "model/model.h"
#include "base/arithmetic.h"
#include "base/precondition.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void crm_model_free_texts(char **texts, size_t count)
{
    for (size_t i = 0; texts != NULL && i < count; i++) {
        free(texts[i]);
    }
    free(texts);
}

void crm_model_free(crm_model *model)
{
    if (model == NULL) {
        return;
    }
    crm_model_free_directions(model->directions);
    free(model->friction);
    crm_mass_release(&model->mass);
    free(model->w_start);
    free(model->w_row);
    free(model->w_value);
    free(model->stiffness);
    free(model->exponent);
    free(model->restitution);
    free(model->stored_energy);
    free(model->gap);
    crm_compliance_release(&model->compliance);
    free(model->boundary_velocity);
    free(model->d_start);
    free(model->d_column);
    free(model->d_value);
    free(model->d_diagonal);
    free(model->body_start);
    free(model->is_angle);
    crm_model_free_texts(model->body_names, model->bodies - model->numbered);
    crm_model_free_texts(model->wall_names, model->walls);
    crm_model_free_texts(model->contact_names, model->contacts);
    free(model->party);
    free(model);
}

crm_status crm_model_name_walls(crm_model *model, const char *const *names, size_t count,
                                crm_error *error)
{
    crm_model_free_texts(model->wall_names, model->walls);
    model->walls = 0;
    model->wall_names = CRM_NEW(char *, count);
    for (size_t k = 0; k < count && model->wall_names != NULL; k++) {
        model->wall_names[k] = crm_memory_copy_text(names[k]);
        if (model->wall_names[k] == NULL) {
            return crm_fail_memory(error);
        }
        model->walls++;
    }
    return model->wall_names != NULL ? CRM_OK : crm_fail_memory(error);
}

size_t crm_model_coordinates(const crm_model *model)
{
    CRM_PRECONDITION(model != NULL);
    return model->coordinates;
}

size_t crm_model_contacts(const crm_model *model)
{
    CRM_PRECONDITION(model != NULL);
    return model->contacts;
}

size_t crm_model_bodies(const crm_model *model)
{
    CRM_PRECONDITION(model != NULL);
    return model->bodies;
}

size_t crm_model_body_start(const crm_model *model, size_t body)
{
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(body <= crm_model_bodies(model));
    return model->body_start != NULL ? model->body_start[body] : body * model->body_size;
}

bool crm_model_is_angle(const crm_model *model, size_t coordinate)
{
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(coordinate < crm_model_coordinates(model));
    return model->is_angle != NULL && model->is_angle[coordinate];
}

bool crm_model_has_compliance(const crm_model *model)
{
    CRM_PRECONDITION(model != NULL);
    return model->compliance.of != NULL;
}

const crm_compliance *crm_model_contact_compliance(const crm_model *model, size_t contact)
{
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(contact < model->contacts);
    return crm_model_compliance(model, contact);
}

const double *crm_model_stiffness(const crm_model *model)
{
    CRM_PRECONDITION(model != NULL);
    return model->stiffness;
}

const double *crm_model_exponent(const crm_model *model)
{
    CRM_PRECONDITION(model != NULL);
    return model->exponent;
}

const double *crm_model_restitution(const crm_model *model)
{
    CRM_PRECONDITION(model != NULL);
    return model->restitution;
}

const double *crm_model_stored_energy(const crm_model *model)
{
    CRM_PRECONDITION(model != NULL);
    return model->stored_energy;
}

const double *crm_model_boundary_velocity(const crm_model *model)
{
    CRM_PRECONDITION(model != NULL);
    return model->boundary_velocity;
}

const double *crm_model_gap(const crm_model *model)
{
    CRM_PRECONDITION(model != NULL);
    return model->gap;
}

size_t crm_model_party(const crm_model *model, size_t contact, int party)
{
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(contact < crm_model_contacts(model));
    CRM_PRECONDITION(party == 0 || party == 1);
    return model->party[2 * contact + (party != 0)];
}

void crm_model_body_name(const crm_model *model, size_t body, char *text, size_t size)
{
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(body < model->bodies + model->walls); /* walls are counted after them */
    CRM_PRECONDITION(text != NULL || size == 0);
    if (body >= model->bodies) {
        snprintf(text, size, "%s", model->wall_names[body - model->bodies]);
    } else if (body >= model->numbered) {
        snprintf(text, size, "%s", model->body_names[body - model->numbered]);
    } else {
        snprintf(text, size, "%s %zu", model->body_noun, body + 1);
    }
}

double crm_model_mass(const crm_model *model, size_t row, size_t column)
{
    return crm_mass_entry(&model->mass, row, column);
}

void crm_model_contact_name(const crm_model *model, size_t contact, char *text, size_t size)
{
    snprintf(text, size, "%s", model->contact_names != NULL ? model->contact_names[contact] : "");
}

void crm_model_party_name(const crm_model *model, size_t contact, int party, char *text,
                          size_t size)
{
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(contact < crm_model_contacts(model));
    CRM_PRECONDITION(party == 0 || party == 1);
    CRM_PRECONDITION(text != NULL || size == 0);
    crm_model_body_name(model, crm_model_party(model, contact, party), text, size);
}

void crm_model_gradient(const crm_model *model, size_t contact, size_t *count, const uint32_t **row,
                        const double **value)
{
    size_t begin = model->w_start[contact];
    *count = model->w_start[contact + 1] - begin;
    *row = model->w_row + begin;
    *value = model->w_value + begin;
}

void crm_model_gap_velocity(const crm_model *model, const double *velocity, double *u)
{
    CRM_USUAL_ARITHMETIC;
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(velocity != NULL);
    CRM_PRECONDITION(u != NULL);
    for (size_t j = 0; j < model->contacts; j++) {
        double sum = model->boundary_velocity[j];
        for (size_t k = model->w_start[j]; k < model->w_start[j + 1]; k++) {
            sum += model->w_value[k] * velocity[model->w_row[k]];
        }
        u[j] = sum;
    }
}

double crm_model_kinetic_energy(const crm_model *model, const double *velocity)
{
    CRM_USUAL_ARITHMETIC;
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(velocity != NULL);
    return 0.5 * crm_mass_square(&model->mass, velocity, 0, model->coordinates);
}

double crm_model_body_energy(const crm_model *model, size_t body, const double *velocity)
{
    CRM_USUAL_ARITHMETIC;
    CRM_PRECONDITION(model != NULL);
    CRM_PRECONDITION(body < crm_model_bodies(model));
    CRM_PRECONDITION(velocity != NULL);
    return 0.5 * crm_mass_square(&model->mass, velocity, crm_model_body_start(model, body),
                                 crm_model_body_start(model, body + 1));
}

double crm_model_bytes(double contacts, double beside)
{
    /* A row of D has the contact itself and those beside it, each a column and a value; the rest is
     * the contact's data, its column of W, the coordinates, and what is freed at the end. */
    const double each = 160, entry = sizeof(uint32_t) + sizeof(double);
    return contacts * (each + entry * (1 + beside));
}
