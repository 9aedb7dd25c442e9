/* One step of time-stepping for balls and walls, by looking at all pairs: docs/motion/stepping.md
 * written down once more, with full matrices and the complementarity problems solved in four times
 * the precision (lcp_judge.h).
 */
#ifndef CAROM_TEST_STEPPING_JUDGE_H
#define CAROM_TEST_STEPPING_JUDGE_H

#include "flight_judge.h"

typedef struct stepping_judge {
    judge_scene scene; /* at the beginning of the next step */
    double step, closure, restitution;
    unsigned loaded[JUDGE_BALLS][JUDGE_BALLS + JUDGE_WALLS]; /* steps ago; 0: never */
} stepping_judge;

typedef struct stepping_verdict {
    bool sure;  /* no decision hangs on rounding and the system was small enough */
    bool known; /* so is which contacts were loaded: the next step can be judged as well */
    size_t contacts;
    double overlap;  /* at the end of the step, before positions are brought apart; a length */
    judge_scene end; /* after that */
} stepping_verdict;

stepping_verdict stepping_judge_step(stepping_judge *judge);

#endif
