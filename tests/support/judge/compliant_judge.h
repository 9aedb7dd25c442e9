/* An independent, slow and very accurate solution of the compliant law, to judge the library by.
 *
 * Theory section 7 as it is written: c' = -D f, and x, f (and z) by the model of each contact,
 * where x > 0 and f would be positive, else f = 0. Long double, the midpoint rule extrapolated to
 * order 16, no events: a kink is met by nothing but error control. A force that comes and goes
 * between two stages would be missed, so a step is halved as long as what changes its sign could
 * have been through 0 and back within it.
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

typedef enum judged_model {
    JUDGED_KELVIN_VOIGT,  /* x^(eta-1) (K x + C c); elastic with C = 0 */
    JUDGED_HUNT_CROSSLEY, /* K x^eta (1 + C c) */
    JUDGED_MAXWELL,       /* K x^eta, x' = c - f/C */
    JUDGED_ZENER,         /* x^(eta-1) (K x + arm z), z' = c - arm z/C; z = 0 while open */
    JUDGED_HYSTERETIC     /* K x^eta, x' = c/e^2 where c < 0 */
} judged_model;

typedef struct judged_contact {
    judged_model model;
    double damping, arm;
} judged_contact;

/* tolerance: error of a step, relative to the largest closing speed; `part`: no step is longer than
 * this part of the shortest period of any contact at work.
 */
compliant_judgement compliant_judge_models(const small_system *system,
                                           const judged_contact *contacts, double tolerance,
                                           double part, unsigned long most_steps);
/* Kelvin-Voigt with one damping for all. */
compliant_judgement compliant_judge(const small_system *system, double damping, double tolerance,
                                    double part, unsigned long most_steps);

#endif
