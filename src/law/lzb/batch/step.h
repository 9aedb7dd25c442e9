/* A step: all lanes go through the same operations. Internal; compiled once for each width of
 * vectors (step_16.c, step_32.c, step_64.c).
 */
#ifndef CRM_LZB_BATCH_STEP_H
#define CRM_LZB_BATCH_STEP_H

#include "law/lzb/batch/events.h"
#include "law/lzb/batch/weak.h"

/* A step is this part of what the last coefficients of the series allow. */
static const double SAFE = 0.92;

static void choose_length(const lanes_pack *q, size_t contacts, lanes_vector *length)
{
    lanes_vector last = {0}, before = {0};
    for (size_t j = 0; j < contacts; j++) {
        lanes_vector a = q->trial.series[j].c[LANES_ORDER],
                     b = q->trial.series[j].c[LANES_ORDER - 1];
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

/* Impulse of contact j over the step by the path that its series gives, and the force at the end of
 * that path. Weak or not, in each lane.
 */
static void press_by_path(lanes_pack *q, size_t j, lzb_kind kind, const lanes_vector *length,
                          lanes_vector *p, lanes_vector *error)
{
    const lanes_series *s = &q->trial.series[j];
    lanes_vector *end_x = &q->trial.end_x[j];
    lanes_bits weak = q->trial.weak[j], concerned = weak & (q->rate[j] > 0);
    lanes_value(s->x, LANES_ORDER + 1, length, end_x);
    lanes_value(s->f, LANES_ORDER - 1, length, &q->trial.path_f[j]);
    lanes_integral(s->f, LANES_ORDER - 1, length, p);
    q->trial.weak_p[j] = q->trial.weak_moment[j] = (lanes_vector){0};
    if (lanes_any(&concerned)) {
        lanes_vector deepest = *end_x, force;
        lanes_press_weakly(q, j, kind, length, end_x);
        lanes_raise(&deepest, &q->x[j]);
        lanes_vector e = 0.5 * q->exponent[j] * q->rate[j] * q->trial.weak_p[j] *
                         q->trial.weak_moment[j] / (deepest + 1e-300);
        lanes_raise(error, &e);
        lanes_force(q, kind, j, end_x, &force);
        lanes_put(&q->trial.path_f[j], &weak, &force);
    }
    *p += q->trial.weak_p[j];
}

/* State, forces and error there. The error: what a force differs from that of the path by which its
 * impulse was found, on average a quarter of what it differs at the end. (The path of a weak
 * contact leaves out what weak contacts do to it. That is the integral, twice, of forces that grow
 * at least in proportion to time, and grows as its cube.)
 */
static void go_there(lanes_pack *q, size_t contacts, lzb_kind kind, const lanes_vector *length,
                     lanes_vector *error)
{
    lanes_vector defect[LZB_BATCH_CONTACTS];
    *error = (lanes_vector){0};
    for (size_t j = 0; j < contacts; j++) {
        press_by_path(q, j, kind, length, &q->trial.step_p[j], error);
    }
    for (size_t j = 0; j < contacts; j++) {
        lanes_vector back;
        lanes_product(q, contacts, j, q->trial.step_p, &back);
        q->trial.end_c[j] = q->c[j] - back;
        lanes_product(q, contacts, j, q->trial.weak_moment, &back);
        q->trial.end_x[j] -= q->rate[j] * back;
        lanes_force(q, kind, j, &q->trial.end_x[j], &q->trial.end_f[j]);
        defect[j] = q->trial.end_f[j] - q->trial.path_f[j];
    }
    for (size_t j = 0; j < contacts; j++) {
        lanes_vector e;
        lanes_product(q, contacts, j, defect, &e);
        e *= 0.25 * *length;
        lanes_absolute(&e);
        lanes_raise(error, &e);
    }
}

static unsigned lanes_of(const lanes_bits *bits)
{
    unsigned lanes = 0;
    for (unsigned l = 0; l < LZB_LANES; l++) {
        lanes |= (*bits)[l] != 0 ? 1U << l : 0;
    }
    return lanes;
}

/* Contacts whose speed is not on the side that their mode asks for, or at 0 and about to leave it:
 * to be acted on before anything else.
 */
static unsigned find_overdue(lanes_pack *q, size_t contacts)
{
    lanes_bits any = {0};
    for (size_t j = 0; j < contacts; j++) {
        lanes_vector g = q->watch[j] * q->c[j], heading = q->watch[j] * q->trial.a[j];
        q->turns[j] = (g > 0) | ((g == 0) & (heading > 0));
        q->opens[j] = (lanes_bits){0};
        any |= q->turns[j];
    }
    if (!lanes_any(&any)) {
        return 0;
    }
    lanes_vector one = {0};
    one += 1.0;
    lanes_keep(&one, &any);
    q->tries += one;
    return lanes_of(&any);
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
        lanes_vector to = q->watch[j] * q->trial.end_c[j], from = q->watch[j] * q->c[j];
        lanes_bits gone =
            (q->rate[j] > 0) & (q->trial.end_x[j] <= LANES_NOTHING) & (q->trial.end_c[j] < 0);
        q->opens[j] = (q->opens[j] | gone) & *good;
        q->turns[j] = (to > 0) | ((from < -LANES_STILL) & (to > -LANES_STILL));
        q->turns[j] &= *good & ~q->opens[j];
        events |= q->opens[j] | q->turns[j];
        lanes_bits pressed = q->opens[j] & (q->x[j] > 0);
        lanes_put(&q->opened, &pressed, &q->time);
        lanes_bits none = (q->trial.end_x[j] <= 0) | q->opens[j];
        lanes_put_number(&q->trial.end_x[j], &none, 0);
        lanes_put_number(&q->trial.end_f[j], &none, 0);
        lanes_put(&q->x[j], good, &q->trial.end_x[j]);
        lanes_put(&q->f[j], good, &q->trial.end_f[j]);
        lanes_put(&q->c[j], good, &q->trial.end_c[j]);
        lanes_keep(&q->trial.step_p[j], good);
        q->p[j] += q->trial.step_p[j];
    }
    return lanes_of(&events);
}

static unsigned step(lanes_pack *q, size_t contacts, lzb_kind kind)
{
    lanes_vector length, error, shorter, sixth = {0};
    lanes_mark_weak(q, contacts, kind);
    unsigned overdue = find_overdue(q, contacts);
    if (overdue != 0) {
        return overdue;
    }
    lanes_expand(q, contacts, kind);
    choose_length(q, contacts, &length);
    lanes_limit_by_weak(q, contacts, kind, &length);
    lanes_stop_at_events(q, contacts, &length);
    go_there(q, contacts, kind, &length, &error);
    lanes_bits good = error <= q->tolerance, hidden = {0}, bad = ~good;
    shorter = q->tolerance / (error + 1e-300);
    sixth += 1.0 / 6;
    lanes_rough_power(&shorter, &sixth);
    shorter *= 0.9 * length;
    lanes_look_between(q, contacts, &length, &hidden, &shorter);
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
