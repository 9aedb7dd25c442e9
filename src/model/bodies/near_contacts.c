#include "model/bodies/near_contacts.h"

#include <math.h>
#include <stdlib.h>

#include "model/bodies/touches.h"
#include "model/shape/shape.h"

typedef struct search {
    const crm_bodies_def *def;
    double most;
    crm_near_contacts *nears;
} search;

/* Inserts a pair among the nearest; the farthest is dropped. */
static void insert(search *s, crm_near_contact near)
{
    crm_near_contacts *m = s->nears;
    m->total++;
    size_t at = m->kept < CRM_NEAR_CONTACTS_KEPT ? m->kept++ : m->kept - 1;
    if (m->total > CRM_NEAR_CONTACTS_KEPT && m->nearest[at].relative <= near.relative) {
        return;
    }
    for (; at > 0 && m->nearest[at - 1].relative > near.relative; at--) {
        m->nearest[at] = m->nearest[at - 1];
    }
    m->nearest[at] = near;
}

static void consider(search *s, size_t first, size_t second, double gap, double size)
{
    double relative = gap / size;
    if (relative > s->def->tolerance && relative <= s->most) {
        insert(s, (crm_near_contact){first, second, gap, relative, "", ""});
    }
}

static double nearest_gap(const crm_solid *a, const crm_solid *b)
{
    double gap = INFINITY;
    for (size_t place = 0; place < crm_gap_places(a, b); place++) {
        gap = fmin(gap, crm_gap_solids(a, b, place, NULL).gap);
    }
    return gap;
}

static crm_status consider_bodies(void *context, size_t i, size_t j, crm_error *error)
{
    (void)error;
    search *s = context;
    const crm_body_def *first = &s->def->bodies[i], *second = &s->def->bodies[j];
    if (!first->fixed || !second->fixed) {
        crm_solid a = crm_solid_of(first, s->def->dimension);
        crm_solid b = crm_solid_of(second, s->def->dimension);
        consider(s, i, j, nearest_gap(&a, &b), crm_solid_reach(&a) + crm_solid_reach(&b));
    }
    return CRM_OK;
}

static void consider_wall(search *s, size_t i, size_t k)
{
    const crm_wall_def *wall = &s->def->walls[k];
    crm_solid solid = crm_solid_of(&s->def->bodies[i], s->def->dimension);
    double length = sqrt(crm_bodies_dot(wall->normal, wall->normal, s->def->dimension)),
           unit[3] = {0};
    for (unsigned d = 0; d < s->def->dimension; d++) {
        unit[d] = wall->normal[d] / length;
    }
    double offset = crm_bodies_dot(unit, wall->point, s->def->dimension), gap = INFINITY;
    for (size_t place = 0; place < crm_gap_wall_places(&solid); place++) {
        gap = fmin(gap, crm_gap_wall(&solid, place, unit, offset, NULL).gap);
    }
    consider(s, i, s->def->body_count + k, gap, crm_solid_reach(&solid));
}

crm_status crm_near_contacts_find(const crm_bodies_def *def, double most, crm_near_contacts *nears,
                                  crm_error *error)
{
    *nears = (crm_near_contacts){0};
    search s = {def, most, nears};
    crm_status status = crm_bodies_visit_near(def, most, consider_bodies, &s, error);
    for (size_t k = 0; status == CRM_OK && k < def->wall_count; k++) {
        for (size_t i = 0; i < def->body_count; i++) {
            if (!def->bodies[i].fixed) {
                consider_wall(&s, i, k);
            }
        }
    }
    for (size_t i = 0; i < nears->kept; i++) {
        crm_near_contact *near = &nears->nearest[i];
        crm_bodies_party_name(def, near->first, near->first_name, CRM_PARTY_NAME_SIZE);
        crm_bodies_party_name(def, near->second, near->second_name, CRM_PARTY_NAME_SIZE);
    }
    return status;
}
