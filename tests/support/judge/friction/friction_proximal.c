/* See friction_proximal.h. */
#include "friction_proximal.h"

#include <math.h>
#include <string.h>

enum { ROWS = FRICTION_ROWS, MOST_SWEEPS = 10000 };

/* Relative: of a friction impulse, when sweeps end; of speeds, when the impact does. */
static const double SETTLED = 1e-13, END = 1e-9;

typedef struct stepping {
    const friction_case *of;
    size_t s, dim, rows;
    double d[ROWS][ROWS], bound[FRICTION_CONTACTS]; /* of the largest eigenvalue of D_tt,jj */
    double u[ROWS], x[FRICTION_CONTACTS], kick[ROWS], speed, h;
    double total[ROWS], work[FRICTION_CONTACTS], lost[FRICTION_CONTACTS];
    unsigned long unsettled;
} stepping;

static bool set_up(stepping *p, const friction_case *c, unsigned fineness)
{
    long double d[ROWS * ROWS], u[ROWS];
    *p = (stepping){.of = c, .s = c->s, .dim = c->dim, .rows = c->s * (1 + c->dim), .h = INFINITY};
    if (!friction_delassus(c, d, NULL)) {
        return false;
    }
    friction_slip(c, c->velocity, u);
    p->speed = friction_speed(c);
    for (size_t i = 0; i < p->rows; i++) {
        p->u[i] = (double)u[i];
        for (size_t k = 0; k < p->rows; k++) {
            p->d[i][k] = (double)d[i * ROWS + k];
        }
    }
    for (size_t j = 0; j < p->s; j++) {
        double eta = c->exponent[j], energy = p->speed * p->speed / (2 * p->d[j][j]);
        double depth = pow(energy * (eta + 1) / c->stiffness[j], 1 / (eta + 1));
        p->h = fmin(p->h, depth / p->speed / fineness);
        for (size_t k = 0; k < p->dim; k++) {
            size_t row = p->s + j * p->dim + k;
            p->bound[j] += p->d[row][row];
        }
    }
    return true;
}

static void drift(stepping *p, double h)
{
    for (size_t j = 0; j < p->s; j++) {
        double c = -p->u[j], e = p->of->restitution[j];
        double x = c >= 0 ? p->x[j] + h * c : e > 0 ? p->x[j] + h * c / (e * e) : 0;
        p->x[j] = x > 0 ? x : 0;
    }
}

static void push(stepping *p, size_t row, double impulse)
{
    for (size_t i = 0; i < p->rows; i++) {
        p->u[i] += p->d[i][row] * impulse;
    }
    p->kick[row] += impulse;
}

/* One disc after another, each by a step of the projected gradient: how far the impulse moved. */
static double sweep(stepping *p)
{
    double moved = 0;
    for (size_t j = 0; j < p->s; j++) {
        double most = p->of->friction[j] * p->kick[j], r[2] = {0, 0}, size;
        size_t row = p->s + j * p->dim;
        if (!(most > 0) || !(p->bound[j] > 0)) {
            continue;
        }
        for (size_t k = 0; k < p->dim; k++) {
            r[k] = p->kick[row + k] - p->u[row + k] / p->bound[j];
        }
        size = hypot(r[0], r[1]);
        for (size_t k = 0; k < p->dim; k++) {
            double to = size > most ? r[k] * most / size : r[k];
            moved = fmax(moved, fabs(to - p->kick[row + k]) / most);
            push(p, row + k, to - p->kick[row + k]);
        }
    }
    return moved;
}

static void kick(stepping *p)
{
    double before[ROWS], guess[ROWS];
    memcpy(before, p->u, sizeof before);
    for (size_t j = 0; j < p->s; j++) { /* begin with the last step's share of each disc */
        double force = p->x[j] > 0 ? p->of->stiffness[j] * pow(p->x[j], p->of->exponent[j]) : 0;
        double share = p->kick[j] > 0 ? p->h * force / p->kick[j] : 0;
        guess[j] = p->h * force;
        for (size_t k = 0; k < p->dim; k++) {
            size_t row = p->s + j * p->dim + k;
            guess[row] = share * p->kick[row];
        }
    }
    memset(p->kick, 0, sizeof p->kick);
    for (size_t row = 0; row < p->rows; row++) {
        if (guess[row] != 0) {
            push(p, row, guess[row]);
        }
    }
    int sweeps = 0;
    while (sweeps < MOST_SWEEPS && sweep(p) > SETTLED) {
        sweeps++;
    }
    p->unsettled += sweeps == MOST_SWEEPS;
    for (size_t j = 0; j < p->s; j++) {
        p->work[j] += fmax(0, -p->kick[j] * (before[j] + p->u[j]) / 2);
        for (size_t row = p->s + j * p->dim; row < p->s + (j + 1) * p->dim; row++) {
            p->lost[j] -= p->kick[row] * (before[row] + p->u[row]) / 2;
        }
    }
    for (size_t row = 0; row < p->rows; row++) {
        p->total[row] += p->kick[row];
    }
}

static bool ended(const stepping *p)
{
    for (size_t j = 0; j < p->s; j++) {
        double eta = p->of->exponent[j], x = p->x[j];
        double energy = x > 0 ? p->of->stiffness[j] * pow(x, eta + 1) / (eta + 1) : 0;
        if (sqrt(2 * energy * p->d[j][j]) > END * p->speed || -p->u[j] > END * p->speed) {
            return false;
        }
    }
    return true;
}

bool friction_proximal(const friction_case *c, unsigned fineness, unsigned long limit,
                       proximal_answer *answer)
{
    stepping p;
    long double to_velocity[ROWS * FRICTION_COORDINATES];
    *answer = (proximal_answer){0};
    if (!set_up(&p, c, fineness) || !friction_delassus(c, NULL, to_velocity)) {
        return false;
    }
    for (; answer->steps < limit && !answer->ended; answer->steps++) {
        drift(&p, p.h / 2);
        kick(&p);
        drift(&p, p.h / 2);
        answer->ended = ended(&p);
    }
    for (size_t i = 0; i < c->n; i++) {
        long double v = c->velocity[i];
        for (size_t row = 0; row < p.rows; row++) {
            v += to_velocity[row * FRICTION_COORDINATES + i] * p.total[row];
        }
        answer->velocity[i] = (double)v;
    }
    for (size_t j = 0; j < p.s; j++) {
        answer->impulse[j] = p.total[j];
        answer->loss_normal[j] = (1 - c->restitution[j] * c->restitution[j]) * p.work[j];
        answer->loss_tangential[j] = p.lost[j];
    }
    answer->unsettled = p.unsettled;
    memcpy(answer->tangential, p.total + p.s, p.s * p.dim * sizeof *p.total);
    return true;
}
