/* Where points of bodies are.
 *
 * With e = (cos a, sin a) along a rod and m = (-sin a, cos a) across it, e' = a' m and m' = -a' e:
 *     rod at s:  x = c + s e,                       v = c' + s a' m,   J'v = -s a'^2 e
 * A bob hangs along r = cos(a) d + sin(a) c, d straight down, c = d turned by a right angle, with
 * r' = a' t, t = -sin(a) d + cos(a) c and t' = -a' r:
 *     bob:       x = from + l r,                    v = l a' t,        J'v = -l a'^2 r
 */
#include <math.h>
#include <string.h>

#include "motion/scene/scene.h"

double scene_angle(const scene_system *s, size_t rod, const double *q)
{
    const scene_body *b = &s->body[rod];
    return b->hold == SCENE_FIXED ? b->angle : q[b->position + 2];
}

double scene_spin(const scene_system *s, size_t rod, const double *v)
{
    const scene_body *b = &s->body[rod];
    return v == NULL || b->hold == SCENE_FIXED ? 0 : v[b->velocity + 2];
}

static scene_point bob_at(const scene_system *s, const scene_body *b, double angle, double spin)
{
    scene_point p = {0};
    double cosine = cos(angle), sine = sin(angle);
    for (unsigned d = 0; d < 2; d++) {
        double r = cosine * s->down[d] + sine * s->across[d];
        double t = -sine * s->down[d] + cosine * s->across[d];
        p.x[d] = b->place[d] + b->string * r;
        p.v[d] = b->string * spin * t;
        p.a[d] = -b->string * spin * spin * r;
    }
    return p;
}

static void move_along(scene_point *p, double along, double angle, double spin)
{
    double cosine = cos(angle), sine = sin(angle);
    p->x[0] += along * cosine;
    p->x[1] += along * sine;
    p->v[0] -= along * spin * sine;
    p->v[1] += along * spin * cosine;
    p->a[0] -= along * spin * spin * cosine;
    p->a[1] -= along * spin * spin * sine;
}

scene_point scene_point_at(const scene_system *s, size_t body, double along, const double *q,
                           const double *v)
{
    const scene_body *b = &s->body[body];
    if (b->hold == SCENE_HUNG) {
        return bob_at(s, b, q[b->position], v != NULL ? v[b->velocity] : 0);
    }
    scene_point p = {0};
    bool fixed = b->hold == SCENE_FIXED;
    for (unsigned d = 0; d < s->dimension; d++) {
        p.x[d] = fixed ? b->place[d] : q[b->position + d];
        p.v[d] = fixed || v == NULL ? 0 : v[b->velocity + d];
    }
    if (along != 0) {
        move_along(&p, along, scene_angle(s, body, q), scene_spin(s, body, v));
    }
    return p;
}

size_t scene_share(const scene_system *s, size_t body, const double arm[3], const double *q,
                   const double n[3], double share[SCENE_SHARE_MOST])
{
    const scene_body *b = &s->body[body];
    if (b->hold == SCENE_FIXED) {
        return 0;
    }
    if (b->hold == SCENE_HUNG) {
        double cosine = cos(q[b->position]), sine = sin(q[b->position]);
        share[0] = 0;
        for (unsigned d = 0; d < 2; d++) {
            share[0] += b->string * (-sine * s->down[d] + cosine * s->across[d]) * n[d];
        }
        return 1;
    }
    for (unsigned d = 0; d < s->dimension; d++) {
        share[d] = n[d];
    }
    if (b->rod) {
        share[2] = arm[0] * n[1] - arm[1] * n[0];
    }
    return (size_t)s->dimension + b->rod;
}

void scene_push(const scene_system *s, size_t body, const double arm[3], const double *q,
                const double n[3], double *w)
{
    double share[SCENE_SHARE_MOST];
    size_t count = scene_share(s, body, arm, q, n, share);
    for (size_t k = 0; k < count; k++) {
        w[s->body[body].velocity + k] += share[k];
    }
}

double scene_reach(const scene_system *s, size_t body)
{
    return s->body[body].radius + s->body[body].half;
}

void scene_kinematics(const scene_system *s, const double *q, const double *v, double *rate)
{
    (void)q;
    memcpy(rate, v, s->velocities * sizeof *rate);
}

void scene_normalize(const scene_system *s, double *q)
{
    (void)s;
    (void)q;
}
