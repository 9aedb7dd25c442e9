/* Balls that rest on walls.
 *
 * With N the normals of the walls that a ball touches without parting from them (into the free
 * side), and b the accelerations of these walls along them, its acceleration is
 *     a = g + N m,  m >= 0,  N'a >= b,  complementary:
 * the least change of g that no wall forbids. There are few walls: every set of them is tried.
 * Walls with m > 0 support the ball, the active ones. It slides on them with a constant
 * acceleration, and follows one that oscillates until the wall falls away faster than the ball
 * would.
 *
 * Bounces with e < 1 accumulate. One that begins with u, pressed back with the acceleration a, and
 * all that follow take 2u/(a (1-e)), and none is higher than u^2/(2a): when both are within the
 * tolerance, the ball is supported from now on and counts as at rest from the end of the last
 * bounce.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "base/elementary.h"
#include "law/law.h"
#include "motion/flight/flight.h"

enum { MOST = 8 }; /* contacts of one ball */
static const double ROUNDING = 64 * DBL_EPSILON;
/* In this part of a period an oscillating acceleration hardly changes. */
static const double PART_OF_PERIOD = 1e-3;
/* Largest cosine between walls at right angles, of which one carries the ball. */
static const double RIGHT_ANGLE = 1e-12;
static const double TWO_PI = 6.28318530717958647692;

typedef struct candidate {
    double normal[3]; /* towards the ball */
    double gap, u;    /* the speed at which the gap opens */
    double b;         /* acceleration of the wall */
    double left;      /* time that the remaining bounces take */
    double speed;     /* of the wall */
    uint32_t party;
} candidate;

typedef struct candidates {
    candidate item[MOST];
    int count;
    int active[3], active_count;
    double m[3]; /* of those */
} candidates;

/* ---- Which contacts count -------------------------------------------------------------------- */

static double restitution_of(const flight *f, const flight_contact *c, double speed)
{
    const crm_law *law = f->motion.law->law;
    double own = flight_restitution(f, c, speed);
    double e = law->single != NULL ? law->single(f->motion.law, own) : own;
    return isnan(e) ? own : e;
}

/* Time that bounces beginning with u against the acceleration a take; INFINITY: too long or too
 * high to be neglected.
 */
static double bounces_left(const flight *f, double u, double a, double e, double size, double t)
{
    double left = 2 * u / (a * (1 - e)), tolerance = f->motion.options.tolerance;
    bool short_enough = left <= tolerance * fmax(t, sqrt(2 * size / a));
    return short_enough && u * u <= 2 * a * tolerance * size ? left : INFINITY;
}

static double acceleration_noise(const flight *f, const crm_wall *wall, double t)
{
    double swing = fabs(wall->amplitude) * wall->omega * wall->omega;
    return 0.5 * (ROUNDING * (sqrt(flight_dot(f->gravity, f->gravity)) + swing) +
                  8 * DBL_EPSILON * fabs(t) * wall->omega * swing);
}

/* Where an oscillating wall neither presses nor recedes, the next derivative decides. */
static bool falls_away(const flight *f, size_t party, double press, double t)
{
    if (party < f->balls || f->wall[party - f->balls].amplitude == 0) {
        return false;
    }
    const crm_wall *wall = &f->wall[party - f->balls];
    double noise = 4 * acceleration_noise(f, wall, t);
    double jerk = -wall->amplitude * crm_cos(wall->omega * t + wall->phase);
    return press < -noise || (press <= noise && jerk <= 0);
}

/* Whether the contact stays closed when the ball has the acceleration a. */
static bool stays_closed(const flight *f, const flight_contact *c, candidate *s, const double *a,
                         double t, double impact_speed)
{
    bool wall = s->party >= f->balls;
    double noise = flight_contact_noise(f, c) + f->motion.options.tolerance * impact_speed;
    double press = s->b - flight_dot(s->normal, a);
    if (s->u < -noise || falls_away(f, s->party, press, t)) {
        return false;
    }
    if (s->u <= noise) {
        return true;
    }
    double e = restitution_of(f, c, s->u), size = flight_contact_size(f, c);
    if (!(press > 0) || !(e < 1)) {
        return false;
    }
    s->left = bounces_left(f, s->u, press, e, size, t);
    double omega = wall ? f->wall[s->party - f->balls].omega : 0;
    return s->left < INFINITY && s->left * omega <= PART_OF_PERIOD;
}

/* ---- The active set -------------------------------------------------------------------------- */

/* G y = rhs for up to three normals, G = N'N; false: they depend on each other. */
static bool solve_normals(const candidates *all, const int *active, int count, const double *rhs,
                          double *y)
{
    double g[3][4];
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            g[i][j] = flight_dot(all->item[active[i]].normal, all->item[active[j]].normal);
        }
        g[i][count] = rhs[i];
    }
    for (int i = 0; i < count; i++) {
        if (!(g[i][i] > 1e-12)) {
            return false;
        }
        for (int k = i + 1; k < count; k++) {
            double factor = g[k][i] / g[i][i];
            for (int j = i; j <= count; j++) {
                g[k][j] -= factor * g[i][j];
            }
        }
    }
    for (int i = count - 1; i >= 0; i--) {
        y[i] = g[i][count];
        for (int j = i + 1; j < count; j++) {
            y[i] -= g[i][j] * y[j];
        }
        y[i] /= g[i][i];
    }
    return true;
}

static void add_normals(const candidates *all, const int *active, int count, const double *y,
                        double *vector)
{
    for (int k = 0; k < count; k++) {
        for (int d = 0; d < 3; d++) {
            vector[d] += y[k] * all->item[active[k]].normal[d];
        }
    }
}

/* Whether `active` is the active set. A wall outside of it may be pressed by rounding of a. With
 * `exact` not even that is accepted, where the ball is free to move along some direction: it would
 * meet that wall again and again.
 */
static bool supports(const flight *f, candidates *all, const int *active, int count, bool exact,
                     double *a)
{
    double rhs[3], noise = ROUNDING * sqrt(flight_dot(f->gravity, f->gravity));
    bool strict = exact && count < (int)f->dimension;
    for (int k = 0; k < count; k++) {
        rhs[k] = all->item[active[k]].b - flight_dot(all->item[active[k]].normal, f->gravity);
        noise += ROUNDING * fabs(all->item[active[k]].b);
    }
    if (!solve_normals(all, active, count, rhs, all->m)) {
        return false;
    }
    bool good = true;
    for (int k = 0; k < count; k++) {
        good &= all->m[k] > 0;
    }
    for (int d = 0; d < 3; d++) {
        a[d] = f->gravity[d];
    }
    add_normals(all, active, count, all->m, a);
    for (int k = 0, at = 0; k < all->count; k++) {
        bool own = at < count && active[at] == k;
        double slack = strict && !own ? 0 : noise;
        good &= flight_dot(all->item[k].normal, a) >= all->item[k].b - slack;
        at += own ? 1 : 0;
    }
    return good;
}

static bool find_set(const flight *f, candidates *all, bool exact, double *a)
{
    for (int size = 0; size <= (int)f->dimension; size++) {
        for (unsigned set = 0; set < 1u << all->count; set++) {
            int active[MOST], count = 0;
            for (int k = 0; k < all->count; k++) {
                if (set >> k & 1) {
                    active[count++] = k;
                }
            }
            if (count == size && supports(f, all, active, count, exact, a)) {
                all->active_count = count;
                for (int k = 0; k < count; k++) {
                    all->active[k] = active[k];
                }
                return true;
            }
        }
    }
    return false;
}

/* Dependent normals satisfy the conditions to rounding only. */
static bool find_active(const flight *f, candidates *all, double *a)
{
    return find_set(f, all, true, a) || find_set(f, all, false, a);
}

/* ---- Candidates ------------------------------------------------------------------------------ */

/* The contact as a candidate; false: not with a wall or fixed ball, or it is one already. */
static bool candidate_of(const flight *f, size_t ball, const flight_contact *c, double t,
                         const candidates *all, candidate *s)
{
    bool second = c->second == ball;
    size_t party = second ? c->first : c->second;
    bool still = party >= f->balls || f->mode[party] == FLIGHT_FIXED;
    bool counts = (!second && c->first != ball) || !still || all->count == MOST;
    for (int k = 0; k < all->count; k++) {
        counts |= all->item[k].party == party;
    }
    *s = (candidate){.gap = c->gap, .u = c->u, .party = (uint32_t)party};
    for (int d = 0; d < 3; d++) {
        s->normal[d] = second ? c->normal[d] : -c->normal[d];
    }
    if (party >= f->balls) {
        s->b = crm_wall_acceleration(&f->wall[party - f->balls], t);
        s->speed = crm_wall_speed(&f->wall[party - f->balls], t);
    }
    return !counts;
}

/* First contacts that gravity presses; then those that are pressed as the ball slides on the first
 * ones: a ball on a slope comes to rest against an upright wall.
 */
static void collect(const flight *f, size_t ball, const flight_contact *contact, size_t contacts,
                    double t, double impact_speed, candidates *all)
{
    double a[3];
    all->count = 0;
    for (size_t j = 0; j < contacts; j++) {
        candidate s;
        if (candidate_of(f, ball, &contact[j], t, all, &s) &&
            stays_closed(f, &contact[j], &s, f->gravity, t, impact_speed)) {
            all->item[all->count++] = s;
        }
    }
    bool active = all->count > 0 && (size_t)all->count < contacts && find_active(f, all, a);
    for (size_t j = 0; active && j < contacts; j++) {
        candidate s;
        if (candidate_of(f, ball, &contact[j], t, all, &s) &&
            !(s.b - flight_dot(s.normal, f->gravity) > 0) &&
            stays_closed(f, &contact[j], &s, a, t, impact_speed)) {
            all->item[all->count++] = s;
        }
    }
}

/* ---- The supported ball ---------------------------------------------------------------------- */

/* v becomes the nearest velocity at which no active gap opens; the energy is accounted for. */
static void stop_parting(flight *f, size_t ball, const candidates *all)
{
    flight_ball *b = &f->ball[ball];
    double rhs[3], y[3], mass = 1 / f->inverse_mass[ball], before = flight_dot(b->v, b->v),
                         work = 0;
    for (int k = 0; k < all->active_count; k++) {
        const candidate *s = &all->item[all->active[k]];
        rhs[k] = s->speed - flight_dot(s->normal, b->v);
    }
    if (!solve_normals(all, all->active, all->active_count, rhs, y)) {
        return;
    }
    add_normals(all, all->active, all->active_count, y, b->v);
    for (int k = 0; k < all->active_count; k++) {
        work += mass * y[k] * all->item[all->active[k]].speed;
    }
    crm_sum_add(&f->work, work);
    crm_sum_add(&f->lost, 0.5 * mass * (before - flight_dot(b->v, b->v)) + work);
}

static void close_gaps(flight *f, size_t ball, const candidates *all)
{
    double rhs[3], y[3];
    for (int k = 0; k < all->active_count; k++) {
        rhs[k] = -all->item[all->active[k]].gap;
    }
    if (solve_normals(all, all->active, all->active_count, rhs, y)) {
        add_normals(all, all->active, all->active_count, y, f->ball[ball].x);
    }
}

/* When the oscillating wall recedes faster than the ball falls: -A w^2 sin(angle) < n.g, that is
 * sin(angle) > n.g/(-A w^2), first reached while the sine rises.
 */
static double find_release(const flight *f, const crm_wall *wall, double t)
{
    double least =
        -flight_dot(wall->normal, f->gravity) / (wall->amplitude * wall->omega * wall->omega);
    bool falls = wall->amplitude < 0; /* equal to a phase half a period later */
    double angle = wall->omega * t + wall->phase + (falls ? 0.5 * TWO_PI : 0);
    least = falls ? -least : least;
    if (!(least < 1)) {
        return INFINITY;
    }
    double turns = floor(angle / TWO_PI), goal = crm_asin(fmax(least, -1));
    double ahead = goal - (angle - TWO_PI * turns);
    return t + (ahead > 0 ? ahead : ahead + TWO_PI) / wall->omega;
}

static bool is_pinned(const flight *f, const candidates *all)
{
    bool still = all->active_count == (int)f->dimension;
    for (int k = 0; k < all->active_count; k++) {
        still &= all->item[all->active[k]].speed == 0 && all->item[all->active[k]].b == 0;
    }
    return still;
}

/* The oscillating wall that carries the ball, or FLIGHT_NONE; its part is taken out of a. A ball
 * wedged between it and another wall needs a group.
 */
static uint32_t find_carrier(flight *f, size_t ball, const candidates *all, double *a)
{
    uint32_t carrier = FLIGHT_NONE;
    for (int k = 0; k < all->active_count; k++) {
        const candidate *s = &all->item[all->active[k]];
        if (s->party < f->balls || f->wall[s->party - f->balls].amplitude == 0) {
            continue;
        }
        carrier = (uint32_t)(s->party - f->balls);
        for (int d = 0; d < 3; d++) {
            a[d] -= s->b * s->normal[d];
        }
        for (int j = 0; j < all->active_count; j++) {
            if (j != k &&
                fabs(flight_dot(s->normal, all->item[all->active[j]].normal)) > RIGHT_ANGLE) {
                flight_add_request(f, ball, FLIGHT_NONE);
            }
        }
    }
    return carrier;
}

/* A ball can rest on a fixed ball, but sliding on one needs a group. */
static void check_fixed(flight *f, size_t ball, const candidates *all)
{
    for (int k = 0; k < all->active_count && !is_pinned(f, all); k++) {
        if (all->item[all->active[k]].party < f->balls) {
            flight_add_request(f, ball, FLIGHT_NONE);
        }
    }
}

static void apply_support(flight *f, size_t ball, const candidates *all, double *a, double t)
{
    flight_support *h = &f->support[ball];
    close_gaps(f, ball, all);
    stop_parting(f, ball, all);
    check_fixed(f, ball, all);
    h->carrier = find_carrier(f, ball, all, a);
    h->release = h->carrier != FLIGHT_NONE ? find_release(f, &f->wall[h->carrier], t) : INFINITY;
    bool pinned = is_pinned(f, all);
    for (int d = 0; d < 3; d++) {
        h->a[d] = pinned ? 0 : a[d];
        f->ball[ball].v[d] = pinned ? 0 : f->ball[ball].v[d];
    }
    h->count = 0;
    for (int k = 0; k < all->active_count; k++) {
        if (all->item[all->active[k]].party >= f->balls) {
            h->wall[h->count++] = (uint32_t)(all->item[all->active[k]].party - f->balls);
        }
    }
    f->mode[ball] = FLIGHT_SUPPORTED;
    f->mixed = true;
}

static bool is_zero(const double *v)
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

static bool is_moving(const flight *f, size_t ball)
{
    if (f->mode[ball] == FLIGHT_FIXED || f->mode[ball] == FLIGHT_EXTERNAL) {
        return false;
    }
    if (f->mode[ball] == FLIGHT_FREE) {
        return !f->weightless || !is_zero(f->ball[ball].v);
    }
    const flight_support *h = &f->support[ball];
    return h->carrier != FLIGHT_NONE || !is_zero(f->ball[ball].v) || !is_zero(h->a);
}

void flight_update_moving(flight *f, size_t ball, double since)
{
    bool moves = is_moving(f, ball);
    if (moves != f->events[ball].moves) {
        f->moving = moves ? f->moving + 1 : f->moving - 1;
        f->events[ball].moves = moves;
    }
    if (!moves) {
        f->rest_since = fmax(f->rest_since, since);
    }
}

void flight_update_support(flight *f, size_t ball, const flight_contact *contact, size_t contacts,
                           double t, double impact_speed)
{
    candidates all;
    double a[3], left = 0;
    f->mode[ball] = FLIGHT_FREE;
    collect(f, ball, contact, contacts, t, impact_speed, &all);
    bool found = all.count > 0 && find_active(f, &all, a) && all.active_count > 0;
    if (found) {
        for (int k = 0; k < all.active_count; k++) {
            left = fmax(left, all.item[all.active[k]].left);
        }
        apply_support(f, ball, &all, a, t);
    }
    flight_update_moving(f, ball, t + left);
}

void flight_release(flight *f, size_t ball, double t)
{
    flight_contact contact[3];
    const flight_support before = f->support[ball];
    flight_advance(f, ball, t);
    for (uint32_t k = 0; k < before.count; k++) {
        contact[k] = flight_contact_at(f, ball, f->balls + before.wall[k], t);
    }
    f->version[ball]++;
    flight_update_support(f, ball, contact, before.count, t, 0);
    flight_predict(f, ball, t, NULL);
}

/* ---- Two bodies ------------------------------------------------------------------------------ */

bool flight_stays_closed(const flight *f, const flight_contact *c, double t, double impact_speed)
{
    if (c->second >= f->balls || f->mode[c->second] == FLIGHT_FIXED ||
        f->mode[c->first] == FLIGHT_FIXED) {
        return false;
    }
    double a[3], b[3], w[3], x[3], v[3];
    flight_acceleration(f, c->first, t, a);
    flight_acceleration(f, c->second, t, b);
    flight_state_at(f, c->first, t, x, v);
    flight_state_at(f, c->second, t, x, w);
    for (int d = 0; d < 3; d++) {
        b[d] -= a[d];
        w[d] -= v[d];
    }
    double size = flight_contact_size(f, c), u = flight_dot(c->normal, w);
    double across = flight_dot(w, w) - u * u;
    double press = -(flight_dot(c->normal, b) + across / size);
    double noise = ROUNDING * (sqrt(flight_dot(b, b)) + across / size);
    if (!(press > noise)) {
        return false;
    }
    double e = restitution_of(f, c, u);
    return u <= flight_contact_noise(f, c) + f->motion.options.tolerance * impact_speed ||
           (e < 1 && bounces_left(f, u, press, e, size, t) < INFINITY);
}
