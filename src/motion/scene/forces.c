/* Gravity, springs and dampers. A spring pulls its ends together, along n from the first to the
 * second, with stiffness (l - length) + damping l'; the first part has a potential.
 */
#include <math.h>
#include <string.h>

#include "motion/scene/scene.h"

/* Forces act on centres. */
static const double CENTRE[3];

/* A spring as it is now. */
typedef struct stretch {
    double n[3];
    double length, rate;
} stretch;

/* Ends in one place have no direction: any will do, the first axis, for there a spring without
 * length pulls with 0, and in the line the damper is the same both ways.
 */
static stretch look_at(const scene_system *s, const crm_spring_def *spring, const double *q,
                       const double *v)
{
    scene_point a = scene_point_at(s, spring->first, 0, q, v), b = {0};
    if (spring->second != SIZE_MAX) {
        b = scene_point_at(s, spring->second, 0, q, v);
    } else {
        memcpy(b.x, spring->point, s->dimension * sizeof *b.x);
    }
    stretch now = {0};
    double square = 0;
    for (unsigned d = 0; d < s->dimension; d++) {
        now.n[d] = b.x[d] - a.x[d];
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
        now.rate += now.n[d] * (b.v[d] - a.v[d]);
    }
    return now;
}

static void add_spring(const scene_system *s, const crm_spring_def *spring, const double *q,
                       const double *v, double *force)
{
    stretch now = look_at(s, spring, q, v);
    double pull = spring->stiffness * (now.length - spring->length) + spring->damping * now.rate;
    double on_first[3], on_second[3];
    for (unsigned d = 0; d < 3; d++) {
        on_first[d] = pull * now.n[d];
        on_second[d] = -on_first[d];
    }
    scene_push(s, spring->first, CENTRE, q, on_first, force);
    if (spring->second != SIZE_MAX) {
        scene_push(s, spring->second, CENTRE, q, on_second, force);
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
        scene_push(s, i, CENTRE, q, weight, force);
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
            scene_point p = scene_point_at(s, i, 0, q, NULL);
            sum -= s->body[i].mass * crm_dot(s->gravity, p.x, s->dimension);
        }
    }
    for (size_t k = 0; k < s->springs; k++) {
        double longer = look_at(s, &s->spring[k], q, NULL).length - s->spring[k].length;
        sum += 0.5 * s->spring[k].stiffness * longer * longer;
    }
    return sum;
}
