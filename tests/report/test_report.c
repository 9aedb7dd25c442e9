/* Reports for programs, and numbers as they are written: what is written is what was computed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "made_up.h"
#include "report/text/sheet.h"

/* ---- JSON ---------------------------------------------------------------------------------- */

static void json_round_trips_every_bit(void **state)
{
    made_up_impact *f = *state;
    char *text = written(crm_report_json, &f->report);
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    const json_t *result = json_array_get(json_object_get(root, "results"), 0);
    const json_t *velocity = json_object_get(result, "velocity");
    assert_int_equal(json_array_size(velocity), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(json_number_value(json_array_get(velocity, i)) == f->after[i]);
    }
    assert_true(json_number_value(json_object_get(result, "energy_ratio")) == 0.5);
    assert_true(json_number_value(json_object_get(root, "energy_before")) == 0.5);
    assert_int_equal(json_integer_value(json_object_get(result, "steps")), 42);
    assert_true(json_is_false(json_object_get(result, "kinematic")));
    assert_string_equal(json_string_value(json_object_get(result, "label")), "one, \"quoted\"");
    assert_string_equal(
        json_string_value(json_array_get(json_array_get(json_object_get(root, "contacts"), 1), 1)),
        "ball 3");
    json_decref(root);
    free(text);
}

static void json_has_every_promised_key_and_null_for_what_is_not_defined(void **state)
{
    static const char *const keys[] = {"law",     "label",          "status",       "velocity",
                                       "impulse", "gap_velocity",   "energy_after", "energy_ratio",
                                       "loss",    "kinematic",      "kinetic",      "energetic",
                                       "unique",  "duration",       "peak_force",   "compressions",
                                       "steps",   "error_estimate", "measures"};
    made_up_impact *f = *state;
    char *text = written(crm_report_json, &f->report);
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    const json_t *results = json_object_get(root, "results");
    for (size_t r = 0; r < 2; r++) {
        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
            if (json_object_get(json_array_get(results, r), keys[i]) == NULL) {
                fail_msg("result %zu has no '%s'", r, keys[i]);
            }
        }
    }
    const json_t *first = json_array_get(results, 0), *second = json_array_get(results, 1);
    static const char *const measures[] = {
        "dispersion", "forward",     "effective_restitution", "forward_share",
        "last_share", "stuck_pairs", "difference_percent",    "near"};
    for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++) {
        assert_non_null(json_object_get(json_object_get(first, "measures"), measures[i]));
    }
    assert_true(json_is_null(json_object_get(first, "error_estimate")));
    assert_null(json_object_get(first, "reason"));
    assert_true(json_is_null(json_object_get(second, "velocity")));
    assert_string_equal(json_string_value(json_object_get(second, "status")), "failed");
    assert_string_equal(json_string_value(json_object_get(second, "reason")), "it broke down");
    json_decref(root);
    free(text);
}

/* ---- CSV ----------------------------------------------------------------------------------- */

static void csv_has_a_row_per_coordinate_contact_and_impact(void **state)
{
    made_up_impact *f = *state;
    char *text = written(crm_report_csv, &f->report);
    assert_int_equal(count_lines(text), 1 + 2 * (3 + 2 + 1));
    assert_non_null(strstr(text, "law,label,status,kind,index,name,velocity_before,velocity,"));
    assert_non_null(strstr(text, "lzb,\"one, \"\"quoted\"\"\",solved,coordinate,1,ball 1,1,"
                                 "-0.30000000000000004,,,,,,,,,,,,1,,,,,"));
    assert_non_null(strstr(text, "solved,contact,1,ball 1 - ball 2,,,-1,0.30000000000000004,"
                                 "1.25,0.25,123.5,,3,,,,,,1,1.5,1,0,"));
    assert_non_null(strstr(text, "lzb,two,failed,coordinate,1,ball 1,1,,"));
    /* Verdicts, what was told the law and what it says; the columns end in options, reason, note.
     */
    assert_non_null(
        strstr(text, "energy_ratio,kinematic,kinetic,energetic,unique,error_estimate,"));
    assert_non_null(strstr(text, ",0.5,0.25,2.5,42,,,,,,0.5,0,1,1,1,,,"));
    assert_non_null(strstr(text, ",options,reason,note\n"));
    assert_non_null(strstr(text, ",,,\"a note, with a comma\"\n"));
    assert_non_null(strstr(text, ",,it broke down,\n"));
    free(text);
}

static void there_is_no_minus_nought(void **state)
{
    made_up_impact *f = *state;
    f->after[1] = -0.0;
    char *text = written(crm_report_csv, &f->report);
    assert_non_null(strstr(text, "coordinate,2,ball 2,0,0,"));
    free(text);
    text = written(crm_report_json, &f->report);
    assert_null(strstr(text, "-0.0,"));
    free(text);
}

/* ---- Numbers ------------------------------------------------------------------------------- */

static void numbers_stand_under_one_another(void **state)
{
    (void)state;
    static const struct {
        double largest, value;
        const char *text;
    } cases[] = {{1, 1, "1.00000"},
                 {1, 0, "0      "},
                 {1, -0.25, "-0.25000"},
                 {1, 1e-7, "1.0e-07"},
                 {1, -1e-14, "0      "},
                 {1, NAN, "-"},
                 {991.95, 12, "12.000"},
                 {0.016, 0.016, "0.0160000"},
                 {1e-5, 1e-5, "1.00000e-05"},
                 {1e10, -1e10, "-1.00000e+10"},
                 {0, 0, "0      "}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[40];
        crm_scale_format(crm_scale_for(cases[i].largest), cases[i].value, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

static void words_wrap_at_the_margin(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    crm_text_wrap(stream, 92, "aaaaaaaaaa bbbbbbbbbb cccccccccc", 75, 4);
    fclose(stream);
    assert_string_equal(text, "aaaaaaaaaa\n    bbbbbbbbbb cccccccccc\n");
    free(text);
}

int main(void)
{
#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, make_up, drop_made_up)
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(json_round_trips_every_bit),
        WITH_FIXTURE(json_has_every_promised_key_and_null_for_what_is_not_defined),
        WITH_FIXTURE(csv_has_a_row_per_coordinate_contact_and_impact),
        cmocka_unit_test(numbers_stand_under_one_another),
        cmocka_unit_test(words_wrap_at_the_margin),
        WITH_FIXTURE(there_is_no_minus_nought),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
