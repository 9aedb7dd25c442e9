/* Where points of bodies are.
 *
 * With e = (cos a, sin a) along a rod and m = (-sin a, cos a) across it, e' = a' m and m' = -a' e:
 *     rod at s:  x = c + s e,                       v = c' + s a' m,   J'v = -s a'^2 e
 * A bob hangs along r = cos(a) d + sin(a) c, d straight down, c = d turned by a right angle, with
 * r' = a' t, t = -sin(a) d + cos(a) c and t' = -a' r:
 *     bob:       x = from + l r,                    v = l a' t,        J'v = -l a'^2 r
 */
#include <math.h>

#include "motion/scene/scene.h"

double scene_angle(const scene_system *s, size_t rod, const double *q)
{
    const scene_body *b = &s->body[rod];
    return b->hold == SCENE_FIXED ? b->angle : q[b->start + 2];
}

double scene_spin(const scene_system *s, size_t rod, const double *v)
{
    const scene_body *b = &s->body[rod];
    return v == NULL || b->hold == SCENE_FIXED ? 0 : v[b->start + 2];
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
        return bob_at(s, b, q[b->start], v != NULL ? v[b->start] : 0);
    }
    scene_point p = {0};
    bool fixed = b->hold == SCENE_FIXED;
    for (unsigned d = 0; d < s->dimension; d++) {
        p.x[d] = fixed ? b->place[d] : q[b->start + d];
        p.v[d] = fixed || v == NULL ? 0 : v[b->start + d];
    }
    if (along != 0) {
        move_along(&p, along, scene_angle(s, body, q), scene_spin(s, body, v));
    }
    return p;
}

void scene_push(const scene_system *s, size_t body, double along, const double *q, const double *n,
                double *w)
{
    const scene_body *b = &s->body[body];
    if (b->hold == SCENE_FIXED) {
        return;
    }
    if (b->hold == SCENE_HUNG) {
        double cosine = cos(q[b->start]), sine = sin(q[b->start]);
        for (unsigned d = 0; d < 2; d++) {
            w[b->start] += b->string * (-sine * s->down[d] + cosine * s->across[d]) * n[d];
        }
        return;
    }
    for (unsigned d = 0; d < s->dimension; d++) {
        w[b->start + d] += n[d];
    }
    if (along != 0) {
        double angle = q[b->start + 2];
        w[b->start + 2] += along * (cos(angle) * n[1] - sin(angle) * n[0]);
    }
}
