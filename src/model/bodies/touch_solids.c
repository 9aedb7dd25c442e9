/* Contacts of bodies that are not both spheres: rods, boxes, ellipses and ellipsoids. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "model/bodies/bodies.h"
#include "model/shape/shape.h"

/* Two bodies, and tolerances that follow from their sizes. */
typedef struct pair {
    const crm_bodies_def *def;
    size_t i, j;
    crm_solid solid[2];
    double tolerance; /* on the gap */
    double same;      /* contacts closer together than this are one */
    bool thin;        /* negligible thickness */
} pair;

/* Rolled off a round end by s, the distance of two axes grows by no more than s^2 / 2 reach: within
 * the tolerance t of the gap an end may be met up to sqrt(2 t reach) away from the nearest point.
 */
static pair make_pair(const crm_bodies_def *def, size_t i, size_t j)
{
    pair p = {.def = def,
              .i = i,
              .j = j,
              .solid = {crm_solid_of(&def->bodies[i], def->dimension),
                        crm_solid_of(&def->bodies[j], def->dimension)}};
    double size = crm_solid_reach(&p.solid[0]) + crm_solid_reach(&p.solid[1]);
    p.tolerance = def->tolerance * size;
    p.same = 2 * sqrt(def->tolerance) * size;
    p.thin = p.solid[0].radius + p.solid[1].radius <= p.tolerance;
    return p;
}

static crm_touch touch_of(const pair *p, const crm_gap *nearest, size_t place)
{
    crm_touch found = {.first = (uint32_t)p->i, .second = (uint32_t)p->j, .place = (uint32_t)place};
    memcpy(found.normal, nearest->normal, sizeof found.normal);
    memcpy(found.arm, nearest->arm, sizeof found.arm);
    for (int k = 0; k < 2; k++) {
        found.reach[k] = p->solid[k].radius + 0.5 * nearest->gap;
    }
    return found;
}

static crm_status touch_once(const pair *p, crm_touches *list, crm_error *error)
{
    crm_gap nearest = crm_gap_solids(&p->solid[0], &p->solid[1], 0, NULL);
    if (nearest.gap > p->tolerance) {
        return CRM_OK;
    }
    return nearest.gap >= -p->tolerance
               ? crm_touches_add(p->def, list, touch_of(p, &nearest, 0), error)
               : crm_bodies_fail_overlap(p->def, p->i, p->j, nearest.gap, error);
}

/* ---- Corners against sides ------------------------------------------------------------------- */

static double distance_between(const double a[3], const double b[3])
{
    return crm_hypot(a[0] - b[0], a[1] - b[1]);
}

/* Of two contacts at the same place keeps the nearer one. */
static size_t keep_nearest(const pair *p, crm_gap *kept, size_t count, const crm_gap *nearest)
{
    for (size_t k = 0; k < count; k++) {
        if (distance_between(kept[k].arm[0], nearest->arm[0]) <= p->same) {
            kept[k] = nearest->gap < kept[k].gap ? *nearest : kept[k];
            return count;
        }
    }
    kept[count] = *nearest;
    return count + 1;
}

/* Boxes that do not cross are nearest at a corner of one of them. Every corner near enough is a
 * contact: one in general, two when faces lie along one another.
 */
static size_t find_contacts(const pair *p, crm_gap kept[CRM_NEAR_MOST])
{
    size_t count = 0, places = crm_gap_places(&p->solid[0], &p->solid[1]);
    for (size_t k = 0; k < places; k++) {
        crm_gap nearest = crm_gap_solids(&p->solid[0], &p->solid[1], k, NULL);
        if (nearest.gap <= p->tolerance) {
            count = keep_nearest(p, kept, count, &nearest);
        }
    }
    return count;
}

/* From end to end of the first. */
static void sort_along_first(const pair *p, crm_gap *kept, size_t count)
{
    const double *axis = p->solid[0].axis[0], *across = p->solid[0].axis[1];
    if (count != 2) {
        return;
    }
    double along = crm_dot3(kept[1].arm[0], axis) - crm_dot3(kept[0].arm[0], axis);
    double aside = crm_dot3(kept[1].arm[0], across) - crm_dot3(kept[0].arm[0], across);
    if (fabs(along) > p->same ? along < 0 : aside < 0) {
        crm_gap swap = kept[0];
        kept[0] = kept[1];
        kept[1] = swap;
    }
}

/* ---- Normals without thickness --------------------------------------------------------------- */

static bool at_corner(const pair *p, int which, const double arm[3])
{
    size_t corners = crm_solid_corners(&p->solid[which]);
    for (size_t k = 0; k < corners; k++) {
        double corner[3];
        crm_solid_corner(&p->solid[which], k, corner);
        if (distance_between(corner, arm) <= p->same) {
            return true;
        }
    }
    return false;
}

static bool both_rods(const pair *p)
{
    return crm_solid_corners(&p->solid[0]) == 2 && crm_solid_corners(&p->solid[1]) == 2;
}

/* Two thin rods in line, end to end: the normal is along both. */
static bool in_line(const pair *p, crm_gap *nearest)
{
    const crm_solid *a = &p->solid[0], *b = &p->solid[1];
    double distance = distance_between(a->centre, b->centre), halves = a->half[0] + b->half[0];
    double bend = fabs(crm_dot3(a->axis[1], b->axis[0]));
    for (int d = 0; d < 2; d++) {
        nearest->normal[d] = (b->centre[d] - a->centre[d]) / distance;
    }
    return both_rods(p) && distance >= halves - p->same && bend * halves <= p->same;
}

/* A contact of two corners has a normal only where faces end there; that of two thin rods where an
 * end of one is off the other's line.
 */
static bool has_normal(const pair *p, crm_gap *kept, size_t count)
{
    if (!p->thin || count == 0) {
        return true;
    }
    if (count == 1 && at_corner(p, 0, kept->arm[0]) && at_corner(p, 1, kept->arm[1])) {
        return in_line(p, kept);
    }
    double height = 0;
    for (int d = 0; d < 2; d++) {
        height += kept->normal[d] * (p->solid[1].centre[d] - p->solid[0].centre[d]);
    }
    return !both_rods(p) || fabs(height) > p->same;
}

static crm_status fail_depth(const pair *p, double depth, crm_error *error)
{
    double reach = p->solid[0].radius + p->solid[1].radius;
    return both_rods(p) ? crm_bodies_fail_pair(p->def, p->i, p->j,
                                               "cross; bodies must touch or be apart", error)
                        : crm_bodies_fail_overlap(p->def, p->i, p->j, -depth - reach, error);
}

static crm_status touch_corners(const pair *p, crm_touches *list, crm_error *error)
{
    crm_gap kept[CRM_NEAR_MOST];
    double depth = crm_gap_depth(&p->solid[0], &p->solid[1]);
    if (depth > p->tolerance) {
        return fail_depth(p, depth, error);
    }
    size_t count = find_contacts(p, kept);
    if (!has_normal(p, kept, count)) {
        return crm_bodies_fail_pair(
            p->def, p->i, p->j,
            "have no thickness where they touch: the contact normal is undefined; "
            "give one of them a radius",
            error);
    }
    sort_along_first(p, kept, count);
    crm_status status = CRM_OK;
    for (size_t k = 0; k < count && status == CRM_OK; k++) {
        status = kept[k].gap >= -p->tolerance
                     ? crm_touches_add(p->def, list, touch_of(p, &kept[k], k), error)
                     : crm_bodies_fail_overlap(p->def, p->i, p->j, kept[k].gap, error);
    }
    return status;
}

crm_status crm_touch_solids(const crm_bodies_def *def, size_t i, size_t j, crm_touches *list,
                            crm_error *error)
{
    pair p = make_pair(def, i, j);
    return crm_gap_places(&p.solid[0], &p.solid[1]) > 1 ? touch_corners(&p, list, error)
                                                        : touch_once(&p, list, error);
}

/* ---- Walls ----------------------------------------------------------------------------------- */

crm_status crm_touch_solid_wall(const crm_bodies_def *def, size_t i, size_t k, crm_touches *list,
                                crm_error *error)
{
    const crm_wall_def *wall = &def->walls[k];
    crm_solid solid = crm_solid_of(&def->bodies[i], def->dimension);
    double length = sqrt(crm_bodies_dot(wall->normal, wall->normal, def->dimension)), unit[3] = {0};
    for (unsigned d = 0; d < def->dimension; d++) {
        unit[d] = wall->normal[d] / length;
    }
    double allowance = def->tolerance * crm_solid_reach(&solid);
    double offset = crm_bodies_dot(unit, wall->point, def->dimension);
    size_t party = def->body_count + k, places = crm_gap_wall_places(&solid);
    crm_status status = CRM_OK;
    uint32_t count = 0;
    for (size_t place = 0; place < places && status == CRM_OK; place++) {
        crm_gap nearest = crm_gap_wall(&solid, place, unit, offset, NULL);
        crm_touch found = {.first = (uint32_t)i,
                           .second = (uint32_t)party,
                           .place = count,
                           .reach = {solid.radius + 0.5 * nearest.gap}};
        memcpy(found.normal, nearest.normal, sizeof found.normal);
        memcpy(found.arm[0], nearest.arm[0], sizeof found.arm[0]);
        if (nearest.gap < -allowance) {
            return crm_bodies_fail_overlap(def, i, party, nearest.gap, error);
        }
        if (nearest.gap <= allowance) {
            status = crm_touches_add(def, list, found, error);
            count++;
        }
    }
    return status;
}
