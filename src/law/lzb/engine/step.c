/* One step: as long as its error allows, or to the first event. */
#include <math.h>

#include "law/lzb/engine/friction/friction.h"
#include "law/lzb/state/power.h"

/* Errors are kept below what is allowed by so much. */
static const double SAFE = 0.85;
/* The most that a step may be longer than the last. */
static const double LONGER = 2;
/* The least of that where the last one was slow at its start. */
static const double AFTER_START = 1.5;
/* Steps of linear contacts: longer ones have other solutions than the right one. */
static const double MOST_PHASE = 2.6;
/* How errors fall with the length of a step, without a slow end and with one. */
static const double PLAIN_ORDER = 12, SLOW_ORDER = 6;
/* Of the time in which a struck contact would stop by itself, and of the error that makes, as a
 * part of its speed.
 */
static const double STRIKE_PART = 0.6, STRIKE_ERROR = 1e-6;
enum { MOST_ATTEMPTS = 60, MOST_AIMS = 12, MANY_SWEEPS = 9, TOO_MANY_SWEEPS = 11 };

static bool is_half_integer(double exponent)
{
    return 2 * exponent == floor(2 * exponent);
}

/* Is a force that begins or ends analytic? x log x is not. */
static bool is_smooth(const lzb_engine *e, const lzb_member *member)
{
    bool logs = e->observer != NULL && e->observer->logs;
    return member->exponent == floor(member->exponent) && !logs;
}

static lzb_map map_of(bool start, bool end, bool cubed)
{
    static const lzb_map maps[2][2][2] = {
        {{LZB_MAP_PLAIN, LZB_MAP_PLAIN}, {LZB_MAP_END, LZB_MAP_END_CUBED}},
        {{LZB_MAP_START, LZB_MAP_START_CUBED}, {LZB_MAP_BOTH, LZB_MAP_BOTH_CUBED}}};
    return maps[start][end][cubed];
}

/* Does a force begin that is not analytic? */
static lzb_map start_map(const lzb_engine *e)
{
    bool start = false, cubed = false;
    for (size_t i = 0; i < e->window.pressing; i++) {
        const lzb_member *member = &e->window.member[i];
        if (!(member->x > 0) && !is_smooth(e, member)) {
            cubed |= !is_half_integer(member->exponent);
            start |= cubed || member->c > e->ignored;
        }
    }
    return map_of(start, false, cubed);
}

/* The same where the force of this contact ends. */
static lzb_map end_map(const lzb_engine *e, lzb_map map)
{
    const lzb_located_event *end_event = &e->trial.end_event;
    const lzb_member *member = &e->window.member[end_event->place];
    if (end_event->event != LZB_OPENING_EVENT || is_smooth(e, member) || member->open > 0) {
        return map;
    }
    bool start = map == LZB_MAP_START || map == LZB_MAP_START_CUBED;
    return map_of(start, true, map == LZB_MAP_START_CUBED || !is_half_integer(member->exponent));
}

/* ---- How long -------------------------------------------------------------------------------- */

/* The time in which a struck contact would stop by itself. */
static double time_to_stop(const lzb_member *member, double c)
{
    double energy = c * c / (2 * member->own);
    double depth = member->branch.curve != NULL
                       ? crm_curve_at_energy(member->branch.curve, energy)
                       : lzb_contact_indentation(member->stiffness, member->exponent, energy);
    return depth / c;
}

static double longest_length(const lzb_engine *e, double longest)
{
    for (size_t i = 0; i < e->window.pressing; i++) {
        const lzb_member *member = &e->window.member[i];
        if (member->kind == LZB_LINEAR) {
            longest = lzb_smaller(
                longest, MOST_PHASE / sqrt(member->own * member->stiffness * member->rate));
        }
        if (!(member->x > 0) && member->c > e->ignored) {
            double ratio = lzb_smaller(1, e->small / (STRIKE_ERROR * member->c));
            double part = STRIKE_PART * lzb_near_power(ratio, 1 / SLOW_ORDER);
            longest = lzb_smaller(longest, part * time_to_stop(member, member->c));
        }
    }
    return longest;
}

/* The first root of f + t (f1 + t (f2 + t f3)) after 0 of a function that falls, from the parabola
 * and by Newton's method; INFINITY: none in sight.
 */
static double fall_to_zero(double f, double f1, double f2, double f3)
{
    double q = f1 * f1 - 4 * f2 * f;
    double t = q >= 0 ? 2 * f / (sqrt(q) - f1) : INFINITY;
    for (int k = 0; k < 3 && t > 0 && t < INFINITY; k++) {
        double slope = f1 + t * (2 * f2 + t * 3 * f3);
        t = slope < 0 ? t - (f + t * (f1 + t * (f2 + t * f3))) / slope : INFINITY;
    }
    return t > 0 ? t : INFINITY;
}

/* Where x leaves its branch. */
static lzb_located_event first_knot_of(const lzb_engine *e, const lzb_member *member, size_t i)
{
    double r = member->rate, sign = member->c > 0 ? 1 : -1;
    double way =
        member->c > 0 ? lzb_member_top(member) - member->x : member->x - lzb_member_bottom(member);
    lzb_event event = member->c > 0 ? LZB_TOP_EVENT : LZB_BOTTOM_EVENT;
    double time = way > 0 && way < INFINITY && !lzb_engine_stays(e, member, member->c > 0)
                      ? fall_to_zero(way, -sign * r * member->c, -sign * 0.5 * r * member->accel,
                                     -sign * r * member->jerk / 6)
                      : INFINITY;
    return (lzb_located_event){event, i, time};
}

static lzb_located_event first_event_of(const lzb_engine *e, size_t i)
{
    const lzb_member *member = &e->window.member[i];
    double r = member->rate, turn = INFINITY, opening = INFINITY;
    if (member->mode == LZB_COMPRESSING && member->turns && member->c > 0) {
        turn = fall_to_zero(member->c, member->accel, 0.5 * member->jerk, 0);
    } else if (member->mode == LZB_EXPANDING && member->c < 0 && !member->branch.unloading) {
        turn = fall_to_zero(-member->c, -member->accel, -0.5 * member->jerk, 0);
    }
    if (lzb_member_gives_back(member) && member->c < 0 && member->x > 0) {
        opening =
            fall_to_zero(member->x, r * member->c, 0.5 * r * member->accel, r * member->jerk / 6);
    }
    lzb_located_event first = turn < opening ? (lzb_located_event){LZB_SIGN_EVENT, i, turn}
                                             : (lzb_located_event){LZB_OPENING_EVENT, i, opening};
    if (member->branch.top < INFINITY || member->branch.bottom > 0) {
        lzb_located_event knot = first_knot_of(e, member, i);
        first = knot.time < first.time ? knot : first;
    }
    return first;
}

/* The event that a step of about this length should end with. */
static lzb_located_event first_event(const lzb_engine *e, double *length)
{
    lzb_located_event first = {.event = LZB_NO_EVENT, .time = INFINITY};
    for (size_t i = 0; i < e->window.pressing; i++) {
        lzb_located_event next = first_event_of(e, i);
        first = next.time < first.time ? next : first;
    }
    if (first.time <= *length) {
        *length = first.time;
        return first;
    }
    if (first.time < 1.6 * *length) {
        *length = 0.6 * first.time;
    }
    return (lzb_located_event){.event = LZB_NO_EVENT, .time = INFINITY};
}

/* ---- Attempts -------------------------------------------------------------------------------- */

/* How often a step was tried, and with what. */
typedef struct attempts {
    unsigned aims; /* events in turn */
    bool fresh;    /* the forces are to be foreseen from the start */
    bool refused;  /* too long without any end_event */
    bool stopped;  /* an end_event was given up */
    double length; /* before events were found on the way */
    lzb_map map;   /* but for the end */
} attempts;

/* Contacts that have joined in this step would perhaps not in a shorter one. (Who watches has been
 * told that they did.)
 */
static void part_again(lzb_engine *e)
{
    for (size_t i = 0; i < e->window.pressing && e->observer == NULL; i++) {
        const lzb_member *member = &e->window.member[i];
        if (!(member->x > 0) && fabs(member->c) <= e->ignored) {
            e->state->mode[member->contact] = LZB_OPEN;
            e->window.stale = true;
        }
    }
    if (e->window.stale) {
        lzb_engine_load(e);
    }
}

static void begin_anew(lzb_engine *e, attempts *a, double factor)
{
    part_again(e);
    a->refused |= e->trial.end_event.event == LZB_NO_EVENT;
    a->stopped |= e->trial.end_event.event != LZB_NO_EVENT;
    a->length = factor * (a->aims > 0 ? a->length : e->trial.length);
    e->trial.length = a->length;
    e->trial.end_event = (lzb_located_event){.event = LZB_NO_EVENT, .time = INFINITY};
    e->trial.map = a->map;
    a->fresh = true;
    a->aims = 0;
}

static void aim_at(lzb_engine *e, attempts *a, const lzb_located_event *next)
{
    a->length = a->aims == 0 ? e->trial.length : a->length;
    if (++a->aims > MOST_AIMS) {
        begin_anew(e, a, 0.5);
        return;
    }
    e->trial.end_event = *next;
    double length = lzb_larger(next->time, 1e-13 * e->trial.length);
    lzb_engine_resample(e, length, end_map(e, a->map));
}

static double by_error(const lzb_engine *e)
{
    double ratio = e->small / e->trial.error;
    double order = e->trial.map == LZB_MAP_PLAIN ? PLAIN_ORDER : SLOW_ORDER;
    return ratio < 1e100 ? SAFE * lzb_near_power(ratio, 1.0 / order) : LONGER;
}

static void choose_next(lzb_engine *e, const attempts *a, unsigned sweeps)
{
    double factor = by_error(e);
    factor = sweeps > TOO_MANY_SWEEPS ? lzb_smaller(factor, 0.8)
             : sweeps > MANY_SWEEPS   ? lzb_smaller(factor, 1.05)
                                      : factor;
    bool after_start = a->map != LZB_MAP_PLAIN; /* the end of which is no longer near it */
    factor = lzb_larger(after_start ? AFTER_START : 0.3,
                        lzb_smaller(factor, a->refused && !after_start ? 1 : LONGER));
    double next = e->trial.length * factor;
    bool cut = (a->stopped || e->trial.end_event.event != LZB_NO_EVENT) && !a->refused;
    e->next_length =
        cut ? lzb_larger(next, e->next_length * lzb_smaller(1, lzb_larger(factor, 0.5))) : next;
}

/* Changes of forces that begin in the middle of an impact are less smooth than they are. */
static void foresee_forces(lzb_engine *e, attempts *a)
{
    lzb_engine_predict(e);
    if (e->observer != NULL && a->map != start_map(e)) { /* contacts have joined */
        a->map = start_map(e);
        e->trial.map = end_map(e, a->map);
        lzb_engine_predict(e);
    }
}

/* One attempt; true: the step may be accepted. */
static bool attempt(lzb_engine *e, attempts *a, unsigned *sweeps)
{
    bool joined;
    if (a->fresh) {
        foresee_forces(e, a);
        a->fresh = false;
    }
    *sweeps = lzb_engine_solve(e);
    if (*sweeps == 0) {
        begin_anew(e, a, 0.5);
        return false;
    }
    lzb_engine_finish(e);
    if (!(e->trial.error <= e->small)) {
        begin_anew(e, a, lzb_larger(0.2, lzb_smaller(by_error(e), 0.9)));
        return false;
    }
    lzb_located_event next = lzb_engine_look(e, &joined);
    if (joined) {
        lzb_engine_load(e);
        e->trial.end_event = (lzb_located_event){.event = LZB_NO_EVENT, .time = INFINITY};
        a->fresh = true;
        return false;
    }
    if (next.time < INFINITY) {
        if (next.event == LZB_NO_EVENT) { /* too long to tell */
            begin_anew(e, a, next.time / e->trial.length);
        } else {
            aim_at(e, a, &next);
        }
        return false;
    }
    return true;
}

lzb_progress lzb_engine_step(lzb_engine *e, double longest)
{
    if (e->friction != NULL) { /* before a speed that is 0 by rounding is taken for a turn */
        lzb_engine_load(e);
        if (e->status == CRM_OK && lzb_friction_is_locked(e)) {
            return LZB_LOCKED;
        }
    }
    lzb_engine_update_modes(e);
    if (e->status != CRM_OK) {
        return LZB_STUCK;
    }
    if (e->window.pressing == 0) {
        return LZB_AT_REST;
    }
    attempts a = {.fresh = true, .map = start_map(e)};
    double length = longest_length(e, lzb_smaller(e->next_length, longest));
    e->trial = (lzb_trial){.map = a.map};
    e->trial.end_event = first_event(e, &length);
    e->trial.length = length;
    e->trial.map = end_map(e, a.map);
    for (unsigned tries = 0; tries < MOST_ATTEMPTS; tries++) {
        unsigned sweeps;
        if (attempt(e, &a, &sweeps)) {
            choose_next(e, &a, sweeps);
            lzb_engine_accept(e);
            return LZB_MOVED;
        }
    }
    return LZB_STUCK;
}
