/* What the caller answers for (carom/status.h): functions without a status take what the library
 * has made, not NULL, and indices within it. Builds for debugging and those with sanitizers end
 * the program where that is not so; others do not look.
 */
#ifndef CRM_PRECONDITION_H
#define CRM_PRECONDITION_H

#ifdef CAROM_PRECONDITIONS
#include <stdio.h>
#include <stdlib.h>

#define CRM_PRECONDITION(condition)                                                                \
    ((condition)                                                                                   \
         ? (void)0                                                                                 \
         : (fprintf(stderr, "%s: the caller's duty: %s\n", __func__, #condition), abort()))
#else
#define CRM_PRECONDITION(condition) ((void)0)
#endif

#endif
