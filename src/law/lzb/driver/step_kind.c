#include "law/lzb/driver/step_kind.h"

#include "law/lzb/extrapolation/rows.h"

/* Steps in which the neighbourhoods could not be kept apart, before all go together. */
enum { MOST_FAILURES = 4 };
/* After a step with neighbourhoods apart the next may be longer by this. */
static const double LONGER_APART = 1.5;

static crm_status include_open(lzb_stepper *s, bool with_open, crm_error *error)
{
    lzb_window_include_open(s->window, with_open);
    return lzb_step_build(s, error);
}

/* The few contacts that the step does not resolve (an event, or too large an error) take it on
 * their own with their neighbours. *done = false: they could not be kept apart; then all must go
 * together.
 */
static crm_status advance_apart(lzb_step_kind *step_kind, lzb_stepper *s, double longest,
                                double *length, bool *done, crm_error *error)
{
    double shortest = lzb_step_shortest(s);
    *done = false;
    s->exempt = LZB_UNRESOLVED_FEW;
    for (int failures = 0; failures < MOST_FAILURES && s->length > shortest;) {
        double planned = s->length;
        *length = lzb_smaller(lzb_smaller(planned, step_kind->longest), longest);
        bool accepted;
        crm_status status = lzb_rows_attempt(s, *length, &accepted, error);
        if (status == CRM_OK && lzb_window_too_narrow(s->window)) {
            status = lzb_step_widen(s, error);
            if (status == CRM_OK) {
                continue;
            }
        }
        if (status != CRM_OK) {
            return status;
        }
        if (!accepted) {
            lzb_control_after_rejection(s);
            continue;
        }
        status = lzb_neighbourhoods_refine(step_kind->neighbourhoods, s, *length, done, error);
        if (status != CRM_OK) {
            return status;
        }
        if (*done) {
            step_kind->longest = lzb_larger(step_kind->longest, LONGER_APART * *length);
            if (*length < planned) {
                s->length = planned; /* nothing was learnt */
            } else {
                lzb_control_after_acceptance(s);
            }
            return CRM_OK;
        }
        failures++;
        step_kind->longest = 0.5 * *length;
    }
    return CRM_OK;
}

crm_status lzb_step_kind_advance(lzb_step_kind *step_kind, lzb_stepper *s, bool together,
                                 double longest, double *length, bool *booked, crm_error *error)
{
    crm_status status = CRM_OK;
    *booked = false;
    if (!together && lzb_capturing_applies(&step_kind->capturing, s)) {
        status = lzb_capturing_advance(&step_kind->capturing, s, longest, length, booked, error);
    } else if (s->window->search.with_open) {
        status = include_open(s, false, error);
    }
    bool done = *booked;
    if (status == CRM_OK && !done && !together && lzb_neighbourhoods_suit(s->window)) {
        status = advance_apart(step_kind, s, longest, length, &done, error);
    }
    return status == CRM_OK && !done ? lzb_step_advance(s, longest, length, error) : status;
}
