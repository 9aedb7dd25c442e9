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
static const double OPEN_HIDDEN = 1e-3;

static bool is_open(const lag_motion *m, size_t j)
{
    return m->contact[j].state == LAG_OPEN && !m->contact[j].low;
}

static double slack_of(const lag_motion *m, size_t j)
{
    double rounding = REST_SLACK * (m->def.size + lag_farthest(m));
    double open = OPEN_SLACK * m->common.options.tolerance * m->def.size;
    return is_open(m, j) ? fmax(open, rounding) : rounding;
}

void lag_node_margins(lag_motion *m, size_t first, size_t last)
{
    for (size_t k = 0; k < LAG_NODES && m->features != NULL; k++) {
        for (size_t j = first; j <= last && j < m->gaps; j++) {
            double *margin = m->node[k].margin + LAG_MARGINS * j;
            size_t count = m->features->margins(m->def.context, j, m->node[k].y, margin);
            for (size_t i = count; i < LAG_MARGINS; i++) {
                margin[i] = INFINITY;
            }
        }
    }
}

static void margin_series(const lag_motion *m, size_t at, double series[LAG_NODES])
{
    double values[LAG_NODES];
    for (size_t k = 0; k < LAG_NODES; k++) {
        values[k] = m->node[k].margin[at];
    }
    lag_series_of(&m->rule, values, 1, series);
}

lag_trial lag_first_switch(const lag_motion *m, size_t j, lag_found *found)
{
    double slack = m->features != NULL ? slack_of(m, j) : 0;
    for (size_t i = 0; i < LAG_MARGINS && m->features != NULL; i++) {
        size_t at = LAG_MARGINS * j + i;
        if (isinf(m->node[0].margin[at])) {
            continue;
        }
        double series[LAG_NODES];
        margin_series(m, at, series);
        lag_bernstein p = lag_bernstein_of_rate(&m->rule, series);
        double hidden = fabs(series[LAG_NODES - 1]) + fabs(series[LAG_NODES - 2]);
        if (lag_bernstein_least(p) > hidden - slack) {
            continue;
        }
        if (hidden > (is_open(m, j) ? OPEN_HIDDEN * m->def.size : lag_hidden_allowed(m))) {
            return LAG_TRIAL_SHORTEN;
        }
        /* What the last coefficients make of a margin that stays at 0 is no fall below it. */
        bool falls = isfinite(lag_bernstein_first_root(lag_bernstein_shift(p, slack + 4 * hidden)));
        double tau = falls ? lag_bernstein_first_root(lag_bernstein_shift(p, slack)) : INFINITY;
        if (tau < found->tau) {
            *found = (lag_found){.event = LAG_SWITCH, .gap = j, .margin = i, .tau = tau};
        }
    }
    return LAG_TRIAL_GOOD;
}

lag_value lag_switch_value(const lag_motion *m, lag_found found)
{
    size_t at = LAG_MARGINS * found.gap + found.margin;
    double series[LAG_NODES], slack = slack_of(m, found.gap);
    margin_series(m, at, series);
    return (lag_value){.value = m->node[LAG_NODES - 1].margin[at] + slack,
                       .slope = lag_series_slope_at_end(series, LAG_NODES) / m->h,
                       .rounding = 0.5 * slack};
}

/* A contact whose gap jumps is another one from here on: bodies without thickness have passed
 * corner to corner.
 */
crm_status lag_switch(lag_motion *m, crm_error *error)
{
    size_t j = m->event_gap;
    lag_contact *contact = &m->contact[j];
    double margin[LAG_MARGINS];
    m->features->margins(m->def.context, j, m->y, margin);
    if (margin[m->event_margin] > 0) { /* the polynomial was wrong: nothing is beyond */
        return CRM_OK;
    }
    crm_status status = lag_gap(m, m->t, m->y, m->local.gap, error);
    if (status != CRM_OK) {
        return status;
    }
    double before = m->local.gap[j];
    m->features->cross(m->def.context, j, m->y, m->event_margin);
    status = lag_gap(m, m->t, m->y, m->local.gap, error);
    if (fabs(m->local.gap[j] - before) > lag_zero_gap(m)) {
        *contact = (lag_contact){.state = LAG_OPEN};
    }
    return status;
}
