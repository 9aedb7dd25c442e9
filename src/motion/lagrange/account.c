/* Energies: T + U now, and the work of forces without a potential and of moving gaps.
 *
 * dT/dt = v'M v' + v'M'v/2 (M' along the motion) = v'(h + W lambda) + v'M'v/2. Its integral over a
 * step, by the step's own rule, plus the change of U, is the work of what has no potential: 0 for
 * forces that have one. What T + U then still lacks, integration and projections, is the error.
 */
#include <math.h>
#include <string.h>

#include "motion/dense.h"
#include "motion/lagrange/lagrange.h"

double lag_kinetic(const lag_motion *m, const double *mass, const double *v)
{
    double sum = 0;
    for (size_t i = 0; i < m->n; i++) {
        sum += v[i] * crm_dense_dot(mass + i * m->n, v, m->n);
    }
    return 0.5 * sum;
}

/* v'M'v / 2 at node k: M is known at all nodes. */
static double inertia_power(const lag_motion *m, size_t k)
{
    const double *v = m->node[k].y + m->positions;
    double sum = 0;
    for (size_t l = 0; l < LAG_NODES; l++) {
        sum += m->rule.derivative[k][l] * lag_kinetic(m, m->node[l].mass, v);
    }
    return sum / m->h;
}

crm_status lag_book_step(lag_motion *m, crm_error *error)
{
    double values[LAG_NODES], series[LAG_NODES];
    memset(m->power, 0, sizeof m->power);
    m->end_potential = m->potential;
    m->step_work = 0;
    if (m->h == 0) {
        return CRM_OK;
    }
    for (size_t k = 0; k < LAG_NODES; k++) {
        values[k] = m->h * (m->node[k].power + inertia_power(m, k));
    }
    lag_series_of(&m->rule, values, 1, series);
    lag_series_integrate(series, m->power);
    double t = m->t + m->h, reached;
    crm_status status = lag_potential(m, t, m->node[LAG_NODES - 1].y, &reached, error);
    m->step_work = lag_series_at(m->power, LAG_TERMS, 1) + reached - m->potential;
    return status == CRM_OK ? lag_potential(m, t, m->end, &m->end_potential, error) : status;
}

void lag_state_at(const lag_motion *m, double time, double *y)
{
    memcpy(y, m->y, m->dimension * sizeof *y);
    if (!m->stepping || time <= m->t || m->h == 0) {
        return;
    }
    double tau = fmin(1, (time - m->t) / m->h);
    for (size_t i = 0; i < m->dimension; i++) {
        y[i] += m->h * lag_series_at(m->series + i * LAG_TERMS, LAG_TERMS, tau);
    }
}

void lag_read(const crm_motion *motion, double *position, double *velocity)
{
    const lag_motion *m = (const lag_motion *)motion;
    double *y = m->trial;
    lag_state_at(m, motion->time, y);
    if (position != NULL) {
        memcpy(position, y, m->positions * sizeof *y);
    }
    if (velocity != NULL) {
        memcpy(velocity, y + m->positions, m->n * sizeof *y);
    }
}

static double work_until(const lag_motion *m, double time, double potential)
{
    if (!m->stepping || time <= m->t || m->h == 0) {
        return m->smooth_work;
    }
    double tau = fmin(1, (time - m->t) / m->h);
    return m->smooth_work + lag_series_at(m->power, LAG_TERMS, tau) + potential - m->potential;
}

/* A callback that fails here leaves NAN. */
static void energy_now(const crm_motion *motion, crm_motion_account *account)
{
    lag_motion *m = (lag_motion *)motion; /* its scratch alone is written to */
    double *y = m->trial;
    lag_state_at(m, motion->time, y);
    account->kinetic_after = account->potential_after = NAN;
    if (lag_mass(m, motion->time, y, m->local.mass, NULL) == CRM_OK) {
        account->kinetic_after = lag_kinetic(m, m->local.mass, y + m->positions);
    }
    lag_potential(m, motion->time, y, &account->potential_after, NULL);
    account->work = work_until(m, motion->time, account->potential_after);
}

crm_motion_summary lag_summarize(const crm_motion *motion)
{
    crm_motion_account now = {0};
    energy_now(motion, &now);
    return crm_motion_sum_up(motion, now);
}
