/* A scene of bodies, walls, strings and springs as one Lagrangian system: what its parts share.
 *
 *   check.c    what is refused, by whatever engine moves the scene
 *   points.c   where points of bodies are, how they move, and what a push there does
 *   gaps.c     gaps, their gradients, rates and biases
 *   forces.c   gravity, springs, dampers
 *   create.c   which engine moves a scene; the definition, copied
 *   lagrange.c callbacks for the Lagrangian engine
 *
 * Coordinates are those of the bodies in turn: of a sphere its centre, of a rod its centre and
 * angle, of a bob its angle from straight down; none of what is fixed. Positions and velocities are
 * counted apart: q' = G(q) v, scene_kinematics. M is diagonal and constant.
 */
#ifndef CRM_SCENE_H
#define CRM_SCENE_H

#include "model/touches.h"
#include "motion/motion.h"

typedef enum scene_hold {
    SCENE_FREE,
    SCENE_FIXED,
    SCENE_HUNG /* on a string */
} scene_hold;

typedef struct scene_body {
    scene_hold hold;
    bool rod;
    size_t position; /* where its positions begin */
    size_t velocity; /* and its velocities */
    double mass;     /* 0: fixed */
    double place[3]; /* where it is fixed, or hangs from */
    double angle;    /* of a fixed rod */
    double string;   /* length */
    double half;     /* of a rod: from the centre to an end */
    double radius;
} scene_body;

/* It is at normal.x = offset + speed t + amplitude sin(omega t + phase). */
typedef struct scene_wall {
    double normal[3];
    double offset, speed, amplitude, omega, phase;
} scene_wall;

typedef enum scene_gap_kind {
    SCENE_CENTRES, /* two round bodies */
    SCENE_SIDE,    /* a rod and a round body */
    SCENE_WALL     /* a round body, or the end of a rod, and a wall */
} scene_gap_kind;

typedef struct scene_gap {
    scene_gap_kind kind;
    size_t first, second; /* SCENE_SIDE: the rod is the first; SCENE_WALL: second among walls */
    double along;         /* SCENE_WALL: where on the rod's axis, from the centre */
    double reach;         /* distance of centres and axes when the surfaces touch */
} scene_gap;

typedef struct scene_system {
    unsigned dimension;
    size_t bodies, walls, springs;
    size_t positions, velocities;
    scene_body *body;
    scene_wall *wall;
    crm_spring_def *spring;
    double *inertia; /* the diagonal of M */
    double gravity[3];
    double down[2],
        across[2]; /* straight down, and that turned counterclockwise by a right angle */
} scene_system;

/* ---- check.c --------------------------------------------------------------------------------- */

crm_status crm_scene_check(const crm_scene_def *def, const crm_motion_options *options,
                           crm_error *error);

/* ---- points.c -------------------------------------------------------------------------------- */

/* A point fixed in a body: where it is, its velocity J v, and J'v, its acceleration but for v'. */
typedef struct scene_point {
    double x[3], v[3], a[3];
} scene_point;

/* `along`: from the centre on the axis of a rod, 0 for other bodies. v NULL: all at rest. */
scene_point scene_point_at(const scene_system *s, size_t body, double along, const double *q,
                           const double *v);
enum { SCENE_SHARE_MOST = 6 };

/* J'n of a point at `arm` from the centre, for the body's own velocities; their number. */
size_t scene_share(const scene_system *s, size_t body, const double arm[3], const double *q,
                   const double n[3], double share[SCENE_SHARE_MOST]);
/* That, added to w, one entry per velocity. */
void scene_push(const scene_system *s, size_t body, const double arm[3], const double *q,
                const double n[3], double *w);
double scene_angle(const scene_system *s, size_t rod, const double *q);
double scene_spin(const scene_system *s, size_t rod, const double *v);
/* Radius of the sphere around a body, about its centre. */
double scene_reach(const scene_system *s, size_t body);
/* q' = G(q) v */
void scene_kinematics(const scene_system *s, const double *q, const double *v, double *rate);
/* What rounding and integration have made of orientations: unit quaternions again. */
void scene_normalize(const scene_system *s, double *q);

/* ---- gaps.c ---------------------------------------------------------------------------------- */

typedef struct scene_measure {
    double gap;
    double rate; /* dg/dt at fixed q */
    double bias; /* of u' */
} scene_measure;

enum { SCENE_GAPS_MOST = 8, SCENE_COLUMN_MOST = 12 };

/* All gaps that two parties can have (bodies, then walls from s->bodies on; first < second), in an
 * order that does not change with their motion: a pair and a place in it name a gap. Their number;
 * 0 for what cannot move against each other. Whether they can ever meet is not looked at.
 */
size_t scene_pair_gaps(const scene_system *s, size_t first, size_t second,
                       scene_gap gap[SCENE_GAPS_MOST]);
/* v NULL: all at rest. */
scene_measure scene_measure_gap(const scene_system *s, const scene_gap *gap, double t,
                                const double *q, const double *v);
/* dg/dt at fixed q, the same for all q. */
double scene_gap_rate(const scene_system *s, const scene_gap *gap, double t);

/* Where a gap closes: a point between the surfaces, and the normal from the first party to the
 * second (into a wall).
 */
typedef struct scene_contact {
    double point[3], normal[3];
} scene_contact;

/* The gradient of a gap, dg/dq G: rows (velocities, ascending) and values, at most
 * SCENE_COLUMN_MOST; their number. `contact` may be NULL.
 */
size_t scene_gap_column(const scene_system *s, const scene_gap *gap, const double *q, uint32_t *row,
                        double *w, scene_contact *contact);
/* The same, w: one entry per velocity, overwritten. */
void scene_gap_gradient(const scene_system *s, const scene_gap *gap, const double *q, double *w);

/* ---- forces.c -------------------------------------------------------------------------------- */

void scene_forces(const scene_system *s, const double *q, const double *v, double *force);
double scene_potential(const scene_system *s, const double *q);

/* ---- create.c -------------------------------------------------------------------------------- */

/* All but the state at the start; `def` is checked. The work grows with the number of bodies, not
 * of pairs.
 */
crm_status scene_make(const crm_scene_def *def, scene_system **made, crm_error *error);
void scene_free(scene_system *s); /* NULL is fine */
/* The state at the start. */
void scene_start(const scene_system *s, const crm_scene_def *def, double *position,
                 double *velocity);
/* Of the largest body that moves: a length to which tolerances relate. */
double scene_size(const scene_system *s);
bool scene_walls_move(const scene_system *s);
/* Whether two parties may be where they are. */
crm_status scene_check_pair(const scene_system *s, const crm_bodies_def *def, size_t first,
                            size_t second, const double *q, crm_error *error);

/* ---- lagrange.c ------------------------------------------------------------------------------ */

/* By the Lagrangian engine, whatever the scene; `def` is checked. */
crm_status crm_scene_create(const crm_scene_def *def, const crm_motion_options *options,
                            crm_motion **motion, crm_error *error);

/* Where a scene, or a part of one, goes on: at a time, in a state, with tolerances that relate to a
 * size.
 */
typedef struct scene_from {
    double time, size;
    const double *position, *velocity;
} scene_from;

/* The same from there on; from NULL: from the start. */
crm_status scene_create_from(const crm_scene_def *def, const scene_from *from,
                             const crm_motion_options *options, crm_motion **motion,
                             crm_error *error);
/* The scene of a motion that these made. */
const scene_system *scene_of(const crm_motion *motion);

#endif
