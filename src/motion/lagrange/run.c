/* The run: from step to step, with the events between.
 *
 * Steps depend neither on where a run ends nor on an observer. A run ends within a step, whose
 * polynomial gives the state there; the next run continues with the same step. So a motion in two
 * runs is bit for bit the motion in one.
 */
#include <math.h>
#include <string.h>

#include "motion/lagrange/lagrange.h"

/* At rest: speeds and accelerations are below this part of the tolerance times their largest values
 * so far. */
static const double REST_PART = 1e-3;
/* Events at one time before the motion fails. */
enum { EVENTS_PER_INSTANT = 10000 };

/* ---- An instant ------------------------------------------------------------------------------ */

static bool at_rest(const lagrange_motion *m)
{
    double part = REST_PART * m->common.options.tolerance;
    const double *v = m->y + m->positions, *a = m->node[0].f + m->positions;
    for (size_t i = 0; i < m->n; i++) {
        if (fabs(v[i]) > part * m->largest_speed || fabs(a[i]) > part * m->largest_acceleration) {
            return false;
        }
    }
    return true;
}

/* Putting contacts to rest may close coupled ones. */
static crm_status resolve_instant(lagrange_motion *m, const crm_observer *observer,
                                  crm_motion_stop *stopped, bool *go_on, crm_error *error)
{
    crm_status status = CRM_OK;
    *go_on = true;
    for (size_t k = 0; k <= m->gaps && status == CRM_OK && *go_on && !m->resolved; k++) {
        status = lagrange_resolve_impacts(m, observer, stopped, go_on, error);
        if (status == CRM_OK && *go_on) {
            status = lagrange_decide_states(m, stopped, error);
            *go_on = !m->common.failed;
            m->resolved = lagrange_closing_gap(m, true) == m->gaps;
        }
    }
    m->resolved = status == CRM_OK && *go_on;
    return status;
}

/* ---- The end of a step ----------------------------------------------------------------------- */

static void clear_instant(lagrange_motion *m)
{
    for (size_t j = 0; j < m->gaps; j++) {
        lagrange_contact *contact = &m->contact[j];
        contact->released = contact->cannot_open = contact->just_closed = contact->kept_closed =
            false;
        contact->closing_speed = 0;
    }
    m->impact_speed = 0;
}

/* An open contact that is opening may still have a gap of 0 by rounding. */
static void find_order(lagrange_motion *m)
{
    const lagrange_node *end = &m->node[LAGRANGE_NODES - 1];
    for (size_t j = 0; j < m->gaps; j++) {
        lagrange_contact *contact = &m->contact[j];
        double gap = contact->low_bounce ? contact->height : end->gap[j];
        contact->order = contact->state == LAGRANGE_OPEN && gap <= 0 && end->speed[j] > 0 ? 1 : 0;
        if (contact->order > 0) {
            contact->low_bounce = true;
            contact->height = 0;
        }
    }
}

static void mark_event(lagrange_motion *m)
{
    lagrange_contact *contact = &m->contact[m->event_gap];
    if (m->event == LAGRANGE_RELEASE) {
        contact->released = true;
    } else if (m->event == LAGRANGE_CLOSING) {
        contact->just_closed = true;
        contact->cannot_open = m->h == 0;
    }
}

crm_status lagrange_finish_step(lagrange_motion *m, crm_error *error)
{
    m->smooth_work += m->step_work;
    memcpy(m->y, m->end, m->dimension * sizeof *m->y);
    m->potential = m->end_potential;
    if (m->h > 0) {
        clear_instant(m);
        lagrange_follow_low_bounces(m);
        find_order(m);
    }
    lagrange_choose_features(m);
    m->t += m->h;
    m->instant_events = m->t > m->instant_time ? 0 : m->instant_events + 1;
    m->instant_time = m->t;
    mark_event(m);
    m->stepping = false;
    m->resolved = m->event == LAGRANGE_NO_EVENT;
    return m->event == LAGRANGE_FEATURE_SWITCH ? lagrange_switch_feature(m, error) : CRM_OK;
}

/* ---- The run --------------------------------------------------------------------------------- */

/* Whether the run stops at the present instant, and why. */
static bool stops_here(lagrange_motion *m, crm_motion_stop *stopped)
{
    const crm_motion_options *options = &m->common.options;
    if (options->stop_impacts > 0 && m->common.impacts >= options->stop_impacts) {
        *stopped = CRM_STOP_IMPACTS;
        return true;
    }
    if (options->stop_at_rest && !m->def.gaps_move && !isnan(m->common.at_rest_since)) {
        *stopped = CRM_STOP_AT_REST;
        return true;
    }
    return false;
}

crm_status lagrange_begin_step(lagrange_motion *m, const crm_observer *observer,
                               crm_motion_stop *stopped, bool *go_on, crm_error *error)
{
    crm_status status = m->resolved ? CRM_OK : resolve_instant(m, observer, stopped, go_on, error);
    if (status != CRM_OK || !*go_on) {
        return status;
    }
    status = lagrange_start_step(m, error);
    if (status != CRM_OK) {
        return status;
    }
    if (!at_rest(m)) {
        m->common.at_rest_since = NAN;
    } else if (isnan(m->common.at_rest_since)) {
        m->common.at_rest_since = m->t;
    }
    if (stops_here(m, stopped)) {
        *go_on = false;
        return CRM_OK;
    }
    if (m->instant_events > EVENTS_PER_INSTANT) {
        *go_on = false;
        return crm_motion_fail(&m->common, stopped, "%zu events at t = %.17g, the last of gap %zu",
                               m->instant_events, m->t, m->event_gap + 1);
    }
    status = lagrange_take_step(m, error);
    m->stepping = status == CRM_OK;
    return status;
}

/* States at the observer's multiples within the pending step, not after `time`. */
static bool notify_states(lagrange_motion *m, double time, const crm_observer *observer)
{
    double *y = m->trial;
    for (double at = crm_motion_next_sample(observer, m->sampled); at <= time && at < m->t + m->h;
         at = crm_motion_next_sample(observer, m->sampled)) {
        lagrange_state_at(m, at, y);
        m->sampled = m->common.time = at;
        if (observer->state(observer->context, at, y, y + m->positions) != CRM_OK) {
            return false;
        }
    }
    return true;
}

/* A callback may interrupt the run; any other failure ends the motion. */
crm_status lagrange_run_status(lagrange_motion *m, crm_status status, const crm_error *own,
                               crm_motion_stop *stopped, crm_error *error)
{
    if (status == CRM_OK) {
        return CRM_OK;
    }
    if (error != NULL) {
        *error = *own;
    }
    if (status == CRM_ERROR_STOPPED) {
        *stopped = CRM_STOP_INTERRUPTED;
        return CRM_OK;
    }
    crm_motion_fail(&m->common, stopped, "%s", own->message);
    return status;
}

static crm_status run_until(lagrange_motion *m, double time, const crm_observer *observer,
                            crm_motion_stop *stopped, crm_error *error)
{
    for (;;) {
        bool go_on = true;
        crm_status status = CRM_OK;
        if (!m->stepping) {
            m->common.time = m->t;
            status = lagrange_begin_step(m, observer, stopped, &go_on, error);
        }
        if (status != CRM_OK || !go_on) {
            return status;
        }
        if (!notify_states(m, time, observer)) {
            *stopped = CRM_STOP_INTERRUPTED;
            return CRM_OK;
        }
        if (time < m->t + m->h) {
            m->common.time = m->sampled = time;
            *stopped = CRM_STOP_DURATION;
            return CRM_OK;
        }
        status = lagrange_finish_step(m, error);
        if (status != CRM_OK) {
            return status;
        }
    }
}

crm_status lagrange_run(crm_motion *motion, double time, const crm_observer *observer,
                        crm_motion_stop *stopped, crm_error *error)
{
    lagrange_motion *m = (lagrange_motion *)motion;
    crm_error own = {0};
    return lagrange_run_status(m, run_until(m, time, observer, stopped, &own), &own, stopped,
                               error);
}
