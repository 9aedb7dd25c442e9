/* What every program here needs: a clock, and an end where a call fails. */
#ifndef CAROM_BENCH_CLOCK_H
#define CAROM_BENCH_CLOCK_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "carom/carom.h"

static inline double clock_seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Processor time of all threads of this process. */
static inline double cpu_seconds(void)
{
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static inline double wall_seconds(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

static inline void check(crm_status status, const crm_error *error)
{
    if (status != CRM_OK) {
        fprintf(stderr, "%s: %s\n", error->place, error->message);
        exit(1);
    }
}

#endif
