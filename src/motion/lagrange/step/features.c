/* Gaps whose bodies turn other features to each other: a corner passes the end of a face, an
 * ellipse rolls over an edge.
 *
 * Within a step every gap is measured between the same features, and so is smooth. A margin, at the
 * nodes and by the polynomial through them, tells until when these are the right ones; the step
 * ends where it falls to 0, the feature beyond takes over, and forces are decided anew. A margin
 * that has just been crossed is 0 but for rounding, and rises: so a switch is where a margin falls
 * below -slack, and after it that of the new feature begins at slack.
 *
 * What is measured by a feature a little beyond its margin x is off by x^2 / 2R, R the radius with
 * which the other passes around it (model/shape/feature.c); a contact that rests is switched where
 * that is rounding in u, too.
 */
#include <float.h>
#include <math.h>

#include "motion/lagrange/lagrange.h"

/* Slack of an open gap, as a part of the tolerance; that of a contact in rounding of positions. */
static const double OPEN_SLACK = 1, REST_SLACK = 16 * DBL_EPSILON;
/* How well margins must be known: of the size, where the gap is open. */
static const double OPEN_ALLOWED = 1e-3;

static bool is_open(const lagrange_motion *m, size_t j)
{
    return m->contact[j].state == LAGRANGE_OPEN && !m->contact[j].low_bounce;
}

static double slack_of(const lagrange_motion *m, size_t j)
{
    double rounding = REST_SLACK * (m->def.size + lagrange_largest_coordinate(m));
    double open = OPEN_SLACK * m->common.options.tolerance * m->def.size;
    return is_open(m, j) ? fmax(open, rounding) : rounding;
}

void lagrange_evaluate_node_margins(lagrange_motion *m, size_t first, size_t last)
{
    for (size_t k = 0; k < LAGRANGE_NODES && m->features != NULL; k++) {
        for (size_t j = first; j <= last && j < m->gaps; j++) {
            double *margin = m->node[k].margin + LAGRANGE_MARGINS * j;
            size_t count = m->features->margins(m->def.context, j, m->node[k].y, margin);
            for (size_t i = count; i < LAGRANGE_MARGINS; i++) {
                margin[i] = INFINITY;
            }
        }
    }
}

static void margin_series(const lagrange_motion *m, size_t at, double series[LAGRANGE_NODES])
{
    double values[LAGRANGE_NODES];
    for (size_t k = 0; k < LAGRANGE_NODES; k++) {
        values[k] = m->node[k].margin[at];
    }
    lagrange_series_of(&m->rule, values, 1, series);
}

lagrange_trial lagrange_first_switch(const lagrange_motion *m, size_t j, lagrange_event *found)
{
    double slack = m->features != NULL ? slack_of(m, j) : 0;
    for (size_t i = 0; i < LAGRANGE_MARGINS && m->features != NULL; i++) {
        size_t at = LAGRANGE_MARGINS * j + i;
        if (isinf(m->node[0].margin[at])) {
            continue;
        }
        double series[LAGRANGE_NODES];
        margin_series(m, at, series);
        lagrange_bernstein p = lagrange_bernstein_of_rate(&m->rule, series);
        double interpolation_error =
            fabs(series[LAGRANGE_NODES - 1]) + fabs(series[LAGRANGE_NODES - 2]);
        if (lagrange_bernstein_least(p) > interpolation_error - slack) {
            continue;
        }
        if (interpolation_error >
            (is_open(m, j) ? OPEN_ALLOWED * m->def.size : lagrange_allowed_error(m))) {
            return LAGRANGE_TRIAL_SHORTEN;
        }
        /* What the last coefficients make of a margin that stays at 0 is no fall below it. */
        bool falls = isfinite(lagrange_bernstein_first_root(
            lagrange_bernstein_shift(p, slack + 4 * interpolation_error)));
        double tau =
            falls ? lagrange_bernstein_first_root(lagrange_bernstein_shift(p, slack)) : INFINITY;
        if (tau < found->tau) {
            *found = (lagrange_event){
                .event = LAGRANGE_FEATURE_SWITCH, .gap = j, .margin = i, .tau = tau};
        }
    }
    return LAGRANGE_TRIAL_GOOD;
}

lagrange_event_function lagrange_switch_value(const lagrange_motion *m, lagrange_event found)
{
    size_t at = LAGRANGE_MARGINS * found.gap + found.margin;
    double series[LAGRANGE_NODES], slack = slack_of(m, found.gap);
    margin_series(m, at, series);
    return (lagrange_event_function){.value = m->node[LAGRANGE_NODES - 1].margin[at] + slack,
                                     .slope = lagrange_series_slope_at_end(series, LAGRANGE_NODES) /
                                              m->h,
                                     .rounding = 0.5 * slack};
}

/* A contact whose gap jumps is another one from here on: bodies without thickness have passed
 * corner to corner.
 */
crm_status lagrange_switch_feature(lagrange_motion *m, crm_error *error)
{
    size_t j = m->event_gap;
    lagrange_contact *contact = &m->contact[j];
    double margin[LAGRANGE_MARGINS];
    m->features->margins(m->def.context, j, m->y, margin);
    if (margin[m->event_margin] > 0) { /* the polynomial was wrong: nothing is beyond */
        return CRM_OK;
    }
    crm_status status = lagrange_gap(m, m->t, m->y, m->values.gap, error);
    if (status != CRM_OK) {
        return status;
    }
    double before = m->values.gap[j];
    m->features->cross(m->def.context, j, m->y, m->event_margin);
    status = lagrange_gap(m, m->t, m->y, m->values.gap, error);
    if (fabs(m->values.gap[j] - before) > lagrange_zero_gap(m)) {
        *contact = (lagrange_contact){.state = LAGRANGE_OPEN};
    }
    return status;
}
