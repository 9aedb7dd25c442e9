/* Rods, blocks, ladders, a ball on a ball: releases and rocking, with closed forms. docs/motion.md.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "motion_call.h"
#include "support.h"

static const double CLOSE = 1e-9; /* what the default tolerance promises */
static const double G = 9.81;

static impact_list impacts;

static void diagonal(double *mass, size_t n, const double *values)
{
    memset(mass, 0, n * n * sizeof *mass);
    for (size_t i = 0; i < n; i++) {
        mass[i * n + i] = values[i];
    }
}

/* ---- A rod on supports, small angles --------------------------------------------------------- */

/* Height y and angle; gaps y + a_k theta. Mass 1, half length l. */
typedef struct rod {
    double l;
    size_t supports;
    double at[3];
} rod;

static crm_status rod_mass(void *context, const double *q, double *mass)
{
    const rod *r = context;
    (void)q;
    diagonal(mass, 2, (double[]){1, r->l * r->l / 3});
    return CRM_OK;
}

static crm_status rod_force(void *context, double t, const double *q, const double *v, double *h)
{
    (void)context, (void)t, (void)q, (void)v;
    h[0] = -G;
    h[1] = 0;
    return CRM_OK;
}

static crm_status rod_gap(void *context, double t, const double *q, double *gap)
{
    const rod *r = context;
    (void)t;
    for (size_t k = 0; k < r->supports; k++) {
        gap[k] = q[0] + r->at[k] * q[1];
    }
    return CRM_OK;
}

static crm_status rod_gradient(void *context, double t, const double *q, double *w)
{
    const rod *r = context;
    (void)t, (void)q;
    for (size_t k = 0; k < r->supports; k++) {
        w[2 * k] = 1;
        w[2 * k + 1] = r->at[k];
    }
    return CRM_OK;
}

static double rod_potential(void *context, double t, const double *q)
{
    (void)context, (void)t;
    return G * q[0];
}

static crm_lagrangian_def rod_def(rod *r, const double *position, const double *velocity,
                                  const double *restitution)
{
    crm_lagrangian_def def = crm_lagrangian_def_default();
    def.context = r;
    def.positions = def.velocities = 2;
    def.gaps = r->supports;
    def.mass = rod_mass;
    def.force = rod_force;
    def.gap = rod_gap;
    def.gradient = rod_gradient;
    def.potential = rod_potential;
    def.position = position;
    def.velocity = velocity;
    def.restitution = restitution;
    return def;
}

/* On one support it turns with the constant acceleration g a / (l^2/3 + a^2); each impact leaves
 * the part r of the angular velocity: a bouncing ball.
 */
static void rock_rod(double a)
{
    rod r = {.l = 1, .supports = 2, .at = {-a, a}};
    const double angle = 0.01, restitution[] = {0, 0};
    const double position[] = {a * angle, angle}, velocity[] = {0, 0};
    crm_lagrangian_def def = rod_def(&r, position, velocity, restitution);
    crm_motion *motion = motion_of(&def, NULL);
    crm_observer observer = impact_observer(&impacts);
    run_to(motion, 5, &observer);
    double turning = G * a / (1.0 / 3 + a * a), part = fmax(0, (1 - 3 * a * a) / (1 + 3 * a * a));
    double first = sqrt(2 * angle / turning);
    crm_motion_summary summary = crm_motion_summarize(motion);
    assert_met("rod on two supports: instant of rest", summary.at_rest_since,
               first * (1 + part) / (1 - part), CLOSE);
    assert_near(impacts.row[0].time, first, CLOSE);
    for (size_t k = 1; k < impacts.count && k < 20; k++) {
        double before = fmax(impacts.row[k - 1].closing[0], impacts.row[k - 1].closing[1]);
        double after = fmax(impacts.row[k].closing[0], impacts.row[k].closing[1]);
        assert_near(after / before, part, CLOSE);
    }
    assert_true(part > 0 ? impacts.count > 3 : impacts.count == 1);
    assert_account_closes(motion, CLOSE);
    crm_motion_free(motion);
}

static void rod_rocks_iff_supports_are_near(void **state)
{
    (void)state;
    rock_rod(0.3);
    rock_rod(0.5);
    rock_rod(0.57); /* l / sqrt(3) = .5774 */
    rock_rod(0.59);
    rock_rod(0.9);
}

/* Three supports: forces are not determined, the motion is. */
static void rod_rests_on_three_supports(void **state)
{
    (void)state;
    rod r = {.l = 1, .supports = 3, .at = {-0.8, 0.1, 0.8}};
    const double position[] = {0.3, 0.02}, velocity[] = {0, 0.1}, restitution[] = {0.3, 0.3, 0.3};
    crm_lagrangian_def def = rod_def(&r, position, velocity, restitution);
    crm_motion_options options = crm_motion_options_default();
    options.stop_at_rest = true;
    crm_motion *motion = motion_of(&def, &options);
    assert_int_equal(run_to(motion, 10, NULL), CRM_STOP_AT_REST);
    double q[2];
    crm_motion_read(motion, q, NULL);
    assert_near(q[0], 0, CLOSE);
    assert_near(q[1], 0, CLOSE);
    assert_near(crm_motion_summarize(motion).energy.lost, G * 0.3 + 0.5 * 0.01 / 3, CLOSE);
    crm_motion_free(motion);
}

/* ---- A block --------------------------------------------------------------------------------- */

typedef struct block {
    double b, height; /* half width, half height; mass 1, no friction */
} block;

static double block_inertia(const block *k)
{
    return (k->b * k->b + k->height * k->height) / 3;
}

static crm_status block_mass(void *context, const double *q, double *mass)
{
    (void)q;
    diagonal(mass, 2, (double[]){1, block_inertia(context)});
    return CRM_OK;
}

/* Corners right and left of the centre. */
static crm_status block_gap(void *context, double t, const double *q, double *gap)
{
    const block *k = context;
    (void)t;
    gap[0] = q[0] + k->b * sin(q[1]) - k->height * cos(q[1]);
    gap[1] = q[0] - k->b * sin(q[1]) - k->height * cos(q[1]);
    return CRM_OK;
}

static crm_lagrangian_def block_def(block *k, const double *position, const double *velocity,
                                    const double *restitution)
{
    crm_lagrangian_def def = crm_lagrangian_def_default();
    def.context = k;
    def.positions = def.velocities = def.gaps = 2;
    def.mass = block_mass;
    def.force = rod_force;
    def.gap = block_gap; /* derivatives by differences */
    def.potential = rod_potential;
    def.position = position;
    def.velocity = velocity;
    def.restitution = restitution;
    return def;
}

/* From rest at an angle: energy gives the first angular velocity, and each impact the next. */
static void rock_block(double b, double height)
{
    block k = {b, height};
    const double angle = 0.1, restitution[] = {0, 0}, velocity[] = {0, 0};
    const double position[] = {b * sin(angle) + height * cos(angle), angle};
    crm_lagrangian_def def = block_def(&k, position, velocity, restitution);
    crm_motion *motion = motion_of(&def, NULL);
    crm_observer observer = impact_observer(&impacts);
    run_to(motion, 10, &observer);
    double inertia = block_inertia(&k);
    double part = (inertia - b * b) / (inertia + b * b);
    double speed = sqrt(2 * G * (position[0] - height) / (b * b + inertia));
    assert_int_equal(part > 0, height > sqrt(2) * b);
    assert_true(part > 0 ? impacts.count > 3 : impacts.count == 1);
    for (size_t i = 0; i < impacts.count && i < 10; i++) {
        double closing = fmax(impacts.row[i].closing[0], impacts.row[i].closing[1]);
        if (i % 5 == 0) {
            assert_met("block: closing speed of an impact", closing, 2 * b * speed, CLOSE);
        }
        assert_near(closing, 2 * b * speed, CLOSE);
        speed *= part;
    }
    crm_motion_summary summary = crm_motion_summarize(motion);
    assert_false(isnan(summary.at_rest_since));
    assert_near(summary.energy.lost, G * (position[0] - height), CLOSE);
    assert_account_closes(motion, CLOSE);
    crm_motion_free(motion);
}

static void block_rocks_iff_tall(void **state)
{
    (void)state;
    rock_block(0.1, 0.3);
    rock_block(0.1, 0.15); /* sqrt(2) b = .1414 */
    rock_block(0.1, 0.13);
    rock_block(0.1, 0.05);
}

/* Both corners bounce, each in the other's flight, ever lower than positions have digits. */
static void block_comes_to_rest_by_every_law(void **state)
{
    (void)state;
    static const char *const laws[] = {"lzb", "moreau", "newton", "poisson", "binary"};
    for (size_t k = 0; k < 5; k++) {
        for (double height = 0.05; height < 0.4; height += 0.1) {
            block b = {0.1, height};
            const double angle = 0.1, restitution[] = {0.6, 0.6}, velocity[] = {0, 0};
            const double position[] = {0.02 + b.b * sin(angle) + height * cos(angle), angle};
            crm_lagrangian_def def = block_def(&b, position, velocity, restitution);
            crm_motion_options options = crm_motion_options_default();
            crm_settings *law = law_named(laws[k]);
            options.law = law;
            options.stop_at_rest = true;
            options.stop_impacts = 10000;
            crm_motion *motion = motion_of(&def, &options);
            assert_int_equal(run_to(motion, 50, NULL), CRM_STOP_AT_REST);
            double q[2];
            crm_motion_read(motion, q, NULL);
            assert_near(q[0], height, CLOSE);
            assert_near(q[1], 0, CLOSE / b.b);
            crm_motion_summary summary = crm_motion_summarize(motion);
            assert_near(summary.energy.lost, G * (position[0] - q[0]), CLOSE);
            crm_motion_free(motion);
            crm_settings_free(law);
        }
    }
}

/* ---- A ladder, a ball on a ball -------------------------------------------------------------- */

/* Centre x, y and angle from the floor; half length 1, mass 1. Gaps: floor, wall. */
static crm_status ladder_mass(void *context, const double *q, double *mass)
{
    (void)context, (void)q;
    diagonal(mass, 3, (double[]){1, 1, 1.0 / 3});
    return CRM_OK;
}

static crm_status ladder_force(void *context, double t, const double *q, const double *v, double *h)
{
    (void)context, (void)t, (void)q, (void)v;
    h[0] = h[2] = 0;
    h[1] = -G;
    return CRM_OK;
}

static crm_status ladder_gap(void *context, double t, const double *q, double *gap)
{
    (void)context, (void)t;
    gap[0] = q[1] - sin(q[2]);
    gap[1] = q[0] - cos(q[2]);
    return CRM_OK;
}

static crm_status ladder_gradient(void *context, double t, const double *q, double *w)
{
    (void)context, (void)t;
    const double rows[] = {0, 1, -cos(q[2]), 1, 0, sin(q[2])};
    memcpy(w, rows, sizeof rows);
    return CRM_OK;
}

static crm_status ladder_bias(void *context, double t, const double *q, const double *v,
                              double *bias)
{
    (void)context, (void)t;
    bias[0] = sin(q[2]) * v[2] * v[2];
    bias[1] = cos(q[2]) * v[2] * v[2];
    return CRM_OK;
}

static double plane_potential(void *context, double t, const double *q)
{
    (void)context, (void)t;
    return G * q[1];
}

static void ladder_leaves_the_wall(void **state)
{
    (void)state;
    const double angle = 1.2, velocity[] = {0, 0, 0};
    const double position[] = {cos(angle), sin(angle), angle};
    crm_lagrangian_def def = crm_lagrangian_def_default();
    def.positions = def.velocities = 3;
    def.gaps = 2;
    def.mass = ladder_mass;
    def.force = ladder_force;
    def.gap = ladder_gap;
    def.gradient = ladder_gradient;
    def.gap_bias = ladder_bias;
    def.potential = plane_potential;
    def.position = position;
    def.velocity = velocity;
    crm_motion *motion = motion_of(&def, NULL);
    double q[3], v[3], turning = sqrt(G * sin(angle) / 2), height = 2.0 / 3 * sin(angle);
    bool left = false;
    for (double t = 0.01; !left; t += 0.01) {
        run_to(motion, t, NULL);
        crm_motion_read(motion, q, v);
        left = q[0] - cos(q[2]) > 1e-8;
        if (sin(q[2]) > height * (1 + 1e-6)) { /* on both: energy */
            assert_near(q[0], cos(q[2]), 1e-12);
            assert_near(v[2], -sqrt(1.5 * G * (sin(angle) - sin(q[2]))), CLOSE);
        }
    }
    assert_true(sin(q[2]) < height && sin(q[2]) > height - 0.1);
    /* As it was at that instant. */
    assert_met("ladder: speed with which it leaves", v[0], height * turning, CLOSE);
    assert_account_closes(motion, CLOSE);
    crm_motion_free(motion);
}

static crm_status ladder_gap_far(void *context, double t, const double *q, double *gap)
{
    (void)context, (void)t;
    gap[0] = hypot(q[0], q[1]) - 2;
    return CRM_OK;
}

static crm_status point_mass(void *context, const double *q, double *mass)
{
    (void)context, (void)q;
    diagonal(mass, 2, (double[]){3, 3});
    return CRM_OK;
}

static crm_status point_force(void *context, double t, const double *q, const double *v, double *h)
{
    (void)context, (void)t, (void)q, (void)v;
    h[0] = 0;
    h[1] = -3 * G;
    return CRM_OK;
}

static double point_potential(void *context, double t, const double *q)
{
    (void)context, (void)t;
    return 3 * G * q[1];
}

/* From rest at cos = c: leaves at 2c/3 with v^2 = g R 2c/3, along the tangent. */
static void ball_leaves_a_ball(void **state)
{
    (void)state;
    const double start = 0.02, c = 2.0 / 3 * cos(start), s = sqrt(1 - c * c);
    const double position[] = {2 * sin(start), 2 * cos(start)}, velocity[] = {0, 0};
    crm_lagrangian_def def = crm_lagrangian_def_default();
    def.positions = def.velocities = 2;
    def.gaps = 1;
    def.mass = point_mass;
    def.force = point_force;
    def.gap = ladder_gap_far;
    def.potential = point_potential;
    def.position = position;
    def.velocity = velocity;
    crm_motion *motion = motion_of(&def, NULL);
    double q[2], v[2], speed = sqrt(G * 2 * c);
    run_to(motion, 0.1, NULL);
    do {
        run_to(motion, crm_motion_time(motion) + 0.05, NULL);
        crm_motion_read(motion, q, v);
    } while (hypot(q[0], q[1]) - 2 < 1e-3);
    assert_met("ball on a ball: speed with which it leaves, by differences", v[0], speed * c, 1e-8);
    double flight = (q[0] - 2 * s) / (speed * c);
    assert_near(q[1], 2 * c - speed * s * flight - 0.5 * G * flight * flight, 1e-8);
    assert_account_closes(motion, CLOSE);
    crm_motion_free(motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rod_rocks_iff_supports_are_near),
        cmocka_unit_test(rod_rests_on_three_supports),
        cmocka_unit_test(block_rocks_iff_tall),
        cmocka_unit_test(block_comes_to_rest_by_every_law),
        cmocka_unit_test(ladder_leaves_the_wall),
        cmocka_unit_test(ball_leaves_a_ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
