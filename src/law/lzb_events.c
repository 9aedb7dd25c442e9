#include "law/lzb_events.h"

#include <float.h>

#include "law/lzb_wide.h"

/* Share of the tolerance that passing an event may cost. */
static const double SHARE = 0.05;

/* A contact that opens and closes again within a step starts from too low an indentation. It does
 * so once, and the error is booked with it: more may be allowed.
 */
static const double REENTRY_SHARE = 1;

/* The law of an elastic contact goes on beyond the point of opening, without force: only that it is
 * not smooth there costs something, which the error of the step sees.
 */
static const double ELASTIC_SHARE = 1;

/* How far a cubic through the ends of a step is trusted, relative to the size of its terms. */
static const double EXCURSION = 0.02;

/* Share of what a contact gives back that may be missed at the end of its compression. */
static const double PART_MISSED = 0.05;

/* A contact is sure to open that would go on for so many times the way it has to go. */
static const double SURELY = 10;

/* Compressions of less than this part of a contact's indentation scale are not counted. */
static const double COUNTED = 1e-9;

/* A contact at both ends of a step. */
typedef struct span {
    size_t k; /* place in the window */
    size_t j; /* contact of the model */
    lzb_mode mode;
    double e;
    double x0, c0, a0, x, c, a; /* x above the point of opening, which is at `offset` */
    double offset;
    double length;
    double allowed_x, allowed_c;
} span;

static span span_of(const lzb_state *state, const lzb_window *w, size_t k, double length,
                    double tolerance)
{
    size_t j = w->contact[k];
    return (span){.k = k,
                  .j = j,
                  .mode = (lzb_mode)state->mode[j],
                  .e = state->model->restitution[j],
                  .x0 = w->x0[k],
                  .c0 = w->c0[k],
                  .a0 = w->a0[k],
                  .x = w->x[k],
                  .c = w->c[k],
                  .a = w->a[k],
                  .offset = w->offset[k],
                  .length = length,
                  .allowed_x = SHARE * tolerance * state->x_scale[j],
                  .allowed_c = SHARE * tolerance * state->speed};
}

static double force_at(const lzb_window *w, const span *s, double x)
{
    return lzb_force(w->stiffness[s->k], w->exponent[s->k], x + s->offset);
}

/* How much x' changes, per unit of c, when the closing speed changes its sign. */
static double kink(const lzb_state *state, const span *s)
{
    if (s->mode == LZB_OPEN) {
        return 1;
    }
    if (s->e == 0) {
        return INFINITY;
    }
    /* mono: no kink, but the indentation at the end of compression is wanted */
    return state->stiffness == LZB_MONO ? 1 : 1.0 / (s->e * s->e) - 1.0;
}

/* Error, in units of what is allowed, of acting on a sign change of c by a time tau too late or too
 * early: the indentation missed; for e = 0, where all of it is given up, the impulse given while
 * the contact should have let go. With mono-stiffness and a small e it is the part of what there
 * is to give back that matters, unless even all of that comes to nothing.
 */
static double cost_of_sign_change(const lzb_state *state, const lzb_window *w, const span *s,
                                  double tau)
{
    double factor = kink(state, s), missed = 0.5 * fabs(s->c) * tau;
    double cost = factor < INFINITY ? factor * missed / s->allowed_x : INFINITY;
    bool gives_back = s->mode == LZB_COMPRESSING && state->stiffness == LZB_MONO && s->e < 1;
    if (cost < INFINITY && !gives_back) {
        return cost;
    }
    double deepest = lzb_larger(s->x0, s->x);
    double impulse = state->model->d_diagonal[s->j] * force_at(w, s, deepest) * tau / s->allowed_c;
    if (cost == INFINITY) {
        return impulse;
    }
    double whole = deepest * lzb_part_given_back(s->e, w->exponent[s->k]);
    return lzb_larger(cost, lzb_smaller(missed / (PART_MISSED * whole), impulse));
}

static double time_since_sign_change(const span *s)
{
    bool crossed = s->c0 * s->c < 0;
    return crossed ? s->length * fabs(s->c) / (fabs(s->c0) + fabs(s->c)) : s->length;
}

/* Does the sign of c at the end of the step ask for another mode? */
static bool sign_is_wrong(const span *s)
{
    switch (s->mode) {
    case LZB_COMPRESSING:
        return s->e < 1 && s->c < 0 && (s->x0 > 0 || s->c0 > 0 || s->x > 0);
    case LZB_EXPANDING:
    case LZB_OPEN:
        return s->c > 0;
    }
    return false;
}

static bool has_opened(const span *s)
{
    return s->mode != LZB_OPEN && s->x < 0;
}

/* Error of having passed the point of opening: the force that the smooth continuation of the law
 * would still give (mono-stiffness: that it really still gives), times D, as a speed.
 */
static double cost_of_opening(const lzb_state *state, const lzb_window *w, const span *s)
{
    double beyond = -s->x;
    double speed = w->rate[s->k] * fabs(s->c);
    double tau = beyond < speed * s->length ? beyond / speed : s->length;
    double share = s->mode == LZB_COMPRESSING && s->e == 1 ? SHARE / ELASTIC_SHARE : 1;
    return share * state->model->d_diagonal[s->j] * force_at(w, s, beyond) * tau / s->allowed_c;
}

/* Open and closing again within one step: the indentation should have started from 0 meanwhile. */
static double cost_of_missed_reentry(const span *s)
{
    return s->c > 0 && s->x < 0 ? -s->x / s->allowed_x * (SHARE / REENTRY_SHARE) : 0;
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

/* A quantity f that is above 0 at both ends of the step may dip below in between. From its values
 * and slopes: when it is lowest, and how deep it may go at worst (the cubic through them is
 * trusted to EXCURSION of the size of its terms). No interior minimum: depth 0.
 */
static double depth_of_dip(double f0, double slope0, double f1, double slope1, double length,
                           double *when)
{
    double d0 = slope0 * length, d1 = slope1 * length, rise = f1 - f0;
    if (!(f0 > 0 && f1 > 0 && d0 < 0 && d1 > 0)) {
        return 0;
    }
    double cubic = d0 + d1 - 2 * rise, square = 3 * rise - 2 * d0 - d1;
    double t = -d0 / (square + sqrt(square * square - 3 * cubic * d0));
    double lowest = f0 + t * (d0 + t * (square + t * cubic));
    double middle = 4 * t * (1 - t); /* the cubic's error goes with the square of this */
    *when = t * length;
    return EXCURSION * middle * middle * lzb_larger(lzb_larger(f0, f1), lzb_larger(-d0, d1)) -
           lowest;
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
    const double *row = lzb_window_row(w, w->finest) + w->blocks * LZB_BLOCK;
    double beyond = sign > 0 ? -w->low[k] : w->high[k];
    return beyond > 3 * fabs(row[k] - w->c[k]) ? beyond : 0;
}

/* How far x may have gone below the point of opening between the ends of the step, in which c
 * turned from opening to closing. While c rises, x is convex, and stays above its tangents at both
 * ends; c may have been a little higher before the end than at it.
 */
static double depth_of_touch(const lzb_window *w, const span *s, double *when)
{
    double rate = w->rate[s->k], h = s->length;
    double depth = depth_of_dip(s->x0, rate * s->c0, s->x, rate * s->c, h, when);
    if (depth > 0 && s->a0 > 0) {
        double closing = rate * (s->c + (s->a < 0 ? -s->a * h : 0));
        double meet = (s->x0 - s->x + closing * h) / (closing - rate * s->c0);
        depth = lzb_smaller(depth, closing * (h - meet) - s->x);
    }
    return depth;
}

/* c may change its sign twice within a step, or x touch the point of opening, unseen at its ends.
 */
static void look_inside(const lzb_state *state, const lzb_window *w, const span *s,
                        lzb_lateness *late)
{
    double when = 0;
    if (s->mode != LZB_COMPRESSING || s->e < 1) {
        double sign = s->mode == LZB_COMPRESSING ? 1 : -1;
        double depth =
            depth_of_dip(sign * s->c0, sign * s->a0, sign * s->c, sign * s->a, s->length, &when);
        span bottom = *s;
        double seen = sign * s->c0 > 0 && sign * s->c > 0 ? excursion(w, s->k, sign) : 0;
        bottom.c = seen;
        if (seen > 0 && !(depth > 0)) {
            note_lateness(late, cost_of_sign_change(state, w, &bottom, s->length), 0.5 * s->length,
                          false, s->k);
        }
        bottom.c = depth;
        if (depth > 0) {
            note_lateness(late, cost_of_sign_change(state, w, &bottom, s->length), when, true,
                          s->k);
        }
    }
    if (s->mode == LZB_EXPANDING || (s->mode == LZB_COMPRESSING && s->e == 1)) {
        double depth = depth_of_touch(w, s, &when);
        if (depth > 0) {
            note_lateness(late, depth / s->allowed_x * (SHARE / REENTRY_SHARE), when, true, s->k);
        }
    }
}

/* Plainly nothing happens to most contacts in most steps: c keeps its sign and does not dip
 * towards 0, x stays above 0.
 */
static bool is_uneventful(const lzb_state *state, const lzb_window *w, size_t k)
{
    lzb_mode mode = (lzb_mode)state->mode[w->contact[k]];
    if (mode == LZB_COMPRESSING && state->model->restitution[w->contact[k]] == 1) {
        return w->x0[k] >= 0 && w->x[k] >= 0 && !(w->c0[k] < 0 && w->c[k] > 0);
    }
    double sign = mode == LZB_COMPRESSING ? 1 : -1;
    bool dips = sign * w->a0[k] < 0 && sign * w->a[k] > 0;
    return sign * w->c0[k] > 0 && sign * w->c[k] > 0 && !dips &&
           (sign > 0 ? w->low[k] > 0 : w->high[k] < 0) && (mode != LZB_EXPANDING || w->x[k] > 0);
}

static void examine(const lzb_state *state, const lzb_window *w, const span *s, lzb_lateness *late)
{
    look_inside(state, w, s, late);
    if (sign_is_wrong(s)) {
        double cost = cost_of_sign_change(state, w, s, time_since_sign_change(s));
        if (cost > 1) {
            double sign = s->mode == LZB_COMPRESSING ? 1 : -1;
            note_lateness(late, cost, newton(s->length, sign * s->c, sign * s->a, sign * s->c0),
                          sign * s->c0 > 0 || sign * s->a0 > 0, s->k);
        }
    }
    if (has_opened(s) && !(s->mode == LZB_COMPRESSING && sign_is_wrong(s))) {
        double cost = lzb_larger(cost_of_opening(state, w, s), cost_of_missed_reentry(s));
        if (cost > 1) {
            note_lateness(late, cost, newton(s->length, s->x, w->rate[s->k] * s->c, s->x0),
                          s->c < 0 && s->x0 > 0, s->k);
        }
    }
}

lzb_lateness lzb_events_examine_places(const lzb_state *state, const lzb_window *w, size_t first,
                                       size_t end, double length, double tolerance)
{
    lzb_lateness late = {0, length, SIZE_MAX, true};
    for (size_t k = first; k < end; k++) {
        if (!is_uneventful(state, w, k)) {
            span s = span_of(state, w, k, length, tolerance);
            examine(state, w, &s, &late);
        }
    }
    return late;
}

lzb_lateness lzb_events_examine(const lzb_state *state, lzb_window *w, double length,
                                double tolerance)
{
    return w->large ? lzb_parts_examine(state, w, length, tolerance)
                    : lzb_events_examine_places(state, w, 0, w->count, length, tolerance);
}

bool lzb_events_is_late(const lzb_state *state, const lzb_window *w, size_t place, double length,
                        double tolerance)
{
    lzb_lateness late = {0, length, SIZE_MAX, true};
    if (is_uneventful(state, w, place)) {
        return false;
    }
    span s = span_of(state, w, place, length, tolerance);
    examine(state, w, &s, &late);
    return late.place != SIZE_MAX;
}

/* So near to opening that the impulse still to come is within what is allowed, and sure to open:
 * with a large exponent the force may be nothing while the indentation is not, and a contact that
 * others slow down may turn before it opens and go on from there.
 */
static bool about_to_open(const lzb_state *state, const lzb_window *w, const span *s)
{
    if (!(s->c < 0) || s->x > 1e-2 * state->x_scale[s->j]) {
        return false;
    }
    double way = s->a > 0 ? w->rate[s->k] * s->c * s->c / (2 * s->a) : INFINITY;
    if (s->x > s->allowed_x && way < SURELY * s->x) {
        return false;
    }
    double tau = s->x / (w->rate[s->k] * -s->c);
    return state->model->d_diagonal[s->j] * force_at(w, s, s->x) * tau <= s->allowed_c;
}

/* Time until c changes its sign at the present acceleration. */
static double time_to_sign_change(const span *s)
{
    return s->c * s->a < 0 ? -s->c / s->a : INFINITY;
}

static double time_to_opening(const lzb_window *w, const span *s)
{
    return s->c < 0 ? s->x / (w->rate[s->k] * -s->c) : INFINITY;
}

double lzb_events_ahead(const lzb_state *state, const lzb_window *w, size_t place, double length,
                        double tolerance)
{
    span s = span_of(state, w, place, length, tolerance);
    bool changes_by_sign = s.mode != LZB_COMPRESSING || s.e < 1;
    bool opens = s.mode == LZB_EXPANDING || (s.mode == LZB_COMPRESSING && s.e == 1);
    double ahead = INFINITY;
    if (changes_by_sign) {
        ahead = time_to_sign_change(&s);
        if (ahead < INFINITY && cost_of_sign_change(state, w, &s, ahead) <= 1) {
            return 0;
        }
    }
    if (opens) {
        if (about_to_open(state, w, &s)) {
            return 0;
        }
        ahead = lzb_smaller(ahead, time_to_opening(w, &s));
    }
    return ahead;
}

/* ---- Looking ahead -------------------------------------------------------------------------- */

/* How near to the point of opening a step may come from afar, as a part of the time to it, ... */
static const double APPROACH = 0.7;
/* ... unless the impulse left until then is less than so many times what a step may miss. */
static const double THROUGH = 1e5;

static const double CERTAINLY = 3;

double lzb_events_approach(const lzb_state *state, const lzb_window *w, double tolerance)
{
    double longest = INFINITY;
    for (size_t k = 0; k < w->count; k++) {
        double speed = -w->rate[k] * w->c0[k];
        if (!(speed > 0) || !(w->x0[k] > 0) || w->offset[k] > 0 ||
            w->exponent[k] == nearbyint(w->exponent[k]) || w->settled[k]) {
            continue;
        }
        double way = w->a0[k] > 0 ? 0.5 * speed * -w->c0[k] / w->a0[k] : INFINITY;
        if (way < CERTAINLY * w->x0[k]) {
            continue; /* it may turn before it gets there */
        }
        double left = w->x0[k] / speed;
        if (left * APPROACH < longest &&
            w->own[k] * w->f0[k] * left > THROUGH * tolerance * state->speed) {
            longest = left * APPROACH;
        }
    }
    return longest;
}

/* ---- Acting on events ----------------------------------------------------------------------- */

static double energy_at(const lzb_state *state, size_t j, double x)
{
    return lzb_energy(state->model->stiffness[j], state->model->exponent[j], x);
}

/* What is left of the indentation is given up. */
static void let_go(lzb_state *state, const span *s, double depth)
{
    if (state->stiffness == LZB_MONO || s->e == 0) {
        state->loss[s->j] += energy_at(state, s->j, depth);
    }
    state->x[s->j] = state->x_open[s->j] = 0;
    state->mode[s->j] = (uint8_t)(s->c < 0 ? LZB_OPEN : LZB_COMPRESSING);
}

static void end_compression(lzb_state *state, const span *s)
{
    double exponent = state->model->exponent[s->j];
    state->compressions[s->j] += s->x > COUNTED * state->x_scale[s->j];
    /* c is 0 here only to within what is allowed: the indentation it stood for is half of c^2/a. */
    double missed = s->a < 0 ? -0.5 * s->c * s->c / s->a : 0;
    double left = s->x;
    if (state->stiffness == LZB_MONO) {
        left = (s->x + missed) * lzb_part_given_back(s->e, exponent) - missed;
    }
    if (s->e == 0 || left <= 0) {
        let_go(state, s, s->x);
        return;
    }
    state->mode[s->j] = LZB_EXPANDING;
    state->x_open[s->j] = s->x - left;
    state->x[s->j] = left;
}

static void compress_again(lzb_state *state, size_t j)
{
    state->mode[j] = LZB_COMPRESSING;
    state->x[j] += state->x_open[j];
    state->x_open[j] = 0;
}

/* An open contact that enters a time tau too early goes below 0 first, and comes back: with a small
 * exponent the force belonging to that way is not small.
 */
static double cost_of_false_entry(const lzb_state *state, const lzb_window *w, const span *s,
                                  double tau)
{
    double force = s->mode == LZB_OPEN ? force_at(w, s, 0.5 * fabs(s->c) * tau) : 0;
    return state->model->d_diagonal[s->j] * force * tau / s->allowed_c;
}

/* Is the contact closing, as far as its law is concerned? So close to c = 0 that either answer
 * costs nothing, the acceleration decides; then contacts that are mirror images change together.
 */
static bool closing(const lzb_state *state, const lzb_window *w, const span *s)
{
    double tau = s->a != 0 ? fabs(s->c / s->a) : INFINITY;
    if (fabs(s->c) < 1e-2 * state->speed && cost_of_sign_change(state, w, s, tau) <= 1 &&
        cost_of_false_entry(state, w, s, tau) <= 1) {
        return s->a > 0;
    }
    return s->c > 0;
}

size_t lzb_events_refine_places(lzb_state *state, const lzb_window *w, size_t first, size_t end,
                                double tolerance)
{
    size_t changes = 0;
    for (size_t k = first; k < end; k++) {
        lzb_mode mode = (lzb_mode)state->mode[w->contact[k]];
        double c0 = w->c0[k], a0 = w->a0[k];
        if ((mode == LZB_COMPRESSING && (w->x0[k] > 0 || (c0 >= 0 && a0 >= 0))) ||
            (mode == LZB_OPEN && c0 < 0 && a0 <= 0)) {
            continue;
        }
        span s = span_of(state, w, k, 0, tolerance);
        s.x = s.x0;
        s.c = s.c0;
        s.a = s.a0;
        lzb_mode wanted = s.mode;
        if (!(s.x > 0)) {
            s.mode = LZB_OPEN; /* what is at stake is an indentation missed from 0 on */
            wanted = s.c == 0 && s.a == 0    ? LZB_COMPRESSING
                     : closing(state, w, &s) ? LZB_COMPRESSING
                                             : LZB_OPEN;
        } else if (s.mode == LZB_EXPANDING && closing(state, w, &s)) {
            wanted = LZB_COMPRESSING;
            compress_again(state, s.j);
            changes++;
        }
        changes += (lzb_mode)state->mode[s.j] != wanted;
        state->mode[s.j] = (uint8_t)wanted;
    }
    return changes;
}

size_t lzb_events_refine(lzb_state *state, lzb_window *w, double tolerance)
{
    return w->large ? lzb_parts_refine(state, w, tolerance)
                    : lzb_events_refine_places(state, w, 0, w->count, tolerance);
}

static void settle_mode(lzb_state *state, const lzb_window *w, const span *s)
{
    switch (s->mode) {
    case LZB_OPEN:
        state->mode[s->j] = (uint8_t)(s->c < 0 ? LZB_OPEN : LZB_COMPRESSING);
        return;
    case LZB_COMPRESSING:
        if (!(s->x > 0) || (s->e == 1 && about_to_open(state, w, s))) {
            let_go(state, s, 0);
        } else if (s->e < 1 && !closing(state, w, s)) {
            end_compression(state, s);
        }
        return;
    case LZB_EXPANDING:
        if (s->x <= 0 || about_to_open(state, w, s)) {
            let_go(state, s, lzb_larger(s->x + s->offset, 0));
        } else if (closing(state, w, s)) {
            compress_again(state, s->j);
        }
    }
}

/* ---- Bookkeeping ---------------------------------------------------------------------------- */

/* Largest x within a step in which c changed from closing to opening: the quintic that matches x,
 * c and c' at both ends, at its stationary point.
 */
static double peak_indentation(const lzb_window *w, const span *s)
{
    double h = s->length, rate = w->rate[s->k];
    double d0 = rate * s->c0 * h, d1 = rate * s->c * h;
    double a0 = rate * s->a0 * h * h;
    double a1 = rate * s->a * h * h;
    double rise = s->x - s->x0;
    double q3 = 10 * rise - 6 * d0 - 4 * d1 - 1.5 * a0 + 0.5 * a1;
    double q4 = -15 * rise + 8 * d0 + 7 * d1 + 1.5 * a0 - a1;
    double q5 = 6 * rise - 3 * d0 - 3 * d1 - 0.5 * a0 + 0.5 * a1;
    double low = 0, high = 1, t = d0 / (d0 - d1);
    for (int i = 0; i < 8; i++) { /* Newton's method, kept between the ends */
        double slope = d0 + t * (a0 + t * (3 * q3 + t * (4 * q4 + t * 5 * q5)));
        double bend = a0 + t * (6 * q3 + t * (12 * q4 + t * 20 * q5));
        *(slope > 0 ? &low : &high) = t;
        double next = bend < 0 ? t - slope / bend : low;
        next = next > low && next < high ? next : 0.5 * (low + high);
        if (fabs(next - t) < 1e-9) { /* x is stationary there */
            break;
        }
        t = next;
    }
    return s->x0 + t * (d0 + t * (0.5 * a0 + t * (q3 + t * (q4 + t * q5))));
}

/* At the end of a step in which x came to 0 or below. */
static double time_since_opening(const lzb_window *w, const span *s)
{
    return s->x < 0 && s->c < 0 ? lzb_smaller(s->x / (w->rate[s->k] * s->c), s->length) : 0;
}

static void book(lzb_state *state, const lzb_window *w, const span *s)
{
    size_t j = s->j;
    double highest = lzb_larger(s->x0, s->x);
    bool turned = s->c0 > 0 && s->c <= 0 && highest > COUNTED * state->x_scale[j];
    if (turned) { /* below e = 1 the end of compression is an event, counted there */
        state->compressions[j] += s->e == 1;
        highest = lzb_larger(highest, peak_indentation(w, s));
    }
    state->peak[j] = lzb_larger(state->peak[j], highest + s->offset);
    if (s->x > 0) {
        state->held[j] += s->length;
    } else if (s->x0 > 0) {
        state->held[j] += s->length - time_since_opening(w, s);
    }
    if (s->mode == LZB_EXPANDING && state->stiffness == LZB_BI) {
        double released = lzb_window_energy_before(w, s->k) - lzb_window_energy_after(w, s->k);
        state->loss[j] += (1.0 - s->e * s->e) * released;
    }
}

/* A contact that plainly goes on as it did: pressed throughout, or at no time. It has only to be
 * booked.
 */
static bool goes_on(const lzb_state *state, const lzb_window *w, size_t k, size_t j)
{
    double x0 = w->x0[k], x = w->x[k], c0 = w->c0[k], c = w->c[k];
    switch ((lzb_mode)state->mode[j]) {
    case LZB_OPEN:
        return c < 0 && x0 == 0 && x == 0;
    case LZB_COMPRESSING:
        if (state->model->restitution[j] < 1) {
            return x > 0 && c0 > 0 && c > 1e-2 * state->speed;
        }
        return (x > 0 && c0 > 0 && c > 0) || (x > 1e-2 * w->scale[k] && c0 < 0 && c < 0) ||
               (x == 0 && x0 == 0 && c == 0);
    case LZB_EXPANDING:
        break;
    }
    return false;
}

static void book_going_on(lzb_state *state, const lzb_window *w, size_t k, size_t j, double length)
{
    double deepest = lzb_larger(w->x0[k], w->x[k]);
    if (deepest > 0) {
        state->peak[j] = lzb_larger(state->peak[j], deepest);
        state->held[j] += length;
        state->x[j] = w->x[k];
    }
}

/* What is the same for all contacts, of a piece of a line. */
static WIDE void book_piece(lzb_state *state, const lzb_window *w, size_t count, double tolerance)
{
    size_t first = w->contact[0];
    double *c = state->c + first, *p = state->p + first, *doubt = state->doubt + first;
#pragma GCC ivdep
    for (size_t k = 0; k < count; k++) {
        c[k] = w->c[k];
        p[k] += w->p[k];
        doubt[k] += w->error[k] * tolerance;
    }
}

static void book_places(lzb_state *state, const lzb_window *w, size_t first, size_t end,
                        double tolerance)
{
    for (size_t k = first; k < end; k++) {
        size_t j = w->contact[k];
        state->c[j] = w->c[k];
        if (!w->settled[k]) {
            state->p[j] += w->p[k];
            state->doubt[j] += w->error[k] * tolerance;
        }
    }
}

static size_t settle_places(lzb_state *state, const lzb_window *w, size_t first, size_t end,
                            double length, double tolerance, double *opened)
{
    size_t changes = 0;
    for (size_t k = first; k < end; k++) {
        size_t j = w->contact[k];
        if (w->settled[k]) {
            continue;
        }
        if (goes_on(state, w, k, j)) {
            book_going_on(state, w, k, j, length);
            continue;
        }
        span s = span_of(state, w, k, length, tolerance);
        book(state, w, &s);
        state->x[j] = lzb_larger(s.x, 0);
        state->doubt[j] += s.x < 0 && s.c > 0 ? -s.x * w->per_scale[k] : 0;
        settle_mode(state, w, &s);
        if (state->x[j] == 0 && (s.x0 > 0 || s.x > 0)) {
            *opened = lzb_larger(*opened, state->time + length - time_since_opening(w, &s));
        }
        changes += (lzb_mode)state->mode[j] != s.mode;
    }
    return changes;
}

size_t lzb_events_settle_places(lzb_state *state, const lzb_window *w, size_t first, size_t end,
                                double length, double tolerance, double *opened)
{
    book_places(state, w, first, end, tolerance);
    return settle_places(state, w, first, end, length, tolerance, opened);
}

static size_t settle_all(lzb_state *state, const lzb_window *w, double length, double tolerance)
{
    if (lzb_window_is_piece(w) && !w->any_settled) {
        book_piece(state, w, w->count, tolerance);
    } else {
        book_places(state, w, 0, w->count, tolerance);
    }
    return settle_places(state, w, 0, w->count, length, tolerance, &state->opened);
}

size_t lzb_events_settle(lzb_state *state, lzb_window *w, double length, double tolerance)
{
    size_t changes = w->large ? lzb_parts_settle(state, w, length, tolerance)
                              : settle_all(state, w, length, tolerance);
    lzb_window_pass_on(state, w);
    state->time += length;
    return changes;
}
