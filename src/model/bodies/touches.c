/* Contacts found from the geometry: pairs near each other, contacts of spheres with each other and
 * with walls. Other bodies are in touch_solids.c.
 */
#include "model/bodies/touches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/locale.h"
#include "model/shape/shape.h"

void crm_bodies_party_name(const crm_bodies_def *def, size_t i, char *text, size_t size)
{
    if (i < def->body_count) {
        const char *name = def->bodies[i].name;
        name != NULL ? snprintf(text, size, "%s", name) : snprintf(text, size, "body %zu", i + 1);
    } else {
        size_t k = i - def->body_count;
        const char *name = def->walls[k].name;
        name != NULL ? snprintf(text, size, "%s", name) : snprintf(text, size, "wall %zu", k + 1);
    }
}

double crm_body_radius(const crm_body_def *body)
{
    return body->shape == CRM_SHAPE_ROD && isnan(body->radius) ? 0 : body->radius;
}

static double body_size(const crm_body_def *body)
{
    if (body->shape == CRM_SHAPE_SPHERE) {
        return body->radius;
    }
    crm_solid solid = crm_solid_of(body, body->shape == CRM_SHAPE_ELLIPSOID ? 3 : 2);
    return crm_solid_reach(&solid);
}

/* A new contact is coupled with all earlier ones of its bodies: two entries of D each. */
static crm_status count_bytes(const crm_bodies_def *def, crm_touches *list, const crm_touch *item,
                              crm_error *error)
{
    const uint32_t party[] = {item->first, item->second};
    for (int k = 0; k < 2 && list->met != NULL; k++) {
        if (party[k] < def->body_count && !def->bodies[party[k]].fixed) {
            list->entries += 2.0 * list->met[party[k]]++;
        }
    }
    double contacts = (double)list->count + 1;
    double bytes = crm_model_bytes(contacts, list->entries / contacts) + contacts * sizeof *item;
    if (!(list->most > 0 && bytes > list->most)) {
        return CRM_OK;
    }
    char most[32];
    crm_text_bytes(list->most, most, sizeof most);
    return crm_fail(error, CRM_ERROR_MEMORY, "contacts",
                    "%.0f contacts were found, not all yet, and with what they couple they need "
                    "more memory than %s",
                    contacts, most);
}

crm_status crm_touches_add(const crm_bodies_def *def, crm_touches *list, crm_touch item,
                           crm_error *error)
{
    crm_status status = count_bytes(def, list, &item, error);
    if (status != CRM_OK) {
        return status;
    }
    if (list->count == list->room) {
        size_t room = 2 * list->room + 16;
        crm_touch *items = crm_memory_resize(list->items, room, sizeof *items);
        if (items == NULL) {
            return crm_fail_memory(error);
        }
        list->items = items;
        list->room = room;
    }
    list->items[list->count++] = item;
    return CRM_OK;
}

crm_status crm_bodies_fail_pair(const crm_bodies_def *def, size_t i, size_t j, const char *reason,
                                crm_error *error)
{
    char a[48], b[48], place[64];
    crm_bodies_party_name(def, i, a, sizeof a);
    crm_bodies_party_name(def, j, b, sizeof b);
    snprintf(place, sizeof place, "bodies[%zu].position", (j < def->body_count ? j : i) + 1);
    return crm_fail(error, CRM_ERROR_MODEL, place, "%s and %s %s", a, b, reason);
}

static bool is_behind(const crm_bodies_def *def, size_t body, const crm_wall_def *wall)
{
    double height = 0;
    for (unsigned d = 0; d < def->dimension; d++) {
        height += wall->normal[d] * (def->bodies[body].position[d] - wall->point[d]);
    }
    return height < 0;
}

/* Spheres that overlap so little were probably meant to touch, and can be moved until they do. */
static bool is_rounding(const crm_bodies_def *def, size_t i, size_t j, double gap)
{
    static const double MEANT_TO_TOUCH = 1e-3;
    bool wall = j >= def->body_count;
    bool round = def->bodies[i].shape == CRM_SHAPE_SPHERE &&
                 (wall || def->bodies[j].shape == CRM_SHAPE_SPHERE);
    double size = body_size(&def->bodies[i]) + (wall ? 0 : body_size(&def->bodies[j]));
    return round && -gap < MEANT_TO_TOUCH * size;
}

crm_status crm_bodies_fail_overlap(const crm_bodies_def *def, size_t i, size_t j, double gap,
                                   crm_error *error)
{
    char reason[192];
    if (j >= def->body_count && is_behind(def, i, &def->walls[j - def->body_count])) {
        crm_snprintf(reason, sizeof reason,
                     "overlap by %g: its centre is behind the wall; the wall's normal must point "
                     "towards the bodies",
                     -gap);
    } else {
        int used = crm_snprintf(
            reason, sizeof reason,
            "overlap by %g; bodies must touch (within contacts.tolerance) or be apart", -gap);
        if (is_rounding(def, i, j, gap)) {
            snprintf(reason + used, sizeof reason - (size_t)used,
                     "; contacts: {snap: 1e-3} moves them to touch");
        }
    }
    return crm_bodies_fail_pair(def, i, j, reason, error);
}

static crm_status touch_spheres(const crm_bodies_def *def, size_t i, size_t j, crm_touches *list,
                                crm_error *error)
{
    crm_touch found = {.first = (uint32_t)i, .second = (uint32_t)j};
    for (unsigned d = 0; d < def->dimension; d++) {
        found.normal[d] = def->bodies[j].position[d] - def->bodies[i].position[d];
    }
    double distance = sqrt(crm_bodies_dot(found.normal, found.normal, def->dimension));
    double reach = def->bodies[i].radius + def->bodies[j].radius;
    double gap = distance - reach;
    if (gap > def->tolerance * reach) {
        return CRM_OK;
    }
    if (!(distance > 0)) {
        return crm_bodies_fail_pair(def, i, j,
                                    "have the same centre: the contact normal is undefined", error);
    }
    if (gap < -def->tolerance * reach) {
        return crm_bodies_fail_overlap(def, i, j, gap, error);
    }
    for (unsigned d = 0; d < def->dimension; d++) {
        found.normal[d] /= distance;
    }
    found.reach[0] = def->bodies[i].radius + 0.5 * gap;
    found.reach[1] = def->bodies[j].radius + 0.5 * gap;
    return crm_touches_add(def, list, found, error);
}

typedef struct meeting {
    const crm_bodies_def *def;
    crm_touches *list;
} meeting;

static crm_status touch_bodies(void *context, size_t i, size_t j, crm_error *error)
{
    const meeting *m = context;
    const crm_body_def *first = &m->def->bodies[i], *second = &m->def->bodies[j];
    if (first->fixed && second->fixed) {
        return CRM_OK;
    }
    bool round = first->shape == CRM_SHAPE_SPHERE && second->shape == CRM_SHAPE_SPHERE;
    return round ? touch_spheres(m->def, i, j, m->list, error)
                 : crm_touch_solids(m->def, i, j, m->list, error);
}

static crm_status touch_sphere_wall(const crm_bodies_def *def, size_t i, size_t k,
                                    crm_touches *list, crm_error *error)
{
    const crm_body_def *body = &def->bodies[i];
    const crm_wall_def *wall = &def->walls[k];
    double length = sqrt(crm_bodies_dot(wall->normal, wall->normal, def->dimension));
    crm_touch found = {.first = (uint32_t)i, .second = (uint32_t)(def->body_count + k)};
    double height = 0;
    for (unsigned d = 0; d < def->dimension; d++) {
        found.normal[d] = -wall->normal[d] / length;
        height -= found.normal[d] * (body->position[d] - wall->point[d]);
    }
    double gap = height - body->radius;
    if (gap > def->tolerance * body->radius) {
        return CRM_OK;
    }
    if (gap < -def->tolerance * body->radius) {
        return crm_bodies_fail_overlap(def, i, found.second, gap, error);
    }
    found.reach[0] = body->radius + 0.5 * gap;
    return crm_touches_add(def, list, found, error);
}

static crm_status touch_wall(const crm_bodies_def *def, size_t i, size_t k, crm_touches *list,
                             crm_error *error)
{
    if (def->bodies[i].fixed) {
        return CRM_OK;
    }
    return def->bodies[i].shape == CRM_SHAPE_SPHERE ? touch_sphere_wall(def, i, k, list, error)
                                                    : crm_touch_solid_wall(def, i, k, list, error);
}

typedef struct interval {
    double low, high;
    uint32_t body;
} interval;

static int by_low(const void *a, const void *b)
{
    const interval *x = a, *y = b;
    return (x->low > y->low) - (x->low < y->low);
}

static int by_parties(const void *a, const void *b)
{
    const crm_touch *x = a, *y = b;
    if (x->first != y->first) {
        return x->first < y->first ? -1 : 1;
    }
    if (x->second != y->second) {
        return x->second < y->second ? -1 : 1;
    }
    return (x->place > y->place) - (x->place < y->place);
}

/* The axis along which the bodies are spread widest. */
static unsigned widest_axis(const crm_bodies_def *def)
{
    unsigned best = 0;
    double widest = -1;
    for (unsigned d = 0; d < def->dimension; d++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < def->body_count; i++) {
            low = fmin(low, def->bodies[i].position[d]);
            high = fmax(high, def->bodies[i].position[d]);
        }
        if (high - low > widest) {
            widest = high - low;
            best = d;
        }
    }
    return best;
}

/* Sweep and prune along the widest axis: only bodies whose extents overlap there are compared. */
static crm_status sweep(const crm_bodies_def *def, interval *extent, crm_pair_visit visit,
                        void *context, crm_error *error)
{
    for (size_t a = 0; a < def->body_count; a++) {
        for (size_t b = a + 1; b < def->body_count && extent[b].low <= extent[a].high; b++) {
            size_t i = extent[a].body, j = extent[b].body;
            crm_status status = visit(context, i < j ? i : j, i < j ? j : i, error);
            if (status != CRM_OK) {
                return status;
            }
        }
    }
    return CRM_OK;
}

crm_status crm_bodies_visit_near(const crm_bodies_def *def, double relative, crm_pair_visit visit,
                                 void *context, crm_error *error)
{
    interval *extent = CRM_NEW(interval, def->body_count);
    if (extent == NULL) {
        return crm_fail_memory(error);
    }
    unsigned axis = widest_axis(def);
    for (size_t i = 0; i < def->body_count; i++) {
        const crm_body_def *body = &def->bodies[i];
        double reach = body_size(body) * (1.0 + 2.0 * relative);
        extent[i] =
            (interval){body->position[axis] - reach, body->position[axis] + reach, (uint32_t)i};
    }
    qsort(extent, def->body_count, sizeof *extent, by_low);
    crm_status status = sweep(def, extent, visit, context, error);
    free(extent);
    return status;
}

crm_status crm_touches_find(const crm_bodies_def *def, crm_touches *list, crm_error *error)
{
    meeting m = {def, list};
    crm_status status = crm_bodies_visit_near(def, def->tolerance, touch_bodies, &m, error);
    if (status == CRM_OK && list->count > 0) {
        qsort(list->items, list->count, sizeof *list->items, by_parties);
    }
    for (size_t k = 0; status == CRM_OK && k < def->wall_count; k++) {
        for (size_t i = 0; status == CRM_OK && i < def->body_count; i++) {
            status = touch_wall(def, i, k, list, error);
        }
    }
    return status;
}
