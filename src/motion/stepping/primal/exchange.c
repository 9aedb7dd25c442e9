/* The proximal problem: which contacts are loaded.
 *
 * For a set A of them, C_A'C_A p - b + delta (p - c) = 0 by the condensed (I + C_A C_A'/delta). All
 * that have the wrong sign then change sides, as long as there are fewer each time; when there are
 * not, the last of them alone, until there are (M. M. Kostreva 1978; J. J. Judice, F. M. Pires,
 * Comput. Oper. Res. 21 (1994)). D + delta is definite, so that this ends with the right set (K. G.
 * Murty 1974); from a set that is nearly right it ends soon.
 *
 * The condensed matrix is less accurate by 1/delta; the solution is not, because it is refined with
 * residuals of the original equation C'C p - b + delta (p - c) = 0.
 */
#include <math.h>
#include <string.h>

#include "motion/stepping/primal/internal.h"

/* Residuals of the linear system, relative to its terms, that need no refinement: divided by delta
 * they are the error of p.
 */
static const double REFINED = 1e-22;
enum { MAX_REFINEMENTS = 6 };
/* A sign is wrong only beyond this part of the terms. */
static const double SIGN = 1e-14;
/* Exchanges of all wrong contacts without progress, before single ones. */
enum { BLOCKS = 2 };

/* ---- The answer of one set ------------------------------------------------------------------- */

static double largest(const double *x, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* Writes the residual of C'C p - b + delta (p - c) = 0 in the set to `change`; its largest entry.
 */
static double find_residual(crm_primal *primal, size_t contacts, double delta)
{
    for (size_t j = 0; j < contacts; j++) {
        primal->change[j] = primal->active[j]
                                ? -(primal->slack[j] + delta * (primal->p[j] - primal->centre[j]))
                                : 0;
    }
    return largest(primal->change, contacts);
}

/* (D_AA + delta) dp = r by (I + C_A C_A'/delta) d = C_A r/delta, dp = (r - C_A'd)/delta. */
static void correct(crm_primal *primal, const crm_primal_problem *problem, double delta)
{
    size_t size = crm_primal_coordinates(&problem->shape);
    crm_primal_apply(problem, primal->change, primal->dx);
    for (size_t i = 0; i < size; i++) {
        primal->dx[i] /= delta;
    }
    crm_primal_factor_solve(primal->factor, primal->dx);
    for (size_t j = 0; j < problem->contacts; j++) {
        if (primal->active[j]) {
            double along = crm_primal_dot(problem, j, primal->dx);
            primal->p[j] += (primal->change[j] - along) / delta;
        }
    }
}

static void update_exact(crm_primal *primal, const crm_primal_problem *problem)
{
    crm_primal_exact_residual(primal, problem, primal->p, primal->x);
}

static bool factor(crm_primal *primal, const crm_primal_problem *problem, double delta)
{
    size_t bytes = problem->contacts * sizeof *primal->active;
    if (primal->has_factor && primal->factored_delta == delta &&
        memcmp(primal->factored, primal->active, bytes) == 0) {
        return true;
    }
    for (size_t j = 0; j < problem->contacts; j++) {
        primal->weight[j] = primal->active[j] ? 1 / delta : 0;
    }
    primal->has_factor = crm_primal_factor_set(primal->factor, problem, primal->weight);
    primal->factored_delta = delta;
    memcpy(primal->factored, primal->active, bytes);
    primal->info->factorizations++;
    return primal->has_factor;
}

/* p, x = C p and slack of the set primal->active. */
static bool solve_set(crm_primal *primal, const crm_primal_problem *problem, double delta)
{
    if (!factor(primal, problem, delta)) {
        return false;
    }
    primal->info->sets++;
    for (size_t j = 0; j < problem->contacts; j++) {
        primal->p[j] = primal->active[j] ? primal->centre[j] : 0;
    }
    update_exact(primal, problem);
    double residual = find_residual(primal, problem->contacts, delta);
    for (unsigned round = 0; round <= MAX_REFINEMENTS; round++) {
        double last = residual;
        correct(primal, problem, delta);
        update_exact(primal, problem);
        residual = find_residual(primal, problem->contacts, delta);
        double terms = 1 + largest(primal->x, crm_primal_coordinates(&problem->shape));
        if (residual <= REFINED * terms || residual > 0.5 * last) {
            break;
        }
    }
    return isfinite(residual);
}

/* ---- From set to set ------------------------------------------------------------------------- */

static bool is_wrong(const crm_primal *primal, size_t j, double delta)
{
    double size = 1 + fabs(primal->p[j]);
    return primal->active[j] ? primal->p[j] < -SIGN * size
                             : primal->slack[j] - delta * primal->centre[j] < -SIGN * size;
}

static size_t count_wrong(const crm_primal *primal, size_t contacts, double delta)
{
    size_t wrong = 0;
    for (size_t j = 0; j < contacts; j++) {
        wrong += is_wrong(primal, j, delta);
    }
    return wrong;
}

/* All that are wrong change sides, or the last of them. */
static void exchange(crm_primal *primal, size_t contacts, double delta, bool one)
{
    bool done = false;
    for (size_t j = contacts; j-- > 0 && !done;) {
        if (is_wrong(primal, j, delta)) {
            primal->active[j] = !primal->active[j];
            done = one;
        }
    }
}

bool crm_primal_exchange(crm_primal *primal, const crm_primal_problem *problem, double delta,
                         unsigned sets_most)
{
    size_t fewest = SIZE_MAX;
    unsigned idle = 0;
    for (unsigned count = 0; count < sets_most; count++) {
        if (!solve_set(primal, problem, delta)) {
            return false;
        }
        size_t wrong = count_wrong(primal, problem->contacts, delta);
        if (wrong == 0) {
            return true;
        }
        idle = wrong < fewest ? 0 : idle + 1;
        fewest = wrong < fewest ? wrong : fewest;
        exchange(primal, problem->contacts, delta, idle > BLOCKS);
    }
    return false;
}
