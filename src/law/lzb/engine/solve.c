/* The collocation equations of a step, by iteration from contact to contact. */
#include <math.h>
#include <string.h>

#include "base/width.h"
#include "law/lzb/engine/friction/friction.h"
#include "law/lzb/state/bodies.h"
#include "law/lzb/state/power.h"

typedef int64_t lzb_nodal_bits
    __attribute__((vector_size(LZB_NODES * sizeof(int64_t)), aligned(8)));

#define LOOPS "law/lzb/engine/solve_loops.h"
#include "base/loops.h"
LOOP(guess);
LOOP(sweep);

enum { MOST_SWEEPS = 28, MOST_JOININGS = 8 };
/* Of the error of a step, what may be left of the iteration. */
static const double LEFT_SHARE = 0.02;
/* Of the length of a step, by how much an end_event may be missed. */
static const double AIM_MISSED = 1e-3;

static double dot(const lzb_nodal *a, const lzb_nodal *b)
{
    lzb_nodal p = *a * *b;
    return ((p[0] + p[1]) + (p[2] + p[3])) + ((p[4] + p[5]) + (p[6] + p[7]));
}

/* ---- The first guess ------------------------------------------------------------------------- */

static void guess_impulses(lzb_engine *e)
{
    guess[e->state->width](e);
    if (e->friction != NULL) {
        lzb_friction_guess(e);
    }
    for (size_t i = 0; i < e->window.pressing; i++) {
        e->sum[i] = e->trial.length * dot(&lzb_engine_table(e)->impulse, &e->force[i]);
    }
}

/* Is an open contact at c = 0 driven together by the impulses foreseen? */
static bool is_driven(const lzb_engine *e, size_t i)
{
    return e->window.member[i].c - lzb_engine_row(e, i, e->sum) > e->ignored;
}

void lzb_engine_predict(lzb_engine *e)
{
    bool joined = true;
    for (int level = 0; level < MOST_JOININGS && joined; level++) {
        guess_impulses(e);
        joined = false;
        for (size_t i = e->window.pressing; i < e->window.count; i++) {
            const lzb_member *member = &e->window.member[i];
            if (member->c >= -e->ignored && is_driven(e, i)) {
                lzb_engine_join(e, i, 0);
                joined = true;
            }
        }
        if (joined) {
            lzb_engine_load(e);
        }
    }
    if (joined) {
        guess_impulses(e);
    }
}

void lzb_engine_resample(lzb_engine *e, double length, lzb_map map)
{
    const lzb_table *table = &lzb_nodes_gauss.map[map];
    double places[LZB_NODES];
    lzb_nodal columns[LZB_NODES];
    for (unsigned l = 0; l < LZB_NODES; l++) {
        places[l] = lzb_nodes_tau(e->trial.map, length * table->time[l] / e->trial.length);
    }
    lzb_nodes_interpolate(places, columns);
    for (size_t i = 0; i < e->window.pressing; i++) {
        lzb_nodal force = {0};
        for (unsigned j = 0; j < LZB_NODES; j++) {
            force += columns[j] * e->force[i][j];
        }
        for (unsigned l = 0; l < LZB_NODES; l++) {
            e->force[i][l] = lzb_larger(force[l], 0);
        }
    }
    if (e->friction != NULL) {
        lzb_friction_resample(e, columns);
    }
    e->trial.length = length;
    e->trial.map = map;
}

/* ---- The iteration --------------------------------------------------------------------------- */

static bool is_knot(lzb_event event)
{
    return event == LZB_TOP_EVENT || event == LZB_BOTTOM_EVENT;
}

/* What it comes to that the end_event is missed by a time, as a speed: the rate of the other mode
 * meanwhile, or a force that is none. Where the law jumps the speed itself.
 */
static double cost_of_missing(const lzb_engine *e, const lzb_member *member, double time,
                              double slope)
{
    double missed = fabs(slope * time);
    if (e->trial.end_event.event == LZB_OPENING_EVENT) {
        double force = member->open > 0 ? lzb_member_force(member, 0) : 0;
        return member->own * time *
               (force + (member->branch.curve != NULL
                             ? crm_curve_force(member->branch.curve, missed)
                             : lzb_contact_force(member->stiffness, member->exponent, missed)));
    }
    if (is_knot(e->trial.end_event.event)) {
        bool up = e->trial.end_event.event == LZB_TOP_EVENT;
        return member->own * time *
               lzb_branch_kink(e->state->model, member->contact, &member->branch, up, missed);
    }
    bool jumps = member->restitution == 0 || e->trial.end_event.event == LZB_SLIP_EVENT ||
                 e->state->stiffness_model == LZB_MONO;
    double way = lzb_engine_kink(e, member) * 0.5 * missed * time;
    return jumps ? missed : way * lzb_engine_frequency(e, member, member->x);
}

/* Is the end_event met for who watches? */
static bool is_near(const lzb_engine *e, const lzb_member *member, double missed)
{
    bool opens = e->trial.end_event.event != LZB_SIGN_EVENT;
    return e->observer == NULL ||
           fabs(missed) <= e->observer->accuracy *
                               (opens ? e->state->x_scale[member->contact] : e->state->speed);
}

static bool change_length(lzb_engine *e, double change, double slope, bool *met)
{
    double h = e->trial.length;
    const lzb_member *member = &e->window.member[e->trial.end_event.place];
    if (!(fabs(change) < 0.5 * h)) {
        return false;
    }
    *met = fabs(change) <= AIM_MISSED * h && is_near(e, member, slope * change) &&
           cost_of_missing(e, member, fabs(change), slope) <= LEFT_SHARE * e->small;
    if (!*met) { /* else the forces converge faster without */
        e->trial.length = h + change;
    }
    return true;
}

/* The same for a contact that comes to rest; one that was at rest and goes back at once is met where
 * it was seen.
 */
static bool approach_rest(lzb_engine *e, bool *met)
{
    double slope, slip = lzb_friction_slip_along(e, e->trial.end_event.place, &slope);
    if (lzb_friction_is_at_rest(e, e->trial.end_event.place)) {
        return true;
    }
    return change_length(e, slope < 0 ? -slip / slope : INFINITY, slope, met);
}

/* Newton's method for the length at which the end_event is met, with the forces as they are now.
 * false: it is not to be met.
 */
static bool approach(lzb_engine *e, bool *met)
{
    const lzb_engine_window *w = &e->window;
    lzb_trial *trial = &e->trial;
    size_t i = trial->end_event.place;
    const lzb_member *member = &w->member[i];
    lzb_nodal pull = {0};
    if (trial->end_event.event == LZB_LIMIT_EVENT) {
        return true; /* where it was seen */
    }
    if (trial->end_event.event == LZB_SLIP_EVENT) {
        return approach_rest(e, met);
    }
    for (uint32_t k = w->start[i]; k < w->start[i + 1]; k++) {
        pull += w->value[k] * e->force[w->column[k]];
    }
    double h = trial->length, c = member->c - h * dot(&lzb_engine_table(e)->impulse, &pull), change,
           slope;
    if (trial->end_event.event == LZB_SIGN_EVENT) {
        slope = -dot(&lzb_nodes_gauss.end, &pull);
        change = (member->mode == LZB_COMPRESSING) == (slope < 0) ? -c / slope : INFINITY;
    } else {
        double moment = h * h * dot(&lzb_engine_table(e)->moment, &pull);
        bool up = trial->end_event.event == LZB_TOP_EVENT;
        double target = up                                           ? lzb_member_top(member)
                        : trial->end_event.event == LZB_BOTTOM_EVENT ? lzb_member_bottom(member)
                                                                     : 0;
        slope = member->rate * c;
        change = up == (c > 0) && c != 0
                     ? (target - (member->x + member->rate * (h * member->c - moment))) / slope
                     : INFINITY;
    }
    return change_length(e, change, slope, met);
}

unsigned lzb_engine_solve(lzb_engine *e)
{
    lzb_trial *trial = &e->trial;
    double last = INFINITY, first_length = trial->length;
    for (unsigned n = 1; n <= MOST_SWEEPS; n++) {
        double allowed = LEFT_SHARE * e->small / trial->length;
        double most = sweep[e->state->width](e);
        if (e->friction != NULL && e->friction->d > 1) {
            most = lzb_friction_turn(e, most);
        }
        e->evaluations += e->window.pressing;
        bool met = true;
        if (trial->end_event.event != LZB_NO_EVENT) {
            if (!approach(e, &met) || trial->length < 0.2 * first_length ||
                trial->length > 2 * first_length) {
                return 0;
            }
        }
        double next = n > 3 && most < last ? most * (most / last) : most;
        if (met && (most <= allowed || (next < most && next <= 0.3 * allowed))) {
            trial->left = trial->length * next;
            return n;
        }
        if (!(most < INFINITY)) {
            return 0;
        }
        last = most;
    }
    return 0;
}

/* ---- The end of the step --------------------------------------------------------------------- */

/* The share of the 8th Legendre coefficient in a swing with a frequency w: 17 j_8(wh/2), of the
 * spherical Bessel function, by the first term of its series.
 */
static double eighth_coefficient(double phase2)
{
    const double double_factorial = 34459425; /* 17!! */
    double fourth = 0.0625 * phase2 * phase2; /* (wh/2)^4 */
    return lzb_smaller(17 * fourth * fourth / double_factorial, 1);
}

/* What a step lacks is the product of two 8th Legendre coefficients: that of a force, and that of
 * what a change of the force does by the end of the step. The first is at most about the 7th. The
 * second falls as fast where force and answer are alike, and the error is the square of the last,
 * relative; a contact that swings fast answers fast even to forces that hardly change. A slow end
 * leaves some that fall like a power.
 */
double lzb_engine_error(const lzb_engine *e, const lzb_member *member, const lzb_nodal *force,
                        double impulse, double falls)
{
    const lzb_trial *trial = &e->trial;
    const lzb_table *table = lzb_engine_table(e);
    double highest = fabs(dot(&table->highest[0], force));
    double before = fabs(dot(&table->highest[1], force));
    bool cubed = trial->map >= LZB_MAP_START_CUBED; /* which is of degree 6 by itself */
    double last = trial->length * member->own * lzb_larger(highest, (cubed ? 0.05 : 0.3) * before);
    double sum = member->own * impulse;
    if (!(last < sum)) {
        return last;
    }
    double ratio = last / sum,
           swing = eighth_coefficient(trial->length * trial->length * member->frequency2);
    if (trial->map == LZB_MAP_PLAIN) {
        return last * lzb_larger(3 * ratio, swing);
    }
    double power = ratio > 1e-100 ? ratio * lzb_near_power(ratio, 0.3) : 0;
    double fractional = 0;
    if (cubed) { /* coefficients of a power of tau fall like one */
        double fall = lzb_near_power(7.0 / 16, falls);
        fractional = 0.2 * fall * trial->length * member->own * highest;
    }
    return last * lzb_larger(power, swing) + fractional;
}

/* c and the way h c - D moment at the end, where D does not tell them. */
static void go_by_bodies(lzb_engine *e)
{
    const lzb_engine_window *w = &e->window;
    const lzb_by_bodies *by = &e->bodies;
    for (size_t i = 0; i < w->count; i++) {
        const lzb_member *member = &w->member[i];
        by->contact[i] = member->contact;
        by->impulse[i] = i < w->pressing ? member->impulse : 0;
        by->before[i] = member->c;
    }
    lzb_bodies_kick(e->state, by->contact, w->count, by->impulse, by->before, by->after);
    for (size_t i = 0; i < w->count; i++) {
        lzb_member *member = &w->member[i];
        member->c1 = by->after[i];
        by->impulse[i] = i < w->pressing ? member->moment : 0;
        by->before[i] = e->trial.length * member->c;
    }
    lzb_bodies_kick(e->state, by->contact, w->count, by->impulse, by->before, by->after);
    for (size_t i = 0; i < w->count; i++) {
        lzb_member *member = &w->member[i];
        member->x1 = member->x + member->rate * by->after[i];
    }
}

/* How x' answers to c where the contact is stiffest, at the start or near the end. */
static double slope_of(const lzb_member *member, const lzb_nodal *force)
{
    bool deeper = member->x1 > member->x;
    double depth = (deeper ? member->x1 : member->x) + member->open;
    double press = deeper ? (*force)[LZB_NODES - 1] : member->force;
    return depth > 0 ? member->rate * lzb_member_slope(member, press, depth) : 0;
}

static void finish_site(lzb_engine *e, lzb_member *member, uint32_t from, uint32_t to)
{
    const lzb_engine_window *w = &e->window;
    double h = e->trial.length, down = 0, up = 0, moment = 0, spread = 0;
    for (uint32_t k = from; k < to; k++) {
        const lzb_member *other = &w->member[w->column[k]];
        double kick = w->value[k] * other->impulse;
        if (w->column[k] >= e->state->contacts) { /* of either sign on the way */
            double most = fabs(w->value[k]) * other->high;
            spread += most - fabs(kick);
        }
        *(kick > 0 ? &down : &up) += kick;
        moment += w->value[k] * other->moment;
    }
    member->low = member->c - down - spread;
    member->high = member->c - up + spread;
    member->c1 = member->c - (down + up);
    member->x1 = member->x + member->rate * (h * member->c - moment);
}

void lzb_engine_finish(lzb_engine *e)
{
    const lzb_engine_window *w = &e->window;
    const lzb_table *table = lzb_engine_table(e);
    double h = e->trial.length;
    for (size_t i = 0; i < w->pressing; i++) {
        lzb_member *member = &w->member[i];
        member->impulse = h * dot(&table->impulse, &e->force[i]);
        member->moment = h * h * dot(&table->moment, &e->force[i]);
    }
    if (e->friction != NULL) {
        lzb_friction_finish(e);
    }
    for (size_t i = 0; i < w->count; i++) {
        finish_site(e, &w->member[i], w->start[i], w->start[i + 1]);
    }
    if (e->bodies.contact != NULL) {
        go_by_bodies(e);
    }
    for (size_t i = 0; i < w->pressing; i++) {
        e->slope[i] = slope_of(&w->member[i], &e->force[i]);
    }
    e->trial.error = 0;
    for (size_t i = 0; i < w->pressing; i++) {
        lzb_member *member = &w->member[i];
        member->frequency2 = 0;
        for (uint32_t k = w->start[i]; k < w->start[i + 1]; k++) {
            member->frequency2 += fabs(w->value[k]) * e->slope[w->column[k]];
        }
        e->sum[i] =
            lzb_engine_error(e, member, &e->force[i], member->impulse, 6 * member->exponent + 5);
        e->trial.error = lzb_larger(e->trial.error, e->sum[i]);
    }
    if (e->friction != NULL) {
        e->trial.error = lzb_larger(e->trial.error, lzb_friction_error(e));
    }
    if (e->observer != NULL) {
        e->trial.error = lzb_larger(e->trial.error, e->observer->error(e->observer->self, e));
    }
}
