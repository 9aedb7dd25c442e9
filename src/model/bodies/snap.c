/* Newton's method on the gaps g(q) = 0 of the pairs that are to touch. Each step is the shortest
 * solution of J dq = -g, by conjugate gradients on the normal equations (CGLS): these allow
 * redundant pairs, of which a rack has many, and need no matrix.
 */
#include "model/bodies/snap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "model/bodies/touches.h"

/* Rounding of positions relative to sizes; Newton's method converges quadratically. */
static const double CLOSED = 1e-14;
enum { STEPS_MOST = 20 };
static const double SOLVED = 1e-13; /* of a step */

typedef struct link {
    uint32_t first, second; /* parties; the first is a body */
    double normal[3];       /* from first to second: the gap's change as the second moves */
    double gap, size;
} link;

typedef struct network {
    const crm_bodies_def *def;
    crm_body_def *bodies;
    double snap;
    link *links;
    size_t count, room;
} network;

/* ---- Gaps ------------------------------------------------------------------------------------ */

static void measure_bodies(const network *n, link *l)
{
    unsigned dimension = n->def->dimension;
    const crm_body_def *a = &n->bodies[l->first], *b = &n->bodies[l->second];
    for (unsigned d = 0; d < dimension; d++) {
        l->normal[d] = b->position[d] - a->position[d];
    }
    double distance = sqrt(crm_bodies_dot(l->normal, l->normal, dimension));
    for (unsigned d = 0; d < dimension; d++) {
        l->normal[d] = distance > 0 ? l->normal[d] / distance : 0;
    }
    l->size = a->radius + b->radius;
    l->gap = distance - l->size;
}

/* A wall does not move: its gap decreases as the body moves along the normal. */
static void measure_wall(const network *n, link *l)
{
    unsigned dimension = n->def->dimension;
    const crm_body_def *body = &n->bodies[l->first];
    const crm_wall_def *wall = &n->def->walls[l->second - n->def->body_count];
    double length = sqrt(crm_bodies_dot(wall->normal, wall->normal, dimension)), height = 0;
    for (unsigned d = 0; d < dimension; d++) {
        l->normal[d] = -wall->normal[d] / length;
        height -= l->normal[d] * (body->position[d] - wall->point[d]);
    }
    l->size = body->radius;
    l->gap = height - l->size;
}

static void measure(const network *n, link *l)
{
    if (l->second < n->def->body_count) {
        measure_bodies(n, l);
    } else {
        measure_wall(n, l);
    }
}

/* ---- Which pairs ----------------------------------------------------------------------------- */

static crm_status consider(network *n, size_t first, size_t second, crm_error *error)
{
    link l = {.first = (uint32_t)first, .second = (uint32_t)second};
    measure(n, &l);
    if (!(fabs(l.gap) <= n->snap * l.size)) {
        return CRM_OK;
    }
    if (n->count == n->room) {
        size_t room = 2 * n->room + 16;
        link *more = crm_memory_resize(n->links, room, sizeof *more);
        if (more == NULL) {
            return crm_fail_memory(error);
        }
        n->links = more;
        n->room = room;
    }
    n->links[n->count++] = l;
    return CRM_OK;
}

static bool is_movable(const network *n, size_t party)
{
    return party < n->def->body_count && !n->bodies[party].fixed;
}

static crm_status consider_bodies(void *context, size_t i, size_t j, crm_error *error)
{
    network *n = context;
    bool round = n->bodies[i].shape == CRM_SHAPE_SPHERE && n->bodies[j].shape == CRM_SHAPE_SPHERE;
    return round && (is_movable(n, i) || is_movable(n, j)) ? consider(n, i, j, error) : CRM_OK;
}

static crm_status find_links(network *n, crm_error *error)
{
    crm_status status = crm_bodies_visit_near(n->def, n->snap, consider_bodies, n, error);
    for (size_t k = 0; k < n->def->wall_count; k++) {
        for (size_t i = 0; i < n->def->body_count && status == CRM_OK; i++) {
            if (is_movable(n, i) && n->bodies[i].shape == CRM_SHAPE_SPHERE) {
                status = consider(n, i, n->def->body_count + k, error);
            }
        }
    }
    return status;
}

/* ---- One step -------------------------------------------------------------------------------- */

/* out := J x, by link; J x is how the gaps change when the bodies move by x. */
static void apply_jacobian(const network *n, const double *x, double *out)
{
    unsigned dimension = n->def->dimension;
    for (size_t k = 0; k < n->count; k++) {
        const link *l = &n->links[k];
        out[k] = 0;
        if (is_movable(n, l->second)) {
            out[k] += crm_bodies_dot(l->normal, x + (size_t)dimension * l->second, dimension);
        }
        if (is_movable(n, l->first)) {
            out[k] -= crm_bodies_dot(l->normal, x + (size_t)dimension * l->first, dimension);
        }
    }
}

/* out := J' r, by coordinate. */
static void gather(const network *n, const double *r, double *out)
{
    unsigned dimension = n->def->dimension;
    memset(out, 0, n->def->body_count * dimension * sizeof *out);
    for (size_t k = 0; k < n->count; k++) {
        const link *l = &n->links[k];
        for (unsigned d = 0; d < dimension; d++) {
            if (is_movable(n, l->second)) {
                out[(size_t)dimension * l->second + d] += l->normal[d] * r[k];
            }
            if (is_movable(n, l->first)) {
                out[(size_t)dimension * l->first + d] -= l->normal[d] * r[k];
            }
        }
    }
}

static double square(const double *x, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += x[i] * x[i];
    }
    return sum;
}

/* x: the shortest move that changes the gaps by r, in the least-squares sense. `work`: 2
 * coordinates
 * + pairs.
 */
static void find_shortest_move(const network *n, double *r, double *x, double *work)
{
    size_t coordinates = n->def->body_count * n->def->dimension;
    double *s = work, *p = work + coordinates, *q = work + 2 * coordinates;
    memset(x, 0, coordinates * sizeof *x);
    gather(n, r, s);
    memcpy(p, s, coordinates * sizeof *p);
    double gamma = square(s, coordinates), first = gamma;
    for (size_t step = 0; step < 4 * n->count + 16 && gamma > SOLVED * SOLVED * first; step++) {
        apply_jacobian(n, p, q);
        double alpha = gamma / square(q, n->count);
        for (size_t i = 0; i < coordinates; i++) {
            x[i] += alpha * p[i];
        }
        for (size_t k = 0; k < n->count; k++) {
            r[k] -= alpha * q[k];
        }
        gather(n, r, s);
        double next = square(s, coordinates), beta = next / gamma;
        for (size_t i = 0; i < coordinates; i++) {
            p[i] = s[i] + beta * p[i];
        }
        gamma = next;
    }
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* The pair that is farthest from touching, relative to its size. */
static const link *widest(const network *n)
{
    const link *most = &n->links[0];
    for (size_t k = 1; k < n->count; k++) {
        const link *l = &n->links[k];
        most = fabs(l->gap) / l->size > fabs(most->gap) / most->size ? l : most;
    }
    return most;
}

static bool are_closed(const network *n)
{
    const link *l = widest(n);
    return fabs(l->gap) <= CLOSED * l->size;
}

static void take_step(network *n, double *r, double *x, double *work)
{
    unsigned dimension = n->def->dimension;
    for (size_t k = 0; k < n->count; k++) {
        r[k] = -n->links[k].gap;
    }
    find_shortest_move(n, r, x, work);
    for (size_t i = 0; i < n->def->body_count; i++) {
        for (unsigned d = 0; is_movable(n, i) && d < dimension; d++) {
            n->bodies[i].position[d] += x[i * dimension + d];
        }
    }
    for (size_t k = 0; k < n->count; k++) {
        measure(n, &n->links[k]);
    }
}

static void summarize(const network *n, const double *before, crm_snapped *snapped)
{
    unsigned dimension = n->def->dimension;
    snapped->pairs = n->count;
    for (size_t i = 0; i < n->def->body_count; i++) {
        double away[3] = {0};
        for (unsigned d = 0; d < dimension; d++) {
            away[d] = n->bodies[i].position[d] - before[i * dimension + d];
        }
        double distance = sqrt(crm_bodies_dot(away, away, dimension));
        snapped->moved += distance > 0;
        if (distance > snapped->distance) {
            snapped->distance = distance;
            snapped->farthest = i;
        }
    }
}

static crm_status move_all(network *n, double *room, crm_snapped *snapped, crm_error *error)
{
    unsigned dimension = n->def->dimension;
    size_t coordinates = n->def->body_count * dimension;
    double *before = room, *x = room + coordinates, *work = room + 2 * coordinates;
    double *r = room + 4 * coordinates + n->count;
    for (size_t i = 0; i < coordinates; i++) {
        before[i] = n->bodies[i / dimension].position[i % dimension];
    }
    for (int step = 0; step < STEPS_MOST && !are_closed(n); step++) {
        take_step(n, r, x, work);
    }
    summarize(n, before, snapped);
    const link *l = widest(n);
    if (fabs(l->gap) <= n->def->tolerance * l->size) {
        return CRM_OK;
    }
    char reason[160];
    crm_snprintf(reason, sizeof reason,
                 "cannot be moved to touch (contacts.snap) with all others that are to: %.3g m are "
                 "left",
                 fabs(l->gap));
    return crm_bodies_fail_pair(n->def, l->first, l->second, reason, error);
}

crm_status crm_snap_bodies(const crm_bodies_def *def, double snap, crm_body_def *bodies,
                           crm_snapped *snapped, crm_error *error)
{
    network n = {.def = def, .bodies = bodies, .snap = snap};
    *snapped = (crm_snapped){0};
    crm_status status = find_links(&n, error);
    if (status == CRM_OK && n.count > 0) {
        double *room = CRM_NEW(double, 4 * def->body_count * def->dimension + 2 * n.count);
        status = room != NULL ? move_all(&n, room, snapped, error) : crm_fail_memory(error);
        free(room);
    }
    free(n.links);
    return status;
}
