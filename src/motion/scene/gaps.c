/* Gaps of model/shape for bodies with positions q and velocities v, and for moving walls: values,
 * gradients, rates and biases. A wall is at N.x = offset + speed t + A sin(omega t + phase).
 */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "motion/scene/scene.h"

/* ---- Walls ----------------------------------------------------------------------------------- */

static bool is_wall(const scene_system *s, const scene_gap *gap)
{
    return gap->second >= s->bodies;
}

static const crm_wall *wall_of(const scene_system *s, const scene_gap *gap)
{
    return &s->wall[gap->second - s->bodies];
}

double scene_gap_rate(const scene_system *s, const scene_gap *gap, double t)
{
    if (!is_wall(s, gap)) {
        return 0;
    }
    return -crm_wall_speed(wall_of(s, gap), t);
}

/* ---- One gap --------------------------------------------------------------------------------- */

/* `solid`: room for the parties at q. */
static scene_pair place_pair(const scene_system *s, const scene_gap *gap, const double *q,
                             crm_solid solid[2])
{
    solid[0] = scene_solid(s, gap->first, q);
    if (is_wall(s, gap)) {
        return (scene_pair){{&solid[0], NULL}};
    }
    solid[1] = scene_solid(s, gap->second, q);
    return (scene_pair){{&solid[0], &solid[1]}};
}

crm_gap scene_gap_between(const scene_system *s, const scene_gap *gap, const scene_pair *pair,
                          double t, const double *q, const double *v)
{
    crm_solid_rate rate[2] = {0};
    size_t parties = is_wall(s, gap) ? 1 : 2;
    const size_t body[2] = {gap->first, gap->second};
    for (size_t k = 0; k < parties && v != NULL; k++) {
        rate[k] = scene_rate(s, body[k], pair->solid[k], q, v);
    }
    if (parties == 2) {
        unsigned feature = gap->feature != CRM_FEATURE_NONE
                               ? gap->feature
                               : crm_feature_of(pair->solid[0], pair->solid[1], gap->place);
        return crm_gap_feature(pair->solid[0], pair->solid[1], gap->place, feature,
                               v != NULL ? rate : NULL);
    }
    const crm_wall *wall = wall_of(s, gap);
    crm_gap nearest = crm_gap_wall(pair->solid[0], gap->place, wall->normal,
                                   crm_wall_position(wall, t), v != NULL ? rate : NULL);
    nearest.bias += wall->omega * wall->omega * wall->amplitude * crm_sin(crm_wall_angle(wall, t));
    return nearest;
}

scene_measure scene_measure_gap(const scene_system *s, const scene_gap *gap, double t,
                                const double *q, const double *v)
{
    crm_solid solid[2];
    scene_pair pair = place_pair(s, gap, q, solid);
    crm_gap nearest = scene_gap_between(s, gap, &pair, t, q, v);
    return (scene_measure){
        .gap = nearest.gap, .rate = scene_gap_rate(s, gap, t), .bias = nearest.bias};
}

/* ---- Features -------------------------------------------------------------------------------- */

unsigned scene_gap_feature(const scene_system *s, const scene_gap *gap, const double *q)
{
    if (is_wall(s, gap)) {
        return CRM_FEATURE_NONE;
    }
    crm_solid first = scene_solid(s, gap->first, q), second = scene_solid(s, gap->second, q);
    return crm_feature_of(&first, &second, gap->place);
}

size_t scene_gap_margins(const scene_gap *gap, const scene_pair *pair, double margin[CRM_MARGINS])
{
    return gap->feature == CRM_FEATURE_NONE ? 0
                                            : crm_feature_margins(pair->solid[0], pair->solid[1],
                                                                  gap->place, gap->feature, margin);
}

unsigned scene_gap_beyond(const scene_system *s, const scene_gap *gap, const double *q,
                          size_t margin)
{
    crm_solid first = scene_solid(s, gap->first, q), second = scene_solid(s, gap->second, q);
    return crm_feature_beyond(&first, &second, gap->place, gap->feature, margin);
}

/* ---- Gradients ------------------------------------------------------------------------------- */

static size_t add_column(const scene_system *s, size_t body, const crm_solid *solid,
                         const double arm[3], double sign, const double *q, const double normal[3],
                         uint32_t *row, double *w)
{
    const double n[3] = {sign * normal[0], sign * normal[1], sign * normal[2]};
    size_t count = scene_generalized_force(s, body, solid, arm, q, n, w);
    for (size_t k = 0; k < count; k++) {
        row[k] = (uint32_t)(s->body[body].velocity + k);
    }
    return count;
}

/* Half way between the surfaces. Walls are taken at t = 0: no gradient depends on their position.
 */
static void set_contact(const crm_gap *nearest, const crm_solid *first, scene_contact *contact)
{
    double ahead = first->radius + 0.5 * nearest->gap;
    for (int d = 0; d < 3; d++) {
        contact->point[d] = first->centre[d] + nearest->arm[0][d] + ahead * nearest->normal[d];
    }
    memcpy(contact->normal, nearest->normal, sizeof nearest->normal);
}

static size_t gap_column(const scene_system *s, const scene_gap *gap, const scene_pair *pair,
                         const crm_gap *nearest, const double *q, uint32_t *row, double *w)
{
    size_t count =
        add_column(s, gap->first, pair->solid[0], nearest->arm[0], -1, q, nearest->normal, row, w);
    if (!is_wall(s, gap)) {
        count += add_column(s, gap->second, pair->solid[1], nearest->arm[1], 1, q, nearest->normal,
                            row + count, w + count);
    }
    return count;
}

size_t scene_gap_column(const scene_system *s, const scene_gap *gap, const double *q, uint32_t *row,
                        double *w, scene_contact *contact)
{
    crm_solid solid[2];
    scene_pair pair = place_pair(s, gap, q, solid);
    crm_gap nearest = scene_gap_between(s, gap, &pair, 0, q, NULL);
    if (contact != NULL) {
        set_contact(&nearest, &solid[0], contact);
    }
    return gap_column(s, gap, &pair, &nearest, q, row, w);
}

void scene_gap_gradient_of(const scene_system *s, const scene_gap *gap, const scene_pair *pair,
                           const crm_gap *nearest, const double *q, double *w)
{
    uint32_t row[SCENE_COLUMN_MOST];
    double value[SCENE_COLUMN_MOST];
    size_t count = gap_column(s, gap, pair, nearest, q, row, value);
    memset(w, 0, s->velocities * sizeof *w);
    for (size_t k = 0; k < count; k++) {
        w[row[k]] = value[k];
    }
}

void scene_gap_gradient(const scene_system *s, const scene_gap *gap, const double *q, double *w)
{
    crm_solid solid[2];
    scene_pair pair = place_pair(s, gap, q, solid);
    crm_gap nearest = scene_gap_between(s, gap, &pair, 0, q, NULL);
    scene_gap_gradient_of(s, gap, &pair, &nearest, q, w);
}

/* ---- Gaps of two parties --------------------------------------------------------------------- */

size_t scene_pair_gaps(const scene_system *s, size_t first, size_t second,
                       scene_gap gap[SCENE_GAPS_MOST])
{
    const scene_body *a = &s->body[first];
    bool wall = second >= s->bodies;
    if (a->hold == SCENE_FIXED && (wall || s->body[second].hold == SCENE_FIXED)) {
        return 0;
    }
    size_t count =
        wall ? crm_gap_wall_places(&a->solid) : crm_gap_places(&a->solid, &s->body[second].solid);
    for (size_t k = 0; k < count; k++) {
        gap[k] = (scene_gap){.first = first, .second = second, .place = k};
    }
    return count;
}
