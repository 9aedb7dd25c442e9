/* Bodies and walls as JSON, for drawing. */
#include <math.h>

#include "report/json.h"
#include "report/page/parts.h"

json_t *crm_shapes_list(const double *values, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        crm_json_add(&array, crm_json_number(values[i]));
    }
    return array;
}

static void put_extent(json_t **object, const crm_body_def *body)
{
    switch (body->shape) {
    case CRM_SHAPE_BOX:
        crm_json_put(object, "size", crm_shapes_list(body->size, 2));
        break;
    case CRM_SHAPE_ELLIPSE:
        crm_json_put(object, "semi_axes", crm_shapes_list(body->semi_axes, 2));
        break;
    case CRM_SHAPE_ELLIPSOID:
        crm_json_put(object, "semi_axes", crm_shapes_list(body->semi_axes, 3));
        crm_json_put(object, "orientation", crm_shapes_list(body->orientation, 4));
        break;
    case CRM_SHAPE_ROD:
        crm_json_put(object, "length", crm_json_number(body->length));
        crm_json_put(object, "radius", crm_json_number(isnan(body->radius) ? 0 : body->radius));
        break;
    default:
        crm_json_put(object, "radius", crm_json_number(body->radius));
    }
}

json_t *crm_shapes_body(const crm_body_def *body, unsigned dimension)
{
    static const char *const shapes[] = {[CRM_SHAPE_SPHERE] = "sphere",
                                         [CRM_SHAPE_ROD] = "rod",
                                         [CRM_SHAPE_BOX] = "box",
                                         [CRM_SHAPE_ELLIPSE] = "ellipse",
                                         [CRM_SHAPE_ELLIPSOID] = "ellipsoid"};
    json_t *object = json_object();
    crm_json_put(&object, "shape", json_string(shapes[body->shape]));
    crm_json_put(&object, "at", crm_shapes_list(body->position, dimension));
    put_extent(&object, body);
    if (body->angle != 0) {
        crm_json_put(&object, "angle", crm_json_number(body->angle));
    }
    return object;
}

json_t *crm_shapes_wall(const crm_wall_def *wall, unsigned dimension)
{
    json_t *object = json_object();
    crm_json_put(&object, "point", crm_shapes_list(wall->point, dimension));
    crm_json_put(&object, "normal", crm_shapes_list(wall->normal, dimension));
    return object;
}
