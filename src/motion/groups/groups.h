/* The event-driven motion of a scene: the flight of all free spheres (motion/flight), and groups,
 * each a Lagrangian motion (motion/lagrange) of bodies that are near each other. Internal to the
 * library.
 *
 *   create.c     the definition: which bodies can fly, the first groups
 *   group.c      one group: its part of the scene as a system of its own
 *   clearance.c  the sphere that a body does not leave unnoticed, and when it leaves
 *   parts.c      which bodies belong together
 *   regroup.c    groups formed anew
 *   run.c        the flight and the groups, in the order of time
 *   overlap.c    an independent check that no impact was missed
 *   read.c       states, and the energy account of flight and groups together
 *   archive.c    the state, for archives
 *
 * Nothing outside of a group touches its bodies, however fast things are. Every body that is not in
 * the flight has a clearance sphere, which contains it and lies still. When a ball in flight
 * reaches the sphere, that is an event of the flight (its meeting with a sphere at rest); when a
 * body reaches the edge of its own sphere, that is an event of its group; spheres of bodies in
 * different groups do not overlap. At either event the sphere is renewed around the present
 * position, with a margin of half the distance to the nearest ball in flight, and at most a third
 * of that to the nearest body of another group. So two bodies that approach each other renew their
 * spheres a number of times that grows with the logarithm of their distance only. When they are
 * closer than JOIN of the smaller one's size, they are one group, until they are further apart than
 * LEAVE.
 *
 * Why the spheres of bodies in different groups are always disjoint. A renewed sphere of a has a
 * margin of at most a third of the distance d to any b of another group, so that two spheres
 * renewed at once leave a third of d between them; an older sphere of b that reaches into that of a
 * is renewed in the same regrouping. Spheres of bodies in one group may overlap. So whatever puts
 * two bodies into different groups renews the spheres of both:
 *   - a group splits: all of its bodies that have parted from another one are queued for the next
 *     round of the same regrouping (regroup.c);
 *   - a ball leaves the flight, and all bodies at the start: unassigned bodies are queued, and
 *     count as in different groups until a group has both (`same` in clearance.c);
 *   - a ball returns to the flight: it has no sphere then, and spheres that it is in are renewed.
 * Joining two groups needs nothing: a third body is as far from both as before. Whether two bodies
 * are near enough to join does not depend on which of them is examined, or neither would keep clear
 * of the other. Balls in flight keep twice the margin, and meet the sphere as an event of theirs.
 * Fixed bodies belong to a group before a sphere of the largest margin could reach them (parts.c).
 * Walls, oscillating or not, belong to every group. Bodies joined by a spring and bobs that can
 * reach each other are never separated. A group of everything that moves has no spheres, and never
 * splits. An archive has spheres and groups as they are.
 *
 * So an impact always lies within the flight or within one group, and neither the steps nor the
 * work of a group depend on bodies far from it.
 *
 * All decisions are made at events of the motion, from states there: they depend neither on where
 * runs end nor on observers.
 */
#ifndef CRM_GROUPS_H
#define CRM_GROUPS_H

#include "motion/flight/flight.h"
#include "motion/lagrange/lagrange.h"
#include "motion/scene/scene.h"

enum { GROUPS_NONE = UINT32_MAX, GROUPS_UNASSIGNED = UINT32_MAX - 1 };

/* A body that never flies: not a sphere, or on a string, or at a spring. */
typedef struct groups_nonflying {
    uint32_t body;
    crm_body_def def;
    bool hung;
    crm_suspension string;
    double reach; /* radius of the sphere around it */
    uint32_t positions, velocities;
} groups_nonflying;

/* What moves a body: group number `group`, as body `place` of its scene; GROUPS_UNASSIGNED: nothing
 * yet, it is entry `place` of the unassigned; GROUPS_NONE: the flight, or it is fixed.
 */
typedef struct groups_membership {
    uint32_t group, place;
} groups_membership;

typedef struct groups_unassigned {
    uint32_t body;
    double reach;
    double x[3]; /* centre */
    uint32_t positions, velocities;
    double q[8], v[8]; /* room for those of any body */
} groups_unassigned;

typedef struct groups_group {
    crm_motion *motion; /* a lagrange_motion */
    const scene_system *scene;
    size_t count;
    uint32_t *body; /* numbers in the scene; ascending, fixed ones among them */
    double *state;  /* at state_time: positions, then velocities */
    double state_time;
    double exit_time; /* when a body leaves its clearance sphere, within the pending step */
    uint32_t exit_body;
    bool sole;        /* nothing else moves: its bodies have no clearance spheres */
    bool stale;       /* its bodies may belong together otherwise now (regroup.c) */
    bool interrupted; /* by an observer, before all impacts of an instant were done */
} groups_group;

/* A box that contains a body over the pending step of its group, and bounds on accelerations. */
typedef struct groups_swept_box {
    double low[3], high[3];
    double acceleration;      /* of its centre ... */
    double spin_acceleration; /* ... and of its points relative to the centre */
} groups_swept_box;

/* Two that overlap although no impact was found: a `second` from u->bodies on is a wall. */
typedef struct groups_overlap {
    bool found;
    size_t first, second;
    double time, depth;
} groups_overlap;

typedef struct groups_totals {
    uint64_t impacts;
    double lost, work, max_penetration;
} groups_totals;

typedef struct groups_motion {
    crm_motion motion;
    flight *flight;
    crm_motion_options group_options; /* they: they do not stop by themselves */

    /* The scene. */
    size_t bodies, walls, springs, nonflying_count, fixed; /* numbers of them */
    groups_nonflying *nonflying;                           /* ascending by body */
    crm_wall_def *wall;
    crm_wall_motion *wall_motion; /* NULL: none oscillates */
    crm_spring_def *spring;
    double tolerance, size;

    size_t groups, group_room;
    groups_group **group;
    groups_membership *membership; /* of each body */
    groups_totals dissolved;       /* totals of groups that are no more */

    /* The regrouping under way. */
    size_t unassigned_count, unassigned_room;
    groups_unassigned *unassigned;
    uint8_t *queued; /* of each body: is or was in the queue */
    size_t queue_count;
    uint32_t *queue;
    size_t candidate_count;
    uint32_t *candidate, *part_of; /* bodies to be grouped, and their parts */
    size_t found_count;
    uint32_t *found; /* fixed bodies near a part, then all bodies of it */

    groups_swept_box *swept; /* of each body in a group with a pending step */
    groups_overlap overlap;

    bool started;
    bool invalid;   /* loading has failed: there is no state */
    double sampled; /* time of the last state that the observer has had */
    double *state;  /* for it; made when first used */
    const crm_observer *observer;
} groups_motion;

/* ---- create.c -------------------------------------------------------------------------------- */

/* Any scene, event-driven; `def` is checked. */
crm_status crm_groups_create(const crm_scene_def *def, const crm_motion_options *options,
                             crm_motion **motion, crm_error *error);
/* Memory for groups; called before the first of them. */
crm_status groups_allocate(groups_motion *u, crm_error *error);
/* NULL: it can fly. */
const groups_nonflying *groups_find_nonflying(const groups_motion *u, size_t body);
bool groups_is_fixed(const groups_motion *u, size_t body);

/* ---- group.c --------------------------------------------------------------------------------- */

/* A group of `count` bodies, ascending, fixed ones among them, in their states at t: those of their
 * groups, or of the unassigned.
 */
crm_status groups_group_create(groups_motion *u, const uint32_t *body, size_t count, double t,
                               groups_group **made, crm_error *error);
void groups_group_free(groups_group *g); /* NULL is fine */
/* State at a time within its pending step. */
const double *groups_group_state(groups_group *g, double t);
lagrange_motion *groups_engine(const groups_group *g);
/* The end of its pending step, or the exit of a body before. */
double groups_group_next_time(const groups_group *g);

/* ---- clearance.c ----------------------------------------------------------------------------- */

/* Centre and size of an external or fixed body. */
void groups_centre(groups_motion *u, size_t body, double t, double *x);
double groups_reach(const groups_motion *u, size_t body);
/* Distance of the spheres around two such bodies. */
double groups_distance(groups_motion *u, size_t a, size_t b, double t);
/* Whether bodies of two groups are so near that they join. */
bool groups_are_near(groups_motion *u, size_t a, size_t b, double t);
/* Closer than this they join a group; further apart they leave it. */
double groups_join_distance(const groups_motion *u, size_t a, size_t b);
double groups_leave_distance(const groups_motion *u, size_t a, size_t b);
/* Largest margin of a clearance sphere around a body. */
double groups_margin_most(const groups_motion *u, size_t body);
/* Sets g->exit_time and g->exit_body, from t on. */
void groups_find_exit(groups_motion *u, groups_group *g, double t);

/* New clearance spheres of all queued bodies; marks groups whose bodies may part or join. */
crm_status groups_renew_clearances(groups_motion *u, double t, crm_error *error);
/* From a ball in flight, or a clearance sphere, to a point. */
double groups_ball_distance(const flight *f, size_t ball, double t, const double *x);

/* ---- parts.c --------------------------------------------------------------------------------- */

/* Lists the movable bodies of stale groups, and the unassigned, in u->candidate. */
void groups_list_candidates(groups_motion *u);
/* Sets u->part_of: of each candidate the index of the first one in its part. */
void groups_find_parts(groups_motion *u, double t);
/* The group of exactly the bodies of a part, if it has all fixed bodies near them; else NULL. */
groups_group *groups_same_group(groups_motion *u, size_t part, double t);
/* Whether a part is one ball that can fly. */
bool groups_can_fly(groups_motion *u, size_t part, double t);
/* Sets u->found to the bodies of a group for this part, ascending. Returns whether these are all
 * bodies of the scene.
 */
bool groups_list_part(groups_motion *u, size_t part, double t);

/* ---- regroup.c ------------------------------------------------------------------------------- */

/* Queues a body for a new clearance sphere. */
void groups_queue_body(groups_motion *u, size_t body);
void groups_clear_queue(groups_motion *u);
/* A ball leaves the flight and is unassigned. */
crm_status groups_take_from_flight(groups_motion *u, size_t ball, double t, crm_error *error);
/* Size, centre and state are the caller's to fill; NULL: no memory. */
groups_unassigned *groups_add_unassigned(groups_motion *u, size_t body, crm_error *error);
crm_status groups_reserve(groups_motion *u, size_t more, crm_error *error); /* for more groups */
/* Renews queued clearance spheres, and forms groups anew where bodies have come near or parted. */
crm_status groups_regroup(groups_motion *u, double t, crm_error *error);

/* ---- run.c, read.c --------------------------------------------------------------------------- */

crm_status groups_run(crm_motion *motion, double time, const crm_observer *observer,
                      crm_motion_stop *stopped, crm_error *error);
void groups_read(const crm_motion *motion, double *position, double *velocity);
void groups_state_at(groups_motion *u, double t, double *position, double *velocity);
crm_motion_summary groups_summarize(const crm_motion *motion);
uint64_t groups_impacts(const groups_motion *u);
/* Whether nothing moves; since when. */
bool groups_are_at_rest(const groups_motion *u, double *since);
/* Kinetic and potential energy now, work and losses so far. */
crm_motion_account groups_energies(const groups_motion *u);

/* ---- overlap.c ------------------------------------------------------------------------------- */

/* Check a group over its pending step, when that begins: all pairs; after a regrouping that left
 * the group as it was: pairs with bodies outside of it. An overlap is reported in u->overlap.
 */
void groups_check_step(groups_motion *u, groups_group *g);
void groups_check_outside(groups_motion *u, groups_group *g, double t);
/* At the beginning of a run: the swept boxes of pending steps. */
void groups_check_begin(groups_motion *u);

/* ---- archive.c ------------------------------------------------------------------------------- */

void groups_archive(crm_motion *motion, crm_archive *archive);

#endif
