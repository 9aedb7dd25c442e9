/* Rods, obstacles and what they touch: contacts and their gradients against the gap itself, which
 * the tests work out from the geometry in their own way.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"

static const double PI = 3.141592653589793238;
static const double ROUNDING = 1e-13;
/* Central differences with a step h: error h^2 from the curvature, rounding / h. */
static const double STEP = 1e-5;
static const double DIFFERENCES = 1e-8;

/* ---- Making bodies --------------------------------------------------------------------------- */

static crm_body_def ball(double radius, double x, double y)
{
    crm_body_def body = crm_body_def_default();
    body.radius = radius;
    body.mass = 2;
    body.position[0] = x;
    body.position[1] = y;
    return body;
}

static crm_body_def rod(double length, double radius, double x, double y, double angle)
{
    crm_body_def body = ball(radius, x, y);
    body.shape = CRM_SHAPE_ROD;
    body.length = length;
    body.angle = angle;
    body.mass = 3;
    return body;
}

static crm_body_def held(crm_body_def body)
{
    body.fixed = true;
    body.mass = NAN;
    return body;
}

static crm_bodies_def plane(const crm_body_def *bodies, size_t count)
{
    crm_bodies_def def = crm_bodies_def_default();
    def.bodies = bodies;
    def.body_count = count;
    return def;
}

static crm_model *model_of(const crm_bodies_def *def)
{
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_bodies(def, &model, &error), &error);
    return model;
}

static void assert_refused(const crm_bodies_def *def, const char *words)
{
    crm_model *model = NULL;
    crm_error error = {0};
    assert_int_equal(crm_model_from_bodies(def, &model, &error), CRM_ERROR_MODEL);
    assert_null(model);
    if (strstr(error.message, words) == NULL) {
        fail_msg("'%s: %s' does not say '%s'", error.place, error.message, words);
    }
}

/* ---- The gap, in the tests' own way ---------------------------------------------------------- */

/* The point at `along` (-1 to 1) of a body's axis; a ball is its centre. */
static void axis_point(const crm_body_def *body, double along, double *point)
{
    double half = body->shape == CRM_SHAPE_ROD ? 0.5 * body->length : 0;
    point[0] = body->position[0] + along * half * cos(body->angle);
    point[1] = body->position[1] + along * half * sin(body->angle);
}

/* From a point to a body's axis, by golden section: the distance along it has one minimum. */
static double distance_to_axis(const crm_body_def *body, const double *point)
{
    const double golden = 0.5 * (sqrt(5) - 1);
    double low = -1, high = 1, least = INFINITY;
    for (int i = 0; i < 200; i++) {
        double a = high - golden * (high - low), b = low + golden * (high - low), p[2], q[2];
        axis_point(body, a, p);
        axis_point(body, b, q);
        double at_a = hypot(p[0] - point[0], p[1] - point[1]);
        double at_b = hypot(q[0] - point[0], q[1] - point[1]);
        least = fmin(least, fmin(at_a, at_b));
        if (at_a < at_b) {
            high = b;
        } else {
            low = a;
        }
    }
    for (int end = -1; end <= 1; end += 2) {
        double p[2];
        axis_point(body, end, p);
        least = fmin(least, hypot(p[0] - point[0], p[1] - point[1]));
    }
    return least;
}

static double thickness(const crm_body_def *body)
{
    return isnan(body->radius) ? 0 : body->radius;
}

/* Gap between the point at `along` of body a and body b. */
typedef struct gap_rule {
    size_t a, b;
    double along;
} gap_rule;

static double gap_of(const crm_body_def *bodies, gap_rule rule)
{
    double point[2];
    axis_point(&bodies[rule.a], rule.along, point);
    return distance_to_axis(&bodies[rule.b], point) - thickness(&bodies[rule.a]) -
           thickness(&bodies[rule.b]);
}

static double *coordinate_of(crm_body_def *body, size_t k)
{
    return k < 2 ? &body->position[k] : &body->angle;
}

/* w of a contact, entry by entry, beside the slope of the gap. */
static void assert_gradient(const crm_model *model, size_t contact, const crm_body_def *bodies,
                            size_t count, gap_rule rule)
{
    crm_body_def moved[4];
    double velocity[12] = {0}, u[8];
    size_t coordinate = 0;
    assert_near(gap_of(bodies, rule), 0, 1e-9);
    for (size_t i = 0; i < count; i++) {
        size_t own = bodies[i].fixed ? 0 : bodies[i].shape == CRM_SHAPE_ROD ? 3 : 2;
        for (size_t k = 0; k < own; k++, coordinate++) {
            memcpy(moved, bodies, count * sizeof *bodies);
            *coordinate_of(&moved[i], k) += STEP;
            double ahead = gap_of(moved, rule);
            *coordinate_of(&moved[i], k) -= 2 * STEP;
            double slope = (ahead - gap_of(moved, rule)) / (2 * STEP);
            velocity[coordinate] = 1;
            crm_model_gap_velocity(model, velocity, u);
            velocity[coordinate] = 0;
            assert_near(u[contact], slope, DIFFERENCES);
        }
    }
    assert_int_equal(coordinate, crm_model_coordinates(model));
}

/* ---- Mass ------------------------------------------------------------------------------------ */

static void a_rod_has_three_coordinates_and_its_inertia(void **state)
{
    (void)state;
    crm_body_def bodies[] = {rod(2, NAN, 0, 0, 0.3), ball(1, 5, 5), rod(4, 0.5, -5, -5, 0)};
    bodies[2].inertia = 7;
    crm_bodies_def def = plane(bodies, 3);
    crm_model *model = model_of(&def);
    assert_int_equal(crm_model_coordinates(model), 3 + 2 + 3);
    assert_int_equal(crm_model_body_start(model, 1), 3);
    assert_int_equal(crm_model_body_start(model, 2), 5);
    static const bool angle[] = {false, false, true, false, false, false, false, true};
    static const double mass[] = {3, 3, 3 * 2 * 2 / 12.0, 2, 2, 3, 3, 7};
    for (size_t i = 0; i < 8; i++) {
        double unit[8] = {0};
        unit[i] = 1;
        assert_near(2 * crm_model_kinetic_energy(model, unit), mass[i], ROUNDING);
        assert_int_equal(crm_model_is_angle(model, i), angle[i]);
    }
    crm_model_free(model);
}

static void fixed_bodies_have_no_coordinates(void **state)
{
    (void)state;
    const crm_body_def bodies[] = {held(ball(1, 0, 0)), ball(1, 2, 0), held(ball(1, 4, 0)),
                                   held(ball(1, 5, 0))};
    crm_wall_def floor = crm_wall_def_default();
    floor.point[1] = -1;
    floor.normal[1] = 1;
    crm_bodies_def def = plane(bodies, 4);
    def.walls = &floor;
    def.wall_count = 1;
    crm_model *model = model_of(&def); /* two fixed bodies overlap, which is nobody's business */
    assert_int_equal(crm_model_bodies(model), 1);
    assert_int_equal(crm_model_coordinates(model), 2);
    assert_int_equal(crm_model_contacts(model), 3);
    static const char *const names[][2] = {
        {"body 1", "body 2"}, {"body 2", "body 3"}, {"body 2", "wall 1"}};
    for (size_t j = 0; j < 3; j++) {
        for (int party = 0; party < 2; party++) {
            char name[32];
            crm_model_party_name(model, j, party, name, sizeof name);
            assert_string_equal(name, names[j][party]);
            bool moves = strcmp(name, "body 2") == 0;
            assert_int_equal(crm_model_party(model, j, party) < crm_model_bodies(model), moves);
        }
    }
    double u[3];
    crm_model_gap_velocity(model, (double[]){1, -2}, u);
    assert_near(u[0], 1, ROUNDING);
    assert_near(u[1], -1, ROUNDING);
    assert_near(u[2], -2, ROUNDING);
    crm_model_free(model);
}

/* ---- Rod and sphere -------------------------------------------------------------------------- */

static void a_sphere_on_the_side_of_a_rod(void **state)
{
    (void)state;
    for (int thick = 0; thick < 2; thick++) {
        double angle = 0.4, reach = thick ? 0.75 : 0.5;
        crm_body_def bodies[] = {rod(2, thick ? 0.25 : (double)NAN, 1, 2, angle), ball(0.5, 0, 0)};
        bodies[1].position[0] = 1 + 0.6 * cos(angle) - reach * sin(angle);
        bodies[1].position[1] = 2 + 0.6 * sin(angle) + reach * cos(angle);
        crm_bodies_def def = plane(bodies, 2);
        crm_model *model = model_of(&def);
        assert_int_equal(crm_model_contacts(model), 1);
        assert_gradient(model, 0, bodies, 2, (gap_rule){1, 0, 0});
        double u;
        crm_model_gap_velocity(model, (double[]){0, 0, 1, 0, 0}, &u);
        assert_near(u, -0.6, ROUNDING); /* the arm */
        crm_model_free(model);
    }
}

static void a_sphere_at_the_end_of_a_rod(void **state)
{
    (void)state;
    double angle = -0.7;
    for (int k = 0; k < 5; k++) {
        double direction = angle + (k - 2) * PI / 5; /* around the end */
        crm_body_def bodies[] = {ball(0.5, 0, 0), rod(2, 0.25, 1, 2, angle)};
        bodies[0].position[0] = 1 + cos(angle) + 0.75 * cos(direction);
        bodies[0].position[1] = 2 + sin(angle) + 0.75 * sin(direction);
        crm_bodies_def def = plane(bodies, 2);
        crm_model *model = model_of(&def);
        assert_int_equal(crm_model_contacts(model), 1);
        assert_gradient(model, 0, bodies, 2, (gap_rule){0, 1, 0});
        crm_model_free(model);
    }
}

static void touching_is_relative_to_the_size_of_the_rod(void **state)
{
    (void)state;
    /* Half length 1, radius 0.001: 1e-9 of 1.001. */
    static const double gaps[] = {0.9e-9, -0.9e-9, 1.1e-9, -1.1e-9};
    for (int k = 0; k < 4; k++) {
        const crm_body_def bodies[] = {rod(2, NAN, 0, 0, 0),
                                       held(ball(1e-3, 0.5, -1e-3 - gaps[k]))};
        crm_bodies_def def = plane(bodies, 2);
        if (k == 3) {
            assert_refused(&def, "overlap by 1.1e-09");
            continue;
        }
        crm_model *model = model_of(&def);
        assert_int_equal(crm_model_contacts(model), k < 2 ? 1 : 0);
        crm_model_free(model);
    }
}

/* ---- Rod and wall ---------------------------------------------------------------------------- */

static crm_wall_def floor_at(double y)
{
    crm_wall_def wall = crm_wall_def_default();
    wall.point[1] = y;
    wall.normal[1] = 2; /* any length */
    return wall;
}

static void a_rod_lies_on_a_wall_with_both_ends(void **state)
{
    (void)state;
    const crm_body_def bodies[] = {rod(3, 0.5, 1, 2, 0)};
    crm_wall_def floor = floor_at(1.5);
    floor.velocity[1] = 0.25;
    crm_bodies_def def = plane(bodies, 1);
    def.walls = &floor;
    def.wall_count = 1;
    crm_model *model = model_of(&def);
    assert_int_equal(crm_model_contacts(model), 2);
    double u[2];
    crm_model_gap_velocity(model, (double[]){10, -1, 1}, u);
    assert_near(u[0], -1 - 1.5 - 0.25, ROUNDING); /* the end the angle points away from */
    assert_near(u[1], -1 + 1.5 - 0.25, ROUNDING);
    crm_model_free(model);
}

static void a_tilted_rod_stands_on_one_end(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        double angle = k == 0 ? 0.3 : 0.3 + PI;
        const crm_body_def bodies[] = {rod(2, NAN, 0, sin(0.3), angle)};
        crm_wall_def floor = floor_at(0);
        crm_bodies_def def = plane(bodies, 1);
        def.walls = &floor;
        def.wall_count = 1;
        crm_model *model = model_of(&def);
        assert_int_equal(crm_model_contacts(model), 1);
        double u;
        crm_model_gap_velocity(model, (double[]){0, 0, 1}, &u);
        assert_near(u, -cos(0.3), ROUNDING); /* height of the end: y - sin(angle) */
        crm_model_free(model);
    }
}

static void a_rod_in_a_wall_is_refused(void **state)
{
    (void)state;
    const crm_body_def bodies[] = {rod(2, NAN, 0, 0.5, PI / 2)};
    crm_wall_def floor = floor_at(0);
    crm_bodies_def def = plane(bodies, 1);
    def.walls = &floor;
    def.wall_count = 1;
    assert_refused(&def, "body 1 and wall 1 overlap by 0.5");
}

/* ---- Rod and rod ----------------------------------------------------------------------------- */

static void the_end_of_a_rod_on_the_side_of_another(void **state)
{
    (void)state;
    static const double radius[][2] = {{NAN, NAN}, {0.1, 0.2}, {0.1, NAN}};
    for (int k = 0; k < 12; k++) {
        bool swapped = k % 2 == 1, below = k % 4 >= 2;
        const double *r = radius[k / 4];
        double reach = (isnan(r[0]) ? 0 : r[0]) + (isnan(r[1]) ? 0 : r[1]);
        double side = below ? -1 : 1, angle = side * 1.1;
        /* A rod along x, and one that stands on it at x = 0.4 leaning. */
        crm_body_def lying = rod(4, r[0], 0, 0, 0);
        crm_body_def standing = rod(2, r[1], 0.4 + cos(angle), side * reach + sin(angle), angle);
        crm_body_def bodies[] = {swapped ? standing : lying, swapped ? lying : standing};
        crm_bodies_def def = plane(bodies, 2);
        crm_model *model = model_of(&def);
        assert_int_equal(crm_model_contacts(model), 1);
        if (reach > 0) {
            assert_gradient(model, 0, bodies, 2,
                            swapped ? (gap_rule){0, 1, -1} : (gap_rule){1, 0, -1});
        }
        double v[6] = {0}, u;
        v[swapped ? 4 : 1] = 1; /* the lying one goes up */
        crm_model_gap_velocity(model, v, &u);
        assert_near(u, -side, ROUNDING);
        v[swapped ? 4 : 1] = 0;
        v[swapped ? 5 : 2] = 1; /* ... or turns */
        crm_model_gap_velocity(model, v, &u);
        assert_near(u, -side * 0.4, ROUNDING);
        v[swapped ? 5 : 2] = 0;
        v[swapped ? 2 : 5] = 1; /* the standing one turns about its end's opposite */
        crm_model_gap_velocity(model, v, &u);
        assert_near(u, -side * cos(angle), ROUNDING);
        crm_model_free(model);
    }
}

static void round_ends_touch_once(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        double angle = 0.5 + 0.3 * k, direction = 0.2 * k;
        crm_body_def bodies[] = {rod(2, 0.1, -1, 0, 0), rod(2, 0.2, 0, 0, angle)};
        bodies[1].position[0] = 0.3 * cos(direction) + cos(angle);
        bodies[1].position[1] = 0.3 * sin(direction) + sin(angle);
        crm_bodies_def def = plane(bodies, 2);
        crm_model *model = model_of(&def);
        assert_int_equal(crm_model_contacts(model), 1);
        assert_gradient(model, 0, bodies, 2, (gap_rule){1, 0, -1});
        crm_model_free(model);
    }
}

/* Just past the end of the first the second's end is nearest to its side, and the first's end is
 * within the tolerance too: still one contact, the nearer.
 */
static void an_end_beside_an_end_touches_once(void **state)
{
    (void)state;
    const double slip = 1e-6, lean = PI / 4;
    const crm_body_def bodies[] = {rod(2, 0.1, -1, 0, 0),
                                   rod(2, 0.2, -slip + cos(lean), 0.3 + sin(lean), lean)};
    crm_bodies_def def = plane(bodies, 2);
    crm_model *model = model_of(&def);
    assert_int_equal(crm_model_contacts(model), 1);
    double u;
    crm_model_gap_velocity(model, (double[]){0, 0, 1, 0, 0, 0}, &u);
    assert_near(u, -(1 - slip), 1e-12);
    crm_model_free(model);
}

/* Side by side they touch at both ends of the common stretch, from end to end of the first. */
static void parallel_rods_touch_twice(void **state)
{
    (void)state;
    static const struct {
        double length, x, angle; /* of the second, above the first, which reaches from -2 to 2 */
        double arm[2];           /* where the first is met */
    } cases[] = {{2, 0.5, 0, {-0.5, 1.5}},
                 {2, 0.5, 3.141592653589793, {-0.5, 1.5}},
                 {4, 3, 0, {1, 2}},
                 {4, 0, 0, {-2, 2}},
                 {6, -1, 0, {-2, 2}}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const crm_body_def bodies[] = {rod(4, 0.1, 0, 0, 0),
                                       rod(cases[k].length, 0.2, cases[k].x, 0.3, cases[k].angle)};
        crm_bodies_def def = plane(bodies, 2);
        crm_model *model = model_of(&def);
        assert_int_equal(crm_model_contacts(model), 2);
        double u[2];
        crm_model_gap_velocity(model, (double[]){0, 0, -1, 0, 0, 0}, u);
        assert_all_near(u, cases[k].arm, 2, 1e-12);
        crm_model_gap_velocity(model, (double[]){0, 1, 0, 0, 0, 0}, u);
        assert_all_near(u, ((double[]){-1, -1}), 2, 1e-12);
        crm_model_free(model);
    }
}

static void thin_rods_in_line_touch_end_to_end(void **state)
{
    (void)state;
    double angle = 0.3;
    const crm_body_def bodies[] = {rod(2, NAN, 0, 0, angle),
                                   rod(4, NAN, 3 * cos(angle), 3 * sin(angle), angle + PI)};
    crm_bodies_def def = plane(bodies, 2);
    crm_model *model = model_of(&def);
    assert_int_equal(crm_model_contacts(model), 1);
    double u;
    crm_model_gap_velocity(model, (double[]){0, 0, 1, cos(angle), sin(angle), 1}, &u);
    assert_near(u, 1, 1e-12);
    crm_model_free(model);
}

static void rods_without_an_outside_are_refused(void **state)
{
    (void)state;
    const crm_body_def on_top[] = {rod(2, NAN, 0, 0, 0), rod(2, NAN, 0.5, 0, 0)};
    const crm_body_def corner[] = {rod(2, NAN, 0, 0, 0), rod(2, NAN, 1, 1, PI / 2)};
    const crm_body_def twins[] = {rod(2, NAN, 0, 0, 0), rod(2, NAN, 0, 0, 0)};
    const crm_body_def bent[] = {rod(2, NAN, 0, 0, 0), rod(2, NAN, 1 + cos(0.01), sin(0.01), 0.01)};
    const crm_body_def across[] = {rod(2, NAN, 0, 0, 0), rod(2, NAN, 0, 0, PI / 2)};
    const crm_body_def thick[] = {rod(2, 0.1, 0, 0, 0), rod(2, 0.1, 0.2, 0.8, PI / 2)};
    const crm_body_def near[] = {rod(2, 0.1, 0, 0, 0), rod(2, 0.1, 0, 0.1, 0)};
    crm_bodies_def def = plane(on_top, 2);
    assert_refused(&def, "normal is undefined");
    def.bodies = corner;
    assert_refused(&def, "normal is undefined");
    def.bodies = twins;
    assert_refused(&def, "normal is undefined");
    def.bodies = bent;
    assert_refused(&def, "normal is undefined");
    def.bodies = across;
    assert_refused(&def, "cross");
    def.bodies = thick; /* the end of one is exactly 0.2 past the other */
    assert_refused(&def, "cross");
    def.bodies = near;
    assert_refused(&def, "overlap by 0.1");
}

/* ---- What contacts are made of --------------------------------------------------------------- */

static void rods_need_a_stiffness_where_materials_meet(void **state)
{
    (void)state;
    const crm_material steel = {.young = 200e9, .poisson = 0.3};
    crm_body_def bodies[] = {rod(2, NAN, 0, 0, 0), ball(1, 0, 1)};
    bodies[1].material = &steel;
    crm_bodies_def def = plane(bodies, 2);
    assert_refused(&def, "give the contact a stiffness");
    def.contact.stiffness = 5;
    crm_model *model = model_of(&def);
    assert_true(crm_model_stiffness(model)[0] == 5);
    crm_model_free(model);
}

static void bad_rods_are_refused(void **state)
{
    (void)state;
    crm_body_def bodies[] = {rod(2, NAN, 0, 0, 0)};
    crm_bodies_def def = plane(bodies, 1);
    bodies[0].length = -1;
    assert_refused(&def, "length is -1, must be a positive number (from 1e-30 to 1e30)");
    bodies[0].length = NAN;
    assert_refused(&def, "length");
    bodies[0].length = 2;
    bodies[0].angle = INFINITY;
    assert_refused(&def, "angle is inf, must be a finite number");
    bodies[0].angle = 0;
    bodies[0].radius = -0.5;
    assert_refused(&def, "radius is -0.5, must be 0 or positive");
    bodies[0].radius = 0;
    bodies[0].inertia = 0;
    assert_refused(&def, "inertia is 0, must be a positive number (from 1e-60 to 1e60)");
    bodies[0].inertia = NAN;
    bodies[0].mass = NAN;
    assert_refused(&def, "a rod needs its mass given");
    bodies[0].mass = 1;
    def.dimension = 3;
    assert_refused(&def, "rods are for the plane");
    def.dimension = 2;
    bodies[0].fixed = true;
    assert_refused(&def, "nothing moves");
}

/* ---- The rod on two obstacles ---------------------------------------------------------------- */

/* Half length l, obstacles at -a and a, the left one struck: an impulse there opens the right gap
 * if D_12 = 1/m - a^2 / I > 0, that is a < l / sqrt(3).
 */
static void a_rod_on_two_obstacles_rocks_or_stops(void **state)
{
    (void)state;
    static const double spread[] = {0.5, 0.5773502691896258, 0.65};
    static const double coupling[] = {1, 0, -1};
    for (int k = 0; k < 3; k++) {
        double a = spread[k];
        const crm_body_def bodies[] = {rod(2, NAN, 0, 0, 0), held(ball(0.1, -a, -0.1)),
                                       held(ball(0.1, a, -0.1))};
        crm_bodies_def def = plane(bodies, 3);
        crm_model *model = model_of(&def);
        assert_int_equal(crm_model_contacts(model), 2);
        double m = 3, inertia = m * 4 / 12;
        assert_near(crm_model_delassus(model, 0, 1), 1 / m - a * a / inertia, ROUNDING);
        assert_near(crm_model_delassus(model, 0, 0), 1 / m + a * a / inertia, ROUNDING);
        double d = crm_model_delassus(model, 0, 1);
        assert_true(fabs(d) < ROUNDING ? coupling[k] == 0 : d * coupling[k] > 0);
        crm_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_has_three_coordinates_and_its_inertia),
        cmocka_unit_test(fixed_bodies_have_no_coordinates),
        cmocka_unit_test(a_sphere_on_the_side_of_a_rod),
        cmocka_unit_test(a_sphere_at_the_end_of_a_rod),
        cmocka_unit_test(touching_is_relative_to_the_size_of_the_rod),
        cmocka_unit_test(a_rod_lies_on_a_wall_with_both_ends),
        cmocka_unit_test(a_tilted_rod_stands_on_one_end),
        cmocka_unit_test(a_rod_in_a_wall_is_refused),
        cmocka_unit_test(the_end_of_a_rod_on_the_side_of_another),
        cmocka_unit_test(round_ends_touch_once),
        cmocka_unit_test(an_end_beside_an_end_touches_once),
        cmocka_unit_test(parallel_rods_touch_twice),
        cmocka_unit_test(thin_rods_in_line_touch_end_to_end),
        cmocka_unit_test(rods_without_an_outside_are_refused),
        cmocka_unit_test(rods_need_a_stiffness_where_materials_meet),
        cmocka_unit_test(bad_rods_are_refused),
        cmocka_unit_test(a_rod_on_two_obstacles_rocks_or_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
