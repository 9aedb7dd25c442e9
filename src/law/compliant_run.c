/* The course of a compliant impact: pieces, events, flights, and what is booked on the way. */
#include <stdio.h>
#include <stdlib.h>

#include "law/compliant.h"

/* As in the LZB law: contacts slower than this part of the tolerance are quiet, nothing is
 * followed further down than FAINTEST, and a compression shallower than COUNTED is not one.
 */
static const double QUIET_SHARE = 0.3;
static const double FAINTEST = 1e-17;
static const double COUNTED = 1e-9;
/* How often a piece without events is asked whether anything is still going on. */
enum { STEPS_BETWEEN_CHECKS = 32 };

typedef struct course {
    const compliant_options *options;
    lzb_state *state;
    compliant_region *region;
    compliant_piece *piece;
    lzb_history *history;
    double quiet;
    double most_steps;
    crm_outcome *outcome;
    bool over;
} course;

/* ---- Is anything going on? ------------------------------------------------------------------ */

/* Closing, near or far, or pressing with energy that could open the contact at sqrt(2 E D). */
static bool at_work(const course *run, size_t j, double x, double c)
{
    const lzb_state *state = run->state;
    const crm_model *model = state->model;
    double level = run->quiet * state->speed;
    return c > level ||
           (model->stiffness[j] * x + run->options->damping * c > 0 &&
            2.0 * lzb_energy(model->stiffness[j], model->exponent[j], x) * model->d_diagonal[j] >
                level * level);
}

static bool all_quiet(const course *run)
{
    for (size_t j = 0; j < run->state->contacts; j++) {
        if (at_work(run, j, run->state->x[j], run->state->c[j])) {
            return false;
        }
    }
    return true;
}

static bool piece_is_quiet(const course *run)
{
    const compliant_piece *piece = run->piece;
    for (size_t k = 0; k < run->region->count; k++) {
        if (at_work(run, run->region->contact[k], piece->now.x[k], piece->now.c[k])) {
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
        double x = state->x[j], c = state->c[j];
        if (c > 0 || (x > 0 && state->model->stiffness[j] * x + run->options->damping * c > 0)) {
            return false;
        }
    }
    return true;
}

/* Nothing is at work above the quiet level. Either it is over, or what is left is small enough to
 * be closed (theory section 2), or it must be followed further down.
 */
static crm_status settle_down(course *run, crm_error *error)
{
    run->over = all_parted(run);
    if (run->over) {
        return CRM_OK;
    }
    crm_status status =
        lzb_close_tail(run->state, run->options->tolerance, &run->outcome->tail_closed,
                       &run->outcome->tail_speed, error);
    run->over = run->outcome->tail_closed || run->quiet < FAINTEST;
    run->quiet *= 0.1;
    return status;
}

static void give_up(course *run, const char *why)
{
    crm_outcome *outcome = run->outcome;
    outcome->result = why == NULL ? CRM_NOT_TERMINATED : CRM_FAILED;
    snprintf(outcome->reason, sizeof outcome->reason,
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
            double x = r->state->x[j], c = r->state->c[j], stiffness = model->stiffness[j];
            r->force[j] = compliant_force_of(compliant_mode_of(stiffness, r->damping, x, c, 0, 0),
                                             stiffness, model->exponent[j], r->damping, x, c)
                              .total;
        }
        corrected.force = r->force;
    }
    return r->to->record(r->to->context, &corrected);
}

/* Put a view of the piece into the state, with the impulses and losses of before the piece. */
static void show(const course *run, const compliant_view *view, double start, const double *p,
                 const double *lost)
{
    lzb_state *state = run->state;
    state->time = start + view->time;
    for (size_t k = 0; k < run->region->count; k++) {
        uint32_t j = run->region->contact[k];
        state->x[j] = view->x[k];
        state->c[j] = view->c[k];
        state->p[j] = p[k] + view->p[k];
        state->loss[j] = lost[k] + view->lost[k];
    }
}

/* The samples due within the last step, then its end. The state is that of the end afterwards. */
static crm_status record_step(const course *run, double start, const double *p, const double *lost,
                              crm_error *error)
{
    compliant_piece *piece = run->piece;
    crm_status status = CRM_OK;
    while (status == CRM_OK && run->history->next < start + piece->now.time) {
        status = compliant_piece_look(piece, run->history->next - start, error);
        if (status == CRM_OK) {
            show(run, &piece->between, start, p, lost);
            run->state->time = run->history->next;
            status = lzb_history_record(run->history, run->state, NULL, 0, error);
        }
    }
    if (status == CRM_OK) {
        show(run, &piece->now, start, p, lost);
        status = lzb_history_record(run->history, run->state, NULL, 0, error);
    }
    return status;
}

/* ---- What is booked at every step ----------------------------------------------------------- */

/* Largest value of the cubic with these ends and slopes (of the unit interval), if it rises at
 * first and falls at last: q'(t) = s0 + b t + a t^2 has one zero then.
 */
static double cubic_peak(double f0, double f1, double s0, double s1)
{
    double highest = fmax(f0, f1), rise = f1 - f0;
    if (!(s0 > 0 && s1 < 0 && isfinite(s0) && isfinite(s1))) {
        return highest;
    }
    double a = 3.0 * (s0 + s1 - 2.0 * rise), b = 6.0 * rise - 4.0 * s0 - 2.0 * s1;
    double t = 2.0 * s0 / (sqrt(b * b - 4.0 * a * s0) - b);
    return fmax(highest, f0 + t * (s0 + t * (b / 2.0 + t * a / 3.0)));
}

static void book_step(const course *run)
{
    const compliant_piece *piece = run->piece;
    const compliant_view *before = &piece->before, *now = &piece->now;
    lzb_state *state = run->state;
    double h = now->time - before->time;
    for (size_t k = 0; k < run->region->count; k++) {
        uint32_t j = run->region->contact[k];
        double deepest = fmax(before->x[k], now->x[k]);
        if (!(before->force[k] > 0) && !(now->force[k] > 0)) {
            continue;
        }
        state->peak[j] = fmax(state->peak[j], cubic_peak(before->force[k], now->force[k],
                                                         h * before->slope[k], h * now->slope[k]));
        state->held[j] += h;
        state->compressions[j] +=
            before->c[k] > 0 && now->c[k] <= 0 && deepest > COUNTED * state->x_scale[j];
    }
}

/* ---- Pieces --------------------------------------------------------------------------------- */

static double time_to_close(const lzb_state *state, size_t j)
{
    return state->x[j] < 0 && state->c[j] > 0 ? -state->x[j] / state->c[j] : INFINITY;
}

/* Contacts outside the region keep their speeds: until the first of them closes. */
static double next_closing_outside(const course *run)
{
    double soonest = INFINITY;
    for (size_t j = 0; j < run->state->contacts; j++) {
        if (run->region->depth[j] == UINT32_MAX) {
            soonest = fmin(soonest, time_to_close(run->state, j));
        }
    }
    return soonest;
}

static void drift_outside(const course *run, double time)
{
    lzb_state *state = run->state;
    for (size_t j = 0; j < state->contacts; j++) {
        if (run->region->depth[j] == UINT32_MAX) {
            state->x[j] += time * state->c[j];
        }
    }
}

static crm_status step_to_event(course *run, double start, const double *p, const double *lost,
                                crm_error *error)
{
    compliant_piece *piece = run->piece;
    const char *trouble = NULL;
    crm_status status = CRM_OK;
    bool event = false;
    while (status == CRM_OK && !event && (double)run->outcome->steps < run->most_steps) {
        status = compliant_piece_step(piece, &event, &trouble, error);
        if (status != CRM_OK || trouble != NULL) {
            break;
        }
        run->outcome->steps++;
        book_step(run);
        if (run->history->recorder != NULL) {
            status = record_step(run, start, p, lost, error);
        }
        if (piece->steps % STEPS_BETWEEN_CHECKS == 0 && piece_is_quiet(run)) {
            break;
        }
    }
    show(run, &piece->now, start, p, lost);
    if (trouble != NULL) {
        give_up(run, trouble);
    }
    return status;
}

/* One smooth piece, from the present state to the next event. */
static crm_status follow_piece(course *run, crm_error *error)
{
    lzb_state *state = run->state;
    compliant_piece *piece = run->piece;
    size_t count = run->region->count;
    double start = state->time;
    double *p = CRM_NEW(double, count), *lost = CRM_NEW(double, count);
    crm_status status = p != NULL && lost != NULL ? CRM_OK : crm_fail_memory(error);
    for (size_t k = 0; status == CRM_OK && k < count; k++) {
        p[k] = state->p[run->region->contact[k]];
        lost[k] = state->loss[run->region->contact[k]];
    }
    if (status == CRM_OK) {
        status = compliant_piece_start(piece, next_closing_outside(run), error);
    }
    if (status == CRM_OK) {
        status = step_to_event(run, start, p, lost, error);
        drift_outside(run, state->time - start);
    }
    compliant_piece_stop(piece);
    free(p);
    free(lost);
    return status;
}

/* ---- Flights -------------------------------------------------------------------------------- */

/* No contact presses: all keep their speeds until the next gap closes. Only the ends of a flight
 * are recorded: it may last a million times as long as the impact, and nothing happens in it.
 */
static crm_status fly(course *run, crm_error *error)
{
    lzb_state *state = run->state;
    double soonest = INFINITY;
    for (size_t j = 0; j < state->contacts; j++) {
        soonest = fmin(soonest, time_to_close(state, j));
    }
    for (size_t j = 0; j < state->contacts && soonest < INFINITY; j++) {
        bool first = time_to_close(state, j) == soonest;
        state->x[j] = first ? 0 : state->x[j] + soonest * state->c[j];
    }
    run->quiet *= soonest < INFINITY ? 1 : 0.1; /* faint indentations alone: closer */
    state->time += soonest < INFINITY ? soonest : 0;
    run->outcome->steps++;
    const crm_recorder *recorder = run->history->recorder;
    if (recorder != NULL && recorder->interval > 0) {
        run->history->next = recorder->interval * (floor(state->time / recorder->interval) + 1.0);
    }
    return lzb_history_record(run->history, state, NULL, 0, error);
}

/* ---- The whole ------------------------------------------------------------------------------ */

static crm_status follow(course *run, crm_error *error)
{
    crm_status status = lzb_history_record(run->history, run->state, NULL, 0, error);
    while (status == CRM_OK && !run->over) {
        if (all_quiet(run)) {
            status = settle_down(run, error);
        } else if ((double)run->outcome->steps >= run->most_steps) {
            give_up(run, NULL);
        } else {
            compliant_region_build(run->state, run->options->damping, run->quiet, run->region);
            status = run->region->count > 0 ? follow_piece(run, error) : fly(run, error);
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
        state->x[j] =
            energy > 0 ? lzb_indentation(model->stiffness[j], model->exponent[j], energy) : 0;
        state->peak[j] = lzb_force(model->stiffness[j], model->exponent[j], state->x[j]);
    }
}

/* Energy still stored when the integration stops is lost to the motion. */
static void close_account(lzb_state *state)
{
    const crm_model *model = state->model;
    for (size_t j = 0; j < state->contacts; j++) {
        state->loss[j] += lzb_energy(model->stiffness[j], model->exponent[j], state->x[j]);
    }
}

static crm_status run_from(const crm_problem *problem, const compliant_options *options,
                           double step_tolerance, lzb_state *state, crm_outcome *outcome,
                           crm_error *error)
{
    compliant_region region = {0};
    compliant_piece piece = {0};
    lzb_history history = {0};
    relay through = {problem->recorder, state, options->damping, CRM_NEW(double, state->contacts)};
    crm_recorder recorder = {.context = &through, .record = pass_on};
    crm_problem relayed = *problem;
    if (problem->recorder != NULL) {
        recorder.interval = problem->recorder->interval;
        relayed.recorder = &recorder;
    }
    crm_status status = through.force != NULL ? CRM_OK : crm_fail_memory(error);
    if (status == CRM_OK) {
        status = compliant_region_create(state->contacts, &region, error);
    }
    if (status == CRM_OK) {
        status =
            compliant_piece_create(state, &region, options->damping, step_tolerance, &piece, error);
    }
    if (status == CRM_OK) {
        status = lzb_history_create(&relayed, &history, error);
    }
    if (status == CRM_OK) {
        course run = {.options = options,
                      .state = state,
                      .region = &region,
                      .piece = &piece,
                      .history = &history,
                      .quiet = QUIET_SHARE * options->tolerance,
                      .most_steps = options->max_steps,
                      .outcome = outcome};
        status = follow(&run, error);
    }
    outcome->evaluations += piece.evaluations;
    compliant_piece_release(&piece);
    compliant_region_release(&region);
    free(through.force);
    return status;
}

/* Are the scales of the impact numbers that can be divided by? */
static bool within_arithmetic(const lzb_state *state, crm_outcome *outcome)
{
    for (size_t j = 0; j < state->contacts; j++) {
        double force =
            lzb_force(state->model->stiffness[j], state->model->exponent[j], state->x_scale[j]);
        if (!isnormal(state->x_scale[j]) || !isnormal(force)) {
            outcome->result = CRM_FAILED;
            snprintf(outcome->reason, sizeof outcome->reason,
                     "compliant: the speed %g is too %s for the arithmetic at contact %zu",
                     state->speed, state->speed > 1 ? "large" : "small", j + 1);
            return false;
        }
    }
    return true;
}

crm_status compliant_run(const crm_problem *problem, const compliant_options *options,
                         double step_tolerance, crm_outcome *outcome, double *speed,
                         crm_error *error)
{
    lzb_state state;
    crm_status status = lzb_state_create(problem, LZB_BI, &state, outcome, error);
    if (status == CRM_OK) {
        take_stored(&state);
        *speed = state.speed;
        if (state.speed > 0 && within_arithmetic(&state, outcome)) {
            status = run_from(problem, options, step_tolerance, &state, outcome, error);
        }
        close_account(&state);
        outcome->duration = state.time;
    }
    return status;
}
