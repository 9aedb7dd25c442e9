#include "report/page/solve/solve_scene.h"

#include "model/model.h"
#include "report/json.h"
#include "report/page/parts.h"
#include "report/page/solve/model_subset.h"

/* ---- Bodies and walls ------------------------------------------------------------------------ */

static json_t *body_objects(const crm_body_def *bodies, size_t count, unsigned dimension)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        crm_json_add(&array, crm_shapes_body(&bodies[i], dimension));
    }
    return array;
}

static json_t *wall_objects(const crm_layout *layout)
{
    json_t *array = json_array();
    for (size_t k = 0; k < layout->wall_count; k++) {
        crm_json_add(&array, crm_shapes_wall(&layout->walls[k], layout->dimension));
    }
    return array;
}

/* ---- Contacts -------------------------------------------------------------------------------- */

/* The index of a body of the model within the subset; -1: it is not in it. */
static json_int_t index_in_subset(const crm_model_subset *e, size_t body)
{
    size_t low = 0, high = e->body_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (e->bodies[middle] < body) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < e->body_count && e->bodies[low] == body ? (json_int_t)low : -1;
}

/* The gap's gradient by the coordinates of one body: the normal towards it, then its arm. */
static json_t *gradient(const crm_model *model, size_t contact, size_t body)
{
    size_t start = crm_model_body_start(model, body), end = crm_model_body_start(model, body + 1);
    double w[6] = {0};
    for (size_t k = model->w_start[contact]; k < model->w_start[contact + 1]; k++) {
        size_t row = model->w_row[k];
        if (row >= start && row < end && row - start < 6) {
            w[row - start] = model->w_value[k];
        }
    }
    return crm_shapes_list(w, end - start < 6 ? end - start : 6);
}

static json_t *contact_object(const crm_report *report, size_t contact)
{
    const crm_model *model = report->model;
    size_t first = crm_model_party(model, contact, 0), second = crm_model_party(model, contact, 1);
    size_t bodies = crm_model_bodies(model);
    json_t *between = json_array(), *object = json_object();
    crm_json_add(&between, json_integer(index_in_subset(report->subset, first)));
    crm_json_add(&between, json_integer(index_in_subset(report->subset, second)));
    crm_json_put(&object, "between", between);
    crm_json_put(&object, "w", gradient(model, contact, first < bodies ? first : second));
    return object;
}

json_t *crm_solve_scene_object(const crm_report *report, const crm_layout *layout)
{
    if (layout->dimension == 0) {
        return json_null();
    }
    json_t *contacts = json_array(), *object = json_object();
    for (size_t i = 0; i < report->subset->contact_count; i++) {
        crm_json_add(&contacts, contact_object(report, report->subset->contacts[i]));
    }
    crm_json_put(&object, "dimension", json_integer(layout->dimension));
    crm_json_put(&object, "bodies", body_objects(layout->bodies, layout->count, layout->dimension));
    crm_json_put(&object, "fixed",
                 body_objects(layout->fixed, layout->fixed_count, layout->dimension));
    crm_json_put(&object, "walls", wall_objects(layout));
    crm_json_put(&object, "contacts", contacts);
    return object;
}
