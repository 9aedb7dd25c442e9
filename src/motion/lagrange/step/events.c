/* Closings and releases within a step.
 *
 * Gaps. u_j is known at the eight nodes; the integral of the polynomial through them, G(tau) =
 * g(0) + h int u, is the gap within the step: exactly so, where the gap is linear in q, for the
 * polynomial motion of the step. Elsewhere the difference is estimated by g itself at the nodes and
 * by the last coefficients of G: the interpolation error. A step has no closing if G stays above
 * that error, which its Bernstein coefficients show; otherwise, unless the error is a small part of
 * the tolerance, the step is shortened until one or the other holds. So a gap that opens and
 * closes, or closes and opens, within a step is detected, unless it does so between two nodes
 * without a trace in the sixteen values of g and u.
 *
 * A contact that is closed at the start of the step and opens has a root of G there, of order 1
 * to 3. It is divided out, so that the next root is found however near it is, and even if the
 * bounce is lower than the rounding of g.
 *
 * Releases: lambda_j through the nodes; the first root of its polynomial.
 *
 * A polynomial below 0 by rounding is no closing: G must fall below -lagrange_zero_gap, or end
 * below 0 and falling. That misses a grazing contact with a closing speed below sqrt(2 a zero_gap),
 * whose gap is less than a thousandth of the tolerance below 0. For a contact that was closed at
 * the start, G / tau must fall below the rounding of u.
 */
#include <float.h>
#include <math.h>

#include "motion/dense.h"
#include "motion/lagrange/lagrange.h"

/* Largest interpolation error, relative to the tolerance of positions. */
static const double ALLOWED_PART = 0.1;
/* Rounding of forces, relative to the terms of accelerations. */
static const double FORCE_NOISE = 1e-10;
/* Rounding of a gap, relative to positions. */
static const double GAP_ROUNDING = 1e-13;

/* ---- Gaps ------------------------------------------------------------------------------------ */

typedef struct gap_fit {
    double series[LAGRANGE_TERMS]; /* of G(tau) - g(0) */
    double start;                  /* g(0) */
    double interpolation_error;
    double height; /* largest |G - g(0)| at a node */
} gap_fit;

static gap_fit fit_gap(const lagrange_motion *m, size_t j)
{
    const lagrange_contact *contact = &m->contact[j];
    gap_fit fit = {.start = contact->low_bounce ? contact->height : m->node[0].gap[j]};
    double values[LAGRANGE_NODES], rate[LAGRANGE_NODES], off = 0;
    for (size_t k = 0; k < LAGRANGE_NODES; k++) {
        values[k] = m->h * m->node[k].speed[j];
    }
    lagrange_series_of(&m->rule, values, 1, rate);
    lagrange_series_integrate(rate, fit.series);
    for (size_t k = 1; k < LAGRANGE_NODES; k++) {
        double risen = crm_dense_dot(m->rule.integral[k], values, LAGRANGE_NODES);
        off = fmax(off, fabs(m->node[k].gap[j] - m->node[0].gap[j] - risen));
        fit.height = fmax(fit.height, fabs(risen));
    }
    fit.interpolation_error =
        2 * off + fabs(fit.series[LAGRANGE_TERMS - 1]) + fabs(fit.series[LAGRANGE_TERMS - 2]);
    return fit;
}

/* G, divided by tau to the order of the root that the contact has at the start. */
static lagrange_bernstein fit_polynomial(const lagrange_motion *m, size_t j, const gap_fit *fit)
{
    lagrange_bernstein p = lagrange_bernstein_of_integral(&m->rule, fit->series);
    unsigned order = m->contact[j].order;
    if (order == 0) {
        return lagrange_bernstein_shift(p, fit->start - p.b[0]);
    }
    for (unsigned k = 0; k < order; k++) {
        p = lagrange_bernstein_deflate(p);
    }
    return p;
}

static bool measured_by_speed(const lagrange_motion *m, size_t j, const gap_fit *fit)
{
    return m->contact[j].low_bounce && fit->height < lagrange_low_bounce_height(m);
}

static double gap_at_end(const lagrange_motion *m, size_t j, const gap_fit *fit)
{
    return measured_by_speed(m, j, fit)
               ? fit->start + lagrange_series_at(fit->series, LAGRANGE_TERMS, 1)
               : m->node[LAGRANGE_NODES - 1].gap[j];
}

/* Beyond the end of the step it opens again before G falls below -lagrange_zero_gap. */
static bool grazes_at_end(const lagrange_motion *m, size_t j, const gap_fit *fit)
{
    double values[LAGRANGE_NODES], series[LAGRANGE_NODES];
    for (size_t k = 0; k < LAGRANGE_NODES; k++) {
        values[k] = m->node[k].speed[j];
    }
    lagrange_series_of(&m->rule, values, 1, series);
    double u = values[LAGRANGE_NODES - 1];
    double a = lagrange_series_slope_at_end(series, LAGRANGE_NODES) / m->h;
    return a > 0 && gap_at_end(m, j, fit) - u * u / (2 * a) > -lagrange_zero_gap(m);
}

double lagrange_largest_coordinate(const lagrange_motion *m)
{
    double most = 0;
    for (size_t i = 0; i < m->positions; i++) {
        most = fmax(most, fabs(m->y[i]));
    }
    return most;
}

/* Gaps of bodies far from the origin have the rounding of their positions. */
double lagrange_allowed_error(const lagrange_motion *m)
{
    return ALLOWED_PART * m->common.options.tolerance * m->def.size +
           GAP_ROUNDING * lagrange_largest_coordinate(m);
}

static lagrange_trial open_gap(const lagrange_motion *m, size_t j, double *tau)
{
    gap_fit fit = fit_gap(m, j);
    lagrange_bernstein p = fit_polynomial(m, j, &fit);
    *tau = INFINITY;
    if (lagrange_bernstein_least(p) > fit.interpolation_error) {
        return LAGRANGE_TRIAL_GOOD;
    }
    if (fit.interpolation_error > lagrange_allowed_error(m)) {
        return LAGRANGE_TRIAL_SHORTEN;
    }
    double slack = m->contact[j].low_bounce ? m->h * m->speed_noise[j] : lagrange_zero_gap(m);
    bool ends_closed = gap_at_end(m, j, &fit) < 0 && m->node[LAGRANGE_NODES - 1].speed[j] < 0 &&
                       !grazes_at_end(m, j, &fit);
    if ((m->contact[j].order == 0 && ends_closed) ||
        isfinite(lagrange_bernstein_first_root(lagrange_bernstein_shift(p, slack)))) {
        *tau = lagrange_bernstein_first_root(p);
    }
    return LAGRANGE_TRIAL_GOOD;
}

/* A redundant contact: an event when its gap changes. A polynomial that does not fit a gap which
 * begins to change within the step oscillates below 0 too early. */
static lagrange_trial redundant_gap(const lagrange_motion *m, size_t j, double *tau)
{
    gap_fit fit = fit_gap(m, j);
    if (fit.interpolation_error > lagrange_allowed_error(m)) {
        return LAGRANGE_TRIAL_SHORTEN;
    }
    lagrange_bernstein p = lagrange_bernstein_of_integral(&m->rule, fit.series);
    *tau = lagrange_bernstein_first_root(
        lagrange_bernstein_shift(p, lagrange_zero_gap(m) + fmax(0, fit.start) - p.b[0]));
    return LAGRANGE_TRIAL_GOOD;
}

/* ---- Forces ---------------------------------------------------------------------------------- */

static void force_series(const lagrange_motion *m, size_t j, double series[LAGRANGE_NODES])
{
    double values[LAGRANGE_NODES];
    for (size_t k = 0; k < LAGRANGE_NODES; k++) {
        values[k] = m->node[k].force[j];
    }
    lagrange_series_of(&m->rule, values, 1, series);
}

/* Rounding of lambda_j, which balances accelerations of the whole system. */
static double force_noise(const lagrange_motion *m, size_t j)
{
    double most = 0;
    for (size_t k = 0; k < LAGRANGE_NODES; k++) {
        most = fmax(most, fabs(m->node[k].force[j]));
    }
    return FORCE_NOISE * fmax(most, m->force_scale[j]);
}

static void loaded_force(const lagrange_motion *m, size_t j, double *tau)
{
    double series[LAGRANGE_NODES], noise = force_noise(m, j);
    force_series(m, j, series);
    lagrange_bernstein p = lagrange_bernstein_of_rate(&m->rule, series);
    if (m->contact[j].unloaded_at_start) {
        p = lagrange_bernstein_deflate(p);
    }
    *tau = INFINITY;
    if (!m->contact[j].kept_closed &&
        isfinite(lagrange_bernstein_first_root(lagrange_bernstein_shift(p, noise)))) {
        *tau = lagrange_bernstein_first_root(p);
    }
}

/* ---- Together -------------------------------------------------------------------------------- */

static bool rises(const lagrange_motion *m, size_t j)
{
    double most = 0;
    for (size_t k = 0; k < LAGRANGE_NODES; k++) {
        most = fmax(most, m->node[k].gap[j]);
    }
    return most >= lagrange_low_bounce_height(m);
}

void lagrange_follow_low_bounces(lagrange_motion *m)
{
    for (size_t j = 0; j < m->gaps; j++) {
        lagrange_contact *contact = &m->contact[j];
        contact->bounces_cut = contact->bounces_cut && !rises(m, j);
        if (contact->low_bounce) {
            gap_fit fit = fit_gap(m, j);
            contact->height = fit.start + lagrange_series_at(fit.series, LAGRANGE_TERMS, 1);
            contact->low_bounce = contact->state == LAGRANGE_OPEN &&
                                  fit.height < lagrange_low_bounce_height(m) &&
                                  contact->height < lagrange_low_bounce_height(m);
        }
    }
}

/* A closing or a release. */
static lagrange_trial first_of_gap(const lagrange_motion *m, size_t j, lagrange_event *found)
{
    double tau = INFINITY;
    lagrange_event_kind event = LAGRANGE_CLOSING;
    lagrange_trial trial = LAGRANGE_TRIAL_GOOD;
    if (m->contact[j].state == LAGRANGE_OPEN) {
        trial = open_gap(m, j, &tau);
    } else if (m->contact[j].state == LAGRANGE_REDUNDANT) {
        trial = redundant_gap(m, j, &tau);
    } else {
        loaded_force(m, j, &tau);
        event = LAGRANGE_RELEASE;
    }
    if (tau < found->tau) {
        *found = (lagrange_event){.event = event, .gap = j, .tau = tau};
    }
    return trial;
}

lagrange_trial lagrange_first_event(const lagrange_motion *m, const lagrange_event *except,
                                    lagrange_event *found)
{
    *found = (lagrange_event){.event = LAGRANGE_NO_EVENT, .tau = INFINITY};
    lagrange_trial trial = LAGRANGE_TRIAL_GOOD;
    for (size_t j = 0; j < m->gaps && trial == LAGRANGE_TRIAL_GOOD; j++) {
        if (lagrange_is_apart(m, j)) {
            continue;
        }
        bool same = except->event != LAGRANGE_NO_EVENT && j == except->gap;
        if (!same || except->event == LAGRANGE_FEATURE_SWITCH) {
            trial = first_of_gap(m, j, found);
        }
        if (trial == LAGRANGE_TRIAL_GOOD && (!same || except->event != LAGRANGE_FEATURE_SWITCH)) {
            trial = lagrange_first_switch(m, j, found);
        }
    }
    return trial;
}

lagrange_event_function lagrange_event_value(const lagrange_motion *m, lagrange_event found)
{
    size_t j = found.gap;
    const lagrange_node *end = &m->node[LAGRANGE_NODES - 1];
    if (found.event == LAGRANGE_FEATURE_SWITCH) {
        return lagrange_switch_value(m, found);
    }
    if (found.event == LAGRANGE_RELEASE) {
        double series[LAGRANGE_NODES];
        force_series(m, j, series);
        return (lagrange_event_function){
            .value = end->force[j],
            .slope = lagrange_series_slope_at_end(series, LAGRANGE_NODES) / m->h,
            .rounding = 2 * DBL_EPSILON * fabs(m->node[0].force[j])};
    }
    if (m->contact[j].state ==
        LAGRANGE_REDUNDANT) { /* its time does not matter: the loaded ones keep it closed */
        return (lagrange_event_function){.slope = -1};
    }
    gap_fit fit = fit_gap(m, j);
    double rounding = measured_by_speed(m, j, &fit) ? m->h * m->speed_noise[j]
                                                    : DBL_EPSILON * lagrange_largest_coordinate(m);
    return (lagrange_event_function){
        .value = gap_at_end(m, j, &fit), .slope = end->speed[j], .rounding = rounding};
}
