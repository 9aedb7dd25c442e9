/* A motion as JSON. Programs rely on its layout. */
#include "report/json.h"
#include <string.h>

#include "base/base.h"
#include "model/bodies/touches.h"
#include "report/motion/json.h"

static json_t *names(const crm_scene_def *scene, const crm_scene_subset *subset)
{
    json_t *array = json_array();
    size_t count = subset != NULL ? subset->body_count : scene->bodies.body_count;
    for (size_t i = 0; i < count; i++) {
        char name[CRM_NAME_SIZE];
        crm_bodies_party_name(&scene->bodies, subset != NULL ? subset->bodies[i] : i, name,
                              sizeof name);
        crm_json_add(&array, json_string(name));
    }
    return array;
}

/* Whether an entry of a field belongs to the subset: the lists of translations and of rotations are
 * searched from place[0] and place[1] on.
 */
static bool is_in_subset(const crm_scene_subset *subset, bool velocity, size_t index,
                         size_t place[2])
{
    if (subset == NULL) {
        return true;
    }
    const size_t counts[2] = {velocity ? subset->velocity_count : subset->translation_count,
                              velocity ? subset->spin_count : subset->rotation_count};
    const size_t *const lists[2] = {velocity ? subset->velocities : subset->translations,
                                    velocity ? subset->spins : subset->rotations};
    for (size_t k = 0; k < 2; k++) {
        if (place[k] < counts[k] && lists[k][place[k]] == index) {
            place[k]++;
            return true;
        }
    }
    return false;
}

static json_t *value_of(const crm_motion_field *field, const crm_motion_state *moved,
                        const crm_scene_subset *subset)
{
    if (field->kind == CRM_FIELD_COUNT) {
        return json_integer((json_int_t)field->value(moved, 0));
    }
    if (field->of == CRM_OF_MOTION) {
        return crm_json_number(field->value(moved, 0));
    }
    json_t *array = json_array();
    size_t count = crm_motion_field_count(field, moved->scene), place[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        if (is_in_subset(subset, field->of == CRM_OF_VELOCITY, i, place)) {
            crm_json_add(&array, crm_json_number(field->value(moved, i)));
        }
    }
    return array;
}

/* "energy.lost" is `lost` of `energy`. */
static void put_fields(json_t **object, json_t **energy, const crm_motion_report *report)
{
    for (size_t i = 0; i < crm_motion_fields(); i++) {
        const crm_motion_field *field = crm_motion_field_at(i);
        const char *dot = strchr(field->name, '.');
        if (field->json) {
            crm_json_put(dot != NULL ? energy : object, dot != NULL ? dot + 1 : field->name,
                         value_of(field, &report->moved, report->subset));
        }
    }
}

/* Where there are any. */
static void put_notes(json_t **object, const crm_motion_report *report)
{
    char warning[CRM_WARNING_SIZE];
    bool warned = crm_motion_warning(&report->moved, warning, sizeof warning);
    json_t *notes = report->warnings != NULL ? crm_json_warnings(report->warnings) : json_array();
    if (warned) {
        crm_json_add(&notes, json_string(warning));
    }
    if (warned || (report->warnings != NULL && report->warnings->count > 0)) {
        crm_json_put(object, "notes", notes);
    } else {
        json_decref(notes);
    }
}

json_t *crm_motion_object(const crm_motion_report *report)
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
    put_notes(&object, report);
    crm_json_put(&object, "bodies", names(report->moved.scene, report->subset));
    put_fields(&object, &energy, report);
    crm_json_put(&object, "energy", energy);
    return object;
}

crm_status crm_motion_report_json(const crm_motion_report *report, FILE *stream, crm_error *error)
{
    return crm_json_print(crm_motion_object(report), stream, error);
}
