/* What the two parts of friction_judge.c share: friction_flow.c has the motion between events. */
#ifndef CAROM_TEST_FRICTION_RUN_H
#define CAROM_TEST_FRICTION_RUN_H

#include "disc_problem.h"
#include "friction_judge.h"

typedef long double real;

enum { RUN_STATE = 3 * FRICTION_CONTACTS + FRICTION_ROWS };

typedef enum run_phase { PHASE_OPEN, PHASE_LOADING, PHASE_EXPANDING } run_phase;
/* MODE_STARTS, in space: u_t is so small yet that its direction is that of u_t'. */
typedef enum run_mode { MODE_FREE, MODE_SLIPS, MODE_STICKS, MODE_STARTS } run_mode;

/* Columns of stuck contacts, as many as are independent, and the Cholesky factor of their D. */
typedef struct run_stuck {
    size_t count, row[FRICTION_TANGENTS];
    real factor[DISC_STRIDE * DISC_STRIDE];
    bool dependent; /* some were left out */
} run_stuck;

typedef struct friction_run {
    const friction_case *of;
    size_t s, dim, rows;
    friction_options options;
    real d[FRICTION_ROWS * FRICTION_ROWS], u0[FRICTION_ROWS];
    real speed, depth[FRICTION_CONTACTS];
    run_phase phase[FRICTION_CONTACTS];
    run_mode mode[FRICTION_CONTACTS];
    real sigma[FRICTION_CONTACTS]; /* of slip, in the plane */
    run_stuck stuck;
    real reduced[FRICTION_ROWS * FRICTION_ROWS]; /* D, stuck tangents eliminated */
    bool event;                                  /* at the end of the last step */
    bool starting;                               /* some contact is */
    disc_answer warm;  /* of the problem of those that stick or start, by contact */
    real y[RUN_STATE]; /* x, then [P Q], then W_c and L_t */
    bool undetermined[FRICTION_CONTACTS];
    unsigned path[FRICTION_CONTACTS], turns;
} friction_run;

typedef struct run_forces {
    real u[FRICTION_ROWS], force[FRICTION_ROWS], slip[FRICTION_CONTACTS]; /* slip: |u_t| */
} run_forces;

/* u, then the forces; a = D force. */
void run_forces_at(friction_run *r, const real *y, run_forces *at);
/* What rounding may have left in u of a row: impulses can be large where D is nearly singular. */
real run_noise(const friction_run *r, size_t row);
void run_accelerations(const friction_run *r, const run_forces *at, real *a);
/* The problem of the contacts that `takes_part`, the forces of the others known. */
void run_disc_problem(const friction_run *r, const run_forces *at, const bool *takes_part,
                      size_t *index, disc_problem *problem);
/* After modes have changed. */
void run_find_stuck(friction_run *r);
real run_compress_rate(const friction_run *r, size_t j);
/* One step of at most h, up to the first event; the next one's length. */
real run_step(friction_run *r, real h);
real run_longest_step(friction_run *r);

#endif
