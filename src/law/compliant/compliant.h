/* The compliant law: springs and dashpots at the contacts, with gaps that open and close
 * (docs/theory/compliant.md). Internal.
 *
 * x_j is the indentation, negative while the contact is open, and W is that of the instant of
 * impact, so that
 *
 *     c' = -D f,     p' = f,     x' and f as in compliant/contact.h.
 *
 *     compliant.c  description, error estimate
 *     options.c    what each contact is, by the options; restitution.c: its damping, by e
 *       run.c      an impact: steps, flights, end, energies, histories
 *         active.c   which contacts are at work; all others keep their closing speeds
 *         step.c     one step: its length, what it ends with, its error
 *           solve.c    the forces at the nodes, and the state at the end
 *           events.c   what happens before the end
 *
 * State, tail and histories are those of LZB (law/lzb/state/), which is this law with e = 1 but for
 * one thing: there x stops at 0, here it continues, and a gap has to close before the contact
 * presses again.
 */
#ifndef CRM_COMPLIANT_H
#define CRM_COMPLIANT_H

#include "base/heap.h"
#include "law/compliant/contact.h"
#include "law/lzb/nodes/nodes.h"
#include "law/lzb/state/history.h"
#include "law/lzb/state/tail.h"

/* ---- Options -------------------------------------------------------------------------------- */

enum { COMPLIANT_PARAMETERS = 5 };
extern const crm_parameter compliant_options_table[COMPLIANT_PARAMETERS];

typedef struct compliant_options {
    const compliant_contact *contact; /* by contact */
    double tolerance;
    double step_tolerance;
    double max_steps;
} compliant_options;

/* u+ = -e u- of one contact alone: e, or NAN. */
double compliant_options_single(const crm_settings *settings, double restitution);
/* Remarks go to the outcome. */
crm_status compliant_options_read(const crm_problem *problem, compliant_options *options,
                                  crm_outcome *outcome, crm_error *error);

/* A single contact that closes at a speed s, with x in units of (s^2/(D K))^(1/(1+eta)). Its
 * numbers are eta, e, K1/K, and the damping in these units,
 * C s/(K x), chi s, C s/(K x^eta), C s/(K x). *damping: the least with which it rebounds with e.
 * false: there is none, *restitution is then the least that there is.
 */
typedef struct compliant_single {
    compliant_model model;
    double exponent, arm, restitution;
} compliant_single;

bool compliant_restitution_damping(const compliant_single *single, double *damping,
                                   double *restitution);
double compliant_restitution_of(const compliant_single *single, double damping);

/* ---- The active contacts -------------------------------------------------------------------- */

/* What has just become 0 at a contact. */
typedef enum compliant_zero {
    COMPLIANT_NO_ZERO,
    COMPLIANT_ZERO_X, /* x, or its distance from where it begins to press */
    COMPLIANT_ZERO_C,
    COMPLIANT_ZERO_G /* the force, at an x > 0 */
} compliant_zero;

/* The contacts whose motion is not known in closed form, by place: first those that press, then
 * released ones, then open ones that the pressing ones can move. The others sleep: x[j] is that of
 * `since[j]`, and grows at the constant rate c[j].
 */
typedef struct compliant_active {
    size_t pressing, indented, count; /* each with those before */
    uint32_t *contact;                /* by place */
    uint32_t *place;                  /* by contact; UINT32_MAX: asleep */
    uint8_t *asleep;                  /* by contact */
    double slow;                      /* slower than this part of the speed is slowly */
    double *since;                    /* by contact */
    double *arm;                      /* by contact: z */
    uint8_t *zero;                    /* compliant_zero, by contact */
    uint8_t *turns;                   /* events of the contact at this very instant */
    crm_heap sleepers; /* the sleeping ones that approach; key: minus the time at which x reaches
                          the onset */
    size_t *start;     /* by place: the pressing contacts that move it, and D */
    uint32_t *by;
    double *value;
    size_t capacity; /* entries of by and value */
    uint32_t *old;
    bool stale; /* modes have changed */
} compliant_active;

crm_status compliant_active_create(lzb_state *state, const compliant_contact *of, double slow,
                                   compliant_active *active, crm_error *error);
void compliant_active_release(compliant_active *active);
/* After events: contacts wake up and fall asleep. */
crm_status compliant_active_rebuild(lzb_state *state, compliant_active *active, crm_error *error);
/* The indentation whose energy is negligible; where a contact begins to press: 0 unless it comes
 * slowly.
 */
double compliant_active_least_indentation(const lzb_state *state, const compliant_active *active,
                                          size_t contact);
double compliant_active_onset(const lzb_state *state, const compliant_active *active,
                              size_t contact);
/* When the first sleeping contact touches; INFINITY: never. */
double compliant_active_next_touch(const compliant_active *active);
/* The sleeping contacts that touch now begin to press. */
crm_status compliant_active_touch(lzb_state *state, compliant_active *active, crm_error *error);
/* Bring x of all sleeping contacts up to the present time. */
void compliant_active_update_sleepers(lzb_state *state, compliant_active *active);

/* ---- A step ---------------------------------------------------------------------------------- */

/* An active contact. */
typedef struct compliant_site {
    uint32_t contact;
    uint8_t mode;
    compliant_contact of;
    double own, rate; /* D_jj; x' = rate c - f/C */
    double yield;     /* 1/C of a Maxwell contact, else 0 */
    double x, c, z, force, accel, jerk;
    /* at the end of the step: */
    double x1, c1, z1, impulse, moment, work;
    double low, high; /* between which c stays: forces only press */
    double swing;     /* a bound of the rate at which it answers in the step */
    double error;     /* a speed */
} compliant_site;

/* What happens to a contact: which of its quantities passes 0. COMPLIANT_NO_ZERO at a finite time:
 * the step is too long to tell.
 */
typedef struct compliant_happening {
    compliant_zero what;
    size_t place;
    double time;
} compliant_happening;

typedef struct compliant_trial {
    double length;
    lzb_map map;
    compliant_happening aim; /* with which it ends, exactly */
    double error;            /* a speed */
    double left;             /* what the iteration was stopped at, a speed */
} compliant_trial;

typedef struct compliant_step {
    lzb_state *state;
    compliant_active *active;
    const compliant_contact *of;
    compliant_site *site;     /* by place, as are the next five */
    lzb_nodal *force, *arm;   /* at the nodes */
    lzb_nodal *pull;          /* D f at the nodes, where D is an operator only; else NULL */
    double *sum, *change;     /* two numbers each */
    double *spread, *product; /* by contact: for the operator */
    double small;             /* speed: the error allowed in a step */
    double ignored;           /* speed: contacts that close more slowly are left alone */
    double next_length;
    compliant_trial trial;
    double rounding; /* speed: of all steps */
    double left;     /* speed: what the iterations of all steps were stopped at */
    uint64_t evaluations;
} compliant_step;

static inline const lzb_table *compliant_step_table(const compliant_step *step)
{
    return &lzb_nodes_gauss.map[step->trial.map];
}

crm_status compliant_step_create(lzb_state *state, compliant_active *active,
                                 const compliant_contact *of, double small, compliant_step *step,
                                 crm_error *error);
/* The sites, when what has happened by now is done. */
crm_status compliant_step_begin(compliant_step *step, crm_error *error);
/* Find a step, no longer than `longest`; its end is in the sites and not yet in the state. */
crm_status compliant_step_find(compliant_step *step, double longest, bool *found, crm_error *error);
/* The work on the contacts. */
void compliant_step_end(compliant_step *step);
/* The state a part of the step found after its start, in the sites, and back at its end. */
crm_status compliant_step_within(compliant_step *step, double time, crm_error *error);

/* solve.c */

/* x, c and z of all sites, their forces and what changes them, now. */
crm_status compliant_step_load(compliant_step *step, crm_error *error);
/* A first guess of the forces at the nodes. */
crm_status compliant_step_guess(compliant_step *step, crm_error *error);
/* D times impulses, by place: another array. */
crm_status compliant_step_respond(compliant_step *step, const double *impulse, double *product,
                                  crm_error *error);
/* The guess from the trial as it was with another length and map. */
void compliant_step_resample(compliant_step *step, double length, lzb_map map);
/* Forces at the nodes; the length changes to where the aim is met. *sweeps = 0: not found. */
crm_status compliant_step_solve(compliant_step *step, unsigned *sweeps, crm_error *error);
/* Impulses and the state at the end; the error of the trial. */
crm_status compliant_step_finish(compliant_step *step, crm_error *error);
/* D f at the nodes. */
void compliant_step_pull(const compliant_step *step, size_t place, lzb_nodal *pull);
/* c and x' at the nodes, of a pull. */
void compliant_step_speeds(const compliant_step *step, size_t place, const lzb_nodal *pull,
                           lzb_nodal *c, lzb_nodal *x_rate);

/* events.c */

/* A quantity, positive until it happens: by x, c, z linearly. */
typedef struct compliant_watch {
    double constant, x, c, z;
} compliant_watch;

/* false: it cannot happen in its present mode. */
bool compliant_watch_of(const compliant_step *step, const compliant_site *site, compliant_zero what,
                        compliant_watch *watch);
/* What happens first before the end of the step, other than its aim. */
compliant_happening compliant_step_look(compliant_step *step);
/* The same as foreseen from the start. */
compliant_happening compliant_step_foresee(const compliant_step *step);
/* The step has ended with what it was aimed at. */
void compliant_step_meet(compliant_step *step, const compliant_happening *aim);
/* An open contact presses from now on. */
void compliant_step_join(compliant_step *step, size_t place);
/* Modes that are over by now change. */
void compliant_step_settle(compliant_step *step);
/* The largest force of a site in the step. */
double compliant_step_peak(const compliant_step *step, size_t place);

/* ---- The course of the impact --------------------------------------------------------------- */

/* Fills impulse, loss, peak_force, contact_duration, compressions, duration, steps, evaluations,
 * tail and, where it did not end, result and reason.
 */
typedef struct compliant_account {
    double speed;  /* what relative errors refer to; 0: nothing happens */
    double defect; /* what the steps are wrong by, relative to speed */
    double energy; /* the same, of energy */
} compliant_account;

crm_status compliant_run(const crm_problem *problem, const compliant_options *options,
                         double step_tolerance, crm_outcome *outcome, compliant_account *account,
                         crm_error *error);

#endif
