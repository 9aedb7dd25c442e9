/* The engine of `carom reproduce`: what it says of curves and of courses in time. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "item_text.h"
#include "reproduce/item_index.h"
#include "reproduce/print/print.h"
#include "support.h"

static const double EXACT = 1e-12;

/* ---- Curves --------------------------------------------------------------------------------- */

static void curves_are_judged_by_what_they_show(void **state)
{
    (void)state;
    trial t = run_text(
        STRUCK_MASS "checks:\n"
                    "  - {what: a, quantity: last_share, maximum: 1, within: 0}\n"
                    "  - {what: b, quantity: last_share, maximum: 1.3, within: 0.29}\n"
                    "  - {what: c, quantity: last_share, range: [0.2, 1], trend: increases}\n"
                    "  - {what: d, quantity: last_share, trend: increases}\n"
                    "  - {what: e, quantity: last_share, range: [1, 4], trend: decreases}\n"
                    "  - {what: f, quantity: last_share, least: 0.55, most: 1}\n"
                    "  - {what: g, quantity: last_share, least: 0.6}\n"
                    "  - {what: h, quantity: last_share, at: 4, least: 0.64, most: 0.64}\n"
                    "  - {what: i, quantity: last_share, minimum: 0.2, within: 1}\n"
                    "  - {what: j, quantity: velocity, along: true, at: 4, trend: increases}\n"
                    "published: [{quantity: last_share, at: [0.5, 2], values: [0.889, 0.889]}]\n");
    /* The least is 4 * 0.2 / 1.44 = 0.5556; at the end of the curve it is no minimum (i). */
    static const bool wanted[] = {true, false, true, false, true, true, false, true, false, true};
    assert_int_equal(t.item->claim_count, 12); /* the two values come first */
    assert_int_equal(t.record->findings[0].verdict, CRM_VERDICT_MATCHES);
    assert_int_equal(t.record->findings[1].verdict, CRM_VERDICT_MATCHES);
    for (size_t i = 0; i < 10; i++) {
        const crm_finding *finding = &t.record->findings[i + 2];
        if ((finding->verdict == CRM_VERDICT_MATCHES) != wanted[i]) {
            fail_msg("check %s: ours %s", finding->claim->what, finding->ours);
        }
    }
    assert_near(t.record->findings[2].ours_number, 1, EXACT);
    finish(&t);
}

/* (1 - e)/2 >= 0.25 as long as e <= 0.5, and (1 + e)/2 >= 0.85 from e = 0.7 on. */
static void thresholds_are_found_by_bisection(void **state)
{
    (void)state;
#define FIND(quantity, rest)                                                                       \
    TWO_BALLS "threshold: {from: 0, to: 1, step: 0.01, set: [chain.restitution=$], "               \
              "quantity: '" quantity "', " rest "}\n"                                              \
              "published: [{quantity: threshold, value: 0.5, tolerance: 1}]\n"
    trial t = run_text(FIND("velocity[1]", "least: 0.249999"));
    assert_near(t.record->findings[0].ours_number, 0.5, EXACT);
    finish(&t);
    t = run_text(FIND("velocity[2]", "least: 0.849999, holds: above"));
    assert_near(t.record->findings[0].ours_number, 0.7, EXACT);
    finish(&t);
    t = run_text(FIND("velocity[1]", "least: -1"));
    assert_near(t.record->findings[0].ours_number, 1, EXACT);
    finish(&t);
    t = run_text(FIND("velocity[1]", "least: 2"));
    assert_true(isnan(t.record->findings[0].ours_number));
    assert_int_equal(t.record->verdict, CRM_VERDICT_DEVIATES);
    finish(&t);
#undef FIND
}

/* ---- Courses -------------------------------------------------------------------------------- */

static crm_model *two_balls(void)
{
    crm_chain_def def = crm_chain_def_default();
    def.count = 2;
    crm_model *model = NULL;
    crm_error error = {0};
    assert_ok(crm_model_from_chain(&def, &model, &error), &error);
    return model;
}

/* A damped wave exp(-t/4) (1 - cos(2 pi t)) / 2 with its peaks near t = 1/2, 3/2, 5/2. */
static void peaks_of_a_damped_wave(void **state)
{
    (void)state;
    static const char *const names[] = {"peaks(force[1])",        "period(force[1])",
                                        "second_peak(force[-1])", "peak_time(force[1])",
                                        "end_time(force[1])",     "crossings(closing_speed[1])"};
    crm_model *model = two_balls();
    double got[6];
    for (size_t k = 0; k < 6; k++) {
        crm_trace trace;
        assert_true(crm_trace_parse(names[k], &trace));
        assert_true(crm_trace_begin(&trace, model));
        for (int i = 0; i <= 3000; i++) {
            double time = i * 1e-3;
            double force = exp(-time / 4) * (1 - cos(2 * acos(-1) * time)) / 2;
            double closing = cos(acos(-1) * (time + 0.25)); /* 0 at 0.25, 1.25 and 2.25 */
            double velocity[2] = {0};
            crm_sample sample = {.time = time,
                                 .force = &force,
                                 .stored_energy = &force,
                                 .closing_speed = &closing,
                                 .impulse = &force,
                                 .velocity = velocity};
            crm_trace_add(&trace, model, &sample);
        }
        got[k] = crm_trace_value(&trace);
    }
    static const double sampled = 2e-3;
    assert_near(got[0], 3, 0);
    assert_near(got[1], 1, sampled);
    assert_near(got[2], exp(-0.25), sampled);
    assert_near(got[3], 0.5 - 0.0126, sampled); /* where tan(pi t) = 4 pi * 2: just before 1/2 */
    assert_near(got[4], 3, sampled);
    assert_near(got[5], 3, 0);
    crm_model_free(model);
}

static void names_of_courses(void **state)
{
    (void)state;
    crm_trace trace;
    static const char *const wrong[] = {"peaks(force)",    "peaks(force[0])", "peak(force[1])",
                                        "peaks(power[1])", "peaks(force[1]",  "peak_force[1]"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(crm_trace_parse(wrong[i], &trace));
    }
    crm_model *model = two_balls();
    assert_true(crm_trace_parse("largest(velocity[-2])", &trace));
    assert_true(crm_trace_begin(&trace, model));
    assert_true(crm_trace_parse("largest(velocity[3])", &trace));
    assert_false(crm_trace_begin(&trace, model));
    crm_model_free(model);
}

/* One elastic ball on a wall with a linear contact: half a period of sqrt(K/m), pi long, largest
 * at its middle.
 */
static void the_course_of_a_linear_contact(void **state)
{
    (void)state;
    trial t = run_text("scenario:\n"
                       "  laws: [lzb]\n"
                       "  chain: {count: 1, velocity: 1, exponent: 1, wall: right}\n"
                       "  history: {interval: 1e-3}\n"
                       "published:\n"
                       "  - {quantity: 'peak_time(force[1])', value: 1.57}\n"
                       "  - {quantity: 'end_time(force[1])', value: 3.14}\n"
                       "  - {quantity: 'largest(force[1])', value: 1.00}\n"
                       "  - {quantity: 'working(force[1])', value: 1}\n");
    assert_int_equal(t.record->verdict, CRM_VERDICT_MATCHES);
    finish(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_are_judged_by_what_they_show),
        cmocka_unit_test(thresholds_are_found_by_bisection),
        cmocka_unit_test(peaks_of_a_damped_wave),
        cmocka_unit_test(names_of_courses),
        cmocka_unit_test(the_course_of_a_linear_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
