/* The state of a Lagrangian motion, for archives.
 *
 * All arrays of doubles are one block of memory, archived as it is: it has the pending step with
 * its nodes and series. The time of the start is that of the motions it continues.
 */
#include <math.h>

#include "motion/archive.h"

#include "motion/lagrange/lagrange.h"

static void list_contact(crm_archive *a, lagrange_contact *c)
{
    uint8_t state = (uint8_t)c->state, order = (uint8_t)c->order;
    bool *const flags[] = {&c->unloaded_at_start, &c->kept_closed, &c->just_closed, &c->released,
                           &c->cannot_open,       &c->low_bounce,  &c->bounces_cut};
    crm_archive_byte(a, &state, LAGRANGE_REDUNDANT);
    crm_archive_byte(a, &order, 3);
    c->state = (lagrange_contact_state)state;
    c->order = order;
    for (size_t k = 0; k < sizeof flags / sizeof flags[0]; k++) {
        crm_archive_flag(a, flags[k]);
    }
    crm_archive_number(a, &c->closing_speed);
    crm_archive_number(a, &c->offset);
    crm_archive_number(a, &c->height);
}

static void list_feature(crm_archive *a, lagrange_motion *m, size_t j)
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

static void list_instant(crm_archive *a, lagrange_motion *m)
{
    crm_archive_flag(a, &m->resolved);
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
    crm_archive_count(a, &m->instant_events, SIZE_MAX);
}

/* Without an event, event_gap has no meaning. */
static void list_step(crm_archive *a, lagrange_motion *m)
{
    uint8_t event = (uint8_t)m->event;
    crm_archive_flag(a, &m->stepping);
    crm_archive_byte(a, &event, m->gaps > 0 ? LAGRANGE_FEATURE_SWITCH : LAGRANGE_NO_EVENT);
    m->event = (lagrange_event_kind)event;
    crm_archive_count(a, &m->event_gap, m->gaps);
    crm_archive_count(a, &m->event_margin, LAGRANGE_MARGINS - 1);
    if (m->event != LAGRANGE_NO_EVENT && m->event_gap >= m->gaps) {
        crm_archive_refuse(a, "it is damaged: an event is of gap %zu of %zu", m->event_gap + 1,
                           m->gaps);
    }
    for (size_t k = 0; k < LAGRANGE_NODES; k++) {
        crm_archive_number(a, &m->node[k].power);
    }
    crm_archive_numbers(a, m->power, LAGRANGE_TERMS);
}

void lagrange_archive(crm_motion *motion, crm_archive *a)
{
    lagrange_motion *m = (lagrange_motion *)motion;
    double *const numbers[] = {&m->t,
                               &m->instant_time,
                               &m->h,
                               &m->next_h,
                               &m->first_h,
                               &m->potential,
                               &m->step_work,
                               &m->smooth_work,
                               &m->end_potential,
                               &m->shortest_bounce,
                               &m->impact_speed,
                               &m->largest_speed,
                               &m->largest_acceleration,
                               &m->sampled,
                               &m->def.start};
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
