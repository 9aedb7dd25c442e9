/* The methods, and what they share. All in the scale of the matrix, with the largest |q| near 1. */
#ifndef CRM_COULOMB_SOLVER_H
#define CRM_COULOMB_SOLVER_H

#include "base/watch.h"
#include "coulomb/contact.h"
#include "coulomb/factor.h"

typedef enum crm_coulomb_mode {
    CRM_COULOMB_OPEN,
    CRM_COULOMB_STICK,
    CRM_COULOMB_SLIP
} crm_coulomb_mode;

/* What Newton's method knows of a contact. */
typedef struct crm_coulomb_frame {
    crm_coulomb_mode mode;
    double along[2]; /* unit vector of the friction impulse; slip */
    double bend;     /* how the impulse turns as u_t turns: p'u + bend p'r = 0 across `along` */
    bool straight;   /* it does not turn */
} crm_coulomb_frame;

typedef struct crm_coulomb_solver {
    const crm_coulomb_matrix *matrix; /* borrowed */
    crm_coulomb_factor factor;
    crm_coulomb_contact *own; /* with the pull on its diagonal */
    crm_coulomb_frame *frame;
    double *mu, *q;
    double *slip;                  /* by contact, for crm_coulomb_contact_solve */
    double *r;                     /* the best so far */
    double *point, *velocity;      /* where a method is: u = D point + q + pull (point - centre) */
    double *step, *known;          /* of Newton's method */
    double *centre, *last, *drift; /* of the proximal method */
    double pull;
    bool *active;
    double goal, best; /* length of the residual: wanted, and of r */
    size_t sweeps, steps, most_steps;
    bool recedes; /* r is a direction along which the impulse grows without bound */
    crm_watching watching;
} crm_coulomb_solver;

crm_status crm_coulomb_solver_create(const crm_coulomb_matrix *matrix, crm_coulomb_solver *solver,
                                     crm_error *error);
void crm_coulomb_solver_free(crm_coulomb_solver *solver);

/* Before the first of several runs with one q; q and r are set. */
void crm_coulomb_solver_begin(crm_coulomb_solver *solver);
/* From r, until its residual is at most the goal or what rounding allows. */
void crm_coulomb_solver_run(crm_coulomb_solver *solver);
/* Is r as good as wanted, or as rounding of D r + q allows? */
bool crm_coulomb_solver_is_done(crm_coulomb_solver *solver);

/* Of the point: sets the velocity; the length of the residual. Without a pull the point is kept if
 * it is the best.
 */
double crm_coulomb_solver_measure(crm_coulomb_solver *solver);
void crm_coulomb_solver_set_pull(crm_coulomb_solver *solver, double pull);
/* Has the watch ended the call? */
bool crm_coulomb_solver_is_over(crm_coulomb_solver *solver);

/* Each from the point. true: its residual is at most the goal. Sweeps go on as long as four of them
 * reduce the residual to `gain` of what it was.
 */
bool crm_coulomb_sweep(crm_coulomb_solver *solver, size_t most, double gain);
bool crm_coulomb_newton(crm_coulomb_solver *solver, size_t most);
/* From r. */
bool crm_coulomb_proximal(crm_coulomb_solver *solver, double pull, double ease);

/* Is there another solution beside r? From points near it. */
bool crm_coulomb_has_other(crm_coulomb_solver *solver);
/* Is there no other, by a proof? */
bool crm_coulomb_is_only(crm_coulomb_solver *solver);
/* Do tangents of contacts that stick in r depend on each other? */
bool crm_coulomb_is_shared(crm_coulomb_solver *solver);

#endif
