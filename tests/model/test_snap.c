/* Bodies that nearly touch, moved until they do: the least move by hand, a rack against arithmetic.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/bodies/snap.h"
#include "program.h"
#include "support.h"

/* Places of size 1 are known to that. */
static const double ROUNDING = 4e-16;

static void expect(const char *text, const char *words)
{
    if (strstr(text, words) == NULL) {
        fail_msg("'%s' is not in:\n%s", words, text);
    }
}

static crm_body_def ball(double x, double y, bool fixed)
{
    crm_body_def body = crm_body_def_default();
    body.radius = 0.5;
    body.mass = 1;
    body.position[0] = x;
    body.position[1] = y;
    body.fixed = fixed;
    return body;
}

static crm_bodies_def scene_of(crm_body_def *bodies, size_t count)
{
    crm_bodies_def def = crm_bodies_def_default();
    def.dimension = 2;
    def.bodies = bodies;
    def.body_count = count;
    return def;
}

/* ---- By hand --------------------------------------------------------------------------------- */

/* Half the gap each, or all of it by the one that can. */
static void two_meet_halfway(void **state)
{
    (void)state;
    static const double gaps[] = {1e-4, -1e-4};
    for (size_t k = 0; k < 2; k++) {
        for (int fixed = 0; fixed < 2; fixed++) {
            crm_body_def bodies[] = {ball(0, 0, fixed == 1),
                                     ball(0.6 * (1 + gaps[k]), 0.8 * (1 + gaps[k]), false)};
            crm_bodies_def def = scene_of(bodies, 2);
            crm_snapped told;
            assert_int_equal(crm_snap_bodies(&def, 1e-3, bodies, &told, NULL), CRM_OK);
            double own = fixed == 1 ? 0 : gaps[k] / 2;
            assert_near(bodies[0].position[0], 0.6 * own, ROUNDING);
            assert_near(bodies[0].position[1], 0.8 * own, ROUNDING);
            assert_near(bodies[1].position[0], 0.6 * (1 + own), ROUNDING);
            assert_near(bodies[1].position[1], 0.8 * (1 + own), ROUNDING);
            assert_int_equal(told.pairs, 1);
            assert_int_equal(told.moved, fixed == 1 ? 1 : 2);
            assert_near(told.distance, fabs(fixed == 1 ? gaps[k] : gaps[k] / 2), ROUNDING);
        }
    }
}

/* Those that are farther away stay where they are, and so do shapes that are not round. */
static void others_stay(void **state)
{
    (void)state;
    crm_body_def bodies[] = {ball(0, 0, false), ball(1.01, 0, false), ball(5, 0, false),
                             ball(5, 2, false)};
    bodies[3].shape = CRM_SHAPE_BOX;
    bodies[3].size[0] = bodies[3].size[1] = 2.999;
    crm_bodies_def def = scene_of(bodies, 4);
    crm_snapped told;
    assert_int_equal(crm_snap_bodies(&def, 1e-3, bodies, &told, NULL), CRM_OK);
    assert_int_equal(told.pairs, 0);
    assert_int_equal(told.moved, 0);
    assert_true(bodies[1].position[0] == 1.01 && bodies[3].position[1] == 2);
}

/* Onto a slanting wall, along its normal. */
static void walls_do_not_move(void **state)
{
    (void)state;
    crm_body_def body = ball(0.3, 0.4 - 1e-5, false); /* the wall goes through 0, 0.5 away */
    crm_wall_def wall = crm_wall_def_default();
    crm_bodies_def def = scene_of(&body, 1);
    crm_snapped told;
    wall.normal[0] = 6;
    wall.normal[1] = 8;
    def.walls = &wall;
    def.wall_count = 1;
    assert_int_equal(crm_snap_bodies(&def, 1e-4, &body, &told, NULL), CRM_OK);
    /* Too near by 0.8e-5: that along (0.6, 0.8). */
    assert_near(body.position[0], 0.3 + 0.6 * 0.8e-5, ROUNDING);
    assert_near(body.position[1], 0.4 - 1e-5 + 0.8 * 0.8e-5, ROUNDING);
}

/* Between two that are fixed there is more room than the ball fills. */
static void what_cannot_touch_is_refused(void **state)
{
    (void)state;
    crm_body_def bodies[] = {ball(0, 0, true), ball(1 + 1e-5, 0, false), ball(2 + 2e-5, 0, true)};
    crm_bodies_def def = scene_of(bodies, 3);
    crm_snapped told;
    crm_error error = {0};
    assert_int_equal(crm_snap_bodies(&def, 1e-4, bodies, &told, &error), CRM_ERROR_MODEL);
    expect(error.message, "cannot be moved to touch (contacts.snap)");
    expect(error.message, "1e-05 m are left");
}

/* ---- A rack with six decimals ---------------------------------------------------------------- */

enum { ROWS = 5, BALLS = 15 };

static double rounded(double value)
{
    return round(value * 1e6) / 1e6;
}

/* From below, as a packing numbers them. */
static void place_rack(crm_body_def *bodies, double radius)
{
    size_t count = 0;
    for (size_t row = 0; row < ROWS; row++) {
        for (size_t x = 0; x < ROWS - row; x++, count++) {
            bodies[count] = ball(rounded((1 + 2.0 * (double)x + (double)row) * radius),
                                 rounded((1 + sqrt(3) * (double)row) * radius), false);
            bodies[count].radius = radius;
        }
    }
}

static void a_rack_of_rounded_places_is_a_rack(void **state)
{
    (void)state;
    static crm_body_def bodies[BALLS];
    static const double radius = 0.0286;
    place_rack(bodies, radius);
    crm_bodies_def def = scene_of(bodies, BALLS);
    crm_snapped told;
    crm_error error = {0};
    crm_model *found = NULL, *rack = NULL;
    assert_int_not_equal(crm_model_from_bodies(&def, &found, &error), CRM_OK); /* some overlap */
    expect(error.message, "contacts: {snap: 1e-3} moves them to touch");
    assert_ok(crm_snap_bodies(&def, 1e-4, bodies, &told, &error), &error);
    assert_int_equal(told.pairs, 30);
    assert_true(told.distance > 0 && told.distance < 1e-6);
    def.tolerance = 1e-13;
    assert_ok(crm_model_from_bodies(&def, &found, &error), &error);
    crm_packing_def packing = crm_packing_def_default();
    packing.lattice = CRM_LATTICE_RACK;
    packing.rows = ROWS;
    packing.mass.all = 1;
    assert_ok(crm_model_from_packing(&packing, &rack, &error), &error);
    assert_int_equal(crm_model_contacts(found), crm_model_contacts(rack));
    rng r = rng_seeded(3);
    double v[2 * BALLS], u[2][30];
    for (size_t i = 0; i < (size_t)2 * BALLS; i++) {
        v[i] = rng_normal(&r);
    }
    crm_model_gap_velocity(found, v, u[0]);
    crm_model_gap_velocity(rack, v, u[1]);
    for (size_t j = 0; j < 30; j++) {
        assert_near(u[0][j], u[1][j], 1e-4); /* it may be turned, by as much as places were off */
    }
    crm_model_free(found);
    crm_model_free(rack);
}

/* ---- In a scenario --------------------------------------------------------------------------- */

static const char NEARLY[] =
    "laws: [moreau]\n"
    "bodies:\n"
    "  - {name: cue, radius: 1, mass: 1, position: [0, 0], velocity: [1, 0]}\n"
    "  - {name: two, radius: 1, mass: 1, position: [2.000004, 0]}\n"
    "  - {name: three, radius: 1, mass: 1, position: [4, 0]}\n";

static void it_is_told_what_was_moved(void **state)
{
    fixture *f = *state;
    put_file(f, "n.yaml", NEARLY);
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom solve n.yaml"), 3);
    expect(f->err, "two and three overlap by 4e-06");
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom solve n.yaml --set contacts.snap=1e-5"),
                     0);
    expect(f->out, "3 bodies, 2 contacts, 1 closing");
    /* x = (0, 2 + d, 4) to (a, a + 2, a + 4), least squares: a = d/3, and the middle goes 2d/3. */
    expect(f->out, "note: contacts.snap moved 3 of 3 bodies so that 2 pairs touch, by at most");
    expect(f->out, "2.67e-06 m (two)");
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom check n.yaml --set contacts.snap=1e-5"),
                     0);
    expect(f->out, "contacts.snap moved 3 of 3 bodies");
    assert_int_equal(
        shell_with(f, CAROM_PROGRAM,
                   "$carom simulate n.yaml --set contacts.snap=1e-5 --set simulate.duration=1"),
        0);
    expect(f->out, "note: contacts.snap moved 3 of 3 bodies");
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom solve n.yaml --set contacts.snap=1"), 3);
    expect(f->err, "contacts.snap is 1; must be a number from 0 to 0.01");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_meet_halfway),
        cmocka_unit_test(others_stay),
        cmocka_unit_test(walls_do_not_move),
        cmocka_unit_test(what_cannot_touch_is_refused),
        cmocka_unit_test(a_rack_of_rounded_places_is_a_rack),
        cmocka_unit_test_setup_teardown(it_is_told_what_was_moved, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
