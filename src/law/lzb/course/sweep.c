#include "law/lzb/course/sweep.h"

#include <string.h>

#include "base/elementary.h"
#include "law/lzb/window/block.h"

/* Substeps of the first row; the second and the third have twice and three times as many. */
enum { SUBSTEPS = 8, SWEEP_ROWS = 3 };
/* Fewer contacts at work are better followed from event to event, and so are finer tolerances. */
enum { FEWEST_WORKING = 40 };
static const double FINEST_SWEPT = 1e-13;
/* A sweep this much shorter than the steps from event to event is not worth it. */
static const double WORTHWHILE_PART = 0.3;
/* After giving up, so many steps from event to event. */
enum { REST_STEPS = 200 };
/* A contact that gives back less lets go so suddenly that its force as good as jumps: an event. */
static const double LEAST_RESTITUTION = 0.1;
/* Stands for 1/e^2 where e = 0, should such a contact be drawn into the window. */
static const double PLASTIC_RETURN = 1e30;

/* What the finest row keeps account of; rows of the tableau that are not in use otherwise. */
typedef struct account {
    double *held;     /* time in contact */
    double *peak;     /* deepest indentation */
    double *released; /* energy set free in expansion */
    double *turns;    /* ends of compressions */
    double *counted;  /* indentation above which those count */
    double *returns;  /* 1/e^2 */
} account;

static account account_of(const lzb_window *w)
{
    size_t width = w->blocks * LZB_BLOCK;
    double *room = lzb_window_row(w, SWEEP_ROWS);
    return (account){.held = room,
                     .peak = room + width,
                     .released = room + 2 * width,
                     .turns = room + 3 * width,
                     .counted = room + 4 * width,
                     .returns = room + 5 * width};
}

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
    for (size_t k = part.first; k < lzb_part_end(w, part) && tally.hopeless == 0; k++) {
        double e = work->state->model->restitution[w->contact[k]];
        tally.hopeless += e < LEAST_RESTITUTION;
        tally.lossy += e < 1;
    }
    return tally;
}

/* Do most contacts lose energy, and none of them nearly all of it? */
static bool is_lossy(const lzb_stepper *s)
{
    sweep_tally tally =
        over_all((sweep_work){.places = count_lossy, .state = s->state, .w = s->window});
    return tally.hopeless == 0 && 2 * tally.lossy > s->window->count;
}

bool lzb_sweep_applies(const lzb_sweep *sweep, const lzb_stepper *s)
{
    const lzb_window *w = s->window;
    return w->search.working_count >= FEWEST_WORKING && w->coupling.product != LZB_OPERATOR &&
           s->state->stiffness == LZB_BI && s->tolerance >= FINEST_SWEPT &&
           s->steps >= sweep->again && !w->whole.elastic && is_lossy(s);
}

/* ---- One substep ---------------------------------------------------------------------------- */

/* The indentation at its end, with the force as it was at its start. */
INLINE double moved(double h, double returns, double a, double c0, double x)
{
    double c1 = c0 + h * a, mean = 0.5 * (c0 + c1);
    double most = c0 > c1 ? c0 : c1, least = c0 > c1 ? c1 : c0;
    double range = most > 0 && least < 0 ? most - least : 1.0;
    double closing = 0.5 * most * most / range; /* mean of the part of c above 0 */
    closing = least >= 0 ? mean : most > 0 ? closing : 0.0;
    double in = h * closing, out = h * returns * (mean - closing);
    double after = x + in + out, before = x + out;
    after = after > 0 ? after : 0;
    before = (before > 0 ? before : 0) + in;
    return c0 > 0 ? after : before;
}

/* The commonest case in fewer passes: a line of contacts with linear or Hertz' law. */

INLINE void move_line(size_t count, lzb_kind kind, double h, const double *restrict returns,
                      const double *restrict stiffness, const double *restrict a,
                      const double *restrict c, double *restrict x, double *restrict force)
{
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        double q = moved(h, returns[k], a[k], c[k], x[k]);
        x[k] = q;
        force[k] = stiffness[k] * (kind == LZB_LINEAR ? q : q * __builtin_sqrt(q));
    }
}

#define LOOPS "law/lzb/course/sweep_loops.h"
#include "base/loops.h"
LOOP(move);
LOOP(kick);
LOOP(move_line_linear);
LOOP(move_line_hertz);
LOOP(kick_line);
LOOP(keep_account);

/* ---- One row of the tableau ----------------------------------------------------------------- */

/* What a substep works on; f0 and f1 change places after each. */
typedef struct pass {
    double *x, *c, *p; /* a row of the tableau */
    double *a, *f0, *f1;
} pass;

static pass start_row(lzb_window *w, unsigned row)
{
    size_t width = w->blocks * LZB_BLOCK, size = width * sizeof *w->trial.x;
    double *x = lzb_window_row(w, row);
    pass y = {.x = x,
              .c = x + width,
              .p = x + 2 * width,
              .a = w->trial.a,
              .f0 = w->tableau.force,
              .f1 = w->tableau.force + w->tableau.bordered};
    memcpy(y.x, w->trial.x0, size);
    memcpy(y.c, w->trial.c0, size);
    memset(y.p, 0, size);
    memcpy(y.a, w->trial.a0, size);
    memcpy(y.f0, w->trial.f0, size);
    return y;
}

/* One substep of a row; `to`: where to keep account, NULL but in the finest row. */
typedef struct substep {
    lzb_window *w;
    const pass *y;
    double h;
    const double *returns;
    const account *to;
} substep;

static void note_start(const substep *t, size_t first, size_t count)
{
    if (t->to != NULL) {
        memcpy(t->w->trial.x + first, t->y->x + first, count * sizeof *t->w->trial.x);
        memcpy(t->w->trial.c + first, t->y->c + first, count * sizeof *t->w->trial.c);
    }
}

static void note_end(const substep *t, size_t first, size_t count)
{
    if (t->to != NULL) {
        const account *to = t->to;
        const account here = {.held = to->held + first,
                              .peak = to->peak + first,
                              .released = to->released + first,
                              .turns = to->turns + first,
                              .counted = to->counted + first,
                              .returns = to->returns + first};
        const pass *y = t->y;
        keep_account[t->w->width](count, t->h, t->w->trial.x + first, y->x + first,
                                  t->w->trial.c + first, y->c + first, y->f0 + first, y->f1 + first,
                                  here);
    }
}

/* Only the products with D look beyond a part. */
static void move_part(void *context, lzb_part part, void *found)
{
    const substep *t = context;
    const pass *y = t->y;
    size_t at = part.first, count = part.blocks * LZB_BLOCK;
    (void)found;
    note_start(t, at, count);
    move[t->w->width](count, t->h, t->returns + at, y->a + at, y->c + at, y->x + at);
    lzb_dynamics_part_forces(t->w, part, y->x, y->f1);
}

static void kick_part(void *context, lzb_part part, void *found)
{
    const substep *t = context;
    const pass *y = t->y;
    size_t at = part.first, count = part.blocks * LZB_BLOCK;
    double *a1 = t->w->trial.correction;
    (void)found;
    lzb_dynamics_part_accelerate(t->w, part, y->f1, a1);
    kick[t->w->width](count, t->h, a1 + at, y->f0 + at, y->f1 + at, y->a + at, y->c + at,
                      y->p + at);
    note_end(t, at, count);
}

static void make_substep_on_line(const substep *t)
{
    const lzb_window *w = t->w;
    const lzb_coupling *d = &w->coupling;
    const pass *y = t->y;
    size_t width = w->blocks * LZB_BLOCK;
    note_start(t, 0, width);
    (w->fixed.kind == LZB_HERTZ ? move_line_hertz : move_line_linear)[w->width](
        width, t->h, t->returns, w->fixed.stiffness, y->a, y->c, y->x, y->f1);
    kick_line[t->w->width](width, t->h, d->below, d->diagonal, d->above, y->f0, y->f1, y->a, y->c,
                           y->p);
    note_end(t, 0, width);
}

static void make_substep(substep *t)
{
    const lzb_window *w = t->w;
    if (w->coupling.product == LZB_LINE && w->fixed.kind != LZB_POWER &&
        !lzb_partition_is_divided(w)) {
        make_substep_on_line(t);
        return;
    }
    lzb_partition_do(w, move_part, NULL, t, NULL);
    lzb_partition_do(w, kick_part, NULL, t, NULL);
}

static void make_row(lzb_stepper *s, unsigned row, double length)
{
    lzb_window *w = s->window;
    unsigned substeps = SUBSTEPS * (row + 1);
    account to = account_of(w);
    pass y = start_row(w, row);
    substep t = {.w = w,
                 .y = &y,
                 .h = length / substeps,
                 .returns = to.returns,
                 .to = row + 1 == SWEEP_ROWS ? &to : NULL};
    for (unsigned i = 0; i < substeps; i++) {
        make_substep(&t);
        double *swap = y.f0;
        y.f0 = y.f1;
        y.f1 = swap;
    }
    s->evaluations += substeps;
    lzb_extrapolate(w, row, s->state->speed, s->tolerance);
}

static sweep_tally begin(const sweep_work *work, lzb_part part)
{
    const lzb_window *w = work->w;
    const lzb_state *state = work->state;
    account to = account_of(w);
    double *const kept[] = {to.held, to.peak, to.released, to.turns, to.counted, to.returns};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        memset(kept[i] + part.first, 0, part.blocks * LZB_BLOCK * sizeof *kept[i]);
    }
    for (size_t k = part.first; k < lzb_part_end(w, part); k++) {
        double e = state->model->restitution[w->contact[k]];
        to.peak[k] = state->peak[w->contact[k]];
        to.counted[k] = LZB_COUNTED_INDENTATION * state->x_scale[w->contact[k]];
        to.returns[k] = e > 0 ? fmin(1.0 / (e * e), PLASTIC_RETURN) : PLASTIC_RETURN;
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

static sweep_tally add_up_losses(const sweep_work *work, lzb_part part)
{
    const lzb_window *w = work->w;
    account to = account_of(w);
    sweep_tally tally = {0};
    for (size_t k = part.first; k < lzb_part_end(w, part); k++) {
        double e = work->state->model->restitution[w->contact[k]];
        tally.booked += (1.0 - e * e) * to.released[k];
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

static sweep_tally book_places(const sweep_work *work, lzb_part part)
{
    lzb_state *state = work->state;
    lzb_window *w = work->w;
    account to = account_of(w);
    sweep_tally tally = {0};
    for (size_t k = part.first; k < lzb_part_end(w, part); k++) {
        size_t j = w->contact[k];
        double e = state->model->restitution[j];
        state->loss[j] += work->share * (1.0 - e * e) * to.released[k];
        state->held[j] += to.held[k];
        state->peak[j] = to.peak[k];
        state->compressions[j] += (uint32_t)to.turns[k];
        state->x[j] = w->trial.x[k];
        state->p[j] += w->trial.p[k];
        state->doubt[j] += w->trial.error[k] * work->tolerance;
        state->mode[j] = (uint8_t)mode_after(e, w->trial.x[k], w->trial.c[k]);
        if (!(w->trial.x[k] > 0) && to.held[k] > 0) {
            tally.opened = state->time + work->length;
        }
        w->members.settled[k] = true;
    }
    return tally;
}

static void book(lzb_stepper *s, double length)
{
    sweep_work work = {.places = add_up_losses,
                       .state = s->state,
                       .w = s->window,
                       .length = length,
                       .tolerance = s->tolerance};
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

crm_status lzb_sweep_advance(lzb_sweep *sweep, lzb_stepper *s, double longest, double *length,
                             bool *done, crm_error *error)
{
    const double shorter = 0.9; /* after a step that was not accepted, at least */
    *done = false;
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
            book(s, *length);
            *done = true;
            return CRM_OK;
        }
        sweep->length = *length * fmin(growth(worst), shorter);
    }
    return status;
}
