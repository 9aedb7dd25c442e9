/* The parts of lzb_local: contacts drawn in by trouble, in groups that do not touch each other,
 * each computed on its own. Internal to course/local.c and course/group.c.
 */
#ifndef CRM_LZB_GROUP_H
#define CRM_LZB_GROUP_H

#include <stdatomic.h>

#include "law/lzb/course/local.h"

/* Contacts up to CORE away from one in trouble are taken from the second computation, those up to
 * CORE + BUFFER take part in it.
 */
enum { CORE = 2, BUFFER = 2, FAR = 0xff };

/* So many groups of a large window are computed before it is asked whether all went well. */
enum { LZB_BATCH = 64 };

/* What a local computation may change of a contact. */
typedef struct contact_state {
    double x, c, p, rest, restitution, x_open, doubt, loss, peak, held;
    uint32_t compressions;
    uint8_t mode;
} contact_state;

/* What one thread needs to compute a group. */
typedef struct lzb_worker {
    atomic_bool busy;
    lzb_window window; /* what it has by contact of the model is shared by all workers */
    lzb_drive drive;
    size_t room;
    uint32_t *source; /* by place in the outer window: source of the drive that stands for it, + 1;
                         0: none, as between groups */
} lzb_worker;

/* A group, and what came of it. */
typedef struct lzb_group {
    size_t first, count; /* in lzb_local.group */
    uint32_t stamp;      /* its own */
    bool good;
    crm_status status;
    double energy, error_late, opened;
    uint64_t evaluations;
} lzb_group;

struct lzb_local {
    lzb_window window; /* lends the workers what is by contact of the model */
    size_t worker_count;
    lzb_worker **workers;
    size_t room;     /* of the arrays by place in the outer window */
    uint8_t *near;   /* contacts between this one and the next in trouble, FAR: more than enough */
    uint8_t *taken;  /* of those drawn in: it has been put into a group */
    uint32_t *queue; /* places drawn in, nearest to trouble first */
    uint32_t *group; /* places of the contacts that are computed together, group after group */
    contact_state *saved;
    double *change0, *change; /* d(force)/dt at the start of the step and at its end */
    size_t drawn_in;
    lzb_group batch[2][LZB_BATCH]; /* computed at the same time; collected meanwhile */
};

static inline bool lzb_group_has(const lzb_local *local, size_t place)
{
    return local->near[place] != FAR;
}

/* Is it to be taken from the second computation? */
static inline bool lzb_group_is_core(const lzb_local *local, size_t place)
{
    return local->near[place] <= CORE;
}

void lzb_group_worker_free(lzb_worker *worker); /* NULL is fine */

/* The group goes through a step of the outer window on its own; groups may do so at the same time.
 * Results in the state and in *group.
 */
void lzb_group_compute(const lzb_local *local, lzb_worker *worker, const lzb_stepper *outer,
                       lzb_group *group, double length);

#endif
