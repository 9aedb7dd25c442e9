/* Calling the laws of impulse ratios with a few of their options. */
#ifndef CAROM_TEST_RATIO_CALL_H
#define CAROM_TEST_RATIO_CALL_H

#include "support.h"

typedef struct call {
    const char *law;
    const char *from;   /* impulse-ratio; NULL: not set */
    double number;      /* energy_ratio or ratio; NAN: not set */
    size_t ratio_count; /* 0: not set */
    double ratios[SMALL];
    double most; /* max_collisions; 0: not set */
} call;

crm_status try_call(const call *c, const small_system *system, crm_outcome **outcome,
                    crm_error *error);
/* The call must succeed. Free the outcome. */
crm_outcome *solve_call(call c, const small_system *system);
/* It must be refused, at this place and with this in the message. */
void check_call_refused(call c, const small_system *system, const char *place, const char *message);

/* Equal balls, the first at speed 1. */
small_system equal_chain(size_t count, double e);

#endif
