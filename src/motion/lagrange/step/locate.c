/* A step that ends at its first event.
 *
 * The polynomials of the step tell approximately where the event is. The step is then computed
 * again to end there, and its length corrected by Newton's method until the event's function is 0
 * at the end: so the event has the accuracy of the step's end.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "motion/lagrange/lagrange.h"

/* A step moves no coordinate by more than TRAVEL sizes, and is not longer than this part of the
 * time since the start, so that short or late changes are not stepped over. */
static const double TRAVEL = 4, ELAPSED_PART = 0.25;
static const double GROW_MOST = 4, SHRINK_MOST = 0.1, SAFETY = 0.9;
/* The step of a short bounce, as a multiple of the bounce's expected duration. */
static const double BOUNCES = 1.25;
/* A step is too short if below this part of the first one, or of the rounding of the time. */
static const double SHORTEST = 1e-14;
/* Events closer than this part of a step are one instant. */
static const double SAME_INSTANT = 1e-12;
enum { NEWTON_ROUNDS = 100 };

/* ---- How long -------------------------------------------------------------------------------- */

static double length_limit(const lagrange_motion *m)
{
    const double *f = m->node[0].f;
    double speed = 0, acceleration = 0, way = TRAVEL * m->def.size;
    for (size_t i = 0; i < m->positions; i++) {
        speed = fmax(speed, fabs(f[i]));
    }
    for (size_t i = 0; i < m->n; i++) {
        acceleration = fmax(acceleration, fabs(f[m->positions + i]));
    }
    double limit = fmax(m->first_h, ELAPSED_PART * (m->t - m->def.start));
    if (speed > 0) {
        limit = fmin(limit, way / speed);
    }
    return acceleration > 0 ? fmin(limit, sqrt(2 * way / acceleration)) : limit;
}

static double factor_for(double error)
{
    double factor = error > 0 ? SAFETY * crm_pow(error, -1.0 / (LAGRANGE_TERMS - 1)) : GROW_MOST;
    return fmin(GROW_MOST, fmax(SHRINK_MOST, factor));
}

/* ---- A step within tolerance ----------------------------------------------------------------- */

/* Errors of callbacks at a state that only a too long step reaches are not errors of the motion. */
static bool may_vanish(crm_status status)
{
    return status == CRM_ERROR_MODEL || status == CRM_ERROR_NUMERICS;
}

static crm_status try_step(lagrange_motion *m, double h, double *next, lagrange_event *found,
                           crm_error *error)
{
    lagrange_trial trial;
    *next = 0.5 * h;
    crm_status status = lagrange_collocate(m, h, 0, &trial, error);
    if (status != CRM_OK || trial != LAGRANGE_TRIAL_GOOD) {
        return status;
    }
    double step_error = lagrange_step_error(m);
    if (!(step_error <= 1)) {
        *next = h * fmin(0.8, factor_for(step_error));
        return CRM_OK;
    }
    status = lagrange_evaluate_node_gaps(m, error);
    if (status == CRM_OK && lagrange_first_event(m, &(lagrange_event){.event = LAGRANGE_NO_EVENT},
                                                 found) == LAGRANGE_TRIAL_GOOD) {
        *next = INFINITY;
        m->next_h = h * factor_for(step_error);
    }
    return status;
}

static double shortest_step(const lagrange_motion *m)
{
    return fmax(SHORTEST * m->first_h, 4 * DBL_EPSILON * fabs(m->t));
}

static crm_status find_step(lagrange_motion *m, lagrange_event *found, crm_error *error)
{
    double natural = m->next_h,
           h = fmin(fmin(natural, length_limit(m)), BOUNCES * m->shortest_bounce), next;
    bool hinted = h < natural;
    double shortest = shortest_step(m);
    for (;;) {
        crm_status status = try_step(m, h, &next, found, error);
        if (status != CRM_OK && (!may_vanish(status) || next < shortest)) {
            return status;
        }
        if (status == CRM_OK && isinf(next)) {
            m->next_h = hinted ? fmax(natural, m->next_h) : m->next_h;
            m->shortest_bounce = INFINITY;
            return CRM_OK;
        }
        if (next < shortest) {
            return crm_fail(error, CRM_ERROR_NUMERICS, NULL,
                            "the motion cannot be followed at t = %.17g: steps of %g are too long "
                            "for its forces or gaps",
                            m->t, h);
        }
        h = next;
        hinted = false;
    }
}

/* ---- To the event ---------------------------------------------------------------------------- */

/* The step again with length h, and gap j in it. It converges in most cases, as the longer did. */
static crm_status try_shorter(lagrange_motion *m, double h, size_t j, lagrange_trial *trial,
                              crm_error *error)
{
    crm_status status = lagrange_collocate(m, h, h / m->h, trial, error);
    return status == CRM_OK && *trial == LAGRANGE_TRIAL_GOOD
               ? lagrange_evaluate_node_gap(m, j, error)
               : status;
}

static crm_status shorten_step(lagrange_motion *m, double h, size_t j, crm_error *error)
{
    lagrange_trial trial;
    crm_status status = try_shorter(m, h, j, &trial, error);
    if (status == CRM_OK && trial != LAGRANGE_TRIAL_GOOD) {
        status = crm_fail(error, CRM_ERROR_NUMERICS, NULL,
                          "a step to an event at t = %.17g does not converge", m->t + h);
    }
    return status;
}

/* The polynomial of the step reaches 0 by its interpolation error only: in shorter steps, which are
 * more accurate, the gap is open up to the end of this one.
 */
static bool is_open_to_the_end(const lagrange_motion *m, lagrange_event found, double gap)
{
    return found.event == LAGRANGE_CLOSING && m->contact[found.gap].state == LAGRANGE_OPEN &&
           gap > lagrange_allowed_error(m);
}

static bool is_apart(double low, double high)
{
    return high - low > 2 * DBL_EPSILON * high;
}

/* Newton's method between a length at which the function is positive and one at which it is not. A
 * force that jumps through 0, where the slope of a gap jumps, is located after the jump: before it
 * nothing is released. A step that ends at such a jump may not converge: a shorter one is tried.
 * *located: false if there is no such event within the step, or before steps cease to converge (a
 * force that tends to infinity, through whose values at the nodes the polynomial swings below 0).
 */
static crm_status locate_event(lagrange_motion *m, lagrange_event found, bool *located,
                               crm_error *error)
{
    const double whole = m->h;
    double low = 0, high = whole, h = found.tau * whole;
    *located = true;
    for (int round = 0; round < NEWTON_ROUNDS; round++) {
        lagrange_trial trial;
        crm_status status = try_shorter(m, h, found.gap, &trial, error);
        if (status != CRM_OK) {
            return status;
        }
        if (trial != LAGRANGE_TRIAL_GOOD) {
            high = h;
            h = low + 0.5 * (high - low);
            *located = is_apart(low, high) || high < shortest_step(m);
            if (*located) {
                continue;
            }
            return CRM_OK;
        }
        lagrange_event_function at = lagrange_event_value(m, found);
        *(at.value > 0 ? &low : &high) = h;
        double better = at.slope < 0 ? h - at.value / at.slope : 0;
        bool narrow = !is_apart(low, high);
        if (narrow && at.value > at.rounding && found.event == LAGRANGE_RELEASE) {
            return shorten_step(m, high, found.gap, error);
        }
        if (fabs(at.value) <= at.rounding || fabs(better - h) <= 2 * DBL_EPSILON * h || narrow) {
            *located = !(narrow && high == whole && is_open_to_the_end(m, found, at.value));
            return CRM_OK;
        }
        if (!(better > low && better < high)) {
            better = low + 0.5 * (high - low);
        }
        h = better;
    }
    return shorten_step(m, h, found.gap, error);
}

/* In the shortened step another event may turn out to be first. */
static crm_status locate_first(lagrange_motion *m, lagrange_event found, bool *located,
                               crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t k = 0; k <= m->gaps && status == CRM_OK; k++) {
        m->event = found.event;
        m->event_gap = found.gap;
        m->event_margin = found.margin;
        if (found.tau * m->h <= 0) {
            m->h = 0;
            return CRM_OK;
        }
        status = locate_event(m, found, located, error);
        status = status == CRM_OK && *located ? lagrange_evaluate_node_gaps(m, error) : status;
        lagrange_event other;
        if (status != CRM_OK || !*located ||
            lagrange_first_event(m, &found, &other) != LAGRANGE_TRIAL_GOOD ||
            other.event == LAGRANGE_NO_EVENT || other.tau > 1 - SAME_INSTANT) {
            return status;
        }
        found = other;
    }
    return status;
}

/* ---- Together -------------------------------------------------------------------------------- */

static void note_extremes(lagrange_motion *m)
{
    for (size_t k = 0; k < LAGRANGE_NODES && m->h > 0; k++) {
        const lagrange_node *node = &m->node[k];
        for (size_t j = 0; j < m->gaps; j++) {
            m->common.max_penetration = fmax(m->common.max_penetration, -node->gap[j]);
        }
        for (size_t i = 0; i < m->n; i++) {
            m->largest_speed = fmax(m->largest_speed, fabs(node->y[m->positions + i]));
            m->largest_acceleration =
                fmax(m->largest_acceleration, fabs(node->f[m->positions + i]));
        }
    }
}

/* The projected end of the step, and its account. */
static crm_status complete(lagrange_motion *m, crm_error *error)
{
    crm_status status = CRM_OK;
    memcpy(m->end, m->h > 0 ? m->node[LAGRANGE_NODES - 1].y : m->y, m->dimension * sizeof *m->end);
    note_extremes(m);
    if (m->h > 0) {
        status = lagrange_project(m, m->t + m->h, m->end, error);
    }
    return status == CRM_OK ? lagrange_account_step(m, error) : status;
}

/* A step that fails leaves the motion as it was and can be tried again. */
crm_status lagrange_take_step(lagrange_motion *m, crm_error *error)
{
    const double next_h = m->next_h, shortest_bounce = m->shortest_bounce;
    const double shortest = shortest_step(m);
    crm_status status = CRM_OK;
    for (bool located = false; status == CRM_OK && !located;) {
        lagrange_event found = {.event = LAGRANGE_NO_EVENT};
        status = find_step(m, &found, error);
        m->event = LAGRANGE_NO_EVENT;
        located = true;
        if (status == CRM_OK && found.event != LAGRANGE_NO_EVENT) {
            status = locate_first(m, found, &located, error);
        }
        if (!located) { /* events after a false one have not been searched: a shorter step */
            m->next_h = 0.5 * m->h;
            located = m->next_h < shortest;
        }
    }
    status = status == CRM_OK ? complete(m, error) : status;
    if (status != CRM_OK) {
        m->next_h = next_h;
        m->shortest_bounce = shortest_bounce;
    }
    return status;
}

crm_status lagrange_shorten_step(lagrange_motion *m, double time, crm_error *error)
{
    if (!m->stepping || time >= m->t + m->h) {
        return CRM_OK;
    }
    if (time <= m->t) {
        m->stepping = false;
        return CRM_OK;
    }
    m->event = LAGRANGE_NO_EVENT;
    crm_watching *watching = m->common.watching; /* a regrouping must not be interrupted */
    m->common.watching = NULL;
    crm_status status = shorten_step(m, time - m->t, 0, error);
    status = status == CRM_OK ? lagrange_evaluate_node_gaps(m, error) : status;
    status = status == CRM_OK ? complete(m, error) : status;
    m->common.watching = watching;
    return status;
}

crm_status lagrange_start_step(lagrange_motion *m, crm_error *error)
{
    memcpy(m->node[0].y, m->y, m->dimension * sizeof *m->y);
    crm_status status = lagrange_rates(m, m->t, &m->node[0], error);
    for (size_t i = 0; status == CRM_OK && i < m->n; i++) {
        m->largest_speed = fmax(m->largest_speed, fabs(m->y[m->positions + i]));
        m->largest_acceleration = fmax(m->largest_acceleration, fabs(m->values.free[i]));
    }
    return status;
}
