/* A fit under way: what the files of this folder share. */
#ifndef CRM_FITTING_H
#define CRM_FITTING_H

#include "inverse/fit/fit.h"

/* CRM_FIT_STARTS: at most, unless the scenario says how many. */
enum { CRM_FIT_NOTES = 32, CRM_FIT_STARTS = 100 };

typedef struct crm_fit_kept {
    crm_fit fit;
    crm_arena arena;
} crm_fit_kept;

/* Where one start ended. */
typedef struct crm_fit_attempt {
    double *x;
    double *radius; /* ends closer than this are the same; INFINITY: not determined by the data */
    double chi2;
    size_t degrees_of_freedom;
    bool converged;
    bool linear; /* on the way the residuals were */
} crm_fit_attempt;

typedef struct crm_fitting {
    crm_fit_problem *problem;
    crm_fit_kept *kept;
    size_t n, m, most; /* unknowns, data, starts at most */
    double size;       /* the norm of what was measured, in its uncertainties */
    double *weight;    /* 1 / uncertainty */
    double *y, *r, *jacobian;
    double *from, *to, *scale, *drawn;
    double *room, *covariance, *null; /* crm_identify */
    size_t null_count;
    bool *wide; /* parameters that are not narrowed within their bounds */
    crm_fit_attempt *attempts;
    size_t best;
    crm_fit_minimum *minima; /* in the order in which they were found, ... */
    size_t *first;           /* ... and the attempt that each is known by */
    size_t minimum_count, attempt_count, failed;
    crm_derived derived;
    size_t notes;
    const char *note[CRM_FIT_NOTES];
} crm_fitting;

/* ---- Minima --------------------------------------------------------------------------------- */

/* An attempt has ended: which minimum it belongs to, and whether it is the best. */
void crm_minima_add(crm_fitting *fitting, size_t attempt);
/* Whether there were enough starts: docs/inverse/fit.md. */
bool crm_minima_suffice(const crm_fitting *fitting);
/* That ended in the best one. */
size_t crm_minima_starts(const crm_fitting *fitting);
/* Whether the best one was seen from more than one start, and nothing less was met. */
bool crm_minima_is_confirmed(const crm_fitting *fitting);
/* Whether the data do not distinguish a minimum from the best. */
bool crm_minima_is_as_good(const crm_fitting *fitting, double chi2);
/* Whether chi2 is more than chance allows. Without uncertainties it never is. */
bool crm_minima_is_poor(const crm_fitting *fitting);

/* ---- Notes ----------------------------------------------------------------------------------- */

/* Remarks on a completed fit, in sentences. */
void crm_notes_write(crm_fitting *fitting);

#endif
