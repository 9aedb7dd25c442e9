/* Order and length of the next step. */
#include "law/lzb/extrapolation/rows.h"

/* The overhead of a step, in evaluations. */
enum { EVALUATIONS_BESIDES = 6 };
/* The order changes only if that takes less than this part of the work: for the next lower, for the
 * next higher.
 */
static const double WORK_BELOW = 0.8, WORK_ABOVE = 0.9;
/* A new length aims at this part of the error allowed, and is reduced by this factor. */
static const double ERROR_AIMED_AT = 0.65, LENGTH_CAUTION = 0.94;
/* From one step to the next the length changes by no more than these factors; it falls to the third
 * if the error has overflowed.
 */
static const double LENGTH_MOST = 8.0, LENGTH_LEAST = 0.02, LENGTH_AFTER_OVERFLOW = 0.05;
enum { FEWEST = LZB_FEWEST_ROWS };

/* In evaluations. */
static double cost_of_rows(unsigned rows)
{
    return EVALUATIONS_BESIDES + rows * (rows + 1) / 2;
}

/* The length at which k rows would just suffice, from their error with the present length. */
static double length_for_rows(const lzb_stepper *s, unsigned k)
{
    double error = s->row_error[k];
    if (!(error < INFINITY)) {
        return LENGTH_AFTER_OVERFLOW * s->tried;
    }
    /* far beyond the bounds of a step's growth */
    double bounded = lzb_smaller(lzb_larger(error, 1e-290), 1e290);
    double grow = LENGTH_CAUTION * lzb_near_power(ERROR_AIMED_AT / bounded, 1.0 / (2.0 * k - 1.0));
    return s->tried * lzb_smaller(lzb_larger(grow, LENGTH_LEAST), LENGTH_MOST);
}

/* Evaluations per unit of time. */
static double work_of_rows(const lzb_stepper *s, unsigned k)
{
    return cost_of_rows(k) / length_for_rows(s, k);
}

/* The order falls slowly: a step across a kink says nothing about the smooth stretch before it. */
void lzb_control_after_rejection(lzb_stepper *s)
{
    unsigned k = s->rows_used < s->rows ? s->rows_used : s->rows;
    if (k > FEWEST && work_of_rows(s, k - 1) < WORK_BELOW * work_of_rows(s, k)) {
        k--;
    }
    s->length = length_for_rows(s, k);
    s->rows = k < FEWEST ? FEWEST : k;
    s->rejected = true;
}

static unsigned best_rows(const lzb_stepper *s)
{
    unsigned used = s->rows_used;
    if (used <= 2) {
        return 3;
    }
    double work = work_of_rows(s, used), work_below = work_of_rows(s, used - 1);
    if (used <= s->rows) {
        return work_below < WORK_BELOW * work   ? used - 1
               : work < WORK_ABOVE * work_below ? used + 1
                                                : used;
    }
    unsigned best = used - 1;
    double least = work_below;
    if (used > 3 && work_of_rows(s, used - 2) < WORK_BELOW * work_below) {
        best = used - 2;
        least = work_of_rows(s, used - 2);
    }
    return work < WORK_ABOVE * least ? used : best;
}

void lzb_control_after_acceptance(lzb_stepper *s)
{
    unsigned used = s->rows_used, best = best_rows(s);
    best = best < FEWEST ? FEWEST : best >= LZB_ROWS ? LZB_ROWS - 1 : best;
    double length = best <= used
                        ? length_for_rows(s, best)
                        : length_for_rows(s, used) * cost_of_rows(best) / cost_of_rows(used);
    if (s->rejected) { /* after a rejection neither may grow */
        best = best < used ? best : used < FEWEST ? FEWEST : used;
        length = lzb_smaller(length, length_for_rows(s, used));
    }
    s->rows = best;
    s->length = length;
    s->rejected = false;
}
