/* The third judge: see series.h. Compiled a second time, by series_quad.c, for 113 bits.
 *
 * While no contact changes its phase
 *     c = c_start - D p,   p' = f = K x^eta,   x' = rate c
 * is analytic but at x = 0 with a broken eta. The coefficients follow from each other: those of f
 * from x f' = eta x' f, and then c' = -D f. A contact so slightly pressed that its force could not
 * change a speed by more than rounding within the step is left to the others; that takes it over
 * x = 0, from where the lengths of the steps grow with x.
 *
 * Phases change when a closing speed has left a band of some hundred roundings round 0 on the
 * wrong side, or an indentation has come to its end. An elastic contact needs no phases.
 */
#include "series.h"

#include <math.h>
#include <string.h>

#include "dense.h"

#ifdef SERIES_QUAD
#include <quadmath.h>
typedef __float128 real;
#define SIZE_OF fabsq
#define POWER   powq
#define ROOT    sqrtq
#define NAME    series_judge_quad
static const real standard_tolerance = 1e-31L, rounding = 2e-34L;
enum { STANDARD_ORDER = 44 };
#else
typedef long double real;
#define SIZE_OF fabsl
#define POWER   powl
#define ROOT    sqrtl
#define NAME    series_judge_extended
static const real standard_tolerance = 2e-18L, rounding = 1.1e-19L;
enum { STANDARD_ORDER = 26 };
#endif

enum { MOST_ORDER = 48, STANDARD_LIMIT = 60000, TAIL_INTERVAL = 50 };

series_judgement NAME(const small_system *system, series_options options);

typedef enum phase { OPEN, COMPRESSED, EXPANDING, ELASTIC } phase;

typedef struct contact {
    real stiffness, exponent, restitution;
    bool hertz;     /* the exponent is 3/2 */
    unsigned whole; /* the exponent, if it is 1, 2 or 3 */
    real depth;     /* scale of x */
    real strongest; /* of its couplings D */
    phase phase;
    real x, c, p, start_c;
    real open_at, since; /* x at which the expansion ends, and at which the phase began */
    real loss;
    bool faint; /* in this step */
    real rate, force, per_x;
    real xs[MOST_ORDER + 1], cs[MOST_ORDER + 1], fs[MOST_ORDER], squares[MOST_ORDER];
} contact;

typedef struct run {
    size_t n, s;
    real per[MOST_ORDER + 2]; /* 1 / m */
    bool mono;
    unsigned order;
    real tolerance, band, speed, lightest;
    real d[SMALL][SMALL], answer[SMALL][SMALL]; /* D; M^-1 w_j */
    contact contacts[SMALL];
    unsigned long events;
} run;

static real larger(real a, real b)
{
    return a > b ? a : b;
}

static real smaller(real a, real b)
{
    return a < b ? a : b;
}

/* ---- Setting up ------------------------------------------------------------------------------ */

static void factorize(real a[SMALL][SMALL], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k <= i; k++) {
            real sum = a[i][k];
            for (size_t l = 0; l < k; l++) {
                sum -= a[i][l] * a[k][l];
            }
            a[i][k] = i == k ? ROOT(sum) : sum / a[k][k];
        }
    }
}

static void solve(real a[SMALL][SMALL], size_t n, real *b)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t l = 0; l < i; l++) {
            b[i] -= a[i][l] * b[l];
        }
        b[i] /= a[i][i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t l = i + 1; l < n; l++) {
            b[i] -= a[l][i] * b[l];
        }
        b[i] /= a[i][i];
    }
}

static void set_couplings(run *r, const small_system *system)
{
    real mass[SMALL][SMALL];
    for (size_t i = 0; i < r->n; i++) {
        for (size_t k = 0; k < r->n; k++) {
            mass[i][k] = system->mass[i * r->n + k];
        }
    }
    factorize(mass, r->n);
    for (size_t i = 0; i < r->n; i++) {
        real unit[SMALL] = {0};
        unit[i] = 1;
        solve(mass, r->n, unit);
        r->lightest = larger(r->lightest, unit[i]); /* of (M^-1)_ii */
    }
    for (size_t j = 0; j < r->s; j++) {
        for (size_t i = 0; i < r->n; i++) {
            r->answer[j][i] = system->w[j * r->n + i];
        }
        solve(mass, r->n, r->answer[j]);
    }
    for (size_t j = 0; j < r->s; j++) {
        for (size_t k = 0; k < r->s; k++) {
            for (size_t i = 0; i < r->n; i++) {
                r->d[j][k] += (real)system->w[j * r->n + i] * r->answer[k][i];
            }
            r->contacts[k].strongest = larger(r->contacts[k].strongest, SIZE_OF(r->d[j][k]));
        }
    }
}

static real energy_at(const contact *k, real x)
{
    return x > 0 ? k->stiffness * POWER(x, k->exponent + 1) / (k->exponent + 1) : (real)0;
}

static real depth_of(const contact *k, real energy)
{
    return energy > 0 ? POWER((k->exponent + 1) * energy / k->stiffness, 1 / (k->exponent + 1))
                      : (real)0;
}

static void set_contact(run *r, const small_system *system, size_t j)
{
    contact *k = &r->contacts[j];
    real u = system->boundary_velocity[j];
    for (size_t i = 0; i < r->n; i++) {
        u += (real)system->w[j * r->n + i] * (real)system->velocity[i];
    }
    k->start_c = k->c = -u;
    k->stiffness = system->stiffness[j];
    k->exponent = system->exponent[j];
    k->restitution = system->restitution[j];
    double eta = system->exponent[j];
    k->whole = eta == 1 || eta == 2 || eta == 3 ? (unsigned)eta : 0;
    k->hertz = eta == 1.5;
    k->x = k->since = depth_of(k, system->stored_energy[j]);
    k->phase = !(k->x > 0) ? OPEN : k->restitution == 1 ? ELASTIC : COMPRESSED;
    r->speed = larger(r->speed, k->c);
    r->speed = larger(r->speed, ROOT(2 * (real)system->stored_energy[j] * r->d[j][j]));
}

static void set_up(run *r, const small_system *system, series_options options)
{
    memset(r, 0, sizeof *r);
    r->n = system->n;
    r->s = system->s;
    r->mono = options.mono;
    r->order = options.order > 0 && options.order < MOST_ORDER ? options.order : STANDARD_ORDER;
    r->tolerance = options.tolerance > 0 ? (real)options.tolerance : standard_tolerance;
    for (unsigned m = 1; m < MOST_ORDER + 2; m++) {
        r->per[m] = (real)1 / m;
    }
    set_couplings(r, system);
    for (size_t j = 0; j < r->s; j++) {
        set_contact(r, system, j);
    }
    for (size_t j = 0; j < r->s; j++) {
        contact *k = &r->contacts[j];
        k->depth = depth_of(k, r->speed * r->speed / (2 * r->d[j][j]));
    }
    r->band = 100 * rounding * r->speed;
}

/* ---- Series ---------------------------------------------------------------------------------- */

static real force_at(const contact *k, real x)
{
    if (!(x > 0)) {
        return 0;
    }
    return k->stiffness * (k->hertz ? x * ROOT(x) : POWER(x, k->exponent));
}

static bool acts(const contact *k)
{
    return k->phase != OPEN && !k->faint;
}

static real product(const real *a, const real *b, unsigned order)
{
    real sum = 0;
    for (unsigned m = 0; m <= order; m++) {
        sum += a[m] * b[order - m];
    }
    return sum;
}

/* m x_0 f_m = sum over l = 1 .. m of ((eta + 1) l - m) x_l f_(m-l), from x f' = eta x' f; and
 * l x_l = rate c_(l-1).
 */
static void next_force(const run *r, contact *k, unsigned m)
{
    if (k->whole == 1) {
        k->fs[m] = k->stiffness * k->xs[m];
    } else if (k->whole == 2) {
        k->fs[m] = k->stiffness * product(k->xs, k->xs, m);
    } else if (k->whole == 3) {
        k->squares[m] = product(k->xs, k->xs, m);
        k->fs[m] = k->stiffness * product(k->squares, k->xs, m);
    } else if (m == 0) {
        k->fs[0] = k->force;
    } else {
        real by_c = product(k->cs, k->fs, m - 1), by_x = 0;
        for (unsigned l = 1; l <= m; l++) {
            by_x += k->xs[l] * k->fs[m - l];
        }
        k->fs[m] = ((k->exponent + 1) * k->rate * by_c * r->per[m] - by_x) * k->per_x;
    }
}

static void mark_faint(run *r)
{
    for (size_t j = 0; j < r->s; j++) {
        contact *k = &r->contacts[j];
        real e = k->restitution, pace;
        k->rate = k->phase == OPEN ? 0 : k->phase == EXPANDING && !r->mono ? 1 / (e * e) : (real)1;
        pace = SIZE_OF(k->rate * k->c);
        if (k->phase == OPEN || k->whole > 0) {
            k->faint = false;
            continue;
        }
        k->force = force_at(k, k->x);
        k->faint =
            !(k->x > 0) || k->strongest * k->force * k->x < 0.1L * r->tolerance * r->speed * pace;
        k->per_x = k->faint ? (real)0 : 1 / k->x;
    }
}

static void expand(run *r)
{
    for (size_t j = 0; j < r->s; j++) {
        contact *k = &r->contacts[j];
        k->xs[0] = k->x;
        k->cs[0] = k->c;
    }
    for (unsigned m = 0; m < r->order; m++) {
        for (size_t j = 0; j < r->s; j++) {
            contact *k = &r->contacts[j];
            k->xs[m + 1] = k->rate * k->cs[m] * r->per[m + 1];
            k->cs[m + 1] = 0;
            if (acts(k)) {
                next_force(r, k, m);
            }
        }
        for (size_t i = 0; i < r->s; i++) {
            contact *from = &r->contacts[i];
            real part = acts(from) ? from->fs[m] * r->per[m + 1] : (real)0;
            for (size_t j = 0; j < r->s && part != 0; j++) {
                r->contacts[j].cs[m + 1] -= r->d[j][i] * part;
            }
        }
    }
}

static real value(const real *series, unsigned order, real t)
{
    real sum = series[order];
    for (unsigned m = order; m-- > 0;) {
        sum = sum * t + series[m];
    }
    return sum;
}

/* No value up to t is above. */
static real highest(const real *series, unsigned order, real t)
{
    real sum = 0;
    for (unsigned m = order + 1; m-- > 0;) {
        sum = sum * t + larger(series[m], 0);
    }
    return sum;
}

/* The last three terms are below the tolerance, and faint contacts stay so. */
static real step_length(const run *r)
{
    real h = HUGE_VALL;
    for (unsigned m = r->order - 2; m <= r->order; m++) {
        real most = 0;
        for (size_t j = 0; j < r->s; j++) {
            const contact *k = &r->contacts[j];
            most = larger(most, SIZE_OF(k->cs[m]) / r->speed);
            most = larger(most, SIZE_OF(k->xs[m]) / k->depth);
        }
        if (most > 0) {
            h = smaller(h, 0.9L * (real)expl(logl((long double)(r->tolerance / most)) / m));
        }
    }
    for (size_t j = 0; j < r->s; j++) {
        const contact *k = &r->contacts[j];
        if (!k->faint || k->phase == OPEN) {
            continue;
        }
        if (!(h < HUGE_VALL)) {
            h = k->depth / larger(k->c, r->band);
        }
        const real most = 0.1L * r->tolerance * r->speed;
        for (int round = 0; round < 200; round++) {
            real x = highest(k->xs, r->order, h);
            real impulse = k->strongest * force_at(k, x) * h;
            if (impulse <= most) {
                break;
            }
            h *= larger(0.1L, 0.9L * (real)powl((long double)(most / impulse),
                                                1.0L / (1.0L + (long double)k->exponent)));
        }
    }
    return h;
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* g is at most 0 at first. */
typedef struct watched {
    real g[MOST_ORDER + 1];
    unsigned order;
    real finest; /* no need to look closer */
} watched;

static real root_between(const watched *w, real a, real b)
{
    for (int i = 0; i < 120 && b - a > rounding * b; i++) {
        real middle = a + (b - a) / 2;
        *(value(w->g, w->order, middle) > 0 ? &b : &a) = middle;
    }
    return b;
}

/* The first t in [a, b] with g > 0, or -1. Round the middle g is a polynomial with coefficients s
 * in units of the half width: where their sum is below 0 there is none; where one part outweighs
 * the rest of the slope there is one at most, and the end tells; else both halves are looked at.
 */
static real first_above(const watched *w, real a, real b)
{
    real half = (b - a) / 2, middle = a + half, s[MOST_ORDER + 1], unit = 1, above = 0, rest = 0;
    memcpy(s, w->g, sizeof s);
    for (unsigned i = 0; i < w->order; i++) {
        for (unsigned m = w->order; m-- > i;) {
            s[m] += middle * s[m + 1];
        }
    }
    for (unsigned m = 1; m <= w->order; m++) {
        unit *= half;
        s[m] *= unit;
        above += SIZE_OF(s[m]);
        rest += m > 1 ? m * SIZE_OF(s[m]) : (real)0;
    }
    if (s[0] + above <= 0) {
        return -1;
    }
    if (SIZE_OF(s[1]) > rest || half < w->finest) {
        return value(w->g, w->order, b) > 0 ? root_between(w, a, b) : (real)-1;
    }
    real first = first_above(w, a, middle);
    return first >= 0 ? first : first_above(w, middle, b);
}

static real first_in(const watched *w, real h)
{
    return w->g[0] + highest(w->g, w->order, h) <= 0 ? (real)-1 : first_above(w, 0, h);
}

static void watch(watched *w, const real *series, unsigned order, int sign, real level, real h)
{
    w->order = order;
    w->finest = 1e-13L * h;
    for (unsigned m = 0; m <= order; m++) {
        w->g[m] = sign > 0 ? series[m] : -series[m];
    }
    w->g[0] = smaller(w->g[0] - level, 0);
}

typedef struct event {
    size_t contact; /* SMALL: none */
    bool opening;   /* else its speed has changed sign */
} event;

/* Lowers *h to the first event. */
static event find_event(const run *r, real *h)
{
    event found = {.contact = SMALL};
    for (size_t j = 0; j < r->s; j++) {
        const contact *k = &r->contacts[j];
        watched w;
        if (k->phase != ELASTIC) {
            watch(&w, k->cs, r->order, k->phase == COMPRESSED ? -1 : 1, r->band, *h);
            real t = first_in(&w, *h);
            if (t >= 0) {
                *h = t;
                found = (event){j, false};
            }
        }
        if (k->phase == ELASTIC || k->phase == EXPANDING) {
            watch(&w, k->xs, r->order, -1, -k->open_at, *h);
            real t = first_in(&w, *h);
            if (t >= 0) {
                *h = t;
                found = (event){j, true};
            }
        }
    }
    return found;
}

/* ---- Phases ---------------------------------------------------------------------------------- */

/* What the contact has taken in since the phase began: c f dt is dE, or e^2 dE. */
static void book(const run *r, contact *k)
{
    real e = k->restitution, share = k->phase == EXPANDING && !r->mono ? e * e : (real)1;
    k->loss += share * (energy_at(k, k->x) - energy_at(k, k->since));
    k->since = k->x;
}

static void open_contact(const run *r, contact *k)
{
    if (k->open_at == 0 && k->restitution > 0) {
        k->x = 0; /* but for rounding it is */
    }
    book(r, k);
    k->phase = OPEN;
    k->x = k->since = k->open_at = 0;
}

static void turn(run *r, contact *k)
{
    real e = k->restitution;
    if (k->phase == OPEN) {
        k->phase = e == 1 ? ELASTIC : COMPRESSED;
        k->x = k->since = k->open_at = 0;
        return;
    }
    book(r, k);
    if (k->phase == EXPANDING) {
        k->phase = COMPRESSED;
    } else if (e == 0) {
        open_contact(r, k);
    } else {
        k->phase = EXPANDING;
        k->open_at = r->mono ? k->x * POWER(1 - e * e, 1 / (k->exponent + 1)) : (real)0;
    }
}

/* What a step has left on the wrong side; true if there was any. */
static bool settle(run *r)
{
    bool changed = false;
    for (size_t j = 0; j < r->s; j++) {
        contact *k = &r->contacts[j];
        bool closing = k->c > r->band, parting = k->c < -r->band;
        if ((k->phase == COMPRESSED && parting) ||
            ((k->phase == EXPANDING || k->phase == OPEN) && closing)) {
            turn(r, k);
            r->events++;
            changed = true;
        } else if ((k->phase == EXPANDING || k->phase == ELASTIC) && k->x <= k->open_at &&
                   !closing && (k->phase == EXPANDING || parting)) {
            open_contact(r, k);
            r->events++;
            changed = true;
        }
    }
    return changed;
}

/* Its speed goes through 0 at the end of the step, too: to call it later than the one that was
 * found would change the outcome where a plastic contact turns, which gives up its force at once.
 */
static bool turns_as_well(const run *r, const contact *k, real h)
{
    if (k->phase == ELASTIC || SIZE_OF(k->c) > r->band) {
        return false;
    }
    real slope = 0;
    for (unsigned m = r->order; m > 0; m--) {
        slope = slope * h + m * k->cs[m];
    }
    return k->phase == COMPRESSED ? slope < 0 : slope > 0;
}

static void act(run *r, event e, real h)
{
    bool turns[SMALL] = {false};
    for (size_t j = 0; j < r->s && !e.opening; j++) {
        turns[j] = turns_as_well(r, &r->contacts[j], h);
    }
    if (e.opening) {
        open_contact(r, &r->contacts[e.contact]);
    } else {
        turns[e.contact] = true;
    }
    r->events++;
    for (size_t j = 0; j < r->s; j++) {
        if (turns[j]) {
            turn(r, &r->contacts[j]);
        }
    }
}

static void renew_speeds(run *r)
{
    for (size_t j = 0; j < r->s; j++) {
        contact *k = &r->contacts[j];
        k->c = k->start_c;
        for (size_t i = 0; i < r->s; i++) {
            k->c -= r->d[j][i] * r->contacts[i].p;
        }
    }
}

static void advance(run *r, real h)
{
    for (size_t j = 0; j < r->s; j++) {
        contact *k = &r->contacts[j];
        if (k->phase != OPEN) {
            k->x = larger(value(k->xs, r->order, h), 0);
        }
        if (acts(k)) {
            real sum = 0;
            for (unsigned m = r->order; m-- > 0;) {
                sum = sum * h + k->fs[m] * r->per[m + 1];
            }
            k->p += sum * h;
        }
    }
    renew_speeds(r);
}

/* ---- The end --------------------------------------------------------------------------------- */

static bool all_open(const run *r)
{
    for (size_t j = 0; j < r->s; j++) {
        if (r->contacts[j].phase != OPEN) {
            return false;
        }
    }
    return true;
}

/* Nothing changes any more: what is not pressed is open. false: it is not that. */
static bool release_idle(run *r)
{
    bool any = false;
    for (size_t j = 0; j < r->s; j++) {
        contact *k = &r->contacts[j];
        if (k->phase != OPEN && !(k->x > 0)) {
            open_contact(r, k);
            any = true;
        }
    }
    return any;
}

/* With v* the plastic projection of v, what is to come differs from v* by no more than
 * sqrt(|v - v*|^2 + 2E) in the norm of M (docs/accuracy.md, "How an impact ends").
 */
static bool close_tail(run *r, real tail, series_judgement *result)
{
    long double d[SMALL * SMALL], c[SMALL], p[SMALL];
    real twice = 0;
    const real most = tail * r->speed;
    for (size_t j = 0; j < r->s; j++) {
        twice += 2 * energy_at(&r->contacts[j], r->contacts[j].x);
        c[j] = (long double)r->contacts[j].c;
    }
    if (r->lightest * twice > most * most) {
        return false;
    }
    for (size_t j = 0; j < r->s; j++) {
        for (size_t k = 0; k < r->s; k++) {
            d[j * SMALL + k] = (long double)r->d[j][k];
        }
    }
    dense_project(d, r->s, 1e-18L * (long double)r->speed, c, p);
    for (size_t j = 0; j < r->s; j++) {
        real left = r->contacts[j].c;
        for (size_t k = 0; k < r->s; k++) {
            twice += (real)p[j] * r->d[j][k] * (real)p[k];
            left -= r->d[j][k] * (real)p[k];
        }
        if (left > 0.01L * most) {
            return false; /* the projection has failed */
        }
    }
    if (r->lightest * twice > most * most) {
        return false;
    }
    for (size_t j = 0; j < r->s; j++) {
        book(r, &r->contacts[j]);
        r->contacts[j].p += p[j];
    }
    result->tail = true;
    result->tail_speed = (double)(ROOT(r->lightest * twice) / r->speed);
    return true;
}

static void report(const run *r, const small_system *system, series_judgement *result)
{
    for (size_t i = 0; i < r->n; i++) {
        real v = system->velocity[i];
        for (size_t j = 0; j < r->s; j++) {
            v += r->answer[j][i] * r->contacts[j].p;
        }
        result->velocity[i] = (double)v;
    }
    for (size_t j = 0; j < r->s; j++) {
        result->impulse[j] = (double)r->contacts[j].p;
        result->loss[j] = (double)(r->contacts[j].loss + (real)system->stored_energy[j]);
    }
    result->speed = (double)r->speed;
    result->events = r->events;
}

series_judgement NAME(const small_system *system, series_options options)
{
    series_judgement result = {0};
    run r;
    set_up(&r, system, options);
    const real tail = options.tail > 0 ? (real)options.tail : (real)1e-12L;
    const unsigned long limit = options.limit > 0 ? options.limit : STANDARD_LIMIT;
    real time = 0;
    for (; result.steps < limit; result.steps++) {
        for (unsigned round = 0; round < 4 * SMALL && settle(&r); round++) {
        }
        result.finished = all_open(&r) || (result.steps % TAIL_INTERVAL == TAIL_INTERVAL - 1 &&
                                           close_tail(&r, tail, &result));
        if (result.finished) {
            break;
        }
        mark_faint(&r);
        expand(&r);
        real h = step_length(&r);
        if (!(h > 0 && h < HUGE_VALL)) {
            if (!release_idle(&r)) {
                break;
            }
            continue;
        }
        event next = find_event(&r, &h);
        advance(&r, h);
        time += h;
        if (next.contact < SMALL) {
            act(&r, next, h);
        }
    }
    if (!result.finished) { /* what it may come to is said by tail_speed */
        result.finished = close_tail(&r, (real)1, &result);
    }
    result.duration = (double)time;
    report(&r, system, &result);
    return result;
}

#ifndef SERIES_QUAD
#ifdef CAROM_HAVE_QUAD
series_judgement series_judge_quad(const small_system *system, series_options options);
#endif

bool series_has_quad(void)
{
#ifdef CAROM_HAVE_QUAD
    return true;
#else
    return false;
#endif
}

series_judgement series_judge(const small_system *system, series_options options)
{
#ifdef CAROM_HAVE_QUAD
    if (options.quad) {
        return series_judge_quad(system, options);
    }
#endif
    return series_judge_extended(system, options);
}
#endif
