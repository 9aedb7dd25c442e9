/* A scene, moved by units: the flight of all free spheres, and groups, each a Lagrangian motion of
 * the bodies that belong together. Internal to the library.
 *
 *   create.c   the definition: what flies, what does not, the first groups
 *   group.c    a group: its part of the scene as a system of its own
 *   berth.c    how much room a body keeps clear, and when it leaves it
 *   parts.c    who belongs together
 *   regroup.c  groups, looked at again
 *   run.c      unit by unit, in the order of time
 *   guard.c    whether bodies overlap, all the same
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
 *     group with another one until it is in the same (`same` in berth.c);
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
#ifndef CRM_UNITS_H
#define CRM_UNITS_H

#include "motion/flight/flight.h"
#include "motion/lagrange/lagrange.h"
#include "motion/scene/scene.h"

enum { UNITS_NONE = UINT32_MAX, UNITS_LOOSE = UINT32_MAX - 1 };

/* A body that never flies: not a sphere, or hung, or at a spring. */
typedef struct units_special {
    uint32_t body;
    crm_body_def def;
    bool hung;
    crm_suspension string;
    double reach; /* radius of the sphere around it */
    uint32_t positions, velocities;
} units_special;

/* Where a body is moved: by a group, as body `place` of its scene; loose, on its way from the
 * flight to a group, as entry `place` of the loose ones; or, UNITS_NONE, by the flight or not at
 * all.
 */
typedef struct units_seat {
    uint32_t group, place;
} units_seat;

typedef struct units_loose {
    uint32_t body;
    double reach;
    double x[3]; /* its centre */
    uint32_t positions, velocities;
    double q[8], v[8]; /* of any one body */
} units_loose;

typedef struct units_group {
    crm_motion *motion; /* by the Lagrangian engine */
    const scene_system *scene;
    size_t count;
    uint32_t *body; /* of the scene's bodies; ascending, fixed ones among them */
    double *state;  /* at state_time: positions, then velocities */
    double state_time;
    double look; /* when one of its bodies leaves its berth, within the pending step */
    uint32_t leaver;
    bool alone;   /* there is nothing else that moves: its bodies keep no berths */
    bool touched; /* to be looked at, in regroup.c */
    bool halted;  /* by an observer, before all impacts of an instant were done */
} units_group;

/* What contains a body over the pending step of its group, and how its points may swerve. */
typedef struct units_shadow {
    double low[3], high[3];
    double bend;    /* the greatest acceleration of its centre ... */
    double turning; /* ... and of its points about that */
} units_shadow;

/* Two that overlap although no impact was found: `second` may be a wall, from u->bodies on. */
typedef struct units_overlap {
    bool found;
    size_t first, second;
    double time, depth;
} units_overlap;

typedef struct units_carried {
    uint64_t impacts;
    double lost, work, max_penetration;
} units_carried;

typedef struct units {
    crm_motion motion;
    flight *flight;
    crm_motion_options part; /* options of groups: they do not stop by themselves */

    /* The scene. */
    size_t bodies, walls, springs, specials, fixed;
    units_special *special; /* by body */
    crm_wall_def *wall;
    crm_wall_motion *wall_motion; /* NULL: none swings */
    crm_spring_def *spring;
    double tolerance, size;

    size_t groups, group_room;
    units_group **group;
    units_seat *seat;   /* of each body */
    units_carried gone; /* what dissolved groups had booked */

    /* At the look that is under way. */
    size_t loose_count, loose_room;
    units_loose *loose;
    uint8_t *queued; /* bodies that are in the queue, or were */
    size_t queue_count;
    uint32_t *queue;
    size_t pool_count;
    uint32_t *pool, *part_of; /* bodies, and the parts that they make */
    size_t found_count;
    uint32_t *found; /* fixed bodies near a part */

    units_shadow *shadow; /* of each body in a group with a pending step */
    units_overlap overlap;

    bool started;
    bool lost;      /* loading has failed: there is no state */
    double sampled; /* the observer has been told of states until here */
    double *state;  /* for it; made when first used */
    const crm_observer *observer;
} units;

/* ---- create.c -------------------------------------------------------------------------------- */

/* Any scene, event-driven; `def` is checked. */
crm_status crm_units_create(const crm_scene_def *def, const crm_motion_options *options,
                            crm_motion **motion, crm_error *error);
void units_free(crm_motion *motion);
/* Memory for groups, before the first of them. */
crm_status units_prepare(units *u, crm_error *error);
/* NULL: it is a sphere like others. */
const units_special *units_special_of(const units *u, size_t body);
bool units_is_fixed(const units *u, size_t body);

/* ---- group.c --------------------------------------------------------------------------------- */

/* A group of `count` bodies, ascending, fixed ones among them, in the states in which their groups
 * are or which loose ones have, at t. Seats become those of the new group.
 */
crm_status units_group_create(units *u, const uint32_t *body, size_t count, double t,
                              units_group **made, crm_error *error);
void units_group_free(units_group *g); /* NULL is fine */
/* State at a time within its pending step. */
const double *units_group_at(units_group *g, double t);
lag_motion *units_engine(const units_group *g);
/* When something is to be done for it. */
double units_group_next(const units_group *g);

/* ---- berth.c --------------------------------------------------------------------------------- */

/* Centre and size of a body that is away, or fixed. */
void units_centre(units *u, size_t body, double t, double *x);
double units_reach(const units *u, size_t body);
/* Distance of the spheres around two such bodies. */
double units_distance(units *u, size_t a, size_t b, double t);
/* Bodies of two groups that are so near are of one group from here on. */
bool units_are_near(units *u, size_t a, size_t b, double t);
/* So near they are one group; so far they are no longer. */
double units_join_distance(const units *u, size_t a, size_t b);
double units_leave_distance(const units *u, size_t a, size_t b);
/* Largest margin of a berth. */
double units_margin_most(const units *u, size_t body);
double units_margin(const units *u, size_t body); /* of the berth that it has */
/* From t on: fills g->look. */
void units_find_look(units *u, units_group *g, double t);

/* Berths of all that is queued, anew; groups that are to be looked at are touched. */
crm_status units_make_berths(units *u, double t, crm_error *error);
/* From a ball in flight, or a berth, to a point. */
double units_ball_distance(const flight *f, size_t ball, double t, const double *x);

/* ---- parts.c --------------------------------------------------------------------------------- */

/* All that moves in touched groups, or is loose, into u->pool. */
void units_fill_pool(units *u);
/* u->part_of: of each in the pool the first of its part. */
void units_find_parts(units *u, double t);
/* The group that has just the bodies of a part, and knows all fixed ones near it; NULL: none. */
units_group *units_same_group(units *u, size_t part, double t);
/* A part that is one ball, and may fly. */
bool units_can_fly(units *u, size_t part, double t);
/* u->found becomes all bodies of a group of this part, ascending. Whether that is all that moves,
 * with all that is fixed: its bodies need no berths.
 */
bool units_list_part(units *u, size_t part, double t);

/* ---- regroup.c ------------------------------------------------------------------------------- */

/* A body's berth is to be made anew at the next look. */
void units_queue(units *u, size_t body);
void units_clear_queue(units *u);
/* A ball leaves the flight, for a group to be found. */
crm_status units_take(units *u, size_t ball, double t, crm_error *error);
/* Any body: its size, centre and state are the caller's to fill; NULL: no memory. */
units_loose *units_add_loose(units *u, size_t body, crm_error *error);
crm_status units_room_for(units *u, size_t more, crm_error *error); /* groups */
/* Look at all that is queued or loose. */
crm_status units_regroup(units *u, double t, crm_error *error);

/* ---- run.c, read.c --------------------------------------------------------------------------- */

crm_status units_run(crm_motion *motion, double time, const crm_observer *observer,
                     crm_motion_stop *stopped, crm_error *error);
void units_read(const crm_motion *motion, double *position, double *velocity);
void units_state_at(units *u, double t, double *position, double *velocity);
crm_motion_summary units_summarize(const crm_motion *motion);
uint64_t units_impacts(const units *u);
/* Whether nothing moves; since when. */
bool units_are_at_rest(const units *u, double *since);
/* Kinetic and potential energy now, and the work done so far. */
crm_motion_account units_energies(const units *u);

/* ---- guard.c --------------------------------------------------------------------------------- */

/* From a step of a group that has just begun; from a look at it that changes nothing. What overlaps
 * is u->overlap.
 */
void units_guard_step(units *u, units_group *g);
void units_guard_look(units *u, units_group *g, double t);
/* At the beginning of a run: what there is of pending steps. */
void units_guard_begin(units *u);

/* ---- archive.c ------------------------------------------------------------------------------- */

void units_archive(crm_motion *motion, crm_archive *archive);

#endif
