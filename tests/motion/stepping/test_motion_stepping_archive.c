/* Motions in equal steps that are saved, loaded and go on: the same bits as if nothing had
 * happened, whatever solvers and lists of neighbours would have kept.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "motion_relay.h"
#include "support.h"

/* ---- Scenes ---------------------------------------------------------------------------------- */

enum { BODIES = 48, WALLS = 5, SPRINGS = 4, NUMBERS = 6 * BODIES };

typedef struct scene {
    crm_body_def body[BODIES];
    crm_wall_def wall[WALLS];
    crm_wall_motion swing[WALLS];
    crm_spring_def spring[SPRINGS];
    double velocity[NUMBERS];
    crm_scene_def def;
    double end;
} scene;

/* A floor, and walls at 0 and `width` along the other axes. */
static void build(scene *s, unsigned dimension, size_t bodies, double width)
{
    size_t walls = 0;
    *s = (scene){.def = crm_scene_def_default(), .end = 2};
    for (unsigned d = 0; d < dimension; d++) {
        for (int side = 1; side >= (d + 1 < dimension ? -1 : 1); side -= 2) {
            s->wall[walls] = crm_wall_def_default();
            s->wall[walls].normal[d] = side;
            s->wall[walls++].point[d] = side < 0 ? width : 0;
        }
    }
    s->def.bodies = bodies_def(dimension, s->body, bodies);
    s->def.bodies.walls = s->wall;
    s->def.bodies.wall_count = walls;
    s->def.velocity = s->velocity;
    s->def.gravity[dimension - 1] = -9.81;
}

static void push(scene *s, rng *r, double speed)
{
    for (size_t k = 0; k < NUMBERS; k++) {
        s->velocity[k] = speed * rng_normal(r);
    }
}

/* Equal ones lie on each other as in a lattice: more contacts than coordinates. */
static void pour_discs(scene *s, rng *r, size_t count, double least)
{
    build(s, 2, count, 13.2);
    for (size_t i = 0; i < count; i++) {
        double radius = rng_uniform(r, least, 1);
        s->body[i] = ball_at(radius, radius * radius, 1.1 + 2.2 * (double)(i % 6),
                             1.1 + 2.2 * (double)(i / 6), 0);
        s->body[i].fixed = rng_below(r, 20) == 0;
    }
    push(s, r, 2);
    s->def.bodies.contact.restitution = rng_uniform(r, 0, 0.6);
}

static void pour_shapes(scene *s, rng *r, unsigned dimension, size_t count)
{
    static const crm_shape flat[] = {CRM_SHAPE_BOX, CRM_SHAPE_ELLIPSE, CRM_SHAPE_ROD};
    build(s, dimension, count, 4);
    for (size_t i = 0; i < count; i++) {
        crm_body_def *body = &s->body[i];
        double a = rng_uniform(r, 0.3, 0.6), b = rng_uniform(r, 0.3, 0.6);
        *body = crm_body_def_default();
        body->mass = 1;
        body->shape = dimension == 2 ? flat[rng_below(r, 3)] : CRM_SHAPE_ELLIPSOID;
        body->size[0] = body->length = 2 * a;
        body->size[1] = 2 * b;
        body->semi_axes[0] = a;
        body->semi_axes[1] = b;
        body->semi_axes[2] = 0.4;
        body->radius = body->shape == CRM_SHAPE_ROD ? 0.1 : 0;
        body->angle = rng_uniform(r, 0, 6);
        body->position[0] = 1 + 2 * (double)(i % 2);
        body->position[1] = 1 + 2 * (double)(dimension == 2 ? i / 2 : i / 2 % 2);
        body->position[2] = dimension == 3 ? 1 + 2 * (double)(i / 4) : 0;
    }
    push(s, r, 1);
    s->def.bodies.contact.restitution = 0.3;
}

static void swing_floor(scene *s, rng *r)
{
    pour_discs(s, r, 12, 0.4);
    s->swing[s->def.bodies.wall_count - 1] = (crm_wall_motion){0.1, rng_uniform(r, 2, 6), 1};
    s->def.wall_motion = s->swing;
}

static void hang_on_springs(scene *s, rng *r)
{
    pour_discs(s, r, 18, 0.6);
    for (size_t k = 0; k < SPRINGS; k++) {
        s->spring[k] = (crm_spring_def){.first = 3 * k,
                                        .second = k % 2 == 0 ? 3 * k + 1 : SIZE_MAX,
                                        .point = {6, 8, 0},
                                        .stiffness = 20,
                                        .damping = 0.5 * (double)k,
                                        .length = 2};
    }
    s->def.springs = s->spring;
    s->def.spring_count = SPRINGS;
}

/* Two meet and part, and there are no candidates any more; then two others meet. */
static void meet_twice(scene *s, rng *r)
{
    (void)r;
    build(s, 2, 4, 1);
    s->def.bodies.wall_count = 0;
    s->def.gravity[1] = 0;
    for (size_t i = 0; i < 4; i++) {
        double x = (i % 2 == 0 ? -1 : 1) * (i < 2 ? 2 : 12);
        s->body[i] = ball_at(1, 1, x, i < 2 ? 0 : 50, 0);
        s->velocity[2 * i] = x < 0 ? 3 : -3;
    }
    s->end = 6;
}

static void make(scene *s, rng *r, size_t kind)
{
    switch (kind) {
    case 0:
        pour_discs(s, r, BODIES, 0.999);
        return;
    case 1:
        pour_discs(s, r, BODIES, 0.2);
        return;
    case 2:
        pour_shapes(s, r, 2, 14);
        return;
    case 3:
        pour_shapes(s, r, 3, 12);
        return;
    case 4:
        swing_floor(s, r);
        return;
    case 5:
        hang_on_springs(s, r);
        return;
    default:
        meet_twice(s, r);
    }
}

enum { KINDS = 7 };

static crm_motion *begin(void *of)
{
    const scene *s = of;
    crm_motion *motion = NULL;
    crm_error error = {0};
    crm_motion_options options = crm_motion_options_default();
    options.scheme = CRM_TIME_STEPPING;
    options.step = 4e-3;
    assert_ok(crm_motion_from_scene(&s->def, &options, &motion, &error), &error);
    return motion;
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static void test_loaded_motions_go_on_with_the_same_bits(void **state)
{
    (void)state;
    rng r = rng_seeded(21);
    for (size_t kind = 0; kind < KINDS; kind++) {
        static scene s;
        make(&s, &r, kind);
        told whole = relay_whole(begin, &s, s.end);
        for (size_t n = 0; n < rounds(4, 1); n++) {
            size_t first = 1 + rng_below(&r, whole.calls), stride = 1 + rng_below(&r, 20);
            told parts = relay_parts(begin, &s, s.end, first, stride);
            assert_int_equal(parts.calls, whole.calls);
            assert_true(parts.hash == whole.hash);
        }
    }
}

/* Within steps and at their ends: the bytes of the one that was never saved, too. */
static void test_every_instant_will_do(void **state)
{
    (void)state;
    rng r = rng_seeded(22);
    for (size_t kind = 0; kind < KINDS; kind++) {
        static scene s;
        make(&s, &r, kind);
        crm_motion *motion = begin(&s), *other = begin(&s);
        size_t count = rounds(60, 12);
        for (size_t n = 1; n <= count; n++) {
            bytes b = relay_saved(motion);
            double t = crm_motion_time(motion) + s.end / (double)count;
            relay_load(other, &b);
            free(b.at);
            relay_run(motion, t, NULL);
            relay_run(other, t, NULL);
            bytes one = relay_saved(motion), two = relay_saved(other);
            assert_int_equal(one.size, two.size);
            assert_memory_equal(one.at, two.at, one.size);
            free(one.at);
            free(two.at);
            crm_motion_free(other);
            other = begin(&s);
        }
        crm_motion_free(motion);
        crm_motion_free(other);
    }
}

static void test_a_motion_goes_back_to_what_was_saved(void **state)
{
    (void)state;
    rng r = rng_seeded(23);
    for (size_t kind = 0; kind < KINDS; kind++) {
        static scene s;
        make(&s, &r, kind);
        told l = {0}, whole = relay_whole(begin, &s, s.end);
        crm_motion *motion = begin(&s);
        bytes b = relay_saved(motion);
        relay_run(motion, s.end, NULL);
        relay_load(motion, &b);
        relay_tell(motion, s.end, &l);
        relay_add_end(motion, &l);
        assert_true(l.hash == whole.hash);
        free(b.at);
        crm_motion_free(motion);
    }
}

/* A step has all its impacts at once: an observer that interrupts at one has the others, too. */
static void test_no_impact_is_lost_by_stopping(void **state)
{
    (void)state;
    static scene s;
    build(&s, 2, 6, 100);
    for (size_t i = 0; i < 6; i++) {
        s.body[i] = ball_at(1, 1, 3 + 5 * (double)i, 2, 0);
    }
    s.def.bodies.contact.restitution = 0.5;
    s.end = 1;
    told whole = relay_whole(begin, &s, s.end), parts = relay_parts(begin, &s, s.end, 1, 1);
    assert_int_equal(parts.calls, whole.calls);
    assert_true(parts.hash == whole.hash);
}

static void test_another_step_is_refused(void **state)
{
    (void)state;
    static scene s;
    rng r = rng_seeded(24);
    make(&s, &r, 1);
    crm_motion *motion = begin(&s), *other = NULL;
    bytes b = relay_saved(motion);
    crm_error error = {0};
    crm_motion_options options = crm_motion_options_default();
    options.scheme = CRM_TIME_STEPPING;
    options.step = 2e-3;
    assert_ok(crm_motion_from_scene(&s.def, &options, &other, &error), &error);
    assert_int_equal(crm_motion_load(other, relay_give, &b, &error), CRM_ERROR_ARGUMENT);
    assert_string_equal(error.place, "archive");
    assert_non_null(strstr(error.message, "step is 0.004, must be 0.002"));
    free(b.at);
    crm_motion_free(motion);
    crm_motion_free(other);
}

static void test_forged_archives_do_no_harm(void **state)
{
    (void)state;
    rng r = rng_seeded(25);
    for (size_t kind = 0; kind < KINDS; kind++) {
        static scene s;
        make(&s, &r, kind);
        crm_motion *motion = begin(&s);
        relay_run(motion, 1, NULL);
        assert_true(relay_forgeries(motion, &r, rounds(150, 60), 0.008) > 0);
        crm_motion_free(motion);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loaded_motions_go_on_with_the_same_bits),
        cmocka_unit_test(test_every_instant_will_do),
        cmocka_unit_test(test_a_motion_goes_back_to_what_was_saved),
        cmocka_unit_test(test_no_impact_is_lost_by_stopping),
        cmocka_unit_test(test_another_step_is_refused),
        cmocka_unit_test(test_forged_archives_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
