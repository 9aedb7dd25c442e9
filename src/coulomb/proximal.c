/* The proximal method: each problem of the sequence has pull (r - centre) added to its velocities.
 * That is regular whatever D is, and Newton's method solves it in a few steps from the answer of
 * the one before, if the pull is not too small; where it fails, sweeps go first, and a stronger
 * pull next time. The pull is eased while problems are easy: convergence is the quicker for it.
 *
 * Where D is singular an answer may be far away in a direction that D hardly knows; r then drifts
 * along it by equal steps, one for each centre. So while steps point the same way and the residual
 * does not grow, the centre is put ahead of r by 1, 2, 3 ... of them, as accelerated proximal
 * methods do (B. O'Donoghue, E. Candes, Found. Comput. Math. 15 (2015), with their restarts).
 *
 * Where there is no answer the drift has no end, and its direction d tells why: D d = 0, d in the
 * cone, q'd < 0.
 */
#include <math.h>
#include <string.h>

#include "coulomb/solver.h"

static double dot(const double *x, const double *y, size_t size)
{
    double sum = 0;
    for (size_t i = 0; i < size; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* One problem of the sequence, from its centre. */
static bool solve_pulled(crm_coulomb_solver *solver, double pull, double goal)
{
    enum { SWEEPS = 50, STEPS = 20 };
    size_t size = solver->matrix->dim * solver->matrix->contacts;
    double wanted = solver->goal;
    crm_coulomb_solver_set_pull(solver, pull);
    solver->goal = goal;
    memcpy(solver->point, solver->centre, size * sizeof *solver->point);
    bool solved = crm_coulomb_newton(solver, STEPS);
    if (!solved) {
        memcpy(solver->point, solver->centre, size * sizeof *solver->point);
        solved = crm_coulomb_sweep(solver, SWEEPS, INFINITY) || crm_coulomb_newton(solver, STEPS);
    }
    crm_coulomb_solver_set_pull(solver, 0);
    solver->goal = wanted;
    return solved;
}

/* Nearest in the cones to `step`, of length 1 in its largest component: a direction in which the
 * impulse may grow without bound and without changing u, while q'd < 0 asks for it? Then r is it.
 */
static bool recedes(crm_coulomb_solver *solver, const double *step)
{
    const double ZERO = 1e-9;
    size_t dim = solver->matrix->dim, size = dim * solver->matrix->contacts;
    double *d = solver->known, *product = solver->velocity, largest = 0, moved = 0;
    for (size_t i = 0; i < size; i++) {
        largest = fmax(largest, fabs(step[i]));
    }
    for (size_t i = 0; i < solver->matrix->contacts; i++) {
        double normal = fmax(0, step[i * dim] / largest), mu = solver->mu[i];
        double tangent = crm_coulomb_tangent(dim, step + i * dim) / largest;
        d[i * dim] = normal;
        for (size_t a = 1; a < dim; a++) {
            d[i * dim + a] = step[i * dim + a] / largest;
            d[i * dim + a] *= tangent > mu * normal ? mu * normal / tangent : 1;
        }
    }
    memset(solver->step, 0, size * sizeof *d);
    crm_coulomb_matrix_multiply_exactly(solver->matrix, d, solver->step, product, NULL);
    for (size_t i = 0; i < size; i++) {
        moved = fmax(moved, fabs(product[i]));
    }
    if (!(moved <= ZERO) || !(dot(solver->q, d, size) < -1e3 * ZERO)) {
        return false;
    }
    memcpy(solver->r, d, size * sizeof *d);
    solver->recedes = true;
    return true;
}

/* Takes the point as the next of the sequence. Returns the cosine between the last two steps. */
static double accept(crm_coulomb_solver *solver)
{
    size_t size = solver->matrix->dim * solver->matrix->contacts;
    double before = dot(solver->drift, solver->drift, size), now = 0, both = 0;
    for (size_t i = 0; i < size; i++) {
        double step = solver->point[i] - solver->last[i];
        now += step * step;
        both += step * solver->drift[i];
        solver->drift[i] = step;
        solver->last[i] = solver->point[i];
    }
    return before > 0 && now > 0 ? both / sqrt(before * now) : 0;
}

/* By how much to lower the proximal weight after a problem that took this many steps. */
static double easing(double ease, size_t steps)
{
    return steps < 4 ? ease : steps < 8 ? sqrt(ease) : steps < 14 ? sqrt(sqrt(ease)) : 0.9;
}

bool crm_coulomb_proximal(crm_coulomb_solver *solver, double pull, double ease)
{
    enum { PROBLEMS = 300 };
    const double PRECISION = 1e-3, STRONGER = 4, SAME_WAY = 0.9, GROWTH = 1.05, MOST_AHEAD = 1000;
    const double FAR = 1e6, STRONGEST = 1e3;
    size_t size = solver->matrix->dim * solver->matrix->contacts;
    double residual = solver->best, ahead = 0;
    memset(solver->drift, 0, size * sizeof *solver->drift);
    for (size_t problem = 0; problem < PROBLEMS; problem++) {
        if (crm_coulomb_solver_is_over(solver) || solver->steps >= solver->most_steps ||
            pull > STRONGEST) {
            return false;
        }
        for (size_t i = 0; i < size; i++) {
            solver->centre[i] = solver->last[i] + ahead * solver->drift[i];
        }
        size_t before = solver->steps;
        if (!solve_pulled(solver, pull, fmax(solver->goal, PRECISION * residual))) {
            pull *= ahead > 0 ? 1 : STRONGER;
            ahead = ahead > 1 ? 0.25 * ahead : 0;
            continue;
        }
        double next = crm_coulomb_solver_measure(solver);
        if (next <= solver->goal) {
            return true;
        }
        double cosine = accept(solver);
        if (dot(solver->drift, solver->drift, size) > FAR && recedes(solver, solver->drift)) {
            return false;
        }
        ahead = cosine > SAME_WAY && next <= GROWTH * residual ? fmin(MOST_AHEAD, ahead + 1) : 0;
        residual = next;
        size_t steps = solver->steps - before;
        pull *= ahead == 0 || steps < 4 ? easing(ease, steps) : 1;
    }
    return false;
}
