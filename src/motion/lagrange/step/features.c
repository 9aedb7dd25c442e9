/* Changes of the features between which gaps are measured: a corner passes the end of a face, an
 * ellipse rolls over an edge.
 *
 * Within a step every gap is measured between the same features, and so is smooth. Margins, known
 * at the nodes and by the polynomial through them, are positive as long as these are the right
 * ones. The step ends where a margin falls to 0; the feature beyond replaces the present one, and
 * contact states are decided anew. A margin that has just been crossed is 0 but for rounding, and
 * rises: so a switch is where a margin falls below -slack, and that of the new feature then begins
 * at slack.
 *
 * A gap measured by a feature at a distance x beyond its margin has an error of x^2 / 2R, R the
 * radius with which the other body passes around it (model/shape/feature.c); a resting contact is
 * switched where that is rounding of u, too.
 */
#include <float.h>
#include <math.h>

#include "motion/lagrange/lagrange.h"

/* Slack of an open gap, relative to the tolerance; of a contact, relative to positions. */
static const double OPEN_SLACK = 1, REST_SLACK = 16 * DBL_EPSILON;
/* Largest interpolation error of the margin of an open gap, relative to the size. */
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

void lagrange_evaluate_node_margins(lagrange_motion *m, const size_t *gaps, size_t count)
{
    for (size_t k = 0; k < LAGRANGE_NODES && m->features != NULL; k++) {
        for (size_t c = 0; c < count; c++) {
            size_t j = gaps[c];
            double *margin = m->node[k].margin + LAGRANGE_MARGINS * j;
            size_t margins = m->features->margins(m->def.context, j, m->node[k].y, margin);
            for (size_t i = margins; i < LAGRANGE_MARGINS; i++) {
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
        /* A margin that stays at 0 may be negative by the interpolation error. */
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

/* If the gap jumps, bodies without thickness have passed each other corner to corner: it is another
 * contact from here on.
 */
crm_status lagrange_switch_feature(lagrange_motion *m, crm_error *error)
{
    size_t j = m->event_gap;
    lagrange_contact *contact = &m->contact[j];
    double margin[LAGRANGE_MARGINS];
    if (lagrange_is_apart(m, j)) { /* in the step up to here; its feature is chosen */
        return CRM_OK;
    }
    m->features->margins(m->def.context, j, m->y, margin);
    if (margin[m->event_margin] > 0) { /* the polynomial was wrong: the margin is not crossed */
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
