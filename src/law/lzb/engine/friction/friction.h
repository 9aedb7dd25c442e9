/* Coulomb friction in the engine. Internal.
 *
 * Between events a contact that presses sticks or slips, and its friction force follows from the
 * normal forces of all:
 *
 *     slips:  f = -mu lambda d,  d the direction of u_t: in the plane constant, in space turning
 *     sticks: f makes u_t' = 0:  D_SS f_S = -(D_Sn lambda + D_SR f_R) over all that stick
 *
 * So c' = -B lambda with rows B that stand in the place of those of D, and so do u_t' = B lambda
 * for the slip velocities and f = F lambda: the steps of the engine need know no more. In space a
 * slipping contact has, beside F for the direction at the start of the step, forces g = -mu lambda
 * (d - d_0) that come as it turns, with columns of their own in all rows.
 *
 *     grip.c       who sticks and who slips, by
 *       discs.c      the convex problem of the sticking contacts
 *     rows.c       the rows F and B
 *     directions.c slipping in space: how d turns
 *     events.c     u_t comes to 0; what sticks begins to slip
 *     accept.c     slip velocities, tangential impulses and losses at the end of a step
 *
 * Theory: docs/theory/lzb-friction.md.
 */
#ifndef CRM_LZB_FRICTION_H
#define CRM_LZB_FRICTION_H

#include "law/lzb/engine/engine.h"
#include "law/lzb/engine/friction/discs.h"

/* In space u_t falls to no less than this part of its size in a step: its direction turns ever
 * faster as it comes to 0.
 */
static const double LZB_FRICTION_FALL = 0.1;

/* Of a contact that presses; else it is of no matter. */
typedef enum lzb_grip { LZB_STICKS, LZB_SLIPS } lzb_grip;

/* Rows of numbers by column, of which each is made once. */
typedef struct lzb_rows {
    uint32_t *start, *column;
    double *value;
    uint32_t room; /* for entries */
} lzb_rows;

/* The contacts that stick: A = D_SS of their friction directions, and the problem of discs.h. */
typedef struct lzb_sticking {
    size_t count, rank; /* rank: of A */
    uint32_t *place;
    double *matrix, *factor; /* A; its Cholesky factor in the order of pivots */
    uint32_t *pivot;
    size_t room, discs_room; /* for entries of the matrices; for contacts */
    double *q, *radius;
    lzb_discs discs;
    double *columns, *work; /* work of rows.c */
    size_t columns_room;
} lzb_sticking;

typedef struct lzb_friction {
    const crm_model *all; /* the directions */
    const double *coefficient;
    unsigned d;
    size_t contacts;
    const double *before; /* slip velocities before the impact */
    bool stale;           /* who sticks is to be found again */
    double band;          /* speed: less is none */
    /* by contact, d entries each: */
    double *slip, *direction;
    double *impulse; /* tangential, the outcome's */
    /* by contact: */
    uint8_t *grip;
    bool *begins;   /* of one that slips: found to at the end of the last step; else at that of a
                       trial, which need not be accepted */
    bool *stopped;  /* slipped until then */
    bool *known;    /* u_t is: it has pressed since */
    double *loss;   /* by friction, the outcome's */
    uint32_t *path; /* the outcome's */
    bool unique;    /* tangential impulses are */

    lzb_rows force; /* of f: d rows each place */
    uint32_t window_room;
    bool turned; /* directions have: rows are to be made again */
    lzb_sticking sticking;
    double *sum; /* work: by column */
    bool *seen;
    uint32_t *list;
    size_t listed;
} lzb_friction;

/* The index of a friction direction of a place, among rows and columns that are by place. */
static inline size_t lzb_friction_row(const lzb_engine *e, size_t i, unsigned k)
{
    return e->window.count + i * e->friction->d + k;
}

static inline size_t lzb_friction_column(const lzb_engine *e, size_t i, unsigned k)
{
    return e->friction->contacts + i * e->friction->d + k;
}

static inline bool lzb_friction_acts(const lzb_engine *e, size_t i)
{
    return i < e->window.pressing && e->friction->coefficient[e->window.member[i].contact] > 0;
}

static inline lzb_grip lzb_friction_grip(const lzb_engine *e, size_t i)
{
    return (lzb_grip)e->friction->grip[e->window.member[i].contact];
}

/* Does its direction turn within steps? */
static inline bool lzb_friction_turns(const lzb_engine *e, size_t i)
{
    return e->friction->d > 1 && lzb_friction_acts(e, i) && lzb_friction_grip(e, i) == LZB_SLIPS;
}

/* ---- friction.c ------------------------------------------------------------------------------ */

/* What the engine needs for a model with friction; nothing for one without. */
crm_status lzb_friction_create(lzb_engine *e, const crm_problem *problem, crm_outcome *outcome,
                               crm_error *error);
/* Losses are those by friction, too, from now on. */
void lzb_friction_finish_outcome(lzb_engine *e, crm_outcome *outcome);
/* D_jj, and what friction adds to it at most. */
double lzb_friction_own(const crm_model *model, size_t j);
/* The window has been gathered anew. */
void lzb_friction_gather(lzb_engine *e);
/* With forces by place: who sticks, if that may have changed, and the rows. */
crm_status lzb_friction_load(lzb_engine *e, crm_error *error);
/* Is it held by friction for good: nothing moves, and something presses? */
bool lzb_friction_is_locked(const lzb_engine *e);
/* Does any contact that presses stick? What has not ended after many steps is held by it. */
bool lzb_friction_is_bound(const lzb_engine *e);

/* ---- grip.c ---------------------------------------------------------------------------------- */

/* Who sticks, with the forces a little later than now. */
crm_status lzb_friction_decide(lzb_engine *e, crm_error *error);
/* The friction forces of those that stick, and how fast they begin to slip (sticking.discs), with
 * forces by column. Returns the largest of that, as a part of what it is summed from.
 */
double lzb_friction_hold(lzb_engine *e, const double *forces);
bool lzb_friction_sticks(double moves);

/* ---- rows.c ---------------------------------------------------------------------------------- */

/* Rows of the window and of friction forces, by who sticks. */
crm_status lzb_friction_make_rows(lzb_engine *e, crm_error *error);
/* A friction force of a place that slips, with forces by column. */
static inline double lzb_friction_slipping_force(const lzb_engine *e, size_t i, unsigned k,
                                                 const double *forces)
{
    const lzb_friction *f = e->friction;
    size_t j = e->window.member[i].contact;
    double force = -f->coefficient[j] * f->direction[j * f->d + k] * forces[i];
    return f->d > 1 ? force + forces[lzb_friction_column(e, i, k)] : force;
}
/* The row of a friction force times values by column. *size is raised to its largest term. */
double lzb_friction_force(const lzb_engine *e, size_t i, unsigned k, const double *from,
                          double *size);

/* ---- directions.c ---------------------------------------------------------------------------- */

/* u_t of a place at the nodes. */
void lzb_friction_slip_at_nodes(const lzb_engine *e, size_t i, unsigned k, lzb_nodal *slip);
/* f of a place at the nodes. */
void lzb_friction_force_at_nodes(const lzb_engine *e, size_t i, unsigned k, lzb_nodal *force);
/* The forces g at the nodes: none yet; by interpolation; from those that are there. The last
 * returns the largest change of a force by what it does to its own contact, or `most`.
 */
void lzb_friction_guess(lzb_engine *e);
void lzb_friction_resample(lzb_engine *e, const lzb_nodal *columns);
double lzb_friction_turn(lzb_engine *e, double most);
/* Impulses of the forces g in the step, and the error that they make. */
void lzb_friction_finish(lzb_engine *e);
double lzb_friction_error(lzb_engine *e);
/* u_t of a place at the end, along its direction, and its slope there. In space less the part to
 * which it may fall in a step.
 */
double lzb_friction_slip_along(const lzb_engine *e, size_t i, double *slope);
/* Was it at the start of the step? */
bool lzb_friction_is_at_rest(const lzb_engine *e, size_t i);

/* ---- events.c -------------------------------------------------------------------------------- */

void lzb_friction_look(lzb_engine *e, lzb_located_event *first);

/* ---- accept.c -------------------------------------------------------------------------------- */

void lzb_friction_accept(lzb_engine *e);
/* A contact opens with an impulse that was still to come: its part of the friction. */
void lzb_friction_give(lzb_engine *e, size_t i, double impulse);

#endif
