/* Events within a step of the lanes: the first is found, and none is passed over. Internal.
 *
 * What is watched are polynomials: the closing speed of a contact whose law changes with its sign,
 * the indentation of one that is pressed. Each starts on its right side (g <= 0 below). The step is
 * cut where one is seen to have left it; then it must be shown that none left it before and came
 * back. On the interval from 0 to h a polynomial stays below the largest of its Bernstein
 * coefficients
 *
 *     B_k = sum over i up to k of (k over i) / (n over i) g_i h^i,    k from 0 to n,
 *
 * which tend to its values as h becomes shorter; where they do not show it, the step is taken
 * again, half as long. Two cheaper bounds mostly spare them: the sum of all other terms, which is
 * found before anything else, for where it is less than the first there is nothing to look for; and
 * one on the bend.
 */
#ifndef CRM_LZB_BATCH_EVENTS_H
#define CRM_LZB_BATCH_EVENTS_H

#include "law/lzb/batch/series.h"

/* ---- The first ------------------------------------------------------------------------------ */

/* The sum of |c_k| h^k from k = 1 on, and because of (k + 1) x_(k+1) = rate c_k that of x as well.
 */
static void bound_reach(lanes_pack *q, size_t contacts, const lanes_vector *length)
{
    lanes_vector power[LANES_ORDER + 1];
    power[1] = *length;
    for (unsigned k = 2; k <= LANES_ORDER; k++) {
        power[k] = power[k / 2] * power[k - k / 2];
    }
    for (size_t j = 0; j < contacts; j++) {
        const lanes_vector *c = q->trial.series[j].c;
        lanes_vector speed = {0}, depth = c[0];
        lanes_absolute(&depth);
        for (unsigned k = 1; k <= LANES_ORDER; k++) {
            lanes_vector term = c[k] * power[k];
            lanes_absolute(&term);
            speed += term;
            depth += (1.0 / (k + 1)) * term;
        }
        q->trial.reach_c[j] = speed;
        q->trial.reach_x[j] = q->rate[j] * *length * depth;
    }
}

/* Lower the length to where a watched speed first goes through 0. */
static bool stop_at_turns(lanes_pack *q, size_t contacts, lanes_vector *length)
{
    lanes_bits any = {0};
    for (size_t j = 0; j < contacts; j++) {
        lanes_vector end, start = q->watch[j] * q->c[j];
        lanes_bits turns = (start < 0) | ((start == 0) & (q->watch[j] * q->trial.a[j] < 0));
        turns &= start + q->trial.reach_c[j] >= 0;
        if (!lanes_any(&turns)) {
            continue;
        }
        lanes_value(q->trial.series[j].c, LANES_ORDER, length, &end);
        turns &= q->watch[j] * end > 0;
        if (lanes_any(&turns)) {
            lanes_find_zero(q->trial.series[j].c, LANES_ORDER, &end, &turns, length);
            any |= turns;
        }
    }
    return lanes_any(&any);
}

/* To where an indentation does. */
static bool stop_at_openings(lanes_pack *q, size_t contacts, lanes_vector *length)
{
    lanes_bits any = {0};
    for (size_t j = 0; j < contacts; j++) {
        lanes_vector end;
        lanes_bits opens = (q->rate[j] > 0) & (q->x[j] > 0) & (q->x[j] <= q->trial.reach_x[j]);
        if (!lanes_any(&opens)) {
            continue;
        }
        lanes_value(q->trial.series[j].x, LANES_ORDER + 1, length, &end);
        opens &= end <= 0;
        if (lanes_any(&opens)) {
            lanes_find_zero(q->trial.series[j].x, LANES_ORDER + 1, &end, &opens, length);
            lanes_put(&q->trial.opens_at[j], &opens, length);
            any |= opens;
        }
    }
    return lanes_any(&any);
}

/* The first event, if there is one before the end. A polynomial that crossed 0 twice before the old
 * end may have crossed it once at the new one.
 */
static void lanes_stop_at_events(lanes_pack *q, size_t contacts, lanes_vector *length)
{
    enum { ROUNDS = 4 };
    for (size_t j = 0; j < contacts; j++) {
        q->trial.opens_at[j] = 2.0 * *length;
    }
    bound_reach(q, contacts, length);
    bool lowered = true;
    for (unsigned round = 0; round < ROUNDS && lowered; round++) {
        lowered = stop_at_turns(q, contacts, length);
        lowered |= stop_at_openings(q, contacts, length);
    }
    for (size_t j = 0; j < contacts; j++) {
        q->opens[j] = q->trial.opens_at[j] <= *length;
    }
}

/* ---- None before it ------------------------------------------------------------------------- */

/* A polynomial that should stay below 0 within the step. Weak contacts are not in the series: in
 * the course of the step they may raise it by up to `beside`, little at first; at the end, where an
 * event is met with its true values, that does not matter.
 */
typedef struct lanes_watched {
    const lanes_vector *series;
    unsigned order;
    lanes_vector sign, reach, beside;
    double still; /* what counts as 0 */
} lanes_watched;

/* Does it bend too little to get up to 0 between its ends? With -g = a at the start and b at the
 * end, and |g''| <= s, at the part t of the step
 *
 *     g <= -a (1 - t) - b t + (s h^2 / 2) t (1 - t),
 *
 * which is below 0 as long as s h^2 / 2 <= a + b. What lies beside comes no faster than
 * share_of_beside says: 2.5 t, and 2.5 (1 - t) to the end, both below 5 t (1 - t).
 */
static void hardly_bends(const lanes_watched *g, const lanes_vector *length, lanes_bits *plain)
{
    lanes_vector bend = {0}, end = g->series[g->order];
    for (unsigned k = g->order; k > 0; k--) {
        lanes_vector term = g->series[k];
        lanes_absolute(&term);
        bend = (bend + (0.5 * k * (k - 1)) * term) * *length;
        end = end * *length + g->series[k - 1];
    }
    lanes_vector a = -g->sign * g->series[0], b = -g->sign * end;
    *plain = (a > -g->still) & (b > -g->still) & (bend + 5.0 * g->beside <= a + b + g->still);
}

/* B_k by differences: with n_i = g_i h^i / (n over i), each round of sums of neighbours makes the
 * next coefficient out of the ones before.
 */
static void bernstein(const lanes_watched *g, const lanes_vector *length, lanes_vector *b)
{
    unsigned n = g->order;
    lanes_vector scale = g->sign;
    for (unsigned i = 0; i <= n; i++) {
        b[i] = g->series[i] * scale;
        scale *= *length * ((i + 1.0) / (n - i > 0 ? n - i : 1)); /* h^i / (n over i) */
    }
    for (unsigned round = 1; round <= n; round++) {
        for (unsigned i = n; i >= round; i--) {
            b[i] += b[i - 1];
        }
    }
}

/* The steps' share of `beside` by coefficient k: it comes no faster than in proportion to time. */
INLINE double share_of_beside(unsigned k, unsigned n)
{
    const double fastest = 2.5;
    unsigned from_end = k < n - k ? k : n - k;
    double share = fastest * from_end / n;
    return share < 1 ? share : 1;
}

static void look_at(const lanes_watched *g, const lanes_vector *length, const lanes_bits *concerned,
                    lanes_bits *hidden)
{
    lanes_bits plain = g->sign * g->series[0] + g->reach + g->beside < g->still;
    lanes_bits doubtful = {0}, asked = *concerned & ~plain;
    if (!lanes_any(&asked)) {
        return;
    }
    hardly_bends(g, length, &plain);
    asked &= ~plain;
    if (!lanes_any(&asked)) {
        return;
    }
    lanes_vector b[LANES_ORDER + 2];
    bernstein(g, length, b);
    for (unsigned k = 1; k < g->order; k++) {
        doubtful |= b[k] + share_of_beside(k, g->order) * g->beside > g->still;
    }
    *hidden |= doubtful & asked;
}

static void watch_speed(const lanes_pack *q, size_t contacts, size_t j, bool weak,
                        const lanes_vector *length, lanes_bits *found)
{
    lanes_bits watched = q->watch[j] != 0;
    if (!lanes_any(&watched)) {
        return;
    }
    lanes_watched speed = {.series = q->trial.series[j].c,
                           .order = LANES_ORDER,
                           .sign = q->watch[j],
                           .reach = q->trial.reach_c[j],
                           .still = LANES_STILL};
    if (weak) {
        lanes_vector away = -q->watch[j];
        lanes_product_one_sided(q, contacts, j, &away, q->trial.weak_p, &speed.beside);
    }
    look_at(&speed, length, &watched, found);
}

static void watch_depth(const lanes_pack *q, size_t contacts, size_t j, bool weak,
                        const lanes_vector *length, lanes_bits *found)
{
    lanes_bits pressed = (q->rate[j] > 0) & (q->x[j] > 0);
    if (!lanes_any(&pressed)) {
        return;
    }
    lanes_watched depth = {.series = q->trial.series[j].x,
                           .order = LANES_ORDER + 1,
                           .reach = q->trial.reach_x[j],
                           .still = LANES_NOTHING};
    depth.sign -= 1.0;
    if (weak) {
        lanes_vector one = -depth.sign;
        lanes_product_one_sided(q, contacts, j, &one, q->trial.weak_p, &depth.beside);
        depth.beside *= q->rate[j] * *length;
    }
    look_at(&depth, length, &pressed, found);
}

/* Events within the step of which its end knows nothing: it has been too long. */
static void lanes_look_between(const lanes_pack *q, size_t contacts, const lanes_vector *length,
                               lanes_bits *hidden, lanes_vector *shorter)
{
    lanes_bits found = {0}, weak = {0};
    lanes_vector half = 0.5 * *length;
    for (size_t j = 0; j < contacts; j++) {
        weak |= q->trial.weak_p[j] > 0;
    }
    bool any_weak = lanes_any(&weak);
    for (size_t j = 0; j < contacts; j++) {
        watch_speed(q, contacts, j, any_weak, length, &found);
        watch_depth(q, contacts, j, any_weak, length, &found);
        /* Closed at the start, it has gone, but not at once. */
        lanes_vector onward = q->c[j] + q->trial.a[j] * *length;
        found |= (q->rate[j] > 0) & (q->x[j] <= 0) & (q->trial.end_x[j] < -LANES_NOTHING) &
                 (q->c[j] >= 0) & (onward > LANES_STILL);
    }
    lanes_put(shorter, &found, &half);
    *hidden |= found;
}

#endif
