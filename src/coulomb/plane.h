/* All answers of Coulomb's law in the plane, for a few contacts. Internal. */
#ifndef CRM_COULOMB_PLANE_H
#define CRM_COULOMB_PLANE_H

#include <stdbool.h>
#include <stddef.h>

enum { CRM_PLANE_CONTACTS = 8, CRM_PLANE_ROWS = 2 * CRM_PLANE_CONTACTS, CRM_PLANE_ANSWERS = 32 };

/* u = D r + q with r_n = g + z, z >= 0, u_n >= 0, z u_n = 0, and |r_t| <= mu r_n against u_t. Rows:
 * normal and tangent, contact after contact.
 */
typedef struct crm_plane {
    size_t contacts;
    double d[CRM_PLANE_ROWS][CRM_PLANE_ROWS];
    double q[CRM_PLANE_ROWS];
    double mu[CRM_PLANE_CONTACTS], pressed[CRM_PLANE_CONTACTS]; /* pressed: g >= 0 */
} crm_plane;

/* Answers with different u. Where contacts depend on each other many r may belong to one u. */
typedef struct crm_plane_answers {
    size_t count;
    double r[CRM_PLANE_ANSWERS][CRM_PLANE_ROWS]; /* r_n with g */
    double u[CRM_PLANE_ANSWERS][CRM_PLANE_ROWS];
    bool complete;       /* there are no others */
    bool normals_differ; /* among the r that belong to one u */
} crm_plane_answers;

void crm_plane_find(const crm_plane *plane, crm_plane_answers *answers);

#endif
