/* Block Gauss-Seidel: the contacts one after another, each with the others held. */
#include <math.h>

#include "coulomb/solver.h"

static double visit(crm_coulomb_solver *solver, size_t i)
{
    const crm_coulomb_matrix *matrix = solver->matrix;
    size_t dim = matrix->dim;
    double *r = solver->point + i * dim, q[CRM_COULOMB_MOST], next[CRM_COULOMB_MOST];
    for (size_t a = 0; a < dim; a++) {
        q[a] = solver->q[i * dim + a] - solver->pull * solver->centre[i * dim + a];
    }
    for (size_t k = matrix->start[i]; k < matrix->start[i + 1]; k++) {
        const double *block = matrix->block + k * dim * dim;
        const double *other = solver->point + dim * matrix->column[k];
        for (size_t a = 0; a < dim && k != matrix->diagonal[i]; a++) {
            for (size_t b = 0; b < dim; b++) {
                q[a] += block[a * dim + b] * other[b];
            }
        }
    }
    crm_coulomb_contact_solve(&solver->own[i], dim, solver->mu[i], q, &solver->slip[i], next);
    double change = 0;
    for (size_t a = 0; a < dim; a++) {
        change += (next[a] - r[a]) * (next[a] - r[a]);
        r[a] = next[a];
    }
    return change;
}

bool crm_coulomb_sweep(crm_coulomb_solver *solver, size_t most, double gain)
{
    /* How often the residual is looked at, which costs half as much as a sweep. */
    const size_t BETWEEN = 4;
    double last = INFINITY;
    for (size_t sweep = 1; sweep <= most; sweep++) {
        double change = 0;
        for (size_t i = 0; i < solver->matrix->contacts; i++) {
            change += visit(solver, i);
        }
        solver->sweeps++;
        if (sqrt(change) > solver->goal && sweep > 1 && sweep % BETWEEN != 0 && sweep < most) {
            continue;
        }
        double residual = crm_coulomb_solver_measure(solver);
        if (residual <= solver->goal) {
            return true;
        }
        if (crm_coulomb_solver_is_over(solver)) {
            return false;
        }
        if (sweep % BETWEEN == 0) {
            if (residual > gain * last) {
                return false;
            }
            last = residual;
        }
    }
    return false;
}
