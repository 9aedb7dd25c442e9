/* The film of a motion. */
#ifndef CRM_FRAMES_H
#define CRM_FRAMES_H

#include "report/motion/cast.h"
#include "report/page/film.h"

enum { CRM_FRAMES_PLACE, CRM_FRAMES_TURN, CRM_FRAMES_VELOCITY, CRM_FRAMES_SPIN }; /* its tracks */
/* Its series; those after the potential since the beginning. */
enum {
    CRM_FRAMES_KINETIC,
    CRM_FRAMES_POTENTIAL,
    CRM_FRAMES_LOST,
    CRM_FRAMES_WORK,
    CRM_FRAMES_CORRECTION,
    CRM_FRAMES_SERIES
};

crm_status crm_frames_create(const crm_cast *cast, crm_film *film, crm_error *error);
void crm_frames_add(crm_film *film, const crm_cast *cast, double time, const double *position,
                    const double *velocity, const crm_motion_account *energy, crm_film_join join);

#endif
