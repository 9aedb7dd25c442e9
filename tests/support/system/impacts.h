/* Impacts of many kinds for workspaces and batches, and what crm_solve says of each. */
#ifndef CAROM_TEST_IMPACTS_H
#define CAROM_TEST_IMPACTS_H

#include "support.h"

typedef struct impact {
    crm_model *model;
    double *velocity;
    crm_outcome *expected; /* by crm_solve */
} impact;

typedef struct impacts {
    size_t count;
    impact *item;
} impacts;

/* A chain whose first ball strikes; from some 45 balls on contacts take steps of their own. */
impact impact_of_chain(size_t count, double restitution);
/* Whatever the support can make, long chains among them. */
impacts impacts_random(uint64_t seed, size_t count);
void impacts_solve(impacts *all, const crm_settings *settings); /* makes `expected` */
void impacts_forget(impacts *all);                              /* what is expected */
void impacts_free(impacts *all);

/* The same bits; of arrays also when both are missing. */
void same_array(const void *got, const void *want, size_t bytes);
void same_number(double got, double want);

#endif
