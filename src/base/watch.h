/* A call that is watched, from within (carom/watch.h). Internal to the library.
 *
 * Whoever has a long loop tells how much it has done, and looks up when enough has been done that
 * the look costs nothing:
 *
 *     if (crm_watch_due(watching, contacts)) {
 *         const crm_watch_report progress = {.time = t, ...};
 *         if (crm_watch_ends(watching, &progress)) {
 *             break;
 *         }
 *     }
 *
 * Once told to end, the same call looks up at every opportunity and is told the same again, so that
 * loops within loops all end.
 */
#ifndef CRM_WATCH_INTERNAL_H
#define CRM_WATCH_INTERNAL_H

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "carom/watch.h"

/* Threads that work on one call: one asks at a time, and all end together. */
typedef struct crm_watch_group {
    pthread_mutex_t lock;
    atomic_bool over;
} crm_watch_group;

/* {0}: nobody watches. */
typedef struct crm_watching {
    const crm_watch *watch;
    double began, asked; /* by a clock that only goes forward */
    uint64_t done;       /* since the last look */
    bool over;
    crm_watch_group *group; /* NULL: there is one thread */
} crm_watching;

/* Some ten microseconds, counted in contacts gone through: looking up takes a hundredth of that. */
enum { CRM_WATCH_WORK = 5000 };

/* watch NULL: nobody watches. It is borrowed. */
crm_watching crm_watch_begin(const crm_watch *watch);

/* NULL: nobody watches. */
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
/* For work that has nothing to tell of its progress: is it to end? */
static inline bool crm_watch_interrupts(crm_watching *watching, uint64_t work)
{
    const crm_watch_report nothing = {.time = NAN, .left = NAN};
    return crm_watch_due(watching, work) && crm_watch_ends(watching, &nothing);
}
/* Why it ended, or is about to: "time limit of 2 s reached", "stopped after 2 s". */
void crm_watch_reason(const crm_watching *watching, char *text, size_t size);

/* False: no such thing can be had. */
bool crm_watch_group_begin(crm_watch_group *group);
void crm_watch_group_end(crm_watch_group *group);

#endif
