/* An impact by extrapolated leapfrog and by substeps, from step to step (extrapolation/step.h,
 * capturing/step.h).
 */
#include "law/lzb/driver/extrapolation.h"

#include <float.h>
#include <stdlib.h>

#include "law/lzb/bonds/bonds.h"
#include "law/lzb/capturing/settle.h"
#include "law/lzb/driver/step_kind.h"
#include "law/lzb/state/bodies.h"
#include "law/lzb/state/tail.h"

/* What events and the ends of the wave may cost without showing in any step, as a part of the
 * tolerance.
 */
static const double UNMEASURED_SHARE = 1e-2;
/* Forces below this part of a step's error may be cut off at the front of the wave. */
static const double CUT_SHARE = 1e-4;
/* No slower speed is followed: rounding. */
static const double LEAST_SPEED = 1e-15;
/* The most that closing a tail may move, relative. */
static const double MOST_TAIL_LIMIT = 0.05;
/* An end found by settling is as foreseen, or as the last one, if it differs by no more than this
 * part of the tolerance.
 */
static const double SETTLED_SHARE = 0.2;
/* The rounding of an indentation by a step: half a unit in the last place, times what extrapolation
 * makes of it (the sum of the weights of 7 rows: 56).
 */
static const double ROUNDING = 56 * 0.5 * DBL_EPSILON;
enum { FIRST_ORDER = 4 };
/* Steps after which an impact is given up, and after which its tail may be closed although that
 * changes velocities by more than the tolerance: so many, and so many more for each contact. The
 * longest waves of elastic chains take some hundred steps a contact.
 */
static const double MOST_STEPS = 1e6, MOST_STEPS_EACH = 4e3;
static const double TAIL_STEPS = 1e5, TAIL_STEPS_EACH = 1e3;
/* Of the time for which the quickest contact is held: the first step. */
static const double FIRST_PART = 1e-2;

/* A small part of the time for which the quickest contact at work would be held by itself. */
static double first_length(const lzb_state *state, const lzb_window *w)
{
    double shortest = INFINITY;
    for (size_t k = 0; k < w->search.working_count; k++) {
        size_t j = w->search.working[k];
        shortest = fmin(shortest, state->x_scale[j] / state->speed);
    }
    return FIRST_PART * shortest;
}

/* All contacts count when the tail is closed, bonds too. */
static crm_status close_tail(const crm_problem *problem, lzb_stepper *s, double limit,
                             crm_outcome *outcome, crm_error *error)
{
    return lzb_tail_close(s->state, problem->model, limit, &outcome->tail_closed,
                          &outcome->tail_speed, error);
}

/* No contact is at work above the speed that is ignored. Is the impact over, can the tail be
 * closed, or must it be followed further down?
 */
static crm_status look_at_rest(const crm_problem *problem, lzb_stepper *s, double limit, bool *over,
                               crm_outcome *outcome, crm_error *error)
{
    *over = true;
    for (size_t j = 0; j < s->state->contacts && *over; j++) {
        *over = !(s->state->c[j] > 0) && !(s->state->x[j] > 0);
    }
    if (*over) {
        return CRM_OK;
    }
    crm_status status = close_tail(problem, s, limit, outcome, error);
    *over = outcome->tail_closed || s->window->search.ignored_speed < LEAST_SPEED;
    lzb_window_lower_ignored(s->window, 0.1 * s->window->search.ignored_speed);
    return status;
}

/* Some systems go on for ever on a scale just above the tolerance (contacts of exponent below 1 are
 * stiff without bound at small indentations). After so many steps the tail may be closed at
 * an error, which is then part of the estimate; it rises fourfold whenever the number of steps has
 * doubled.
 */
typedef struct tail_budget {
    double steps;
    double limit;
} tail_budget;

static crm_status raise_tail_budget(const crm_problem *problem, lzb_stepper *s, tail_budget *p,
                                    crm_outcome *outcome, crm_error *error)
{
    if ((double)outcome->steps < p->steps) {
        return CRM_OK;
    }
    p->steps *= 2;
    p->limit = fmin(4 * p->limit, MOST_TAIL_LIMIT);
    return close_tail(problem, s, p->limit, outcome, error);
}

/* How far it has come: what the fastest contact still does. */
static crm_watch_report progress_of(const lzb_stepper *s)
{
    const lzb_state *state = s->state;
    double left = 0;
    for (size_t k = 0; k < s->window->search.working_count; k++) {
        size_t j = s->window->search.working[k];
        double stored = state->speed * state->x[j] / state->x_scale[j];
        left = fmax(left, fmax(state->c[j], stored));
    }
    return (crm_watch_report){.time = state->time,
                              .left = left / state->speed,
                              .working = s->window->search.working_count,
                              .steps = s->steps};
}

static bool is_told_to_end(const crm_problem *problem, const lzb_stepper *s)
{
    if (!crm_watch_due(problem->watching, s->window->count * s->rows * s->rows)) {
        return false;
    }
    const crm_watch_report progress = progress_of(s);
    return crm_watch_ends(problem->watching, &progress);
}

/* Errors of one contact add up, those of different contacts are independent: energy, in whose
 * measure they do not grow, adds their squares.
 */
static double sum_of_doubts(const lzb_state *state)
{
    double sum = 0;
    for (size_t j = 0; j < state->contacts; j++) {
        sum += state->step_error[j] * state->step_error[j];
    }
    return sqrt(sum);
}

struct lzb_extrapolation {
    lzb_window window;
    lzb_neighbourhoods *neighbourhoods;
    lzb_bonds *bonds;
};

static crm_status build(lzb_stepper *s, crm_error *error)
{
    crm_status status = lzb_step_build(s, error);
    if (status == CRM_OK && !s->window->search.with_open &&
        lzb_commit_update_modes(s->state, s->window, s->tolerance) > 0) {
        status = lzb_step_build(s, error);
    }
    return status;
}

/* The contacts at work, and those that are bonds while they are. */
static crm_status gather(lzb_stepper *s, lzb_bonds *bonds, crm_error *error)
{
    crm_status status = build(s, error);
    bool changed = true;
    for (size_t i = 0; i <= s->state->contacts && changed; i++) {
        if (status == CRM_OK && s->window->search.working_count > 0) {
            status = lzb_bonds_adjust(bonds, s, &changed, error);
        } else {
            changed = false;
        }
        if (status == CRM_OK && changed) {
            status = build(s, error);
        }
    }
    return status;
}

/* One step, at the end of which the bonds still hold. With bonds all contacts go together: a step
 * of a neighbourhood cannot be taken back.
 */
static crm_status advance(lzb_step_kind *step_kind, lzb_stepper *s, lzb_bonds *bonds,
                          double longest, double *length, bool *booked, crm_error *error)
{
    bool together = lzb_bonds_any(bonds);
    crm_status status =
        lzb_step_kind_advance(step_kind, s, together, longest, length, booked, error);
    while (together && status == CRM_OK && !lzb_bonds_hold(bonds, s, length)) {
        status = lzb_step_kind_advance(step_kind, s, together, *length, length, booked, error);
    }
    return status;
}

static double estimate(const lzb_options *options, const lzb_stepper *s, const crm_outcome *outcome)
{
    return UNMEASURED_SHARE * options->tolerance + sum_of_doubts(s->state) +
           s->error_late * s->tolerance + outcome->tail_speed +
           LZB_FINEST * sqrt(100.0 + (double)outcome->steps) + ROUNDING * sqrt(s->rounding);
}

/* An impact under way. */
typedef struct integration {
    const crm_problem *problem;
    const lzb_options *options;
    lzb_stepper *s;
    lzb_bonds *bonds;
    lzb_history *history;
    crm_outcome *outcome;
    lzb_step_kind step_kind;
    tail_budget tail;
    lzb_settling settling;
    double most_steps;
    bool is_settling;
    bool ended;
} integration;

/* Is this the end: over, closed, or given up? The window holds what is at work. */
static crm_status look_for_end(integration *y, crm_error *error)
{
    lzb_stepper *s = y->s;
    crm_outcome *outcome = y->outcome;
    if (s->window->search.working_count == 0) {
        return look_at_rest(y->problem, s, y->options->tolerance, &y->ended, outcome, error);
    }
    crm_status status = raise_tail_budget(y->problem, s, &y->tail, outcome, error);
    y->ended = outcome->tail_closed;
    if (status == CRM_OK && !y->ended &&
        ((double)outcome->steps >= y->most_steps || is_told_to_end(y->problem, s))) {
        lzb_run_report_unfinished(s->window->search.working_count, outcome);
        y->ended = true;
    }
    return status;
}

static crm_status take_step(integration *y, crm_error *error)
{
    lzb_stepper *s = y->s;
    lzb_state *state = s->state;
    double length = 0;
    bool booked = false;
    if (!(s->length > 0)) {
        s->length = first_length(state, s->window);
    }
    lzb_bonds_weigh(y->bonds, s);
    crm_status status = advance(&y->step_kind, s, y->bonds, y->history->next - state->time, &length,
                                &booked, error);
    if (status == CRM_OK && !lzb_bonds_any(y->bonds)) {
        lzb_bodies_kick(state, s->window->contact, s->window->count, s->window->trial.p,
                        s->window->trial.c0, s->window->trial.c);
    }
    s->rounding += lzb_window_rounding(state, s->window);
    if (status == CRM_OK && !booked) {
        status = lzb_energy_conserve(s, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    lzb_step_finish(s, length);
    lzb_bonds_follow(y->bonds, s, length);
    lzb_bonds_relax(y->bonds, state, s->steps);
    y->outcome->steps = s->steps;
    return lzb_history_record(y->history, state, s->window->contact, s->window->count, error);
}

/* To the end, or to where settling is worth a try. */
static crm_status follow(integration *y, crm_error *error)
{
    crm_status status = CRM_OK;
    while (status == CRM_OK && !y->ended) {
        if (y->s->steps > 0 && !y->is_settling && lzb_settle_is_due(&y->settling, y->s)) {
            return CRM_OK;
        }
        status = gather(y->s, y->bonds, error);
        if (status == CRM_OK) {
            status = look_for_end(y, error);
        }
        if (status == CRM_OK && !y->ended && y->s->window->search.working_count > 0) {
            status = take_step(y, error);
        }
    }
    return status;
}

/* Stays there if the end is as foreseen or as the last time, and returns to the start if it is not.
 */
static crm_status try_settling(integration *y, double *difference, crm_error *error)
{
    const lzb_step_kind step_kind = y->step_kind;
    const tail_budget tail = y->tail;
    crm_status status = lzb_settle_start(&y->settling, y->s, &y->step_kind.capturing, error);
    y->is_settling = true;
    if (status == CRM_OK) {
        status = follow(y, error);
    }
    if (status != CRM_OK || y->outcome->result != CRM_SOLVED) {
        return status;
    }
    status = lzb_settle_compare(&y->settling, y->s->state, difference, error);
    if (*difference > SETTLED_SHARE * y->options->tolerance) {
        lzb_settle_undo(&y->settling, y->s);
        y->step_kind = step_kind;
        y->tail = tail;
        y->outcome->tail_closed = y->ended = y->is_settling = false;
        y->outcome->tail_speed = *difference = 0;
    }
    return status;
}

static crm_status run_to_end(const crm_problem *problem, const lzb_options *options, lzb_stepper *s,
                             const lzb_extrapolation *kept, lzb_history *history, lzb_run *run,
                             crm_outcome *outcome, crm_error *error)
{
    lzb_state *state = s->state;
    const double known = run->known;
    double contacts = (double)state->contacts, settled = 0;
    integration y = {.problem = problem,
                     .options = options,
                     .s = s,
                     .bonds = kept->bonds,
                     .history = history,
                     .outcome = outcome,
                     .step_kind = {.neighbourhoods = kept->neighbourhoods, .longest = INFINITY},
                     .tail = {TAIL_STEPS + TAIL_STEPS_EACH * contacts, options->tolerance},
                     .most_steps = isnan(options->max_steps)
                                       ? MOST_STEPS + MOST_STEPS_EACH * contacts
                                       : options->max_steps};
    lzb_settle_begin(&y.settling, state, run->stiff || problem->recorder != NULL,
                     options->tolerance);
    crm_status status = s->steps == 0 ? lzb_history_record(history, state, NULL, 0, error) : CRM_OK;
    while (status == CRM_OK && !y.ended) {
        status = follow(&y, error);
        if (status == CRM_OK && !y.ended) {
            status = try_settling(&y, &settled, error);
        }
    }
    lzb_state_finish(state);
    run->remainder = state->remainder;
    run->known = known + estimate(options, s, outcome) + settled;
    /* the end does not depend on later decisions */
    run->margin = y.is_settling ? y.settling.proved : lzb_state_margin(state);
    run->unmeasured += UNMEASURED_SHARE * options->tolerance + outcome->tail_speed + settled;
    run->magnifies = state->contacts <= LZB_CONFIRMED_CONTACTS
                         ? lzb_state_magnifies(state)
                         : lzb_state_magnifies_on_average(state);
    lzb_bonds_end(kept->bonds, state);
    bool over = outcome->result == CRM_SOLVED && !outcome->tail_closed;
    outcome->duration = over ? state->opened : state->time;
    outcome->evaluations += s->evaluations;
    outcome->error_estimate = known + estimate(options, s, outcome) + settled;
    return status;
}

/* ---- Begin and end -------------------------------------------------------------------------- */

static crm_status begin(const crm_problem *problem, const lzb_options *options,
                        lzb_extrapolation *kept, lzb_run *run, lzb_state *state, crm_error *error)
{
    double ignored = lzb_state_is_elastic(state) ? LZB_IGNORED_SHARE_ELASTIC : LZB_IGNORED_SHARE;
    double cut = CUT_SHARE * LZB_STEP_SHARE;
    /* what is ignored may decide what is not: a finer run ignores less */
    double tolerance = fmin(run->coarseness, 1) * options->tolerance;
    crm_status status = lzb_window_begin(state, ignored * tolerance, cut * tolerance,
                                         problem->threads, &kept->window, error);
    if (status == CRM_OK) {
        status = lzb_neighbourhoods_begin(state, &kept->neighbourhoods, error);
    }
    if (status == CRM_OK) {
        status = lzb_bonds_begin(state, LZB_IGNORED_SHARE_ELASTIC * options->tolerance, run->effort,
                                 &kept->bonds, error);
    }
    if (status == CRM_OK) {
        run->stiff = lzb_bonds_possible(kept->bonds);
    }
    return status;
}

crm_status lzb_extrapolation_follow(const crm_problem *problem, const lzb_options *options,
                                    lzb_extrapolation **extrapolation, lzb_run *run,
                                    lzb_state *state, lzb_history *history, crm_outcome *outcome,
                                    crm_error *error)
{
    if (*extrapolation == NULL) {
        *extrapolation = CRM_NEW(lzb_extrapolation, 1);
        if (*extrapolation == NULL) {
            return crm_fail_memory(error);
        }
    }
    lzb_extrapolation *kept = *extrapolation;
    crm_status status = begin(problem, options, kept, run, state, error);
    if (status != CRM_OK) {
        return status;
    }
    state->least_restitution = LZB_LEAST_RESTITUTION_PRESSED * sqrt(run->coarseness);
    lzb_stepper s = {.state = state,
                     .window = &kept->window,
                     .tolerance =
                         fmax(run->coarseness * LZB_STEP_SHARE * options->tolerance, LZB_FINEST),
                     .rows = FIRST_ORDER,
                     .steps = outcome->steps};
    run->step = fmax(run->step, s.tolerance);
    return run_to_end(problem, options, &s, kept, history, run, outcome, error);
}

void lzb_extrapolation_free(lzb_extrapolation *kept)
{
    if (kept != NULL) {
        lzb_bonds_free(kept->bonds);
        lzb_neighbourhoods_free(kept->neighbourhoods);
        lzb_window_release(&kept->window);
        free(kept);
    }
}
