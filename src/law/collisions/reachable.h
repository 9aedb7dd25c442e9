/* Every outcome that sequences of collisions can reach, whatever their order. Internal to the
 * library; used by the laws binary and sequential.
 */
#ifndef CRM_REACHABLE_H
#define CRM_REACHABLE_H

#include "law/collisions/collisions.h"

/* Contacts that a search for simultaneous collisions can tell apart. */
enum { CRM_REACHABLE_CONTACTS = 64 };

/* Outcomes whose gap velocities differ by less than this, relative to the largest closing speed
 * before the impact, are one.
 */
extern const double crm_reachable_distinct;

typedef struct crm_reachable_limits {
    size_t states;     /* after that many different states the search is given up */
    bool simultaneous; /* sets of coupled contacts may collide at once; at most
                          CRM_REACHABLE_CONTACTS contacts then */
} crm_reachable_limits;

typedef struct crm_reachable {
    size_t count;      /* distinct outcomes */
    double *impulse;   /* one way to each of them: count times a number for each contact, and for
                          each of its tangents after it */
    bool complete;     /* every sequence was followed to its end */
    size_t states;     /* different states met */
    size_t unfinished; /* ends where small closing speeds were left: sequences that die away */
    size_t locked;     /* collisions in which a contact locked */
    size_t dependent;  /* sets of contacts left out because their impulses are not determined */
} crm_reachable;

/* Release in any case. */
crm_status crm_reachable_find(const crm_problem *problem, crm_reachable_limits limits,
                              crm_reachable *reachable, crm_error *error);
void crm_reachable_release(crm_reachable *reachable);

/* The velocities of outcome k (n entries). */
crm_status crm_reachable_velocity(const crm_problem *problem, const crm_reachable *reachable,
                                  size_t k, double *velocity, crm_error *error);

#endif
