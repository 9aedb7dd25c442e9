/* Random systems to try the compliant law on.
 *
 * Chains of 2 to 11 balls, free, on a wall or in two parts that do not touch, patches of discs, and
 * full M and W; contacts in any order; exponents 1, 3/2 and mixed, below 1 where there is no
 * damping; damping from none to large; masses and stiffnesses alike or over decades; one ball or
 * all of them moving; contacts pressed beforehand; tolerances from 1e-10 to 1e-5.
 */
#ifndef CAROM_TEST_COMPLIANT_TRIAL_H
#define CAROM_TEST_COMPLIANT_TRIAL_H

#include "compliant_judge.h"

typedef struct compliant_trial {
    small_system system;
    double damping, tolerance;
} compliant_trial;

/* Each has a generator of its own: the same number, the same system. */
compliant_trial compliant_trial_of(uint64_t seed, size_t number);

/* The same systems with another model of the contacts: Hunt-Crossley, Maxwell, Zener, hysteretic,
 * or Kelvin-Voigt, each contact with its own numbers.
 */
typedef struct compliant_model_trial {
    small_system system;
    const char *model; /* the option */
    judged_contact contact[SMALL];
    bool damped; /* the numbers in `contact` are options; else the restitution counts */
    double tolerance;
} compliant_model_trial;

compliant_model_trial compliant_model_trial_of(uint64_t seed, size_t number);

#endif
