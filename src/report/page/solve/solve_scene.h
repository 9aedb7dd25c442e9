/* The scene of an impact as JSON, for drawing. */
#ifndef CRM_SOLVE_SCENE_H
#define CRM_SOLVE_SCENE_H

#include <jansson.h>

#include "report/report.h"
#include "scenario/layout.h"

/* Bodies, walls and contacts; null: there is no geometry. */
json_t *crm_solve_scene_object(const crm_report *report, const crm_layout *layout);

#endif
