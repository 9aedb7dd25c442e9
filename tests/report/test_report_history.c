/* Histories as CSV: which instants, of what, and how they end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "made_up.h"
#include "report/text/sheet.h"

/* ---- Histories ----------------------------------------------------------------------------- */

static void history_writes_samples_at_the_interval(void **state)
{
    made_up_impact *f = *state;
    char *text = NULL;
    size_t size = 0;
    crm_choice all;
    assert_int_equal(crm_choice_make(f->model, NULL, &all, NULL), CRM_OK);
    crm_history_csv csv = {
        .stream = open_memstream(&text, &size), .model = f->model, .choice = &all};
    crm_history history = {.format = &crm_history_as_csv, .to = &csv, .interval = 0.5};
    crm_history_csv_begin(&csv);
    crm_history_law(&history, "l");
    static const double times[] = {0, 0.25, 0.5, 0.5, 0.75, 1.0 + 1e-12, 1.2};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        crm_sample sample = {.time = times[i],
                             .primary = i == 0 ? SIZE_MAX : 1,
                             .force = f->force,
                             .stored_energy = f->loss,
                             .closing_speed = f->gap,
                             .impulse = f->impulse,
                             .velocity = f->after};
        assert_int_equal(crm_history_record(&history, &sample), CRM_OK);
    }
    /* It ends after 2.5 s, in the state that the outcome has. */
    assert_int_equal(crm_history_end(&history, &f->outcome, NULL), CRM_OK);
    assert_int_equal(crm_history_end(&history, &f->outcome, NULL), CRM_OK); /* once */
    fclose(csv.stream);
    crm_choice_free(&all);
    assert_int_equal(history.rows, 4);
    assert_int_equal(count_lines(text), 5);
    assert_non_null(strstr(text, "law,time,primary,primary_impulse,v[ball 1] (m/s),v[ball 2] (m/s),"
                                 "v[ball 3] (m/s),force[ball 1 - ball 2] (K=1),"
                                 "force[ball 2 - ball 3] (K=1),energy[ball 1 - ball 2] (J),"));
    assert_non_null(strstr(text, "closing_speed[ball 2 - ball 3] (m/s),impulse[ball 1 - ball 2] "
                                 "(N s),impulse[ball 2 - ball 3] (N s)\n"));
    assert_non_null(strstr(text, "\nl,0,,0,-0.30000000000000004,0,"));
    assert_non_null(strstr(text, "\nl,0.5,2,0,"));
    assert_non_null(strstr(text, "\nl,1,2,0,")); /* which was 1e-12 later */
    assert_non_null(strstr(text, "\nl,2.5,,,-0.30000000000000004,0,1e-07,0,0,0,0,"
                                 "-0.30000000000000004,0.125,1.25,1e-07\n"));
    free(text);
}

static void history_is_of_what_was_chosen(void **state)
{
    made_up_impact *f = *state;
    char *text = NULL;
    size_t size = 0;
    crm_error error = {0};
    crm_choice part;
    assert_int_equal(crm_choice_make(f->model, "ball 3", &part, NULL), CRM_OK);
    double room[1 + 4];
    assert_int_equal(part.coordinates, 1);
    assert_int_equal(part.contacts, 1);
    crm_history_csv csv = {
        .stream = open_memstream(&text, &size), .model = f->model, .choice = &part};
    crm_history history = {.format = &crm_history_as_csv, .to = &csv, .choice = part, .room = room};
    crm_history_csv_begin(&csv);
    crm_history_law(&history, "l");
    crm_sample sample = {.time = 0.1 + 0.2,
                         .primary = 1,
                         .force = f->force,
                         .stored_energy = f->loss,
                         .closing_speed = f->gap,
                         .impulse = f->impulse,
                         .velocity = f->after};
    assert_int_equal(crm_history_record(&history, &sample), CRM_OK);
    fclose(csv.stream);
    assert_string_equal(text, "law,time,primary,primary_impulse,v[ball 3] (m/s),"
                              "force[ball 2 - ball 3] (K=1),energy[ball 2 - ball 3] (J),"
                              "closing_speed[ball 2 - ball 3] (m/s),"
                              "impulse[ball 2 - ball 3] (N s)\n"
                              "l,0.30000000000000004,2,0,1e-07,7,0,-0.125,1e-07\n");
    free(text);
    crm_choice_free(&part);
    assert_int_equal(crm_choice_make(f->model, "ball 4", &part, &error), CRM_ERROR_OPTION);
}

static void times_are_printed_as_multiples(void **state)
{
    (void)state;
    assert_true(crm_history_time(3 * 0.1, 0.1) == 0.3);
    assert_true(crm_history_time(7e-6 + 1e-21, 1e-6) == 7e-6);
    assert_true(crm_history_time(0.35, 0.1) == 0.35); /* not one */
    assert_true(crm_history_time(ODD, 0) == ODD);     /* there is no interval */
    assert_true(crm_history_time(1.0 / 3, 1.0 / 3) == 1.0 / 3);
}

static void history_stops_when_it_cannot_be_written(void **state)
{
    made_up_impact *f = *state;
    FILE *full = fopen("/dev/full", "w");
    if (full == NULL) {
        skip();
    }
    setvbuf(full, NULL, _IONBF, 0);
    crm_choice all;
    assert_int_equal(crm_choice_make(f->model, NULL, &all, NULL), CRM_OK);
    crm_history_csv csv = {.stream = full, .model = f->model, .choice = &all, .label = "l"};
    crm_history history = {.format = &crm_history_as_csv, .to = &csv};
    crm_sample sample = {.primary = 0,
                         .force = f->force,
                         .stored_energy = f->loss,
                         .closing_speed = f->gap,
                         .impulse = f->impulse,
                         .velocity = f->after};
    assert_int_equal(crm_history_record(&history, &sample), CRM_ERROR_STOPPED);
    crm_choice_free(&all);
    fclose(full);
}

int main(void)
{
#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, make_up, drop_made_up)
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(history_writes_samples_at_the_interval),
        WITH_FIXTURE(history_is_of_what_was_chosen),
        cmocka_unit_test(times_are_printed_as_multiples),
        WITH_FIXTURE(history_stops_when_it_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
