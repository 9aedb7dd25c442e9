/* The law in its own variables (theory section 2): closing speeds c and indentations x >= 0 with
 *
 *     M v' = W K x^{3/2},   x' = c (c > 0) or c/e^2 (c < 0; 0 at x = 0),
 *
 * by the classical Runge-Kutta method with a constant step, and x cut off at 0 after each. Kinks
 * inside a step cost an error of second order in the step, so that two runs with steps h and 2h
 * show how good it is. It shares nothing with the library but the data.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../clock.h"
#include "runner.h"

/* Balls ahead of the wave: a contact joins when one of its balls moves. Contacts behind it are
 * left out while they do nothing: x = 0 and opening.
 */
typedef struct course {
    const chain *chain;
    size_t first, last; /* contacts looked at */
    double give_back;   /* 1 / e^2 */
    double *v, *x;
    double *dv[4], *dx[4];
    double *v_try, *x_try, *force;
} course;

/* Speeds and closing speeds below this are at rest. */
static const double REST = 1e-9;
enum { LOOK = 256 };

static double closing(const course *r, const double *v, size_t j)
{
    return v[j] - (j + 1 < r->chain->balls ? v[j + 1] : 0);
}

static void slopes(course *r, const double *v, const double *x, double *dv, double *dx)
{
    const chain *c = r->chain;
    r->force[r->first] = 0; /* force[j + 1] is that of contact j */
    for (size_t j = r->first; j < r->last; j++) {
        double speed = closing(r, v, j), held = x[j] > 0 ? x[j] : 0;
        r->force[j + 1] = c->stiffness[j] * held * sqrt(held);
        dx[j] = speed > 0 ? speed : x[j] > 0 ? speed * r->give_back : 0;
    }
    if (r->last < c->balls) {
        r->force[r->last + 1] = 0;
    }
    size_t balls = r->last < c->balls ? r->last + 1 : c->balls;
    for (size_t i = r->first; i < balls; i++) {
        dv[i] = (r->force[i] - r->force[i + 1]) / c->mass[i];
    }
}

static void try_from(course *r, double step, const double *dv, const double *dx)
{
    for (size_t i = r->first; i <= r->last && i < r->chain->balls; i++) {
        r->v_try[i] = r->v[i] + step * dv[i];
        r->x_try[i] = r->x[i] + step * dx[i];
    }
}

static void advance(course *r, double step)
{
    slopes(r, r->v, r->x, r->dv[0], r->dx[0]);
    try_from(r, 0.5 * step, r->dv[0], r->dx[0]);
    slopes(r, r->v_try, r->x_try, r->dv[1], r->dx[1]);
    try_from(r, 0.5 * step, r->dv[1], r->dx[1]);
    slopes(r, r->v_try, r->x_try, r->dv[2], r->dx[2]);
    try_from(r, step, r->dv[2], r->dx[2]);
    slopes(r, r->v_try, r->x_try, r->dv[3], r->dx[3]);
    for (size_t i = r->first; i <= r->last && i < r->chain->balls; i++) {
        r->v[i] += step / 6 * (r->dv[0][i] + 2 * r->dv[1][i] + 2 * r->dv[2][i] + r->dv[3][i]);
        r->x[i] = fmax(
            r->x[i] + step / 6 * (r->dx[0][i] + 2 * r->dx[1][i] + 2 * r->dx[2][i] + r->dx[3][i]),
            0);
    }
}

static bool idle(const course *r, size_t j)
{
    return !(r->x[j] > 0) && closing(r, r->v, j) <= REST;
}

/* Sets the contacts to look at until the next look; false when none is left. The wave passes less
 * than one ball in LOOK steps, and two are kept ahead of it.
 */
static bool look(course *r)
{
    size_t contacts = r->chain->contacts, begin = 0, end = contacts;
    while (begin < contacts && idle(r, begin)) {
        begin++;
    }
    while (end > begin && idle(r, end - 1)) {
        end--;
    }
    if (begin == end) {
        return false;
    }
    r->first = begin > 3 ? begin - 3 : 0;
    r->last = end + 3 < contacts ? end + 3 : contacts;
    return true;
}

/* How far what is left could still change a velocity, when contacts fade without end: it is over
 * when nothing moves faster than REST against its neighbour.
 */
static bool faded(const course *r)
{
    double most = 0;
    for (size_t j = r->first; j < r->last; j++) {
        double speed = pow(r->chain->stiffness[j] / r->chain->mass[0], 0.5) * pow(r->x[j], 1.25);
        most = fmax(most, fmax(closing(r, r->v, j), speed));
    }
    return most < 100 * REST;
}

static void set_up(course *r, const chain *c, double *arrays, double *velocity)
{
    size_t n = c->balls + 2;
    *r = (course){.chain = c, .give_back = 1 / (c->restitution * c->restitution), .v = velocity};
    r->x = arrays;
    r->v_try = arrays + n;
    r->x_try = arrays + 2 * n;
    r->force = arrays + 3 * n;
    for (size_t k = 0; k < 4; k++) {
        r->dv[k] = arrays + (4 + k) * n;
        r->dx[k] = arrays + (8 + k) * n;
    }
    memcpy(velocity, c->velocity, c->balls * sizeof *velocity);
}

void run_reference(const chain *c, double step, uint64_t budget, answer *result)
{
    course r;
    double *arrays = calloc(12 * (c->balls + 2), sizeof *arrays);
    if (arrays == NULL) {
        exit(1);
    }
    set_up(&r, c, arrays, result->velocity);
    result->steps = 0;
    result->finished = false;
    double begin = cpu_seconds();
    while (!result->finished && (budget == 0 || result->steps < budget)) {
        if (result->steps % LOOK == 0) {
            result->finished = !look(&r) || faded(&r);
        }
        if (!result->finished) {
            advance(&r, step);
            result->steps++;
        }
    }
    result->seconds = cpu_seconds() - begin;
    result->duration = step * (double)result->steps;
    free(arrays);
}
