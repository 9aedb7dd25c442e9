/* Distances of convex bodies against a search by brute force in long double, and gaps, their
 * gradients and biases against finite differences along random motions.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "motion/scene/scene.h"
#include "support.h"

static const long double TURN = 6.283185307179586476925286766559L;

/* ---- Bodies ---------------------------------------------------------------------------------- */

typedef enum kind { DISC, ROD, THIN, BOX, ELLIPSE, NEEDLE, PLANE_KINDS } kind;

static crm_body_def any_body(rng *r, kind k)
{
    crm_body_def body = crm_body_def_default();
    body.mass = rng_uniform(r, 0.5, 2);
    body.angle = rng_uniform(r, -4, 4);
    body.radius = rng_uniform(r, 0.1, 0.5);
    body.length = rng_uniform(r, 0.3, 2);
    for (int d = 0; d < 2; d++) {
        body.size[d] = rng_uniform(r, 0.2, 2);
        body.semi_axes[d] = rng_uniform(r, 0.2, 1);
        body.position[d] = rng_uniform(r, -1.5, 1.5);
    }
    body.semi_axes[1] *= k == NEEDLE ? 1e-3 : 1;
    body.radius *= k == THIN ? 0 : 1;
    static const crm_shape shapes[] = {CRM_SHAPE_SPHERE, CRM_SHAPE_ROD,     CRM_SHAPE_ROD,
                                       CRM_SHAPE_BOX,    CRM_SHAPE_ELLIPSE, CRM_SHAPE_ELLIPSE};
    body.shape = shapes[k];
    return body;
}

/* A unit quaternion, and semi-axes up to `thin` apart. */
static crm_body_def any_ellipsoid(rng *r, double thin)
{
    crm_body_def body = crm_body_def_default();
    double square = 0;
    body.shape = CRM_SHAPE_ELLIPSOID;
    body.mass = rng_uniform(r, 0.5, 2);
    for (int d = 0; d < 3; d++) {
        body.semi_axes[d] = exp(rng_uniform(r, log(thin), 0));
        body.position[d] = rng_uniform(r, -1.5, 1.5);
    }
    for (int d = 0; d < 4; d++) {
        body.orientation[d] = rng_uniform(r, -1, 1);
        square += body.orientation[d] * body.orientation[d];
    }
    for (int d = 0; d < 4; d++) {
        body.orientation[d] /= sqrt(square);
    }
    return body;
}

/* ---- Distances by search --------------------------------------------------------------------- */

typedef long double vector[3];

static long double inner(const vector a, const vector b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The body's axis k, from its angle or quaternion. */
static void axis_of(const crm_body_def *body, int k, vector axis)
{
    memset(axis, 0, sizeof(vector));
    if (body->shape != CRM_SHAPE_ELLIPSOID) {
        long double angle = (long double)body->angle + k * TURN / 4;
        axis[0] = k < 2 ? cosl(angle) : 0;
        axis[1] = k < 2 ? sinl(angle) : 0;
        axis[2] = k < 2 ? 0 : 1;
        return;
    }
    /* e turned: e + 2 w u x e + 2 u x (u x e), for a unit quaternion w, u */
    const double *q = body->orientation;
    vector e = {0}, once, turned;
    e[k] = 1;
    const vector u = {q[1], q[2], q[3]};
    for (int d = 0; d < 3; d++) {
        int i = (d + 1) % 3, j = (d + 2) % 3;
        once[d] = u[i] * e[j] - u[j] * e[i];
    }
    for (int d = 0; d < 3; d++) {
        int i = (d + 1) % 3, j = (d + 2) % 3;
        turned[d] = u[i] * once[j] - u[j] * once[i];
        axis[d] = e[d] + 2 * (q[0] * once[d] + turned[d]);
    }
}

/* max n.(x - centre) over the body */
static long double support(const crm_body_def *body, const vector n)
{
    long double sum = 0, radius = isnan(body->radius) ? 0 : body->radius;
    long double part[3];
    for (int k = 0; k < 3; k++) {
        vector axis;
        axis_of(body, k, axis);
        part[k] = inner(axis, n);
    }
    switch (body->shape) {
    case CRM_SHAPE_SPHERE:
        return radius;
    case CRM_SHAPE_ROD:
        return radius + 0.5L * body->length * fabsl(part[0]);
    case CRM_SHAPE_BOX:
        return 0.5L * (body->size[0] * fabsl(part[0]) + body->size[1] * fabsl(part[1]));
    default:
        for (int k = 0; k < (body->shape == CRM_SHAPE_ELLIPSE ? 2 : 3); k++) {
            sum += body->semi_axes[k] * part[k] * body->semi_axes[k] * part[k];
        }
        return sqrtl(sum);
    }
}

static long double separation_along(const crm_body_def *a, const crm_body_def *b, const vector n)
{
    long double sum = 0;
    const vector back = {-n[0], -n[1], -n[2]};
    for (int d = 0; d < 3; d++) {
        sum += n[d] * ((long double)b->position[d] - a->position[d]);
    }
    return sum - support(a, n) - support(b, back);
}

static long double separation_at(const crm_body_def *a, const crm_body_def *b, long double angle)
{
    const vector n = {cosl(angle), sinl(angle), 0};
    return separation_along(a, b, n);
}

/* The best of many directions, then golden sections about it. */
static long double search_plane(const crm_body_def *a, const crm_body_def *b)
{
    enum { DIRECTIONS = 4000 };
    const long double golden = 0.5L * (sqrtl(5) - 1);
    long double best = -INFINITY, at = 0;
    for (int k = 0; k < DIRECTIONS; k++) {
        long double s = separation_at(a, b, k * TURN / DIRECTIONS);
        if (s > best) {
            best = s;
            at = k * TURN / DIRECTIONS;
        }
    }
    long double low = at - TURN / DIRECTIONS, high = at + TURN / DIRECTIONS;
    for (int k = 0; k < 100; k++) {
        long double x = high - golden * (high - low), y = low + golden * (high - low);
        *(separation_at(a, b, x) > separation_at(a, b, y) ? &high : &low) =
            separation_at(a, b, x) > separation_at(a, b, y) ? y : x;
    }
    return separation_at(a, b, 0.5L * (low + high));
}

/* Directions on a spiral, then steps about the best that shrink when none is better. */
static long double search_space(const crm_body_def *a, const crm_body_def *b)
{
    enum { DIRECTIONS = 4000 };
    long double best = -INFINITY;
    vector at = {1, 0, 0};
    for (int k = 0; k < DIRECTIONS; k++) {
        long double z = 1 - (2 * k + 1.0L) / DIRECTIONS, angle = k * 2.39996322972865332L;
        const vector n = {sqrtl(1 - z * z) * cosl(angle), sqrtl(1 - z * z) * sinl(angle), z};
        long double s = separation_along(a, b, n);
        if (s > best) {
            best = s;
            memcpy(at, n, sizeof n);
        }
    }
    for (long double step = 0.05L; step > 1e-12L;) {
        bool better = false;
        for (int k = 0; k < 8 && !better; k++) {
            vector u = {0.3L, -0.5L, 0.8L}, v, n;
            for (int d = 0; d < 3; d++) { /* two directions across `at`, mixed */
                v[d] = at[(d + 1) % 3] * u[(d + 2) % 3] - at[(d + 2) % 3] * u[(d + 1) % 3];
            }
            for (int d = 0; d < 3; d++) {
                int i = (d + 1) % 3, j = (d + 2) % 3;
                long double w = at[i] * v[j] - at[j] * v[i];
                n[d] = at[d] + step * (cosl(k * TURN / 8) * v[d] + sinl(k * TURN / 8) * w);
            }
            long double length = sqrtl(inner(n, n));
            for (int d = 0; d < 3; d++) {
                n[d] /= length;
            }
            long double s = separation_along(a, b, n);
            if (s > best) {
                best = s;
                memcpy(at, n, sizeof n);
                better = true;
            }
        }
        step *= better ? 1.5L : 0.6L;
    }
    return best;
}

/* Rounding of sums of lengths up to 5. */
static const double ROUNDING = 1e-14;

/* Move b along the line of the centres so that the gap is about as wanted. */
static void place_at_gap(const crm_body_def *a, crm_body_def *b, unsigned dimension, double wanted)
{
    for (int k = 0; k < 30; k++) {
        crm_solid first = crm_solid_of(a, dimension), second = crm_solid_of(b, dimension);
        crm_gap near = crm_gap_solids(&first, &second, 0, NULL);
        for (unsigned d = 0; d < dimension; d++) {
            b->position[d] += (wanted - near.gap) * near.normal[d];
        }
    }
}

static void compare_distance(const crm_body_def *a, const crm_body_def *b, unsigned dimension)
{
    crm_solid first = crm_solid_of(a, dimension), second = crm_solid_of(b, dimension);
    size_t places = crm_gap_places(&first, &second);
    double want = (double)(dimension == 2 ? search_plane(a, b) : search_space(a, b));
    if (places == 1) {
        crm_gap near = crm_gap_solids(&first, &second, 0, NULL);
        const vector n = {near.normal[0], near.normal[1], near.normal[2]};
        assert_near(near.gap, want, ROUNDING);
        assert_near((double)separation_along(a, b, n), want, ROUNDING);
        crm_gap back = crm_gap_solids(&second, &first, 0, NULL);
        assert_near(back.gap, near.gap, ROUNDING);
        return;
    }
    /* Beyond the end of a side a gap is less than the distance, but not below 0. */
    double least = INFINITY;
    for (size_t k = 0; k < places; k++) {
        least = fmin(least, crm_gap_solids(&first, &second, k, NULL).gap);
    }
    if (want > 0) {
        assert_true(least > 0 && least <= want + ROUNDING);
    }
    if (want > 0 && first.radius + second.radius > 0) {
        assert_near(least, want, ROUNDING);
    }
    assert_near(fmax(0, crm_gap_depth(&first, &second)),
                fmax(0, -want - first.radius - second.radius), ROUNDING);
}

static void distances_in_the_plane(void **state)
{
    (void)state;
    static const double gaps[] = {2, 0.1, 1e-6, 0, -1e-6};
    rng r = rng_seeded(1);
    for (int k = 0; k < PLANE_KINDS * PLANE_KINDS * 12; k++) {
        kind first = (kind)(k % PLANE_KINDS), second = (kind)(k / PLANE_KINDS % PLANE_KINDS);
        crm_body_def a = any_body(&r, first), b = any_body(&r, second);
        bool corners = first >= ROD && first <= BOX && second >= ROD && second <= BOX;
        b.position[0] += 2.5; /* apart to begin with */
        if (!corners) {
            double wanted = gaps[k / (PLANE_KINDS * PLANE_KINDS) % 5];
            place_at_gap(&a, &b, 2, first == NEEDLE || second == NEEDLE ? fmax(wanted, 0) : wanted);
        } else if (k % 3 == 0) {
            b.position[0] -= 2;
        }
        compare_distance(&a, &b, 2);
    }
}

static void distances_in_space(void **state)
{
    (void)state;
    static const double gaps[] = {2, 0.1, 1e-6, 0, -1e-6};
    rng r = rng_seeded(2);
    for (int k = 0; k < 60; k++) {
        crm_body_def a = any_ellipsoid(&r, k % 2 == 0 ? 0.3 : 0.03);
        crm_body_def b = k % 4 == 3 ? ball_at(0.3, 1, 0, 0, 0.1) : any_ellipsoid(&r, 0.1);
        b.position[0] += 2.5;
        place_at_gap(&a, &b, 3, gaps[k % 5]);
        compare_distance(&a, &b, 3);
    }
}

/* ---- Differences ----------------------------------------------------------------------------- */

enum { POSITIONS = 14, VELOCITIES = 12 };
static const double STEP = 2e-4;

/* q after `time` with v + a t, by q' = G v in small steps of Runge and Kutta. */
static void follow(const scene_system *s, const double *q0, const double *v, const double *a,
                   double time, double *q)
{
    enum { PARTS = 4 };
    static const double node[] = {0, 0.5, 0.5, 1}, weight[] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
    memcpy(q, q0, s->positions * sizeof *q);
    for (int k = 0; k < PARTS; k++) {
        double h = time / PARTS, rate[POSITIONS] = {0}, sum[POSITIONS] = {0};
        for (int stage = 0; stage < 4; stage++) {
            double at[POSITIONS], now[VELOCITIES];
            for (size_t i = 0; i < s->positions; i++) {
                at[i] = q[i] + node[stage] * h * rate[i];
            }
            for (size_t i = 0; i < s->velocities; i++) {
                now[i] = v[i] + (k + node[stage]) * h * a[i];
            }
            scene_kinematics(s, at, now, rate);
            for (size_t i = 0; i < s->positions; i++) {
                sum[i] += weight[stage] * rate[i];
            }
        }
        for (size_t i = 0; i < s->positions; i++) {
            q[i] += h * sum[i];
        }
    }
}

/* Where the second derivative jumps or changes fast, differences say nothing: false. */
static bool compare_rates(const scene_system *s, const scene_gap *gap, const double *q,
                          const double *v, const double *a)
{
    static const double FIRST = 2e-9, SECOND = 2e-5, THIRD = 1e3;
    double g[7], w[VELOCITIES];
    for (int k = 0; k < 7; k++) {
        double there[POSITIONS];
        follow(s, q, v, a, (k - 3) * STEP, there);
        g[k] = scene_measure_gap(s, gap, (k - 3) * STEP, there, NULL).gap;
    }
    for (int k = 0; k < 4; k++) {
        double third = g[k + 3] - 3 * g[k + 2] + 3 * g[k + 1] - g[k];
        if (fabs(third) > THIRD * STEP * STEP * STEP) {
            return false;
        }
    }
    scene_measure m = scene_measure_gap(s, gap, 0, q, v);
    scene_gap_gradient(s, gap, q, w);
    double u = m.rate, bend = m.bias;
    for (size_t i = 0; i < s->velocities; i++) {
        u += w[i] * v[i];
        bend += w[i] * a[i];
    }
    double slope = (g[6] - 9 * g[5] + 45 * g[4] - 45 * g[2] + 9 * g[1] - g[0]) / (60 * STEP);
    double second = (2 * (g[6] + g[0]) - 27 * (g[5] + g[1]) + 270 * (g[4] + g[2]) - 490 * g[3]) /
                    (180 * STEP * STEP);
    assert_near(u, slope, FIRST * (1 + fabs(slope)));
    assert_near(bend, second, SECOND * (1 + fabs(second)));
    return true;
}

/* All gaps of two bodies and a wall; how many could be compared. */
static size_t compare_pair(const crm_body_def *a, const crm_body_def *b, unsigned dimension, rng *r)
{
    const crm_body_def body[] = {*a, *b};
    crm_wall_def wall = crm_wall_def_default();
    const crm_wall_motion swing = {0.2, 0.7, 0.3};
    wall.normal[0] = 0.3;
    wall.normal[1] = -1.2;
    wall.point[0] = 5;
    crm_scene_def def = crm_scene_def_default();
    def.bodies = bodies_def(dimension, body, 2);
    def.bodies.walls = &wall;
    def.bodies.wall_count = 1;
    def.wall_motion = &swing;
    crm_error error = {0};
    scene_system *s;
    assert_ok(scene_make(&def, &s, &error), &error);
    double q[POSITIONS], v[VELOCITIES], acceleration[VELOCITIES];
    scene_start(s, &def, q, v);
    for (size_t i = 0; i < s->velocities; i++) {
        v[i] = rng_uniform(r, -1, 1);
        acceleration[i] = rng_uniform(r, -1, 1);
    }
    scene_gap gap[3 * SCENE_GAPS_MOST];
    size_t count = scene_pair_gaps(s, 0, 1, gap), compared = 0;
    count += scene_pair_gaps(s, 0, 2, gap + count);
    count += scene_pair_gaps(s, 1, 2, gap + count);
    for (size_t k = 0; k < count; k++) {
        compared += compare_rates(s, &gap[k], q, v, acceleration);
    }
    scene_free(s);
    return compared;
}

static void rates_in_the_plane(void **state)
{
    (void)state;
    static const double gaps[] = {2, 0.1, 1e-3, 0, -1e-6};
    size_t compared[PLANE_KINDS][PLANE_KINDS] = {0};
    rng r = rng_seeded(3);
    for (int k = 0; k < PLANE_KINDS * PLANE_KINDS * 40; k++) {
        kind first = (kind)(k % PLANE_KINDS), second = (kind)(k / PLANE_KINDS % PLANE_KINDS);
        crm_body_def a = any_body(&r, first), b = any_body(&r, second);
        b.position[0] += 2.5;
        if (first == DISC || second == DISC || first > BOX || second > BOX) {
            place_at_gap(&a, &b, 2, gaps[k / (PLANE_KINDS * PLANE_KINDS) % 5]);
        }
        compared[first][second] += compare_pair(&a, &b, 2, &r);
    }
    for (int i = 0; i < PLANE_KINDS; i++) {
        for (int j = 0; j < PLANE_KINDS; j++) {
            assert_true(compared[i][j] > 60);
        }
    }
}

static void rates_in_space(void **state)
{
    (void)state;
    static const double gaps[] = {2, 0.1, 1e-3, 0, -1e-6};
    size_t compared = 0;
    rng r = rng_seeded(4);
    for (int k = 0; k < 300; k++) {
        crm_body_def a = any_ellipsoid(&r, k % 2 == 0 ? 0.3 : 0.03);
        crm_body_def b = k % 4 == 3 ? ball_at(0.3, 1, 0, 0, 0.1) : any_ellipsoid(&r, 0.1);
        b.position[0] += 2.5;
        place_at_gap(&a, &b, 3, gaps[k % 5]);
        compared += compare_pair(k % 3 == 0 ? &b : &a, k % 3 == 0 ? &a : &b, 3, &r);
    }
    assert_true(compared > 700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_in_the_plane),
        cmocka_unit_test(distances_in_space),
        cmocka_unit_test(rates_in_the_plane),
        cmocka_unit_test(rates_in_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
