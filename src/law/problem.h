/* What a law is given, and how it reads its options. Internal to the library. */
#ifndef CRM_PROBLEM_H
#define CRM_PROBLEM_H

#include "base/base.h"
#include "carom/outcome.h"
#include "model/model.h"

/* One impact to be solved. A law writes outcome->impulse (zeroed, s entries, the only duty) and
 * whatever else it defines: result and reason, note, loss (allocated, see below), peak_force,
 * contact_duration, compressions, duration, steps, evaluations, error_estimate, unique, tail.
 * Velocities, energies, the closing of the energy account and the verdicts follow from the
 * impulses for every law alike: outcome/outcome.c.
 *
 * Arrays a law may fill are allocated by crm_outcome_want_*; what stays NULL is "not defined",
 * except loss, which is then shared out by the mean gap velocity (Thomson and Tait).
 */
typedef struct crm_problem {
    const crm_model *model;
    const double *velocity;     /* v-, n */
    const double *gap_velocity; /* u-, s */
    const crm_settings *settings;
    const crm_recorder *recorder; /* may be NULL */
} crm_problem;

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

double crm_settings_number(const crm_settings *settings, size_t index);
size_t crm_settings_choice(const crm_settings *settings, size_t index);
/* The list and its length; NULL and 0 when not given. */
const double *crm_settings_list(const crm_settings *settings, size_t index, size_t *count);

double *crm_outcome_want(double **array,
                         size_t count); /* allocate *array zeroed; NULL: no memory */

#endif
