#include "law/lzb/extrapolation/events.h"

#include "base/width.h"
#include "law/lzb/extrapolation/kernel/kernel.h"
#include "law/lzb/extrapolation/span.h"

/* A contact that opens and closes again within a step starts from too low an indentation. It does
 * so once, and its error is counted: more may be allowed.
 */
static const double REENTRY_SHARE = 1;

/* The law of an elastic contact goes on beyond the point of opening, without force: only the lack
 * of smoothness there costs something, which the error of the step includes.
 */
static const double ELASTIC_SHARE = 1;

static double time_since_sign_change(const lzb_span *s)
{
    bool crossed = s->c0 * s->c < 0;
    return crossed ? s->length * fabs(s->c) / (fabs(s->c0) + fabs(s->c)) : s->length;
}

/* Is the sign of c rounding, and is it about to become that of the mode? Then it stays (commit.c).
 */
static bool is_turning_back(const lzb_span *s)
{
    bool back = s->mode == LZB_COMPRESSING ? s->a > 0 : s->a < 0;
    return back && s->mode != LZB_OPEN && fabs(s->c) <= s->signless;
}

/* Does the sign of c at the end of the step ask for another mode? */
static bool sign_is_wrong(const lzb_span *s)
{
    if (is_turning_back(s)) {
        return false;
    }
    switch (s->mode) {
    case LZB_COMPRESSING:
        return s->e < 1 && s->c < 0 && (s->x0 > 0 || s->c0 > 0 || s->x > 0);
    case LZB_EXPANDING:
    case LZB_OPEN:
        return s->c > 0;
    }
    return false;
}

static bool has_opened(const lzb_span *s)
{
    return s->mode != LZB_OPEN && s->x < 0;
}

/* Error of having passed the point of opening: the force that the smooth continuation of the law
 * would still give (mono-stiffness: that it really still gives), times D, as a speed.
 */
static double cost_of_opening(const lzb_state *state, const lzb_window *w, const lzb_span *s)
{
    double beyond = -s->x;
    double speed = w->fixed.rate[s->k] * fabs(s->c);
    double tau = beyond < speed * s->length ? beyond / speed : s->length;
    double share = s->mode == LZB_COMPRESSING && s->e == 1 ? LZB_EVENT_SHARE / ELASTIC_SHARE : 1;
    return share * state->model->d_diagonal[s->j] * lzb_span_force(w, s, beyond) * tau /
           s->allowed_c;
}

/* Open and closing again within one step: the indentation should have started from 0 meanwhile. */
static double cost_of_missed_reentry(const lzb_span *s)
{
    return s->c > 0 && s->x < 0 ? -s->x / s->allowed_x * (LZB_EVENT_SHARE / REENTRY_SHARE) : 0;
}

/* Root of an event function with value g < 0 and slope at the end of the step, g0 > 0 at its start:
 * Newton's method, or the chord where that leaves the step.
 */
static double newton(double length, double g, double slope, double g0)
{
    double back = slope < 0 ? g / slope : INFINITY;
    if (back < length) {
        return length - back;
    }
    return g0 > 0 ? length * g0 / (g0 - g) : 0.5 * length;
}

/* A quantity that is above 0 at both ends of a step: its values, first and second derivatives. */
typedef struct lzb_arc {
    double f0, slope0, bend0, f1, slope1, bend1;
} lzb_arc;

/* How far it may dip below 0 in between, and when; not above 0: it does not.
 *
 * The quintic through the six numbers stays above the least of its Bernstein coefficients. It is
 * wrong by less than the cubic through values and slopes, and how far the two are apart in the
 * middle of the step tells what that is wrong by: in proportion to the square of t (1 - t).
 */
static double depth_of_dip(const lzb_arc *arc, double length, double *when)
{
    enum { INNER = 4 };
    if (!(arc->f0 > 0 && arc->f1 > 0)) {
        return 0;
    }
    double d0 = arc->slope0 * length, d1 = arc->slope1 * length;
    double b0 = arc->bend0 * length * length, b1 = arc->bend1 * length * length;
    double apart = fabs((d0 - d1) / 32 + (b0 + b1) / 64);
    const double b[INNER] = {arc->f0 + d0 / 5, arc->f0 + 2 * d0 / 5 + b0 / 20,
                             arc->f1 - 2 * d1 / 5 + b1 / 20, arc->f1 - d1 / 5};
    double deepest = -INFINITY;
    for (unsigned i = 0; i < INNER; i++) {
        double t = (i + 1) / 5.0, middle = 4 * t * (1 - t);
        double depth = middle * middle * apart - b[i];
        if (depth > deepest) {
            deepest = depth;
            *when = t * length;
        }
    }
    return deepest;
}

static void note_lateness(lzb_lateness *late, double cost, double when, bool bracketed, size_t k)
{
    late->worst = lzb_larger(late->worst, cost);
    if (cost > 1 && when < late->earliest) {
        *late = (lzb_lateness){late->worst, when, k, bracketed};
    }
}

/* How far c went to the other side between the ends of the step, as the finest row of the leapfrog
 * saw it; 0 if that is within the error of the row.
 */
static double excursion(const lzb_window *w, size_t k, double sign)
{
    const double *row = lzb_window_row(w, w->tableau.finest) + w->blocks * LZB_BLOCK;
    double beyond = sign > 0 ? -w->tableau.low[k] : w->tableau.high[k];
    return beyond > 3 * fabs(row[k] - w->trial.c[k]) ? beyond : 0;
}

/* c'' at the start of the step, or at its end; 0 where that is not at hand. */
static double jerk(const lzb_window *w, const lzb_span *s, bool at_end)
{
    double rate = lzb_dynamics_jerk(w, s->k, at_end, s->length);
    return isnan(rate) ? 0 : rate;
}

/* c may change its sign twice within a step, ... */
static void look_at_speed(const lzb_state *state, const lzb_window *w, const lzb_span *s,
                          lzb_lateness *late)
{
    double sign = s->mode == LZB_COMPRESSING ? 1 : -1, when = 0;
    lzb_arc arc = {.f0 = sign * s->c0,
                   .slope0 = sign * s->a0,
                   .bend0 = sign * jerk(w, s, false),
                   .f1 = sign * s->c,
                   .slope1 = sign * s->a,
                   .bend1 = sign * jerk(w, s, true)};
    double depth = depth_of_dip(&arc, s->length, &when);
    double seen = arc.f0 > 0 && arc.f1 > 0 ? excursion(w, s->k, sign) : 0;
    lzb_span bottom = *s;
    bottom.c = depth > 0 ? depth : seen;
    if (bottom.c > 0) {
        double cost = lzb_span_sign_change(state, w, &bottom, s->length);
        note_lateness(late, cost, depth > 0 ? when : 0.5 * s->length, depth > 0, s->k);
    }
}

/* How far x may have gone below the point of opening between the ends of the step. While c rises, x
 * is convex, and stays above its tangents at both ends; c may have been a little higher before the
 * end than at it.
 */
static double depth_of_touch(const lzb_window *w, const lzb_span *s, double *when)
{
    double rate = w->fixed.rate[s->k], h = s->length;
    const lzb_arc arc = {.f0 = s->x0,
                         .slope0 = rate * s->c0,
                         .bend0 = rate * s->a0,
                         .f1 = s->x,
                         .slope1 = rate * s->c,
                         .bend1 = rate * s->a};
    double depth = depth_of_dip(&arc, h, when);
    if (depth > 0 && s->a0 > 0 && s->c0 < 0 && s->c > 0) {
        double closing = rate * (s->c + (s->a < 0 ? -s->a * h : 0));
        double meet = (s->x0 - s->x + closing * h) / (closing - rate * s->c0);
        depth = lzb_smaller(depth, closing * (h - meet) - s->x);
    }
    return depth;
}

/* ... or x touch the point of opening, unseen at its ends. */
static void look_at_depth(const lzb_window *w, const lzb_span *s, lzb_lateness *late)
{
    double when = 0, depth = depth_of_touch(w, s, &when);
    if (depth > 0) {
        note_lateness(late, depth / s->allowed_x * (LZB_EVENT_SHARE / REENTRY_SHARE), when, true,
                      s->k);
    }
}

static void look_inside(const lzb_state *state, const lzb_window *w, const lzb_span *s,
                        lzb_lateness *late)
{
    if (s->mode != LZB_COMPRESSING || s->e < 1) {
        look_at_speed(state, w, s, late);
    }
    if (s->mode == LZB_EXPANDING || (s->mode == LZB_COMPRESSING && s->e == 1)) {
        look_at_depth(w, s, late);
    }
}

/* Nothing happens to most contacts in most steps: c keeps its sign and does not dip towards 0, x
 * stays above 0.
 */
static bool is_uneventful(const lzb_state *state, const lzb_window *w, size_t k)
{
    lzb_mode mode = (lzb_mode)state->mode[w->contact[k]];
    if (mode == LZB_COMPRESSING && state->model->restitution[w->contact[k]] == 1) {
        return w->trial.x0[k] >= 0 && w->trial.x[k] >= 0 &&
               !(w->trial.c0[k] < 0 && w->trial.c[k] > 0);
    }
    double sign = mode == LZB_COMPRESSING ? 1 : -1;
    bool dips = sign * w->trial.a0[k] < 0 && sign * w->trial.a[k] > 0;
    return sign * w->trial.c0[k] > 0 && sign * w->trial.c[k] > 0 && !dips &&
           (sign > 0 ? w->tableau.low[k] > 0 : w->tableau.high[k] < 0) &&
           (mode != LZB_EXPANDING || w->trial.x[k] > 0);
}

static void examine(const lzb_state *state, const lzb_window *w, const lzb_span *s,
                    lzb_lateness *late)
{
    look_inside(state, w, s, late);
    if (sign_is_wrong(s)) {
        double cost = lzb_span_sign_change(state, w, s, time_since_sign_change(s));
        if (cost > 1) {
            double sign = s->mode == LZB_COMPRESSING ? 1 : -1;
            note_lateness(late, cost, newton(s->length, sign * s->c, sign * s->a, sign * s->c0),
                          sign * s->c0 > 0 || sign * s->a0 > 0, s->k);
        }
    }
    if (has_opened(s) && !(s->mode == LZB_COMPRESSING && sign_is_wrong(s))) {
        double cost = lzb_larger(cost_of_opening(state, w, s), cost_of_missed_reentry(s));
        if (cost > 1) {
            note_lateness(late, cost, newton(s->length, s->x, w->fixed.rate[s->k] * s->c, s->x0),
                          s->c < 0 && s->x0 > 0, s->k);
        }
    }
}

/* A step to be searched for events. */
typedef struct examination {
    const lzb_state *state;
    const lzb_window *w;
    double length, tolerance;
} examination;

static lzb_lateness no_lateness(double length)
{
    return (lzb_lateness){0, length, SIZE_MAX, true};
}

INLINE void examine_part(void *context, lzb_part part, void *found)
{
    const examination *x = context;
    lzb_lateness *late = found;
    *late = no_lateness(x->length);
    for (size_t k = part.first, end = lzb_part_end(x->w, part); k < end; k++) {
        if (!is_uneventful(x->state, x->w, k)) {
            lzb_span s = lzb_span_of(x->state, x->w, k, x->length, x->tolerance);
            examine(x->state, x->w, &s, late);
        }
    }
}

_Static_assert(sizeof(lzb_lateness) <= LZB_TALLY, "a tally has its size");

static void join_lateness(void *total, const void *found)
{
    lzb_lateness *late = total;
    const lzb_lateness *more = found;
    double worst = fmax(late->worst, more->worst);
    *late = more->place != SIZE_MAX && more->earliest < late->earliest ? *more : *late;
    late->worst = worst;
}

lzb_lateness lzb_events_examine(const lzb_state *state, const lzb_window *w, double length,
                                double tolerance)
{
    examination x = {.state = state, .w = w, .length = length, .tolerance = tolerance};
    lzb_lateness late = no_lateness(length);
    lzb_partition_do(w, examine_part, join_lateness, &x, &late);
    return late;
}

bool lzb_events_is_late(const lzb_state *state, const lzb_window *w, size_t place, double length,
                        double tolerance)
{
    lzb_lateness late = no_lateness(length);
    if (is_uneventful(state, w, place)) {
        return false;
    }
    lzb_span s = lzb_span_of(state, w, place, length, tolerance);
    examine(state, w, &s, &late);
    return late.place != SIZE_MAX;
}

/* Time until c changes its sign at the present acceleration, and with it the mode. */
static double time_to_sign_change(const lzb_span *s)
{
    bool as_it_should = s->mode == LZB_COMPRESSING ? s->c > 0 : s->c < 0;
    return as_it_should && s->c * s->a < 0 ? -s->c / s->a : INFINITY;
}

static double time_to_opening(const lzb_window *w, const lzb_span *s)
{
    if (s->c < 0) {
        return s->x / (w->fixed.rate[s->k] * -s->c);
    }
    return s->a < 0 ? (s->c + sqrt(s->c * s->c - 2 * s->a * s->x / w->fixed.rate[s->k])) / -s->a
                    : INFINITY;
}

double lzb_events_ahead(const lzb_state *state, const lzb_window *w, size_t place, double length,
                        double tolerance)
{
    lzb_span s = lzb_span_of(state, w, place, length, tolerance);
    bool changes_by_sign = s.mode != LZB_COMPRESSING || s.e < 1;
    bool opens = s.mode == LZB_EXPANDING || (s.mode == LZB_COMPRESSING && s.e == 1);
    double ahead = INFINITY;
    if (changes_by_sign) {
        ahead = time_to_sign_change(&s);
        if (ahead < INFINITY && lzb_span_sign_change(state, w, &s, ahead) <= 1) {
            return 0;
        }
    }
    if (opens) {
        if (lzb_span_about_to_open(state, w, &s)) {
            return 0;
        }
        ahead = lzb_smaller(ahead, time_to_opening(w, &s));
    }
    return ahead;
}

/* ---- Looking ahead -------------------------------------------------------------------------- */

/* How near to the point of opening a step may end, as a part of the time to it, ... */
static const double APPROACH_SHARE = 0.7;
/* ... unless the impulse left until then is less than this many times the error of a step, ... */
static const double IMPULSE_WORTH_IT = 1e5;
/* ... or the contact may turn before it gets there: at its deceleration it would travel less than
 * this many times the remaining distance.
 */
static const double WAYS_TO_APPROACH = 3;

double lzb_events_approach(const lzb_state *state, const lzb_window *w, double tolerance)
{
    double longest = INFINITY;
    for (size_t k = 0; k < w->count; k++) {
        double speed = -w->fixed.rate[k] * w->trial.c0[k];
        if (!(speed > 0) || !(w->trial.x0[k] > 0) || w->fixed.offset[k] > 0 ||
            w->fixed.exponent[k] == nearbyint(w->fixed.exponent[k]) || w->members.committed[k]) {
            continue;
        }
        double way = w->trial.a0[k] > 0 ? 0.5 * speed * -w->trial.c0[k] / w->trial.a0[k] : INFINITY;
        if (way < WAYS_TO_APPROACH * w->trial.x0[k]) {
            continue; /* it may turn before it gets there */
        }
        double left = w->trial.x0[k] / speed;
        if (left * APPROACH_SHARE < longest &&
            w->fixed.own[k] * w->trial.f0[k] * left > IMPULSE_WORTH_IT * tolerance * state->speed) {
            longest = left * APPROACH_SHARE;
        }
    }
    return longest;
}
