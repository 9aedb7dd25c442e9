/* The integration of a compliant impact: steps, events, free flights, and their energies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "law/compliant/compliant.h"

/* As in the LZB law: speeds below this part of the tolerance are ignored, but never less than the
 * least such level is used, and a compression shallower than COUNTED does not count as one.
 */
static const double IGNORED_SHARE = 0.03;
static const double LEAST_IGNORED = 1e-17;
static const double COUNTED = 1e-9;
typedef struct course {
    const compliant_options *options;
    lzb_state *state;
    compliant_active *active;
    compliant_step *step;
    lzb_history *history;
    double ignored_speed;
    lzb_nodal *force; /* room: of a step that is shown in parts, its forces and arms */
    double *squares;  /* by contact: sums of its steps' errors, relative */
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
    return c > level || (compliant_presses(state->mode[j]) &&
                         2.0 * compliant_stored(&run->options->contact[j], x, run->active->arm[j]) *
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
        if (state->c[j] > 0 || compliant_presses(state->mode[j])) {
            return false;
        }
    }
    return true;
}

static void look_closer(course *run)
{
    run->ignored_speed *= 0.1;
    run->active->slow = run->ignored_speed;
    run->step->ignored = run->ignored_speed * run->state->speed;
    compliant_active_update_sleepers(run->state, run->active);
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
    look_closer(run);
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

/* The LZB history knows elastic forces; others are put right on the way out. */
typedef struct relay {
    const crm_recorder *to;
    const lzb_state *state;
    const compliant_contact *of;
    const compliant_active *active;
    double *force, *energy;
} relay;

static crm_status pass_on(void *context, const crm_sample *sample)
{
    const relay *r = context;
    const lzb_state *state = r->state;
    crm_sample corrected = *sample;
    for (size_t j = 0; j < state->contacts; j++) {
        double x = state->x[j], z = r->active->arm[j];
        double force = compliant_force(&r->of[j], x, state->c[j], z);
        r->force[j] = compliant_presses(state->mode[j]) ? fmax(force, 0) : 0;
        r->energy[j] = compliant_stored(&r->of[j], x, z);
    }
    corrected.force = r->force;
    corrected.stored_energy = r->energy;
    return r->to->record(r->to->context, &corrected);
}

static crm_status record(const course *run, crm_error *error)
{
    compliant_active_update_sleepers(run->state, run->active);
    return lzb_history_record(run->history, run->state, NULL, 0, error);
}

/* The sites' state at the end of the step becomes that of now. */
static void show(const course *run, double time)
{
    lzb_state *state = run->state;
    state->time = time;
    for (size_t i = 0; i < run->active->count; i++) {
        const compliant_site *site = &run->step->site[i];
        uint32_t j = site->contact;
        state->x[j] = site->x1;
        state->c[j] = site->c1;
        run->active->arm[j] = i < run->active->indented ? site->z1 : 0;
        if (i < run->active->pressing) {
            lzb_state_add_impulse(state, j, site->impulse);
        }
    }
}

static void take_back(const course *run, double time)
{
    lzb_state *state = run->state;
    state->time = time;
    for (size_t i = 0; i < run->active->count; i++) {
        const compliant_site *site = &run->step->site[i];
        uint32_t j = site->contact;
        state->x[j] = site->x;
        state->c[j] = site->c;
        run->active->arm[j] = site->z;
        if (i < run->active->pressing) {
            lzb_state_add_impulse(state, j, -site->impulse);
        }
    }
}

static size_t take_forces(const course *run, lzb_nodal *to, const lzb_nodal *from)
{
    memcpy(to, from, run->active->count * sizeof *to);
    return run->active->count;
}

/* The samples due before the step ends: each is the end of a shorter step. */
static crm_status record_within(const course *run, crm_error *error)
{
    compliant_step *step = run->step;
    double start = run->state->time, end = start + step->trial.length;
    compliant_trial whole = step->trial;
    crm_status status = CRM_OK;
    if (run->history->recorder == NULL || !(run->history->next < end)) {
        return CRM_OK;
    }
    size_t count = take_forces(run, run->force, step->force);
    take_forces(run, run->force + count, step->arm);
    while (status == CRM_OK && run->history->next < end) {
        double next = run->history->next;
        status = compliant_step_within(step, fmax(next - start, 1e-12 * whole.length), error);
        if (status == CRM_OK) {
            show(run, next);
            status = record(run, error);
            take_back(run, start);
        }
        take_forces(run, step->force, run->force);
        take_forces(run, step->arm, run->force + count);
        step->trial = whole;
    }
    return status == CRM_OK ? compliant_step_finish(step, error) : status;
}

/* ---- What is booked at every step ----------------------------------------------------------- */

/* Before the state is that of the end: the work done on a contact that is not stored is lost. Of an
 * elastic one that is the error of the integration.
 */
static void book_contact(const course *run, size_t i)
{
    lzb_state *state = run->state;
    const compliant_site *site = &run->step->site[i];
    uint32_t j = site->contact;
    double lost = site->work + compliant_stored(&site->of, site->x, site->z) -
                  compliant_stored(&site->of, site->x1, site->z1);
    if (site->of.model != COMPLIANT_ELASTIC) {
        state->loss[j] += lost;
    }
    if (i < run->active->pressing) {
        double c = fmax(fabs(site->c), fabs(site->c1));
        run->account->energy +=
            site->of.model == COMPLIANT_ELASTIC ? fabs(lost) : site->error * c / site->own;
        run->squares[j] += site->error / state->speed;
        state->peak[j] = fmax(state->peak[j], compliant_step_peak(run->step, i));
        state->contact_time[j] += run->step->trial.length;
        state->compressions[j] +=
            site->c > 0 && site->c1 <= 0 && fmax(site->x, site->x1) > COUNTED * state->x_scale[j];
    }
}

/* Open contacts that come so slowly that they do not press yet touch already. */
static void book_touch(const course *run, const compliant_site *site)
{
    lzb_state *state = run->state;
    if (site->x1 > 0 && site->c1 > 0) {
        state->contact_time[site->contact] += fmin(run->step->trial.length, site->x1 / site->c1);
    }
}

/* ---- Steps ---------------------------------------------------------------------------------- */

/* Time has advanced: no value is at an exact 0 any more, but what the step has ended with. */
static void forget_zeros(const course *run)
{
    compliant_active *active = run->active;
    for (size_t i = 0; i < active->count; i++) {
        active->zero[active->contact[i]] = COMPLIANT_NO_ZERO;
        active->turns[active->contact[i]] = 0;
    }
}

/* What the step aimed at is met: exactly, where that can be said. */
static void meet_aim(const course *run)
{
    const compliant_happening *aim = &run->step->trial.aim;
    if (aim->what != COMPLIANT_NO_ZERO) {
        compliant_step_meet(run->step, aim);
    }
}

/* To the end of the step, which is `time`. */
static crm_status advance(course *run, double time, crm_error *error)
{
    compliant_active *active = run->active;
    compliant_step_end(run->step);
    for (size_t i = 0; i < active->indented; i++) {
        book_contact(run, i);
    }
    for (size_t i = active->indented; i < active->count; i++) {
        book_touch(run, &run->step->site[i]);
    }
    forget_zeros(run);
    crm_status status = record_within(run, error);
    show(run, time);
    meet_aim(run);
    return status;
}

static crm_status step(course *run, crm_error *error)
{
    lzb_state *state = run->state;
    bool found;
    run->outcome->steps++;
    crm_status status = compliant_step_begin(run->step, error);
    double wake = compliant_active_next_touch(run->active), left = wake - state->time;
    if (status != CRM_OK || run->active->indented == 0) {
        return status;
    }
    if (!(left > 0)) {
        return compliant_active_touch(state, run->active, error);
    }
    status = compliant_step_find(run->step, left, &found, error);
    if (status != CRM_OK) {
        return status;
    }
    if (!found) {
        give_up(run, "no step is small enough");
        return CRM_OK;
    }
    double length = run->step->trial.length;
    bool wakes = length >= left;
    status = advance(run, wakes ? wake : state->time + length, error);
    if (wakes && status == CRM_OK) {
        status = compliant_active_touch(state, run->active, error);
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
        look_closer(run);
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
    if (!crm_watch_due(state->watching, LZB_NODES * run->active->count)) {
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

/* What LZB would lose of what is stored at first is undone. */
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
static void close_account(lzb_state *state, const compliant_contact *of, const double *arm)
{
    for (size_t j = 0; j < state->contacts; j++) {
        state->loss[j] += compliant_stored(&of[j], state->x[j], arm != NULL ? arm[j] : 0);
    }
}

static double first_length(const lzb_state *state)
{
    double shortest = INFINITY;
    for (size_t j = 0; j < state->contacts; j++) {
        shortest = fmin(shortest, state->x_scale[j] / state->speed);
    }
    return shortest;
}

/* Errors of one contact add up, those of different contacts travel apart. */
static double left_by_steps(const course *run)
{
    double squares = 0;
    for (size_t j = 0; j < run->state->contacts; j++) {
        squares += run->squares[j] * run->squares[j];
    }
    return sqrt(squares) + (sqrt(run->step->rounding) + run->step->left) / run->state->speed;
}

static crm_status follow_with(const crm_problem *problem, const compliant_options *options,
                              double step_tolerance, course *run, crm_error *error)
{
    lzb_state *state = run->state;
    run->squares = CRM_TAKE(state->pool, double, state->contacts);
    crm_status status = run->squares != NULL ? CRM_OK : crm_fail_memory(error);
    if (problem->recorder != NULL && status == CRM_OK) {
        run->force = CRM_TAKE(state->pool, lzb_nodal, 2 * state->contacts);
        status = run->force != NULL ? CRM_OK : crm_fail_memory(error);
    }
    if (status == CRM_OK) {
        status = compliant_active_create(state, options->contact, run->ignored_speed, run->active,
                                         error);
    }
    if (status == CRM_OK) {
        status = lzb_history_create(problem, run->history, error);
    }
    if (status == CRM_OK) {
        status = compliant_step_create(state, run->active, options->contact,
                                       step_tolerance * state->speed, run->step, error);
    }
    if (status == CRM_OK) {
        run->step->ignored = run->ignored_speed * state->speed;
        run->step->next_length = first_length(state);
        status = follow(run, error);
    }
    if (status == CRM_OK) {
        compliant_active_update_sleepers(state, run->active);
        close_account(state, options->contact, run->active->arm);
        run->account->defect += left_by_steps(run);
    }
    return status;
}

static crm_status run_from(const crm_problem *problem, const compliant_options *options,
                           double step_tolerance, lzb_state *state, crm_outcome *outcome,
                           compliant_account *account, crm_error *error)
{
    compliant_active active = {0};
    compliant_step step = {0};
    lzb_history history = {0};
    relay through = {.to = problem->recorder,
                     .state = state,
                     .of = options->contact,
                     .active = &active,
                     .force = CRM_TAKE(state->pool, double, state->contacts),
                     .energy = CRM_TAKE(state->pool, double, state->contacts)};
    crm_recorder recorder = {.context = &through, .record = pass_on};
    crm_problem relayed = *problem;
    if (problem->recorder != NULL) {
        recorder.interval = problem->recorder->interval;
        relayed.recorder = &recorder;
    }
    course run = {.options = options,
                  .state = state,
                  .active = &active,
                  .step = &step,
                  .history = &history,
                  .ignored_speed = IGNORED_SHARE * options->tolerance,
                  .outcome = outcome,
                  .account = account};
    crm_status status =
        through.force != NULL && through.energy != NULL ? CRM_OK : crm_fail_memory(error);
    if (status == CRM_OK) {
        status = follow_with(&relayed, options, step_tolerance, &run, error);
    }
    outcome->evaluations += step.evaluations;
    compliant_active_release(&active);
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
        } else {
            close_account(&state, options->contact, NULL);
        }
        outcome->duration = state.time;
    }
    return status;
}
