/* Calling a law: any with what it cannot do without, LZB with a few of its options. */
#ifndef CAROM_TEST_LAW_CALL_H
#define CAROM_TEST_LAW_CALL_H

#include "small_system.h"

/* Its defaults, and what it cannot do without (`told` in law_call.c). */
crm_settings *law_settings(const crm_law *law);

/* NULL or 0 leaves an option at its default. */
typedef struct lzb_choices {
    const char *stiffness_model; /* bi | mono */
    const char *scheme;          /* auto | impulse-euler | time-euler | gauss */
    double tolerance;
    double step;
    double max_steps;
} lzb_choices;

extern const lzb_choices lzb_bi;
extern const lzb_choices lzb_mono;

crm_settings *lzb_settings(lzb_choices options);
/* One impact by LZB; the call must succeed, the outcome may be anything. Free the outcome. */
crm_outcome *lzb_outcome(const crm_model *model, const double *velocity, lzb_choices options);
/* The same, and it must be solved. */
crm_outcome *lzb_solve(const crm_model *model, const double *velocity, lzb_choices options);
crm_outcome *lzb_solve_small(const small_system *system, lzb_choices options);

#endif
