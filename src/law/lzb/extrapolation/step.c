#include "law/lzb/extrapolation/step.h"

#include <float.h>

#include "law/lzb/extrapolation/rows.h"

/* Tries to end a step at an event. */
enum { MOST_LOCATIONS = 60 };
/* A step is not made shorter than this part of the time since the impact began: rounding. */
static const double LENGTH_ROUNDING = 1e-14;
/* A rejected step may end at the event that it saw, if that is well within it. */
static const double WELL_WITHIN = 0.95;
/* Steps shortened for an event that does not come grow by no more than this. */
static const double PHASE_STEP = 8.0;

/* ---- The window ----------------------------------------------------------------------------- */

static crm_status accelerate(lzb_stepper *s, crm_error *error)
{
    lzb_window *w = s->window;
    return lzb_dynamics_accelerate(s->state, w, w->trial.x0, 0, w->trial.f0, w->trial.a0, error);
}

crm_status lzb_step_build(lzb_stepper *s, crm_error *error)
{
    crm_status status = lzb_window_build(s->state, s->window, error);
    bool any = s->window->search.working_count > 0;
    return status == CRM_OK && any ? accelerate(s, error) : status;
}

crm_status lzb_step_gather(lzb_stepper *s, crm_error *error)
{
    crm_status status = lzb_gather(s->state, s->window, error);
    return status == CRM_OK ? accelerate(s, error) : status;
}

crm_status lzb_step_widen(lzb_stepper *s, crm_error *error)
{
    uint32_t lookahead = s->window->search.lookahead;
    lzb_window_widen(s->window, lookahead + lookahead / 2);
    return lzb_step_build(s, error);
}

double lzb_step_shortest(const lzb_stepper *s)
{
    return LENGTH_ROUNDING * (s->state->time + s->length);
}

/* ---- Landing on events ---------------------------------------------------------------------- */

/* The step of this length passed an event by too much. Find the length that ends at the event:
 * Newton's method from either side, kept between a length known to be early and one known to be
 * late. Any length that is not late is a valid step, so stopping before the event is reached is
 * only slower.
 */
static crm_status land_on_event(lzb_stepper *s, double *length, lzb_lateness late, crm_error *error)
{
    unsigned rows = s->rows_used;
    double early = 0, too_late = *length, guess = late.earliest;
    size_t target = late.place;
    bool last_is_late = true, slow = false;
    double shortest = 4 * DBL_EPSILON * (s->state->time + *length);
    for (int i = 0; i < MOST_LOCATIONS && too_late - early > shortest; i++) {
        double width = too_late - early;
        if (slow || !late.bracketed || !(guess > early) || !(guess < too_late)) {
            guess = early + 0.5 * width;
        }
        *length = guess;
        crm_status status = lzb_rows_repeat(s, guess, rows, error);
        if (status != CRM_OK) {
            return status;
        }
        late = lzb_events_examine(s->state, s->window, guess, s->tolerance);
        last_is_late = late.place != SIZE_MAX;
        if (last_is_late) {
            too_late = guess;
            target = late.place;
            guess = late.earliest;
            slow = i > 2 && too_late - early > 0.5 * width;
            continue;
        }
        early = guess;
        slow = i > 2 && too_late - early > 0.5 * width;
        double ahead = lzb_events_ahead(s->state, s->window, target, guess, s->tolerance);
        if (!(ahead > 0) || guess < 0.5 * ahead) {
            return CRM_OK; /* at the event, or so far from it that another step is the better
                              approach */
        }
        guess += ahead;
    }
    if (last_is_late && early > 0) {
        *length = early;
        return lzb_rows_repeat(s, early, rows, error);
    }
    s->error_late += last_is_late ? late.worst : 0; /* cannot be had better: say so */
    return CRM_OK;
}

/* ---- Steps that are accepted ---------------------------------------------------------------- */

crm_status lzb_step_advance(lzb_stepper *s, double longest, double *length, crm_error *error)
{
    double shortest = lzb_step_shortest(s);
    s->exempt = 0;
    s->energy_apart = 0;
    longest = lzb_smaller(longest, lzb_events_approach(s->state, s->window, s->tolerance));
    for (;;) {
        double planned = s->length;
        *length = lzb_smaller(planned, longest);
        bool accepted;
        crm_status status = lzb_rows_attempt(s, *length, &accepted, error);
        if (status != CRM_OK) {
            return status;
        }
        if (lzb_window_too_narrow(s->window)) {
            status = lzb_step_widen(s, error);
            if (status != CRM_OK) {
                return status;
            }
            continue;
        }
        lzb_lateness late = lzb_events_examine(s->state, s->window, *length, s->tolerance);
        if (accepted && !late.bracketed && *length > shortest) {
            s->length = 0.5 * *length; /* several events of one contact: resolve them */
            s->rejected = true;
            continue;
        }
        if (!accepted && *length > shortest) {
            double to_event = late.place != SIZE_MAX && late.bracketed ? late.earliest : 0;
            lzb_control_after_rejection(s);
            if (to_event > s->length && to_event < WELL_WITHIN * *length) {
                s->length = to_event;
            }
            continue;
        }
        bool cut = *length < planned;
        if (late.place != SIZE_MAX) {
            double before = *length;
            status = land_on_event(s, length, late, error);
            if (status != CRM_OK) {
                return status;
            }
            if (!(s->error <= 1) && *length > shortest) {
                s->length = 0.5 * *length;
                s->rejected = true;
                continue;
            }
            cut |= *length < before;
        }
        if (cut) {
            s->length = planned; /* cut short by an event or a sampling time: it says nothing about
                                    the length */
        } else {
            lzb_control_after_acceptance(s);
        }
        return CRM_OK;
    }
}

void lzb_step_finish(lzb_stepper *s, double length)
{
    lzb_window_narrow(s->window);
    size_t changes = lzb_commit(s->state, s->window, length, s->tolerance);
    if (changes == 0) { /* shortened for an event that did not come: approach it in phase steps */
        s->length = lzb_smaller(s->length, PHASE_STEP * length);
    }
    s->steps++;
}
