/* What the user left out, by central differences of fourth order:
 *
 *     g'  = (8 (g(e) - g(-e)) - (g(2e) - g(-2e))) / 12 e,
 *     g'' = (16 (g(e) + g(-e)) - (g(2e) + g(-2e)) - 30 g) / 12 e^2.
 *
 * With e = 1e-3 of the system's size the truncation is 1e-13 of g and the rounding as much for g',
 * 1e-10 for g'': enough for closing times; who wants forces to more digits gives the derivatives.
 */
#include <math.h>
#include <string.h>

#include "motion/lagrange/lagrange.h"

static const double STEP = 1e-3;

/* q + distance * direction */
static const double *moved(lag_motion *m, const double *q, const double *direction, double distance)
{
    for (size_t i = 0; i < m->positions; i++) {
        m->trial[i] = q[i] + distance * direction[i];
    }
    return m->trial;
}

/* Add `factor` times g at a moved place to sum. m->wide holds g. */
static crm_status add_gap(lag_motion *m, double t, const double *q, double factor, double *sum,
                          size_t stride, crm_error *error)
{
    crm_status status = lag_gap(m, t, q, m->wide, error);
    for (size_t j = 0; status == CRM_OK && j < m->gaps; j++) {
        sum[j * stride] += factor * m->wide[j];
    }
    return status;
}

/* The first derivative of all gaps along (direction, time) at entry j * stride of `slope`. */
static crm_status first_derivative(lag_motion *m, double t, const double *q,
                                   const double *direction, double e, bool in_time, double *slope,
                                   size_t stride, crm_error *error)
{
    static const double place[4] = {1, -1, 2, -2}, factor[4] = {8, -8, -1, 1};
    for (size_t j = 0; j < m->gaps; j++) {
        slope[j * stride] = 0;
    }
    crm_status status = CRM_OK;
    for (size_t k = 0; k < 4 && status == CRM_OK; k++) {
        const double *at = direction != NULL ? moved(m, q, direction, place[k] * e) : q;
        status = add_gap(m, in_time ? t + place[k] * e : t, at, factor[k] / (12 * e), slope, stride,
                         error);
    }
    return status;
}

static double largest(const double *values, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(values[i]));
    }
    return most;
}

/* A time in which little changes: a part of what the integrator takes for a step. */
static double time_step(const lag_motion *m, double t)
{
    return fmax(STEP * fmin(m->next_h, m->h > 0 ? m->h : m->next_h), 1e-10 * fabs(t));
}

crm_status lag_gradient_by_differences(lag_motion *m, double t, const double *q, double *w,
                                       crm_error *error)
{
    double *unit = m->spare, *direction = m->spare + m->n;
    crm_status status = CRM_OK;
    for (size_t i = 0; i < m->n && status == CRM_OK; i++) {
        memset(unit, 0, m->n * sizeof *unit);
        unit[i] = 1;
        status = lag_kinematics(m, t, q, unit, direction, error);
        if (status == CRM_OK) {
            double e = STEP * m->def.size / fmax(1, largest(direction, m->positions));
            status = first_derivative(m, t, q, direction, e, false, w + i, m->n, error);
        }
    }
    return status;
}

crm_status lag_gap_rate_by_differences(lag_motion *m, double t, const double *q, double *rate,
                                       crm_error *error)
{
    return first_derivative(m, t, q, NULL, time_step(m, t), true, rate, 1, error);
}

/* ---- The bias of u' ---------------------------------------------------------------------------
 */

/* Along q + s q', t + s with v fixed: a time in which neither q nor the gaps change much. */
static double path_step(const lag_motion *m, double t, const double *rate)
{
    double fastest = largest(rate, m->positions);
    double e = fastest > 0 ? STEP * m->def.size / fastest : INFINITY;
    return m->def.gaps_move ? fmin(e, time_step(m, t)) : e;
}

/* q' = v: g along a straight line, twice differentiated. */
static crm_status second_derivative(lag_motion *m, double t, const double *q, const double *v,
                                    double e, double *bias, crm_error *error)
{
    static const double place[5] = {0, 1, -1, 2, -2}, factor[5] = {-30, 16, 16, -1, -1};
    double clock = m->def.gaps_move ? 1 : 0;
    memset(bias, 0, m->gaps * sizeof *bias);
    crm_status status = CRM_OK;
    for (size_t k = 0; k < 5 && status == CRM_OK; k++) {
        status = add_gap(m, t + clock * place[k] * e, moved(m, q, v, place[k] * e),
                         factor[k] / (12 * e * e), bias, 1, error);
    }
    return status;
}

/* u of a moved place with v fixed, times `factor`, added to `bias`. w goes through m->other. */
static crm_status add_speed(lag_motion *m, double t, const double *q, const double *v,
                            double factor, double *bias, crm_error *error)
{
    crm_status status = lag_gradient(m, t, q, m->other, error);
    if (status == CRM_OK) {
        status = lag_gap_rate(m, t, q, m->wide + m->gaps, error);
    }
    for (size_t j = 0; status == CRM_OK && j < m->gaps; j++) {
        double u = m->wide[m->gaps + j];
        for (size_t i = 0; i < m->n; i++) {
            u += m->other[j * m->n + i] * v[i];
        }
        bias[j] += factor * u;
    }
    return status;
}

crm_status lag_gap_bias_by_differences(lag_motion *m, double t, const double *y, double *bias,
                                       crm_error *error)
{
    static const double place[4] = {1, -1, 2, -2}, factor[4] = {8, -8, -1, 1};
    const double *v = y + m->positions;
    double *rate = m->spare + m->n + m->positions, *q = rate + m->positions;
    crm_status status = lag_kinematics(m, t, y, v, rate, error);
    double e = path_step(m, t, rate), clock = m->def.gaps_move ? 1 : 0;
    if (status == CRM_OK && isinf(e)) { /* nothing moves */
        memset(bias, 0, m->gaps * sizeof *bias);
        return CRM_OK;
    }
    if (status == CRM_OK && m->def.gradient == NULL && m->def.kinematics == NULL) {
        e *= 10; /* rounding grows with 1/e^2 */
        return second_derivative(m, t, y, v, e, bias, error);
    }
    memset(bias, 0, m->gaps * sizeof *bias);
    for (size_t k = 0; k < 4 && status == CRM_OK; k++) {
        memcpy(q, moved(m, y, rate, place[k] * e), m->positions * sizeof *q);
        status = add_speed(m, t + clock * place[k] * e, q, v, factor[k] / (12 * e), bias, error);
    }
    return status;
}
