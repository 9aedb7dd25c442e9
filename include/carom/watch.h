/* Progress, time limit and interruption of a long call.
 *
 * A watched call checks its time limit many times a second, and calls go_on to report progress and
 * to ask whether it may continue. When it is interrupted, or its time is up, it returns what it has
 * reached: an impact is CRM_NOT_TERMINATED and gives the reason, a complementarity problem is
 * CRM_LCP_NOT_TERMINATED. That is not an error.
 *
 * A watch changes no bit of an answer that is reached.
 */
#ifndef CAROM_WATCH_H
#define CAROM_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Borrowed for the length of the call. */
typedef struct crm_watch_report {
    double seconds; /* since the call began */
    double time;    /* in the impact; NAN: the law has no time */
    double left;    /* the largest closing speed, or speed that stored energy could make, as a part
                       of that at the beginning; NAN: not known */
    size_t working; /* contacts loaded, or still closing */
    uint64_t steps; /* steps, collisions, sets of contacts */
} crm_watch_report;

/* Start from {0}: no callback and no limit. A number that is not above 0 counts as 0. */
typedef struct crm_watch {
    double seconds; /* limit of one call; 0: none */
    double bytes; /* approximate memory limit of one call, without its model: a call that needs more
                     is refused with CRM_ERROR_MEMORY before it allocates; 0: none */
    double every; /* least number of seconds between two calls of go_on; 0: 0.05 */
    void *context;
    /* false: interrupt the call. May be NULL. Called by any thread of the call, by one at a
     * time. */
    bool (*go_on)(void *context, const crm_watch_report *progress);
} crm_watch;

#ifdef __cplusplus
}
#endif
#endif
