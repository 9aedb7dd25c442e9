/* The compliant law: springs and dashpots at the contacts, with gaps that open and close
 * (docs/theory.md, section 7). Internal.
 *
 * x_j = -gap_j is the indentation, negative while the contact is open, and W is that of the
 * instant of impact, so that
 *
 *     x' = c,     c' = -D f,     p' = f,     f_j = max(0, x_j^(eta-1) (K_j x_j + C c_j))  for x_j >
 * 0.
 *
 * This is the LZB law at e = 1 but for one thing: there x stops at 0, here it continues, and a gap
 * has to close before the contact presses again. The two share the state
 * (law/lzb/state/state.h).
 *
 * Cut-off. x^eta has no power series at x = 0, and along a chain at rest every contact starts there
 * at the same time. So a contact presses only from a small indentation x_f, the cut-off, on, with
 *
 *     f = max(0, w),     w = x^(eta-1) g,     g = K (x - x_f) + C c     for x > x_f.
 *
 * Without damping that is continuous at x_f and has a potential: energy is kept as it should be.
 * x_f is a part of the indentation of an impact, so small that what it changes is below the error
 * allowed in one step.
 *
 * Between events (x through x_f, g through 0) everything is analytic, and the motion is integrated
 * by its Taylor series (compliant/series.h): the polynomials of a step are at once what is searched
 * for events, so that none is lost between two steps (compliant/roots.h). Only contacts that press
 * and those they move are integrated; all others keep their closing speeds (compliant/active.c).
 */
#ifndef CRM_COMPLIANT_H
#define CRM_COMPLIANT_H

#include "base/heap.h"
#include "law/lzb/state/history.h"
#include "law/lzb/state/tail.h"

typedef struct compliant_options {
    double damping;
    double tolerance;
    double step_tolerance;
    double max_steps;
} compliant_options;

/* ---- One contact ---------------------------------------------------------------------------- */

typedef enum compliant_mode {
    COMPLIANT_OPEN,     /* x <= x_f */
    COMPLIANT_PRESSING, /* x >= x_f, g >= 0 */
    COMPLIANT_RELEASED  /* indented, but it opens faster than the contact recovers: no force */
} compliant_mode;

/* What has just become 0 at a contact: its series' first term is rounding. */
typedef enum compliant_zero {
    COMPLIANT_NO_ZERO,
    COMPLIANT_ZERO_X, /* x - x_f */
    COMPLIANT_ZERO_G
} compliant_zero;

/* x^(eta-1) (K x + C c), P3 (20), but 0 for x <= 0. */
double compliant_force(double stiffness, double exponent, double damping, double x, double c);

/* ---- The active contacts -------------------------------------------------------------------- */

/* The contacts whose motion is not known in closed form, by place: first those that press with
 * eta != 1 (`powers` of them), then the others that press, then released ones, then open ones that
 * the pressing ones can move. The others sleep: x[j] is that of `since[j]`, and grows at the
 * constant rate c[j].
 */
typedef struct compliant_active {
    size_t powers, pressing, indented, count; /* each with those before */
    uint32_t *contact;                        /* by place */
    uint32_t *place;                          /* by contact; UINT32_MAX: asleep */
    uint8_t *asleep;                          /* by contact */
    double *cutoff;                           /* x_f, by contact */
    double *onset;     /* by contact: where it begins to press; x_f unless it comes slowly */
    double slow;       /* slower than this part of the speed is slowly */
    double *since;     /* by contact */
    uint8_t *zero;     /* compliant_zero, by contact */
    uint8_t *turns;    /* events of the contact at this very instant */
    crm_heap sleepers; /* the sleeping ones that approach; key: minus the time at which x reaches
                          the onset */
    size_t *start;     /* by place: the pressing contacts that move it, and D */
    uint32_t *by;
    double *value;
    size_t capacity; /* entries of by and value */
    uint32_t *old;
} compliant_active;

crm_status compliant_active_create(lzb_state *state, double step_tolerance, double damping,
                                   double slow, compliant_active *active, crm_error *error);
void compliant_active_release(compliant_active *active);
/* After events: contacts wake up and fall asleep. */
crm_status compliant_active_rebuild(lzb_state *state, compliant_active *active, crm_error *error);
/* A contact has reached its onset. */
void compliant_active_reach_onset(lzb_state *state, compliant_active *active, uint32_t contact);
/* Contacts whose force has become negligible open. Are there any? */
bool compliant_active_drop_negligible(lzb_state *state, compliant_active *active);
/* When the first sleeping contact touches; INFINITY: never. */
double compliant_active_next_touch(const compliant_active *active);
/* The sleeping contacts that touch now begin to press. */
crm_status compliant_active_touch(lzb_state *state, compliant_active *active, crm_error *error);
/* Bring x of all sleeping contacts up to the present time. */
void compliant_active_update_sleepers(lzb_state *state, compliant_active *active);

/* ---- The course of the impact --------------------------------------------------------------- */

/* Fills impulse, loss, peak_force, contact_duration, compressions, duration, steps, evaluations,
 * tail and, where it did not end, result and reason.
 */
typedef struct compliant_account {
    double speed;  /* what relative errors refer to; 0: nothing happens */
    double defect; /* sum of what the steps left of the equations, relative to speed */
    double energy; /* the same, of energy */
} compliant_account;

crm_status compliant_run(const crm_problem *problem, const compliant_options *options,
                         double step_tolerance, crm_outcome *outcome, compliant_account *account,
                         crm_error *error);

#endif
