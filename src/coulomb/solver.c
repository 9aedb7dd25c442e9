/* Which method is used when: sweeps are quickest where contacts influence each other little, then
 * Newton's method on the modes they have found; where that does not converge, the proximal method.
 */
#include "coulomb/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

crm_status crm_coulomb_solver_create(const crm_coulomb_matrix *matrix, crm_coulomb_solver *solver,
                                     crm_error *error)
{
    size_t contacts = matrix->contacts, size = contacts * matrix->dim;
    *solver = (crm_coulomb_solver){.matrix = matrix};
    double **arrays[] = {&solver->q,        &solver->r,      &solver->point,
                         &solver->velocity, &solver->step,   &solver->last,
                         &solver->known,    &solver->centre, &solver->drift};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) {
        *arrays[k] = CRM_NEW(double, size);
        if (*arrays[k] == NULL) {
            return crm_fail_memory(error);
        }
    }
    solver->own = CRM_NEW(crm_coulomb_contact, contacts);
    solver->frame = CRM_NEW(crm_coulomb_frame, contacts);
    solver->mu = CRM_NEW(double, contacts);
    solver->slip = CRM_NEW(double, contacts);
    solver->active = CRM_NEW(bool, contacts);
    if (solver->own == NULL || solver->frame == NULL || solver->mu == NULL ||
        solver->slip == NULL || solver->active == NULL) {
        return crm_fail_memory(error);
    }
    crm_coulomb_solver_set_pull(solver, 0);
    return crm_coulomb_factor_create(matrix, &solver->factor, error);
}

void crm_coulomb_solver_free(crm_coulomb_solver *solver)
{
    double *arrays[] = {solver->q,     solver->r,    solver->point, solver->velocity,
                        solver->step,  solver->last, solver->known, solver->centre,
                        solver->drift, solver->mu,   solver->slip};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) {
        free(arrays[k]);
    }
    free(solver->own);
    free(solver->frame);
    free(solver->active);
    crm_coulomb_factor_free(&solver->factor);
    *solver = (crm_coulomb_solver){0};
}

void crm_coulomb_solver_set_pull(crm_coulomb_solver *solver, double pull)
{
    size_t dim = solver->matrix->dim;
    double block[CRM_COULOMB_MOST * CRM_COULOMB_MOST];
    solver->pull = pull;
    for (size_t i = 0; i < solver->matrix->contacts; i++) {
        memcpy(block, solver->matrix->block + solver->matrix->diagonal[i] * dim * dim,
               dim * dim * sizeof *block);
        for (size_t a = 0; a < dim; a++) {
            block[a * dim + a] += pull;
        }
        solver->own[i] = crm_coulomb_contact_of(dim, block);
    }
}

double crm_coulomb_solver_measure(crm_coulomb_solver *solver)
{
    /* Impulses beside which q, near 1, is lost in rounding: nothing can be said of them. */
    const double BEYOND = 1e14;
    const crm_coulomb_matrix *matrix = solver->matrix;
    size_t dim = matrix->dim, size = dim * matrix->contacts;
    crm_coulomb_matrix_multiply(matrix, solver->point, solver->q, solver->velocity);
    for (size_t i = 0; solver->pull > 0 && i < size; i++) {
        solver->velocity[i] += solver->pull * (solver->point[i] - solver->centre[i]);
    }
    double sum = 0;
    for (size_t i = 0; i < matrix->contacts; i++) {
        if (!(fabs(solver->point[i * dim]) < BEYOND)) {
            return INFINITY;
        }
        sum += crm_coulomb_contact_residual(dim, solver->mu[i], solver->point + i * dim,
                                            solver->velocity + i * dim);
    }
    double residual = sqrt(sum);
    if (residual < solver->best && !(solver->pull > 0)) {
        solver->best = residual;
        memcpy(solver->r, solver->point, size * sizeof *solver->r);
    }
    return residual;
}

bool crm_coulomb_solver_is_over(crm_coulomb_solver *solver)
{
    return crm_watch_interrupts(&solver->watching, solver->matrix->contacts);
}

bool crm_coulomb_solver_is_done(crm_coulomb_solver *solver)
{
    /* Impulses that grow without bound must not pass for an answer. */
    const double ROUNDING = 2e-14, MOST = 1e-8;
    if (solver->best <= solver->goal) {
        return true;
    }
    size_t size = solver->matrix->dim * solver->matrix->contacts;
    double terms = 0, speed = 0;
    crm_coulomb_matrix_multiply_exactly(solver->matrix, solver->r, solver->q, solver->velocity,
                                        solver->step);
    for (size_t i = 0; i < size; i++) {
        terms += solver->step[i] * solver->step[i];
        speed += solver->q[i] * solver->q[i];
    }
    return solver->best <= fmin(ROUNDING * sqrt(terms), MOST * sqrt(speed));
}

void crm_coulomb_solver_begin(crm_coulomb_solver *solver)
{
    size_t size = solver->matrix->dim * solver->matrix->contacts;
    bool nothing = true;
    solver->best = INFINITY;
    solver->recedes = false;
    solver->sweeps = solver->steps = 0;
    memset(solver->slip, 0, solver->matrix->contacts * sizeof *solver->slip);
    for (size_t i = 0; i < size; i++) {
        solver->point[i] = solver->r[i];
        nothing = nothing && !(fabs(solver->r[i]) > 0);
    }
    if (!nothing) {
        crm_coulomb_solver_measure(solver);
    }
}

/* The proximal method's first point: the best so far, or none. */
static void begin_at(crm_coulomb_solver *solver, bool best)
{
    size_t size = solver->matrix->dim * solver->matrix->contacts;
    for (size_t i = 0; i < size; i++) {
        solver->last[i] = best ? solver->r[i] : 0;
    }
}

static void restart(crm_coulomb_solver *solver)
{
    memcpy(solver->point, solver->r,
           solver->matrix->dim * solver->matrix->contacts * sizeof *solver->r);
}

/* Is a step of Newton's method cheaper than SWEEPS sweeps? By the number of multiplications. */
static bool newton_is_cheap(const crm_coulomb_solver *solver)
{
    const double SWEEPS = 8, CONTACT = 80, FRAMES = 2;
    const crm_coulomb_matrix *matrix = solver->matrix;
    double contacts = (double)matrix->contacts, blocks = (double)matrix->start[matrix->contacts];
    double square = (double)(matrix->dim * matrix->dim), cube = square * (double)matrix->dim;
    double sweep = square * blocks + CONTACT * contacts;
    return cube * (solver->factor.work + FRAMES * blocks) < SWEEPS * sweep;
}

static bool sweep_and_refine(crm_coulomb_solver *solver, double gain)
{
    enum { SWEEPS = 1000, STEPS = 30 };
    restart(solver);
    if (crm_coulomb_sweep(solver, SWEEPS, gain)) {
        return true;
    }
    restart(solver);
    return crm_coulomb_newton(solver, STEPS) || crm_coulomb_solver_is_done(solver);
}

void crm_coulomb_solver_run(crm_coulomb_solver *solver)
{
    const double QUICK = 0.02, SLOW = 0.5;
    /* The proximal method begins with this pull, and eases it by this factor where that is easy. */
    static const double settings[][2] = {
        {0.01, 0.1}, {1, 0.3}, {0.001, 0.1}, {10, 0.5}, {0.1, 0.2}};
    if (solver->best <= solver->goal ||
        (newton_is_cheap(solver) && sweep_and_refine(solver, QUICK)) ||
        sweep_and_refine(solver, SLOW)) {
        return;
    }
    for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
        begin_at(solver, k % 2 == 0);
        if (crm_coulomb_proximal(solver, settings[k][0], settings[k][1]) ||
            crm_coulomb_solver_is_done(solver) || solver->recedes) {
            return;
        }
    }
}
