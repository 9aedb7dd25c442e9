/* See compliant_judge.h. State: indentations x (negative: a gap), closing speeds c, impulses p,
 * arms z.
 */
#include "compliant_judge.h"

#include <math.h>
#include <string.h>

#include "dense.h"

typedef long double real;

enum { STATE = 4 * SMALL, COLUMNS = 8, SIGNS = 3 };

/* What is slower than this, relative, is a tail. */
static const real tail = 1e-13L;
/* x, c and K x + C c smaller than this, relative, are at a kink. */
static const real kink = 1e-15L;

typedef struct run {
    size_t n, s;
    real delassus[SMALL * SMALL], spread[SMALL * SMALL]; /* D; M^-1 W, rows of SMALL */
    real stiffness[SMALL], exponent[SMALL], x_scale[SMALL];
    real restitution[SMALL], speed, part;
    const judged_contact *of;
    real y[STATE]; /* x, c, p, z */
} run;

/* ---- The equations -------------------------------------------------------------------------- */

/* Has the sign of the force where x > 0. */
static real pull_of(const run *r, size_t j, real x, real c, real z)
{
    real k = r->stiffness[j], damping = r->of[j].damping;
    switch (r->of[j].model) {
    case JUDGED_KELVIN_VOIGT:
        return k * x + damping * c;
    case JUDGED_HUNT_CROSSLEY:
        return k * r->x_scale[j] * (1 + damping * c);
    case JUDGED_ZENER:
        return k * x + (real)r->of[j].arm * z;
    default:
        return k * x;
    }
}

static real pull(const run *r, size_t j, const real *y)
{
    return pull_of(r, j, y[j], y[r->s + j], y[3 * r->s + j]);
}

static real to_power(real x, real eta)
{
    return eta == 1.0L ? x : eta == 1.5L ? x * sqrtl(x) : powl(x, eta);
}

static real force(const run *r, size_t j, const real *y)
{
    real x = y[j], g = pull(r, j, y), eta = r->exponent[j];
    if (!(x > 0 && g > 0)) {
        return 0;
    }
    if (r->of[j].model == JUDGED_HUNT_CROSSLEY) {
        return r->stiffness[j] * to_power(x, eta) * (1 + (real)r->of[j].damping * y[r->s + j]);
    }
    return g * to_power(x, eta) / x;
}

static void rates(const run *r, const real *y, real *rate)
{
    for (size_t j = 0; j < r->s; j++) {
        real c = y[r->s + j], e = r->restitution[j], damping = r->of[j].damping;
        bool pressed = y[j] > 0;
        rate[j] = c;
        rate[2 * r->s + j] = force(r, j, y);
        rate[3 * r->s + j] = 0;
        if (pressed && r->of[j].model == JUDGED_HYSTERETIC && c < 0) {
            rate[j] = c / (e * e);
        } else if (r->of[j].model == JUDGED_MAXWELL) {
            rate[j] = c - rate[2 * r->s + j] / damping;
        } else if (pressed && r->of[j].model == JUDGED_ZENER) {
            rate[3 * r->s + j] = c - (real)r->of[j].arm / damping * y[3 * r->s + j];
        }
    }
    for (size_t j = 0; j < r->s; j++) {
        real sum = 0;
        for (size_t k = 0; k < r->s; k++) {
            sum -= r->delassus[j * SMALL + k] * rate[2 * r->s + k];
        }
        rate[r->s + j] = sum;
    }
}

static bool has_pull(const run *r, size_t j)
{
    judged_model model = r->of[j].model;
    return r->of[j].damping > 0 &&
           (model == JUDGED_KELVIN_VOIGT || model == JUDGED_HUNT_CROSSLEY || model == JUDGED_ZENER);
}

/* ---- One step ------------------------------------------------------------------------------- */

/* The equations change where one of these changes its sign, the second and third only where x > 0;
 * relative to the scales.
 */
static void find_signs(const run *r, size_t j, const real *y, real *value)
{
    bool hysteretic = r->of[j].model == JUDGED_HYSTERETIC;
    value[0] = y[j] / r->x_scale[j];
    value[1] = has_pull(r, j) ? pull(r, j, y) / (r->stiffness[j] * r->x_scale[j]) : 1;
    value[2] = hysteretic ? y[r->s + j] / r->speed : 1;
}

/* Are the equations at y others than at the start of the step? */
static bool is_beyond(const run *r, const real *y)
{
    for (size_t j = 0; j < r->s; j++) {
        real start[SIGNS], value[SIGNS];
        find_signs(r, j, r->y, start);
        find_signs(r, j, y, value);
        for (size_t k = 0; k < SIGNS && (k == 0 || (start[0] > 0 && value[0] > 0)); k++) {
            if (start[k] * value[k] < 0 && fminl(fabsl(start[k]), fabsl(value[k])) > kink) {
                return true;
            }
        }
    }
    return false;
}

/* The midpoint rule in `count` steps. Its end knows the slope at the start by the first step alone:
 * were all others beyond a kink, it would follow their equations, and every column with it. Returns
 * whether any was.
 */
static bool midpoint(const run *r, real h, size_t count, real *y1)
{
    bool beyond = false;
    real before[STATE], rate[STATE], step = h / (real)count;
    memcpy(before, r->y, sizeof before);
    rates(r, r->y, rate);
    for (size_t l = 0; l < 4 * r->s; l++) {
        y1[l] = r->y[l] + step * rate[l];
    }
    for (size_t i = 1; i < count; i++) {
        beyond |= is_beyond(r, y1);
        rates(r, y1, rate);
        for (size_t l = 0; l < 4 * r->s; l++) {
            real next = before[l] + 2 * step * rate[l];
            before[l] = y1[l];
            y1[l] = next;
        }
    }
    return beyond;
}

/* The column beside the best differs by this much, relative to the scales. */
static real difference(const run *r, const real *a, const real *b)
{
    real worst = 0;
    for (size_t j = 0; j < r->s; j++) {
        /* of a wide gap, not more than the arithmetic can hold */
        real scale = r->x_scale[j] + 1e-2L * fabsl(a[j]);
        worst = fmaxl(worst, fabsl(a[j] - b[j]) / scale);
        worst = fmaxl(worst, fabsl(a[r->s + j] - b[r->s + j]) / r->speed);
        worst = fmaxl(worst, fabsl(a[3 * r->s + j] - b[3 * r->s + j]) / scale);
    }
    return worst;
}

/* 2, 4, ... steps of the midpoint rule, extrapolated in h^2 (Aitken, Neville). */
static real take_step(const run *r, real h, real *y1, bool *beyond)
{
    real table[COLUMNS][STATE];
    *beyond = false;
    for (size_t i = 0; i < COLUMNS; i++) {
        *beyond |= midpoint(r, h, 2 * (i + 1), table[i]);
        for (size_t k = i; k-- > 0;) { /* table[k] becomes the column of i, i-1, ..., k */
            real ratio = (real)(i + 1) / (real)(k + 1);
            for (size_t l = 0; l < 4 * r->s; l++) {
                table[k][l] =
                    table[k + 1][l] + (table[k + 1][l] - table[k][l]) / (ratio * ratio - 1);
            }
        }
    }
    memcpy(y1, table[0], sizeof table[0]);
    return difference(r, y1, table[1]); /* of all but the first */
}

/* a, b: values at the ends, da, db: h times the slopes. Same sign at both ends, turning towards 0
 * between, and the tangents at the ends meet beyond 0: a curve without inflection may have been
 * there.
 */
static bool may_have_crossed(real a, real b, real da, real db)
{
    real sign = a > 0 ? 1 : -1;
    a *= sign, b *= sign, da *= sign, db *= sign;
    if (!(b > 0 && da < 0 && db > 0)) {
        return false;
    }
    real t = (b - db - a) / (da - db);
    return a + t * da < 0;
}

/* The change of the pull with time. */
static real pull_rate(const run *r, size_t j, const real *y, const real *d)
{
    size_t s = r->s;
    real here = pull_of(r, j, y[j], y[s + j], y[3 * s + j]);
    return pull_of(r, j, y[j] + d[j], y[s + j] + d[s + j], y[3 * s + j] + d[3 * s + j]) - here;
}

static bool something_hidden(const run *r, real h, const real *y1)
{
    real d0[STATE], d1[STATE];
    rates(r, r->y, d0);
    rates(r, y1, d1);
    for (size_t j = 0; j < r->s; j++) {
        size_t v = r->s + j;
        real floor = 1e-18L * r->x_scale[j];
        bool deep = fmaxl(fabsl(r->y[j]), fabsl(y1[j])) > floor;
        bool pressed = deep && (r->y[j] > 0 || y1[j] > 0);
        if (deep && may_have_crossed(r->y[j], y1[j], h * d0[j], h * d1[j])) {
            return true;
        }
        if (pressed && r->of[j].model == JUDGED_HYSTERETIC &&
            may_have_crossed(r->y[v], y1[v], h * d0[v], h * d1[v])) {
            return true;
        }
        if (pressed && has_pull(r, j) &&
            may_have_crossed(pull(r, j, r->y), pull(r, j, y1), h * pull_rate(r, j, r->y, d0),
                             h * pull_rate(r, j, y1, d1))) {
            return true;
        }
    }
    return false;
}

/* The step's first change of sign, by straight lines; sizes relative. */
typedef struct change {
    real share, before;
} change;

/* What starts at a kink or ends at one does not cross it, and must not hide what does. */
static void look_at_change(change *first, real a, real b)
{
    bool crosses = a != 0 && (a > 0) != (b > 0) && !(fabsl(b) < kink);
    real share = crosses ? a / (a - b) : INFINITY;
    if (share < first->share) {
        *first = (change){share, fabsl(a)};
    }
}

static change first_change(const run *r, const real *y1)
{
    change first = {.share = INFINITY};
    for (size_t j = 0; j < r->s; j++) {
        real start[SIGNS], end[SIGNS];
        find_signs(r, j, r->y, start);
        find_signs(r, j, y1, end);
        for (size_t k = 0; k < SIGNS && (k == 0 || start[0] > 0 || end[0] > 0); k++) {
            look_at_change(&first, start[k], end[k]);
        }
    }
    return first;
}

/* Kinks are stepped over by steps so short that nothing happens; error control is blind to one near
 * the end of a step. Come close, then land just behind. 0: the step may stand.
 */
static real shortened(const run *r, const real *y1)
{
    change first = first_change(r, y1);
    if (first.share == INFINITY) {
        return 0;
    }
    return first.before > kink ? fmaxl(0.98L * first.share, 1e-3L)
                               : fminl(1.5L * first.share, 0.7L);
}

/* ---- Step lengths --------------------------------------------------------------------------- */

/* Frequencies and rates of the contacts that press or are about to, from their own D alone. */
static real longest_step(const run *r)
{
    real fastest = 0;
    for (size_t j = 0; j < r->s; j++) {
        real x = fmaxl(r->y[j], 1e-3L * r->x_scale[j]), d = r->delassus[j * SMALL + j];
        bool near = r->y[j] > -r->x_scale[j] && (r->y[j] > 0 || r->y[r->s + j] > 0);
        if (near) {
            real shape = powl(x, r->exponent[j] - 1.0L), k = r->stiffness[j];
            real damping = r->of[j].damping, arm = r->of[j].arm, e = r->restitution[j];
            judged_model model = r->of[j].model;
            real own = sqrtl(d * (k + arm) * r->exponent[j] * shape);
            fastest = fmaxl(fastest, model == JUDGED_HYSTERETIC ? own / e : own);
            if (model == JUDGED_MAXWELL || model == JUDGED_ZENER) {
                fastest =
                    fmaxl(fastest, model == JUDGED_ZENER ? arm / damping
                                                         : k * r->exponent[j] * shape / damping);
            } else {
                fastest = fmaxl(fastest,
                                d * damping * shape * (model == JUDGED_HUNT_CROSSLEY ? k * x : 1));
            }
        }
    }
    return fastest > 0 ? 6.28L * r->part / fastest : INFINITY;
}

/* No force anywhere: when does a gap close, or a force come back? INFINITY: never. */
static real free_until(const run *r)
{
    real soonest = INFINITY;
    for (size_t j = 0; j < r->s; j++) {
        real x = r->y[j], c = r->y[r->s + j], g = pull(r, j, r->y);
        if (x > 0 && (g > 0 || r->of[j].model == JUDGED_ZENER)) {
            return 0;
        }
        if (c > 0) {
            real closing = fmaxl(-x / c, 0), regain = fmaxl(-g / (r->stiffness[j] * c), 0);
            soonest = fminl(soonest, x > 0 ? regain : closing);
        }
    }
    return soonest;
}

/* The largest speed that what is left could still bring about at one contact. */
static real left_to_do(const run *r)
{
    real most = 0;
    for (size_t j = 0; j < r->s; j++) {
        real x = r->y[j], power = r->exponent[j] + 1.0L;
        most = fmaxl(most, r->y[r->s + j]);
        if (x > 0 && pull(r, j, r->y) > 0) {
            real z = r->of[j].model == JUDGED_ZENER ? r->y[3 * r->s + j] : 0;
            real energy = r->stiffness[j] * powl(x, power) / power +
                          0.5L * (real)r->of[j].arm * powl(x, power - 2) * z * z;
            most = fmaxl(most, sqrtl(2 * r->delassus[j * SMALL + j] * energy));
        }
    }
    return most / r->speed;
}

/* ---- The course ----------------------------------------------------------------------------- */

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
            r->spread[i * SMALL + j] = column[i];
        }
        for (size_t k = 0; k < r->s; k++) {
            for (size_t i = 0; i < r->n; i++) {
                r->delassus[k * SMALL + j] += (real)system->w[k * r->n + i] * column[i];
            }
        }
    }
}

static void set_up(run *r, const small_system *system, const judged_contact *of, real part)
{
    memset(r, 0, sizeof *r);
    r->n = system->n;
    r->s = system->s;
    r->of = of;
    r->part = part;
    set_delassus(r, system);
    for (size_t j = 0; j < r->s; j++) {
        real u = system->boundary_velocity[j], power = (real)system->exponent[j] + 1.0L;
        for (size_t i = 0; i < r->n; i++) {
            u += (real)system->w[j * r->n + i] * (real)system->velocity[i];
        }
        r->stiffness[j] = system->stiffness[j];
        r->exponent[j] = system->exponent[j];
        r->restitution[j] = system->restitution[j];
        r->y[j] = powl(power * (real)system->stored_energy[j] / r->stiffness[j], 1.0L / power) -
                  (real)system->gap[j];
        r->y[r->s + j] = -u;
        real released = 2.0L * r->delassus[j * SMALL + j] * (real)system->stored_energy[j];
        r->speed = fmaxl(r->speed, fmaxl(-u, sqrtl(released)));
    }
    for (size_t j = 0; j < r->s; j++) {
        real power = r->exponent[j] + 1.0L;
        real energy = r->speed * r->speed / (2.0L * r->delassus[j * SMALL + j]);
        r->x_scale[j] = powl(power * energy / r->stiffness[j], 1.0L / power);
    }
}

static real first_step(const run *r)
{
    real h = INFINITY;
    for (size_t j = 0; j < r->s; j++) {
        h = fminl(h, 1e-3L * r->x_scale[j] / r->speed);
    }
    return h;
}

static void fly(run *r, real time)
{
    for (size_t j = 0; j < r->s; j++) {
        real x = r->y[j] + time * r->y[r->s + j];
        bool arrives = r->y[j] <= 0 && fabsl(x) <= 1e-18L * r->x_scale[j] - 1e-18L * r->y[j];
        r->y[j] = arrives ? 0 : x;
    }
}

compliant_judgement compliant_judge_models(const small_system *system,
                                           const judged_contact *contacts, double tolerance,
                                           double part, unsigned long most_steps)
{
    compliant_judgement result = {0};
    run r;
    set_up(&r, system, contacts, part);
    real time = 0, h = first_step(&r), first = h, shortest = 1e-16L * first;
    while (result.steps < most_steps && r.speed > 0) {
        real flight = free_until(&r);
        real left = result.steps % 16 == 0 || flight > 0 ? left_to_do(&r) : INFINITY;
        if (flight == INFINITY || left < tail) {
            result.tail_speed = flight == INFINITY ? 0 : (double)left;
            result.finished = true;
            break;
        }
        if (flight > 0) {
            fly(&r, flight);
            time += flight;
            h = first;
            result.steps++;
        }
        real y1[STATE] = {0};
        h = fminl(h, longest_step(&r));
        bool beyond;
        real error = take_step(&r, h, y1, &beyond);
        result.steps++;
        real growth = 0.9L * powl((real)tolerance / fmaxl(error, 1e-30L), 0.0625L);
        real shorter = shortened(&r, y1);
        if (shorter > 0) {
            h *= shorter;
        } else if (error > (real)tolerance && h > shortest) {
            h *= fminl(fmaxl(growth, 0.02L), 0.7L);
        } else if ((beyond || something_hidden(&r, h, y1)) && h > shortest) {
            h *= 0.5L;
        } else {
            memcpy(r.y, y1, sizeof y1);
            for (size_t j = 0; j < r.s; j++) {
                r.y[3 * r.s + j] = r.y[j] > 0 ? r.y[3 * r.s + j] : 0;
            }
            time += h;
            h *= fminl(fmaxl(growth, 1.5L), 10.0L);
        }
    }
    result.finished |= !(r.speed > 0);
    result.speed = (double)r.speed;
    result.duration = (double)time;
    for (size_t i = 0; i < r.n; i++) {
        real v = system->velocity[i];
        for (size_t j = 0; j < r.s; j++) {
            v += r.spread[i * SMALL + j] * r.y[2 * r.s + j];
        }
        result.velocity[i] = (double)v;
    }
    return result;
}

compliant_judgement compliant_judge(const small_system *system, double damping, double tolerance,
                                    double part, unsigned long most_steps)
{
    judged_contact contacts[SMALL] = {{0}};
    for (size_t j = 0; j < system->s; j++) {
        contacts[j].damping = damping;
    }
    return compliant_judge_models(system, contacts, tolerance, part, most_steps);
}
