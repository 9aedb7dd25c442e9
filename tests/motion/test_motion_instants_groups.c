/* The degenerate instants of a motion in flight and groups: bodies of all shapes of the plane, of
 * which discs fly and the others are in groups. All have the same half height, so that they fall,
 * rest and leave alike.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "motion_call.h"
#include "support.h"

static const double CLOSE = 1e-9, PI = 3.14159265358979323846, HALF = 0.1, G = 10;
enum { SHAPES = 4, BODIES = 2, WALLS = 2 };

static crm_body_def body_of(size_t shape, double x, double y)
{
    crm_body_def body = crm_body_def_default();
    static const crm_shape shapes[SHAPES] = {CRM_SHAPE_SPHERE, CRM_SHAPE_BOX, CRM_SHAPE_ROD,
                                             CRM_SHAPE_ELLIPSE};
    body.shape = shapes[shape];
    body.mass = 1;
    body.position[0] = x;
    body.position[1] = y + HALF;
    body.radius = HALF;
    body.length = 0.3;
    body.size[0] = 0.3;
    body.size[1] = 2 * HALF;
    body.semi_axes[0] = 0.15;
    body.semi_axes[1] = HALF;
    return body;
}

/* Bodies of one shape in gravity. */
typedef struct scene {
    crm_scene_def def;
    crm_body_def body[BODIES];
    crm_wall_def wall[WALLS];
    crm_wall_motion swing[WALLS];
    double velocity[3 * BODIES];
    size_t shape, numbers; /* per body */
} scene;

static void begin(scene *s, size_t shape, double restitution)
{
    *s = (scene){.def = crm_scene_def_default(), .shape = shape, .numbers = shape == 0 ? 2 : 3};
    s->def.bodies.dimension = 2;
    s->def.bodies.bodies = s->body;
    s->def.bodies.walls = s->wall;
    s->def.bodies.pairs_apart = true;
    s->def.bodies.contact.restitution = restitution;
    s->def.bodies.contact.stiffness = 1e6;
    s->def.velocity = s->velocity;
    s->def.wall_motion = s->swing;
    s->def.gravity[1] = -G;
}

static void add_body(scene *s, double x, double y, double vx, double vy)
{
    double *v = s->velocity + s->numbers * s->def.bodies.body_count;
    s->body[s->def.bodies.body_count++] = body_of(s->shape, x, y);
    v[0] = vx;
    v[1] = vy;
}

static void add_wall(scene *s, double x, double y, double normal_x, double normal_y)
{
    crm_wall_def *wall = &s->wall[s->def.bodies.wall_count++];
    *wall = crm_wall_def_default();
    wall->point[0] = x;
    wall->point[1] = y;
    wall->normal[0] = normal_x;
    wall->normal[1] = normal_y;
}

/* A floor that swings with the acceleration `gamma` g at most. */
static double add_plate(scene *s, double gamma, double frequency)
{
    double omega = 2 * PI * frequency;
    s->swing[s->def.bodies.wall_count] =
        (crm_wall_motion){.amplitude = gamma * G / (omega * omega), .frequency = frequency};
    add_wall(s, 0, 0, 0, 1);
    return omega;
}

static crm_motion *move(const scene *s)
{
    crm_motion *motion;
    crm_error error = {0};
    assert_ok(crm_motion_from_scene(&s->def, NULL, &motion, &error), &error);
    return motion;
}

/* Height of the first body, how fast it rises. */
static void read(const crm_motion *motion, double *height, double *speed)
{
    double q[3 * BODIES], v[3 * BODIES];
    crm_motion_read(motion, q, v);
    *height = q[1] - HALF;
    *speed = v[1];
}

static impact_list impacts;

/* ---- Each instant ---------------------------------------------------------------------------- */

static void two_close_at_once(void **state)
{
    (void)state;
    for (size_t shape = 0; shape < SHAPES; shape++) {
        scene s;
        begin(&s, shape, 0.5);
        add_body(&s, -5, 0.8, 0, 0);
        add_body(&s, 5, 0.8, 0, 0);
        add_wall(&s, 0, 0, 0, 1);
        crm_motion *motion = move(&s);
        crm_observer observer = impact_observer(&impacts);
        run_to(motion, 0.5, &observer);
        assert_int_equal(impacts.count, 2); /* apart: one impact each */
        assert_near(impacts.row[0].time, 0.4, CLOSE);
        assert_near(impacts.row[1].time, 0.4, CLOSE);
        double height, speed;
        read(motion, &height, &speed);
        assert_near(speed, 2 - 10 * 0.1, CLOSE);
        assert_near(height, 0.2 - 0.05, CLOSE);
        crm_motion_free(motion);
    }
}

/* Thrown so that it reaches the ceiling with the speed 0. */
static void grazing_changes_nothing(void **state)
{
    (void)state;
    const double offsets[] = {0, 1e-15, -1e-15, 1e-13, -1e-13};
    for (size_t k = 0; k < 5 * SHAPES; k++) {
        scene s;
        begin(&s, k % SHAPES, 0.5);
        add_body(&s, 0, 0, 0, sqrt(20) * (1 + offsets[k / SHAPES]));
        add_wall(&s, 0, 0, 0, 1);
        add_wall(&s, 0, 1 + 2 * HALF, 0, -1);
        crm_motion *motion = move(&s);
        double height, speed;
        run_to(motion, sqrt(0.2) + 0.3, NULL);
        read(motion, &height, &speed);
        assert_near(height, 1 - 5 * 0.09, 1e-6); /* sqrt of the offset's size */
        run_to(motion, 10, NULL);
        assert_near(crm_motion_summarize(motion).at_rest_since, 4 * sqrt(0.2), 1e-6);
        crm_motion_free(motion);
    }
}

/* It slides on the plate and meets the side when the plate begins to fall away. */
static void released_while_another_closes(void **state)
{
    (void)state;
    const double gamma = 1.25, frequency = 2, vx = 0.7, e = 0.6;
    for (size_t shape = 0; shape < SHAPES; shape++) {
        scene s;
        begin(&s, shape, e);
        double omega = add_plate(&s, gamma, frequency), amplitude = s.swing[0].amplitude;
        double t0 = asin(1 / gamma) / omega, t = t0 + 0.01;
        double half_width = shape == 0 ? HALF : shape == 2 ? 0.15 + HALF : 0.15;
        add_wall(&s, vx * t0 + half_width, 0, -1, 0);
        add_body(&s, 0, 0, vx, amplitude * omega);
        crm_motion *motion = move(&s);
        crm_observer observer = impact_observer(&impacts);
        double q[3], v[3], up = amplitude * omega * cos(omega * t0);
        run_to(motion, t, &observer);
        crm_motion_read(motion, q, v);
        assert_int_equal(impacts.count, 1);
        assert_near(impacts.row[0].time, t0, CLOSE);
        assert_near(v[0], -e * vx, CLOSE);
        assert_near(v[1], up - G * (t - t0), 1e-8);
        assert_near(q[1] - HALF, amplitude / gamma + up * (t - t0) - G / 2 * (t - t0) * (t - t0),
                    CLOSE);
        crm_motion_free(motion);
    }
}

/* lambda = m (g - A omega^2 sin omega t) */
static void force_touches_zero_and_returns(void **state)
{
    (void)state;
    for (size_t shape = 0; shape < SHAPES; shape++) {
        scene s;
        begin(&s, shape, 0.5);
        double omega = add_plate(&s, 1, 3), amplitude = s.swing[0].amplitude;
        add_body(&s, 0, 0, 0, amplitude * omega);
        crm_motion *motion = move(&s);
        crm_observer observer = impact_observer(&impacts);
        double height, speed, t = 2.1;
        run_to(motion, t, &observer);
        read(motion, &height, &speed);
        assert_int_equal(impacts.count, 0);
        assert_near(height, amplitude * sin(omega * t), CLOSE);
        assert_near(speed, amplitude * omega * cos(omega * t), 1e-8);
        crm_motion_free(motion);
    }
}

/* Where a body that leaves the plate at t0 is above it, by how much. */
static double above(double amplitude, double omega, double t0, double t)
{
    double up = amplitude * omega * cos(omega * t0), s = t - t0;
    return amplitude * (sin(omega * t0) - sin(omega * t)) + up * s - G / 2 * s * s;
}

/* The plate accelerates away, and comes back: one plastic impact, and with it again. */
static void force_passes_zero_and_returns(void **state)
{
    (void)state;
    const double gamma = 1.2;
    for (size_t shape = 0; shape < SHAPES; shape++) {
        scene s;
        begin(&s, shape, 0);
        double omega = add_plate(&s, gamma, 3), amplitude = s.swing[0].amplitude;
        double t0 = asin(1 / gamma) / omega, low = t0 + 1e-3 / omega, high = low;
        add_body(&s, 0, 0, 0, amplitude * omega);
        for (; above(amplitude, omega, t0, high) > 0; high += 1e-3) {
        }
        for (int k = 0; k < 100; k++) {
            double middle = 0.5 * (low + high);
            *(above(amplitude, omega, t0, middle) > 0 ? &low : &high) = middle;
        }
        crm_motion *motion = move(&s);
        crm_observer observer = impact_observer(&impacts);
        double height, speed;
        run_to(motion, t0 + 5e-3, &observer);
        read(motion, &height, &speed);
        assert_near(height - amplitude * sin(omega * (t0 + 5e-3)),
                    above(amplitude, omega, t0, t0 + 5e-3), CLOSE);
        run_to(motion, high + 0.01, &observer);
        read(motion, &height, &speed);
        assert_int_equal(impacts.count, 1);
        assert_near(impacts.row[0].time, high, 1e-8);
        assert_near(height, amplitude * sin(omega * (high + 0.01)), CLOSE);
        crm_motion_free(motion);
    }
}

/* The plate swings many times while the body falls: the gap closes first in one of its swings, for
 * a part of a step.
 */
static void short_closing_is_seen(void **state)
{
    (void)state;
    const double frequency = 40, amplitude = 0.02, h = 1;
    for (size_t shape = 0; shape < SHAPES; shape++) {
        scene s;
        begin(&s, shape, 0.5);
        add_wall(&s, 0, 0, 0, 1);
        s.swing[0] = (crm_wall_motion){.amplitude = amplitude, .frequency = frequency};
        add_body(&s, 0, h, 0, 0);
        double first = 0;
        while (h - G / 2 * first * first > amplitude * sin(2 * PI * frequency * first)) {
            first += 1e-6;
        }
        crm_motion *motion = move(&s);
        crm_observer observer = impact_observer(&impacts);
        run_to(motion, first + 1e-4, &observer);
        assert_int_equal(impacts.count, 1);
        assert_near(impacts.row[0].time, first, 2e-6);
        crm_motion_free(motion);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_close_at_once),
        cmocka_unit_test(grazing_changes_nothing),
        cmocka_unit_test(released_while_another_closes),
        cmocka_unit_test(force_touches_zero_and_returns),
        cmocka_unit_test(force_passes_zero_and_returns),
        cmocka_unit_test(short_closing_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
