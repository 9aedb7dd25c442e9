/* An impact by Gauss collocation, from event to event. Internal.
 *
 *     gauss.c      from step to step to the end
 *       step.c     one step: its length, what it ends with, its error
 *         solve.c     the forces at the nodes, and the state at the end
 *         events.c    what happens before the end; no event hides
 *       modes.c    turns, openings, re-entries, and what meeting them inexactly comes to
 *       members.c  the window: the contacts that press, and those that D couples to them
 *
 * Theory: docs/theory/lzb-collocation.md.
 */
#ifndef CRM_LZB_ENGINE_H
#define CRM_LZB_ENGINE_H

#include "law/lzb/nodes/nodes.h"
#include "law/lzb/state/state.h"

/* A contact of the window, the contacts that a step moves. c' = accel and c'' = jerk by the forces
 * at the start of the step. */
typedef struct lzb_member {
    uint32_t contact;
    lzb_mode mode;
    lzb_kind kind;                   /* of a power */
    bool turns;                      /* it matters where compression ends */
    double restitution;              /* that of the present expansion */
    double stiffness, exponent, own; /* own: D_jj; exponent: of the curve that which is least
                                        smooth */
    lzb_branch branch;
    double open; /* the indentation from which x is counted */
    double rate, x, c, force, accel, jerk;
    /* at the end of the step: */
    double x1, c1, impulse, moment; /* moment: the integral of the impulse so far over time */
    double low, high;               /* between which c stays: forces only press */
    double frequency2;              /* a bound of the square with which it swings in the step */
} lzb_member;

/* Contacts that press come first; rows of D hold the columns of those. (With friction rows stand in
 * the place of those of D, and there are more of both: friction/.)
 */
typedef struct lzb_engine_window {
    size_t pressing, count;
    lzb_member *member;
    uint32_t *place; /* by contact, from 1; 0: not in the window */
    uint32_t *start, *column;
    double *value;
    bool stale; /* a contact has begun or ceased to press */
} lzb_engine_window;

/* What happens to one contact. */
typedef enum lzb_event {
    LZB_NO_EVENT,
    LZB_SIGN_EVENT,
    LZB_OPENING_EVENT,
    LZB_TOP_EVENT, /* x leaves the branch */
    LZB_BOTTOM_EVENT,
    LZB_SLIP_EVENT, /* u_t comes to 0 */
    LZB_LIMIT_EVENT /* friction no longer holds a contact that sticks */
} lzb_event;

typedef struct lzb_located_event {
    lzb_event event;
    size_t place;
    double time;
} lzb_located_event;

/* The step under way. */
typedef struct lzb_trial {
    double length;
    lzb_map map;
    lzb_located_event end_event; /* with which it ends, exactly */
    double error;                /* a speed */
    double left;                 /* what the iteration was stopped at, a speed */
} lzb_trial;

/* By place, for closing speeds by way of the bodies; NULL where D tells them. */
typedef struct lzb_by_bodies {
    uint32_t *contact;
    double *impulse, *before, *after;
} lzb_by_bodies;

struct lzb_engine;

/* What becomes of a contact. */
typedef enum lzb_change {
    LZB_ENTERS,   /* it presses from now on, or from the start of the step on */
    LZB_TURNS,    /* compression ends */
    LZB_STOPS,    /* the same with e = 0, or so small that nothing comes back (ending_of of
                     modes.c): the contact opens, and what it stores is lost */
    LZB_REENTERS, /* it is pressed again before it has opened */
    LZB_OPENS,
    LZB_FADES /* it is let go before it opens: what it stores, and could still do, is below the
                 speed that is ignored (is_negligible of modes.c); what it stores is lost */
} lzb_change;

/* Who records the steps, for derivatives along them (law/lzb/derivative/). */
typedef struct lzb_observer {
    void *self;
    bool turns; /* elastic contacts turn, too */
    bool logs;  /* the integral of force log x must be right */
    /* Events are met so accurately, as a part of the indentation, or speed, of the impact. */
    double accuracy;
    /* Of a trial that has been solved, an error beside those of the forces: a speed. */
    double (*error)(void *self, struct lzb_engine *engine);
    /* A trial is accepted: all is as before it. The trial may be changed, and put back. */
    void (*step)(void *self, struct lzb_engine *engine);
    /* `member`: as it was before, or at the end of a step; `accel`: c' there */
    void (*change)(void *self, const struct lzb_engine *engine, const lzb_member *member,
                   lzb_change change, double accel);
} lzb_observer;

typedef struct lzb_engine {
    lzb_state *state;
    const lzb_observer *observer;  /* NULL: none */
    struct lzb_friction *friction; /* NULL: none */
    lzb_engine_window window;
    lzb_nodal *force;    /* by place: F(x) at the nodes */
    double *sum, *slope; /* by place; slope: rate F', for frequencies */
    lzb_by_bodies bodies;
    double small;       /* speed: the error allowed in a step */
    double ignored;     /* speed: contacts that close more slowly are left alone */
    double next_length; /* the length of the next step */
    lzb_trial trial;
    double rounding; /* of the indentations by all steps: what it does to speeds, squared */
    double left;     /* speed: what the iterations of all steps were stopped at */
    uint64_t steps, evaluations;
    crm_status status; /* of what compliances say where they are used */
    crm_error *error;
} lzb_engine;

/* What is linear in the forces at the nodes of the step under way. */
static inline const lzb_table *lzb_engine_table(const lzb_engine *engine)
{
    return &lzb_nodes_gauss.map[engine->trial.map];
}

/* A contact's force of mono-stiffness, and its indentation, are counted from 0. */
static inline double lzb_member_force(const lzb_member *member, double x)
{
    return member->branch.curve != NULL
               ? crm_curve_force_on(member->branch.curve, member->branch.piece, x + member->open)
               : lzb_contact_force(member->stiffness, member->exponent, x + member->open);
}

/* F' at a depth with this force */
static inline double lzb_member_slope(const lzb_member *member, double force, double depth)
{
    return member->branch.curve != NULL
               ? crm_curve_slope_on(member->branch.curve, member->branch.piece, depth)
               : lzb_contact_slope(member->exponent, force, depth);
}

/* The ends of its branch, counted as x is. */
static inline double lzb_member_top(const lzb_member *member)
{
    return member->branch.top - member->open;
}

static inline double lzb_member_bottom(const lzb_member *member)
{
    return member->branch.bottom - member->open;
}

static inline double lzb_member_energy(const lzb_member *member, double x)
{
    double energy = member->branch.curve != NULL
                        ? crm_curve_energy(member->branch.curve, x + member->open)
                        : lzb_contact_energy(member->stiffness, member->exponent, x + member->open);
    return energy - member->branch.lost;
}

/* Does it give back what it stores, so that it may open by itself? */
static inline bool lzb_member_gives_back(const lzb_member *member)
{
    return member->mode == LZB_EXPANDING || (member->mode == LZB_COMPRESSING && !member->turns);
}

static inline void lzb_engine_notify(const lzb_engine *engine, const lzb_member *member,
                                     lzb_change change, double accel)
{
    if (engine->observer != NULL) {
        engine->observer->change(engine->observer->self, engine, member, change, accel);
    }
}

/* ---- members.c ---------------------------------------------------------------------------------
 */

crm_status lzb_engine_create(lzb_engine *engine, crm_error *error);
/* The contacts that press or are about to, looked for among all. */
void lzb_engine_enter_all(lzb_engine *engine);
/* The window and its state, forces and their rates, now. */
void lzb_engine_load(lzb_engine *engine);
/* The row of D of a place times values by place. */
double lzb_engine_row(const lzb_engine *engine, size_t place, const double *from);
/* c' a time after the end of the step, if all go on at their speeds there. */
double lzb_engine_accel_after(const lzb_engine *engine, size_t place, double time);

/* What is still to come of an opening: < 0 if it is past. */
typedef struct lzb_release {
    double impulse, time;
} lzb_release;

/* ---- modes.c -------------------------------------------------------------------------------- */

/* Modes that the present closing speeds contradict are changed: contacts begin to press, turn, are
 * pressed again, go on to the next piece of their curves; negligible ones are dropped. Openings are
 * not decided here but at the end of a step (lzb_engine_accept). (Of extrapolation/:
 * lzb_commit_update_modes, which drops none.)
 */
void lzb_engine_update_modes(lzb_engine *engine);
void lzb_engine_join(lzb_engine *engine, size_t place, double x);
/* How far from 0 a closing speed may be when a contact is said to turn. */
double lzb_engine_band(const lzb_engine *engine, const lzb_member *member, double c, double accel,
                       double x);
/* What x being wrong by 1 does to closing speeds; what the mode being wrong does to x'. */
double lzb_engine_frequency(const lzb_engine *engine, const lzb_member *member, double x);
double lzb_engine_kink(const lzb_engine *engine, const lzb_member *member);
/* Is the contact so near its opening that what is left can be given at once? */
bool lzb_engine_may_open(const lzb_engine *engine, size_t place, double accel,
                         lzb_release *release);
/* The state at the end of the step becomes that of now. */
void lzb_engine_accept(lzb_engine *engine);

/* ---- solve.c --------------------------------------------------------------------------------- */

/* A first guess of the forces at the nodes; open contacts that they drive together join. */
void lzb_engine_predict(lzb_engine *engine);
/* The guess from the trial as it was with another length and map. */
void lzb_engine_resample(lzb_engine *engine, double length, lzb_map map);
/* Forces at the nodes; the length changes to where the end_event is met. 0: they were not found;
 * else how often they were computed.
 */
unsigned lzb_engine_solve(lzb_engine *engine);
/* The error that a force with this impulse hands on to its own contact; coefficients that a map
 * leaves fall by the power `falls`.
 */
double lzb_engine_error(const lzb_engine *engine, const lzb_member *member, const lzb_nodal *force,
                        double impulse, double falls);
/* Impulses and the state at the end; the error of the trial. */
void lzb_engine_finish(lzb_engine *engine);

/* ---- events.c -------------------------------------------------------------------------------- */

/* What happens first before the end of the step, other than its end_event; no event at a finite
 * time: the step is too long to tell. *joined: a contact has begun to press from the start on, and
 * the step has to be taken again.
 */
lzb_located_event lzb_engine_look(lzb_engine *engine, bool *joined);
/* An event at tau is noted if it is in the step and earlier than the first so far. */
void lzb_engine_note(lzb_located_event *first, const lzb_engine *engine, size_t place,
                     lzb_event event, double tau);
/* A row of the window times the forces at the nodes, ... */
void lzb_engine_pull(const lzb_engine *engine, size_t row, lzb_nodal *pull);
/* ... and the integral of what is so given, times a factor, as a polynomial from b[0] on. */
void lzb_engine_integrate(const lzb_engine *engine, const lzb_nodal *y, double factor, double *b);
/* Does x, on its way out of the branch, turn before that comes to anything? */
bool lzb_engine_stays(const lzb_engine *engine, const lzb_member *member, bool up);
/* How often c falls through 0 within the step at an x above the least; *highest is raised to x
 * there.
 */
unsigned lzb_engine_count_turns(const lzb_engine *engine, size_t place, double least,
                                double *highest);

/* ---- step.c ---------------------------------------------------------------------------------- */

typedef enum lzb_progress {
    LZB_MOVED,
    LZB_AT_REST, /* nothing presses any more */
    LZB_LOCKED,  /* friction holds what presses, and nothing moves */
    LZB_STUCK    /* no step could be found */
} lzb_progress;

/* One step, no longer than `longest`. */
lzb_progress lzb_engine_step(lzb_engine *engine, double longest);

#endif
