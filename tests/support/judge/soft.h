/* A second judge, for contacts so stiff that the first (judge.h) would not come to an end.
 *
 * Pressed by a force f at indentation x a contact swings at speeds of up to sqrt(2 D f x), and the
 * less x is the faster. Below the indentation at which that speed is `softness` times the largest
 * closing speed the force is made to grow in proportion to x, which keeps frequencies bounded and
 * changes speeds by about the softness. The rest is integrated by brute force: Fehlberg's pair of
 * orders 7 and 8 in double precision, kinks met by nothing but error control. Two softnesses that
 * agree are a truth as good as they agree.
 */
#ifndef CAROM_TEST_SOFT_H
#define CAROM_TEST_SOFT_H

#include "judge.h"

typedef struct soft_judgement {
    bool finished;
    unsigned long steps;
    double velocity[SMALL];
} soft_judgement;

/* tolerance: local error of a step. Bi-stiffness, no stored energy. */
soft_judgement judge_softly(const small_system *system, double softness, double tolerance,
                            unsigned long most_steps);

#endif
