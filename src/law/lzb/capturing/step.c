#include "law/lzb/capturing/step.h"

#include <string.h>

#include "base/elementary.h"
#include "law/lzb/capturing/kernel/single.h"
#include "law/lzb/capturing/phase_step.h"
#include "law/lzb/extrapolation/span.h"
#include "law/lzb/extrapolation/window/block.h"

/* Substeps of the first row; the second and the third have twice and three times as many. */
enum { SUBSTEPS = 8, ROWS = LZB_SUBSTEPS_ROWS };
/* Substeps of a step without error control; and of one in single precision, beside which the rest
 * of a step would take longer than its substeps. But no more than these for all contacts together:
 * a watcher is asked between steps.
 */
enum { SETTLING = 96, SETTLING_SINGLE = 384 };
static const size_t MOST_SINGLE = 40000000;
/* Fewer contacts at work are better followed from event to event, and so are finer tolerances. */
enum { FEWEST_WORKING = 40 };
static const double FINEST_TOLERANCE = 1e-13;
/* Steps this much shorter than those from event to event do not pay. */
static const double WORTHWHILE_PART = 0.3;
/* Steps from event to event after capturing was given up. */
enum { REST_STEPS = 200 };
/* A contact with a smaller restitution is released so suddenly that its force almost jumps: an
 * event.
 */
static const double LEAST_CAPTURED_RESTITUTION = 0.1;
/* A contact held for this fraction of a step has not opened within it. */
static const double ALL_THE_TIME = 1 - 1e-9;
/* Stands for 1/e^2 where e = 0, should such a contact come into the window. */
static const double PLASTIC_RETURN = 1e30;

/* ---- Contact by contact ---------------------------------------------------------------------- */

/* What is done with the places of a part of the window, and what comes of it. */
typedef struct capturing_tally {
    size_t lossy, nearly_plastic; /* contacts that lose energy; that lose nearly all of it */
    double worst;                 /* error */
    double booked, lost;          /* energy */
    double opened;                /* when the last contact was released */
} capturing_tally;

_Static_assert(sizeof(capturing_tally) <= LZB_TALLY, "a tally has its size");

typedef struct capturing_work {
    capturing_tally (*places)(const struct capturing_work *work, lzb_part part);
    lzb_state *state;
    lzb_window *w;
    double length, share, tolerance;
    bool settling;
} capturing_work;

static void work_part(void *context, lzb_part part, void *found)
{
    const capturing_work *work = context;
    *(capturing_tally *)found = work->places(work, part);
}

static void join_tally(void *total, const void *found)
{
    capturing_tally *all = total;
    const capturing_tally *more = found;
    all->lossy += more->lossy;
    all->nearly_plastic += more->nearly_plastic;
    all->worst = fmax(all->worst, more->worst);
    all->booked += more->booked;
    all->lost += more->lost;
    all->opened = fmax(all->opened, more->opened);
}

static capturing_tally over_all(capturing_work work)
{
    capturing_tally all = {0};
    lzb_partition_do(work.w, work_part, join_tally, &work, &all);
    return all;
}

static capturing_tally count_lossy(const capturing_work *work, lzb_part part)
{
    const lzb_window *w = work->w;
    capturing_tally tally = {0};
    for (size_t k = part.first; k < lzb_part_end(w, part); k++) {
        double e = work->state->model->restitution[w->contact[k]];
        tally.nearly_plastic += e < LEAST_CAPTURED_RESTITUTION;
        tally.lossy += e < 1;
    }
    return tally;
}

static capturing_tally count_losses(const lzb_stepper *s)
{
    return over_all((capturing_work){.places = count_lossy, .state = s->state, .w = s->window});
}

/* Do most contacts of the window lose energy? */
static bool is_lossy(const lzb_stepper *s, const capturing_tally *tally)
{
    return 2 * tally->lossy > s->window->count;
}

static bool is_large(const lzb_stepper *s, size_t fewest)
{
    const lzb_window *w = s->window;
    return w->search.working_count >= fewest && w->coupling.product != LZB_OPERATOR &&
           !w->whole.elastic;
}

bool lzb_capturing_suits(const lzb_stepper *s, size_t fewest)
{
    if (!is_large(s, fewest)) {
        return false;
    }
    capturing_tally tally = count_losses(s);
    return is_lossy(s, &tally);
}

bool lzb_capturing_applies(const lzb_capturing_steps *steps, const lzb_stepper *s)
{
    if (steps->phase_step > 0) {
        return true;
    }
    if (!is_large(s, FEWEST_WORKING) || s->tolerance < FINEST_TOLERANCE ||
        s->steps < steps->again) {
        return false;
    }
    capturing_tally tally = count_losses(s);
    return tally.nearly_plastic == 0 && is_lossy(s, &tally);
}

/* ---- A step ---------------------------------------------------------------------------------- */

static lzb_account account_of(const lzb_state *state, const lzb_window *w)
{
    return lzb_account_of(w, state->stiffness_model == LZB_MONO);
}

/* The same, for making rows. */
static lzb_account account_to_make(const lzb_stepper *s)
{
    lzb_account to = account_of(s->state, s->window);
    double decisive_speed = lzb_span_stake(s->state, s->tolerance);
    to.decisive_energy = 0.5 * decisive_speed * decisive_speed;
    return to;
}

static void make_row(lzb_stepper *s, unsigned row, double length)
{
    unsigned substeps = SUBSTEPS * (row + 1);
    lzb_account to = account_to_make(s);
    lzb_substeps_row(s->window, &to, row, substeps, length, row + 1 == ROWS);
    s->evaluations += substeps;
    lzb_extrapolate(s->window, row, s->state->speed, s->tolerance);
    if (to.mono) {
        lzb_extrapolate_beside(s->window, row, s->tolerance, to.release_depth);
    }
}

/* The release fraction of a contact of mono-stiffness: the part of its deepest indentation at which
 * it is released; kept because a power is expensive and contacts are mostly alike.
 */
typedef struct fraction_memo {
    double restitution, exponent, part;
} fraction_memo;

static double release_fraction_of(fraction_memo *memo, double restitution, double exponent)
{
    if (memo->restitution != restitution || memo->exponent != exponent) {
        *memo = (fraction_memo){restitution, exponent,
                                1 - lzb_contact_given_back(restitution, exponent)};
    }
    return memo->part;
}

/* 1/e^2; contacts of mono-stiffness come back as they went, and are released early. */
static double way_back(double e)
{
    return e > 0 ? fmin(1.0 / (e * e), PLASTIC_RETURN) : PLASTIC_RETURN;
}

static capturing_tally begin(const capturing_work *work, lzb_part part)
{
    const lzb_window *w = work->w;
    const lzb_state *state = work->state;
    lzb_account to = account_of(state, w);
    double *const kept[] = {to.held,    to.peak,    to.released,         to.turns,
                            to.counted, to.returns, to.release_fraction, to.start,
                            to.margin};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        memset(kept[i] + part.first, 0, part.blocks * LZB_BLOCK * sizeof *kept[i]);
    }
    fraction_memo memo = {0};
    for (size_t k = part.first; k < lzb_part_end(w, part); k++) {
        uint32_t j = w->contact[k];
        double e = state->model->restitution[j];
        to.peak[k] = state->peak[j];
        to.counted[k] = LZB_COUNTED_INDENTATION * state->x_scale[j];
        to.returns[k] = to.mono ? 1 : way_back(e);
        to.release_fraction[k] = to.mono ? release_fraction_of(&memo, e, w->fixed.exponent[k]) : 0;
        to.start[k] = state->x_open[j];
    }
    return (capturing_tally){0};
}

/* Extrapolation may leave an impulse or an indentation of 0 a little below. */
static capturing_tally take_places(const capturing_work *work, lzb_part part)
{
    lzb_window *w = work->w;
    size_t width = w->blocks * LZB_BLOCK, size = part.blocks * LZB_BLOCK * sizeof *w->trial.x;
    const double *x = lzb_window_row(w, 0), *p = x + 2 * width;
    capturing_tally tally = {0};
    memset(w->trial.p + part.first, 0, size);
    memcpy(w->trial.c + part.first, w->trial.c0 + part.first, size);
    for (size_t k = part.first; k < lzb_part_end(w, part); k++) {
        w->trial.x[k] = fmax(x[k], 0);
        w->tableau.force[k] = fmax(p[k], 0);
        tally.worst =
            w->trial.error[k] < INFINITY ? fmax(tally.worst, w->trial.error[k]) : INFINITY;
    }
    return tally;
}

/* Closing speeds follow from the impulses, so that the two never drift apart. */
static crm_status take_result(lzb_stepper *s, double length, double *worst, crm_error *error)
{
    lzb_window *w = s->window;
    *worst = over_all((capturing_work){.places = take_places, .w = w}).worst;
    crm_status status =
        lzb_dynamics_kick(s->state, w, 1.0, w->tableau.force, w->trial.c, w->trial.p, error);
    return status == CRM_OK ? lzb_dynamics_accelerate(s->state, w, w->trial.x, length, w->trial.f,
                                                      w->trial.a, error)
                            : status;
}

/* The whole step; its error in units of the tolerance. */
static crm_status attempt(lzb_stepper *s, double length, double *worst, crm_error *error)
{
    over_all((capturing_work){.places = begin, .state = s->state, .w = s->window});
    for (unsigned row = 0; row < ROWS; row++) {
        make_row(s, row, length);
    }
    return take_result(s, length, worst, error);
}

/* ---- Booking -------------------------------------------------------------------------------- */

static lzb_mode mode_after(double e, double x, double c)
{
    if (x > 0) {
        return c > 0 || e == 1 ? LZB_COMPRESSING : LZB_EXPANDING;
    }
    return c < 0 ? LZB_OPEN : LZB_COMPRESSING;
}

/* The part of what was set free in expansion that is lost; with mono-stiffness the loss itself is
 * booked.
 */
static double lost_part(const lzb_account *to, double e)
{
    return to->mono ? 1 : 1.0 - e * e;
}

static capturing_tally add_up_losses(const capturing_work *work, lzb_part part)
{
    const lzb_window *w = work->w;
    lzb_account to = account_of(work->state, w);
    capturing_tally tally = {0};
    for (size_t k = part.first; k < lzb_part_end(w, part); k++) {
        double e = work->state->model->restitution[w->contact[k]];
        tally.booked += lost_part(&to, e) * to.released[k];
        tally.lost += 0.5 * w->trial.p[k] * (w->trial.c0[k] + w->trial.c[k]) -
                      (lzb_window_energy_after(w, k) - lzb_window_energy_before(w, k));
    }
    return tally;
}

/* The energy that went into the contacts and is not stored is lost: the account of the finest row
 * says in which contacts; how much in all is known exactly, T1 - T0 being -sum p (c0 + c1)/2.
 */
static double share_of_loss(const capturing_tally *found, double *debt)
{
    double share = found->booked > 0 ? found->lost / found->booked : 1;
    if (share > 0.5 && share < 2) {
        return share;
    }
    *debt += found->booked - found->lost;
    return 1;
}

static void book_margin(lzb_state *state, const lzb_account *to, size_t k, size_t j)
{
    double margin = to->margin[k] / state->x_scale[j], *least = &state->margin[j];
    if (margin > 0) {
        *least = *least > 0 ? fmin(*least, margin) : margin;
    }
}

/* The phase of a contact of mono-stiffness; on the way out x is measured from its release depth, at
 * which it opens.
 */
static void book_release_depth(lzb_state *state, const lzb_account *to, size_t k, size_t j,
                               double c)
{
    double depth = state->x[j], release_depth = to->out[k] > 0 ? to->release_depth[k] : 0;
    if (depth > release_depth) {
        state->x_open[j] = release_depth;
        state->x[j] = depth - release_depth;
        state->mode[j] = release_depth > 0 ? LZB_EXPANDING : LZB_COMPRESSING;
        return;
    }
    const crm_model *model = state->model;
    state->loss[j] += lzb_contact_energy(model->stiffness[j], model->exponent[j], depth);
    state->x[j] = state->x_open[j] = 0;
    state->mode[j] = (uint8_t)mode_after(0, 0, c);
}

/* How often a contact that was held all the time has been pressed again: each time between two ends
 * of compressions, and before the first if it was on the way out.
 */
static uint32_t times_pressed_again(double turns, lzb_mode before, lzb_mode after)
{
    double times = turns + (before == LZB_EXPANDING) - (after == LZB_EXPANDING);
    return times > 0 ? (uint32_t)times : 0;
}

static capturing_tally book_places(const capturing_work *work, lzb_part part)
{
    lzb_state *state = work->state;
    lzb_window *w = work->w;
    lzb_account to = account_of(state, w);
    capturing_tally tally = {0};
    for (size_t k = part.first; k < lzb_part_end(w, part); k++) {
        size_t j = w->contact[k];
        double e = state->model->restitution[j];
        state->loss[j] += work->share * lost_part(&to, e) * to.released[k];
        state->contact_time[j] += to.held[k];
        state->peak[j] = to.peak[k];
        state->compressions[j] += (uint32_t)to.turns[k];
        state->x[j] = w->trial.x[k];
        lzb_state_add_impulse(state, j, w->trial.p[k]);
        state->step_error[j] += w->trial.error[k] * work->tolerance;
        lzb_mode before = (lzb_mode)state->mode[j],
                 after = mode_after(e, w->trial.x[k], w->trial.c[k]);
        if (!work->settling && to.held[k] > ALL_THE_TIME * work->length) {
            state->recompressions[j] += times_pressed_again(to.turns[k], before, after);
        }
        state->mode[j] = (uint8_t)after;
        state->x_open[j] = 0;
        if (to.mono) {
            book_margin(state, &to, k, j);
        }
        if (to.mono && w->trial.x[k] > 0) {
            book_release_depth(state, &to, k, j, w->trial.c[k]);
        }
        if (!(w->trial.x[k] > 0) && to.held[k] > 0) {
            tally.opened = state->time + work->length;
        }
        w->members.committed[k] = true;
    }
    return tally;
}

static void book(lzb_stepper *s, double length, bool settling)
{
    capturing_work work = {.places = add_up_losses,
                           .state = s->state,
                           .w = s->window,
                           .length = length,
                           .tolerance = s->tolerance,
                           .settling = settling};
    capturing_tally found = over_all(work);
    work.share = share_of_loss(&found, &s->energy_debt);
    work.places = book_places;
    s->state->opened = fmax(s->state->opened, over_all(work).opened);
    s->window->members.any_committed = true;
}

/* ---- The step ------------------------------------------------------------------------------- */

/* Open contacts may close within the step, so they count as pressing. */
static crm_status widen(lzb_stepper *s, uint32_t times, crm_error *error)
{
    lzb_window_widen(s->window, s->window->search.lookahead * times);
    lzb_window_include_open(s->window, true);
    return lzb_step_build(s, error);
}

static crm_status give_up(lzb_capturing_steps *steps, lzb_stepper *s, crm_error *error)
{
    steps->again = s->steps + REST_STEPS;
    steps->length = 0;
    lzb_window_include_open(s->window, false);
    return lzb_step_build(s, error);
}

/* By how much the next step may be longer: the error goes with the fourth power of the length. */
static double growth(double worst)
{
    const double caution = 0.9, least_error = 1e-8, least = 0.1, most = 1.5;
    double grow = worst < INFINITY ? caution * crm_pow(fmax(worst, least_error), -0.25) : least;
    return fmin(fmax(grow, least), most);
}

/* ---- Without error control ------------------------------------------------------------------ */

/* Has a wave passed where the window was cut, within the step? Impulses that make no speed that
 * counts may.
 */
static bool has_passed_edge(const lzb_stepper *s)
{
    const lzb_window *w = s->window;
    double most = w->search.ignored_speed * s->state->speed;
    for (size_t k = 0; w->members.edged && k < w->count; k++) {
        if (w->members.edge[k] && w->trial.p[k] * w->fixed.own[k] > most) {
            return true;
        }
    }
    return false;
}

/* The substeps of a step, from the window's state into row 0 of the tableau; returns its length. */
static double make_settling(const lzb_capturing_steps *steps, lzb_stepper *s, double longest)
{
    lzb_window *w = s->window;
    lzb_account to = account_of(s->state, w);
    to.decisive_energy = INFINITY; /* the margins of decisions do not matter: settle.h */
    bool single = lzb_single_suits(w);
    unsigned substeps =
        single && w->count * SETTLING_SINGLE <= MOST_SINGLE ? SETTLING_SINGLE : SETTLING;
    double amplitude = lzb_phase_step_amplitude(s);
    double length = fmin(substeps * lzb_phase_step_time(steps, s, single, amplitude), longest);
    if (single) {
        double speed = s->state->speed;
        lzb_single_substeps(w, &to, substeps, length, amplitude * speed, speed);
    } else {
        lzb_substeps_row(w, &to, 0, substeps, length, true);
    }
    s->evaluations += substeps;
    return length;
}

static crm_status settle(const lzb_capturing_steps *steps, lzb_stepper *s, double longest,
                         double *length, crm_error *error)
{
    crm_status status = s->window->search.with_open ? CRM_OK : widen(s, 1, error);
    bool wide = false;
    while (status == CRM_OK && !wide) {
        lzb_window *w = s->window;
        over_all((capturing_work){.places = begin, .state = s->state, .w = w});
        *length = make_settling(steps, s, longest);
        memset(w->trial.error, 0, w->blocks * LZB_BLOCK * sizeof *w->trial.error);
        double worst;
        status = take_result(s, *length, &worst, error);
        wide = !lzb_window_too_narrow(w) && !has_passed_edge(s);
        if (status == CRM_OK && !wide) {
            status = widen(s, 2, error);
        }
    }
    if (status == CRM_OK) {
        book(s, *length, true);
    }
    return status;
}

crm_status lzb_capturing_advance(lzb_capturing_steps *steps, lzb_stepper *s, double longest,
                                 double *length, bool *done, crm_error *error)
{
    const double shorter = 0.9; /* after a step that was not accepted, at least */
    *done = steps->phase_step > 0;
    if (*done) {
        return settle(steps, s, longest, length, error);
    }
    if (!(steps->length > 0)) {
        steps->length = steps->rival = s->length;
    }
    crm_status status = s->window->search.with_open ? CRM_OK : widen(s, 1, error);
    while (status == CRM_OK) {
        if (steps->length < WORTHWHILE_PART * steps->rival) {
            return give_up(steps, s, error);
        }
        double planned = steps->length, worst = INFINITY;
        *length = fmin(planned, longest);
        status = attempt(s, *length, &worst, error);
        if (status == CRM_OK && lzb_window_too_narrow(s->window)) {
            status = widen(s, 2, error);
            continue;
        }
        if (status == CRM_OK && worst <= 1) {
            steps->length = *length < planned ? planned : planned * growth(worst);
            s->length = fmax(s->length, 0.5 * *length);
            book(s, *length, false);
            *done = true;
            return CRM_OK;
        }
        steps->length = *length * fmin(growth(worst), shorter);
    }
    return status;
}
