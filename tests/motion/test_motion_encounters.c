/* Bodies that part and meet again while others move far away (scenarios: tests/cases): every impact
 * is that of one dense system of all bodies, nothing overlaps, and the spheres that bodies of
 * different groups keep clear are disjoint.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "carom/scenario.h"
#include "motion/groups/groups.h"
#include "motion_call.h"
#include "overlap.h"
#include "support.h"

#define CASE(name) CAROM_SOURCE_DIR "/tests/cases/" name ".yaml"

static const char *const CASES[] = {CASE("missed-impact-far-rod"), CASE("missed-impact-ellipses"),
                                    CASE("box-against-wall"), CASE("missed-impact-two-rods")};
enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };

static crm_scenario *load(const char *path)
{
    const crm_source source = {.path = path};
    crm_scenario *scenario = NULL;
    crm_error error = {0};
    assert_ok(crm_scenario_load_motion(&source, &scenario, &error), &error);
    return scenario;
}

/* ---- Impacts --------------------------------------------------------------------------------- */

/* The judge is the dense system that the Lagrangian engine makes of all bodies. Errors grow from
 * impact to impact; until then they are rounding.
 */
static void every_impact_is_that_of_one_system(void **state)
{
    (void)state;
    static const double WITHIN = 1e-9;
    static const size_t COMPARED[CASE_COUNT] = {2, 20, 35, 8};
    static impact_list list[2];
    for (size_t k = 0; k < CASE_COUNT; k++) {
        crm_scenario *scenario = load(CASES[k]);
        const crm_scene_def *def = crm_scenario_scene(scenario);
        crm_motion_options options = crm_scenario_motion_options(scenario);
        options.tolerance = 1e-9;
        for (int m = 0; m < 2; m++) {
            const crm_observer observer = impact_observer(&list[m]);
            crm_motion *motion = NULL;
            crm_error error = {0};
            assert_ok(
                (m == 0 ? crm_motion_from_scene : crm_scene_create)(def, &options, &motion, &error),
                &error);
            run_to(motion, crm_scenario_duration(scenario), &observer);
            crm_motion_free(motion);
        }
        assert_true(list[0].count >= COMPARED[k] && list[1].count >= COMPARED[k]);
        for (size_t n = 0; n < COMPARED[k]; n++) {
            assert_near(list[0].row[n].time, list[1].row[n].time, WITHIN);
            assert_near(list[0].row[n].closing[0], list[1].row[n].closing[0], WITHIN);
        }
        crm_scenario_free(scenario);
    }
}

/* The instant and the speed are those of the rod and the box without the third body. */
static void the_rod_strikes_the_box(void **state)
{
    (void)state;
    static const double TIME = 2.116650661, SPEED = 1.0704; /* all digits that are known */
    crm_scenario *scenario = load(CASES[0]);
    crm_motion *motion = NULL;
    crm_error error = {0};
    static impact_list list;
    const crm_observer observer = impact_observer(&list);
    assert_ok(crm_scenario_make_motion(scenario, &motion, &error), &error);
    assert_int_equal(run_to(motion, 3, &observer), CRM_STOP_DURATION);
    assert_int_equal(list.count, 2);
    assert_near(list.row[1].time, TIME, 1e-9);
    assert_near(list.row[1].closing[0], SPEED, 5e-5);
    crm_motion_free(motion);
    crm_scenario_free(scenario);
}

/* ---- Spheres --------------------------------------------------------------------------------- */

/* Each body is in its own sphere, and no two spheres of different groups overlap. */
static void check_spheres(groups_motion *u)
{
    const flight *f = u->flight;
    for (size_t i = 0; i < f->externals; i++) {
        uint32_t a = f->external[i];
        if (groups_is_fixed(u, a) || u->group[u->membership[a].group]->sole) {
            continue;
        }
        double x[3];
        groups_centre(u, a, u->motion.time, x);
        double inside = groups_ball_distance(f, a, u->motion.time, x) + groups_reach(u, a);
        assert_true(inside <= 1e-12);
        for (size_t k = 0; k < i; k++) {
            uint32_t b = f->external[k];
            bool apart = !groups_is_fixed(u, b) && u->membership[b].group != u->membership[a].group;
            double room = groups_ball_distance(f, a, u->motion.time, f->ball[b].x);
            assert_true(!apart || room >= f->ball[b].radius);
        }
    }
}

static void groups_keep_clear_of_each_other(void **state)
{
    (void)state;
    enum { LOOKS = 3000 };
    for (size_t k = 0; k < CASE_COUNT; k++) {
        crm_scenario *scenario = load(CASES[k]);
        const crm_scene_def *def = crm_scenario_scene(scenario);
        double duration = crm_scenario_duration(scenario), q[32], v[32], deepest = 0;
        crm_motion *motion = NULL;
        crm_error error = {0};
        assert_ok(crm_scenario_make_motion(scenario, &motion, &error), &error);
        assert_true(crm_motion_positions(motion) <= 32);
        for (int n = 1; n <= LOOKS; n++) {
            double t = duration * n / LOOKS;
            assert_int_equal(run_to(motion, t, NULL), CRM_STOP_DURATION);
            crm_motion_read(motion, q, v);
            check_spheres((groups_motion *)motion);
            deepest = fmax(deepest, overlap_in_scene(def, t, q).depth);
        }
        assert_near(deepest, 0, 1e-9);
        crm_motion_free(motion);
        crm_scenario_free(scenario);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_impact_is_that_of_one_system),
        cmocka_unit_test(the_rod_strikes_the_box),
        cmocka_unit_test(groups_keep_clear_of_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
