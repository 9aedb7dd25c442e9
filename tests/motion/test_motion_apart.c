/* Gaps that a step does not follow (motion/lagrange/step/apart.c): their bodies do not overlap
 * within the step, by support functions, and after it they are measured between the nearest
 * features.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "encounter_draw.h"
#include "motion/lagrange/lagrange.h"
#include "motion/scene/scene.h"
#include "motion_call.h"
#include "overlap.h"
#include "support.h"

enum { SCENES = 150, STEPS = 200, LOOKS = 8, MOST_POSITIONS = 7 * ENCOUNTER_BODIES };

/* Of two bodies of the scene alone. */
static double depth_of_pair(const encounter *s, const scene_system *system, const size_t pair[2],
                            double t, const double *y)
{
    crm_scene_def def = s->def;
    crm_body_def body[2];
    double q[MOST_POSITIONS];
    size_t used = 0;
    for (int k = 0; k < 2; k++) {
        const scene_body *b = &system->body[pair[k]];
        body[k] = s->body[pair[k]];
        memcpy(q + used, y + b->position, b->positions * sizeof *q);
        used += b->positions;
    }
    def.bodies.bodies = body;
    def.bodies.body_count = 2;
    def.bodies.wall_count = 0;
    def.suspended_count = def.spring_count = 0;
    return overlap_in_scene(&def, t, q).depth;
}

/* The number of gaps that the pending step does not follow. */
static size_t check_step(const encounter *s, lagrange_motion *m, const scene_system *system)
{
    size_t count = 0;
    double y[2 * MOST_POSITIONS];
    for (int look = 0; look <= LOOKS; look++) {
        double t = m->t + m->h * look / LOOKS;
        lagrange_state_at(m, t, y);
        for (size_t j = 0; j < m->gaps; j++) {
            if (lagrange_is_apart(m, j)) {
                assert_true(depth_of_pair(s, system, m->party[j], t, y) == 0);
                count++;
            }
        }
    }
    return count / (LOOKS + 1);
}

/* A gap has the feature that a system made here would have: the same gap, or another feature that
 * is as near.
 */
static void check_features(lagrange_motion *m, const bool *apart)
{
    double *gap = m->values.gap, before[ENCOUNTER_BODIES * 64];
    crm_error error;
    assert_true(m->gaps <= sizeof before / sizeof before[0]);
    assert_ok(lagrange_gap(m, m->t, m->y, gap, &error), &error);
    memcpy(before, gap, m->gaps * sizeof *gap);
    for (size_t j = 0; j < m->gaps; j++) {
        if (apart[j]) {
            m->features->choose(m->def.context, j, m->y);
        }
    }
    assert_ok(lagrange_gap(m, m->t, m->y, gap, &error), &error);
    assert_memory_equal(before, gap, m->gaps * sizeof *gap);
}

static size_t follow(const encounter *s, crm_motion *motion)
{
    lagrange_motion *m = (lagrange_motion *)motion;
    size_t count = 0;
    bool apart[ENCOUNTER_BODIES * 64] = {0};
    for (int step = 0; step < STEPS && m->t < s->duration; step++) {
        crm_motion_stop stopped = CRM_STOP_DURATION;
        crm_error error = {0};
        bool go_on = true;
        crm_status status = lagrange_begin_step(m, NULL, &stopped, &go_on, &error);
        if (status != CRM_OK || !go_on) { /* other tests ask for that */
            break;
        }
        count += check_step(s, m, scene_of(motion));
        for (size_t j = 0; j < m->gaps; j++) {
            apart[j] = lagrange_is_apart(m, j);
        }
        assert_ok(lagrange_finish_step(m, &error), &error);
        check_features(m, apart);
    }
    return count;
}

static void gaps_that_are_not_followed_do_not_close(void **state)
{
    (void)state;
    size_t count = 0;
    for (uint64_t seed = 1; seed <= SCENES; seed++) {
        static encounter s;
        draw_encounter(seed, &s);
        crm_settings *law = law_named(s.law);
        crm_motion_options options = crm_motion_options_default();
        crm_motion *motion = NULL;
        crm_error error;
        options.law = law;
        options.tolerance = s.tolerance;
        /* dense: refused beyond 200 gaps */
        if (crm_scene_create(&s.def, &options, &motion, &error) == CRM_OK) {
            count += follow(&s, motion);
        }
        crm_motion_free(motion);
        crm_settings_free(law);
    }
    assert_true(count > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_that_are_not_followed_do_not_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
