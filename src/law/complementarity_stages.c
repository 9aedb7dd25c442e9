/* One complementarity problem after another, in the Delassus matrix or, where that does not tell
 * the velocities, in the coordinates of W; and what an outcome says of them.
 *
 * With A = M^-1/2 W and y = M^1/2 (v+ - v-), D = A'A, y = A p and on the contacts under load
 * A'y = -q. An error r in D p + q makes one of A D^-1 r in y, of size |r|/s, s the least singular
 * value of A. D in doubles means |r| = 1.1e-16 (|D| |p| + |q|), where p itself may be |y|/s: so
 * 1e-16/s^2, although W tells y to 1e-16/s and, where the contacts span all there is, to rounding.
 * For two contacts that face each other but for an angle a, s is a/sqrt(2): at 1e-8 D knows nothing
 * of the angle.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "law/complementarity.h"
#include "lcp/solver.h"
#include "model/impulse.h"

/* 1/s^2 that shows contacts to be nearly dependent, where others are; and cos^2 of an angle between
 * two that does.
 */
static const double DOUBTFUL = 1e4;
static const double NARROW = 1 - 1e-3;
/* The same where D takes them for dependent, or all are of a very large system. */
static const double HIDDEN = 1e6;
/* |M^-1/2 W d| beside |d| of a d that moves nothing. */
static const double NOTHING = 1e-12;
/* The error of v+ above which clusters are tried where D gave an answer, small ones and all. */
static const double ACCEPTED = 1e-12;
static const double ACCEPTED_AT_MOST = 1e-9;
/* Most contacts, and coordinates, of such a cluster: the work grows with the third power, and is
 * some milliseconds for MANY, a second for MOST. Up to FEW it takes no longer than the solver would
 * with a singular D.
 */
enum { FEW = 32, MANY = 128, MOST = 512 };
/* Contacts whose part in an impossible demand is smaller are not named. */
static const double PART_TOLERANCE = 1e-6;
enum { CONTACTS_NAMED = 6 };

/* ---- Not solved ----------------------------------------------------------------------------- */

/* d >= 0 with D d = 0 and q'd < 0: whatever p, d'(D p + q) = q'd < 0, so that the contacts with
 * d_j > 0 cannot all have w_j >= 0.
 */
static void refuse_infeasible(const crm_model *model, const crm_twofold *d, crm_outcome *outcome)
{
    char names[128] = "";
    size_t length = 0, named = 0, more = 0;
    for (size_t j = 0; j < model->contacts; j++) {
        double part = d[j].high * (model->d_diagonal[j] > 0 ? sqrt(model->d_diagonal[j]) : 1.0);
        if (part <= PART_TOLERANCE) {
            continue;
        }
        if (named == CONTACTS_NAMED) {
            more++;
            continue;
        }
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%zu",
                                   named++ > 0 ? ", " : "", j + 1);
    }
    if (more > 0) {
        snprintf(names + length, sizeof names - length, " and %zu more", more);
    }
    outcome->result = CRM_INFEASIBLE;
    snprintf(outcome->reason, sizeof outcome->reason,
             "no impulses do what the law asks: contact%s %s cannot all part as fast as it demands",
             named > 1 ? "s" : "", names);
}

static void refuse_endless(const crm_lcp_info *info, crm_outcome *outcome)
{
    outcome->result = CRM_NOT_TERMINATED;
    snprintf(outcome->reason, sizeof outcome->reason,
             "the complementarity solver gave up after %zu sets of contacts, at a relative "
             "residual of %.2g",
             info->iterations, info->relative_residual);
}

static bool all_finite(const crm_twofold *values, size_t count)
{
    for (size_t j = 0; j < count; j++) {
        if (!isfinite(values[j].high) || !isfinite(values[j].low)) {
            return false;
        }
    }
    return true;
}

/* ---- Begin and end ----------------------------------------------------------------------------
 */

/* u- again, with nothing rounded away. */
static void find_gap_velocity(crm_stages *stages)
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

static crm_status begin_clusters(crm_stages *stages, size_t most, crm_error *error)
{
    crm_status status = crm_clusters_create(&stages->problem->workspace->room,
                                            stages->problem->model, most, &stages->clusters, error);
    for (size_t c = 0; c < stages->clusters.count && status == CRM_OK; c++) {
        const crm_cluster *cluster = &stages->clusters.cluster[c];
        for (size_t j = 0; j < cluster->contacts; j++) {
            stages->clustered[cluster->contact[j]] = true;
        }
    }
    if (stages->clusters.count > 0) {
        find_gap_velocity(stages);
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
static double answer_probe(crm_stages *stages, const double *b, double *p, double *u, double *v)
{
    const crm_model *model = stages->problem->model;
    double square = 0;
    crm_lcp_solve_near(stages->lcp, b, p);
    memset(v, 0, model->coordinates * sizeof *v);
    if (crm_model_add_impulse(model, p, v, v + model->coordinates, NULL) != CRM_OK) {
        return INFINITY;
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
 * below the rounding of D; and nothing for contacts that are dependent. With delta = 1e-13 angles
 * down to 1e-10 are seen, of which D knows nothing from 1e-8 on. From b at random to the b for
 * which this is largest by the power method, one step of which is much here.
 */
static crm_status probe(crm_stages *stages, crm_error *error)
{
    const crm_model *model = stages->problem->model;
    double *v = CRM_TAKE(&stages->problem->workspace->room, double, 3 * model->coordinates);
    if (v == NULL) {
        return crm_fail_memory(error);
    }
    fill_at_random(model, stages->q);
    answer_probe(stages, stages->q, stages->p, stages->w, v);
    crm_lcp_solve_near(stages->lcp, stages->w, stages->p);
    for (size_t j = 0; j < model->contacts; j++) {
        stages->q[j] = stages->p[j] * model->d_diagonal[j];
    }
    double square = answer_probe(stages, stages->q, stages->p, stages->w, v);
    stages->condition = fmax(square, 1);
    stages->probed = true;
    return CRM_OK;
}

/* Two contacts may be nearly dependent where all together are well determined, as more contacts
 * than coordinates are.
 */
static bool has_narrow_pair(const crm_model *model)
{
    for (size_t j = 0; j < model->contacts; j++) {
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

/* Contacts are nearly dependent, and D takes them for dependent: it tells no digit of v+. */
static bool is_hidden(const crm_stages *stages)
{
    return stages->probed && stages->condition >= HIDDEN;
}

/* D cannot be told from a singular one: either contacts are dependent, which is nothing to D, or
 * they are nearly so.
 */
static crm_status begin_singular(crm_stages *stages, crm_error *error)
{
    crm_status status = begin_clusters(stages, FEW, error);
    if (status != CRM_OK || stages->clusters.left == 0) {
        return status;
    }
    status = probe(stages, error);
    bool near = stages->condition >= DOUBTFUL || has_narrow_pair(stages->problem->model);
    if (status == CRM_OK && near) {
        status = begin_clusters(stages, is_hidden(stages) ? MOST : MANY, error);
    }
    return status;
}

static crm_status begin_solver(crm_stages *stages, crm_error *error)
{
    crm_status status = crm_lcp_create_for_model(stages->problem->model, &stages->lcp, error);
    if (status != CRM_OK) {
        return status;
    }
    stages->condition = crm_lcp_condition(stages->lcp);
    stages->clusters.left = stages->outcome->contacts;
    stages->tried = !isfinite(stages->condition);
    return stages->tried ? begin_singular(stages, error) : CRM_OK;
}

static bool take_arrays(crm_stages *stages)
{
    crm_room *room = &stages->problem->workspace->room;
    size_t s = stages->outcome->contacts;
    stages->clustered = CRM_TAKE(room, bool, s);
    stages->gap_velocity = CRM_TAKE(room, crm_twofold, s);
    stages->noise = CRM_TAKE(room, double, s);
    stages->q = CRM_TAKE(room, double, 3 * s);
    stages->p = stages->q + s;
    stages->w = stages->p + s;
    for (size_t j = 0; stages->gap_velocity != NULL && j < s; j++) {
        stages->gap_velocity[j] = crm_twofold_of(stages->problem->gap_velocity[j]);
    }
    return stages->clustered != NULL && stages->gap_velocity != NULL && stages->noise != NULL &&
           stages->q != NULL;
}

crm_status crm_stages_begin(crm_stages *stages, crm_error *error)
{
    const crm_model *model = stages->problem->model;
    crm_outcome *outcome = stages->outcome;
    if (!take_arrays(stages)) {
        return crm_fail_memory(error);
    }
    if (!crm_model_has_delassus(model)) {
        outcome->result = CRM_FAILED;
        snprintf(outcome->reason, sizeof outcome->reason,
                 "the Delassus matrix of the %zu contacts is too full to be stored, and law %s "
                 "needs it",
                 model->contacts, outcome->law->name);
        return CRM_OK;
    }
    return begin_solver(stages, error);
}

/* As it was when the law was called. */
static void clear_outcome(crm_stages *stages)
{
    crm_outcome *outcome = stages->outcome;
    stages->norm_excess = 0;
    outcome->result = CRM_SOLVED;
    outcome->reason[0] = outcome->note[0] = '\0';
    outcome->steps = 0;
    outcome->unique = true;
    outcome->error_estimate = NAN;
    memset(outcome->impulse, 0, outcome->contacts * sizeof *outcome->impulse);
    memcpy(outcome->velocity, stages->problem->velocity,
           outcome->coordinates * sizeof *outcome->velocity);
    stages->problem->workspace->velocity_known = false;
}

crm_status crm_stages_again(crm_stages *stages, bool *again, crm_error *error)
{
    crm_outcome *outcome = stages->outcome;
    *again = false;
    if (stages->tried || outcome->result == CRM_FAILED ||
        (outcome->result == CRM_SOLVED && outcome->error_estimate <= ACCEPTED)) {
        return CRM_OK;
    }
    stages->tried = true;
    bool bad = outcome->result != CRM_SOLVED || outcome->error_estimate > ACCEPTED_AT_MOST;
    crm_status status = begin_clusters(stages, bad ? MOST : MANY, error);
    *again = stages->clusters.count > 0;
    if (*again) {
        clear_outcome(stages);
    }
    return status;
}

void crm_stages_end(crm_stages *stages)
{
    crm_lcp_free(stages->lcp);
    stages->lcp = NULL;
}

/* ---- One problem -------------------------------------------------------------------------------
 */

static void account(crm_stages *stages, const crm_lcp_info *info)
{
    crm_outcome *outcome = stages->outcome;
    outcome->steps += info->pivots;
    outcome->unique &= info->unique;
    outcome->error_estimate = fmax(outcome->error_estimate, info->relative_residual); /* from NAN */
    stages->norm_excess = fmax(stages->norm_excess, info->norm_excess);
}

static void note_result(crm_stages *stages, const crm_lcp_info *info, crm_twofold *p,
                        crm_twofold *w, const crm_twofold *q)
{
    crm_outcome *outcome = stages->outcome;
    size_t s = outcome->contacts;
    account(stages, info);
    if (info->result == CRM_LCP_INFEASIBLE) {
        refuse_infeasible(stages->problem->model, p, outcome);
        memset(p, 0, s * sizeof *p);
        memcpy(w, q, s * sizeof *w);
    } else if (info->result == CRM_LCP_NOT_TERMINATED) {
        refuse_endless(info, outcome);
    }
}

/* D d = 0 means that d moves nothing. Whether it does not, by W. */
static crm_status check_conflict(crm_stages *stages, const double *d, crm_lcp_info *info,
                                 crm_error *error)
{
    const crm_model *model = stages->problem->model;
    size_t n = model->coordinates;
    double *velocity = CRM_TAKE(&stages->problem->workspace->room, double, 3 * n), size = 0;
    if (velocity == NULL) {
        return crm_fail_memory(error);
    }
    crm_status status = crm_model_add_impulse(model, d, velocity, velocity + n, error);
    for (size_t j = 0; j < model->contacts; j++) {
        size += sqrt(model->d_diagonal[j]) * d[j];
    }
    if (sqrt(2 * crm_model_kinetic_energy(model, velocity)) > NOTHING * size) {
        info->result = CRM_LCP_NOT_TERMINATED;
    }
    return status;
}

/* By D: contacts in no cluster. The others are taken out by parting as fast as anything. */
static crm_status solve_by_matrix(crm_stages *stages, const crm_twofold *q, crm_twofold *p,
                                  crm_twofold *w, crm_error *error)
{
    size_t s = stages->outcome->contacts;
    double largest = 0;
    for (size_t j = 0; j < s; j++) {
        largest = fmax(largest, fabs(q[j].high));
    }
    for (size_t j = 0; j < s; j++) {
        stages->q[j] = stages->clustered[j] ? largest : q[j].high;
    }
    crm_lcp_info info;
    crm_status status =
        crm_lcp_solve(stages->lcp, stages->q, NULL, stages->p, stages->w, &info, error);
    if (status == CRM_OK && info.result == CRM_LCP_INFEASIBLE) {
        status = check_conflict(stages, stages->p, &info, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    for (size_t j = 0; j < s; j++) {
        p[j] = crm_twofold_of(stages->p[j]);
        w[j] = crm_twofold_of(stages->p[j] > 0 ? 0 : stages->w[j]);
    }
    note_result(stages, &info, p, w, q);
    return CRM_OK;
}

crm_status crm_stages_solve(crm_stages *stages, const crm_twofold *q, const double *noise,
                            crm_twofold share, crm_twofold *p, crm_twofold *w, crm_error *error)
{
    crm_outcome *outcome = stages->outcome;
    crm_status status = CRM_OK;
    if (outcome->result != CRM_SOLVED) {
        return CRM_OK;
    }
    if (!all_finite(q, outcome->contacts)) {
        outcome->result = CRM_FAILED;
        snprintf(outcome->reason, sizeof outcome->reason,
                 "the velocities are too large to be computed with");
        return CRM_OK;
    }
    if (stages->clusters.left > 0 || outcome->contacts == 0) {
        status = solve_by_matrix(stages, q, p, w, error);
    }
    for (size_t c = 0; c < stages->clusters.count && status == CRM_OK; c++) {
        if (outcome->result != CRM_SOLVED) {
            return CRM_OK;
        }
        crm_lcp_info info = {0};
        status =
            crm_cluster_solve(&stages->clusters.cluster[c], q, noise, share, p, w, &info, error);
        note_result(stages, &info, p, w, q);
    }
    return status;
}

crm_status crm_stages_push(crm_stages *stages, const crm_twofold *p, crm_twofold *w,
                           crm_error *error)
{
    size_t s = stages->outcome->contacts;
    crm_status status = CRM_OK;
    if (stages->clusters.left > 0) {
        for (size_t j = 0; j < s; j++) {
            stages->p[j] = stages->clustered[j] ? 0 : p[j].high;
        }
        status = crm_model_delassus_apply(stages->problem->model, stages->p, stages->q, error);
        for (size_t j = 0; j < s && status == CRM_OK; j++) {
            w[j] = crm_twofold_sum(w[j], crm_twofold_of(stages->q[j]));
        }
    }
    for (size_t c = 0; c < stages->clusters.count && status == CRM_OK; c++) {
        crm_cluster_push(&stages->clusters.cluster[c], p, w);
    }
    return status;
}

/* ---- v+ ----------------------------------------------------------------------------------------
 */

static double largest_size(const double *values, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(values[i]));
    }
    return most;
}

/* The largest sum of |D_jk| p_k, with what u- is made of: what the solver has rounded, as speeds of
 * contacts.
 */
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

/* Speeds of coordinates to those of contacts that they make: gaps may be in any unit. */
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
    double terms = largest_terms(stages) +
                   largest_size(stages->problem->gap_velocity, stages->outcome->contacts);
    double part = fmax(residual, DBL_EPSILON) * sqrt(fmax(stages->condition, 1));
    return (is_hidden(stages) ? 1 : part) * terms;
}

/* Relative to the largest speed before, of a contact or a coordinate. Clusters are exact but for
 * the rounding of v+ itself.
 */
static void estimate_error(crm_stages *stages)
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

/* What is in no cluster follows from the impulses. */
static crm_status move_others(crm_stages *stages, crm_error *error)
{
    crm_outcome *outcome = stages->outcome;
    double *work = CRM_TAKE(&stages->problem->workspace->room, double, 2 * outcome->coordinates);
    if (work == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < outcome->contacts; j++) {
        stages->p[j] = stages->clustered[j] ? 0 : outcome->impulse[j];
    }
    return crm_model_add_impulse(stages->problem->model, stages->p, outcome->velocity, work, error);
}

crm_status crm_stages_conclude(crm_stages *stages, crm_error *error)
{
    crm_outcome *outcome = stages->outcome;
    if (outcome->result != CRM_SOLVED) {
        return CRM_OK;
    }
    crm_status status = stages->clusters.left > 0 ? move_others(stages, error) : CRM_OK;
    for (size_t c = 0; c < stages->clusters.count && status == CRM_OK; c++) {
        crm_cluster_finish(&stages->clusters.cluster[c], outcome->velocity);
    }
    stages->problem->workspace->velocity_known = true;
    estimate_error(stages);
    if (stages->clusters.left > 0 && is_hidden(stages)) {
        crm_note_add(outcome, "Contacts are nearly dependent on each other, among more than can be "
                              "solved for that: no digit of the velocities is sure.");
    }
    return status;
}
