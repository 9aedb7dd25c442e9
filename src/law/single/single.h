/* One contact with friction by itself, whatever its stiffness: Stronge's energetic law. Internal.
 *
 * With the normal impulse P as time everything but the direction of slip is linear,
 *     du/dP = D (1, f),   f = -mu u_t / |u_t| while it slips.
 * At u_t = 0 it sticks if friction within the cone can hold it, |D_tt^-1 D_tn| <= mu, or slips in a
 * direction that then stays. Compression stores the work of c = -u_n; expansion ends when the part
 * e^2 of it has been returned.
 */
#ifndef CRM_SINGLE_H
#define CRM_SINGLE_H

#include <stdbool.h>

enum { CRM_SINGLE_ROWS = 3 };

typedef struct crm_single {
    unsigned tangents;                          /* 1 (plane) or 2 (space) */
    double d[CRM_SINGLE_ROWS][CRM_SINGLE_ROWS]; /* of the normal and the tangents */
    double u[CRM_SINGLE_ROWS];                  /* before; u[0] < 0 */
    double friction, restitution;
} crm_single;

typedef struct crm_single_end {
    double impulse[CRM_SINGLE_ROWS]; /* P and Q */
    double u[CRM_SINGLE_ROWS];
    double loss_restitution, loss_friction;
    unsigned path; /* bits of crm_path */
    /* D is singular, and the contact sticks: it comes to rest, its P grows without bound, and its
     * energy is held. P and Q are those up to there.
     */
    bool locked;
    double held;
} crm_single_end;

crm_single_end crm_single_solve(const crm_single *contact);

/* The friction from which a contact jams, if it slips so that friction presses it: D_nn / |D_nt|;
 * INFINITY where D_nt = 0.
 */
double crm_single_critical_friction(const crm_single *contact);

#endif
