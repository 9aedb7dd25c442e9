/* What a law receives, what it may call, and how it reads its options. Internal to the library. */
#ifndef CRM_LAW_INTERNAL_H
#define CRM_LAW_INTERNAL_H

#include "base/base.h"
#include "base/pool.h"
#include "base/team.h"
#include "base/watch.h"
#include "base/width.h"
#include "carom/outcome.h"
#include "carom/problem.h"
#include "model/model.h"

/* One impact to be solved. A law writes outcome->impulse (zeroed, s entries, the only duty; with
 * friction also tangential_impulse, zeroed) and whatever else it defines: result and reason, note,
 * loss (see below) and with it loss_friction, path, peak_force, contact_duration, compressions,
 * duration, steps, evaluations, error_estimate, unique, tangential_unique, energy_held, tail.
 * Velocities, energies, the closing of the energy account and the verdicts follow from the
 * impulses for every law alike: outcome/outcome.c. (A law that knows v+ more accurately
 * than rounded p determine it writes outcome->velocity and sets *velocity_known.)
 *
 * Arrays a law may fill are made by crm_outcome_want*; what stays NULL is "not defined",
 * except loss, which is then shared out by the mean gap velocity (Thomson and Tait).
 *
 * Memory. An array from `pool` or of the outcome lives until the next call with the workspace and
 * is never freed by the law; a call that takes no more than one before it allocates nothing. What a
 * law allocates otherwise it frees before it returns. What is to outlive the call is in `kept`.
 */
struct crm_problem {
    const crm_model *model;
    const double *velocity;      /* v-, n */
    const double *gap_velocity;  /* u-, s */
    const double *slip_velocity; /* u_t-, s * tangents; NULL without friction */
    const crm_settings *settings;
    const crm_recorder *recorder; /* may be NULL */

    crm_pool *pool;          /* for arrays of this call */
    crm_pool *outcome_pool;  /* for those of the outcome */
    void *kept;              /* made by the law's create_kept; NULL: it keeps nothing */
    crm_team_lazy *threads;  /* crm_team_lazy_start: those that the caller allows */
    double negligible_speed; /* closing speeds up to this may be left to the caller; 0: none */
    double allowed_error;    /* of speeds, where a law's own tolerance is stricter; 0: none */
    bool *velocity_known;    /* the law has written the outcome's velocity itself */
    crm_watching *watching; /* to be consulted in long loops; an interrupted law leaves the state it
                               has reached, and need not give the reason */

    /* The whole answer of another law, never the law itself, to the same impact. Its arrays are of
     * outcome_pool.
     */
    crm_status (*solve_by)(const crm_problem *problem, const crm_settings *settings,
                           crm_outcome *answer, crm_error *error);
    struct crm_workspace *workspace; /* of this call, for solve_by alone */
};

/* The outcome's note: begin a sentence, or continue it. A note that is too long ends in "...". */
void crm_note_add(crm_outcome *outcome, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void crm_note_continue(crm_outcome *outcome, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Before the law: one that does not follow compliances itself (crm_law.compliance) gets a model
 * with numbers for restitution that depends on the speed, those for the closing speeds before the
 * impact, or is refused.
 */
crm_status crm_law_meet_compliance(crm_problem *problem, crm_error *error);
/* For laws that use stiffness and exponent, or e of later collisions: those contacts are refused;
 * `instead`: what the law takes.
 */
crm_status crm_law_refuse_compliance(const crm_problem *problem, bool loading, bool restitution,
                                     const char *instead, crm_error *error);

/* ---- Options ------------------------------------------------------------------------------- */

/* An option's value; `index` is its place in the law's parameter table. */
typedef struct crm_value {
    double number; /* number, integer; index of the choice; NAN: not given */
    size_t count;  /* list, matrix */
    double *list;
} crm_value;

struct crm_settings {
    const crm_law *law;
    crm_width width; /* of the vectors to compute with */
    crm_value *values;
};

/* The same option of every law that integrates in time. */
#define CRM_MAX_STEPS_PARAMETER(usual)                                                             \
    {                                                                                              \
        .name = "max_steps", .kind = CRM_PARAMETER_INTEGER, .standard = NAN, .least = 1,           \
        .most = 1e15, .standard_text = usual,                                                      \
        .text = "Steps after which the impact is reported as not terminated."                      \
    }

/* A law may be the caller's own: is it all there? */
crm_status crm_law_check(const crm_law *law, crm_error *error);

double crm_settings_number(const crm_settings *settings, size_t index);
size_t crm_settings_choice(const crm_settings *settings, size_t index);
/* The list and its length; NULL and 0 when not given. */
const double *crm_settings_list(const crm_settings *settings, size_t index, size_t *count);

/* ---- Many systems side by side ------------------------------------------------------------- */

/* A system that has ended. */
typedef struct crm_lane_end {
    size_t tag;
    bool solved; /* false: left to the law's `solve` */
    double duration, error_estimate;
    uint64_t steps;
    unsigned lane; /* where its impulses are, until another system is added */
} crm_lane_end;

/* A law's own method to solve several independent systems at once, one in each vector lane, for
 * batches that ask for it. The answer for a system must not depend on the others, nor on when it
 * was added.
 */
struct crm_law_lanes {
    unsigned lanes;                                 /* systems at a time, at most */
    size_t contacts;                                /* of each, at most */
    bool (*supports)(const crm_settings *settings); /* do the options allow it? */
    bool (*fits)(const crm_model *model);           /* does the model? */
    crm_status (*create)(const crm_settings *settings, void **lane_state, crm_error *error);
    void (*free)(void *lane_state); /* NULL is fine */
    /* Add a system with gap velocities u, some of them negative. false: not now, try again after
     * others have ended; never while none is active.
     */
    bool (*add)(void *lane_state, const crm_model *model, const double *u, size_t tag);
    size_t (*active)(const void *lane_state); /* active systems */
    /* Continue with all of them. Returns how many have ended; ends has `lanes` entries. */
    size_t (*advance)(void *lane_state, crm_lane_end *ends);
    double (*impulse)(const void *lane_state, unsigned lane, size_t contact);
};

#endif
