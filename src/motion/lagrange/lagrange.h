/* The motion of any Lagrangian system with gaps: what its parts share.
 *
 * In the order in which a motion goes through them:
 *   create.c       the definition, checked and copied
 *   callbacks.c    the user's functions, each answer checked
 *   differences.c  those that the user left out
 *   forces.c       M, h, W at one state; accelerations and forces while given contacts are loaded
 *   states.c       which contacts rest, and which of them are loaded: complementarity
 *   accumulation.c       whose bounces are too small to follow
 *   impacts.c       impacts: who takes part
 *   collocation.c, polynomial.c a step by collocation; polynomials
 *   events.c       closings and releases within it
 *   features.c     gaps whose bodies turn other features to each other
 *   locate.c       a step that ends at an event
 *   project.c      back onto g = 0 and u = 0
 *   run.c       the run
 *   account.c      energies
 *   inherit.c      a motion that goes on from others
 *   archive.c      what of all this is the state, for archives
 */
#ifndef CRM_LAGRANGE_H
#define CRM_LAGRANGE_H

#include "motion/lagrange/step/polynomial.h"
#include "motion/motion.h"

/* What a contact does between two events. */
typedef enum lagrange_contact_state {
    LAGRANGE_OPEN,
    LAGRANGE_LOADED,   /* g = u = 0 is kept, a force keeps it */
    LAGRANGE_REDUNDANT /* rests too, but the loaded ones hold it there: its w depends on theirs */
} lagrange_contact_state;

typedef struct lagrange_contact {
    lagrange_contact_state state;
    /* Of an open contact whose gap is 0 at the start of the step: which derivative of the gap
     * is the first that opens it: 1 (u > 0), 2 (u = 0, u' > 0), 3. Otherwise 0. */
    unsigned order;
    bool unloaded_at_start; /* loaded, but its force begins at 0 */
    bool kept_closed; /* neither open nor loaded seems right: loaded for one step, come what may */
    bool just_closed; /* an event of its own brought the motion here */
    bool released;    /* its force came to 0 here */
    bool cannot_open; /* tried as open here, closes at once */
    double closing_speed; /* largest closing speed resolved here; 0: none */
    /* A contact that an impact took for closed although its gap was not 0 rests where it is. */
    double offset;
    /* A low flight since the contact was closed: its height, the integral of u. The gap itself
     * would lose it among the digits of the positions. */
    bool low_bounce;
    double height;
    /* Its bounces have been cut, and it has not been higher than a low flight since. */
    bool bounces_cut;
} lagrange_contact;

/* Values at one node of the step. */
typedef struct lagrange_node {
    double *y;      /* q, then v */
    double *f;      /* y' */
    double *mass;   /* M */
    double *gap;    /* g */
    double *speed;  /* u */
    double *force;  /* lambda, 0 for those that are not loaded */
    double *margin; /* LAGRANGE_MARGINS per gap, where there are features */
    double power;   /* v'(h + W lambda) */
} lagrange_node;

/* M, h, W at one state, and what is made of them. With M = L L', z_j = L^-1 w_j and k = L^-1 h:
 * D_ij = z_i'z_j and w_j'M^-1 h = z_j'k. */
typedef struct lagrange_values {
    double *mass, *factor; /* M and L, velocities squared */
    double *force;         /* h */
    double *k;             /* L^-1 h */
    double *free;          /* M^-1 h */
    double *w, *z;         /* gap after gap */
    double *rate;          /* dg/dt at fixed q */
    double *bias;          /* of u' */
    double *gap, *speed;   /* g and u */
} lagrange_values;

typedef enum lagrange_event_kind {
    LAGRANGE_NO_EVENT,
    LAGRANGE_CLOSING,
    LAGRANGE_RELEASE,
    LAGRANGE_FEATURE_SWITCH
} lagrange_event_kind;

/* What is known of a system of the library's own: gaps can be asked for one by one, and are smooth
 * while the bodies turn the same features to each other: how long they do.
 * Features are the context's; the engine keeps them as they are until a margin falls below 0.
 */
enum { LAGRANGE_MARGINS = 2 };
typedef struct lagrange_features {
    /* From now on values are wanted for these gaps alone, the others' are left as they are; NULL:
     * for all. */
    void (*select_gaps)(void *context, const size_t *gaps, size_t count);
    /* Lengths that are not negative as long as gap j is what it shall be; their number. */
    size_t (*margins)(void *context, size_t j, const double *q, double margin[LAGRANGE_MARGINS]);
    /* The feature beyond a margin takes over. */
    void (*cross)(void *context, size_t j, const double *q, size_t margin);
    unsigned *(*of)(void *context, size_t j); /* what it is now */
    unsigned most;                            /* the largest that there is */
} lagrange_features;

typedef struct lagrange_motion {
    crm_motion common;
    crm_lagrangian_def def; /* its arrays are the motion's own */
    double *stiffness, *exponent, *restitution;
    lagrange_rule rule;
    size_t n, positions, gaps, dimension; /* n velocities; dimension = positions + n */

    /* The present instant, or the start of the pending step. */
    double t;
    double *y;
    bool resolved; /* impacts resolved and the regime decided */
    lagrange_contact *contact;
    size_t *loaded;
    size_t loaded_count;
    size_t instant_events; /* events at this instant */
    double instant_time;

    /* The pending step: y(t + tau h) = y + h sum series_m P_m. */
    bool stepping;
    double h, next_h, first_h;
    lagrange_event_kind event; /* at its end */
    size_t event_gap, event_margin;
    lagrange_node node[LAGRANGE_NODES];
    double *series; /* dimension x LAGRANGE_TERMS */
    double *end;    /* y there, projected */
    double power[LAGRANGE_TERMS];
    double potential, end_potential; /* at its ends */
    double step_work;                /* of forces without a potential, in all of it */
    double shortest_bounce; /* of the shortest bounce that begins here; INFINITY: none does */

    lagrange_values values;
    double *force_scale; /* per gap: forces are made of terms of this size */
    double *speed_noise; /* per gap, at the start of the step: rounding of u */
    double impact_speed; /* largest closing speed resolved at this instant */
    double smooth_work;  /* of forces, until t */
    double largest_speed,
        largest_acceleration; /* largest speed and acceleration of a coordinate so far */

    /* Scratch. */
    double *trial, *spare, *matrix, *vector, *other, *wide, *candidate_force, *candidate_speed,
        *peak_force;
    size_t *list, *cluster, *column_start;
    uint32_t *row;
    bool *member;
    double *memory; /* of all arrays of numbers */
    size_t memory_size;
    double sampled; /* the observer has been told of states until here */

    /* Of a system that the library itself made; else NULL. */
    size_t (*party)[2];                /* per gap: whom it is between */
    size_t (*cluster_party)[2];        /* per contact of an impact */
    void (*release)(void *context);    /* frees def.context, and party with it */
    const lagrange_features *features; /* NULL: gaps are smooth */
} lagrange_motion;

/* ---- Tolerances, all in terms of options.tolerance and def.size ------------------------------ */

/* A gap below this is 0: a thousandth of what is promised of positions. */
double lagrange_zero_gap(const lagrange_motion *motion);
/* A contact whose gap is below this may rest. */
double lagrange_rest_gap(const lagrange_motion *motion);
/* Flights up to here are low. */
double lagrange_low_bounce_height(const lagrange_motion *motion);

/* ---- callbacks.c ----------------------------------------------------------------------------- */

crm_status lagrange_mass(lagrange_motion *m, double t, const double *q, double *mass,
                         crm_error *error);
crm_status lagrange_force(lagrange_motion *m, double t, const double *y, double *force,
                          crm_error *error);
crm_status lagrange_gap(lagrange_motion *m, double t, const double *q, double *gap,
                        crm_error *error);
crm_status lagrange_gradient(lagrange_motion *m, double t, const double *q, double *w,
                             crm_error *error);
crm_status lagrange_gap_rate(lagrange_motion *m, double t, const double *q, double *rate,
                             crm_error *error);
crm_status lagrange_gap_bias(lagrange_motion *m, double t, const double *y, double *bias,
                             crm_error *error);
/* q' = G v */
crm_status lagrange_kinematics(lagrange_motion *m, double t, const double *q, const double *v,
                               double *rate, crm_error *error);
crm_status lagrange_potential(lagrange_motion *m, double t, const double *q, double *potential,
                              crm_error *error);

/* ---- differences.c --------------------------------------------------------------------------- */

crm_status lagrange_gradient_by_differences(lagrange_motion *m, double t, const double *q,
                                            double *w, crm_error *error);
crm_status lagrange_gap_rate_by_differences(lagrange_motion *m, double t, const double *q,
                                            double *rate, crm_error *error);
crm_status lagrange_gap_bias_by_differences(lagrange_motion *m, double t, const double *y,
                                            double *bias, crm_error *error);

/* ---- forces.c -------------------------------------------------------------------------------- */

/* Fill m->local: mass, factor, force, k. */
crm_status lagrange_evaluate_inertia(lagrange_motion *m, double t, const double *y,
                                     crm_error *error);
/* w, rate, gap and speed of all gaps, z of the loaded; inertia first. */
crm_status lagrange_evaluate_gaps(lagrange_motion *m, double t, const double *y, crm_error *error);
/* The same, and bias, of the loaded alone; the others' are left as they are where the system can
 * tell gaps apart. */
crm_status lagrange_evaluate_loaded(lagrange_motion *m, double t, const double *y,
                                    crm_error *error);
/* Both at the present instant, z of all; gaps of low flights are their heights. */
crm_status lagrange_evaluate_instant(lagrange_motion *m, crm_error *error);
crm_status lagrange_evaluate_bias(lagrange_motion *m, double t, const double *y, crm_error *error);
double lagrange_delassus(const lagrange_motion *m, size_t i, size_t j);
/* Whether D_ij is more than rounding. */
bool lagrange_are_coupled(const lagrange_motion *m, size_t i, size_t j);
/* v += M^-1 W p over `count` contacts. */
void lagrange_apply_impulses(const lagrange_motion *m, const size_t *contacts, size_t count,
                             const double *p, double *v);
/* Solve D_BB x = x over the loaded contacts; false: they depend on each other. Factor left in
 * m->matrix. */
bool lagrange_solve_loaded(lagrange_motion *m, double *x);
/* y' at one node, with the loaded contacts' forces. */
crm_status lagrange_rates(lagrange_motion *m, double t, lagrange_node *node, crm_error *error);

/* ---- states.c, accumulation.c ---------------------------------------------------------------- */

/* Who rests, who carries load; the rest are open. Velocities of those that rest are made 0. */
crm_status lagrange_decide_states(lagrange_motion *m, crm_motion_stop *stopped, crm_error *error);
/* On a low flight that others' impacts have met on its way. */
bool lagrange_in_low_bounce(const lagrange_contact *contact);
/* Those of the loaded contacts whose bounce is to be followed leave m->member; their number.
 * force: of all gaps, at rest. */
size_t lagrange_exclude_bouncing(lagrange_motion *m, const double *force);
/* Closing speeds below this are no impacts. */
double lagrange_least_impact_speed(const lagrange_motion *m, size_t j);
/* Gap velocities at m->y below this are rounding: of their terms, and of the law, too. */
double lagrange_speed_rounding(const lagrange_motion *m, size_t j, double rate);
double lagrange_speed_noise(const lagrange_motion *m, size_t j);
/* Size of the terms that u'_j is made of; m->local complete. */
double lagrange_acceleration_scale(const lagrange_motion *m, size_t j);

/* ---- impacts.c ------------------------------------------------------------------------------- */

/* The gap that closes fastest at the present instant (m->local); m->gaps when none does. */
size_t lagrange_closing_gap(const lagrange_motion *m);
/* Impacts at the present instant, until nothing closes. */
crm_status lagrange_resolve_impacts(lagrange_motion *m, const crm_observer *observer,
                                    crm_motion_stop *stopped, bool *go_on, crm_error *error);

/* ---- collocation.c, events.c, locate.c, project.c -------------------------------------------- */

typedef enum lagrange_trial { LAGRANGE_TRIAL_GOOD, LAGRANGE_TRIAL_SHORTEN } lagrange_trial;

/* Collocation over m->h = h: node values, series. `from_series`: the old series, of a step that
 * was `ratio` times as long, is the first guess. */
crm_status lagrange_collocate(lagrange_motion *m, double h, double ratio, lagrange_trial *trial,
                              crm_error *error);
/* Largest last coefficient over what is allowed. */
double lagrange_step_error(const lagrange_motion *m);
/* g and u at all nodes: of all gaps, */
crm_status lagrange_evaluate_node_gaps(lagrange_motion *m, crm_error *error);
/* or of gap j at least. */
crm_status lagrange_evaluate_node_gap(lagrange_motion *m, size_t j, crm_error *error);
/* The first event of the step, or that it is too long to tell. */
typedef struct lagrange_event {
    lagrange_event_kind event;
    size_t gap, margin;
    double tau;
} lagrange_event;
/* `except` is not looked for; LAGRANGE_NO_EVENT: all are. */
lagrange_trial lagrange_first_event(const lagrange_motion *m, const lagrange_event *except,
                                    lagrange_event *found);
/* Heights of low flights at the end of the step. */
void lagrange_follow_low_bounces(lagrange_motion *m);
/* An event's function at the end of the step, its slope per time, and what of it is rounding. */
typedef struct lagrange_event_function {
    double value, slope, rounding;
} lagrange_event_function;
lagrange_event_function lagrange_event_value(const lagrange_motion *m, lagrange_event found);
/* Gaps that are known to less than this at the ends of a step are not followed: the step is too
 * long. */
double lagrange_allowed_error(const lagrange_motion *m);
/* The largest coordinate: what gaps are differences of. */
double lagrange_largest_coordinate(const lagrange_motion *m);
/* A step, with its event if one ends it. */
crm_status lagrange_take_step(lagrange_motion *m, crm_error *error);
/* The pending step shall end at this time, if it ends later; at its start: there is none. */
crm_status lagrange_shorten_step(lagrange_motion *m, double time, crm_error *error);
/* y' at the present instant: node 0 of the next step. */
crm_status lagrange_start_step(lagrange_motion *m, crm_error *error);
/* The end of the step onto g = 0 and u = 0 of the loaded contacts. */
crm_status lagrange_project(lagrange_motion *m, double t, double *y, crm_error *error);
/* Velocities alone, at m->local. Returns the energy that it costs; work: of moving gaps. */
double lagrange_project_velocity(lagrange_motion *m, double *y, double *boundary_work);

/* ---- features.c ------------------------------------------------------------------------------ */

/* Margins at all nodes, of gaps first ... last. */
void lagrange_evaluate_node_margins(lagrange_motion *m, size_t first, size_t last);
/* The first switch of gap j in the step, if it comes before found->tau. */
lagrange_trial lagrange_first_switch(const lagrange_motion *m, size_t j, lagrange_event *found);
lagrange_event_function lagrange_switch_value(const lagrange_motion *m, lagrange_event found);
/* At the end of a step that ends with one: m->y is there. */
crm_status lagrange_switch_feature(lagrange_motion *m, crm_error *error);

/* ---- run.c, account.c ------------------------------------------------------------------------ */

crm_status lagrange_run(crm_motion *motion, double time, const crm_observer *observer,
                        crm_motion_stop *stopped, crm_error *error);
/* From an instant, impacts first, to a pending step, unless the run ends here (go_on: false). */
crm_status lagrange_begin_step(lagrange_motion *m, const crm_observer *observer,
                               crm_motion_stop *stopped, bool *go_on, crm_error *error);
/* To the end of the pending step. */
crm_status lagrange_finish_step(lagrange_motion *m, crm_error *error);
/* What a status of the engine, with its error, means for the run. */
crm_status lagrange_run_status(lagrange_motion *m, crm_status status, const crm_error *own,
                               crm_motion_stop *stopped, crm_error *error);
void lagrange_read(const crm_motion *motion, double *position, double *velocity);
/* y at a time within the pending step, or at the present instant. */
void lagrange_state_at(const lagrange_motion *m, double time, double *y);
crm_motion_summary lagrange_summarize(const crm_motion *motion);
double lagrange_kinetic(const lagrange_motion *m, const double *mass, const double *v);
/* Work of all forces, and the power series, once the step is complete. */
crm_status lagrange_account_step(lagrange_motion *m, crm_error *error);
void lagrange_free(crm_motion *motion);
/* m, just made by the library, goes on from where `before` is: what is known of gaps between the
 * same parties, which both have in the same order, and of speeds and steps.
 */
void lagrange_inherit(lagrange_motion *m, const lagrange_motion *before);
void lagrange_archive(crm_motion *motion, crm_archive *archive);
/* Impacts are reported by parties instead of gaps, gaps have features, and the context is freed
 * with the motion: unless memory lacks. */
crm_status lagrange_attach_scene(crm_motion *motion, size_t (*party)[2],
                                 const lagrange_features *features, void (*release)(void *context),
                                 crm_error *error);

#endif
