/* An independent, slow and very accurate solution of the compliant law, to judge the library by.
 *
 * Theory section 7 as it is written: x' = c, c' = -D f, f = x^(eta-1) (K x + C c) where x > 0 and
 * that is positive, else 0. Long double, the midpoint rule extrapolated to order 16, no events: a
 * kink is met by nothing but error control. A force that comes and goes between two stages would be
 * missed, so a step is halved as long as x or K x + C c could have been through 0 and back within
 * it.
 */
#ifndef CAROM_TEST_COMPLIANT_JUDGE_H
#define CAROM_TEST_COMPLIANT_JUDGE_H

#include "support.h"

typedef struct compliant_judgement {
    bool finished;     /* false: too many steps */
    double tail_speed; /* what is left undone could still change speeds by about this */
    unsigned long steps;
    double speed; /* what errors are relative to: the largest closing speed, of stored energy too */
    double duration;
    double velocity[SMALL];
} compliant_judgement;

/* tolerance: error of a step, relative to the largest closing speed; `part`: no step is longer than
 * this part of the shortest period of any contact at work.
 */
compliant_judgement compliant_judge(const small_system *system, double damping, double tolerance,
                                    double part, unsigned long most_steps);

#endif
