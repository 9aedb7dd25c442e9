/* The values of a law's options, asked for by name. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "carom/carom.h"
#include "support.h"

static crm_settings *settings_of(const char *law)
{
    crm_settings *settings = NULL;
    crm_error error = {0};
    assert_ok(crm_settings_create(crm_law_find(law), &settings, &error), &error);
    return settings;
}

static double number_of(const crm_settings *settings, const char *name)
{
    double value = 0;
    crm_error error = {0};
    assert_ok(crm_settings_get_number(settings, name, &value, &error), &error);
    return value;
}

static void assert_text(const crm_settings *settings, const char *name, const char *wanted)
{
    char text[64];
    crm_error error = {0};
    assert_ok(crm_settings_get_text(settings, name, text, sizeof text, &error), &error);
    assert_string_equal(text, wanted);
}

/* What the description says holds until something else is said. */
static void test_defaults_are_those_of_the_description(void **state)
{
    (void)state;
    for (size_t i = 0; i < crm_law_count(); i++) {
        const crm_law *law = crm_law_at(i);
        crm_settings *settings = settings_of(law->name);
        for (size_t k = 0; k < law->parameter_count; k++) {
            const crm_parameter *p = &law->parameters[k];
            size_t count = 1;
            const double *values = NULL;
            char first[64];
            switch (p->kind) {
            case CRM_PARAMETER_CHOICE:
                snprintf(first, sizeof first, "%.*s", (int)strcspn(p->choices, "|"), p->choices);
                assert_text(settings, p->name, first);
                break;
            case CRM_PARAMETER_LIST:
            case CRM_PARAMETER_MATRIX:
                assert_int_equal(crm_settings_get_list(settings, p->name, &count, &values, NULL),
                                 CRM_OK);
                assert_int_equal(count, 0);
                assert_null(values);
                break;
            default:
                assert_true(number_of(settings, p->name) == p->standard || isnan(p->standard));
            }
        }
        crm_settings_free(settings);
    }
}

static void test_what_was_set_is_got(void **state)
{
    (void)state;
    crm_settings *settings = settings_of("lzb");
    assert_int_equal(crm_settings_set_number(settings, "tolerance", 1e-7, NULL), CRM_OK);
    assert_int_equal(crm_settings_set_text(settings, "stiffness_model", "mono", NULL), CRM_OK);
    assert_int_equal(crm_settings_set_text(settings, "scheme", "time-euler", NULL), CRM_OK);
    assert_near(number_of(settings, "tolerance"), 1e-7, 0);
    assert_text(settings, "stiffness_model", "mono");
    assert_text(settings, "scheme", "time-euler");
    char cut[5];
    assert_int_equal(crm_settings_get_text(settings, "scheme", cut, sizeof cut, NULL), CRM_OK);
    assert_string_equal(cut, "time");
    crm_settings_free(settings);

    const double ratios[] = {1, 0.5, 0.25};
    const double *values = NULL;
    size_t count = 0;
    settings = settings_of("impulse-ratio");
    assert_int_equal(crm_settings_set_list(settings, "ratios", 3, ratios, NULL), CRM_OK);
    assert_int_equal(crm_settings_get_list(settings, "ratios", &count, &values, NULL), CRM_OK);
    assert_int_equal(count, 3);
    assert_all_near(values, ratios, 3, 0);
    crm_settings_free(settings);
}

static void test_mistakes_are_told(void **state)
{
    (void)state;
    crm_settings *settings = settings_of("lzb");
    crm_error error = {0};
    double value = 7;
    char text[8] = "before";
    size_t count = 7;
    const double *values = &value;
    assert_int_equal(crm_settings_get_number(settings, "tolerence", &value, &error),
                     CRM_ERROR_OPTION);
    assert_non_null(strstr(error.message, "did you mean 'tolerance'"));
    assert_int_equal(crm_settings_get_number(settings, "restituton", &value, &error),
                     CRM_ERROR_OPTION);
    assert_non_null(strstr(error.message, "law lzb has no option 'restituton'; there are "));
    assert_null(strstr(error.message, "did you mean"));
    assert_int_equal(crm_settings_get_number(settings, "scheme", &value, &error),
                     CRM_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "scheme is a text"));
    assert_int_equal(crm_settings_get_text(settings, "tolerance", text, sizeof text, &error),
                     CRM_ERROR_ARGUMENT);
    assert_int_equal(crm_settings_get_list(settings, "tolerance", &count, &values, &error),
                     CRM_ERROR_ARGUMENT);
    assert_int_equal(crm_settings_get_number(settings, "tolerance", NULL, &error),
                     CRM_ERROR_ARGUMENT);
    assert_int_equal(crm_settings_get_number(NULL, "tolerance", &value, &error),
                     CRM_ERROR_ARGUMENT);
    assert_near(value, 7, 0);
    assert_string_equal(text, "before");
    crm_settings_free(settings);
}

static void test_versions_can_be_compared(void **state)
{
    (void)state;
    char text[32];
    int number = crm_version_number();
    snprintf(text, sizeof text, "%d.%d.%d", number / 10000, number / 100 % 100, number % 100);
    size_t numbers = strlen(text);
    assert_memory_equal(crm_version(), text, numbers);
    char after = crm_version()[numbers];
    assert_true(after == '\0' || after == '-'); /* a release, or before it: semver.org */
    assert_int_equal(number, CRM_VERSION_NUMBER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_are_those_of_the_description),
        cmocka_unit_test(test_what_was_set_is_got),
        cmocka_unit_test(test_mistakes_are_told),
        cmocka_unit_test(test_versions_can_be_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
