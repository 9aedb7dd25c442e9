/* A scene, moved by units: the flight of all free spheres, and groups, each a Lagrangian motion of
 * the bodies that belong together. Internal to the library.
 *
 *   create.c   the definition: what flies, what does not, the first groups
 *   group.c    a group: its part of the scene as a system of its own
 *   clearance.c    how much room a body keeps clear, and when it leaves it
 *   parts.c    who belongs together
 *   regroup.c  groups, looked at again
 *   run.c      unit by unit, in the order of time
 *   overlap.c    whether bodies overlap, all the same
 *   read.c     states, and the account over all units
 *   archive.c  what of all this is the state
 *
 * Nothing outside of a group touches its bodies, without any bound on how fast things are: every
 * body that is not in the flight keeps a berth, a sphere around it that lies still. A ball in
 * flight that comes to a berth is an event of the flight (its meeting with a sphere at rest); a
 * body that reaches the edge of its own berth is an event of its group; berths of bodies in
 * different groups do not overlap. At either event the berth is made anew around the body as it is
 * then, half as wide as the way to the next ball that flies and a third of that to the next body of
 * another group, so that two bodies on their way to each other are looked at a number of times that
 * grows with the logarithm of their distance only; when they are as near as JOIN of the smaller
 * one's size, they are one group from there on, and until they are further apart than LEAVE.
 *
 * That berths of bodies in different groups are disjoint, always, rests on this. A berth of a moves
 * to where a is with a margin of at most a third of the distance d to any b of another group, so
 * that two berths made so leave a third of d between them; one of b that was made before and
 * reaches into it is made anew at the same look. Bodies of one group owe each other nothing: their
 * berths may overlap. So whatever puts two bodies into different groups makes the berths of both
 * anew:
 *   - a group parts: all of its bodies that have left another one are queued for the next round of
 *     the same look (regroup.c);
 *   - a ball leaves the flight, and all bodies at the start: what is loose is queued, and is in no
 *     group with another one until it is in the same (`same` in clearance.c);
 *   - a ball goes back to the flight: it has no berth then, and berths that it is in are made anew.
 * Joining lifts what two owed each other; a third body is as far from both as it was. Who is near
 * enough to join has one answer whoever asks, or neither would leave room for the other. Balls in
 * flight are half the distance away and meet the berth as an event of theirs; what is fixed is part
 * of the group before a berth of the greatest width could come to it (parts.c). Walls belong to
 * every group, swinging or not; bodies at one spring and bobs that can reach each other never part.
 * A group of all that moves keeps no berths, and nothing can make it part. An archive has berths
 * and groups as they are.
 *
 * So an impact always lies inside one unit, and a unit that is far from the others knows nothing of
 * them: neither its steps nor its work.
 *
 * All decisions are made at events of the motion, from states there. Runs and observers change
 * nothing.
 */
#ifndef CRM_GROUPS_H
#define CRM_GROUPS_H

#include "motion/flight/flight.h"
#include "motion/lagrange/lagrange.h"
#include "motion/scene/scene.h"

enum { GROUPS_NONE = UINT32_MAX, GROUPS_UNASSIGNED = UINT32_MAX - 1 };

/* A body that never flies: not a sphere, or hung, or at a spring. */
typedef struct groups_nonflying {
    uint32_t body;
    crm_body_def def;
    bool hung;
    crm_suspension string;
    double reach; /* radius of the sphere around it */
    uint32_t positions, velocities;
} groups_nonflying;

/* Where a body is moved: by a group, as body `place` of its scene; loose, on its way from the
 * flight to a group, as entry `place` of the loose ones; or, GROUPS_NONE, by the flight or not at
 * all.
 */
typedef struct groups_membership {
    uint32_t group, place;
} groups_membership;

typedef struct groups_unassigned {
    uint32_t body;
    double reach;
    double x[3]; /* its centre */
    uint32_t positions, velocities;
    double q[8], v[8]; /* of any one body */
} groups_unassigned;

typedef struct groups_group {
    crm_motion *motion; /* by the Lagrangian engine */
    const scene_system *scene;
    size_t count;
    uint32_t *body; /* of the scene's bodies; ascending, fixed ones among them */
    double *state;  /* at state_time: positions, then velocities */
    double state_time;
    double exit_time; /* when one of its bodies leaves its berth, within the pending step */
    uint32_t exit_body;
    bool sole;        /* there is nothing else that moves: its bodies keep no berths */
    bool stale;       /* to be looked at, in regroup.c */
    bool interrupted; /* by an observer, before all impacts of an instant were done */
} groups_group;

/* What contains a body over the pending step of its group, and how its points may swerve. */
typedef struct groups_swept_box {
    double low[3], high[3];
    double acceleration;      /* the greatest acceleration of its centre ... */
    double spin_acceleration; /* ... and of its points about that */
} groups_swept_box;

/* Two that overlap although no impact was found: `second` may be a wall, from u->bodies on. */
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
    size_t bodies, walls, springs, nonflying_count, fixed;
    groups_nonflying *nonflying; /* by body */
    crm_wall_def *wall;
    crm_wall_motion *wall_motion; /* NULL: none swings */
    crm_spring_def *spring;
    double tolerance, size;

    size_t groups, group_room;
    groups_group **group;
    groups_membership *membership; /* of each body */
    groups_totals dissolved;       /* what dissolved groups had booked */

    /* At the look that is under way. */
    size_t unassigned_count, unassigned_room;
    groups_unassigned *unassigned;
    uint8_t *queued; /* bodies that are in the queue, or were */
    size_t queue_count;
    uint32_t *queue;
    size_t candidate_count;
    uint32_t *candidate, *part_of; /* bodies, and the parts that they make */
    size_t found_count;
    uint32_t *found; /* fixed bodies near a part */

    groups_swept_box *swept; /* of each body in a group with a pending step */
    groups_overlap overlap;

    bool started;
    bool invalid;   /* loading has failed: there is no state */
    double sampled; /* the observer has been told of states until here */
    double *state;  /* for it; made when first used */
    const crm_observer *observer;
} groups_motion;

/* ---- create.c -------------------------------------------------------------------------------- */

/* Any scene, event-driven; `def` is checked. */
crm_status crm_groups_create(const crm_scene_def *def, const crm_motion_options *options,
                             crm_motion **motion, crm_error *error);
void groups_free(crm_motion *motion);
/* Memory for groups, before the first of them. */
crm_status groups_allocate(groups_motion *u, crm_error *error);
/* NULL: it is a sphere like others. */
const groups_nonflying *groups_find_nonflying(const groups_motion *u, size_t body);
bool groups_is_fixed(const groups_motion *u, size_t body);

/* ---- group.c --------------------------------------------------------------------------------- */

/* A group of `count` bodies, ascending, fixed ones among them, in the states in which their groups
 * are or which loose ones have, at t. Seats become those of the new group.
 */
crm_status groups_group_create(groups_motion *u, const uint32_t *body, size_t count, double t,
                               groups_group **made, crm_error *error);
void groups_group_free(groups_group *g); /* NULL is fine */
/* State at a time within its pending step. */
const double *groups_group_state(groups_group *g, double t);
lagrange_motion *groups_engine(const groups_group *g);
/* When something is to be done for it. */
double groups_group_next_time(const groups_group *g);

/* ---- clearance.c ----------------------------------------------------------------------------- */

/* Centre and size of a body that is away, or fixed. */
void groups_centre(groups_motion *u, size_t body, double t, double *x);
double groups_reach(const groups_motion *u, size_t body);
/* Distance of the spheres around two such bodies. */
double groups_distance(groups_motion *u, size_t a, size_t b, double t);
/* Bodies of two groups that are so near are of one group from here on. */
bool groups_are_near(groups_motion *u, size_t a, size_t b, double t);
/* So near they are one group; so far they are no longer. */
double groups_join_distance(const groups_motion *u, size_t a, size_t b);
double groups_leave_distance(const groups_motion *u, size_t a, size_t b);
/* Largest margin of a berth. */
double groups_margin_most(const groups_motion *u, size_t body);
double groups_margin(const groups_motion *u, size_t body); /* of the berth that it has */
/* From t on: fills g->look. */
void groups_find_exit(groups_motion *u, groups_group *g, double t);

/* Berths of all that is queued, anew; groups that are to be looked at are touched. */
crm_status groups_renew_clearances(groups_motion *u, double t, crm_error *error);
/* From a ball in flight, or a berth, to a point. */
double groups_ball_distance(const flight *f, size_t ball, double t, const double *x);

/* ---- parts.c --------------------------------------------------------------------------------- */

/* All that moves in touched groups, or is loose, into u->pool. */
void groups_list_candidates(groups_motion *u);
/* u->part_of: of each in the pool the first of its part. */
void groups_find_parts(groups_motion *u, double t);
/* The group that has just the bodies of a part, and knows all fixed ones near it; NULL: none. */
groups_group *groups_same_group(groups_motion *u, size_t part, double t);
/* A part that is one ball, and may fly. */
bool groups_can_fly(groups_motion *u, size_t part, double t);
/* u->found becomes all bodies of a group of this part, ascending. Whether that is all that moves,
 * with all that is fixed: its bodies need no berths.
 */
bool groups_list_part(groups_motion *u, size_t part, double t);

/* ---- regroup.c ------------------------------------------------------------------------------- */

/* A body's berth is to be made anew at the next look. */
void groups_queue_body(groups_motion *u, size_t body);
void groups_clear_queue(groups_motion *u);
/* A ball leaves the flight, for a group to be found. */
crm_status groups_take_from_flight(groups_motion *u, size_t ball, double t, crm_error *error);
/* Any body: its size, centre and state are the caller's to fill; NULL: no memory. */
groups_unassigned *groups_add_unassigned(groups_motion *u, size_t body, crm_error *error);
crm_status groups_reserve(groups_motion *u, size_t more, crm_error *error); /* groups */
/* Look at all that is queued or loose. */
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
/* Kinetic and potential energy now, and the work done so far. */
crm_motion_account groups_energies(const groups_motion *u);

/* ---- overlap.c ------------------------------------------------------------------------------- */

/* From a step of a group that has just begun; from a look at it that changes nothing. What overlaps
 * is u->overlap.
 */
void groups_check_step(groups_motion *u, groups_group *g);
void groups_check_outside(groups_motion *u, groups_group *g, double t);
/* At the beginning of a run: what there is of pending steps. */
void groups_check_begin(groups_motion *u);

/* ---- archive.c ------------------------------------------------------------------------------- */

void groups_archive(crm_motion *motion, crm_archive *archive);

#endif
