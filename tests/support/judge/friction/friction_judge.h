/* An independent solution of LZB with Coulomb friction, in the plane and in space, any number of
 * contacts, rank-deficient tangents included: Fehlberg's pair in long double from event to event.
 *
 * Events are found by bracketing: turns of c, contacts that open and close, slip that stops,
 * sticking that fails. Who sticks is decided by the convex problem of disc_problem.h. It shares
 * nothing with the library but the data. Events between two steps, a step being short beside every
 * swing, can hide.
 */
#ifndef CAROM_TEST_FRICTION_JUDGE_H
#define CAROM_TEST_FRICTION_JUDGE_H

#include "friction_case.h"

typedef enum friction_status {
    FRICTION_ENDED,
    FRICTION_LOCKED, /* at rest, energy held by friction: the impulses have no limit */
    FRICTION_BOUND,  /* all that press stick, and swing for ever */
    FRICTION_UNFINISHED
} friction_status;

/* What a contact went through. */
enum {
    FRICTION_WENT_SLIP = 1,
    FRICTION_WENT_STICK = 2,
    FRICTION_WENT_OFF = 4, /* slips again after u_t = 0 */
    FRICTION_WENT_JAM = 8  /* slips so that its own force closes it */
};

typedef struct friction_answer {
    friction_status status;
    unsigned long steps, events;
    double velocity[FRICTION_COORDINATES];
    double impulse[FRICTION_CONTACTS], tangential[FRICTION_TANGENTS];
    /* false: stuck together with others of dependent tangents; only T Q of them is determined, and
     * what is given is one choice within the cones */
    bool determined[FRICTION_CONTACTS];
    double loss_normal[FRICTION_CONTACTS], loss_tangential[FRICTION_CONTACTS];
    double held[FRICTION_CONTACTS]; /* energy in contacts that are loaded at the end */
    unsigned path[FRICTION_CONTACTS];
    double account; /* T- - T+ less all losses, relative to T- */
    double error;   /* estimate for velocities, relative to friction_speed: against coarser steps */
    double left;    /* amplitude of what could still happen, relative */
} friction_answer;

/* False: M is not positive definite. */
bool friction_judge_solve(const friction_case *c, friction_answer *answer);

typedef struct friction_options {
    double tolerance; /* of one step */
    double start;     /* in space, of slip below which its direction is that of the acceleration */
    unsigned long limit;
} friction_options;

/* One run with steps of one's own choice; error is 0. */
bool friction_judge_run(const friction_case *c, friction_options options, friction_answer *answer);

#endif
