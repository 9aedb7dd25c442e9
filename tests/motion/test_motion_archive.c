/* Motions that are saved, loaded and go on: the same bits as if nothing had happened; and archives
 * that are not what they should be.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "motion/groups/groups.h"
#include "motion_balls.h"
#include "motion_call.h"
#include "motion_relay.h"
#include "support.h"

/* ---- Scenes ---------------------------------------------------------------------------------- */

enum { MOST = 64, WALLS = 4 };
/* Enough, if one chatters. */
enum { ENOUGH = 300 };

typedef struct scene {
    crm_body_def body[MOST];
    crm_wall_def wall[WALLS];
    crm_wall_motion swing[WALLS];
    crm_suspension hung[2];
    crm_spring_def spring[2];
    double velocity[3 * MOST];
    crm_scene_def def;
    /* Instead, a Lagrangian system. */
    balls plates;
    double position[4], speed[4], restitution[5];
    crm_lagrangian_def system;
    bool lagrangian;
    crm_motion_options options;
    double end;
} scene;

static void build_box(scene *s, rng *r, double half)
{
    static const double normal[WALLS][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (size_t k = 0; k < WALLS; k++) {
        s->wall[k] = crm_wall_def_default();
        memcpy(s->wall[k].normal, normal[k], sizeof normal[k]);
        s->wall[k].point[k / 2] = k % 2 == 0 ? -half : half;
    }
    if (rng_below(r, 2) == 0) {
        s->swing[2] = (crm_wall_motion){0.02, rng_uniform(r, 1, 5), rng_uniform(r, 0, 6)};
    }
    s->def = crm_scene_def_default();
    s->def.bodies = bodies_def(2, s->body, 0);
    s->def.bodies.walls = s->wall;
    s->def.bodies.wall_count = WALLS;
    s->def.bodies.contact.restitution = rng_uniform(r, 0.3, 1);
    s->def.wall_motion = s->swing;
    s->def.velocity = s->velocity;
    s->def.gravity[1] = rng_below(r, 3) > 0 ? -9.81 : 0;
    s->options = crm_motion_options_default();
    s->options.stop_impacts = ENOUGH;
    s->end = 2;
}

/* Discs of many sizes on a lattice that leaves room for all, in a box. */
static scene discs(rng *r, size_t side)
{
    scene s = {0};
    build_box(&s, r, 0.5 * (double)side);
    for (size_t i = 0; i < side * side; i++) {
        double x = (double)(i % side) - 0.5 * (double)(side - 1);
        double y = (double)(i / side) - 0.5 * (double)(side - 1);
        double radius = rng_log(r, 0.05, 0.45);
        s.body[i] = ball_at(radius, rng_log(r, 0.1, 10), x, y, 0);
        s.body[i].fixed = rng_below(r, 12) == 0;
    }
    for (size_t k = 0; k < 2 * side * side; k++) {
        s.velocity[k] = rng_uniform(r, -4, 4);
    }
    s.def.bodies.body_count = side * side;
    s.end = side > 5 ? 1 : 2;
    return s;
}

/* A rod, discs, a bob on a string and springs. */
static scene contraption(rng *r)
{
    scene s = {0};
    build_box(&s, r, 2);
    s.body[0] = crm_body_def_default();
    s.body[0].shape = CRM_SHAPE_ROD;
    s.body[0].length = 1;
    s.body[0].mass = 2;
    s.body[0].angle = rng_uniform(r, -0.5, 0.5);
    s.body[0].position[1] = -1.2;
    s.body[1] = ball_at(0.2, 1, -1, 0.5, 0);
    s.body[2] = ball_at(0.3, 1, 1, 0.5, 0);
    s.body[3] = ball_at(0.1, 0.5, 0, 0, 0);
    s.hung[0] = (crm_suspension){3, {0, 1.5}, 0.8, rng_uniform(r, -1, 1), 0};
    s.spring[0] = (crm_spring_def){.first = 1, .second = 2, .stiffness = 20, .length = 1.5};
    s.spring[1] = (crm_spring_def){
        .first = 0, .second = SIZE_MAX, .point = {0, 1, 0}, .stiffness = 5, .damping = 0.1};
    for (size_t k = 0; k < 8; k++) {
        s.velocity[k] = rng_uniform(r, -2, 2);
    }
    s.def.bodies.body_count = 4;
    s.def.suspended = s.hung;
    s.def.suspended_count = 1;
    s.def.springs = s.spring;
    s.def.spring_count = 2;
    return s;
}

/* A rod, a bob and a pair at a spring among discs that lose much and come to rest on each other:
 * groups form, merge and dissolve.
 */
static scene mixture(rng *r)
{
    scene s = {0};
    build_box(&s, r, 1.5);
    s.def.gravity[1] = -9.81;
    s.def.bodies.contact.restitution = rng_uniform(r, 0, 0.5);
    s.body[0] = crm_body_def_default();
    s.body[0].shape = CRM_SHAPE_ROD;
    s.body[0].length = 0.5;
    s.body[0].radius = 0.05;
    s.body[0].mass = 2;
    s.body[0].angle = rng_uniform(r, -1, 1);
    s.body[0].position[0] = 0.9;
    s.body[1] = ball_at(0.1, 0.5, 0, 0, 0);
    s.hung[0] = (crm_suspension){1, {0, 1.2}, 0.5, rng_uniform(r, -1, 1), 0};
    s.body[2] = ball_at(0.1, 1, -1.2, 0, 0);
    s.body[3] = ball_at(0.1, 1, -0.8, 0, 0);
    s.spring[0] = (crm_spring_def){.first = 2, .second = 3, .stiffness = 50, .length = 0.4};
    for (size_t i = 4; i < 9; i++) {
        s.body[i] = ball_at(rng_uniform(r, 0.05, 0.12), 1, 0.4 * (double)i - 2.6, -0.6, 0);
    }
    for (size_t k = 0; k < 18; k++) {
        s.velocity[k] = k == 3 ? 0 : rng_uniform(r, -2, 2); /* 3: of the bob */
    }
    s.def.bodies.body_count = 9;
    s.def.suspended = s.hung;
    s.def.suspended_count = 1;
    s.def.springs = s.spring;
    s.def.spring_count = 1;
    return s;
}

/* Ellipsoids and balls in space: more positions than velocities. */
static scene tumblers(rng *r)
{
    scene s = {0};
    build_box(&s, r, 1.5);
    s.def.bodies.dimension = 3;
    for (size_t i = 0; i < 4; i++) {
        s.body[i] = ball_at(0.2, 1, 0.6 * (double)i - 0.9, 0, 0);
        if (i % 2 == 0) {
            s.body[i].shape = CRM_SHAPE_ELLIPSOID;
            s.body[i].semi_axes[0] = 0.25;
            s.body[i].semi_axes[1] = 0.2;
            s.body[i].semi_axes[2] = 0.1;
        }
    }
    for (size_t k = 0; k < 18; k++) {
        s.velocity[k] = k % 9 == 2 || k % 9 == 8 ? 0 : rng_uniform(r, -2, 2); /* in one plane */
    }
    s.def.bodies.body_count = 4;
    s.end = 1;
    return s;
}

/* Balls above plates, by callbacks. */
static scene plates(rng *r)
{
    scene s = {.lagrangian = true, .options = crm_motion_options_default(), .end = 3};
    s.plates = (balls){.count = 3, .gravity = 9.81, .ceiling = 2, .omega = 20};
    s.plates.amplitude = rng_below(r, 2) == 0 ? 0.01 : 0;
    for (size_t i = 0; i < 3; i++) {
        s.position[i] = rng_uniform(r, 0.1, 1.5);
        s.speed[i] = rng_uniform(r, -3, 3);
    }
    for (size_t j = 0; j < 4; j++) {
        s.restitution[j] = rng_uniform(r, 0.2, 0.9);
    }
    return s;
}

enum { KINDS = 6 };

static scene any_scene(rng *r, size_t k)
{
    return k % KINDS == 0   ? discs(r, 2)
           : k % KINDS == 1 ? discs(r, 6)
           : k % KINDS == 2 ? contraption(r)
           : k % KINDS == 3 ? plates(r)
           : k % KINDS == 4 ? mixture(r)
                            : tumblers(r);
}

/* A scene points into itself: after it was copied, anew. */
static crm_motion *begin(scene *s)
{
    crm_motion *motion;
    crm_error error = {0};
    if (s->lagrangian) {
        s->system = balls_def(&s->plates, s->position, s->speed, s->restitution);
        assert_ok(crm_motion_from_lagrangian(&s->system, &s->options, &motion, &error), &error);
        return motion;
    }
    s->def.bodies.bodies = s->body;
    s->def.bodies.walls = s->wall;
    s->def.wall_motion = s->swing;
    s->def.velocity = s->velocity;
    s->def.suspended = s->hung;
    s->def.springs = s->spring;
    assert_ok(crm_motion_from_scene(&s->def, &s->options, &motion, &error), &error);
    return motion;
}

/* ---- Interruptions --------------------------------------------------------------------------- */

static crm_motion *begin_any(void *of)
{
    return begin(of);
}

static told uninterrupted(scene *s)
{
    return relay_whole(begin_any, s, s->end);
}

static told in_relay(scene *s, size_t first, size_t stride)
{
    return relay_parts(begin_any, s, s->end, first, stride);
}

static void a_loaded_motion_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    rng r = rng_seeded(11);
    size_t count = rounds(2 * KINDS, KINDS);
    for (size_t k = 0; k < count; k++) {
        scene s = any_scene(&r, k);
        told whole = uninterrupted(&s);
        for (int n = 0; n < 3; n++) {
            size_t first = 1 + rng_below(&r, whole.calls), stride = 1 + rng_below(&r, 40);
            told parts = in_relay(&s, first, stride);
            assert_int_equal(parts.calls, whole.calls);
            assert_true(parts.hash == whole.hash);
        }
    }
}

/* How often groups have formed or grown apart, and how often they have merged or dissolved, between
 * two checkpoints.
 */
static void watch_groups(const crm_motion *motion, size_t *before, size_t *more, size_t *fewer)
{
    size_t groups = ((const groups_motion *)motion)->groups;
    *more += groups > *before ? 1 : 0;
    *fewer += groups < *before ? 1 : 0;
    *before = groups;
}

/* A checkpoint at every call. */
static void groups_that_came_and_went_go_on_with_the_same_bits(void **state)
{
    (void)state;
    rng r = rng_seeded(13);
    size_t more = 0, fewer = 0, count = rounds(3, 2);
    for (size_t k = 0; k < count; k++) {
        scene s = mixture(&r);
        told whole = uninterrupted(&s), l = {.left = 1};
        crm_motion *motion = begin(&s);
        size_t groups = ((const groups_motion *)motion)->groups;
        while (relay_tell(motion, s.end, &l) == CRM_STOP_INTERRUPTED) {
            watch_groups(motion, &groups, &more, &fewer);
            bytes b = relay_saved(motion);
            crm_motion_free(motion);
            motion = begin(&s);
            relay_load(motion, &b);
            free(b.at);
            l.left = 1;
        }
        relay_add_end(motion, &l);
        assert_int_equal(l.calls, whole.calls);
        assert_true(l.hash == whole.hash);
        crm_motion_free(motion);
    }
    assert_true(more > 0 && fewer > 0);
}

/* Before it has run, within a run, at its end: the same bytes again, and what was loaded is what
 * was saved.
 */
static void a_loaded_motion_is_saved_as_the_same_bytes(void **state)
{
    (void)state;
    rng r = rng_seeded(5);
    for (size_t k = 0; k < KINDS; k++) {
        scene s = any_scene(&r, k);
        crm_motion *motion = begin(&s), *other = begin(&s);
        for (int n = 0; n <= 4; n++) {
            relay_run(motion, 0.25 * n * s.end, NULL);
            bytes b = relay_saved(motion);
            relay_load(other, &b);
            bytes again = relay_saved(other);
            assert_int_equal(again.size, b.size);
            assert_memory_equal(again.at, b.at, b.size);
            free(again.at);
            free(b.at);
        }
        crm_motion_free(motion);
        crm_motion_free(other);
    }
}

/* Back in time with the same motion, to where cells were others. */
static void a_motion_goes_back_to_what_was_saved(void **state)
{
    (void)state;
    rng r = rng_seeded(7);
    for (size_t k = 0; k < 2 * KINDS; k++) {
        scene s = any_scene(&r, k);
        s.def.gravity[1] = 0;
        crm_motion *motion = begin(&s);
        bytes b = relay_saved(motion);
        relay_run(motion, 20 * s.end, NULL);
        relay_load(motion, &b);
        free(b.at);
        told l = {0}, whole = uninterrupted(&s);
        relay_tell(motion, s.end, &l);
        relay_add_end(motion, &l);
        assert_true(l.hash == whole.hash);
        crm_motion_free(motion);
    }
}

/* Discs that fly apart: wider and wider cells. */
static void cells_that_have_grown_are_kept(void **state)
{
    (void)state;
    rng r = rng_seeded(3);
    scene s = discs(&r, 6);
    s.def.bodies.wall_count = 0;
    s.def.gravity[1] = 0;
    s.end = 200;
    told whole = uninterrupted(&s), parts = in_relay(&s, 3000, 2000);
    assert_true(parts.calls > 6000);
    assert_true(parts.hash == whole.hash);
}

/* ---- What is refused ------------------------------------------------------------------------- */

/* Refused with this in the message; then the motion goes nowhere. */
static void refuse(crm_motion *motion, bytes *b, const char *words)
{
    crm_error error = {0};
    crm_motion_stop stopped;
    b->read = 0;
    assert_int_equal(crm_motion_load(motion, relay_give, b, &error), CRM_ERROR_ARGUMENT);
    assert_string_equal(error.place, "archive");
    if (strstr(error.message, words) == NULL) {
        fail_msg("'%s' does not say '%s'", error.message, words);
    }
    assert_ok(crm_motion_run(motion, 1e6, NULL, &stopped, &error), &error);
    assert_int_equal(stopped, CRM_STOP_FAILED);
}

static void another_definition_is_refused(void **state)
{
    (void)state;
    rng r = rng_seeded(2);
    scene s = contraption(&r);
    crm_motion *motion = begin(&s);
    relay_run(motion, 0.5, NULL);
    bytes b = relay_saved(motion);
    crm_motion_free(motion);
    crm_settings *moreau = law_named("moreau"), *lzb = law_named("lzb");
    crm_error error = {0};
    assert_ok(crm_settings_set_number(lzb, "tolerance", 1e-6, &error), &error);
    scene other[10];
    static const char *const words[10] = {"differ in bodies",
                                          "differ in walls",
                                          "differ in contacts",
                                          "differ in suspended bodies",
                                          "differ in springs",
                                          "differ in gravity",
                                          "differ in velocities at the start",
                                          "law is 'lzb', must be 'moreau'",
                                          "differ in options of the law",
                                          "tolerance is 1e-09, must be 1e-08"};
    for (size_t k = 0; k < 10; k++) {
        other[k] = s;
    }
    other[0].body[1].radius = 0.21;
    other[1].wall[0].point[0] = -2.1;
    other[2].def.bodies.contact.restitution = 0.123;
    other[3].hung[0].length = 0.7;
    other[4].spring[1].damping = 0.2;
    other[5].def.gravity[1] = -9.8;
    other[6].velocity[3] += 1e-15;
    other[7].options.law = moreau;
    other[8].options.law = lzb;
    other[9].options.tolerance = 1e-8;
    for (size_t k = 0; k < 10; k++) {
        motion = begin(&other[k]);
        refuse(motion, &b, words[k]);
        crm_motion_free(motion);
    }
    free(b.at);
    crm_settings_free(moreau);
    crm_settings_free(lzb);
}

/* What says when to stop is no part of the motion. */
static void other_stops_are_allowed(void **state)
{
    (void)state;
    rng r = rng_seeded(2);
    scene s = discs(&r, 2);
    crm_motion *motion = begin(&s);
    relay_run(motion, 0.1, NULL);
    bytes b = relay_saved(motion);
    crm_motion_free(motion);
    s.options.stop_impacts = 100000;
    s.options.stop_at_rest = true;
    motion = begin(&s);
    relay_load(motion, &b);
    crm_motion_free(motion);
    free(b.at);
}

static void cut_and_changed_archives_are_refused(void **state)
{
    (void)state;
    rng r = rng_seeded(4);
    for (size_t k = 0; k < KINDS; k++) {
        scene s = any_scene(&r, k);
        crm_motion *motion = begin(&s);
        relay_run(motion, 0.5, NULL);
        bytes b = relay_saved(motion);
        size_t whole = b.size, tries = rounds(400, 60);
        for (size_t n = 0; n < tries; n++) {
            b.size = n < 40 ? n : rng_below(&r, whole);
            refuse(motion, &b, n < 40 ? "" : "it ends too early");
            b.size = whole;
            size_t at = n < 40 ? n : rng_below(&r, whole);
            unsigned char before = b.at[at];
            b.at[at] ^= (unsigned char)(1u << rng_below(&r, 8));
            refuse(motion, &b, "it ");
            b.at[at] = before;
        }
        relay_load(motion, &b);
        relay_run(motion, s.end, NULL);
        crm_motion_free(motion);
        free(b.at);
    }
}

static void another_kind_of_file_is_refused(void **state)
{
    (void)state;
    rng r = rng_seeded(4);
    scene s = discs(&r, 2);
    crm_motion *motion = begin(&s);
    char text[] = "title: A scenario\nbodies:\n  - {radius: 1}\n";
    bytes b = {.at = (unsigned char *)text, .size = sizeof text};
    refuse(motion, &b, "it is no motion saved by carom");
    crm_motion_free(motion);
}

/* ---- Forgeries ------------------------------------------------------------------------------- */

/* Whatever numbers an archive has, nothing is read or written where it must not be: for the
 * sanitizers.
 */
static void forged_archives_do_no_harm(void **state)
{
    (void)state;
    rng r = rng_seeded(9);
    size_t loaded = 0, tries = rounds(800, 100);
    for (size_t k = 0; k < KINDS; k++) {
        scene s = any_scene(&r, k);
        crm_motion *motion = begin(&s);
        relay_run(motion, 0.5, NULL);
        loaded += relay_forgeries(motion, &r, tries, 0);
        crm_motion_free(motion);
    }
    assert_true(loaded > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_motion_goes_on_with_the_same_bits),
        cmocka_unit_test(groups_that_came_and_went_go_on_with_the_same_bits),
        cmocka_unit_test(a_loaded_motion_is_saved_as_the_same_bytes),
        cmocka_unit_test(a_motion_goes_back_to_what_was_saved),
        cmocka_unit_test(cells_that_have_grown_are_kept),
        cmocka_unit_test(another_definition_is_refused),
        cmocka_unit_test(other_stops_are_allowed),
        cmocka_unit_test(cut_and_changed_archives_are_refused),
        cmocka_unit_test(another_kind_of_file_is_refused),
        cmocka_unit_test(forged_archives_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
