/* Heaps that settle: accumulations within accumulations, and releases in a corner, end within a
 * bounded number of impacts; no energy is gained, none is unaccounted for, nothing overlaps.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "motion_call.h"
#include "overlap.h"
#include "support.h"

#define CASE(name)    CAROM_SOURCE_DIR "/tests/cases/" name ".yaml"
#define EXAMPLE(name) CAROM_SOURCE_DIR "/examples/" name ".yaml"

/* Of positions 1e-9 of the size is promised, sizes are below 1; of energy the same part. */
static const double WITHIN = 1e-9;
enum { LOOKS = 60, MOST_COORDINATES = 12 };

typedef struct course {
    crm_motion_stop stopped;
    double time, duration;
    crm_motion_summary summary;
    double position[MOST_COORDINATES];
} course;

/* Looked at LOOKS times: energy falls, its account closes, nothing overlaps. */
static course follow(const char *path, const char *const *overrides, size_t count,
                     uint64_t most_impacts)
{
    course c = {.stopped = CRM_STOP_DURATION};
    crm_source source = {.path = path, .overrides = overrides, .override_count = count};
    crm_scenario *scenario;
    crm_error error;
    assert_int_equal(crm_scenario_load_motion(&source, &scenario, &error), CRM_OK);
    const crm_scene_def *scene = crm_scenario_scene(scenario);
    crm_motion_options options = crm_scenario_motion_options(scenario);
    options.stop_impacts = most_impacts;
    crm_motion *motion;
    assert_int_equal(crm_motion_from_scene(scene, &options, &motion, &error), CRM_OK);
    assert_true(crm_motion_positions(motion) <= MOST_COORDINATES);
    c.duration = crm_scenario_duration(scenario);
    double before = INFINITY;
    for (int k = 1; k <= LOOKS && c.stopped == CRM_STOP_DURATION; k++) {
        crm_motion_run(motion, c.duration * k / LOOKS, NULL, &c.stopped, NULL);
        c.summary = crm_motion_summarize(motion);
        const crm_motion_account *e = &c.summary.energy;
        double now = e->kinetic_after + e->potential_after;
        double scale = e->kinetic_before + fabs(e->potential_before);
        assert_true(now <= before + WITHIN * scale);
        assert_near(e->error, 0, WITHIN * scale);
        before = now;
        crm_motion_read(motion, c.position, NULL);
        assert_true(overlap_most(scene, c.position) < WITHIN);
    }
    c.time = crm_motion_time(motion);
    crm_motion_free(motion);
    crm_scenario_free(scenario);
    return c;
}

/* Three discs and an ellipse, e = 0.5. What is left of the energy at 6 s is the ellipse, which
 * rocks without friction.
 */
static void bodies_settle_in_a_v(void **state)
{
    (void)state;
    course c = follow(CASE("rest_timeout_V_91_14"), NULL, 0, 15000);
    assert_int_equal(c.stopped, CRM_STOP_DURATION);
    const crm_motion_account *e = &c.summary.energy;
    assert_true(e->kinetic_after < 1e-4 * e->lost);
}

/* Boxes, a disc and an ellipse, e = 0.5: without friction they slide from wall to wall for long. */
static void bodies_settle_in_a_box(void **state)
{
    (void)state;
    course c = follow(CASE("rest_slow_box_91_19"), NULL, 0, 4000);
    assert_int_equal(c.stopped, CRM_STOP_DURATION);
    const crm_motion_account *e = &c.summary.energy;
    assert_true(e->kinetic_after < 1e-2 * e->lost);
}

/* e = 0. A box is pushed into a corner; there four contacts carry it, of which three are
 * independent, and the force of one falls to 0.
 */
static void a_box_in_a_corner_is_released(void **state)
{
    (void)state;
    course c = follow(CASE("rest_fail_box_91_21"), NULL, 0, 200);
    assert_int_equal(c.stopped, CRM_STOP_AT_REST);
    assert_true(c.time < 4);
    assert_near(c.summary.energy.kinetic_after, 0, WITHIN);
}

/* e = 0: with plastic impacts, too, a blow on one contact opens others that rest. The instants of
 * some events are sought from a length of nothing on.
 */
static void plastic_bodies_settle_in_a_v(void **state)
{
    (void)state;
    course c = follow(CASE("rest_boxes_V"), NULL, 0, 600);
    assert_int_equal(c.stopped, CRM_STOP_DURATION);
    const crm_motion_account *e = &c.summary.energy;
    assert_true(e->kinetic_after < 1e-1 * e->lost);
}

/* The two outer balls of radius R in a right-angled V lie on a wall and touch the one at the
 * bottom, which is at sqrt(2) R: in the axes of the walls the centres are at (R, R), (3R, R) and
 * (R, 3R), so at rest at x = 0, +-sqrt(2) R and y = sqrt(2) R, 2 sqrt(2) R.
 */
static void three_balls_rest_where_they_must(void **state)
{
    (void)state;
    static const char *const laws[] = {"laws=[binary]", "laws=[lzb]", "laws=[moreau]"};
    const double radius = 0.1, half = sqrt(2) * radius;
    const double want[] = {0, half, -half, 2 * half, half, 2 * half};
    for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++) {
        const char *const overrides[] = {laws[k], "contacts.restitution=0.6", "bodies[2].mass=0.3"};
        course c = follow(EXAMPLE("three_balls_in_v"), overrides, 3, 700);
        assert_int_equal(c.stopped, CRM_STOP_AT_REST);
        for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
            assert_near(c.position[i], want[i], WITHIN * radius);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_settle_in_a_v),
        cmocka_unit_test(bodies_settle_in_a_box),
        cmocka_unit_test(a_box_in_a_corner_is_released),
        cmocka_unit_test(plastic_bodies_settle_in_a_v),
        cmocka_unit_test(three_balls_rest_where_they_must),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
