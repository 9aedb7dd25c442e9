/* The directions of contacts between bodies: gap gradients, and tangents where there is friction.
 */
#include "model/bodies/bodies.h"
#include "model/shape/shape.h"

/* Columns of a sparse matrix, being filled. */
typedef struct columns {
    const crm_bodies_def *def;
    const crm_bodies_layout *l;
    uint32_t *row;
    double *value;
    size_t filled;
} columns;

/* r x direction, in the plane, or in the axes of the body. */
static void find_lever(const crm_bodies_def *def, size_t party, size_t turns, const double arm[3],
                       const double direction[3], double lever[3])
{
    double moment[3];
    crm_cross3(arm, direction, moment);
    lever[0] = moment[2];
    if (turns == 3) {
        crm_solid solid = crm_solid_of(&def->bodies[party], def->dimension);
        for (int k = 0; k < 3; k++) {
            lever[k] = crm_dot3(solid.axis[k], moment);
        }
    }
}

/* The entries of one party: sign times (direction, lever). Walls and fixed bodies have none. */
static void fill_party(columns *c, size_t party, double sign, const double direction[3],
                       const double arm[3])
{
    unsigned dimension = c->def->dimension;
    if (party >= c->def->body_count) {
        return;
    }
    size_t start = c->l->start[party], count = c->l->start[party + 1] - start;
    double lever[3];
    if (count > dimension) {
        find_lever(c->def, party, count - dimension, arm, direction, lever);
    }
    for (size_t d = 0; d < count; d++) { /* spins come last */
        c->row[c->filled] = (uint32_t)(start + d);
        c->value[c->filled++] = sign * (d < dimension ? direction[d] : lever[d - dimension]);
    }
}

static double prescribed(const crm_bodies_def *def, const crm_touch *t, const double direction[3])
{
    return t->second < def->body_count
               ? 0
               : crm_bodies_dot(def->walls[t->second - def->body_count].velocity, direction,
                                def->dimension);
}

static void fill_gradients(const crm_touches *list, columns c, crm_parts *p)
{
    for (size_t j = 0; j < list->count; j++) {
        const crm_touch *t = &list->items[j];
        fill_party(&c, t->first, -1, t->normal, t->arm[0]);
        fill_party(&c, t->second, 1, t->normal, t->arm[1]);
        if (t->second >= c.def->body_count) {
            p->boundary_velocity[j] = prescribed(c.def, t, t->normal);
        }
        p->column_start[j + 1] = c.filled;
    }
}

/* Where they touch, from the centre of the first or of the second party. */
static void find_arm(const crm_touch *t, int party, double arm[3])
{
    double along = party == 0 ? t->reach[0] : -t->reach[1];
    for (int d = 0; d < 3; d++) {
        arm[d] = t->arm[party][d] + along * t->normal[d];
    }
}

static void fill_tangents(const crm_touches *list, columns c, crm_parts_tangents *p)
{
    for (size_t j = 0; j < list->count; j++) {
        const crm_touch *t = &list->items[j];
        double tangent[2][3], arm[2][3];
        crm_solid_tangents(c.def->dimension, t->normal, tangent);
        find_arm(t, 0, arm[0]);
        find_arm(t, 1, arm[1]);
        for (unsigned k = 0; k < p->each; k++) {
            size_t column = j * p->each + k;
            fill_party(&c, t->first, -1, tangent[k], arm[0]);
            fill_party(&c, t->second, 1, tangent[k], arm[1]);
            p->velocity[column] = prescribed(c.def, t, tangent[k]);
            p->column_start[column + 1] = c.filled;
        }
    }
}

size_t crm_bodies_entries(const crm_bodies_def *def)
{
    static const size_t most[] = {0, 2, 6, 12}; /* of two bodies with centres and spins */
    return most[def->dimension];
}

crm_status crm_bodies_fill_directions(const crm_bodies_def *def, const crm_bodies_layout *l,
                                      const crm_touches *list, crm_parts *parts, crm_error *error)
{
    fill_gradients(list, (columns){def, l, parts->row, parts->w, 0}, parts);
    if (l->sphere_turns == 0) {
        return CRM_OK;
    }
    unsigned each = def->dimension - 1;
    crm_status status =
        crm_parts_add_tangents(parts, each, crm_bodies_entries(def) * each * list->count, error);
    if (status == CRM_OK) {
        crm_parts_tangents *t = &parts->tangents;
        fill_tangents(list, (columns){def, l, t->row, t->t, 0}, t);
    }
    return status;
}
