#include "flight_judge.h"

#include <math.h>

typedef long double real;

/* Steps of the search over the horizon, and halvings between two of them. */
enum { STEPS = 2000, HALVINGS = 200 };

static real dot(const real *a, const real *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Place and velocity of a ball at s after the scene's time. */
static void fly(const judge_scene *scene, size_t i, real s, real *x, real *v)
{
    for (int d = 0; d < 3; d++) {
        real g = scene->fixed[i] ? 0 : scene->gravity[d];
        x[d] = scene->x[i][d] + s * (scene->v[i][d] + s * g / 2);
        v[d] = scene->v[i][d] + s * g;
    }
}

/* Gap and its velocity; the normal from first to second. */
static real gap_at(const judge_scene *scene, size_t a, size_t b, real s, real *u, real *normal)
{
    real x[3], v[3], y[3], w[3];
    fly(scene, a, s, x, v);
    if (b >= scene->balls) {
        size_t k = b - scene->balls;
        real t = scene->time + s, angle = scene->omega[k] * t + scene->phase[k];
        real place = scene->offset[k] + scene->speed[k] * t + scene->amplitude[k] * sinl(angle);
        real speed = scene->speed[k] + scene->amplitude[k] * scene->omega[k] * cosl(angle);
        for (int d = 0; d < 3; d++) {
            normal[d] = -scene->normal[k][d];
        }
        *u = -dot(normal, v) - speed;
        return -dot(normal, x) - place - scene->radius[a];
    }
    fly(scene, b, s, y, w);
    for (int d = 0; d < 3; d++) {
        normal[d] = y[d] - x[d];
        w[d] -= v[d];
    }
    real distance = sqrtl(dot(normal, normal));
    for (int d = 0; d < 3; d++) {
        normal[d] /= distance;
    }
    *u = dot(normal, w);
    return distance - scene->radius[a] - scene->radius[b];
}

/* The first s > 0 at which c + 2 b s + a s^2 falls through 0; c may be 0 within rounding, then b
 * says whether that is a meeting.
 */
static real first_root(real a, real b, real c, real closed)
{
    if (c <= closed && b < 0) {
        return 0;
    }
    if (c <= closed) {
        return a < 0 ? -2 * b / a : INFINITY;
    }
    real square = b * b - a * c;
    if (square < 0) {
        return INFINITY;
    }
    real root = b < 0 ? c / (-b + sqrtl(square)) : a < 0 ? (-b - sqrtl(square)) / a : INFINITY;
    return root > 0 ? root : INFINITY;
}

static real meet_balls(const judge_scene *scene, size_t i, size_t k)
{
    real r[3], w[3], reach = (real)scene->radius[i] + scene->radius[k];
    for (int d = 0; d < 3; d++) {
        r[d] = (real)scene->x[k][d] - scene->x[i][d];
        w[d] = (real)scene->v[k][d] - scene->v[i][d];
    }
    return first_root(dot(w, w), dot(r, w), dot(r, r) - reach * reach, 1e-13L * reach * reach);
}

static real meet_plane(const judge_scene *scene, size_t i, size_t k)
{
    real g = 0, u = -(real)scene->speed[k], a = 0;
    for (int d = 0; d < 3; d++) {
        g += (real)scene->normal[k][d] * scene->x[i][d];
        u += (real)scene->normal[k][d] * scene->v[i][d];
        a += (real)scene->normal[k][d] * scene->gravity[d];
    }
    g -= scene->offset[k] + (real)scene->speed[k] * scene->time + scene->radius[i];
    return first_root(a / 2, u / 2, g, 1e-13L * (fabsl(scene->offset[k]) + scene->radius[i]));
}

/* Steps: a gap that is closed at the end of one, or lowest within it and closed there. */
static real meet_by_steps(const judge_scene *scene, size_t a, size_t b, real horizon)
{
    real u, n[3], h = horizon / STEPS, closed = 1e-13L * scene->radius[a];
    real g = gap_at(scene, a, b, 0, &u, n);
    if (g <= closed && u < 0) {
        return 0;
    }
    for (int step = 0; step < STEPS; step++) {
        real low = step * h, high = low + h, u_low, u_high;
        real g_low = gap_at(scene, a, b, low, &u_low, n);
        real g_high = gap_at(scene, a, b, high, &u_high, n);
        bool touched = step == 0 && g_low <= closed;
        if (g_high > 0 && !(u_low < 0 && u_high > 0)) {
            continue;
        }
        if (g_high > 0) { /* lowest in between */
            real from = low, to = high;
            for (int k = 0; k < HALVINGS; k++) {
                real middle = (from + to) / 2;
                gap_at(scene, a, b, middle, &u, n);
                u < 0 ? (from = middle) : (to = middle);
            }
            if (gap_at(scene, a, b, to, &u, n) > 0) {
                continue;
            }
            high = to;
        }
        low = touched ? low + h * 1e-3L : low;
        for (int k = 0; k < HALVINGS; k++) {
            real middle = (low + high) / 2;
            gap_at(scene, a, b, middle, &u, n) > 0 ? (low = middle) : (high = middle);
        }
        return high;
    }
    return INFINITY;
}

static real meet(const judge_scene *scene, size_t a, size_t b, real horizon)
{
    bool weightless = scene->gravity[0] == 0 && scene->gravity[1] == 0 && scene->gravity[2] == 0;
    if (b >= scene->balls) {
        size_t k = b - scene->balls;
        return scene->amplitude[k] == 0 ? meet_plane(scene, a, k)
                                        : meet_by_steps(scene, a, b, horizon);
    }
    bool steady = weightless || scene->fixed[a] == scene->fixed[b];
    return steady ? meet_balls(scene, a, b) : meet_by_steps(scene, a, b, horizon);
}

judge_meeting judge_next(const judge_scene *scene, double horizon)
{
    judge_meeting best = {.time = INFINITY};
    real soonest = horizon;
    for (size_t a = 0; a < scene->balls; a++) {
        for (size_t b = a + 1; b < scene->balls + scene->walls; b++) {
            bool still = b >= scene->balls || scene->fixed[b];
            if (scene->fixed[a] && still) {
                continue;
            }
            real s = meet(scene, a, b, soonest);
            if (s < soonest || (s == soonest && best.time == INFINITY)) {
                soonest = s;
                best = (judge_meeting){(double)(scene->time + s), a, b};
            }
        }
    }
    return best;
}

double judge_gap(const judge_scene *scene, size_t first, size_t second, double time, double *u)
{
    real speed, n[3];
    real gap = gap_at(scene, first, second, (real)time - scene->time, &speed, n);
    *u = (double)speed;
    return (double)gap;
}

void judge_bounce(const judge_scene *scene, judge_meeting m, double e, double first[3],
                  double second[3])
{
    real u, n[3], x[3], v[3], w[3] = {0, 0, 0}, s = (real)m.time - scene->time;
    bool wall = m.second >= scene->balls;
    gap_at(scene, m.first, m.second, s, &u, n);
    fly(scene, m.first, s, x, v);
    real a = scene->fixed[m.first] ? 0 : 1 / (real)scene->mass[m.first];
    real b = wall || scene->fixed[m.second] ? 0 : 1 / (real)scene->mass[m.second];
    if (!wall) {
        fly(scene, m.second, s, x, w);
    }
    real p = -(1 + (real)e) * u / (a + b);
    for (int d = 0; d < 3; d++) {
        first[d] = (double)(v[d] - p * a * n[d]);
        second[d] = (double)(w[d] + p * b * n[d]);
    }
}

double judge_overlap(const judge_scene *scene)
{
    double most = 0, u;
    for (size_t a = 0; a < scene->balls; a++) {
        for (size_t b = a + 1; b < scene->balls + scene->walls; b++) {
            bool still = b >= scene->balls || scene->fixed[b];
            if (!(scene->fixed[a] && still) && !(scene->fixed[a] && b >= scene->balls)) {
                size_t first = scene->fixed[a] ? b : a, other = scene->fixed[a] ? a : b;
                most = fmax(most, -judge_gap(scene, first, other, scene->time, &u));
            }
        }
    }
    return most;
}
