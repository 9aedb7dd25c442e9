/* How well D determines v+, and the clusters of contacts that are solved by W where it does not.
 *
 * With A = M^-1/2 W and y = M^1/2 (v+ - v-), D = A'A, y = A p and on the contacts under load
 * A'y = -q. An error r in D p + q makes one of A D^-1 r in y, of size |r|/s, s the least singular
 * value of A. D in doubles means |r| = 1.1e-16 (|D| |p| + |q|), where p itself may be |y|/s: so
 * 1e-16/s^2, although W determines y to 1e-16/s and, where the contacts span all coordinates, to
 * rounding. For two contacts that face each other but for an angle a, s is a/sqrt(2): at 1e-8 D is
 * singular to rounding.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "law/complementarity/stages/stages.h"
#include "lcp/solver.h"
#include "model/impulse.h"

/* 1/s^2 above which contacts are nearly dependent, although D is singular anyway; and cos^2 of the
 * angle between two that are.
 */
static const double NEARLY_DEPENDENT = 1e4;
static const double NARROW = 1 - 1e-3;
/* 1/s^2 above which they are dependent to the rounding of D. */
static const double UNRESOLVED = 1e6;
/* ---- Clusters -------------------------------------------------------------------------------- */

void crm_stages_measure_gaps(crm_stages *stages)
{
    const crm_model *model = stages->problem->model;
    for (size_t j = 0; j < model->contacts; j++) {
        crm_twofold sum = crm_twofold_of(model->boundary_velocity[j]);
        stages->noise[j] = fabs(sum.high);
        for (size_t k = model->w_start[j]; k < model->w_start[j + 1]; k++) {
            crm_twofold term =
                crm_two_product(model->w_value[k], stages->problem->velocity[model->w_row[k]]);
            sum = crm_twofold_sum(sum, term);
            stages->noise[j] += fabs(term.high);
        }
        stages->gap_velocity[j] = sum;
    }
}

crm_status crm_stages_find_clusters(crm_stages *stages, size_t most, crm_error *error)
{
    const crm_problem *problem = stages->problem;
    crm_status status = crm_clusters_create(problem->pool, problem->settings->width, problem->model,
                                            most, problem->watching, &stages->clusters, error);
    for (size_t c = 0; c < stages->clusters.count && status == CRM_OK; c++) {
        const crm_cluster *cluster = &stages->clusters.cluster[c];
        for (size_t j = 0; j < cluster->contacts; j++) {
            stages->clustered[cluster->contact[j]] = true;
        }
    }
    if (stages->clusters.count > 0) {
        crm_stages_measure_gaps(stages);
    }
    return status;
}

/* Random numbers of size 1, in units in which D has a unit diagonal. */
static void fill_at_random(const crm_model *model, double *b)
{
    uint64_t state = 88172645463325252u;
    for (size_t j = 0; j < model->contacts; j++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        double part = (double)(state >> 11) * 0x1p-53; /* [0, 1) */
        b[j] = (part < 0.5 ? part - 1 : part) * sqrt(model->d_diagonal[j]);
    }
}

/* p = (D + delta)^-1 b, u = W'v of the v that p makes; returns v'Mv beside |b|^2. v: 3 n entries.
 */
static double probe_once(crm_stages *stages, const double *b, double *p, double *u, double *v)
{
    const crm_model *model = stages->problem->model;
    double square = 0;
    crm_lcp_solve_near(stages->lcp, b, p);
    if (crm_watch_interrupts(stages->problem->watching, model->contacts)) {
        return 0;
    }
    memset(v, 0, model->coordinates * sizeof *v);
    if (crm_model_add_impulse(model, p, v, v + model->coordinates, NULL) != CRM_OK) {
        return INFINITY;
    }
    if (crm_watch_interrupts(stages->problem->watching, model->contacts)) {
        return 0;
    }
    crm_model_gap_velocity(model, v, u);
    for (size_t j = 0; j < model->contacts; j++) {
        u[j] -= model->boundary_velocity[j];
        square += b[j] * b[j] / model->d_diagonal[j];
    }
    return 2 * crm_model_kinetic_energy(model, v) / square;
}

/* 1/s^2 of all contacts together, by W. Let D have eigenvalues l_i and eigenvectors f_i, and
 * p = (D + delta)^-1 b. The velocities that p makes have v'Mv = p'Dp, computed from W, of
 * sum (b'f_i)^2 l_i/(l_i + delta)^2: 1/l for an l above delta, l/delta^2 for one below, however far
 * below the rounding of D; and 0 for contacts that are dependent. With delta = 1e-13 this detects
 * angles down to 1e-10; D itself is singular to rounding from 1e-8 on. The largest value is found
 * by the power method from a random b; one step gains a large factor.
 */
static crm_status probe(crm_stages *stages, crm_error *error)
{
    const crm_model *model = stages->problem->model;
    double *v = CRM_TAKE(stages->problem->pool, double, 3 * model->coordinates);
    if (v == NULL) {
        return crm_fail_memory(error);
    }
    fill_at_random(model, stages->q);
    probe_once(stages, stages->q, stages->p, stages->w, v);
    if (crm_watch_interrupts(stages->problem->watching, model->contacts)) {
        return CRM_OK;
    }
    crm_lcp_solve_near(stages->lcp, stages->w, stages->p);
    for (size_t j = 0; j < model->contacts; j++) {
        stages->q[j] = stages->p[j] * model->d_diagonal[j];
    }
    double square = probe_once(stages, stages->q, stages->p, stages->w, v);
    stages->condition = fmax(square, 1);
    stages->probed = true;
    return CRM_OK;
}

/* Two contacts may be nearly dependent where all together are well determined, as more contacts
 * than coordinates are.
 */
static bool has_narrow_pair(const crm_model *model, crm_watching *watching)
{
    for (size_t j = 0; j < model->contacts && !crm_watch_interrupts(watching, 1); j++) {
        for (size_t k = model->d_start[j]; k < model->d_start[j + 1]; k++) {
            size_t i = model->d_column[k];
            double cosine =
                model->d_value[k] / (sqrt(model->d_diagonal[i]) * sqrt(model->d_diagonal[j]));
            if (i != j && cosine * cosine > NARROW) {
                return true;
            }
        }
    }
    return false;
}

/* Contacts are nearly dependent, and dependent to the rounding of D, which determines no digit of
 * v+.
 */
bool crm_stages_are_unresolved(const crm_stages *stages)
{
    return stages->probed && stages->condition >= UNRESOLVED;
}

/* D is singular to rounding: either contacts are dependent, which is harmless, or nearly so. */
crm_status crm_stages_examine_singular(crm_stages *stages, crm_error *error)
{
    crm_watching *watching = stages->problem->watching;
    crm_status status = crm_stages_find_clusters(stages, CRM_CLUSTER_FEW, error);
    if (status != CRM_OK || stages->clusters.left == 0 || watching->over) {
        return status;
    }
    status = probe(stages, error);
    if (status != CRM_OK || watching->over) {
        return status;
    }
    bool near =
        stages->condition >= NEARLY_DEPENDENT || has_narrow_pair(stages->problem->model, watching);
    if (near && !watching->over) {
        status = crm_stages_find_clusters(
            stages, crm_stages_are_unresolved(stages) ? CRM_CLUSTER_MOST : CRM_CLUSTER_MANY, error);
    }
    return status;
}

/* ---- Errors ---------------------------------------------------------------------------------- */

static double largest_size(const double *values, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(values[i]));
    }
    return most;
}

/* The largest sum of |D_jk| p_k: the size of what the solver rounds, as a speed of contacts. */
static double largest_terms(const crm_stages *stages)
{
    const crm_model *model = stages->problem->model;
    double most = 0;
    for (size_t j = 0; j < model->contacts; j++) {
        double sum = 0;
        for (size_t k = model->d_start[j]; k < model->d_start[j + 1] && !stages->clustered[j];
             k++) {
            sum += fabs(model->d_value[k]) * stages->outcome->impulse[model->d_column[k]];
        }
        most = fmax(most, sum);
    }
    return most;
}

/* The largest sum of |w_ij| |v_i|: the speeds of contacts that speeds of coordinates make. */
static double largest_made(const crm_model *model, const double *velocity)
{
    double most = 0;
    for (size_t j = 0; j < model->contacts; j++) {
        double sum = 0;
        for (size_t k = model->w_start[j]; k < model->w_start[j + 1]; k++) {
            sum += fabs(model->w_value[k] * velocity[model->w_row[k]]);
        }
        most = fmax(most, sum);
    }
    return most;
}

/* The ratio of speeds of coordinates to the gap velocities they cause: gaps may have any unit. */
static double speed_per_gap(const crm_stages *stages)
{
    const crm_problem *problem = stages->problem;
    const crm_outcome *outcome = stages->outcome;
    double made = fmax(largest_made(problem->model, problem->velocity),
                       largest_made(problem->model, outcome->velocity));
    double speed = fmax(largest_size(problem->velocity, outcome->coordinates),
                        largest_size(outcome->velocity, outcome->coordinates));
    return made > 0 ? speed / made : 0;
}

/* |r|/s of the head of this file, as a speed of contacts. */
static double error_of_matrix(const crm_stages *stages, double residual)
{
    if (stages->refinement.on) {
        return stages->refinement.left * sqrt(stages->condition);
    }
    double terms = largest_terms(stages) +
                   largest_size(stages->problem->gap_velocity, stages->outcome->contacts);
    double part = fmax(residual, DBL_EPSILON) * sqrt(fmax(stages->condition, 1));
    return (crm_stages_are_unresolved(stages) ? 1 : part) * terms;
}

/* Relative to the largest speed before, of a contact or a coordinate. Clusters are exact but for
 * the rounding of v+ itself.
 */
void crm_stages_estimate_error(crm_stages *stages)
{
    crm_outcome *outcome = stages->outcome;
    const crm_problem *problem = stages->problem;
    double factor = speed_per_gap(stages);
    double closing = factor * largest_size(problem->gap_velocity, outcome->contacts);
    double speed = fmax(largest_size(problem->velocity, outcome->coordinates), closing);
    double error = DBL_EPSILON * fmax(largest_size(outcome->velocity, outcome->coordinates), speed);
    if (stages->clusters.left > 0) {
        error += factor * error_of_matrix(stages, outcome->error_estimate);
    }
    outcome->error_estimate = speed > 0 ? error / speed : 0;
}
