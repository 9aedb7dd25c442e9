/* Calls of the compliant law. */
#ifndef CAROM_TEST_COMPLIANT_CALL_H
#define CAROM_TEST_COMPLIANT_CALL_H

#include "support.h"

typedef struct compliant_options {
    double damping, tolerance, max_steps; /* 0: default */
    const char *model;                    /* NULL: default */
    const double *dampings, *arms;        /* by contact, of a model that has them; NULL: none */
    size_t contacts;
    const crm_recorder *recorder;
} compliant_options;

crm_settings *compliant_settings(compliant_options o);
/* The call must succeed; the result may be anything. */
crm_outcome *compliant_outcome(const crm_model *model, const double *velocity, compliant_options o);
crm_outcome *compliant_outcome_of(const small_system *system, compliant_options o);
/* It must be solved as well. */
crm_outcome *compliant_solve(const small_system *system, compliant_options o);

#endif
