/* Is the answer the only one?
 *
 * No, if Newton's method finds another from a point near it, or from none.
 * Yes, if mu^2 |D| < the least eigenvalue of D, mu the largest: for two answers the difference
 * d of the impulses has d'D d <= sum |d_n| mu |(D d)_t|, since y = u + mu |u_t| n is in the dual
 * cone and r'y = 0. The right side is at most mu sqrt(|D| / least) d'D d, so d = 0. Contacts
 * without friction have d_t = 0 and no share in the sum.
 */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "coulomb/solver.h"

/* Beside the largest impulse. */
static const double NEAR = 1e-3, DIFFERENT = 1e-4;

static double largest_of(const double *x, size_t size)
{
    double largest = 0;
    for (size_t i = 0; i < size; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}

/* Newton's method from the point; is what it finds another answer than `last`? */
static bool finds_other(crm_coulomb_solver *solver, double scale)
{
    enum { STEPS = 20 };
    size_t size = solver->matrix->dim * solver->matrix->contacts;
    if (!crm_coulomb_newton(solver, STEPS)) {
        return false;
    }
    double apart = 0;
    for (size_t i = 0; i < size; i++) {
        apart = fmax(apart, fabs(solver->point[i] - solver->last[i]));
    }
    return apart > DIFFERENT * scale;
}

bool crm_coulomb_has_other(crm_coulomb_solver *solver)
{
    size_t dim = solver->matrix->dim, size = dim * solver->matrix->contacts;
    double scale = largest_of(solver->r, size), best = solver->best, goal = solver->goal;
    memcpy(solver->last, solver->r, size * sizeof *solver->r);
    solver->goal = fmax(goal, best);
    memset(solver->point, 0, size * sizeof *solver->point);
    bool found = finds_other(solver, scale);
    memcpy(solver->point, solver->last, size * sizeof *solver->point);
    for (size_t i = 0; i < size; i++) {
        double share = 2 * crm_random_uniform((crm_random_place){.entry = (uint32_t)i}) - 1;
        solver->point[i] += solver->last[i - i % dim] > 0 ? NEAR * scale * share : 0;
    }
    found = found || finds_other(solver, scale);
    memcpy(solver->r, solver->last, size * sizeof *solver->r);
    solver->best = best;
    solver->goal = goal;
    return found;
}

/* By its leading minors. */
static bool is_definite(size_t n, const double *a)
{
    double two = a[0] * a[n + 1] - a[1] * a[n];
    if (n == 2) {
        return a[0] > 0 && two > 0;
    }
    double three =
        a[8] * two - a[7] * (a[0] * a[5] - a[2] * a[3]) + a[6] * (a[1] * a[5] - a[2] * a[4]);
    return a[0] > 0 && two > 0 && three > 0;
}

/* Largest sum of a row of |D|, which bounds |D|; INFINITY where D is not symmetric. */
static double norm(const crm_coulomb_solver *solver)
{
    const double SYMMETRIC = 1e-12;
    const crm_coulomb_matrix *matrix = solver->matrix;
    size_t dim = matrix->dim;
    double largest = 0;
    for (size_t i = 0; i < matrix->contacts; i++) {
        for (size_t a = 0; a < dim; a++) {
            double sum = 0;
            for (size_t k = matrix->start[i]; k < matrix->start[i + 1]; k++) {
                size_t j = matrix->column[k], back = matrix->start[j];
                while (matrix->column[back] != i) {
                    back++;
                }
                for (size_t b = 0; b < dim; b++) {
                    double value = matrix->block[(k * dim + a) * dim + b];
                    sum += fabs(value);
                    if (fabs(value - matrix->block[(back * dim + b) * dim + a]) > SYMMETRIC) {
                        return INFINITY;
                    }
                }
            }
            largest = fmax(largest, sum);
        }
    }
    return largest;
}

/* Which components of r may differ between two answers. */
typedef bool may_differ(const crm_coulomb_solver *solver, size_t i, size_t a);

static bool takes_part(const crm_coulomb_solver *solver, size_t i, size_t a)
{
    return a == 0 || solver->mu[i] > 0;
}

static bool sticks(const crm_coulomb_solver *solver, size_t i, size_t a)
{
    const double ON_THE_CONE = 1 - 1e-12;
    size_t dim = solver->matrix->dim;
    const double *r = solver->r + i * dim;
    return a > 0 && crm_coulomb_tangent(dim, r) < ON_THE_CONE * solver->mu[i] * r[0];
}

/* Is D - shift definite on those components? */
static bool is_definite_on(crm_coulomb_solver *solver, may_differ *differs, double shift)
{
    const crm_coulomb_matrix *matrix = solver->matrix;
    size_t dim = matrix->dim;
    crm_coulomb_factor_clear(&solver->factor, NULL);
    for (size_t i = 0; i < matrix->contacts; i++) {
        for (size_t k = matrix->start[i]; k < matrix->start[i + 1]; k++) {
            double *block = crm_coulomb_factor_block(&solver->factor, k);
            for (size_t a = 0; a < dim; a++) {
                for (size_t b = 0; b < dim; b++) {
                    bool there = differs(solver, i, a) && differs(solver, matrix->column[k], b);
                    bool diagonal = k == matrix->diagonal[i] && a == b;
                    block[a * dim + b] =
                        there ? matrix->block[(k * dim + a) * dim + b] - (diagonal ? shift : 0)
                              : diagonal;
                }
            }
        }
    }
    crm_coulomb_factor_eliminate(&solver->factor, 0);
    for (size_t i = 0; i < matrix->contacts; i++) {
        if (!is_definite(dim, solver->factor.block + i * dim * dim)) {
            return false;
        }
    }
    return true;
}

bool crm_coulomb_is_only(crm_coulomb_solver *solver)
{
    const double ROUNDING = 1e-13;
    double size = norm(solver), mu = largest_of(solver->mu, solver->matrix->contacts);
    return size < INFINITY && is_definite_on(solver, takes_part, size * (mu * mu + ROUNDING));
}

bool crm_coulomb_is_shared(crm_coulomb_solver *solver)
{
    const double DEPENDENT = 1e-12;
    return !is_definite_on(solver, sticks, DEPENDENT);
}
