/* A step: all lanes go through the same operations. Internal; compiled once for each width of
 * vectors (lzb_lanes_wide*.c).
 */
#ifndef CRM_LZB_LANES_STEP_H
#define CRM_LZB_LANES_STEP_H

#include "law/lzb_lanes_series.h"

/* A step is this part of what the last coefficients of the series allow. */
static const double SAFE = 0.92;
/* Part of a step's error that a faint contact may cause; and what is to be expected of one by its
 * present state if it grows (a series takes it on nearly as well) and if it is about to open.
 */
static const double FAINT = 0.5, FAINT_GROWING = 0.01, FAINT_OPENING = 0.12;
/* Below these an indentation that shrinks is at its end, a speed that goes to 0 is there. */
static const double NOTHING = 1e-12, STILL = LANES_STILL;

/* ---- Faint contacts ---------------------------------------------------------------------------
 *
 * Pressed by a force that has grown to f in the time t, a contact and its neighbours are moved by
 * f t^2 / ((eta + 1)(eta + 2)). What that does to the forces, of whose stiffnesses the largest is
 * k, is left out of the step: an error of feedback k f t^3 in speeds, feedback = 1 / (2 (eta + 1)^2
 * (eta + 2)). (The stiffness of the contact itself is eta f / x.)
 */

static void mark_faint(lanes_pack *q, size_t contacts, lzb_kind kind)
{
    lanes_vector stiffest = {0};
    for (size_t j = 0; j < contacts; j++) {
        lanes_bits pressed = q->x[j] > 0;
        q->per_x[j] = 1.0 / q->x[j];
        lanes_keep(&q->per_x[j], &pressed);
        lanes_vector k = q->rate[j] * q->exponent[j] * q->f[j] * q->per_x[j];
        lanes_raise(&stiffest, &k);
    }
    q->stiffest = stiffest;
    for (size_t j = 0; j < contacts; j++) {
        lanes_vector product, x = q->x[j], share = {0};
        lanes_bits opening = q->c[j] < 0;
        share += FAINT_GROWING * q->tolerance;
        lanes_put_number(&share, &opening, FAINT_OPENING * q->tolerance);
        lanes_product(q, contacts, j, q->f, &product);
        q->a[j] = -product;
        lanes_absolute(&product);
        /* x over the pace is the time to or from 0; squared, to do without roots */
        lanes_vector pace = q->rate[j] * (q->rate[j] * q->c[j] * q->c[j] + 0.5 * x * product);
        lanes_vector error = q->feedback[j] * stiffest * q->f[j] * x * x * x;
        q->faint[j] = error * error <= share * share * pace * pace * pace;
        q->faint[j] |= q->x[j] <= 0;
        if (kind == LZB_LINEAR) { /* its force is analytic at 0 as well */
            q->faint[j] = (q->x[j] <= 0) & (q->c[j] <= 0);
        }
    }
}

/* Lower the length until faint contacts stay so. */
static void limit_by_faint(const lanes_pack *q, size_t contacts, lzb_kind kind,
                           lanes_vector *length)
{
    enum { ROUNDS = 3 };
    for (size_t j = 0; j < contacts; j++) {
        lanes_bits concerned = q->faint[j] & (q->rate[j] > 0);
        if (!lanes_any(&concerned)) {
            continue;
        }
        for (unsigned round = 0; round < ROUNDS; round++) {
            lanes_vector x, f, h = *length, allowed = {0};
            lanes_value(q->series[j].x, LANES_ORDER + 1, length, &x);
            lanes_raise(&x, &q->x[j]);
            lanes_force(q, kind, j, &x, &f);
            lanes_vector k = q->rate[j] * q->exponent[j] * f / (x + 1e-300);
            lanes_raise(&k, &q->stiffest);
            lanes_vector error = q->feedback[j] * k * f * h * h * h;
            allowed += FAINT * q->tolerance;
            concerned &= error > allowed;
            if (!lanes_any(&concerned)) {
                break;
            }
            lanes_vector shorter = allowed / (error + 1e-300);
            lanes_rough_power(&shorter, &q->per_growth[j]);
            shorter *= 0.95 * h;
            lanes_put(length, &concerned, &shorter);
        }
    }
}

/* Impulse of a faint contact over the step, and its moment about the end. The square root of the
 * time from the end at which it is less pressed makes the force smooth there.
 */
static void press_faintly(lanes_pack *q, size_t j, lzb_kind kind, const lanes_vector *length,
                          const lanes_vector *x_end)
{
    enum { NODES = 5 };
    static const double node[NODES] = {0.04691007703066800, 0.23076534494715845, 0.5,
                                       0.76923465505284155, 0.95308992296933200};
    static const double weight[NODES] = {0.11846344252809454, 0.23931433524968324,
                                         0.28444444444444444, 0.23931433524968324,
                                         0.11846344252809454};
    lanes_bits falls = q->x[j] > *x_end;
    lanes_vector p = {0}, moment = {0};
    for (unsigned i = 0; i < NODES; i++) {
        lanes_vector part = {0}, x, f;
        part += node[i] * node[i];
        lanes_put_number(&part, &falls, 1.0 - node[i] * node[i]);
        lanes_vector time = part * *length;
        lanes_value(q->series[j].x, LANES_ORDER + 1, &time, &x);
        lanes_force(q, kind, j, &x, &f);
        p += 2.0 * node[i] * weight[i] * f;
        moment += 2.0 * node[i] * weight[i] * f * (1.0 - part);
    }
    q->faint_p[j] = p * *length;
    q->faint_moment[j] = moment * *length * *length;
    lanes_keep(&q->faint_p[j], &q->faint[j]);
    lanes_keep(&q->faint_moment[j], &q->faint[j]);
}

/* ---- How far ----------------------------------------------------------------------------------
 */

static void choose_length(const lanes_pack *q, size_t contacts, lanes_vector *length)
{
    lanes_vector last = {0}, before = {0};
    for (size_t j = 0; j < contacts; j++) {
        lanes_vector a = q->series[j].c[LANES_ORDER], b = q->series[j].c[LANES_ORDER - 1];
        lanes_absolute(&a);
        lanes_absolute(&b);
        lanes_raise(&last, &a);
        lanes_raise(&before, &b);
    }
    lanes_vector root = {0}, root_before = {0};
    root += 1.0 / LANES_ORDER;
    root_before += 1.0 / (LANES_ORDER - 1);
    last = q->tolerance / (last + 1e-290);
    before = q->tolerance / (before + 1e-290);
    lanes_rough_power(&last, &root);
    lanes_rough_power(&before, &root_before);
    lanes_lower(&last, &before);
    *length = SAFE * last;
    lanes_lower(length, &q->longest);
}

/* Lower the length to where a watched speed first goes through 0. */
static bool stop_at_turns(lanes_pack *q, size_t contacts, lanes_vector *length)
{
    lanes_bits any = {0};
    for (size_t j = 0; j < contacts; j++) {
        lanes_vector end, start = q->watch[j] * q->c[j];
        lanes_bits turns = (start < 0) | ((start == 0) & (q->watch[j] * q->a[j] < 0));
        if (!lanes_any(&turns)) {
            continue;
        }
        lanes_value(q->series[j].c, LANES_ORDER, length, &end);
        turns &= q->watch[j] * end > 0;
        if (lanes_any(&turns)) {
            lanes_find_zero(q->series[j].c, LANES_ORDER, &end, &turns, length);
            lanes_put(&q->turns_at[j], &turns, length);
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
        lanes_bits opens = (q->rate[j] > 0) & (q->x[j] > 0);
        lanes_value(q->series[j].x, LANES_ORDER + 1, length, &end);
        opens &= end <= 0;
        if (lanes_any(&opens)) {
            lanes_find_zero(q->series[j].x, LANES_ORDER + 1, &end, &opens, length);
            lanes_put(&q->opens_at[j], &opens, length);
            any |= opens;
        }
    }
    return lanes_any(&any);
}

/* The first event, if there is one before the end. What went to and fro up to the old end may be
 * caught on its way at the new one.
 */
static void stop_at_events(lanes_pack *q, size_t contacts, lanes_vector *length)
{
    enum { ROUNDS = 4 };
    for (size_t j = 0; j < contacts; j++) {
        q->turns_at[j] = q->opens_at[j] = 2.0 * *length;
    }
    bool lowered = true;
    for (unsigned round = 0; round < ROUNDS && lowered; round++) {
        lowered = stop_at_turns(q, contacts, length);
        lowered |= stop_at_openings(q, contacts, length);
    }
    for (size_t j = 0; j < contacts; j++) {
        q->turns[j] = q->turns_at[j] <= *length;
        q->opens[j] = q->opens_at[j] <= *length;
    }
}

/* ---- The end of the step ----------------------------------------------------------------------
 */

/* State, forces and error there. The error: what the force differs from its series, on average
 * a quarter of what it differs at the end.
 */
static void go_there(lanes_pack *q, size_t contacts, lzb_kind kind, const lanes_vector *length,
                     lanes_vector *error)
{
    lanes_vector p[LZB_LANES_CONTACTS], defect[LZB_LANES_CONTACTS];
    *error = (lanes_vector){0};
    for (size_t j = 0; j < contacts; j++) {
        const lanes_series *s = &q->series[j];
        lanes_value(s->x, LANES_ORDER + 1, length, &q->end_x[j]);
        lanes_integral(s->f, LANES_ORDER - 1, length, &p[j]);
        lanes_bits concerned = q->faint[j] & (q->rate[j] > 0);
        q->faint_p[j] = q->faint_moment[j] = (lanes_vector){0};
        if (lanes_any(&concerned)) {
            press_faintly(q, j, kind, length, &q->end_x[j]);
            lanes_vector deepest = q->end_x[j];
            lanes_raise(&deepest, &q->x[j]);
            lanes_vector e = 0.5 * q->exponent[j] * q->rate[j] * q->faint_p[j] *
                             q->faint_moment[j] / (deepest + 1e-300);
            lanes_raise(error, &e);
        }
        p[j] += q->faint_p[j];
    }
    for (size_t j = 0; j < contacts; j++) {
        lanes_vector back, series;
        lanes_product(q, contacts, j, p, &back);
        q->end_c[j] = q->c[j] - back;
        lanes_product(q, contacts, j, q->faint_moment, &back);
        q->end_x[j] -= q->rate[j] * back;
        lanes_force(q, kind, j, &q->end_x[j], &q->end_f[j]);
        lanes_value(q->series[j].f, LANES_ORDER - 1, length, &series);
        defect[j] = q->end_f[j] - series;
        lanes_bits acts = ~q->faint[j];
        lanes_keep(&defect[j], &acts);
        q->step_p[j] = p[j];
    }
    for (size_t j = 0; j < contacts; j++) {
        lanes_vector e;
        lanes_product(q, contacts, j, defect, &e);
        e *= 0.25 * *length;
        lanes_absolute(&e);
        lanes_raise(error, &e);
    }
}

/* A quantity that starts and ends below 0, with these slopes: might it have been above in between?
 * Its tangents tell; and if so, its series, where its slope is 0.
 */
typedef struct lanes_arc {
    const lanes_vector *series;
    unsigned order;
    lanes_vector sign, end, rise, fall;
} lanes_arc;

INLINE bool is_arc(const lanes_arc *arc, lanes_bits *may)
{
    *may = (arc->sign * arc->series[0] < 0) & (arc->end < 0) & (arc->rise > 0);
    return lanes_any(may);
}

static void look_at(const lanes_arc *arc, const lanes_vector *length, lanes_bits *may,
                    lanes_bits *hidden, lanes_vector *shorter)
{
    lanes_vector start = arc->sign * arc->series[0], top_value;
    lanes_vector share = 1.0 / (arc->rise + arc->fall), top = *length * arc->rise * share;
    *may &= arc->fall > 0;
    *may &= start + arc->rise * (arc->end - start + arc->fall * *length) * share > 0;
    if (!lanes_any(may)) {
        return;
    }
    lanes_find_top(arc->series, arc->order, length, &top);
    lanes_value(arc->series, arc->order, &top, &top_value);
    *may &= arc->sign * top_value > STILL;
    lanes_put(shorter, may, &top);
    *hidden |= *may;
}

/* Pairs of events within the step of which its end knows nothing: it has been too long. */
static void look_between(const lanes_pack *q, size_t contacts, const lanes_vector *length,
                         lanes_bits *hidden, lanes_vector *shorter)
{
    for (size_t j = 0; j < contacts; j++) {
        lanes_bits may;
        lanes_arc speed = {.series = q->series[j].c,
                           .order = LANES_ORDER,
                           .sign = q->watch[j],
                           .end = q->watch[j] * q->end_c[j],
                           .rise = q->watch[j] * q->a[j]};
        if (is_arc(&speed, &may)) {
            lanes_product(q, contacts, j, q->end_f, &speed.fall);
            speed.fall *= q->watch[j];
            look_at(&speed, length, &may, hidden, shorter);
        }
        lanes_arc depth = {.series = q->series[j].x,
                           .order = LANES_ORDER + 1,
                           .end = -q->end_x[j],
                           .rise = -q->rate[j] * q->c[j],
                           .fall = q->rate[j] * q->end_c[j]};
        depth.sign -= 1.0;
        if (is_arc(&depth, &may)) {
            look_at(&depth, length, &may, hidden, shorter);
        }
        /* Closed at the start, it has gone, but not at once. */
        lanes_vector onward = q->c[j] + q->a[j] * *length, half = 0.5 * *length;
        lanes_bits lost = (q->rate[j] > 0) & (q->x[j] <= 0) & (q->end_x[j] < -NOTHING) &
                          (q->c[j] >= 0) & (onward > STILL);
        lanes_put(shorter, &lost, &half);
        *hidden |= lost;
    }
}

/* Take it over in these lanes. */
static unsigned take_over(lanes_pack *q, size_t contacts, const lanes_bits *good,
                          const lanes_vector *length, const lanes_vector *error)
{
    lanes_vector step = *length, one = {0}, cost = *error;
    lanes_keep(&step, good);
    lanes_keep(&cost, good);
    one += 1.0;
    q->tries += one;
    lanes_keep(&one, good);
    q->steps += one;
    q->time += step;
    q->error += cost;
    lanes_bits events = {0};
    for (size_t j = 0; j < contacts; j++) {
        lanes_vector to = q->watch[j] * q->end_c[j], from = q->watch[j] * q->c[j];
        lanes_bits gone = (q->rate[j] > 0) & (q->end_x[j] <= NOTHING) & (q->end_c[j] < 0);
        q->opens[j] = (q->opens[j] | gone) & *good;
        q->turns[j] |= (to > 0) | ((from < 0) & (to > -STILL));
        q->turns[j] &= *good & ~q->opens[j];
        events |= q->opens[j] | q->turns[j];
        lanes_bits pressed = q->opens[j] & (q->x[j] > 0);
        lanes_put(&q->opened, &pressed, &q->time);
        lanes_bits none = (q->end_x[j] <= 0) | q->opens[j];
        lanes_put_number(&q->end_x[j], &none, 0);
        lanes_put_number(&q->end_f[j], &none, 0);
        lanes_put(&q->x[j], good, &q->end_x[j]);
        lanes_put(&q->f[j], good, &q->end_f[j]);
        lanes_put(&q->c[j], good, &q->end_c[j]);
        lanes_keep(&q->step_p[j], good);
        q->p[j] += q->step_p[j];
    }
    unsigned lanes = 0;
    for (unsigned l = 0; l < LZB_LANES; l++) {
        lanes |= events[l] != 0 ? 1U << l : 0;
    }
    return lanes;
}

static unsigned step(lanes_pack *q, size_t contacts, lzb_kind kind)
{
    lanes_vector length, error, shorter, sixth = {0};
    mark_faint(q, contacts, kind);
    lanes_expand(q, contacts, kind);
    choose_length(q, contacts, &length);
    limit_by_faint(q, contacts, kind, &length);
    stop_at_events(q, contacts, &length);
    go_there(q, contacts, kind, &length, &error);
    lanes_bits good = error <= q->tolerance, hidden = {0}, bad = ~good;
    shorter = q->tolerance / (error + 1e-300);
    sixth += 1.0 / 6;
    lanes_rough_power(&shorter, &sixth);
    shorter *= 0.9 * length;
    look_between(q, contacts, &length, &hidden, &shorter);
    good &= ~hidden;
    bad |= hidden;
    lanes_put_number(&q->longest, &good, LANES_LONGEST);
    lanes_put(&q->longest, &bad, &shorter);
    return take_over(q, contacts, &good, &length, &error);
}

INLINE unsigned lanes_step(lanes_pack *q)
{
    switch (q->kind) {
    case LZB_LINEAR:
        return step(q, q->contacts, LZB_LINEAR);
    case LZB_HERTZ:
        return step(q, q->contacts, LZB_HERTZ);
    default:
        return step(q, q->contacts, LZB_POWER);
    }
}

#endif
