/* Event-driven motion of spheres and discs in free flight: the part of a scene's motion that needs
 * no group (motion/groups). Internal to the library.
 *
 * Every ball has a time of its own and its trajectory from there on in closed form; nothing moves
 * between events. A ball has three kinds of events: a meeting with another ball, a meeting with a
 * wall, and the crossing of a cell's face. The next of each is stored with the ball, and the
 * earliest of all is found in a tree.
 *
 *     create.c      the state, from the definition of a scene
 *     trajectory.c  position and velocity of a ball at a time
 *     run.c         the loop over events
 *     external.c    bodies that groups move, and requests to groups
 *     archive.c     the state, for archives
 *     memory.c      allocation by cache lines
 *   schedule/       which event is next
 *     predict.c     the next events of a ball
 *     closing.c     when a gap closes: first roots
 *     grid.c        neighbours of a ball, by cells of an unbounded grid
 *     queue.c       the earliest event of all balls
 *     prefetch.c    memory of the next events, fetched ahead
 *   impacts/        what happens at a meeting
 *     meeting.c     the impact of a single contact
 *     cluster.c     impacts of several contacts, by any law
 *     contact.c     gap, normal and parameters of a contact
 *     support.c     balls that rest on walls
 *
 * Why no meeting is missed. The next meeting of a ball is predicted from its own trajectory and
 * those of its neighbours at that time. When trajectories change, only the balls that changed
 * predict again. Of any two balls the one that predicted last knew both trajectories as they are
 * now, so the earliest of all predictions is never later than the next meeting. If a ball's partner
 * has changed since (`version`), the ball predicts again when its event is due.
 *
 * Times and positions are rounded, so a gap may be negative by a few units in the last place
 * (`max_penetration`). Whether two balls in contact will meet is decided by their velocities alone:
 * balls that separate do not meet, whatever the rounding of the gap.
 *
 * What the flight cannot move is external: rods, bobs, and balls that rest on each other. Groups
 * move these bodies. To the flight such a body is its clearance sphere, which lies still and which
 * the body does not leave until the sphere is replaced. When a ball reaches a clearance sphere, or
 * comes to rest in a way that the flight cannot describe, the flight stops with a request.
 */
#ifndef CRM_FLIGHT_H
#define CRM_FLIGHT_H

#include "carom/workspace.h"
#include "motion/motion.h"
#include "motion/sum.h"
#include "motion/wall.h"

enum { FLIGHT_NONE = UINT32_MAX };
enum { FLIGHT_LEVELS = 40 };

/* Bytes of a cache line. Arrays that every event reads are aligned to it. */
enum { FLIGHT_CACHE_LINE = 64 };

/* One cache line. Unused coordinates are 0. */
typedef struct flight_ball {
    double x[3], v[3]; /* at `time` */
    double time, radius;
} flight_ball;

typedef enum flight_mode {
    FLIGHT_FREE, /* accelerated by gravity */
    FLIGHT_FIXED,
    FLIGHT_SUPPORTED, /* by walls, see flight_support */
    FLIGHT_EXTERNAL   /* moved by a group: centre and radius are those of its clearance sphere */
} flight_mode;

/* A ball that rests on walls slides along them with a constant acceleration, and follows one that
 * oscillates.
 */
typedef struct flight_support {
    double a[3];      /* without that of the oscillation */
    uint32_t carrier; /* the oscillating wall that it follows, or FLIGHT_NONE */
    double release;   /* when that wall's contact opens */
    uint32_t wall[3]; /* on which it rests, `count` of them */
    uint32_t count;
} flight_support;

/* The next events of a ball, in one cache line. INFINITY: none. */
typedef struct flight_events {
    /* With `partner`, if its version is still the same. */
    _Alignas(FLIGHT_CACHE_LINE) double meeting;
    double wall_meeting;
    double crossing; /* out of its cell of grid `level` along `axis` to `side` */
    uint32_t partner, partner_version;
    uint32_t wall; /* FLIGHT_NONE: its supporting wall releases it */
    uint8_t level, axis;
    int8_t side;
    bool provisional, wall_provisional; /* no meeting earlier; predict again then */
    bool moves;                         /* now, or later without an impact */
    uint32_t repeats;                   /* impacts without time passing ... */
    double last_impact;                 /* ... since this time */
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

/* The next events, as far as they are known (prefetch.c). */
typedef struct flight_prefetch_ring {
    flight_due next[FLIGHT_RING];  /* ring buffer, from `at` to `end` */
    size_t at, end;                /* counted on and on: positions are modulo FLIGHT_RING */
    size_t fetched[FLIGHT_STAGES]; /* each stage has fetched up to here */
    double until;                  /* the ring has the events before this time */
    double since;                  /* the time since when ... */
    uint64_t event_count;          /* ... so many events were handled */
} flight_prefetch_ring;

/* A ball in a grid: a link of its cell's list. */
typedef struct flight_cell_entry {
    int64_t cell[3];
    uint32_t next, previous; /* balls in its cell */
} flight_cell_entry;

/* Cells of one size, periodic in every direction: a stored cell stands for all cells that lie a
 * whole number of periods apart, so that the grid has no bounds. A cell has two lists: balls of the
 * size for which the grid is made (its own), and smaller balls.
 */
typedef struct flight_grid {
    double size;
    uint32_t mask[3], shift[3];
    uint32_t *own, *smaller;  /* first ball of each cell; the finest grid has no smaller ones */
    flight_cell_entry *entry; /* of each ball */
} flight_grid;

/* Counts that tell whether cells have a suitable size; from 0 after each change of the size. */
typedef struct flight_cell_use {
    uint64_t crossings, impacts, searches, found;
    double widening; /* of the cells, by a power of 2, beyond their size at the start */
} flight_cell_use;

/* The balls in the cells around a ball, and their positions relative to it at one time. */
typedef struct flight_neighbours {
    size_t count;
    uint32_t *ball;
    double (*r)[3];
} flight_neighbours;

/* A closed contact of two parties: parties are numbered balls first, then walls. */
typedef struct flight_contact {
    uint32_t first, second;
    double normal[3]; /* from first to second */
    double gap, u;
} flight_contact;

/* The balls and contacts of one impact. */
typedef struct flight_cluster {
    size_t balls, contacts, ball_room, contact_room;
    uint32_t *ball; /* movable ones */
    flight_contact *contact;
    size_t (*party)[2]; /* for the report */
    double *closing_speed, *impulse, *peak_force;
    double largest; /* closing speed */
} flight_cluster;

/* A request to the groups, at the time of the last event. */
typedef struct flight_request {
    uint32_t ball; /* it must be handed over ... */
    uint32_t body; /* ... or, if not FLIGHT_NONE, is at this body's clearance sphere */
} flight_request;

typedef struct flight_pair {
    uint32_t first, second; /* first < second */
    crm_contact_def contact;
} flight_pair;

typedef struct flight {
    crm_motion motion; /* options, law and workspace only */
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
    crm_wall *wall;
    flight_queue queue;
    flight_neighbours neighbours[2];

    size_t levels; /* 0: few balls, all are neighbours of each other */
    flight_grid grid[FLIGHT_LEVELS];
    uint8_t *level;                 /* of each ball */
    double suitable[FLIGHT_LEVELS]; /* size of cells at the start ... */
    double largest[FLIGHT_LEVELS];  /* ... for balls up to this radius */
    flight_cell_use cell_use;
    flight_prefetch_ring prefetch;

    /* Parameters of contacts. */
    crm_contact_def contact;
    size_t pairs;
    flight_pair *pair;
    crm_material *material; /* of balls, then walls; NULL: none has one */
    char **name;            /* the same; NULL: none has a name; an entry may be NULL */

    /* Impacts. */
    flight_cluster cluster;
    uint32_t *member; /* ball -> index in the cluster, or FLIGHT_NONE */

    /* Bodies that groups move. */
    size_t externals;
    uint32_t *external; /* their numbers */
    size_t requests, request_room;
    flight_request *request;

    uint64_t impacts;
    size_t moving;        /* number of balls that move */
    double rest_since;    /* when the last of the others came to rest */
    double largest_speed; /* largest closing speed so far */
    double max_penetration;
    crm_sum lost, work;
    bool started;
    const crm_observer *observer; /* during a run */
    bool interrupted;
} flight;

/* ---- trajectory.c ---------------------------------------------------------------------------- */

void flight_state_at(const flight *f, size_t ball, double t, double *x, double *v);
/* Of its trajectory, oscillation included. */
void flight_acceleration(const flight *f, size_t ball, double t, double *a);
/* A bound on the part of the acceleration that oscillates. */
double flight_swing_acceleration(const flight *f, size_t ball);
void flight_advance(flight *f, size_t ball, double t); /* sets its own time to t */

/* Of all balls but external ones; `work`: of moving walls since the balls' own times. */
void flight_energies(const flight *f, double t, double *kinetic, double *potential, double *work);

static inline double flight_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ---- closing.c ------------------------------------------------------------------------------- */

/* The first t >= 0 at which g + u t + a t^2/2 falls below 0; INFINITY: never. */
double flight_parabola_root(double g, double u, double a);

/* A parabola plus oscillations: with s = t - time,
 *     g + u s + a s^2/2 + sum b_k (sin(omega_k t + phase_k) - sin(omega_k time + phase_k)).
 */
typedef struct flight_length {
    double time, g, u, a;
    int swings;
    double b[2], omega[2], phase[2];
    double noise; /* rounding of g */
    double speed; /* u is a difference of speeds of this size */
} flight_length;

/* When it falls below 0, not before `from`. *provisional: a lower bound of that time. */
double flight_length_root(const flight_length *length, double from, bool *provisional);
/* The same of the gap between two balls on any trajectories. */
double flight_gap_root(const flight *f, size_t i, size_t k, double from, bool *provisional);

/* Rounding of a difference of speeds of this size. */
double flight_speed_noise(double speed);

/* ---- queue.c --------------------------------------------------------------------------------- */

/* All keys are INFINITY. False: no memory; release in any case. */
bool flight_queue_create(flight_queue *queue, size_t count);
void flight_queue_release(flight_queue *queue);
void flight_queue_set(flight_queue *queue, size_t ball, double key);
double flight_queue_first_time(const flight_queue *queue);
size_t flight_queue_first_ball(const flight_queue *queue); /* the ball that has it */
/* Balls with from <= time < until, in no order; at most FLIGHT_RING / 2 of them. */
size_t flight_queue_between(const flight_queue *queue, double from, double until, flight_due *due);

/* ---- grid.c ---------------------------------------------------------------------------------- */

crm_status flight_make_grids(flight *f, crm_error *error);
static inline size_t flight_grid_cells(const flight_grid *grid)
{
    return ((size_t)grid->mask[0] + 1) * (grid->mask[1] + 1) * (grid->mask[2] + 1);
}
/* Allocates empty cells of the grid's shape; false: no memory, release in any case. */
bool flight_grid_take(const flight *f, size_t level, flight_grid *grid);
void flight_grid_release(flight_grid *grid);
/* Index of the stored cell that lies `offset` cells away from one. */
static inline size_t flight_bucket(const flight_grid *grid, const int64_t *cell, const int *offset)
{
    return (size_t)((uint64_t)(cell[0] + offset[0]) & grid->mask[0]) |
           (size_t)((uint64_t)(cell[1] + offset[1]) & grid->mask[1]) << grid->shift[1] |
           (size_t)((uint64_t)(cell[2] + offset[2]) & grid->mask[2]) << grid->shift[2];
}
/* The grid made for balls of this size; there must be grids. */
static inline const flight_grid *flight_own_grid(const flight *f, size_t ball)
{
    return f->levels == 1 ? f->grid : &f->grid[f->level[ball]];
}
void flight_cross_cell(flight *f, size_t ball); /* into the cell that its events name */
/* Replaces cells that have the wrong size; then all balls predict again, from t on. */
void flight_adapt_cells(flight *f, double t);
/* False: the ball is so far out that double precision does not resolve cells. */
bool flight_is_resolved(const flight *f, size_t ball);
/* Out of all cells, and into those at its position at t. */
void flight_leave_cells(flight *f, size_t ball);
crm_status flight_enter_cells(flight *f, size_t ball, double t, crm_error *error);
/* The balls in the cells within `reach` plus `cells` cell sizes of x along every axis; fills
 * neighbours->ball only.
 */
void flight_search_cells(const flight *f, const double *x, double reach, double cells,
                         flight_neighbours *neighbours);

/* ---- predict.c ------------------------------------------------------------------------------- */

/* The balls in the cells around a ball at t. */
void flight_find_neighbours(flight *f, size_t ball, double t, flight_neighbours *neighbours);
/* All events of a ball whose trajectory has changed at t; `neighbours`: of flight_find_neighbours
 * at t, or NULL.
 */
void flight_predict(flight *f, size_t ball, double t, const flight_neighbours *neighbours);
/* Its trajectory is the same, its partner's has changed. */
void flight_predict_meeting(flight *f, size_t ball, double t);
void flight_predict_wall(flight *f, size_t ball, double t);
void flight_predict_crossed(flight *f, size_t ball, double t); /* after flight_cross_cell */
bool flight_rests_on(const flight *f, size_t ball, size_t wall);
/* The clearance sphere of an external body has changed: when balls reach it. */
void flight_predict_clearance(flight *f, size_t body, double t);
void flight_reschedule(flight *f, size_t ball); /* updates the queue from its events */

/* ---- prefetch.c ------------------------------------------------------------------------------ */

/* Fetches memory of events after the earliest, which is at that time and handled next. */
void flight_prefetch(flight *f, double earliest);

/* ---- contact.c ------------------------------------------------------------------------------- */

/* Parties are numbered balls first, then walls. */
void flight_party_name(const flight *f, size_t party, char *text, size_t size);
crm_contact_def flight_contact_values(const flight *f, size_t a, size_t b);
/* Of the contact alone, closing at this speed; NAN: an unloading curve decides, for some laws. */
double flight_restitution(const flight *f, const flight_contact *contact, double speed);
/* False: unknown, because only one of the two has a material with elastic constants. */
bool flight_stiffness(const flight *f, size_t a, size_t b, crm_contact_def *contact);
/* The contact of two parties at time t: normal, gap, gap velocity. */
flight_contact flight_contact_at(const flight *f, size_t first, size_t second, double t);
double flight_contact_size(const flight *f, const flight_contact *c); /* sum of the radii */
double flight_contact_noise(const flight *f, const flight_contact *c);
double flight_delassus(const flight *f, const flight_contact *c); /* D_jj */
/* The gap up to which a contact counts as closed in an impact with this closing speed. */
double flight_closure_gap(const flight *f, const flight_contact *c, double impact_speed);

/* ---- meeting.c, cluster.c, support.c --------------------------------------------------------- */

/* The meeting of `ball` and `party` at t. On CRM_OK the flight may have failed. */
crm_status flight_handle_meeting(flight *f, size_t ball, size_t party, double t, bool provisional,
                                 crm_error *error);
void flight_fail(flight *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
void flight_count_impact(flight *f, size_t ball, double t); /* counts impacts at one time, too */

/* Fills f->cluster: all closed contacts connected with the first one. */
crm_status flight_cluster_gather(flight *f, const flight_contact *first, double t,
                                 crm_error *error);
void flight_cluster_clear(flight *f);
void flight_cluster_release(flight_cluster *cluster);
crm_status flight_cluster_add(flight *f, const flight_contact *contact, crm_error *error);
/* Applies the law to the whole cluster. */
crm_status flight_cluster_resolve(flight *f, double t, crm_error *error);

/* Fills f->cluster: a ball's closed contacts with walls and fixed balls. */
crm_status flight_find_supports(flight *f, size_t ball, double t, crm_error *error);

/* After an impact, or at the start: which of the given contacts support the ball. Speeds that are
 * rounding beside `impact_speed` count as 0. The trajectory may change.
 */
void flight_update_support(flight *f, size_t ball, const flight_contact *contact, size_t contacts,
                           double t, double impact_speed);
void flight_release(flight *f, size_t ball, double t); /* its supporting wall's contact opens */
/* Whether a contact of two balls in flight stays closed: they then need a group. */
bool flight_stays_closed(const flight *f, const flight_contact *c, double t, double impact_speed);
/* Updates the count of moving balls; `since`: when this one came to rest, if it has. */
void flight_update_moving(flight *f, size_t ball, double since);

/* ---- external.c ------------------------------------------------------------------------------ */

void flight_add_request(flight *f, size_t ball, size_t body);
/* From t on a group moves the ball. Its clearance sphere is the ball itself until it is set. */
void flight_hand_over(flight *f, size_t ball, double t);
/* From t on the ball flies, from this state. Its events are predicted by the caller, once all
 * balls that return at t have done so.
 */
crm_status flight_take_back(flight *f, size_t ball, double t, double radius, const double *x,
                            const double *v, crm_error *error);
void flight_set_clearance(flight *f, size_t body, double t, const double *centre, double radius);

/* ---- run.c ----------------------------------------------------------------------------------- */

/* Before the first event: supports and predictions of all balls. */
crm_status flight_start(flight *f, crm_error *error);
/* Handles all events up to and including `until`. Returns early on a request, a failure or an
 * interruption, after `most` impacts, and, with `stop_at_rest`, once nothing moves.
 */
crm_status flight_run_until(flight *f, double until, uint64_t most, bool stop_at_rest,
                            crm_error *error);
/* Nothing moves, and no moving wall will strike a ball. */
bool flight_is_at_rest(const flight *f);
bool flight_walls_move(const flight *f);

/* ---- archive.c ------------------------------------------------------------------------------- */

/* When it is read, radii of balls that are not external must be those of the definition. */
void flight_archive(flight *f, crm_archive *archive);

/* ---- memory.c -------------------------------------------------------------------------------- */

/* Zeroed memory aligned to cache lines, for free(). NULL: no memory. */
void *flight_allocate_lines(size_t count, size_t size);

/* ---- create.c -------------------------------------------------------------------------------- */

/* The bodies of a scene that are external from the start, and how many velocities each has. */
typedef struct flight_externals {
    const bool *external;
    const uint8_t *velocities;
} flight_externals;

/* The spheres of a scene; `def` is checked. `others` NULL: the scene has nothing else. */
crm_status flight_create(const crm_scene_def *def, const flight_externals *others,
                         const crm_motion_options *options, flight **made, crm_error *error);
void flight_free(flight *f); /* NULL is fine */

#endif
