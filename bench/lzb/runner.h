/* The codes that are measured, behind one shape. */
#ifndef CAROM_BENCH_RUNNER_H
#define CAROM_BENCH_RUNNER_H

#include <stdint.h>

#include "chain.h"

typedef struct answer {
    bool finished;    /* false: the budget of steps was spent first, or it failed */
    double *velocity; /* one for each ball; room is the caller's */
    double seconds;   /* CPU time of the computation, without reading or building the model */
    double duration;  /* of the impact, as far as it got */
    uint64_t steps;
    uint64_t evaluations; /* ours only, as is the next */
    double estimate;      /* of the error, by the code itself */
} answer;

/* setting: a tolerance or a step in seconds, as the code has it. budget: most steps, 0 for any
 * number. Codes that know only (x, v) of the balls and true gaps are for elastic chains without a
 * wall struck at one end, where no contact closes twice.
 */
typedef void (*runner)(const chain *c, double setting, uint64_t budget, answer *result);

/* Ours, through the public call. */
void run_carom(const chain *c, double tolerance, uint64_t budget, answer *result);
/* The same by Gauss collocation. */
void run_carom_gauss(const chain *c, double tolerance, uint64_t budget, answer *result);
/* The same, of mono-stiffness. */
void run_carom_mono(const chain *c, double tolerance, uint64_t budget, answer *result);
/* Ours, stopped at a time of the impact. The time includes the recorder that sees every step, so
 * that it is an upper bound.
 */
void run_carom_until(const chain *c, double tolerance, double until, answer *result);
/* The time from which on all velocities stay within `error` of the final ones. */
double carom_settling_time(const chain *c, double tolerance, const double *final, double error);
/* The library's own time-euler, P1 algorithms 2-4. */
void run_time_euler(const chain *c, double step, uint64_t budget, answer *result);
/* The same scheme for one kind of chain, without the library. */
void run_plain_euler(const chain *c, double step, uint64_t budget, answer *result);
/* SUNDIALS CVODE, Adams, on (v, x) of all balls. */
void run_cvode(const chain *c, double tolerance, uint64_t budget, answer *result);
/* Velocity Verlet on all balls. */
void run_verlet(const chain *c, double step, uint64_t budget, answer *result);
/* Runge-Kutta-Nystrom splitting on the balls of the wave: the hand-written limit. The second is
 * the same source, compiled for the vector instructions of the machine that builds it.
 */
void run_splitting(const chain *c, double step, uint64_t budget, answer *result);
void run_splitting_native(const chain *c, double step, uint64_t budget, answer *result);
/* The law itself (closing speeds and indentations, any e, walls, re-entries) by the classical
 * Runge-Kutta method with small steps: an independent reference.
 */
void run_reference(const chain *c, double step, uint64_t budget, answer *result);

#endif
