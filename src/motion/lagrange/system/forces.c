/* M, h and W at one state; accelerations while the loaded contacts stay closed:
 *
 *     M v' = h + W_B lambda,   u'_B = W_B'v' + bias_B = 0
 *     D_BB lambda = -(W_B'M^-1 h + bias_B).
 */
#include <math.h>
#include <string.h>

#include "motion/dense.h"
#include "motion/lagrange/lagrange.h"

/* M is singular if a pivot is below this part of its diagonal entry. */
static const double MASS_LEAST = 1e-14;
/* A contact depends on others if less than this part of D_jj is independent of theirs. */
static const double DEPENDENT = 1e-10;
/* A smaller D_ij than this part of sqrt(D_ii D_jj) is rounding. */
static const double UNCOUPLED = 1e-13;

crm_status lagrange_evaluate_inertia(lagrange_motion *m, double t, const double *y,
                                     crm_error *error)
{
    lagrange_values *l = &m->values;
    crm_status status = lagrange_mass(m, t, y, l->mass, error);
    if (status == CRM_OK) {
        status = lagrange_force(m, t, y, l->force, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    memcpy(l->factor, l->mass, m->n * m->n * sizeof *l->factor);
    if (!crm_dense_cholesky(l->factor, m->n, MASS_LEAST)) {
        return crm_fail(error, CRM_ERROR_MODEL, "mass",
                        "the matrix that the callback mass gave at t = %.17g is not positive "
                        "definite",
                        t);
    }
    memcpy(l->k, l->force, m->n * sizeof *l->k);
    crm_dense_forward(l->factor, m->n, l->k);
    memcpy(l->free, l->k, m->n * sizeof *l->free);
    crm_dense_backward(l->factor, m->n, l->free);
    return CRM_OK;
}

/* z_j = L^-1 w_j */
static void scale_gradient(const lagrange_motion *m, size_t j)
{
    double *z = m->values.z + j * m->n;
    memcpy(z, m->values.w + j * m->n, m->n * sizeof *z);
    crm_dense_forward(m->values.factor, m->n, z);
}

crm_status lagrange_evaluate_gaps(lagrange_motion *m, double t, const double *y, crm_error *error)
{
    lagrange_values *l = &m->values;
    crm_status status = lagrange_gap(m, t, y, l->gap, error);
    if (status == CRM_OK) {
        status = lagrange_gradient(m, t, y, l->w, error);
    }
    if (status == CRM_OK) {
        status = lagrange_gap_rate(m, t, y, l->rate, error);
    }
    for (size_t j = 0; status == CRM_OK && j < m->gaps; j++) {
        const double *w = l->w + j * m->n;
        l->speed[j] = crm_dense_dot(w, y + m->positions, m->n) + l->rate[j];
    }
    for (size_t c = 0; status == CRM_OK && c < m->loaded_count; c++) {
        scale_gradient(m, m->loaded[c]);
    }
    return status;
}

/* Gradients and bias of the loaded contacts; those of others stay as they are if gaps have
 * features.
 */
static crm_status evaluate_loaded(lagrange_motion *m, double t, const double *y, crm_error *error)
{
    const lagrange_features *features = m->features;
    if (features != NULL) {
        features->select_gaps(m->def.context, m->loaded, m->loaded_count);
    }
    crm_status status = lagrange_evaluate_bias(m, t, y, error);
    if (status == CRM_OK) {
        status = lagrange_gradient(m, t, y, m->values.w, error);
    }
    for (size_t c = 0; status == CRM_OK && c < m->loaded_count; c++) {
        scale_gradient(m, m->loaded[c]);
    }
    if (features != NULL) {
        features->select_gaps(m->def.context, NULL, 0);
    }
    return status;
}

crm_status lagrange_evaluate_instant(lagrange_motion *m, crm_error *error)
{
    crm_status status = lagrange_evaluate_inertia(m, m->t, m->y, error);
    if (status == CRM_OK) {
        status = lagrange_evaluate_gaps(m, m->t, m->y, error);
    }
    for (size_t j = 0; status == CRM_OK && j < m->gaps; j++) {
        scale_gradient(m, j);
        m->values.gap[j] = m->contact[j].low_bounce ? m->contact[j].height : m->values.gap[j];
    }
    return status;
}

crm_status lagrange_evaluate_bias(lagrange_motion *m, double t, const double *y, crm_error *error)
{
    return lagrange_gap_bias(m, t, y, m->values.bias, error);
}

double lagrange_delassus(const lagrange_motion *m, size_t i, size_t j)
{
    return crm_dense_dot(m->values.z + i * m->n, m->values.z + j * m->n, m->n);
}

bool lagrange_are_coupled(const lagrange_motion *m, size_t i, size_t j)
{
    double product = lagrange_delassus(m, i, i) * lagrange_delassus(m, j, j);
    return fabs(lagrange_delassus(m, i, j)) > UNCOUPLED * sqrt(product);
}

void lagrange_apply_impulses(const lagrange_motion *m, const size_t *contacts, size_t count,
                             const double *p, double *v)
{
    double *change = m->vector;
    memset(change, 0, m->n * sizeof *change);
    for (size_t c = 0; c < count; c++) {
        const double *z = m->values.z + contacts[c] * m->n;
        for (size_t i = 0; i < m->n; i++) {
            change[i] += p[c] * z[i];
        }
    }
    crm_dense_backward(m->values.factor, m->n, change);
    for (size_t i = 0; i < m->n; i++) {
        v[i] += change[i];
    }
}

bool lagrange_solve_loaded(lagrange_motion *m, double *x)
{
    size_t count = m->loaded_count;
    for (size_t a = 0; a < count; a++) {
        for (size_t b = 0; b <= a; b++) {
            m->matrix[a * count + b] = lagrange_delassus(m, m->loaded[a], m->loaded[b]);
        }
    }
    if (!crm_dense_cholesky(m->matrix, count, DEPENDENT)) {
        return false;
    }
    crm_dense_forward(m->matrix, count, x);
    crm_dense_backward(m->matrix, count, x);
    return true;
}

/* lambda of the loaded contacts into x. */
static crm_status constraint_forces(lagrange_motion *m, double t, const double *y, double *x,
                                    crm_error *error)
{
    crm_status status = evaluate_loaded(m, t, y, error);
    for (size_t c = 0; status == CRM_OK && c < m->loaded_count; c++) {
        size_t j = m->loaded[c];
        x[c] = -(crm_dense_dot(m->values.z + j * m->n, m->values.k, m->n) + m->values.bias[j]);
    }
    if (status == CRM_OK && !lagrange_solve_loaded(m, x)) {
        status = crm_fail(error, CRM_ERROR_NUMERICS, "gradient",
                          "the gradients of contacts that carry load have become dependent at "
                          "t = %.17g",
                          t);
    }
    return status;
}

crm_status lagrange_rates(lagrange_motion *m, double t, lagrange_node *node, crm_error *error)
{
    double *a = node->f + m->positions, *x = m->wide + 2 * m->gaps;
    const double *v = node->y + m->positions;
    crm_status status = lagrange_evaluate_inertia(m, t, node->y, error);
    if (status == CRM_OK && m->loaded_count > 0) {
        status = constraint_forces(m, t, node->y, x, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    memcpy(a, m->values.free, m->n * sizeof *a);
    lagrange_apply_impulses(m, m->loaded, m->loaded_count, x, a);
    node->power = crm_dense_dot(v, m->values.force, m->n);
    memset(node->force, 0, m->gaps * sizeof *node->force);
    for (size_t c = 0; c < m->loaded_count; c++) {
        size_t j = m->loaded[c];
        node->force[j] = x[c];
        node->power += x[c] * crm_dense_dot(m->values.w + j * m->n, v, m->n);
    }
    memcpy(node->mass, m->values.mass, m->n * m->n * sizeof *node->mass);
    return lagrange_kinematics(m, t, node->y, v, node->f, error);
}
