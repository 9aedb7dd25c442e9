/* Bodies turn other features to each other: gaps on both sides of such a switch, motions that have
 * many of them, and random scenes of all shapes, whatever happens in them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/shape/shape.h"
#include "motion_call.h"
#include "motion_draw.h"
#include "support.h"

/* ---- Features -------------------------------------------------------------------------------- */

static crm_solid draw_solid(rng *r, size_t kind)
{
    crm_solid solid = {.dimension = 2, .oval = kind == 2};
    solid.half[0] = kind == 0 ? 0 : rng_uniform(r, 0.2, 1);
    solid.half[1] = kind == 2 || kind == 3 ? rng_uniform(r, 0.2, 1) : 0;
    solid.radius = kind < 2 ? rng_uniform(r, 0.05, 0.3) : 0;
    crm_solid_turn(&solid, rng_uniform(r, -3, 3));
    return solid;
}

static crm_solid_rate draw_rate(rng *r)
{
    return (crm_solid_rate){.velocity = {rng_uniform(r, -1, 1), rng_uniform(r, -1, 1)},
                            .spin = {0, 0, rng_uniform(r, -1, 1)}};
}

/* Where it is after t. */
static crm_solid moved(const crm_solid *solid, const crm_solid_rate *rate, double t)
{
    crm_solid at = *solid;
    double angle = atan2(solid->axis[0][1], solid->axis[0][0]);
    crm_solid_turn(&at, angle + t * rate->spin[2]);
    for (int d = 0; d < 2; d++) {
        at.centre[d] += t * rate->velocity[d];
    }
    return at;
}

static double least_margin(const crm_solid *a, const crm_solid *b, size_t place, unsigned feature,
                           size_t *which)
{
    double margin[CRM_MARGINS] = {INFINITY, INFINITY};
    size_t count = crm_feature_margins(a, b, place, feature, margin);
    *which = count > 1 && margin[1] < margin[0] ? 1 : 0;
    return count > 0 ? margin[*which] : INFINITY;
}

/* u of a gap measured to a feature. */
static double speed_of(const crm_gap *near, const crm_solid_rate rate[2])
{
    double u = 0;
    for (int k = 0; k < 2; k++) {
        const double *x = near->arm[k], *n = near->normal, w = rate[k].spin[2];
        double along =
            n[0] * (rate[k].velocity[0] - w * x[1]) + n[1] * (rate[k].velocity[1] + w * x[0]);
        u += k == 0 ? -along : along;
    }
    return u;
}

/* From where its margin is positive to where it is not: the feature beyond has the same gap and the
 * same u there, and is what is nearest a little later.
 */
static void cross(const crm_solid solid[2], const crm_solid_rate rate[2], size_t place,
                  unsigned feature, double low, double high)
{
    size_t which = 0;
    for (int k = 0; k < 100; k++) {
        double t = 0.5 * (low + high);
        crm_solid a = moved(&solid[0], &rate[0], t), b = moved(&solid[1], &rate[1], t);
        *(least_margin(&a, &b, place, feature, &which) > 0 ? &low : &high) = t;
    }
    crm_solid a = moved(&solid[0], &rate[0], high), b = moved(&solid[1], &rate[1], high);
    least_margin(&a, &b, place, feature, &which);
    unsigned beyond = crm_feature_beyond(&a, &b, place, feature, which);
    crm_gap before = crm_gap_feature(&a, &b, place, feature, rate);
    crm_gap after = crm_gap_feature(&a, &b, place, beyond, rate);
    if (before.gap < 1e-3) { /* inside one another nothing is promised */
        return;
    }
    assert_int_not_equal(beyond, feature);
    assert_near(after.gap, before.gap, 1e-12);
    assert_near(speed_of(&after, rate), speed_of(&before, rate), 1e-9);
    a = moved(&solid[0], &rate[0], high + 1e-6);
    b = moved(&solid[1], &rate[1], high + 1e-6);
    assert_near(crm_gap_feature(&a, &b, place, beyond, NULL).gap,
                crm_gap_solids(&a, &b, place, NULL).gap, 1e-13);
}

/* Of bodies of which one has a thickness, or is curved. */
static void gap_and_speed_do_not_jump(void **state)
{
    (void)state;
    static const size_t kinds[][2] = {{0, 1}, {1, 1}, {0, 3}, {1, 3},
                                      {2, 1}, {2, 3}, {3, 2}, {3, 1}};
    rng r = rng_seeded(3);
    size_t crossed = 0;
    for (size_t k = 0; k < 400; k++) {
        const size_t *kind = kinds[k % 8];
        crm_solid solid[2] = {draw_solid(&r, kind[0]), draw_solid(&r, kind[1])};
        const crm_solid_rate rate[2] = {draw_rate(&r), draw_rate(&r)};
        double way = rng_uniform(&r, 0, 6.28);
        solid[1].centre[0] = 2.5 * cos(way);
        solid[1].centre[1] = 2.5 * sin(way);
        for (size_t place = 0; place < crm_gap_places(&solid[0], &solid[1]); place++) {
            unsigned feature = crm_feature_of(&solid[0], &solid[1], place);
            size_t which;
            assert_true(least_margin(&solid[0], &solid[1], place, feature, &which) >= 0);
            for (double t = 0; t < 2; t += 0.01) {
                crm_solid a = moved(&solid[0], &rate[0], t), b = moved(&solid[1], &rate[1], t);
                if (least_margin(&a, &b, place, feature, &which) < 0) {
                    cross(solid, rate, place, feature, t - 0.01, t);
                    crossed++;
                    break;
                }
                crm_gap held = crm_gap_feature(&a, &b, place, feature, NULL);
                if (held.gap > 1e-3) {
                    assert_near(held.gap, crm_gap_solids(&a, &b, place, NULL).gap, 1e-12);
                }
            }
        }
    }
    assert_true(crossed > 300);
}

/* ---- Random scenes --------------------------------------------------------------------------- */

static void follow(uint64_t seed, uint64_t impacts)
{
    drawn_scene scene;
    draw_scene(seed, &scene);
    drawn_course course = follow_scene(&scene, impacts);
    const char *wrong = judge_course(&course);
    if (wrong != NULL) {
        fail_msg("campaign_motion 1 %llu: %s", (unsigned long long)seed, wrong);
    }
}

/* Boxes that pass corner to corner, an ellipse that rolls over the corner of a box: each of these
 * stopped where steps went over such a switch.
 */
static void passing_corners_stops_no_motion(void **state)
{
    (void)state;
    follow(48, 60);
    if (getenv("CAROM_TEST_QUICK") == NULL) {
        follow(27, 300);
        follow(43, 150);
        follow(1049, 120);
        follow(1304, 60); /* flush: a margin that stays at 0 */
    }
}

static void whatever_happens(void **state)
{
    (void)state;
    uint64_t count = rounds(24, 6);
    for (uint64_t seed = 1; seed <= count; seed++) {
        follow(seed, 60);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gap_and_speed_do_not_jump),
        cmocka_unit_test(passing_corners_stops_no_motion),
        cmocka_unit_test(whatever_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
