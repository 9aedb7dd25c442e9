/* What is computed, by whom, and what is asked of the answer. */
#ifndef CAROM_BENCH_CASES_H
#define CAROM_BENCH_CASES_H

#include "report.h"
#include "runner.h"

/* Either the first and last ball are known, or a reference is integrated with this step. */
typedef struct bench_case {
    const char *name;
    size_t balls;
    chain (*make)(size_t balls);
    double first, last;    /* known velocities, NAN: not known */
    double reference_step; /* s, 0: none */
    double horizon;        /* s: by then all that still works only pushes balls together that will
                              stay together (see docs/benchmarks.md); 0: follow it to its end */
    double energy_allowed; /* OK: relative error of the energy, NAN: not asked */
    double last_allowed;   /* ... and of the last ball, NAN: not asked */
    double worst_allowed;  /* ... and of every ball, NAN: not asked */
    double euler_step;     /* where the search for time-euler's step begins, 0: no search */
} bench_case;

extern const bench_case bench_cases[];
extern const size_t bench_case_count;

typedef struct peer {
    const char *name;
    runner run;
    double setting;
    const char *unit; /* "tolerance" or "step" */
    uint64_t budget;  /* steps measured of a long chain unless all is asked for; 0: all */
} peer;

extern const peer bench_peers[];
extern const size_t bench_peer_count;

/* Tolerances that ours is tried with, loosest first. */
extern const double bench_tolerances[];
extern const size_t bench_tolerance_count;

#endif
