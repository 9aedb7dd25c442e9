/* The contacts of a model in clusters that are small enough to be solved exactly. */
#ifndef CRM_LCP_CLUSTERS_H
#define CRM_LCP_CLUSTERS_H

#include "base/watch.h"
#include "lcp/dependent/cluster.h"

typedef struct crm_clusters {
    size_t count;
    crm_cluster *cluster;
    size_t left; /* contacts in clusters that are too large: in none of these */
} crm_clusters;

/* Clusters of at most `most` contacts, and as many coordinates. All memory is from the pool. If
 * interrupted, some or all are missing.
 */
crm_status crm_clusters_create(crm_pool *pool, crm_width width, const crm_model *model, size_t most,
                               crm_watching *watching, crm_clusters *clusters, crm_error *error);

#endif
