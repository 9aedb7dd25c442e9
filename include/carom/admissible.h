/* What is possible at all: the outcomes that any law may give (docs/admissible.md).
 *
 *     u+ = u- + D p >= 0,   p >= 0,   u-'p + p'Dp/2 <= E0
 *
 * with E0 the energy stored in the contacts before, commonly 0; where nothing moves by prescription
 * the last line is T+ <= T- + E0. The set is convex, so that the least and the greatest value of a
 * quantity that is linear in p are found with a proof: an impulse that attains it, and a bound from
 * the dual problem that nothing exceeds.
 */
#ifndef CAROM_ADMISSIBLE_H
#define CAROM_ADMISSIBLE_H

#include "carom/outcome.h"
#include "carom/scenario.h"
#include "carom/watch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The set ----------------------------------------------------------------------------------
 */

typedef struct crm_admissible crm_admissible;

/* Start from crm_admissible_def_default(). Model and velocity are borrowed for the call, the model
 * also for as long as the set lives.
 */
typedef struct crm_admissible_def {
    const crm_model *model;
    const double *velocity; /* v-, n */
    double energy_ratio;    /* 1: as above. Less: only outcomes with T+ <= energy_ratio T- + E0,
                               whatever the loss; in [0, 1] */
    const crm_watch *watch; /* over every call with the set; NULL: not watched */
} crm_admissible_def;

CRM_API crm_admissible_def crm_admissible_def_default(void);

typedef enum crm_admissible_kind {
    CRM_ADMISSIBLE_REGION, /* many outcomes */
    CRM_ADMISSIBLE_SINGLE, /* one v+: nothing closes, or the contacts leave no choice */
    CRM_ADMISSIBLE_EMPTY   /* none: moving walls that crush what is between them, or an energy ratio
                              below the least */
} crm_admissible_kind;

/* CRM_ERROR_MODEL: contacts that do not touch yet or have friction, a D that is not stored, or
 * walls that part around a body they held. CRM_ERROR_NUMERICS: the complementarity solver gave up.
 */
CRM_API crm_status crm_admissible_create(const crm_admissible_def *def, crm_admissible **set,
                                         crm_error *error);
CRM_API void crm_admissible_free(crm_admissible *set); /* NULL is fine */

CRM_API crm_admissible_kind crm_admissible_kind_of(const crm_admissible *set);
/* Contacts whose impulse nothing bounds, s entries: they press from several sides, D z = 0 with
 * z >= 0, z_j > 0. Their u+ is 0 in every outcome.
 */
CRM_API const bool *crm_admissible_pinched(const crm_admissible *set);

/* ---- Extremes ---------------------------------------------------------------------------------
 */

/* constant + velocity'v+ + impulse'p + energy T+. NULL stands for zeros. */
typedef struct crm_admissible_quantity {
    const double *velocity; /* n */
    const double *impulse;  /* s */
    double energy;          /* not with the others, and >= 0 */
    double constant;
} crm_admissible_quantity;

typedef struct crm_extreme {
    double value;     /* attained by the impulse given; infinite: unbounded; NAN: not determined */
    double bound;     /* nothing exceeds it: <= value for the least, >= for the greatest */
    double violation; /* by rounding, of that impulse: the largest of -u+_j / sqrt(D_jj) and
                         -p_j sqrt(D_jj) as a part of the speed sqrt(2 G), and of the energy too
                         much as a part of 2 G, G being what there is to lose */
} crm_extreme;

/* The least value; p (s entries) and v+ (n) attain it; either may be NULL. An empty set:
 * CRM_ERROR_ARGUMENT. Interrupted: CRM_ERROR_STOPPED.
 */
CRM_API crm_status crm_admissible_least(crm_admissible *set,
                                        const crm_admissible_quantity *quantity,
                                        crm_extreme *extreme, double *p, double *v,
                                        crm_error *error);
CRM_API crm_status crm_admissible_most(crm_admissible *set, const crm_admissible_quantity *quantity,
                                       crm_extreme *extreme, double *p, double *v,
                                       crm_error *error);

/* How far from the set velocities v- + M^-1 W p are: the least sqrt(dv'M dv / 2), and that as a
 * part of sqrt(T-); `bound` is not exceeded by the true one. 0: some admissible p gives them.
 */
CRM_API crm_status crm_admissible_distance(crm_admissible *set, const double *p,
                                           crm_extreme *distance, crm_error *error);

/* ---- A scenario: its `admissible` block, and its laws ------------------------------------------
 */

/* A quantity by name, and between what it lies. */
typedef struct crm_admissible_range {
    const char *what; /* "velocity[3]" */
    const char *unit; /* NULL: none */
    crm_extreme least, most;
    const double *least_impulse, *most_impulse;   /* contacts; NULL: not determined */
    const double *least_velocity, *most_velocity; /* coordinates; likewise */
} crm_admissible_range;

/* What one of the scenario's laws gives. */
typedef struct crm_admissible_outcome {
    const char *label;
    const char *reason; /* why it has no answer; "": it has one */
    bool judged;        /* there is an outcome */
    bool inside;
    double distance;      /* of its velocities, as crm_admissible_distance; 0 if inside */
    const double *values; /* of the quantities; NAN: none */
} crm_admissible_outcome;

typedef struct crm_admissible_table {
    const char *title; /* "" when there is none */
    crm_admissible_kind kind;
    size_t coordinates, contacts, pinched;
    size_t range_count, outcome_count;
    const crm_admissible_range *ranges;
    const crm_admissible_outcome *outcomes;
} crm_admissible_table;

/* Free with crm_admissible_table_free. Interrupted by its watch (may be NULL): CRM_ERROR_STOPPED.
 */
CRM_API crm_status crm_admissible_solve(const crm_source *source, const crm_watch *watch,
                                        crm_admissible_table **table, crm_error *error);
CRM_API void crm_admissible_table_free(crm_admissible_table *table); /* NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
