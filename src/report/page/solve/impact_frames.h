/* The frames of an impact. */
#ifndef CRM_IMPACT_FRAMES_H
#define CRM_IMPACT_FRAMES_H

#include "report/page/frames.h"
#include "report/page/solve/model_subset.h"

enum {
    CRM_IMPACT_FRAMES_VELOCITY,
    CRM_IMPACT_FRAMES_FORCE,
    CRM_IMPACT_FRAMES_ENERGY
}; /* its tracks */
/* Its series: the primary contact, from 1 (0: none), and its impulse; energy of all bodies, in all
 * contacts.
 */
enum {
    CRM_IMPACT_FRAMES_PRIMARY,
    CRM_IMPACT_FRAMES_PRIMARY_IMPULSE,
    CRM_IMPACT_FRAMES_KINETIC,
    CRM_IMPACT_FRAMES_STORED
};

crm_status crm_impact_frames_create(const crm_model_subset *subset, crm_frames *frames,
                                    crm_error *error);
void crm_impact_frames_add(crm_frames *frames, const crm_model *model,
                           const crm_model_subset *subset, const crm_sample *sample);

#endif
