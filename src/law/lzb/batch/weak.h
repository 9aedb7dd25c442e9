/* Weak contacts (batch/kernel.h): which they are, how long they stay so, what they give.
 * Internal.
 *
 * Pressed by a force that has grown to f in the time t, a contact and its neighbours are moved by
 * f t^2 / ((eta + 1)(eta + 2)). What that does to the forces, of whose stiffnesses the largest is
 * k, is left out of the step: an error of feedback k f t^3 in speeds, feedback = 1 / (2 (eta + 1)^2
 * (eta + 2)). (The stiffness of the contact itself is eta f / x.)
 */
#ifndef CRM_LZB_BATCH_WEAK_H
#define CRM_LZB_BATCH_WEAK_H

#include "law/lzb/batch/series.h"

/* Part of a step's error that a weak contact may cause; and what is to be expected of one by its
 * present state if it grows (a series takes it on nearly as well) and if it is about to open.
 */
static const double WEAK = 0.5, WEAK_GROWING = 0.01, WEAK_OPENING = 0.12;

static void lanes_mark_weak(lanes_pack *q, size_t contacts, lzb_kind kind)
{
    lanes_vector stiffest = {0};
    for (size_t j = 0; j < contacts; j++) {
        lanes_bits pressed = q->x[j] > 0;
        q->trial.per_x[j] = 1.0 / q->x[j];
        lanes_keep(&q->trial.per_x[j], &pressed);
        lanes_vector k = q->rate[j] * q->exponent[j] * q->f[j] * q->trial.per_x[j];
        lanes_raise(&stiffest, &k);
    }
    q->trial.stiffest = stiffest;
    for (size_t j = 0; j < contacts; j++) {
        lanes_vector product, x = q->x[j], share = {0};
        lanes_bits opening = q->c[j] < 0;
        share += WEAK_GROWING * q->tolerance;
        lanes_put_number(&share, &opening, WEAK_OPENING * q->tolerance);
        lanes_product(q, contacts, j, q->f, &product);
        q->trial.a[j] = -product;
        lanes_absolute(&product);
        /* x over the pace is the time to or from 0; squared, to do without roots */
        lanes_vector pace = q->rate[j] * (q->rate[j] * q->c[j] * q->c[j] + 0.5 * x * product);
        lanes_vector error = q->feedback[j] * stiffest * q->f[j] * x * x * x;
        q->trial.weak[j] = error * error <= share * share * pace * pace * pace;
        q->trial.weak[j] |= q->x[j] <= 0;
        if (kind == LZB_LINEAR) { /* its force is analytic at 0 as well */
            q->trial.weak[j] = (q->x[j] <= 0) & (q->c[j] <= 0);
        }
    }
}

/* Lower the length until weak contacts stay so. */
static void lanes_limit_by_weak(const lanes_pack *q, size_t contacts, lzb_kind kind,
                                lanes_vector *length)
{
    enum { ROUNDS = 3 };
    for (size_t j = 0; j < contacts; j++) {
        lanes_bits concerned = q->trial.weak[j] & (q->rate[j] > 0);
        if (!lanes_any(&concerned)) {
            continue;
        }
        for (unsigned round = 0; round < ROUNDS; round++) {
            lanes_vector x, f, h = *length, allowed = {0};
            lanes_value(q->trial.series[j].x, LANES_ORDER + 1, length, &x);
            lanes_raise(&x, &q->x[j]);
            lanes_force(q, kind, j, &x, &f);
            lanes_vector k = q->rate[j] * q->exponent[j] * f / (x + 1e-300);
            lanes_raise(&k, &q->trial.stiffest);
            lanes_vector error = q->feedback[j] * k * f * h * h * h;
            allowed += WEAK * q->tolerance;
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

/* Impulse of a weak contact over the step, and its moment about the end. The square root of the
 * time from the end at which it is less pressed makes the force smooth there.
 */
static void lanes_press_weakly(lanes_pack *q, size_t j, lzb_kind kind, const lanes_vector *length,
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
        lanes_value(q->trial.series[j].x, LANES_ORDER + 1, &time, &x);
        lanes_force(q, kind, j, &x, &f);
        p += 2.0 * node[i] * weight[i] * f;
        moment += 2.0 * node[i] * weight[i] * f * (1.0 - part);
    }
    q->trial.weak_p[j] = p * *length;
    q->trial.weak_moment[j] = moment * *length * *length;
    lanes_keep(&q->trial.weak_p[j], &q->trial.weak[j]);
    lanes_keep(&q->trial.weak_moment[j], &q->trial.weak[j]);
}

#endif
