/* An independent, slow and very accurate solution of the LZB law, to judge the library by.
 *
 * It integrates theory section 2 in the indentations x and the impulses p, in long double, by
 * Fehlberg's explicit Runge-Kutta pair of orders 7 and 8, with every event (a closing speed
 * through zero, an indentation reaching its end) located on re-integrated steps. It shares
 * nothing with the library but the data.
 */
#ifndef CAROM_TEST_JUDGE_H
#define CAROM_TEST_JUDGE_H

#include <stdbool.h>

#include "support.h"

typedef struct judgement {
    bool finished;     /* false: gave up after too many steps */
    bool tail;         /* an endless tail was closed by the plastic projection */
    double tail_speed; /* no gap velocity can change more than this after the closing */
    unsigned long steps;
    double duration;
    /* How far the nearest jump of the law was (relative to the scale of the state): the outcome
     * of the mono-stiffness model, and of any contact with e = 0, jumps when a contact turns to
     * compression just before or just after it would open. INFINITY: none near. */
    double margin;
    double velocity[SMALL], impulse[SMALL], gap_velocity[SMALL], loss[SMALL], peak_force[SMALL];
    unsigned compressions[SMALL];
} judgement;

/* tolerance: local error per step relative to the scale of the state; 0 for the standard 1e-15. */
judgement judge(const small_system *system, bool mono, double tolerance);

#endif
