/* Scenarios and arguments that mean no good, through the program: tests/cases. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "program.h"

#define CASE(name) CAROM_SOURCE_DIR "/tests/cases/" name ".yaml"

static void assert_says(const char *text, const char *words)
{
    if (strstr(text, words) == NULL) {
        fail_msg("'%s' does not say '%s'", text, words);
    }
}

/* ---- Numbers -------------------------------------------------------------------------------- */

static void speeds_out_of_range_are_refused_with_the_range(void **state)
{
    fixture *f = *state;
    assert_int_equal(run_carom(f, "solve " CASE("big_velocity")), 3);
    assert_says(f->err, "big_velocity.yaml:2:30: chain.velocity[1]: velocity is 1e+200, must be a "
                        "finite number (at most 1e40 in size)");
    assert_string_equal(f->out, "");
    assert_int_equal(run_carom(f, "solve --format json " CASE("nan_solved")), 3);
    assert_string_equal(f->out, "");
    assert_int_equal(run_carom(f, "check " CASE("nan_solved")), 3);
}

static void a_study_fails_at_the_points_out_of_range_alone(void **state)
{
    fixture *f = *state;
    assert_int_equal(run_carom(f, "sweep " CASE("nan_solved")), 4);
    const char *row = strstr(f->out, "\n1,1,lzb,solved,");
    double ratio = 0;
    assert_non_null(row);
    assert_int_equal(sscanf(row, "\n1,1,lzb,solved,%lf", &ratio), 1);
    assert_true(fabs(ratio - 1) < 1e-12);
    assert_says(f->out, "2,1e+160,lzb,failed,,,,,,");
    assert_says(f->out, "2,1e+160,moreau,failed,,,,,,");
    assert_null(strstr(f->out, "nan"));
}

static void every_place_for_a_speed_has_the_range(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"chain: {count: 2, velocity: 1e60}", "c.yaml:1:29: chain.velocity: velocity is 1e+60"},
        {"chain: {count: 2, velocity: [1e-60]}", "c.yaml:1:30: chain.velocity[1]: the largest"},
        {"bodies: [{shape: sphere, radius: 1, mass: 1, position: [0, 0], velocity: [0, 1e60]}]",
         "c.yaml:1:78: bodies[1].velocity[2]: velocity is 1e+60"},
        {"bodies: [{shape: rod, length: 1, mass: 1, position: [0, 0], spin: 1e60}]",
         "c.yaml:1:67: bodies[1].spin: velocity is 1e+60"},
        {"system: {mass: [1, 1], velocity: [0, 1e60], contacts: [{w: [-1, 1]}]}",
         "c.yaml:1:38: system.velocity[2]: velocity is 1e+60"},
        {"packing: {lattice: hexagonal, columns: 3, rows: 2, projectile: {velocity: [0, -1e60]}}",
         "packing.projectile.velocity[2]: velocity is -1e+60"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put_file(f, "c.yaml", cases[i].text);
        assert_int_equal(run_carom(f, "solve c.yaml"), 3);
        assert_says(f->err, cases[i].words);
    }
}

static void digits_beyond_a_number_are_refused(void **state)
{
    fixture *f = *state;
    assert_int_equal(run_carom(f, "solve " CASE("hex_saturates")), 3);
    assert_says(f->err, "chain.velocity[1] is 0xffffffffffffffffffffff; must be a finite number");
    assert_says(f->err, "up to 64 bits");
    static const char *const texts[] = {
        "chain: {count: 0x10000000000000003, velocity: [1]}",
        "chain: {count: 3, velocity: [0o7777777777777777777777777]}",
        "chain: {count: 3, mass: 1e-400}",
        "chain: {count: 3, mass: 1e-310}",
        "chain: {count: 3, mass: 1e999}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        put_file(f, "c.yaml", texts[i]);
        assert_int_equal(run_carom(f, "solve c.yaml"), 3);
    }
    put_file(f, "c.yaml", "chain: {count: 0x3, velocity: [0x10, -0.0e-999, 0e5]}");
    assert_int_equal(run_carom(f, "solve c.yaml"), 0);
}

/* ---- The published schemes ------------------------------------------------------------------ */

static void an_euler_run_that_makes_energy_has_no_answer(void **state)
{
    fixture *f = *state;
    assert_int_equal(run_carom(f, "solve --format json " CASE("euler-blowup")), 4);
    assert_says(f->out, "\"status\": \"failed\"");
    assert_says(f->out, "the step of 1e-06 N s is too long");
    assert_says(f->out, "it would have to be about");
    assert_says(f->out, "\"error_estimate\": null");
}

/* ---- Terminals ------------------------------------------------------------------------------ */

static void no_control_reaches_the_terminal(void **state)
{
    fixture *f = *state;
    assert_int_equal(run_carom(f, "solve " CASE("c1_escape")), 3);
    assert_says(f->err, "title is the text \"x\\u009b31mC1\"; must be one line without control or "
                        "format characters");
    static const struct {
        const char *command, *words;
    } cases[] = {
        {"solve \"$(printf 'x\\302\\23331m.yaml')\"", "x\\u009b31m.yaml"},
        {"solve \"$(printf 'x\\23331m.yaml')\"", "x\\x9b31m.yaml"},
        {"solve \"$(printf 'a\\nb.yaml')\"", "a\\u000ab.yaml"},
        {"\"$(printf 'so\\033[31mlve')\"", "so\\u001b[31mlve"},
        {"solve --law \"$(printf 'l\\342\\200\\256zb')\" " CASE("euler-blowup"), "l\\u202ezb"},
        {"solve --set \"$(printf 'chain.\\302\\233=1')\" " CASE("euler-blowup"), "\\u009b"},
        {"sweep \"$(printf 'x\\033[31m.yaml')\"", "x\\u001b[31m.yaml"},
        {"reproduce \"$(printf 'x\\033[31m')\"", "x\\u001b[31m"},
        {"solve -o \"$(printf '/nowhere/\\033[31m')\" " CASE("euler-blowup"), "\\u001b[31m"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_not_equal(run_carom(f, cases[i].command), 0);
        assert_says(f->err, cases[i].words);
        assert_null(strstr(f->err, "\033"));
        assert_null(strstr(f->err, "\302\233"));
        assert_null(strstr(f->err, "\342\200\256"));
    }
}

static void what_hides_is_told_from_what_does_not(void **state)
{
    (void)state;
    static const char *const plain[] = {"steel", "Stahlstück ½", "鋼", "\U0001f3b1", "a\u00a0b"};
    /* Controls, formats, and bytes that are no UTF-8: cut short, long forms, a surrogate. */
    static const char *const hiding[] = {
        "\t",       "\x7f",     "\xc2\x85",     "\xc2\x9b",         "a\u200bb",     "\u202e",
        "\u2066",   "\u2028",   "\ufeff",       "\u00ad",           "\x80",         "\xc2",
        "\xc0\xaf", "\xe2\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe0\x80\x80", "\U000e0041",
    };
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        assert_false(crm_text_hides(plain[i]));
    }
    for (size_t i = 0; i < sizeof hiding / sizeof hiding[0]; i++) {
        assert_true(crm_text_hides(hiding[i]));
        char escape[CRM_ESCAPE_SIZE];
        assert_true(crm_text_escape(hiding[i], escape) >= 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(speeds_out_of_range_are_refused_with_the_range, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_study_fails_at_the_points_out_of_range_alone, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(every_place_for_a_speed_has_the_range, set_up, tear_down),
        cmocka_unit_test_setup_teardown(digits_beyond_a_number_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_euler_run_that_makes_energy_has_no_answer, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(no_control_reaches_the_terminal, set_up, tear_down),
        cmocka_unit_test(what_hides_is_told_from_what_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
