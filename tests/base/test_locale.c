/* A host program may have set any locale: what is read and written is the same in all of them. */
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/locale.h"
#include "program.h"
#include "support.h"

#undef snprintf /* here the C library's own is meant (tests/locale/plain.h) */

static const char *const others[] = {"de_DE.UTF-8", "ps_AF.UTF-8"};

enum { OTHERS = sizeof others / sizeof others[0] };

/* Locales that are made for the test, if the machine has what it takes. */
static int make_locales(void **state)
{
    set_up(state);
    fixture *f = *state;
    char command[512];
    snprintf(command, sizeof command, CAROM_SOURCE_DIR "/tests/locale/make %s/l >/dev/null 2>&1",
             f->folder);
    if (system(command) == 0) {
        snprintf(command, sizeof command, "%s/l", f->folder);
        setenv("LOCPATH", command, 1);
    }
    return 0;
}

static int end_locales(void **state)
{
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    return tear_down(state);
}

static void begin(const char *name)
{
    if (setlocale(LC_ALL, name) == NULL) {
        print_message("no locale %s, nor localedef to make it\n", name);
        skip();
    }
    assert_string_not_equal(localeconv()->decimal_point, ".");
}

/* The host's own is as it was. */
static void end(const char *name)
{
    assert_string_equal(setlocale(LC_ALL, NULL), name);
    assert_string_not_equal(localeconv()->decimal_point, ".");
    setlocale(LC_ALL, "C");
}

/* ---- The library ---------------------------------------------------------------------------- */

static const char scenario[] =
    "title: t\n"
    "laws: [{law: lzb, tolerance: 1e-8}, moreau]\n"
    "chain: {count: 3, velocity: [1.75], mass: [1.5, 2.5, 3.9], restitution: 0.5 + 0.25}\n";

static crm_status record(void *context, const crm_sample *sample)
{
    double *time = context;
    *time = sample->time;
    return CRM_OK;
}

/* Everything that is told of the scenario, one after the other; to be freed. */
static char *tell_all(void)
{
    crm_error error = {0};
    crm_scenario *read = NULL;
    const crm_source source = {.text = scenario, .length = strlen(scenario)};
    if (crm_scenario_load(&source, &read, &error) != CRM_OK) {
        fail_msg("%s", error.message);
    }
    const crm_model *model = crm_scenario_model(read);
    const double *velocity = crm_scenario_velocity(read);
    assert_true(velocity[0] == 1.75);
    assert_true(crm_model_mass(model, 2, 2) == 3.9);
    assert_true(crm_model_restitution(model)[1] == 0.75);
    const char *labels[2];
    const crm_settings *settings[2];
    const crm_outcome *outcomes[2];
    crm_outcome *made[2];
    double last = 0;
    for (size_t i = 0; i < 2; i++) {
        const crm_recorder recorder = {.context = &last, .record = record};
        labels[i] = crm_scenario_label(read, i);
        settings[i] = crm_scenario_settings(read, i);
        assert_int_equal(
            crm_solve(model, velocity, settings[i], i == 0 ? &recorder : NULL, &made[i], NULL),
            CRM_OK);
        outcomes[i] = made[i];
    }
    crm_report_def def = {.scenario = read,
                          .model = model,
                          .velocity = velocity,
                          .count = 2,
                          .labels = labels,
                          .settings = settings,
                          .outcomes = outcomes};
    char *all = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&all, &size);
    for (int form = CRM_REPORT_TABLE; form <= CRM_REPORT_CSV; form++) {
        char *text = NULL;
        assert_int_equal(crm_report_write(&def, (crm_report_form)form, &text, NULL), CRM_OK);
        fputs(text, stream);
        crm_text_free(text);
    }
    assert_true(last > 0);
    fclose(stream);
    crm_outcome_free(made[0]);
    crm_outcome_free(made[1]);
    crm_scenario_free(read);
    return all;
}

static void scenarios_and_reports_are_the_same(void **state)
{
    (void)state;
    setlocale(LC_ALL, "C");
    char *plain = tell_all();
    assert_non_null(strstr(plain, "1.75"));
    for (int k = 0; k < OTHERS; k++) {
        begin(others[k]);
        char *told = tell_all();
        end(others[k]);
        assert_string_equal(told, plain);
        free(told);
    }
    free(plain);
}

static void mistakes_are_told_in_the_same_words(void **state)
{
    (void)state;
    static const char wrong[] = "chain: {count: 3, velocity: [1.75], restitution: 1.25}\n";
    const crm_source source = {.text = wrong, .length = strlen(wrong)};
    for (int k = 0; k < OTHERS; k++) {
        crm_error error = {0};
        crm_scenario *read = NULL;
        begin(others[k]);
        assert_int_not_equal(crm_scenario_load(&source, &read, &error), CRM_OK);
        end(others[k]);
        assert_non_null(strstr(error.message, "1.25"));
    }
}

/* A study writes its values as text to put them into the scenario, and reads them again. */
static void studies_are_the_same(void **state)
{
    (void)state;
    static const char text[] = "laws: moreau\n"
                               "chain: {count: 2, velocity: [1.5], mass: [1.5, 2.25]}\n"
                               "sweep: {grid: {chain.restitution: [0.25, 0.75]}}\n";
    const crm_source source = {.text = text, .length = strlen(text)};
    for (int k = 0; k < OTHERS; k++) {
        crm_study *study = NULL;
        crm_error error = {0};
        begin(others[k]);
        if (crm_study_load(&source, (const char *const[]){"velocity[2]"}, 1, &study, &error) !=
            CRM_OK) {
            fail_msg("%s", error.message);
        }
        crm_study_table table;
        assert_int_equal(crm_study_solve_all(study, 1, NULL, &table, NULL), CRM_OK);
        char shown[32];
        crm_study_value_text(study, 1, 0, shown, sizeof shown);
        end(others[k]);
        assert_string_equal(shown, "0.75");
        for (size_t p = 0; p < 2; p++) { /* (1 + e) m1 v1 / (m1 + m2) */
            double e = crm_study_number(study, p, 0);
            assert_true(e == 0.25 + 0.5 * (double)p);
            assert_true(fabs(table.values[p] - (1 + e) * 1.5 * 1.5 / 3.75) < 1e-14);
        }
        crm_study_table_free(&table);
        crm_study_free(study);
    }
}

/* ---- The pair below ------------------------------------------------------------------------- */

/* Nothing is rounded twice, and nothing of the number is lost: seventeen digits give it back. */
static void numbers_are_written_and_read_back(void **state)
{
    (void)state;
    rng r = rng_seeded(12);
    for (int k = 0; k < OTHERS; k++) {
        begin(others[k]);
        for (int i = 0; i < 20000; i++) {
            double value = ldexp(rng_uniform(&r, -1, 1), (int)rng_uniform(&r, -900, 900));
            char text[64], *rest;
            crm_snprintf(text, sizeof text, "%.17g|", value);
            double back = crm_strtod(text, &rest);
            if (back != value || *rest != '|' || strpbrk(text, ",\xd9") != NULL) {
                fail_msg("%a is written %s", value, text);
            }
        }
        end(others[k]);
    }
}

static void *write_much(void *context)
{
    bool *right = context;
    for (int i = 0; i < 100000; i++) {
        char text[16];
        crm_snprintf(text, sizeof text, "%.2f", 0.25);
        *right = *right && strcmp(text, "0.25") == 0;
    }
    return NULL;
}

/* A thread that writes does not take the comma from another. */
static void other_threads_keep_their_comma(void **state)
{
    (void)state;
    bool right = true;
    pthread_t thread;
    begin(others[0]);
    assert_int_equal(pthread_create(&thread, NULL, write_much, &right), 0);
    for (int i = 0; i < 100000; i++) {
        char text[16];
        snprintf(text, sizeof text, "%.2f", 0.25);
        if (strcmp(text, "0,25") != 0) {
            fail_msg("'%s'", text);
        }
    }
    pthread_join(thread, NULL);
    end(others[0]);
    assert_true(right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenarios_and_reports_are_the_same),
        cmocka_unit_test(mistakes_are_told_in_the_same_words),
        cmocka_unit_test(studies_are_the_same),
        cmocka_unit_test(numbers_are_written_and_read_back),
        cmocka_unit_test(other_threads_keep_their_comma),
    };
    return cmocka_run_group_tests(tests, make_locales, end_locales);
}
