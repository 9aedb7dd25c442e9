/* The run: step, event, step.
 *
 * Steps are the motion's own: they do not know how far a run goes or what an observer wants to see.
 * A run ends within a step, whose polynomial gives the state there; the next run goes on with the
 * same step. So a motion in two runs is the motion in one, bit for bit.
 */
#include <math.h>
#include <string.h>

#include "motion/lagrange/lagrange.h"

/* At rest: speeds and accelerations below this part of the largest there were, times the
 * tolerance. */
static const double REST_PART = 1e-3;
/* Events at one time before something must be wrong. */
enum { EVENTS_HERE = 10000 };

/* ---- An instant ------------------------------------------------------------------------------ */

static bool at_rest(const lag_motion *m)
{
    double part = REST_PART * m->common.options.tolerance;
    const double *v = m->y + m->positions, *a = m->node[0].f + m->positions;
    for (size_t i = 0; i < m->n; i++) {
        if (fabs(v[i]) > part * m->fastest || fabs(a[i]) > part * m->hardest) {
            return false;
        }
    }
    return true;
}

/* What comes to rest may, by coupling, make another contact close. */
static crm_status settle(lag_motion *m, const crm_observer *observer, crm_motion_stop *stopped,
                         bool *go_on, crm_error *error)
{
    crm_status status = CRM_OK;
    *go_on = true;
    for (size_t k = 0; k <= m->gaps && status == CRM_OK && *go_on && !m->settled; k++) {
        status = lag_strike(m, observer, stopped, go_on, error);
        if (status == CRM_OK && *go_on) {
            status = lag_decide(m, stopped, error);
            *go_on = !m->common.failed;
            m->settled = lag_closing_gap(m) == m->gaps;
        }
    }
    m->settled = status == CRM_OK && *go_on;
    return status;
}

/* ---- The end of a step ----------------------------------------------------------------------- */

static void forget_instant(lag_motion *m)
{
    for (size_t j = 0; j < m->gaps; j++) {
        lag_contact *contact = &m->contact[j];
        contact->released = contact->refused = contact->struck = contact->held = false;
        contact->closing = 0;
    }
    m->blow = 0;
}

/* An open contact may still have a gap of 0, for rounding, but be on its way. */
static void find_order(lag_motion *m)
{
    const lag_node *end = &m->node[LAG_NODES - 1];
    for (size_t j = 0; j < m->gaps; j++) {
        lag_contact *contact = &m->contact[j];
        double gap = contact->low ? contact->height : end->gap[j];
        contact->order = contact->state == LAG_OPEN && gap <= 0 && end->speed[j] > 0 ? 1 : 0;
        if (contact->order > 0) {
            contact->low = true;
            contact->height = 0;
        }
    }
}

static void mark_event(lag_motion *m)
{
    lag_contact *contact = &m->contact[m->event_gap];
    if (m->event == LAG_RELEASE) {
        contact->released = true;
    } else if (m->event == LAG_CLOSING) {
        contact->struck = true;
        contact->refused = m->h == 0;
    }
}

crm_status lag_finish_step(lag_motion *m, crm_error *error)
{
    m->smooth_work += m->step_work;
    memcpy(m->y, m->end, m->dimension * sizeof *m->y);
    m->potential = m->end_potential;
    if (m->h > 0) {
        forget_instant(m);
        lag_follow_flights(m);
        find_order(m);
    }
    m->t += m->h;
    m->here = m->t > m->here_since ? 0 : m->here + 1;
    m->here_since = m->t;
    mark_event(m);
    m->stepping = false;
    m->settled = m->event == LAG_NO_EVENT;
    return m->event == LAG_SWITCH ? lag_switch(m, error) : CRM_OK;
}

/* ---- The run --------------------------------------------------------------------------------- */

/* Which stop, if any, the present instant is. */
static bool stops_here(lag_motion *m, crm_motion_stop *stopped)
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

crm_status lag_begin_step(lag_motion *m, const crm_observer *observer, crm_motion_stop *stopped,
                          bool *go_on, crm_error *error)
{
    crm_status status = m->settled ? CRM_OK : settle(m, observer, stopped, go_on, error);
    if (status != CRM_OK || !*go_on) {
        return status;
    }
    status = lag_start_step(m, error);
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
    if (m->here > EVENTS_HERE) {
        *go_on = false;
        return crm_motion_fail(&m->common, stopped, "%zu events at t = %.17g, the last of gap %zu",
                               m->here, m->t, m->event_gap + 1);
    }
    status = lag_advance(m, error);
    m->stepping = status == CRM_OK;
    return status;
}

/* States at the observer's multiples within the pending step, not after `time`. */
static bool tell_states(lag_motion *m, double time, const crm_observer *observer)
{
    double *y = m->trial;
    for (double at = crm_motion_next_sample(observer, m->sampled); at <= time && at < m->t + m->h;
         at = crm_motion_next_sample(observer, m->sampled)) {
        lag_state_at(m, at, y);
        m->sampled = m->common.time = at;
        if (observer->state(observer->context, at, y, y + m->positions) != CRM_OK) {
            return false;
        }
    }
    return true;
}

/* A callback that asks to stop interrupts; any other failure is the end of the motion. */
crm_status lag_judge(lag_motion *m, crm_status status, const crm_error *own,
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

static crm_status go(lag_motion *m, double time, const crm_observer *observer,
                     crm_motion_stop *stopped, crm_error *error)
{
    for (;;) {
        bool go_on = true;
        crm_status status = CRM_OK;
        if (!m->stepping) {
            m->common.time = m->t;
            status = lag_begin_step(m, observer, stopped, &go_on, error);
        }
        if (status != CRM_OK || !go_on) {
            return status;
        }
        if (!tell_states(m, time, observer)) {
            *stopped = CRM_STOP_INTERRUPTED;
            return CRM_OK;
        }
        if (time < m->t + m->h) {
            m->common.time = m->sampled = time;
            *stopped = CRM_STOP_DURATION;
            return CRM_OK;
        }
        status = lag_finish_step(m, error);
        if (status != CRM_OK) {
            return status;
        }
    }
}

crm_status lag_run(crm_motion *motion, double time, const crm_observer *observer,
                   crm_motion_stop *stopped, crm_error *error)
{
    lag_motion *m = (lag_motion *)motion;
    crm_error own = {0};
    return lag_judge(m, go(m, time, observer, stopped, &own), &own, stopped, error);
}
