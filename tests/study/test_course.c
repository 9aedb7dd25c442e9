/* When things happen in an impact: closed forms of single contacts, and dense histories. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"
#include "study/course.h"
#include "support.h"

static const double PI = 3.14159265358979323846;

static crm_settings *law_of(const char *name, const char *option, const char *value)
{
    crm_settings *settings = NULL;
    crm_error error = {0};
    assert_ok(crm_settings_create(crm_law_find(name), &settings, &error), &error);
    if (option != NULL) {
        assert_ok(crm_settings_set_text(settings, option, value, &error), &error);
    }
    return settings;
}

static crm_model *chain(size_t count, double exponent, double restitution)
{
    crm_model *model = NULL;
    crm_error error = {0};
    crm_chain_def def = crm_chain_def_default();
    def.count = count;
    def.exponent.all = exponent;
    def.restitution.all = restitution;
    def.wall_side = CRM_WALL_RIGHT;
    assert_ok(crm_model_from_chain(&def, &model, &error), &error);
    return model;
}

static crm_course follow(const crm_model *model, const double *velocity,
                         const crm_settings *settings, crm_outcome **outcome)
{
    crm_course course;
    crm_error error = {0};
    assert_ok(crm_solve(model, velocity, settings, NULL, outcome, &error), &error);
    assert_ok(crm_course_follow(model, velocity, settings, NULL, *outcome, &course, &error),
              &error);
    return course;
}

/* A ball against a wall: a sine of unit frequency up to the turn, whatever e is. */
static void a_line_turns_after_a_quarter_of_its_period(void **state)
{
    (void)state;
    static const char *const models[] = {"bi", "mono"};
    for (int k = 0; k < 2; k++) {
        for (int tenth = 1; tenth <= 10; tenth++) {
            const double velocity = 3;
            crm_model *model = chain(1, 1, 0.1 * tenth);
            crm_settings *settings = law_of("lzb", "stiffness_model", models[k]);
            crm_outcome *outcome;
            crm_course course = follow(model, &velocity, settings, &outcome);
            assert_near(course.peak_time[0], 0.5 * PI, 1e-8);
            assert_near(course.arrival[0], asin(0.01), 1e-8);
            assert_true(isnan(course.period[0])); /* one peak */
            crm_course_release(&course);
            crm_outcome_free(outcome);
            crm_settings_free(settings);
            crm_model_free(model);
        }
    }
}

/* ---- Against every sample of a history ----------------------------------------------------------
 */

enum { CONTACTS = 8 };

typedef struct seen {
    double largest[CONTACTS], when[CONTACTS], reached[CONTACTS];
    const double *peak_force;
} seen;

static crm_status see(void *context, const crm_sample *sample)
{
    seen *s = context;
    for (size_t j = 0; j < CONTACTS; j++) {
        if (sample->force[j] > s->largest[j]) {
            s->largest[j] = sample->force[j];
            s->when[j] = sample->time;
        }
        if (isnan(s->reached[j]) && sample->force[j] >= 0.01 * s->peak_force[j]) {
            s->reached[j] = sample->time;
        }
    }
    return CRM_OK;
}

static void chains_agree_with_dense_histories(void **state)
{
    (void)state;
    static const char *const laws[] = {"lzb", "compliant"};
    const double velocity[CONTACTS] = {1};
    for (size_t l = 0; l < 2; l++) {
        for (int half = 2; half <= 4; half++) {
            crm_model *model = chain(CONTACTS, 0.5 * half, l == 0 && half == 3 ? 0.9 : 1);
            crm_settings *settings = law_of(laws[l], NULL, NULL);
            crm_outcome *outcome, *again;
            crm_course course = follow(model, velocity, settings, &outcome);
            seen s = {.peak_force = outcome->peak_force};
            for (size_t j = 0; j < CONTACTS; j++) {
                s.reached[j] = NAN;
            }
            double apart = outcome->duration / 40000;
            const crm_recorder recorder = {.context = &s, .interval = apart, .record = see};
            crm_error error = {0};
            assert_ok(crm_solve(model, velocity, settings, &recorder, &again, &error), &error);
            for (size_t j = 0; j < CONTACTS; j++) {
                assert_near(course.peak_time[j], s.when[j], apart);
                assert_near(course.arrival[j], s.reached[j], apart);
            }
            assert_true(course.arrival[7] > course.arrival[3]);
            crm_course_release(&course);
            crm_outcome_free(outcome);
            crm_outcome_free(again);
            crm_settings_free(settings);
            crm_model_free(model);
        }
    }
}

/* A light ball between two heavy ones that are pressed to it rattles: the force of each contact peaks at
 * the period of its swing, about, m x'' = -2 K x while both press.
 */
static void a_light_ball_rattles_with_its_own_period(void **state)
{
    (void)state;
    const double mass[] = {1e6, 1, 1e6}, w[] = {-1, 1, 0, 0, -1, 1}, velocity[] = {0, 4, 0},
                 energy[] = {50, 50}, exponent[] = {1, 1};
    crm_system_def def = crm_system_def_default();
    def.coordinates = 3;
    def.contacts = 2;
    def.mass_diagonal = mass;
    def.w_dense = w;
    def.stored_energy = energy;
    def.exponent = exponent;
    crm_model *model = NULL;
    crm_error error = {0};
    crm_outcome *outcome;
    assert_ok(crm_model_from_system(&def, &model, &error), &error);
    crm_settings *settings = law_of("lzb", NULL, NULL);
    crm_course course = follow(model, velocity, settings, &outcome);
    assert_near(course.period[0], 2 * PI / sqrt(2), 1e-2);
    assert_near(course.arrival[0], 0, 0);
    crm_course_release(&course);
    crm_outcome_free(outcome);
    crm_settings_free(settings);
    crm_model_free(model);
}

static void laws_without_a_course_define_nothing(void **state)
{
    (void)state;
    const double velocity = 1;
    crm_model *model = chain(1, 1.5, 1);
    crm_settings *settings = law_of("moreau", NULL, NULL);
    crm_outcome *outcome;
    crm_course course = follow(model, &velocity, settings, &outcome);
    assert_true(isnan(course.peak_time[0]) && isnan(course.arrival[0]) && isnan(course.period[0]));
    crm_course_release(&course);
    crm_outcome_free(outcome);
    crm_settings_free(settings);
    crm_model_free(model);
}

static void names_are_understood(void **state)
{
    (void)state;
    crm_recorded recorded;
    char problem[256];
    static const char *const good[] = {"period(force[2])",    "period[2]",
                                       "peak_time[-1]",       "max(arrival)",
                                       "arrival[2]/duration", "period(force[1])/duration"};
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        assert_true(crm_recorded_parse(&crm_recordable_impact, good[k], &recorded, problem,
                                       sizeof problem));
        assert_true(crm_course_is_needed(&recorded));
    }
    assert_false(crm_recorded_parse(&crm_recordable_impact, "period(velocity[2])", &recorded,
                                    problem, sizeof problem));
    assert_true(
        crm_recorded_parse(&crm_recordable_impact, "duration", &recorded, problem, sizeof problem));
    assert_false(crm_course_is_needed(&recorded));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_turns_after_a_quarter_of_its_period),
        cmocka_unit_test(chains_agree_with_dense_histories),
        cmocka_unit_test(a_light_ball_rattles_with_its_own_period),
        cmocka_unit_test(laws_without_a_course_define_nothing),
        cmocka_unit_test(names_are_understood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
