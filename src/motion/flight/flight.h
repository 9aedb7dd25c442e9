/* Spheres and discs in free flight, by events: one of the units that move a scene (motion/units).
 * Internal to the library.
 *
 * Every ball has a time of its own and the closed form of its course from there on; nothing moves
 * between events. A ball knows the soonest of: its meeting with another ball, with a wall, and its
 * way into another cell; the soonest of all is found in a tree (queue.c).
 *
 *     create.c   from a scene to its state            grid.c     neighbour cells, unbounded
 *     trajectory.c   where a ball is at a time            predict.c  the soonest events of a ball
 *     closing.c    when a gap closes: first roots       meeting.c     what happens at a meeting
 *     contact.c    who touches whom, made of what       cluster.c  several contacts: any law
 *     support.c     balls that rest on walls             run.c      from event to event
 *     external.c     bodies that others move              archive.c  what of all this is the state
 *     prefetch.c  memory for the next events           memory.c    memory, taken
 *
 * Who is responsible for a meeting. A ball's soonest meeting is found from the courses that it and
 * its neighbours have when it is looked for. When a course changes, only the balls that changed
 * look again; of any two balls the one that looked last saw both courses as they are, so that the
 * soonest of all is never later than the next meeting. A ball whose partner has changed since
 * (`stamp`) looks again when its turn comes.
 *
 * Times and positions are rounded, so that a gap may be closed by a few units in the last place
 * (`max_penetration`). Whether two balls that touch will meet is decided by their velocities alone:
 * those that part do not, whatever the rounding of the gap.
 *
 * What the flight cannot move is away: rods, bobs, and balls that rest on each other. Others move
 * it, and it keeps a berth, a sphere that it does not leave unless the berth is changed. A ball
 * that comes to a berth, or to a rest that the flight does not know, is asked about (`asks`).
 */
#ifndef CRM_FLIGHT_H
#define CRM_FLIGHT_H

#include "carom/workspace.h"
#include "motion/motion.h"

enum { FLIGHT_NONE = UINT32_MAX };
enum { FLIGHT_LEVELS = 40 };

/* Arrays of what is looked at most begin where a line of the cache does. */
enum { FLIGHT_CACHE_LINE = 64 };

/* One line of the cache. Unused coordinates are 0. */
typedef struct flight_ball {
    double x[3], v[3]; /* at `time` */
    double time, radius;
} flight_ball;

typedef enum flight_mode {
    FLIGHT_FREE, /* accelerated by gravity */
    FLIGHT_FIXED,
    FLIGHT_SUPPORTED, /* by walls, see flight_support */
    FLIGHT_EXTERNAL   /* moved by others: its place is that of its berth, its radius, too */
} flight_mode;

/* A ball that rests on walls slides along them with a constant acceleration, and swings with one
 * that swings.
 */
typedef struct flight_support {
    double a[3];      /* without that of the swing */
    uint32_t carrier; /* the wall that it swings with, or FLIGHT_NONE */
    double release;   /* when that wall falls away from it */
    uint32_t wall[3]; /* on which it rests, `count` of them */
    uint32_t count;
} flight_support;

/* The plane n.x = offset + speed t + amplitude sin(omega t + phase). */
typedef struct flight_wall {
    double normal[3]; /* of length 1, into the free side */
    double offset, speed;
    double amplitude, omega, phase; /* amplitude 0: does not swing */
} flight_wall;

/* The soonest events of a ball, in one line of the cache. INFINITY: none. */
typedef struct flight_events {
    /* With `partner`, if that one's stamp is still the same. */
    _Alignas(FLIGHT_CACHE_LINE) double meeting;
    double wall_meeting;
    double crossing; /* out of its cell of grid `level` along `axis` to `side` */
    uint32_t partner, partner_version;
    uint32_t wall; /* FLIGHT_NONE: it is released from its wall */
    uint8_t level, axis;
    int8_t side;
    bool provisional, wall_provisional; /* nothing until then, more is not known */
    bool moves;                         /* or will without being struck */
    uint32_t repeats;                   /* how often it was struck without time passing ... */
    double last_impact;                 /* ... since then */
} flight_events;

enum { FLIGHT_QUEUE_LEVELS = 16 };

typedef struct flight_queue {
    size_t levels;
    double *key[FLIGHT_QUEUE_LEVELS];
} flight_queue;

typedef struct flight_due {
    double time;
    uint32_t ball;
} flight_due;

enum { FLIGHT_RING = 64, FLIGHT_STAGES = 4 };

/* The events that come next, as far as they are known (prefetch.c). */
typedef struct flight_prefetch_ring {
    flight_due next[FLIGHT_RING];  /* a ring, from `at` to `end` */
    size_t at, end;                /* counted on; the place is the rest by FLIGHT_RING */
    size_t fetched[FLIGHT_STAGES]; /* up to here */
    double until;                  /* the ring has what is due before */
    double since;                  /* then the counting of ... */
    uint64_t event_count;          /* ... began */
} flight_prefetch_ring;

/* A ball in a grid. */
typedef struct flight_cell_entry {
    int64_t cell[3];
    uint32_t next, previous; /* in its cell */
} flight_cell_entry;

/* Cells of one size, wrapped around in every direction: a cell stands for all that lie a whole
 * number of grids apart, so that the room is as large as it need be. Cells hold their residents,
 * for whose size the grid is made, and visitors, which are smaller.
 */
typedef struct flight_grid {
    double size;
    uint32_t mask[3], shift[3];
    uint32_t *own, *remote_rank; /* the first of each cell; the finest grid has no visitors */
    flight_cell_entry *entry;    /* each ball */
} flight_grid;

/* What says whether cells have the right size; counted anew after each change. */
typedef struct flight_cell_use {
    uint64_t crossings, impacts, searches, found;
    double widening; /* of cells beyond the size that the start suggests: a power of 2 */
} flight_cell_use;

/* The balls in the cells around one, and where they are from it at one time. */
typedef struct flight_neighbours {
    size_t count;
    uint32_t *ball;
    double (*r)[3];
} flight_neighbours;

/* A sum that does not forget the small. */
typedef struct flight_sum {
    double sum, rest;
} flight_sum;

/* A closed contact. Party `second` may be a wall: balls + wall. */
typedef struct flight_contact {
    uint32_t first, second;
    double normal[3]; /* from first to second */
    double gap, u;
} flight_contact;

/* What an impact concerns. */
typedef struct flight_cluster {
    size_t balls, contacts, ball_room, contact_room;
    uint32_t *ball; /* those that can move */
    flight_contact *contact;
    size_t (*party)[2]; /* for the report */
    double *closing_speed, *impulse, *peak_force;
    double largest; /* closing speed of the blow */
} flight_cluster;

/* What is asked of those who move the flight, at the time of the last event. */
typedef struct flight_request {
    uint32_t ball; /* it cannot stay in the flight ... */
    uint32_t body; /* ... or, if this is not FLIGHT_NONE, is at the berth of this one */
} flight_request;

typedef struct flight_pair {
    uint32_t first, second; /* first < second */
    crm_contact_def contact;
} flight_pair;

typedef struct flight {
    crm_motion motion; /* options, law and workspace; it is no motion by itself */
    double now;        /* of the last event */
    unsigned dimension;
    size_t balls, walls;
    bool mixed; /* some ball is not free */
    bool weightless;
    double gravity[3];

    flight_ball *ball;
    double *inverse_mass; /* 0: fixed */
    uint8_t *mode;
    uint32_t *version;
    flight_support *support;
    flight_events *events;
    flight_wall *wall;
    flight_queue queue;
    flight_neighbours neighbours[2];

    size_t levels; /* 0: so few balls that all look at all */
    flight_grid grid[FLIGHT_LEVELS];
    uint8_t *level;                 /* of each ball */
    double suitable[FLIGHT_LEVELS]; /* size of cells at the start ... */
    double largest[FLIGHT_LEVELS];  /* ... for balls up to this radius */
    flight_cell_use cell_use;
    flight_prefetch_ring prefetch;

    /* What contacts are made of. */
    crm_contact_def contact;
    size_t pairs;
    flight_pair *pair;
    crm_material *material; /* of balls, then walls; NULL: none has one */
    char **name;            /* the same; NULL: all go by number; an entry may be NULL */

    /* Impacts. */
    crm_settings *plastic; /* a law that ends accumulations */
    flight_cluster cluster;
    uint32_t *member; /* ball -> place in the cluster, or FLIGHT_NONE */

    /* Others. */
    size_t externals;
    uint32_t *external; /* who is */
    size_t requests, request_room;
    flight_request *request;

    uint64_t impacts;
    size_t moving;        /* balls that do */
    double rest_since;    /* the latest of those that rest */
    double largest_speed; /* largest closing speed so far */
    double max_penetration;
    flight_sum lost, work;
    bool started;
    const crm_observer *observer; /* during a run */
    bool interrupted;
} flight;

/* ---- trajectory.c ------------------------------------------------------------------------------
 */

void flight_state_at(const flight *f, size_t ball, double t, double *x, double *v);
/* Of its course, swing included. */
void flight_acceleration(const flight *f, size_t ball, double t, double *a);
/* The largest that the part of it which changes can be. */
double flight_swing_acceleration(const flight *f, size_t ball);
void flight_advance(flight *f, size_t ball, double t); /* its own time becomes t */
double flight_energy(const flight *f, size_t ball, double t, double *potential); /* kinetic */

/* Of all balls but those away; `work` is what walls have done since the balls' own times. */
void flight_energies(const flight *f, double t, double *kinetic, double *potential, double *work);

double flight_wall_place(const flight_wall *wall, double t);
double flight_wall_speed(const flight_wall *wall, double t);
double flight_wall_acceleration(const flight_wall *wall, double t);

void flight_add(flight_sum *sum, double term);

static inline double flight_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ---- closing.c ------------------------------------------------------------------------------- */

/* The first time from now at which g + u t + a t^2/2 falls below 0; INFINITY: never. */
double flight_parabola_root(double g, double u, double a);

/* A length that swings about a parabola: g + u s + a s^2/2 + sum b_k (sin(omega_k t + phase_k) -
 * the same at `time`), s = t - time.
 */
typedef struct flight_length {
    double time, g, u, a;
    int swings;
    double b[2], omega[2], phase[2];
    double noise; /* of g, by rounding */
    double speed; /* of what u is the difference of */
} flight_length;

/* When it falls below 0, not before `from`. *unsure: not before that, more is not known. */
double flight_length_root(const flight_length *length, double from, bool *provisional);
/* The same of the gap between two balls on any courses. */
double flight_gap_root(const flight *f, size_t i, size_t k, double from, bool *provisional);

/* Speeds below this are rounding. */
double flight_speed_noise(double speed);

/* ---- queue.c ------------------------------------------------------------------------------ */

/* All at INFINITY. False: no memory; release in any case. */
bool flight_queue_create(flight_queue *queue, size_t count);
void flight_queue_release(flight_queue *queue);
void flight_queue_set(flight_queue *queue, size_t ball, double key);
double flight_queue_first_time(const flight_queue *queue);
size_t flight_queue_first_ball(const flight_queue *queue); /* the ball whose time that is */
/* Those with from <= time < until, in no order; at most FLIGHT_RING / 2 of them. */
size_t flight_queue_between(const flight_queue *queue, double from, double until, flight_due *due);

/* ---- grid.c -------------------------------------------------------------------------------- */

crm_status flight_make_grids(flight *f, crm_error *error);
static inline size_t flight_grid_cells(const flight_grid *grid)
{
    return ((size_t)grid->mask[0] + 1) * (grid->mask[1] + 1) * (grid->mask[2] + 1);
}
/* Empty, of the shape that it has; false: no memory, release in any case. */
bool flight_grid_take(const flight *f, size_t level, flight_grid *grid);
void flight_grid_release(flight_grid *grid);
/* The cell that lies `offset` cells away from one. */
static inline size_t flight_bucket(const flight_grid *grid, const int64_t *cell, const int *offset)
{
    return (size_t)((uint64_t)(cell[0] + offset[0]) & grid->mask[0]) |
           (size_t)((uint64_t)(cell[1] + offset[1]) & grid->mask[1]) << grid->shift[1] |
           (size_t)((uint64_t)(cell[2] + offset[2]) & grid->mask[2]) << grid->shift[2];
}
/* The grid in which a ball is resident; there is one. */
static inline const flight_grid *flight_own_grid(const flight *f, size_t ball)
{
    return f->levels == 1 ? f->grid : &f->grid[f->level[ball]];
}
void flight_cross_cell(flight *f, size_t ball); /* as its slot says */
/* Other cells, if those there are do not fit; all is then predicted anew, from t on. */
void flight_adapt_cells(flight *f, double t);
/* Whether a ball's cell can still be told from the next. */
bool flight_is_resolved(const flight *f, size_t ball);
/* Out of all cells, and back into those where it is at t. */
void flight_leave_cells(flight *f, size_t ball);
crm_status flight_enter_cells(flight *f, size_t ball, double t, crm_error *error);
/* The balls in the cells that are not more than `reach`, and `cells` of their own size, from x
 * along every axis: near->ball alone.
 */
void flight_search_cells(const flight *f, const double *x, double reach, double cells,
                         flight_neighbours *neighbours);

/* ---- predict.c ----------------------------------------------------------------------------- */

/* Who is around a ball at time t. */
void flight_find_neighbours(flight *f, size_t ball, double t, flight_neighbours *neighbours);
/* All events of a ball whose course has changed at t; `near` from flight_find_neighbours at t, or
 * NULL. */
void flight_predict(flight *f, size_t ball, double t, const flight_neighbours *neighbours);
/* Its course is the same, its partner's is not. */
void flight_predict_meeting(flight *f, size_t ball, double t);
void flight_predict_wall(flight *f, size_t ball, double t);
void flight_predict_crossed(flight *f, size_t ball, double t); /* after flight_cross_cell */
bool flight_rests_on(const flight *f, size_t ball, size_t wall);
/* The berth of a body that is away has changed: who may come to it. */
void flight_predict_clearance(flight *f, size_t body, double t);
void flight_reschedule(flight *f, size_t ball); /* its slot has changed */

/* ---- prefetch.c ----------------------------------------------------------------------------- */

/* Before the soonest event, which is at that time. */
void flight_prefetch(flight *f, double soonest);

/* ---- contact.c ------------------------------------------------------------------------------- */

/* Parties are balls, then walls. */
void flight_party_name(const flight *f, size_t party, char *text, size_t size);
crm_contact_def flight_contact_values(const flight *f, size_t a, size_t b);
double flight_restitution(const flight *f, size_t a, size_t b);
/* False: one of them has a material that says how stiff it is, the other has none. */
bool flight_stiffness(const flight *f, size_t a, size_t b, crm_contact_def *contact);
/* The contact of two parties at time t: normal, gap, gap velocity. */
flight_contact flight_contact_at(const flight *f, size_t first, size_t second, double t);
double flight_contact_size(const flight *f, const flight_contact *c); /* sum of the radii */
double flight_contact_noise(const flight *f, const flight_contact *c);
double flight_delassus(const flight *f, const flight_contact *c); /* D_jj */
/* The gap at which a contact counts as closed, beside a blow. */
double flight_closure_gap(const flight *f, const flight_contact *c, double impact_speed);

/* ---- meeting.c, cluster.c, support.c
 * --------------------------------------------------------------- */

/* `ball` meets the other party at t. On CRM_OK the flight may have failed. */
crm_status flight_handle_meeting(flight *f, size_t ball, size_t party, double t, bool provisional,
                                 crm_error *error);
void flight_fail(flight *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
void flight_count_impact(flight *f, size_t ball, double t); /* struck, and how often at once */

/* All that is closed beside the first contact: fills f->cluster. */
crm_status flight_cluster_gather(flight *f, const flight_contact *first, double t,
                                 crm_error *error);
void flight_cluster_clear(flight *f);
void flight_cluster_release(flight_cluster *cluster);
crm_status flight_cluster_add(flight *f, const flight_contact *contact, crm_error *error);
/* The law, on the whole cluster. */
crm_status flight_cluster_resolve(flight *f, double t, crm_error *error);

/* What a ball touches that does not move: fills f->cluster. */
crm_status flight_find_supports(flight *f, size_t ball, double t, crm_error *error);

/* After an impact, or at the start: which walls the ball rests on, of the contacts given. `blow`:
 * speeds that are nothing beside it are 0. Its course may change.
 */
void flight_update_support(flight *f, size_t ball, const flight_contact *contact, size_t contacts,
                           double t, double impact_speed);
void flight_release(flight *f, size_t ball, double t); /* its wall falls away */
/* Does the contact stay closed although two bodies in flight cannot rest on each other? */
bool flight_stays_closed(const flight *f, const flight_contact *c, double t, double impact_speed);
/* Does it move? If not, `since` then. */
void flight_update_moving(flight *f, size_t ball, double since);

/* ---- external.c --------------------------------------------------------------------------------
 */

void flight_add_request(flight *f, size_t ball, size_t body);
/* From t on others move it; it has a berth of its own size until it is given another. */
void flight_hand_over(flight *f, size_t ball, double t);
/* Back at t, where it is then; to be predicted once all that come back are there. */
crm_status flight_take_back(flight *f, size_t ball, double t, double radius, const double *x,
                            const double *v, crm_error *error);
void flight_set_clearance(flight *f, size_t body, double t, const double *centre, double radius);

/* ---- run.c --------------------------------------------------------------------------------- */

/* Before the first event: who rests on what, and when what comes. */
crm_status flight_start(flight *f, crm_error *error);
/* All events until a time, it included. It returns early when it asks, has failed or is
 * interrupted, after `most` impacts, and where nothing moves if that is `enough`.
 */
crm_status flight_run_until(flight *f, double until, uint64_t most, bool stop_at_rest,
                            crm_error *error);
/* Nothing moves. Walls that do may still strike something: then nothing may be predicted either. */
bool flight_is_at_rest(const flight *f);
bool flight_walls_move(const flight *f);

/* ---- archive.c ----------------------------------------------------------------------------- */

/* Radii of balls that are not away are those of the definition. */
void flight_archive(flight *f, crm_archive *archive);

/* ---- memory.c ------------------------------------------------------------------------------- */

/* Zeros, from the beginning of a line of the cache on; free() them. NULL: no memory. */
void *flight_allocate_lines(size_t count, size_t size);

/* ---- create.c ------------------------------------------------------------------------------ */

/* Bodies of a scene that are away from the start, whatever they are, and how many velocities these
 * have.
 */
typedef struct flight_externals {
    const bool *external;
    const uint8_t *velocities;
} flight_externals;

/* The spheres of a scene that is checked; others NULL: it has nothing else. */
crm_status flight_create(const crm_scene_def *def, const flight_externals *others,
                         const crm_motion_options *options, flight **made, crm_error *error);
void flight_free(flight *f); /* NULL is fine */

#endif
