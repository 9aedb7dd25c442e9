/* The reader must survive any bytes: a complaint or a scenario, nothing else.
 *
 * The input is a scenario; after a NUL byte, --set assignments may follow, one per NUL. Inputs of
 * odd length are read for a motion, the others for an impact.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Small enough that a number in the input cannot ask for minutes or gigabytes. */
static crm_yaml_limits fuzz_limits(void)
{
    crm_yaml_limits limits = crm_yaml_limits_default();
    limits.nodes = 2000;
    limits.bodies = 100;
    return limits;
}

/* A complaint says where and what; an error that says nothing is a bug as well. */
static void require_complaint(const crm_read_error *error)
{
    if (error->status == CRM_OK || strstr(error->text, ": ") == NULL ||
        (error->more[0] != '\0' && strstr(error->more, ": ") == NULL)) {
        abort();
    }
}

static crm_status apply_sets(crm_tree *tree, const char *at, const char *end, crm_read_error *error)
{
    crm_status status = CRM_OK;
    while (at < end && status == CRM_OK) {
        status = crm_yaml_set(tree, at, error);
        at += strlen(at) + 1;
    }
    return status;
}

static void require_consistent(const crm_scenario *scenario)
{
    if (scenario->motion != NULL) {
        if (!(scenario->motion->duration > 0) || scenario->velocity == NULL ||
            scenario->motion->scene.bodies.body_count == 0) {
            abort();
        }
        return;
    }
    if (scenario->model == NULL || scenario->velocity == NULL || scenario->law_count == 0 ||
        crm_model_coordinates(scenario->model) == 0) {
        abort();
    }
}

static crm_status read_tree(crm_tree *tree, bool moves, crm_scenario **scenario,
                            crm_read_error *error)
{
    return moves ? crm_scenario_motion_from_tree(tree, scenario, error)
                 : crm_scenario_from_tree(tree, scenario, error);
}

/* Where nobody is told, the first mistake ends the reading: the same must be refused. */
static crm_status read_untold(crm_tree *tree, bool moves)
{
    crm_scenario *scenario = NULL;
    crm_status status = read_tree(tree, moves, &scenario, NULL);
    if (status == CRM_OK) {
        scenario->tree = NULL; /* it is read once more */
        crm_scenario_free(scenario);
    }
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static crm_read_error error;
    error = (crm_read_error){0};
    crm_yaml_limits limits = fuzz_limits();
    crm_tree *tree = NULL;
    crm_scenario *scenario = NULL;
    char *text = malloc(size + 1);
    if (text == NULL) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    size_t length = strlen(text);
    crm_status status = crm_yaml_parse(text, length, "fuzz", &limits, &tree, &error);
    if (status == CRM_OK) {
        status = apply_sets(tree, text + length + 1, text + size, &error);
    }
    if (status == CRM_OK) {
        bool moves = size % 2 == 1;
        crm_status untold = read_untold(tree, moves);
        status = read_tree(tree, moves, &scenario, &error);
        if ((status == CRM_OK) != (untold == CRM_OK)) {
            abort();
        }
    }
    if (status != CRM_OK) {
        require_complaint(&error);
        crm_tree_free(tree);
    } else {
        require_consistent(scenario);
        crm_scenario_free(scenario);
    }
    free(text);
    return 0;
}
