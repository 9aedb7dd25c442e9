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

crm_blow crm_blow_find(const crm_model *model, size_t j, const double *u, double restitution)
{
    double e = restitution, closing = -u[0];
    if (model->tangents == 0) {
        return (crm_blow){.impulse = {(1 + e) * closing / model->d_diagonal[j]},
                          .after = {e * closing},
                          .loss = 0.5 * (1 - e * e) * closing * closing / model->d_diagonal[j]};
    }
    crm_single contact = single_of(model, j, u, restitution);
    crm_single_end end = crm_single_solve(&contact);
    crm_blow blow = {.loss = end.loss_restitution + end.loss_friction,
                     .loss_friction = end.loss_friction,
                     .path = end.path,
                     .locked = end.locked,
                     .held = end.held};
    for (size_t a = 0; a < CRM_SINGLE_ROWS; a++) {
        blow.impulse[a] = end.impulse[a];
        blow.after[a] = end.u[a];
    }
    return blow;
}
