#include "law/lzb/course/sweep.h"

#include <string.h>

#include "base/elementary.h"
#include "law/lzb/kernel/glide.h"
#include "law/lzb/step/span.h"
#include "law/lzb/window/block.h"

/* Substeps of the first row; the second and the third have twice and three times as many. */
enum { SUBSTEPS = 8, SWEEP_ROWS = LZB_KINKS_ROWS };
/* Substeps of a step without error control; and of one in single precision, beside which the rest
 * of a step would take longer than its substeps. But no more than these for all contacts together:
 * whoever watches is asked between steps.
 */
enum { COASTED = 96, GLIDED = 384 };
static const size_t MOST_GLIDED = 40000000;
/* Fewer contacts at work are better followed from event to event, and so are finer tolerances. */
enum { FEWEST_WORKING = 40 };
static const double FINEST_SWEPT = 1e-13;
/* A sweep this much shorter than the steps from event to event is not worth it. */
static const double WORTHWHILE_PART = 0.3;
/* After giving up, so many steps from event to event. */
enum { REST_STEPS = 200 };
/* A contact that gives back less lets go so suddenly that its force as good as jumps: an event. */
static const double LEAST_RESTITUTION = 0.1;
/* A contact that gives back less than that is as good as rigid when it expands: its force is gone
 * within a substep, and no shorter ones are made for it.
 */
static const double MOST_RETURN = 100;
/* Of a step: a contact held for that part has not opened within it. */
static const double ALL_THE_TIME = 1 - 1e-9;
/* Stands for 1/e^2 where e = 0, should such a contact be drawn into the window. */
static const double PLASTIC_RETURN = 1e30;

/* ---- Places by places ------------------------------------------------------------------------ */

/* What is done with the places of a part of the window, and what comes of it. */
typedef struct sweep_tally {
    size_t lossy, hopeless; /* contacts that lose energy; that lose nearly all of it */
    double worst;           /* error */
    double booked, lost;    /* energy */
    double opened;          /* when the last contact let go */
} sweep_tally;

_Static_assert(sizeof(sweep_tally) <= LZB_TALLY, "a tally has its size");

typedef struct sweep_work {
    sweep_tally (*places)(const struct sweep_work *work, lzb_part part);
    lzb_state *state;
    lzb_window *w;
    double length, share, tolerance;
    bool coasting;
} sweep_work;

static void work_part(void *context, lzb_part part, void *found)
{
    const sweep_work *work = context;
    *(sweep_tally *)found = work->places(work, part);
}

static void join_tally(void *total, const void *found)
{
    sweep_tally *all = total;
    const sweep_tally *more = found;
    all->lossy += more->lossy;
    all->hopeless += more->hopeless;
    all->worst = fmax(all->worst, more->worst);
    all->booked += more->booked;
    all->lost += more->lost;
    all->opened = fmax(all->opened, more->opened);
}

static sweep_tally over_all(sweep_work work)
{
    sweep_tally all = {0};
    lzb_partition_do(work.w, work_part, join_tally, &work, &all);
    return all;
}

static sweep_tally count_lossy(const sweep_work *work, lzb_part part)
{
    const lzb_window *w = work->w;
    sweep_tally tally = {0};
    for (size_t k = part.first; k < lzb_part_end(w, part); k++) {
        double e = work->state->model->restitution[w->contact[k]];
        tally.hopeless += e < LEAST_RESTITUTION;
        tally.lossy += e < 1;
    }
    return tally;
}

static sweep_tally count_losses(const lzb_stepper *s)
{
    return over_all((sweep_work){.places = count_lossy, .state = s->state, .w = s->window});
}

/* Do most contacts of the window lose energy? */
static bool is_lossy(const lzb_stepper *s, const sweep_tally *tally)
{
    return 2 * tally->lossy > s->window->count;
}

static bool is_large(const lzb_stepper *s, size_t fewest)
{
    const lzb_window *w = s->window;
    return w->search.working_count >= fewest && w->coupling.product != LZB_OPERATOR &&
           !w->whole.elastic;
}

bool lzb_sweep_suits(const lzb_stepper *s, size_t fewest)
{
    if (!is_large(s, fewest)) {
        return false;
    }
    sweep_tally tally = count_losses(s);
    return is_lossy(s, &tally);
}

bool lzb_sweep_applies(const lzb_sweep *sweep, const lzb_stepper *s)
{
    if (sweep->stride > 0) {
        return true;
    }
    if (!is_large(s, FEWEST_WORKING) || s->tolerance < FINEST_SWEPT || s->steps < sweep->again) {
        return false;
    }
    sweep_tally tally = count_losses(s);
    return tally.hopeless == 0 && is_lossy(s, &tally);
}

/* ---- A step ---------------------------------------------------------------------------------- */

static lzb_kinks kinks_of(const lzb_state *state, const lzb_window *w)
{
    return lzb_kinks_of(w, state->stiffness == LZB_MONO);
}

/* The same, for making rows. */
static lzb_kinks kinks_to_make(const lzb_stepper *s)
{
    lzb_kinks to = kinks_of(s->state, s->window);
    double stake = lzb_span_stake(s->state, s->tolerance);
    to.at_stake = 0.5 * stake * stake;
    return to;
}

static void make_row(lzb_stepper *s, unsigned row, double length)
{
    unsigned substeps = SUBSTEPS * (row + 1);
    lzb_kinks to = kinks_to_make(s);
    lzb_kinks_row(s->window, &to, row, substeps, length, row + 1 == SWEEP_ROWS);
    s->evaluations += substeps;
    lzb_extrapolate(s->window, row, s->state->speed, s->tolerance);
    if (to.jumping) {
        lzb_extrapolate_beside(s->window, row, s->tolerance, to.brink);
    }
}

/* The part of its deepest indentation at which a contact of mono-stiffness lets go; kept because a
 * power is dear and contacts are mostly the same.
 */
typedef struct brink_memo {
    double restitution, exponent, part;
} brink_memo;

static double brink_of(brink_memo *memo, double restitution, double exponent)
{
    if (memo->restitution != restitution || memo->exponent != exponent) {
        *memo =
            (brink_memo){restitution, exponent, 1 - lzb_contact_given_back(restitution, exponent)};
    }
    return memo->part;
}

/* 1/e^2; contacts of mono-stiffness come back as they went, and let go early. */
static double way_back(double e)
{
    return e > 0 ? fmin(1.0 / (e * e), PLASTIC_RETURN) : PLASTIC_RETURN;
}

static sweep_tally begin(const sweep_work *work, lzb_part part)
{
    const lzb_window *w = work->w;
    const lzb_state *state = work->state;
    lzb_kinks to = kinks_of(state, w);
    double *const kept[] = {to.held,    to.peak,    to.released, to.turns, to.counted,
                            to.returns, to.lets_go, to.start,    to.margin};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        memset(kept[i] + part.first, 0, part.blocks * LZB_BLOCK * sizeof *kept[i]);
    }
    brink_memo memo = {0};
    for (size_t k = part.first; k < lzb_part_end(w, part); k++) {
        uint32_t j = w->contact[k];
        double e = state->model->restitution[j];
        to.peak[k] = state->peak[j];
        to.counted[k] = LZB_COUNTED_INDENTATION * state->x_scale[j];
        to.returns[k] = to.jumping ? 1 : way_back(e);
        to.lets_go[k] = to.jumping ? brink_of(&memo, e, w->fixed.exponent[k]) : 0;
        to.start[k] = state->x_open[j];
    }
    return (sweep_tally){0};
}

/* Extrapolation may leave an impulse or an indentation of 0 a little below. */
static sweep_tally take_places(const sweep_work *work, lzb_part part)
{
    lzb_window *w = work->w;
    size_t width = w->blocks * LZB_BLOCK, size = part.blocks * LZB_BLOCK * sizeof *w->trial.x;
    const double *x = lzb_window_row(w, 0), *p = x + 2 * width;
    sweep_tally tally = {0};
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
    *worst = over_all((sweep_work){.places = take_places, .w = w}).worst;
    crm_status status =
        lzb_dynamics_kick(s->state, w, 1.0, w->tableau.force, w->trial.c, w->trial.p, error);
    return status == CRM_OK ? lzb_dynamics_accelerate(s->state, w, w->trial.x, length, w->trial.f,
                                                      w->trial.a, error)
                            : status;
}

/* The whole step; its error in units of the tolerance. */
static crm_status attempt(lzb_stepper *s, double length, double *worst, crm_error *error)
{
    over_all((sweep_work){.places = begin, .state = s->state, .w = s->window});
    for (unsigned row = 0; row < SWEEP_ROWS; row++) {
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

/* The part of what was set free in expansion that is lost; jumps say themselves what they lose. */
static double lost_part(const lzb_kinks *to, double e)
{
    return to->jumping ? 1 : 1.0 - e * e;
}

static sweep_tally add_up_losses(const sweep_work *work, lzb_part part)
{
    const lzb_window *w = work->w;
    lzb_kinks to = kinks_of(work->state, w);
    sweep_tally tally = {0};
    for (size_t k = part.first; k < lzb_part_end(w, part); k++) {
        double e = work->state->model->restitution[w->contact[k]];
        tally.booked += lost_part(&to, e) * to.released[k];
        tally.lost += 0.5 * w->trial.p[k] * (w->trial.c0[k] + w->trial.c[k]) -
                      (lzb_window_energy_after(w, k) - lzb_window_energy_before(w, k));
    }
    return tally;
}

/* The energy that went into the contacts and is not stored is lost: to whom, the account of the
 * finest row says; how much in all is known exactly, T1 - T0 being -sum p (c0 + c1)/2.
 */
static double share_of_loss(const sweep_tally *found, double *debt)
{
    double share = found->booked > 0 ? found->lost / found->booked : 1;
    if (share > 0.5 && share < 2) {
        return share;
    }
    *debt += found->booked - found->lost;
    return 1;
}

static void book_margin(lzb_state *state, const lzb_kinks *to, size_t k, size_t j)
{
    double margin = to->margin[k] / state->x_scale[j], *least = &state->margin[j];
    if (margin > 0) {
        *least = *least > 0 ? fmin(*least, margin) : margin;
    }
}

/* Where a contact of mono-stiffness is on its way; x is measured from its brink. At the brink it
 * lets go.
 */
static void book_brink(lzb_state *state, const lzb_kinks *to, size_t k, size_t j, double c)
{
    double depth = state->x[j], brink = to->out[k] > 0 ? to->brink[k] : 0;
    if (depth > brink) {
        state->x_open[j] = brink;
        state->x[j] = depth - brink;
        state->mode[j] = brink > 0 ? LZB_EXPANDING : LZB_COMPRESSING;
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

static sweep_tally book_places(const sweep_work *work, lzb_part part)
{
    lzb_state *state = work->state;
    lzb_window *w = work->w;
    lzb_kinks to = kinks_of(state, w);
    sweep_tally tally = {0};
    for (size_t k = part.first; k < lzb_part_end(w, part); k++) {
        size_t j = w->contact[k];
        double e = state->model->restitution[j];
        state->loss[j] += work->share * lost_part(&to, e) * to.released[k];
        state->held[j] += to.held[k];
        state->peak[j] = to.peak[k];
        state->compressions[j] += (uint32_t)to.turns[k];
        state->x[j] = w->trial.x[k];
        lzb_state_press(state, j, w->trial.p[k]);
        state->doubt[j] += w->trial.error[k] * work->tolerance;
        lzb_mode before = (lzb_mode)state->mode[j],
                 after = mode_after(e, w->trial.x[k], w->trial.c[k]);
        if (!work->coasting && to.held[k] > ALL_THE_TIME * work->length) {
            state->recompressions[j] += times_pressed_again(to.turns[k], before, after);
        }
        state->mode[j] = (uint8_t)after;
        state->x_open[j] = 0;
        if (to.jumping) {
            book_margin(state, &to, k, j);
        }
        if (to.jumping && w->trial.x[k] > 0) {
            book_brink(state, &to, k, j, w->trial.c[k]);
        }
        if (!(w->trial.x[k] > 0) && to.held[k] > 0) {
            tally.opened = state->time + work->length;
        }
        w->members.settled[k] = true;
    }
    return tally;
}

static void book(lzb_stepper *s, double length, bool coasting)
{
    sweep_work work = {.places = add_up_losses,
                       .state = s->state,
                       .w = s->window,
                       .length = length,
                       .tolerance = s->tolerance,
                       .coasting = coasting};
    sweep_tally found = over_all(work);
    work.share = share_of_loss(&found, &s->energy_debt);
    work.places = book_places;
    s->state->opened = fmax(s->state->opened, over_all(work).opened);
    s->window->members.any_settled = true;
}

/* ---- The step ------------------------------------------------------------------------------- */

/* Open contacts may close within the step, so they count as pressing. */
static crm_status widen(lzb_stepper *s, uint32_t times, crm_error *error)
{
    lzb_window_widen(s->window, s->window->search.halo * times);
    lzb_window_look_through(s->window, true);
    return lzb_step_build(s, error);
}

static crm_status give_up(lzb_sweep *sweep, lzb_stepper *s, crm_error *error)
{
    sweep->again = s->steps + REST_STEPS;
    sweep->length = 0;
    lzb_window_look_through(s->window, false);
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

/* Squares of the frequencies are in proportion to this power of the amplitude. */
static double stiffening(double exponent, double amplitude, lzb_threshold *kept)
{
    double power = 0.5 * (exponent + 1);
    return crm_pow(lzb_members_threshold(kept, power, amplitude), exponent - 1);
}

/* Contacts in a row are mostly alike: of those with one exponent the deepest tells, by one power.
 */
double lzb_sweep_amplitude(const lzb_stepper *s)
{
    const lzb_window *w = s->window;
    double most = w->search.quiet, exponent = 1, deepest = 0;
    for (size_t k = 0; k < w->count; k++) {
        uint32_t j = w->contact[k];
        double x = lzb_state_depth(s->state, j) / s->state->x_scale[j],
               c = fabs(s->state->c[j]) / s->state->speed;
        if (s->state->model->exponent[j] != exponent) {
            most = fmax(most, crm_pow(deepest, 0.5 * (1 + exponent)));
            exponent = s->state->model->exponent[j];
            deepest = 0;
        }
        deepest = fmax(deepest, x);
        if (c > most && (x > 0 || s->state->c[j] > 0)) {
            most = c;
        }
    }
    return fmax(most, crm_pow(deepest, 0.5 * (1 + exponent)));
}

/* dF/dx of contact j at the indentation that goes with the amplitude. With K X^(eta+1) / (eta+1) =
 * V^2 / 2D at the full speed V that is eta (eta+1) / 2D (V/X)^2, less by the power above.
 */
static double slope_of_force(const lzb_state *state, uint32_t j, double stiffening_now)
{
    double eta = state->model->exponent[j], rate = state->speed / state->x_scale[j];
    return 0.5 * eta * (eta + 1) / state->model->d_diagonal[j] * rate * rate * stiffening_now;
}

/* Row k of D, signs left out, times a vector. */
static double sum_of_magnitudes(const lzb_window *w, size_t k, const double *vector)
{
    const lzb_coupling *d = &w->coupling;
    if (d->product == LZB_LINE) {
        return fabs(d->diagonal[k]) * vector[k] + fabs(d->below[k]) * vector[k - 1] +
               fabs(d->above[k]) * vector[k + 1];
    }
    double sum = 0;
    for (size_t l = d->sparse.start[k]; l < d->sparse.end[k]; l++) {
        sum += fabs(d->sparse.value[l]) * vector[d->sparse.column[l]];
    }
    return sum;
}

/* Bounds on the frequencies of x'' = -r D dF/dx x: the largest sum of a row. */
typedef struct quickest {
    double in, out; /* of swings with r = 1; and with the r of expansion */
} quickest;

static quickest find_quickest(const lzb_stepper *s, double amplitude)
{
    lzb_window *w = s->window;
    double *slope = w->tableau.force, in = 0, out = 0, power = 1, exponent = NAN;
    lzb_threshold kept = {0};
    lzb_kinks to = kinks_of(s->state, w);
    memset(slope, 0, w->blocks * LZB_BLOCK * sizeof *slope);
    for (size_t k = 0; k < w->count; k++) {
        if (w->fixed.exponent[k] != exponent) {
            exponent = w->fixed.exponent[k];
            power = stiffening(exponent, amplitude, &kept);
        }
        slope[k] = slope_of_force(s->state, w->contact[k], power);
    }
    for (size_t k = 0; k < w->count; k++) {
        double sum = sum_of_magnitudes(w, k, slope);
        in = fmax(in, sum);
        out = fmax(out, fmin(to.returns[k], MOST_RETURN) * sum);
    }
    return (quickest){sqrt(in), sqrt(out)};
}

/* Has a wave passed where the window was cut, within the step? Impulses that make no speed that
 * counts may.
 */
static bool has_passed_edge(const lzb_stepper *s)
{
    const lzb_window *w = s->window;
    double most = w->search.quiet * s->state->speed;
    for (size_t k = 0; w->members.edged && k < w->count; k++) {
        if (w->members.edge[k] && w->trial.p[k] * w->fixed.own[k] > most) {
            return true;
        }
    }
    return false;
}

/* The errors of the substeps go as stride^2 times the amplitude, or as stride^3: with the root or
 * the third root they are the same all the way. But with mono-stiffness most of what an outcome is
 * off by comes from the first of them (theory, section 2.6): there strides begin shorter, and grow
 * faster until the amplitude has fallen to this part.
 */
static const double BEGINNING = 1.0 / 30, FASTER = 0.6 - 1.0 / 3;

static double growth_of_stride(const lzb_state *state, bool gliding, double fallen)
{
    if (!gliding) {
        return sqrt(fallen);
    }
    double at_first = state->stiffness == LZB_MONO ? fmin(fallen, 1 / BEGINNING) : 1;
    return crm_pow(fallen, 1.0 / 3) * crm_pow(at_first, FASTER);
}

/* The longest substeps, in radians. With bi-stiffness an expansion is to be seen still. With
 * mono-stiffness contacts come back as they went, and substeps of the third order are stable up to
 * the root of 12: the force at x - h^2 D f / 12 is that of a spring weaker by (w h)^2 / 12. Less by
 * as much as swings are quicker that go three times as far.
 */
static double longest_stride(const lzb_state *state, bool gliding)
{
    return !gliding ? 1.1 : state->stiffness == LZB_MONO ? 2.8 : 2;
}

static double substep_at(const lzb_sweep *sweep, const lzb_stepper *s, bool gliding,
                         double amplitude)
{
    const lzb_state *state = s->state;
    quickest swing = find_quickest(s, amplitude);
    double fallen = fmax(sweep->from / amplitude, 1);
    double stride =
        (gliding ? sweep->long_stride : sweep->stride) * growth_of_stride(state, gliding, fallen);
    return fmin(stride / swing.in, longest_stride(state, gliding) / swing.out);
}

/* The substeps of a step, from the window's state into row 0 of the tableau; returns its length. */
static double make_coasted(const lzb_sweep *sweep, lzb_stepper *s, double longest)
{
    lzb_window *w = s->window;
    lzb_kinks to = kinks_of(s->state, w);
    to.at_stake = INFINITY; /* what is decided on the way does not matter: coast.h */
    bool gliding = lzb_glide_suits(w);
    unsigned substeps = gliding && w->count * GLIDED <= MOST_GLIDED ? GLIDED : COASTED;
    double amplitude = lzb_sweep_amplitude(s);
    double length = fmin(substeps * substep_at(sweep, s, gliding, amplitude), longest);
    if (gliding) {
        double speed = s->state->speed;
        lzb_glide(w, &to, substeps, length, amplitude * speed, speed);
    } else {
        lzb_kinks_row(w, &to, 0, substeps, length, true);
    }
    s->evaluations += substeps;
    return length;
}

static crm_status coast(const lzb_sweep *sweep, lzb_stepper *s, double longest, double *length,
                        crm_error *error)
{
    crm_status status = s->window->search.through ? CRM_OK : widen(s, 1, error);
    bool wide = false;
    while (status == CRM_OK && !wide) {
        lzb_window *w = s->window;
        over_all((sweep_work){.places = begin, .state = s->state, .w = w});
        *length = make_coasted(sweep, s, longest);
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

crm_status lzb_sweep_advance(lzb_sweep *sweep, lzb_stepper *s, double longest, double *length,
                             bool *done, crm_error *error)
{
    const double shorter = 0.9; /* after a step that was not accepted, at least */
    *done = sweep->stride > 0;
    if (*done) {
        return coast(sweep, s, longest, length, error);
    }
    if (!(sweep->length > 0)) {
        sweep->length = sweep->rival = s->length;
    }
    crm_status status = s->window->search.through ? CRM_OK : widen(s, 1, error);
    while (status == CRM_OK) {
        if (sweep->length < WORTHWHILE_PART * sweep->rival) {
            return give_up(sweep, s, error);
        }
        double planned = sweep->length, worst = INFINITY;
        *length = fmin(planned, longest);
        status = attempt(s, *length, &worst, error);
        if (status == CRM_OK && lzb_window_too_narrow(s->window)) {
            status = widen(s, 2, error);
            continue;
        }
        if (status == CRM_OK && worst <= 1) {
            sweep->length = *length < planned ? planned : planned * growth(worst);
            s->length = fmax(s->length, 0.5 * *length);
            book(s, *length, false);
            *done = true;
            return CRM_OK;
        }
        sweep->length = *length * fmin(growth(worst), shorter);
    }
    return status;
}
