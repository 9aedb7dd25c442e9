/* Contacts that collide one after the other: what the laws binary, sequential and icr share.
 * Internal to the library.
 *
 * The state is the gap velocities u, never the velocities v. A sequence without an end dies away
 * geometrically, and so do its gap velocities, each with its full relative accuracy; differences
 * of velocities that tend to a common value lose all digits after some fifty collisions, and
 * rounding then fakes an end. For the same reason u is kept in units of the largest closing speed
 * before the impact.
 */
#ifndef CRM_COLLISIONS_H
#define CRM_COLLISIONS_H

#include "base/heap.h"
#include "law/collisions/blow.h"
#include "law/collisions/collapse.h"
#include "law/collisions/rows.h"
#include "law/law.h"

/* D_ij < 0 beyond rounding: an impulse at i makes j close (P3 43). */
bool crm_collisions_are_coupled(const crm_model *model, size_t i, size_t j, double d_ij);

/* ---- Collisions ------------------------------------------------------------------------------ */

typedef struct crm_collisions {
    const crm_problem *problem;
    crm_rows rows;
    crm_heap heap;
    size_t contacts;
    size_t rows_of_contact; /* its normal and its tangents: 1 without friction */
    double scale;           /* largest closing speed before the impact; 0: nothing closes */
    double *gap_velocity;   /* u / scale, contact after contact, each with its tangents */
    double *impulse;        /* p / scale, likewise */
    double *loss;           /* energy lost by each contact / scale^2 */
    uint32_t *collided;     /* how often each contact collided */
    /* With friction. */
    double *loss_friction; /* of loss, that by friction */
    uint32_t *path;        /* bits of crm_path */
    size_t locked;         /* a contact that locked, + 1; 0: none did */
    double held;           /* the energy in it / scale^2 */
    uint64_t count;        /* collisions so far */
    uint64_t choices;      /* those before which more than one contact was closing */
    crm_collapse collapse;
    /* Called before each collision of crm_collisions_run; or NULL. */
    void (*on_collision)(void *context, size_t contact, double closing);
    void *context;
} crm_collisions;

crm_status crm_collisions_create(const crm_problem *problem, crm_collisions *collisions,
                                 crm_error *error);
void crm_collisions_release(crm_collisions *collisions);

/* u + term; 0 where the sum is nothing but rounding of its terms. */
double crm_collisions_add_cleared(double u, double term);
/* u- / scale in the same way, tangents after each normal: *scale is set to the largest closing
 * speed, to 0 if none closes.
 */
void crm_collisions_scale_gap_velocity(const crm_problem *problem, double *u, double *scale);

typedef enum crm_order {
    CRM_ORDER_LEAST,    /* least index first */
    CRM_ORDER_GREATEST, /* greatest index first */
    CRM_ORDER_FASTEST,  /* largest closing speed first */
    CRM_ORDER_RANDOM,   /* any of those that close, equally likely */
    CRM_ORDER_WORK      /* largest c_j^2 / D_jj first: not of crm_collisions_run, but of icr */
} crm_order;

/* The options of the plan that all laws of collisions have. */
#define CRM_MAX_COLLISIONS_PARAMETER                                                               \
    {                                                                                              \
        .name = "max_collisions", .kind = CRM_PARAMETER_INTEGER, .standard = 1e7, .least = 1,      \
        .most = 1e15, .text = "Collisions after which the impact is reported as not terminated."   \
    }
#define CRM_COLLISION_TOLERANCE_PARAMETER(least_tolerance)                                         \
    {                                                                                              \
        .name = "tolerance", .kind = CRM_PARAMETER_NUMBER, .standard = 1e-12,                      \
        .least = least_tolerance, .most = 0.1,                                                     \
        .text = "Closing speed, relative to the largest before the impact, that is ignored; "      \
                "collisions that die out below it are reported as not terminated."                 \
    }

typedef struct crm_collision_plan {
    crm_order order;
    uint64_t seed;
    double most;      /* collisions */
    double tolerance; /* closing speeds up to this, in units of `scale`, are left alone */
} crm_collision_plan;

/* Binary collisions until nothing closes faster than the tolerance, `most` were made, a contact
 * locks, or they are proved to have no end.
 */
crm_status crm_collisions_run(crm_collisions *collisions, const crm_collision_plan *plan,
                              crm_error *error);

/* Is the call interrupted? `work`: contacts visited since the last question. */
bool crm_collisions_are_interrupted(const crm_collisions *collisions, size_t work);

/* Largest closing speed left, in units of `scale`, and where (0 if none). */
double crm_collisions_left(const crm_collisions *collisions, size_t *contact);

/* Impulses, losses, counts, and how it ended: solved when no contact closes any more. */
crm_status crm_collisions_report(const crm_collisions *collisions, const crm_collision_plan *plan,
                                 crm_outcome *outcome, crm_error *error);

#endif
