/* What the judge (tests/support/judge/series.h) says of an answer of the LZB law.
 *
 * An answer is above its tolerance, or above ten times its estimate, only if it is so by more than
 * what the judge itself is in doubt about. Before that is said the judge looks twice: once with a
 * higher order, smaller steps and a longer tail, and once more with data changed by 1e-15. How much
 * the impact magnifies changes is measured with data changed by 1e-13.
 */
#ifndef CAROM_CAMPAIGN_VERDICT_H
#define CAROM_CAMPAIGN_VERDICT_H

#include "draw.h"

/* An estimate may be wrong by this factor. */
static const double VERDICT_TRUST = 10;

typedef struct answer {
    const double *velocity;
    const double *impulse; /* NULL: not looked at */
    const double *loss;    /* NULL: not looked at */
    double estimate;
} answer;

typedef struct verdict {
    bool judged;               /* false: the judge gave up, or is in doubt */
    double error;              /* of v+, relative to the speed */
    double doubt;              /* of the judge, likewise */
    double amplification;      /* NAN: not measured, there was no need to */
    bool above_tolerance;      /* the error */
    bool above_estimate;       /* tenfold */
    double negative_loss;      /* the most negative, of the energy before, as a positive number */
    double negative_impulse;   /* of the largest impulse */
    double closing;            /* a contact is still closing at this part of the speed */
    double account;            /* energies before and after, and losses: what is missing */
    double momentum;           /* M (v+ - v-) - W p, of the largest term */
    double loss_error;         /* against the judge, of the energy before */
    unsigned long judge_steps; /* of the first look */
} verdict;

verdict verdict_on(const small_system *system, bool mono, double tolerance, const answer *a);

/* There is no answer: would the judge have had one? */
verdict verdict_without(const small_system *system, bool mono, double tolerance);

/* The truth as well as can be known, for a dispute; quad: in 113 bits. Prints it beside a. */
void verdict_settle(const small_system *system, bool mono, const answer *a, bool quad);

#endif
