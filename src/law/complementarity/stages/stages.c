/* One complementarity problem after another, in the Delassus matrix or, where that does not
 * determine the velocities, in the coordinates of W.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/locale.h"
#include "law/complementarity/stages/stages.h"
#include "lcp/solver.h"
#include "model/impulse.h"

/* |M^-1/2 W d| / |d| up to which d counts as moving nothing. */
static const double MOVES_NOTHING = 1e-12;
/* The error of v+ above which clusters are searched although D gave an answer: small ones, and
 * large ones, which take longer. The first is the solver's default tolerance (lcp/lcp.c): contacts
 * that are far from dependent (s = 1 in docs/complementarity.md) hand on no more than the residual.
 */
static const double ACCEPTED_ERROR = 1e-12;
static const double ACCEPTED_ERROR_LARGE = 1e-9;
/* Contacts whose part in an impossible demand is smaller are not named. */
static const double PART_TOLERANCE = 1e-6;
enum { CONTACTS_NAMED = 6 };

/* ---- Not solved ----------------------------------------------------------------------------- */

/* d >= 0 with D d = 0 and q'd < 0: whatever p, d'(D p + q) = q'd < 0, so that the contacts with
 * d_j > 0 cannot all have w_j >= 0.
 */
void crm_stages_refuse_infeasible(const crm_model *model, const crm_twofold *d, const char *what,
                                  crm_outcome *outcome)
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
             "no impulses do what the law asks: contact%s %s %s", named > 1 ? "s" : "", names,
             what);
}

static void refuse_endless(const crm_lcp_info *info, crm_outcome *outcome)
{
    outcome->result = CRM_NOT_TERMINATED;
    crm_snprintf(outcome->reason, sizeof outcome->reason,
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

/* ---- Begin and end --------------------------------------------------------------------------- */

static crm_status begin_solver(crm_stages *stages, crm_error *error)
{
    crm_watching *watching = stages->problem->watching;
    const crm_lcp_limits limits = {watching->watch != NULL ? watching->watch->bytes : 0, watching};
    stages->clusters.left = stages->outcome->contacts;
    crm_status status =
        crm_lcp_create_for_model_within(stages->problem->model, limits, &stages->lcp, error);
    if (status == CRM_OK) {
        crm_lcp_use_width(stages->lcp, stages->problem->settings->width);
        crm_lcp_use_threads(stages->lcp, stages->problem->threads);
        crm_lcp_watch(stages->lcp, watching);
        stages->condition = crm_lcp_condition(stages->lcp);
        stages->searched = !isfinite(stages->condition);
    }
    if (status == CRM_LCP_INTERRUPTED || (status == CRM_OK && watching->over)) {
        stages->outcome->result = CRM_NOT_TERMINATED; /* crm_solve adds the reason */
        return CRM_OK;
    }
    if (status != CRM_OK) {
        return status;
    }
    status = stages->searched ? crm_stages_examine_singular(stages, error)
                              : crm_stages_begin_refinement(stages, error);
    if (watching->over) {
        stages->outcome->result = CRM_NOT_TERMINATED;
    }
    return status;
}

static bool take_arrays(crm_stages *stages)
{
    crm_pool *pool = stages->problem->pool;
    size_t s = stages->outcome->contacts;
    stages->entries = s + s * stages->outcome->tangents;
    stages->clustered = CRM_TAKE(pool, bool, s);
    stages->gap_velocity = CRM_TAKE(pool, crm_twofold, stages->entries);
    stages->noise = CRM_TAKE(pool, double, s);
    stages->q = CRM_TAKE(pool, double, 3 * s);
    stages->p = stages->q + s;
    stages->w = stages->p + s;
    for (size_t j = 0; stages->gap_velocity != NULL && j < s; j++) {
        stages->gap_velocity[j] = crm_twofold_of(stages->problem->gap_velocity[j]);
    }
    for (size_t k = s; stages->gap_velocity != NULL && k < stages->entries; k++) {
        stages->gap_velocity[k] = crm_twofold_of(stages->problem->slip_velocity[k - s]);
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
    if (outcome->tangents > 0) {
        return crm_stages_begin_friction(stages, error);
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
    *stages->problem->velocity_known = false;
}

crm_status crm_stages_need_repeat(crm_stages *stages, bool *again, crm_error *error)
{
    crm_outcome *outcome = stages->outcome;
    *again = false;
    if (stages->searched || outcome->result == CRM_FAILED || stages->problem->watching->over ||
        (outcome->result == CRM_SOLVED && outcome->error_estimate <= ACCEPTED_ERROR)) {
        return CRM_OK;
    }
    stages->searched = true;
    stages->refinement.on = false;
    bool bad = outcome->result != CRM_SOLVED || outcome->error_estimate > ACCEPTED_ERROR_LARGE;
    crm_status status =
        crm_stages_find_clusters(stages, bad ? CRM_CLUSTER_MOST : CRM_CLUSTER_MANY, error);
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

/* ---- One problem ----------------------------------------------------------------------------- */

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
        crm_stages_refuse_infeasible(stages->problem->model, p,
                                     "cannot all part as fast as it demands", outcome);
        memset(p, 0, s * sizeof *p);
        memcpy(w, q, s * sizeof *w);
    } else if (info->result == CRM_LCP_NOT_TERMINATED) {
        refuse_endless(info, outcome);
    }
}

/* D d = 0 means that d moves nothing: checked by W. */
static crm_status check_conflict(crm_stages *stages, const double *d, crm_lcp_info *info,
                                 crm_error *error)
{
    const crm_model *model = stages->problem->model;
    size_t n = model->coordinates;
    double *velocity = CRM_TAKE(stages->problem->pool, double, 3 * n), size = 0;
    if (velocity == NULL) {
        return crm_fail_memory(error);
    }
    crm_status status = crm_model_add_impulse(model, d, velocity, velocity + n, error);
    for (size_t j = 0; j < model->contacts; j++) {
        size += sqrt(model->d_diagonal[j]) * d[j];
    }
    if (sqrt(2 * crm_model_kinetic_energy(model, velocity)) > MOVES_NOTHING * size) {
        info->result = CRM_LCP_NOT_TERMINATED;
    }
    return status;
}

/* By D: contacts in no cluster. The others are excluded by q large enough to keep them open. */
static crm_status solve_matrix(crm_stages *stages, const crm_twofold *q, crm_twofold *p,
                               crm_twofold *w, crm_lcp_info *info, crm_error *error)
{
    size_t s = stages->outcome->contacts;
    double largest = 0;
    for (size_t j = 0; j < s; j++) {
        largest = fmax(largest, fabs(q[j].high));
    }
    for (size_t j = 0; j < s; j++) {
        stages->q[j] = stages->clustered[j] ? largest : q[j].high;
    }
    crm_lcp_skip_correction(stages->lcp, stages->refinement.on);
    crm_status status =
        crm_lcp_solve(stages->lcp, stages->q, NULL, stages->p, stages->w, info, error);
    if (status == CRM_OK && info->result == CRM_LCP_INFEASIBLE) {
        status = check_conflict(stages, stages->p, info, error);
    }
    for (size_t j = 0; j < s && status == CRM_OK; j++) {
        p[j] = crm_twofold_of(stages->p[j]);
        w[j] = crm_twofold_of(stages->p[j] > 0 ? 0 : stages->w[j]);
    }
    return status;
}

static crm_status solve_by_matrix(crm_stages *stages, const crm_twofold *q, const double *noise,
                                  crm_twofold share, crm_twofold *p, crm_twofold *w,
                                  crm_error *error)
{
    crm_lcp_info info;
    crm_status status = solve_matrix(stages, q, p, w, &info, error);
    stages->refinement.on &=
        !crm_watch_interrupts(stages->problem->watching, stages->outcome->contacts);
    if (status == CRM_OK && stages->refinement.on && info.result == CRM_LCP_SOLVED &&
        !crm_stages_refine(stages, q, noise, share, p, w, &info)) {
        status = solve_matrix(stages, q, p, w, &info, error);
    }
    if (status == CRM_OK) {
        note_result(stages, &info, p, w, q);
    }
    return status;
}

crm_status crm_stages_solve(crm_stages *stages, const crm_twofold *q, const double *noise,
                            crm_twofold share, crm_twofold *p, crm_twofold *w, crm_error *error)
{
    crm_outcome *outcome = stages->outcome;
    crm_status status = CRM_OK;
    if (outcome->result != CRM_SOLVED) {
        return CRM_OK;
    }
    if (!all_finite(q, stages->entries)) {
        outcome->result = CRM_FAILED;
        snprintf(outcome->reason, sizeof outcome->reason,
                 "the velocities are too large to be computed with");
        return CRM_OK;
    }
    if (stages->cones != NULL) {
        return crm_stages_solve_friction(stages, q, p, w, error);
    }
    if (stages->clusters.left > 0 || outcome->contacts == 0) {
        status = solve_by_matrix(stages, q, noise, share, p, w, error);
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
    if (stages->cones != NULL) {
        crm_stages_push_friction(stages, p, w);
        return CRM_OK;
    }
    if (stages->refinement.on) {
        crm_stages_push_refined(stages, p, w);
        return CRM_OK;
    }
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

/* ---- v+ -------------------------------------------------------------------------------------- */

/* What is in no cluster follows from the impulses. */
static crm_status move_others(crm_stages *stages, crm_error *error)
{
    crm_outcome *outcome = stages->outcome;
    double *work = CRM_TAKE(stages->problem->pool, double, 2 * outcome->coordinates);
    if (work == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < outcome->contacts; j++) {
        stages->p[j] = stages->clustered[j] ? 0 : outcome->impulse[j];
    }
    return crm_model_add_impulse(stages->problem->model, stages->p, outcome->velocity, work, error);
}

crm_status crm_stages_finish(crm_stages *stages, crm_error *error)
{
    crm_outcome *outcome = stages->outcome;
    if (outcome->result != CRM_SOLVED || stages->cones != NULL) {
        return CRM_OK; /* v+ of friction follows from the impulses */
    }
    crm_status status = CRM_OK;
    if (stages->refinement.on) {
        crm_stages_move_refined(stages);
    } else if (stages->clusters.left > 0) {
        status = move_others(stages, error);
    }
    for (size_t c = 0; c < stages->clusters.count && status == CRM_OK; c++) {
        crm_cluster_finish(&stages->clusters.cluster[c], outcome->velocity);
    }
    *stages->problem->velocity_known = true;
    crm_stages_estimate_error(stages);
    if (stages->clusters.left > 0 && crm_stages_are_unresolved(stages)) {
        crm_note_add(outcome, "Contacts are nearly dependent on each other, among more than can be "
                              "solved for that: no digit of the velocities is sure.");
    }
    return status;
}
