#include "scenario_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

crm_scenario *read_with(const char *text, const char *const *sets, size_t count,
                        crm_read_error *error)
{
    crm_yaml_limits limits = crm_yaml_limits_default();
    crm_tree *tree = NULL;
    crm_scenario *scenario = NULL;
    crm_status status = crm_yaml_parse(text, strlen(text), "s.yaml", &limits, &tree, error);
    for (size_t i = 0; i < count && status == CRM_OK; i++) {
        status = crm_yaml_set(tree, sets[i], error);
    }
    if (status == CRM_OK) {
        status = crm_scenario_from_tree(tree, &scenario, error);
    }
    if (status != CRM_OK) {
        crm_tree_free(tree);
    }
    return scenario;
}

crm_scenario *good_with(const char *text, const char *set)
{
    static crm_read_error error;
    crm_scenario *scenario = read_with(text, &set, set != NULL ? 1 : 0, &error);
    if (scenario == NULL) {
        print_error("%s\n", error.text);
    }
    assert_non_null(scenario);
    return scenario;
}

crm_scenario *good(const char *text)
{
    return good_with(text, NULL);
}

void refused_with(const char *text, const char *set, const char *complaint)
{
    static crm_read_error error;
    error.text[0] = '\0';
    crm_scenario *scenario = read_with(text, &set, set != NULL ? 1 : 0, &error);
    if (scenario != NULL) {
        crm_scenario_free(scenario);
        print_error("accepted: %s\n", text);
        fail();
    }
    assert_string_equal(error.text, complaint);
}

void refuse_all(const refusal *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        refused_with(cases[i].text, NULL, cases[i].complaint);
    }
}
