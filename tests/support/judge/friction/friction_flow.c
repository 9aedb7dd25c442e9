/* The motion of friction_judge.c between events, and where the next one is. */
#include <math.h>
#include <string.h>

#include "fehlberg.h"
#include "friction_run.h"

enum { STAGES = FEHLBERG_STAGES, ROWS = FRICTION_ROWS };

/* Relative: of speeds (more than what friction_judge.c takes for 0); of a disc, by which friction
 * may miss it; of the largest disc, what rounding makes of no friction at all.
 */
static const real DEAD = 1e-16L, OUTSIDE = 1e-13L, NOTHING = 1e-16L;

/* ---- Forces ---------------------------------------------------------------------------------- */

static real power(real x, real eta)
{
    return !(x > 0) ? 0 : eta == 1 ? x : eta == 1.5L ? x * sqrtl(x) : powl(x, eta);
}

real run_compress_rate(const friction_run *r, size_t j)
{
    real e = r->of->restitution[j];
    return r->phase[j] == PHASE_OPEN ? 0 : r->phase[j] == PHASE_LOADING ? 1 : 1 / (e * e);
}

static size_t tangent_row(const friction_run *r, size_t j)
{
    return r->s + j * r->dim;
}

static void find_velocities(const friction_run *r, const real *impulse, run_forces *at)
{
    for (size_t i = 0; i < r->rows; i++) {
        at->u[i] = r->u0[i];
        for (size_t k = 0; k < r->rows; k++) {
            at->u[i] += r->d[i * ROWS + k] * impulse[k];
        }
    }
    for (size_t j = 0; j < r->s; j++) {
        const real *u = &at->u[tangent_row(r, j)];
        at->slip[j] = r->dim == 1 ? fabsl(u[0]) : hypotl(u[0], u[1]);
    }
}

real run_noise(const friction_run *r, size_t row)
{
    real sum = 0;
    for (size_t k = 0; k < r->rows; k++) {
        sum += fabsl(r->d[row * ROWS + k] * r->y[r->s + k]);
    }
    return 1e-18L * sum;
}

void run_accelerations(const friction_run *r, const run_forces *at, real *a)
{
    for (size_t i = 0; i < r->rows; i++) {
        a[i] = 0;
        for (size_t k = 0; k < r->rows; k++) {
            a[i] += r->d[i * ROWS + k] * at->force[k];
        }
    }
}

void run_disc_problem(const friction_run *r, const run_forces *at, const bool *takes_part,
                      size_t *index, disc_problem *p)
{
    size_t dim = r->dim;
    *p = (disc_problem){.dim = dim};
    for (size_t j = 0; j < r->s; j++) {
        if (takes_part[j]) {
            p->radius[p->count] = (real)r->of->friction[j] * at->force[j];
            index[p->count++] = j;
        }
    }
    for (size_t i = 0; i < p->count * dim; i++) {
        size_t row = tangent_row(r, index[i / dim]) + i % dim;
        for (size_t k = 0; k < r->rows; k++) {
            bool in = k >= r->s && takes_part[(k - r->s) / dim];
            p->q[i] += in ? 0 : r->d[row * ROWS + k] * at->force[k];
        }
        for (size_t k = 0; k < p->count * dim; k++) {
            p->d[i * DISC_STRIDE + k] = r->d[row * ROWS + tangent_row(r, index[k / dim]) + k % dim];
        }
    }
}

/* Friction of those that stick, from D_SS f = -q. */
static void hold_stuck(const friction_run *r, run_forces *at)
{
    const run_stuck *stuck = &r->stuck;
    real b[FRICTION_TANGENTS];
    for (size_t i = 0; i < stuck->count; i++) {
        b[i] = 0;
        for (size_t k = 0; k < r->rows; k++) { /* of those that stick it is 0 yet */
            b[i] -= r->d[stuck->row[i] * ROWS + k] * at->force[k];
        }
        for (size_t l = 0; l < i; l++) {
            b[i] -= stuck->factor[i * DISC_STRIDE + l] * b[l];
        }
        b[i] /= stuck->factor[i * DISC_STRIDE + i];
    }
    for (size_t i = stuck->count; i-- > 0;) {
        for (size_t l = i + 1; l < stuck->count; l++) {
            b[i] -= stuck->factor[l * DISC_STRIDE + i] * b[l];
        }
        b[i] /= stuck->factor[i * DISC_STRIDE + i];
    }
    for (size_t i = 0; i < stuck->count; i++) {
        at->force[stuck->row[i]] = b[i];
    }
}

/* The same where some start to slip: their direction is part of the problem. */
static void hold_starting(friction_run *r, run_forces *at)
{
    bool takes_part[FRICTION_CONTACTS];
    size_t index[FRICTION_CONTACTS], dim = r->dim;
    disc_problem problem;
    disc_answer answer = {0};
    for (size_t j = 0; j < r->s; j++) {
        takes_part[j] = r->mode[j] == MODE_STICKS || r->mode[j] == MODE_STARTS;
    }
    run_disc_problem(r, at, takes_part, index, &problem);
    for (size_t j = 0; j < problem.count; j++) {
        answer.slips[j] = r->mode[index[j]] == MODE_STARTS;
        answer.l[j] = r->warm.l[index[j]];
        for (size_t k = 0; k < dim; k++) { /* kept in units of the disc */
            answer.f[j * dim + k] = r->warm.f[index[j] * dim + k] * problem.radius[j];
        }
    }
    if (!disc_follow(&problem, &answer)) {
        disc_solve(&problem, &answer);
    }
    for (size_t j = 0; j < problem.count; j++) {
        r->warm.l[index[j]] = answer.l[j];
        for (size_t k = 0; k < dim; k++) {
            real f = answer.f[j * dim + k];
            at->force[tangent_row(r, index[j]) + k] = f;
            r->warm.f[index[j] * dim + k] = problem.radius[j] > 0 ? f / problem.radius[j] : 0;
        }
    }
}

void run_forces_at(friction_run *r, const real *y, run_forces *at)
{
    find_velocities(r, y + r->s, at);
    for (size_t j = 0; j < r->s; j++) {
        at->force[j] = r->phase[j] == PHASE_OPEN
                           ? 0
                           : (real)r->of->stiffness[j] * power(y[j], r->of->exponent[j]);
        real most = (real)r->of->friction[j] * at->force[j];
        size_t row = tangent_row(r, j);
        for (size_t k = 0; k < r->dim; k++) {
            real direction = r->dim == 1        ? r->sigma[j]
                             : at->slip[j] == 0 ? 0
                                                : at->u[row + k] / at->slip[j];
            at->force[row + k] = r->mode[j] == MODE_SLIPS ? -most * direction : 0;
        }
    }
    if (r->starting) {
        hold_starting(r, at);
    } else if (r->stuck.count > 0) {
        hold_stuck(r, at);
    }
}

/* ---- Who is stuck ---------------------------------------------------------------------------- */

/* The row of D_SS reduced by the chosen columns; what is left of its diagonal. */
static real reduce(const friction_run *r, const run_stuck *stuck, size_t row, real *b)
{
    real left = r->d[row * ROWS + row];
    for (size_t i = 0; i < stuck->count; i++) {
        b[i] = r->d[row * ROWS + stuck->row[i]];
        for (size_t l = 0; l < i; l++) {
            b[i] -= stuck->factor[i * DISC_STRIDE + l] * b[l];
        }
        b[i] /= stuck->factor[i * DISC_STRIDE + i];
        left -= b[i] * b[i];
    }
    return left;
}

/* The column depends on those chosen: whose part in it is not 0 has no friction of its own. */
static void note_dependence(friction_run *r, size_t row, const real *half)
{
    real b[FRICTION_TANGENTS];
    memcpy(b, half, sizeof b);
    r->undetermined[(row - r->s) / r->dim] = true;
    for (size_t i = r->stuck.count; i-- > 0;) {
        for (size_t l = i + 1; l < r->stuck.count; l++) {
            b[i] -= r->stuck.factor[l * DISC_STRIDE + i] * b[l];
        }
        b[i] /= r->stuck.factor[i * DISC_STRIDE + i];
        if (fabsl(b[i]) > 1e-9L) {
            r->undetermined[(r->stuck.row[i] - r->s) / r->dim] = true;
        }
    }
}

/* How the others are coupled while these stick: D - D_S' D_SS^-1 D_S. */
static void eliminate_stuck(friction_run *r)
{
    real half[ROWS][FRICTION_TANGENTS];
    for (size_t row = 0; row < r->rows; row++) {
        reduce(r, &r->stuck, row, half[row]);
        for (size_t k = 0; k <= row; k++) {
            real sum = r->d[row * ROWS + k];
            for (size_t i = 0; i < r->stuck.count; i++) {
                sum -= half[row][i] * half[k][i];
            }
            r->reduced[row * ROWS + k] = r->reduced[k * ROWS + row] = sum;
        }
    }
}

void run_find_stuck(friction_run *r)
{
    run_stuck *stuck = &r->stuck;
    *stuck = (run_stuck){0};
    r->starting = false;
    for (size_t row = r->s; row < r->rows; row++) {
        run_mode mode = r->mode[(row - r->s) / r->dim];
        r->starting |= mode == MODE_STARTS;
        if (mode == MODE_STICKS) {
            real b[FRICTION_TANGENTS], left = reduce(r, stuck, row, b);
            if (left > 1e-16L * r->d[row * ROWS + row]) {
                memcpy(&stuck->factor[stuck->count * DISC_STRIDE], b, stuck->count * sizeof *b);
                stuck->factor[stuck->count * (DISC_STRIDE + 1)] = sqrtl(left);
                stuck->row[stuck->count++] = row;
            } else {
                stuck->dependent = true;
                note_dependence(r, row, b);
            }
        }
    }
    eliminate_stuck(r);
}

/* > 0: some cannot stick any more. */
static real sticking_fails(friction_run *r, const run_forces *at)
{
    bool takes_part[FRICTION_CONTACTS];
    real worst = -1, largest = 0;
    for (size_t j = 0; j < r->s; j++) {
        largest = fmaxl(largest, (real)r->of->friction[j] * at->force[j]);
    }
    for (size_t j = 0; j < r->s; j++) {
        takes_part[j] = r->mode[j] == MODE_STICKS;
        if (takes_part[j]) {
            const real *f = &at->force[tangent_row(r, j)];
            real size = r->dim == 1 ? fabsl(f[0]) : hypotl(f[0], f[1]);
            real most = (real)r->of->friction[j] * at->force[j] + NOTHING * largest;
            worst = fmaxl(worst, most > 0 ? size / most - 1 - OUTSIDE : -1);
        }
    }
    if (worst <= 0 || !r->stuck.dependent || r->starting) {
        return worst;
    }
    size_t index[FRICTION_CONTACTS];
    disc_problem problem;
    disc_answer answer;
    run_disc_problem(r, at, takes_part, index, &problem);
    disc_solve(&problem, &answer);
    return answer.most > OUTSIDE ? answer.most : -1;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static void rates(friction_run *r, const real *y, real *rate)
{
    run_forces at;
    run_forces_at(r, y, &at);
    for (size_t j = 0; j < r->s; j++) {
        real c = -at.u[j], power_lost = 0;
        rate[j] = run_compress_rate(r, j) * c;
        rate[r->s + r->rows + j] = r->phase[j] == PHASE_LOADING ? c * at.force[j] : 0;
        for (size_t k = 0; k < r->dim && r->mode[j] != MODE_STICKS; k++) {
            power_lost -= at.force[tangent_row(r, j) + k] * at.u[tangent_row(r, j) + k];
        }
        rate[2 * r->s + r->rows + j] = power_lost;
    }
    memcpy(rate + r->s, at.force, r->rows * sizeof *rate);
}

static real scale_of(const friction_run *r, size_t l)
{
    if (l < r->s) {
        return r->depth[l];
    }
    size_t row = l < r->s + r->rows ? l - r->s : (l - r->s - r->rows) % r->s;
    real diagonal = r->d[row * (ROWS + 1)];
    diagonal =
        row >= r->s ? fmaxl(diagonal, 1e-3L * r->d[(row - r->s) / r->dim * (ROWS + 1)]) : diagonal;
    return r->speed / diagonal * (l < r->s + r->rows ? 1 : r->speed);
}

static real take(friction_run *r, real h, real *y1)
{
    real k[STAGES][RUN_STATE], y[RUN_STATE], worst = 0;
    size_t size = 3 * r->s + r->rows;
    for (size_t i = 0; i < STAGES; i++) {
        for (size_t l = 0; l < size; l++) {
            real sum = 0;
            for (size_t m = 0; m < i; m++) {
                sum += fehlberg_stage[i][m] * k[m][l];
            }
            y[l] = r->y[l] + h * sum;
        }
        rates(r, y, k[i]);
    }
    for (size_t l = 0; l < size; l++) {
        real sum = 0;
        for (size_t i = 0; i < STAGES; i++) {
            sum += fehlberg_weight[i] * k[i][l];
        }
        y1[l] = r->y[l] + h * sum;
        real error = fabsl(fehlberg_error_weight * h * (k[0][l] + k[10][l] - k[11][l] - k[12][l]));
        worst = fmaxl(worst, error / scale_of(r, l));
    }
    return worst;
}

/* > 0: past an event. */
static real past(friction_run *r, const real *y)
{
    run_forces at;
    run_forces_at(r, y, &at);
    real worst = r->stuck.count > 0 || r->stuck.dependent ? sticking_fails(r, &at) : -1;
    for (size_t j = 0; j < r->s; j++) {
        real c = -at.u[j] / r->speed, slip = at.slip[j] / r->speed;
        size_t row = tangent_row(r, j);
        real dead = DEAD + 2 * run_noise(r, j) / r->speed;
        worst = fmaxl(worst, (r->phase[j] == PHASE_LOADING ? -c : c) - dead);
        if (r->phase[j] == PHASE_EXPANDING) {
            worst = fmaxl(worst, -y[j] / r->depth[j]);
        }
        if (r->mode[j] == MODE_SLIPS && r->dim == 1) {
            worst =
                fmaxl(worst, (-r->sigma[j] * at.u[row] - 2 * run_noise(r, row)) / r->speed - DEAD);
        } else if (r->mode[j] == MODE_SLIPS) {
            worst = fmaxl(worst, 1e-16L - slip);
        } else if (r->mode[j] == MODE_STARTS) {
            worst = fmaxl(worst, slip - r->options.start);
            worst = fmaxl(worst, r->warm.l[j] < 0 ? 1 : -1);
        }
    }
    return worst;
}

/* Shorter, until just past the first event: by the Illinois rule, every fourth time by halving. */
static void shorten(friction_run *r, real h, real of_high, real *y1)
{
    real low = 0, high = h, of_low = past(r, r->y), y[RUN_STATE];
    int side = 0;
    for (int i = 0; i < 240 && high - low > 1e-18L * h; i++) {
        real share = i % 4 < 3 && of_low < 0 ? of_low / (of_low - of_high) : 0.5L;
        real middle = low + share * (high - low);
        if (!(middle > low && middle < high)) {
            middle = (low + high) / 2;
        }
        take(r, middle, y);
        real value = past(r, y);
        if (value > 0) {
            high = middle;
            of_high = value;
            of_low *= side > 0 ? 0.5L : 1;
            side = 1;
            memcpy(y1, y, sizeof y);
        } else {
            low = middle;
            of_low = value;
            of_high *= side < 0 ? 0.5L : 1;
            side = -1;
        }
    }
}

real run_step(friction_run *r, real h)
{
    const real tolerance = r->options.tolerance;
    real y1[RUN_STATE];
    disc_answer warm = r->warm;
    real error = take(r, h, y1);
    for (int i = 0; error > tolerance && i < 60; i++) {
        h *= fmaxl(0.2L, 0.8L * powl(tolerance / error, 0.125L));
        r->warm = warm;
        error = take(r, h, y1);
    }
    real value = past(r, y1);
    r->event = value > 0;
    if (r->event) {
        shorten(r, h, value, y1);
    }
    memcpy(r->y, y1, sizeof y1);
    return error > 0 ? h * fminl(3, 0.8L * powl(tolerance / error, 0.125L)) : 3 * h;
}

/* A part of the time in which the stiffest contact swings; near x = 0, where forces are broken
 * powers, of the time in which x changes by a part of itself; in space, of that in which the
 * direction of slip turns.
 */
real run_longest_step(friction_run *r)
{
    run_forces at;
    real a[ROWS], most = 0, length = INFINITY;
    run_forces_at(r, r->y, &at);
    run_accelerations(r, &at, a);
    for (size_t i = 0; i < r->s; i++) {
        real sum = 0;
        for (size_t k = 0; k < r->rows; k++) {
            size_t j = k < r->s ? k : (k - r->s) / r->dim;
            if (r->phase[j] != PHASE_OPEN && r->y[j] > 0) {
                sum += fabsl(r->reduced[i * ROWS + k]) * r->of->exponent[j] * at.force[j] /
                       r->y[j] * run_compress_rate(r, j) * (k < r->s ? 1 : r->of->friction[j]);
            }
        }
        most = fmaxl(most, sum);
    }
    for (size_t j = 0; j < r->s; j++) {
        size_t row = tangent_row(r, j);
        if (r->phase[j] != PHASE_OPEN) {
            real change = fmaxl(0.3L * r->y[j], 1e-8L * r->depth[j]) / run_compress_rate(r, j);
            length = fminl(length, fminl(change / fabsl(at.u[j]), sqrtl(change / fabsl(a[j]))));
        }
        if (r->dim == 2 && r->mode[j] == MODE_SLIPS) {
            real stiff = (real)r->of->friction[j] * at.force[j] *
                         (r->d[row * (ROWS + 1)] + r->d[(row + 1) * (ROWS + 1)]);
            length = fminl(length, 0.3L * at.slip[j] / hypotl(a[row], a[row + 1]));
            length = fminl(length, 3 * at.slip[j] / stiff);
        }
    }
    return fminl(0.1L / sqrtl(most), length);
}
