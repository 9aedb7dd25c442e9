/* The sweep block must survive any bytes: a study whose every value can be asked for, or a
 * complaint.
 *
 * The input is what stands below `sweep:` in one small scenario; the first byte says whether it is
 * of an impact or of a motion, which have other quantities. Nothing is solved.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "study/parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char scenario[] = "laws: [lzb, {law: lzb, label: mono}]\n"
                               "chain: {count: 3, mass: [1, 2, 3], restitution: 0.9}\n";

static void require_values(const crm_study *study)
{
    enum { FIELDS_MOST = 16 };
    const size_t points[] = {0, study->points / 2, study->points - 1};
    for (size_t i = 0; i < crm_study_fields(study) && i < FIELDS_MOST; i++) {
        if (crm_study_field(study, i)[0] == '\0') {
            abort();
        }
        crm_study_is_numeric(study, i);
        for (size_t k = 0; k < sizeof points / sizeof points[0]; k++) {
            crm_study_value value = crm_study_value_at(study, points[k], i);
            if (value.node == NULL && isnan(value.number) && study->fields[i].axis != SIZE_MAX) {
                abort();
            }
        }
    }
}

static void require_study(const crm_study *study)
{
    if (study->points == 0 || study->points != study->grid_points * study->draws ||
        study->points > CRM_POINTS_MOST || study->field_count == 0) {
        abort();
    }
    require_values(study);
}

static void read_sweep(crm_tree *tree, const char *text, bool moves, crm_read_error *error)
{
    crm_study study = {.tree = tree,
                       .moves = moves,
                       .recordable = moves ? &crm_recordable_motion : &crm_recordable_impact};
    crm_reader reader = {.tree = tree, .error = error};
    crm_node *node = NULL;
    crm_status status = crm_yaml_parse_value(tree, text, "sweep", &node, error);
    if (status == CRM_OK) {
        status = crm_study_read_sweep(&reader, node, &study);
    }
    if (status == CRM_OK) {
        require_study(&study);
    } else if (error->status == CRM_OK || strstr(error->text, ": ") == NULL) {
        abort();
    }
    crm_arena_free(&reader.scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static crm_read_error error;
    const crm_yaml_limits limits = {.depth = CRM_DEPTH_MOST, .nodes = 1000, .bodies = 10};
    crm_tree *tree = NULL;
    char *text = size > 0 ? malloc(size) : NULL;
    if (text == NULL) {
        return 0;
    }
    error.status = CRM_OK;
    error.text[0] = '\0';
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    if (crm_yaml_parse(scenario, sizeof scenario - 1, "fuzz", &limits, &tree, &error) != CRM_OK) {
        abort();
    }
    read_sweep(tree, text, data[0] % 2 == 1, &error);
    crm_tree_free(tree);
    free(text);
    return 0;
}
