/* Two convex bodies overlap by the least depth over all directions n,
 *
 *     -max over n of (x_b - x_a).n - h_a(n) - h_b(-n),
 *
 * h their support functions, which are even here. The largest value is sampled, then narrowed
 * around the best sample.
 */
#include "overlap.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
enum { MOST_BODIES = 32, DIRECTIONS = 720, THIRDS = 60 };

typedef struct placed {
    const crm_body_def *body;
    double x, y, angle;
} placed;

static double support(const placed *p, double direction)
{
    const crm_body_def *b = p->body;
    double along = fabs(cos(direction - p->angle)), across = fabs(sin(direction - p->angle));
    switch (b->shape) {
    case CRM_SHAPE_SPHERE:
        return b->radius;
    case CRM_SHAPE_ROD:
        return 0.5 * b->length * along + b->radius;
    case CRM_SHAPE_BOX:
        return 0.5 * (b->size[0] * along + b->size[1] * across);
    default:
        return hypot(b->semi_axes[0] * along, b->semi_axes[1] * across);
    }
}

/* Of a circle around it. */
static double reach(const crm_body_def *b)
{
    switch (b->shape) {
    case CRM_SHAPE_SPHERE:
        return b->radius;
    case CRM_SHAPE_ROD:
        return 0.5 * b->length + b->radius;
    case CRM_SHAPE_BOX:
        return 0.5 * hypot(b->size[0], b->size[1]);
    default:
        return fmax(b->semi_axes[0], b->semi_axes[1]);
    }
}

static double room(const placed *a, const placed *b, double direction)
{
    return (b->x - a->x) * cos(direction) + (b->y - a->y) * sin(direction) - support(a, direction) -
           support(b, direction);
}

static double depth(const placed *a, const placed *b)
{
    const double width = 2 * PI / DIRECTIONS;
    if (hypot(b->x - a->x, b->y - a->y) > reach(a->body) + reach(b->body)) {
        return 0;
    }
    double best = 0, most = -INFINITY;
    for (int k = 0; k < DIRECTIONS; k++) {
        double here = room(a, b, k * width);
        best = here > most ? k * width : best;
        most = fmax(most, here);
    }
    double low = best - width, high = best + width;
    for (int k = 0; k < THIRDS; k++) {
        double left = low + (high - low) / 3, right = high - (high - low) / 3;
        double at_left = room(a, b, left), at_right = room(a, b, right);
        most = fmax(most, fmax(at_left, at_right));
        *(at_left > at_right ? &high : &low) = at_left > at_right ? right : left;
    }
    return -most;
}

static double depth_in_wall(const placed *p, const crm_wall_def *wall)
{
    double direction = atan2(wall->normal[1], wall->normal[0]);
    return support(p, direction) - (p->x - wall->point[0]) * cos(direction) -
           (p->y - wall->point[1]) * sin(direction);
}

/* A sphere has two coordinates, other bodies three, fixed ones none. */
static void place(const crm_bodies_def *bodies, const double *q, placed *p)
{
    for (size_t i = 0; i < bodies->body_count && i < MOST_BODIES; i++) {
        const crm_body_def *b = &bodies->bodies[i];
        p[i] = (placed){b, b->position[0], b->position[1], b->angle};
        if (!b->fixed) {
            p[i].x = *q++;
            p[i].y = *q++;
            p[i].angle = b->shape == CRM_SHAPE_SPHERE ? 0 : *q++;
        }
    }
}

double overlap_most(const crm_scene_def *scene, const double *q)
{
    const crm_bodies_def *bodies = &scene->bodies;
    placed p[MOST_BODIES];
    double most = bodies->body_count > MOST_BODIES ? INFINITY : 0;
    place(bodies, q, p);
    for (size_t i = 0; i < bodies->body_count && i < MOST_BODIES; i++) {
        for (size_t k = 0; k < i; k++) {
            bool fixed = p[i].body->fixed && p[k].body->fixed;
            most = fmax(most, fixed ? 0 : depth(&p[k], &p[i]));
        }
        for (size_t k = 0; k < bodies->wall_count && !p[i].body->fixed; k++) {
            most = fmax(most, depth_in_wall(&p[i], &bodies->walls[k]));
        }
    }
    return most;
}
