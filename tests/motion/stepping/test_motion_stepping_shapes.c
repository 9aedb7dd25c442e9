/* Boxes, rods, ellipses and ellipsoids in equal steps: what holds of discs holds of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "motion_call.h"
#include "support.h"

static const double G = 9.81;
/* Overlap that is promised, of the size of bodies. */
static const double OVERLAP = 1e-8;
/* Of energies: sums over all steps, of rounding where forces are constant. */
static const double ACCOUNT = 1e-10;

enum { BODIES = 12, WALLS = 5, NUMBERS = 7 * BODIES };

typedef struct scene {
    crm_body_def body[BODIES];
    crm_wall_def wall[WALLS];
    double velocity[NUMBERS];
    crm_scene_def def;
} scene;

/* A floor, and walls at 0 and `width` along the other axes. */
static void begin(scene *s, unsigned dimension, size_t bodies, double width)
{
    memset(s, 0, sizeof *s);
    size_t walls = 0;
    for (unsigned d = 0; d < dimension; d++) {
        for (int side = 1; side >= (d + 1 < dimension ? -1 : 1); side -= 2) {
            s->wall[walls] = crm_wall_def_default();
            s->wall[walls].normal[d] = side;
            s->wall[walls++].point[d] = side < 0 ? width : 0;
        }
    }
    for (size_t i = 0; i < bodies; i++) {
        s->body[i] = crm_body_def_default();
        s->body[i].mass = 1;
    }
    s->def = crm_scene_def_default();
    s->def.bodies = bodies_def(dimension, s->body, bodies);
    s->def.bodies.walls = s->wall;
    s->def.bodies.wall_count = walls;
    s->def.velocity = s->velocity;
    s->def.gravity[dimension - 1] = -G;
}

static crm_motion *start(const scene *s, double step)
{
    crm_motion_options options = crm_motion_options_default();
    crm_error error = {0};
    crm_motion *motion = NULL;
    options.scheme = CRM_TIME_STEPPING;
    options.step = step;
    assert_ok(crm_motion_from_scene(&s->def, &options, &motion, &error), &error);
    return motion;
}

/* ---- Heaps ----------------------------------------------------------------------------------- */

static void shape_body(crm_body_def *body, rng *r, unsigned dimension)
{
    const crm_shape flat[] = {CRM_SHAPE_BOX, CRM_SHAPE_ELLIPSE, CRM_SHAPE_ROD, CRM_SHAPE_SPHERE};
    size_t kind = rng_below(r, dimension == 2 ? 4 : 2);
    body->shape = dimension == 2 ? flat[kind] : kind == 0 ? CRM_SHAPE_ELLIPSOID : CRM_SHAPE_SPHERE;
    double a = rng_uniform(r, 0.3, 0.6), b = rng_uniform(r, 0.3, 0.6);
    body->size[0] = 2 * a;
    body->size[1] = 2 * b;
    body->semi_axes[0] = a;
    body->semi_axes[1] = b;
    body->semi_axes[2] = rng_uniform(r, 0.3, 0.6);
    body->length = 2 * a;
    body->radius = body->shape == CRM_SHAPE_SPHERE ? a : body->shape == CRM_SHAPE_ROD ? 0.1 : 0;
    body->angle = rng_uniform(r, 0, 6);
}

static void fill_heap(scene *s, rng *r, unsigned dimension, size_t count)
{
    size_t velocities = 0;
    begin(s, dimension, count, 4);
    for (size_t i = 0; i < count; i++) {
        crm_body_def *body = &s->body[i];
        shape_body(body, r, dimension);
        body->position[0] = 1 + 2 * (double)(i % 2);
        body->position[1] = dimension == 2 ? 1 + 2 * (double)(i / 2) : 1 + 2 * (double)(i / 2 % 2);
        body->position[2] = dimension == 3 ? 1 + 2 * (double)(i / 4) : 0;
        size_t spins = body->shape == CRM_SHAPE_SPHERE ? 0 : dimension == 2 ? 1 : 3;
        for (size_t k = 0; k < dimension + spins; k++) {
            s->velocity[velocities++] = rng_normal(r);
        }
    }
}

static void pour(unsigned dimension, size_t count, double e, uint64_t seed)
{
    scene s;
    rng r = rng_seeded(seed);
    fill_heap(&s, &r, dimension, count);
    s.def.bodies.contact.restitution = e;
    crm_motion *motion = start(&s, 1e-3);
    double lost = 0, size = 0;
    for (unsigned k = 1; k <= 30; k++) {
        run_to(motion, 0.1 * k, NULL);
        crm_motion_account account = crm_motion_summarize(motion).energy;
        size = account.kinetic_before + account.potential_before + fabs(account.work) +
               account.correction;
        assert_true(account.lost >= lost - ACCOUNT * size);
        assert_near(account.error, 0, ACCOUNT * size);
        lost = account.lost;
    }
    crm_motion_summary summary = crm_motion_summarize(motion);
    assert_true(summary.impacts > count);
    assert_true(summary.max_penetration <= OVERLAP * 0.3);
    print_message("%u dimensions: %llu impacts, overlap %.1e, account %.1e of %.3g\n", dimension,
                  (unsigned long long)summary.impacts, summary.max_penetration,
                  summary.energy.error, size);
    crm_motion_free(motion);
}

static void test_plane_shapes_are_poured(void **state)
{
    (void)state;
    pour(2, BODIES, 0, 1);
    pour(2, BODIES, 0.6, 2);
}

static void test_ellipsoids_are_poured(void **state)
{
    (void)state;
    pour(3, BODIES, 0, 3);
    pour(3, BODIES, 0.6, 4);
}

/* ---- Closed forms ---------------------------------------------------------------------------- */

/* Dropped on its flat side it bounces nowhere, and stays. */
static void test_box_lies_flat(void **state)
{
    (void)state;
    scene s;
    double q[3], v[3];
    begin(&s, 2, 1, 10);
    s.body[0].shape = CRM_SHAPE_BOX;
    s.body[0].size[0] = 1;
    s.body[0].size[1] = 0.5;
    s.body[0].position[0] = 5;
    s.body[0].position[1] = 0.75;
    s.def.bodies.contact.restitution = 0;
    crm_motion *motion = start(&s, 1e-3);
    run_to(motion, 10, NULL);
    crm_motion_read(motion, q, v);
    assert_near(crm_motion_summarize(motion).at_rest_since, sqrt(2 * 0.5 / G), 5e-3);
    assert_near(q[0], 5, 1e-12);
    assert_near(q[1], 0.25, 1e-10);
    assert_near(q[2], 0, 1e-10);
    crm_motion_free(motion);
}

/* An ellipse on a floor, on its flat side, turned by little: w^2 = 4 g (a^2 - b^2)/(b (a^2 + b^2)),
 * but for the square of the angle. The angle after a time, less its cosine.
 */
static double swing(double step)
{
    const double a = 0.3, b = 0.2, angle = 1e-4, time = 1;
    double w = sqrt(4 * G * (a * a - b * b) / (b * (a * a + b * b))), q[3], v[3];
    scene s;
    begin(&s, 2, 1, 10);
    s.body[0].shape = CRM_SHAPE_ELLIPSE;
    s.body[0].semi_axes[0] = a;
    s.body[0].semi_axes[1] = b;
    s.body[0].angle = angle;
    s.body[0].position[0] = 5;
    s.body[0].position[1] = hypot(a * sin(angle), b * cos(angle));
    s.def.bodies.contact.restitution = 0;
    crm_motion *motion = start(&s, step);
    run_to(motion, time, NULL);
    crm_motion_read(motion, q, v);
    crm_motion_free(motion);
    return q[2] / angle - cos(w * time);
}

static void test_ellipse_swings(void **state)
{
    (void)state;
    double coarse = swing(1.0 / 256), fine = swing(1.0 / 512);
    assert_near(log2(coarse / fine), 2, 0.01);
    assert_near((4 * fine - coarse) / 3, 0, 1e-6); /* without the term of second order */
}

/* ---- A top ----------------------------------------------------------------------------------- */

/* Free, without gravity: the spin after a time, and how much energy and the square of the angular
 * momentum about its own axes have changed.
 */
static void spin(double step, double w[3], double *energy, double *momentum)
{
    const double start_spin[3] = {0.3, 2, 0.1};
    double q[7], v[6], moment[3], t0 = 0, t1 = 0, l0 = 0, l1 = 0;
    scene s;
    begin(&s, 3, 1, 10);
    s.def.gravity[2] = 0;
    s.body[0].shape = CRM_SHAPE_ELLIPSOID;
    for (unsigned d = 0; d < 3; d++) {
        s.body[0].semi_axes[d] = 0.3 + 0.1 * d;
        s.body[0].position[d] = 5;
        s.velocity[3 + d] = start_spin[d];
    }
    crm_motion *motion = start(&s, step);
    run_to(motion, 4, NULL);
    crm_motion_read(motion, q, v);
    assert_account_closes(motion, 1e-12);
    crm_motion_free(motion);
    for (unsigned d = 0; d < 3; d++) {
        const double *a = s.body[0].semi_axes;
        unsigned i = (d + 1) % 3, j = (d + 2) % 3;
        moment[d] = (a[i] * a[i] + a[j] * a[j]) / 5;
        w[d] = v[3 + d];
        t0 += moment[d] * start_spin[d] * start_spin[d];
        t1 += moment[d] * w[d] * w[d];
        l0 += pow(moment[d] * start_spin[d], 2);
        l1 += pow(moment[d] * w[d], 2);
    }
    *energy = t1 / t0 - 1;
    *momentum = l1 / l0 - 1;
}

/* The midpoint rule keeps both squares; the spin is of second order. */
static void test_top_turns_over(void **state)
{
    (void)state;
    double coarse[3], fine[3], finest[3], energy, momentum;
    spin(1.0 / 64, coarse, &energy, &momentum);
    assert_near(energy, 0, 1e-13);
    assert_near(momentum, 0, 1e-13);
    spin(1.0 / 128, fine, &energy, &momentum);
    spin(1.0 / 256, finest, &energy, &momentum);
    for (unsigned d = 0; d < 3; d++) {
        assert_near(log2((coarse[d] - fine[d]) / (fine[d] - finest[d])), 2, 0.05);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plane_shapes_are_poured),
        cmocka_unit_test(test_ellipsoids_are_poured),
        cmocka_unit_test(test_box_lies_flat),
        cmocka_unit_test(test_ellipse_swings),
        cmocka_unit_test(test_top_turns_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
