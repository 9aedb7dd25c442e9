/* Positions and velocities of bodies, and generalized forces.
 *
 * A bob hangs along r = cos(a) d + sin(a) c, d straight down, c = d turned by a right angle, with
 * r' = a' t, t = -sin(a) d + cos(a) c and t' = -a' r:
 *
 *     x = from + l r,   v = l a' t,   J'v = -l a'^2 r
 *
 * An ellipsoid has its orientation as a quaternion q, which turns the body's axes into those of
 * space, and its spin w about its own axes: q' = q (0, w) / 2. Axes are made of q / |q|, so that an
 * error in |q| is none in the motion.
 */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "motion/scene/scene.h"

/* ---- Place and orientation ------------------------------------------------------------------- */

static void hang(const scene_system *s, const scene_body *b, double angle, double r[2], double t[2])
{
    double cosine = crm_cos(angle), sine = crm_sin(angle);
    for (unsigned d = 0; d < 2; d++) {
        r[d] = b->string * (cosine * s->down[d] + sine * s->across[d]);
        t[d] = b->string * (-sine * s->down[d] + cosine * s->across[d]);
    }
}

crm_solid scene_solid(const scene_system *s, size_t body, const double *q)
{
    const scene_body *b = &s->body[body];
    crm_solid solid = b->solid;
    if (b->hold == SCENE_HUNG) {
        double r[2], t[2];
        hang(s, b, q[b->position], r, t);
        solid.centre[0] = b->from[0] + r[0];
        solid.centre[1] = b->from[1] + r[1];
    } else if (b->hold == SCENE_FREE) {
        memcpy(solid.centre, q + b->position, s->dimension * sizeof(double));
        if (b->turns == 1) {
            crm_solid_turn(&solid, q[b->position + s->dimension]);
        } else if (b->turns == 3) {
            crm_solid_orient(&solid, q + b->position + s->dimension);
        }
    }
    return solid;
}

crm_solid_rate scene_rate(const scene_system *s, size_t body, const crm_solid *solid,
                          const double *q, const double *v)
{
    const scene_body *b = &s->body[body];
    crm_solid_rate rate = {0};
    if (b->hold == SCENE_HUNG) {
        double r[2], t[2], spin = v[b->velocity];
        hang(s, b, q[b->position], r, t);
        for (unsigned d = 0; d < 2; d++) {
            rate.velocity[d] = spin * t[d];
            rate.bias[d] = -spin * spin * r[d];
        }
    } else if (b->hold == SCENE_FREE) {
        const double *spin = v + b->velocity + s->dimension;
        memcpy(rate.velocity, v + b->velocity, s->dimension * sizeof(double));
        if (b->turns == 1) {
            rate.spin[2] = spin[0];
        }
        for (unsigned k = 0; k < b->turns && b->turns == 3; k++) {
            for (unsigned d = 0; d < 3; d++) {
                rate.spin[d] += spin[k] * solid->axis[k][d];
            }
        }
    }
    return rate;
}

/* ---- Generalized forces ---------------------------------------------------------------------- */

size_t scene_generalized_force(const scene_system *s, size_t body, const crm_solid *solid,
                               const double arm[3], const double *q, const double n[3],
                               double value[SCENE_FORCE_MOST])
{
    const scene_body *b = &s->body[body];
    if (b->hold == SCENE_FIXED) {
        return 0;
    }
    if (b->hold == SCENE_HUNG) {
        double r[2], t[2];
        hang(s, b, q[b->position], r, t);
        value[0] = crm_bodies_dot(t, n, 2);
        return 1;
    }
    memcpy(value, n, s->dimension * sizeof *value);
    double moment[3];
    crm_cross3(arm, n, moment);
    for (unsigned k = 0; k < b->turns; k++) { /* in the plane the one axis is the third */
        value[s->dimension + k] = crm_dot3(solid->axis[b->turns == 1 ? 2 : k], moment);
    }
    return (size_t)s->dimension + b->turns;
}

void scene_add_force(const scene_system *s, size_t body, const double *q, const double n[3],
                     double *w)
{
    static const double CENTRE[3];
    double value[SCENE_FORCE_MOST];
    size_t count = scene_generalized_force(s, body, &s->body[body].solid, CENTRE, q, n, value);
    for (size_t k = 0; k < count; k++) {
        w[s->body[body].velocity + k] += value[k];
    }
}

/* ---- Of the state ---------------------------------------------------------------------------- */

double scene_reach(const scene_system *s, size_t body)
{
    return crm_solid_reach(&s->body[body].solid);
}

static void turn_quaternion(const double *q, const double *w, double *rate)
{
    rate[0] = -0.5 * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]);
    rate[1] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
    rate[2] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
    rate[3] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
}

void scene_kinematics(const scene_system *s, const double *q, const double *v, double *rate)
{
    for (size_t i = 0; i < s->bodies; i++) {
        const scene_body *b = &s->body[i];
        size_t plain = b->positions == b->velocities ? b->positions : s->dimension;
        memcpy(rate + b->position, v + b->velocity, plain * sizeof *rate);
        if (plain < b->positions) {
            turn_quaternion(q + b->position + plain, v + b->velocity + plain,
                            rate + b->position + plain);
        }
    }
}

void scene_normalize(const scene_system *s, double *q)
{
    for (size_t i = 0; i < s->bodies; i++) {
        const scene_body *b = &s->body[i];
        if (b->positions != b->velocities) {
            double *r = q + b->position + s->dimension;
            double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
            for (int k = 0; k < 4; k++) {
                r[k] /= length;
            }
        }
    }
}
