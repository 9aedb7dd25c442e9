/* The judge: see judge.h.
 *
 * State: indentation x_j, impulse p_j and work q_j done on contact j. The closing speeds follow
 * from the impulses, c = c0 - D p. While no contact changes phase the equations
 *     p' = lambda = K x^eta,   q' = c lambda,   x' = c | c/e^2 | 0   (compressed|expanding|open)
 * are smooth, so a high-order one-step method sees no kink except x^eta at x = 0, where the error
 * control grades the steps.
 */
#include "judge.h"

#include <math.h>
#include <string.h>

#include "dense.h"
#include "fehlberg.h"

typedef long double real;

enum { STAGES = FEHLBERG_STAGES, STATE = 3 * SMALL };

static const real standard_tolerance = 1e-15L;
/* Closing speeds this near to 0 (relative) are 0 and their rate of change decides: some hundred
 * roundings of a long double. */
static const real dead_band = 3e-17L;
/* The tail is closed when no gap velocity can change by more than this (relative) any more. */
static const real tail_tolerance = 1e-10L;
static const unsigned long most_steps = 8000;
static const unsigned long tail_check_interval = 32;

typedef enum phase { OPEN, COMPRESSED, EXPANDING } phase;

typedef struct run {
    size_t n, s;
    bool mono;
    real delassus[SMALL * SMALL], impulse_to_velocity[SMALL * SMALL]; /* D; M^-1 W, n rows */
    real start_closing[SMALL];
    real stiffness[SMALL], exponent[SMALL], restitution[SMALL];
    real closing_scale, indentation_scale[SMALL];
    phase phases[SMALL];
    real end_of_compression[SMALL]; /* x where the latest compression ended */
    real open_at[SMALL];            /* x at which the expansion ends */
    real y[STATE];                  /* x, p, q */
    real margin;
    real peak[SMALL];
    unsigned compressions[SMALL];
} run;

/* ---- The differential equations -------------------------------------------------------------- */

static bool smooth_at_zero(real eta)
{
    return eta == 1.0L || eta == 2.0L || eta == 3.0L;
}

static real force(const run *r, size_t j, real x)
{
    if (r->phases[j] == OPEN) {
        return 0.0L;
    }
    real eta = r->exponent[j];
    if (smooth_at_zero(eta)) { /* continued below 0, so that a step past the opening is smooth */
        return r->stiffness[j] * (eta == 1.0L ? x : eta == 2.0L ? x * x : x * x * x);
    }
    if (x <= 0.0L) {
        return 0.0L;
    }
    return r->stiffness[j] * (eta == 1.5L ? x * sqrtl(x) : powl(x, eta));
}

static void closing_speeds(const run *r, const real *y, real *c)
{
    const real *p = y + r->s;
    for (size_t j = 0; j < r->s; j++) {
        c[j] = r->start_closing[j];
        for (size_t k = 0; k < r->s; k++) {
            c[j] -= r->delassus[j * SMALL + k] * p[k];
        }
    }
}

static void rates(const run *r, const real *y, real *rate)
{
    real c[SMALL];
    closing_speeds(r, y, c);
    for (size_t j = 0; j < r->s; j++) {
        real lambda = force(r, j, y[j]);
        real expansion = r->mono ? 1.0L : 1.0L / (r->restitution[j] * r->restitution[j]);
        rate[j] = r->phases[j] == OPEN         ? 0.0L
                  : r->phases[j] == COMPRESSED ? c[j]
                                               : c[j] * expansion;
        rate[r->s + j] = lambda;
        rate[2 * r->s + j] = c[j] * lambda;
    }
}

/* c' = -D lambda */
static void closing_rates(const run *r, const real *y, real *rate)
{
    real lambda[SMALL];
    for (size_t j = 0; j < r->s; j++) {
        lambda[j] = force(r, j, y[j]);
    }
    for (size_t j = 0; j < r->s; j++) {
        rate[j] = 0.0L;
        for (size_t k = 0; k < r->s; k++) {
            rate[j] -= r->delassus[j * SMALL + k] * lambda[k];
        }
    }
}

/* ---- One step ------------------------------------------------------------------------------- */

/* y1 by the eighth-order formula; returns the error estimate relative to the scales. */
static real take_step(const run *r, real h, real *y1)
{
    real k[STAGES][STATE], y[STATE];
    size_t size = 3 * r->s;
    for (size_t i = 0; i < STAGES; i++) {
        for (size_t l = 0; l < size; l++) {
            real sum = 0.0L;
            for (size_t m = 0; m < i; m++) {
                sum += fehlberg_stage[i][m] * k[m][l];
            }
            y[l] = r->y[l] + h * sum;
        }
        rates(r, y, k[i]);
    }
    real error[STATE];
    for (size_t l = 0; l < size; l++) {
        real sum = 0.0L;
        for (size_t i = 0; i < STAGES; i++) {
            sum += fehlberg_weight[i] * k[i][l];
        }
        y1[l] = r->y[l] + h * sum;
        error[l] = fehlberg_error_weight * h * (k[0][l] + k[10][l] - k[11][l] - k[12][l]);
    }
    real worst = 0.0L;
    for (size_t j = 0; j < r->s; j++) {
        real of_speed = 0.0L;
        for (size_t l = 0; l < r->s; l++) {
            of_speed += r->delassus[j * SMALL + l] * error[r->s + l];
        }
        worst = fmaxl(worst, fabsl(of_speed) / r->closing_scale);
        worst = fmaxl(worst, fabsl(error[j]) / r->indentation_scale[j]);
    }
    return worst;
}

/* x^eta is smooth on a step that changes x by less than a part of x; below a floor where the
 * contact's energy is beneath rounding, by less than the floor.
 */
static real longest_step(const run *r)
{
    const real part = 0.4L;
    real c[SMALL], rate[SMALL], longest = INFINITY;
    closing_speeds(r, r->y, c);
    closing_rates(r, r->y, rate);
    for (size_t j = 0; j < r->s; j++) {
        if (r->phases[j] == OPEN || smooth_at_zero(r->exponent[j])) {
            continue;
        }
        real e = r->restitution[j];
        real factor = r->phases[j] == EXPANDING && !r->mono ? 1.0L / (e * e) : 1.0L;
        real floor = r->indentation_scale[j] * powl(1e-17L, 1.0L / (r->exponent[j] + 1.0L));
        real change = fmaxl(part * r->y[j], floor) / factor;
        longest = fminl(longest, change / fabsl(c[j]));
        longest = fminl(longest, sqrtl(change / fabsl(rate[j])));
    }
    return longest;
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* How far the state y is past an event of the present phases, in relative terms; <= 0: before.
 * A closing speed counts when it has left the dead band.
 */
static real beyond_event(const run *r, const real *y)
{
    real c[SMALL];
    closing_speeds(r, y, c);
    real worst = -INFINITY;
    for (size_t j = 0; j < r->s; j++) {
        real speed = c[j] / r->closing_scale;
        worst = fmaxl(worst, (r->phases[j] == COMPRESSED ? -speed : speed) - dead_band);
        if (r->phases[j] == EXPANDING) {
            worst = fmaxl(worst, (r->open_at[j] - y[j]) / r->indentation_scale[j]);
        }
    }
    return worst;
}

/* Between steps of length `low` (no event yet) and `high` (past one): the shortest step past it,
 * by regula falsi with bisection in turn. y1 is the state there.
 */
static real locate_event(const run *r, real high, real *y1)
{
    real low = 0.0L, before = fminl(beyond_event(r, r->y), 0.0L), past = beyond_event(r, y1);
    real y[STATE];
    for (int i = 0; i < 200 && past > 1e-18L && high - low > 1e-19L * high; i++) {
        real share = i % 3 == 2 || before == past ? 0.5L : -before / (past - before);
        share = fminl(fmaxl(share, 1e-6L), 1.0L - 1e-6L);
        if (i % 3 == 1) { /* land just past the root, so that both ends close in */
            share = fminl(share * (1.0L + 1e-9L) + 1e-15L, 0.5L * (1.0L + share));
        }
        real h = low + share * (high - low);
        take_step(r, h, y);
        real there = beyond_event(r, y);
        if (there > 0.0L) {
            high = h;
            past = there;
            memcpy(y1, y, sizeof y);
        } else {
            low = h;
            before = there;
        }
    }
    return high;
}

static void note_jump(run *r, size_t j, real margin);

/* A closing speed that leaves and regains its sign within the step: the length at which its cubic
 * interpolant is extreme, or 0. One that nearly does at a plastic contact is a jump nearly made.
 */
static real hidden_turn(run *r, real h, const real *y1)
{
    real c0[SMALL], c1[SMALL], d0[SMALL], d1[SMALL];
    closing_speeds(r, r->y, c0);
    closing_speeds(r, y1, c1);
    closing_rates(r, r->y, d0);
    closing_rates(r, y1, d1);
    for (size_t j = 0; j < r->s; j++) {
        real sign = r->phases[j] == COMPRESSED ? 1.0L : -1.0L;
        real a = sign * c0[j], b = sign * c1[j], da = sign * d0[j] * h, db = sign * d1[j] * h;
        if (!(da < 0.0L && db > 0.0L)) {
            continue; /* no minimum inside */
        }
        real low = 0.0L, high = 1.0L;
        for (int i = 0; i < 40; i++) { /* the derivative of the cubic */
            real t = 0.5L * (low + high);
            real slope = da + t * (6.0L * (b - a) - 4.0L * da - 2.0L * db) +
                         t * t * (6.0L * (a - b) + 3.0L * (da + db));
            *(slope < 0.0L ? &low : &high) = t;
        }
        real t = low, u = 1.0L - t;
        real least = u * u * (1.0L + 2.0L * t) * a + t * t * (3.0L - 2.0L * t) * b +
                     t * u * u * da - t * t * u * db;
        if (least < -1e-15L * r->closing_scale) {
            return t * h;
        }
        if (r->phases[j] == COMPRESSED && r->restitution[j] == 0.0L) {
            real size = r->delassus[j * SMALL + j] * force(r, j, r->y[j]) * r->y[j];
            note_jump(r, j, least / fmaxl(fmaxl(a, b), sqrtl(size)));
        }
    }
    return 0.0L;
}

/* ---- Phases ---------------------------------------------------------------------------------- */

static real expansion_end(const run *r, size_t j)
{
    real e = r->restitution[j];
    if (!r->mono || e == 1.0L) {
        return 0.0L;
    }
    return r->end_of_compression[j] * powl(1.0L - e * e, 1.0L / (r->exponent[j] + 1.0L));
}

/* The law jumps where a mono contact opens while its closing speed is about to turn, where it
 * turns just before opening, and where a plastic contact barely stops closing. A jump too small
 * to matter, far down in a tail, is not counted.
 */
static const real jump_that_matters = 1e-9L;

static void note_jump(run *r, size_t j, real margin)
{
    real stored = r->stiffness[j] * powl(fmaxl(r->y[j], 0.0L), r->exponent[j] + 1.0L) /
                  (r->exponent[j] + 1.0L);
    real speed = sqrtl(2.0L * stored * r->delassus[j * SMALL + j]);
    if (speed > jump_that_matters * r->closing_scale) {
        r->margin = fminl(r->margin, margin);
    }
}

static void note_opening(run *r, size_t j, real c, real acceleration)
{
    if (r->open_at[j] > 0.0L && acceleration > 0.0L) {
        real saved = c * c / (2.0L * acceleration); /* x it would have lost until the turn */
        note_jump(r, j, saved / r->open_at[j]);
    }
}

static void note_turn(run *r, size_t j)
{
    if (r->open_at[j] > 0.0L) {
        note_jump(r, j, (r->y[j] - r->open_at[j]) / r->open_at[j]);
    }
}

/* How decidedly the closing speed falls through 0: its rate against the sum of its parts. The
 * depth of a barely negative dip grows with the square of that.
 */
static void note_plastic_end(run *r, size_t j, real acceleration)
{
    real parts = 0.0L;
    for (size_t k = 0; k < r->s; k++) {
        parts += fabsl(r->delassus[j * SMALL + k]) * force(r, k, r->y[k]);
    }
    real relative = acceleration / parts;
    note_jump(r, j, relative * relative);
}

static int direction(const run *r, size_t j, const real *c, const real *rate)
{
    real value = fabsl(c[j]) > dead_band * r->closing_scale ? c[j] : rate[j];
    return value > 0.0L ? 1 : value < 0.0L ? -1 : 0;
}

static void end_compression(run *r, size_t j, real acceleration)
{
    r->end_of_compression[j] = r->y[j];
    r->peak[j] = fmaxl(r->peak[j], force(r, j, r->y[j]));
    if (r->restitution[j] == 0.0L) {
        if (r->y[j] > 0.0L) {
            note_plastic_end(r, j, acceleration);
        }
        r->phases[j] = OPEN;
        r->y[j] = 0.0L;
    } else {
        r->phases[j] = EXPANDING;
        r->open_at[j] = expansion_end(r, j);
    }
}

/* Bring contact j into the phase its state asks for; true if it changed. */
static bool settle_phase(run *r, size_t j, const real *c, const real *rate)
{
    int way = direction(r, j, c, rate);
    phase old = r->phases[j];
    if (old == COMPRESSED && way < 0) {
        end_compression(r, j, rate[j]);
    } else if (old == EXPANDING && r->y[j] <= r->open_at[j] + 1e-18L * r->indentation_scale[j]) {
        note_opening(r, j, c[j], rate[j]);
        r->phases[j] = OPEN;
        r->y[j] = 0.0L;
    } else if ((old == EXPANDING || old == OPEN) && way > 0) {
        if (old == EXPANDING) {
            note_turn(r, j);
        }
        r->phases[j] = COMPRESSED;
        r->compressions[j]++;
    }
    return r->phases[j] != old;
}

static void settle_phases(run *r)
{
    bool changed = true;
    for (int round = 0; changed && round < 8 * SMALL; round++) {
        changed = false;
        for (size_t j = 0; j < r->s; j++) {
            real c[SMALL], rate[SMALL];
            closing_speeds(r, r->y, c);
            closing_rates(r, r->y, rate);
            changed |= settle_phase(r, j, c, rate);
        }
    }
}

static bool all_open(const run *r)
{
    for (size_t j = 0; j < r->s; j++) {
        if (r->phases[j] != OPEN) {
            return false;
        }
    }
    return true;
}

/* ---- The tail -------------------------------------------------------------------------------- */

/* Contacts that plainly part open soon by themselves, at a time that is wanted. */
static bool all_part(const run *r, const real *c)
{
    for (size_t j = 0; j < r->s; j++) {
        if (r->phases[j] != OPEN && c[j] > -1e-6L * r->closing_scale) {
            return false;
        }
    }
    return true;
}

/* With z the projection of v and r = v - z, later velocities stay within
 * |r|^2 + 2 (stored energy) of z (M-norm) as long as only contacts with u_z = 0 work; the others
 * cannot close when u_z exceeds what that allows. So the bound on every gap velocity is
 * sqrt(D_jj (|r|^2 + 2 E)). Close the tail when it is small.
 */
static bool close_tail(run *r, judgement *result)
{
    real c[SMALL], p[SMALL], stored = 0.0L, distance = 0.0L;
    closing_speeds(r, r->y, c);
    for (size_t j = 0; j < r->s; j++) {
        stored += force(r, j, r->y[j]) * r->y[j] / (r->exponent[j] + 1.0L);
    }
    real largest = 0.0L;
    for (size_t j = 0; j < r->s; j++) {
        largest = fmaxl(largest, r->delassus[j * SMALL + j]);
    }
    if (sqrtl(2.0L * largest * stored) > tail_tolerance * r->closing_scale || all_part(r, c)) {
        return false;
    }
    dense_project(r->delassus, r->s, 1e-18L * r->closing_scale, c, p);
    for (size_t j = 0; j < r->s; j++) {
        for (size_t k = 0; k < r->s; k++) {
            distance += p[j] * r->delassus[j * SMALL + k] * p[k];
        }
    }
    real bound = sqrtl(largest * (distance + 2.0L * stored));
    if (bound > tail_tolerance * r->closing_scale) {
        return false;
    }
    for (size_t j = 0; j < r->s; j++) {
        r->y[r->s + j] += p[j];
    }
    result->tail = true;
    result->tail_speed = (double)bound;
    return true;
}

/* ---- Setting up and reporting --------------------------------------------------------------- */

static void set_delassus(run *r, const small_system *system)
{
    real mass[SMALL * SMALL];
    for (size_t i = 0; i < r->n; i++) {
        for (size_t k = 0; k < r->n; k++) {
            mass[i * SMALL + k] = system->mass[i * r->n + k];
        }
    }
    dense_factorize(mass, r->n);
    for (size_t j = 0; j < r->s; j++) {
        real column[SMALL];
        for (size_t i = 0; i < r->n; i++) {
            column[i] = system->w[j * r->n + i];
        }
        dense_solve(mass, r->n, column);
        for (size_t i = 0; i < r->n; i++) {
            r->impulse_to_velocity[i * SMALL + j] = column[i];
        }
        for (size_t k = 0; k < r->s; k++) {
            real sum = 0.0L;
            for (size_t i = 0; i < r->n; i++) {
                sum += (real)system->w[k * r->n + i] * column[i];
            }
            r->delassus[k * SMALL + j] = sum;
        }
    }
}

static void set_scales(run *r, const small_system *system)
{
    real energy = 0.0L;
    for (size_t j = 0; j < r->s; j++) {
        real c = r->start_closing[j];
        energy = fmaxl(energy, c * c / (2.0L * r->delassus[j * SMALL + j]));
        energy = fmaxl(energy, system->stored_energy[j]);
    }
    for (size_t j = 0; j < r->s; j++) {
        real speed = sqrtl(2.0L * energy * r->delassus[j * SMALL + j]);
        r->closing_scale = fmaxl(r->closing_scale, speed);
        r->indentation_scale[j] = powl((r->exponent[j] + 1.0L) * energy / r->stiffness[j],
                                       1.0L / (r->exponent[j] + 1.0L));
    }
}

static void set_up(run *r, const small_system *system, bool mono)
{
    memset(r, 0, sizeof *r);
    r->n = system->n;
    r->s = system->s;
    r->mono = mono;
    r->margin = INFINITY;
    set_delassus(r, system);
    for (size_t j = 0; j < r->s; j++) {
        real u = system->boundary_velocity[j];
        for (size_t i = 0; i < r->n; i++) {
            u += (real)system->w[j * r->n + i] * (real)system->velocity[i];
        }
        r->start_closing[j] = -u;
        r->stiffness[j] = system->stiffness[j];
        r->exponent[j] = system->exponent[j];
        r->restitution[j] = system->restitution[j];
        real power = r->exponent[j] + 1.0L;
        r->y[j] = powl(power * (real)system->stored_energy[j] / r->stiffness[j], 1.0L / power);
        r->phases[j] = r->y[j] > 0.0L ? COMPRESSED : OPEN;
        r->compressions[j] = r->y[j] > 0.0L ? 1 : 0;
        r->peak[j] = force(r, j, r->y[j]);
    }
    set_scales(r, system);
}

static void report(const run *r, const small_system *system, judgement *result)
{
    real c[SMALL];
    closing_speeds(r, r->y, c);
    for (size_t i = 0; i < r->n; i++) {
        real v = system->velocity[i];
        for (size_t j = 0; j < r->s; j++) {
            v += r->impulse_to_velocity[i * SMALL + j] * r->y[r->s + j];
        }
        result->velocity[i] = (double)v;
    }
    for (size_t j = 0; j < r->s; j++) {
        result->impulse[j] = (double)r->y[r->s + j];
        result->gap_velocity[j] = (double)-c[j];
        result->loss[j] = (double)(r->y[2 * r->s + j] + (real)system->stored_energy[j]);
        result->peak_force[j] = (double)r->peak[j];
        result->compressions[j] = r->compressions[j];
    }
    result->margin = (double)r->margin;
}

judgement judge(const small_system *system, bool mono, double tolerance)
{
    judgement result = {0};
    run r;
    set_up(&r, system, mono);
    real limit = tolerance > 0.0 ? (real)tolerance : standard_tolerance;
    real time = 0.0L, h = INFINITY;
    for (size_t j = 0; j < r.s; j++) {
        h = fminl(h, 1e-3L * r.indentation_scale[j] / r.closing_scale);
    }
    settle_phases(&r);
    while (!(result.finished = all_open(&r)) && result.steps < most_steps) {
        real y1[STATE];
        h = fminl(h, longest_step(&r));
        real error = take_step(&r, h, y1);
        result.steps++;
        real growth = 0.9L * powl(limit / fmaxl(error, 1e-30L), 0.125L);
        if (error > limit) {
            h *= fmaxl(growth, 0.1L);
            continue;
        }
        real taken = h;
        h *= fminl(growth, 3.0L);
        if (beyond_event(&r, y1) > 0.0L) {
            taken = locate_event(&r, taken, y1);
        } else {
            real turn = hidden_turn(&r, taken, y1);
            if (turn > 0.0L) {
                taken = turn;
                take_step(&r, taken, y1);
                if (beyond_event(&r, y1) > 0.0L) {
                    taken = locate_event(&r, taken, y1);
                }
            }
        }
        time += taken;
        memcpy(r.y, y1, sizeof y1);
        settle_phases(&r);
        if (result.steps % tail_check_interval == 0 && close_tail(&r, &result)) {
            result.finished = true;
            break;
        }
    }
    result.duration = (double)time;
    report(&r, system, &result);
    return result;
}
