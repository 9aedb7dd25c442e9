/* What a Lagrangian motion consists of, for archives.
 *
 * All arrays of numbers are one block of memory, which is kept as it is, scratch and all: a pending
 * step with its nodes and series is in it. The start is that of the motions it goes on from.
 */
#include <math.h>

#include "motion/archive.h"

#include "motion/lagrange/lagrange.h"

static void list_contact(crm_archive *a, lag_contact *c)
{
    uint8_t state = (uint8_t)c->state, order = (uint8_t)c->order;
    bool *const flags[] = {&c->idle,    &c->held, &c->struck, &c->released,
                           &c->refused, &c->low,  &c->cut};
    crm_archive_byte(a, &state, LAG_CARRIED);
    crm_archive_byte(a, &order, 3);
    c->state = (lag_state)state;
    c->order = order;
    for (size_t k = 0; k < sizeof flags / sizeof flags[0]; k++) {
        crm_archive_flag(a, flags[k]);
    }
    crm_archive_number(a, &c->closing);
    crm_archive_number(a, &c->offset);
    crm_archive_number(a, &c->height);
}

static void list_feature(crm_archive *a, lag_motion *m, size_t j)
{
    unsigned *feature = m->features->of(m->def.context, j);
    uint8_t kept = (uint8_t)*feature;
    crm_archive_byte(a, &kept, (uint8_t)m->features->most);
    if (crm_archive_reads(a) && (kept == 0) != (*feature == 0)) {
        crm_archive_refuse(a, "it is damaged: gap %zu is between features that it has not", j + 1);
    } else {
        *feature = kept;
    }
}

static void list_instant(crm_archive *a, lag_motion *m)
{
    crm_archive_flag(a, &m->settled);
    for (size_t j = 0; j < m->gaps; j++) {
        list_contact(a, &m->contact[j]);
        if (m->features != NULL) {
            list_feature(a, m, j);
        }
    }
    crm_archive_count(a, &m->loaded_count, m->gaps);
    for (size_t k = 0; k < m->loaded_count; k++) {
        crm_archive_count(a, &m->loaded[k], m->gaps - 1);
    }
    crm_archive_count(a, &m->here, SIZE_MAX);
}

/* Without an event its gap is any. */
static void list_step(crm_archive *a, lag_motion *m)
{
    uint8_t event = (uint8_t)m->event;
    crm_archive_flag(a, &m->stepping);
    crm_archive_byte(a, &event, m->gaps > 0 ? LAG_SWITCH : LAG_NO_EVENT);
    m->event = (lag_event)event;
    crm_archive_count(a, &m->event_gap, m->gaps);
    crm_archive_count(a, &m->event_margin, LAG_MARGINS - 1);
    if (m->event != LAG_NO_EVENT && m->event_gap >= m->gaps) {
        crm_archive_refuse(a, "it is damaged: an event is of gap %zu of %zu", m->event_gap + 1,
                           m->gaps);
    }
    for (size_t k = 0; k < LAG_NODES; k++) {
        crm_archive_number(a, &m->node[k].power);
    }
    crm_archive_numbers(a, m->power, LAG_TERMS);
}

void lag_archive(crm_motion *motion, crm_archive *a)
{
    lag_motion *m = (lag_motion *)motion;
    double *const numbers[] = {
        &m->t,         &m->here_since, &m->h,           &m->next_h,        &m->first_h,
        &m->potential, &m->step_work,  &m->smooth_work, &m->end_potential, &m->flight,
        &m->blow,      &m->fastest,    &m->hardest,     &m->sampled,       &m->def.start};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        crm_archive_number(a, numbers[k]);
    }
    if (!isfinite(m->t)) {
        crm_archive_refuse(a, "it is damaged: it is at time %g", m->t);
    }
    crm_archive_numbers(a, m->memory, m->memory_size);
    list_instant(a, m);
    list_step(a, m);
}
