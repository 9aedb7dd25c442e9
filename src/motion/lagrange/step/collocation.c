/* One step by collocation.
 *
 * A polynomial of degree 8 satisfies y' = f(t, y), y = (q, v), at the eight Lobatto nodes of the
 * step: order 14 at its end. The motion within the step is that polynomial, too, nearly as accurate
 * as the ends (uniform free fall exactly): events are located in it, and states between are read
 * from it without affecting the steps. The equations are solved by fixed-point iteration,
 * y_i = y_0 + h sum A_ik f_k, which converges while h is below the time scale of the forces:
 * systems are not stiff here.
 *
 * Error estimate: the coefficient of P_8 in y, the last one. It estimates the error of the
 * polynomial of one degree less; the error of this one is smaller by the ratio of coefficients, and
 * that of the ends much smaller.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "motion/lagrange/lagrange.h"

/* The last coefficient may be this part of the tolerance. */
static const double ERROR_PART = 0.01;
/* An iteration that changes by less than this and no longer decreases has reached rounding. */
static const double CONVERGED = 1e-13, ROUNDING = 4 * DBL_EPSILON;
enum { ITERATIONS = 30 };
/* A step may be so many times as long as the one whose series is its first guess: a polynomial
 * extrapolates no further. */
static const double LONGER_MOST = 2;

/* The scale of errors of y_i: of positions the size, of velocities the largest value in the step or
 * the size per step. */
static double scale_of(const lagrange_motion *m, size_t i)
{
    double most = 0;
    for (size_t k = 0; k < LAGRANGE_NODES; k++) {
        most = fmax(most, fabs(m->node[k].y[i]));
    }
    return fmax(most, i < m->positions ? m->def.size : m->def.size / m->h);
}

/* ---- First guess ----------------------------------------------------------------------------- */

static void guess_from_start(lagrange_motion *m, double h)
{
    const lagrange_node *start = &m->node[0];
    const double *rate = start->f + m->positions;
    for (size_t k = 1; k < LAGRANGE_NODES; k++) {
        double s = m->rule.node[k] * h;
        for (size_t i = 0; i < m->dimension; i++) {
            m->node[k].y[i] = start->y[i] + s * start->f[i];
        }
        for (size_t i = 0; m->def.kinematics == NULL && i < m->n; i++) {
            m->node[k].y[i] += 0.5 * s * s * rate[i];
        }
    }
}

static void guess_from_series(lagrange_motion *m, double old_h, double ratio)
{
    for (size_t k = 1; k < LAGRANGE_NODES; k++) {
        for (size_t i = 0; i < m->dimension; i++) {
            const double *series = m->series + i * LAGRANGE_TERMS;
            m->node[k].y[i] = m->y[i] + old_h * lagrange_series_at(series, LAGRANGE_TERMS,
                                                                   m->rule.node[k] * ratio);
        }
    }
}

/* ---- Iteration ------------------------------------------------------------------------------- */

/* Updates y at node k; returns the largest relative change. */
static double renew(lagrange_motion *m, size_t k)
{
    double change = 0;
    lagrange_node *node = &m->node[k];
    for (size_t i = 0; i < m->dimension; i++) {
        double sum = 0;
        for (size_t l = 0; l < LAGRANGE_NODES; l++) {
            sum += m->rule.integral[k][l] * m->node[l].f[i];
        }
        double y = m->y[i] + m->h * sum;
        double scale = fmax(fabs(y), i < m->positions ? m->def.size : m->def.size / m->h);
        change = fmax(change, fabs(y - node->y[i]) / scale);
        node->y[i] = y;
    }
    return change;
}

/* Work of an iteration, in contacts visited, for watches of a run. */
static uint64_t work_of(const lagrange_motion *m)
{
    return LAGRANGE_NODES * (10 * m->gaps + m->n * m->n);
}

static crm_status evaluate(lagrange_motion *m, crm_error *error)
{
    crm_status status = CRM_OK;
    if (crm_motion_ends(&m->common, work_of(m))) {
        return crm_fail(error, CRM_ERROR_STOPPED, NULL, "the run was told to end");
    }
    for (size_t k = 1; k < LAGRANGE_NODES && status == CRM_OK; k++) {
        status = lagrange_rates(m, m->t + m->rule.node[k] * m->h, &m->node[k], error);
    }
    return status;
}

static crm_status iterate(lagrange_motion *m, lagrange_trial *trial, crm_error *error)
{
    double before = INFINITY;
    *trial = LAGRANGE_TRIAL_SHORTEN;
    for (int k = 0; k < ITERATIONS; k++) {
        crm_status status = evaluate(m, error);
        if (status != CRM_OK) {
            return status;
        }
        double change = 0;
        for (size_t node = 1; node < LAGRANGE_NODES; node++) {
            change = fmax(change, renew(m, node));
        }
        if (!(change < INFINITY) || (k > 3 && change > before && change > CONVERGED)) {
            return CRM_OK;
        }
        if (change <= ROUNDING || (change <= CONVERGED && change >= 0.5 * before)) {
            *trial = LAGRANGE_TRIAL_GOOD;
            return evaluate(m, error);
        }
        before = change;
    }
    return CRM_OK;
}

static void make_series(lagrange_motion *m)
{
    for (size_t i = 0; i < m->dimension; i++) {
        double values[LAGRANGE_NODES], series[LAGRANGE_NODES];
        for (size_t k = 0; k < LAGRANGE_NODES; k++) {
            values[k] = m->node[k].f[i];
        }
        lagrange_series_of(&m->rule, values, 1, series);
        lagrange_series_integrate(series, m->series + i * LAGRANGE_TERMS);
    }
}

crm_status lagrange_collocate(lagrange_motion *m, double h, double ratio, lagrange_trial *trial,
                              crm_error *error)
{
    double old_h = m->h;
    m->h = h;
    if (ratio > 0 && ratio <= LONGER_MOST) {
        guess_from_series(m, old_h, ratio);
    } else {
        guess_from_start(m, h);
    }
    crm_status status = iterate(m, trial, error);
    if (status == CRM_OK && *trial == LAGRANGE_TRIAL_GOOD) {
        make_series(m);
    }
    return status;
}

double lagrange_step_error(const lagrange_motion *m)
{
    double allowed = ERROR_PART * m->common.options.tolerance, worst = 0;
    for (size_t i = 0; i < m->dimension; i++) {
        double last = m->h * fabs(m->series[i * LAGRANGE_TERMS + LAGRANGE_TERMS - 1]);
        worst = fmax(worst, last / (allowed * scale_of(m, i)));
    }
    return worst;
}

static crm_status measure_gaps(lagrange_motion *m, double t, lagrange_node *node, crm_error *error)
{
    crm_status status = lagrange_gap(m, t, node->y, node->gap, error);
    if (status == CRM_OK) {
        status = lagrange_gradient(m, t, node->y, m->values.w, error);
    }
    return status == CRM_OK ? lagrange_gap_rate(m, t, node->y, node->speed, error) : status;
}

/* Of these gaps; of others as well if gaps have no features. */
static crm_status measure_nodes(lagrange_motion *m, const size_t *gaps, size_t count,
                                crm_error *error)
{
    crm_status status = CRM_OK;
    if (m->features != NULL) {
        m->features->select_gaps(m->def.context, gaps, count);
    }
    for (size_t k = 0; k < LAGRANGE_NODES && status == CRM_OK && count > 0; k++) {
        lagrange_node *node = &m->node[k];
        status = measure_gaps(m, m->t + m->rule.node[k] * m->h, node, error);
        for (size_t c = 0; status == CRM_OK && c < count; c++) {
            size_t j = gaps[c];
            m->speed_noise[j] =
                k == 0 ? lagrange_speed_rounding(m, j, node->speed[j]) : m->speed_noise[j];
            for (size_t i = 0; i < m->n; i++) {
                node->speed[j] += m->values.w[j * m->n + i] * node->y[m->positions + i];
            }
        }
    }
    if (m->features != NULL) {
        m->features->select_gaps(m->def.context, NULL, 0);
    }
    lagrange_evaluate_node_margins(m, gaps, count);
    return status;
}

crm_status lagrange_evaluate_node_gaps(lagrange_motion *m, crm_error *error)
{
    size_t count = lagrange_list_near(m, m->list);
    return measure_nodes(m, m->list, count, error);
}

crm_status lagrange_evaluate_node_gap(lagrange_motion *m, size_t j, crm_error *error)
{
    return m->features != NULL ? measure_nodes(m, &j, j < m->gaps ? 1 : 0, error)
                               : lagrange_evaluate_node_gaps(m, error);
}
