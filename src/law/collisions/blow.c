#include "law/collisions/blow.h"

const crm_model *crm_blow_directions(const crm_model *model)
{
    return model->tangents > 0 ? model->directions : model;
}

static crm_single single_of(const crm_model *model, size_t j, const double *u, double restitution)
{
    size_t rows = 1 + model->tangents, first = j * rows;
    crm_single contact = {
        .tangents = model->tangents, .friction = model->friction[j], .restitution = restitution};
    for (size_t a = 0; a < rows; a++) {
        contact.u[a] = u[a];
        for (size_t b = 0; b < rows; b++) {
            contact.d[a][b] = crm_model_delassus(model->directions, first + a, first + b);
        }
    }
    return contact;
}

void crm_blow_find_rough(const crm_model *model, size_t j, const double *u, double restitution,
                         crm_blow *blow)
{
    crm_single contact = single_of(model, j, u, restitution);
    crm_single_end end = crm_single_solve(&contact);
    *blow = (crm_blow){.loss = end.loss_restitution + end.loss_friction,
                       .loss_friction = end.loss_friction,
                       .path = end.path,
                       .locked = end.locked,
                       .held = end.held};
    for (size_t a = 0; a < CRM_SINGLE_ROWS; a++) {
        blow->impulse[a] = end.impulse[a];
        blow->after[a] = end.u[a];
    }
}
