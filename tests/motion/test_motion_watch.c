/* Watching over a motion: a run ends inside of an impact and of the computation of an event, before
 * what it could not finish, and goes on to the same bits.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "flight_call.h"
#include "motion/scene/scene.h"
#include "motion_call.h"
#include "motion_draw.h"
#include "support.h"

/* ---- A watch --------------------------------------------------------------------------------- */

/* Ends a run at its call number `most` + 1; `inside`: counting only calls from within a law. */
typedef struct warden {
    size_t most, calls;
    bool inside;
    size_t inside_calls;
} warden;

static bool allow(void *context, const crm_watch_report *report)
{
    warden *w = context;
    w->inside_calls += report->working > 0 ? 1 : 0;
    w->calls += !w->inside || report->working > 0 ? 1 : 0;
    return w->calls <= w->most;
}

/* Called as often as possible. */
static crm_watch watch_by(warden *w)
{
    return (crm_watch){.every = 1e-12, .context = w, .go_on = allow};
}

/* ---- An impact without an end ---------------------------------------------------------------- */

/* As many collisions as pi has digits, 3e8, in one impact: a ball that is light touches the wall.
 */
static judge_scene galperin(void)
{
    judge_scene scene = judge_scene_blank(1);
    judge_scene_wall(&scene, 1, 0, 0, 0);
    judge_scene_ball(&scene, 0.5, 1, 0.5, 0, 0);
    judge_scene_ball(&scene, 0.5, 1e16, 2.5, 0, 0);
    scene.v[1][0] = -1;
    return scene;
}

static void end_inside(crm_motion *motion)
{
    warden w = {.most = 2};
    const crm_watch watch = watch_by(&w);
    double position[2], velocity[2];
    crm_motion_watch(motion, &watch);
    assert_int_equal(run_to(motion, 3, NULL), CRM_STOP_INTERRUPTED);
    assert_near(crm_motion_time(motion), 1, 1e-12);
    assert_int_equal(crm_motion_summarize(motion).impacts, 0);
    crm_motion_read(motion, position, velocity);
    assert_near(position[1], 1.5, 1e-12);
    assert_true(velocity[0] == 0 && velocity[1] == -1);
    assert_int_equal(run_to(motion, 3, NULL), CRM_STOP_INTERRUPTED); /* the same impact */
    assert_near(crm_motion_time(motion), 1, 1e-12);
    const crm_watch hasty = {.seconds = 1e-3};
    crm_motion_watch(motion, &hasty);
    assert_int_equal(run_to(motion, 3, NULL), CRM_STOP_INTERRUPTED);
    crm_motion_free(motion);
}

static void an_endless_impact_is_left(void **state)
{
    (void)state;
    crm_settings *law = law_named("binary");
    crm_motion_options options = crm_motion_options_default();
    crm_motion *motion;
    crm_error error = {0};
    const judge_scene scene = galperin();
    scene_parts parts;
    options.law = law;
    flight_scene_parts(&scene, 1, &parts);
    end_inside(flight_motion(&scene, 1, &options));
    assert_ok(crm_scene_create(&parts.def, &options, &motion, &error), &error);
    end_inside(motion);
    crm_settings_free(law);
}

/* ---- The same bits --------------------------------------------------------------------------- */

enum { NUMBERS = 6 * JUDGE_BALLS };

/* Interrupted again and again; each run may make a few more calls, so that all of it ends. */
static size_t run_in_pieces(crm_motion *motion, double end, bool inside, size_t *calls_inside)
{
    size_t pieces = 0;
    crm_motion_stop stopped;
    do {
        warden w = {.most = pieces / 4, .inside = inside};
        const crm_watch watch = watch_by(&w);
        crm_motion_watch(motion, &watch);
        stopped = run_to(motion, end, NULL);
        *calls_inside += w.inside_calls;
        pieces++;
    } while (stopped == CRM_STOP_INTERRUPTED && pieces < 100000);
    assert_int_not_equal(stopped, CRM_STOP_INTERRUPTED);
    return pieces;
}

static void assert_same_motion(crm_motion *a, crm_motion *b)
{
    double q[2][NUMBERS] = {{0}}, v[2][NUMBERS] = {{0}};
    crm_motion_read(a, q[0], v[0]);
    crm_motion_read(b, q[1], v[1]);
    assert_memory_equal(q[0], q[1], sizeof q[0]);
    assert_memory_equal(v[0], v[1], sizeof v[0]);
    assert_int_equal(crm_motion_summarize(a).impacts, crm_motion_summarize(b).impacts);
    assert_true(crm_motion_summarize(a).energy.lost == crm_motion_summarize(b).energy.lost);
}

/* Boxes, rods, ellipses, discs: groups that join and part, and balls that fly. */
static void pieces_make_the_whole(void **state)
{
    (void)state;
    static const uint64_t seeds[] = {3, 8, 48};
    for (size_t k = 0; k < sizeof seeds / sizeof seeds[0]; k++) {
        drawn_scene scene;
        crm_motion *motion[2];
        crm_error error = {0};
        crm_motion_options options = crm_motion_options_default();
        size_t inside = 0;
        draw_scene(seeds[k], &scene);
        crm_settings *law = law_named(scene.law);
        options.law = law;
        options.stop_impacts = 20;
        for (int m = 0; m < 2; m++) {
            assert_ok(crm_motion_from_scene(&scene.def, &options, &motion[m], &error), &error);
        }
        run_to(motion[0], 1, NULL);
        assert_true(run_in_pieces(motion[1], 1, false, &inside) > 10);
        assert_same_motion(motion[0], motion[1]);
        crm_motion_free(motion[0]);
        crm_motion_free(motion[1]);
        crm_settings_free(law);
    }
}

/* Four balls that touch are struck, by the law that takes many steps: left inside of the impact. */
static void so_do_pieces_of_an_impact(void **state)
{
    (void)state;
    judge_scene scene = judge_scene_blank(1);
    for (size_t i = 0; i < 5; i++) {
        judge_scene_ball(&scene, 0.5, 1 + 0.1 * (double)i, i == 0 ? -1 : (double)i, 0, 0);
    }
    scene.v[0][0] = 1;
    crm_settings *law[2];
    crm_motion *motion[2];
    size_t inside = 0;
    for (int m = 0; m < 2; m++) {
        motion[m] = motion_by(&scene, 0.3, "lzb", &law[m]);
    }
    run_to(motion[0], 3, NULL);
    size_t pieces = run_in_pieces(motion[1], 3, true, &inside);
    assert_true(inside > 0 && pieces > 1);
    assert_same_motion(motion[0], motion[1]);
    for (int m = 0; m < 2; m++) {
        end_motion(motion[m], law[m]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_endless_impact_is_left),
        cmocka_unit_test(pieces_make_the_whole),
        cmocka_unit_test(so_do_pieces_of_an_impact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
