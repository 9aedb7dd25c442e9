/* Where rods touch: spheres, walls and other rods, in the plane. */
#include <math.h>

#include "model/touches.h"

static double cross(const double *a, const double *b)
{
    return a[0] * b[1] - a[1] * b[0];
}

static void subtract(const double *a, const double *b, double *difference)
{
    difference[0] = a[0] - b[0];
    difference[1] = a[1] - b[1];
}

static double distance_between(const double *a, const double *b)
{
    double d[2];
    subtract(a, b, d);
    return hypot(d[0], d[1]);
}

void crm_rod_end(const crm_body_def *rod, int end, double *point)
{
    double reach = (end == 0 ? -0.5 : 0.5) * rod->length;
    point[0] = rod->position[0] + reach * cos(rod->angle);
    point[1] = rod->position[1] + reach * sin(rod->angle);
}

/* The point of a rod's axis that is nearest to `point`. */
static void nearest_on_axis(const crm_body_def *rod, const double *point, double *nearest)
{
    const double axis[2] = {cos(rod->angle), sin(rod->angle)};
    double from_centre[2];
    subtract(point, rod->position, from_centre);
    double along = crm_dot(from_centre, axis, 2), half = 0.5 * rod->length;
    along = fmax(-half, fmin(half, along));
    nearest[0] = rod->position[0] + along * axis[0];
    nearest[1] = rod->position[1] + along * axis[1];
}

/* r x n about the centre of a body; a sphere has none, nor has what does not move. */
static double lever_of(const crm_body_def *body, const double *point, const double *normal)
{
    double arm[2];
    subtract(point, body->position, arm);
    return body->shape == CRM_SHAPE_ROD ? cross(arm, normal) : 0;
}

/* Two axes come near: a point on each, and how far apart they are. */
typedef struct approach {
    double on_first[2], on_second[2];
    double distance;
    bool end_of_second; /* whose end it is that meets the other's axis */
} approach;

/* What two bodies are measured by. */
typedef struct pair {
    const crm_bodies_def *def;
    size_t i, j;
    const crm_body_def *first, *second;
    double reach;     /* the distance of the axes when the surfaces touch */
    double tolerance; /* on the gap */
    double same;      /* contacts nearer to one another than this are one */
} pair;

/* Rolled off a round end by s, the distance of two axes grows by no more than s^2 / 2 reach: within
 * the tolerance t of the gap an end may be met up to sqrt(2 t reach) away from the nearest point.
 */
static pair make_pair(const crm_bodies_def *def, size_t i, size_t j)
{
    const crm_body_def *first = &def->bodies[i], *second = &def->bodies[j];
    double size = crm_body_size(first) + crm_body_size(second);
    return (pair){.def = def,
                  .i = i,
                  .j = j,
                  .first = first,
                  .second = second,
                  .reach = crm_body_radius(first) + crm_body_radius(second),
                  .tolerance = def->tolerance * size,
                  .same = 2 * sqrt(def->tolerance) * size};
}

static crm_status add_contact(const pair *p, const approach *a, const double *normal,
                              uint32_t place, crm_touches *list, crm_error *error)
{
    crm_touch found = {.first = (uint32_t)p->i,
                       .second = (uint32_t)p->j,
                       .place = place,
                       .normal = {normal[0], normal[1], 0},
                       .lever = {lever_of(p->first, a->on_first, normal),
                                 lever_of(p->second, a->on_second, normal)}};
    return crm_touches_add(list, found, error);
}

/* Surfaces with thickness have the normal from axis to axis. */
static void thick_normal(const approach *a, double *normal)
{
    subtract(a->on_second, a->on_first, normal);
    normal[0] /= a->distance;
    normal[1] /= a->distance;
}

/* ---- Rod and sphere ------------------------------------------------------------------------- */

static crm_status meet_sphere(const pair *p, crm_touches *list, crm_error *error)
{
    bool rod_first = p->first->shape == CRM_SHAPE_ROD;
    const crm_body_def *rod = rod_first ? p->first : p->second;
    const crm_body_def *sphere = rod_first ? p->second : p->first;
    approach a = {0};
    double *on_rod = rod_first ? a.on_first : a.on_second;
    double *on_sphere = rod_first ? a.on_second : a.on_first;
    on_sphere[0] = sphere->position[0];
    on_sphere[1] = sphere->position[1];
    nearest_on_axis(rod, on_sphere, on_rod);
    a.distance = distance_between(a.on_first, a.on_second);
    double gap = a.distance - p->reach;
    if (gap > p->tolerance) {
        return CRM_OK;
    }
    if (gap < -p->tolerance || !(a.distance > 0)) {
        return crm_fail_overlap(p->def, p->i, p->j, gap, error);
    }
    double normal[2];
    thick_normal(&a, normal);
    return add_contact(p, &a, normal, 0, list, error);
}

/* ---- Rod and rod ---------------------------------------------------------------------------- */

/* Whether the axes pass through one another. */
static bool axes_cross(const crm_body_def *a, const crm_body_def *b)
{
    double a0[2], a1[2], b0[2], b1[2], along_a[2], along_b[2], d[4][2];
    crm_rod_end(a, 0, a0);
    crm_rod_end(a, 1, a1);
    crm_rod_end(b, 0, b0);
    crm_rod_end(b, 1, b1);
    subtract(a1, a0, along_a);
    subtract(b1, b0, along_b);
    subtract(a0, b0, d[0]);
    subtract(a1, b0, d[1]);
    subtract(b0, a0, d[2]);
    subtract(b1, a0, d[3]);
    return cross(along_b, d[0]) * cross(along_b, d[1]) < 0 &&
           cross(along_a, d[2]) * cross(along_a, d[3]) < 0;
}

static approach approach_of_end(const pair *p, bool end_of_second, int end)
{
    approach a = {.end_of_second = end_of_second};
    double *tip = end_of_second ? a.on_second : a.on_first;
    double *side = end_of_second ? a.on_first : a.on_second;
    crm_rod_end(end_of_second ? p->second : p->first, end, tip);
    nearest_on_axis(end_of_second ? p->first : p->second, tip, side);
    a.distance = distance_between(tip, side);
    return a;
}

/* Keep the nearer of two approaches at the same place. */
static size_t keep(const pair *p, approach *kept, size_t count, approach new)
{
    for (size_t k = 0; k < count; k++) {
        if (distance_between(kept[k].on_first, new.on_first) <= p->same) {
            if (new.distance < kept[k].distance) {
                kept[k] = new;
            }
            return count;
        }
    }
    kept[count] = new;
    return count + 1;
}

/* Segments that do not cross are nearest at an end of one of them. Every end near enough counts:
 * one contact in general, two when the rods lie along one another.
 */
static size_t find_approaches(const pair *p, approach *kept)
{
    size_t count = 0;
    for (int k = 0; k < 4; k++) {
        approach a = approach_of_end(p, k >= 2, k % 2);
        if (a.distance - p->reach <= p->tolerance) {
            count = keep(p, kept, count, a);
        }
    }
    return count;
}

/* Two thin rods in line, end to end: the normal is along both. */
static bool in_line_normal(const pair *p, double *normal)
{
    double apart[2];
    subtract(p->second->position, p->first->position, apart);
    double distance = hypot(apart[0], apart[1]);
    double lengths = 0.5 * (p->first->length + p->second->length);
    double bend = fabs(sin(p->second->angle - p->first->angle));
    normal[0] = apart[0] / distance;
    normal[1] = apart[1] / distance;
    return distance >= lengths - p->same && bend * lengths <= p->same;
}

/* The end of a thin rod on the side of another: away from the centre of the rod that ends there,
 * across the other.
 */
static bool thin_normal(const pair *p, const approach *a, double *normal)
{
    const crm_body_def *ending = a->end_of_second ? p->second : p->first;
    const crm_body_def *side = a->end_of_second ? p->first : p->second;
    const double *point = a->end_of_second ? a->on_first : a->on_second;
    if (distance_between(point, side->position) >= 0.5 * side->length - p->same) {
        return in_line_normal(p, normal);
    }
    const double across[2] = {-sin(side->angle), cos(side->angle)};
    double to_centre[2];
    subtract(ending->position, point, to_centre);
    double height = crm_dot(to_centre, across, 2);
    /* From the first to the second. */
    double sign = (height > 0) == a->end_of_second ? 1 : -1;
    normal[0] = sign * across[0];
    normal[1] = sign * across[1];
    return fabs(height) > p->same;
}

/* In the order from end to end of the first rod. */
static void sort_along_first(const pair *p, approach *kept, size_t count)
{
    const double axis[2] = {cos(p->first->angle), sin(p->first->angle)};
    if (count == 2 && crm_dot(kept[0].on_first, axis, 2) > crm_dot(kept[1].on_first, axis, 2)) {
        approach swap = kept[0];
        kept[0] = kept[1];
        kept[1] = swap;
    }
}

static crm_status meet_approach(const pair *p, const approach *a, uint32_t place, crm_touches *list,
                                crm_error *error)
{
    double normal[2];
    if (p->reach > p->tolerance) {
        if (a->distance - p->reach < -p->tolerance) {
            return crm_fail_overlap(p->def, p->i, p->j, a->distance - p->reach, error);
        }
        thick_normal(a, normal);
    } else if (!thin_normal(p, a, normal)) {
        return crm_fail_pair(p->def, p->i, p->j,
                             "have no thickness where they touch: the contact normal is undefined; "
                             "give one of them a radius",
                             error);
    }
    return add_contact(p, a, normal, place, list, error);
}

static crm_status meet_rod(const pair *p, crm_touches *list, crm_error *error)
{
    approach kept[4];
    size_t count = find_approaches(p, kept);
    bool thin = p->reach <= p->tolerance;
    if ((count == 0 || !thin) && axes_cross(p->first, p->second)) {
        return crm_fail_pair(p->def, p->i, p->j, "cross; bodies must touch or be apart", error);
    }
    sort_along_first(p, kept, count);
    crm_status status = CRM_OK;
    for (size_t k = 0; k < count && status == CRM_OK; k++) {
        status = meet_approach(p, &kept[k], (uint32_t)k, list, error);
    }
    return status;
}

crm_status crm_meet_rods(const crm_bodies_def *def, size_t i, size_t j, crm_touches *list,
                         crm_error *error)
{
    pair p = make_pair(def, i, j);
    bool both = p.first->shape == CRM_SHAPE_ROD && p.second->shape == CRM_SHAPE_ROD;
    return both ? meet_rod(&p, list, error) : meet_sphere(&p, list, error);
}

/* ---- Rod and wall --------------------------------------------------------------------------- */

crm_status crm_meet_rod_wall(const crm_bodies_def *def, size_t i, size_t k, crm_touches *list,
                             crm_error *error)
{
    const crm_body_def *rod = &def->bodies[i];
    const crm_wall_def *wall = &def->walls[k];
    double length = hypot(wall->normal[0], wall->normal[1]);
    const double into[2] = {-wall->normal[0] / length, -wall->normal[1] / length};
    double allowance = def->tolerance * crm_body_size(rod);
    uint32_t place = 0;
    for (int end = 0; end < 2; end++) {
        double tip[2], from_wall[2];
        crm_rod_end(rod, end, tip);
        subtract(tip, wall->point, from_wall);
        double gap = -crm_dot(from_wall, into, 2) - crm_body_radius(rod);
        if (gap < -allowance) {
            return crm_fail_overlap(def, i, def->body_count + k, gap, error);
        }
        if (gap <= allowance) {
            crm_touch found = {.first = (uint32_t)i,
                               .second = (uint32_t)(def->body_count + k),
                               .place = place++,
                               .normal = {into[0], into[1], 0},
                               .lever = {lever_of(rod, tip, into), 0}};
            crm_status status = crm_touches_add(list, found, error);
            if (status != CRM_OK) {
                return status;
            }
        }
    }
    return CRM_OK;
}
