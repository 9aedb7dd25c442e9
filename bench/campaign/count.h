/* The tally of a campaign: by kind, by tolerance, by amplification; and the offenders. */
#ifndef CAROM_CAMPAIGN_COUNT_H
#define CAROM_CAMPAIGN_COUNT_H

#include "verdict.h"

typedef struct count_row {
    size_t tried, solved, refused, not_terminated, infeasible, failed;
    size_t hard; /* not solved, and not by the judge */
    size_t left; /* solved, but the judge gave up or is in doubt */
    size_t above_tolerance, above_estimate;
    size_t negative_loss, negative_impulse, closing, account; /* beyond the estimate */
    double worst_error, worst_of_tolerance, worst_of_estimate;
    double worst_negative_loss, worst_account, worst_momentum;
    double seconds, slowest; /* of the law */
} count_row;

/* Which of the things that must not be it is. */
typedef enum offence {
    OFFENCE_NONE,
    OFFENCE_ERROR,
    OFFENCE_UNSOLVED, /* but the judge could */
    OFFENCE_SIGN,     /* a negative loss or impulse, a contact that closes */
    OFFENCE_ACCOUNT
} offence;

typedef struct offender {
    size_t index;
    const char *kind;
    bool mono;
    size_t contacts;
    double tolerance, estimate;
    offence offence;
    crm_result result; /* if unsolved */
    verdict verdict;
} offender;

enum { COUNT_ROWS = 64, COUNT_TOLERANCES = 4 };
extern const double count_tolerances[COUNT_TOLERANCES];

typedef struct tally {
    const char *names[COUNT_ROWS]; /* of the rows */
    size_t rows;
    count_row row[COUNT_ROWS], by_tolerance[COUNT_TOLERANCES + 1];
    offender *offenders;
    size_t offender_count, room;
} tally;

/* One case; outcome NULL: the model was refused. */
typedef struct count_case {
    size_t index, row;
    bool mono;
    size_t contacts;
    double tolerance, seconds, estimate;
    bool refused;
    crm_result result;
    verdict verdict;
} count_case;

offence count_add(tally *c, const count_case *one);
void count_print(tally *c);
void count_print_offender(const offender *o);
void count_free(tally *c);

#endif
