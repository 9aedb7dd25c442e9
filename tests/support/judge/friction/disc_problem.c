/* See disc_problem.h. */
#include "disc_problem.h"

#include <math.h>
#include <string.h>

typedef long double real;

enum { STRIDE = DISC_STRIDE, MOST = FRICTION_CONTACTS, SIZE = DISC_STRIDE + FRICTION_CONTACTS };

/* ---- Linear equations ---------------------------------------------------------------------- */

/* Elimination with full pivoting; what depends on the rest stays where it is. */
static void solve_any(size_t size, real a[SIZE][SIZE], real *b)
{
    size_t column[SIZE], rank = size;
    real first = 0, x[SIZE] = {0};
    for (size_t i = 0; i < size; i++) {
        column[i] = i;
    }
    for (size_t i = 0; i < size; i++) {
        size_t row = i, best = i;
        for (size_t k = i; k < size; k++) {
            for (size_t l = i; l < size; l++) {
                if (fabsl(a[k][column[l]]) > fabsl(a[row][column[best]])) {
                    row = k;
                    best = l;
                }
            }
        }
        real pivot = a[row][column[best]];
        first = i == 0 ? fabsl(pivot) : first;
        if (!(fabsl(pivot) > 1e-15L * first)) {
            rank = i;
            break;
        }
        for (size_t k = 0; k < size; k++) {
            real kept = a[i][k];
            a[i][k] = a[row][k];
            a[row][k] = kept;
        }
        real kept = b[i];
        b[i] = b[row];
        b[row] = kept;
        size_t swapped = column[i];
        column[i] = column[best];
        column[best] = swapped;
        for (size_t k = i + 1; k < size; k++) {
            real factor = a[k][column[i]] / pivot;
            for (size_t l = i; l < size; l++) {
                a[k][column[l]] -= factor * a[i][column[l]];
            }
            b[k] -= factor * b[i];
        }
    }
    for (size_t i = rank; i-- > 0;) {
        real sum = b[i];
        for (size_t l = i + 1; l < rank; l++) {
            sum -= a[i][column[l]] * x[column[l]];
        }
        x[column[i]] = sum / a[i][column[i]];
    }
    memcpy(b, x, sizeof x);
}

/* ---- Interior point, in units where every disc has radius 1 -----------------------------------
 */

typedef struct interior {
    size_t count, dim, size, index[MOST];
    real d[STRIDE * STRIDE], q[STRIDE], weight[MOST]; /* of a_j */
    real g[STRIDE], s[MOST], l[MOST];
    real target; /* of s_j l_j / weight_j */
} interior;

static void set_up(const disc_problem *p, interior *in)
{
    size_t dim = p->dim;
    *in = (interior){.dim = dim, .target = 0.1L};
    for (size_t j = 0; j < p->count; j++) {
        if (p->radius[j] > 0) {
            in->index[in->count++] = j;
        }
    }
    in->size = in->count * dim;
    for (size_t i = 0; i < in->size; i++) {
        size_t j = in->index[i / dim], row = j * dim + i % dim;
        real sum = fabsl(p->q[row]);
        in->q[i] = p->radius[j] * p->q[row];
        for (size_t k = 0; k < in->size; k++) {
            size_t other = in->index[k / dim];
            real part = p->d[row * STRIDE + other * dim + k % dim] * p->radius[other];
            in->d[i * STRIDE + k] = p->radius[j] * part;
            sum += fabsl(part);
        }
        in->weight[i / dim] += p->radius[j] * sum;
    }
    for (size_t j = 0; j < in->count; j++) {
        in->weight[j] = in->weight[j] > 0 ? in->weight[j] : 1;
        in->s[j] = 0.5L;
        in->l[j] = in->weight[j];
    }
}

static real square(const interior *in, size_t j)
{
    real sum = 0;
    for (size_t k = j * in->dim; k < (j + 1) * in->dim; k++) {
        sum += in->g[k] * in->g[k];
    }
    return sum;
}

static real acceleration(const interior *in, size_t i)
{
    real sum = in->q[i];
    for (size_t k = 0; k < in->size; k++) {
        sum += in->d[i * STRIDE + k] * in->g[k];
    }
    return sum;
}

/* The equations of Newton's step on D g + q + l g = 0, (|g|^2 - 1)/2 + s = 0, s l = target, rows
 * divided by their weights. Of a contact well within its disc the change of l is eliminated, of
 * others it is an unknown of its own: so no term is large.
 */
static void step_equations(const interior *in, const real *rp, const real *rc, real a[SIZE][SIZE],
                           real *b)
{
    for (size_t j = 0; j < in->count; j++) {
        real w = in->weight[j], l = in->l[j], s = in->s[j];
        bool within = l / w < s;
        for (size_t i = j * in->dim; i < (j + 1) * in->dim; i++) {
            for (size_t k = 0; k < in->size; k++) {
                a[i][k] = in->d[i * STRIDE + k] / w;
            }
            a[i][i] += l / w;
            b[i] = -(acceleration(in, i) + l * in->g[i]) / w;
            if (!within) {
                a[i][in->size + j] = a[in->size + j][i] = in->g[i];
                continue;
            }
            b[i] -= (l * rp[j] - rc[j]) / (s * w) * in->g[i];
            for (size_t k = j * in->dim; k < (j + 1) * in->dim; k++) {
                a[i][k] += l / (s * w) * in->g[i] * in->g[k];
            }
        }
        a[in->size + j][in->size + j] = within ? 1 : -s * w / l;
        b[in->size + j] = within ? 0 : rc[j] / l - rp[j];
    }
}

/* How much of the step is taken. */
static real advance(interior *in)
{
    real a[SIZE][SIZE] = {{0}}, b[SIZE], ds[MOST], dl[MOST], rp[MOST], rc[MOST], share = 1;
    for (size_t j = 0; j < in->count; j++) {
        rp[j] = (square(in, j) - 1) / 2 + in->s[j];
        rc[j] = in->s[j] * in->l[j] - in->target * in->weight[j];
    }
    step_equations(in, rp, rc, a, b);
    solve_any(in->size + in->count, a, b);
    for (size_t j = 0; j < in->count; j++) {
        ds[j] = -rp[j];
        for (size_t k = j * in->dim; k < (j + 1) * in->dim; k++) {
            ds[j] -= in->g[k] * b[k];
        }
        bool within = in->l[j] / in->weight[j] < in->s[j];
        dl[j] = within ? (-rc[j] - in->l[j] * ds[j]) / in->s[j] : in->weight[j] * b[in->size + j];
        ds[j] = within ? ds[j] : (-rc[j] - in->s[j] * dl[j]) / in->l[j];
        share = ds[j] < 0 ? fminl(share, -0.99L * in->s[j] / ds[j]) : share;
        share = dl[j] < 0 ? fminl(share, -0.99L * in->l[j] / dl[j]) : share;
    }
    for (size_t i = 0; i < in->size; i++) {
        in->g[i] += share * b[i];
    }
    for (size_t j = 0; j < in->count; j++) {
        in->s[j] += share * ds[j];
        in->l[j] += share * dl[j];
    }
    return share;
}

static real gap(const interior *in)
{
    real most = 0;
    for (size_t j = 0; j < in->count; j++) {
        most = fmaxl(most, in->s[j] * in->l[j] / in->weight[j]);
    }
    return most;
}

static void accelerations(const disc_problem *p, disc_answer *answer)
{
    for (size_t i = 0; i < p->count * p->dim; i++) {
        answer->a[i] = p->q[i];
        for (size_t k = 0; k < p->count * p->dim; k++) {
            answer->a[i] += p->d[i * STRIDE + k] * answer->f[k];
        }
    }
}

/* Those without a force of their own slip if they are accelerated at all. */
static void judge_unloaded(const disc_problem *p, disc_answer *answer)
{
    for (size_t i = 0; i < p->count * p->dim; i++) {
        size_t j = i / p->dim;
        real scale = fabsl(p->q[i]);
        for (size_t k = 0; k < p->count * p->dim; k++) {
            scale += fabsl(p->d[i * STRIDE + k]) * p->radius[k / p->dim];
        }
        if (!(p->radius[j] > 0)) {
            answer->slips[j] |= fabsl(answer->a[i]) > 1e-15L * scale;
        }
        if (scale > 0 && answer->slips[j]) {
            answer->most = fmaxl(answer->most, fabsl(answer->a[i]) / scale);
        }
    }
}

void disc_solve(const disc_problem *p, disc_answer *answer)
{
    interior in;
    set_up(p, &in);
    *answer = (disc_answer){0};
    for (int round = 0; in.count > 0 && round < 200 && gap(&in) > 1e-36L; round++) {
        real share = advance(&in);
        in.target = fmaxl(1e-37L, gap(&in) * (share > 0.9L ? 0.05L : share > 0.3L ? 0.3L : 0.8L));
    }
    for (size_t j = 0; j < in.count; j++) {
        size_t of = in.index[j];
        answer->slips[of] = in.l[j] / in.weight[j] > in.s[j];
        answer->l[of] = answer->slips[of] ? in.l[j] / (p->radius[of] * p->radius[of]) : 0;
        for (size_t k = 0; k < p->dim; k++) {
            answer->f[of * p->dim + k] = p->radius[of] * in.g[j * p->dim + k];
        }
    }
    accelerations(p, answer);
    judge_unloaded(p, answer);
}

/* ---- Following it ---------------------------------------------------------------------------- */

/* In units of the radii, rows divided by what their terms can amount to. */
static void newton_system(const disc_problem *p, const disc_answer *now, real a[SIZE][SIZE],
                          real *b)
{
    size_t dim = p->dim, size = p->count * dim;
    for (size_t j = 0; j < p->count; j++) {
        real weight = 0, r = p->radius[j];
        for (size_t i = j * dim; i < (j + 1) * dim; i++) {
            weight = fmaxl(weight, fabsl(p->q[i]));
            for (size_t k = 0; k < size; k++) {
                a[i][k] = p->d[i * STRIDE + k] * p->radius[k / dim];
                weight = fmaxl(weight, fabsl(a[i][k]));
            }
        }
        for (size_t i = j * dim; i < (j + 1) * dim; i++) {
            for (size_t k = 0; k < size; k++) {
                a[i][k] /= weight > 0 ? weight : 1;
            }
            a[i][i] = r > 0 ? a[i][i] + now->l[j] * r / weight : 1;
            b[i] = r > 0 ? -(now->a[i] + now->l[j] * now->f[i]) / weight : 0;
            if (now->slips[j] && r > 0) { /* the multiplier in units of weight / r */
                a[i][size + j] = a[size + j][i] = now->f[i] / r;
                b[size + j] -= now->f[i] * now->f[i] / (2 * r * r);
            }
        }
        b[size + j] += now->slips[j] && r > 0 ? 0.5L : 0;
        a[size + j][size + j] = now->slips[j] && r > 0 ? 0 : 1;
        b[size + p->count + j] = r > 0 ? weight / r : 0;
    }
}

bool disc_follow(const disc_problem *p, disc_answer *answer)
{
    size_t dim = p->dim, size = p->count * dim;
    real change = 1;
    for (int round = 0; round < 30 && change > 1e-17L; round++) {
        real a[SIZE][SIZE] = {{0}}, b[SIZE + MOST] = {0}, unit[MOST];
        accelerations(p, answer);
        newton_system(p, answer, a, b);
        memcpy(unit, b + size + p->count, sizeof unit);
        solve_any(size + p->count, a, b);
        change = 0;
        for (size_t i = 0; i < size; i++) {
            answer->f[i] += b[i] * p->radius[i / dim];
            change = fmaxl(change, fabsl(b[i]));
        }
        for (size_t j = 0; j < p->count; j++) {
            answer->l[j] += b[size + j] * unit[j];
        }
    }
    accelerations(p, answer);
    return change < 1e-12L;
}
