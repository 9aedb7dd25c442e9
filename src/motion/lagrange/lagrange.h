/* The event-driven motion of any Lagrangian system with gaps: what its parts share.
 *
 *   create.c         the definition, checked and copied
 *   run.c            the run: from step to step
 *   account.c        energies
 *   inherit.c        a motion that continues others
 *   archive.c        the state, for archives
 * system/            the system at one state
 *   callbacks.c      the user's functions, each result checked
 *   differences.c    derivatives that the user did not give
 *   forces.c         M, h, W; accelerations and forces of loaded contacts
 * contacts/          what happens at one instant
 *   impacts.c        impacts of closing contacts
 *   states.c         which contacts rest and which of them are loaded: complementarity
 *   accumulation.c   bounces too small to follow
 * step/              a step and the event that ends it
 *   collocation.c    the step; polynomial.c its polynomials
 *   events.c         closings and releases within it
 *   features.c       changes of the features between which gaps are measured
 *   apart.c          gaps that cannot close within it
 *   locate.c         the step that ends at its first event
 *   project.c        projection onto g = 0 and u = 0
 */
#ifndef CRM_LAGRANGE_H
#define CRM_LAGRANGE_H

#include "model/compliance/compliance.h"
#include "motion/lagrange/step/polynomial.h"
#include "motion/motion.h"

/* State of a contact between two events. */
typedef enum lagrange_contact_state {
    LAGRANGE_OPEN,
    LAGRANGE_LOADED,   /* a force keeps g = u = 0 */
    LAGRANGE_REDUNDANT /* rests without a force: its w depends on those of the loaded ones */
} lagrange_contact_state;

typedef struct lagrange_contact {
    lagrange_contact_state state;
    /* Of an open contact whose gap is 0 at the start of the step: which derivative of the gap
     * is the first that opens it: 1 (u > 0), 2 (u = 0, u' > 0), 3. Otherwise 0. */
    unsigned order;
    bool unloaded_at_start; /* loaded, with a force that begins at 0 */
    bool kept_closed;       /* cannot stay loaded, cannot open: kept loaded for one step */
    bool just_closed;       /* its closing is the event of this instant */
    bool released;          /* its force fell to 0 at this instant */
    bool cannot_open;       /* was opened at this instant and closes at once */
    double closing_speed;   /* largest closing speed resolved at this instant; 0: none */
    /* A contact that took part in an impact with a gap that was not 0 rests at that gap. */
    double offset;
    /* A low bounce since the contact was closed, and its height, by integrating u: in the gap it
     * would be lost among the digits of the positions. */
    bool low_bounce;
    double height;
    /* Its bounces have been neglected, and it has not risen above a low bounce since. */
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
    double *margin; /* LAGRANGE_MARGINS per gap, if gaps have features */
    double power;   /* v'(h + W lambda) */
} lagrange_node;

/* M, h, W at one state, and what follows from them. With M = L L', z_j = L^-1 w_j and k = L^-1 h:
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

/* Of a system that the library itself made: gaps can be computed one by one, and are smooth as long
 * as each is measured between the same features of the bodies (a face, a corner, a round end).
 * Features belong to the context; they change only when a margin falls below 0.
 */
enum { LAGRANGE_MARGINS = 2 };
typedef struct lagrange_features {
    /* From now on the callbacks compute these gaps only and leave the others' values as they are;
     * NULL: all. */
    void (*select_gaps)(void *context, const size_t *gaps, size_t count);
    /* Lengths that are not negative as long as gap j has the right feature; their number. */
    size_t (*margins)(void *context, size_t j, const double *q, double margin[LAGRANGE_MARGINS]);
    /* The feature beyond a margin takes over. */
    void (*cross)(void *context, size_t j, const double *q, size_t margin);
    /* The feature of gap j becomes the right one at q. */
    void (*choose)(void *context, size_t j, const double *q);
    /* Gap j is certainly above `least` while every coordinate of q is within `way` of `middle`. */
    bool (*are_apart)(void *context, size_t j, const double *middle, const double *way,
                      double least);
    unsigned *(*of)(void *context, size_t j); /* the present feature */
    unsigned most;                            /* largest number of a feature */
} lagrange_features;

typedef struct lagrange_motion {
    crm_motion common;
    crm_lagrangian_def def; /* its arrays are the motion's own */
    double *stiffness, *exponent, *restitution;
    crm_compliance_store compliance;
    crm_compliance_def *cluster_compliance;
    lagrange_rule rule;
    size_t n, positions, gaps, dimension; /* n velocities; dimension = positions + n */

    /* The present instant, or the start of the pending step. */
    double t;
    double *y;
    bool resolved; /* impacts are resolved and contact states decided */
    lagrange_contact *contact;
    size_t *loaded;
    size_t loaded_count;
    size_t instant_events; /* events at the time `instant_time` */
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
    double shortest_bounce; /* duration of the shortest one that begins here; INFINITY: none */

    lagrange_values values;
    double *force_scale; /* per gap: size of the terms of a force */
    double *speed_noise; /* per gap, at the start of the step: rounding of u */
    double impact_speed; /* largest closing speed resolved at this instant */
    double smooth_work;  /* of forces, up to t */
    double largest_speed,
        largest_acceleration; /* largest speed and acceleration of a coordinate so far */

    /* Scratch. */
    double *trial, *spare, *matrix, *vector, *other, *wide, *candidate_force, *candidate_speed,
        *peak_force, *speed_left;
    size_t *list, *cluster, *column_start;
    uint32_t *row;
    bool *member;
    double *memory; /* all arrays of doubles */
    size_t memory_size;
    double sampled; /* time of the last state that the observer has had */

    /* Of a system that the library itself made; else NULL. */
    size_t (*party)[2];                /* per gap: the bodies or walls that it is between */
    size_t (*cluster_party)[2];        /* per contact of an impact */
    void (*release)(void *context);    /* frees def.context, and party with it */
    const lagrange_features *features; /* NULL: gaps are smooth */
} lagrange_motion;

/* ---- Tolerances, all in terms of options.tolerance and def.size ------------------------------ */

/* A gap below this is 0: a thousandth of what is promised of positions. */
double lagrange_zero_gap(const lagrange_motion *motion);
/* Largest height of a low bounce. */
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

/* What contact j is made of. */
static inline crm_contact_def lagrange_contact_values(const lagrange_motion *m, size_t j)
{
    return (crm_contact_def){
        .stiffness = m->stiffness[j],
        .exponent = m->exponent[j],
        .restitution = m->restitution[j],
        .compliance = {.made = m->compliance.of != NULL ? m->compliance.of[j] : NULL}};
}

/* Fills m->values: mass, factor, force, k. */
crm_status lagrange_evaluate_inertia(lagrange_motion *m, double t, const double *y,
                                     crm_error *error);
/* w, rate, gap and speed of all gaps, z of the loaded; inertia first. */
crm_status lagrange_evaluate_gaps(lagrange_motion *m, double t, const double *y, crm_error *error);
/* Inertia and gaps at the present instant, z of all; gaps of low bounces are their heights. */
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

/* Decides which contacts are open, loaded or redundant; gap velocities of those at rest become 0.
 */
crm_status lagrange_decide_states(lagrange_motion *m, crm_motion_stop *stopped, crm_error *error);
/* In a low bounce, at an instant that is an event of other contacts only. */
bool lagrange_in_low_bounce(const lagrange_contact *contact);
/* Removes from m->member the loaded contacts whose bounce is to be followed; returns their number.
 * force: of all gaps, at rest. */
size_t lagrange_exclude_bouncing(lagrange_motion *m, const double *force);
/* Smaller closing speeds are no impacts. */
double lagrange_least_closing_speed(const lagrange_motion *m, size_t j);
/* Part of a joint accumulation: its bounces have been neglected before, or a coupled contact is in
 * a low bounce. Not while a coupled contact cannot open.
 */
bool lagrange_accumulates_jointly(const lagrange_motion *m, size_t j);
/* A bounce that begins with this speed rises no higher than is neglected. */
double lagrange_negligible_speed(const lagrange_motion *m, size_t j);
/* An error of its speed by which neither its next bounce nor positions would be off by more than
 * the tolerance.
 */
double lagrange_allowed_speed_error(const lagrange_motion *m, size_t j);
/* Rounding of a gap velocity at m->y: of its terms; and that of the law, too. */
double lagrange_speed_rounding(const lagrange_motion *m, size_t j, double rate);
double lagrange_speed_noise(const lagrange_motion *m, size_t j);

/* ---- impacts.c ------------------------------------------------------------------------------- */

/* The contact that closes fastest at the present instant (m->values); m->gaps: none. `decided`:
 * contact states are decided, and those that only graze are left out.
 */
size_t lagrange_closing_gap(const lagrange_motion *m, bool decided);
/* Impacts at the present instant, until no contact is closing. */
crm_status lagrange_resolve_impacts(lagrange_motion *m, const crm_observer *observer,
                                    crm_motion_stop *stopped, bool *go_on, crm_error *error);

/* ---- collocation.c, events.c, locate.c, project.c -------------------------------------------- */

typedef enum lagrange_trial { LAGRANGE_TRIAL_GOOD, LAGRANGE_TRIAL_SHORTEN } lagrange_trial;

/* Collocation over m->h = h: node values, series. `from_series`: the old series, of a step that
 * was `ratio` times as long, is the first guess. */
crm_status lagrange_collocate(lagrange_motion *m, double h, double ratio, lagrange_trial *trial,
                              crm_error *error);
/* The largest last coefficient, relative to what is allowed. */
double lagrange_step_error(const lagrange_motion *m);
/* g and u at all nodes: of all gaps that may close, */
crm_status lagrange_evaluate_node_gaps(lagrange_motion *m, crm_error *error);
/* or of gap j, and perhaps others; j = m->gaps: of none that must be. */
crm_status lagrange_evaluate_node_gap(lagrange_motion *m, size_t j, crm_error *error);
/* The first event of a step; LAGRANGE_TRIAL_SHORTEN: the step is too long to find it. */
typedef struct lagrange_event {
    lagrange_event_kind event;
    size_t gap, margin;
    double tau;
} lagrange_event;
/* Ignores the event `except`, unless that is LAGRANGE_NO_EVENT. */
lagrange_trial lagrange_first_event(const lagrange_motion *m, const lagrange_event *except,
                                    lagrange_event *found);
/* Updates heights of low bounces to the end of the step. */
void lagrange_follow_low_bounces(lagrange_motion *m);
/* The function whose root is an event: its value at the end of the step, its derivative by time,
 * and the rounding of the value.
 */
typedef struct lagrange_event_function {
    double value, slope, rounding;
} lagrange_event_function;
lagrange_event_function lagrange_event_value(const lagrange_motion *m, lagrange_event found);
/* A step is too long if its polynomial of a gap has an error beyond this. */
double lagrange_allowed_error(const lagrange_motion *m);
/* Gaps are differences of coordinates of this size. */
double lagrange_largest_coordinate(const lagrange_motion *m);
/* A step, with its event if one ends it. */
crm_status lagrange_take_step(lagrange_motion *m, crm_error *error);
/* Makes the pending step end at this time if it ends later; at its start it is discarded. */
crm_status lagrange_shorten_step(lagrange_motion *m, double time, crm_error *error);
/* y' at the present instant: node 0 of the next step. */
crm_status lagrange_start_step(lagrange_motion *m, crm_error *error);
/* Projects the end of the step onto g = 0 and u = 0 of the loaded contacts. */
crm_status lagrange_project(lagrange_motion *m, double t, double *y, crm_error *error);
/* Velocities only, at m->values. Returns the energy lost; boundary_work: of moving gaps. */
double lagrange_project_velocity(lagrange_motion *m, double *y, double *boundary_work);

/* ---- apart.c --------------------------------------------------------------------------------- */

/* Gap j is not followed within the step: it cannot close. */
bool lagrange_is_apart(const lagrange_motion *m, size_t j);
/* The gaps that may, with their number; marks the others. */
size_t lagrange_list_near(lagrange_motion *m, size_t *list);
/* Those right at m->y, of the marked gaps, after a step. */
void lagrange_choose_features(lagrange_motion *m);

/* ---- features.c ------------------------------------------------------------------------------ */

/* Margins at all nodes, of these gaps. */
void lagrange_evaluate_node_margins(lagrange_motion *m, const size_t *gaps, size_t count);
/* The first switch of gap j in the step, if it comes before found->tau. */
lagrange_trial lagrange_first_switch(const lagrange_motion *m, size_t j, lagrange_event *found);
lagrange_event_function lagrange_switch_value(const lagrange_motion *m, lagrange_event found);
/* After a step that ends with such an event. */
crm_status lagrange_switch_feature(lagrange_motion *m, crm_error *error);

/* ---- run.c, account.c ------------------------------------------------------------------------ */

crm_status lagrange_run(crm_motion *motion, double time, const crm_observer *observer,
                        crm_motion_stop *stopped, crm_error *error);
/* Resolves the present instant and computes a pending step; *go_on false: the run ends here. */
crm_status lagrange_begin_step(lagrange_motion *m, const crm_observer *observer,
                               crm_motion_stop *stopped, bool *go_on, crm_error *error);
/* To the end of the pending step. */
crm_status lagrange_finish_step(lagrange_motion *m, crm_error *error);
/* The status of the run for a status and its error. */
crm_status lagrange_run_status(lagrange_motion *m, crm_status status, const crm_error *own,
                               crm_motion_stop *stopped, crm_error *error);
void lagrange_read(const crm_motion *motion, double *position, double *velocity);
/* y at a time within the pending step, or at the present instant. */
void lagrange_state_at(const lagrange_motion *m, double time, double *y);
crm_motion_summary lagrange_summarize(const crm_motion *motion);
double lagrange_kinetic(const lagrange_motion *m, const double *mass, const double *v);
/* Work of all forces over the completed step, and the series of their power. */
crm_status lagrange_account_step(lagrange_motion *m, crm_error *error);
/* Lets m, just created, continue `before`: it takes the states of contacts between the same
 * parties, whose gaps both have in the same order, and the sizes of speeds and steps.
 */
void lagrange_inherit(lagrange_motion *m, const lagrange_motion *before);
void lagrange_archive(crm_motion *motion, crm_archive *archive);
/* For systems of the library's own: impacts are reported by parties instead of gaps, gaps have
 * features, and the motion owns the context, unless this fails.
 */
crm_status lagrange_attach_scene(crm_motion *motion, size_t (*party)[2],
                                 const lagrange_features *features, void (*release)(void *context),
                                 crm_error *error);

#endif
