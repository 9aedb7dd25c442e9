/* Derivatives that the user did not give, by central differences of sixth order:
 *
 *     g'  = (45 (g(e) - g(-e)) - 9 (g(2e) - g(-2e)) + g(3e) - g(-3e)) / 60 e,
 *     g'' = (270 (g(e) + g(-e)) - 27 (g(2e) + g(-2e)) + 2 (g(3e) + g(-3e)) - 490 g) / 180 e^2.
 *
 * With e a few thousandths of the system's size, truncation and rounding are some 1e-13 of g in g'
 * and 1e-11 in g'': enough for closing times; forces to more digits need the user's derivatives.
 */
#include <math.h>
#include <string.h>

#include "motion/lagrange/lagrange.h"

/* As parts of the size: for a first derivative, and for a second. */
static const double STEP = 4e-3, WIDE_STEP = 1e-2;

enum { POINTS = 6, POINTS_AND_CENTRE = POINTS + 1 };
static const double PLACE[POINTS_AND_CENTRE] = {1, -1, 2, -2, 3, -3, 0};
static const double FIRST[POINTS] = {45.0 / 60, -45.0 / 60, -9.0 / 60,
                                     9.0 / 60,  1.0 / 60,   -1.0 / 60};
static const double SECOND[POINTS_AND_CENTRE] = {270.0 / 180, 270.0 / 180, -27.0 / 180, -27.0 / 180,
                                                 2.0 / 180,   2.0 / 180,   -490.0 / 180};

/* q + distance * direction */
static const double *moved(lagrange_motion *m, const double *q, const double *direction,
                           double distance)
{
    for (size_t i = 0; i < m->positions; i++) {
        m->trial[i] = q[i] + distance * direction[i];
    }
    return m->trial;
}

/* Add `factor` times g at a moved place to sum. m->wide holds g. */
static crm_status add_gap(lagrange_motion *m, double t, const double *q, double factor, double *sum,
                          size_t stride, crm_error *error)
{
    crm_status status = lagrange_gap(m, t, q, m->wide, error);
    for (size_t j = 0; status == CRM_OK && j < m->gaps; j++) {
        sum[j * stride] += factor * m->wide[j];
    }
    return status;
}

/* The first derivative of all gaps along (direction, time) at entry j * stride of `slope`. */
static crm_status first_derivative(lagrange_motion *m, double t, const double *q,
                                   const double *direction, double e, bool in_time, double *slope,
                                   size_t stride, crm_error *error)
{
    for (size_t j = 0; j < m->gaps; j++) {
        slope[j * stride] = 0;
    }
    crm_status status = CRM_OK;
    for (size_t k = 0; k < POINTS && status == CRM_OK; k++) {
        const double *at = direction != NULL ? moved(m, q, direction, PLACE[k] * e) : q;
        status = add_gap(m, in_time ? t + PLACE[k] * e : t, at, FIRST[k] / e, slope, stride, error);
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

/* A time in which little changes: a part of the integrator's step. */
static double time_step(const lagrange_motion *m, double t)
{
    return fmax(STEP * fmin(m->next_h, m->h > 0 ? m->h : m->next_h), 1e-10 * fabs(t));
}

crm_status lagrange_gradient_by_differences(lagrange_motion *m, double t, const double *q,
                                            double *w, crm_error *error)
{
    double *unit = m->spare, *direction = m->spare + m->n;
    crm_status status = CRM_OK;
    for (size_t i = 0; i < m->n && status == CRM_OK; i++) {
        memset(unit, 0, m->n * sizeof *unit);
        unit[i] = 1;
        status = lagrange_kinematics(m, t, q, unit, direction, error);
        if (status == CRM_OK) {
            double e = STEP * m->def.size / fmax(1, largest(direction, m->positions));
            status = first_derivative(m, t, q, direction, e, false, w + i, m->n, error);
        }
    }
    return status;
}

crm_status lagrange_gap_rate_by_differences(lagrange_motion *m, double t, const double *q,
                                            double *rate, crm_error *error)
{
    return first_derivative(m, t, q, NULL, time_step(m, t), true, rate, 1, error);
}

/* ---- The bias of u' -------------------------------------------------------------------------- */

/* Along q + s q', t + s with v fixed: a time in which neither q nor the gaps change much. */
static double path_step(const lagrange_motion *m, double t, const double *rate)
{
    double largest_speed = largest(rate, m->positions);
    double e = largest_speed > 0 ? STEP * m->def.size / largest_speed : INFINITY;
    return m->def.gaps_move ? fmin(e, time_step(m, t)) : e;
}

/* q' = v: g along a straight line, twice differentiated. */
static crm_status second_derivative(lagrange_motion *m, double t, const double *q, const double *v,
                                    double e, double *bias, crm_error *error)
{
    double clock = m->def.gaps_move ? 1 : 0;
    memset(bias, 0, m->gaps * sizeof *bias);
    crm_status status = CRM_OK;
    for (size_t k = 0; k < POINTS_AND_CENTRE && status == CRM_OK; k++) {
        status = add_gap(m, t + clock * PLACE[k] * e, moved(m, q, v, PLACE[k] * e),
                         SECOND[k] / (e * e), bias, 1, error);
    }
    return status;
}

/* u of a moved place with v fixed, times `factor`, added to `bias`. w goes through m->other. */
static crm_status add_speed(lagrange_motion *m, double t, const double *q, const double *v,
                            double factor, double *bias, crm_error *error)
{
    crm_status status = lagrange_gradient(m, t, q, m->other, error);
    if (status == CRM_OK) {
        status = lagrange_gap_rate(m, t, q, m->wide + m->gaps, error);
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

crm_status lagrange_gap_bias_by_differences(lagrange_motion *m, double t, const double *y,
                                            double *bias, crm_error *error)
{
    const double *v = y + m->positions;
    double *rate = m->spare + m->n + m->positions, *q = rate + m->positions;
    crm_status status = lagrange_kinematics(m, t, y, v, rate, error);
    double e = path_step(m, t, rate), clock = m->def.gaps_move ? 1 : 0;
    if (status == CRM_OK && isinf(e)) { /* nothing moves */
        memset(bias, 0, m->gaps * sizeof *bias);
        return CRM_OK;
    }
    if (status == CRM_OK && m->def.gradient == NULL && m->def.kinematics == NULL) {
        return second_derivative(m, t, y, v, e * WIDE_STEP / STEP, bias, error);
    }
    memset(bias, 0, m->gaps * sizeof *bias);
    for (size_t k = 0; k < POINTS && status == CRM_OK; k++) {
        memcpy(q, moved(m, y, rate, PLACE[k] * e), m->positions * sizeof *q);
        status = add_speed(m, t + clock * PLACE[k] * e, q, v, FIRST[k] / e, bias, error);
    }
    return status;
}
