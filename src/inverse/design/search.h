/* The minimum of a function within bounds and linear constraints: the interface to a program that
 * finds it. The program's way is a module (src/plugin/nlopt.c).
 */
#ifndef CRM_SEARCH_H
#define CRM_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/status.h"

typedef struct crm_search {
    size_t count;
    const double *from, *to;
    size_t constraint_count;
    const double *rows; /* constraint_count * count: row . x = right, or <= right */
    const double *right;
    const bool *equal;
    size_t evaluations; /* at most */
    void *context;
    /* The value at x, and its gradient unless that is NULL. False: the search is to end. */
    bool (*value)(void *context, const double *x, double *value, double *gradient);
} crm_search;

typedef struct crm_searcher {
    const char *name; /* of the method, for reports */
    /* From x, which may violate the constraints, to a local minimum. CRM_ERROR_MODEL: it did not
     * reach one, and x is the best that was seen; CRM_ERROR_MEMORY.
     */
    crm_status (*minimize)(const crm_search *search, double *x);
} crm_searcher;

#define CRM_NLOPT_MODULE "crm_nlopt"

#endif
