/* Removal of overlaps: the nearest q with g >= 0 in the metric of M.
 *
 * Newton's method on the gaps: g + w'd >= 0 for all gaps that d may close, d least in the metric of
 * M, which is a problem of the same form as that of velocities; repeated from there. It converges
 * quadratically. Velocities stay as they are; the change of the potential is accounted for as
 * correction.
 */
#include <math.h>
#include <string.h>

#include "motion/stepping/stepping.h"

/* Iterations at most; gaps larger than MARGIN times the deepest overlap are left out. */
enum { ROUNDS = 40, MARGIN = 4 };

/* The largest overlap relative to the bodies' size; *deepest: the largest as a length. */
static double measure(stepping *s, double t, double *deepest)
{
    double worst = 0;
    *deepest = 0;
    for (size_t j = 0; j < s->gaps; j++) {
        s->distance[j] = stepping_gap_size(s, &s->gap[j], t, s->q);
        worst = stepping_larger(worst, -s->distance[j] / s->gap[j].size);
        *deepest = stepping_larger(*deepest, -s->distance[j]);
    }
    return worst;
}

static crm_status list_overlaps(stepping *s, double deepest, crm_error *error)
{
    crm_status status = CRM_OK;
    s->overlaps.count = 0;
    for (size_t j = 0; j < s->gaps && status == CRM_OK; j++) {
        if (s->distance[j] <= MARGIN * deepest) {
            size_t k = s->overlaps.count;
            status = stepping_contact_add(s, &s->overlaps, j, s->q, error);
            if (s->overlaps.count > k) {
                stepping_contact *c = &s->overlaps.contact[k];
                c->bound = -s->distance[j] / c->length;
                c->p = s->gap[j].push;
            }
        }
    }
    return status;
}

static void move(stepping *s, const double *y)
{
    for (size_t k = 0; k < s->scene->velocities; k++) {
        s->mean[k] = y[k] / s->root[k];
    }
    stepping_advance(s, s->q, s->mean, 1, s->work, s->q);
    for (size_t k = 0; k < s->overlaps.count; k++) {
        const stepping_contact *c = &s->overlaps.contact[k];
        s->gap[c->gap].push = c->p;
    }
}

/* *done: nothing overlaps any more. */
static crm_status remove_overlaps(stepping *s, double t, double deepest, bool *done,
                                  crm_error *error)
{
    crm_status status = CRM_OK;
    *done = false;
    for (unsigned round = 0; round < ROUNDS && !*done && status == CRM_OK; round++) {
        size_t failed_gap = SIZE_MAX;
        status = list_overlaps(s, deepest, error);
        if (status == CRM_OK) {
            status =
                stepping_islands_solve(s, &s->overlaps, &s->position, s->force, &failed_gap, error);
        }
        if (status != CRM_OK || failed_gap != SIZE_MAX) {
            return status;
        }
        move(s, s->force);
        status = stepping_candidates_update(s, s->q, t, error);
        *done = status == CRM_OK && measure(s, t, &deepest) <= STEPPING_OVERLAP;
    }
    s->common.max_penetration = fmax(s->common.max_penetration, deepest);
    return status;
}

crm_status stepping_project(stepping *s, double t, bool *done, crm_error *error)
{
    double deepest;
    crm_status status = stepping_candidates_update(s, s->q, t, error);
    *done = true;
    if (status != CRM_OK) {
        return status;
    }
    if (measure(s, t, &deepest) <= STEPPING_OVERLAP) {
        s->common.max_penetration = fmax(s->common.max_penetration, deepest);
        return CRM_OK;
    }
    double before = scene_potential(s->scene, s->q);
    s->projections++;
    status = remove_overlaps(s, t, deepest, done, error);
    crm_sum_add(&s->correction, scene_potential(s->scene, s->q) - before);
    return status;
}
