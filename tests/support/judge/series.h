/* A third judge of the LZB law: Taylor series, events found without a gap.
 *
 * It integrates theory section 2 in the indentations and impulses, in long double or, where the
 * compiler has them, in numbers of 113 bits. On each step closing speeds, indentations and forces
 * are polynomials in time to the last digit but few, so the first event within it is found by
 * bounding those polynomials on intervals (series_events.h): none can hide. It shares nothing with
 * the library but the data.
 */
#ifndef CAROM_TEST_SERIES_H
#define CAROM_TEST_SERIES_H

#include <stdbool.h>

#include "support.h"

typedef struct series_options {
    bool mono;
    bool quad;           /* 113 bits: hundred times slower; without them as if false */
    unsigned order;      /* of the series; 0: the standard */
    double tolerance;    /* of one step, relative to the speed; 0: the standard */
    double tail;         /* close the tail when no velocity can change more; 0: 1e-12 */
    unsigned long limit; /* of steps; 0: the standard */
} series_options;

/* A system of any size; the arrays are as those of small_system. */
typedef struct series_system {
    size_t n, s;
    const double *mass, *w, *velocity;
    const double *stiffness, *exponent, *restitution, *stored_energy, *boundary_velocity;
} series_system;

typedef struct series_judgement {
    bool finished;     /* false: too many steps, and much left */
    bool tail;         /* closed by the plastic projection, for being small or for too many steps */
    double tail_speed; /* no velocity would have changed more, relative to the speed */
    double speed;      /* what all is relative to: the largest closing speed, or what the stored
                          energy could give */
    unsigned long steps, events;
    double duration;
    double velocity[SMALL], impulse[SMALL], loss[SMALL]; /* of a small system */
} series_judgement;

series_judgement series_judge(const small_system *system, series_options options);
/* The same for any size, n velocities apart; a step takes in proportion to what D couples. Never in
 * 113 bits.
 */
series_judgement series_judge_large(const series_system *system, series_options options,
                                    double *velocity);
bool series_has_quad(void);

#endif
