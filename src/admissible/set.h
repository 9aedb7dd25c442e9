/* The admissible set, reduced to a convex programme that has an interior. Internal to the library.
 *
 * p = pi / sqrt(D_jj), so that D has a unit diagonal. Contacts that are pinched, those with z_j > 0
 * for some z >= 0, D z = 0, have u+ = 0 in every outcome: z'u+ = z'(u- + D p) = z'u- = 0. They are
 * equalities, and their impulses follow, but for a multiple of z, which makes them >= 0. A basis B
 * of their columns eliminated, what is left is a problem of the same form,
 *
 *     x >= 0,   y = u + D x >= 0,   t = limit - u'x - x'Dx/2 >= 0,
 *
 * now with an h, D h >= 1 (Gordan: there is one exactly if there is no z), so that it has an
 * interior wherever some p takes energy out. D is scaled to a unit diagonal again, and x in the
 * speed that the available energy makes, so that the numbers are near 1.
 */
#ifndef CRM_ADMISSIBLE_SET_H
#define CRM_ADMISSIBLE_SET_H

#include "base/base.h"
#include "base/watch.h"
#include "carom/admissible.h"
#include "model/model.h"

/* The programme above; m contacts. */
typedef struct crm_program {
    size_t m;
    double *d; /* m * m */
    double *u;
    double limit;
    double *start; /* the analytic centre */
    double *h;     /* D h >= 1 */
} crm_program;

/* Pinched contacts, and those of them that are independent. */
typedef struct crm_pinched {
    bool *is;       /* s */
    double *z;      /* s: D z = 0, > 0 at those */
    size_t count;   /* of the basis */
    size_t *basis;  /* contacts */
    double *factor; /* count * count: D_BB = L L', by rows, in pi */
} crm_pinched;

struct crm_admissible {
    const crm_model *model;
    crm_watch watch;
    crm_watching watching;
    size_t n, s;
    crm_admissible_kind kind;
    double *velocity; /* v- */
    double *u;        /* u- */
    double *root;     /* sqrt(D_jj) */
    double *d;        /* s * s, of unit diagonal */
    double *plastic;  /* pi of least u-'p + p'Dp/2 */
    double energy_before;
    double allowed; /* what u-'p + p'Dp/2 may be */
    double speed;   /* sqrt(2 G), G what is between the least and that */
    crm_pinched pinched;
    size_t *kept;  /* m contacts that are not pinched, nor held by those that are */
    double *scale; /* m: pi of such a contact is scale * x */
    crm_program program;
    double *work; /* s */
};

/* From an interior point in `start` to the analytic centre. */
crm_status crm_admissible_find_centre(crm_program *program, crm_watching *watching,
                                      crm_error *error);
/* min theta (u'x + x'Dx/2) + c'x, theta >= 0. x: m entries. The bound is from the dual problem.
 * CRM_ERROR_STOPPED when the watching ends it.
 */
crm_status crm_admissible_minimise(const crm_program *program, double theta, const double *c,
                                   crm_watching *watching, double *x, double *value, double *bound,
                                   crm_error *error);

/* z, and h of the others, by complementarity problems in D. */
crm_status crm_admissible_find_pinched(crm_admissible *set, double *h, crm_error *error);
/* Fills kept, scale and program. */
crm_status crm_admissible_reduce(crm_admissible *set, const double *h, crm_error *error);
/* c of pi, s entries, becomes c of x, m entries; what the pinched contacts make of it is returned.
 */
double crm_admissible_reduce_linear(crm_admissible *set, const double *c, double *of_x);
/* p, s entries, from x. */
void crm_admissible_expand(crm_admissible *set, const double *x, double *p);

/* L L' = A in place, by rows; only the lower triangle is used. */
void crm_admissible_factorize(double *a, size_t size);
void crm_admissible_solve_factor(const double *a, size_t size, double *x);
void crm_admissible_solve_lower(const double *a, size_t size, double *x); /* L only */
void crm_admissible_solve_upper(const double *a, size_t size, double *x); /* L' only */
double crm_admissible_dot(const double *a, const double *b, size_t count);

#endif
