/* Projection onto the constraints: the nearest state in the metric of M with g = 0 and u = 0 of the
 * loaded contacts.
 *
 *     min (q - q0)'M(q - q0):   q = q0 + M^-1 W x,   D x = -g   (repeated: Newton)
 *     min (v - v0)'M(v - v0):   v = v0 + M^-1 W x,   D x = -u
 */
#include <math.h>
#include <string.h>

#include "motion/lagrange/lagrange.h"

/* A smaller gap, relative to the size, is not corrected. */
static const double GAP_EXACT = 1e-16;
enum { ROUNDS = 4 };

double lagrange_project_velocity(lagrange_motion *m, double *y, double *boundary_work)
{
    double *x = m->wide, *v = y + m->positions;
    double before = lagrange_kinetic(m, m->values.mass, v);
    *boundary_work = 0;
    for (size_t c = 0; c < m->loaded_count; c++) {
        size_t j = m->loaded[c];
        x[c] = -m->values.rate[j];
        for (size_t i = 0; i < m->n; i++) {
            x[c] -= m->values.w[j * m->n + i] * v[i];
        }
    }
    if (m->loaded_count == 0 || !lagrange_solve_loaded(m, x)) {
        return 0;
    }
    lagrange_apply_impulses(m, m->loaded, m->loaded_count, x, v);
    for (size_t c = 0; c < m->loaded_count; c++) {
        *boundary_work -= x[c] * m->values.rate[m->loaded[c]];
    }
    return before + *boundary_work - lagrange_kinetic(m, m->values.mass, v);
}

/* One round; the largest gap before it. */
static crm_status move_position(lagrange_motion *m, double t, double *y, double *largest,
                                crm_error *error)
{
    double *x = m->wide, *shift = m->spare, *rate = m->spare + m->n;
    *largest = 0;
    for (size_t c = 0; c < m->loaded_count; c++) {
        x[c] = m->contact[m->loaded[c]].offset - m->values.gap[m->loaded[c]];
        *largest = fmax(*largest, fabs(x[c]));
    }
    if (*largest <= GAP_EXACT * m->def.size || !lagrange_solve_loaded(m, x)) {
        *largest = 0;
        return CRM_OK;
    }
    memset(shift, 0, m->n * sizeof *shift);
    lagrange_apply_impulses(m, m->loaded, m->loaded_count, x, shift);
    crm_status status = lagrange_kinematics(m, t, y, shift, rate, error);
    for (size_t i = 0; status == CRM_OK && i < m->positions; i++) {
        y[i] += rate[i];
    }
    return status;
}

crm_status lagrange_project(lagrange_motion *m, double t, double *y, crm_error *error)
{
    if (m->loaded_count == 0) {
        return CRM_OK;
    }
    double before = INFINITY, largest = 0, work;
    for (int round = 0; round <= ROUNDS; round++) {
        crm_status status = lagrange_evaluate_inertia(m, t, y, error);
        if (status == CRM_OK) {
            status = lagrange_evaluate_gaps(m, t, y, error);
        }
        if (status == CRM_OK && round < ROUNDS) {
            status = move_position(m, t, y, &largest, error);
        }
        if (status != CRM_OK) {
            return status;
        }
        if (largest == 0 || largest >= 0.5 * before) {
            break;
        }
        before = largest;
    }
    lagrange_project_velocity(m, y, &work);
    return CRM_OK;
}
