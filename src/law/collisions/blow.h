/* What a contact does when it collides alone. Internal to the laws of collisions. */
#ifndef CRM_COLLISIONS_BLOW_H
#define CRM_COLLISIONS_BLOW_H

#include "law/law.h"
#include "law/single/single.h"

/* Normal first, then the tangents. */
typedef struct crm_blow {
    double impulse[CRM_SINGLE_ROWS];
    double after[CRM_SINGLE_ROWS]; /* its own u */
    double loss;                   /* by friction, too */
    /* With friction. */
    double loss_friction;
    unsigned path; /* bits of crm_path */
    bool locked;   /* at rest, with energy held by friction */
    double held;
} crm_blow;

/* Stronge's law. */
void crm_blow_find_rough(const crm_model *model, size_t j, const double *u, double restitution,
                         crm_blow *blow);

/* Contact j, with u (1 + tangents) of which the first closes. Without friction Newton's law, which
 * says nothing of friction.
 */
static inline void crm_blow_find(const crm_model *model, size_t j, const double *u,
                                 double restitution, crm_blow *blow)
{
    double e = restitution, closing = -u[0];
    if (model->tangents > 0) {
        crm_blow_find_rough(model, j, u, restitution, blow);
        return;
    }
    blow->impulse[0] = (1 + e) * closing / model->d_diagonal[j];
    blow->after[0] = e * closing;
    blow->loss = 0.5 * (1 - e * e) * closing * closing / model->d_diagonal[j];
}

/* The model whose contacts the entries of u and of impulses are: with friction its directions. */
const crm_model *crm_blow_directions(const crm_model *model);

#endif
