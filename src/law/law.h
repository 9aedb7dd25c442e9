/* What a law is given, and how it reads its options. Internal to the library. */
#ifndef CRM_LAW_INTERNAL_H
#define CRM_LAW_INTERNAL_H

#include "base/base.h"
#include "base/room.h"
#include "carom/workspace.h"
#include "model/model.h"

/* One impact to be solved. A law writes outcome->impulse (zeroed, s entries, the only duty) and
 * whatever else it defines: result and reason, note, loss (see below), peak_force,
 * contact_duration, compressions, duration, steps, evaluations, error_estimate, unique, tail.
 * Velocities, energies, the closing of the energy account and the verdicts follow from the
 * impulses for every law alike: outcome/outcome.c. (A law that knows v+ better than p rounded to
 * doubles tells it writes outcome->velocity and says so in the workspace.)
 *
 * Arrays a law may fill are made by crm_outcome_want*; what stays NULL is "not defined",
 * except loss, which is then shared out by the mean gap velocity (Thomson and Tait).
 */
typedef struct crm_problem {
    const crm_model *model;
    const double *velocity;     /* v-, n */
    const double *gap_velocity; /* u-, s */
    const crm_settings *settings;
    const crm_recorder *recorder; /* may be NULL */
    crm_workspace *workspace;
} crm_problem;

/* What is kept from call to call. A law takes the arrays of a call from `room`, and frees none. */
struct crm_workspace {
    crm_room room;
    struct crm_held_outcome *held; /* the last outcome, in memory of its own */
    struct lzb_kept *lzb;          /* NULL: not needed so far */
    size_t threads;                /* at most; 0: one for each processor */
    struct crm_team *team;         /* NULL: not needed so far, or not to be had */
    bool velocity_known;           /* the law has written the outcome's velocity itself */
};

/* Started when first asked for; NULL: the caller's thread alone. */
struct crm_team *crm_workspace_team(crm_workspace *workspace);

void lzb_kept_free(struct lzb_kept *kept); /* NULL is fine */

/* An option's value; `index` is its place in the law's parameter table. */
typedef struct crm_value {
    double number; /* number, integer; index of the choice; NAN: not given */
    size_t count;  /* list, matrix */
    double *list;
} crm_value;

struct crm_settings {
    const crm_law *law;
    crm_value *values;
};

/* The same option of every law that integrates in time. */
#define CRM_MAX_STEPS_PARAMETER                                                                    \
    {                                                                                              \
        .name = "max_steps", .kind = CRM_PARAMETER_INTEGER, .standard = NAN, .least = 1,           \
        .most = 1e15, .standard_text = "1e6 and more for many contacts",                           \
        .text = "Steps after which the impact is reported as not terminated."                      \
    }

double crm_settings_number(const crm_settings *settings, size_t index);
size_t crm_settings_choice(const crm_settings *settings, size_t index);
/* The list and its length; NULL and 0 when not given. */
const double *crm_settings_list(const crm_settings *settings, size_t index, size_t *count);

/* Make an array of the outcome, s zeros; NULL: no memory. */
double *crm_outcome_want(const crm_problem *problem, double **array);
uint32_t *crm_outcome_want_counts(const crm_problem *problem, uint32_t **array);

#endif
