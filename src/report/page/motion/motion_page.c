#include "report/page/motion/motion_page.h"

#include "base/base.h"
#include "model/bodies/bodies.h"
#include "model/bodies/touches.h"
#include "report/json.h"
#include "report/motion/json.h"
#include "report/page/assets.h"
#include "report/page/parts.h"

/* Numbers of the frames (more of them where they are rounded), and impacts and their contacts, that
 * a page has room for. */
static const size_t NUMBERS_MOST = 400000, SHORT_NUMBERS_MOST = 560000;
enum { IMPACTS_MOST = 2048, CONTACTS_MOST = 6000 };

static const unsigned char *const SCRIPTS[] = {crm_asset_uPlot_iife_min_js, crm_asset_common_js,
                                               crm_asset_chart_js,          crm_asset_scene_js,
                                               crm_asset_motion_js,         NULL};

/* ---- The scene ------------------------------------------------------------------------------- */

static json_t *suspension_object(const crm_suspension *bob)
{
    json_t *object = json_object();
    crm_json_put(&object, "from", crm_shapes_list(bob->from, 2));
    crm_json_put(&object, "length", crm_json_number(bob->length));
    return object;
}

static json_t *body_objects(const crm_scene_def *scene, const crm_scene_subset *subset)
{
    json_t *array = json_array();
    size_t place;
    for (crm_scene_walk walk = {.scene = scene}; walk.body < scene->bodies.body_count;
         crm_scene_skip(&walk)) {
        const crm_body_def *body = &scene->bodies.bodies[walk.body];
        if (!crm_scene_subset_has(subset, walk.body, &place)) {
            continue;
        }
        json_t *object = crm_shapes_body(body, scene->bodies.dimension);
        if (body->fixed) {
            crm_json_put(&object, "fixed", json_true());
        } else if (crm_scene_bob(&walk) != NULL) {
            crm_json_put(&object, "suspension", suspension_object(crm_scene_bob(&walk)));
        } else if (crm_body_turns(body) > 0) {
            crm_json_put(&object, "turns", json_integer(crm_body_turns(body)));
        }
        crm_json_add(&array, object);
    }
    return array;
}

static json_t *wall_objects(const crm_scene_def *scene)
{
    json_t *array = json_array();
    unsigned dimension = scene->bodies.dimension;
    for (size_t k = 0; k < scene->bodies.wall_count; k++) {
        json_t *object = crm_shapes_wall(&scene->bodies.walls[k], dimension);
        crm_json_put(&object, "velocity",
                     crm_shapes_list(scene->bodies.walls[k].velocity, dimension));
        if (scene->wall_motion != NULL && scene->wall_motion[k].amplitude != 0) {
            const crm_wall_motion *motion = &scene->wall_motion[k];
            crm_json_put(&object, "amplitude", crm_json_number(motion->amplitude));
            crm_json_put(&object, "frequency", crm_json_number(motion->frequency));
            crm_json_put(&object, "phase", crm_json_number(motion->phase));
        }
        crm_json_add(&array, object);
    }
    return array;
}

/* Those between bodies of the subset; the second end is a body's index there, or a point. */
static json_t *spring_objects(const crm_scene_def *scene, const crm_scene_subset *subset)
{
    json_t *array = json_array();
    for (size_t k = 0; k < scene->spring_count; k++) {
        const crm_spring_def *spring = &scene->springs[k];
        size_t first, second;
        bool fixed = spring->second == SIZE_MAX;
        if (!crm_scene_subset_has(subset, spring->first, &first) ||
            (!fixed && !crm_scene_subset_has(subset, spring->second, &second))) {
            continue;
        }
        json_t *object = json_object();
        crm_json_put(&object, "first", json_integer((json_int_t)first));
        if (fixed) {
            crm_json_put(&object, "point", crm_shapes_list(spring->point, scene->bodies.dimension));
        } else {
            crm_json_put(&object, "second", json_integer((json_int_t)second));
        }
        crm_json_add(&array, object);
    }
    return array;
}

static json_t *scene_object(const crm_scene_def *scene, const crm_scene_subset *subset)
{
    unsigned dimension = scene->bodies.dimension;
    json_t *object = json_object();
    crm_json_put(&object, "dimension", json_integer(dimension));
    crm_json_put(&object, "gravity", crm_shapes_list(scene->gravity, dimension));
    crm_json_put(&object, "bodies", body_objects(scene, subset));
    crm_json_put(&object, "fixed", json_array());
    crm_json_put(&object, "contacts", json_array());
    crm_json_put(&object, "walls", wall_objects(scene));
    crm_json_put(&object, "springs", spring_objects(scene, subset));
    return object;
}

/* ---- Impacts --------------------------------------------------------------------------------- */

static json_t *pair(const crm_scene_def *scene, const size_t party[2])
{
    json_t *array = json_array();
    for (int side = 0; side < 2; side++) {
        char name[CRM_NAME_SIZE];
        crm_bodies_party_name(&scene->bodies, party[side], name, sizeof name);
        crm_json_add(&array, json_string(name));
    }
    return array;
}

/* The names of the files of --impacts; null where a peak force is not known. */
static json_t *impact_object(const crm_scene_def *scene, const crm_kept_impacts *b,
                             const crm_kept_impact *kept_impact)
{
    json_t *object = json_object(), *contacts = json_array(), *names = json_array(),
           *closing = json_array(), *impulse = json_array(), *peak = json_array();
    for (size_t k = kept_impact->first; k < kept_impact->first + kept_impact->kept; k++) {
        const crm_kept_contact *contact = &b->contacts[k];
        char name[2 * CRM_NAME_SIZE + 32];
        crm_impact_contact_name(scene, contact->party, contact->place, name, sizeof name);
        crm_json_add(&contacts, pair(scene, contact->party));
        crm_json_add(&names, json_string(name));
        crm_json_add(&closing, crm_json_number(contact->closing_speed));
        crm_json_add(&impulse, crm_json_number(contact->impulse));
        crm_json_add(&peak, crm_json_number(contact->peak_force));
    }
    crm_json_put(&object, "impact", json_integer((json_int_t)kept_impact->number));
    crm_json_put(&object, "represents", json_integer((json_int_t)kept_impact->represents));
    crm_json_put(&object, "time", crm_json_number(kept_impact->time));
    crm_json_put(&object, "of_contacts", json_integer((json_int_t)kept_impact->contacts));
    crm_json_put(&object, "contacts", contacts);
    crm_json_put(&object, "contact_names", names);
    crm_json_put(&object, "closing_speed", closing);
    crm_json_put(&object, "strongest", crm_json_number(kept_impact->strongest));
    crm_json_put(&object, "impulse", impulse);
    crm_json_put(&object, "peak_force", peak);
    crm_json_put(&object, "lost", crm_json_number(kept_impact->lost));
    crm_json_put(&object, "status", json_string(crm_result_text(kept_impact->result)));
    crm_json_put(&object, "kinematic", json_boolean(kept_impact->kinematic));
    crm_json_put(&object, "kinetic", json_boolean(kept_impact->kinetic));
    crm_json_put(&object, "energetic", json_boolean(kept_impact->energetic));
    crm_json_put(&object, "unique", json_boolean(kept_impact->unique));
    return object;
}

static json_t *impact_objects(const crm_scene_def *scene, crm_kept_impacts *b, size_t part)
{
    json_t *array = json_array(), *object = json_object();
    while (b->count > IMPACTS_MOST / part ||
           (b->contact_count > CONTACTS_MOST / part && b->count > 1)) {
        crm_kept_impacts_thin(b);
    }
    for (size_t i = 0; i < b->count; i++) {
        crm_json_add(&array, impact_object(scene, b, &b->impacts[i]));
    }
    crm_json_put(&object, "impacts", array);
    return object;
}

/* ---- All ------------------------------------------------------------------------------------- */

static json_t *about(const crm_motion_page *page)
{
    const crm_motion_report *r = page->report;
    const crm_scene_def *scene = r->moved.scene;
    json_t *object = json_object(), *whole = json_object();
    crm_json_put(&object, "kind", json_string("simulate"));
    crm_json_put(&object, "source", crm_page_source_object(&page->source));
    crm_json_put(&object, "units", crm_page_units(crm_scene_force_unit(scene), "s"));
    crm_json_put(&object, "bodies", json_integer((json_int_t)scene->bodies.body_count));
    crm_json_put(&object, "whole", json_boolean(r->subset->whole));
    crm_json_put(&object, "duration", crm_json_number(r->duration));
    crm_json_put(&object, "impacts_total", json_integer((json_int_t)page->impacts->total));
    crm_json_put(&object, "scene", scene_object(scene, r->subset));
    crm_json_put(&whole, "report", object);
    return whole;
}

/* "histories": one, of the motion; thinned to a part of the room. */
static bool write_history(const crm_motion_page *page, size_t part, FILE *stream)
{
    size_t most = crm_frames_json_is_coarse(page->frames) ? SHORT_NUMBERS_MOST : NUMBERS_MOST;
    fputs(",\n\"histories\":[{", stream);
    bool whole =
        crm_page_members(stream, impact_objects(page->report->moved.scene, page->impacts, part));
    fputs(",\n", stream);
    crm_frames_json_write(stream, page->frames, most / part);
    fputs("}]", stream);
    return whole;
}

crm_status crm_motion_page_write(const crm_motion_page *page, FILE *stream, crm_error *error)
{
    size_t parts = page->beside != NULL ? 2 : 1;
    crm_page_begin(stream, &page->source);
    bool whole = crm_page_members(stream, crm_motion_object(page->report));
    fputs(",\n", stream);
    whole = whole && crm_page_members(stream, about(page));
    whole = whole && write_history(page, parts, stream);
    if (page->beside != NULL) {
        fputs(",\n\"beside\":{", stream);
        whole = whole && crm_page_members(stream, crm_motion_object(page->beside->report));
        whole = whole && write_history(page->beside, parts, stream);
        fputs("}", stream);
    }
    crm_page_end(stream, SCRIPTS, &page->source);
    return whole ? CRM_OK : crm_fail_memory(error);
}
