#include "law/lzb/course/sweep.h"

#include <string.h>

#include "law/lzb/kernel/parts.h"
#include "law/lzb/kernel/wide.h"

/* Substeps of the first row; the second and the third have twice and three times as many. */
enum { SUBSTEPS = 8, SWEEP_ROWS = 3 };
/* Fewer contacts at work are better followed from event to event, and so are finer tolerances. */
enum { FEWEST_WORKING = 40 };
static const double FINEST_SWEPT = 1e-13;
/* A sweep this much shorter than the steps from event to event is not worth it. */
static const double WORTH = 0.3;
/* After giving up, so many steps from event to event. */
enum { REST_STEPS = 200 };
/* A contact that gives back less lets go so suddenly that its force as good as jumps: an event. */
static const double LEAST_RESTITUTION = 0.1;
/* Stands for 1/e^2 where e = 0, should such a contact be drawn into the window. */
static const double AT_ONCE = 1e30;
/* Compressions of less than this part of a contact's indentation scale are not counted. */
static const double COUNTED = 1e-9;

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

/* What is done with places of the window, and what comes of it: of each part in a large window, of
 * all at once in another.
 */
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

static void work_part(void *context, size_t index)
{
    const sweep_work *work = context;
    sweep_tally *tally = lzb_part_tally(work->w, index);
    *tally = work->places(work, lzb_part_at(work->w, index));
}

static sweep_tally over_all(sweep_work work)
{
    const lzb_window *w = work.w;
    if (!w->large) {
        return work.places(&work, lzb_part_whole(w));
    }
    sweep_tally all = {0};
    lzb_parts_run(w, work_part, &work);
    for (size_t i = 0; i < w->parts; i++) {
        const sweep_tally *tally = lzb_part_tally(w, i);
        all.lossy += tally->lossy;
        all.hopeless += tally->hopeless;
        all.worst = fmax(all.worst, tally->worst);
        all.booked += tally->booked;
        all.lost += tally->lost;
        all.opened = fmax(all.opened, tally->opened);
    }
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

bool lzb_sweep_applies(const lzb_stepper *s)
{
    const lzb_window *w = s->window;
    return w->working_count >= FEWEST_WORKING && w->product != LZB_OPERATOR &&
           s->state->stiffness == LZB_BI && s->tolerance >= FINEST_SWEPT &&
           s->steps >= s->sweep_again && !w->elastic && is_lossy(s);
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

static WIDE void move(size_t count, double h, const double *restrict returns,
                      const double *restrict a, const double *restrict c, double *restrict x)
{
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        x[k] = moved(h, returns[k], a[k], c[k], x[k]);
    }
}

/* Speeds and impulses from the forces at both ends; a becomes that at the end. */
static WIDE void kick(size_t count, double h, const double *restrict a1, const double *restrict f0,
                      const double *restrict f1, double *restrict a, double *restrict c,
                      double *restrict p)
{
    double half = 0.5 * h;
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        c[k] += half * (a[k] + a1[k]);
        p[k] += half * (f0[k] + f1[k]);
        a[k] = a1[k];
    }
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

static WIDE void move_line_linear(size_t count, double h, const double *restrict returns,
                                  const double *restrict stiffness, const double *restrict a,
                                  const double *restrict c, double *restrict x,
                                  double *restrict force)
{
    move_line(count, LZB_LINEAR, h, returns, stiffness, a, c, x, force);
}

static WIDE void move_line_hertz(size_t count, double h, const double *restrict returns,
                                 const double *restrict stiffness, const double *restrict a,
                                 const double *restrict c, double *restrict x,
                                 double *restrict force)
{
    move_line(count, LZB_HERTZ, h, returns, stiffness, a, c, x, force);
}

static WIDE void kick_line(size_t count, double h, const double *restrict below,
                           const double *restrict diagonal, const double *restrict above,
                           const double *restrict f0, const double *restrict f1, double *restrict a,
                           double *restrict c, double *restrict p)
{
    double half = 0.5 * h;
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        double around = below[k] * f1[k - 1] + above[k] * f1[k + 1];
        double a1 = -(diagonal[k] * f1[k] + around);
        c[k] += half * (a[k] + a1);
        p[k] += half * (f0[k] + f1[k]);
        a[k] = a1;
    }
}

/* What happened to each contact, x0 and c0 being those before the substep, a that at its start. */
static WIDE void keep_account(size_t count, double h, const double *restrict x0,
                              const double *restrict x, const double *restrict c0,
                              const double *restrict c, const double *restrict f0,
                              const double *restrict f1, const account to)
{
    double *restrict held = to.held, *restrict peak = to.peak, *restrict released = to.released,
                     *restrict turns = to.turns;
    const double *restrict counted = to.counted, *restrict returns = to.returns;
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        /* going down all the substep long, or from the peak that the closing speed leads to */
        double top = c[k] < 0 && c0[k] > 0 ? 0.5 * h * c0[k] * c0[k] / (c0[k] - c[k]) : 0.0;
        double highest = x0[k] + top;
        double fall = highest > x[k] ? highest - x[k] : 0;
        double way = -0.5 * h * returns[k] * (c0[k] + c[k]);
        double part = way > 0 && x0[k] < way ? x0[k] / way : 1.0;
        held[k] += x[k] > 0 ? h : x0[k] > 0 ? h * part : 0.0;
        highest = highest > x[k] ? highest : x[k];
        peak[k] = peak[k] > highest ? peak[k] : highest;
        released[k] += c[k] < 0 || c0[k] < 0 ? 0.5 * (f0[k] + f1[k]) * fall : 0.0;
        turns[k] += c0[k] > 0 && c[k] <= 0 && highest > counted[k] ? 1.0 : 0.0;
    }
}

/* ---- One row of the tableau ----------------------------------------------------------------- */

/* What a substep works on; f0 and f1 change places after each. */
typedef struct sweep {
    double *x, *c, *p; /* a row of the tableau */
    double *a, *f0, *f1;
} sweep;

static sweep start_row(lzb_window *w, unsigned row)
{
    size_t width = w->blocks * LZB_BLOCK, size = width * sizeof *w->x;
    double *x = lzb_window_row(w, row);
    sweep y = {.x = x,
               .c = x + width,
               .p = x + 2 * width,
               .a = w->a,
               .f0 = w->force,
               .f1 = w->force + w->bordered};
    memcpy(y.x, w->x0, size);
    memcpy(y.c, w->c0, size);
    memset(y.p, 0, size);
    memcpy(y.a, w->a0, size);
    memcpy(y.f0, w->f0, size);
    return y;
}

/* One substep of a row; `to`: where to keep account, NULL but in the finest row. */
typedef struct substep {
    lzb_window *w;
    const sweep *y;
    double h;
    const double *returns;
    const account *to;
} substep;

static void note_start(const substep *t, size_t first, size_t count)
{
    if (t->to != NULL) {
        memcpy(t->w->x + first, t->y->x + first, count * sizeof *t->w->x);
        memcpy(t->w->c + first, t->y->c + first, count * sizeof *t->w->c);
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
        const sweep *y = t->y;
        keep_account(count, t->h, t->w->x + first, y->x + first, t->w->c + first, y->c + first,
                     y->f0 + first, y->f1 + first, here);
    }
}

/* A large window goes in parts; only the products with D look beyond one. */
static void move_part(void *context, size_t index)
{
    const substep *t = context;
    const sweep *y = t->y;
    lzb_part part = lzb_part_at(t->w, index);
    size_t at = part.first, count = part.blocks * LZB_BLOCK;
    note_start(t, at, count);
    move(count, t->h, t->returns + at, y->a + at, y->c + at, y->x + at);
    lzb_part_forces(t->w, part, y->x, y->f1);
}

static void kick_part(void *context, size_t index)
{
    const substep *t = context;
    const sweep *y = t->y;
    lzb_part part = lzb_part_at(t->w, index);
    size_t at = part.first, count = part.blocks * LZB_BLOCK;
    double *a1 = t->w->correction;
    memset(a1 + at, 0, count * sizeof *a1);
    lzb_part_kick(t->w, part, 1.0, y->f1, a1);
    kick(count, t->h, a1 + at, y->f0 + at, y->f1 + at, y->a + at, y->c + at, y->p + at);
    note_end(t, at, count);
}

static crm_status make_substep(lzb_stepper *s, substep *t, crm_error *error)
{
    lzb_window *w = s->window;
    const sweep *y = t->y;
    size_t width = w->blocks * LZB_BLOCK;
    double h = t->h;
    if (w->large) {
        lzb_parts_run(w, move_part, t);
        lzb_parts_run(w, kick_part, t);
        return CRM_OK;
    }
    crm_status status = CRM_OK;
    note_start(t, 0, width);
    if (w->product == LZB_LINE && w->kind != LZB_POWER) {
        (w->kind == LZB_HERTZ ? move_line_hertz : move_line_linear)(
            width, h, t->returns, w->stiffness, y->a, y->c, y->x, y->f1);
        kick_line(width, h, w->below, w->diagonal, w->above, y->f0, y->f1, y->a, y->c, y->p);
    } else {
        double *a1 = w->correction;
        move(width, h, t->returns, y->a, y->c, y->x);
        status = lzb_window_accelerate(s->state, w, y->x, 0, y->f1, a1, error);
        kick(width, h, a1, y->f0, y->f1, y->a, y->c, y->p);
    }
    note_end(t, 0, width);
    return status;
}

static crm_status make_row(lzb_stepper *s, unsigned row, double length, crm_error *error)
{
    lzb_window *w = s->window;
    unsigned substeps = SUBSTEPS * (row + 1);
    account to = account_of(w);
    sweep y = start_row(w, row);
    substep t = {.w = w,
                 .y = &y,
                 .h = length / substeps,
                 .returns = to.returns,
                 .to = row + 1 == SWEEP_ROWS ? &to : NULL};
    for (unsigned i = 0; i < substeps; i++) {
        crm_status status = make_substep(s, &t, error);
        if (status != CRM_OK) {
            return status;
        }
        double *swap = y.f0;
        y.f0 = y.f1;
        y.f1 = swap;
    }
    s->evaluations += substeps;
    (w->large ? lzb_parts_extrapolate : lzb_window_extrapolate)(w, row, s->state->speed,
                                                                s->tolerance);
    return CRM_OK;
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
        to.counted[k] = COUNTED * state->x_scale[w->contact[k]];
        to.returns[k] = e > 0 ? fmin(1.0 / (e * e), AT_ONCE) : AT_ONCE;
    }
    return (sweep_tally){0};
}

/* Extrapolation may leave an impulse or an indentation of 0 a little below. */
static sweep_tally take_places(const sweep_work *work, lzb_part part)
{
    lzb_window *w = work->w;
    size_t width = w->blocks * LZB_BLOCK, size = part.blocks * LZB_BLOCK * sizeof *w->x;
    const double *x = lzb_window_row(w, 0), *p = x + 2 * width;
    sweep_tally tally = {0};
    memset(w->p + part.first, 0, size);
    memcpy(w->c + part.first, w->c0 + part.first, size);
    for (size_t k = part.first; k < lzb_part_end(w, part); k++) {
        w->x[k] = fmax(x[k], 0);
        w->force[k] = fmax(p[k], 0);
        tally.worst = w->error[k] < INFINITY ? fmax(tally.worst, w->error[k]) : INFINITY;
    }
    return tally;
}

/* Closing speeds follow from the impulses, so that the two never drift apart. */
static crm_status take_result(lzb_stepper *s, double length, double *worst, crm_error *error)
{
    lzb_window *w = s->window;
    *worst = over_all((sweep_work){.places = take_places, .w = w}).worst;
    crm_status status = lzb_window_kick(s->state, w, 1.0, w->force, w->c, w->p, error);
    return status == CRM_OK ? lzb_window_accelerate(s->state, w, w->x, length, w->f, w->a, error)
                            : status;
}

/* The whole step; its error in units of the tolerance. */
static crm_status attempt(lzb_stepper *s, double length, double *worst, crm_error *error)
{
    over_all((sweep_work){.places = begin, .state = s->state, .w = s->window});
    for (unsigned row = 0; row < SWEEP_ROWS; row++) {
        crm_status status = make_row(s, row, length, error);
        if (status != CRM_OK) {
            return status;
        }
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
        tally.lost += 0.5 * w->p[k] * (w->c0[k] + w->c[k]) -
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
        state->x[j] = w->x[k];
        state->p[j] += w->p[k];
        state->doubt[j] += w->error[k] * work->tolerance;
        state->mode[j] = (uint8_t)mode_after(e, w->x[k], w->c[k]);
        if (!(w->x[k] > 0) && to.held[k] > 0) {
            tally.opened = state->time + work->length;
        }
        w->settled[k] = true;
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
    s->window->any_settled = true;
}

/* ---- The step ------------------------------------------------------------------------------- */

/* Open contacts may close within the step, so they count as pressing. */
static crm_status widen(lzb_stepper *s, uint32_t times, crm_error *error)
{
    s->window->halo *= times;
    s->window->through = true;
    return lzb_window_build(s->state, s->window, error);
}

static crm_status give_up(lzb_stepper *s, crm_error *error)
{
    s->sweep_again = s->steps + REST_STEPS;
    s->sweep_length = 0;
    s->window->through = false;
    return lzb_window_build(s->state, s->window, error);
}

crm_status lzb_sweep_advance(lzb_stepper *s, double longest, double *length, bool *done,
                             crm_error *error)
{
    *done = false;
    if (!(s->sweep_length > 0)) {
        s->sweep_length = s->sweep_rival = s->length;
    }
    crm_status status = s->window->through ? CRM_OK : widen(s, 1, error);
    while (status == CRM_OK) {
        if (s->sweep_length < WORTH * s->sweep_rival) {
            return give_up(s, error);
        }
        double planned = s->sweep_length, worst = INFINITY;
        *length = fmin(planned, longest);
        status = attempt(s, *length, &worst, error);
        if (status == CRM_OK && lzb_window_too_narrow(s->window)) {
            status = widen(s, 2, error);
            continue;
        }
        double grow = worst < INFINITY ? 0.9 * pow(fmax(worst, 1e-8), -0.25) : 0.1;
        grow = fmin(fmax(grow, 0.1), 1.5);
        if (status == CRM_OK && worst <= 1) {
            s->sweep_length = *length < planned ? planned : planned * grow;
            s->length = fmax(s->length, 0.5 * *length);
            book(s, *length);
            *done = true;
            return CRM_OK;
        }
        s->sweep_length = *length * fmin(grow, 0.9);
    }
    return status;
}
