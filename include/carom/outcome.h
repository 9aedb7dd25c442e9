/* What an impact law answers, the same for every law. */
#ifndef CAROM_OUTCOME_H
#define CAROM_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/law.h"
#include "carom/model.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CRM_RESULT_LIST(X)                                                                         \
    X(CRM_SOLVED, "solved")                                                                        \
    X(CRM_NOT_TERMINATED, "not_terminated")                                                        \
    X(CRM_INFEASIBLE, "infeasible")                                                                \
    X(CRM_FAILED, "failed")

#define CRM_RESULT_ENUM(name, text) name,
typedef enum crm_result { CRM_RESULT_LIST(CRM_RESULT_ENUM) CRM_RESULT_COUNT } crm_result;
#undef CRM_RESULT_ENUM

CRM_API const char *crm_result_text(crm_result result);

/* Arrays belong to the outcome. A scalar the law does not define is NAN, an array NULL.
 *
 * The energy account: energy_before + stored_before + boundary_work
 *                   = energy_after + energy_held + sum of loss[j],  to rounding.
 * loss[j] is the energy that contact j dissipated. What the numerical integration itself
 * gained or lost (energy_error, within the tolerance) is shared among the contacts in proportion
 * to the energy each of them handled, so that the account closes. The Euler schemes of lzb have no
 * tolerance: energy_error is what they took out of contacts beyond what was in them, and a run in
 * which that is more than 1 % has failed. They make no error_estimate.
 *
 * An outcome that is solved has finite numbers only: a law that produces others has failed, and the
 * velocities are those before.
 */
/* What a contact with friction did while it was loaded: bits of crm_outcome.path. */
typedef enum crm_path {
    CRM_PATH_SLIP = 1,     /* it slipped */
    CRM_PATH_STICK = 2,    /* it stuck */
    CRM_PATH_REVERSED = 4, /* it slipped, stopped and slipped on in another direction at once */
    CRM_PATH_JAM = 8       /* its own force drove it further together (plane) */
} crm_path;

typedef struct crm_outcome {
    const crm_law *law;
    crm_result result;
    char reason[256]; /* why not solved; empty when solved */
    char note[512];   /* remarks on this answer, in sentences; may be empty */

    size_t coordinates;
    size_t contacts;
    double *velocity;         /* v+, n */
    double *impulse;          /* p, s */
    double *gap_velocity;     /* u+, s */
    double *loss;             /* s */
    double *peak_force;       /* s, or NULL */
    double *contact_duration; /* s: total time in contact, or NULL */
    uint32_t *compressions;   /* s: how many times the contact was compressed, or NULL */
    /* With friction (crm_model_tangents(model) > 0), else NULL. loss is of both. */
    unsigned tangents;
    double *tangential_impulse; /* Q, s * tangents */
    double *slip_velocity;      /* u_t+, s * tangents */
    double *loss_friction;      /* s: of loss, that by friction */
    uint32_t *path;             /* s: bits of crm_path; NULL: the law does not know */
    bool tangential_unique;     /* Q is determined; else only what all Q together do is */
    double energy_held;         /* in contacts that friction holds closed: locked; else 0 */

    double energy_before;      /* T- */
    double energy_after;       /* T+ */
    double stored_before;      /* sum of E0_j */
    double boundary_work;      /* done by prescribed boundary motion */
    double energy_error;       /* of the integration, relative to energy_before + stored_before +
                                  boundary_work; NAN if exact */
    double energy_unaccounted; /* energy that the steps of the integration are known to have left
                            unaccounted for; NAN: not measured */

    bool kinematic;      /* u+ >= 0 */
    bool kinetic;        /* p >= 0, |Q| <= mu p */
    bool energetic;      /* no energy is created */
    bool unique;         /* the law determines p */
    bool unique_unknown; /* unique is false, but no other answer was found: friction */

    double duration;       /* from first touch to last opening */
    double error_estimate; /* of v+, relative to the largest incoming closing speed or speed */
    uint64_t steps;
    uint64_t evaluations; /* force evaluations, each of all loaded contacts */
    bool tail_closed;     /* an endless tail was truncated by a plastic projection */
    double tail_speed;    /* largest change of velocity by that, relative; 0 if none */

    double *contact_restitution; /* s: e of the last compression, the root of what came back of its
                                    work; NAN: it was not compressed. NULL: all contacts have the e
                                    that was given, or the law does not follow compressions */
} crm_outcome;

CRM_API void crm_outcome_free(crm_outcome *outcome); /* NULL is fine */

/* ---- Histories ------------------------------------------------------------------------- */

/* The state of the impact at one instant, borrowed for the length of the call. */
typedef struct crm_sample {
    double time;
    size_t primary;         /* the contact that stores most energy; SIZE_MAX: none stores any */
    double primary_impulse; /* integral of the primary contact's force so far: the "time" of the
                               impulse scale */
    const double *force;    /* lambda_j, s */
    const double *stored_energy; /* E_j, s */
    const double *closing_speed; /* c_j, s */
    const double *impulse;       /* p_j, s */
    const double *velocity;      /* v, n */
} crm_sample;

/* Called at every step of the solver (events are steps) and, when `interval` > 0, at its
 * multiples; with `only_multiples`, at those and at the start alone, so that what is recorded of a
 * large system does not cost more than the impact. A return other than CRM_OK stops the law with
 * CRM_ERROR_STOPPED.
 */
typedef struct crm_recorder {
    void *context;
    double interval;
    bool only_multiples;
    crm_status (*record)(void *context, const crm_sample *sample);
} crm_recorder;

/* ---- The call -------------------------------------------------------------------------- */

/* One multiple impact: v- in, outcome out. `recorder` may be NULL. On CRM_OK *outcome is to be
 * freed with crm_outcome_free; otherwise it is set to NULL.
 */
CRM_API crm_status crm_solve(const crm_model *model, const double *velocity,
                             const crm_settings *settings, const crm_recorder *recorder,
                             crm_outcome **outcome, crm_error *error);

/* A history ends with the state after the impact, which no step of a law need be: hand it to the
 * recorder, unless the last sample, at the time `last`, was it already (up to 1e-9) or the impact
 * has no duration. Nothing presses any more.
 */
CRM_API crm_status crm_record_end(const crm_recorder *recorder, const crm_outcome *outcome,
                                  double last, crm_error *error);

/* ---- Measures (docs/theory.md, section 9) ----------------------------------------------- */

/* All are about bodies, and none allocates. A body's way is that of its first coordinate: along
 * +x. A ratio whose denominator is 0 is NAN. The kinetic energy ratio is energy_after /
 * energy_before of an outcome.
 */

/* C_KE: standard deviation over mean of the bodies' kinetic energies. 0: evenly spread (or nothing
 * moves); sqrt(bodies - 1): all in one body.
 */
CRM_API double crm_measure_dispersion(const crm_model *model, const double *velocity);
/* |v - reference| / |reference| in percent. */
CRM_API double crm_measure_difference_percent(const crm_model *model, const double *velocity,
                                              const double *reference);
/* Bodies i with |v_i - reference_i| < closeness |reference|, |reference| over all bodies. */
CRM_API size_t crm_measure_near(const crm_model *model, const double *velocity,
                                const double *reference, double closeness);
/* Bodies that move forward (faster than 1e-12 of the fastest). */
CRM_API size_t crm_measure_forward(const crm_model *model, const double *velocity);
/* The same, faster than this speed: what an error estimate allows to be noise is not counted. */
CRM_API size_t crm_measure_forward_above(const crm_model *model, const double *velocity,
                                         double speed);
/* The share of the bodies' kinetic energies that moves forward, and that is in the last body. */
CRM_API double crm_measure_forward_share(const crm_model *model, const double *velocity);
CRM_API double crm_measure_last_share(const crm_model *model, const double *velocity);
/* Contacts that stay together: |u+| < 0.1 % of the incoming speed, which is the largest closing
 * speed of a contact before, the same for every observer. None closed before: none is stuck.
 */
CRM_API size_t crm_measure_stuck_pairs(const crm_model *model, const double *before,
                                       const double *after);
/* -sum v+ / sum v-, over the bodies' first coordinates. */
CRM_API double crm_measure_effective_restitution(const crm_model *model, const double *before,
                                                 const double *after);
/* The same without the bodies that are, after it, no faster than this speed. */
CRM_API double crm_measure_effective_restitution_above(const crm_model *model, const double *before,
                                                       const double *after, double speed);

#ifdef __cplusplus
}
#endif
#endif
