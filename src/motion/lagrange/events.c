/* Closings and releases within a step.
 *
 * Gaps. u_j is known at the eight nodes; the integral of the polynomial through them, G(tau) =
 * g(0) + h int u, is the gap within the step: exactly so, where the gap is linear in q, for the
 * polynomial motion of the step. How far it is from the gap elsewhere is measured, by g itself at
 * the nodes and by the last coefficients of G: `hidden`. A step is clear if G stays above hidden,
 * which its Bernstein coefficients show; otherwise, unless hidden is a small part of the tolerance,
 * the step is shortened until one or the other holds. So a gap that opens and closes, or closes
 * and opens, within a step is seen, unless it does so between two nodes without a trace in the
 * sixteen values of g and u at them.
 *
 * A contact that is closed at the start of the step and opens has a root of G there, of order 1
 * to 3; it is divided out, so that the next root is found however near, and however much smaller
 * than the rounding of g the flight is.
 *
 * Releases: lambda_j through the nodes; the first root of its polynomial.
 *
 * A polynomial that dips below 0 by rounding is left alone: G must fall below -lag_zero_gap, or
 * end below 0 and falling. That misses a graze with a closing speed below sqrt(2 a zero_gap), in
 * which the gap is less than a thousandth of the tolerance below 0. Of a contact that was closed
 * at the start, G / tau must fall below what rounding of u makes of it.
 */
#include <float.h>
#include <math.h>

#include "motion/dense.h"
#include "motion/lagrange/lagrange.h"

/* Of the tolerance of positions. */
static const double HIDDEN_PART = 0.1;
/* Forces are known to this part of the accelerations' terms. */
static const double FORCE_NOISE = 1e-10;
/* Rounding of a gap, as a part of the positions it is made of. */
static const double GAP_ROUNDING = 1e-13;

/* ---- Gaps ------------------------------------------------------------------------------------ */

typedef struct gap_course {
    double series[LAG_TERMS]; /* of G(tau) - g(0) */
    double start;             /* g(0) */
    double hidden;
    double height; /* largest |G - g(0)| at a node */
} gap_course;

static gap_course follow_gap(const lag_motion *m, size_t j)
{
    const lag_contact *contact = &m->contact[j];
    gap_course course = {.start = contact->low ? contact->height : m->node[0].gap[j]};
    double values[LAG_NODES], rate[LAG_NODES], off = 0;
    for (size_t k = 0; k < LAG_NODES; k++) {
        values[k] = m->h * m->node[k].speed[j];
    }
    lag_series_of(&m->rule, values, 1, rate);
    lag_series_integrate(rate, course.series);
    for (size_t k = 1; k < LAG_NODES; k++) {
        double risen = crm_dense_dot(m->rule.integral[k], values, LAG_NODES);
        off = fmax(off, fabs(m->node[k].gap[j] - m->node[0].gap[j] - risen));
        course.height = fmax(course.height, fabs(risen));
    }
    course.hidden =
        2 * off + fabs(course.series[LAG_TERMS - 1]) + fabs(course.series[LAG_TERMS - 2]);
    return course;
}

/* G with its root at the start, of the contact's order, divided out. */
static lag_bernstein course_polynomial(const lag_motion *m, size_t j, const gap_course *course)
{
    lag_bernstein p = lag_bernstein_of_integral(&m->rule, course->series);
    unsigned order = m->contact[j].order;
    if (order == 0) {
        return lag_bernstein_shift(p, course->start - p.b[0]);
    }
    for (unsigned k = 0; k < order; k++) {
        p = lag_bernstein_deflate(p);
    }
    return p;
}

static bool measured_by_speed(const lag_motion *m, size_t j, const gap_course *course)
{
    return m->contact[j].low && course->height < lag_low_flight(m);
}

static double gap_at_end(const lag_motion *m, size_t j, const gap_course *course)
{
    return measured_by_speed(m, j, course)
               ? course->start + lag_series_at(course->series, LAG_TERMS, 1)
               : m->node[LAG_NODES - 1].gap[j];
}

double lag_farthest(const lag_motion *m)
{
    double most = 0;
    for (size_t i = 0; i < m->positions; i++) {
        most = fmax(most, fabs(m->y[i]));
    }
    return most;
}

/* The gap of bodies far from the origin is known to rounding of their positions only. */
double lag_hidden_allowed(const lag_motion *m)
{
    return HIDDEN_PART * m->common.options.tolerance * m->def.size + GAP_ROUNDING * lag_farthest(m);
}

static lag_trial open_gap(const lag_motion *m, size_t j, double *tau)
{
    gap_course course = follow_gap(m, j);
    lag_bernstein p = course_polynomial(m, j, &course);
    *tau = INFINITY;
    if (lag_bernstein_least(p) > course.hidden) {
        return LAG_TRIAL_GOOD;
    }
    if (course.hidden > lag_hidden_allowed(m)) {
        return LAG_TRIAL_SHORTEN;
    }
    double slack = m->contact[j].low ? m->h * m->speed_noise[j] : lag_zero_gap(m);
    bool ends_closed = gap_at_end(m, j, &course) < 0 && m->node[LAG_NODES - 1].speed[j] < 0;
    if ((m->contact[j].order == 0 && ends_closed) ||
        isfinite(lag_bernstein_first_root(lag_bernstein_shift(p, slack)))) {
        *tau = lag_bernstein_first_root(p);
    }
    return LAG_TRIAL_GOOD;
}

/* Held by others: it is one of them again when its gap really changes. A polynomial that does not
 * follow the gap, where that begins to change within the step, swings below 0 too early. */
static lag_trial carried_gap(const lag_motion *m, size_t j, double *tau)
{
    gap_course course = follow_gap(m, j);
    if (course.hidden > lag_hidden_allowed(m)) {
        return LAG_TRIAL_SHORTEN;
    }
    lag_bernstein p = lag_bernstein_of_integral(&m->rule, course.series);
    *tau = lag_bernstein_first_root(
        lag_bernstein_shift(p, lag_zero_gap(m) + fmax(0, course.start) - p.b[0]));
    return LAG_TRIAL_GOOD;
}

/* ---- Forces ---------------------------------------------------------------------------------- */

static void force_series(const lag_motion *m, size_t j, double series[LAG_NODES])
{
    double values[LAG_NODES];
    for (size_t k = 0; k < LAG_NODES; k++) {
        values[k] = m->node[k].force[j];
    }
    lag_series_of(&m->rule, values, 1, series);
}

/* What of lambda_j is rounding: it balances accelerations of the whole system. */
static double force_noise(const lag_motion *m, size_t j)
{
    double most = 0;
    for (size_t k = 0; k < LAG_NODES; k++) {
        most = fmax(most, fabs(m->node[k].force[j]));
    }
    return FORCE_NOISE * fmax(most, m->force_scale[j]);
}

static void loaded_force(const lag_motion *m, size_t j, double *tau)
{
    double series[LAG_NODES], noise = force_noise(m, j);
    force_series(m, j, series);
    lag_bernstein p = lag_bernstein_of_rate(&m->rule, series);
    if (m->contact[j].idle) {
        p = lag_bernstein_deflate(p);
    }
    *tau = INFINITY;
    if (!m->contact[j].held && isfinite(lag_bernstein_first_root(lag_bernstein_shift(p, noise)))) {
        *tau = lag_bernstein_first_root(p);
    }
}

/* ---- Together -------------------------------------------------------------------------------- */

static bool rises(const lag_motion *m, size_t j)
{
    double most = 0;
    for (size_t k = 0; k < LAG_NODES; k++) {
        most = fmax(most, m->node[k].gap[j]);
    }
    return most >= lag_low_flight(m);
}

/* Heights of low flights at the end of the step. */
void lag_follow_flights(lag_motion *m)
{
    for (size_t j = 0; j < m->gaps; j++) {
        lag_contact *contact = &m->contact[j];
        contact->cut = contact->cut && !rises(m, j);
        if (contact->low) {
            gap_course course = follow_gap(m, j);
            contact->height = course.start + lag_series_at(course.series, LAG_TERMS, 1);
            contact->low = contact->state == LAG_OPEN && course.height < lag_low_flight(m) &&
                           contact->height < lag_low_flight(m);
        }
    }
}

/* A closing or a release. */
static lag_trial first_of_gap(const lag_motion *m, size_t j, lag_found *found)
{
    double tau = INFINITY;
    lag_event event = LAG_CLOSING;
    lag_trial trial = LAG_TRIAL_GOOD;
    if (m->contact[j].state == LAG_OPEN) {
        trial = open_gap(m, j, &tau);
    } else if (m->contact[j].state == LAG_CARRIED) {
        trial = carried_gap(m, j, &tau);
    } else {
        loaded_force(m, j, &tau);
        event = LAG_RELEASE;
    }
    if (tau < found->tau) {
        *found = (lag_found){.event = event, .gap = j, .tau = tau};
    }
    return trial;
}

lag_trial lag_first_event(const lag_motion *m, const lag_found *except, lag_found *found)
{
    *found = (lag_found){.event = LAG_NO_EVENT, .tau = INFINITY};
    lag_trial trial = LAG_TRIAL_GOOD;
    for (size_t j = 0; j < m->gaps && trial == LAG_TRIAL_GOOD; j++) {
        bool same = except->event != LAG_NO_EVENT && j == except->gap;
        if (!same || except->event == LAG_SWITCH) {
            trial = first_of_gap(m, j, found);
        }
        if (trial == LAG_TRIAL_GOOD && (!same || except->event != LAG_SWITCH)) {
            trial = lag_first_switch(m, j, found);
        }
    }
    return trial;
}

lag_value lag_event_value(const lag_motion *m, lag_found found)
{
    size_t j = found.gap;
    const lag_node *end = &m->node[LAG_NODES - 1];
    if (found.event == LAG_SWITCH) {
        return lag_switch_value(m, found);
    }
    if (found.event == LAG_RELEASE) {
        double series[LAG_NODES];
        force_series(m, j, series);
        return (lag_value){.value = end->force[j],
                           .slope = lag_series_slope_at_end(series, LAG_NODES) / m->h,
                           .rounding = 2 * DBL_EPSILON * fabs(m->node[0].force[j])};
    }
    if (m->contact[j].state == LAG_CARRIED) { /* when, does not matter: the others hold it */
        return (lag_value){.slope = -1};
    }
    gap_course course = follow_gap(m, j);
    double terms = measured_by_speed(m, j, &course) ? course.height : lag_farthest(m);
    return (lag_value){.value = gap_at_end(m, j, &course),
                       .slope = end->speed[j],
                       .rounding = DBL_EPSILON * terms};
}
