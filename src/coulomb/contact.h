/* One contact: its cone, and its own problem when all others are held. */
#ifndef CRM_COULOMB_CONTACT_H
#define CRM_COULOMB_CONTACT_H

#include "coulomb/matrix.h"

/* D_jj with the normal eliminated. */
typedef struct crm_coulomb_contact {
    double normal;     /* D_nn; 0: the contact moves nothing */
    double row[2];     /* D_nt */
    double column[2];  /* D_tn */
    double reduced[4]; /* D_tt - D_tn D_nt / D_nn */
} crm_coulomb_contact;

crm_coulomb_contact crm_coulomb_contact_of(size_t dim, const double *block);

/* r with u = D_jj r + q by Coulomb's law: open where q_n >= 0 allows it, else stuck where it can
 * stick, else slipping. *slip: |u_t| / |r_t| of the last answer or 0, and of this one: where to
 * start looking.
 */
void crm_coulomb_contact_solve(const crm_coulomb_contact *contact, size_t dim, double mu,
                               const double *q, double *slip, double *r);

/* Length of the tangential part. */
static inline double crm_coulomb_tangent(size_t dim, const double *x)
{
    return dim == 3 ? sqrt(x[1] * x[1] + x[2] * x[2]) : fabs(x[1]);
}

/* residual = r - P(r - (u + mu |u_t| n)), P the projection on the cone: 0 where r and u solve the
 * problem of this contact. Returns its square.
 */
double crm_coulomb_contact_residual(size_t dim, double mu, const double *r, const double *u);

#endif
