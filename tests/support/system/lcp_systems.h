/* Random systems that are hard for laws by complementarity: contacts that are dependent or nearly
 * so, masses of very different size, several systems side by side.
 */
#ifndef CAROM_TEST_LCP_SYSTEMS_H
#define CAROM_TEST_LCP_SYSTEMS_H

#include "support.h"

typedef enum lcp_kind {
    LCP_WEDGE,     /* two contacts that face each other but for an angle of 1e-8 to 0.1 */
    LCP_BUNDLE,    /* three to eight contacts along one line but for such angles */
    LCP_DEPENDENT, /* small integers: more contacts than coordinates, gap velocities of 0 */
    LCP_UNEVEN,    /* any W, masses over twelve decades */
    LCP_CHAIN,     /* the same in a line, with and without a wall */
    LCP_DIAMOND,   /* a ring of three to eight discs, on a floor or not, by its geometry */
    LCP_PATCH,     /* discs of a hexagonal packing */
    LCP_DOUBLED,   /* any of these, with contacts that are multiples of others */
    LCP_SCALED,    /* any of these, in units from 1e-60 to 1e60 */
    LCP_APART,     /* two of these side by side, numbered in any order */
    LCP_KINDS
} lcp_kind;

extern const char *const lcp_kind_names[LCP_KINDS];

small_system lcp_random_system(rng *r, lcp_kind kind);

/* M, W, contacts of a model of at most SMALL coordinates and contacts. */
small_system lcp_system_of(const crm_model *model);

/* Each entry of W moved to a neighbouring double, or left. */
small_system lcp_nudged(const small_system *system, rng *r);

#endif
