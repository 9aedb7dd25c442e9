/* Gravity, springs, dampers, and gyroscopic moments -w x J w about a body's own axes. A spring
 * pulls its ends together, along n from the first to the second, with stiffness (l - length) +
 * damping l'; the first part has a potential.
 */
#include <math.h>
#include <string.h>

#include "motion/scene/scene.h"

/* Direction, length and rate of a spring. */
typedef struct stretch {
    double n[3];
    double length, rate;
} stretch;

/* Ends in one place have no direction: the first axis is taken. A spring with length 0 exerts no
 * force there.
 */
static stretch stretch_of(const scene_system *s, const crm_spring_def *spring, const double *q,
                          const double *v)
{
    bool held = spring->second == SIZE_MAX;
    crm_solid a = scene_solid(s, spring->first, q), b = {0};
    crm_solid_rate a_rate = {0}, b_rate = {0};
    if (held) {
        memcpy(b.centre, spring->point, s->dimension * sizeof(double));
    } else {
        b = scene_solid(s, spring->second, q);
    }
    if (v != NULL) {
        a_rate = scene_rate(s, spring->first, &a, q, v);
        b_rate = held ? b_rate : scene_rate(s, spring->second, &b, q, v);
    }
    stretch now = {0};
    double square = 0;
    for (unsigned d = 0; d < s->dimension; d++) {
        now.n[d] = b.centre[d] - a.centre[d];
        square += now.n[d] * now.n[d];
    }
    now.length = sqrt(square);
    if (now.length > 0) {
        for (unsigned d = 0; d < s->dimension; d++) {
            now.n[d] /= now.length;
        }
    } else {
        now.n[0] = 1;
    }
    for (unsigned d = 0; d < s->dimension; d++) {
        now.rate += now.n[d] * (b_rate.velocity[d] - a_rate.velocity[d]);
    }
    return now;
}

static void add_spring(const scene_system *s, const crm_spring_def *spring, const double *q,
                       const double *v, double *force)
{
    stretch now = stretch_of(s, spring, q, v);
    double pull = spring->stiffness * (now.length - spring->length) + spring->damping * now.rate;
    double on_first[3], on_second[3];
    for (unsigned d = 0; d < 3; d++) {
        on_first[d] = pull * now.n[d];
        on_second[d] = -on_first[d];
    }
    scene_add_force(s, spring->first, q, on_first, force);
    if (spring->second != SIZE_MAX) {
        scene_add_force(s, spring->second, q, on_second, force);
    }
}

static void add_gyroscopic(const scene_system *s, const scene_body *b, const double *v,
                           double *force)
{
    size_t first = b->velocity + s->dimension;
    const double *w = v + first;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        force[first + (size_t)k] += (b->moment[i] - b->moment[j]) * w[i] * w[j];
    }
}

void scene_forces(const scene_system *s, const double *q, const double *v, double *force)
{
    memset(force, 0, s->velocities * sizeof *force);
    for (size_t i = 0; i < s->bodies; i++) {
        double weight[3];
        for (unsigned d = 0; d < 3; d++) {
            weight[d] = s->body[i].mass * s->gravity[d];
        }
        scene_add_force(s, i, q, weight, force);
        if (s->body[i].turns == 3 && s->body[i].hold == SCENE_FREE) {
            add_gyroscopic(s, &s->body[i], v, force);
        }
    }
    for (size_t k = 0; k < s->springs; k++) {
        add_spring(s, &s->spring[k], q, v, force);
    }
}

double scene_potential(const scene_system *s, const double *q)
{
    double sum = 0;
    for (size_t i = 0; i < s->bodies; i++) {
        if (s->body[i].hold != SCENE_FIXED) {
            crm_solid solid = scene_solid(s, i, q);
            sum -= s->body[i].mass * crm_bodies_dot(s->gravity, solid.centre, s->dimension);
        }
    }
    for (size_t k = 0; k < s->springs; k++) {
        double longer = stretch_of(s, &s->spring[k], q, NULL).length - s->spring[k].length;
        sum += 0.5 * s->spring[k].stiffness * longer * longer;
    }
    return sum;
}
