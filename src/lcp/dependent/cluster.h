/* A cluster of contacts, coupled with each other and with no others, solved in the coordinates of W
 * and in twice the working precision (least_distance.h). M and W are taken as they are stored: v+
 * is exact for them, to rounding, however nearly the contacts depend on each other.
 */
#ifndef CRM_LCP_CLUSTER_H
#define CRM_LCP_CLUSTER_H

#include "carom/lcp.h"
#include "lcp/dependent/least_distance.h"
#include "model/model.h"

typedef struct crm_cluster {
    const crm_model *model;
    crm_pool *pool;
    size_t coordinates, contacts;
    const uint32_t *coordinate, *contact; /* which of the model's */
    crm_twofold *root;                    /* M = L L': L by rows; only its diagonal when M is one */
    bool diagonal;
    double *scale;                /* powers of two: |scale_j L^-1 w_j| near 1 */
    crm_least_distance problem;   /* its columns are these */
    crm_twofold *velocity_change; /* L'(v+ - v-) so far */
} crm_cluster;

/* Everything is taken from the pool. Both lists are borrowed; the coordinates are those of all mass
 * blocks that the contacts touch.
 */
crm_status crm_cluster_create(crm_pool *pool, crm_width width, const crm_model *model,
                              size_t coordinates, const uint32_t *coordinate, size_t contacts,
                              const uint32_t *contact, crm_cluster *cluster, crm_error *error);

/* 0 <= p, w = D p + q >= 0, complementary; all by the model's numbering of contacts, others are
 * left alone. noise: the size of what q_j is made of. p is that with the least sum of D_jj p_j^2,
 * and d of lcp.h when infeasible; w = 0 exactly where p > 0. `share` of the change of velocities
 * that p makes is added to the motion. Fills result and unique of the info, adds to pivots.
 */
crm_status crm_cluster_solve(crm_cluster *cluster, const crm_twofold *q, const double *noise,
                             crm_twofold share, crm_twofold *p, crm_twofold *w, crm_lcp_info *info,
                             crm_error *error);

/* w += D p, and the motion gets what p makes. */
void crm_cluster_push(crm_cluster *cluster, const crm_twofold *p, crm_twofold *w);

/* velocity += the motion, rounded once. */
void crm_cluster_finish(crm_cluster *cluster, double *velocity);

#endif
