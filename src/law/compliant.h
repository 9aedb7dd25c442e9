/* The compliant law: springs and dashpots at the contacts, gaps that really open and close.
 * Theory section 7. Internal.
 *
 * x_j = -gap_j is the indentation, negative while the contact is open, and W is that of the
 * instant of impact, so that
 *
 *     x' = c,     c = c(0) - D p,     p_j' = f_j = x_j^(eta-1) (K_j x_j + C c_j)  >= 0  for x_j >
 * 0.
 *
 * This is the LZB law at e = 1 but for one thing: there x stops at 0, here it goes on, and a gap
 * has to be closed before the contact presses again. The two share the state (law/lzb.h).
 *
 * Between events (a contact closes, opens or lets go) the right-hand side is smooth. Such a piece
 * is a `compliant_piece`, integrated by CVODE (Adams' method of variable order, fixed-point
 * iteration: no matrices). While no contact presses, velocities are constant and the next closing
 * is known in closed form: a flight.
 */
#ifndef CRM_COMPLIANT_H
#define CRM_COMPLIANT_H

#include "law/lzb.h"

typedef struct compliant_options {
    double damping;
    double tolerance;
    double max_steps;
} compliant_options;

/* ---- One contact ---------------------------------------------------------------------------- */

typedef enum compliant_mode {
    COMPLIANT_OPEN,     /* a gap, or about to be one */
    COMPLIANT_TOUCHING, /* so near to x = 0 and c = 0 that what comes is not known */
    COMPLIANT_PRESSING,
    COMPLIANT_RELEASED /* indented, but it opens faster than the contact recovers: no force */
} compliant_mode;

/* shallow, slow: up to these |x| and |c| a contact is but touching. */
compliant_mode compliant_mode_of(double stiffness, double damping, double x, double c,
                                 double shallow, double slow);

typedef struct compliant_force {
    double total;
    double elastic;
} compliant_force;

/* A pressing contact's force is continued smoothly below x = 0, where it ends anyway; a touching
 * one's is cut off there.
 */
compliant_force compliant_force_of(compliant_mode mode, double stiffness, double exponent,
                                   double damping, double x, double c);

/* ---- The contacts that matter now ----------------------------------------------------------- */

/* Contacts that press, and those they can set to work: neighbours by D's graph, reached through
 * contacts without a gap. All others keep their closing speeds; what they would have changed is
 * below `level`.
 */
typedef struct compliant_region {
    double level;    /* of speeds, relative: contacts that could not open faster do not count */
    double *shallow; /* by contact of the model: the indentation that goes with it */
    size_t count;
    uint32_t *contact; /* count of them */
    uint8_t *edge;     /* by place: the region was cut behind this contact */
    uint32_t *depth;   /* by contact of the model; UINT32_MAX: not in the region */
} compliant_region;

crm_status compliant_region_create(size_t contacts, compliant_region *region, crm_error *error);
void compliant_region_release(compliant_region *region);
/* Set the level, then the modes of all contacts, then the region. No contact presses: count = 0. */
void compliant_region_build(lzb_state *state, double damping, double level,
                            compliant_region *region);

/* ---- A smooth piece of the impact ----------------------------------------------------------- */

/* The region's contacts at one instant; arrays by place in the region. */
typedef struct compliant_view {
    double time;
    double *x, *c, *p; /* p since the start of the piece */
    double *lost;      /* energy, likewise */
    double *force;
    double *slope; /* d force / dt; not finite at first touch of some exponents */
} compliant_view;

typedef struct compliant_piece {
    const lzb_state *state;
    const compliant_region *region;
    double damping;
    double tolerance; /* of one step, relative */
    void *context;    /* SUNDIALS: one context for the whole impact */

    double *c0;                 /* at the start of the piece, by place */
    double *spread, *product;   /* work space, by contact of the model */
    double *impulse_scale;      /* by contact: changes no closing speed by more than `speed` */
    compliant_view before, now; /* ends of the last step */
    compliant_view between;     /* for samples within it */
    int *found;
    double *arrays; /* what the views consist of */
    uint64_t steps, evaluations;

    void *cvode; /* NULL between pieces, as are the next three */
    void *y, *weights, *iteration;
    double aim;       /* longest step, and the scale of the first */
    crm_error *error; /* of a callback */
    crm_status status;
} compliant_piece;

crm_status compliant_piece_create(const lzb_state *state, const compliant_region *region,
                                  double damping, double tolerance, compliant_piece *piece,
                                  crm_error *error);
void compliant_piece_release(compliant_piece *piece);

/* Start from the present state; `longest` is when a contact outside the region closes. */
crm_status compliant_piece_start(compliant_piece *piece, double longest, crm_error *error);
/* One step: before = now, now = its end. *event: the piece ends here. *trouble: NULL, or why the
 * integrator gave up.
 */
crm_status compliant_piece_step(compliant_piece *piece, bool *event, const char **trouble,
                                crm_error *error);
/* The state at a time within the last step, into `between`. */
crm_status compliant_piece_look(compliant_piece *piece, double time, crm_error *error);
void compliant_piece_stop(compliant_piece *piece);

/* ---- The course of the impact --------------------------------------------------------------- */

/* Fills impulse, loss, peak_force, contact_duration, compressions, duration, steps, evaluations,
 * tail and, where it did not end, result and reason. *speed: what relative errors refer to.
 */
crm_status compliant_run(const crm_problem *problem, const compliant_options *options,
                         double step_tolerance, crm_outcome *outcome, double *speed,
                         crm_error *error);

#endif
