/* The order of time-stepping, as the slope of log error by log step: 1 with impacts, 2 in flight.
 *
 * Where in a step an impact falls decides by what its instant is missed, between nothing and a step
 * or so: the error of one motion goes with the step in the mean only, and jumps about it. So errors
 * are the root mean square over scenes whose impacts are shifted against the steps. Of n errors
 * spread evenly the root mean square is known to sqrt(0.8/(4n)) of itself (kurtosis 1.8), its log2
 * to 0.65/sqrt(n), and the slope over steps 1, 1/2, ... 2^-(m-1) to that by sqrt(m (m^2 - 1)/12).
 * Five such deviations are allowed. Scenes have few impacts: each enlarges the errors of those
 * before, so that long steps come to the order later.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "flight_call.h"
#include "motion_call.h"
#include "support.h"

enum { STEPS = 6 };

static int shifts(void)
{
    return getenv("CAROM_TEST_QUICK") != NULL ? 50 : 200;
}

static double slope_deviation(void)
{
    return 0.65 / sqrt(shifts()) / sqrt(STEPS * (STEPS * STEPS - 1) / 12.0);
}

/* Of log2 error by log2 step, each step half of the one before; by least squares. */
static double fit_slope(const double *error, size_t count)
{
    double middle = 0.5 * (double)(count - 1), sum = 0, squares = 0;
    for (size_t k = 0; k < count; k++) {
        sum += ((double)k - middle) * log2(error[k]);
        squares += ((double)k - middle) * ((double)k - middle);
    }
    return -sum / squares;
}

static crm_motion_options steps_of(double step)
{
    crm_motion_options options = crm_motion_options_default();
    options.scheme = CRM_TIME_STEPPING;
    options.step = step;
    return options;
}

/* ---- With impacts ---------------------------------------------------------------------------- */

typedef struct setting {
    const char *name;
    /* `shift` from 0 to 1 moves the impacts by a few of the longest steps. */
    judge_scene (*make)(double shift);
    double restitution, duration, longest;
} setting;

/* Two bounces. */
static judge_scene make_ball(double shift)
{
    return ball_over_floor(0.5 + 0.1 * shift);
}

/* A disc strikes two others aslant, and one of these a wall. */
static judge_scene make_discs(double shift)
{
    judge_scene s = judge_scene_blank(2);
    judge_scene_ball(&s, 0.1, 1, 0, 0, 0);
    judge_scene_ball(&s, 0.1, 0.5, 0.5 + 0.1 * shift, 0.09, 0);
    judge_scene_ball(&s, 0.2, 2, 0.8, -0.3, 0);
    judge_scene_wall(&s, 0, -1, 0, -0.6);
    s.v[0][0] = 2;
    return s;
}

/* Three beads fall on a floor, each on the one before. */
static judge_scene make_column(double shift)
{
    judge_scene s = judge_scene_blank(1);
    s.gravity[0] = -9.81;
    for (int i = 0; i < 3; i++) {
        judge_scene_ball(&s, 0.02, 1 + 0.5 * i, 0.3 + 0.05 * shift + 0.1 * i, 0, 0);
    }
    judge_scene_wall(&s, 1, 0, 0, 0);
    return s;
}

static void fly(judge_scene *s, double time)
{
    double dt = time - s->time;
    for (size_t i = 0; i < s->balls; i++) {
        for (unsigned d = 0; d < s->dimension; d++) {
            s->x[i][d] += dt * (s->v[i][d] + 0.5 * dt * s->gravity[d]);
            s->v[i][d] += dt * s->gravity[d];
        }
    }
    s->time = time;
}

/* From meeting to meeting; how many there were. */
static unsigned move_exactly(judge_scene *s, double e, double end)
{
    unsigned impacts = 0;
    judge_meeting m = judge_next(s, end - s->time);
    for (; m.time <= end; m = judge_next(s, end - s->time), impacts++) {
        double first[3], second[3];
        fly(s, m.time);
        judge_bounce(s, m, e, first, second);
        memcpy(s->v[m.first], first, sizeof first);
        if (m.second < s->balls) {
            memcpy(s->v[m.second], second, sizeof second);
        }
    }
    fly(s, end);
    return impacts;
}

static double error_of(const setting *of, double shift, double step, unsigned *impacts)
{
    judge_scene exact = of->make(shift), stepped = exact;
    crm_motion_options options = steps_of(step);
    crm_motion *motion = flight_motion(&exact, of->restitution, &options);
    flight_run(motion, of->duration, CRM_STOP_DURATION);
    flight_scene_read(motion, &stepped);
    crm_motion_free(motion);
    *impacts = move_exactly(&exact, of->restitution, of->duration);
    double square = 0;
    for (size_t i = 0; i < exact.balls; i++) {
        for (unsigned d = 0; d < exact.dimension; d++) {
            square += pow(stepped.x[i][d] - exact.x[i][d], 2);
        }
    }
    return sqrt(square);
}

/* Shifts by the golden section fall evenly in steps of any length. */
static double error_over_shifts(const setting *of, double step, unsigned *impacts)
{
    double square = 0;
    for (int k = 0; k < shifts(); k++) {
        double shift = fmod(0.6180339887498949 * k, 1);
        square += pow(error_of(of, shift, step, impacts), 2) / shifts();
    }
    return sqrt(square);
}

static void impacts_are_of_first_order(void **state)
{
    (void)state;
    static const setting settings[] = {{"ball", make_ball, 0.8, 1.1, 1.0 / 256},
                                       {"discs", make_discs, 0.9, 1, 1.0 / 256},
                                       {"column", make_column, 0.9, 0.32, 1.0 / 512}};
    for (size_t s = 0; s < sizeof settings / sizeof settings[0]; s++) {
        double error[STEPS], step = settings[s].longest;
        unsigned impacts = 0;
        for (int k = 0; k < STEPS; k++, step /= 2) {
            error[k] = error_over_shifts(&settings[s], step, &impacts);
        }
        double slope = fit_slope(error, STEPS);
        print_message("%s, %u impacts: error %.2g to %.2g m, order %.3f +- %.3f\n",
                      settings[s].name, impacts, error[0], error[STEPS - 1], slope,
                      slope_deviation());
        assert_true(impacts >= 2);
        assert_near(slope, 1, 5 * slope_deviation());
    }
}

/* ---- In flight ------------------------------------------------------------------------------- */

/* x and y of a ball on a spring without length, w = 2: cos 2t and sin 2t. */
static double error_of_spring(double step)
{
    const crm_spring_def spring = {.second = SIZE_MAX, .stiffness = 4};
    const crm_body_def body = ball_at(0.1, 1, 1, 0, 0);
    const double velocity[2] = {0, 2};
    crm_scene_def def = crm_scene_def_default();
    crm_error error = {0};
    crm_motion *motion = NULL;
    double q[2], v[2];
    def.bodies = bodies_def(2, &body, 1);
    def.springs = &spring;
    def.spring_count = 1;
    def.velocity = velocity;
    crm_motion_options options = steps_of(step);
    assert_ok(crm_motion_from_scene(&def, &options, &motion, &error), &error);
    run_to(motion, 2, NULL);
    crm_motion_read(motion, q, v);
    crm_motion_free(motion);
    return hypot(q[0] - cos(4), q[1] - sin(4));
}

/* The quarter of a period of a pendulum drawn aside by `angle`, for l/g = 1: pi/(2 agm(1, cos
 * angle/2)).
 */
static double quarter_period(double angle)
{
    double a = 1, b = cos(0.5 * angle);
    for (int k = 0; k < 8; k++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 0.5 * 3.14159265358979323846 / a;
}

/* It is at the bottom then. */
static double error_of_pendulum(double steps)
{
    const double angle = 1.5, quarter = quarter_period(angle);
    const crm_suspension bob = {.length = 1, .angle = angle};
    const crm_body_def body = ball_at(0.1, 1, 0, 0, 0);
    crm_scene_def def = crm_scene_def_default();
    crm_error error = {0};
    crm_motion *motion = NULL;
    double q, v;
    def.bodies = bodies_def(2, &body, 1);
    def.suspended = &bob;
    def.suspended_count = 1;
    def.gravity[1] = -1;
    crm_motion_options options = steps_of(quarter / steps);
    assert_ok(crm_motion_from_scene(&def, &options, &motion, &error), &error);
    run_to(motion, quarter, NULL);
    crm_motion_read(motion, &q, &v);
    crm_motion_free(motion);
    return hypot(q, fabs(v) - 2 * sin(0.5 * angle));
}

/* The next term is of fourth order: of the slope by (w h)^2, 1e-3 at the longest steps. */
static void flight_is_of_second_order(void **state)
{
    (void)state;
    double spring[STEPS], pendulum[STEPS], steps = 32;
    for (int k = 0; k < STEPS; k++, steps *= 2) {
        spring[k] = error_of_spring(1 / (2 * steps));
        pendulum[k] = error_of_pendulum(steps);
    }
    double first = fit_slope(spring, STEPS), second = fit_slope(pendulum, STEPS);
    print_message("spring: order %.4f; pendulum: order %.4f\n", first, second);
    assert_near(first, 2, 2e-3);
    assert_near(second, 2, 2e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impacts_are_of_first_order),
        cmocka_unit_test(flight_is_of_second_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
