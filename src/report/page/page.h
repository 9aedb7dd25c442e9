/* A result as one HTML file that needs nothing else: no network, no other file. */
#ifndef CRM_PAGE_H
#define CRM_PAGE_H

#include <stddef.h>

/* What was computed, so that it can be repeated. */
typedef struct crm_page_source {
    const char *file;     /* "" : standard input */
    const char *scenario; /* its text; NULL: not known */
    const char *command;  /* as it would be typed */
    const char *solver; /* the program for browsers, packed, with which the page solves again; NULL:
                           it does not */
    const char *laws;   /* --law and --set, with which it does; NULL: as in the scenario */
    const char **sets;
    size_t set_count;
} crm_page_source;

#endif
