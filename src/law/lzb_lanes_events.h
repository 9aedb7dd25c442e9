/* Events within a step of the lanes: the first, and those of which its end knows nothing. Internal.
 */
#ifndef CRM_LZB_LANES_EVENTS_H
#define CRM_LZB_LANES_EVENTS_H

#include "law/lzb_lanes_series.h"

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
static void lanes_stop_at_events(lanes_pack *q, size_t contacts, lanes_vector *length)
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
    *may &= arc->sign * top_value > LANES_STILL;
    lanes_put(shorter, may, &top);
    *hidden |= *may;
}

/* Pairs of events within the step of which its end knows nothing: it has been too long. */
static void lanes_look_between(const lanes_pack *q, size_t contacts, const lanes_vector *length,
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
        lanes_bits lost = (q->rate[j] > 0) & (q->x[j] <= 0) & (q->end_x[j] < -LANES_NOTHING) &
                          (q->c[j] >= 0) & (onward > LANES_STILL);
        lanes_put(shorter, &lost, &half);
        *hidden |= lost;
    }
}

#endif
