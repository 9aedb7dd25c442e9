/* Taylor series of the contacts in all lanes (batch/kernel.h). Internal. */
#ifndef CRM_LZB_BATCH_SERIES_H
#define CRM_LZB_BATCH_SERIES_H

#include "law/lzb/batch/kernel.h"

INLINE void lanes_force(const lanes_pack *q, lzb_kind kind, size_t j, const lanes_vector *x,
                        lanes_vector *force)
{
    lanes_bits pressed = *x > 0;
    lanes_vector depth = *x, power;
    lanes_keep(&depth, &pressed);
    switch (kind) {
    case LZB_LINEAR:
        *force = q->stiffness[j] * depth;
        return;
    case LZB_HERTZ:
        power = depth;
        lanes_root(&power);
        *force = q->stiffness[j] * depth * power;
        return;
    case LZB_POWER:
        for (unsigned l = 0; l < LZB_LANES; l++) {
            power[l] = lzb_power(depth[l], q->exponent[j][l]);
        }
        *force = q->stiffness[j] * power;
    }
}

/* The neighbours of contact j: from first to last. */
typedef struct lanes_reach {
    size_t first, last;
} lanes_reach;

INLINE lanes_reach lanes_reach_of(const lanes_pack *q, size_t contacts, size_t j)
{
    return (lanes_reach){j > q->band ? j - q->band : 0,
                         j + q->band < contacts ? j + q->band : contacts - 1};
}

/* Row j of d times something that each contact has. */
INLINE void lanes_product(const lanes_pack *q, size_t contacts, size_t j, const lanes_vector *each,
                          lanes_vector *product)
{
    lanes_reach reach = lanes_reach_of(q, contacts, j);
    lanes_vector sum = q->d[j][reach.first] * each[reach.first];
    for (size_t i = reach.first + 1; i <= reach.last; i++) {
        sum += q->d[j][i] * each[i];
    }
    *product = sum;
}

/* The same with only those terms that are of the sign given. */
INLINE void lanes_product_one_sided(const lanes_pack *q, size_t contacts, size_t j,
                                    const lanes_vector *sign, const lanes_vector *each,
                                    lanes_vector *product)
{
    lanes_reach reach = lanes_reach_of(q, contacts, j);
    lanes_vector sum = {0};
    for (size_t i = reach.first; i <= reach.last; i++) {
        lanes_vector term = *sign * q->d[j][i] * each[i];
        lanes_bits counts = term > 0;
        lanes_keep(&term, &counts);
        sum += term;
    }
    *product = sum;
}

/* f = stiffness x^exponent gives x f' = exponent x' f; in powers of time
 *
 *     k x_0 f_k = sum over m from 1 to k of ((exponent + 1) m - k) x_m f_(k-m),
 *
 * and m x_m = rate c_(m-1). What has just been found comes last, so that nothing waits for it.
 */
INLINE void lanes_next_force(lanes_series *s, unsigned k, const lanes_vector *per_x,
                             const lanes_vector *per_time)
{
    lanes_vector share = *per_time * (1.0 / k);
    lanes_vector by_c = s->c[k - 1] * s->f[0], by_x = s->x[k] * s->f[0];
#pragma GCC unroll 1
    for (unsigned m = k - 1; m >= 1; m--) {
        by_c += s->c[m - 1] * s->f[k - m];
        by_x += s->x[m] * s->f[k - m];
    }
    s->f[k] = share * by_c - *per_x * by_x;
}

/* Weak contacts go where the others drive them. */
static void lanes_expand(lanes_pack *q, size_t contacts, lzb_kind kind)
{
    lanes_vector per_x[LZB_BATCH_CONTACTS], per_time[LZB_BATCH_CONTACTS];
    for (size_t j = 0; j < contacts; j++) {
        lanes_series *s = &q->trial.series[j];
        lanes_bits acts = ~q->trial.weak[j];
        s->x[0] = q->x[j];
        s->c[0] = q->c[j];
        s->f[0] = q->f[j];
        lanes_keep(&s->f[0], &acts);
        per_x[j] = kind == LZB_LINEAR ? q->stiffness[j] : q->trial.per_x[j];
        lanes_keep(&per_x[j], &acts);
        per_time[j] = (q->exponent[j] + 1.0) * q->rate[j] * per_x[j];
    }
    for (unsigned k = 0; k < LANES_ORDER; k++) {
        for (size_t j = 0; j < contacts; j++) {
            lanes_series *s = &q->trial.series[j];
            lanes_reach reach = lanes_reach_of(q, contacts, j);
            lanes_vector sum = q->d[j][reach.first] * q->trial.series[reach.first].f[k];
            for (size_t i = reach.first + 1; i <= reach.last; i++) {
                sum += q->d[j][i] * q->trial.series[i].f[k];
            }
            s->c[k + 1] = (-1.0 / (k + 1)) * sum;
            s->x[k + 1] = (1.0 / (k + 1)) * q->rate[j] * s->c[k];
        }
        for (size_t j = 0; j < contacts && k + 1 < LANES_ORDER; j++) {
            lanes_series *s = &q->trial.series[j];
            if (kind == LZB_LINEAR) {
                s->f[k + 1] = per_x[j] * s->x[k + 1];
            } else {
                lanes_next_force(s, k + 1, &per_x[j], &per_time[j]);
            }
        }
    }
    for (size_t j = 0; j < contacts; j++) {
        lanes_series *s = &q->trial.series[j];
        s->x[LANES_ORDER + 1] = (1.0 / (LANES_ORDER + 1)) * q->rate[j] * s->c[LANES_ORDER];
    }
}

INLINE void lanes_value(const lanes_vector *series, unsigned order, const lanes_vector *time,
                        lanes_vector *value)
{
    lanes_vector sum = series[order];
    for (unsigned k = order; k-- > 0;) {
        sum = sum * *time + series[k];
    }
    *value = sum;
}

/* The integral from 0 on. */
INLINE void lanes_integral(const lanes_vector *series, unsigned order, const lanes_vector *time,
                           lanes_vector *value)
{
    lanes_vector sum = series[order] * (1.0 / (order + 1));
    for (unsigned k = order; k-- > 0;) {
        sum = sum * *time + series[k] * (1.0 / (k + 1));
    }
    *value = sum * *time;
}

/* Where the series goes through 0 between 0 and *time, at which it has `end`, of the other sign
 * than before: Newton's steps, kept between bounds. Lowers *time there, where the bits are set.
 */
static void lanes_find_zero(const lanes_vector *series, unsigned order, const lanes_vector *end,
                            const lanes_bits *where, lanes_vector *time)
{
    enum { ROUNDS = 10 };
    const double near = 1e-14;
    lanes_vector low = {0}, high = *time, t = *time * (series[0] / (series[0] - *end));
    lanes_vector middle = 0.5 * high;
    lanes_bits at_zero = series[0] == 0, moving = *where;
    lanes_put(&t, &at_zero, &middle);
    for (unsigned round = 0; round < ROUNDS && lanes_any(&moving); round++) {
        lanes_vector value = series[order], slope = {0};
        for (unsigned k = order; k-- > 0;) {
            slope = slope * t + value;
            value = value * t + series[k];
        }
        lanes_bits before = value * *end < 0, after = ~before;
        lanes_put(&low, &before, &t);
        lanes_put(&high, &after, &t);
        lanes_vector next = t - value / slope, change;
        lanes_bits outside = ~((next >= low) & (next <= high));
        middle = 0.5 * (low + high);
        lanes_put(&next, &outside, &middle);
        change = next - t;
        lanes_absolute(&change);
        lanes_put(&t, &moving,
                  &next); /* a lane that has converged stays, however long the others take */
        moving &= change > near * high;
    }
    lanes_put(time, where, &t);
}

#endif
