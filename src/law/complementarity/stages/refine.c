/* Iterative refinement: impulses from D, corrected by W until their velocities satisfy the problem.
 *
 * With F the contacts under load, p = p_0 + d_1 + d_2 ..., each d = -D_FF^-1 r by the factor of D
 * in doubles, r = (W' M^-1 W p + q)_F from W in twice the precision. A correction leaves of r about
 * 1e-16/s^2 (s: accuracy.c), so two or three bring p to the accuracy of W. The signs of p and of w
 * are then those of the problem as it is stored; where one is wrong, D had found another set F, and
 * nothing is refined.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "law/complementarity/stages/stages.h"
#include "lcp/dependent/least_distance.h"
#include "lcp/solver.h"

/* Conditions from which the error of D may be too large, and up to which corrections converge. */
static const double NEEDED = 1e5, POSSIBLE = 1e12;
/* The change of v+ that the remaining r may cause, as a part of its rounding; and how many
 * corrections are tried.
 */
static const double EXACT = 0.1;
enum { MOST_CORRECTIONS = 8 };

crm_status crm_stages_begin_refinement(crm_stages *stages, crm_error *error)
{
    const crm_model *model = stages->problem->model;
    crm_refinement *refinement = &stages->refinement;
    if (!(stages->condition >= NEEDED && stages->condition <= POSSIBLE)) {
        return CRM_OK;
    }
    crm_pool *pool = stages->problem->pool;
    crm_twofold *all = CRM_TAKE(pool, crm_twofold, 3 * model->coordinates);
    refinement->loaded = CRM_TAKE(pool, bool, model->contacts);
    if (all == NULL || refinement->loaded == NULL) {
        return crm_fail_memory(error);
    }
    refinement->per_mass = all;
    refinement->made = all + model->coordinates;
    refinement->moved = all + 2 * model->coordinates;
    refinement->on = crm_mass_invert_diagonal(&model->mass, refinement->per_mass);
    if (refinement->on) {
        crm_stages_measure_gaps(stages);
    }
    return CRM_OK;
}

/* made = M^-1 W p */
static void make_velocity(crm_stages *stages, const crm_twofold *p)
{
    const crm_model *model = stages->problem->model;
    crm_refinement *refinement = &stages->refinement;
    memset(refinement->made, 0, model->coordinates * sizeof *refinement->made);
    for (size_t j = 0; j < model->contacts; j++) {
        for (size_t k = model->w_start[j]; k < model->w_start[j + 1] && p[j].high != 0; k++) {
            crm_twofold *to = &refinement->made[model->w_row[k]];
            *to = crm_twofold_quick_sum(*to, crm_twofold_multiple(p[j], model->w_value[k]));
        }
    }
    for (size_t i = 0; i < model->coordinates; i++) {
        refinement->made[i] = crm_twofold_product(refinement->made[i], refinement->per_mass[i]);
    }
}

/* w_j = to + (W'made)_j; size: of its terms. */
static crm_twofold gap_made(const crm_stages *stages, size_t j, crm_twofold to, double *size)
{
    const crm_model *model = stages->problem->model;
    for (size_t k = model->w_start[j]; k < model->w_start[j + 1]; k++) {
        crm_twofold v = stages->refinement.made[model->w_row[k]];
        to = crm_twofold_quick_sum(to, crm_twofold_multiple(v, model->w_value[k]));
        *size += fabs(model->w_value[k] * v.high);
    }
    return to;
}

static double largest_left(const crm_stages *stages, const crm_twofold *w)
{
    double most = 0;
    for (size_t j = 0; j < stages->outcome->contacts; j++) {
        most = fmax(most, stages->refinement.loaded[j] ? fabs(w[j].high) : 0);
    }
    return most;
}

/* w of p; returns the largest |w_j| of a contact under load beside its terms. */
static double measure(crm_stages *stages, const crm_twofold *q, const double *noise,
                      const crm_twofold *p, crm_twofold *w)
{
    double most = 0;
    make_velocity(stages, p);
    for (size_t j = 0; j < stages->outcome->contacts; j++) {
        double size = noise[j];
        w[j] = gap_made(stages, j, q[j], &size);
        if (stages->refinement.loaded[j] && fabs(w[j].high) > most * size) {
            most = fabs(w[j].high) / size;
        }
    }
    return most;
}

static bool correct(crm_stages *stages, const crm_twofold *w, crm_twofold *p)
{
    size_t s = stages->outcome->contacts;
    for (size_t j = 0; j < s; j++) {
        stages->q[j] = stages->refinement.loaded[j] ? -w[j].high : 0;
    }
    if (!crm_lcp_solve_among(stages->lcp, stages->refinement.loaded, stages->q, stages->p)) {
        return false;
    }
    for (size_t j = 0; j < s; j++) {
        p[j] = crm_twofold_sum(p[j], crm_twofold_of(stages->p[j]));
    }
    return true;
}

/* No contact pulls, none closes but for the rounding of the data. */
static bool has_right_signs(const crm_stages *stages, const double *noise, const crm_twofold *p,
                            const crm_twofold *w)
{
    bool right = true;
    for (size_t j = 0; j < stages->outcome->contacts; j++) {
        right &= stages->refinement.loaded[j]
                     ? p[j].high > 0
                     : w[j].high >= -CRM_LEAST_DISTANCE_COLUMN_ERROR * noise[j];
    }
    return right;
}

/* Corrections until w is 0 where it should be. */
static bool approach(crm_stages *stages, const crm_twofold *q, const double *noise, crm_twofold *p,
                     crm_twofold *w, double *residual)
{
    double before = INFINITY, allowed = EXACT * DBL_EPSILON / sqrt(stages->condition);
    *residual = measure(stages, q, noise, p, w);
    for (unsigned count = 0; *residual > allowed && count < MOST_CORRECTIONS; count++) {
        bool interrupted =
            crm_watch_interrupts(stages->problem->watching, stages->outcome->contacts);
        if (interrupted || !(*residual < before) || !correct(stages, w, p)) {
            return false;
        }
        before = *residual;
        *residual = measure(stages, q, noise, p, w);
    }
    return *residual <= allowed;
}

/* The change of velocities by p is added to the motion, times the share. */
static void add_velocity_change(crm_stages *stages, crm_twofold share)
{
    crm_refinement *refinement = &stages->refinement;
    for (size_t i = 0; i < stages->outcome->coordinates; i++) {
        refinement->moved[i] =
            crm_twofold_add_product(refinement->moved[i], share, refinement->made[i]);
    }
}

bool crm_stages_refine(crm_stages *stages, const crm_twofold *q, const double *noise,
                       crm_twofold share, crm_twofold *p, crm_twofold *w, crm_lcp_info *info)
{
    size_t s = stages->outcome->contacts;
    crm_refinement *refinement = &stages->refinement;
    for (size_t j = 0; j < s; j++) {
        refinement->loaded[j] = p[j].high > 0;
    }
    double residual;
    refinement->on =
        approach(stages, q, noise, p, w, &residual) && has_right_signs(stages, noise, p, w);
    if (!refinement->on) {
        return false;
    }
    refinement->left = fmax(refinement->left, largest_left(stages, w));
    for (size_t j = 0; j < s; j++) {
        w[j] = refinement->loaded[j] ? crm_twofold_of(0) : w[j];
    }
    info->relative_residual = residual;
    add_velocity_change(stages, share);
    return true;
}

void crm_stages_push_refined(crm_stages *stages, const crm_twofold *p, crm_twofold *w)
{
    double size = 0;
    make_velocity(stages, p);
    for (size_t j = 0; j < stages->outcome->contacts; j++) {
        w[j] = gap_made(stages, j, w[j], &size);
    }
    add_velocity_change(stages, crm_twofold_of(1));
}

void crm_stages_move_refined(crm_stages *stages)
{
    crm_outcome *outcome = stages->outcome;
    for (size_t i = 0; i < outcome->coordinates; i++) {
        crm_twofold before = crm_twofold_of(outcome->velocity[i]);
        outcome->velocity[i] = crm_twofold_sum(before, stages->refinement.moved[i]).high;
    }
}
