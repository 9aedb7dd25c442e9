/* From M, W and v- to what a law knows of them, u- = W'v- + boundary velocity and D = W'M^-1 W, and
 * from its impulses to v+ and T+: the chain rule, in both directions. Internal.
 */
#ifndef CRM_SENSITIVITY_CHAIN_H
#define CRM_SENSITIVITY_CHAIN_H

#include "law/derivative.h"

typedef struct crm_chain_rule {
    const crm_model *model;
    const double *before, *impulse; /* v-, p */
    double *after;                  /* v+ */
    double *momentum;               /* M v+ */
    /* A = M^-1 W by columns, without its zeros. */
    size_t *start;
    uint32_t *row;
    double *value;
    double *work; /* 3 n, zeros between calls */
} crm_chain_rule;

/* All memory is from the pool. `before` and `impulse` are borrowed. */
crm_status crm_chain_rule_make(crm_chain_rule *chain, const crm_model *model, const double *before,
                               const double *impulse, crm_pool *pool, crm_error *error);

/* The direction as the law sees it: gap_velocity and delassus, which are there. */
void crm_chain_rule_enter(const crm_chain_rule *chain, const crm_variation *direction,
                          const crm_data_change *change);
/* The changes of v+ and T+; `impulse`: that of p. */
crm_status crm_chain_rule_leave(const crm_chain_rule *chain, const crm_variation *direction,
                                const double *impulse, crm_response *response, crm_error *error);

/* Transposed: from weights to those of p; `of_velocity` (n) and `through` (n) are kept for the way
 * on: the weight of v+ and M^-1 times it.
 */
crm_status crm_chain_rule_weigh(const crm_chain_rule *chain, const crm_response *weights,
                                double *of_velocity, double *through, double *impulse,
                                crm_error *error);
/* From the gradient to u- and D, and what weigh left, to that of the data. */
void crm_chain_rule_collect(const crm_chain_rule *chain, const crm_response *weights,
                            const double *of_velocity, const double *through,
                            crm_data_change *gradient, crm_variation *to);

#endif
