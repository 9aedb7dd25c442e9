/* Codes in plain C that sweep the whole chain at every step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../clock.h"
#include "runner.h"

static double *numbers(size_t count)
{
    double *made = calloc(count, sizeof *made);
    if (made == NULL) {
        exit(1);
    }
    return made;
}

/* ---- P1's time-scale Euler scheme: energies, E^(3/5), elastic chains without a wall --------- */

/* What is still stored is looked at only now and then. */
enum { LOOK = 64 };
static const double STORED = 1e-15;

static void euler_step(const chain *c, double step, const double *factor, double *energy, double *v,
                       double *impulse)
{
    for (size_t j = 0; j < c->contacts; j++) {
        double closing = v[j] - v[j + 1];
        impulse[j] = 0;
        if (energy[j] > 0) {
            impulse[j] = factor[j] * pow(energy[j], 0.6) * step;
        } else if (closing > 0) {
            impulse[j] = 0.5 * c->stiffness[j] * pow(closing * step, 1.5) * step;
        }
    }
    double left = v[0];
    for (size_t j = 0; j < c->contacts; j++) { /* `left` is ball j before the step */
        double before = left - v[j + 1];
        left = v[j + 1];
        v[j] -= impulse[j] / c->mass[j];
        v[j + 1] += impulse[j] / c->mass[j + 1];
        impulse[j] *= 0.5 * before; /* the rest of the work follows when all have moved */
        energy[j] += impulse[j];
        impulse[j] = before != 0 ? impulse[j] / before : 0;
    }
    for (size_t j = 0; j < c->contacts; j++) {
        energy[j] = fmax(energy[j] + impulse[j] * (v[j] - v[j + 1]), 0);
    }
}

static double sum(const double *values, size_t count)
{
    double total = 0;
    for (size_t j = 0; j < count; j++) {
        total += values[j];
    }
    return total;
}

void run_plain_euler(const chain *c, double step, uint64_t budget, answer *result)
{
    double *energy = numbers(c->contacts), *impulse = numbers(c->contacts);
    double *factor = numbers(c->contacts), *v = result->velocity;
    for (size_t j = 0; j < c->contacts; j++) {
        factor[j] = pow(2.5, 0.6) * pow(c->stiffness[j], 0.4);
    }
    memcpy(v, c->velocity, c->balls * sizeof *v);
    result->steps = 0;
    result->finished = false;
    double quiet = STORED * chain_energy(c, v), begin = cpu_seconds();
    while (!result->finished && (budget == 0 || result->steps < budget)) {
        euler_step(c, step, factor, energy, v, impulse);
        result->steps++;
        result->finished =
            result->steps % LOOK == 0 && v[c->balls - 1] > 0 && sum(energy, c->contacts) < quiet;
    }
    result->seconds = cpu_seconds() - begin;
    result->duration = step * (double)result->steps;
    free(energy);
    free(impulse);
    free(factor);
}

/* ---- Velocity Verlet ------------------------------------------------------------------------ */

static double overlap(const double *x, size_t j)
{
    double d = x[j] - x[j + 1];
    return d > 0 ? d : 0;
}

/* Half a kick before and half after each step: joined to one, save the first and the last. */
static void kick(const chain *c, const double *restrict lightness, double step,
                 const double *restrict x, double *restrict v, double *restrict force)
{
    for (size_t j = 0; j < c->contacts; j++) {
        double d = overlap(x, j);
        force[j + 1] = c->stiffness[j] * d * sqrt(d);
    }
    for (size_t i = 0; i < c->balls; i++) {
        v[i] += step * lightness[i] * (force[i] - force[i + 1]);
    }
}

static double stored(const chain *c, const double *x, const double *force)
{
    double energy = 0;
    for (size_t j = 0; j < c->contacts; j++) {
        energy += 0.4 * force[j + 1] * overlap(x, j);
    }
    return energy;
}

void run_verlet(const chain *c, double step, uint64_t budget, answer *result)
{
    double *x = numbers(c->balls), *force = numbers(c->balls + 1), *v = result->velocity;
    double *lightness = numbers(c->balls);
    for (size_t i = 0; i < c->balls; i++) {
        lightness[i] = 1 / c->mass[i];
    }
    memcpy(v, c->velocity, c->balls * sizeof *v);
    double quiet = STORED * chain_energy(c, v);
    result->steps = 0;
    result->finished = false;
    double begin = cpu_seconds();
    kick(c, lightness, 0.5 * step, x, v, force);
    while (!result->finished && (budget == 0 || result->steps < budget)) {
        for (size_t i = 0; i < c->balls; i++) {
            x[i] += step * v[i];
        }
        kick(c, lightness, step, x, v, force);
        result->steps++;
        result->finished =
            result->steps % LOOK == 0 && v[c->balls - 1] > 0 && stored(c, x, force) < quiet;
    }
    kick(c, lightness, -0.5 * step, x, v, force);
    result->seconds = cpu_seconds() - begin;
    result->duration = step * (double)result->steps;
    free(x);
    free(force);
    free(lightness);
}
