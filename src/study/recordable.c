/* What studies can record of an impact, and of a motion. */
#include <math.h>

#include "study/recorded.h"

/* ---- An impact ------------------------------------------------------------------------------ */

static const char *impact_name(size_t field)
{
    return crm_outcome_field_at(field)->name;
}

static bool impact_is_list(size_t field)
{
    return crm_outcome_field_at(field)->of != CRM_OF_IMPACT;
}

static bool impact_is_number(size_t field)
{
    return crm_outcome_field_at(field)->kind == CRM_FIELD_NUMBER;
}

static size_t impact_count(size_t field, const void *of)
{
    return crm_field_count(crm_outcome_field_at(field), ((const crm_impact *)of)->model);
}

static void impact_entry(size_t field, const void *of, size_t index, char *text, size_t size)
{
    const crm_model *model = ((const crm_impact *)of)->model;
    crm_field_entry_name(crm_outcome_field_at(field), model, index, text, size);
}

static double impact_value(size_t field, const void *of, size_t index)
{
    const crm_impact *impact = of;
    return impact->outcome != NULL ? crm_field_value(crm_outcome_field_at(field), impact, index)
                                   : NAN;
}

static double impact_near(const void *of, double closeness)
{
    const crm_impact *impact = of;
    return impact->outcome != NULL && impact->first != NULL
               ? (double)crm_measure_near(impact->model, impact->outcome->velocity,
                                          impact->first->velocity, closeness)
               : NAN;
}

const crm_recordable crm_recordable_impact = {.of = "an outcome",
                                              .example = "peak_force",
                                              .fields = crm_outcome_fields,
                                              .name = impact_name,
                                              .is_list = impact_is_list,
                                              .is_number = impact_is_number,
                                              .count = impact_count,
                                              .entry = impact_entry,
                                              .value = impact_value,
                                              .near = impact_near};

/* ---- A motion ------------------------------------------------------------------------------- */

static const char *motion_name(size_t field)
{
    return crm_motion_field_at(field)->name;
}

static bool motion_is_list(size_t field)
{
    return crm_motion_field_at(field)->of != CRM_OF_MOTION;
}

static bool motion_is_number(size_t field)
{
    return crm_motion_field_at(field)->kind == CRM_FIELD_NUMBER;
}

static size_t motion_count(size_t field, const void *of)
{
    return crm_motion_field_count(crm_motion_field_at(field),
                                  ((const crm_motion_state *)of)->scene);
}

static void motion_entry(size_t field, const void *of, size_t index, char *text, size_t size)
{
    const crm_scene_def *scene = ((const crm_motion_state *)of)->scene;
    crm_motion_entry_name(crm_motion_field_at(field), scene, index, text, size);
}

static double motion_value(size_t field, const void *of, size_t index)
{
    const crm_motion_state *moved = of;
    return moved->position != NULL ? crm_motion_field_at(field)->value(moved, index) : NAN;
}

const crm_recordable crm_recordable_motion = {.of = "a motion",
                                              .example = "velocity",
                                              .fields = crm_motion_fields,
                                              .name = motion_name,
                                              .is_list = motion_is_list,
                                              .is_number = motion_is_number,
                                              .count = motion_count,
                                              .entry = motion_entry,
                                              .value = motion_value};
