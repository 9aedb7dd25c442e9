/* Motion in time: bodies fly, swing, rest and collide, and any law of carom resolves each impact.
 *
 * A motion is made of a definition, advanced by crm_motion_run, and read in between. Two kinds of
 * definition make the same kind of motion: a Lagrangian system of the caller's (callbacks for M, h
 * and the gaps), and a scene of bodies, walls and springs.
 *
 * Notation (docs/motion.md): q positions, v velocities, M(q) v' = h(q, v, t) + W lambda, gaps
 * g(q, t) >= 0, u = g' = W'v + dg/dt.
 *
 * A motion is used by one thread at a time; different motions know nothing of each other.
 */
#ifndef CAROM_MOTION_H
#define CAROM_MOTION_H

#include "carom/outcome.h"
#include "carom/watch.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crm_motion crm_motion;

/* ---- How to move ------------------------------------------------------------------------- */

typedef enum crm_motion_scheme {
    CRM_EVENT_DRIVEN, /* every impact and release is located */
    CRM_TIME_STEPPING /* Moreau-Jean: none is; of scenes only (docs/motion/stepping.md) */
} crm_motion_scheme;

#define CRM_MOTION_STOP_LIST(X)                                                                    \
    X(CRM_STOP_DURATION, "duration")                                                               \
    X(CRM_STOP_AT_REST, "at_rest")                                                                 \
    X(CRM_STOP_IMPACTS, "impacts")                                                                 \
    X(CRM_STOP_INTERRUPTED, "interrupted")                                                         \
    X(CRM_STOP_FAILED, "failed")

#define CRM_MOTION_STOP_ENUM(name, text) name,
typedef enum crm_motion_stop {
    CRM_MOTION_STOP_LIST(CRM_MOTION_STOP_ENUM) CRM_MOTION_STOP_COUNT
} crm_motion_stop;
#undef CRM_MOTION_STOP_ENUM

CRM_API const char *crm_motion_stop_text(crm_motion_stop stop);

/* What counts as closed when something strikes. */
typedef enum crm_closure {
    CRM_CLOSURE_DISTANCE,   /* a gap within `closure` of the bodies' size */
    CRM_CLOSURE_INDENTATION /* a gap that the indentation of the impact closes */
} crm_closure;

/* One impact, borrowed for the length of the call. Contacts are those that were closed. */
typedef struct crm_impact_report {
    uint64_t number; /* from 1 */
    double time;
    size_t contacts;
    const size_t *gap;           /* which: index among the gaps of a Lagrangian system; of a scene
                                    NULL, and the parties instead */
    const size_t (*party)[2];    /* of a scene: bodies, then walls from body_count on */
    const double *closing_speed; /* before */
    const double *impulse;
    const double *peak_force; /* of each contact; NULL: the law has none (lzb and compliant have),
                                 or the impact has a single contact */
    double lost;              /* energy */
    crm_result result;
    bool kinematic, kinetic, energetic, unique;
} crm_impact_report;

/* Called when something happens. Each function may be NULL; a return other than CRM_OK stops the
 * run (CRM_STOP_INTERRUPTED), and the motion can be continued. In time-stepping the other impacts
 * of the same step are reported first.
 */
typedef struct crm_observer {
    void *context;
    double every; /* `state` is called at the multiples of this; 0: never */
    crm_status (*state)(void *context, double time, const double *position, const double *velocity);
    crm_status (*impact)(void *context, const crm_impact_report *impact);
} crm_observer;

/* Start from crm_motion_options_default(). */
typedef struct crm_motion_options {
    crm_motion_scheme scheme;
    const crm_settings *law; /* copied by reference: must outlive the motion; NULL: lzb. In
                                time-stepping moreau only, or NULL: each contact by its own e */
    double tolerance;        /* event-driven: relative, of positions and times; default 1e-9 */
    double step;             /* time-stepping, > 0 */
    crm_closure closure_kind;
    double closure;        /* relative distance; default 1e-9 */
    bool stop_at_rest;     /* stop when nothing moves and nothing will, unless forces change with
                              time; never where gaps do (gaps_move) */
    uint64_t stop_impacts; /* stop after so many; 0: never */
} crm_motion_options;

CRM_API crm_motion_options crm_motion_options_default(void);

/* ---- Any Lagrangian system ---------------------------------------------------------------- */

/* Callbacks return CRM_OK, or stop the run. What a user does not give (NULL) is made by finite
 * differences where that makes sense. Arrays are dense: this is for systems of tens of coordinates.
 * Values that are not finite are reported with the callback, the index and the time. Callbacks must
 * be functions of their arguments alone; they are called for states that the motion may never reach
 * (trial steps), and for times up to a step beyond that of the run. Event-driven only.
 */
typedef struct crm_lagrangian_def {
    void *context;
    size_t positions;  /* entries of q */
    size_t velocities; /* entries of v; equal to positions unless `kinematics` is given */
    size_t gaps;       /* all that may ever close */

    /* M(q), velocities x velocities, row after row, symmetric and positive definite. */
    crm_status (*mass)(void *context, const double *q, double *mass);
    /* h(q, v, t): all forces but those of the contacts. NULL: none. */
    crm_status (*force)(void *context, double t, const double *q, const double *v, double *force);
    /* g(q, t) */
    crm_status (*gap)(void *context, double t, const double *q, double *gap);
    /* dg/dq G, gap after gap, `velocities` entries each. NULL: by differences. */
    crm_status (*gradient)(void *context, double t, const double *q, double *w);
    /* dg/dt at fixed q. NULL: 0 if `gaps_move` is false, else by differences. */
    crm_status (*gap_rate)(void *context, double t, const double *q, double *rate);
    /* The part of u' that does not contain v': W''v + d/dt(dg/dt). NULL: by differences. */
    crm_status (*gap_bias)(void *context, double t, const double *q, const double *v, double *bias);
    /* q' = G(q) v. NULL: q' = v. */
    crm_status (*kinematics)(void *context, const double *q, const double *v, double *rate);
    /* Potential energy of the forces that have one. NULL: 0, their work is booked instead. */
    double (*potential)(void *context, double t, const double *q);
    bool gaps_move; /* g depends on t */

    const double *position, *velocity; /* at the start */
    double start;                      /* time there */
    double size; /* a length of the system, to which tolerances of positions relate; default 1 */

    /* Per gap; NULL: the defaults of crm_system_def. */
    const double *stiffness, *exponent, *restitution;
    const crm_compliance_def *compliance; /* NULL: none; what an entry says replaces those */
} crm_lagrangian_def;

CRM_API crm_lagrangian_def crm_lagrangian_def_default(void);
CRM_API crm_status crm_motion_from_lagrangian(const crm_lagrangian_def *def,
                                              const crm_motion_options *options,
                                              crm_motion **motion, crm_error *error);

/* ---- A scene of bodies ---------------------------------------------------------------------- */

/* A wall may swing along its normal: A sin(2 pi f t + phase), besides its constant velocity. */
typedef struct crm_wall_motion {
    double amplitude, frequency, phase;
} crm_wall_motion;

/* Between two bodies, or a body and a fixed point; along the line between their centres. */
typedef struct crm_spring_def {
    size_t first, second; /* bodies; second = SIZE_MAX: the point */
    double point[3];
    double stiffness, damping, length;
} crm_spring_def;

/* A bob on a string of this length: it swings in the plane about the point `from`, and its one
 * coordinate is the angle from straight down (along gravity), counterclockwise. Its position in
 * the bodies' definition does not count.
 */
typedef struct crm_suspension {
    size_t body;
    double from[2];
    double length;
    double angle; /* at the start */
    double spin;  /* its rate there */
} crm_suspension;

/* Bodies, walls and pairs are those of crm_model_from_bodies. */
typedef struct crm_scene_def {
    crm_bodies_def bodies;
    const double *velocity; /* at the start, as crm_solve takes it (of a bob: one number, which does
                               not count) */
    const crm_wall_motion *wall_motion; /* one per wall; NULL: none swings */
    size_t suspended_count;
    const crm_suspension *suspended;
    size_t spring_count;
    const crm_spring_def *springs;
    double gravity[3];
} crm_scene_def;

CRM_API crm_scene_def crm_scene_def_default(void);
CRM_API crm_status crm_motion_from_scene(const crm_scene_def *def,
                                         const crm_motion_options *options, crm_motion **motion,
                                         crm_error *error);

/* ---- Moving ---------------------------------------------------------------------------------- */

/* Move on until `time`, not before that of the motion. `observer` and `stopped` may be NULL. CRM_OK
 * also when it stopped early: *stopped says why, crm_motion_reason the rest. A motion in several
 * runs is the same, bit for bit, as in one; an observer does not change it. After
 * CRM_STOP_FAILED it cannot be continued.
 */
CRM_API crm_status crm_motion_run(crm_motion *motion, double time, const crm_observer *observer,
                                  crm_motion_stop *stopped, crm_error *error);
CRM_API void crm_motion_free(crm_motion *motion); /* NULL is fine */
/* From now on each run is watched (carom/watch.h), also inside of an impact and of the computation
 * of an event: interrupted, or out of time, it stops (CRM_STOP_INTERRUPTED) before the event that
 * it could not finish, and can be continued from there, to the same bits. In reports of progress
 * `time` is that of the motion and `steps` are its impacts; within an impact they are the law's.
 * The watch is copied, what it points to is not; NULL: not watched, as at first. Time-stepping does
 * not consult the watch within a run: its observer may stop it.
 */
CRM_API void crm_motion_watch(crm_motion *motion, const crm_watch *watch);

/* ---- Saving and continuing ------------------------------------------------------------------- */

/* Take or give exactly `size` bytes, one after the other. Anything but CRM_OK ends the call. */
typedef crm_status (*crm_write_bytes)(void *context, const void *bytes, size_t size);
typedef crm_status (*crm_read_bytes)(void *context, void *bytes, size_t size);

/* The state between two runs (not from within an observer), as bytes for the same version of carom
 * on the same kind of machine. A motion made of the same definition and the same options, wherever
 * it is, continues from there: the same, bit for bit, as one that was not interrupted. Conditions
 * to stop may differ. Callbacks of a Lagrangian system cannot be compared: that they are the same
 * is up to the caller.
 *
 * Bytes that were cut or changed, or that belong to another definition, are refused
 * (CRM_ERROR_ARGUMENT, place "archive"). A motion into which loading failed cannot be continued
 * (CRM_STOP_FAILED).
 */
CRM_API crm_status crm_motion_save(const crm_motion *motion, crm_write_bytes write, void *context,
                                   crm_error *error);
CRM_API crm_status crm_motion_load(crm_motion *motion, crm_read_bytes read, void *context,
                                   crm_error *error);

/* ---- Reading --------------------------------------------------------------------------------- */

CRM_API double crm_motion_time(const crm_motion *motion);
CRM_API size_t crm_motion_positions(const crm_motion *motion);
CRM_API size_t crm_motion_velocities(const crm_motion *motion);
/* At crm_motion_time; copied. */
CRM_API void crm_motion_read(const crm_motion *motion, double *position, double *velocity);
CRM_API const char *crm_motion_reason(const crm_motion *motion); /* of CRM_STOP_FAILED, else "" */

/* kinetic_before + potential_before + work + correction = kinetic_after + potential_after + lost +
 * error: `error` is what the integration leaves unaccounted for. `work`: of moving walls and of
 * forces without a potential. `correction`: potential energy from the position correction of
 * time-stepping, which separates overlapping bodies; no force does that work.
 */
typedef struct crm_motion_account {
    double kinetic_before, potential_before;
    double kinetic_after, potential_after;
    double lost, work, error;
    double correction;
} crm_motion_account;

typedef struct crm_motion_summary {
    uint64_t impacts;
    double at_rest_since; /* NAN while something moves */
    double max_penetration;
    crm_motion_account energy;
} crm_motion_summary;

CRM_API crm_motion_summary crm_motion_summarize(const crm_motion *motion);

#ifdef __cplusplus
}
#endif
#endif
