/* What of a contact one power and one number do not say: loading curves, unloading curves,
 * restitution that depends on the impact. Internal.
 *
 * The definitions are in carom/model.h, the meaning in docs/theory/lzb-contacts.md. All are
 * immutable, and shared by the contacts of a model that were given the same definition.
 */
#ifndef CRM_COMPLIANCE_H
#define CRM_COMPLIANCE_H

#include "base/base.h"
#include "carom/model.h"

/* ---- curve.c: F, F', E and what inverts them ------------------------------------------------- */

/* F = a0 + d (a1 + d (a2 + d a3)), d = x - start. */
typedef struct crm_cubic {
    double start, energy; /* E there */
    double a[4];
} crm_cubic;

/* F is analytic in pieces but for x = 0. Piece 0 begins there: a sum of powers, a function of the
 * caller's, or a cubic as all others. Each is continued beyond its ends, so that a step of an
 * integrator which ends at a knot meets no kink.
 */
typedef struct crm_curve {
    size_t pieces, terms;    /* terms: of piece 0; 0: a cubic or a function */
    double exponent;         /* of x, with which F begins: the least */
    double roughest;         /* that of them which is farthest from whole: whole, half, others */
    double *stiffness, *eta; /* of the terms */
    crm_cubic *cubic;        /* by piece; that of piece 0 is only used without terms and function */
    crm_curve_function *function;
    void *context;
} crm_curve;

/* Where a piece begins; INFINITY: there is none of this number. */
double crm_curve_start(const crm_curve *curve, size_t piece);
size_t crm_curve_piece(const crm_curve *curve, double x);
/* F and F' on a piece, also beyond its ends; 0 at x <= 0. */
double crm_curve_force_on(const crm_curve *curve, size_t piece, double x);
double crm_curve_slope_on(const crm_curve *curve, size_t piece, double x);
double crm_curve_force(const crm_curve *curve, double x);
double crm_curve_energy(const crm_curve *curve, double x);
/* The x with this E, or this F; 0: the value is 0. NAN: there is none. */
double crm_curve_at_energy(const crm_curve *curve, double energy);
double crm_curve_at_force(const crm_curve *curve, double force);
/* By how much x has to fall for an energy to be given back, of E(x): right also for tiny parts. */
double crm_curve_way_back(const crm_curve *curve, double x, double energy);

/* ---- restitution.c --------------------------------------------------------------------------- */

typedef struct crm_restitution {
    crm_restitution_form form;
    bool of_work;
    size_t count;
    double *at, *value, *slope;
    double parameter; /* speed of yield, loss */
    crm_restitution_function *function;
    void *context;
} crm_restitution;

/* e after a compression with the work W, of a contact with D_jj. */
double crm_restitution_after(const crm_restitution *restitution, double work, double own);
/* The same, checked: an error has the contact (from 0), the value and what it was found at. */
crm_status crm_restitution_find(const crm_restitution *restitution, double work, double own,
                                size_t contact, double *e, crm_error *error);

/* ---- make.c ---------------------------------------------------------------------------------- */

struct crm_compliance {
    crm_curve *loading, *unloading; /* NULL: not given */
    crm_restitution *restitution;
};

static inline bool crm_compliance_is_given(const crm_compliance_def *def)
{
    return def->loading != NULL || def->unloading != NULL || def->restitution != NULL ||
           def->made != NULL;
}

/* Of all contacts of a model: as many as there are different definitions. */
typedef struct crm_compliance_store {
    const crm_compliance **of; /* by contact, NULL: none; NULL: of no contact */
    size_t count;
    crm_compliance **made;
    crm_compliance_def *from; /* what each was made of, while the model is made */
} crm_compliance_store;

/* Give a contact its compliance, if there is any. */
crm_status crm_compliance_give(crm_compliance_store *store, size_t contacts, size_t contact,
                               const crm_compliance_def *def, crm_error *error);
void crm_compliance_release(crm_compliance_store *store);

/* ---- effective.c ----------------------------------------------------------------------------- */

/* e that a contact alone has when so much work W compresses it: that of its rule, or what its
 * curves give back, sqrt(U / W); NAN: it comes to no number from 0 to 1. `numbers` are its
 * stiffness, exponent and restitution, which count where the compliance, or NULL, does not say it.
 */
typedef struct crm_contact_numbers {
    double stiffness, exponent, restitution;
} crm_contact_numbers;

double crm_compliance_effective(const crm_compliance *compliance, crm_contact_numbers numbers,
                                double work, double own);
/* How far that work indents it. */
double crm_compliance_indentation(const crm_compliance *compliance, crm_contact_numbers numbers,
                                  double work);

/* ---- monotone.c ------------------------------------------------------------------------------ */

/* Slopes at the points of a table for cubics that are monotone wherever the points are (F. N.
 * Fritsch, R. E. Carlson, SIAM J. Numer. Anal. 17 (1980) 238-246).
 */
void crm_monotone_slopes(size_t count, const double *x, const double *y, double *slope);

#endif
