/* The judge of impacts with friction: see friction_judge.h. */
#include "friction_judge.h"

#include <math.h>
#include <string.h>

#include "friction_run.h"

enum { ROWS = FRICTION_ROWS };

/* Relative: speeds that count as 0 in a decision; u_t of contacts that stick or start; what is left
 * at the end; what counts as rest.
 */
static const real DEAD = 5e-17L, STILL = 1e-15L, END = 1e-12L, REST = 1e-11L;
static const unsigned MOST_EVENTS = 20000, BOUND_TURNS = 200;

static const friction_options FINE = {1e-17, 1e-6, 40000}, COARSE = {1e-14, 1e-5, 40000};

static size_t tangent_row(const friction_run *r, size_t j)
{
    return r->s + j * r->dim;
}

static real energy_of(const friction_run *r, size_t j)
{
    real eta = r->of->exponent[j], x = r->y[j];
    return r->phase[j] == PHASE_OPEN || !(x > 0)
               ? 0
               : (real)r->of->stiffness[j] * powl(x, eta + 1) / (eta + 1);
}

/* ---- Events: who sticks ---------------------------------------------------------------------- */

static void leave(friction_run *r, size_t j, const disc_answer *answer, size_t place)
{
    r->path[j] |= FRICTION_WENT_SLIP | FRICTION_WENT_OFF;
    r->mode[j] = r->dim == 1 ? MODE_SLIPS : MODE_STARTS;
    r->sigma[j] = answer->a[place * r->dim] < 0 ? -1 : 1;
}

/* Coulomb's law at an instant, for all contacts with u_t = 0 at once. False: one of those that
 * were starting slips by now, and is to be left out.
 */
static bool decide(friction_run *r)
{
    bool takes_part[FRICTION_CONTACTS], again = false;
    size_t index[FRICTION_CONTACTS];
    run_forces at;
    disc_problem problem;
    disc_answer answer;
    run_find_stuck(r);
    run_forces_at(r, r->y, &at);
    for (size_t j = 0; j < r->s; j++) {
        bool pressed = r->phase[j] != PHASE_OPEN && r->of->friction[j] > 0;
        bool still = at.slip[j] <= STILL * r->speed + 8 * run_noise(r, tangent_row(r, j));
        if (r->mode[j] == MODE_STARTS && at.slip[j] >= r->options.start * r->speed) {
            r->mode[j] = MODE_SLIPS;
        }
        takes_part[j] =
            pressed && (still || r->mode[j] == MODE_STICKS || r->mode[j] == MODE_STARTS);
        if (!takes_part[j]) {
            real side = at.u[tangent_row(r, j)] < 0 ? -1 : 1;
            r->sigma[j] = r->mode[j] == MODE_SLIPS ? r->sigma[j] : side;
            r->mode[j] = pressed ? MODE_SLIPS : MODE_FREE;
            r->path[j] |= pressed ? FRICTION_WENT_SLIP : 0;
        } else {
            r->mode[j] = MODE_FREE; /* until decided */
            for (size_t k = 0; still && k < r->dim; k++) {
                r->u0[tangent_row(r, j) + k] -= at.u[tangent_row(r, j) + k];
            }
        }
    }
    run_find_stuck(r);
    run_forces_at(r, r->y, &at);
    run_disc_problem(r, &at, takes_part, index, &problem);
    disc_solve(&problem, &answer);
    for (size_t i = 0; i < problem.count; i++) {
        size_t j = index[i];
        real radius = problem.radius[i] > 0 ? problem.radius[i] : 1;
        if (answer.slips[i]) {
            leave(r, j, &answer, i);
        } else {
            bool moves = at.slip[j] > 100 * STILL * r->speed;
            r->mode[j] = moves ? MODE_SLIPS : MODE_STICKS;
            again |= moves;
        }
        r->warm.l[j] = answer.l[i];
        for (size_t k = 0; k < r->dim; k++) {
            r->warm.f[j * r->dim + k] = answer.f[i * r->dim + k] / radius;
        }
    }
    run_find_stuck(r);
    return !again;
}

/* ---- Events: who presses --------------------------------------------------------------------- */

static bool press_one(friction_run *r, size_t j, real c, real closes)
{
    real sign = fabsl(c) > DEAD * r->speed + run_noise(r, j) ? c : closes;
    run_phase old = r->phase[j];
    if (old == PHASE_LOADING && sign < 0) {
        r->phase[j] = r->of->restitution[j] > 0 ? PHASE_EXPANDING : PHASE_OPEN;
        r->y[j] = r->of->restitution[j] > 0 ? r->y[j] : 0;
        r->turns++;
    } else if (old == PHASE_EXPANDING && r->y[j] <= 1e-18L * r->depth[j]) {
        r->phase[j] = PHASE_OPEN;
        r->y[j] = 0;
        r->turns = 0;
    } else if ((old == PHASE_EXPANDING || old == PHASE_OPEN) && sign > 0) {
        r->phase[j] = PHASE_LOADING;
    }
    return r->phase[j] != old;
}

/* -u_n', 0 if that is what rounding leaves of forces in balance. */
static real closing_rate(const friction_run *r, const run_forces *at, size_t j)
{
    real sum = 0, scale = 0;
    for (size_t k = 0; k < r->rows; k++) {
        real part = r->d[j * ROWS + k] * at->force[k];
        sum -= part;
        scale += fabsl(part);
    }
    return fabsl(sum) > 1e-15L * scale ? sum : 0;
}

static void note_paths(friction_run *r)
{
    run_forces at;
    run_forces_at(r, r->y, &at);
    for (size_t j = 0; j < r->s; j++) {
        real own = r->d[j * (ROWS + 1)] * at.force[j];
        for (size_t k = 0; k < r->dim; k++) {
            own += r->d[j * ROWS + tangent_row(r, j) + k] * at.force[tangent_row(r, j) + k];
        }
        r->path[j] |= r->mode[j] == MODE_STICKS ? FRICTION_WENT_STICK : 0;
        r->path[j] |= r->mode[j] == MODE_SLIPS && own < 0 ? FRICTION_WENT_JAM : 0;
    }
}

static void settle(friction_run *r)
{
    bool changed = true;
    for (int round = 0; changed && round < 8 * FRICTION_CONTACTS; round++) {
        for (int i = 0; i < FRICTION_CONTACTS && !decide(r); i++) {
        }
        changed = false;
        for (size_t j = 0; j < r->s; j++) {
            run_forces at;
            run_forces_at(r, r->y, &at);
            real closes = closing_rate(r, &at, j);
            if (closes == 0 && at.force[j] > 0 && fabsl(at.u[j]) <= STILL * r->speed) {
                r->u0[j] -= at.u[j]; /* comes to rest, held by friction */
            } else if (press_one(r, j, -at.u[j], closes)) {
                changed = true;
                break;
            }
        }
    }
    note_paths(r);
}

/* ---- The end --------------------------------------------------------------------------------- */

/* What could still change a velocity, relative; 0: nothing is at work. */
static real amplitude(friction_run *r, const run_forces *at)
{
    real most = 0;
    for (size_t j = 0; j < r->s; j++) {
        if (r->phase[j] != PHASE_OPEN) {
            most = fmaxl(most, sqrtl(2 * energy_of(r, j) * r->d[j * (ROWS + 1)]));
            most = fmaxl(most, -at->u[j]);
        }
    }
    return most / r->speed;
}

/* All that press are at rest, and the forces in balance. */
static bool locked(friction_run *r, const run_forces *at)
{
    real a[ROWS];
    run_accelerations(r, at, a);
    for (size_t j = 0; j < r->s; j++) {
        if (r->phase[j] == PHASE_OPEN) {
            continue;
        }
        if (fabsl(at->u[j]) > REST * r->speed || r->mode[j] != MODE_STICKS) {
            return false;
        }
        for (size_t i = 0; i < 1 + r->dim; i++) {
            size_t row = i == 0 ? j : tangent_row(r, j) + i - 1;
            real scale = 0;
            for (size_t k = 0; k < r->s; k++) {
                scale += at->force[k] * sqrtl(r->d[row * (ROWS + 1)] * r->d[k * (ROWS + 1)]);
            }
            if (fabsl(a[row]) > REST * scale) {
                return false;
            }
        }
    }
    return true;
}

static bool bound(const friction_run *r)
{
    for (size_t j = 0; j < r->s; j++) {
        bool sticks = r->mode[j] == MODE_STICKS && r->of->restitution[j] == 1;
        if (r->phase[j] != PHASE_OPEN && !sticks) {
            return false;
        }
    }
    return r->turns > BOUND_TURNS;
}

/* ---- From start to end ----------------------------------------------------------------------- */

static bool set_up(friction_run *r, const friction_case *c, friction_options options)
{
    *r = (friction_run){.of = c, .s = c->s, .dim = c->dim, .rows = c->s * (1 + c->dim)};
    r->options = options;
    if (!friction_delassus(c, r->d, NULL)) {
        return false;
    }
    friction_slip(c, c->velocity, r->u0);
    r->speed = friction_speed(c);
    for (size_t j = 0; j < r->s; j++) {
        real eta = c->exponent[j], energy = r->speed * r->speed / (2 * r->d[j * (ROWS + 1)]);
        r->depth[j] = powl(energy * (eta + 1) / c->stiffness[j], 1 / (eta + 1));
    }
    return true;
}

/* Where only a sum is determined: a choice within the cones, those of the others kept. */
static void choose_tangential(friction_run *r)
{
    size_t index[FRICTION_CONTACTS];
    run_forces at = {{0}, {0}, {0}};
    disc_problem p;
    disc_answer answer;
    memcpy(at.force, r->y + r->s, r->rows * sizeof *at.force);
    run_disc_problem(r, &at, r->undetermined, index, &p);
    for (size_t i = 0; i < p.count * p.dim; i++) {
        p.q[i] = 0; /* D (Q - Q now) = 0 */
        for (size_t k = 0; k < p.count * p.dim; k++) {
            p.q[i] -=
                p.d[i * DISC_STRIDE + k] * at.force[tangent_row(r, index[k / p.dim]) + k % p.dim];
        }
    }
    disc_solve(&p, &answer);
    for (size_t i = 0; i < p.count * p.dim; i++) {
        r->y[r->s + tangent_row(r, index[i / p.dim]) + i % p.dim] = answer.f[i];
    }
}

static void report(friction_run *r, friction_answer *answer)
{
    const friction_case *c = r->of;
    real to_velocity[ROWS * FRICTION_COORDINATES], lost = 0;
    const real *impulse = r->y + r->s;
    friction_delassus(c, NULL, to_velocity);
    choose_tangential(r);
    for (size_t i = 0; i < c->n; i++) {
        real v = c->velocity[i];
        for (size_t row = 0; row < r->rows; row++) {
            v += to_velocity[row * FRICTION_COORDINATES + i] * impulse[row];
        }
        answer->velocity[i] = (double)v;
    }
    for (size_t j = 0; j < r->s; j++) {
        real e = c->restitution[j], held = energy_of(r, j);
        answer->impulse[j] = (double)impulse[j];
        answer->loss_normal[j] = (double)((1 - e * e) * (r->y[r->s + r->rows + j] - held));
        answer->loss_tangential[j] = (double)r->y[2 * r->s + r->rows + j];
        answer->held[j] = (double)held;
        answer->determined[j] = !r->undetermined[j];
        answer->path[j] = r->path[j];
        lost += (1 - e * e) * (r->y[r->s + r->rows + j] - held) + held +
                r->y[2 * r->s + r->rows + j] + impulse[j] * c->wall_normal[j];
        for (size_t k = 0; k < r->dim; k++) {
            size_t row = tangent_row(r, j) + k;
            answer->tangential[j * r->dim + k] = (double)impulse[row];
            lost += impulse[row] * c->wall_tangent[row - r->s];
        }
    }
    real before = friction_energy(c, c->velocity), after = friction_energy(c, answer->velocity);
    answer->account = (double)((before - after - lost) / before);
}

bool friction_judge_run(const friction_case *c, friction_options options, friction_answer *answer)
{
    friction_run r;
    real next = INFINITY;
    *answer = (friction_answer){.status = FRICTION_UNFINISHED};
    if (!set_up(&r, c, options)) {
        return false;
    }
    for (r.event = true; answer->steps < options.limit; answer->steps++) {
        run_forces at;
        if (r.event) {
            settle(&r);
            answer->events++;
        }
        run_forces_at(&r, r.y, &at);
        answer->left = (double)amplitude(&r, &at);
        answer->status = answer->left <= END ? FRICTION_ENDED
                         : locked(&r, &at)   ? FRICTION_LOCKED
                         : bound(&r)         ? FRICTION_BOUND
                                             : FRICTION_UNFINISHED;
        if (answer->status != FRICTION_UNFINISHED || answer->events > MOST_EVENTS) {
            break;
        }
        next = run_step(&r, fminl(next, run_longest_step(&r)));
    }
    report(&r, answer);
    return true;
}

bool friction_judge_solve(const friction_case *c, friction_answer *answer)
{
    friction_answer coarse;
    if (!friction_judge_run(c, FINE, answer)) {
        return false;
    }
    if (answer->status == FRICTION_UNFINISHED) {
        answer->error = INFINITY;
        return true;
    }
    friction_judge_run(c, COARSE, &coarse);
    answer->error = coarse.status == answer->status ? 0 : INFINITY;
    double speed = friction_speed(c);
    for (size_t i = 0; i < c->n; i++) {
        double off = fabs(coarse.velocity[i] - answer->velocity[i]);
        answer->error = fmax(answer->error, off / speed);
    }
    return true;
}
