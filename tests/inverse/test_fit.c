/* Fits: closed forms, the published examples, what cannot be determined, and complaints. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "carom/inverse.h"
#include "judge.h"
#include "support.h"

/* Parameters are found to a ten thousandth of their uncertainties, and derivatives by differences
 * are good to six digits.
 */
static const double FOUND = 1e-3;

/* ---- Making ---------------------------------------------------------------------------------- */

static crm_fit *fit_with(const char *text, crm_error *error)
{
    crm_source source = {.path = "s.yaml", .text = text, .length = strlen(text)};
    crm_fit *fit = NULL;
    memset(error, 0, sizeof *error);
    (void)crm_fit_solve(&source, NULL, &fit, error);
    return fit;
}

static crm_fit *good(const char *text)
{
    crm_error error;
    crm_fit *fit = fit_with(text, &error);
    if (fit == NULL) {
        fail_msg("%s", error.message);
    }
    assert_true(fit->converged);
    return fit;
}

static crm_fit *good_file(const char *name)
{
    char path[512];
    crm_fit *fit = NULL;
    crm_error error = {0};
    snprintf(path, sizeof path, "%s/examples/%s", CAROM_SOURCE_DIR, name);
    crm_source source = {.path = path};
    assert_ok(crm_fit_solve(&source, NULL, &fit, &error), &error);
    assert_true(fit->converged);
    return fit;
}

static void assert_says(const crm_fit *fit, const char *words)
{
    for (size_t k = 0; k < fit->note_count; k++) {
        if (strstr(fit->notes[k], words) != NULL) {
            return;
        }
    }
    fail_msg("no note says '%s'; the first of %zu is '%s'", words, fit->note_count,
             fit->note_count > 0 ? fit->notes[0] : "");
}

/* ---- Closed forms ---------------------------------------------------------------------------- */

/* A ball on a wall comes back with e v: from several falls e is the weighed mean, with the
 * uncertainty of one.
 */
static void a_weighed_mean_is_one(void **state)
{
    (void)state;
    crm_fit *fit = good("chain: {count: 1, velocity: [2], wall: {side: right, restitution: 0.3}}\n"
                        "fit:\n"
                        "  parameters: {chain.wall.restitution: {from: 0, to: 1}}\n"
                        "  measured:\n"
                        "    - {what: 'velocity[1]', value: -1.22, uncertainty: 0.02}\n"
                        "    - {what: 'velocity[1]', value: -1.17, uncertainty: 0.05}\n"
                        "    - {set: ['chain.velocity=[3]'], what: 'velocity[1]', value: -1.86, "
                        "uncertainty: 0.03}\n"
                        "    - {set: ['chain.velocity=[3]'], what: 'energy_ratio', value: 0.37, "
                        "uncertainty: 0.1}\n");
    /* With weights w = (v / s)^2; the ratio of energies weighs almost nothing, but is there. */
    static const double v[] = {2, 2, 3}, seen[] = {1.22, 1.17, 1.86}, s[] = {0.02, 0.05, 0.03};
    double e = 0.6;
    for (int i = 0; i < 20; i++) { /* Newton's method on the exact sum of squares */
        double slope = 0, bend = 0;
        for (size_t k = 0; k < 3; k++) {
            slope += (e * v[k] - seen[k]) * v[k] / (s[k] * s[k]);
            bend += v[k] * v[k] / (s[k] * s[k]);
        }
        slope += (e * e - 0.37) * 2 * e / 0.01;
        bend += (2 * e * 2 * e + 2 * (e * e - 0.37)) / 0.01;
        e -= slope / bend;
    }
    double weight = 4 * e * e / 0.01;
    for (size_t k = 0; k < 3; k++) {
        weight += v[k] * v[k] / (s[k] * s[k]);
    }
    double deviation = 1 / sqrt(weight);
    const crm_fit_parameter *p = &fit->parameters[0];
    assert_string_equal(p->name, "chain.wall.restitution");
    assert_near(p->value, e, FOUND * deviation);
    assert_near(p->uncertainty / deviation, 1, 1e-5);
    assert_near(p->interval[0], e - 1.959964 * deviation, FOUND * deviation);
    assert_near(p->interval[1], e + 1.959964 * deviation, FOUND * deviation);
    assert_true(p->determined && !p->at_bound);
    assert_int_equal(fit->degrees_of_freedom, 3);
    assert_near(fit->residuals[2].fitted, -3 * p->value, 1e-7);
    assert_near(fit->residuals[2].deviation, 1.86 - 3 * p->value, 1e-7);
    crm_fit_free(fit);
}

/* Without uncertainties: e is the mean, its deviation that of a mean, the interval Student's. */
static void without_uncertainties_the_scatter_tells(void **state)
{
    (void)state;
    static const double seen[] = {0.61, 0.58, 0.63, 0.60};
    char text[1024] = "chain: {count: 1, velocity: [1], wall: {side: right, restitution: 0.3}}\n"
                      "fit:\n  parameters: {chain.wall.restitution: {from: 0, to: 1}}\n"
                      "  measured:\n";
    double mean = 0, square = 0;
    for (size_t k = 0; k < 4; k++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "    - {what: 'velocity[1]', value: %g}\n",
                 -seen[k]);
        mean += seen[k] / 4;
    }
    for (size_t k = 0; k < 4; k++) {
        square += (seen[k] - mean) * (seen[k] - mean);
    }
    crm_fit *fit = good(text);
    double scatter = sqrt(square / 3), deviation = scatter / 2;
    const crm_fit_parameter *p = &fit->parameters[0];
    assert_false(fit->weighed);
    assert_near(fit->scatter / scatter, 1, 1e-6);
    assert_near(p->value, mean, FOUND * deviation);
    assert_near(p->uncertainty / deviation, 1, 1e-5);
    assert_near(p->interval[1] - p->value, 3.182446 * deviation, 1e-5);
    crm_fit_free(fit);
}

/* Three masses and both restitutions, what was seen computed by the judge: they come out again. */
static void what_the_judge_saw_is_found(void **state)
{
    (void)state;
    small_system system = small_system_chain(3, false);
    system.restitution[0] = 0.7;
    system.restitution[1] = 0.9;
    system.stiffness[1] = 2.5;
    system.velocity[0] = 1;
    judgement seen = judge(&system, false, 0);
    system.velocity[2] = -0.8;
    judgement other = judge(&system, false, 0);
    char text[2048];
    snprintf(text, sizeof text,
             "chain: {count: 3, mass: 1, velocity: [1], stiffness: [1, 1], restitution: [1, 1]}\n"
             "fit:\n"
             "  parameters:\n"
             "    chain.restitution: {from: 0.1, to: 1, start: 0.5}\n"
             "    'chain.stiffness[2]': {from: 0.1, to: 10}\n"
             "  measured:\n"
             "    - {what: 'velocity[1]', value: %.17g, uncertainty: 1e-3}\n"
             "    - {what: 'velocity[3]', value: %.17g, uncertainty: 1e-3}\n"
             "    - {what: 'velocity[1]', value: %.17g, uncertainty: 1e-3, set: &other "
             "['chain.velocity=[1, 0, -0.8]']}\n"
             "    - {what: 'velocity[3]', value: %.17g, uncertainty: 1e-3, set: *other}\n",
             seen.velocity[0], seen.velocity[2], other.velocity[0], other.velocity[2]);
    crm_fit *fit = good(text);
    assert_int_equal(fit->parameter_count, 3);
    assert_near(fit->parameters[0].value, 0.7, 1e-6);
    assert_near(fit->parameters[1].value, 0.9, 1e-6);
    assert_near(fit->parameters[2].value, 2.5, 1e-5);
    for (size_t i = 0; i < 9; i++) {
        assert_true(fabs(fit->correlation[i]) <= 1 + 1e-12);
        assert_near(fit->correlation[i], fit->correlation[i % 3 * 3 + i / 3], 1e-9);
    }
    crm_fit_free(fit);
}

/* ---- The published examples ------------------------------------------------------------------ */

/* P0, section 8.3: the heights of table 11 that stand beside e = 0.55 speak for it. They have three
 * digits: half of the last one, as the uncertainty, leaves e to about 0.001.
 */
static void rebound_heights_tell_the_restitution(void **state)
{
    (void)state;
    crm_fit *fit = good_file("fit_rebound.yaml");
    const crm_fit_parameter *p = &fit->parameters[0];
    assert_string_equal(p->name, "chain.restitution");
    assert_true(p->interval[0] <= 0.55 && 0.55 <= p->interval[1]);
    assert_near(p->value, 0.55, 0.005);
    assert_true(p->uncertainty < 0.005);
    crm_fit_free(fit);
}

/* P0, (118): tau = 2.94 (5 m / 4 K)^(2/5) v^(-1/5), and K as table 12 prints it. The constant is
 * 2 sqrt(pi) G(7/5) / G(9/10) = 2.943275184...
 */
static void contact_times_tell_the_stiffness(void **state)
{
    (void)state;
    static const double printed[] = {1.15e10, 3.67e8, 7.5e7, 1.89e7};
    static const double times[] = {17, 67.5, 127.5, 221};
    crm_fit *fit = good_file("fit_contact_time.yaml");
    assert_int_equal(fit->parameter_count, 4);
    for (size_t i = 0; i < 4; i++) {
        const crm_fit_parameter *p = &fit->parameters[i];
        double tau = 2e-6 * times[i];
        double k = 1.25 * 2.05e-3 * pow(2.943275184 / tau, 2.5) / sqrt(0.2385);
        assert_near(p->value / k, 1, 1e-5);
        assert_near(p->value / printed[i], 1, 0.015); /* three digits, and 2.94 for 2.9433 */
        assert_near(p->uncertainty / p->value, 2.5 * fit->residuals[i].uncertainty / tau, 1e-4);
    }
    crm_fit_free(fit);
}

/* ---- What cannot be determined --------------------------------------------------------------- */

static const char CRADLE[] = "chain: {count: 3, velocity: [1], stiffness: %s, restitution: 0.8}\n"
                             "fit:\n"
                             "  parameters:\n"
                             "    chain.stiffness: {from: 0.01, to: 100}\n"
                             "    chain.restitution: {from: 0, to: 1}\n"
                             "  measured:\n"
                             "    - {what: 'velocity[1]', value: -0.02, uncertainty: 0.01}\n"
                             "    - {what: 'velocity[2]', value: 0.15, uncertainty: 0.01}\n"
                             "    - {what: 'velocity[3]', value: 0.88, uncertainty: 0.01}\n";

/* With one eta for all contacts a common factor of K changes no velocity: it scales time (theory,
 * section 2.2).
 */
static void a_common_stiffness_is_told_to_be_undeterminable(void **state)
{
    (void)state;
    char text[1024];
    snprintf(text, sizeof text, CRADLE, "1");
    crm_fit *fit = good(text);
    assert_false(fit->parameters[0].determined);
    assert_true(isnan(fit->parameters[0].uncertainty));
    assert_true(fit->parameters[0].interval[0] == 0.01 && fit->parameters[0].interval[1] == 100);
    assert_true(fit->parameters[1].determined);
    assert_int_equal(fit->degrees_of_freedom, 2);
    assert_says(fit, "chain.stiffness cannot be determined: no measured quantity depends");
    crm_fit_free(fit);
}

static void of_two_stiffnesses_the_combination_is_named(void **state)
{
    (void)state;
    char text[1024];
    snprintf(text, sizeof text, CRADLE, "[1, 1.4]");
    crm_fit *fit = good(text);
    assert_false(fit->parameters[0].determined || fit->parameters[1].determined);
    assert_true(fit->parameters[2].determined);
    assert_says(fit, "chain.stiffness[1] by +1 %, chain.stiffness[2] by +1 % leaves");
    crm_fit_free(fit);
}

/* A restitution near 0, of which a datum is 7e-4 times, beside one of size 1 with the same
 * uncertainty: a large change of it is its range, not what it happens to be.
 */
static void a_small_dependence_is_a_dependence(void **state)
{
    (void)state;
    crm_fit *fit =
        good("chain: {count: 1, velocity: [7e-4], wall: {side: right, restitution: 0.3}}\n"
             "fit:\n  parameters: {chain.wall.restitution: {from: 0, to: 1}}\n"
             "  measured:\n"
             "    - {what: 'velocity[1]', value: -2.1e-7, uncertainty: 1e-7}\n"
             "    - {what: energy_before, value: 0.5, uncertainty: 1e-7,\n"
             "       set: ['chain.velocity=[1]']}\n");
    assert_near(fit->parameters[0].value, 2.1e-7 / 7e-4, FOUND * 1e-7 / 7e-4);
    assert_true(fit->parameters[0].determined);
    assert_near(fit->parameters[0].uncertainty, 1e-7 / 7e-4, 1e-9);
    crm_fit_free(fit);
}

/* Within wide uncertainties nothing is told apart. */
static void what_is_not_narrowed_is_told(void **state)
{
    (void)state;
    crm_fit *fit = good("chain: {count: 1, velocity: [1], wall: {side: right, restitution: 0.5}}\n"
                        "fit:\n  parameters: {chain.wall.restitution: {from: 0, to: 1}}\n"
                        "  measured: [{what: 'velocity[1]', value: -0.5, uncertainty: 3}]\n");
    assert_false(fit->parameters[0].determined);
    assert_near(fit->parameters[0].uncertainty, 3, 1e-4);
    assert_says(fit, "do not narrow chain.wall.restitution within its bounds");
    crm_fit_free(fit);
}

static void a_bound_and_a_poor_fit_are_told(void **state)
{
    (void)state;
    crm_fit *fit = good("chain: {count: 1, velocity: [1], wall: {side: right, restitution: 0.5}}\n"
                        "fit:\n  parameters: {chain.wall.restitution: {from: 0, to: 0.9}}\n"
                        "  measured: [{what: 'velocity[1]', value: -0.95, uncertainty: 0.01},\n"
                        "             {what: 'velocity[1]', value: -1.05, uncertainty: 0.01}]\n");
    assert_true(fit->parameters[0].at_bound);
    assert_true(fit->parameters[0].value == 0.9);
    assert_says(fit, "is at its bound, 0.9");
    assert_says(fit, "chi2 is 250 for 1 degrees of freedom");
    crm_fit_free(fit);
}

/* The energy of a ball does not tell its direction: -v and v are as good, and both are found. */
static void minima_that_differ_are_told(void **state)
{
    (void)state;
    crm_fit *fit = good("chain: {count: 2, velocity: [0, 0]}\n"
                        "fit:\n"
                        "  parameters: {'chain.velocity[2]': {from: -3, to: 3, start: 1}}\n"
                        "  starts: 12\n"
                        "  measured: [{what: energy_before, value: 2, uncertainty: 0.01},\n"
                        "             {what: energy_before, value: 2.01, uncertainty: 0.01}]\n");
    assert_int_equal(fit->starts, 12);
    assert_int_equal(fit->minimum_count, 2);
    assert_near(fabs(fit->minima[0].values[0]), sqrt(4.01), 1e-4);
    assert_near(fit->minima[0].values[0], -fit->minima[1].values[0], 1e-4);
    assert_int_equal(fit->minima[0].starts + fit->minima[1].starts + fit->failed, 12);
    assert_says(fit, "of 12 starts ended in another minimum, equally good");
    assert_false(fit->parameters[0].determined);
    crm_fit_free(fit);
}

static crm_fit *good_case(const char *name, size_t starts)
{
    char path[512], set[64];
    const char *overrides[] = {set};
    snprintf(path, sizeof path, "%s/tests/cases/%s", CAROM_SOURCE_DIR, name);
    snprintf(set, sizeof set, "fit.starts=%zu", starts);
    crm_source source = {.path = path, .overrides = overrides, .override_count = starts > 0};
    crm_fit *fit = NULL;
    crm_error error = {0};
    assert_ok(crm_fit_solve(&source, NULL, &fit, &error), &error);
    return fit;
}

/* Exact data, made with these numbers; the first guess leads to a minimum where chi2 is 144463. */
static void a_local_minimum_is_not_the_answer(void **state)
{
    (void)state;
    static const double truth[] = {0.4655, 0.6829, 0.5838, 0.4328, 2.4597};
    crm_fit *fit = good_case("fit-local-minimum.yaml", 0);
    assert_true(fit->starts > 1 && fit->minimum_count > 1 && fit->minima[0].starts > 1);
    assert_true(fit->chi2 < 1e-3);
    for (size_t j = 0; j < 5; j++) {
        assert_true(fit->parameters[j].determined);
        assert_near(fit->parameters[j].value, truth[j], 1e-6);
    }
    crm_fit_free(fit);
}

/* One start confirms nothing. */
static void a_minimum_seen_once_is_not_confirmed(void **state)
{
    (void)state;
    crm_fit *fit = good_case("fit-local-minimum.yaml", 1);
    assert_int_equal(fit->starts, 1);
    assert_true(fit->chi2 > 1e5);
    for (size_t j = 0; j < 5; j++) {
        assert_false(fit->parameters[j].determined);
        assert_true(fit->parameters[j].interval[0] == fit->parameters[j].from);
    }
    assert_says(fit, "not confirmed");
    assert_says(fit, "more than these uncertainties allow");
    assert_says(fit, "Try more starts (1 was made) or wider bounds");
    crm_fit_free(fit);
}

/* Restitutions of walls are the velocities: the sum of squares is a quadratic. Four starts do, and
 * cost four times what one does.
 */
static void an_easy_problem_takes_few_starts(void **state)
{
    (void)state;
    static const char text[] =
        "chain: {count: 1, velocity: [2], wall: {side: right, restitution: 0.3}}\n"
        "fit:\n  parameters: {chain.wall.restitution: {from: 0, to: 1}}\n%s"
        "  measured: [{what: 'velocity[1]', value: -1.2, uncertainty: 0.01},\n"
        "             {what: 'velocity[1]', value: -1.21, uncertainty: 0.01}]\n";
    char one[512], many[512];
    snprintf(one, sizeof one, text, "  starts: 1\n");
    snprintf(many, sizeof many, text, "");
    crm_fit *first = good(one), *fit = good(many);
    assert_int_equal(fit->minimum_count, 1);
    assert_int_equal(fit->starts, 4);
    assert_true(fit->evaluations <= 4 * first->evaluations);
    assert_true(fit->parameters[0].value == first->parameters[0].value);
    assert_true(fit->parameters[0].determined && !first->parameters[0].determined);
    crm_fit_free(first);
    crm_fit_free(fit);
}

/* ---- Complaints ------------------------------------------------------------------------------ */

static void mistakes_are_told_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *parameters, *measured, *complaint;
    } cases[] = {
        {"{chain.restitution: {from: 0.5, to: 0.9, start: 1}}", "{what: duration, value: 1}",
         "s.yaml:3:35: fit.parameters.chain.restitution starts at 1 for chain.restitution; must "
         "start within its bounds, 0.5 to 0.9"},
        {"{chain.restitution: {from: 0.5, to: 0.4}}", "{what: duration, value: 1}",
         "s.yaml:3:35: fit.parameters.chain.restitution goes from 0.5 to 0.4; 'from' must be below "
         "'to'"},
        {"{chain.restitution: {to: 0.4}}", "{what: duration, value: 1}",
         "s.yaml:3:35: fit.parameters.chain.restitution has no field 'from', which is required"},
        {"{chain.wall: {from: 0, to: 1}}", "{what: duration, value: 1}",
         "s.yaml:3:16: chain.wall is 'right' in the scenario; a varied field must be a number or a "
         "list of numbers"},
        {"{chain.mass: {from: 1, to: 2}, chain.restitution: {from: 0, to: 1}}",
         "{what: duration, value: 1}",
         "s.yaml:3:3: fit has 3 parameters to estimate from 1 measured value; there must be at "
         "least "
         "as many values as parameters"},
        {"{chain.restitution: {from: 0, to: 1}}", "{what: speed, value: 1}",
         "s.yaml:4:21: 'speed' is not a quantity of an outcome; did you mean 'tail_speed'?"},
        {"{chain.restitution: {from: 0, to: 1}}", "{what: steps, value: 1}",
         "s.yaml:4:21: 'steps' is a count, which changes in jumps"},
        {"{chain.restitution: {from: 0, to: 1}}", "{what: 'velocity[3]', value: 1}",
         "s.yaml:4:21: 'velocity[3]' is an entry that this system does not have; entries go from 1 "
         "to 2 (or from -1, the last)"},
        {"{chain.restitution: {from: 0, to: 1}}", "{what: duration, value: fast}",
         "s.yaml:4:38: fit.measured[1].value is 'fast'; must be a finite number"},
        {"{chain.restitution: {from: 0, to: 1}}", "{what: duration, value: 1, uncertainty: 0}",
         "s.yaml:4:54: fit.measured[1].uncertainty is 0; must be a number above 0"},
        {"{chain.restitution: {from: 0, to: 1}}",
         "{what: duration, value: 1, uncertainty: 1}, {what: duration, value: 1}",
         "s.yaml:4:58: fit.measured[2] has no uncertainty, and fit.measured[1] has one; all must "
         "have one, or none"},
        {"{chain.restitution: {from: 0, to: 1}}",
         "{what: duration, value: 1, set: ['chain.restitution=0.5']}",
         "s.yaml:4:47: 'chain.restitution=0.5' sets chain.restitution, which is varied: an "
         "experiment cannot fix it"},
        {"{chain.restitution: {from: 0, to: 1}}",
         "{what: duration, value: 1, set: ['chain.mass[7]=0.5']}",
         "s.yaml:4:46: set chain.mass[7]=0.5: chain.mass has no entry '7'"},
        {"{chain.restitution: {from: -1, to: 1, start: -0.5}}", "{what: duration, value: 1}",
         "s.yaml:3:16: chain.restitution: restitution is -0.5"},
    };
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        crm_error error;
        snprintf(text, sizeof text,
                 "chain: {mass: [1, 2], velocity: [1], wall: right, restitution: 0.8}\n"
                 "fit:\n  parameters: %s\n  measured: [%s]\n",
                 cases[i].parameters, cases[i].measured);
        crm_fit *fit = fit_with(text, &error);
        assert_null(fit);
        if (strncmp(error.message, cases[i].complaint, strlen(cases[i].complaint)) != 0) {
            print_error("'%s' does not begin with '%s'\n", error.message, cases[i].complaint);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

/* An experiment that has no answer is named: here moving boundaries close a gap that nothing can
 * open.
 */
static void an_experiment_without_an_answer_is_named(void **state)
{
    (void)state;
    crm_error error;
    crm_fit *fit =
        fit_with("laws: [poisson]\n"
                 "system: {mass: [1], velocity: [0], contacts: [{w: [1], boundary_velocity: 1},"
                 " {w: [-1], boundary_velocity: 1}]}\n"
                 "fit:\n"
                 "  parameters: {'system.contacts[1].restitution': {from: 0, to: 1}}\n"
                 "  measured:\n"
                 "    - {what: 'velocity[1]', value: 0}\n"
                 "    - {what: 'velocity[1]', value: 0, set: &both "
                 "['system.contacts[1].boundary_velocity=-1', "
                 "'system.contacts[2].boundary_velocity=-1']}\n",
                 &error);
    assert_null(fit);
    static const char words[] = "s.yaml:7:14: fit.measured[2].what has no answer at the start: by "
                                "law poisson the result is infeasible";
    if (strncmp(error.message, words, strlen(words)) != 0) {
        fail_msg("'%s' does not begin with '%s'", error.message, words);
    }
}

static bool never(void *context, const crm_watch_report *report)
{
    (void)context, (void)report;
    return false;
}

static void a_fit_that_is_told_to_end_does(void **state)
{
    (void)state;
    char text[1024];
    snprintf(text, sizeof text, CRADLE, "1");
    crm_source source = {.text = text, .length = strlen(text)};
    crm_watch watch = {.every = 1e-9, .go_on = never};
    crm_fit *fit = NULL;
    crm_error error = {0};
    assert_int_equal(crm_fit_solve(&source, &watch, &fit, &error), CRM_ERROR_STOPPED);
    assert_null(fit);
    assert_int_equal(crm_fit_solve(NULL, NULL, &fit, &error), CRM_ERROR_ARGUMENT);
    assert_int_equal(crm_fit_solve(&source, NULL, NULL, &error), CRM_ERROR_ARGUMENT);
    crm_fit_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_weighed_mean_is_one),
        cmocka_unit_test(without_uncertainties_the_scatter_tells),
        cmocka_unit_test(what_the_judge_saw_is_found),
        cmocka_unit_test(rebound_heights_tell_the_restitution),
        cmocka_unit_test(contact_times_tell_the_stiffness),
        cmocka_unit_test(a_common_stiffness_is_told_to_be_undeterminable),
        cmocka_unit_test(of_two_stiffnesses_the_combination_is_named),
        cmocka_unit_test(a_small_dependence_is_a_dependence),
        cmocka_unit_test(what_is_not_narrowed_is_told),
        cmocka_unit_test(a_bound_and_a_poor_fit_are_told),
        cmocka_unit_test(minima_that_differ_are_told),
        cmocka_unit_test(a_local_minimum_is_not_the_answer),
        cmocka_unit_test(a_minimum_seen_once_is_not_confirmed),
        cmocka_unit_test(an_easy_problem_takes_few_starts),
        cmocka_unit_test(mistakes_are_told_with_their_place),
        cmocka_unit_test(an_experiment_without_an_answer_is_named),
        cmocka_unit_test(a_fit_that_is_told_to_end_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
