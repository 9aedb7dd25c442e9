#include "report/motion/potential.h"

#include <stdlib.h>

#include "base/base.h"
#include "motion/scene/scene.h"

crm_status crm_potential_create(const crm_scene_def *def, crm_potential *potential,
                                crm_error *error)
{
    *potential = (crm_potential){0};
    crm_status status = scene_make(def, &potential->scene, error);
    if (status != CRM_OK) {
        return status;
    }
    potential->still = CRM_NEW(double, potential->scene->velocities);
    potential->force = CRM_NEW(double, potential->scene->velocities);
    if (potential->still == NULL || potential->force == NULL) {
        crm_potential_free(potential);
        return crm_fail_memory(error);
    }
    return CRM_OK;
}

void crm_potential_free(crm_potential *potential)
{
    scene_free(potential->scene);
    free(potential->still);
    free(potential->force);
    *potential = (crm_potential){0};
}

/* The forces on bodies at rest are those of the potential alone: no damper works, no body spins. */
double crm_potential_rate(const crm_potential *potential, const double *position,
                          const double *velocity)
{
    double power = 0;
    scene_forces(potential->scene, position, potential->still, potential->force);
    for (size_t i = 0; i < potential->scene->velocities; i++) {
        power += potential->force[i] * velocity[i];
    }
    return -power;
}
