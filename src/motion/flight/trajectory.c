/* Position, velocity and energy of a ball at a time, in closed form. */
#include <math.h>

#include "base/elementary.h"
#include "motion/flight/flight.h"

/* ---- Balls ----------------------------------------------------------------------------------- */

static void fall(const flight_ball *b, const double *a, double t, double *x, double *v)
{
    double dt = t - b->time;
    for (int d = 0; d < 3; d++) {
        x[d] = b->x[d] + dt * (b->v[d] + 0.5 * dt * a[d]);
        v[d] = b->v[d] + dt * a[d];
    }
}

/* Adds the oscillation of the wall that carries the ball, relative to its state at the ball's own
 * time, whose velocity contains it.
 */
static void swing(const flight *f, size_t i, double t, double *x, double *v)
{
    const crm_wall *wall = &f->wall[f->support[i].carrier];
    const flight_ball *b = &f->ball[i];
    double before = crm_wall_speed(wall, b->time) - wall->speed;
    double speed = crm_wall_speed(wall, t) - wall->speed;
    double way = wall->amplitude *
                 (crm_sin(crm_wall_angle(wall, t)) - crm_sin(crm_wall_angle(wall, b->time)));
    for (int d = 0; d < 3; d++) {
        x[d] += wall->normal[d] * (way - before * (t - b->time));
        v[d] += wall->normal[d] * (speed - before);
    }
}

void flight_state_at(const flight *f, size_t i, double t, double *x, double *v)
{
    static const double ZERO[3] = {0, 0, 0};
    const uint8_t mode = f->mode[i];
    fall(&f->ball[i],
         mode == FLIGHT_FREE        ? f->gravity
         : mode == FLIGHT_SUPPORTED ? f->support[i].a
                                    : ZERO,
         t, x, v);
    if (mode == FLIGHT_SUPPORTED && f->support[i].carrier != FLIGHT_NONE) {
        swing(f, i, t, x, v);
    }
}

void flight_acceleration(const flight *f, size_t i, double t, double *a)
{
    bool is_carried = f->mode[i] == FLIGHT_SUPPORTED && f->support[i].carrier != FLIGHT_NONE;
    const crm_wall *wall = is_carried ? &f->wall[f->support[i].carrier] : NULL;
    double swings = is_carried ? crm_wall_acceleration(wall, t) : 0;
    for (int d = 0; d < 3; d++) {
        a[d] = f->mode[i] == FLIGHT_FREE        ? f->gravity[d]
               : f->mode[i] == FLIGHT_SUPPORTED ? f->support[i].a[d]
                                                : 0;
        a[d] += is_carried ? swings * wall->normal[d] : 0;
    }
}

double flight_swing_acceleration(const flight *f, size_t i)
{
    if (f->mode[i] != FLIGHT_SUPPORTED || f->support[i].carrier == FLIGHT_NONE) {
        return 0;
    }
    const crm_wall *wall = &f->wall[f->support[i].carrier];
    return fabs(wall->amplitude) * wall->omega * wall->omega;
}

static double energy_of(const flight *f, size_t i, double t, double *potential)
{
    double x[3], v[3];
    flight_state_at(f, i, t, x, v);
    *potential = f->inverse_mass[i] > 0 ? -flight_dot(f->gravity, x) / f->inverse_mass[i] : 0;
    return f->inverse_mass[i] > 0 ? 0.5 * flight_dot(v, v) / f->inverse_mass[i] : 0;
}

/* Whether a moving wall supports the ball, and so does work on it between events. */
static bool is_driven(const flight *f, size_t i)
{
    const flight_support *support = &f->support[i];
    bool driven = false;
    for (uint32_t k = 0; f->mode[i] == FLIGHT_SUPPORTED && k < support->count; k++) {
        const crm_wall *wall = &f->wall[support->wall[k]];
        driven |= wall->speed != 0 || wall->amplitude != 0;
    }
    return driven;
}

/* Work done since the ball's own time. */
static double work_until(const flight *f, size_t i, double t)
{
    double before, after;
    double kinetic = energy_of(f, i, f->ball[i].time, &before);
    return energy_of(f, i, t, &after) - kinetic + after - before;
}

void flight_advance(flight *f, size_t i, double t)
{
    flight_ball *b = &f->ball[i];
    if (f->mode[i] == FLIGHT_FIXED) {
        return;
    }
    if (is_driven(f, i)) {
        crm_sum_add(&f->work, work_until(f, i, t));
    }
    double x[3], v[3];
    flight_state_at(f, i, t, x, v);
    for (int d = 0; d < 3; d++) {
        b->x[d] = x[d];
        b->v[d] = v[d];
    }
    b->time = t;
}

void flight_energies(const flight *f, double t, double *kinetic, double *potential, double *work)
{
    crm_sum sums[3] = {{0, 0}, {0, 0}, {0, 0}};
    for (size_t i = 0; i < f->balls; i++) {
        double high;
        if (f->mode[i] == FLIGHT_EXTERNAL) {
            continue;
        }
        crm_sum_add(&sums[0], energy_of(f, i, t, &high));
        crm_sum_add(&sums[1], high);
        if (is_driven(f, i)) {
            crm_sum_add(&sums[2], work_until(f, i, t));
        }
    }
    *kinetic = sums[0].sum + sums[0].remainder;
    *potential = sums[1].sum + sums[1].remainder;
    *work = sums[2].sum + sums[2].remainder;
}
