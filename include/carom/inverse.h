/* From outcomes back to parameters (docs/inverse.md): how quantities of an outcome change with the
 * fields of a scenario, which parameters measured quantities speak for, and which fields make a
 * quantity largest or least.
 *
 * Everything is by one law: the first of the scenario's, or the one that the source names. What is
 * returned is immutable, and is freed by its own function. A call that its watch (may be NULL)
 * interrupts is CRM_ERROR_STOPPED.
 */
#ifndef CAROM_INVERSE_H
#define CAROM_INVERSE_H

#include "carom/scenario.h"
#include "carom/watch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Derivatives: the scenario's `sensitivity` ---------------------------------------------- */

/* A field that is known with some uncertainty. */
typedef struct crm_uncertain {
    const char *name;
    double deviation; /* one standard deviation */
} crm_uncertain;

/* What uncertain fields make of a quantity. */
typedef struct crm_spread {
    double first_order; /* standard deviation by the derivatives */
    double mean;        /* of the draws, ... */
    double sampled;     /* ... and their standard deviation */
    bool disagrees;     /* by more than chance: the quantity is not linear over these deviations */
} crm_spread;

typedef struct crm_sensitivity {
    const char *title; /* "" when there is none */
    const char *law;
    size_t of_count, to_count;
    const char *const *of;    /* "velocity[1]" */
    const char *const *to;    /* "chain.mass[2]" */
    const double *value;      /* of each, at ... */
    const double *at;         /* ... these values of the fields */
    const double *derivative; /* of_count * to_count, row after row */
    bool exact;               /* along the impact; else by differences of solves */
    const char *note;         /* where there may be no derivative; "": nowhere */

    size_t uncertain_count; /* 0: nothing is, and the rest is empty */
    const crm_uncertain *uncertain;
    const crm_spread *spread;   /* of_count */
    size_t samples, unanswered; /* draws, and those that are no scenario or have no answer */
} crm_sensitivity;

CRM_API crm_status crm_sensitivity_solve(const crm_source *source, const crm_watch *watch,
                                         crm_sensitivity **sensitivity, crm_error *error);
CRM_API void crm_sensitivity_free(crm_sensitivity *sensitivity); /* NULL is fine */

/* ---- Parameters: the scenario's `fit` ------------------------------------------------------- */

typedef struct crm_fit_parameter {
    const char *name;
    double value;
    double uncertainty; /* one standard deviation; NAN: not determined, or not known */
    double interval[2]; /* of 95 %, within the bounds; the bounds if it is not determined */
    double from, to, start;
    bool determined; /* by what was measured */
    bool at_bound;
} crm_fit_parameter;

typedef struct crm_fit_residual {
    const char *what;
    double measured, uncertainty; /* that was given; NAN: none was */
    double fitted, deviation;     /* fitted less measured */
} crm_fit_residual;

/* Where some of the starts ended. */
typedef struct crm_fit_minimum {
    double chi2;
    size_t starts;
    const double *values; /* of the parameters */
} crm_fit_minimum;

typedef struct crm_fit {
    const char *title; /* "" when there is none */
    const char *law;
    size_t parameter_count, residual_count, minimum_count, note_count;
    const crm_fit_parameter *parameters;
    const double *correlation; /* parameter_count * parameter_count; NAN: not determined */
    const crm_fit_residual *residuals;
    double chi2;               /* sum of squares, each in its uncertainty if they have any */
    size_t degrees_of_freedom; /* measured values less what they determine */
    bool weighed;              /* uncertainties were given */
    double scatter; /* of the measured values, from the residuals, if none were; NAN: not known */
    bool converged;
    bool exact;                    /* the derivatives, as of crm_sensitivity */
    size_t starts, failed;         /* of them, those that reached no minimum */
    const crm_fit_minimum *minima; /* different ones, the least first */
    const char *const *notes;      /* what one should know, in sentences */
    size_t evaluations;
} crm_fit;

CRM_API crm_status crm_fit_solve(const crm_source *source, const crm_watch *watch, crm_fit **fit,
                                 crm_error *error);
CRM_API void crm_fit_free(crm_fit *fit); /* NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
