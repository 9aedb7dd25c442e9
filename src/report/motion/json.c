/* A motion as JSON: the layout that programs rely on. */
#include "report/json.h"
#include <string.h>

#include "base/base.h"
#include "model/bodies/touches.h"
#include "report/motion.h"

static json_t *names(const crm_scene_def *scene)
{
    json_t *array = json_array();
    for (size_t i = 0; i < scene->bodies.body_count; i++) {
        char name[CRM_NAME_SIZE];
        crm_party_name(&scene->bodies, i, name, sizeof name);
        crm_json_add(&array, json_string(name));
    }
    return array;
}

static json_t *value_of(const crm_motion_field *field, const crm_moved *moved)
{
    if (field->kind == CRM_FIELD_COUNT) {
        return json_integer((json_int_t)field->value(moved, 0));
    }
    if (field->of == CRM_OF_MOTION) {
        return crm_json_number(field->value(moved, 0));
    }
    json_t *array = json_array();
    size_t count = crm_motion_field_count(field, moved->scene);
    for (size_t i = 0; i < count; i++) {
        crm_json_add(&array, crm_json_number(field->value(moved, i)));
    }
    return array;
}

/* "energy.lost" is `lost` of `energy`. */
static void put_fields(json_t **object, json_t **energy, const crm_moved *moved)
{
    for (size_t i = 0; i < crm_motion_fields(); i++) {
        const crm_motion_field *field = crm_motion_field_at(i);
        const char *dot = strchr(field->name, '.');
        if (field->json) {
            crm_json_put(dot != NULL ? energy : object, dot != NULL ? dot + 1 : field->name,
                         value_of(field, moved));
        }
    }
}

static json_t *whole(const crm_motion_report *report)
{
    json_t *object = json_object(), *energy = json_object();
    crm_json_put(&object, "carom", json_string(crm_version()));
    crm_json_put(&object, "title", json_string(report->title));
    crm_json_put(&object, "scheme", json_string(crm_motion_scheme_text(report->scheme)));
    crm_json_put(&object, "law", json_string(report->law));
    crm_json_put(&object, "stopped", json_string(crm_motion_stop_text(report->moved.stopped)));
    if (report->moved.stopped == CRM_STOP_FAILED) {
        crm_json_put(&object, "reason", json_string(report->reason));
    }
    if (report->doubts != NULL && report->doubts->count > 0) {
        crm_json_put(&object, "notes", crm_json_doubts(report->doubts));
    }
    crm_json_put(&object, "bodies", names(report->moved.scene));
    put_fields(&object, &energy, &report->moved);
    crm_json_put(&object, "energy", energy);
    return object;
}

crm_status crm_motion_report_json(const crm_motion_report *report, FILE *stream, crm_error *error)
{
    return crm_json_print(whole(report), stream, error);
}
