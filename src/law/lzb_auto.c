/* The default scheme of the LZB law: extrapolated leapfrog with error control and events.
 *
 * Each step is taken with 1, 2, 3, ... leapfrog substeps; the results have an expansion in even
 * powers of the substep, which is extrapolated to substep 0 (Aitken-Neville). The last two
 * columns give the error, the cost per unit of time chooses order and length (Gragg, Bulirsch,
 * Stoer; control after Deuflhard and Hairer). There is nothing to tabulate, one force kernel, and
 * any order up to 2 * LZB_ROWS.
 */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law/lzb_events.h"

/* The error allowed in one step, as a part of the tolerance asked for. */
static const double STEP_SHARE = 2e-4;
/* No step is asked to be better than this: rounding. */
static const double FINEST = 2e-14;
/* Contacts slower than this part of the tolerance are left alone while others are at work. */
static const double QUIET_SHARE = 0.3;
/* Forces below this part of a step's error may be cut off at the front of the wave. */
static const double FAINT_SHARE = 1e-4;
/* Nothing is followed further down than this. */
static const double FAINTEST = 1e-17;
/* A step with less than this part of the error allowed needs no more rows, whatever was planned. */
static const double EASILY = 0.1;
/* The largest relative correction for the sake of energy, in units of a step's tolerance. */
static const double CORRECTION = 100;
/* The widest halo of quiet contacts around the working ones is all of them; it starts at a few. */
enum { FIRST_ORDER = 4, MOST_LOCATIONS = 60 };

typedef struct stepper {
    lzb_state *state;
    lzb_window *window;
    double tolerance; /* for one step */
    double length;    /* to be tried next */
    unsigned rows;    /* to be aimed at */
    bool rejected;    /* the last try was */

    /* Of the step just tried: */
    unsigned rows_used;
    double error;      /* difference of the last two columns, in units of the tolerance */
    double error_late; /* of an event that could not be met any closer, likewise */
    double next_length[LZB_ROWS + 1];
    double work[LZB_ROWS + 1];
    uint64_t evaluations;
    double energy_debt; /* gained by the steps so far, not yet made up for */
} stepper;

static double cost_of_rows(unsigned rows)
{
    return 0.5 * rows * (rows + 1); /* 1 + 2 + ... force evaluations */
}

/* ---- One step by extrapolation -------------------------------------------------------------- */

static void combine(double *restrict lower, const double *restrict upper, double factor,
                    size_t count)
{
    for (size_t i = 0; i < count; i++) {
        lower[i] = upper[i] + (upper[i] - lower[i]) * factor;
    }
}

/* Row `row` has just been filled with `row + 1` substeps; afterwards row 0 holds the result of the
 * highest order and row 1 the next lower.
 */
static void extrapolate(lzb_window *w, unsigned row)
{
    for (unsigned j = row; j > 0; j--) {
        double ratio = (double)(row + 1) / (double)j;
        double factor = 1.0 / (ratio * ratio - 1.0);
        double *lower = w->tableau + (size_t)(3 * (j - 1)) * w->room;
        const double *upper = w->tableau + (size_t)(3 * j) * w->room;
        for (unsigned part = 0; part < 3; part++) {
            combine(lower + part * w->room, upper + part * w->room, factor, w->count);
        }
    }
}

/* Largest difference of the last two columns, indentations by x_scale and speeds by `speed`. */
static double measure_error(const lzb_state *state, const lzb_window *w, double tolerance)
{
    const double *x = w->tableau, *c = x + w->room;
    const double *x_lower = w->tableau + 3 * w->room, *c_lower = x_lower + w->room;
    double worst_x = 0, worst_c = 0;
    bool finite = true;
    for (size_t k = 0; k < w->count; k++) {
        double dx = fabs(x[k] - x_lower[k]) / state->x_scale[w->contact[k]];
        double dc = fabs(c[k] - c_lower[k]);
        finite &= dx < INFINITY && dc < INFINITY;
        worst_x = dx > worst_x ? dx : worst_x;
        worst_c = dc > worst_c ? dc : worst_c;
    }
    return finite ? fmax(worst_x, worst_c / state->speed) / tolerance : INFINITY;
}

static crm_status add_row(stepper *s, double length, unsigned row, crm_error *error)
{
    crm_status status = lzb_window_leapfrog(s->state, s->window, length, row + 1, row, error);
    s->evaluations += row + 1;
    if (status != CRM_OK) {
        return status;
    }
    extrapolate(s->window, row);
    if (row > 0) {
        s->error = measure_error(s->state, s->window, s->tolerance);
    }
    s->rows_used = row + 1;
    return CRM_OK;
}

static crm_status take_result(stepper *s, crm_error *error)
{
    lzb_window *w = s->window;
    const double *x = w->tableau, *c = x + w->room, *p = c + w->room;
    memcpy(w->x, x, w->count * sizeof *x);
    memcpy(w->c, c, w->count * sizeof *c);
    memcpy(w->p, p, w->count * sizeof *p);
    s->evaluations++;
    return lzb_window_accelerate(s->state, w, w->x, w->a, error);
}

/* The step again, shorter, for finding events: no more rows than it took before, fewer if they do.
 */
static crm_status repeat(stepper *s, double length, unsigned rows, crm_error *error)
{
    for (unsigned row = 0; row < rows && (row < 2 || s->error > EASILY); row++) {
        crm_status status = add_row(s, length, row, error);
        if (status != CRM_OK) {
            return status;
        }
    }
    return take_result(s, error);
}

static void plan_from_row(stepper *s, double length)
{
    unsigned k = s->rows_used;
    double grow = s->error > 0 ? 0.94 * pow(0.65 / s->error, 1.0 / (2.0 * k - 1.0)) : 8.0;
    grow = s->error < INFINITY ? fmin(fmax(grow, 0.02), 8.0) : 0.05;
    s->next_length[k] = length * grow;
    s->work[k] = cost_of_rows(k) / s->next_length[k];
}

/* Is there no hope that the remaining rows bring the error down? (Hairer, Norsett, Wanner, II.9) */
static bool hopeless(const stepper *s, unsigned k)
{
    double ratio = k + 1 == s->rows ? (k + 1.0) * (k + 2.0) : k == s->rows ? k + 1.0 : 1.0;
    return !(s->error <= ratio * ratio);
}

/* Try a step; *accepted says whether its error is within the tolerance. */
static crm_status attempt(stepper *s, double length, bool *accepted, crm_error *error)
{
    *accepted = false;
    unsigned most = s->rows < LZB_ROWS ? s->rows + 1 : LZB_ROWS;
    for (unsigned row = 0; row < most; row++) {
        crm_status status = add_row(s, length, row, error);
        if (status != CRM_OK) {
            return status;
        }
        unsigned k = row + 1;
        if (k < 2) {
            continue;
        }
        plan_from_row(s, length);
        if (s->error <= (k + 1 >= s->rows ? 1 : EASILY)) {
            *accepted = true;
            break;
        }
        if (k + 1 >= s->rows && hopeless(s, k)) {
            break;
        }
    }
    return take_result(s, error);
}

/* ---- Order and length of the next step ------------------------------------------------------ */

static void plan_after_rejection(stepper *s)
{
    unsigned k = s->rows_used < s->rows ? s->rows_used : s->rows;
    if (k > 2 && s->work[k - 1] < 0.8 * s->work[k]) {
        k--;
    }
    s->rows = k;
    s->length = s->next_length[k];
    s->rejected = true;
}

static void plan_after_acceptance(stepper *s)
{
    unsigned used = s->rows_used, best;
    if (used <= 2) {
        best = 3;
    } else if (used <= s->rows) {
        best = s->work[used - 1] < 0.8 * s->work[used]   ? used - 1
               : s->work[used] < 0.9 * s->work[used - 1] ? used + 1
                                                         : used;
    } else {
        best = used - 1;
        if (used > 3 && s->work[used - 2] < 0.8 * s->work[used - 1]) {
            best = used - 2;
        }
        if (s->work[used] < 0.9 * s->work[best]) {
            best = used;
        }
    }
    best = best < 2 ? 2 : best >= LZB_ROWS ? LZB_ROWS - 1 : best;
    double length = best <= used ? s->next_length[best]
                                 : s->next_length[used] * cost_of_rows(best) / cost_of_rows(used);
    if (s->rejected) { /* after a rejection neither may grow */
        best = best < used ? best : used;
        length = fmin(length, s->next_length[used]);
    }
    s->rows = best;
    s->length = length;
    s->rejected = false;
}

/* ---- Landing on events ---------------------------------------------------------------------- */

/* The step of this length passed an event by too much. Find the length that ends at the event:
 * Newton's method from either side, kept between a length known to be early and one known to be
 * late. Any length that is not late is a valid step, so stopping before the event is reached is
 * only slower.
 */
static crm_status land_on_event(stepper *s, double *length, lzb_lateness late, crm_error *error)
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
        crm_status status = repeat(s, guess, rows, error);
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
            return CRM_OK; /* there, or so far from it that another step is the better approach */
        }
        guess += ahead;
    }
    if (last_is_late && early > 0) {
        *length = early;
        return repeat(s, early, rows, error);
    }
    s->error_late = last_is_late ? late.worst : 0; /* cannot be had better: say so */
    return CRM_OK;
}

/* ---- Energy --------------------------------------------------------------------------------- */

/* By the law itself, kinetic energy plus stored energy (of which expansion gives back only the
 * part e^2) does not change in a step. The residual of the step just made:
 * T1 - T0 = -sum p (c0 + c1)/2 exactly, as c1 = c0 - D p.
 */
static double energy_residual(const lzb_window *w)
{
    double residual = 0;
    for (size_t k = 0; k < w->count; k++) {
        double given_back = w->rate[k] > 0 ? 1.0 / w->rate[k] : 0;
        residual += given_back * (lzb_energy(w->stiffness[k], w->exponent[k], w->x[k]) -
                                  lzb_energy(w->stiffness[k], w->exponent[k], w->x0[k])) -
                    0.5 * w->p[k] * (w->c0[k] + w->c[k]);
    }
    return residual;
}

/* Project the step onto the energy it must have, moving speeds (through impulses of the contacts
 * that pressed) and indentations as little as possible, each on its own scale, and by no more than
 * a small part of themselves (so that a weak contact never pays for a strong one's error); what
 * is left over is made up for in later steps. What is gained is
 * that the account closes to rounding, and that a single contact gives back exactly e.
 */
static crm_status conserve_energy(stepper *s, crm_error *error)
{
    const lzb_state *state = s->state;
    lzb_window *w = s->window;
    double *p = w->force, *x = w->correction;
    double norm = 0;
    s->energy_debt += energy_residual(w);
    for (size_t k = 0; k < w->count; k++) {
        size_t j = w->contact[k];
        double d = state->model->d_diagonal[j];
        double scale = state->x_scale[j] / state->speed;
        double force = lzb_force(w->stiffness[k], w->exponent[k], w->x[k]);
        bool pressed = w->rate[k] > 0 && (w->x0[k] > 0 || w->x[k] > 0);
        p[k] = pressed ? w->c[k] / d : 0;
        x[k] = pressed ? -force / w->rate[k] * d * scale * scale : 0;
        norm += p[k] * w->c[k] - (pressed ? x[k] * force / w->rate[k] : 0);
    }
    double share = norm > 0 ? s->energy_debt / norm : 0;
    share = fmax(-CORRECTION * s->tolerance, fmin(CORRECTION * s->tolerance, share));
    s->energy_debt -= share * norm;
    for (size_t k = 0; k < w->count; k++) {
        w->x[k] += share * x[k];
    }
    return lzb_window_kick(state, w, share, p, w->c, w->p, error);
}

/* ---- The course of the impact --------------------------------------------------------------- */

/* One accepted step from the window's state. *length: what was made of it. */
static crm_status advance(stepper *s, double longest, double *length, crm_error *error)
{
    double shortest = 1e-14 * (s->state->time + s->length);
    for (;;) {
        double planned = s->length;
        *length = fmin(planned, longest);
        bool accepted;
        crm_status status = attempt(s, *length, &accepted, error);
        if (status != CRM_OK) {
            return status;
        }
        if (lzb_window_too_narrow(s->state, s->window)) {
            s->window->halo *= 2;
            status = lzb_window_build(s->state, s->window, error);
            if (status != CRM_OK) {
                return status;
            }
            continue;
        }
        lzb_lateness late = lzb_events_examine(s->state, s->window, *length, s->tolerance);
        if (accepted && !late.bracketed && *length > shortest) {
            s->length = 0.5 * *length; /* several events of one contact: look closer */
            s->rejected = true;
            continue;
        }
        if (!accepted && *length > shortest) {
            double to_event = late.place != SIZE_MAX && late.bracketed ? late.earliest : 0;
            plan_after_rejection(s);
            if (to_event > s->length && to_event < 0.95 * *length) {
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
            s->length = planned; /* an event or a sampling time cut it: nothing was learnt */
        } else {
            plan_after_acceptance(s);
        }
        return CRM_OK;
    }
}

/* A contact closing at speed c alone is held for about x_scale/speed (c/speed)^{(1-eta)/(1+eta)}.
 */
static double first_length(const lzb_state *state, const lzb_window *w)
{
    double shortest = INFINITY;
    for (size_t k = 0; k < w->working_count; k++) {
        size_t j = w->working[k];
        shortest = fmin(shortest, state->x_scale[j] / state->speed);
    }
    return 1e-2 * shortest;
}

/* No contact is at work above the quiet level. Is the impact over, can what is left be closed, or
 * must it be followed further down?
 */
static crm_status settle_down(stepper *s, double limit, bool *over, crm_outcome *outcome,
                              crm_error *error)
{
    *over = true;
    for (size_t j = 0; j < s->state->contacts && *over; j++) {
        *over = !(s->state->c[j] > 0) && !(s->state->x[j] > 0);
    }
    if (*over) {
        return CRM_OK;
    }
    crm_status status =
        lzb_close_tail(s->state, limit, &outcome->tail_closed, &outcome->tail_speed, error);
    *over = outcome->tail_closed || s->window->quiet < FAINTEST;
    lzb_window_look_closer(s->window, 0.1 * s->window->quiet);
    return status;
}

/* Some systems go on for ever on a scale just above the tolerance (contacts of exponent below 1
 * are stiff without bound at small indentations). After many steps the tail may be closed at a
 * price, which is then part of the error estimate; the price rises fourfold whenever the number
 * of steps has doubled.
 */
typedef struct patience {
    double steps;
    double limit;
} patience;

static crm_status lose_patience(stepper *s, patience *p, crm_outcome *outcome, crm_error *error)
{
    if ((double)outcome->steps < p->steps) {
        return CRM_OK;
    }
    p->steps *= 2;
    p->limit *= 4;
    return lzb_close_tail(s->state, p->limit, &outcome->tail_closed, &outcome->tail_speed, error);
}

static void report_unfinished(size_t working, crm_outcome *outcome)
{
    outcome->result = CRM_NOT_TERMINATED;
    snprintf(outcome->reason, sizeof outcome->reason,
             "%zu contact%s still at work after %llu steps; the state reached is given", working,
             working == 1 ? "" : "s", (unsigned long long)outcome->steps);
}

static void finish_step(stepper *s, double length, double *left_behind)
{
    *left_behind += s->error + s->error_late;
    s->error_late = 0;
    size_t changes = lzb_events_settle(s->state, s->window, length, s->tolerance);
    if (changes == 0) { /* shortened for an event that did not come: approach it in strides */
        s->length = fmin(s->length, 8.0 * length);
    }
}

static crm_status run(const lzb_options *options, stepper *s, lzb_history *history,
                      crm_outcome *outcome, crm_error *error)
{
    lzb_state *state = s->state;
    double most_steps =
        isnan(options->max_steps) ? 1e6 + 4e3 * (double)state->contacts : options->max_steps;
    double left_behind = 0;
    patience p = {1e5 + 1e3 * (double)state->contacts, options->tolerance};
    crm_status status = lzb_history_record(history, state, error);
    while (status == CRM_OK) {
        status = lzb_window_build(state, s->window, error);
        if (status == CRM_OK && lzb_events_refine(state, s->window, s->tolerance) > 0) {
            status = lzb_window_build(state, s->window, error);
        }
        if (status == CRM_OK && s->window->working_count == 0) {
            bool over;
            status = settle_down(s, options->tolerance, &over, outcome, error);
            if (over) {
                break;
            }
            continue;
        }
        if (status == CRM_OK) {
            status = lose_patience(s, &p, outcome, error);
            if (outcome->tail_closed) {
                break;
            }
        }
        if (status == CRM_OK && (double)outcome->steps >= most_steps) {
            report_unfinished(s->window->working_count, outcome);
            break;
        }
        if (outcome->steps == 0) {
            s->length = first_length(state, s->window);
        }
        double length = 0;
        if (status == CRM_OK) {
            status = advance(s, history->next - state->time, &length, error);
        }
        if (status == CRM_OK) {
            status = conserve_energy(s, error);
        }
        if (status == CRM_OK) {
            finish_step(s, length, &left_behind);
            outcome->steps++;
            status = lzb_history_record(history, state, error);
        }
    }
    outcome->duration = state->time;
    outcome->evaluations = s->evaluations;
    outcome->error_estimate = left_behind * s->tolerance + outcome->tail_speed +
                              FINEST * sqrt(100.0 + (double)outcome->steps);
    return status;
}

crm_status lzb_solve_auto(const crm_problem *problem, const lzb_options *options,
                          crm_outcome *outcome, crm_error *error)
{
    lzb_state state;
    lzb_window window = {0};
    lzb_history history = {0};
    crm_status status = lzb_state_create(problem, options->stiffness, &state, outcome, error);
    outcome->duration = 0;
    outcome->error_estimate = 0;
    if (status == CRM_OK && state.speed > 0) {
        status = lzb_window_create(&state, QUIET_SHARE * options->tolerance,
                                   FAINT_SHARE * STEP_SHARE * options->tolerance, &window, error);
        if (status == CRM_OK) {
            status = lzb_history_create(problem, &history, error);
        }
        if (status == CRM_OK) {
            stepper s = {.state = &state,
                         .window = &window,
                         .tolerance = fmax(STEP_SHARE * options->tolerance, FINEST),
                         .rows = FIRST_ORDER};
            status = run(options, &s, &history, outcome, error);
        }
        lzb_history_release(&history);
        lzb_window_release(&window);
    }
    lzb_state_release(&state);
    return status;
}
