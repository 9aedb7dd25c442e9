/* An independent check that no impact was missed.
 *
 * Impacts are found by the gaps of groups, and groups are formed by clearance spheres. This check
 * uses neither: in every step of a group, the boxes that its bodies sweep are compared with those
 * of all other bodies; for pairs whose boxes overlap, and for a body and each wall, the separation
 * is followed by support functions (model/shape/separation.c).
 *
 * In a direction n, kept over a time h, the separation of two bodies
 *
 *     s(t) = min over their points p, q of n.(q(t) - p(t))
 *
 * is the least of functions whose second derivatives are at most B, the sum of the accelerations
 * that points of both may have. Each of them is at least its chord minus B h^2 / 8, and so
 * s >= min(s(0), s(h)) - B h^2 / 8: two evaluations bound s at all instants between. Bodies that
 * slide along each other, or fall together, need one step only. Steps of the check are so long that
 * no overlap deeper than UNDETECTED can occur within one; at their ends an overlap beyond the
 * accuracy of contacts is an error: that of the flight (flight/impacts/meeting.c), the tolerances,
 * and what is accepted at the start.
 *
 * Checked are, at all times, any two bodies in groups, and a body in a group with each fixed body
 * and wall; and a body in a group with a ball in flight, from each step or regrouping of the group
 * until the next event of the ball. Balls in flight, whose trajectories are closed forms, are
 * checked where they meet each other, fixed balls and walls (flight/impacts/meeting.c).
 *
 * The check changes nothing of the motion.
 */
#include <math.h>

#include "motion/groups/groups.h"

/* An overlap by more than this part of both sizes is no rounding, as in flight/impacts/meeting.c.
 */
static const double OVERLAP_MOST = 1e-6;
/* Errors of positions may add up to this multiple of the tolerance. */
static const double TOLERANCES = 10;
/* Overlaps that may pass between two evaluations, relative to the smaller size and to both widths.
 */
static const double UNDETECTED = 1e-3, UNDETECTED_OF_WIDTH = 0.1;
/* Shorter parts of a step are not resolved: its polynomial is not that accurate. */
static const double SHORTEST = 1e-9;

typedef struct watched_pair {
    size_t a, b;         /* a b from u->bodies on is a wall */
    double acceleration; /* B */
    double accepted, undetected;
} watched_pair;

/* ---- Swept boxes ----------------------------------------------------------------------------- */

/* |P_m'| <= m (m + 1) over the step. */
static double slope_most(const double *series)
{
    double sum = 0;
    for (size_t k = 1; k < LAGRANGE_TERMS; k++) {
        sum += fabs(series[k]) * (double)(k * (k + 1));
    }
    return sum;
}

static double deviation_most(const lagrange_motion *m, size_t i)
{
    double sum = 0;
    for (size_t k = 1; k < LAGRANGE_TERMS; k++) {
        sum += fabs(m->series[i * LAGRANGE_TERMS + k]);
    }
    return m->h * sum;
}

static double middle_of(const lagrange_motion *m, size_t i)
{
    return m->y[i] + m->h * m->series[i * LAGRANGE_TERMS];
}

/* A bound on the acceleration of `count` velocities from the first on. */
static double greatest_slope(const lagrange_motion *m, size_t first, unsigned count)
{
    double square = 0;
    for (unsigned k = 0; k < count; k++) {
        double most = slope_most(m->series + (first + k) * LAGRANGE_TERMS);
        square += most * most;
    }
    return sqrt(square);
}

static double greatest_value(const lagrange_motion *m, size_t first, unsigned count)
{
    double square = 0;
    for (unsigned k = 0; k < count; k++) {
        double most = fabs(middle_of(m, first + k)) + deviation_most(m, first + k);
        square += most * most;
    }
    return sqrt(square);
}

static void sweep_body(groups_motion *u, const groups_group *g, size_t place)
{
    const lagrange_motion *m = groups_engine(g);
    const scene_body *b = &g->scene->body[place];
    groups_swept_box *s = &u->swept[g->body[place]];
    size_t v = m->positions + b->velocity;
    unsigned dimension = g->scene->dimension;
    double reach = scene_reach(g->scene, place), core = reach - b->solid.radius;
    bool hung = b->hold == SCENE_HUNG;
    *s = (groups_swept_box){.acceleration = greatest_slope(m, v, dimension)};
    for (unsigned d = 0; d < dimension; d++) {
        double way = hung ? b->string : deviation_most(m, b->position + d);
        double middle = hung && d < 2 ? b->from[d] : middle_of(m, b->position + d);
        s->low[d] = middle - way - reach;
        s->high[d] = middle + way + reach;
    }
    double spin = hung ? greatest_value(m, v, 1) : greatest_value(m, v + dimension, b->turns);
    if (hung) {
        s->acceleration = b->string * (greatest_slope(m, v, 1) + spin * spin);
    } else {
        s->spin_acceleration = core * (greatest_slope(m, v + dimension, b->turns) + spin * spin);
    }
}

static void sweep_group(groups_motion *u, const groups_group *g)
{
    for (size_t k = 0; k < g->count && groups_engine(g)->stepping; k++) {
        if (g->scene->body[k].hold != SCENE_FIXED) {
            sweep_body(u, g, k);
        }
    }
}

/* The swept box of a fixed body. */
static groups_swept_box box_at(const double *x, double reach)
{
    groups_swept_box s = {0};
    for (int d = 0; d < 3; d++) {
        s.low[d] = x[d] - reach;
        s.high[d] = x[d] + reach;
    }
    return s;
}

static bool boxes_overlap(const groups_swept_box *a, const groups_swept_box *b)
{
    bool meet = true;
    for (int d = 0; d < 3; d++) {
        meet &= a->low[d] <= b->high[d] && b->low[d] <= a->high[d];
    }
    return meet;
}

/* ---- Separation ------------------------------------------------------------------------------ */

static crm_solid solid_at(groups_motion *u, size_t body, double t)
{
    groups_membership membership = u->membership[body];
    if (membership.group < u->groups) {
        groups_group *g = u->group[membership.group];
        return scene_solid(g->scene, membership.place, groups_group_state(g, t));
    }
    const groups_nonflying *nonflying = groups_find_nonflying(u, body);
    if (nonflying != NULL) {
        return crm_solid_of(&nonflying->def, u->flight->dimension);
    }
    crm_solid ball = {.dimension = u->flight->dimension, .radius = groups_reach(u, body)};
    double v[3];
    flight_state_at(u->flight, body, t, ball.centre, v);
    return ball;
}

static double height_at(groups_motion *u, const watched_pair *c, double t)
{
    const crm_wall *wall = &u->flight->wall[c->b - u->bodies];
    crm_solid solid = solid_at(u, c->a, t);
    const double down[3] = {-wall->normal[0], -wall->normal[1], -wall->normal[2]};
    double p[3];
    return crm_dot3(wall->normal, solid.centre) - crm_solid_support(&solid, down, p) -
           solid.radius - crm_wall_position(wall, t);
}

/* The separation in the direction n; with `least`, the largest of all directions, or any that is at
 * least so large, and n is its direction.
 */
static double separation_at(groups_motion *u, const watched_pair *c, double t, const double *least,
                            double n[3])
{
    if (c->b >= u->bodies) {
        return height_at(u, c, t);
    }
    crm_solid a = solid_at(u, c->a, t), b = solid_at(u, c->b, t);
    return least != NULL ? crm_separation_find(&a, &b, *least, n) : crm_separation_along(&a, &b, n);
}

/* Half of a body's least width. */
static double width_of(groups_motion *u, size_t body, double t)
{
    crm_solid s = solid_at(u, body, t);
    double least = INFINITY;
    for (unsigned d = 0; d < s.dimension; d++) {
        least = fmin(least, s.half[d]);
    }
    return s.radius + least;
}

/* ---- A pair over a step ---------------------------------------------------------------------- */

/* The overlap that is accepted, and that which may pass undetected. */
static void set_bounds(groups_motion *u, watched_pair *c, double t)
{
    bool wall = c->b >= u->bodies;
    double first = groups_reach(u, c->a), second = wall ? 0 : groups_reach(u, c->b);
    double least = wall ? first : fmin(first, second);
    double width = wall ? INFINITY : width_of(u, c->a, t) + width_of(u, c->b, t);
    c->accepted = (OVERLAP_MOST + u->tolerance) * (first + second) +
                  TOLERANCES * u->motion.options.tolerance * u->size;
    c->undetected = fmax(2 * c->accepted, fmin(UNDETECTED * least, UNDETECTED_OF_WIDTH * width));
}

/* The longest step from t on that can hide no deeper overlap; `separation`: at t. */
static double safe_step(groups_motion *u, const watched_pair *c, double t, double longest,
                        double separation, double n[3])
{
    double step = longest, shortest = SHORTEST * longest;
    if (c->acceleration > 0) {
        step = fmin(step, sqrt(8 * (separation + c->undetected) / c->acceleration));
    }
    while (step > shortest) {
        double later = separation_at(u, c, t + step, NULL, n);
        if (fmin(separation, later) - c->acceleration * step * step / 8 >= -c->undetected) {
            return step;
        }
        step *= 0.5;
    }
    return shortest;
}

static void follow_pair(groups_motion *u, watched_pair *c, double t, double end)
{
    double n[3] = {0};
    set_bounds(u, c, t);
    const double least = -c->accepted;
    while (!u->overlap.found) {
        double separation = separation_at(u, c, t, &least, n);
        if (!(separation >= least)) {
            u->overlap = (groups_overlap){true, c->a, c->b, t, -separation};
        }
        if (!(t < end)) {
            return;
        }
        double step = safe_step(u, c, t, end - t, separation, n);
        t = t + step > t ? fmin(end, t + step) : end;
    }
}

/* A bound on the relative acceleration of the centres of two bodies of one group. */
static double acceleration_between(const groups_motion *u, const groups_group *g, size_t i,
                                   size_t k)
{
    const lagrange_motion *m = groups_engine(g);
    const scene_body *a = &g->scene->body[i], *b = &g->scene->body[k];
    double square = 0;
    if (a->hold != SCENE_FREE || b->hold != SCENE_FREE) {
        return u->swept[g->body[i]].acceleration + u->swept[g->body[k]].acceleration;
    }
    for (unsigned d = 0; d < g->scene->dimension; d++) {
        const double *x = m->series + (m->positions + a->velocity + d) * LAGRANGE_TERMS;
        const double *y = m->series + (m->positions + b->velocity + d) * LAGRANGE_TERMS;
        double between[LAGRANGE_TERMS];
        for (size_t l = 0; l < LAGRANGE_TERMS; l++) {
            between[l] = y[l] - x[l];
        }
        square += slope_most(between) * slope_most(between);
    }
    return sqrt(square);
}

/* ---- Within a group -------------------------------------------------------------------------- */

static void follow_within(groups_motion *u, groups_group *g)
{
    const lagrange_motion *m = groups_engine(g);
    for (size_t i = 0; i < g->count; i++) {
        for (size_t k = i + 1; k < g->count; k++) {
            size_t a = g->body[i], b = g->body[k];
            bool moves = !groups_is_fixed(u, a) && !groups_is_fixed(u, b);
            if (moves && boxes_overlap(&u->swept[a], &u->swept[b])) {
                watched_pair c = {.a = a, .b = b};
                c.acceleration = acceleration_between(u, g, i, k) + u->swept[a].spin_acceleration +
                                 u->swept[b].spin_acceleration;
                follow_pair(u, &c, m->t, m->t + m->h);
            }
        }
    }
}

/* By the lowest point of the body's swept box and the highest position of the wall. */
static bool may_reach(const groups_motion *u, const groups_swept_box *s, const crm_wall *wall,
                      double t, double end)
{
    double low = 0;
    for (unsigned d = 0; d < u->flight->dimension; d++) {
        low += wall->normal[d] * (wall->normal[d] > 0 ? s->low[d] : s->high[d]);
    }
    double high = wall->offset + fmax(wall->speed * t, wall->speed * end) + fabs(wall->amplitude);
    return low <= high;
}

static void follow_walls(groups_motion *u, groups_group *g)
{
    const lagrange_motion *m = groups_engine(g);
    for (size_t k = 0; k < g->count; k++) {
        const groups_swept_box *s = &u->swept[g->body[k]];
        for (size_t w = 0; w < u->walls && g->scene->body[k].hold != SCENE_FIXED; w++) {
            const crm_wall *wall = &u->flight->wall[w];
            if (may_reach(u, s, wall, m->t, m->t + m->h)) {
                double swing = fabs(wall->amplitude) * wall->omega * wall->omega;
                watched_pair c = {.a = g->body[k], .b = u->bodies + w};
                c.acceleration = s->acceleration + s->spin_acceleration + swing;
                follow_pair(u, &c, m->t, m->t + m->h);
            }
        }
    }
}

/* ---- With bodies outside of the group -------------------------------------------------------- */

static void follow_external(groups_motion *u, size_t body, size_t other, double t, double end)
{
    const groups_swept_box *s = &u->swept[body], *o = &u->swept[other];
    groups_swept_box still;
    if (groups_is_fixed(u, other)) {
        double x[3];
        groups_centre(u, other, t, x);
        still = box_at(x, groups_reach(u, other));
        o = &still;
    } else {
        uint32_t at = u->membership[other].group;
        if (at >= u->groups || !groups_engine(u->group[at])->stepping) {
            return; /* it is checked when it begins its step */
        }
        end = fmin(end, groups_group_next_time(u->group[at]));
    }
    if (boxes_overlap(s, o)) {
        watched_pair c = {.a = body, .b = other};
        c.acceleration =
            s->acceleration + s->spin_acceleration + o->acceleration + o->spin_acceleration;
        follow_pair(u, &c, t, end);
    }
}

static void follow_balls(groups_motion *u, size_t body, double t, double end)
{
    flight *f = u->flight;
    flight_neighbours *neighbours = &f->neighbours[1];
    const groups_swept_box *s = &u->swept[body];
    double x[3], half[3];
    for (int d = 0; d < 3; d++) {
        x[d] = 0.5 * (s->low[d] + s->high[d]);
        half[d] = 0.5 * (s->high[d] - s->low[d]);
    }
    flight_search_cells(f, x, sqrt(flight_dot(half, half)), 0.5, neighbours);
    for (size_t k = 0; k < neighbours->count; k++) {
        size_t ball = neighbours->ball[k];
        if (f->mode[ball] == FLIGHT_FIXED) {
            follow_external(u, body, ball, t, end);
            continue;
        }
        const flight_events *events = &f->events[ball];
        double a[3], until = fmin(events->crossing, fmin(events->meeting, events->wall_meeting));
        flight_acceleration(f, ball, t, a);
        watched_pair c = {.a = body, .b = ball};
        c.acceleration = s->acceleration + s->spin_acceleration + sqrt(flight_dot(a, a)) +
                         flight_swing_acceleration(f, ball);
        follow_pair(u, &c, t, fmax(t, fmin(end, until)));
    }
}

void groups_check_outside(groups_motion *u, groups_group *g, double t)
{
    const flight *f = u->flight;
    double end = groups_group_next_time(g);
    for (size_t k = 0; k < g->count && groups_engine(g)->stepping; k++) {
        if (g->scene->body[k].hold == SCENE_FIXED) {
            continue;
        }
        for (size_t i = 0; i < f->externals; i++) {
            bool fixed = groups_is_fixed(u, f->external[i]);
            if (fixed || u->membership[f->external[i]].group != u->membership[g->body[k]].group) {
                follow_external(u, g->body[k], f->external[i], t, end);
            }
        }
        if (f->externals < f->balls) {
            follow_balls(u, g->body[k], t, end);
        }
    }
}

void groups_check_step(groups_motion *u, groups_group *g)
{
    sweep_group(u, g);
    follow_within(u, g);
    follow_walls(u, g);
    groups_check_outside(u, g, groups_engine(g)->t);
}

void groups_check_begin(groups_motion *u)
{
    for (size_t k = 0; k < u->groups; k++) {
        sweep_group(u, u->group[k]);
    }
}
