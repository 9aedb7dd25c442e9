/* The Liu-Zhao-Brogliato law in the state (v, x) of theory section 2. Internal.
 *
 * x_j is the indentation that would store contact j's energy (contact/contact.h). With c = -u the
 * closing speeds,
 *
 *     c' = -D lambda(x),     x_j' = rate_j c_j,     lambda_j = K_j max(x_j, 0)^eta_j,
 *
 * where rate_j is 1 in compression, 1/e^2 in expansion (bi-stiffness) and 0 while open. Between
 * changes of a rate the right-hand side is smooth and of the special second-order kind
 * (force depends on x only), which is what the leapfrog underneath wants.
 */
#ifndef CRM_LZB_STATE_H
#define CRM_LZB_STATE_H

#include "base/twofold.h"
#include "law/law.h"
#include "law/lzb/contact/branch.h"

typedef enum lzb_scheme { LZB_AUTO, LZB_IMPULSE_EULER, LZB_TIME_EULER, LZB_GAUSS } lzb_scheme;

typedef struct lzb_options {
    lzb_stiffness_model stiffness_model;
    lzb_scheme scheme;
    double tolerance;
    double step;      /* NAN: chosen by the scheme */
    bool located;     /* Euler schemes: end steps at critical points */
    double max_steps; /* NAN: chosen by the scheme */
} lzb_options;

enum { LZB_PARAMETERS = 6 };
extern const crm_parameter lzb_options_table[LZB_PARAMETERS];

void lzb_options_read(const crm_settings *settings, lzb_options *options);

/* What the tolerance means for the schemes with error control: the error allowed in one step, as a
 * part of the tolerance asked for; ...
 */
static const double LZB_STEP_SHARE = 2e-4;
/* ... no step is asked to be better than this: rounding; ... */
static const double LZB_FINEST = 2e-14;
/* ... a closing speed below this part of the speed has no sign: rounding; ... */
static const double LZB_SIGNLESS = 1e-15;
/* ... contacts slower than this part of the tolerance are left alone while others are at work: what
 * that costs is not in any step's error, and with losses it is what the answer is good for. Elastic
 * contacts separate for good, and more may be left to them.
 */
static const double LZB_IGNORED_SHARE = 0.03, LZB_IGNORED_SHARE_ELASTIC = 0.3;

/* Compressions of less than this part of a contact's indentation scale are not counted. */
static const double LZB_COUNTED_INDENTATION = 1e-9;

/* An impact whose recompressions may have magnified errors by more than this (each by up to 1/e:
 * the energy stored counts e^2-fold in expansion and in full when the contact is pressed again) is
 * gone through twice to see what they did.
 */
static const double LZB_GROWTH_UNMEASURED = 10;
/* So is one in which contacts were pressed more often than this on average. */
static const double LZB_COMPRESSIONS_UNMEASURED = 3;

/* A contact that others hold when it turns, with a smaller e than this, falls at once to where it is
 * pressed again, the limit as e goes to 0 (contact/fall.h), from which its expansion differs in
 * proportion to e. If it was followed, the rounding of a closing speed by a step, 6e-15, being e^2
 * x', would move the indentation by 6e-15/e. The two are alike at the root of that.
 */
static const double LZB_LEAST_RESTITUTION_PRESSED = 8e-8;
/* One that nothing holds opens at a speed of e at most, of that before the impact; with a smaller e
 * than this it takes no longer than the rounding of the time, and lets go at once.
 */
static const double LZB_LEAST_RESTITUTION_FREE = 1e-11;

/* ---- The course of an impact ----------------------------------------------------------------- */

/* Everything about the contacts at the present instant; arrays of s entries. */
typedef struct lzb_state {
    const crm_model *model;
    crm_width width; /* of the vectors to compute with */
    lzb_stiffness_model stiffness_model;
    size_t contacts;
    crm_pool *pool;         /* for arrays that live as long as the state does */
    const double *velocity; /* before the impact */
    crm_watching *watching;
    double time;
    double opened; /* when the last contact so far let go */
    double speed;  /* scale of the closing speeds, for relative errors */

    double *x; /* above the point where the contact opens */
    double *c;
    double *p;          /* impulses so far, ... */
    double *tangential; /* the same of friction, tangents of the model each; NULL: none */
    double *remainder;  /* ... and what rounding has left of their sums: lzb_state_add_impulse */
    uint8_t *mode;
    double *restitution;      /* e, or what stands for it in the present expansion */
    double least_restitution; /* the least that a contact expands with while others hold it */
    double *x_open;           /* the indentation there: 0 but in expansion with mono-stiffness */
    double *x_scale;          /* indentation if the contact alone took up `speed` */

    double *step_error; /* sum of the errors of its steps so far, relative */
    double *margin;     /* mono-stiffness: the least indentation, relative, by which it was decided
                           whether it opens or is pressed again; 0: never */
    uint32_t *recompressions; /* how often it was pressed again while it stored energy */

    double *loss;         /* borrowed from the outcome, as are the next three */
    double *peak;         /* the deepest indentation so far; lzb_state_finish makes it a force */
    double *contact_time; /* time in contact */
    uint32_t *compressions;

    double *effective;  /* contact_restitution of the outcome; NULL: it has none */
    lzb_memory *memory; /* of contacts with a compliance of their own; NULL: there are none */

    const double *bond; /* forces of contacts held as rigid bonds (bonds/bonds.h); NULL: none */

    const crm_twofold *per_mass; /* 1/M, by coordinate, where D is not enough (state/bodies.c);
                                    NULL: it is */
    crm_twofold *momentum;       /* work: by coordinate */

    double *tail_room; /* room to close the tail in, 3 (s + n) entries; NULL: not needed so far */
} lzb_state;

/* All arrays are the workspace's, and live until its next call. */

crm_status lzb_state_create(const crm_problem *problem, lzb_stiffness_model stiffness_model,
                            lzb_state *state, crm_outcome *outcome, crm_error *error);
void lzb_state_finish(lzb_state *state);
/* Are all contacts? */
bool lzb_state_is_elastic(const lzb_state *state);
/* May the course of the impact have magnified its errors? */
bool lzb_state_magnifies(const lzb_state *state);
/* Has it, if errors are in any phase when they are magnified? */
bool lzb_state_magnifies_on_average(const lzb_state *state);
/* The least of all margins; INFINITY: nothing had to be decided. */
double lzb_state_margin(const lzb_state *state);

/* The largest closing speed, or what stored energy could make: the scale of errors. */
double lzb_state_speed(const crm_problem *problem);

/* Are masses so different that D does not tell closing speeds to this tolerance, while W and a
 * diagonal M do?
 */
bool lzb_state_is_uneven(const crm_model *model, double tolerance);

/* An impulse more. Thousands of small ones make a large sum, and a light body between two contacts
 * feels the difference of their sums: p + remainder is exact but for the rounding of `remainder`.
 */
static inline void lzb_state_add_impulse(lzb_state *state, size_t j, double impulse)
{
    crm_twofold sum = crm_two_sum(state->p[j], impulse);
    state->p[j] = sum.high;
    state->remainder[j] += sum.low;
}

/* The whole indentation of contact j. x is kept apart from x_open because what is left to give back
 * may be a tiny part of it (e^2 / (1 + eta)), and must not be lost in its rounding.
 */
static inline double lzb_state_depth(const lzb_state *state, size_t j)
{
    return state->x[j] + state->x_open[j];
}

/* The memory of contact j, if it has a compliance of its own; else NULL. */
static inline lzb_memory *lzb_state_memory(const lzb_state *state, size_t j)
{
    return crm_model_compliance(state->model, j) != NULL ? &state->memory[j] : NULL;
}

/* It has turned at this x, and as good as nothing comes back of what it stores, but others hold it
 * with this part of its force: where it falls to it is pressed again (contact/fall.h).
 */
void lzb_state_fall(lzb_state *state, size_t j, double x, double held);

/* Its force and stored energy now. */
double lzb_state_force(const lzb_state *state, size_t j);
double lzb_state_stored(const lzb_state *state, size_t j);

/* dx/dt = rate * c for a contact in this mode. */
static inline double lzb_state_rate(const lzb_state *state, size_t contact, lzb_mode mode)
{
    return lzb_contact_rate(state->stiffness_model, mode, state->restitution[contact]);
}

#endif
