/* A contact of two parties: its parameters, its gap and normal. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "model/values.h"
#include "motion/flight/flight.h"
#include "motion/impact.h"

/* No gap larger than this part of the size counts as closed; cells leave room for it (grid.c). */
static const double FURTHEST_CLOSURE = 0.01;

void flight_party_name(const flight *f, size_t party, char *text, size_t size)
{
    if (f->name != NULL && f->name[party] != NULL) {
        snprintf(text, size, "%s", f->name[party]);
    } else if (party < f->balls) {
        snprintf(text, size, "body %zu", party + 1);
    } else {
        snprintf(text, size, "wall %zu", party - f->balls + 1);
    }
}

/* ---- Parameters ------------------------------------------------------------------------------ */

static int by_parties(const void *a, const void *b)
{
    const flight_pair *x = a, *y = b;
    if (x->first != y->first) {
        return x->first < y->first ? -1 : 1;
    }
    return (x->second > y->second) - (x->second < y->second);
}

crm_contact_def flight_contact_values(const flight *f, size_t a, size_t b)
{
    if (f->pairs == 0) {
        return f->contact;
    }
    flight_pair wanted = {.first = (uint32_t)(a < b ? a : b), .second = (uint32_t)(a < b ? b : a)};
    const flight_pair *found = bsearch(&wanted, f->pair, f->pairs, sizeof *f->pair, by_parties);
    return found != NULL ? found->contact : f->contact;
}

double flight_restitution(const flight *f, const flight_contact *c, double speed)
{
    crm_contact_def values = flight_contact_values(f, c->first, c->second);
    return crm_impact_restitution(&values, flight_delassus(f, c), speed);
}

bool flight_stiffness(const flight *f, size_t a, size_t b, crm_contact_def *contact)
{
    if (!isnan(contact->stiffness)) {
        return true;
    }
    const crm_material none = {0, 0, 0};
    const crm_material ma = f->material != NULL ? f->material[a] : none;
    const crm_material mb = f->material != NULL ? f->material[b] : none;
    if (!(ma.young > 0) && !(mb.young > 0)) {
        contact->stiffness = 1;
        return true;
    }
    contact->stiffness = crm_hertz_stiffness(ma, a < f->balls ? f->ball[a].radius : INFINITY, mb,
                                             b < f->balls ? f->ball[b].radius : INFINITY);
    return ma.young > 0 && mb.young > 0 && contact->exponent == 1.5;
}

/* ---- Geometry -------------------------------------------------------------------------------- */

static void measure_wall(const flight *f, flight_contact *c, double t, const double *x,
                         const double *v)
{
    const crm_wall *wall = &f->wall[c->second - f->balls];
    for (int d = 0; d < 3; d++) {
        c->normal[d] = -wall->normal[d];
    }
    c->gap = flight_dot(wall->normal, x) - crm_wall_position(wall, t) - f->ball[c->first].radius;
    c->u = flight_dot(wall->normal, v) - crm_wall_speed(wall, t);
}

flight_contact flight_contact_at(const flight *f, size_t first, size_t second, double t)
{
    flight_contact c = {.first = (uint32_t)first, .second = (uint32_t)second};
    double x[3], v[3], y[3], w[3];
    flight_state_at(f, first, t, x, v);
    if (second >= f->balls) {
        measure_wall(f, &c, t, x, v);
        return c;
    }
    flight_state_at(f, second, t, y, w);
    for (int d = 0; d < 3; d++) {
        c.normal[d] = y[d] - x[d];
        w[d] -= v[d];
    }
    double distance = sqrt(flight_dot(c.normal, c.normal));
    for (int d = 0; d < 3; d++) {
        c.normal[d] /= distance;
    }
    c.gap = distance - f->ball[first].radius - f->ball[second].radius;
    c.u = flight_dot(c.normal, w);
    return c;
}

double flight_contact_size(const flight *f, const flight_contact *c)
{
    return f->ball[c->first].radius + (c->second < f->balls ? f->ball[c->second].radius : 0);
}

static double speed_of(const flight *f, size_t ball)
{
    const double *v = f->ball[ball].v;
    return fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

/* The own times of both balls must be that of the contact. */
double flight_contact_noise(const flight *f, const flight_contact *c)
{
    double speed = speed_of(f, c->first);
    if (c->second < f->balls) {
        speed += speed_of(f, c->second);
    } else {
        const crm_wall *wall = &f->wall[c->second - f->balls];
        speed += fabs(wall->speed) + fabs(wall->amplitude) * wall->omega;
    }
    return flight_speed_noise(speed);
}

double flight_delassus(const flight *f, const flight_contact *c)
{
    return f->inverse_mass[c->first] + (c->second < f->balls ? f->inverse_mass[c->second] : 0);
}

/* By indentation: work of compression m c^2/2 = K x^(eta+1)/(eta+1), m = 1/D_jj. */
double flight_closure_gap(const flight *f, const flight_contact *c, double impact_speed)
{
    double size = flight_contact_size(f, c), rounding = 8 * DBL_EPSILON * size;
    if (f->motion.options.closure_kind == CRM_CLOSURE_DISTANCE) {
        return fmax(f->motion.options.closure * size, rounding);
    }
    crm_contact_def values = flight_contact_values(f, c->first, c->second);
    if (!flight_stiffness(f, c->first, c->second, &values)) {
        return rounding;
    }
    double depth = crm_impact_indentation(&values, flight_delassus(f, c), impact_speed);
    return fmax(fmin(depth, FURTHEST_CLOSURE * size), rounding);
}
