/* The page of a motion. */
#ifndef CRM_PAGE_MOTION_H
#define CRM_PAGE_MOTION_H

#include "report/motion.h"
#include "report/page/motion/kept_impacts.h"
#include "report/page/motion/motion_frames.h"
#include "report/page/page.h"

typedef struct crm_motion_page {
    const crm_motion_report *report; /* with the subset */
    crm_frames *frames; /* frames and impacts are thinned when they are too long for a page */
    crm_kept_impacts *impacts;
    crm_page_source source;
    const struct crm_motion_page *beside; /* of the same scene, with no source; NULL: none */
} crm_motion_page;

/* A failed write shows in ferror(); the status is about memory only. */
crm_status crm_motion_page_write(const crm_motion_page *page, FILE *stream, crm_error *error);

#endif
