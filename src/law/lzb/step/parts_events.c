/* Events of a large window: looking for them and acting on them in parts. */
#include "law/lzb/kernel/parts.h"
#include "law/lzb/step/events.h"

/* A step of a large window. */
typedef struct large_step {
    lzb_state *state;
    const lzb_state *seen; /* to look at only */
    lzb_window *w;
    double length, tolerance;
} large_step;

_Static_assert(sizeof(lzb_lateness) <= LZB_TALLY, "a tally has its size");

static void examine_part(void *context, size_t index)
{
    const large_step *l = context;
    lzb_part part = lzb_part_at(l->w, index);
    lzb_lateness *late = lzb_part_tally(l->w, index);
    *late = lzb_events_examine_places(l->seen, l->w, part.first, lzb_part_end(l->w, part),
                                      l->length, l->tolerance);
}

lzb_lateness lzb_parts_examine(const lzb_state *state, lzb_window *w, double length,
                               double tolerance)
{
    large_step l = {.seen = state, .w = w, .length = length, .tolerance = tolerance};
    lzb_lateness late = {0, length, SIZE_MAX, true};
    lzb_parts_run(w, examine_part, &l);
    for (size_t i = 0; i < w->parts; i++) {
        const lzb_lateness *found = lzb_part_tally(w, i);
        double worst = fmax(late.worst, found->worst);
        late = found->place != SIZE_MAX && found->earliest < late.earliest ? *found : late;
        late.worst = worst;
    }
    return late;
}

typedef struct changes_tally {
    size_t changes;
    double opened;
} changes_tally;

static void refine_part(void *context, size_t index)
{
    const large_step *l = context;
    lzb_part part = lzb_part_at(l->w, index);
    changes_tally *tally = lzb_part_tally(l->w, index);
    tally->changes = lzb_events_refine_places(l->state, l->w, part.first, lzb_part_end(l->w, part),
                                              l->tolerance);
}

size_t lzb_parts_refine(lzb_state *state, lzb_window *w, double tolerance)
{
    large_step l = {.state = state, .w = w, .tolerance = tolerance};
    size_t changes = 0;
    lzb_parts_run(w, refine_part, &l);
    for (size_t i = 0; i < w->parts; i++) {
        const changes_tally *tally = lzb_part_tally(w, i);
        changes += tally->changes;
    }
    return changes;
}

static void settle_part(void *context, size_t index)
{
    const large_step *l = context;
    lzb_part part = lzb_part_at(l->w, index);
    changes_tally *tally = lzb_part_tally(l->w, index);
    tally->opened = 0;
    tally->changes = lzb_events_settle_places(l->state, l->w, part.first, lzb_part_end(l->w, part),
                                              l->length, l->tolerance, &tally->opened);
}

size_t lzb_parts_settle(lzb_state *state, lzb_window *w, double length, double tolerance)
{
    large_step l = {.state = state, .w = w, .length = length, .tolerance = tolerance};
    size_t changes = 0;
    lzb_parts_run(w, settle_part, &l);
    for (size_t i = 0; i < w->parts; i++) {
        const changes_tally *tally = lzb_part_tally(w, i);
        state->opened = fmax(state->opened, tally->opened);
        changes += tally->changes;
    }
    return changes;
}
