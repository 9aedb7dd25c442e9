/* A motion as JSON: the layout that programs rely on. */
#include "base/base.h"
#include "model/touches.h"
#include "report/json.h"
#include "report/motion.h"

static json_t *numbers(const double *values, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        crm_json_add(&array, crm_json_number(values[i]));
    }
    return array;
}

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

static json_t *energy(const crm_motion_account *account)
{
    const struct {
        const char *key;
        double value;
    } parts[] = {{"kinetic_before", account->kinetic_before},
                 {"potential_before", account->potential_before},
                 {"kinetic_after", account->kinetic_after},
                 {"potential_after", account->potential_after},
                 {"lost", account->lost},
                 {"work", account->work},
                 {"error", account->error}};
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        crm_json_put(&object, parts[i].key, crm_json_number(parts[i].value));
    }
    return object;
}

static json_t *whole(const crm_motion_report *report)
{
    const crm_motion_summary *s = &report->summary;
    json_t *object = json_object();
    crm_json_put(&object, "carom", json_string(crm_version()));
    crm_json_put(&object, "title", json_string(report->title));
    crm_json_put(&object, "scheme", json_string(crm_motion_scheme_text(report->scheme)));
    crm_json_put(&object, "law", json_string(report->law));
    crm_json_put(&object, "time", crm_json_number(report->time));
    crm_json_put(&object, "stopped", json_string(crm_motion_stop_text(report->stopped)));
    if (report->stopped == CRM_STOP_FAILED) {
        crm_json_put(&object, "reason", json_string(report->reason));
    }
    crm_json_put(&object, "bodies", names(report->scene));
    crm_json_put(&object, "position",
                 numbers(report->position, crm_scene_positions(report->scene)));
    crm_json_put(&object, "velocity",
                 numbers(report->velocity, crm_scene_velocities(report->scene)));
    crm_json_put(&object, "impacts", json_integer((json_int_t)s->impacts));
    crm_json_put(&object, "at_rest_since", crm_json_number(s->at_rest_since));
    crm_json_put(&object, "max_penetration", crm_json_number(s->max_penetration));
    crm_json_put(&object, "energy", energy(&s->energy));
    return object;
}

crm_status crm_motion_report_json(const crm_motion_report *report, FILE *stream, crm_error *error)
{
    return crm_json_print(whole(report), stream, error);
}
