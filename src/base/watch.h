/* Watched calls, from within (carom/watch.h): progress, time limit, interruption. Internal.
 *
 * A long loop counts its work. After so much of it that reading the clock costs nothing beside it,
 * the watch is consulted:
 *
 *     if (crm_watch_due(watching, contacts)) {
 *         const crm_watch_report progress = {.time = t, ...};
 *         if (crm_watch_ends(watching, &progress)) {
 *             break;
 *         }
 *     }
 *
 * Once interrupted, every later consultation in the same call says so again, so that nested loops
 * all end.
 */
#ifndef CRM_WATCH_INTERNAL_H
#define CRM_WATCH_INTERNAL_H

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "carom/watch.h"

/* Threads that work on one call: one at a time calls back, and all end together. */
typedef struct crm_watch_group {
    pthread_mutex_t lock;
    atomic_bool over;
} crm_watch_group;

/* {0}: not watched. */
typedef struct crm_watching {
    const crm_watch *watch;
    double began, asked; /* seconds of a monotonic clock */
    uint64_t done;       /* work since the watch was last consulted */
    bool over;
    crm_watch_group *group; /* NULL: there is one thread */
} crm_watching;

/* Work between two consultations, in contacts visited: about ten microseconds, a hundred times what
 * a consultation takes. */
enum { CRM_WATCH_WORK = 5000 };

/* watch NULL: not watched. It is borrowed. */
crm_watching crm_watch_begin(const crm_watch *watch);

/* NULL: not watched. */
static inline bool crm_watch_due(crm_watching *watching, uint64_t work)
{
    if (watching == NULL || watching->watch == NULL) {
        return false;
    }
    watching->done += work;
    return watching->over || watching->done >= CRM_WATCH_WORK;
}

/* Is the call to end? `seconds` of the progress is filled in. */
bool crm_watch_ends(crm_watching *watching, const crm_watch_report *progress);
/* The same for work that reports no progress: is the call to end? */
static inline bool crm_watch_interrupts(crm_watching *watching, uint64_t work)
{
    const crm_watch_report nothing = {.time = NAN, .left = NAN};
    return crm_watch_due(watching, work) && crm_watch_ends(watching, &nothing);
}
/* Why it ended, or is about to: "time limit of 2 s reached", "stopped after 2 s". */
void crm_watch_reason(const crm_watching *watching, char *text, size_t size);

/* False: the mutex cannot be created. */
bool crm_watch_group_begin(crm_watch_group *group);
void crm_watch_group_end(crm_watch_group *group);

#endif
