/* Instants at which a motion is degenerate; runs, stops and refusals. */
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

/* ---- Degenerate instants --------------------------------------------------------------------- */

static void two_close_at_once(void **state)
{
    (void)state;
    balls b = {.count = 2, .gravity = 9.81};
    const double position[] = {1, 1}, velocity[] = {0, 0}, restitution[] = {0.9, 0.5};
    crm_lagrangian_def def = balls_def(&b, position, velocity, restitution);
    crm_motion *motion = motion_of(&def, NULL);
    crm_observer observer = impact_observer(&impacts);
    run_to(motion, 0.6, &observer);
    assert_int_equal(impacts.count, 2); /* apart: one impact each */
    assert_int_equal(impacts.row[0].contacts, 1);
    assert_int_equal(impacts.row[1].contacts, 1);
    assert_near(impacts.row[0].time, sqrt(2 / 9.81), EXACT);
    assert_near(impacts.row[1].time, sqrt(2 / 9.81), EXACT);
    double q[2], v[2], s = 0.6 - sqrt(2 / 9.81), c = sqrt(2 * 9.81);
    crm_motion_read(motion, q, v);
    assert_near(q[0], 0.9 * c * s - 4.905 * s * s, CLOSE);
    assert_near(q[1], 0.5 * c * s - 4.905 * s * s, CLOSE);
    crm_motion_free(motion);
}

/* Thrown so that it reaches the ceiling with the speed 0. */
static void grazing_changes_nothing(void **state)
{
    (void)state;
    const double offsets[] = {0, 1e-15, -1e-15, 1e-13, -1e-13};
    for (size_t k = 0; k < 5; k++) {
        balls b = {.count = 1, .gravity = 10, .ceiling = 1};
        const double position[] = {0}, velocity[] = {sqrt(20) * (1 + offsets[k])};
        const double restitution[] = {0.5, 0.5};
        crm_lagrangian_def def = balls_def(&b, position, velocity, restitution);
        crm_motion *motion = motion_of(&def, NULL);
        double q, v, t = sqrt(0.2) + 0.3;
        run_to(motion, t, NULL);
        crm_motion_read(motion, &q, &v);
        assert_near(q, 1 - 5 * 0.09, 1e-6); /* sqrt of the offset's size: a graze forgets half */
        run_to(motion, 10, NULL);
        assert_near(crm_motion_summarize(motion).at_rest_since, 4 * sqrt(0.2), 1e-6);
        crm_motion_free(motion);
    }
}

/* Pulls against a weight of 2 g. */
static double pull_to_zero(double t)
{
    return 2 * 9.81 * sin(t);
}
static double pull_beyond(double t)
{
    return 4 * 9.81 * sin(t);
}
static double pull_down_later(double t)
{
    return 2 * 9.81 - t; /* no load at t = 0, then more and more */
}
static double pull_up_later(double t)
{
    return 2 * 9.81 + t;
}

static crm_motion *pulled(balls *b, double (*pull)(double))
{
    static const double position[] = {0}, velocity[] = {0}, restitution[] = {0};
    *b = (balls){.count = 1, .gravity = 9.81, .pull = pull};
    crm_lagrangian_def def = balls_def(b, position, velocity, restitution);
    def.potential = NULL;
    return motion_of(&def, NULL);
}

static void force_touches_zero_and_returns(void **state)
{
    (void)state;
    balls b;
    crm_motion *motion = pulled(&b, pull_to_zero);
    double q, v;
    run_to(motion, 20, NULL);
    crm_motion_read(motion, &q, &v);
    assert_near(q, 0, CLOSE);
    assert_near(v, 0, CLOSE);
    crm_motion_free(motion);
}

/* Lifted from pi/6 on: v = 2g (cos(pi/6) - cos t) - g (t - pi/6). */
static void force_passes_zero_and_returns(void **state)
{
    (void)state;
    balls b;
    crm_motion *motion = pulled(&b, pull_beyond);
    crm_observer observer = impact_observer(&impacts);
    double q, v, t0 = PI / 6, g = 9.81, t = 2;
    run_to(motion, t, &observer);
    crm_motion_read(motion, &q, &v);
    assert_near(v, 2 * g * (cos(t0) - cos(t)) - g * (t - t0), 1e-8);
    assert_near(q, 2 * g * (cos(t0) * (t - t0) - sin(t) + sin(t0)) - 0.5 * g * (t - t0) * (t - t0),
                1e-8);
    run_to(motion, 6, &observer);
    crm_motion_read(motion, &q, &v);
    assert_int_equal(impacts.count, 1);
    assert_near(q, 0, CLOSE);
    crm_motion_summary summary = crm_motion_summarize(motion);
    assert_near(summary.energy.work, summary.energy.lost, CLOSE);
    crm_motion_free(motion);
}

static void no_load_at_the_start(void **state)
{
    (void)state;
    balls b;
    double q, v;
    crm_motion *motion = pulled(&b, pull_down_later);
    run_to(motion, 3, NULL);
    crm_motion_read(motion, &q, &v);
    assert_near(q, 0, EXACT);
    crm_motion_free(motion);
    motion = pulled(&b, pull_up_later);
    run_to(motion, 3, NULL);
    crm_motion_read(motion, &q, &v);
    assert_near(v, 0.5 * 9 / 2, CLOSE);
    assert_near(q, 27.0 / 6 / 2, CLOSE);
    crm_motion_free(motion);
}

/* The plate swings fifty times while the ball falls: the gap would close and open again within a
 * small part of a step that the ball's own motion allows.
 */
static void short_closing_is_seen(void **state)
{
    (void)state;
    balls b = {.count = 1, .gravity = 9.81, .amplitude = 0.01, .omega = 700};
    const double position[] = {1}, velocity[] = {0}, restitution[] = {0.3};
    crm_lagrangian_def def = balls_def(&b, position, velocity, restitution);
    crm_motion *motion = motion_of(&def, NULL);
    crm_observer observer = impact_observer(&impacts);
    run_to(motion, 0.5, &observer);
    /* The first contact by looking everywhere. */
    double first = 0;
    for (double t = 0.43; first == 0; t += 1e-8) {
        first = 1 - 4.905 * t * t <= 0.01 * sin(700 * t) ? t : 0;
    }
    assert_true(impacts.count > 0);
    assert_near(impacts.row[0].time, first, 2e-8);
    assert_near(crm_motion_summarize(motion).max_penetration, 0, CLOSE);
    crm_motion_free(motion);
}

/* ---- Runs, stops, refusals ------------------------------------------------------------------- */

typedef struct seen {
    size_t count;
    double last;
    bool interrupt;
} seen;

static crm_status see(void *context, double time, const double *position, const double *velocity)
{
    seen *s = context;
    (void)position, (void)velocity;
    assert_near(time, 0.01 * (double)s->count, EXACT);
    s->count++;
    s->last = time;
    return s->interrupt ? CRM_ERROR_STOPPED : CRM_OK;
}

static void two_runs_are_one(void **state)
{
    (void)state;
    balls b = {.count = 2, .gravity = 9.81, .amplitude = 0.01, .omega = 30};
    const double position[] = {1, 0.4}, velocity[] = {0, 1}, restitution[] = {0.8, 0.3};
    crm_lagrangian_def def = balls_def(&b, position, velocity, restitution);
    crm_motion *once = motion_of(&def, NULL), *often = motion_of(&def, NULL);
    seen s = {0};
    crm_observer observer = {.context = &s, .every = 0.01, .state = see};
    run_to(once, 3, NULL);
    for (int k = 1; k <= 10; k++) {
        run_to(often, 0.3 * k < 3 ? 0.3 * k : 3, &observer);
    }
    assert_int_equal(s.count, 301);
    double q[2][2], v[2][2];
    crm_motion_read(once, q[0], v[0]);
    crm_motion_read(often, q[1], v[1]);
    assert_memory_equal(q[0], q[1], sizeof q[0]);
    assert_memory_equal(v[0], v[1], sizeof v[0]);
    crm_motion_summary a = crm_motion_summarize(once), c = crm_motion_summarize(often);
    assert_memory_equal(&a.energy, &c.energy, sizeof a.energy);
    assert_int_equal(a.impacts, c.impacts);
    crm_motion_free(once);
    crm_motion_free(often);
}

static void stops_and_goes_on(void **state)
{
    (void)state;
    balls b = {.count = 1, .gravity = 9.81};
    const double position[] = {1}, velocity[] = {0}, restitution[] = {0.8};
    crm_lagrangian_def def = balls_def(&b, position, velocity, restitution);
    crm_motion_options options = crm_motion_options_default();
    options.stop_impacts = 3;
    crm_motion *motion = motion_of(&def, &options);
    assert_int_equal(run_to(motion, 0, NULL), CRM_STOP_DURATION);
    assert_int_equal(run_to(motion, 100, NULL), CRM_STOP_IMPACTS);
    double third = sqrt(2 / 9.81) * (1 + 2 * 0.8 + 2 * 0.64);
    assert_near(crm_motion_time(motion), third, CLOSE);
    crm_motion_free(motion);

    seen s = {.interrupt = true};
    crm_observer observer = {.context = &s, .every = 0.01, .state = see};
    motion = motion_of(&def, NULL);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(run_to(motion, 1, &observer), CRM_STOP_INTERRUPTED);
    }
    assert_near(crm_motion_time(motion), 0.04, EXACT);
    crm_motion_free(motion);
}

static crm_status bad_force(void *context, double t, const double *q, const double *v, double *h)
{
    balls_force(context, t, q, v, h);
    h[1] = t > 0.25 ? NAN : h[1];
    return CRM_OK;
}

static crm_status (*good_gap)(void *context, double t, const double *q, double *gap);

/* Below half its height a ball's gap is no number. */
static crm_status bad_gap(void *context, double t, const double *q, double *gap)
{
    crm_status status = good_gap(context, t, q, gap);
    gap[1] = q[1] < 0.5 ? NAN : gap[1];
    return status;
}

static crm_status bad_mass(void *context, const double *q, double *mass)
{
    balls_mass(context, q, mass);
    mass[3] = -1;
    return CRM_OK;
}

static void assert_refused(const crm_lagrangian_def *def, const char *place, const char *word)
{
    crm_motion *motion;
    crm_error error = {0};
    assert_int_not_equal(crm_motion_from_lagrangian(def, NULL, &motion, &error), CRM_OK);
    assert_null(motion);
    assert_string_equal(error.place, place);
    assert_non_null(strstr(error.message, word));
}

static void refusals_name_the_place(void **state)
{
    (void)state;
    balls b = {.count = 2, .gravity = 9.81};
    double position[] = {1, 1}, velocity[] = {0, 0};
    crm_lagrangian_def good = balls_def(&b, position, velocity, NULL), def = good;
    def.mass = bad_mass;
    assert_refused(&def, "mass", "not positive definite");
    def = good;
    def.size = 0;
    assert_refused(&def, "size", "positive");
    def = good;
    def.mass = NULL;
    assert_refused(&def, "mass", "NULL");
    position[1] = -0.25;
    assert_refused(&good, "gap[2]", "-0.25");
    position[1] = NAN;
    assert_refused(&good, "position[2]", "nan");
    position[1] = 1;

    def = good;
    def.force = bad_force;
    crm_motion *motion = motion_of(&def, NULL);
    crm_motion_stop stopped;
    crm_error error = {0};
    assert_int_equal(crm_motion_run(motion, 1, NULL, &stopped, &error), CRM_ERROR_MODEL);
    assert_int_equal(stopped, CRM_STOP_FAILED);
    assert_string_equal(error.place, "force[2]");
    assert_non_null(strstr(error.message, "t = 0.25"));
    assert_non_null(strstr(crm_motion_reason(motion), "force"));
    crm_motion_free(motion);

    def = good;
    good_gap = good.gap;
    def.gap = bad_gap;
    motion = motion_of(&def, NULL);
    assert_int_equal(crm_motion_run(motion, 1, NULL, &stopped, &error), CRM_ERROR_MODEL);
    assert_int_equal(stopped, CRM_STOP_FAILED);
    assert_string_equal(error.place, "gap[2]");
    assert_non_null(strstr(error.message, "nan"));
    crm_motion_free(motion);
    position[1] = 0.4;
    assert_refused(&def, "gap[2]", "nan");
    position[1] = 1;

    motion = motion_of(&good, NULL);
    run_to(motion, 0.1, NULL);
    assert_int_equal(crm_motion_run(motion, 0.05, NULL, &stopped, &error), CRM_ERROR_ARGUMENT);
    assert_string_equal(error.place, "time");
    assert_int_equal(crm_motion_run(motion, NAN, NULL, &stopped, &error), CRM_ERROR_ARGUMENT);
    crm_motion_free(motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_close_at_once),
        cmocka_unit_test(grazing_changes_nothing),
        cmocka_unit_test(force_touches_zero_and_returns),
        cmocka_unit_test(force_passes_zero_and_returns),
        cmocka_unit_test(no_load_at_the_start),
        cmocka_unit_test(short_closing_is_seen),
        cmocka_unit_test(two_runs_are_one),
        cmocka_unit_test(stops_and_goes_on),
        cmocka_unit_test(refusals_name_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
