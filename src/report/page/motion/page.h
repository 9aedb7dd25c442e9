/* The page of a motion. */
#ifndef CRM_PAGE_MOTION_H
#define CRM_PAGE_MOTION_H

#include "report/motion.h"
#include "report/page/motion/blows.h"
#include "report/page/motion/frames.h"
#include "report/page/page.h"

typedef struct crm_motion_page {
    const crm_motion_report *report; /* with the cast */
    crm_film *film;                  /* both are thinned when they are too long for a page */
    crm_blows *blows;
    crm_page_source source;
} crm_motion_page;

/* What the stream refuses shows in ferror(); the status tells of memory only. */
crm_status crm_page_motion(const crm_motion_page *page, FILE *stream, crm_error *error);

#endif
