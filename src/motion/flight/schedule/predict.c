/* The next events of a ball. */
#include <float.h>
#include <math.h>

#include "motion/flight/flight.h"

void flight_reschedule(flight *f, size_t ball)
{
    const flight_events *events = &f->events[ball];
    double earliest =
        events->meeting < events->wall_meeting ? events->meeting : events->wall_meeting;
    earliest = events->crossing < earliest ? events->crossing : earliest;
    flight_queue_set(&f->queue, ball, earliest);
}

/* ---- Around a ball --------------------------------------------------------------------------- */

static void position_at(const flight *f, size_t k, double t, double *x)
{
    const flight_ball *b = &f->ball[k];
    if (f->mixed && f->mode[k] != FLIGHT_FREE) {
        double v[3];
        flight_state_at(f, k, t, x, v);
        return;
    }
    double dt = t - b->time;
    for (int d = 0; d < 3; d++) {
        x[d] = b->x[d] + dt * (b->v[d] + 0.5 * dt * f->gravity[d]);
    }
}

/* First the balls are listed and fetched into the cache, then their positions are computed: so the
 * fetches overlap.
 */
static inline void add_ball(const flight *f, size_t k, size_t ball, flight_neighbours *neighbours)
{
    neighbours->ball[neighbours->count] = (uint32_t)k;
    neighbours->count += k != ball;
    __builtin_prefetch(&f->ball[k]);
}

static void add_list(const flight *f, const flight_grid *grid, uint32_t first, size_t ball,
                     flight_neighbours *neighbours)
{
    for (uint32_t k = first; k != FLIGHT_NONE; k = grid->entry[k].next) {
        add_ball(f, k, ball, neighbours);
    }
}

static void locate(const flight *f, size_t ball, double t, flight_neighbours *neighbours)
{
    double x[3];
    position_at(f, ball, t, x);
    for (size_t n = 0; n < neighbours->count; n++) {
        double y[3];
        position_at(f, neighbours->ball[n], t, y);
        for (int d = 0; d < 3; d++) {
            neighbours->r[n][d] = y[d] - x[d];
        }
    }
}

/* Ranges of offsets of cells around a ball's own. */
typedef struct around {
    int low[3], high[3];
} around;

static around around_all(const flight *f)
{
    around a = {{0, 0, 0}, {0, 0, 0}};
    for (unsigned d = 0; d < f->dimension; d++) {
        a.low[d] = -1;
        a.high[d] = 1;
    }
    return a;
}

/* In grids for larger balls only these are listed: smaller ones have been found in their own. */
static void search_cells(const flight *f, const flight_grid *grid, around a, size_t ball,
                         flight_neighbours *neighbours)
{
    const int64_t *cell = grid->entry[ball].cell;
    bool own_grid = grid == flight_own_grid(f, ball);
    bool has_smaller = own_grid && f->level[ball] > 0;
    int o[3];
    for (o[2] = a.low[2]; o[2] <= a.high[2]; o[2]++) {
        for (o[1] = a.low[1]; o[1] <= a.high[1]; o[1]++) {
            for (o[0] = a.low[0]; o[0] <= a.high[0]; o[0]++) {
                size_t bucket = flight_bucket(grid, cell, o);
                add_list(f, grid, grid->own[bucket], ball, neighbours);
                if (has_smaller) {
                    add_list(f, grid, grid->smaller[bucket], ball, neighbours);
                }
            }
        }
    }
}

void flight_find_neighbours(flight *f, size_t ball, double t, flight_neighbours *neighbours)
{
    neighbours->count = 0;
    for (size_t k = 0; f->levels == 0 && k < f->balls; k++) {
        if (f->mode[k] != FLIGHT_EXTERNAL) {
            add_ball(f, k, ball, neighbours);
        }
    }
    for (size_t level = f->level[ball]; level < f->levels; level++) {
        search_cells(f, &f->grid[level], around_all(f), ball, neighbours);
    }
    locate(f, ball, t, neighbours);
    f->cell_use.searches++;
    f->cell_use.found += neighbours->count;
}

/* ---- Meetings -------------------------------------------------------------------------------- */

/* With equal accelerations the relative trajectory is straight, r + w s, and |r + w s| = R where
 *     w^2 s^2 + 2 b s + c = 0,  b = r.w,  c = r^2 - R^2.
 * Only b < 0 is an approach, and the earlier root c / (-b + sqrt(b^2 - w^2 c)) does not cancel; nor
 * does b^2 - w^2 c when it is written as w^2 R^2 - |r x w|^2 (Lagrange), which matters for small
 * balls far apart. Closed already (c <= 0), they meet now, unless the approach is the rounding of
 * the velocities.
 */
static inline double meet_straight(const double *r, const double *w, double reach, double speed)
{
    double b = flight_dot(r, w);
    if (!(b < 0)) {
        return INFINITY;
    }
    double c = flight_dot(r, r) - reach * reach;
    if (!(c > 0)) {
        return -b > reach * flight_speed_noise(speed) ? 0 : INFINITY;
    }
    double x = r[1] * w[2] - r[2] * w[1], y = r[2] * w[0] - r[0] * w[2];
    double z = r[0] * w[1] - r[1] * w[0];
    double square = flight_dot(w, w) * reach * reach - (x * x + y * y + z * z);
    return square < 0 ? INFINITY : c / (sqrt(square) - b);
}

static double speed_of(const double *v)
{
    return fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

static void note_meeting(flight *f, size_t ball, uint32_t k, double time, bool provisional)
{
    flight_events *events = &f->events[ball];
    if (time < events->meeting) {
        events->meeting = time;
        events->partner = k;
        events->partner_version = f->version[k];
        events->provisional = provisional;
    }
}

/* One of the two is not free. */
static void predict_mixed(flight *f, size_t i, uint32_t k, const double *r, double t)
{
    double x[3], vi[3], vk[3], ai[3], ak[3], w[3];
    if (f->mode[i] == FLIGHT_FIXED && f->mode[k] == FLIGHT_FIXED) {
        return;
    }
    flight_acceleration(f, i, t, ai);
    flight_acceleration(f, k, t, ak);
    bool same = flight_swing_acceleration(f, i) == 0 && flight_swing_acceleration(f, k) == 0 &&
                ai[0] == ak[0] && ai[1] == ak[1] && ai[2] == ak[2];
    if (!same) {
        bool provisional;
        double time = flight_gap_root(f, i, k, t, &provisional);
        note_meeting(f, i, k, time, provisional);
        return;
    }
    flight_state_at(f, i, t, x, vi);
    flight_state_at(f, k, t, x, vk);
    for (int d = 0; d < 3; d++) {
        w[d] = vk[d] - vi[d];
    }
    double reach = f->ball[i].radius + f->ball[k].radius;
    note_meeting(f, i, k, t + meet_straight(r, w, reach, speed_of(vi) + speed_of(vk)), false);
}

static void predict_neighbours(flight *f, size_t i, double t, const flight_neighbours *neighbours)
{
    const flight_ball *ball = f->ball, *bi = &ball[i];
    const bool mixed = f->mixed;
    for (size_t n = 0; n < neighbours->count; n++) {
        uint32_t k = neighbours->ball[n];
        const flight_ball *bk = &ball[k];
        if (mixed && (f->mode[i] != FLIGHT_FREE || f->mode[k] != FLIGHT_FREE)) {
            predict_mixed(f, i, k, neighbours->r[n], t);
            continue;
        }
        double w[3], earlier = bi->time - bk->time;
        for (int d = 0; d < 3; d++) {
            w[d] = (bk->v[d] - bi->v[d]) + earlier * f->gravity[d];
        }
        double s = meet_straight(neighbours->r[n], w, bi->radius + bk->radius,
                                 speed_of(bi->v) + speed_of(bk->v));
        if (t + s < f->events[i].meeting) {
            note_meeting(f, i, k, t + s, false);
        }
    }
}

/* ---- Clearance spheres ----------------------------------------------------------------------- */

/* Within this many cell sizes of a ball a clearance sphere is looked for: a ball further away
 * crosses into another cell before it can reach the sphere, and predicts again there.
 */
static double cells_ahead(const flight *f)
{
    return sqrt((double)f->dimension);
}

static void predict_clearance(flight *f, size_t ball, uint32_t body, double t)
{
    double x[3], r[3];
    position_at(f, ball, t, x);
    for (int d = 0; d < 3; d++) {
        r[d] = f->ball[body].x[d] - x[d];
    }
    double way = f->levels > 0 ? cells_ahead(f) * f->grid[f->level[ball]].size : INFINITY;
    double reach = f->ball[ball].radius + f->ball[body].radius + way;
    if (flight_dot(r, r) <= reach * reach) {
        predict_mixed(f, ball, body, r, t);
    }
}

static void predict_clearances(flight *f, size_t ball, double t)
{
    for (size_t k = 0; k < f->externals; k++) {
        predict_clearance(f, ball, f->external[k], t);
    }
}

void flight_predict_clearance(flight *f, size_t body, double t)
{
    flight_neighbours *neighbours = &f->neighbours[0];
    /* plus half a cell: no ball is larger */
    flight_search_cells(f, f->ball[body].x, f->ball[body].radius, cells_ahead(f) + 0.5, neighbours);
    for (size_t n = 0; n < neighbours->count; n++) {
        if (f->mode[neighbours->ball[n]] != FLIGHT_FIXED) {
            predict_clearance(f, neighbours->ball[n], (uint32_t)body, t);
            flight_reschedule(f, neighbours->ball[n]);
        }
    }
}

void flight_predict_meeting(flight *f, size_t ball, double t)
{
    f->events[ball].meeting = INFINITY;
    flight_find_neighbours(f, ball, t, &f->neighbours[0]);
    predict_neighbours(f, ball, t, &f->neighbours[0]);
    predict_clearances(f, ball, t);
    flight_reschedule(f, ball);
}

/* ---- Walls ----------------------------------------------------------------------------------- */

static void add_swing(flight_length *l, double b, const crm_wall *wall)
{
    if (b != 0 && wall->amplitude != 0) {
        l->b[l->swings] = b;
        l->omega[l->swings] = wall->omega;
        l->phase[l->swings++] = wall->phase;
    }
}

/* The path of a ball along n from t on; its oscillation is kept apart from u and a. */
static flight_length distance_along(const flight *f, size_t ball, const double *n, double t)
{
    double x[3], v[3], a[3];
    flight_state_at(f, ball, t, x, v);
    flight_acceleration(f, ball, t, a);
    flight_length l = {.time = t, .g = flight_dot(n, x), .u = flight_dot(n, v)};
    l.a = flight_dot(n, a);
    l.noise = 4 * DBL_EPSILON * (speed_of(x) + f->ball[ball].radius);
    l.speed = speed_of(v);
    if (flight_swing_acceleration(f, ball) > 0) {
        const crm_wall *wall = &f->wall[f->support[ball].carrier];
        double share = flight_dot(n, wall->normal);
        l.u -= share * (crm_wall_speed(wall, t) - wall->speed);
        l.a -= share * crm_wall_acceleration(wall, t);
        add_swing(&l, share * wall->amplitude, wall);
    }
    return l;
}

bool flight_rests_on(const flight *f, size_t ball, size_t wall)
{
    const flight_support *support = &f->support[ball];
    bool found = false;
    for (uint32_t k = 0; f->mode[ball] == FLIGHT_SUPPORTED && k < support->count; k++) {
        found |= support->wall[k] == wall;
    }
    return found;
}

static double meet_wall(const flight *f, size_t ball, size_t k, double t, bool *provisional)
{
    const crm_wall *wall = &f->wall[k];
    flight_length l = distance_along(f, ball, wall->normal, t);
    l.g -= crm_wall_position(wall, t) + f->ball[ball].radius;
    l.u -= wall->speed;
    l.noise += 4 * DBL_EPSILON * (fabs(wall->offset) + fabs(wall->amplitude));
    l.speed += fabs(wall->speed);
    add_swing(&l, -wall->amplitude, wall);
    return flight_length_root(&l, t, provisional);
}

/* A free ball and a wall without oscillation: one parabola. False: too near for the formula. */
static bool meet_steady_wall(const flight *f, const crm_wall *wall, const double *x,
                             const double *v, double radius, double t, double *time)
{
    double n = flight_dot(wall->normal, x), at = wall->offset + wall->speed * t;
    double g = n - at - radius, u = flight_dot(wall->normal, v) - wall->speed;
    if (!(g > 8 * DBL_EPSILON * (speed_of(x) + fabs(at) + radius))) {
        return false;
    }
    *time = f->weightless && u >= 0
                ? INFINITY
                : t + flight_parabola_root(g, u, flight_dot(wall->normal, f->gravity));
    return true;
}

static void predict_walls(flight *f, size_t ball, double t)
{
    flight_events *events = &f->events[ball];
    double x[3], v[3];
    events->wall_meeting = INFINITY;
    events->wall_provisional = false;
    if (f->mixed && flight_swing_acceleration(f, ball) > 0) {
        events->wall_meeting = f->support[ball].release;
        events->wall = FLIGHT_NONE;
    }
    bool free = f->mode[ball] == FLIGHT_FREE;
    flight_state_at(f, ball, t, x, v);
    for (size_t k = 0; k < f->walls; k++) {
        bool provisional = false, steady = free && f->wall[k].amplitude == 0;
        double time = INFINITY;
        if (!(steady && meet_steady_wall(f, &f->wall[k], x, v, f->ball[ball].radius, t, &time)) &&
            !flight_rests_on(f, ball, k)) {
            time = meet_wall(f, ball, k, t, &provisional);
        }
        if (time < events->wall_meeting) {
            events->wall_meeting = time;
            events->wall = (uint32_t)k;
            events->wall_provisional = provisional;
        }
    }
}

void flight_predict_wall(flight *f, size_t ball, double t)
{
    predict_walls(f, ball, t);
    flight_reschedule(f, ball);
}

/* ---- Cells ----------------------------------------------------------------------------------- */

static void note_crossing(flight_events *events, double time, size_t level, unsigned axis, int side)
{
    if (time < events->crossing) {
        events->crossing = time;
        events->level = (uint8_t)level;
        events->axis = (uint8_t)axis;
        events->side = (int8_t)side;
    }
}

static void cross_swinging(flight *f, size_t ball, double t, size_t level, unsigned axis)
{
    const flight_grid *grid = &f->grid[level];
    for (int side = -1; side <= 1; side += 2) {
        double n[3] = {0, 0, 0};
        n[axis] = -side;
        bool provisional; /* one crossing too many does no harm: cells are counted, not computed
                             from positions */
        flight_length l = distance_along(f, ball, n, t);
        double edge = grid->size * (double)(grid->entry[ball].cell[axis] + (side > 0));
        l.g += side * edge;
        double time = flight_length_root(&l, t, &provisional);
        note_crossing(&f->events[ball], time, level, axis, provisional ? 0 : side);
    }
}

static void predict_crossing(flight *f, size_t ball, double t)
{
    flight_events *events = &f->events[ball];
    bool swings = f->mixed && flight_swing_acceleration(f, ball) > 0;
    double x[3], v[3], a[3];
    events->crossing = INFINITY;
    flight_state_at(f, ball, t, x, v);
    flight_acceleration(f, ball, t, a);
    for (size_t level = f->level[ball]; level < f->levels; level++) {
        const flight_grid *grid = &f->grid[level];
        for (unsigned d = 0; d < f->dimension; d++) {
            if (swings) {
                cross_swinging(f, ball, t, level, d);
                continue;
            }
            double low = x[d] - grid->size * (double)grid->entry[ball].cell[d];
            double high = grid->size * (double)(grid->entry[ball].cell[d] + 1) - x[d];
            if (v[d] < 0 || a[d] < 0) {
                note_crossing(events, t + flight_parabola_root(low, v[d], a[d]), level, d, -1);
            }
            if (v[d] > 0 || a[d] > 0) {
                note_crossing(events, t + flight_parabola_root(high, -v[d], -a[d]), level, d, 1);
            }
        }
    }
}

/* Only cells that have become adjacent are searched. */
void flight_predict_crossed(flight *f, size_t ball, double t)
{
    const flight_events *events = &f->events[ball];
    around a = around_all(f);
    a.low[events->axis] = a.high[events->axis] = events->side;
    f->neighbours[0].count = 0;
    search_cells(f, &f->grid[events->level], a, ball, &f->neighbours[0]);
    locate(f, ball, t, &f->neighbours[0]);
    predict_neighbours(f, ball, t, &f->neighbours[0]);
    predict_clearances(f, ball, t);
    predict_crossing(f, ball, t);
    flight_reschedule(f, ball);
}

void flight_predict(flight *f, size_t ball, double t, const flight_neighbours *neighbours)
{
    if (neighbours == NULL) {
        flight_find_neighbours(f, ball, t, &f->neighbours[0]);
        neighbours = &f->neighbours[0];
    }
    f->events[ball].meeting = INFINITY;
    predict_neighbours(f, ball, t, neighbours);
    predict_clearances(f, ball, t);
    predict_walls(f, ball, t);
    predict_crossing(f, ball, t);
    flight_reschedule(f, ball);
}
