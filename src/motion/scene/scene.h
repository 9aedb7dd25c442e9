/* A scene of bodies, walls, strings and springs as one Lagrangian system: what its parts share.
 *
 *   check.c    checks of a definition, for every kind of motion
 *   bodies.c   positions and velocities of bodies, generalized forces
 *   gaps.c     gaps, their gradients, rates and biases
 *   forces.c   gravity, springs, dampers, gyroscopic moments
 *   create.c   the definition, copied; which kind of motion a scene has
 *   lagrange.c callbacks for motion/lagrange
 *
 * Positions are those of the bodies in turn: the centre, then of rods, boxes and ellipses the
 * angle, of an ellipsoid a unit quaternion; of a bob its angle from straight down. Fixed bodies
 * have none. Velocities are their rates, except that an ellipsoid has its angular velocity about
 * its own axes: there are more positions than velocities, and q' = G(q) v. M is diagonal and
 * constant.
 */
#ifndef CRM_SCENE_H
#define CRM_SCENE_H

#include "model/bodies/touches.h"
#include "model/shape/shape.h"
#include "motion/motion.h"
#include "motion/wall.h"

typedef enum scene_hold {
    SCENE_FREE,
    SCENE_FIXED,
    SCENE_HUNG /* on a string */
} scene_hold;

typedef struct scene_body {
    scene_hold hold;
    crm_solid solid;   /* as it is at the start */
    unsigned turns;    /* spins among its velocities: 0, 1, 3 */
    size_t position;   /* where its positions begin */
    size_t positions;  /* how many */
    size_t velocity;   /* where its velocities begin */
    size_t velocities; /* how many */
    double mass;       /* 0: fixed */
    double moment[3];  /* of inertia; of a body that turns in the plane the first */
    double from[2];    /* what it hangs from */
    double string;     /* length */
} scene_body;

/* Between two bodies, or a body and a wall (numbered from s->bodies on), at one of their places. */
typedef struct scene_gap {
    size_t first, second; /* ascending */
    size_t place;
    /* Measured to this feature of a box (model/shape); CRM_FEATURE_NONE: to what is nearest. */
    unsigned feature;
} scene_gap;

typedef struct scene_system {
    unsigned dimension;
    size_t bodies, walls, springs;
    size_t positions, velocities;
    scene_body *body;
    crm_wall *wall;
    crm_spring_def *spring;
    double *inertia; /* the diagonal of M */
    double gravity[3];
    double down[2],
        across[2]; /* straight down, and that turned counterclockwise by a right angle */
} scene_system;

/* ---- check.c --------------------------------------------------------------------------------- */

crm_status crm_scene_check(const crm_scene_def *def, crm_error *error);

/* ---- bodies.c -------------------------------------------------------------------------------- */

crm_solid scene_solid(const scene_system *s, size_t body, const double *q);
/* `solid`: the body at q. */
crm_solid_rate scene_rate(const scene_system *s, size_t body, const crm_solid *solid,
                          const double *q, const double *v);

enum { SCENE_FORCE_MOST = 6 };

/* J'n of a point at `arm` from the centre, for the body's own velocities; their number. */
size_t scene_generalized_force(const scene_system *s, size_t body, const crm_solid *solid,
                               const double arm[3], const double *q, const double n[3],
                               double value[SCENE_FORCE_MOST]);
/* Adds that of a force n at the centre to w, which has one entry per velocity. */
void scene_add_force(const scene_system *s, size_t body, const double *q, const double n[3],
                     double *w);
/* Radius of the sphere around a body, about its centre. */
double scene_reach(const scene_system *s, size_t body);
/* q' = G(q) v */
void scene_kinematics(const scene_system *s, const double *q, const double *v, double *rate);
/* Makes orientations unit quaternions again after integration. */
void scene_normalize(const scene_system *s, double *q);

/* ---- gaps.c ---------------------------------------------------------------------------------- */

typedef struct scene_measure {
    double gap;
    double rate; /* dg/dt at fixed q */
    double bias; /* of u' */
} scene_measure;

enum { SCENE_GAPS_MOST = 8, SCENE_COLUMN_MOST = 12 };

/* All gaps that two parties can have (bodies, then walls from s->bodies on; first < second), in an
 * order that does not change with their motion, so that a pair and a place identify a gap. Returns
 * their number, 0 for two that cannot move relative to each other. Pairs that can never meet have
 * gaps, too.
 */
size_t scene_pair_gaps(const scene_system *s, size_t first, size_t second,
                       scene_gap gap[SCENE_GAPS_MOST]);
/* The parties at one state; the second is NULL for a wall. */
typedef struct scene_pair {
    const crm_solid *solid[2];
} scene_pair;

/* The nearest points of a pair at q; v NULL: without the bias. */
crm_gap scene_gap_between(const scene_system *s, const scene_gap *gap, const scene_pair *pair,
                          double t, const double *q, const double *v);
/* v NULL: all at rest. */
scene_measure scene_measure_gap(const scene_system *s, const scene_gap *gap, double t,
                                const double *q, const double *v);
/* dg/dt at fixed q, the same for all q. */
double scene_gap_rate(const scene_system *s, const scene_gap *gap, double t);

/* The nearest feature at q; margins of the gap's own feature, and the feature beyond a margin
 * (model/shape/shape.h).
 */
unsigned scene_gap_feature(const scene_system *s, const scene_gap *gap, const double *q);
size_t scene_gap_margins(const scene_gap *gap, const scene_pair *pair, double margin[CRM_MARGINS]);
unsigned scene_gap_beyond(const scene_system *s, const scene_gap *gap, const double *q,
                          size_t margin);

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
/* The same from nearest points that are known. */
void scene_gap_gradient_of(const scene_system *s, const scene_gap *gap, const scene_pair *pair,
                           const crm_gap *nearest, const double *q, double *w);

/* ---- forces.c -------------------------------------------------------------------------------- */

void scene_forces(const scene_system *s, const double *q, const double *v, double *force);
double scene_potential(const scene_system *s, const double *q);

/* ---- create.c -------------------------------------------------------------------------------- */

/* A scene without the state at the start; `def` is checked. Takes time proportional to the number
 * of bodies, not of pairs.
 */
crm_status scene_make(const crm_scene_def *def, scene_system **made, crm_error *error);
void scene_free(scene_system *s); /* NULL is fine */
/* The state at the start. */
void scene_start(const scene_system *s, const crm_scene_def *def, double *position,
                 double *velocity);
/* Size of the largest movable body: tolerances relate to it. */
double scene_size(const scene_system *s);
bool scene_walls_move(const scene_system *s);
/* Refuses two parties that overlap. */
crm_status scene_check_pair(const scene_system *s, const crm_bodies_def *def, size_t first,
                            size_t second, const double *q, crm_error *error);

/* ---- lagrange.c ------------------------------------------------------------------------------ */

/* The whole scene as one Lagrangian motion; `def` is checked. */
crm_status crm_scene_create(const crm_scene_def *def, const crm_motion_options *options,
                            crm_motion **motion, crm_error *error);

/* The time and state from which a scene, or a part of one, continues, and the size to which
 * tolerances relate.
 */
typedef struct scene_from {
    double time, size;
    const double *position, *velocity;
} scene_from;

/* The same from there on; from NULL: from the start. */
crm_status scene_create_from(const crm_scene_def *def, const scene_from *from,
                             const crm_motion_options *options, crm_motion **motion,
                             crm_error *error);
/* The scene of a motion made by these. */
const scene_system *scene_of(const crm_motion *motion);

#endif
