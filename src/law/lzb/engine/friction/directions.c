/* Slipping in space: the direction of slip turns within a step, and the force with it. */
#include <math.h>

#include "law/lzb/engine/friction/friction.h"

void lzb_friction_slip_at_nodes(const lzb_engine *e, size_t i, unsigned k, lzb_nodal *slip)
{
    const lzb_table *table = lzb_engine_table(e);
    const lzb_friction *f = e->friction;
    lzb_nodal pull, sum = {0};
    lzb_engine_pull(e, lzb_friction_row(e, i, k), &pull);
    for (unsigned l = 0; l < LZB_NODES; l++) {
        sum += table->once[l] * pull[l];
    }
    *slip = f->slip[e->window.member[i].contact * f->d + k] + e->trial.length * sum;
}

enum { UNKNOWNS = 2 * LZB_NODES };

/* Gauss's elimination with the largest pivots of columns; x := the solution of `matrix` x = x. A
 * column without a pivot leaves its x at 0.
 */
static void eliminate(double matrix[UNKNOWNS][UNKNOWNS], double *x)
{
    for (size_t p = 0; p < UNKNOWNS; p++) {
        size_t best = p;
        for (size_t r = p + 1; r < UNKNOWNS; r++) {
            best = fabs(matrix[r][p]) > fabs(matrix[best][p]) ? r : best;
        }
        for (size_t c = 0; c < UNKNOWNS && best != p; c++) {
            double kept = matrix[p][c];
            matrix[p][c] = matrix[best][c];
            matrix[best][c] = kept;
        }
        double kept = x[p];
        x[p] = x[best];
        x[best] = kept;
        for (size_t r = p + 1; r < UNKNOWNS && matrix[p][p] != 0; r++) {
            double factor = matrix[r][p] / matrix[p][p];
            for (size_t c = p; c < UNKNOWNS; c++) {
                matrix[r][c] -= factor * matrix[p][c];
            }
            x[r] -= factor * x[p];
        }
    }
    for (size_t p = UNKNOWNS; p-- > 0;) {
        for (size_t c = p + 1; c < UNKNOWNS; c++) {
            x[p] -= matrix[p][c] * x[c];
        }
        x[p] = matrix[p][p] != 0 ? x[p] / matrix[p][p] : 0;
    }
}

/* What its own forces g do to u_t of a place. */
static void own_coupling(const lzb_engine *e, size_t i, double own[2][2])
{
    const lzb_engine_window *w = &e->window;
    for (unsigned k = 0; k < 2; k++) {
        size_t row = lzb_friction_row(e, i, k);
        own[k][0] = own[k][1] = 0;
        for (uint32_t l = w->start[row]; l < w->start[row + 1]; l++) {
            for (unsigned q = 0; q < 2; q++) {
                own[k][q] += w->column[l] == lzb_friction_column(e, i, q) ? w->value[l] : 0;
            }
        }
    }
}

/* What the equations of turn_one lack at one node, and their derivatives by g at all nodes. */
static void linearize(double most, double scale, const double *f, const double *u,
                      double coupling[2][UNKNOWNS], const size_t at[2], double *matrix[2],
                      double *x)
{
    double w[2] = {scale * u[0] - f[0], scale * u[1] - f[1]};
    double size = sqrt(w[0] * w[0] + w[1] * w[1]);
    for (unsigned k = 0; k < 2; k++) {
        bool slips = size > most;
        double d[2] = {slips ? w[0] / size : 0, slips ? w[1] / size : 0};
        double turn = slips ? most / size : 1; /* of (1 - d d') / |w| */
        x[k] = slips ? -(f[k] + most * d[k]) : -scale * u[k];
        for (unsigned m = 0; m < UNKNOWNS; m++) {
            double across[2];
            for (unsigned q = 0; q < 2; q++) {
                across[q] = scale * coupling[q][m] - (m == at[q]);
            }
            matrix[k][m] =
                (m == at[k]) + turn * (across[k] - d[k] * (d[0] * across[0] + d[1] * across[1]));
        }
    }
}

/* One step of Newton's method for the forces g at the nodes. That f = -mu lambda d with d along u_t
 * is the same as that f is the point of the disc |f| <= mu lambda nearest to f - r u_t, for any
 * r > 0:
 *
 *     f = -mu lambda w / |w|,  w = r u_t - f,  where |w| > mu lambda, else u_t = 0
 *
 * The first form has derivatives like 1 / |u_t|; where slip begins at u_t = 0 the direction follows
 * that of u_t' at once, however short the step, and Newton's method does not converge. Here |w| is
 * at least mu lambda, and it does once f hardly changes in a step. r is such that r u_t is a force
 * that would make u_t within the step.
 */
static double turn_one(lzb_engine *e, size_t i)
{
    const lzb_friction *f = e->friction;
    const lzb_table *table = lzb_engine_table(e);
    size_t j = e->window.member[i].contact;
    const double *d0 = f->direction + j * f->d, *d_own = f->all->d_diagonal + j * 3 + 1;
    double scale = 1 / (e->trial.length * fmax(d_own[0], d_own[1]));
    lzb_nodal slip[2], *g[2];
    double own[2][2], matrix[UNKNOWNS][UNKNOWNS], x[UNKNOWNS], largest = 0;
    own_coupling(e, i, own);
    for (unsigned k = 0; k < 2; k++) {
        lzb_friction_slip_at_nodes(e, i, k, &slip[k]);
        g[k] = &e->force[lzb_friction_column(e, i, k)];
    }
    for (unsigned l = 0; l < LZB_NODES; l++) {
        double most = fmax(f->coefficient[j] * e->force[i][l], 0), coupling[2][UNKNOWNS];
        double force[2], u[2] = {slip[0][l], slip[1][l]};
        for (unsigned k = 0; k < 2; k++) {
            force[k] = (*g[k])[l] - most * d0[k];
            for (unsigned m = 0; m < UNKNOWNS; m++) {
                coupling[k][m] = e->trial.length * table->once[m / 2][l] * own[k][m % 2];
            }
        }
        linearize(most, scale, force, u, coupling, (size_t[2]){2 * l, 2 * l + 1},
                  (double *[2]){matrix[2 * l], matrix[2 * l + 1]}, x + 2 * l);
    }
    eliminate(matrix, x);
    for (unsigned l = 0; l < LZB_NODES; l++) {
        for (unsigned k = 0; k < 2; k++) {
            double change = d_own[k] * fabs(x[2 * l + k]);
            largest = change <= largest ? largest : change; /* NaN stays */
            (*g[k])[l] += x[2 * l + k];
        }
    }
    return largest;
}

void lzb_friction_guess(lzb_engine *e)
{
    for (size_t c = e->friction->contacts; c < e->friction->contacts * (1 + e->friction->d); c++) {
        e->force[c] = (lzb_nodal){0};
        e->sum[c] = 0;
    }
}

void lzb_friction_resample(lzb_engine *e, const lzb_nodal *columns)
{
    for (size_t c = e->friction->contacts; c < e->friction->contacts * (1 + e->friction->d); c++) {
        lzb_nodal force = {0};
        for (unsigned l = 0; l < LZB_NODES; l++) {
            force += columns[l] * e->force[c][l];
        }
        e->force[c] = force;
    }
}

double lzb_friction_turn(lzb_engine *e, double most)
{
    double largest = most;
    for (size_t i = 0; i < e->window.pressing; i++) {
        if (lzb_friction_turns(e, i)) {
            double change = turn_one(e, i);
            largest = change <= largest ? largest : change; /* NaN stays */
        }
    }
    return largest;
}

void lzb_friction_finish(lzb_engine *e)
{
    const lzb_table *table = lzb_engine_table(e);
    double h = e->trial.length;
    for (size_t c = e->friction->contacts; c < e->friction->contacts * (1 + e->friction->d); c++) {
        double impulse = 0, moment = 0, size = 0;
        for (unsigned l = 0; l < LZB_NODES; l++) {
            impulse += table->impulse[l] * e->force[c][l];
            moment += table->moment[l] * e->force[c][l];
            size += fabs(table->impulse[l] * e->force[c][l]);
        }
        lzb_member *member = &e->window.member[c];
        member->impulse = h * impulse;
        member->moment = h * h * moment;
        member->high = 2 * h * size; /* more than any part of it comes to */
    }
}

/* As that of forces of the same size (lzb_engine_error). */
double lzb_friction_error(lzb_engine *e)
{
    const lzb_friction *f = e->friction;
    double error = 0;
    for (size_t i = 0; i < e->window.pressing; i++) {
        for (unsigned k = 0; k < f->d && lzb_friction_turns(e, i); k++) {
            size_t c = lzb_friction_column(e, i, k);
            lzb_member *own = &e->window.member[i], member = *own;
            size_t row = own->contact * (1 + (size_t)f->d) + 1 + k;
            member.own = f->all->d_diagonal[row];
            double most = f->coefficient[own->contact] * own->impulse,
                   made = lzb_engine_error(e, &member, &e->force[c], most, 6 * own->exponent + 5);
            e->sum[i] = fmax(e->sum[i], made);
            error = fmax(error, made);
        }
    }
    return error;
}

double lzb_friction_slip_along(const lzb_engine *e, size_t i, double *slope)
{
    const lzb_table *table = lzb_engine_table(e);
    const lzb_friction *f = e->friction;
    size_t j = e->window.member[i].contact;
    double slip = 0;
    *slope = 0;
    for (unsigned k = 0; k < f->d; k++) {
        lzb_nodal pull;
        double along = f->direction[j * f->d + k], sum = 0, last = 0;
        lzb_engine_pull(e, lzb_friction_row(e, i, k), &pull);
        for (unsigned l = 0; l < LZB_NODES; l++) {
            sum += table->impulse[l] * pull[l];
            last += lzb_nodes_gauss.end[l] * pull[l];
        }
        double part = f->d > 1 ? LZB_FRICTION_FALL : 0;
        slip += along * ((1 - part) * f->slip[j * f->d + k] + e->trial.length * sum);
        *slope += along * last;
    }
    return slip;
}

bool lzb_friction_is_at_rest(const lzb_engine *e, size_t i)
{
    const lzb_friction *f = e->friction;
    const double *slip = f->slip + e->window.member[i].contact * f->d;
    double square = 0;
    for (unsigned k = 0; k < f->d; k++) {
        square += slip[k] * slip[k];
    }
    return square <= f->band * f->band;
}
