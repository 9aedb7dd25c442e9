/* The grid of a study: lists and ranges, one factor each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "scenario/number/number.h"
#include "study/parts.h"

#include "base/elementary.h"

/* ---- Values --------------------------------------------------------------------------------- */

static double linear(const crm_axis *axis, size_t index)
{
    double last = (double)(axis->count - 1), right = (double)index;
    return (axis->from * (last - right) + axis->to * right) / last;
}

/* By powers of ten, so that decades come out as such. Both ends may be negative. */
static double logarithmic(const crm_axis *axis, size_t index)
{
    double last = (double)(axis->count - 1), right = (double)index;
    double from = crm_log10(fabs(axis->from)), to = crm_log10(fabs(axis->to));
    return copysign(crm_pow(10, (from * (last - right) + to * right) / last), axis->from);
}

/* To 15 digits, which every number keeps: 0.8 to 1 in 41 steps meets 0.85 and 0.9 exactly as they
 * would be read from a file, and not a rounding beside them.
 */
static double rounded(double value)
{
    char text[32];
    crm_snprintf(text, sizeof text, "%.15g", value);
    return crm_strtod(text, NULL);
}

double crm_grid_number(const crm_axis *axis, size_t index)
{
    double value = NAN;
    if (axis->kind == CRM_AXIS_LIST) {
        (void)crm_number_value(axis->items[index], &value);
        return value;
    }
    if (index == 0 || index + 1 == axis->count) {
        return index == 0 ? axis->from : axis->to;
    }
    return rounded(axis->kind == CRM_AXIS_LOG ? logarithmic(axis, index) : linear(axis, index));
}

/* ---- Reading -------------------------------------------------------------------------------- */

enum { CRM_RANGE_FIELDS(CRM_FIELD_INDEX) RANGE_FIELDS };

static crm_status check_log(crm_reader *reader, const crm_node *node, const crm_axis *axis)
{
    bool same_side = (axis->from > 0 && axis->to > 0) || (axis->from < 0 && axis->to < 0);
    return same_side ? CRM_OK
                     : crm_reader_fail(reader, node,
                                       "goes from %g to %g; a logarithmic range must not reach 0",
                                       axis->from, axis->to);
}

static crm_status read_steps(crm_reader *reader, const crm_node *node, crm_axis *axis)
{
    crm_status status = crm_reader_count(reader, node, CRM_POINTS_MOST, &axis->count);
    if (status == CRM_OK && axis->count < 2) {
        status = crm_reader_fail_value(reader, node, "at least 2, both ends included");
    }
    return status;
}

static crm_status read_range(crm_reader *reader, const crm_node *node, crm_axis *axis)
{
    static const char *const scales[] = {"linear", "log"};
    const crm_node *fields[RANGE_FIELDS];
    size_t scale = 0;
    crm_status status = crm_reader_block(reader, node, CRM_BLOCK_RANGE, fields);
    for (size_t i = 0; i < RANGE_SCALE && status == CRM_OK; i++) {
        if (fields[i] == NULL) {
            status = crm_reader_fail_missing(reader, node,
                                             crm_block_at(CRM_BLOCK_RANGE)->fields[i].name);
        }
    }
    if (status == CRM_OK) {
        status = crm_reader_number(reader, fields[RANGE_FROM], &axis->from);
    }
    if (status == CRM_OK) {
        status = crm_reader_number(reader, fields[RANGE_TO], &axis->to);
    }
    if (status == CRM_OK) {
        status = crm_mistakes_pass(reader, read_steps(reader, fields[RANGE_STEPS], axis));
    }
    if (status == CRM_OK && fields[RANGE_SCALE] != NULL) {
        status = crm_reader_choice(reader, fields[RANGE_SCALE], scales, CRM_COUNT(scales), &scale);
    }
    axis->kind = scale == 1 ? CRM_AXIS_LOG : CRM_AXIS_LINEAR;
    return status == CRM_OK && scale == 1 && !crm_mistakes_any(reader)
               ? check_log(reader, node, axis)
               : status;
}

static crm_status read_axis(crm_reader *reader, crm_node *const *place, crm_axis *axis)
{
    const crm_node *node = *place;
    if (node->kind == CRM_NODE_MAPPING) {
        return read_range(reader, node, axis);
    }
    bool list = node->kind == CRM_NODE_SEQUENCE;
    axis->kind = CRM_AXIS_LIST;
    axis->count = list ? node->count : 1;
    axis->items = list ? node->items : place;
    return axis->count > 0
               ? CRM_OK
               : crm_reader_fail(reader, node, "has no values; give a list, or {from, to, steps}");
}

/* "chain.restitution, chain.wall.restitution": fields that move together. */
static crm_status add_fields(crm_reader *reader, const crm_node *key, size_t axis, crm_study *study)
{
    const char *at = key->text;
    for (;;) {
        at += strspn(at, " ");
        size_t length = strcspn(at, ","), next = length + (at[length] == ',');
        bool more = at[length] == ',';
        while (length > 0 && at[length - 1] == ' ') {
            length--;
        }
        if (length == 0) {
            return crm_reader_fail_value(reader, key,
                                         "a field of the scenario, or several with commas");
        }
        crm_varied *field = crm_study_add_varied(study);
        char *path = crm_arena_text(&study->tree->arena, at, length);
        if (field == NULL || path == NULL) {
            return crm_reader_fail_memory(reader);
        }
        *field = (crm_varied){.name = path, .path = path, .node = key, .axis = axis};
        if (!more) {
            return CRM_OK;
        }
        at += next;
    }
}

crm_status crm_study_read_grid(crm_reader *reader, const crm_node *node, crm_study *study)
{
    if (node->kind != CRM_NODE_MAPPING || node->count == 0) {
        return crm_reader_fail_value(reader, node,
                                     "a mapping of fields, such as chain.restitution, "
                                     "to lists or ranges");
    }
    study->axes = CRM_ARENA_NEW(&study->tree->arena, crm_axis, node->count);
    if (study->axes == NULL) {
        return crm_reader_fail_memory(reader);
    }
    study->axis_count = node->count;
    crm_status status = CRM_OK;
    for (size_t i = 0; i < node->count && status == CRM_OK; i++) {
        status = crm_mistakes_pass(reader, read_axis(reader, &node->items[i], &study->axes[i]));
        if (status == CRM_OK) {
            status = crm_mistakes_pass(reader, add_fields(reader, node->keys[i], i, study));
        }
    }
    if (crm_mistakes_any(reader)) {
        return status;
    }
    /* The last one changes fastest. */
    for (size_t i = node->count; i-- > 0 && status == CRM_OK;) {
        study->axes[i].stride = study->grid_points;
        if (study->grid_points > CRM_POINTS_MOST / study->axes[i].count) {
            return crm_reader_fail(reader, node, "has more than %d points", CRM_POINTS_MOST);
        }
        study->grid_points *= study->axes[i].count;
    }
    return status;
}
