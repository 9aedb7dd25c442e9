/* The public face of the solver of Coulomb's law: units in and out, residuals of the answer. */
#include "coulomb/coulomb.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "coulomb/solver.h"

struct crm_coulomb {
    crm_coulomb_matrix matrix;
    crm_coulomb_solver solver;
    crm_watching *watching; /* of the call that this is a part of; or NULL */
};

const char *crm_coulomb_result_text(crm_coulomb_result result)
{
#define TEXT(name, text) text,
    static const char *const texts[] = {CRM_COULOMB_RESULT_LIST(TEXT)};
#undef TEXT
    return (unsigned)result < sizeof texts / sizeof texts[0] ? texts[result] : "unknown result";
}

crm_coulomb_options crm_coulomb_options_default(void)
{
    return (crm_coulomb_options){.tolerance = 1e-12, .max_iterations = 20000};
}

/* ---- Life ---------------------------------------------------------------------------------- */

crm_status crm_coulomb_create(size_t contacts, size_t dim, const crm_sparse_view *d,
                              crm_coulomb **out, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    if (crm_fail_if_null(out, "coulomb", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    *out = NULL;
    if (dim != 2 && dim != 3) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "dim", "dim is %zu, must be 2 or 3", dim);
    }
    if (contacts > UINT32_MAX / dim) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "contacts", "%zu contacts are more than %zu",
                        contacts, (size_t)UINT32_MAX / dim);
    }
    crm_coulomb *coulomb = CRM_NEW(crm_coulomb, 1);
    if (coulomb == NULL) {
        return crm_fail_memory(error);
    }
    crm_status status = crm_coulomb_matrix_create(contacts, dim, d, &coulomb->matrix, error);
    if (status == CRM_OK) {
        status = crm_coulomb_solver_create(&coulomb->matrix, &coulomb->solver, error);
    }
    if (status != CRM_OK) {
        crm_coulomb_free(coulomb);
        return status;
    }
    *out = coulomb;
    return CRM_OK;
}

void crm_coulomb_free(crm_coulomb *coulomb)
{
    if (coulomb == NULL) {
        return;
    }
    crm_coulomb_solver_free(&coulomb->solver);
    crm_coulomb_matrix_free(&coulomb->matrix);
    free(coulomb);
}

crm_status crm_coulomb_renew(crm_coulomb *coulomb, size_t contacts, size_t dim,
                             const crm_sparse_view *d, bool *fits, crm_error *error)
{
    crm_coulomb_matrix *matrix = &coulomb->matrix;
    *fits =
        contacts == matrix->contacts && dim == matrix->dim && crm_coulomb_matrix_covers(matrix, d);
    crm_status status = *fits ? crm_coulomb_matrix_refill(matrix, d, error) : CRM_OK;
    if (*fits && status == CRM_OK) {
        crm_coulomb_solver_set_pull(&coulomb->solver, 0);
    }
    return status;
}

void crm_coulomb_watch(crm_coulomb *coulomb, crm_watching *watching)
{
    coulomb->watching = watching;
}

/* ---- Checks -------------------------------------------------------------------------------- */

static crm_status check_numbers(const double *x, size_t count, double low, double high,
                                const char *name, crm_error *error)
{
    char place[32];
    for (size_t i = 0; i < count; i++) {
        if (!(x[i] >= low && x[i] <= high)) {
            snprintf(place, sizeof place, "%s[%zu]", name, i + 1);
            return crm_fail(error, CRM_ERROR_ARGUMENT, place,
                            "%s is %g, must be a number from %g to %g", place, x[i], low, high);
        }
    }
    return CRM_OK;
}

static crm_status check_call(const crm_coulomb *coulomb, const double *q, const double *mu,
                             const crm_coulomb_options *options, const double *r, crm_error *error)
{
    const double MOST_SPEED = 1e150, MOST_FRICTION = 1e6;
    if (crm_fail_if_null(coulomb, "coulomb", error) || crm_fail_if_null(q, "q", error) ||
        crm_fail_if_null(mu, "mu", error) || crm_fail_if_null(r, "r", error)) {
        return CRM_ERROR_ARGUMENT;
    }
    if (!(options->tolerance > 0 && options->tolerance < INFINITY)) {
        return crm_fail(error, CRM_ERROR_ARGUMENT, "tolerance", "tolerance is %g, must be > 0",
                        options->tolerance);
    }
    size_t size = coulomb->matrix.contacts * coulomb->matrix.dim;
    crm_status status = check_numbers(q, size, -MOST_SPEED, MOST_SPEED, "q", error);
    if (status == CRM_OK) {
        status = check_numbers(mu, coulomb->matrix.contacts, 0, MOST_FRICTION, "mu", error);
    }
    if (status == CRM_OK && options->warm_start) {
        status = check_numbers(r, size, -MOST_SPEED, MOST_SPEED, "r", error);
    }
    return status;
}

/* ---- Units ----------------------------------------------------------------------------------- */

/* The problem in the scale of the matrix, the largest q between 1/2 and 1. All by powers of two, so
 * nothing is rounded. Returns the unit of q.
 */
static double scale_in(crm_coulomb *coulomb, const double *q, const double *mu, const double *r)
{
    const crm_coulomb_matrix *matrix = &coulomb->matrix;
    crm_coulomb_solver *solver = &coulomb->solver;
    size_t dim = matrix->dim, size = matrix->contacts * dim;
    double largest = 0;
    int exponent = 0;
    for (size_t i = 0; i < size; i++) {
        solver->q[i] = matrix->scale[i / dim] * q[i];
        largest = fmax(largest, fabs(solver->q[i]));
    }
    frexp(largest, &exponent);
    double unit = ldexp(1.0, exponent);
    for (size_t i = 0; i < size; i++) {
        solver->q[i] /= unit;
        solver->r[i] = r != NULL ? r[i] / matrix->scale[i / dim] / unit : 0;
    }
    memcpy(solver->mu, mu, matrix->contacts * sizeof *mu);
    return unit;
}

static double length(const double *x, size_t size)
{
    double sum = 0;
    for (size_t i = 0; i < size; i++) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

/* Residual of solver->r relative to |q|: in the caller's scale of the contacts, or in that of the
 * matrix. Both are 0 for an answer alone.
 */
static double residual_of(crm_coulomb *coulomb, bool scaled)
{
    const crm_coulomb_matrix *matrix = &coulomb->matrix;
    crm_coulomb_solver *solver = &coulomb->solver;
    size_t dim = matrix->dim;
    double sum = 0, speed = 0;
    crm_coulomb_matrix_multiply_exactly(matrix, solver->r, solver->q, solver->velocity, NULL);
    for (size_t i = 0; i < matrix->contacts; i++) {
        double r[CRM_COULOMB_MOST], u[CRM_COULOMB_MOST], scale = scaled ? 1 : matrix->scale[i];
        for (size_t a = 0; a < dim; a++) {
            r[a] = solver->r[i * dim + a] * scale;
            u[a] = solver->velocity[i * dim + a] / scale;
            double q = solver->q[i * dim + a] / scale;
            speed += q * q;
        }
        sum += crm_coulomb_contact_residual(dim, solver->mu[i], r, u);
    }
    return speed > 0 ? sqrt(sum / speed) : sqrt(sum);
}

/* ---- Solving --------------------------------------------------------------------------------- */

/* What rounding leaves outside the cones is cut off. */
static void tidy(crm_coulomb *coulomb)
{
    crm_coulomb_solver *solver = &coulomb->solver;
    size_t dim = coulomb->matrix.dim;
    for (size_t i = 0; i < coulomb->matrix.contacts; i++) {
        double *r = solver->r + i * dim, limit = solver->mu[i] * fmax(r[0], 0);
        double tangent = crm_coulomb_tangent(dim, r);
        r[0] = fmax(r[0], 0);
        for (size_t a = 1; a < dim && tangent > limit; a++) {
            r[a] *= limit / tangent;
        }
    }
}

/* Contacts in a ratio of masses have scales in a ratio, too: what is small in one scale may not be
 * so in the other, and then more is asked for.
 */
static double run(crm_coulomb *coulomb, double tolerance)
{
    enum { ROUNDS = 4 };
    const double MORE = 0.3;
    crm_coulomb_solver *solver = &coulomb->solver;
    size_t size = coulomb->matrix.contacts * coulomb->matrix.dim;
    double residual = INFINITY;
    crm_coulomb_solver_begin(solver);
    solver->goal = MORE * tolerance * length(solver->q, size);
    for (int round = 0; round < ROUNDS; round++) {
        crm_coulomb_solver_run(solver);
        if (solver->recedes) {
            return residual;
        }
        tidy(coulomb);
        residual = residual_of(coulomb, false);
        if (residual <= tolerance || solver->best > solver->goal) {
            break;
        }
        solver->goal = solver->best * fmin(MORE, MORE * tolerance / residual);
    }
    return residual;
}

static void count_modes(const crm_coulomb *coulomb, crm_coulomb_info *info)
{
    const double ON_THE_CONE = 1 - 1e-12;
    size_t dim = coulomb->matrix.dim;
    for (size_t i = 0; i < coulomb->matrix.contacts; i++) {
        const double *r = coulomb->solver.r + i * dim;
        bool pressed = r[0] > 0;
        double limit = ON_THE_CONE * coulomb->solver.mu[i] * r[0];
        bool stuck = pressed && crm_coulomb_tangent(dim, r) < limit;
        info->open += !pressed;
        info->stuck += stuck;
        info->slipping += pressed && !stuck;
    }
}

static void judge(crm_coulomb *coulomb, const crm_coulomb_options *options, double residual,
                  crm_coulomb_info *info)
{
    const double MOST_ROUNDED = 1e-8;
    crm_coulomb_solver *solver = &coulomb->solver;
    if (solver->recedes) {
        info->result = CRM_COULOMB_INFEASIBLE;
        info->residual = INFINITY;
        return;
    }
    bool rounded = residual > options->tolerance && residual <= MOST_ROUNDED &&
                   crm_coulomb_solver_is_done(solver);
    info->residual = residual;
    if (residual <= options->tolerance || rounded ||
        residual_of(coulomb, true) <= options->tolerance) {
        info->result = CRM_COULOMB_SOLVED;
        if (options->check_unique) {
            info->unique = crm_coulomb_is_only(solver)     ? CRM_COULOMB_UNIQUE
                           : crm_coulomb_has_other(solver) ? CRM_COULOMB_NOT_UNIQUE
                                                           : CRM_COULOMB_UNIQUE_UNKNOWN;
        }
    }
    count_modes(coulomb, info);
}

/* exact: the velocity is that of r, to rounding, already. */
static void scale_out(crm_coulomb *coulomb, double unit, bool exact, double *r, double *u)
{
    const crm_coulomb_matrix *matrix = &coulomb->matrix;
    crm_coulomb_solver *solver = &coulomb->solver;
    size_t dim = matrix->dim;
    unit = solver->recedes ? 1 : unit;
    if (!exact) {
        crm_coulomb_matrix_multiply_exactly(matrix, solver->r, solver->q, solver->velocity, NULL);
    }
    for (size_t i = 0; i < matrix->contacts * dim; i++) {
        r[i] = solver->r[i] * matrix->scale[i / dim] * unit;
        if (u != NULL) {
            u[i] = solver->velocity[i] / matrix->scale[i / dim] * unit;
        }
    }
}

crm_status crm_coulomb_solve(crm_coulomb *coulomb, const double *q, const double *mu,
                             const crm_coulomb_options *given, double *r, double *u,
                             crm_coulomb_info *info, crm_error *error)
{
    CRM_USUAL_ARITHMETIC;
    crm_coulomb_options options = given != NULL ? *given : crm_coulomb_options_default();
    crm_status status = check_call(coulomb, q, mu, &options, r, error);
    if (status != CRM_OK) {
        return status;
    }
    crm_coulomb_solver *solver = &coulomb->solver;
    crm_coulomb_info found = {.result = CRM_COULOMB_NOT_TERMINATED};
    double unit = scale_in(coulomb, q, mu, options.warm_start ? r : NULL);
    solver->watching =
        coulomb->watching != NULL ? *coulomb->watching : crm_watch_begin(options.watch);
    solver->most_steps = options.max_iterations;
    judge(coulomb, &options, run(coulomb, options.tolerance), &found);
    bool exact = found.result == CRM_COULOMB_SOLVED && !options.check_unique &&
                 found.residual <= options.tolerance;
    scale_out(coulomb, unit, exact, r, u);
    if (coulomb->watching != NULL) {
        *coulomb->watching = solver->watching;
    }
    found.sweeps = solver->sweeps;
    found.iterations = solver->steps;
    if (info != NULL) {
        *info = found;
    }
    return CRM_OK;
}

/* ---- Of an answer ---------------------------------------------------------------------------- */

bool crm_coulomb_shares_friction(crm_coulomb *coulomb, const double *mu, const double *r)
{
    crm_coulomb_solver *solver = &coulomb->solver;
    scale_in(coulomb, r, mu, r);
    return crm_coulomb_is_shared(solver);
}
