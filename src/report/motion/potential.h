/* The rate of change of a scene's potential energy, by which pages draw energies between frames. */
#ifndef CRM_REPORT_POTENTIAL_H
#define CRM_REPORT_POTENTIAL_H

#include "carom/motion.h"

typedef struct crm_potential {
    struct scene_system *scene;
    double *still, *force; /* no velocity; forces */
} crm_potential;

/* Zeroed by a failure, and by crm_potential_free. */
crm_status crm_potential_create(const crm_scene_def *def, crm_potential *potential,
                                crm_error *error);
void crm_potential_free(crm_potential *potential);
/* dU/dt */
double crm_potential_rate(const crm_potential *potential, const double *position,
                          const double *velocity);

#endif
