/* How the answers of the complementarity laws change with the data: on the set of contacts with
 * p > 0, while that stays as it is. Internal to the laws.
 */
#ifndef CRM_COMPLEMENTARITY_DERIVATIVE_H
#define CRM_COMPLEMENTARITY_DERIVATIVE_H

#include "law/complementarity/complementarity.h"
#include "law/derivative.h"

/* One problem for each stage. Newton's family has one, with q_j = (1 + e_j) u_j or, with a matrix,
 * q = u + matrix u; Poisson's law a second one, with q = u + D (1 + e) p.
 */
typedef struct crm_complementarity_rule {
    const double *restitution; /* by contact; NULL: the same for all, ... */
    double common;             /* ... this one */
    bool of_contacts;          /* e is that of the contacts, and changes with it */
    const double *matrix;      /* contacts x contacts; or NULL */
    bool expands;              /* Poisson */
} crm_complementarity_rule;

/* create_trace of a law with this rule, which is copied. */
crm_status crm_complementarity_create_trace(const crm_problem *problem,
                                            const crm_complementarity_rule *rule, void **trace,
                                            double *impulse, crm_error *error);
void crm_complementarity_free_trace(void *trace);
crm_status crm_complementarity_forward(void *trace, const crm_data_change *direction,
                                       crm_answer_change *change, crm_smoothness *smoothness,
                                       crm_error *error);
crm_status crm_complementarity_reverse(void *trace, const crm_answer_change *weights,
                                       crm_data_change *gradient, crm_smoothness *smoothness,
                                       crm_error *error);

#endif
