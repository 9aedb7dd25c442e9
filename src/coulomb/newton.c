/* Newton's method on the modes of the contacts (open, stuck, slipping), which are read off anew in
 * each step: with z = r - (u_n, u_t), a contact is open where z_n <= 0, stuck where |z_t| <= mu
 * z_n, and slips along t = z_t / |z_t| otherwise (P. Alart, A. Curnier, Comput. Methods Appl. Mech.
 * Engrg. 92 (1991)).
 *
 * Slip, with p across t: the unknowns are dr_n and p'dr, since t'(r_t + dr_t) = mu (r_n + dr_n).
 * The equations are u_n + du_n = 0 and, from r_t = mu r_n z_t / |z_t| with b = mu z_n / |z_t|,
 *     p'du_t + (1 - b) / b p'dr_t = -p'u_t / b.
 */
#include <math.h>
#include <string.h>

#include "coulomb/solver.h"

/* Added to the diagonal, which is near 1. Where D is singular, a multiple of what it does not
 * determine is left as it was; where it is regular, the step is short by that part.
 */
static const double REGULARIZATION = 1e-11;
static const double LEAST_PIVOT = 1e-14;
static const double LEAST_BEND = 1e-10;

static void read_mode(const crm_coulomb_solver *solver, size_t i, crm_coulomb_frame *frame)
{
    size_t dim = solver->matrix->dim;
    const double *r = solver->point + i * dim, *u = solver->velocity + i * dim;
    double z[CRM_COULOMB_MOST] = {0};
    for (size_t a = 0; a < dim; a++) {
        z[a] = r[a] - u[a];
    }
    double tangent = crm_coulomb_tangent(dim, z), mu = solver->mu[i];
    *frame = (crm_coulomb_frame){.mode = CRM_COULOMB_OPEN, .along = {1, 0}};
    if (!(z[0] > 0) || !(solver->own[i].normal > 0)) {
        return;
    }
    if (tangent <= mu * z[0] && mu > 0) {
        frame->mode = CRM_COULOMB_STICK;
        return;
    }
    frame->mode = CRM_COULOMB_SLIP;
    double share = tangent > 0 ? mu * z[0] / tangent : 0;
    for (size_t a = 1; a < dim && tangent > 0; a++) {
        frame->along[a - 1] = z[a] / tangent;
    }
    frame->straight = dim == 2 || share < LEAST_BEND;
    frame->bend = frame->straight ? 0 : (1 - share) / share;
}

/* Columns of impulse and rows of velocity: slip has n + mu t, t, p beside n, t, p. */
static void base_of(const crm_coulomb_frame *frame, size_t dim, double mu, double *rows,
                    double *columns)
{
    memset(rows, 0, dim * dim * sizeof *rows);
    for (size_t a = 0; a < dim; a++) {
        rows[a * dim + a] = 1;
    }
    if (frame->mode == CRM_COULOMB_SLIP) {
        const double *t = frame->along;
        for (size_t a = 1; a < dim; a++) {
            rows[a * dim + 1] = t[a - 1];
        }
        if (dim == 3) {
            rows[1 * 3 + 2] = -t[1];
            rows[2 * 3 + 2] = t[0];
        }
    }
    memcpy(columns, rows, dim * dim * sizeof *rows);
    for (size_t a = 1; a < dim && frame->mode == CRM_COULOMB_SLIP; a++) {
        columns[a * dim] = mu * frame->along[a - 1];
    }
}

/* Which of the unknowns of a contact there are. */
static bool is_known(const crm_coulomb_frame *frame, size_t a)
{
    return frame->mode == CRM_COULOMB_SLIP && (a == 1 || (a == 2 && frame->straight));
}

/* out = A B; entry (i, k) of A is a[i * row + k * column], so that it may be a transpose. */
static void multiply(size_t dim, const double *a, size_t row, size_t column, const double *b,
                     double *out)
{
    for (size_t i = 0; i < dim; i++) {
        for (size_t j = 0; j < dim; j++) {
            double sum = 0;
            for (size_t k = 0; k < dim; k++) {
                sum += a[i * row + k * column] * b[k * dim + j];
            }
            out[i * dim + j] = sum;
        }
    }
}

/* out = rows' block columns */
static void transform(size_t dim, const double *rows, const double *block, const double *columns,
                      double *out)
{
    double half[CRM_COULOMB_MOST * CRM_COULOMB_MOST];
    multiply(dim, block, dim, 1, columns, half);
    multiply(dim, rows, 1, dim, half, out);
}

static void assemble_block(crm_coulomb_solver *solver, size_t i, size_t k, const double *rows)
{
    const crm_coulomb_matrix *matrix = solver->matrix;
    size_t dim = matrix->dim, j = matrix->column[k];
    double other[CRM_COULOMB_MOST * CRM_COULOMB_MOST], columns[CRM_COULOMB_MOST * CRM_COULOMB_MOST];
    const crm_coulomb_frame *frame = &solver->frame[i], *beside = &solver->frame[j];
    double *out = crm_coulomb_factor_block(&solver->factor, k);
    double own[CRM_COULOMB_MOST * CRM_COULOMB_MOST];
    base_of(beside, dim, solver->mu[j], other, columns);
    memcpy(own, matrix->block + k * dim * dim, dim * dim * sizeof *own);
    for (size_t a = 0; a < dim && i == j; a++) {
        own[a * dim + a] += solver->pull;
    }
    transform(dim, rows, own, columns, out);
    for (size_t a = 0; a < dim; a++) {
        for (size_t b = 0; b < dim; b++) {
            if (is_known(frame, a) || is_known(beside, b)) {
                out[a * dim + b] = i == j && a == b;
            } else if (i == j && a == b) {
                out[a * dim + b] += REGULARIZATION + (a == 2 ? frame->bend : 0);
            }
        }
    }
}

static void assemble(crm_coulomb_solver *solver)
{
    const crm_coulomb_matrix *matrix = solver->matrix;
    size_t dim = matrix->dim;
    for (size_t i = 0; i < matrix->contacts; i++) {
        solver->active[i] = solver->frame[i].mode != CRM_COULOMB_OPEN;
    }
    crm_coulomb_factor_clear(&solver->factor, solver->active);
    for (size_t i = 0; i < matrix->contacts; i++) {
        double rows[CRM_COULOMB_MOST * CRM_COULOMB_MOST],
            columns[CRM_COULOMB_MOST * CRM_COULOMB_MOST];
        base_of(&solver->frame[i], dim, solver->mu[i], rows, columns);
        for (size_t k = matrix->start[i]; solver->active[i] && k < matrix->start[i + 1]; k++) {
            if (solver->active[matrix->column[k]]) {
                assemble_block(solver, i, k, rows);
            }
        }
    }
    crm_coulomb_factor_eliminate(&solver->factor, LEAST_PIVOT);
}

/* What is known of the step: opening contacts give up their impulse, slipping ones take up the
 * friction that belongs to their normal impulse.
 */
static void find_known(crm_coulomb_solver *solver)
{
    size_t dim = solver->matrix->dim;
    for (size_t i = 0; i < solver->matrix->contacts; i++) {
        const crm_coulomb_frame *frame = &solver->frame[i];
        const double *r = solver->point + i * dim;
        double *known = solver->known + i * dim, along = 0;
        for (size_t a = 1; a < dim; a++) {
            along += r[a] * frame->along[a - 1];
        }
        for (size_t a = 0; a < dim; a++) {
            known[a] = frame->mode == CRM_COULOMB_OPEN ? -r[a] : 0;
        }
        if (frame->mode != CRM_COULOMB_SLIP) {
            continue;
        }
        for (size_t a = 1; a < dim; a++) {
            double t = frame->along[a - 1];
            known[a] = frame->straight ? solver->mu[i] * r[0] * t - r[a]
                                       : (solver->mu[i] * r[0] - along) * t;
        }
    }
}

/* The step from the factors that there are; velocity is used as work space. */
static void find_step(crm_coulomb_solver *solver)
{
    const crm_coulomb_matrix *matrix = solver->matrix;
    size_t dim = matrix->dim, size = dim * matrix->contacts;
    double rows[CRM_COULOMB_MOST * CRM_COULOMB_MOST], columns[CRM_COULOMB_MOST * CRM_COULOMB_MOST];
    crm_coulomb_matrix_multiply(matrix, solver->known, solver->velocity, solver->step);
    for (size_t i = 0; i < size; i++) {
        solver->step[i] += solver->pull * solver->known[i];
    }
    for (size_t i = 0; i < matrix->contacts; i++) {
        const crm_coulomb_frame *frame = &solver->frame[i];
        double *step = solver->step + i * dim, right[CRM_COULOMB_MOST] = {0};
        const double *u = solver->velocity + i * dim;
        base_of(frame, dim, solver->mu[i], rows, columns);
        for (size_t a = 0; a < dim; a++) {
            for (size_t b = 0; b < dim && !is_known(frame, a); b++) {
                right[a] -= rows[b * dim + a] * (step[b] + (a == 2 ? frame->bend * u[b] : 0));
            }
        }
        memcpy(step, right, dim * sizeof *step);
    }
    crm_coulomb_factor_solve(&solver->factor, solver->step);
    for (size_t i = 0; i < matrix->contacts; i++) {
        double *step = solver->step + i * dim, y[CRM_COULOMB_MOST] = {0};
        base_of(&solver->frame[i], dim, solver->mu[i], rows, columns);
        memcpy(y, step, dim * sizeof *y);
        for (size_t a = 0; a < dim; a++) {
            step[a] = solver->known[i * dim + a];
            for (size_t b = 0; b < dim; b++) {
                step[a] += columns[a * dim + b] * y[b];
            }
        }
    }
}

/* Along the step: the longest of 1, 1/2, 1/4 ... that makes the residual less, or the last. */
static double advance(crm_coulomb_solver *solver, double residual)
{
    enum { HALVINGS = 5 };
    size_t size = solver->matrix->dim * solver->matrix->contacts;
    double length = 1, next = INFINITY;
    for (size_t i = 0; i < size; i++) {
        solver->point[i] += solver->step[i];
    }
    for (int halving = 0;; halving++) {
        next = crm_coulomb_solver_measure(solver);
        if (next < (1 - 0.1 * length) * residual || halving == HALVINGS) {
            return next;
        }
        length *= 0.5;
        for (size_t i = 0; i < size; i++) {
            solver->point[i] -= length * solver->step[i];
        }
    }
}

bool crm_coulomb_newton(crm_coulomb_solver *solver, size_t most)
{
    enum { PATIENCE = 10 };
    double residual = crm_coulomb_solver_measure(solver), best = residual;
    int worse = 0;
    for (size_t step = 0; step < most && residual > solver->goal && worse < PATIENCE; step++) {
        for (size_t i = 0; i < solver->matrix->contacts; i++) {
            read_mode(solver, i, &solver->frame[i]);
        }
        find_known(solver);
        assemble(solver);
        find_step(solver);
        solver->steps++;
        residual = advance(solver, residual);
        worse = residual < 0.9 * best ? 0 : worse + 1;
        best = fmin(best, residual);
        if (!isfinite(residual) || crm_coulomb_solver_is_over(solver)) {
            return false;
        }
    }
    return residual <= solver->goal;
}
