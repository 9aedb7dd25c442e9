#include "motion_balls.h"

#include <math.h>
#include <string.h>

crm_status balls_mass(void *context, const double *q, double *mass)
{
    const balls *b = context;
    (void)q;
    memset(mass, 0, b->count * b->count * sizeof *mass);
    for (size_t i = 0; i < b->count; i++) {
        mass[i * b->count + i] = 2;
    }
    return CRM_OK;
}

crm_status balls_force(void *context, double t, const double *q, const double *v, double *h)
{
    const balls *b = context;
    (void)q, (void)v;
    for (size_t i = 0; i < b->count; i++) {
        h[i] = -2 * b->gravity + (b->pull != NULL ? b->pull(t) : 0);
    }
    return CRM_OK;
}

static crm_status balls_gap(void *context, double t, const double *q, double *gap)
{
    const balls *b = context;
    for (size_t i = 0; i < b->count; i++) {
        gap[i] = q[i] - b->floor - b->amplitude * sin(b->omega * t);
    }
    if (b->ceiling > 0) {
        gap[b->count] = b->ceiling - q[0];
    }
    return CRM_OK;
}

static crm_status balls_gradient(void *context, double t, const double *q, double *w)
{
    const balls *b = context;
    (void)t, (void)q;
    memset(w, 0, (b->count + (b->ceiling > 0)) * b->count * sizeof *w);
    for (size_t i = 0; i < b->count; i++) {
        w[i * b->count + i] = 1;
    }
    if (b->ceiling > 0) {
        w[b->count * b->count] = -1;
    }
    return CRM_OK;
}

static crm_status balls_rate(void *context, double t, const double *q, double *rate)
{
    const balls *b = context;
    (void)q;
    rate[b->count - 1 + (b->ceiling > 0)] = 0;
    for (size_t i = 0; i < b->count; i++) {
        rate[i] = -b->amplitude * b->omega * cos(b->omega * t);
    }
    return CRM_OK;
}

static crm_status balls_bias(void *context, double t, const double *q, const double *v,
                             double *bias)
{
    const balls *b = context;
    (void)q, (void)v;
    bias[b->count - 1 + (b->ceiling > 0)] = 0;
    for (size_t i = 0; i < b->count; i++) {
        bias[i] = b->amplitude * b->omega * b->omega * sin(b->omega * t);
    }
    return CRM_OK;
}

static double balls_potential(void *context, double t, const double *q)
{
    const balls *b = context;
    (void)t;
    double sum = 0;
    for (size_t i = 0; i < b->count; i++) {
        sum += 2 * b->gravity * q[i];
    }
    return sum;
}

crm_lagrangian_def balls_def(balls *b, const double *position, const double *velocity,
                             const double *restitution)
{
    crm_lagrangian_def def = crm_lagrangian_def_default();
    def.context = b;
    def.positions = def.velocities = b->count;
    def.gaps = b->count + (b->ceiling > 0);
    def.mass = balls_mass;
    def.force = balls_force;
    def.gap = balls_gap;
    def.gradient = balls_gradient;
    def.gap_rate = balls_rate;
    def.gap_bias = balls_bias;
    def.potential = balls_potential;
    def.gaps_move = b->amplitude != 0;
    def.position = position;
    def.velocity = velocity;
    def.restitution = restitution;
    return def;
}
