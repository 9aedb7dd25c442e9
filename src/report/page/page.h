/* A result as one HTML file that needs nothing else: no network, no other file. */
#ifndef CRM_PAGE_H
#define CRM_PAGE_H

/* What was computed, so that it can be repeated. */
typedef struct crm_page_source {
    const char *file;     /* "" : standard input */
    const char *scenario; /* its text; NULL: not known */
    const char *command;  /* as it would be typed */
} crm_page_source;

#endif
