/* Every contact is open or pressed, and sticks or slips one way or the other: each combination is a
 * linear system. One that is singular and consistent has many solutions, among which one with
 * impulses in the cones is approached by turns on the bounds and on the solutions.
 */
#include "coulomb/plane.h"

#include <math.h>
#include <string.h>

enum { ROWS = CRM_PLANE_ROWS, ROUNDS = 500 };
/* Pivots, beside the largest entry, that are rounding; what is left of an equation, or of an
 * inequality, beside speeds and impulses; speeds of which two are different answers.
 */
static const double SINGULAR = 1e-11, ROUNDED = 1e-10, DIFFERENT = 1e-7;

typedef struct mode {
    bool pressed;
    int slip; /* the direction of friction; 0: it sticks, or has no load. 1 where mu is 0 */
} mode;

typedef struct combination {
    const crm_plane *plane;
    mode mode[CRM_PLANE_CONTACTS];
    size_t unknowns, row[ROWS]; /* the rows of D in which u is 0, each with an impulse of its own */
    double a[ROWS][ROWS + 1];   /* with the right-hand side */
    size_t column[ROWS], rank;
    double x[ROWS], null[ROWS][ROWS]; /* a solution, and what may be added to it */
    double r[ROWS], u[ROWS], speed, impulse;
} combination;

/* ---- The linear system ----------------------------------------------------------------------- */

/* r of given unknowns; with `alone` only what is proportional to them. */
static void impulses_of(const combination *c, const double *x, bool alone, double *r)
{
    const crm_plane *plane = c->plane;
    memset(r, 0, ROWS * sizeof *r);
    for (size_t k = 0; k < c->unknowns; k++) {
        r[c->row[k]] = x[k];
    }
    for (size_t j = 0; j < plane->contacts; j++) {
        r[2 * j] += alone ? 0 : plane->pressed[j];
        if (c->mode[j].slip != 0) {
            r[2 * j + 1] = c->mode[j].slip * plane->mu[j] * r[2 * j];
        }
    }
}

static double velocity_of(const crm_plane *plane, size_t row, const double *r)
{
    double sum = 0;
    for (size_t k = 0; k < 2 * plane->contacts; k++) {
        sum += plane->d[row][k] * r[k];
    }
    return sum;
}

static void assemble(combination *c)
{
    double x[ROWS] = {0}, r[ROWS];
    c->unknowns = 0;
    for (size_t j = 0; j < c->plane->contacts; j++) {
        if (c->mode[j].pressed) {
            c->row[c->unknowns++] = 2 * j;
        }
        if (c->mode[j].slip == 0 && (c->mode[j].pressed || c->plane->pressed[j] > 0)) {
            c->row[c->unknowns++] = 2 * j + 1;
        }
    }
    impulses_of(c, x, false, r);
    for (size_t i = 0; i < c->unknowns; i++) {
        c->a[i][c->unknowns] = -c->plane->q[c->row[i]] - velocity_of(c->plane, c->row[i], r);
        c->column[i] = i;
    }
    for (size_t k = 0; k < c->unknowns; k++) {
        x[k] = 1;
        impulses_of(c, x, true, r);
        x[k] = 0;
        for (size_t i = 0; i < c->unknowns; i++) {
            c->a[i][k] = velocity_of(c->plane, c->row[i], r);
        }
    }
}

static double find_pivot(const combination *c, size_t from, size_t *row, size_t *column)
{
    double largest = 0;
    *row = *column = from;
    for (size_t i = from; i < c->unknowns; i++) {
        for (size_t k = from; k < c->unknowns; k++) {
            double size = fabs(c->a[i][c->column[k]]);
            if (size > largest) {
                largest = size;
                *row = i;
                *column = k;
            }
        }
    }
    return largest;
}

static void exchange(combination *c, size_t step, size_t row, size_t column)
{
    double kept[ROWS + 1];
    size_t first = c->column[step];
    memcpy(kept, c->a[step], sizeof kept);
    memcpy(c->a[step], c->a[row], sizeof kept);
    memcpy(c->a[row], kept, sizeof kept);
    c->column[step] = c->column[column];
    c->column[column] = first;
}

/* Gauss and Jordan with full pivoting. False: inconsistent. */
static bool eliminate(combination *c)
{
    size_t n = c->unknowns, row, column;
    double largest = 0;
    c->rank = 0;
    for (size_t step = 0; step < n; step++) {
        double pivot = find_pivot(c, step, &row, &column);
        largest = fmax(largest, pivot);
        if (!(pivot > SINGULAR * largest)) {
            break;
        }
        exchange(c, step, row, column);
        double value = c->a[step][c->column[step]];
        for (size_t k = 0; k <= n; k++) {
            c->a[step][k] /= value;
        }
        for (size_t i = 0; i < n; i++) {
            double part = i == step ? 0 : c->a[i][c->column[step]];
            for (size_t k = 0; k <= n && part != 0; k++) {
                c->a[i][k] -= part * c->a[step][k];
            }
        }
        c->rank++;
    }
    for (size_t i = c->rank; i < n; i++) {
        if (fabs(c->a[i][n]) > ROUNDED * c->speed) {
            return false;
        }
    }
    memset(c->x, 0, sizeof c->x);
    memset(c->null, 0, sizeof c->null);
    for (size_t i = 0; i < c->rank; i++) {
        c->x[c->column[i]] = c->a[i][n];
        for (size_t f = c->rank; f < n; f++) {
            c->null[f - c->rank][c->column[i]] = -c->a[i][c->column[f]];
        }
    }
    for (size_t f = c->rank; f < n; f++) {
        c->null[f - c->rank][c->column[f]] = 1;
    }
    return true;
}

/* ---- The inequalities ------------------------------------------------------------------------ */

/* The nearest unknowns within the cones, contact by contact and roughly: turns converge anyway. */
static double clamp(const combination *c, double *x)
{
    double off = 0, r[ROWS];
    impulses_of(c, x, false, r);
    for (size_t k = 0; k < c->unknowns; k++) {
        size_t j = c->row[k] / 2;
        double low = 0, high = INFINITY, before = x[k];
        if (c->row[k] % 2 == 1) {
            high = c->plane->mu[j] * fmax(r[2 * j], 0);
            low = -high;
        }
        x[k] = fmin(fmax(x[k], low), high);
        off = fmax(off, fabs(x[k] - before));
    }
    return off;
}

/* x goes back to the solutions: x = c->x + null y, y by least squares, one direction at a time. */
static void return_to_solutions(const combination *c, double *x)
{
    size_t n = c->unknowns, free = n - c->rank;
    double y[ROWS] = {0}, left[ROWS];
    for (size_t k = 0; k < n; k++) {
        left[k] = x[k] - c->x[k];
    }
    for (int sweep = 0; sweep < 50 && free > 0; sweep++) {
        for (size_t f = 0; f < free; f++) {
            double dot = 0, square = 0;
            for (size_t k = 0; k < n; k++) {
                dot += c->null[f][k] * left[k];
                square += c->null[f][k] * c->null[f][k];
            }
            y[f] += dot / square;
            for (size_t k = 0; k < n; k++) {
                left[k] -= dot / square * c->null[f][k];
            }
        }
    }
    for (size_t k = 0; k < n; k++) {
        x[k] -= left[k];
    }
}

static bool fits_cones(combination *c)
{
    for (int round = 0; round < (c->rank < c->unknowns ? ROUNDS : 1); round++) {
        double x[ROWS];
        memcpy(x, c->x, sizeof x);
        double size = 0;
        for (size_t k = 0; k < c->unknowns; k++) {
            size = fmax(size, fabs(x[k]));
        }
        if (clamp(c, x) <= ROUNDED * fmax(size, c->impulse)) {
            return true;
        }
        return_to_solutions(c, x);
        memcpy(c->x, x, sizeof x);
    }
    return false;
}

static bool fits_velocities(combination *c)
{
    impulses_of(c, c->x, false, c->r);
    for (size_t i = 0; i < 2 * c->plane->contacts; i++) {
        c->u[i] = c->plane->q[i] + velocity_of(c->plane, i, c->r);
    }
    for (size_t j = 0; j < c->plane->contacts; j++) {
        double along = c->plane->mu[j] > 0 ? c->mode[j].slip * c->u[2 * j + 1] : 0;
        if (c->u[2 * j] < -ROUNDED * c->speed || along > ROUNDED * c->speed) {
            return false;
        }
    }
    return true;
}

/* ---- All of them ----------------------------------------------------------------------------- */

static void add_answer(const combination *c, crm_plane_answers *answers)
{
    size_t rows = 2 * c->plane->contacts;
    for (size_t k = 0; k < c->unknowns - c->rank; k++) {
        for (size_t i = 0; i < c->unknowns; i++) {
            answers->normals_differ |= c->row[i] % 2 == 0 && fabs(c->null[k][i]) > DIFFERENT;
        }
    }
    for (size_t k = 0; k < answers->count; k++) {
        double apart = 0;
        for (size_t i = 0; i < rows; i++) {
            apart = fmax(apart, fabs(answers->u[k][i] - c->u[i]));
        }
        if (apart <= DIFFERENT * c->speed) {
            return;
        }
    }
    if (answers->count == CRM_PLANE_ANSWERS) {
        answers->complete = false;
        return;
    }
    memcpy(answers->r[answers->count], c->r, sizeof c->r);
    memcpy(answers->u[answers->count++], c->u, sizeof c->u);
}

static void try_combination(combination *c, crm_plane_answers *answers)
{
    assemble(c);
    if (!eliminate(c)) {
        return;
    }
    if (!fits_cones(c)) {
        answers->complete &= c->rank == c->unknowns;
    } else if (fits_velocities(c)) {
        add_answer(c, answers);
    }
}

/* The modes of contact j and of those after it. */
static void try_all(combination *c, size_t j, crm_plane_answers *answers)
{
    if (j == c->plane->contacts) {
        try_combination(c, answers);
        return;
    }
    bool rough = c->plane->mu[j] > 0;
    for (int k = 0; k < 6; k++) {
        bool rubs = rough && (k >= 3 || c->plane->pressed[j] > 0);
        c->mode[j] = (mode){.pressed = k >= 3, .slip = rough ? k % 3 - 1 : 1};
        if (rubs || k % 3 == 1) {
            try_all(c, j + 1, answers);
        }
    }
}

void crm_plane_find(const crm_plane *plane, crm_plane_answers *answers)
{
    combination c = {.plane = plane};
    answers->count = 0;
    answers->complete = true;
    answers->normals_differ = false;
    for (size_t i = 0; i < 2 * plane->contacts; i++) {
        c.speed = fmax(c.speed, fabs(plane->q[i]));
    }
    for (size_t j = 0; j < plane->contacts; j++) {
        c.impulse = fmax(c.impulse, plane->pressed[j]);
    }
    try_all(&c, 0, answers);
}
