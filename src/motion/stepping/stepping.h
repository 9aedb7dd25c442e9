/* Time-stepping (J. J. Moreau's midpoint scheme, M. Jean): the motion of a scene in equal steps, no
 * event located. What its parts share; docs/motion/stepping.md has the mathematics.
 *
 * A step from t to t + h uses, in this order:
 *   step.c        q_m = q + h/2 v, the force there, v_free; afterwards q+ = q_m + h/2 v+
 *   cells.c       pairs of bodies near each other, by cells
 *   candidates.c  the gaps of those pairs, kept from step to step
 *   geometry.c    positions of bodies and walls, and those gaps
 *   contacts.c    gaps that are closed in the middle of the step: columns, speeds, bounds
 *   islands.c     bodies connected by contacts; the complementarity problem of each island
 *   primal/       solves it
 *   project.c     removal of overlaps
 *   account.c     energies, impacts, rest
 * and
 *   run.c         the run; states between two steps
 *   archive.c     the state, for archives
 *   create.c      the definition, checked and copied
 */
#ifndef CRM_STEPPING_H
#define CRM_STEPPING_H

#include "motion/motion.h"
#include "motion/scene/scene.h"
#include "motion/stepping/create.h"
#include "motion/stepping/primal/primal.h"
#include "motion/sum.h"

/* Overlaps beyond this part of the bodies' size are removed by projection. */
static const double STEPPING_OVERLAP = 1e-11;

enum { STEPPING_LONG_OPEN = 1000 };

/* What every step reads of a body. */
typedef struct stepping_body {
    uint32_t first, width; /* its velocities */
    uint32_t position;     /* where its positions begin */
    scene_hold hold;
    bool round; /* a sphere or disc without a string: its gaps follow from its centre */
    double reach, mass;
} stepping_body;

/* How much of its closing speed a contact gives back. */
typedef struct stepping_bounce {
    double restitution;
    const crm_compliance *rule; /* NULL: whatever that speed is */
} stepping_bounce;

/* A gap of two parties near each other. */
typedef struct stepping_gap {
    scene_gap gap;
    bool round;        /* both are, or one and a wall */
    uint32_t party[2]; /* bodies, then walls; ascending */
    uint32_t place;    /* among the gaps of the pair */
    stepping_bounce bounce;
    double size;         /* of both bodies together */
    double impulse;      /* of the last step, and 0 if it was open */
    double push;         /* of the last projection */
    uint32_t open_steps; /* steps since it was loaded; at most STEPPING_LONG_OPEN */
} stepping_gap;

/* A contact of the problem of velocities or positions: its column, scaled to M = 1 and length 1. */
typedef struct stepping_contact {
    uint32_t gap;        /* index among the candidates */
    uint32_t start;      /* of its column in `value` */
    double length;       /* of the column before scaling: the root of D_jj */
    double bound;        /* c'x >= bound */
    double p;            /* multiplier; before the solution the first guess */
    double before;       /* u at the start; like rate and force_change divided by length */
    double rate;         /* dg/dt of moving walls */
    double force_change; /* bound on the change of u by forces in the step */
} stepping_contact;

typedef struct stepping_contacts {
    size_t count, room;
    stepping_contact *contact;
    double *value; /* STEPPING_WIDTH for each */
} stepping_contacts;

/* Grids of cells, one for each class of sizes. */
typedef struct stepping_cells {
    size_t buckets;
    uint32_t *head; /* of each bucket; UINT32_MAX: none */
    uint32_t *next; /* of each body */
    int64_t (*cell)[3];
    uint8_t *level;
    double side[64]; /* of the cells of each level; 0: no bodies */
} stepping_cells;

/* Memory of the islands; one entry per body or per contact. */
typedef struct stepping_islands {
    uint32_t *root;   /* of each body: union-find */
    uint32_t *island; /* of each body; UINT32_MAX: in none */
    uint32_t *local;  /* its block within it */
    size_t count;
    size_t *body_start, *contact_start, *pair_start; /* of each island, count + 1 */
    uint32_t *body;
    uint32_t *contact;
    uint32_t (*pair)[2];
    uint32_t *first;
    uint32_t *pair_of; /* candidate pair -> its number within its island */
    crm_primal_contact *column;
    double *p, *x;
    size_t pair_room, contact_room;
} stepping_islands;

/* Solvers of large islands, which keep the analysis of the last shape. */
enum { STEPPING_SOLVERS = 4 };

typedef struct stepping_solvers {
    crm_primal *small, *large[STEPPING_SOLVERS];
} stepping_solvers;

typedef struct stepping {
    crm_motion common;
    scene_system *scene;
    uint64_t steps;                     /* done */
    double *q, *v;                      /* at the end of the last step */
    double *q0, *v0;                    /* at its beginning */
    double *middle;                     /* q_m */
    double *free, *force, *mean, *work; /* v_free; work: one per velocity or position */
    double *end_rates;                  /* two per position, for reading */
    double *state;                      /* position and velocity, for observers */
    double *root;                       /* of M, per velocity */
    double *force_change; /* square of the change by forces in a step, h^2 a'M a, of each body */
    double largest_force_change; /* the largest by mass */
    bool damped;                 /* forces depend on v */
    bool steady;                 /* forces are constant, and change in a step ... */
    double *kick;                /* ... each velocity by this */
    bool straight;               /* q' = v */
    bool walls_move;
    stepping_body *body;

    stepping_cells cells;
    double (*centre)[3]; /* of each body when candidates were listed */
    double *pad;         /* how far it may move from there */
    double *wall_place, *wall_pad;
    bool listed; /* candidates are listed for these positions */
    size_t keys, key_room;
    uint64_t *key; /* pairs as they are found: first << 32 | second */
    size_t pairs, pair_room;
    uint32_t (*pair)[2]; /* candidates of which both can move, ascending */
    size_t gaps, gap_room, old_room;
    stepping_gap *gap;
    stepping_gap *old;  /* of the previous list */
    uint32_t *gap_pair; /* of each gap: its pair, or UINT32_MAX */
    double *distance;   /* of each gap, as last measured */

    stepping_contacts contacts, overlaps;
    stepping_islands islands;
    stepping_solvers velocity, position;

    stepping_bounce bounce; /* of all, but for: */
    char **name;            /* of bodies, then walls */
    size_t pair_restitution_count;
    struct stepping_pair_restitution *pair_restitution;

    crm_sum lost, work_done, correction;
    double residual;                                            /* the largest of all steps */
    uint64_t lists, sets, factorizations, by_dual, projections; /* work done */
    double notified_until; /* time of the last state that the observer has had */
    bool interrupted;
    const crm_observer *observer;
    /* of an impact report: */
    size_t report_room;
    size_t (*report_party)[2];
    double *report_speed, *report_impulse;
} stepping;

enum { STEPPING_WIDTH = SCENE_COLUMN_MOST };

static inline uint32_t stepping_first(const stepping *s, size_t body)
{
    return s->body[body].first;
}

static inline uint32_t stepping_width(const stepping *s, size_t body)
{
    return s->body[body].width;
}

/* The larger of two numbers that are not NaN; fmax would be a call. */
static inline double stepping_larger(double a, double b)
{
    return b > a ? b : a;
}

static inline double stepping_time(const stepping *s, uint64_t steps)
{
    return (double)steps * s->common.options.step;
}

/* ---- cells.c --------------------------------------------------------------------------------- */

crm_status stepping_cells_create(stepping *s, crm_error *error);
void stepping_cells_free(stepping_cells *cells);
/* Calls `add` once for each pair of bodies whose padded spheres overlap. */
crm_status stepping_cells_pairs(stepping *s,
                                crm_status (*add)(stepping *, size_t, size_t, crm_error *),
                                crm_error *error);

/* ---- geometry.c --------------------------------------------------------------------------------
 */

void stepping_geometry_begin(stepping *s);
void stepping_centre(const stepping *s, size_t body, const double *q, double centre[3]);
double stepping_gap_size(const stepping *s, const stepping_gap *candidate, double t,
                         const double *q);
/* dg/dt at fixed q. */
double stepping_gap_rate(const stepping *s, const stepping_gap *candidate, double t);
/* The gradient by the velocities of the first body, then of the second, in `value`; their number.
 */
uint32_t stepping_gap_gradient(const stepping *s, const stepping_gap *candidate, const double *q,
                               double *value);

/* ---- candidates.c
 * ---------------------------------------------------------------------------------- */

/* Makes sure that the list has every pair that can touch at q: lists anew if a body has left its
 * pad.
 */
crm_status stepping_candidates_update(stepping *s, const double *q, double t, crm_error *error);
/* Lists candidates for the present centres and pads. */
crm_status stepping_candidates_list(stepping *s, crm_error *error);

/* ---- contacts.c ------------------------------------------------------------------------------ */

/* Adds a contact with its column. */
crm_status stepping_contact_add(stepping *s, stepping_contacts *list, size_t gap, const double *q,
                                crm_error *error);
double stepping_contact_dot(const stepping *s, const stepping_contacts *list,
                            const stepping_contact *c, const double *v);
crm_status stepping_contacts_find(stepping *s, double t, crm_error *error);

/* ---- islands.c ------------------------------------------------------------------------------- */

/* p of all contacts, and y = M^1/2 times the change of velocities (or positions) by them.
 * *failed_gap: a gap of a problem without a solution, else SIZE_MAX.
 */
crm_status stepping_islands_solve(stepping *s, stepping_contacts *list, stepping_solvers *solvers,
                                  double *y, size_t *failed_gap, crm_error *error);

/* ---- project.c ------------------------------------------------------------------------------- */

crm_status stepping_project(stepping *s, double t, bool *done, crm_error *error);

/* ---- account.c ------------------------------------------------------------------------------- */

double stepping_kinetic(const stepping *s, const double *v);
/* Once the velocities after the step are known. */
void stepping_account_step(stepping *s);
crm_status stepping_notify_impacts(stepping *s, double t, crm_error *error);
void stepping_detect_rest(stepping *s);

/* ---- step.c ---------------------------------------------------------------------------------- */

/* q + h G v, to `to` */
void stepping_advance(const stepping *s, const double *q, const double *v, double h, double *rate,
                      double *to);
/* One step; a motion that cannot go on fails by crm_motion_fail. */
crm_status stepping_take(stepping *s, crm_motion_stop *stopped, crm_error *error);

/* ---- create.c, run.c, archive.c ----------------------------------------------------------- */

stepping_bounce stepping_bounce_between(const stepping *s, size_t first, size_t second);
void stepping_party_name(const stepping *s, size_t party, char *name, size_t size);
extern const crm_motion_kind crm_stepping_kind;
void crm_stepping_free(crm_motion *motion);
void stepping_archive(crm_motion *motion, crm_archive *archive);

#endif
