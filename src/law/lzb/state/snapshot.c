#include "law/lzb/state/snapshot.h"

#include <string.h>

enum { NUMBERS = 10, COUNTS = 2 };

/* All that changes in the course of an impact. */
typedef struct changing {
    double *numbers[NUMBERS];
    uint32_t *counts[COUNTS];
} changing;

static changing changing_of(const lzb_state *s)
{
    return (changing){.numbers = {s->x, s->c, s->p, s->remainder, s->x_open, s->step_error,
                                  s->margin, s->loss, s->peak, s->contact_time},
                      .counts = {s->recompressions, s->compressions}};
}

static crm_status make_room(lzb_snapshot *to, const lzb_state *state, crm_error *error)
{
    size_t s = state->contacts;
    to->numbers = CRM_TAKE(state->pool, double, NUMBERS *s);
    to->counts = CRM_TAKE(state->pool, uint32_t, COUNTS * s);
    to->modes = CRM_TAKE(state->pool, uint8_t, s);
    bool there = to->numbers != NULL && to->counts != NULL && to->modes != NULL;
    return there ? CRM_OK : crm_fail_memory(error);
}

crm_status lzb_snapshot_take(lzb_snapshot *to, const lzb_state *state, crm_error *error)
{
    changing from = changing_of(state);
    size_t s = state->contacts;
    crm_status status = to->modes != NULL ? CRM_OK : make_room(to, state, error);
    if (status != CRM_OK) {
        return status;
    }
    for (size_t i = 0; i < NUMBERS; i++) {
        memcpy(to->numbers + i * s, from.numbers[i], s * sizeof *to->numbers);
    }
    for (size_t i = 0; i < COUNTS; i++) {
        memcpy(to->counts + i * s, from.counts[i], s * sizeof *to->counts);
    }
    memcpy(to->modes, state->mode, s * sizeof *to->modes);
    to->time = state->time;
    to->opened = state->opened;
    return CRM_OK;
}

void lzb_snapshot_restore(const lzb_snapshot *from, lzb_state *state)
{
    changing to = changing_of(state);
    size_t s = state->contacts;
    for (size_t i = 0; i < NUMBERS; i++) {
        memcpy(to.numbers[i], from->numbers + i * s, s * sizeof *from->numbers);
    }
    for (size_t i = 0; i < COUNTS; i++) {
        memcpy(to.counts[i], from->counts + i * s, s * sizeof *from->counts);
    }
    memcpy(state->mode, from->modes, s * sizeof *from->modes);
    state->time = from->time;
    state->opened = from->opened;
}
