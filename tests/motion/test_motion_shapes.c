/* Boxes, ellipses, ellipsoids and rods in motion: closed forms, quadratures, conservation laws.
 * docs/motion/shapes.md.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "motion_call.h"
#include "support.h"

static const double PI = 3.14159265358979323846, G = 9.81;
static const double CLOSE = 1e-9; /* what the default tolerance promises */

/* ---- Scenes ---------------------------------------------------------------------------------- */

enum { BODIES = 4, NUMBERS = 4 * 7 };

typedef struct scene {
    crm_body_def body[BODIES];
    crm_wall_def wall[2];
    double velocity[NUMBERS];
    crm_scene_def def;
    crm_settings *law;
    crm_motion_options options;
    crm_motion *motion;
    double q[NUMBERS], v[NUMBERS];
} scene;

/* With a floor at 0 and a wall on the left; gravity down along the last axis. */
static void begin(scene *s, unsigned dimension, size_t bodies, const char *law)
{
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < bodies; i++) {
        s->body[i] = crm_body_def_default();
        s->body[i].mass = 1;
    }
    s->wall[0] = s->wall[1] = crm_wall_def_default();
    s->wall[0].normal[dimension - 1] = 1;
    s->wall[1].normal[0] = 1;
    s->wall[1].point[0] = -100;
    s->def = crm_scene_def_default();
    s->def.bodies = bodies_def(dimension, s->body, bodies);
    s->def.bodies.walls = s->wall;
    s->def.bodies.wall_count = 2;
    s->def.velocity = s->velocity;
    s->def.gravity[dimension - 1] = -G;
    s->law = law_named(law);
    s->options = crm_motion_options_default();
    s->options.law = s->law;
}

static void start(scene *s)
{
    crm_error error = {0};
    assert_ok(crm_motion_from_scene(&s->def, &s->options, &s->motion, &error), &error);
}

static crm_motion_stop go(scene *s, double time)
{
    crm_motion_stop stop = run_to(s->motion, time, NULL);
    crm_motion_read(s->motion, s->q, s->v);
    return stop;
}

static void end(scene *s)
{
    crm_motion_free(s->motion);
    crm_settings_free(s->law);
}

/* ---- A block --------------------------------------------------------------------------------- */

/* Half width b, half height h, tilted on its right corner, from rest. The centre moves vertically
 * only, at h cos a + b sin a: energy gives the spin when it is flat, J + m b^2 resisting, and the
 * impact leaves (J - m b^2) / (J + m b^2) of it, or nothing if that is negative.
 */
static void rock(double b, double h, double angle)
{
    scene s;
    begin(&s, 2, 1, "moreau");
    s.body[0].shape = CRM_SHAPE_BOX;
    s.body[0].size[0] = 2 * b;
    s.body[0].size[1] = 2 * h;
    s.body[0].angle = -angle;
    s.body[0].position[1] = h * cos(angle) + b * sin(angle);
    s.def.bodies.contact.restitution = 0;
    s.options.stop_impacts = 1;
    start(&s);
    assert_int_equal(go(&s, 10), CRM_STOP_IMPACTS);
    double inertia = (b * b + h * h) / 3, high = h * cos(angle) + b * sin(angle) - h;
    double before = sqrt(2 * G * high / (inertia + b * b));
    double part = fmax(0, (inertia - b * b) / (inertia + b * b));
    assert_met("block: spin after the first impact", s.v[2], part * before, CLOSE);
    assert_near(s.q[1], h, CLOSE);
    assert_near(s.q[0], 0, CLOSE);
    assert_account_closes(s.motion, CLOSE);
    end(&s);
}

static void blocks_rock_or_stop(void **state)
{
    (void)state;
    rock(0.1, 0.4, 0.05);
    rock(0.1, 0.15, 0.3);
    rock(0.1, 0.14, 0.3); /* h < sqrt(2) b: stops */
    rock(0.3, 0.1, 0.2);
}

/* The same block on a fixed box, which is a floor up to its corners. */
static void a_block_rocks_on_a_box(void **state)
{
    (void)state;
    const double b = 0.1, h = 0.4, angle = 0.05;
    for (int wide = 0; wide < 2; wide++) {
        scene s;
        begin(&s, 2, 2, "moreau");
        s.body[0].shape = s.body[1].shape = CRM_SHAPE_BOX;
        s.body[0].size[0] = 2 * b;
        s.body[0].size[1] = 2 * h;
        s.body[0].angle = -angle;
        s.body[0].position[1] = h * cos(angle) + b * sin(angle);
        s.body[1].size[0] = wide ? 2 : 0.3;
        s.body[1].size[1] = 1;
        s.body[1].position[1] = -0.5;
        s.body[1].fixed = true;
        s.def.bodies.wall_count = 0;
        s.def.bodies.contact.restitution = 0;
        s.options.stop_impacts = 1;
        start(&s);
        assert_int_equal(go(&s, 10), CRM_STOP_IMPACTS);
        double inertia = (b * b + h * h) / 3, high = h * cos(angle) + b * sin(angle) - h;
        double before = sqrt(2 * G * high / (inertia + b * b));
        assert_met("block on a box: spin after the first impact", s.v[2],
                   (inertia - b * b) / (inertia + b * b) * before, CLOSE);
        end(&s);
    }
}

/* It slides over the edge of a table and, with its centre beyond, turns about the edge: no impact,
 * and the account closes.
 */
static void a_box_slides_off_a_table(void **state)
{
    (void)state;
    scene s;
    begin(&s, 2, 2, "moreau");
    s.body[0].shape = s.body[1].shape = CRM_SHAPE_BOX;
    s.body[0].size[0] = 0.4;
    s.body[0].size[1] = 0.2;
    s.body[0].position[1] = 0.1;
    s.body[1].size[0] = 1;
    s.body[1].size[1] = 1;
    s.body[1].position[0] = -0.4;
    s.body[1].position[1] = -0.5;
    s.body[1].fixed = true;
    s.velocity[0] = 0.5;
    s.def.bodies.wall_count = 0;
    start(&s);
    go(&s, 0.15); /* on the edge now: the front is beyond it, the centre is not */
    assert_near(s.q[1], 0.1, CLOSE);
    assert_near(s.v[0], 0.5, CLOSE);
    assert_near(s.q[2], 0, CLOSE);
    go(&s, 0.4); /* tilting */
    assert_true(s.q[2] < -0.01);
    assert_account_closes(s.motion, CLOSE);
    end(&s);
}

/* Two equal boxes one upon the other, flush, dropped together: a ball. */
static void a_stack_bounces_to_rest(void **state)
{
    (void)state;
    const double fall = 0.3, e = 0.5;
    scene s;
    begin(&s, 2, 2, "moreau");
    for (int i = 0; i < 2; i++) {
        s.body[i].shape = CRM_SHAPE_BOX;
        s.body[i].size[0] = 0.4;
        s.body[i].size[1] = 0.2;
        s.body[i].position[1] = fall + 0.1 + 0.2 * i;
    }
    s.def.bodies.contact.restitution = e;
    s.options.stop_at_rest = true;
    start(&s);
    assert_int_equal(go(&s, 10), CRM_STOP_AT_REST);
    assert_near(s.q[1], 0.1, CLOSE);
    assert_near(s.q[4], 0.3, CLOSE);
    assert_near(s.q[3], 0, CLOSE);
    assert_account_closes(s.motion, CLOSE);
    end(&s);
}

/* ---- An ellipse ------------------------------------------------------------------------------ */

static double ellipse_height(double a, double b, double angle)
{
    return hypot(a * sin(angle), b * cos(angle));
}

/* From energy; theta = angle sin s takes the root out of the integrand, and the rule of midpoints
 * converges fast for what is periodic.
 */
static double ellipse_period(double a, double b, double angle)
{
    enum { POINTS = 2000 };
    double inertia = (a * a + b * b) / 4, sum = 0;
    for (int k = 0; k < POINTS; k++) {
        double s = PI / 2 * (k + 0.5) / POINTS, theta = angle * sin(s);
        double height = ellipse_height(a, b, theta);
        double slope = (a * a - b * b) * sin(theta) * cos(theta) / height;
        double near = angle * 2 * pow(sin(PI / 4 - s / 2), 2); /* angle - theta */
        double fall = 2 * G * (a * a - b * b) * sin(angle + theta) * sin(near) /
                      (ellipse_height(a, b, angle) + height);
        sum += angle * cos(s) * sqrt((inertia + slope * slope) / fall);
    }
    return 4 * sum * (PI / 2) / POINTS;
}

static void swing(double a, double b, double angle)
{
    scene s;
    begin(&s, 2, 1, "lzb");
    s.body[0].shape = CRM_SHAPE_ELLIPSE;
    s.body[0].semi_axes[0] = a;
    s.body[0].semi_axes[1] = b;
    s.body[0].angle = angle;
    s.body[0].position[1] = ellipse_height(a, b, angle);
    start(&s);
    go(&s, 3 * ellipse_period(a, b, angle));
    assert_met("ellipse: angle after three periods", s.q[2], angle, CLOSE);
    assert_near(s.v[2], 0, 1e-7);
    assert_near(s.q[0], 0, CLOSE);
    assert_int_equal(crm_motion_summarize(s.motion).impacts, 0);
    assert_account_closes(s.motion, CLOSE);
    end(&s);
}

static void ellipses_swing(void **state)
{
    (void)state;
    swing(0.3, 0.2, 0.01);
    swing(0.3, 0.2, 1.2);
    swing(0.5, 0.1, 0.3);
    double a = 0.3, b = 0.2, w = sqrt(4 * G * (a * a - b * b) / (b * (a * a + b * b)));
    assert_near(ellipse_period(a, b, 1e-4), 2 * PI / w, 1e-8); /* small swings */
}

/* An ellipse dropped on another that is fixed, top on top: a ball while it stays upright. */
static void ellipses_meet_on_their_axes(void **state)
{
    (void)state;
    const double fall = 0.2;
    scene s;
    begin(&s, 2, 2, "newton");
    for (int i = 0; i < 2; i++) {
        s.body[i].shape = CRM_SHAPE_ELLIPSE;
        s.body[i].semi_axes[0] = 0.3;
        s.body[i].semi_axes[1] = 0.2;
    }
    s.body[0].position[1] = 0.4 + fall;
    s.body[1].fixed = true;
    s.def.bodies.wall_count = 0;
    s.def.bodies.contact.restitution = 0.8;
    s.options.stop_impacts = 1;
    start(&s);
    go(&s, 2);
    assert_near(crm_motion_time(s.motion), sqrt(2 * fall / G), CLOSE);
    assert_near(s.v[1], 0.8 * sqrt(2 * G * fall), CLOSE);
    assert_near(s.v[2], 0, CLOSE);
    end(&s);
}

/* ---- Ellipsoids ------------------------------------------------------------------------------ */

static void moments_of(const crm_body_def *body, double moment[3])
{
    for (int k = 0; k < 3; k++) {
        double b = body->semi_axes[(k + 1) % 3], c = body->semi_axes[(k + 2) % 3];
        moment[k] = body->mass * (b * b + c * c) / 5;
    }
}

/* J w in space: L + 2 r x (p L + r x L), for the quaternion p, r. */
static void momentum_in_space(const double moment[3], const double *q, const double *w,
                              double momentum[3])
{
    double own[3], once[3];
    const double *r = q + 1;
    for (int k = 0; k < 3; k++) {
        own[k] = moment[k] * w[k];
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        once[k] = r[i] * own[j] - r[j] * own[i] + q[0] * own[k];
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        momentum[k] = own[k] + 2 * (r[i] * once[j] - r[j] * once[i]);
    }
}

/* sn, cn, dn by the arithmetic-geometric mean (Abramowitz and Stegun 16.4). */
static void jacobi(double u, double m, double *sn, double *cn, double *dn)
{
    enum { LEVELS = 12 };
    double a[LEVELS + 1] = {1}, c[LEVELS + 1] = {sqrt(m)}, b = sqrt(1 - m);
    for (int k = 0; k < LEVELS; k++) {
        a[k + 1] = 0.5 * (a[k] + b);
        c[k + 1] = 0.5 * (a[k] - b);
        b = sqrt(a[k] * b);
    }
    double phi = ldexp(a[LEVELS] * u, LEVELS), last = phi;
    for (int k = LEVELS; k > 0; k--) {
        last = phi;
        phi = 0.5 * (phi + asin(c[k] * sin(phi) / a[k]));
    }
    *sn = sin(phi);
    *cn = cos(phi);
    *dn = cos(phi) / cos(last - phi);
}

/* Free, with moments J1 < J2 < J3 and the spin (w1, 0, w3): from w2 = 0 on
 *     w1 = w1(0) cn, w2 = -B sn, w3 = w3(0) dn        (2 T J2 < L^2; motion about the third axis)
 * with p^2 = w3^2 (J3 - J2)(J3 - J1) / (J1 J2), m = J1 (J2 - J1) w1^2 / (J3 (J3 - J2) w3^2) and
 * B^2 = J1 (J3 - J1) w1^2 / (J2 (J3 - J2)).
 */
static void a_free_ellipsoid_turns_as_jacobi_says(void **state)
{
    (void)state;
    static const double first[] = {0.3, 1.9}; /* the second nearly tips over */
    for (int k = 0; k < 2; k++) {
        scene s;
        double moment[3], momentum[3], before[3];
        begin(&s, 3, 1, "lzb");
        s.body[0].shape = CRM_SHAPE_ELLIPSOID;
        memcpy(s.body[0].semi_axes, ((double[]){0.5, 0.4, 0.2}), 3 * sizeof(double));
        memcpy(s.body[0].orientation, ((double[]){0.5, 0.5, -0.5, 0.5}), 4 * sizeof(double));
        s.body[0].position[2] = 2;
        s.def.bodies.wall_count = 0;
        s.def.gravity[2] = 0;
        moments_of(&s.body[0], moment);
        double j1 = moment[0], j2 = moment[1], j3 = moment[2], w3 = 2;
        double most = w3 * sqrt(j3 * (j3 - j2) / (j1 * (j2 - j1))), w1 = first[k] / 2 * most;
        s.velocity[0] = 0.3;
        s.velocity[3] = w1;
        s.velocity[5] = w3;
        start(&s);
        assert_int_equal(crm_motion_positions(s.motion), 7);
        assert_int_equal(crm_motion_velocities(s.motion), 6);
        momentum_in_space(moment, s.body[0].orientation, s.velocity + 3, before);
        double p = w3 * sqrt((j3 - j2) * (j3 - j1) / (j1 * j2));
        double m = j1 * (j2 - j1) * w1 * w1 / (j3 * (j3 - j2) * w3 * w3);
        double b = w1 * sqrt(j1 * (j3 - j1) / (j2 * (j3 - j2)));
        for (int i = 1; i <= 20; i++) {
            double t = 2.0 * i, sn, cn, dn;
            go(&s, t);
            jacobi(p * t, m, &sn, &cn, &dn);
            assert_near(s.v[3], w1 * cn, 1e-8);
            assert_near(fabs(s.v[4]), fabs(b * sn), 1e-8);
            assert_near(s.v[5], w3 * dn, 1e-8);
            momentum_in_space(moment, s.q + 3, s.v + 3, momentum);
            assert_all_near(momentum, before, 3, 1e-10);
            assert_near(s.q[0], 0.3 * t, CLOSE);
        }
        assert_account_closes(s.motion, 1e-10);
        end(&s);
    }
}

/* Spun about the middle axis it tips over, and over again. */
static void the_middle_axis_tips_over(void **state)
{
    (void)state;
    scene s;
    int tipped = 0;
    begin(&s, 3, 1, "lzb");
    s.body[0].shape = CRM_SHAPE_ELLIPSOID;
    memcpy(s.body[0].semi_axes, ((double[]){0.5, 0.4, 0.2}), 3 * sizeof(double));
    s.def.bodies.wall_count = 0;
    s.def.gravity[2] = 0;
    s.velocity[3] = 1e-3;
    s.velocity[4] = 3;
    start(&s);
    double sign = 1;
    for (int i = 1; i <= 400; i++) {
        go(&s, 0.2 * i);
        if (s.v[4] * sign < 0) {
            sign = -sign;
            tipped++;
        }
    }
    assert_true(tipped >= 3);
    assert_account_closes(s.motion, 1e-10);
    end(&s);
}

/* On a plane without friction, tilted and spinning: energy, the spin's momentum about the vertical
 * and the place on the plane stay.
 */
static void an_ellipsoid_dances_on_a_plane(void **state)
{
    (void)state;
    scene s;
    double moment[3], before[3], after[3];
    begin(&s, 3, 1, "lzb");
    s.body[0].shape = CRM_SHAPE_ELLIPSOID;
    memcpy(s.body[0].semi_axes, ((double[]){0.5, 0.4, 0.3}), 3 * sizeof(double));
    s.body[0].orientation[0] = cos(0.15);
    s.body[0].orientation[2] = sin(0.15); /* by 0.3 about y */
    s.body[0].position[2] = hypot(0.5 * sin(0.3), 0.3 * cos(0.3));
    s.def.bodies.wall_count = 1;
    moments_of(&s.body[0], moment);
    /* 2 rad/s about the vertical, in its own axes: the support point does not rise. */
    s.velocity[3] = -2 * sin(0.3);
    s.velocity[5] = 2 * cos(0.3);
    momentum_in_space(moment, s.body[0].orientation, s.velocity + 3, before);
    start(&s);
    for (int i = 1; i <= 20; i++) {
        go(&s, 0.25 * i);
        momentum_in_space(moment, s.q + 3, s.v + 3, after);
        assert_near(after[2], before[2], CLOSE);
        assert_near(s.q[0], 0, CLOSE);
        assert_near(s.q[1], 0, CLOSE);
    }
    assert_int_equal(crm_motion_summarize(s.motion).impacts, 0);
    assert_account_closes(s.motion, CLOSE);
    end(&s);
}

/* ---- Rods on rods ---------------------------------------------------------------------------- */

/* A rod laid across the middle of two fixed ones falls flat on them: a ball, and it rests. */
static void a_rod_rests_on_rods(void **state)
{
    (void)state;
    const double r = 0.01, fall = 0.1, e = 0.5;
    scene s;
    begin(&s, 2, 3, "moreau");
    for (int i = 0; i < 3; i++) {
        s.body[i].shape = CRM_SHAPE_ROD;
        s.body[i].length = i == 0 ? 1 : 0.2;
        s.body[i].radius = i == 0 ? 0 : r;
        s.body[i].angle = i == 0 ? 0 : PI / 2;
        s.body[i].fixed = i > 0;
    }
    s.body[0].position[1] = fall;
    s.body[1].position[0] = -0.3;
    s.body[2].position[0] = 0.3;
    s.body[1].position[1] = s.body[2].position[1] = -0.1 - r;
    s.def.bodies.wall_count = 0;
    s.def.bodies.contact.restitution = e;
    s.options.stop_at_rest = true;
    start(&s);
    assert_int_equal(go(&s, 10), CRM_STOP_AT_REST);
    assert_met("rod on rods: instant of rest", crm_motion_summarize(s.motion).at_rest_since,
               sqrt(2 * fall / G) * (1 + e) / (1 - e), CLOSE);
    assert_near(s.q[1], 0, CLOSE);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_rock_or_stop),
        cmocka_unit_test(a_block_rocks_on_a_box),
        cmocka_unit_test(a_box_slides_off_a_table),
        cmocka_unit_test(a_stack_bounces_to_rest),
        cmocka_unit_test(ellipses_swing),
        cmocka_unit_test(ellipses_meet_on_their_axes),
        cmocka_unit_test(a_free_ellipsoid_turns_as_jacobi_says),
        cmocka_unit_test(the_middle_axis_tips_over),
        cmocka_unit_test(an_ellipsoid_dances_on_a_plane),
        cmocka_unit_test(a_rod_rests_on_rods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
