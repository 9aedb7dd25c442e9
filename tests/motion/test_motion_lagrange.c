/* Balls on floors and plates: closed forms of docs/motion.md. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "motion_balls.h"
#include "motion_call.h"
#include "support.h"

static const double CLOSE = 1e-9; /* what the default tolerance promises */
static const double EXACT = 1e-12;
static const double PI = 3.14159265358979323846;

static impact_list impacts;

/* ---- A floor --------------------------------------------------------------------------------- */

static void bounce(double floor, bool by_differences)
{
    balls b = {.count = 1, .gravity = 9.81, .floor = floor};
    const double position[] = {1 + floor}, velocity[] = {0}, restitution[] = {0.9};
    crm_lagrangian_def def = balls_def(&b, position, velocity, restitution);
    if (by_differences) {
        def.gradient = NULL;
        def.gap_rate = NULL;
        def.gap_bias = NULL;
    }
    crm_motion *motion = motion_of(&def, NULL);
    double q, v;
    run_to(motion, 8.5, NULL);
    crm_motion_read(motion, &q, &v);
    assert_near(q - floor, 5.5655510e-6, 1e-12); /* the digits given */
    assert_near(v, -0.04166519581, CLOSE);
    run_to(motion, 20, NULL);
    crm_motion_read(motion, &q, &v);
    crm_motion_summary summary = crm_motion_summarize(motion);
    assert_met(by_differences ? "bouncing ball: instant of rest, by differences"
                              : "bouncing ball: instant of rest",
               summary.at_rest_since, sqrt(2 / 9.81) * 1.9 / 0.1, CLOSE);
    assert_near(q, floor, EXACT);
    assert_near(v, 0, EXACT);
    assert_near(summary.max_penetration, 0, EXACT);
    assert_near(summary.energy.lost, 2 * 9.81, CLOSE);
    assert_account_closes(motion, CLOSE);
    crm_motion_free(motion);
}

static void ball_bounces_to_rest(void **state)
{
    (void)state;
    bounce(0, false);
    bounce(0, true);
    bounce(1, false); /* the last flights are lower than the rounding of the position */
    bounce(-7, true);
}

static void impacts_are_where_they_should_be(void **state)
{
    (void)state;
    balls b = {.count = 1, .gravity = 9.81, .floor = 1};
    const double position[] = {2}, velocity[] = {0}, restitution[] = {0.9};
    crm_lagrangian_def def = balls_def(&b, position, velocity, restitution);
    crm_motion *motion = motion_of(&def, NULL);
    crm_observer observer = impact_observer(&impacts);
    run_to(motion, 10, &observer);
    double time = sqrt(2 / 9.81), speed = sqrt(2 * 9.81);
    assert_true(impacts.count > 100);
    for (size_t k = 0; k < impacts.count; k++) {
        assert_near(impacts.row[k].time, time, CLOSE);
        assert_near(impacts.row[k].closing[0], speed, CLOSE);
        assert_near(impacts.row[k].lost, speed * speed * (1 - 0.81), CLOSE);
        speed *= 0.9;
        time += 2 * speed / 9.81;
    }
    crm_motion_free(motion);
}

/* A ball of mass 1 along a slope with the unit normal n, its gap n.q; how often that was asked for.
 */
typedef struct slope {
    double normal[2];
    uint64_t calls;
} slope;

static crm_status slope_mass(void *context, const double *q, double *mass)
{
    (void)context;
    (void)q;
    memcpy(mass, (const double[]){1, 0, 0, 1}, 4 * sizeof *mass);
    return CRM_OK;
}

static crm_status slope_force(void *context, double t, const double *q, const double *v,
                              double *force)
{
    (void)context;
    (void)t;
    (void)q;
    (void)v;
    memcpy(force, (const double[]){0, -9.81}, 2 * sizeof *force);
    return CRM_OK;
}

static crm_status slope_gap(void *context, double t, const double *q, double *gap)
{
    slope *s = context;
    (void)t;
    s->calls++;
    *gap = s->normal[0] * q[0] + s->normal[1] * q[1];
    return CRM_OK;
}

static crm_status slope_gradient(void *context, double t, const double *q, double *w)
{
    const slope *s = context;
    (void)t;
    (void)q;
    memcpy(w, s->normal, sizeof s->normal);
    return CRM_OK;
}

/* At 10 m/s along the slope u is the difference of terms of 5 m/s, and has their rounding: 1e-7 of
 * itself at the last bounces. The end of a bounce is 0 within that, after a step that passes it and
 * one that ends there, whose gaps are asked for twice: three times eight nodes, and once more for
 * what the instant and a step that is too long need. If the rounding of u were not known, Newton's
 * method would go on until it happens to be 0.
 */
static void low_bounces_cost_no_more_than_others(void **state)
{
    (void)state;
    enum { NODES = 8, STEPS = 5 };
    const double e = 0.5, height = 1, angle = PI / 6, along = 10;
    slope s = {.normal = {sin(angle), cos(angle)}};
    const double position[] = {height * s.normal[0], height * s.normal[1]};
    const double velocity[] = {along * s.normal[1], -along * s.normal[0]};
    crm_lagrangian_def def = crm_lagrangian_def_default();
    def.context = &s;
    def.positions = def.velocities = 2;
    def.gaps = 1;
    def.mass = slope_mass;
    def.force = slope_force;
    def.gap = slope_gap;
    def.gradient = slope_gradient;
    def.position = position;
    def.velocity = velocity;
    def.restitution = &e;
    crm_motion *motion = motion_of(&def, NULL);
    double a = 9.81 * s.normal[1];
    run_to(motion, sqrt(2 * height / a) * (1 + e) / (1 - e) + 1e-6, NULL);
    crm_motion_summary summary = crm_motion_summarize(motion);
    assert_true(summary.impacts > 20);
    assert_true(s.calls < summary.impacts * NODES * STEPS);
    assert_near(summary.energy.lost, a * height, CLOSE);
    crm_motion_free(motion);
}

static void work_is_bounded_for_any_restitution(void **state)
{
    (void)state;
    const double e[] = {0, 0.01, 0.5, 0.99};
    for (size_t k = 0; k < 4; k++) {
        balls b = {.count = 1, .gravity = 9.81};
        const double position[] = {1}, velocity[] = {0};
        crm_lagrangian_def def = balls_def(&b, position, velocity, &e[k]);
        crm_motion_options options = crm_motion_options_default();
        options.stop_at_rest = true;
        crm_motion *motion = motion_of(&def, &options);
        assert_int_equal(run_to(motion, 1e3, NULL), CRM_STOP_AT_REST);
        double rest = sqrt(2 / 9.81) * (1 + e[k]) / (1 - e[k]);
        assert_near(crm_motion_time(motion), rest, CLOSE);
        assert_near(crm_motion_summarize(motion).at_rest_since, rest, CLOSE);
        crm_motion_free(motion);
    }
}

/* Elastic bounces never end; those lower than a hundredth of the tolerance are not followed. */
static void bounces_below_the_tolerance_end(void **state)
{
    (void)state;
    balls b = {.count = 1, .gravity = 9.81};
    const double position[] = {0}, velocity[] = {1e-5}, restitution[] = {1}; /* up to 5e-12 */
    crm_lagrangian_def def = balls_def(&b, position, velocity, restitution);
    crm_motion_options options = crm_motion_options_default();
    options.stop_impacts = 1000;
    crm_motion *motion = motion_of(&def, &options);
    assert_int_equal(run_to(motion, 1, NULL), CRM_STOP_DURATION);
    assert_near(crm_motion_summarize(motion).energy.lost, 1e-10, 1e-18);
    crm_motion_free(motion);
}

/* A gap that is nearly closed is closed for good when the ball rests on it. */
static void resting_gap_is_zero(void **state)
{
    (void)state;
    balls b = {.count = 1, .gravity = 9.81};
    const double velocity[] = {0}, restitution[] = {0.5}, starts[] = {4e-12, -4e-12};
    for (size_t k = 0; k < 2; k++) {
        crm_lagrangian_def def = balls_def(&b, &starts[k], velocity, restitution);
        crm_motion *motion = motion_of(&def, NULL);
        double q;
        run_to(motion, 1, NULL);
        crm_motion_read(motion, &q, NULL);
        assert_near(q, 0, 1e-15);
        crm_motion_free(motion);
    }
}

/* Floor at 0, ceiling at 1.5, upwards at 10 from 1, e = 0.8, gravity 10, followed here in closed
 * form, bounce by bounce, until the ceiling is no longer reached.
 */
static double rest_between_floor_and_ceiling(void)
{
    double t = 0, q = 1, v = 10;
    for (;;) {
        double up = v * v - 2 * 10 * (1.5 - q); /* v^2 at the ceiling */
        if (up <= 0) {
            break;
        }
        t += (v - sqrt(up)) / 10;
        v = -0.8 * sqrt(up);
        double down = sqrt(v * v + 2 * 10 * 1.5);
        t += (down + v) / 10;
        q = 0;
        v = 0.8 * down;
    }
    return t + 2 * v / 10 / (1 - 0.8);
}

static void ball_between_floor_and_ceiling(void **state)
{
    (void)state;
    balls b = {.count = 1, .gravity = 10, .ceiling = 1.5};
    const double position[] = {1}, velocity[] = {10}, restitution[] = {0.8, 0.8};
    crm_lagrangian_def def = balls_def(&b, position, velocity, restitution);
    crm_motion *motion = motion_of(&def, NULL);
    run_to(motion, 10, NULL);
    crm_motion_summary summary = crm_motion_summarize(motion);
    assert_met("floor and ceiling: instant of rest", summary.at_rest_since,
               rest_between_floor_and_ceiling(), CLOSE);
    assert_account_closes(motion, CLOSE);
    crm_motion_free(motion);
}

static void every_law_serves(void **state)
{
    (void)state;
    for (size_t k = 0; k < crm_law_count(); k++) {
        const char *name = crm_law_at(k)->name;
        if (strcmp(name, "generalized-newton") == 0 || strcmp(name, "impulse-ratio") == 0 ||
            strcmp(name, "icr") == 0 || strcmp(name, "sequential") == 0) {
            continue; /* options of their own, or elastic alone */
        }
        balls b = {.count = 1, .gravity = 9.81, .floor = 1};
        const double position[] = {2}, velocity[] = {0}, restitution[] = {0.5};
        crm_lagrangian_def def = balls_def(&b, position, velocity, restitution);
        crm_motion_options options = crm_motion_options_default();
        crm_settings *law = law_named(name);
        options.law = law;
        crm_motion *motion = motion_of(&def, &options);
        run_to(motion, 1, NULL);
        crm_motion_summary summary = crm_motion_summarize(motion);
        /* The compliant law is elastic unless damped. */
        if (strcmp(name, "compliant") != 0) {
            run_to(motion, 5, NULL);
            summary = crm_motion_summarize(motion);
            assert_near(summary.at_rest_since, sqrt(2 / 9.81) * 3, 1e-8);
        }
        assert_near(summary.energy.error, 0, CLOSE);
        crm_motion_free(motion);
        crm_settings_free(law);
    }
}

/* ---- A swinging plate ------------------------------------------------------------------------ */

/* Gamma = A omega^2 / g. Period one: the ball leaves at the phase phi with cos phi = pi (1 - e) /
 * ((1 + e) Gamma), and meets the plate after one period with the speed -pi g / omega.
 */
static crm_motion *on_plate(balls *b, double gamma, double e, double nudge)
{
    static double position[1], velocity[1], restitution[1];
    *b = (balls){.count = 1, .gravity = 9.81, .omega = 2 * PI * 25};
    b->amplitude = gamma * b->gravity / (b->omega * b->omega);
    double phase = acos(PI * (1 - e) / ((1 + e) * gamma));
    crm_lagrangian_def def = balls_def(b, position, velocity, restitution);
    def.start = phase / b->omega;
    def.size = 1e-3;
    position[0] = b->amplitude * sin(phase);
    velocity[0] = PI * b->gravity / b->omega * (1 + nudge);
    restitution[0] = e;
    return motion_of(&def, NULL);
}

static void plate_keeps_the_ball_at_its_period(void **state)
{
    (void)state;
    const double gamma = 1.3, e = 0.5;
    balls b;
    crm_motion *motion = on_plate(&b, gamma, e, 0);
    crm_observer observer = impact_observer(&impacts);
    double period = 2 * PI / b.omega, start = crm_motion_time(motion);
    run_to(motion, start + 50.5 * period, &observer);
    assert_int_equal(impacts.count, 50);
    assert_met("plate: 50th impact, in periods", impacts.row[49].time / period, start / period + 50,
               CLOSE);
    for (size_t k = 0; k < impacts.count; k++) {
        assert_near(impacts.row[k].time, start + (double)(k + 1) * period, CLOSE * period);
        double plate = b.amplitude * b.omega * cos(b.omega * impacts.row[k].time);
        assert_near(impacts.row[k].closing[0], PI * b.gravity / b.omega + plate, CLOSE);
    }
    assert_account_closes(motion, CLOSE);
    crm_motion_free(motion);
}

/* From a nudge it comes back to period one below the limit, to period two above. */
static double unevenness_after(double gamma, double e)
{
    balls b;
    crm_motion *motion = on_plate(&b, gamma, e, 1e-3);
    crm_observer observer = impact_observer(&impacts);
    double period = 2 * PI / b.omega;
    run_to(motion, crm_motion_time(motion) + 600.5 * period, &observer);
    assert_true(impacts.count > 500 && impacts.count < MOST_IMPACTS);
    const impact_row *last = &impacts.row[impacts.count - 1];
    double one = last[0].time - last[-1].time, other = last[-1].time - last[-2].time;
    assert_near(one + other, 2 * period, 1e-7 * period);
    crm_motion_free(motion);
    return fabs(one - other) / period;
}

static void period_doubles_where_it_should(void **state)
{
    (void)state;
    const double e = 0.5, first = PI * (1 - e) / (1 + e);
    double bend = 2 * (1 + e * e) / ((1 + e) * (1 + e));
    double limit = sqrt(first * first + bend * bend);
    assert_near(limit, 1.5268, 1e-4);
    assert_near(unevenness_after(limit - 0.03, e), 0, 1e-7);
    assert_true(unevenness_after(limit + 0.03, e) > 1e-2);
}

static void ball_stays_on_a_gentle_plate(void **state)
{
    (void)state;
    balls b = {.count = 1, .gravity = 9.81, .omega = 2 * PI * 25};
    b.amplitude = 0.99 * b.gravity / (b.omega * b.omega);
    const double position[] = {0}, velocity[] = {b.amplitude * b.omega}, restitution[] = {0.5};
    crm_lagrangian_def def = balls_def(&b, position, velocity, restitution);
    def.size = 1e-3;
    crm_motion *motion = motion_of(&def, NULL);
    for (int k = 1; k <= 20; k++) {
        double q, v, t = 0.0131 * k;
        run_to(motion, t, NULL);
        crm_motion_read(motion, &q, &v);
        assert_near(q, b.amplitude * sin(b.omega * t), CLOSE * def.size);
    }
    crm_motion_summary summary = crm_motion_summarize(motion);
    assert_int_equal(summary.impacts, 0);
    double t = crm_motion_time(motion), v = b.amplitude * b.omega * cos(b.omega * t);
    double v0 = b.amplitude * b.omega;
    assert_near(summary.energy.work,
                v * v - v0 * v0 + 2 * b.gravity * b.amplitude * sin(b.omega * t), 1e-10);
    crm_motion_free(motion);
}

/* Gamma > 1: the plate accelerates away from under it where sin(omega t) = 1 / Gamma. */
static void plate_falls_away(void **state)
{
    (void)state;
    balls b = {.count = 1, .gravity = 9.81, .omega = 2 * PI * 25};
    b.amplitude = 1.2 * b.gravity / (b.omega * b.omega);
    const double position[] = {0}, velocity[] = {b.amplitude * b.omega}, restitution[] = {0};
    crm_lagrangian_def def = balls_def(&b, position, velocity, restitution);
    def.size = 1e-3;
    crm_motion *motion = motion_of(&def, NULL);
    crm_observer observer = impact_observer(&impacts);
    double off = asin(1 / 1.2) / b.omega, t = off + 0.005, s = 0.005, q, v;
    run_to(motion, t, &observer);
    crm_motion_read(motion, &q, &v);
    double v_off = b.amplitude * b.omega * cos(b.omega * off);
    assert_met("plate falls away: position 5 ms later, of the size", q / def.size,
               (b.amplitude * sin(b.omega * off) + v_off * s - 4.905 * s * s) / def.size, CLOSE);
    assert_near(v, v_off - 9.81 * s, CLOSE);
    run_to(motion, 2, &observer); /* lands, rests, leaves again: once a period */
    assert_near((double)impacts.count, 50, 1);
    for (size_t k = 1; k < impacts.count; k++) {
        assert_near(impacts.row[k].time - impacts.row[k - 1].time, 0.04, CLOSE * 0.04);
    }
    assert_account_closes(motion, CLOSE);
    crm_motion_free(motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_bounces_to_rest),
        cmocka_unit_test(impacts_are_where_they_should_be),
        cmocka_unit_test(low_bounces_cost_no_more_than_others),
        cmocka_unit_test(work_is_bounded_for_any_restitution),
        cmocka_unit_test(bounces_below_the_tolerance_end),
        cmocka_unit_test(resting_gap_is_zero),
        cmocka_unit_test(ball_between_floor_and_ceiling),
        cmocka_unit_test(every_law_serves),
        cmocka_unit_test(plate_keeps_the_ball_at_its_period),
        cmocka_unit_test(period_doubles_where_it_should),
        cmocka_unit_test(ball_stays_on_a_gentle_plate),
        cmocka_unit_test(plate_falls_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
