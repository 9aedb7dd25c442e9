/* Positions of bodies and walls, and the gaps between them.
 *
 * The scene has all of this, too. Here gaps of spheres and discs are computed directly from their
 * centres, by the same operations: most bodies are such, and every step visits all of them.
 */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "motion/stepping/stepping.h"

static bool is_round(const scene_body *b)
{
    return b->hold != SCENE_HUNG && crm_solid_corners(&b->solid) == 1;
}

void stepping_geometry_begin(stepping *s)
{
    s->straight = s->scene->positions == s->scene->velocities;
    s->walls_move = scene_walls_move(s->scene);
    for (size_t i = 0; i < s->scene->bodies; i++) {
        const scene_body *b = &s->scene->body[i];
        s->body[i] = (stepping_body){.first = (uint32_t)b->velocity,
                                     .width = (uint32_t)b->velocities,
                                     .position = (uint32_t)b->position,
                                     .hold = b->hold,
                                     .round = is_round(b),
                                     .reach = scene_reach(s->scene, i),
                                     .mass = b->mass};
    }
}

void stepping_centre(const stepping *s, size_t body, const double *q, double centre[3])
{
    const stepping_body *b = &s->body[body];
    if (b->hold == SCENE_FREE) {
        unsigned dimension = s->scene->dimension;
        const double *at = q + b->position;
        centre[0] = at[0];
        centre[1] = dimension > 1 ? at[1] : 0;
        centre[2] = dimension > 2 ? at[2] : 0;
    } else if (b->hold == SCENE_FIXED) {
        memcpy(centre, s->scene->body[body].solid.centre, 3 * sizeof *centre);
    } else {
        crm_solid solid = scene_solid(s->scene, body, q);
        memcpy(centre, solid.centre, sizeof solid.centre);
    }
}

double stepping_gap_rate(const stepping *s, const stepping_gap *candidate, double t)
{
    return candidate->party[1] < s->scene->bodies || !s->walls_move
               ? 0
               : scene_gap_rate(s->scene, &candidate->gap, t);
}

/* ---- Gaps of spheres ------------------------------------------------------------------------- */

/* n from the first centre to the second; its length. */
static double offset_between(const stepping *s, const stepping_gap *candidate, const double *q,
                             double n[3])
{
    double a[3], b[3];
    stepping_centre(s, candidate->party[0], q, a);
    stepping_centre(s, candidate->party[1], q, b);
    for (unsigned d = 0; d < 3; d++) {
        n[d] = b[d] - a[d];
    }
    return sqrt(crm_dot3(n, n));
}

static double round_gap(const stepping *s, const stepping_gap *candidate, double t, const double *q)
{
    double n[3], centre[3];
    if (candidate->party[1] < s->scene->bodies) {
        return offset_between(s, candidate, q, n) - candidate->size;
    }
    const crm_wall *wall = &s->scene->wall[candidate->party[1] - s->scene->bodies];
    stepping_centre(s, candidate->party[0], q, centre);
    return crm_dot3(wall->normal, centre) - crm_wall_position(wall, t) - candidate->size;
}

/* The normal, from the first into the second. */
static void round_normal(const stepping *s, const stepping_gap *candidate, const double *q,
                         double n[3])
{
    if (candidate->party[1] < s->scene->bodies) {
        double apart = offset_between(s, candidate, q, n);
        for (unsigned d = 0; d < 3 && apart > 0; d++) {
            n[d] /= apart;
        }
        return;
    }
    for (unsigned d = 0; d < 3; d++) {
        n[d] = -s->scene->wall[candidate->party[1] - s->scene->bodies].normal[d];
    }
}

static uint32_t round_gradient(const stepping *s, const stepping_gap *candidate, const double *q,
                               double *value)
{
    double n[3];
    uint32_t count = 0;
    round_normal(s, candidate, q, n);
    for (unsigned side = 0; side < 2 && candidate->party[side] < s->scene->bodies; side++) {
        for (uint32_t d = 0; d < s->body[candidate->party[side]].width; d++) {
            value[count++] = side == 0 ? -n[d] : n[d];
        }
    }
    return count;
}

/* ---- Gaps of any bodies ---------------------------------------------------------------------- */

double stepping_gap_size(const stepping *s, const stepping_gap *candidate, double t,
                         const double *q)
{
    return candidate->round ? round_gap(s, candidate, t, q)
                            : scene_measure_gap(s->scene, &candidate->gap, t, q, NULL).gap;
}

uint32_t stepping_gap_gradient(const stepping *s, const stepping_gap *candidate, const double *q,
                               double *value)
{
    uint32_t row[SCENE_COLUMN_MOST];
    return candidate->round
               ? round_gradient(s, candidate, q, value)
               : (uint32_t)scene_gap_column(s->scene, &candidate->gap, q, row, value, NULL);
}
