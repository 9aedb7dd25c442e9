/* The last part of the table of a motion. Internal to src/report/motion. */
#ifndef CRM_MOTION_BODIES_H
#define CRM_MOTION_BODIES_H

#include "report/motion.h"
#include "report/text/sheet.h"

/* A row for each body that can move. It sets the names and columns of the sheet. */
crm_status crm_motion_print_bodies(const crm_motion_report *report, crm_style style,
                                   crm_sheet *sheet, crm_error *error);

#endif
