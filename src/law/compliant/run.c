/* The integration of a compliant impact: steps, events, free flights, and their energies. */
#include <stdio.h>
#include <stdlib.h>

#include "base/locale.h"
#include "law/compliant/series.h"

/* As in the LZB law: speeds below this part of the tolerance are ignored, but never less than the
 * least such level is used, and a compression shallower than COUNTED does not count as one.
 */
static const double IGNORED_SHARE = 0.3;
static const double LEAST_IGNORED = 1e-17;
static const double COUNTED = 1e-9;
/* The last terms of a series may mislead; what it leaves of the equations does not, and is allowed
 * to be a little more than they promised. A step that leaves too much is shortened.
 */
static const double ALLOWED_DEFECT = 4, SHORTER = 0.8;
static const double LONGEST = 4;

typedef struct course {
    const compliant_options *options;
    lzb_state *state;
    compliant_active *active;
    compliant_series *series;
    lzb_history *history;
    double ignored_speed;
    double length;   /* of the last step that no event cut short */
    double *impulse; /* by place: before the step */
    crm_outcome *outcome;
    compliant_account *account;
    bool over;
} course;

/* ---- Which contacts are active --------------------------------------------------------------- */

/* Closing, near or far, or pressing with energy that could open the contact at sqrt(2 E D). */
static bool is_active(const course *run, size_t j, double x, double c)
{
    const lzb_state *state = run->state;
    const crm_model *model = state->model;
    double level = run->ignored_speed * state->speed;
    return c > level || (state->mode[j] == COMPLIANT_PRESSING &&
                         2.0 * lzb_contact_energy(model->stiffness[j], model->exponent[j], x) *
                                 model->d_diagonal[j] >
                             level * level);
}

static bool all_quiet(const course *run)
{
    for (size_t j = 0; j < run->state->contacts; j++) {
        if (is_active(run, j, run->state->x[j], run->state->c[j])) {
            return false;
        }
    }
    return true;
}

static bool active_are_quiet(const course *run)
{
    for (size_t i = 0; i < run->active->count; i++) {
        uint32_t j = run->active->contact[i];
        if (is_active(run, j, run->state->x[j], run->state->c[j])) {
            return false;
        }
    }
    return true;
}

/* No contact closes, none presses: what is indented still recovers behind the bodies that left. */
static bool all_parted(const course *run)
{
    const lzb_state *state = run->state;
    for (size_t j = 0; j < state->contacts; j++) {
        if (state->c[j] > 0 || state->mode[j] == COMPLIANT_PRESSING) {
            return false;
        }
    }
    return true;
}

/* No contact moves faster than the ignored speed. Either the impact is over, or what is left is
 * small enough to be closed (theory section 2), or it must be followed at a lower level.
 */
static crm_status end_or_lower(course *run, crm_error *error)
{
    compliant_active_update_sleepers(run->state, run->active);
    run->over = all_parted(run);
    if (run->over) {
        return CRM_OK;
    }
    crm_status status =
        lzb_tail_close(run->state, run->state->model, run->options->tolerance,
                       &run->outcome->tail_closed, &run->outcome->tail_speed, error);
    run->over = run->outcome->tail_closed || run->ignored_speed < LEAST_IGNORED;
    run->ignored_speed *= 0.1;
    return status;
}

static void give_up(course *run, const char *why)
{
    crm_outcome *outcome = run->outcome;
    outcome->result = why == NULL ? CRM_NOT_TERMINATED : CRM_FAILED;
    crm_snprintf(outcome->reason, sizeof outcome->reason,
                 "%s at t = %g after %llu steps; the state reached is given",
                 why == NULL ? "contacts are still at work" : why, run->state->time,
                 (unsigned long long)outcome->steps);
    run->over = true;
}

/* ---- Histories ------------------------------------------------------------------------------ */

/* The LZB history knows elastic forces; with damping they are put right on the way out. */
typedef struct relay {
    const crm_recorder *to;
    const lzb_state *state;
    double damping;
    double *force;
} relay;

static crm_status pass_on(void *context, const crm_sample *sample)
{
    const relay *r = context;
    const crm_model *model = r->state->model;
    crm_sample corrected = *sample;
    if (r->damping > 0) {
        for (size_t j = 0; j < r->state->contacts; j++) {
            double force = compliant_force(model->stiffness[j], model->exponent[j], r->damping,
                                           r->state->x[j], r->state->c[j]);
            r->force[j] = fmax(force, 0);
        }
        corrected.force = r->force;
    }
    return r->to->record(r->to->context, &corrected);
}

/* The state at t of the step, of the active contacts and of those asleep. */
static void show(const course *run, double start, double t, const double *p)
{
    lzb_state *state = run->state;
    const compliant_series *series = run->series;
    state->time = start + t * series->unit;
    for (size_t i = 0; i < run->active->count; i++) {
        uint32_t j = run->active->contact[i];
        state->x[j] = compliant_series_at(series, series->x, series->order, i, t);
        state->c[j] = compliant_series_at(series, series->c, series->order, i, t) / series->unit;
        if (i < run->active->pressing) {
            state->p[j] = p[i] + compliant_series_impulse(series, i, t);
        }
    }
}

static crm_status record(const course *run, crm_error *error)
{
    compliant_active_update_sleepers(run->state, run->active);
    return lzb_history_record(run->history, run->state, NULL, 0, error);
}

/* The samples due before the step ends at `end`. */
static crm_status record_within(const course *run, double start, double end, const double *p,
                                crm_error *error)
{
    crm_status status = CRM_OK;
    while (status == CRM_OK && run->history->recorder != NULL && run->history->next < end) {
        show(run, start, (run->history->next - start) / run->series->unit, p);
        run->state->time = run->history->next;
        status = record(run, error);
    }
    return status;
}

/* ---- What is booked at every step ----------------------------------------------------------- */

/* Before the state is that of the end: the work done on a contact that is not stored is lost. */
static void book_contact(const course *run, size_t i, double t)
{
    lzb_state *state = run->state;
    const compliant_series *series = run->series;
    uint32_t j = run->active->contact[i];
    double stiffness = state->model->stiffness[j], exponent = state->model->exponent[j];
    double end = compliant_series_at(series, series->x, series->order, i, t);
    double c = compliant_series_at(series, series->c, series->order, i, t);
    bool presses = i < run->active->pressing;
    if (series->damping > 0) {
        state->loss[j] += (presses ? compliant_series_work(series, i, t) : 0) +
                          lzb_contact_energy(stiffness, exponent, state->x[j]) -
                          lzb_contact_energy(stiffness, exponent, end);
    }
    if (presses) {
        state->peak[j] =
            fmax(state->peak[j], compliant_series_peak(state, run->active, series, i, t));
        state->contact_time[j] += t * series->unit;
        state->compressions[j] +=
            state->c[j] > 0 && c <= 0 && fmax(state->x[j], end) > COUNTED * state->x_scale[j];
    }
}

/* Open contacts between indentation 0 and the cut-off touch already. */
static void book_touch(const course *run, size_t i, double t)
{
    lzb_state *state = run->state;
    const compliant_series *series = run->series;
    uint32_t j = run->active->contact[i];
    double x = compliant_series_at(series, series->x, series->order, i, t);
    double c = compliant_series_at(series, series->c, series->order, i, t);
    if (x > 0 && c > 0) {
        state->contact_time[j] += series->unit * (state->x[j] >= 0 ? t : fmin(t, x / c));
    }
}

/* ---- Steps ---------------------------------------------------------------------------------- */

/* About the length of the next step: what the last one took, but no more than the time in which a
 * contact, whose x^eta has a singularity at x = 0, could get there.
 */
static double unit_of_step(const course *run)
{
    const compliant_active *active = run->active;
    double unit = run->length;
    for (size_t i = 0; i < active->powers; i++) {
        uint32_t j = active->contact[i];
        double c = fabs(run->state->c[j]);
        unit = c * unit > run->state->x[j] ? run->state->x[j] / c : unit;
    }
    return unit;
}

/* No step is longer than the slowest contact alone would take for the whole impact. */
static double longest_step(const course *run)
{
    double longest = 0;
    for (size_t i = 0; i < run->active->count; i++) {
        longest = fmax(longest, run->state->x_scale[run->active->contact[i]]);
    }
    return LONGEST * longest / run->state->speed;
}

/* What an event changes. */
static void turn(const course *run, compliant_event event)
{
    lzb_state *state = run->state;
    compliant_active *active = run->active;
    uint32_t j = active->contact[event.place];
    active->turns[j]++;
    active->zero[j] = (uint8_t)(event.past ? COMPLIANT_NO_ZERO : event.what);
    if (event.what == COMPLIANT_ZERO_G) {
        bool pressed = state->mode[j] == COMPLIANT_PRESSING;
        state->mode[j] = (uint8_t)(pressed ? COMPLIANT_RELEASED : COMPLIANT_PRESSING);
    } else if (state->mode[j] == COMPLIANT_OPEN) {
        compliant_active_reach_onset(state, active, j);
    } else {
        state->mode[j] = COMPLIANT_OPEN;
        state->x[j] = active->onset[j] = active->cutoff[j];
    }
}

/* Time has advanced: no value is at an exact 0 any more. */
static void forget_zeros(compliant_active *active)
{
    for (size_t i = 0; i < active->count; i++) {
        active->zero[active->contact[i]] = COMPLIANT_NO_ZERO;
        active->turns[active->contact[i]] = 0;
    }
}

/* To the end of the step at t, which is `time`. */
static crm_status advance(course *run, double t, double time, crm_error *error)
{
    lzb_state *state = run->state;
    compliant_active *active = run->active;
    double start = state->time, *p = run->impulse;
    for (size_t i = 0; i < active->indented; i++) {
        p[i] = state->p[active->contact[i]];
        book_contact(run, i, t);
    }
    for (size_t i = active->indented; i < active->count; i++) {
        book_touch(run, i, t);
    }
    if (t > 0) {
        forget_zeros(active);
    }
    crm_status status = record_within(run, start, time, p, error);
    show(run, start, t, p);
    state->time = time;
    return status;
}

/* How far the step goes, `left` at most, and what ends it. */
static compliant_event choose_step(course *run, double left, double *t)
{
    compliant_series *series = run->series;
    double longest = longest_step(run) / series->unit;
    *t = compliant_series_reach(run->state, run->active, series, longest);
    run->length = *t * series->unit;
    *t = fmin(*t, left / series->unit);
    compliant_event event = compliant_series_event(run->state, run->active, series, t);
    compliant_defect defect = compliant_series_defect(run->state, run->active, series, *t);
    while (*t > 0 && defect.speed > ALLOWED_DEFECT * series->tolerance) {
        *t *= SHORTER;
        run->length = *t * series->unit;
        event.place = UINT32_MAX;
        defect = compliant_series_defect(run->state, run->active, series, *t);
    }
    run->account->defect += defect.speed;
    run->account->energy += defect.energy;
    return event;
}

static crm_status step(course *run, crm_error *error)
{
    lzb_state *state = run->state;
    double wake = compliant_active_next_touch(run->active), left = fmax(wake - state->time, 0),
           t = 0;
    double unit = unit_of_step(run);
    crm_status status = compliant_series_build(state, run->active, unit, run->series, error);
    if (status != CRM_OK) {
        return status;
    }
    compliant_event event = choose_step(run, left, &t);
    bool wakes = event.place == UINT32_MAX && t * unit >= left;
    if (!(t >= 0)) {
        give_up(run, "the series has no sum");
        return CRM_OK;
    }
    status = advance(run, t, wakes ? wake : state->time + t * unit, error);
    run->outcome->steps++;
    if (event.place != UINT32_MAX) {
        turn(run, event);
        status = status == CRM_OK ? compliant_active_rebuild(state, run->active, error) : status;
    } else if (wakes && status == CRM_OK) {
        status = compliant_active_touch(state, run->active, error);
    } else if (status == CRM_OK && compliant_active_drop_negligible(state, run->active)) {
        status = compliant_active_rebuild(state, run->active, error);
    }
    return status == CRM_OK && run->history->recorder != NULL ? record(run, error) : status;
}

/* No contact is indented: all keep their speeds until the next gap closes. Only the ends of a
 * flight are recorded: it may last a million times as long as the impact, and nothing happens in
 * it.
 */
static crm_status fly(course *run, crm_error *error)
{
    lzb_state *state = run->state;
    double wake = compliant_active_next_touch(run->active);
    run->outcome->steps++;
    if (wake == INFINITY) {
        run->ignored_speed *= 0.1; /* only indentations below the cut-off: lower the level */
        return CRM_OK;
    }
    state->time = wake;
    crm_status status = compliant_active_touch(state, run->active, error);
    const crm_recorder *recorder = run->history->recorder;
    if (recorder != NULL && recorder->interval > 0) {
        run->history->next = recorder->interval * (floor(state->time / recorder->interval) + 1.0);
    }
    return status == CRM_OK && recorder != NULL ? record(run, error) : status;
}

/* ---- The whole ------------------------------------------------------------------------------ */

static bool is_told_to_end(const course *run)
{
    const lzb_state *state = run->state;
    if (!crm_watch_due(state->watching, run->active->count * COMPLIANT_MOST_ORDER)) {
        return false;
    }
    const crm_watch_report progress = {.time = state->time,
                                       .left = NAN,
                                       .working = run->active->count,
                                       .steps = run->outcome->steps};
    return crm_watch_ends(state->watching, &progress);
}

static crm_status follow(course *run, crm_error *error)
{
    crm_status status = lzb_history_record(run->history, run->state, NULL, 0, error);
    while (status == CRM_OK && !run->over) {
        if (active_are_quiet(run) && all_quiet(run)) {
            status = end_or_lower(run, error);
        } else if ((double)run->outcome->steps >= run->options->max_steps || is_told_to_end(run)) {
            give_up(run, NULL);
        } else {
            status = run->active->indented > 0 ? step(run, error) : fly(run, error);
        }
    }
    return status;
}

/* The restitution of the contacts plays no part here: all that is stored at first comes back. */
static void take_stored(lzb_state *state)
{
    const crm_model *model = state->model;
    for (size_t j = 0; j < state->contacts; j++) {
        double energy = model->stored_energy[j];
        state->loss[j] = 0;
        state->x[j] = energy > 0
                          ? lzb_contact_indentation(model->stiffness[j], model->exponent[j], energy)
                      : model->gap != NULL ? -model->gap[j]
                                           : 0;
        state->peak[j] = lzb_contact_force(model->stiffness[j], model->exponent[j], state->x[j]);
    }
}

/* Energy still stored when the integration stops is lost to the motion. */
static void close_account(lzb_state *state)
{
    const crm_model *model = state->model;
    for (size_t j = 0; j < state->contacts; j++) {
        state->loss[j] += lzb_contact_energy(model->stiffness[j], model->exponent[j], state->x[j]);
    }
}

static crm_status follow_with(const crm_problem *problem, const compliant_options *options,
                              double step_tolerance, course *run, crm_error *error)
{
    lzb_state *state = run->state;
    run->impulse = CRM_NEW(double, state->contacts);
    crm_status status = run->impulse != NULL ? CRM_OK : crm_fail_memory(error);
    if (status == CRM_OK) {
        status = compliant_active_create(state, step_tolerance, options->damping,
                                         run->ignored_speed, run->active, error);
    }
    if (status == CRM_OK) {
        status = lzb_history_create(problem, run->history, error);
    }
    if (status == CRM_OK) {
        *run->series = compliant_series_create(options->damping, step_tolerance);
        run->length = INFINITY;
        for (size_t j = 0; j < state->contacts; j++) {
            run->length = fmin(run->length, state->x_scale[j] / state->speed);
        }
        status = follow(run, error);
    }
    if (status == CRM_OK) {
        compliant_active_update_sleepers(state, run->active);
    }
    free(run->impulse);
    return status;
}

static crm_status run_from(const crm_problem *problem, const compliant_options *options,
                           double step_tolerance, lzb_state *state, crm_outcome *outcome,
                           compliant_account *account, crm_error *error)
{
    compliant_active active = {0};
    compliant_series series = {0};
    lzb_history history = {0};
    relay through = {problem->recorder, state, options->damping, CRM_NEW(double, state->contacts)};
    crm_recorder recorder = {.context = &through, .record = pass_on};
    crm_problem relayed = *problem;
    if (problem->recorder != NULL) {
        recorder.interval = problem->recorder->interval;
        relayed.recorder = &recorder;
    }
    course run = {.options = options,
                  .state = state,
                  .active = &active,
                  .series = &series,
                  .history = &history,
                  .ignored_speed = IGNORED_SHARE * options->tolerance,
                  .outcome = outcome,
                  .account = account};
    crm_status status = through.force != NULL ? CRM_OK : crm_fail_memory(error);
    if (status == CRM_OK) {
        status = follow_with(&relayed, options, step_tolerance, &run, error);
    }
    outcome->evaluations += series.evaluations;
    compliant_active_release(&active);
    compliant_series_release(&series);
    free(through.force);
    return status;
}

/* Are the scales of the impact numbers that can be divided by? */
static bool within_arithmetic(const lzb_state *state, crm_outcome *outcome)
{
    for (size_t j = 0; j < state->contacts; j++) {
        double force = lzb_contact_force(state->model->stiffness[j], state->model->exponent[j],
                                         state->x_scale[j]);
        if (!isnormal(state->x_scale[j]) || !isnormal(force)) {
            outcome->result = CRM_FAILED;
            crm_snprintf(outcome->reason, sizeof outcome->reason,
                         "compliant: the speed %g is too %s for the arithmetic at contact %zu",
                         state->speed, state->speed > 1 ? "large" : "small", j + 1);
            return false;
        }
    }
    return true;
}

crm_status compliant_run(const crm_problem *problem, const compliant_options *options,
                         double step_tolerance, crm_outcome *outcome, compliant_account *account,
                         crm_error *error)
{
    lzb_state state;
    crm_status status = lzb_state_create(problem, LZB_BI, &state, outcome, error);
    if (status == CRM_OK) {
        take_stored(&state);
        *account = (compliant_account){.speed = state.speed};
        if (state.speed > 0 && within_arithmetic(&state, outcome)) {
            status = run_from(problem, options, step_tolerance, &state, outcome, account, error);
        }
        close_account(&state);
        outcome->duration = state.time;
    }
    return status;
}
