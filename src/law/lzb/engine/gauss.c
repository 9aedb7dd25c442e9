/* From step to step to the end of an impact. */
#include "law/lzb/engine/gauss.h"

#include <float.h>
#include <math.h>

#include "base/locale.h"
#include "law/lzb/engine/friction/friction.h"
#include "law/lzb/state/tail.h"

/* The error allowed in a step, as a part of the tolerance. */
static const double STEP_SHARE = 3e-3;
/* Contacts that close with less than this part of the tolerance are left alone: for how long, and
 * how far they would have got, nobody knows. Fronts of waves are steep, so that little is saved by
 * leaving more; but behind them elastic contacts come to rest, which part in the end.
 */
static const double IGNORED_SHARE = 1e-5, IGNORED_SHARE_ELASTIC = 1e-2;
/* Above this a step's error follows no formula. */
static const double COARSEST = 1e-9;
/* A contact that others hold expands if its e is at least this (LZB_LEAST_RESTITUTION_PRESSED):
 * here closing speeds are known to their own rounding, 1e-16, which moves the indentation by
 * 1e-16/e.
 */
static const double LEAST_HELD = 1e-8;
/* What is left alone, and the ends of waves, may cost without showing in any step. */
static const double UNMEASURED_SHARE = 1e-2;
/* Nothing is followed further down than this: rounding. */
static const double LEAST_END_SPEED = 1e-15;
/* With friction there is no projection that closes a tail, and some never end: what is slower than
 * this is over.
 */
static const double LEAST_END_SPEED_WITH_FRICTION = 1e-11;
/* The end is looked for when nothing is faster than this part of the tolerance. */
static const double END_SHARE = 3e-2;
/* Steps after which an impact is given up, and after which its tail may be closed though that
 * moves velocities by more than the tolerance: by a limit that rises fourfold whenever their number
 * has doubled.
 */
static const double MOST_STEPS = 1e6, MOST_STEPS_EACH = 4e3;
/* What friction holds may swing for ever. */
static const double MOST_STEPS_HELD = 2e4, MOST_STEPS_HELD_EACH = 4e3;
static const double TAIL_STEPS = 1e5, TAIL_STEPS_EACH = 1e3;
static const double MOST_TAIL_LIMIT = 0.05;
/* Where an impact is shown, the length of a step: of the time for which the quickest contact would
 * be held by itself.
 */
static const double SHOWN_PART = 0.1;
/* Between two looks whether there are many contacts at work. */
enum { STEPS_BETWEEN_LOOKS = 8 };
/* A step gets about as far as so many of extrapolated leapfrog. */
enum { LEAPFROG_STEPS = 2 };

typedef struct integration {
    const crm_problem *problem;
    lzb_engine engine;
    lzb_history *history;
    crm_outcome *outcome;
    double tail_steps, tail_limit; /* steps; what closing the tail may move, relative */
    double most_steps;
    uint64_t watched; /* evaluations until the last look at the watch */
    double end_speed; /* a speed */
    double longest;   /* a step, where it is shown */
    bool may_leave;   /* others may go on */
    bool left, ended;
} integration;

/* The largest speed there is, or could come from what is stored. */
static double amplitude(const lzb_engine *e, double enough)
{
    double most = 0;
    for (size_t i = 0; i < e->window.count; i++) {
        const lzb_state *state = e->state;
        size_t j = e->window.member[i].contact;
        bool pressing = state->mode[j] != LZB_OPEN;
        most = lzb_larger(most, pressing ? fabs(state->c[j]) : state->c[j]);
        if (most > enough) {
            break;
        }
        double stored = pressing ? lzb_member_energy(&e->window.member[i], state->x[j]) : 0;
        most = lzb_larger(most, sqrt(2 * stored * state->model->d_diagonal[j]));
    }
    return most;
}

static crm_status close_tail(integration *y, double limit, crm_error *error)
{
    crm_outcome *outcome = y->outcome;
    if (y->engine.friction != NULL) { /* of which the plastic projection need not be unique */
        return CRM_OK;
    }
    crm_status status = lzb_tail_close(y->engine.state, y->problem->model, limit,
                                       &outcome->tail_closed, &outcome->tail_speed, error);
    y->ended = outcome->tail_closed;
    return status;
}

/* Friction holds what presses: at rest, or swinging. */
static void report_held(integration *y, const char *how, const char *what)
{
    const lzb_state *state = y->engine.state;
    size_t pressing = y->engine.window.pressing;
    y->outcome->result = CRM_NOT_TERMINATED;
    crm_snprintf(
        y->outcome->reason, sizeof y->outcome->reason,
        "%s: friction holds the bodies at %zu contact%s, which %s; the impulses grow without "
        "end",
        how, pressing, pressing == 1 ? "" : "s", what);
    for (size_t j = 0; j < state->contacts; j++) {
        y->outcome->energy_held += lzb_state_stored(state, j);
    }
    y->ended = true;
}

static void report_unfinished(integration *y)
{
    y->outcome->steps = y->engine.steps;
    if (lzb_friction_is_bound(&y->engine)) {
        report_held(y, "bound", "swing on");
        return;
    }
    lzb_run_report_unfinished(y->engine.window.pressing, y->outcome);
    y->ended = true;
}

/* Nothing above the ignored speed is at work: is it over, can what is left be closed, or must it be
 * followed further down?
 */
static crm_status end_or_lower(integration *y, crm_error *error)
{
    lzb_engine *e = &y->engine;
    const lzb_state *state = e->state;
    double least = LEAST_END_SPEED * state->speed, floor = 0; /* with friction looked for, too */
    if (e->friction != NULL) {
        least = floor = LEAST_END_SPEED_WITH_FRICTION * state->speed;
    }
    bool over = true;
    for (size_t j = 0; j < state->contacts && over; j++) {
        over = !(state->c[j] > 0) && !(state->x[j] > 0);
    }
    if (over) {
        y->ended = true;
        return CRM_OK;
    }
    crm_status status = close_tail(y, y->tail_limit, error);
    y->ended |= y->end_speed < least || y->end_speed <= floor;
    y->end_speed = fmax(0.1 * y->end_speed, floor);
    e->ignored = fmin(e->ignored, 0.1 * y->end_speed);
    lzb_engine_enter_all(e);
    return status;
}

static crm_status look_for_end(integration *y, bool at_rest, crm_error *error)
{
    lzb_engine *e = &y->engine;
    if (at_rest || amplitude(e, y->end_speed) < y->end_speed) {
        return end_or_lower(y, error);
    }
    if ((double)e->steps >= y->most_steps) {
        report_unfinished(y);
        return CRM_OK;
    }
    if ((double)e->steps >= y->tail_steps) {
        y->tail_steps *= 2;
        y->tail_limit = fmin(4 * y->tail_limit, MOST_TAIL_LIMIT);
        return close_tail(y, y->tail_limit, error);
    }
    uint64_t forces = LZB_NODES * (e->evaluations - y->watched);
    y->watched = e->evaluations;
    if (crm_watch_due(y->problem->watching, forces)) {
        const crm_watch_report progress = {.time = e->state->time,
                                           .left = amplitude(e, INFINITY) / e->state->speed,
                                           .working = e->window.pressing,
                                           .steps = e->steps};
        if (crm_watch_ends(y->problem->watching, &progress)) {
            report_unfinished(y);
        }
    }
    return CRM_OK;
}

static size_t lossy_contacts(const lzb_engine *e)
{
    size_t lossy = 0;
    for (size_t i = 0; i < e->window.pressing; i++) {
        lossy += e->state->model->restitution[e->window.member[i].contact] < 1;
    }
    return lossy;
}

/* Many contacts that lose energy are at an event all the time: others follow faster how such a
 * group comes to rest.
 */
static bool is_capturing(const integration *y)
{
    const lzb_engine *e = &y->engine;
    if (!y->may_leave || e->steps % STEPS_BETWEEN_LOOKS != 0 ||
        2 * lossy_contacts(e) <= e->window.pressing) {
        return false;
    }
    const lzb_activity activity = {.working = e->window.pressing,
                                   .steps = LEAPFROG_STEPS * e->steps,
                                   .amplitude = amplitude(e, INFINITY) / e->state->speed};
    return y->problem->recorder == NULL && lzb_capturing_is_due(&activity, e->state);
}

static crm_status follow(integration *y, crm_error *error)
{
    lzb_engine *e = &y->engine;
    lzb_state *state = e->state;
    crm_status status = lzb_history_record(y->history, state, NULL, 0, error);
    while (status == CRM_OK && !y->ended && !y->left) {
        double longest = lzb_smaller(y->longest, y->history->next - state->time);
        lzb_progress progress = lzb_engine_step(e, longest);
        if (e->status != CRM_OK) {
            return e->status;
        }
        if (progress == LZB_STUCK && y->may_leave) {
            y->left = true;
        } else if (progress == LZB_STUCK) {
            report_unfinished(y);
        } else if (progress == LZB_LOCKED) {
            report_held(y, "locked", "stay compressed");
        } else {
            status = progress == LZB_MOVED ? lzb_history_record(y->history, state, NULL, 0, error)
                                           : CRM_OK;
            if (status == CRM_OK) {
                status = look_for_end(y, progress == LZB_AT_REST, error);
            }
            y->left = !y->ended && is_capturing(y);
        }
    }
    return status;
}

/* What steps leave beside their errors. */
static double left_by_steps(const integration *y, const lzb_state *state)
{
    return (DBL_EPSILON * sqrt(y->engine.rounding) + y->engine.left) / state->speed;
}

/* Errors of one contact add up, those of different contacts travel apart. */
static double estimate(const integration *y, const lzb_state *state, double tolerance)
{
    double squares = 0;
    for (size_t j = 0; j < state->contacts; j++) {
        squares += state->step_error[j] * state->step_error[j];
    }
    return UNMEASURED_SHARE * tolerance + sqrt(squares) + y->outcome->tail_speed +
           LZB_FINEST * sqrt(100.0 + (double)y->engine.steps) + left_by_steps(y, state);
}

/* The time for which the quickest contact would be held by itself, about. */
static double first_length(const lzb_state *state)
{
    double shortest = INFINITY;
    for (size_t j = 0; j < state->contacts; j++) {
        if (state->x[j] > 0 || state->c[j] > 0) {
            shortest = fmin(shortest, state->x_scale[j] / state->speed);
        }
    }
    return shortest;
}

static crm_status begin(integration *y, const lzb_options *options, lzb_run *run, lzb_state *state,
                        crm_error *error)
{
    double coarseness = run->coarseness, finer = fmin(coarseness, 1);
    double ignored = lzb_state_is_elastic(state) ? IGNORED_SHARE_ELASTIC : IGNORED_SHARE;
    run->step = fmax(coarseness * fmin(STEP_SHARE * options->tolerance, COARSEST), LZB_FINEST);
    state->least_restitution = LEAST_HELD * sqrt(coarseness);
    y->engine.state = state;
    y->engine.small = run->step * state->speed;
    y->engine.ignored = fmax(finer * ignored * options->tolerance, LZB_SIGNLESS) * state->speed;
    y->end_speed = finer * END_SHARE * options->tolerance * state->speed;
    y->engine.next_length = first_length(state);
    y->longest = y->problem->recorder != NULL ? SHOWN_PART * y->engine.next_length : INFINITY;
    crm_status status = lzb_friction_create(&y->engine, y->problem, y->outcome, error);
    return status == CRM_OK ? lzb_engine_create(&y->engine, error) : status;
}

crm_status lzb_gauss_follow(const crm_problem *problem, const lzb_options *options, lzb_run *run,
                            lzb_state *state, lzb_history *history, bool *left,
                            crm_outcome *outcome, crm_error *error)
{
    double contacts = (double)state->contacts;
    integration y = {.problem = problem,
                     .history = history,
                     .outcome = outcome,
                     .may_leave = options->scheme == LZB_AUTO && state->memory == NULL &&
                                  state->model->friction == NULL,
                     .engine = {.status = CRM_OK, .error = error},
                     .tail_steps = TAIL_STEPS + TAIL_STEPS_EACH * contacts,
                     .tail_limit = options->tolerance,
                     .most_steps = isnan(options->max_steps)
                                       ? (state->model->friction == NULL
                                              ? MOST_STEPS + MOST_STEPS_EACH * contacts
                                              : MOST_STEPS_HELD + MOST_STEPS_HELD_EACH * contacts)
                                       : options->max_steps};
    crm_status status = begin(&y, options, run, state, error);
    if (status == CRM_OK) {
        status = follow(&y, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    lzb_friction_finish_outcome(&y.engine, outcome);
    *left = y.left;
    outcome->steps = y.engine.steps;
    outcome->evaluations = y.engine.evaluations;
    if (y.left) { /* what contacts show of errors is in the state */
        run->known = left_by_steps(&y, state);
        return CRM_OK;
    }
    lzb_state_finish(state);
    bool over = outcome->result == CRM_SOLVED && !outcome->tail_closed;
    outcome->duration = over ? state->opened : state->time;
    run->known = outcome->error_estimate = estimate(&y, state, options->tolerance);
    run->unmeasured = UNMEASURED_SHARE * options->tolerance + outcome->tail_speed;
    run->remainder = state->remainder;
    run->margin = lzb_state_margin(state);
    /* In space what a contact does where its slip all but stops is not seen in any step. */
    run->magnifies = lzb_state_magnifies(state) || state->model->tangents > 1;
    return CRM_OK;
}
