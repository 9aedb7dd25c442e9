/* Designs: optima with closed forms, rules, the written scenario, random profiles that do not beat
 * what is found, and complaints. By the program, which has the searcher.
 *
 * CAROM_TEST_PROFILES: how many random profiles (scripts/soak: 1e5).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "inverse/design/design.h"
#include "program.h"
#include "read_json.h"
#include "support.h"

static bool have_nlopt(void)
{
    return CAROM_HAVE_NLOPT;
}

static json_t *design(fixture *f, const char *text, const char *options)
{
    char command[256];
    put_file(f, "d.yaml", text);
    snprintf(command, sizeof command, "$carom design d.yaml -f json %s", options);
    if (shell_with(f, CAROM_PROGRAM, command) != 0) {
        fail_msg("%s", f->err);
    }
    return parse(f->out);
}

static double number(json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static double field(json_t *object, size_t index)
{
    return number(json_array_get(json_object_get(object, "fields"), index), "value");
}

/* ---- Closed forms ---------------------------------------------------------------------------- */

/* A ball between two others passes most velocity on as the geometric mean of both, when they
 * collide one after the other; then the last has 2/(1 + m2/m1) 2/(1 + m3/m2) v.
 */
static void the_mean_ball_is_the_geometric_mean(void **state)
{
    if (!have_nlopt()) {
        skip();
    }
    json_t *found = design(*state,
                           "laws: [{law: binary, order: left-to-right}]\n"
                           "chain: {mass: [9, 8, 1], velocity: [1]}\n"
                           "design:\n"
                           "  maximize: velocity[-1]\n"
                           "  over: {'chain.mass[2]': {from: 0.5, to: 10}}\n"
                           "  starts: 3\n",
                           "-o best.yaml");
    assert_near(field(found, 0), 3, 1e-4);
    assert_near(number(found, "value"), 2.25, 1e-8);
    assert_near(number(found, "start_value"), 2 / (1 + 8 / 9.0) * 2 / (1 + 1 / 8.0), 1e-8);
    json_decref(found);
    /* The scenario that is written gives it. */
    assert_int_equal(shell_with(*state, CAROM_PROGRAM, "$carom solve best.yaml -f json"), 0);
    json_t *solved = parse(((fixture *)*state)->out);
    json_t *result = json_array_get(json_object_get(solved, "results"), 0);
    json_t *velocity = json_object_get(result, "velocity");
    assert_near(json_number_value(json_array_get(velocity, 2)), 2.25, 1e-8);
    json_decref(solved);
}

/* The energy before is sum m v^2 / 2: with sum m = 3 it is largest when all mass is in the fastest,
 * as far as the bounds allow; with an order it is spread evenly.
 */
static void bounds_and_rules_are_kept(void **state)
{
    static const char text[] = "chain: {mass: [1, 1, 1], velocity: [1, 2, 3]}\n"
                               "design:\n"
                               "  maximize: energy_before\n"
                               "  over: {chain.mass: {from: 0.2, to: 2}}\n"
                               "  subject_to: %s\n";
    char one[512], two[512], three[512];
    if (!have_nlopt()) {
        skip();
    }
    snprintf(one, sizeof one, text, "'sum(chain.mass) = 3'");
    snprintf(two, sizeof two, text, "['sum(chain.mass) = 3', 'decreasing(chain.mass)']");
    snprintf(three, sizeof three, text,
             "['sum(chain.mass) <= 3', '2*chain.mass[1] - 0.5 >= chain.mass[3] + 0.1']");
    json_t *found = design(*state, one, "");
    assert_near(field(found, 0), 0.2, 1e-8);
    assert_near(field(found, 1), 0.8, 1e-8);
    assert_near(field(found, 2), 2, 1e-8);
    json_decref(found);
    found = design(*state, two, "");
    for (size_t i = 0; i < 3; i++) {
        assert_near(field(found, i), 1, 1e-7);
    }
    json_decref(found);
    found = design(*state, three, ""); /* 2 a - 0.6 = c, a + b + c = 3, b at 0.2: c = 5/3 */
    assert_near(field(found, 0), 3.4 / 3, 1e-7);
    assert_near(field(found, 1), 0.2, 1e-7);
    assert_near(field(found, 2), 5 / 3.0, 1e-7);
    json_decref(found);
}

/* As above; the nearest start that keeps the rule has all masses 1, and 7 J beside 10.7 J. */
static void a_design_as_table_and_csv(void **state)
{
    fixture *f = *state;
    double value, start, from, to;
    if (!have_nlopt()) {
        skip();
    }
    put_file(f, "d.yaml",
             "title: Heavy and fast\n"
             "chain: {mass: [2, 2, 2], velocity: [1, 2, 3]}\n"
             "design:\n"
             "  maximize: energy_before\n"
             "  over: {chain.mass: {from: 0.2, to: 2}}\n"
             "  subject_to: 'sum(chain.mass) = 3'\n"
             "  starts: 2\n");
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom design d.yaml | tr -s ' \\n' ' '"), 0);
    ASSERT_SAYS(f->out, "Heavy and fast");
    ASSERT_SAYS(f->out, "maximum of energy_before");
    ASSERT_SAYS(f->out, " chain.mass[1] 0.2 1 at its bound chain.mass[2] 0.8 1 chain.mass[3] 2 1 "
                        "at its bound");
    ASSERT_SAYS(f->out, "energy_before = 10.7; at the start 7 (ratio 1.529).");
    ASSERT_SAYS(f->out, "own values violate the constraints");
    ASSERT_SAYS(f->out, "2 of 2 starts reached this value; ");
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom design d.yaml -f csv"), 0);
    assert_int_equal(strncmp(f->out, "field,value,start,from,to\n", 26), 0);
    const char *row = strstr(f->out, "chain.mass[2],");
    assert_non_null(row);
    assert_int_equal(sscanf(row, "chain.mass[2],%lf,%lf,%lf,%lf", &value, &start, &from, &to), 4);
    assert_near(value, 0.8, 1e-8);
    assert_near(start, 1, 1e-9);
    assert_near(from, 0.2, 0);
    assert_near(to, 2, 0);
}

/* Each entry of a list that the scenario has as one number; a start that breaks the rules. */
static void a_number_becomes_a_list(void **state)
{
    if (!have_nlopt()) {
        skip();
    }
    json_t *found = design(*state,
                           "chain: {count: 4, mass: 3, velocity: [1, 2]}\n"
                           "design:\n"
                           "  minimize: energy_before\n"
                           "  over: {chain.mass: {from: 1, to: 5, each: 4}}\n"
                           "  subject_to: ['sum(chain.mass) = 10']\n"
                           "  starts: 1\n",
                           "");
    assert_true(json_is_true(json_object_get(found, "start_moved")));
    json_t *fields = json_object_get(found, "fields");
    assert_int_equal(json_array_size(fields), 4);
    for (size_t i = 0; i < 4; i++) { /* the nearest: 2.5 each */
        assert_near(number(json_array_get(fields, i), "start"), 2.5, 1e-9);
    }
    assert_near(field(found, 0), 1, 1e-7);
    assert_near(field(found, 1), 1, 1e-7);
    assert_near(number(found, "start_value"), 2.5 / 2 + 2.5 * 4 / 2, 1e-9);
    json_decref(found);
}

/* ---- Chains of twenty beads ------------------------------------------------------------------ */

enum { BEADS_MOST = 20 };

/* 1 kg a bead on the whole, the striker 2 kg. A peak force of many waves takes its time to be made
 * least: of fewer beads, but for the soak.
 */
typedef struct chain {
    size_t beads;
    bool wall;
} chain;

static bool is_soak(void)
{
    return getenv("CAROM_TEST_PROFILES") != NULL;
}

static size_t profiles(void)
{
    return is_soak() ? strtoul(getenv("CAROM_TEST_PROFILES"), NULL, 10) : 300;
}

/* Masses of the rest, evenly over the simplex of their sum, redrawn until within the bounds. */
static void draw_profile(rng *r, const chain *c, double from, double to, double *mass)
{
    double first = 2, total = (double)c->beads;
    bool within = false;
    while (!within) {
        double sum = 0;
        mass[0] = first;
        within = true;
        for (size_t i = 1; i < c->beads; i++) {
            mass[i] = -log(rng_uniform(r, 1e-300, 1));
            sum += mass[i];
        }
        for (size_t i = 1; i < c->beads; i++) {
            /* What the bounds leave of the total, shared. */
            mass[i] = from + mass[i] / sum * (total - first - from * (double)(c->beads - 1));
            within = within && mass[i] <= to;
        }
    }
}

static double measure(const double *mass, const chain *c)
{
    crm_chain_def def = crm_chain_def_default();
    crm_model *model = NULL;
    crm_settings *settings = NULL;
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    double velocity[BEADS_MOST] = {1};
    def.count = c->beads;
    def.mass.each = mass;
    def.wall_side = c->wall ? CRM_WALL_RIGHT : CRM_WALL_NONE;
    assert_ok(crm_model_from_chain(&def, &model, &error), &error);
    assert_ok(crm_settings_create(crm_law_find("lzb"), &settings, &error), &error);
    assert_ok(crm_solve(model, velocity, settings, NULL, &outcome, &error), &error);
    size_t end = c->beads - 1;
    double last = outcome->velocity[end];
    double value = c->wall ? outcome->peak_force[end] : mass[end] * last * last / 2;
    crm_outcome_free(outcome);
    crm_settings_free(settings);
    crm_model_free(model);
    return value;
}

/* What is found beats every random profile, and the tapered chain: masses that fall by a constant
 * factor, of the same total.
 */
static void beat_all(fixture *f, const char *file, const chain *c)
{
    char command[1024];
    bool wall = c->wall;
    snprintf(command, sizeof command,
             "$carom design %s/examples/%s -f json --set design.starts=%d --set chain.count=%zu "
             "--set 'design.over={chain.mass: {from: 0.2, to: 4, each: %zu}}' --set "
             "design.subject_to[1]='sum(chain.mass) = %zu'",
             CAROM_SOURCE_DIR, file, c->wall || is_soak() ? 5 : 1, c->beads, c->beads, c->beads);
    if (shell_with(f, CAROM_PROGRAM, command) != 0) {
        fail_msg("%s", f->err);
    }
    json_t *found = parse(f->out);
    double best = number(found, "value"), mass[BEADS_MOST], sum = 0, total = (double)c->beads;
    for (size_t i = 0; i < c->beads; i++) {
        mass[i] = field(found, i);
        sum += mass[i];
    }
    assert_near(sum, total, 1e-7);
    assert_near(mass[0], 2, 1e-8);
    assert_near(measure(mass, c) / best, 1, 1e-6); /* it is what it says */
    double factor = 0.9;
    for (int i = 0; i < 200; i++) { /* 2 (1 + q + ... ) = total */
        double have = 0, slope = 0;
        for (size_t k = 0; k < c->beads; k++) {
            have += 2 * pow(factor, (double)k);
            slope += 2 * (double)k * pow(factor, (double)k - 1);
        }
        factor -= (have - total) / slope;
    }
    for (size_t i = 0; i < c->beads; i++) {
        mass[i] = 2 * pow(factor, (double)i);
    }
    double tapered = measure(mass, c), random = wall ? INFINITY : 0;
    assert_true(wall ? best < tapered : best > tapered);
    rng r = rng_seeded(7);
    for (size_t k = 0; k < profiles(); k++) {
        draw_profile(&r, c, 0.2, 4, mass);
        double value = measure(mass, c);
        random = wall ? fmin(random, value) : fmax(random, value);
        assert_true(wall ? best < value : best > value);
    }
    print_message("%s: found %.6g, tapered %.6g, the best of %zu random profiles %.6g\n", file,
                  best, tapered, profiles(), random);
    json_decref(found);
}

static void most_energy_into_the_last_bead(void **state)
{
    if (!have_nlopt()) {
        skip();
    }
    const chain c = {BEADS_MOST, false};
    beat_all(*state, "design_transmitter.yaml", &c);
}

static void least_force_at_the_wall(void **state)
{
    if (!have_nlopt()) {
        skip();
    }
    const chain c = {is_soak() ? BEADS_MOST : 8, true};
    beat_all(*state, "design_protector.yaml", &c);
}

/* ---- Complaints ------------------------------------------------------------------------------ */

static void mistakes_are_told_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *block, *complaint;
    } cases[] = {
        {"{over: {chain.mass: {from: 1, to: 2}}}",
         "s.yaml:2:9: design must have one of maximize and minimize, with a quantity such as "
         "velocity[-1]"},
        {"{maximize: duration}", "s.yaml:2:9: design has no field 'over', which is required"},
        {"{maximize: duration, over: {chain.mass: {from: 3, to: 4}}}",
         "s.yaml:2:49: design.over.chain.mass starts at 1 for chain.mass[1]; must start within its "
         "bounds, 3 to 4"},
        {"{maximize: duration, over: {chain.mass: {from: 1, to: 4}}, subject_to: 'chain.mass[3] = "
         "1'}",
         "s.yaml:2:80: 'chain.mass[3] = 1' is not a constraint: chain.mass[3] is not varied; "
         "varied are "
         "chain.mass[1], chain.mass[2]"},
        {"{maximize: duration, over: {chain.mass: {from: 1, to: 4}}, subject_to: 'sum(mass) = 1'}",
         "s.yaml:2:80: 'sum(mass) = 1' is not a constraint: mass is not varied as a list (each: "
         "makes one of a number); varied are chain.mass"},
        {"{maximize: duration, over: {chain.mass: {from: 1, to: 4}}, subject_to: "
         "'sum(chain.mass)'}",
         "s.yaml:2:80: 'sum(chain.mass)' is not a constraint: '=', '<=' or '>=' is missing"},
        {"{maximize: duration, over: {chain.mass: {from: 1, to: 4}}, subject_to: '1 = 2'}",
         "s.yaml:2:80: '1 = 2' is not a constraint: no field is left in it"},
        {"{maximize: duration, over: {chain.mass: {from: 1, to: 4}}, subject_to: 'chain.mass[1] = "
         "2 = 3'}",
         "s.yaml:2:80: 'chain.mass[1] = 2 = 3' is not a constraint: it has two relations"},
    };
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        static crm_read_error error;
        crm_design_problem problem = {0};
        snprintf(text, sizeof text,
                 "chain: {mass: [1, 2], velocity: [1], wall: right}\ndesign: %s\n", cases[i].block);
        crm_study_def def = {.text = text, .length = strlen(text), .source = "s.yaml"};
        assert_int_not_equal(crm_design_open(&problem, &def, &error), CRM_OK);
        crm_design_close(&problem);
        if (strncmp(error.text, cases[i].complaint, strlen(cases[i].complaint)) != 0) {
            print_error("'%s' does not begin with '%s'\n", error.text, cases[i].complaint);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

static void rules_that_cannot_be_kept_are_told(void **state)
{
    fixture *f = *state;
    if (!have_nlopt()) {
        skip();
    }
    put_file(f, "d.yaml",
             "chain: {mass: [1, 1], velocity: [1]}\n"
             "design: {maximize: duration, over: {chain.mass: {from: 1, to: 2}}, subject_to: "
             "'sum(chain.mass) = 5'}\n");
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom design d.yaml"), 3);
    assert_string_equal(
        f->err,
        "d.yaml:2:80: design.subject_to cannot be satisfied within the bounds of design.over\n");
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "$carom design d.yaml -o d.json"), 2);
    assert_non_null(strstr(f->err, "must end in .yaml"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_mean_ball_is_the_geometric_mean, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bounds_and_rules_are_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_design_as_table_and_csv, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_number_becomes_a_list, set_up, tear_down),
        cmocka_unit_test_setup_teardown(most_energy_into_the_last_bead, set_up, tear_down),
        cmocka_unit_test_setup_teardown(least_force_at_the_wall, set_up, tear_down),
        cmocka_unit_test(mistakes_are_told_with_their_place),
        cmocka_unit_test_setup_teardown(rules_that_cannot_be_kept_are_told, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
