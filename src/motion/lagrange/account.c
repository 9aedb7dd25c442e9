/* Energies: T + U now, and the work of forces without a potential and of moving gaps.
 *
 * dT/dt = v'M v' + v'M'v/2 (M' along the motion) = v'(h + W lambda) + v'M'v/2. Its integral over a
 * step, by the step's own quadrature, plus the change of U, is the work of forces without a
 * potential. The rest of the change of T + U, by integration and projections, is the error.
 */
#include <math.h>
#include <string.h>

#include "motion/dense.h"
#include "motion/lagrange/lagrange.h"

double lagrange_kinetic(const lagrange_motion *m, const double *mass, const double *v)
{
    double sum = 0;
    for (size_t i = 0; i < m->n; i++) {
        sum += v[i] * crm_dense_dot(mass + i * m->n, v, m->n);
    }
    return 0.5 * sum;
}

/* v'M'v / 2 at node k: M is known at all nodes. */
static double inertia_power(const lagrange_motion *m, size_t k)
{
    const double *v = m->node[k].y + m->positions;
    double sum = 0;
    for (size_t l = 0; l < LAGRANGE_NODES; l++) {
        sum += m->rule.derivative[k][l] * lagrange_kinetic(m, m->node[l].mass, v);
    }
    return sum / m->h;
}

crm_status lagrange_account_step(lagrange_motion *m, crm_error *error)
{
    double values[LAGRANGE_NODES], series[LAGRANGE_NODES];
    memset(m->power, 0, sizeof m->power);
    m->end_potential = m->potential;
    m->step_work = 0;
    if (m->h == 0) {
        return CRM_OK;
    }
    for (size_t k = 0; k < LAGRANGE_NODES; k++) {
        values[k] = m->h * (m->node[k].power + inertia_power(m, k));
    }
    lagrange_series_of(&m->rule, values, 1, series);
    lagrange_series_integrate(series, m->power);
    double t = m->t + m->h, reached;
    crm_status status = lagrange_potential(m, t, m->node[LAGRANGE_NODES - 1].y, &reached, error);
    m->step_work = lagrange_series_at(m->power, LAGRANGE_TERMS, 1) + reached - m->potential;
    return status == CRM_OK ? lagrange_potential(m, t, m->end, &m->end_potential, error) : status;
}

void lagrange_state_at(const lagrange_motion *m, double time, double *y)
{
    memcpy(y, m->y, m->dimension * sizeof *y);
    if (!m->stepping || time <= m->t || m->h == 0) {
        return;
    }
    double tau = fmin(1, (time - m->t) / m->h);
    for (size_t i = 0; i < m->dimension; i++) {
        y[i] += m->h * lagrange_series_at(m->series + i * LAGRANGE_TERMS, LAGRANGE_TERMS, tau);
    }
}

void lagrange_read(const crm_motion *motion, double *position, double *velocity)
{
    const lagrange_motion *m = (const lagrange_motion *)motion;
    double *y = m->trial;
    lagrange_state_at(m, motion->time, y);
    if (position != NULL) {
        memcpy(position, y, m->positions * sizeof *y);
    }
    if (velocity != NULL) {
        memcpy(velocity, y + m->positions, m->n * sizeof *y);
    }
}

static double work_until(const lagrange_motion *m, double time, double potential)
{
    if (!m->stepping || time <= m->t || m->h == 0) {
        return m->smooth_work;
    }
    double tau = fmin(1, (time - m->t) / m->h);
    return m->smooth_work + lagrange_series_at(m->power, LAGRANGE_TERMS, tau) + potential -
           m->potential;
}

/* A callback that fails here leaves NAN. */
static void energy_now(const crm_motion *motion, crm_motion_account *account)
{
    lagrange_motion *m = (lagrange_motion *)motion; /* writes to scratch memory only */
    double *y = m->trial;
    lagrange_state_at(m, motion->time, y);
    account->kinetic_after = account->potential_after = NAN;
    if (lagrange_mass(m, motion->time, y, m->values.mass, NULL) == CRM_OK) {
        account->kinetic_after = lagrange_kinetic(m, m->values.mass, y + m->positions);
    }
    lagrange_potential(m, motion->time, y, &account->potential_after, NULL);
    account->work = work_until(m, motion->time, account->potential_after);
}

crm_motion_summary lagrange_summarize(const crm_motion *motion)
{
    crm_motion_account now = {0};
    energy_now(motion, &now);
    return crm_motion_sum_up(motion, now);
}
