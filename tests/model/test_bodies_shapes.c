/* Boxes, ellipses and ellipsoids that touch: gap gradients worked out by hand, copies in other
 * frames and units, and what is refused.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/shape/shape.h"
#include "support.h"

static const double PI = 3.14159265358979323846;
static const double ROUNDING = 1e-13;

/* ---- Making bodies --------------------------------------------------------------------------- */

static crm_body_def box(double w, double h, double x, double y, double angle)
{
    crm_body_def body = crm_body_def_default();
    body.shape = CRM_SHAPE_BOX;
    body.size[0] = w;
    body.size[1] = h;
    body.mass = 2;
    body.position[0] = x;
    body.position[1] = y;
    body.angle = angle;
    return body;
}

static crm_body_def ellipse(double a, double b, double x, double y, double angle)
{
    crm_body_def body = box(NAN, NAN, x, y, angle);
    body.shape = CRM_SHAPE_ELLIPSE;
    body.semi_axes[0] = a;
    body.semi_axes[1] = b;
    return body;
}

static crm_body_def ellipsoid(const double axes[3], double x, double y, double z)
{
    crm_body_def body = ellipse(axes[0], axes[1], x, y, 0);
    body.shape = CRM_SHAPE_ELLIPSOID;
    body.semi_axes[2] = axes[2];
    body.position[2] = z;
    return body;
}

static crm_model *model_of(const crm_bodies_def *def)
{
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_bodies(def, &model, &error), &error);
    return model;
}

static crm_wall_def floor_of(unsigned dimension)
{
    crm_wall_def wall = crm_wall_def_default();
    wall.normal[dimension - 1] = 3;
    return wall;
}

static crm_model *on_floor(const crm_body_def *bodies, size_t count, unsigned dimension)
{
    crm_wall_def wall = floor_of(dimension);
    crm_bodies_def def = bodies_def(dimension, bodies, count);
    def.walls = &wall;
    def.wall_count = 1;
    return model_of(&def);
}

/* w of a contact, one entry per coordinate. */
static void assert_gradient(const crm_model *model, size_t contact, const double *want)
{
    size_t n = crm_model_coordinates(model);
    double v[16] = {0}, u[8];
    for (size_t i = 0; i < n; i++) {
        v[i] = 1;
        crm_model_gap_velocity(model, v, u);
        v[i] = 0;
        assert_near(u[contact], want[i], ROUNDING);
    }
}

/* ---- On a floor ------------------------------------------------------------------------------ */

static void a_box_lies_on_two_corners(void **state)
{
    (void)state;
    const crm_body_def body = box(0.6, 0.2, 1, 0.1, 0);
    crm_model *model = on_floor(&body, 1, 2);
    assert_int_equal(crm_model_contacts(model), 2);
    assert_gradient(model, 0, (double[]){0, 1, -0.3});
    assert_gradient(model, 1, (double[]){0, 1, 0.3});
    double inertia = 2 * (0.36 + 0.04) / 12;
    assert_near(crm_model_delassus(model, 0, 1), 0.5 - 0.09 / inertia, ROUNDING);
    assert_near(2 * crm_model_kinetic_energy(model, (double[]){0, 0, 1}), inertia, ROUNDING);
    assert_true(crm_model_is_angle(model, 2));
    crm_model_free(model);
}

/* The height of the lowest corner is h cos(a) + b sin(a): its slope is the lever. */
static void a_tilted_box_stands_on_one(void **state)
{
    (void)state;
    const double a = 0.3, b = 0.3, h = 0.1;
    const crm_body_def body = box(2 * b, 2 * h, 1, h * cos(a) + b * sin(a), a);
    crm_model *model = on_floor(&body, 1, 2);
    assert_int_equal(crm_model_contacts(model), 1);
    assert_gradient(model, 0, (double[]){0, 1, h * sin(a) - b * cos(a)});
    crm_model_free(model);
}

static void an_ellipse_touches_once(void **state)
{
    (void)state;
    const double a = 0.5, b = 0.2, angle = 0.7, height = hypot(a * sin(angle), b * cos(angle));
    const crm_body_def body = ellipse(a, b, 1, height, angle);
    crm_model *model = on_floor(&body, 1, 2);
    assert_int_equal(crm_model_contacts(model), 1);
    assert_gradient(model, 0,
                    (double[]){0, 1, -(a * a - b * b) * sin(angle) * cos(angle) / height});
    assert_near(2 * crm_model_kinetic_energy(model, (double[]){0, 0, 1}), 2 * (0.25 + 0.04) / 4,
                ROUNDING);
    crm_model_free(model);
}

/* Turned about y by `angle` the ellipsoid is that ellipse seen from the side: turning it on, about
 * its own second axis, lifts its lowest point by the slope of the height.
 */
static void an_ellipsoid_touches_once(void **state)
{
    (void)state;
    const double a = 0.5, c = 0.2, angle = 0.7, height = hypot(a * sin(angle), c * cos(angle));
    crm_body_def body = ellipsoid((double[]){a, 0.3, c}, 0, 0, height);
    body.orientation[0] = cos(angle / 2);
    body.orientation[2] = sin(angle / 2);
    crm_model *model = on_floor(&body, 1, 3);
    assert_int_equal(crm_model_contacts(model), 1);
    assert_int_equal(crm_model_coordinates(model), 6);
    assert_gradient(model, 0,
                    (double[]){0, 0, 1, 0, -(a * a - c * c) * sin(angle) * cos(angle) / height, 0});
    const double moment[] = {2 * (0.09 + c * c) / 5, 2 * (a * a + c * c) / 5,
                             2 * (a * a + 0.09) / 5};
    for (size_t k = 0; k < 3; k++) {
        double spin[6] = {0};
        spin[3 + k] = 1;
        assert_near(2 * crm_model_kinetic_energy(model, spin), moment[k], ROUNDING);
        assert_true(crm_model_is_angle(model, 3 + k));
        assert_false(crm_model_is_angle(model, k));
    }
    crm_model_free(model);
}

static void an_ellipsoid_has_the_mass_of_its_density(void **state)
{
    (void)state;
    const crm_material steel = {.density = 7800};
    crm_body_def body = ellipsoid((double[]){0.5, 0.4, 0.3}, 0, 0, 0.3);
    body.mass = NAN;
    body.material = &steel;
    crm_model *model = on_floor(&body, 1, 3);
    assert_near(2 * crm_model_kinetic_energy(model, (double[]){1, 0, 0, 0, 0, 0}),
                7800 * 4 / 3.0 * PI * 0.5 * 0.4 * 0.3, 1e-9);
    crm_model_free(model);
}

/* ---- On each other --------------------------------------------------------------------------- */

/* Upon a box of 1 by 0.4 at 0: where the overlap ends, and also when it ends flush. */
static void boxes_touch_at_both_ends_of_their_overlap(void **state)
{
    (void)state;
    static const struct {
        double width, x, ends[2];
    } cases[] = {{0.4, 0.1, {-0.1, 0.3}},
                 {1, 0, {-0.5, 0.5}},
                 {1, 0.3, {-0.2, 0.5}},
                 {2, 0.2, {-0.5, 0.5}},
                 {0.4, 0.3, {0.1, 0.5}}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const crm_body_def bodies[] = {box(1, 0.4, 0, 0, 0),
                                       box(cases[k].width, 0.2, cases[k].x, 0.3, 0)};
        crm_bodies_def def = bodies_def(2, bodies, 2);
        crm_model *model = model_of(&def);
        assert_int_equal(crm_model_contacts(model), 2);
        for (size_t j = 0; j < 2; j++) {
            double end = cases[k].ends[j];
            assert_gradient(model, j, (double[]){0, -1, -end, 0, 1, end - cases[k].x});
        }
        crm_model_free(model);
    }
}

static void a_disc_a_rod_and_an_ellipse_lie_on_a_box(void **state)
{
    (void)state;
    crm_body_def rod = crm_body_def_default();
    rod.shape = CRM_SHAPE_ROD;
    rod.length = 0.3;
    rod.radius = 0.05;
    rod.mass = 1;
    rod.position[0] = 0.2;
    rod.position[1] = 0.25;
    const crm_body_def bodies[] = {box(2, 0.4, 0, 0, 0), ball_at(0.1, 1, -0.5, 0.3, 0), rod,
                                   ellipse(0.1, 0.3, 0.7, 0.5, 0)};
    crm_bodies_def def = bodies_def(2, bodies, 4);
    crm_model *model = model_of(&def);
    assert_int_equal(crm_model_contacts(model), 4);
    static const double at[] = {-0.5, 0.05, 0.35, 0.7};
    for (size_t j = 0; j < 4; j++) {
        double u[4];
        crm_model_gap_velocity(model, (double[]){0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}, u);
        assert_near(u[j], -at[j], 1e-12);
    }
    crm_model_free(model);
}

/* ---- Copies ---------------------------------------------------------------------------------- */

static crm_body_def turned(crm_body_def body, double angle)
{
    double x = body.position[0], y = body.position[1];
    body.position[0] = cos(angle) * x - sin(angle) * y;
    body.position[1] = sin(angle) * x + cos(angle) * y;
    body.angle += angle;
    return body;
}

static crm_body_def mirrored(crm_body_def body)
{
    body.position[0] = -body.position[0];
    body.angle = -body.angle;
    return body;
}

/* Lengths by `length`, masses by `mass`. */
static crm_body_def in_units(crm_body_def body, double length, double mass)
{
    body.radius *= length;
    body.length *= length;
    body.mass *= mass;
    for (int d = 0; d < 3; d++) {
        body.position[d] *= length;
        body.semi_axes[d] *= length;
    }
    body.size[0] *= length;
    body.size[1] *= length;
    return body;
}

static crm_body_def any_body(rng *r, int kind)
{
    crm_body_def body = kind < 2 ? box(rng_uniform(r, 0.2, 1), rng_uniform(r, 0.2, 1), 0, 0, 0)
                                 : ellipse(rng_uniform(r, 0.2, 1), rng_uniform(r, 0.2, 1), 0, 0, 0);
    if (kind == 1) {
        body.shape = CRM_SHAPE_ROD;
        body.length = rng_uniform(r, 0.2, 1);
        body.radius = rng_uniform(r, 0.05, 0.2);
    }
    body.angle = rng_uniform(r, -3, 3);
    body.position[0] = rng_uniform(r, -2, 2);
    body.position[1] = rng_uniform(r, -2, 2);
    return body;
}

/* The second is brought to the first by its nearest gap, along that normal. */
static void bring(const crm_body_def *a, crm_body_def *b)
{
    for (int k = 0; k < 60; k++) {
        crm_solid first = crm_solid_of(a, 2), second = crm_solid_of(b, 2);
        crm_gap nearest = {.gap = INFINITY};
        for (size_t place = 0; place < crm_gap_places(&first, &second); place++) {
            crm_gap near = crm_gap_solids(&first, &second, place, NULL);
            nearest = near.gap < nearest.gap ? near : nearest;
        }
        b->position[0] -= nearest.gap * nearest.normal[0];
        b->position[1] -= nearest.gap * nearest.normal[1];
    }
}

static void copies_are_the_same_impact(void **state)
{
    (void)state;
    static const double LENGTH = 1e-3, MASS = 1e4;
    rng r = rng_seeded(7);
    for (int k = 0; k < 300; k++) {
        crm_body_def b[2] = {any_body(&r, k % 3), any_body(&r, k / 3 % 3)};
        b[1].position[0] += 7; /* apart */
        bring(&b[0], &b[1]);
        const crm_body_def copies[4][2] = {
            {turned(b[0], 1.1), turned(b[1], 1.1)},
            {mirrored(b[0]), mirrored(b[1])},
            {in_units(b[0], LENGTH, MASS), in_units(b[1], LENGTH, MASS)},
            {b[1], b[0]}};
        crm_bodies_def def = bodies_def(2, b, 2);
        crm_model *model = model_of(&def);
        assert_int_equal(crm_model_contacts(model), 1);
        double d = crm_model_delassus(model, 0, 0);
        for (int c = 0; c < 4; c++) {
            def.bodies = copies[c];
            crm_model *copy = model_of(&def);
            assert_int_equal(crm_model_contacts(copy), 1);
            assert_near(crm_model_delassus(copy, 0, 0) * (c == 2 ? MASS : 1), d, 1e-6 * d);
            crm_model_free(copy);
        }
        crm_model_free(model);
    }
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void refused(const crm_bodies_def *def, const char *place, const char *words)
{
    crm_model *model = NULL;
    crm_error error = {0};
    assert_int_equal(crm_model_from_bodies(def, &model, &error), CRM_ERROR_MODEL);
    assert_null(model);
    assert_string_equal(error.place, place);
    if (strstr(error.message, words) == NULL) {
        fail_msg("'%s' does not say '%s'", error.message, words);
    }
}

static void shapes_that_cannot_be(void **state)
{
    (void)state;
    crm_body_def body = box(0, 1, 0, 0, 0);
    crm_bodies_def def = bodies_def(2, &body, 1);
    refused(&def, "bodies[1].size[1]", "is 0, must be a positive number");
    body = box(1, -2, 0, 0, 0);
    refused(&def, "bodies[1].size[2]", "is -2, must be a positive number");
    body = ellipse(1, 0, 0, 0, 0);
    refused(&def, "bodies[1].semi_axes[2]", "is 0, must be a positive number");
    body = ellipse(1, 1, 0, 0, NAN);
    refused(&def, "bodies[1].angle", "angle is nan");
    body = ellipse(1, 1, 0, 0, 0);
    body.mass = NAN;
    refused(&def, "bodies[1]", "an ellipse needs its mass given");
    body = ellipsoid((double[]){1, 1, 1}, 0, 0, 0);
    refused(&def, "bodies[1].shape", "ellipsoids are for space, with 3 coordinates; here bodies");
    def.dimension = 3;
    body.semi_axes[2] = -1;
    refused(&def, "bodies[1].semi_axes[3]", "is -1, must be a positive number");
    body.semi_axes[2] = 1;
    body.orientation[1] = 1;
    refused(&def, "bodies[1].orientation", "orientation is 1.41421 long, must be a quaternion");
    body.orientation[0] = body.orientation[1] = 0;
    refused(&def, "bodies[1].orientation", "orientation is 0 long");
    body = box(1, 1, 0, 0, 0);
    refused(&def, "bodies[1].shape", "boxes are for the plane, with 2 coordinates; here bodies");
}

static void overlaps_are_refused(void **state)
{
    (void)state;
    const crm_body_def crossed[] = {box(2, 0.2, 0, 0, 0), box(0.2, 2, 0, 0, 0)};
    const crm_body_def sunk[] = {box(2, 0.2, 0, 0, 0), ellipse(0.5, 0.2, 0, 0.25, 0)};
    const crm_body_def one[] = {ellipse(0.5, 0.2, 1, 1, 0), ellipse(0.5, 0.2, 1, 1, 0)};
    const crm_body_def tips[] = {box(1, 1, 0, 0, PI / 4), box(1, 1, 0, sqrt(2), PI / 4 + 0.2)};
    crm_bodies_def def = bodies_def(2, crossed, 2);
    refused(&def, "bodies[2].position", "body 1 and body 2 overlap by 1.1");
    def.bodies = sunk;
    refused(&def, "bodies[2].position", "body 1 and body 2 overlap by 0.05");
    def.bodies = one;
    refused(&def, "bodies[2].position", "body 1 and body 2 overlap by");
    crm_body_def upon[] = {tips[0], tips[1]};
    upon[1].position[1] = sqrt(0.5) + sqrt(0.5) * cos(0.2); /* tip on tip */
    upon[1].position[0] = -sqrt(0.5) * sin(0.2);
    def.bodies = upon;
    refused(&def, "bodies[2].position", "normal is undefined");
    crm_wall_def wall = floor_of(2);
    const crm_body_def low = ellipse(0.5, 0.2, 0, 0.1, 0);
    def = bodies_def(2, &low, 1);
    def.walls = &wall;
    def.wall_count = 1;
    refused(&def, "bodies[1].position", "body 1 and wall 1 overlap by 0.1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_lies_on_two_corners),
        cmocka_unit_test(a_tilted_box_stands_on_one),
        cmocka_unit_test(an_ellipse_touches_once),
        cmocka_unit_test(an_ellipsoid_touches_once),
        cmocka_unit_test(an_ellipsoid_has_the_mass_of_its_density),
        cmocka_unit_test(boxes_touch_at_both_ends_of_their_overlap),
        cmocka_unit_test(a_disc_a_rod_and_an_ellipse_lie_on_a_box),
        cmocka_unit_test(copies_are_the_same_impact),
        cmocka_unit_test(shapes_that_cannot_be),
        cmocka_unit_test(overlaps_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
