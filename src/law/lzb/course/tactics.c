#include "law/lzb/course/tactics.h"

#include "law/lzb/step/rows.h"

/* Steps in which contacts in trouble could not be kept apart, before all go together. */
enum { MOST_FAILURES = 4 };
/* A step that went well with some contacts apart may next time be longer by this. */
static const double LONGER_APART = 1.5;

static crm_status look_through(lzb_stepper *s, bool through, crm_error *error)
{
    lzb_window_look_through(s->window, through);
    return lzb_step_build(s, error);
}

/* The few contacts that are in trouble (an event, or too large an error) take this step on their
 * own with their neighbours. *done = false: they could not be kept apart; then all must go
 * together.
 */
static crm_status advance_apart(lzb_tactics *t, lzb_stepper *s, double longest, double *length,
                                bool *done, crm_error *error)
{
    double shortest = lzb_step_shortest(s);
    *done = false;
    s->exempt = LZB_LOCAL_FEW;
    for (int failures = 0; failures < MOST_FAILURES && s->length > shortest;) {
        double planned = s->length;
        *length = lzb_smaller(lzb_smaller(planned, t->longest), longest);
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
        status = lzb_local_settle(t->local, s, *length, done, error);
        if (status != CRM_OK) {
            return status;
        }
        if (*done) {
            t->longest = lzb_larger(t->longest, LONGER_APART * *length);
            if (*length < planned) {
                s->length = planned; /* nothing was learnt */
            } else {
                lzb_control_after_acceptance(s);
            }
            return CRM_OK;
        }
        failures++;
        t->longest = 0.5 * *length;
    }
    return CRM_OK;
}

crm_status lzb_tactics_advance(lzb_tactics *t, lzb_stepper *s, bool together, double longest,
                               double *length, bool *swept, crm_error *error)
{
    crm_status status = CRM_OK;
    *swept = false;
    if (!together && lzb_sweep_applies(&t->sweep, s)) {
        status = lzb_sweep_advance(&t->sweep, s, longest, length, swept, error);
    } else if (s->window->search.through) {
        status = look_through(s, false, error);
    }
    bool done = *swept;
    if (status == CRM_OK && !done && !together && lzb_local_applies(s->window)) {
        status = advance_apart(t, s, longest, length, &done, error);
    }
    return status == CRM_OK && !done ? lzb_step_advance(s, longest, length, error) : status;
}
