/* Motions of contacts with curves and with restitution by the impact: bounces against their closed
 * form, v_{n+1} = e(v_n) v_n, by every kind of motion.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenario/scenario.h"
#include "support.h"

/* Each falls by 1 m on a floor, its lowest point above it. */
static const char SCENE[] = "bodies: [{shape: %s, mass: 2, position: [0, %g]}]\n"
                            "walls: [{name: floor, point: [0, 0], normal: [0, 1]}]\n"
                            "contacts: {%s}\n"
                            "%s"
                            "simulate: {duration: 2, gravity: [0, -8], %s}\n";
static const char DISC[] = "disc, radius: 0.5", ELLIPSE[] = "ellipse, semi_axes: [0.5, 0.5]";

enum { MOST = 8 };

typedef struct bounces {
    size_t count;
    double speed[MOST];
} bounces;

static crm_status keep(void *context, const crm_impact_report *impact)
{
    bounces *b = context;
    if (b->count < MOST) {
        b->speed[b->count++] = impact->closing_speed[0];
    }
    return CRM_OK;
}

static crm_status load(const char *shape, const char *contacts, const char *pairs, const char *how,
                       crm_scenario **scenario, crm_error *error)
{
    char text[600];
    snprintf(text, sizeof text, SCENE, shape, 1.5, contacts, pairs, how);
    const crm_source source = {.text = text, .length = strlen(text)};
    return crm_scenario_load_motion(&source, scenario, error);
}

static bounces run(const char *shape, const char *contacts, const char *pairs, const char *how)
{
    bounces b = {0};
    crm_scenario *scenario = NULL;
    crm_motion *motion = NULL;
    crm_error error = {0};
    crm_motion_stop stopped;
    const crm_observer observer = {.context = &b, .impact = keep};
    assert_ok(load(shape, contacts, pairs, how, &scenario, &error), &error);
    assert_ok(crm_scenario_make_motion(scenario, &motion, &error), &error);
    assert_ok(crm_motion_run(motion, 2, &observer, &stopped, &error), &error);
    assert_int_equal(stopped, CRM_STOP_DURATION);
    crm_motion_free(motion);
    crm_scenario_free(scenario);
    return b;
}

static double falling(double s)
{
    return 1 / (1 + 0.25 * s);
}

static double half(double s)
{
    (void)s;
    return 0.5;
}

/* e by the work: W = m s^2 / 2 with m = 2. */
static double by_work(double s)
{
    return exp(-0.05 * s * s);
}

static void assert_bounces(bounces b, double (*e)(double s), size_t least, double tolerance)
{
    double speed = 4; /* sqrt(2 g h) */
    assert_true(b.count >= least);
    for (size_t k = 0; k < least; k++) {
        assert_near(b.speed[k], speed, tolerance);
        speed *= e(speed);
    }
}

static const char FALLING[] = "restitution: {expression: \"1/(1 + 0.25*s)\"}";
static const char WORK[] = "restitution: {expression: \"exp(-0.05*W)\"}";
/* Walton and Braun: e^2 = K_load / K_unload. */
static const char LINES[] =
    "stiffness: 3e5, exponent: 1, unloading: {stiffness: 12e5, exponent: 1}";

static void bounces_follow_their_rule(void **state)
{
    (void)state;
    static const char *const laws[] = {"law: newton", "law: moreau", "law: poisson", "law: lzb",
                                       "law: binary"};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        assert_bounces(run(DISC, FALLING, "", laws[k]), falling, 3, 1e-7);
        assert_bounces(run(ELLIPSE, FALLING, "", laws[k]), falling, 3, 1e-7);
        assert_bounces(run(DISC, WORK, "", laws[k]), by_work, 3, 1e-7);
        assert_bounces(run(ELLIPSE, WORK, "", laws[k]), by_work, 3, 1e-7);
    }
}

static void curves_give_back_what_they_do(void **state)
{
    (void)state;
    assert_bounces(run(DISC, LINES, "", "law: lzb"), half, 3, 1e-7);
    assert_bounces(run(ELLIPSE, LINES, "", "law: lzb"), half, 3, 1e-7);
    assert_bounces(run(DISC,
                       "loading: {sum: [{stiffness: 1e5}, {stiffness: 1e5, exponent: 1}]}, "
                       "restitution: 0.5",
                       "", "law: lzb"),
                   half, 3, 1e-7);
}

/* In steps of 1 ms impacts come late by up to one. */
static void time_stepping_takes_rules(void **state)
{
    (void)state;
    assert_bounces(run(DISC, FALLING, "", "scheme: time-stepping, step: 1e-4"), falling, 3, 5e-3);
    assert_bounces(run(DISC, WORK, "", "scheme: time-stepping, step: 1e-4"), by_work, 3, 5e-3);
}

/* A number of a pair replaces the rule for all, and the other way round; what it does not give it
 * has from all.
 */
static void pairs_replace_rules(void **state)
{
    (void)state;
    static const char *const schemes[] = {"law: lzb", "law: newton"};
    for (size_t k = 0; k < 2; k++) {
        assert_bounces(
            run(DISC, FALLING, "pairs: [{between: [1, floor], restitution: 0.5}]\n", schemes[k]),
            half, 3, 1e-7);
        assert_bounces(
            run(ELLIPSE, "restitution: 0.5",
                "pairs: [{between: [1, floor], restitution: {expression: \"1/(1 + 0.25*s)\"}}]\n",
                schemes[k]),
            falling, 3, 1e-7);
    }
    assert_bounces(run(DISC, LINES, "pairs: [{between: [1, floor], stiffness: 3e5}]\n", "law: lzb"),
                   half, 3, 1e-7);
}

static crm_status write_bytes(void *stream, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, stream) == size ? CRM_OK : CRM_ERROR_STOPPED;
}

static crm_status read_bytes(void *stream, void *bytes, size_t size)
{
    return fread(bytes, 1, size, stream) == size ? CRM_OK : CRM_ERROR_STOPPED;
}

/* A state saved with one rule does not go on with another. */
static void a_saved_state_knows_its_rules(void **state)
{
    (void)state;
    static const char *const rules[] = {FALLING, WORK};
    char *saved = NULL;
    size_t size = 0;
    crm_error error = {0};
    for (size_t k = 0; k < 2; k++) {
        crm_scenario *scenario = NULL;
        crm_motion *motion = NULL;
        assert_ok(load(DISC, rules[k], "", "law: newton", &scenario, &error), &error);
        assert_ok(crm_scenario_make_motion(scenario, &motion, &error), &error);
        FILE *stream = k == 0 ? open_memstream(&saved, &size) : fmemopen(saved, size, "r");
        if (k == 0) {
            assert_ok(crm_motion_save(motion, write_bytes, stream, &error), &error);
        } else {
            assert_int_not_equal(crm_motion_load(motion, read_bytes, stream, &error), CRM_OK);
            assert_non_null(strstr(error.message, "contacts"));
        }
        fclose(stream);
        crm_motion_free(motion);
        crm_scenario_free(scenario);
    }
    free(saved);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *contacts, *how, *message;
    } cases[] = {
        {LINES, "law: newton", "unloading"},
        {LINES, "scheme: time-stepping", "law moreau takes restitution"},
        {"restitution: {expression: \"2*s\"}", "law: lzb", "must be between 0 and 1"},
        {"restitution: {expression: \"2*s\"}", "law: newton", "must be between 0 and 1"},
        {"restitution: {expression: \"2*s\"}", "scheme: time-stepping", "must be between 0 and 1"},
        {"force: 1", "law: lzb", "no force beforehand"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        crm_scenario *scenario = NULL;
        crm_motion *motion = NULL;
        crm_error error = {0};
        crm_status status = load(DISC, cases[k].contacts, "", cases[k].how, &scenario, &error);
        status = status == CRM_OK ? crm_scenario_make_motion(scenario, &motion, &error) : status;
        crm_motion_stop stopped = CRM_STOP_DURATION;
        status = status == CRM_OK ? crm_motion_run(motion, 2, NULL, &stopped, &error) : status;
        const char *said = status == CRM_OK ? crm_motion_reason(motion) : error.message;
        if (strstr(said, cases[k].message) == NULL) {
            fail_msg("%s: %s", cases[k].contacts, said);
        }
        crm_motion_free(motion);
        crm_scenario_free(scenario);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounces_follow_their_rule),
        cmocka_unit_test(curves_give_back_what_they_do),
        cmocka_unit_test(time_stepping_takes_rules),
        cmocka_unit_test(pairs_replace_rules),
        cmocka_unit_test(a_saved_state_knows_its_rules),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
