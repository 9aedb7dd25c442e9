/* Clearance spheres: how large they are, and when a body leaves its own. */
#include <math.h>

#include "motion/groups/groups.h"

/* Distances at which bodies join and leave a group, relative to the smaller body's size. */
static const double JOIN = 0.25, LEAVE = 1;
/* Largest margin, relative to the body's size: balls that pass by would meet a wider sphere. */
static const double MARGIN_MOST = 1;
/* A body leaves its sphere when this part of the margin is left. */
static const double EDGE = 0.01;

/* ---- Where bodies are ------------------------------------------------------------------------ */

void groups_centre(groups_motion *u, size_t body, double t, double *x)
{
    groups_membership membership = u->membership[body];
    const double *from = u->flight->ball[body].x; /* fixed */
    crm_solid solid;
    if (membership.group < u->groups) {
        groups_group *g = u->group[membership.group];
        solid = scene_solid(g->scene, membership.place, groups_group_state(g, t));
        from = solid.centre;
    } else if (membership.group == GROUPS_UNASSIGNED) {
        from = u->unassigned[membership.place].x;
    }
    for (unsigned d = 0; d < 3; d++) {
        x[d] = d < u->flight->dimension ? from[d] : 0;
    }
}

double groups_reach(const groups_motion *u, size_t body)
{
    groups_membership membership = u->membership[body];
    if (membership.group < u->groups) {
        return scene_reach(u->group[membership.group]->scene, membership.place);
    }
    if (membership.group == GROUPS_UNASSIGNED) {
        return u->unassigned[membership.place].reach;
    }
    const groups_nonflying *nonflying = groups_find_nonflying(u, body);
    return nonflying != NULL ? nonflying->reach : u->flight->ball[body].radius;
}

static double length_between(const double *a, const double *b)
{
    const double r[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    return sqrt(flight_dot(r, r));
}

double groups_distance(groups_motion *u, size_t a, size_t b, double t)
{
    double x[3], y[3];
    groups_centre(u, a, t, x);
    groups_centre(u, b, t, y);
    return length_between(x, y) - groups_reach(u, a) - groups_reach(u, b);
}

/* Always in the same order of the two, so that rounding is the same, too. */
bool groups_are_near(groups_motion *u, size_t a, size_t b, double t)
{
    double distance = a < b ? groups_distance(u, a, b, t) : groups_distance(u, b, a, t);
    return distance < groups_join_distance(u, a, b);
}

double groups_join_distance(const groups_motion *u, size_t a, size_t b)
{
    return JOIN * fmin(groups_reach(u, a), groups_reach(u, b));
}

double groups_leave_distance(const groups_motion *u, size_t a, size_t b)
{
    return LEAVE * fmin(groups_reach(u, a), groups_reach(u, b));
}

double groups_margin_most(const groups_motion *u, size_t body)
{
    return MARGIN_MOST * groups_reach(u, body);
}

static double margin_of(const groups_motion *u, size_t body)
{
    return u->flight->ball[body].radius - groups_reach(u, body);
}

/* ---- When they leave ------------------------------------------------------------------------- */

/* A coordinate is y(0) + h sum c_m P_m(tau), and |P_m| <= 1. */
static double most_of(const lagrange_motion *m, size_t i)
{
    double sum = 0;
    for (size_t k = 0; k < LAGRANGE_TERMS; k++) {
        sum += fabs(m->series[i * LAGRANGE_TERMS + k]);
    }
    return fabs(m->y[i]) + m->h * sum;
}

/* A bound on the speed of the centre in the pending step. */
static double speed_most(const groups_motion *u, const groups_group *g, size_t place)
{
    const lagrange_motion *m = groups_engine(g);
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

/* From t on, by steps in which the body cannot reach the edge at its largest speed. */
static double time_of_exit(groups_motion *u, groups_group *g, size_t place, double t, double end)
{
    uint32_t body = g->body[place];
    double margin = margin_of(u, body), speed = speed_most(u, g, place);
    while (t < end) {
        crm_solid solid = scene_solid(g->scene, place, groups_group_state(g, t));
        double left = margin - length_between(solid.centre, u->flight->ball[body].x);
        if (left <= EDGE * margin) {
            return t;
        }
        t += left / speed;
    }
    return INFINITY;
}

void groups_find_exit(groups_motion *u, groups_group *g, double t)
{
    const lagrange_motion *m = groups_engine(g);
    g->exit_time = INFINITY;
    for (size_t k = 0; k < g->count && m->stepping && !g->sole; k++) {
        if (g->scene->body[k].hold == SCENE_FIXED) {
            continue;
        }
        double time = time_of_exit(u, g, k, t, fmin(m->t + m->h, g->exit_time));
        if (time < g->exit_time) {
            g->exit_time = time;
            g->exit_body = g->body[k];
        }
    }
}

/* ---- Renewal --------------------------------------------------------------------------------- */

static void mark_stale(groups_motion *u, size_t body)
{
    if (u->membership[body].group < u->groups) {
        u->group[u->membership[body].group]->stale = true;
    }
}

double groups_ball_distance(const flight *f, size_t ball, double t, const double *x)
{
    double y[3], v[3];
    flight_state_at(f, ball, t, y, v);
    for (int d = 0; d < 3; d++) {
        y[d] -= x[d];
    }
    return sqrt(flight_dot(y, y)) - f->ball[ball].radius;
}

/* Balls in flight limit the margin, or leave the flight. */
static crm_status keep_clear_of_balls(groups_motion *u, size_t body, double t, const double *x,
                                      double *margin, crm_error *error)
{
    flight *f = u->flight;
    flight_neighbours *neighbours = &f->neighbours[1];
    double reach = groups_reach(u, body);
    crm_status status = CRM_OK;
    flight_search_cells(f, x, reach + 2 * *margin, 0.5, neighbours);
    for (size_t n = 0; n < neighbours->count && status == CRM_OK; n++) {
        size_t ball = neighbours->ball[n];
        if (f->mode[ball] == FLIGHT_FIXED) {
            continue;
        }
        double distance = groups_ball_distance(f, ball, t, x) - reach;
        if (distance < groups_join_distance(u, body, ball)) {
            status = groups_take_from_flight(u, ball, t, error);
        } else {
            *margin = fmin(*margin, distance / 2);
        }
    }
    return status;
}

/* Bodies of other groups limit the margin, too, or their groups join. */
static void keep_clear_of_bodies(groups_motion *u, size_t body, double t, const double *x,
                                 double *margin)
{
    const flight *f = u->flight;
    for (size_t k = 0; k < f->externals; k++) {
        size_t other = f->external[k];
        bool same = u->membership[other].group == u->membership[body].group &&
                    u->membership[body].group != GROUPS_UNASSIGNED;
        if (other == body || same || groups_is_fixed(u, other)) {
            continue;
        }
        if (groups_are_near(u, body, other, t)) {
            mark_stale(u, other);
            continue;
        }
        *margin = fmin(*margin, groups_distance(u, body, other, t) / 3);
        double room = groups_ball_distance(f, other, t, x) - groups_reach(u, body);
        if (room < *margin) {
            groups_queue_body(u, other);
        }
    }
}

static crm_status renew_clearance(groups_motion *u, size_t body, double t, crm_error *error)
{
    double x[3], margin = groups_margin_most(u, body);
    groups_centre(u, body, t, x);
    crm_status status = keep_clear_of_balls(u, body, t, x, &margin, error);
    if (status == CRM_OK) {
        keep_clear_of_bodies(u, body, t, x, &margin);
        flight_set_clearance(u->flight, body, t, x, groups_reach(u, body) + margin);
        mark_stale(u, body);
    }
    return status;
}

crm_status groups_renew_clearances(groups_motion *u, double t, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t k = 0; k < u->queue_count && status == CRM_OK; k++) {
        status = renew_clearance(u, u->queue[k], t, error);
    }
    groups_clear_queue(u);
    return status;
}
