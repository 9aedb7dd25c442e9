/* One neighbourhood, computed on its own, and what all of them share. Internal to this folder. */
#ifndef CRM_LZB_NEIGHBOURHOOD_H
#define CRM_LZB_NEIGHBOURHOOD_H

#include <stdatomic.h>

#include "law/lzb/extrapolation/neighbourhood/neighbourhoods.h"

/* Contacts up to CORE away from an unresolved one are taken from the second computation, those up
 * to CORE + BUFFER take part in it.
 */
enum { CORE = 2, BUFFER = 2, FAR = 0xff };

/* So many neighbourhoods of a large window are computed before it is asked whether all went well.
 */
enum { LZB_ROUND = 64 };

/* What the second computation may change of a contact. */
typedef struct contact_state {
    double x, c, p, remainder, restitution, x_open, step_error, loss, peak, contact_time;
    uint32_t compressions;
    uint8_t mode;
} contact_state;

/* What one thread needs to compute a neighbourhood. */
typedef struct lzb_worker {
    atomic_bool busy;
    lzb_window window; /* what it has by contact of the model is shared by all workers */
    lzb_drive drive;
    size_t room;
    uint32_t *source; /* by place in the outer window: source of the drive that stands for it, + 1;
                         0: none, as between neighbourhoods */
} lzb_worker;

/* A neighbourhood, and its result. */
typedef struct lzb_neighbourhood {
    size_t first, count; /* in lzb_neighbourhoods.listed */
    uint32_t stamp;      /* its own */
    bool good;
    crm_status status;
    double energy, error_late, opened;
    uint64_t evaluations;
} lzb_neighbourhood;

struct lzb_neighbourhoods {
    lzb_window window; /* lends the workers what is by contact of the model */
    size_t worker_count;
    lzb_worker **workers;
    size_t room;      /* of the arrays by place in the outer window */
    uint8_t *hops;    /* contacts to the next unresolved one, FAR: more than enough */
    uint8_t *taken;   /* of those included: it is in a neighbourhood */
    uint32_t *queue;  /* places included, nearest first */
    uint32_t *listed; /* places of the contacts, neighbourhood after neighbourhood */
    contact_state *saved;
    double *change0, *change; /* d(force)/dt at the start of the step and at its end */
    size_t included;
    lzb_neighbourhood round[2][LZB_ROUND]; /* one is computed while the other is collected */
};

static inline bool lzb_neighbourhood_has(const lzb_neighbourhoods *all, size_t place)
{
    return all->hops[place] != FAR;
}

/* Is it to be taken from the second computation? */
static inline bool lzb_neighbourhood_is_core(const lzb_neighbourhoods *all, size_t place)
{
    return all->hops[place] <= CORE;
}

void lzb_neighbourhood_worker_free(lzb_worker *worker); /* NULL is fine */

/* The neighbourhood goes through a step of the outer window on its own; several may do so at the
 * same time. Results in the state and in *one.
 */
void lzb_neighbourhood_compute(const lzb_neighbourhoods *all, lzb_worker *worker,
                               const lzb_stepper *outer, lzb_neighbourhood *one, double length);

#endif
