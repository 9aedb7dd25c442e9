/* Reading scenarios: what is understood. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "scenario/scenario.h"
#include "scenario_text.h"

/* Numbers are read, not computed: they come out to the bit, or to rounding where a sphere's volume
 * or a Hertz stiffness is involved. */
static const double ROUNDING = 1e-14;

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= ROUNDING * fabs(expected))) {
        fail_msg("%.17g is not %.17g", value, expected);
    }
}

/* ---- What is understood -------------------------------------------------------------------- */

static void chain_with_scalars_lists_and_a_wall(void **state)
{
    (void)state;
    crm_scenario *s =
        good("title: t\n"
             "chain:\n"
             "  count: 3\n"
             "  mass: [1, 2, 4]\n"
             "  velocity: [1]\n"
             "  stiffness: [5, 6]\n"
             "  exponent: 1.5\n"
             "  restitution: 0.5\n"
             "  energy: 0.25\n"
             "  wall: {side: right, stiffness: 7, restitution: 0.75, velocity: -2}\n");
    assert_string_equal(s->title, "t");
    assert_int_equal(crm_model_coordinates(s->model), 3);
    assert_int_equal(crm_model_contacts(s->model), 3);
    assert_true(s->velocity[0] == 1 && s->velocity[1] == 0 && s->velocity[2] == 0);
    assert_true(crm_model_kinetic_energy(s->model, (double[]){0, 0, 1}) == 2);
    assert_true(crm_model_stiffness(s->model)[1] == 6 && crm_model_stiffness(s->model)[2] == 7);
    assert_true(crm_model_restitution(s->model)[1] == 0.5);
    assert_true(crm_model_restitution(s->model)[2] == 0.75);
    assert_true(crm_model_stored_energy(s->model)[0] == 0.25);
    /* The wall comes towards ball 3: gap velocity = -2 - v3. */
    double u[3];
    crm_model_gap_velocity(s->model, s->velocity, u);
    assert_true(u[0] == -1 && u[1] == 0 && u[2] == -2);
    assert_int_equal(s->law_count, 1);
    assert_string_equal(s->laws[0].label, "lzb");
    crm_scenario_free(s);
}

static void chain_of_a_material(void **state)
{
    (void)state;
    crm_scenario *s = good("materials: {steel: {young: 203e9, poisson: 0.3, density: 7780}}\n"
                           "chain: {count: 2, radius: 0.01, material: steel, velocity: 1}\n");
    double mass = 4.0 / 3 * acos(-1) * 1e-6 * 7780;
    assert_near(crm_model_kinetic_energy(s->model, s->velocity), mass);
    /* R* = r/2, E* = E / 2(1 - nu^2). */
    assert_near(crm_model_stiffness(s->model)[0], 4.0 / 3 * sqrt(0.005) * 203e9 / (2 * (1 - 0.09)));
    crm_scenario_free(s);
}

static void number_of_balls_follows_from_a_list(void **state)
{
    (void)state;
    crm_scenario *s = good("chain: {mass: [1, 2, 3, 4]}");
    assert_int_equal(crm_model_bodies(s->model), 4);
    crm_scenario_free(s);
}

static void bodies_with_names_walls_and_pairs(void **state)
{
    (void)state;
    crm_scenario *s =
        good("bodies:\n"
             "  - {name: cue, radius: 1, mass: 1, position: [0, 0], velocity: [1, 2]}\n"
             "  - {shape: disc, radius: 1, mass: 2, position: [2, 0]}\n"
             "walls:\n"
             "  - {name: floor, point: [0, -1], normal: [0, 3], velocity: [0, 5]}\n"
             "contacts: {restitution: 0.5}\n"
             "pairs:\n"
             "  - {between: [cue, 2], restitution: 0.25}\n"
             "  - {between: [floor, cue], exponent: 2}\n");
    assert_int_equal(crm_model_coordinates(s->model), 4);
    assert_int_equal(crm_model_contacts(s->model), 3);
    assert_true(s->velocity[1] == 2 && s->velocity[2] == 0);
    assert_true(crm_model_restitution(s->model)[0] == 0.25);
    assert_true(crm_model_restitution(s->model)[1] == 0.5);
    assert_true(crm_model_exponent(s->model)[1] == 2);
    char name[32];
    crm_model_party_name(s->model, 1, 1, name, sizeof name);
    assert_string_equal(name, "floor");
    double u[3];
    crm_model_gap_velocity(s->model, s->velocity, u);
    assert_true(u[0] == -1 && u[1] == 2 - 5 && u[2] == 0 - 5);
    crm_scenario_free(s);
}

static void rods_among_spheres_and_obstacles(void **state)
{
    (void)state;
    crm_scenario *s =
        good("bodies:\n"
             "  - {name: post, fixed: true, radius: 1, position: [-1, -1]}\n"
             "  - {name: rod, shape: rod, length: 4, mass: 3, position: [0, 0], velocity: [5, 6],\n"
             "     spin: 7}\n"
             "  - {name: ball, radius: 1, mass: 2, position: [1, 1], velocity: [8, 9]}\n"
             "pairs:\n"
             "  - {between: [post, rod], restitution: 0.25}\n"
             "  - {between: [3, 2], restitution: 0.75}\n");
    static const double velocity[] = {5, 6, 7, 8, 9};
    assert_int_equal(crm_model_bodies(s->model), 2);
    assert_int_equal(crm_model_coordinates(s->model), 5);
    assert_memory_equal(s->velocity, velocity, sizeof velocity);
    assert_true(crm_model_is_angle(s->model, 2) && !crm_model_is_angle(s->model, 4));
    /* T = m v^2 / 2 + (m l^2 / 12) w^2 / 2 */
    assert_near(crm_model_kinetic_energy(s->model, velocity),
                3 * 61 / 2.0 + 4 * 49 / 2.0 + 2 * 145 / 2.0);
    assert_int_equal(crm_model_contacts(s->model), 2);
    assert_true(crm_model_restitution(s->model)[0] == 0.25);
    assert_true(crm_model_restitution(s->model)[1] == 0.75);
    char name[32];
    crm_model_party_name(s->model, 0, 0, name, sizeof name);
    assert_string_equal(name, "post");
    assert_int_equal(crm_model_party(s->model, 0, 0), 2); /* after the two that move */
    double u[2];
    crm_model_gap_velocity(s->model, velocity, u);
    assert_near(u[0], 6 - 7 * 1);
    assert_near(u[1], 9 - (6 + 7 * 1));
    crm_scenario_free(s);
}

static void bodies_on_a_line_take_bare_numbers(void **state)
{
    (void)state;
    crm_scenario *s = good("bodies:\n"
                           "  - {radius: 1, mass: 1, position: 0, velocity: 3}\n"
                           "  - {radius: 1, mass: 1, position: 2}\n");
    assert_int_equal(crm_model_coordinates(s->model), 2);
    assert_true(s->velocity[0] == 3);
    crm_scenario_free(s);
}

static void system_in_both_forms_of_w(void **state)
{
    (void)state;
    crm_scenario *s = good("system:\n"
                           "  names: [x, y, z]\n"
                           "  mass: [[2, 1, 0], [1, 2, 0], [0, 0, 1]]\n"
                           "  velocity: [1, 0, 0]\n"
                           "  contacts:\n"
                           "    - {w: [-1, 1, 0], boundary_velocity: 3}\n"
                           "    - {w: {2: -1, \"z\": 1}, stiffness: 4}\n");
    assert_true(crm_model_kinetic_energy(s->model, (double[]){1, 1, 0}) == 3);
    double u[2];
    crm_model_gap_velocity(s->model, (double[]){1, 10, 100}, u);
    assert_true(u[0] == 12 && u[1] == 90);
    assert_true(crm_model_stiffness(s->model)[0] == 1 && crm_model_stiffness(s->model)[1] == 4);
    crm_scenario_free(s);
}

static void json_is_yaml(void **state)
{
    (void)state;
    crm_scenario *s = good("{\"system\": {\"mass\": [1, 1], \"velocity\": [1e0, 0],\n"
                           "\"contacts\": [{\"w\": {\"1\": -1, \"2\": 1}}]}, \"laws\": [\"lzb\"]}");
    assert_int_equal(crm_model_contacts(s->model), 1);
    crm_scenario_free(s);
}

static void assert_doubt(const crm_scenario *s, size_t i, const char *text)
{
    assert_true(i < s->warnings.count);
    assert_string_equal(s->warnings.text[i], text);
}

/* Those of the user's stay; the others keep out of their way, and it is told what they are called.
 */
static void labels_are_made_unique(void **state)
{
    (void)state;
    crm_scenario *s = good("laws: [lzb, {law: lzb, label: mono, stiffness_model: mono}, lzb,\n"
                           "       {law: lzb, label: lzb-2}, {law: lzb, tolerance: 1e-9}, moreau]\n"
                           "chain: {count: 2}");
    static const char *const labels[] = {"lzb", "mono", "lzb-3", "lzb-2", "lzb-4", "moreau"};
    assert_int_equal(s->law_count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(s->laws[i].label, labels[i]);
    }
    assert_int_equal(s->warnings.count, 2);
    assert_doubt(s, 0,
                 "laws[3] is the same as laws[1]: its outcome is shown a second time, as lzb-3");
    assert_doubt(s, 1, "laws[5] has no label, and is called lzb-4; laws[1] is lzb");
    crm_scenario_free(s);
}

static void a_label_given_twice_is_refused(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"laws: [{law: lzb, label: a}, {law: moreau, label: a}]\nchain: {count: 2}",
         "s.yaml:1:51: laws[2].label is 'a', which is the label of laws[1]; must be unique"},
        {"laws: [lzb, {law: moreau, label: lzb}]\nchain: {count: 2}",
         "s.yaml:1:34: laws[2].label is 'lzb', which is the label of laws[1]; must be unique"},
        {"laws: [{law: moreau, label: lzb}, lzb]\nchain: {count: 2}",
         "s.yaml:1:29: laws[1].label is 'lzb', which is the label of laws[2]; must be unique"},
    };
    REFUSE_ALL(cases);
}

static void laws_chosen_by_label_or_name(void **state)
{
    (void)state;
    crm_read_error error;
    crm_scenario *s = good("laws: [{law: lzb, label: mono, stiffness_model: mono}]\n"
                           "chain: {count: 2}");
    const crm_settings *own = s->laws[0].settings;
    assert_int_equal(crm_scenario_choose_laws(s, "lzb,mono,lzb", &error), CRM_OK);
    assert_int_equal(s->law_count, 2);
    assert_ptr_equal(s->laws[1].settings, own);
    assert_int_not_equal(crm_scenario_choose_laws(s, "mno", &error), CRM_OK);
    crm_scenario_free(s);
}

static void aliases_share_and_overrides_do_not_leak(void **state)
{
    (void)state;
    const char *text = "system:\n"
                       "  mass: [1, 1, 1]\n"
                       "  velocity: [1, 0, 0]\n"
                       "  contacts:\n"
                       "    - &c {w: [-1, 1, 0], stiffness: 2}\n"
                       "    - *c\n";
    crm_scenario *s = good_with(text, "system.contacts[2].stiffness=9");
    assert_true(crm_model_stiffness(s->model)[0] == 2);
    assert_true(crm_model_stiffness(s->model)[1] == 9);
    crm_scenario_free(s);
}

static void overrides_reach_every_kind_of_field(void **state)
{
    (void)state;
    const char *text = "bodies:\n"
                       "  - {name: cue, radius: 1, mass: 1, position: [0, 0]}\n"
                       "  - {radius: 1, mass: 1, position: [2, 0]}\n"
                       "laws: [{law: lzb, label: a}, lzb]\n";
    static const char *const sets[] = {
        "bodies[cue].velocity=[3, 0]", "bodies[2].velocity=[0, 4]", "title=over", "laws[a].label=b",
        "contacts={restitution: 0.5}", "contacts.exponent=1"};
    crm_read_error error;
    crm_scenario *s = read_with(text, sets, sizeof sets / sizeof sets[0], &error);
    assert_non_null(s);
    assert_true(s->velocity[0] == 3 && s->velocity[3] == 4);
    assert_string_equal(s->title, "over");
    assert_string_equal(s->laws[0].label, "b");
    assert_true(crm_model_restitution(s->model)[0] == 0.5);
    assert_true(crm_model_exponent(s->model)[0] == 1);
    crm_scenario_free(s);
}

static void overrides_make_the_blocks_they_need(void **state)
{
    (void)state;
    static const char *const text = "bodies:\n"
                                    "  - {radius: 1, mass: 1, position: 0, velocity: 1}\n"
                                    "  - {radius: 1, mass: 1, position: 2.001, velocity: 0}\n";
    crm_scenario *s = good_with(text, NULL);
    assert_int_equal(crm_model_contacts(s->model), 0);
    crm_scenario_free(s);
    s = good_with(text, "contacts.tolerance=1e-3");
    assert_int_equal(crm_model_contacts(s->model), 1);
    crm_scenario_free(s);
    s = good_with("chain: {count: 2}", "materials.soft.density=900");
    crm_scenario_free(s);
}

static void sweep_is_left_to_its_command(void **state)
{
    (void)state;
    crm_scenario_free(good("chain: {count: 2}\nsweep: {grid: {chain.mass: [1, 2]}}"));
}

static void history_interval_is_read(void **state)
{
    (void)state;
    crm_scenario *s = good("chain: {count: 2}\nhistory: {interval: 1e-6}");
    assert_true(s->history_interval == 1e-6);
    crm_scenario_free(s);
}

static void numbers_follow_the_core_schema(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good_numbers[] = {{"1e-9", 1e-9},     {"+.5", 0.5},        {"5.", 5},      {"-0", -0.0},
                        {"0x1F", 31},       {"0o17", 15},        {"1E+3", 1000}, {"007", 7},
                        {".inf", INFINITY}, {"-.INF", -INFINITY}};
    static const char *const texts[] = {"",    ".",   "e5",  "1e",    "1_000", "0x",
                                        "0b1", "nan", "inf", "1.2.3", "--1",   "true",
                                        "1 2", "0o8", "+",   ".e1"};
    double value = 0;
    for (size_t i = 0; i < sizeof good_numbers / sizeof good_numbers[0]; i++) {
        assert_true(crm_yaml_text_number(good_numbers[i].text, &value));
        assert_true(value == good_numbers[i].value);
    }
    assert_true(crm_yaml_text_number(".NaN", &value) && isnan(value));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (crm_yaml_text_number(texts[i], &value)) {
            fail_msg("'%s' was taken for a number", texts[i]);
        }
    }
}

/* ---- Size ---------------------------------------------------------------------------------- */

/* Anything quadratic would take hours; a second or two is what the parser needs. */
static const double MILLION_SECONDS = 30;

static void a_million_balls_are_read_in_linear_time(void **state)
{
    (void)state;
    enum { BALLS = 1000000 };
    clock_t start = clock();
    char *text = malloc(64 + 2 * BALLS);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "chain: {count: %d, restitution: 0.9, mass: [1", BALLS);
    for (int i = 1; i < BALLS; i++) {
        text[used++] = ',';
        text[used++] = '1';
    }
    strcpy(text + used, "]}");
    crm_scenario *s = good(text);
    assert_int_equal(crm_model_bodies(s->model), BALLS);
    crm_scenario_free(s);
    free(text);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < MILLION_SECONDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain_with_scalars_lists_and_a_wall),
        cmocka_unit_test(chain_of_a_material),
        cmocka_unit_test(number_of_balls_follows_from_a_list),
        cmocka_unit_test(bodies_with_names_walls_and_pairs),
        cmocka_unit_test(rods_among_spheres_and_obstacles),
        cmocka_unit_test(bodies_on_a_line_take_bare_numbers),
        cmocka_unit_test(system_in_both_forms_of_w),
        cmocka_unit_test(json_is_yaml),
        cmocka_unit_test(labels_are_made_unique),
        cmocka_unit_test(a_label_given_twice_is_refused),
        cmocka_unit_test(laws_chosen_by_label_or_name),
        cmocka_unit_test(aliases_share_and_overrides_do_not_leak),
        cmocka_unit_test(overrides_reach_every_kind_of_field),
        cmocka_unit_test(overrides_make_the_blocks_they_need),
        cmocka_unit_test(sweep_is_left_to_its_command),
        cmocka_unit_test(history_interval_is_read),
        cmocka_unit_test(numbers_follow_the_core_schema),
        cmocka_unit_test(a_million_balls_are_read_in_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
