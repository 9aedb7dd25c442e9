/* What the program says of an answer is so: words, verdicts, and numbers that are rounding. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"
#include "read_json.h"
#include "support.h"

#define CASE(name) CAROM_SOURCE_DIR "/tests/cases/" name ".yaml"

static void deny(const char *text, const char *words)
{
    if (strstr(text, words) != NULL) {
        fail_msg("'%s' says '%s'", text, words);
    }
}

/* ---- Whether anything happens ---------------------------------------------------------------- */

/* v+ = -0.5, 0.5: two balls of 1 kg with 0.25 J between them. */
static void stored_energy_is_something_that_happens(void **state)
{
    fixture *f = *state;
    assert_int_equal(run_carom(f, "solve " CASE("starts-by-stored-energy")), 0);
    deny(f->out, "nothing happens");
    ASSERT_SAYS(f->out, "0 closing, 0.25 J stored in contacts");
    ASSERT_SAYS(f->out, "0.500000");
    ASSERT_SAYS(f->out, "no contact still closing");
    assert_int_equal(run_carom(f, "check " CASE("starts-by-stored-energy")), 0);
    ASSERT_SAYS(f->out, "0 closing, 0.25 J stored in contacts");
}

static void where_nothing_touches_there_is_nothing_to_judge(void **state)
{
    fixture *f = *state;
    put_file(f, "apart.yaml",
             "laws: [lzb, moreau]\nbodies:\n"
             "  - {shape: sphere, radius: 1, mass: 1, position: [0, 0], velocity: [1, 0]}\n"
             "  - {shape: sphere, radius: 1, mass: 1, position: [5, 0]}\n");
    assert_int_equal(run_carom(f, "solve apart.yaml"), 0);
    ASSERT_SAYS(f->out, "0 closing, nothing happens");
    ASSERT_SAYS(f->out, "checks: nothing to check");
    deny(f->out, "none pulling");
    put_file(f, "parting.yaml", "laws: [lzb]\nchain: {count: 2, velocity: [0, 1]}\n");
    assert_int_equal(run_carom(f, "solve parting.yaml"), 0);
    ASSERT_SAYS(f->out, "checks: nothing to check");
}

/* ---- Rounding -------------------------------------------------------------------------------- */

/* Two bodies between walls, driven by stored energy alone, come to rest. */
static void what_comes_to_rest_does_not_close(void **state)
{
    fixture *f = *state;
    assert_int_equal(run_carom(f, "solve " CASE("comes-to-rest")), 0);
    ASSERT_SAYS(f->out, "checks: solved, no contact still closing");
    ASSERT_SAYS(f->out, "  coordinate 1                  0            0\n");
    ASSERT_SAYS(f->out, "  lzb          0            0.401823     0.401823\n");
    assert_int_equal(run_carom(f, "solve -f json " CASE("comes-to-rest")), 0);
    json_t *root = parse(f->out);
    assert_true(json_is_true(json_object_get(result_of(root, 0), "kinematic")));
    assert_true(number_at(result_of(root, 0), "velocity", 1) != 0); /* all digits */
    json_decref(root);
}

/* A law may leave a contact closing slowly beside what stored energy makes of speeds: 1e-6 of it is
 * no rounding. The outcome is made by an order that stops early.
 */
static void what_closes_slowly_still_closes(void **state)
{
    fixture *f = *state;
    put_file(f, "early.yaml",
             "laws: [{law: binary, max_collisions: 30}]\n"
             "system:\n  mass: [1, 1, 1]\n  velocity: [1, 0, -1]\n  contacts:\n"
             "    - {w: [-1, 1, 0], restitution: 0, energy: 1}\n"
             "    - {w: [0, -1, 1], restitution: 0}\n");
    run_carom(f, "solve -f json early.yaml");
    json_t *root = parse(f->out);
    /* each collision halves the closing speed: 2^-30 or so is left */
    assert_true(json_is_false(json_object_get(result_of(root, 0), "kinematic")));
    json_decref(root);
}

static void energy_beside_what_was_stored_is_rounding(void **state)
{
    fixture *f = *state;
    assert_int_equal(run_carom(f, "solve " CASE("starts-by-stored-energy")), 0);
    deny(f->out, "e-16");
    ASSERT_SAYS(f->out, "  lzb          0.250000     0            0.250000");
}

/* Exact data: what is left is what 17 digits cannot hold. */
static void deviations_of_a_fit_that_are_rounding_are_0(void **state)
{
    fixture *f = *state;
    assert_int_equal(run_carom(f, "fit " CAROM_SOURCE_DIR "/examples/fit_contact_time.yaml"), 0);
    deny(f->out, "e-18");
    deny(f->out, "e-19");
    ASSERT_SAYS(f->out, "3.4e-05             0\n");
}

/* ---- Units ----------------------------------------------------------------------------------- */

#define ON_THE_FLOOR                                                                               \
    "laws: [lzb]\n"                                                                                \
    "bodies:\n"                                                                                    \
    "  - {name: block, shape: box, size: [1, 1], mass: 1, position: [0, 0.5], velocity: [0, "      \
    "-1]}\n"                                                                                       \
    "walls:\n  - {name: floor, point: [0, 0], normal: [0, 1]}\n"

static void assert_page_has(fixture *f, const char *arguments, const char *words)
{
    assert_int_equal(run_carom(f, arguments), 0);
    char *page = get_file(f, "page.html");
    assert_non_null(page);
    if (strstr(page, words) == NULL) {
        fail_msg("the page of '%s' has no '%s'", arguments, words);
    }
    free(page);
}

/* Nobody's stiffness is 1 N/m^1.5: without one, forces and the times within an impact have no
 * unit, wherever they are shown; the time of a motion has.
 */
static void forces_have_a_unit_where_a_stiffness_was_given(void **state)
{
    fixture *f = *state;
    put_file(f, "block.yaml", ON_THE_FLOOR "simulate: {duration: 1, gravity: [0, -9.81]}\n");
    assert_page_has(f, "simulate block.yaml --report page.html",
                    "\"units\":{\"N\":\"K=1\",\"s\":\"s\"}");
    assert_page_has(f, "simulate block.yaml --report page.html --set contacts.stiffness=1e6",
                    "\"units\":{\"N\":\"N\",\"s\":\"s\"}");
    assert_page_has(f, "solve block.yaml --report page.html",
                    "\"units\":{\"N\":\"K=1\",\"s\":\"K=1\"}");
    assert_page_has(f, "solve block.yaml --report page.html --set contacts.stiffness=1e6",
                    "\"units\":{\"N\":\"N\",\"s\":\"s\"}");
}

/* A page that solves is refused before anything is computed, where it cannot be made. */
static void live_is_for_pages(void **state)
{
    fixture *f = *state;
    put_file(f, "block.yaml", ON_THE_FLOOR "simulate: {duration: 1, gravity: [0, -9.81]}\n");
    assert_int_equal(run_carom(f, "solve block.yaml --live"), 2);
    ASSERT_SAYS(f->err, "--live is for the page of --report FILE.html; give both");
    assert_int_equal(run_carom(f, "check block.yaml --live"), 2);
    assert_page_has(f, "solve block.yaml --report page.html",
                    "script-src 'unsafe-inline'; style-src");
}

static void a_second_law_is_for_the_page_of_a_motion(void **state)
{
    fixture *f = *state;
    put_file(f, "block.yaml", ON_THE_FLOOR "simulate: {duration: 0.1, gravity: [0, -9.81]}\n");
    assert_int_equal(run_carom(f, "simulate block.yaml --law poisson,moreau"), 2);
    ASSERT_SAYS(f->err, "a motion takes one law, and a second one to show beside it in the page");
    assert_int_equal(
        run_carom(f, "simulate block.yaml --law poisson,moreau,lzb --report page.html"), 2);
    assert_page_has(f, "simulate block.yaml --law poisson,moreau --report page.html",
                    "\"beside\":{");
}

/* ---- Names ----------------------------------------------------------------------------------- */

static void contacts_of_the_same_two_have_numbers(void **state)
{
    fixture *f = *state;
    put_file(f, "block.yaml", ON_THE_FLOOR "simulate: {duration: 0.1, gravity: [0, -9.81]}\n");
    assert_int_equal(run_carom(f, "simulate block.yaml --impacts i.csv --report page.html"), 0);
    char *rows = get_file(f, "i.csv"), *page = get_file(f, "page.html");
    ASSERT_SAYS(rows, ",block - floor (1);block - floor (2),");
    ASSERT_SAYS(page, "[\"block - floor (1)\",\"block - floor (2)\"]");
    free(rows);
    free(page);
    assert_int_equal(run_carom(f, "solve block.yaml --show impulse --rows 'block - floor (2)'"), 0);
    ASSERT_SAYS(f->out, "  block - floor (2)                    1.00000\n");
    deny(f->out, "floor (1)");
    put_file(f, "study.yaml",
             ON_THE_FLOOR
             "sweep: {grid: {\"bodies[1].mass\": [1, 2]}, record: [\"impulse[block - floor "
             "(2)]\", max(impulse)]}\n");
    assert_int_equal(run_carom(f, "sweep study.yaml"), 0);
    ASSERT_SAYS(f->out, "impulse[block - floor (2)],max(impulse)");
    assert_int_equal(
        run_carom(f, "simulate " CAROM_SOURCE_DIR "/examples/bouncing_ball.yaml --impacts i.csv"),
        0);
    rows = get_file(f, "i.csv");
    ASSERT_SAYS(rows, ",ball - floor,");
    free(rows);
}

/* ---- Position correction --------------------------------------------------------------------- */

/* Of overlaps in time-stepping: told on its own, and warned of where it is much. */
static void position_correction_is_told_and_warned_of(void **state)
{
    fixture *f = *state;
    put_file(f, "fall.yaml",
             "bodies: [{name: ball, shape: sphere, radius: 1, mass: 1, position: [0, 2]}]\n"
             "walls: [{name: floor, point: [0, 0], normal: [0, 1]}]\n"
             "contacts: {restitution: 0}\n"
             "simulate: {duration: 2, gravity: [0, -9.81], scheme: time-stepping, step: 0.03, "
             "law: moreau}\n");
    assert_int_equal(run_carom(f, "simulate fall.yaml --report page.html"), 0);
    ASSERT_SAYS(f->out, "\n  position correction ");
    deny(f->out, "work of walls");
    ASSERT_SAYS(f->out, "note: separating overlapping bodies");
    char *page = get_file(f, "page.html");
    ASSERT_SAYS(page, "\"correction\":[");
    ASSERT_SAYS(page, "\"notes\":[\"separating overlapping bodies");
    free(page);
    assert_int_equal(run_carom(f, "simulate -f json fall.yaml"), 0);
    json_t *root = parse(f->out), *energy = json_object_get(root, "energy");
    double lost = json_number_value(json_object_get(energy, "lost"));
    double correction = json_number_value(json_object_get(energy, "correction"));
    assert_true(correction > 0.05 * lost);
    assert_near(lost, 9.81 + correction, 1e-10);
    json_decref(root);
    /* With steps as short as these it is a part of some 1e-3. */
    assert_int_equal(run_carom(f, "simulate fall.yaml --set simulate.step=1e-4"), 0);
    deny(f->out, "note:");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(stored_energy_is_something_that_happens),
        TEST(where_nothing_touches_there_is_nothing_to_judge),
        TEST(what_comes_to_rest_does_not_close),
        TEST(what_closes_slowly_still_closes),
        TEST(energy_beside_what_was_stored_is_rounding),
        TEST(deviations_of_a_fit_that_are_rounding_are_0),
        TEST(forces_have_a_unit_where_a_stiffness_was_given),
        TEST(live_is_for_pages),
        TEST(a_second_law_is_for_the_page_of_a_motion),
        TEST(contacts_of_the_same_two_have_numbers),
        TEST(position_correction_is_told_and_warned_of),
    };
    return cmocka_run_group_tests_name("cli_words", tests, NULL, NULL);
}
