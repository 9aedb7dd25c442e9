/* When a gap closes for the first time.
 *
 * Parabolas have a formula. Everything else is found by steps that cannot pass a root: if the
 * second derivative of a gap is never below -A, then g + u s - A s^2/2 is below the gap, and up to
 * the root of that parabola nothing closes. Near a root with u < 0 the steps converge like
 * Newton's.
 *
 * A gap that is closed within rounding and not closing further is a contact of this instant. The
 * step away from it must not pass a second meeting: u s - A s^2/2 > 0 until s = 2u/A. Where u is 0,
 * the first derivative that is not 0 decides.
 */
#include <float.h>
#include <math.h>

#include "base/elementary.h"
#include "motion/flight/flight.h"

/* Rounding of speeds and accelerations, which are sums of a few products, relative to their terms.
 */
static const double ROUNDING = 64 * DBL_EPSILON;
/* After this many steps the time reached is returned as a lower bound. */
enum { MOST_STEPS = 64 };
/* Steps by third or fourth derivatives are shortened by this, for rounding. */
static const double WITHIN = 0.9;

double flight_speed_noise(double speed)
{
    return ROUNDING * speed;
}

double flight_parabola_root(double g, double u, double a)
{
    if (!(g > 0)) {
        return u < 0 ? 0 : a < 0 ? -2 * u / a : INFINITY;
    }
    double square = u * u - 2 * a * g;
    if (u > 0) {
        return a < 0 ? (u + sqrt(square)) / -a : INFINITY;
    }
    if (!(square >= 0) || (u == 0 && a >= 0)) {
        return INFINITY;
    }
    return 2 * g / (sqrt(square) - u);
}

/* ---- Lengths that oscillate ------------------------------------------------------------------ */

typedef struct derivatives {
    double g, u, a, third;
    double middle, middle_u; /* without the oscillation */
} derivatives;

static derivatives evaluate(const flight_length *l, double t)
{
    double s = t - l->time;
    derivatives d = {.middle = l->g + s * (l->u + 0.5 * s * l->a), .middle_u = l->u + s * l->a};
    d.g = 0;
    d.u = d.middle_u;
    d.a = l->a;
    for (int k = 0; k < l->swings; k++) {
        double w = l->omega[k], angle = w * t + l->phase[k], b = l->b[k];
        double sine = crm_sin(angle), cosine = crm_cos(angle);
        d.middle -= b * crm_sin(w * l->time + l->phase[k]);
        d.g += b * sine;
        d.u += b * w * cosine;
        d.a -= b * w * w * sine;
        d.third -= b * w * w * w * cosine;
    }
    d.g += d.middle;
    return d;
}

/* Sum of |b| omega^power, which bounds the derivative of that order of the oscillation. */
static double bound(const flight_length *l, int power)
{
    double sum = 0;
    for (int k = 0; k < l->swings; k++) {
        sum += fabs(l->b[k]) * crm_pow(l->omega[k], power);
    }
    return sum;
}

/* Rounding of accelerations, by that of the time, too. */
static double acceleration_noise(const flight_length *l, double t)
{
    double late = DBL_EPSILON * fabs(t);
    return ROUNDING * (fabs(l->a) + bound(l, 2)) + 8 * late * bound(l, 3);
}

/* From a contact that is not closing: the length of a step; 0: the contact is pressed. */
static double leave_touch(const flight_length *l, double t, const derivatives *d)
{
    double speed = flight_speed_noise(l->speed + bound(l, 1));
    double least = l->a - bound(l, 2), noise = acceleration_noise(l, t);
    if (d->u > speed) {
        return least < 0 ? -2 * d->u / least : INFINITY;
    }
    if (l->swings == 0) {
        return d->a < -noise ? 0 : INFINITY;
    }
    if (fabs(d->a) > noise) {
        return d->a < 0 ? 0 : WITHIN * 3 * d->a / bound(l, 3);
    }
    return d->third > 0 ? WITHIN * 4 * d->third / bound(l, 4) : 0;
}

static double next_step(const flight_length *l, double t)
{
    derivatives d = evaluate(l, t);
    double reach = bound(l, 0);
    if (l->swings > 0 && d.middle > reach * (1 + ROUNDING) + l->noise) {
        double far = flight_parabola_root(d.middle - reach, d.middle_u, l->a);
        if (t + far > t) { /* else it is there, within rounding */
            return far;
        }
    }
    if (d.g > l->noise) {
        return flight_parabola_root(d.g, d.u, l->a - bound(l, 2));
    }
    return d.u < -flight_speed_noise(l->speed + bound(l, 1)) ? 0 : leave_touch(l, t, &d);
}

double flight_length_root(const flight_length *l, double from, bool *provisional)
{
    double t = from;
    *provisional = false;
    for (int step = 0; step < MOST_STEPS; step++) {
        double s = next_step(l, t);
        if (!(t + s > t)) {
            return t;
        }
        t += s;
        if (!(t < INFINITY) || (l->swings == 0 && step == 0)) {
            return t;
        }
    }
    *provisional = true;
    return t;
}

/* ---- Two balls on any trajectories ----------------------------------------------------------- */

typedef struct approach {
    double r[3], w[3], a[3]; /* relative */
    double distance, gap, u, speed;
} approach;

static approach evaluate_pair(const flight *f, size_t i, size_t k, double t)
{
    approach p;
    double xi[3], vi[3], ai[3], xk[3], vk[3], ak[3];
    flight_state_at(f, i, t, xi, vi);
    flight_state_at(f, k, t, xk, vk);
    flight_acceleration(f, i, t, ai);
    flight_acceleration(f, k, t, ak);
    for (int d = 0; d < 3; d++) {
        p.r[d] = xk[d] - xi[d];
        p.w[d] = vk[d] - vi[d];
        p.a[d] = ak[d] - ai[d];
    }
    p.distance = sqrt(flight_dot(p.r, p.r));
    p.gap = p.distance - f->ball[i].radius - f->ball[k].radius;
    p.u = flight_dot(p.r, p.w) / p.distance;
    p.speed = sqrt(flight_dot(vi, vi)) + sqrt(flight_dot(vk, vk));
    return p;
}

/* Where gap and u are 0, r^2 - R^2 = s^2 (q0 + q1 s + q2 s^2) on parabolas. */
static double leave_pair(const approach *p, double most, double swing)
{
    if (p->u > flight_speed_noise(p->speed)) {
        return most > 0 ? 2 * p->u / most : INFINITY;
    }
    double q0 = flight_dot(p->w, p->w) + flight_dot(p->r, p->a);
    double noise = ROUNDING * (flight_dot(p->w, p->w) + p->distance * most);
    q0 = fabs(q0) <= noise ? 0 : q0;
    if (q0 < 0) {
        return 0;
    }
    double s = flight_parabola_root(q0, flight_dot(p->w, p->a), 0.5 * flight_dot(p->a, p->a));
    /* With an oscillation the series goes on: a step in which accelerations hardly change. */
    double short_step = swing > 0 ? 1e-3 * sqrt(p->distance / (most > 0 ? most : 1)) : INFINITY;
    return fmin(WITHIN * s, short_step);
}

double flight_gap_root(const flight *f, size_t i, size_t k, double from, bool *provisional)
{
    double t = from, swing = flight_swing_acceleration(f, i) + flight_swing_acceleration(f, k);
    *provisional = false;
    for (int step = 0; step < MOST_STEPS; step++) {
        approach p = evaluate_pair(f, i, k, t);
        double most =
            swing > 0 ? 2 * swing + sqrt(flight_dot(p.a, p.a)) : sqrt(flight_dot(p.a, p.a));
        double noise =
            4 * DBL_EPSILON *
            (p.distance + fabs(f->ball[i].x[0]) + fabs(f->ball[i].x[1]) + fabs(f->ball[i].x[2]));
        double s;
        if (p.gap > noise) {
            s = flight_parabola_root(p.gap, p.u, -most);
        } else {
            s = p.u < -flight_speed_noise(p.speed) ? 0 : leave_pair(&p, most, swing);
        }
        if (!(t + s > t)) {
            return t;
        }
        t += s;
        if (!(t < INFINITY)) {
            return t;
        }
    }
    *provisional = true;
    return t;
}
