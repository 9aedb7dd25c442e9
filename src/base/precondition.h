/* Preconditions of functions that return no status (carom/status.h): pointers to objects of the
 * library, not NULL, and indices in range. Debug and sanitizer builds abort where one is violated;
 * other builds do not check.
 */
#ifndef CRM_PRECONDITION_H
#define CRM_PRECONDITION_H

#ifdef CAROM_PRECONDITIONS
#include <stdio.h>
#include <stdlib.h>

#define CRM_PRECONDITION(condition)                                                                \
    ((condition)                                                                                   \
         ? (void)0                                                                                 \
         : (fprintf(stderr, "%s: precondition violated: %s\n", __func__, #condition), abort()))
#else
#define CRM_PRECONDITION(condition) ((void)0)
#endif

#endif
