/* How much room a body keeps clear, and when it leaves it. */
#include <math.h>

#include "motion/units/units.h"

/* Parts of the smaller body's size. */
static const double JOIN = 0.25, LEAVE = 1;
/* Of the body's own: a wider berth is met by balls that never come near. */
static const double MARGIN_MOST = 1;
/* A body is at the edge of its berth when this part of the margin is left. */
static const double EDGE = 0.01;

/* ---- Where bodies are ------------------------------------------------------------------------ */

void units_centre(units *u, size_t body, double t, double *x)
{
    units_seat seat = u->seat[body];
    const double *from = u->flight->ball[body].x; /* fixed */
    crm_solid solid;
    if (seat.group < u->groups) {
        units_group *g = u->group[seat.group];
        solid = scene_solid(g->scene, seat.place, units_group_at(g, t));
        from = solid.centre;
    } else if (seat.group == UNITS_LOOSE) {
        from = u->loose[seat.place].x;
    }
    for (unsigned d = 0; d < 3; d++) {
        x[d] = d < u->flight->dimension ? from[d] : 0;
    }
}

double units_reach(const units *u, size_t body)
{
    units_seat seat = u->seat[body];
    if (seat.group < u->groups) {
        return scene_reach(u->group[seat.group]->scene, seat.place);
    }
    if (seat.group == UNITS_LOOSE) {
        return u->loose[seat.place].reach;
    }
    const units_special *special = units_special_of(u, body);
    return special != NULL ? special->reach : u->flight->ball[body].radius;
}

static double length_between(const double *a, const double *b)
{
    const double r[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    return sqrt(flight_dot(r, r));
}

double units_distance(units *u, size_t a, size_t b, double t)
{
    double x[3], y[3];
    units_centre(u, a, t, x);
    units_centre(u, b, t, y);
    return length_between(x, y) - units_reach(u, a) - units_reach(u, b);
}

/* The two in one order: whoever asks has the same answer, to the last bit. */
bool units_are_near(units *u, size_t a, size_t b, double t)
{
    double distance = a < b ? units_distance(u, a, b, t) : units_distance(u, b, a, t);
    return distance < units_join_distance(u, a, b);
}

double units_join_distance(const units *u, size_t a, size_t b)
{
    return JOIN * fmin(units_reach(u, a), units_reach(u, b));
}

double units_leave_distance(const units *u, size_t a, size_t b)
{
    return LEAVE * fmin(units_reach(u, a), units_reach(u, b));
}

double units_margin_most(const units *u, size_t body)
{
    return MARGIN_MOST * units_reach(u, body);
}

double units_margin(const units *u, size_t body)
{
    return u->flight->ball[body].radius - units_reach(u, body);
}

/* ---- When they leave ------------------------------------------------------------------------- */

/* A coordinate is y(0) + h sum c_m P_m(tau), and |P_m| <= 1. */
static double most_of(const lag_motion *m, size_t i)
{
    double sum = 0;
    for (size_t k = 0; k < LAG_TERMS; k++) {
        sum += fabs(m->series[i * LAG_TERMS + k]);
    }
    return fabs(m->y[i]) + m->h * sum;
}

/* The centre is not faster than this in the pending step. */
static double speed_most(const units *u, const units_group *g, size_t place)
{
    const lag_motion *m = units_engine(g);
    const scene_body *b = &g->scene->body[place];
    size_t first = m->positions + b->velocity;
    if (b->hold == SCENE_HUNG) {
        return b->string * most_of(m, first);
    }
    double square = 0;
    for (unsigned d = 0; d < u->flight->dimension; d++) {
        double most = most_of(m, first + d);
        square += most * most;
    }
    return sqrt(square);
}

/* From t on, by steps that are not longer than the way to the edge takes at the greatest speed. */
static double leaves_at(units *u, units_group *g, size_t place, double t, double end)
{
    uint32_t body = g->body[place];
    double margin = units_margin(u, body), speed = speed_most(u, g, place);
    while (t < end) {
        crm_solid solid = scene_solid(g->scene, place, units_group_at(g, t));
        double left = margin - length_between(solid.centre, u->flight->ball[body].x);
        if (left <= EDGE * margin) {
            return t;
        }
        t += left / speed;
    }
    return INFINITY;
}

void units_find_look(units *u, units_group *g, double t)
{
    const lag_motion *m = units_engine(g);
    g->look = INFINITY;
    for (size_t k = 0; k < g->count && m->stepping && !g->alone; k++) {
        if (g->scene->body[k].hold == SCENE_FIXED) {
            continue;
        }
        double time = leaves_at(u, g, k, t, fmin(m->t + m->h, g->look));
        if (time < g->look) {
            g->look = time;
            g->leaver = g->body[k];
        }
    }
}

/* ---- Making them ----------------------------------------------------------------------------- */

static void touch(units *u, size_t body)
{
    if (u->seat[body].group < u->groups) {
        u->group[u->seat[body].group]->touched = true;
    }
}

double units_ball_distance(const flight *f, size_t ball, double t, const double *x)
{
    double y[3], v[3];
    flight_at(f, ball, t, y, v);
    for (int d = 0; d < 3; d++) {
        y[d] -= x[d];
    }
    return sqrt(flight_dot(y, y)) - f->ball[ball].radius;
}

/* Balls in flight leave room, or join. */
static crm_status clear_balls(units *u, size_t body, double t, const double *x, double *margin,
                              crm_error *error)
{
    flight *f = u->flight;
    flight_near *near = &f->near[1];
    double reach = units_reach(u, body);
    crm_status status = CRM_OK;
    flight_search(f, x, reach + 2 * *margin, 0.5, near);
    for (size_t n = 0; n < near->count && status == CRM_OK; n++) {
        size_t ball = near->ball[n];
        if (f->mode[ball] == FLIGHT_FIXED) {
            continue;
        }
        double distance = units_ball_distance(f, ball, t, x) - reach;
        if (distance < units_join_distance(u, body, ball)) {
            status = units_take(u, ball, t, error);
        } else {
            *margin = fmin(*margin, distance / 2);
        }
    }
    return status;
}

/* Bodies of other groups leave room, too, or the groups are one. */
static void clear_bodies(units *u, size_t body, double t, const double *x, double *margin)
{
    const flight *f = u->flight;
    for (size_t k = 0; k < f->aways; k++) {
        size_t other = f->away[k];
        bool same =
            u->seat[other].group == u->seat[body].group && u->seat[body].group != UNITS_LOOSE;
        if (other == body || same || units_is_fixed(u, other)) {
            continue;
        }
        if (units_are_near(u, body, other, t)) {
            touch(u, other);
            continue;
        }
        *margin = fmin(*margin, units_distance(u, body, other, t) / 3);
        double room = units_ball_distance(f, other, t, x) - units_reach(u, body);
        if (room < *margin) {
            units_queue(u, other);
        }
    }
}

static crm_status make_berth(units *u, size_t body, double t, crm_error *error)
{
    double x[3], margin = units_margin_most(u, body);
    units_centre(u, body, t, x);
    crm_status status = clear_balls(u, body, t, x, &margin, error);
    if (status == CRM_OK) {
        clear_bodies(u, body, t, x, &margin);
        flight_set_berth(u->flight, body, t, x, units_reach(u, body) + margin);
        touch(u, body);
    }
    return status;
}

crm_status units_make_berths(units *u, double t, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t k = 0; k < u->queue_count && status == CRM_OK; k++) {
        status = make_berth(u, u->queue[k], t, error);
    }
    units_clear_queue(u);
    return status;
}
