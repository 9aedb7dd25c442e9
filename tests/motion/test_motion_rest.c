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
enum { LOOKS = 60, MOST_COORDINATES = 24 };

typedef struct course {
    crm_motion_stop stopped;
    double time, duration;
    crm_motion_summary summary;
    double position[MOST_COORDINATES];
} course;

/* At LOOKS times: energy falls, its account closes, nothing overlaps. */
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
        assert_true(overlap_in_scene(scene, 0, c.position).depth < WITHIN);
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

/* e = 0: with plastic impacts, too, an impact at one contact opens others that rest. Some events
 * are located in steps that begin with length 0.
 */
static void plastic_bodies_settle_in_a_v(void **state)
{
    (void)state;
    course c = follow(CASE("rest_boxes_V"), NULL, 0, 600);
    assert_int_equal(c.stopped, CRM_STOP_DURATION);
    const crm_motion_account *e = &c.summary.energy;
    assert_true(e->kinetic_after < 1e-1 * e->lost);
}

/* A box slides at 0.15 m/s under a corner that touches the round end of its face just beyond the
 * face, with a normal tilted by 1e-5: when its bounces on the floor are put to rest it is thrown
 * back against that corner.
 */
static void a_corner_climbs_the_round_end_of_a_face(void **state)
{
    (void)state;
    static const char *const overrides[] = {"simulate.duration=3.3"};
    course c = follow(CASE("rest_endless_corner"), overrides, 1, 3000);
    assert_int_equal(c.stopped, CRM_STOP_DURATION);
}

/* Two flights of rounding height seem to end within a step, by the step's polynomial alone; the
 * disc meets a rod later in that step, and went through it.
 */
static void a_closing_that_is_none_hides_no_other(void **state)
{
    (void)state;
    course c = follow(CASE("rest_spurious_closing"), NULL, 0, 3000);
    assert_int_equal(c.stopped, CRM_STOP_DURATION);
}

/* Eight bodies in a trough, e = 0.031: collisions of eight contacts, left to right, collapse within
 * collapses, and the last contacts never have their turn.
 */
static void collapses_end_within_an_instant(void **state)
{
    (void)state;
    course c = follow(CASE("rest_binary_collapse"), NULL, 0, 400);
    assert_int_equal(c.stopped, CRM_STOP_DURATION);
}

/* Two boxes face to face, whose corners are two contacts that differ by 2e-7: when the bounces of
 * one are put to rest, the other closes with 1e-9 m/s, and its acceleration opens it again before
 * it is 1e-14 m deep. An impact there would throw the first one up again.
 */
static void a_dependent_contact_that_grazes_is_not_struck(void **state)
{
    (void)state;
    course c = follow(CASE("rest_dependent_corners"), NULL, 0, 600);
    assert_int_equal(c.stopped, CRM_STOP_DURATION);
}

/* Later in that heap a contact takes the place of a loaded one that has hardly a part in its
 * gradient, at 2.3282 s: it depends on those that stay, too, and must not join them.
 */
static void loaded_contacts_stay_independent(void **state)
{
    (void)state;
    static const char *const overrides[] = {"simulate.duration=2.4"};
    course c = follow(CASE("rest_dependent_corners"), overrides, 1, 1000);
    assert_int_equal(c.stopped, CRM_STOP_DURATION);
}

/* A long step, whose forces tend to infinity at its end, seems to end with one that falls to 0;
 * steps to that instant do not converge.
 */
static void a_force_that_only_seems_to_fall_to_zero(void **state)
{
    (void)state;
    course c = follow(CASE("rest_swinging_force"), NULL, 0, 400);
    assert_int_equal(c.stopped, CRM_STOP_DURATION);
}

/* Impacts of several contacts that no law resolved (lzb gives forces), and the largest of their
 * closing speeds.
 */
typedef struct neglected {
    size_t count;
    double fastest;
} neglected;

static crm_status note_neglected(void *context, const crm_impact_report *report)
{
    neglected *n = context;
    bool no_law = report->contacts > 1 && report->peak_force == NULL;
    n->count += no_law;
    for (size_t k = 0; k < report->contacts && no_law; k++) {
        n->fastest = fmax(n->fastest, report->closing_speed[k]);
    }
    return CRM_OK;
}

/* An impact of a joint accumulation whose bounces would be lower than H = 1e-11 of the size, below
 * 0.3, is resolved by no law: at most at sqrt(2 a H), where two bodies fall against each other with
 * 2 g at most.
 */
static void impacts_too_slow_to_bounce_take_no_law(void **state)
{
    (void)state;
    neglected n = {0};
    crm_observer observer = {.context = &n, .impact = note_neglected};
    crm_source source = {.path = CASE("rest_boxes_V")};
    crm_scenario *scenario;
    assert_int_equal(crm_scenario_load_motion(&source, &scenario, NULL), CRM_OK);
    crm_motion_options options = crm_scenario_motion_options(scenario);
    crm_motion *motion;
    assert_int_equal(crm_motion_from_scene(crm_scenario_scene(scenario), &options, &motion, NULL),
                     CRM_OK);
    run_to(motion, crm_scenario_duration(scenario), &observer);
    assert_true(n.count > 10);
    assert_true(n.fastest <= sqrt(2 * 2 * 9.81 * 1e-11 * 0.3));
    crm_motion_free(motion);
    crm_scenario_free(scenario);
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

/* A disc that slides into a corner, with e = 0, rests there; cos(pi/2) is not 0, so that the floor
 * presses it onto the upright wall by rounding alone.
 */
static void slide_into_the_corner(double radius, double speed)
{
    static const double PI = 3.14159265358979323846;
    crm_body_def disc = crm_body_def_default();
    disc.mass = 1;
    disc.radius = radius;
    disc.position[1] = radius + 0.1;
    crm_wall_def wall[2] = {crm_wall_def_default(), crm_wall_def_default()};
    wall[0].normal[0] = cos(PI / 2);
    wall[0].normal[1] = sin(PI / 2);
    wall[1].point[0] = 1;
    wall[1].normal[0] = cos(PI);
    wall[1].normal[1] = sin(PI);
    const double velocity[2] = {speed, 0.1};
    crm_scene_def def = crm_scene_def_default();
    def.bodies.dimension = 2;
    def.bodies.body_count = 1;
    def.bodies.bodies = &disc;
    def.bodies.wall_count = 2;
    def.bodies.walls = wall;
    def.bodies.contact.restitution = 0;
    def.gravity[1] = -9.81;
    def.velocity = velocity;
    crm_motion_options options = crm_motion_options_default();
    crm_settings *law = law_named("binary");
    options.law = law;
    options.stop_at_rest = true;
    crm_motion *motion;
    crm_motion_stop stopped;
    double position[2];
    assert_int_equal(crm_motion_from_scene(&def, &options, &motion, NULL), CRM_OK);
    assert_int_equal(crm_motion_run(motion, 4, NULL, &stopped, NULL), CRM_OK);
    assert_int_equal(stopped, CRM_STOP_AT_REST);
    crm_motion_read(motion, position, NULL);
    assert_near(position[0], 1 - radius, WITHIN * radius);
    assert_near(position[1], radius, WITHIN * radius);
    crm_motion_free(motion);
    crm_settings_free(law);
}

static void a_disc_rests_in_a_corner_of_rounded_normals(void **state)
{
    (void)state;
    for (int k = 0; k < 40; k++) {
        slide_into_the_corner(0.1 + 0.01 * k, 0.7 + 0.037 * k);
    }
}

/* A rod lies flush on an upright wall that swings with A sin(omega t + phase) from its lowest point
 * on, and nothing else presses it: it leaves with A omega, at which the wall never catches up.
 */
static void leave_the_wall(double frequency)
{
    static const double PI = 3.14159265358979323846, amplitude = 0.05, length = 0.4;
    crm_body_def rod = crm_body_def_default();
    rod.shape = CRM_SHAPE_ROD;
    rod.mass = 1;
    rod.radius = 0.01;
    rod.length = length;
    rod.angle = PI / 2;
    rod.position[0] = amplitude - rod.radius;
    crm_wall_def wall = crm_wall_def_default();
    wall.normal[0] = -1;
    wall.normal[1] = cos(PI / 2);
    const crm_wall_motion swing = {amplitude, frequency, -PI / 2};
    const double velocity[3] = {0, 0.1, 0};
    crm_scene_def def = crm_scene_def_default();
    def.bodies.dimension = 2;
    def.bodies.body_count = 1;
    def.bodies.bodies = &rod;
    def.bodies.wall_count = 1;
    def.bodies.walls = &wall;
    def.bodies.contact.restitution = 0.3;
    def.wall_motion = &swing;
    def.velocity = velocity;
    crm_motion_options options = crm_motion_options_default();
    crm_settings *law = law_named("binary");
    options.law = law;
    crm_motion *motion;
    crm_motion_stop stopped;
    double v[3];
    assert_int_equal(crm_motion_from_scene(&def, &options, &motion, NULL), CRM_OK);
    assert_int_equal(crm_motion_run(motion, 2 / frequency, NULL, &stopped, NULL), CRM_OK);
    assert_int_equal(stopped, CRM_STOP_DURATION);
    crm_motion_read(motion, NULL, v);
    const double speed = 2 * PI * frequency * amplitude;
    assert_near(v[0], -speed, WITHIN * speed);
    assert_near(v[1], 0.1, WITHIN * speed);
    assert_near(v[2], 0, WITHIN * speed);
    crm_motion_free(motion);
    crm_settings_free(law);
}

static void a_flush_rod_leaves_a_wall_that_swings(void **state)
{
    (void)state;
    for (int k = 0; k < 60; k++) {
        leave_the_wall(0.3 + 0.07 * k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_settle_in_a_v),
        cmocka_unit_test(bodies_settle_in_a_box),
        cmocka_unit_test(a_box_in_a_corner_is_released),
        cmocka_unit_test(plastic_bodies_settle_in_a_v),
        cmocka_unit_test(a_corner_climbs_the_round_end_of_a_face),
        cmocka_unit_test(a_closing_that_is_none_hides_no_other),
        cmocka_unit_test(collapses_end_within_an_instant),
        cmocka_unit_test(a_dependent_contact_that_grazes_is_not_struck),
        cmocka_unit_test(loaded_contacts_stay_independent),
        cmocka_unit_test(a_force_that_only_seems_to_fall_to_zero),
        cmocka_unit_test(impacts_too_slow_to_bounce_take_no_law),
        cmocka_unit_test(three_balls_rest_where_they_must),
        cmocka_unit_test(a_disc_rests_in_a_corner_of_rounded_normals),
        cmocka_unit_test(a_flush_rod_leaves_a_wall_that_swings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
