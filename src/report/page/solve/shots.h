/* The film of an impact. */
#ifndef CRM_SHOTS_H
#define CRM_SHOTS_H

#include "report/page/film.h"
#include "report/page/solve/extract.h"

enum { CRM_SHOTS_VELOCITY, CRM_SHOTS_FORCE, CRM_SHOTS_ENERGY }; /* its tracks */
/* Its series: the primary contact, from 1 (0: none), and its impulse; energy of all bodies, in all
 * contacts.
 */
enum { CRM_SHOTS_PRIMARY, CRM_SHOTS_PRIMARY_IMPULSE, CRM_SHOTS_KINETIC, CRM_SHOTS_STORED };

crm_status crm_shots_create(const crm_extract *extract, crm_film *film, crm_error *error);
void crm_shots_add(crm_film *film, const crm_model *model, const crm_extract *extract,
                   const crm_sample *sample);

#endif
