/* What a contact does when it collides alone. Internal to the laws of collisions. */
#ifndef CRM_COLLISIONS_BLOW_H
#define CRM_COLLISIONS_BLOW_H

#include "law/law.h"
#include "law/single/single.h"

/* Normal first, then the tangents. */
typedef struct crm_blow {
    double impulse[CRM_SINGLE_ROWS];
    double after[CRM_SINGLE_ROWS]; /* its own u */
    double loss, loss_friction;    /* loss: of both */
    unsigned path;                 /* bits of crm_path */
    bool locked;                   /* at rest, with energy held by friction */
    double held;
} crm_blow;

/* Contact j, with u (1 + tangents) of which the first closes. Without friction Newton's law, else
 * Stronge's.
 */
crm_blow crm_blow_find(const crm_model *model, size_t j, const double *u, double restitution);
/* The model whose contacts the entries of u and of impulses are: with friction its directions. */
const crm_model *crm_blow_directions(const crm_model *model);

#endif
