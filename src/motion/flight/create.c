/* The state at the start, from the definition of a scene. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "law/law.h"
#include "model/bodies/bodies.h"
#include "model/values.h"
#include "motion/flight/flight.h"

static const double TWO_PI = 6.28318530717958647692;

static crm_status refuse_body(size_t i, const char *field, const char *why, crm_error *error)
{
    char place[64];
    snprintf(place, sizeof place, "bodies[%zu].%s", i + 1, field);
    return crm_fail(error, CRM_ERROR_MODEL, place, "body %zu %s", i + 1, why);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

void flight_free(flight *f)
{
    if (f == NULL) {
        return;
    }
    for (size_t level = 0; level < f->levels; level++) {
        flight_grid_release(&f->grid[level]);
    }
    for (size_t i = 0; f->name != NULL && i < f->balls + f->walls; i++) {
        free(f->name[i]);
    }
    void *const arrays[] = {f->ball,
                            f->inverse_mass,
                            f->mode,
                            f->version,
                            f->support,
                            f->events,
                            f->wall,
                            f->neighbours[0].ball,
                            f->neighbours[1].ball,
                            f->neighbours[0].r,
                            f->neighbours[1].r,
                            f->level,
                            f->pair,
                            f->material,
                            f->name,
                            f->member,
                            f->external,
                            f->request};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) {
        free(arrays[k]);
    }
    flight_queue_release(&f->queue);
    flight_cluster_release(&f->cluster);
    crm_motion_end(&f->motion);
    free(f);
}

static bool take_arrays(flight *f)
{
    size_t n = f->balls;
    f->ball = flight_allocate_lines(n, sizeof(flight_ball));
    f->inverse_mass = CRM_NEW(double, n);
    f->mode = CRM_NEW(uint8_t, n);
    f->version = CRM_NEW(uint32_t, n);
    f->support = CRM_NEW(flight_support, n);
    f->events = flight_allocate_lines(n, sizeof(flight_events));
    f->wall = CRM_NEW(crm_wall, f->walls);
    f->level = CRM_NEW(uint8_t, n);
    f->member = CRM_NEW(uint32_t, n);
    f->external = CRM_NEW(uint32_t, n);
    bool done = f->ball != NULL && f->inverse_mass != NULL && f->mode != NULL &&
                f->version != NULL && f->support != NULL && f->events != NULL && f->wall != NULL &&
                flight_queue_create(&f->queue, n) && f->level != NULL && f->member != NULL &&
                f->external != NULL;
    for (int k = 0; k < 2; k++) {
        f->neighbours[k].ball = CRM_NEW(uint32_t, n + 1); /* add_ball writes one too many */
        f->neighbours[k].r = (double(*)[3])crm_memory_allocate(n, sizeof *f->neighbours[k].r);
        done &= f->neighbours[k].ball != NULL && f->neighbours[k].r != NULL;
    }
    return done;
}

/* ---- Filling it ------------------------------------------------------------------------------ */

static crm_status fill_mass(flight *f, const crm_body_def *body, size_t i, crm_error *error)
{
    double mass = body->mass;
    if (isnan(mass) && body->material != NULL && body->material->density > 0) {
        mass = crm_values_ball_mass(body->radius, body->material->density);
    }
    if (isnan(mass) && !body->fixed) {
        return refuse_body(i, "mass", "has no mass: give mass, or a material with a density",
                           error);
    }
    f->inverse_mass[i] = body->fixed ? 0 : 1 / mass;
    return CRM_OK;
}

static void fill_ball(flight *f, const crm_body_def *body, size_t i, bool external)
{
    f->ball[i].radius = body->radius;
    f->mode[i] = external ? FLIGHT_EXTERNAL : body->fixed ? FLIGHT_FIXED : FLIGHT_FREE;
    f->mixed |= body->fixed;
    f->member[i] = FLIGHT_NONE;
    f->events[i] = (flight_events){
        .meeting = INFINITY, .wall_meeting = INFINITY, .crossing = INFINITY, .last_impact = -1};
    for (unsigned d = 0; d < f->dimension; d++) {
        f->ball[i].x[d] = body->position[d];
    }
    if (external) {
        f->external[f->externals++] = (uint32_t)i;
    }
}

static crm_status fill_balls(flight *f, const crm_scene_def *def, const flight_externals *others,
                             crm_error *error)
{
    size_t next = 0; /* velocity */
    crm_status status = CRM_OK;
    for (size_t i = 0; i < f->balls && status == CRM_OK; i++) {
        const crm_body_def *body = &def->bodies.bodies[i];
        bool external = others != NULL && others->external[i];
        fill_ball(f, body, i, external);
        if (external) {
            next += others->velocities[i];
            continue;
        }
        status = fill_mass(f, body, i, error);
        for (unsigned d = 0; d < f->dimension && !body->fixed; d++) {
            f->ball[i].v[d] = def->velocity != NULL ? def->velocity[next] : 0;
            next++;
        }
    }
    return status;
}

static void fill_walls(flight *f, const crm_scene_def *def)
{
    for (size_t k = 0; k < f->walls; k++) {
        const crm_wall_def *wall = &def->bodies.walls[k];
        crm_wall *w = &f->wall[k];
        double length = sqrt(crm_bodies_dot(wall->normal, wall->normal, f->dimension));
        for (unsigned d = 0; d < f->dimension; d++) {
            w->normal[d] = wall->normal[d] / length;
            w->offset += w->normal[d] * wall->point[d];
            w->speed += w->normal[d] * wall->velocity[d];
        }
        const crm_wall_motion *m = def->wall_motion != NULL ? &def->wall_motion[k] : NULL;
        if (m != NULL && m->amplitude != 0) {
            bool swings = m->frequency > 0;
            w->amplitude = swings ? m->amplitude : 0;
            w->omega = TWO_PI * m->frequency;
            w->phase = m->phase;
            w->offset += swings ? 0 : m->amplitude * crm_sin(m->phase);
        }
    }
}

static int by_parties(const void *a, const void *b)
{
    const flight_pair *x = a, *y = b;
    if (x->first != y->first) {
        return x->first < y->first ? -1 : 1;
    }
    return (x->second > y->second) - (x->second < y->second);
}

static bool fill_pairs(flight *f, const crm_bodies_def *def)
{
    const crm_contact_def standard = {NAN, 1.5, 1.0, 0.0, 0.0, {0}, 0.0};
    f->contact = crm_values_overlay(def->contact, standard);
    f->pairs = def->pair_count;
    f->pair = CRM_NEW(flight_pair, f->pairs);
    if (f->pair == NULL) {
        return false;
    }
    for (size_t k = 0; k < f->pairs; k++) {
        size_t a = def->pairs[k].first, b = def->pairs[k].second;
        f->pair[k] = (flight_pair){(uint32_t)(a < b ? a : b), (uint32_t)(a < b ? b : a),
                                   crm_values_overlay(def->pairs[k].contact, f->contact)};
    }
    if (f->pairs > 0) {
        qsort(f->pair, f->pairs, sizeof *f->pair, by_parties);
    }
    return true;
}

static bool fill_materials(flight *f, const crm_bodies_def *def)
{
    bool any = false;
    for (size_t i = 0; i < f->balls + f->walls; i++) {
        any |= (i < f->balls ? def->bodies[i].material : def->walls[i - f->balls].material) != NULL;
    }
    if (!any) {
        return true;
    }
    f->material = CRM_NEW(crm_material, f->balls + f->walls);
    for (size_t i = 0; f->material != NULL && i < f->balls + f->walls; i++) {
        const crm_material *m =
            i < f->balls ? def->bodies[i].material : def->walls[i - f->balls].material;
        f->material[i] = m != NULL ? *m : (crm_material){0, 0, 0};
    }
    return f->material != NULL;
}

static bool fill_names(flight *f, const crm_bodies_def *def)
{
    f->name = CRM_NEW(char *, f->balls + f->walls);
    for (size_t i = 0; f->name != NULL && i < f->balls + f->walls; i++) {
        const char *name = i < f->balls ? def->bodies[i].name : def->walls[i - f->balls].name;
        f->name[i] = name != NULL ? crm_memory_copy_text(name) : NULL;
        if (name != NULL && f->name[i] == NULL) {
            return false;
        }
    }
    return f->name != NULL;
}

/* Positions at the start. */
static crm_status check_overlaps(flight *f, const crm_bodies_def *def, crm_error *error)
{
    for (size_t i = 0; i < f->balls; i++) {
        f->neighbours[0].count = 0;
        if (f->mode[i] != FLIGHT_EXTERNAL) {
            flight_find_neighbours(f, i, 0, &f->neighbours[0]);
        }
        for (size_t n = 0; n < f->neighbours[0].count; n++) {
            size_t k = f->neighbours[0].ball[n];
            double reach = f->ball[i].radius + f->ball[k].radius;
            double gap = sqrt(flight_dot(f->neighbours[0].r[n], f->neighbours[0].r[n])) - reach;
            bool fixed = f->mode[i] == FLIGHT_FIXED && f->mode[k] == FLIGHT_FIXED;
            if (gap < -def->tolerance * reach && !fixed) {
                return crm_bodies_fail_overlap(def, i < k ? i : k, i < k ? k : i, gap, error);
            }
        }
        for (size_t k = 0; k < f->walls && f->mode[i] == FLIGHT_FREE; k++) {
            double gap = flight_contact_at(f, i, f->balls + k, 0).gap;
            if (gap < -def->tolerance * f->ball[i].radius) {
                return crm_bodies_fail_overlap(def, i, f->balls + k, gap, error);
            }
        }
    }
    return CRM_OK;
}

static crm_status fill(flight *f, const crm_scene_def *def, const flight_externals *others,
                       const crm_motion_options *options, crm_error *error)
{
    crm_status status = fill_balls(f, def, others, error);
    if (status == CRM_OK) {
        fill_walls(f, def);
        bool done = fill_pairs(f, &def->bodies) && fill_materials(f, &def->bodies) &&
                    fill_names(f, &def->bodies);
        status = done ? crm_motion_begin(&f->motion, options, error) : crm_fail_memory(error);
    }
    status = status == CRM_OK ? flight_make_grids(f, error) : status;
    return status == CRM_OK ? check_overlaps(f, &def->bodies, error) : status;
}

static void set_sizes(flight *f, const crm_scene_def *def)
{
    f->dimension = def->bodies.dimension;
    f->balls = def->bodies.body_count;
    f->walls = def->bodies.wall_count;
    f->weightless = true;
    for (unsigned d = 0; d < f->dimension; d++) {
        f->gravity[d] = def->gravity[d];
        f->weightless &= def->gravity[d] == 0;
    }
}

crm_status flight_create(const crm_scene_def *def, const flight_externals *others,
                         const crm_motion_options *options, flight **made, crm_error *error)
{
    *made = NULL;
    flight *f = CRM_NEW(flight, 1);
    if (f == NULL) {
        return crm_fail_memory(error);
    }
    set_sizes(f, def);
    crm_status status =
        take_arrays(f) ? fill(f, def, others, options, error) : crm_fail_memory(error);
    if (status != CRM_OK) {
        flight_free(f);
        return status;
    }
    *made = f;
    return CRM_OK;
}
