/* What crosses the folder: a scene moved in equal steps. */
#ifndef CRM_STEPPING_CREATE_H
#define CRM_STEPPING_CREATE_H

#include "motion/motion.h"

/* `def` is checked. */
crm_status crm_stepping_create(const crm_scene_def *def, const crm_motion_options *options,
                               crm_motion **motion, crm_error *error);

#endif
