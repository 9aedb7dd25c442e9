/* The report of a motion as JSON. */
#ifndef CRM_MOTION_JSON_H
#define CRM_MOTION_JSON_H

#include <jansson.h>

#include "report/motion.h"

/* As crm_motion_report_json prints it; NULL where memory ran out. */
json_t *crm_motion_object(const crm_motion_report *report);

#endif
