/* Pairs p_k, w_k > 0 of an interior-point method, and steps that keep them so. */
#ifndef CRM_LCP_PAIRS_H
#define CRM_LCP_PAIRS_H

#include <stddef.h>

#include "base/team.h"

typedef struct crm_lcp_pairs {
    size_t size;
    double *p, *w;
    double *dp, *dw; /* the step */
    double *cp, *cw; /* a correction of it */
    double *right;   /* what products are to change by, for the next correction */
    crm_team *team;  /* NULL: the caller alone */
} crm_lcp_pairs;

/* The mean of p_k w_k after a part of the step. */
double crm_lcp_pairs_mean(const crm_lcp_pairs *pairs, double step);

void crm_lcp_pairs_advance(const crm_lcp_pairs *pairs, double step);

/* The corrections of S. Mehrotra (SIAM J. Optim. 2 (1992)) and, as long as each buys a clearly
 * longer step, of J. Gondzio (Comput. Optim. Appl. 6 (1996)), added to a step that aims at products
 * of 0. find turns `right`, what products are to change by, into a correction cp, cw. Returns the
 * part of the step to take.
 */
double crm_lcp_pairs_improve(const crm_lcp_pairs *pairs, void (*find)(void *context),
                             void *context);

#endif
