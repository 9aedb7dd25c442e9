/* Watching over a long call: how far it has come, and an end to it.
 *
 * A call that is watched looks up many times a second, asks whether it may go on, and minds the
 * time. When it is told to end, or its time is up, it ends with what it has reached: an impact is
 * CRM_NOT_TERMINATED and says so in its reason, a complementarity problem
 * CRM_LCP_NOT_TERMINATED. That is no error.
 *
 * To be watched changes no bit of an answer that is reached.
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
    size_t working; /* contacts at work, or still closing */
    uint64_t steps; /* steps, collisions, sets of contacts */
} crm_watch_report;

/* Start from {0}: nobody is asked, and there is no limit. A number that is not above 0 is as 0. */
typedef struct crm_watch {
    double seconds; /* that one call may take; 0: any time */
    double bytes; /* that one call may take beside its model, about: one that needs more is refused
                     with CRM_ERROR_MEMORY, before it asks the system for them; 0: any number */
    double every; /* seconds from one question to the next, at least; 0: a twentieth */
    void *context;
    /* false: the call is to end. May be NULL. Called by a thread that the call uses, by one at a
     * time. */
    bool (*go_on)(void *context, const crm_watch_report *progress);
} crm_watch;

#ifdef __cplusplus
}
#endif
#endif
