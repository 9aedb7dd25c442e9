/* Threads that work together on one computation, in many short jobs. Internal.
 *
 * A job is a number of parts, each done once by any of the threads. The division into parts must
 * not depend on the number of threads; then neither do the results, to the last bit, provided that
 * sums are formed part by part and added in the order of the parts.
 */
#ifndef CRM_TEAM_H
#define CRM_TEAM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct crm_team crm_team;

size_t crm_team_processors(void); /* online; at least 1 */

/* Start a thread of the library. It blocks all signals but faults, so that the host program's own
 * threads handle them. false: it cannot be started.
 */
bool crm_team_start(pthread_t *thread, void *(*run)(void *), void *context);

typedef void crm_team_part(void *context, size_t part);

/* A team of this many threads, including the caller's; fewer if they cannot be started. NULL: the
 * caller alone.
 */
crm_team *crm_team_create(size_t threads);
void crm_team_free(crm_team *team); /* NULL is fine */

size_t crm_team_threads(const crm_team *team);

/* Do all parts of a job; returns when they are done. Called by one thread at a time, and not from
 * within a part. A thread that comes late is not waited for; the others do its share.
 */
void crm_team_run(crm_team *team, size_t parts, crm_team_part *part, void *context);

/* A team that is started when it is first used, and again in a forked child. {.most = 1} is the
 * caller alone.
 */
typedef struct crm_team_lazy {
    size_t most; /* the caller's among them; 0: one for each processor */
    crm_team *team;
} crm_team_lazy;

void crm_team_lazy_allow(crm_team_lazy *threads, size_t most);
crm_team *crm_team_lazy_start(crm_team_lazy *threads); /* NULL: the caller alone */
void crm_team_lazy_stop(crm_team_lazy *threads);       /* the team; it may be started again */

#endif
