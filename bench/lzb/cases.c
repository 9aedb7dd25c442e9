#include "cases.h"

#include <math.h>

/* The elastic chain is P1's, section 4.3. The velocities of its first and last ball, the same for
 * every n >= 100, were computed at tolerance 1e-12 by two programs independently of each other;
 * run_reference.c reproduces them to 1e-11.
 */
const bench_case bench_cases[] = {
    {.name = "elastic",
     .balls = 100,
     .make = chain_of_steel,
     .first = -0.07108501708609,
     .last = 0.98567885709003,
     .energy_allowed = 2e-7,
     .last_allowed = 1e-6,
     .worst_allowed = NAN},
    {.name = "elastic",
     .balls = 1000,
     .make = chain_of_steel,
     .first = -0.07108501708609,
     .last = 0.98567885709003,
     .energy_allowed = 2e-7,
     .last_allowed = 1e-6,
     .worst_allowed = NAN},
    {.name = "disordered",
     .balls = 200,
     .make = chain_disordered,
     .first = NAN,
     .last = NAN,
     .reference_step = 2e-8,
     .energy_allowed = NAN,
     .last_allowed = NAN,
     .worst_allowed = 1e-6,
     .euler_step = 1e-8},
    {.name = "disordered",
     .balls = 1000,
     .make = chain_disordered,
     .first = NAN,
     .last = NAN,
     .reference_step = 5e-8,
     .horizon = 0.03,
     .energy_allowed = NAN,
     .last_allowed = NAN,
     .worst_allowed = 1e-6,
     .euler_step = 1e-8},
    {.name = "wall",
     .balls = 100,
     .make = chain_on_wall,
     .first = NAN,
     .last = NAN,
     .reference_step = 1e-8,
     .energy_allowed = NAN,
     .last_allowed = NAN,
     .worst_allowed = 1e-6,
     .euler_step = 1e-8},
};
const size_t bench_case_count = sizeof bench_cases / sizeof bench_cases[0];

/* Steps of the fixed-step codes: the largest round ones that are OK. Budgets: a second or two. */
const peer bench_peers[] = {
    {"carom time-euler", run_time_euler, 1e-8, "step", 100000},
    {"time-euler, plain C", run_plain_euler, 1e-8, "step", 100000},
    {"CVODE Adams", run_cvode, 1e-11, "tolerance", 4000},
    {"velocity Verlet, plain C", run_verlet, 1e-7, "step", 0},
    {"RKN splitting, window", run_splitting, 1.4e-5, "step", 0},
    {"RKN splitting, native", run_splitting_native, 1.4e-5, "step", 0},
};
const size_t bench_peer_count = sizeof bench_peers / sizeof bench_peers[0];

const double bench_tolerances[] = {1e-1, 2e-2, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-10};
const size_t bench_tolerance_count = sizeof bench_tolerances / sizeof bench_tolerances[0];
