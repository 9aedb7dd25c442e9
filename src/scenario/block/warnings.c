/* Sizes, masses and angles that can be read, but are hardly what was meant. */
#include <math.h>
#include <string.h>

#include "scenario/reader.h"

bool crm_warnings_check_radius(crm_reader *reader, const crm_node *node, double radius,
                               const crm_material *material, double largest)
{
    bool warned = node != NULL && material != NULL && radius > largest;
    if (warned) {
        crm_reader_warn(reader, node, "is %g m; was it meant in mm or cm?", radius);
    }
    return warned;
}

/* What is hollow is lighter than a full ball, a balloon by 1e4; what has a core of something else
 * is a few times heavier. Grams for kilograms, millimetres for metres are beyond these.
 */
static const double LIGHTER = 1e-5, HEAVIER = 10;

bool crm_warnings_check_mass(crm_reader *reader, const crm_node *node, double mass, double radius,
                             const crm_material *material)
{
    if (node == NULL || material == NULL || !(material->density > 0) || isnan(radius)) {
        return false;
    }
    double full = 4.18879020478639 * material->density * radius * radius * radius; /* 4/3 pi */
    bool warned = mass > HEAVIER * full || mass < LIGHTER * full;
    if (warned) {
        crm_reader_warn(reader, node, "is %g kg; a ball of its radius and density has %.3g kg",
                        mass, full);
    }
    return warned;
}

/* A disc is as thick as one likes. Nobody gives an angle of more than a turn in radians. */
void crm_warnings_check_bodies(crm_reader *reader, const crm_node *list, const crm_bodies_def *def)
{
    static const double TURN = 6.28318530717958647692;
    bool sized = false, weighed = false, turned = false;
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        const crm_node *shape = crm_yaml_find(list->items[i], "shape");
        const crm_node *angle = crm_yaml_find(list->items[i], "angle");
        const crm_body_def *body = &def->bodies[i];
        if (!turned && angle != NULL && crm_yaml_number(angle, &(double){0}) &&
            fabs(body->angle) > 1.001 * TURN) {
            crm_reader_warn(reader, angle,
                            "is %g rad, %.2g turns; was it meant in degrees (%g deg)?", body->angle,
                            fabs(body->angle) / TURN, body->angle);
            turned = true;
        }
        if (body->shape != CRM_SHAPE_SPHERE ||
            (shape != NULL && strcmp(shape->text, "disc") == 0)) {
            continue;
        }
        sized = sized || crm_warnings_check_radius(reader, crm_yaml_find(list->items[i], "radius"),
                                                   body->radius, body->material, CRM_BODY_LARGEST);
        weighed = weighed || crm_warnings_check_mass(reader, crm_yaml_find(list->items[i], "mass"),
                                                     body->mass, body->radius, body->material);
    }
}
