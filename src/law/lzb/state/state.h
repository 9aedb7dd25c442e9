/* The Liu-Zhao-Brogliato law in the state (v, x) of theory section 2. Internal.
 *
 * x_j is the indentation that would store contact j's energy: E = K x^(eta+1) / (eta+1), so that
 * the force is K x^eta. With c = -u the closing speeds,
 *
 *     c' = -D lambda(x),     x_j' = rate_j c_j,     lambda_j = K_j max(x_j, 0)^eta_j,
 *
 * where rate_j is 1 in compression, 1/e^2 in expansion (bi-stiffness) and 0 while open. Between
 * changes of a rate the right-hand side is smooth and of the special second-order kind
 * (force depends on x only), which is what the leapfrog underneath wants.
 */
#ifndef CRM_LZB_H
#define CRM_LZB_H

#include <math.h>

#include "law/law.h"

typedef enum lzb_stiffness { LZB_BI, LZB_MONO } lzb_stiffness;
typedef enum lzb_scheme { LZB_AUTO, LZB_IMPULSE_EULER, LZB_TIME_EULER } lzb_scheme;

typedef struct lzb_options {
    lzb_stiffness stiffness;
    lzb_scheme scheme;
    double tolerance;
    double step;      /* NAN: chosen by the scheme */
    double max_steps; /* NAN: chosen by the scheme */
} lzb_options;

enum { LZB_PARAMETERS = 5 };
extern const crm_parameter lzb_parameters[LZB_PARAMETERS];

void lzb_options_read(const crm_settings *settings, lzb_options *options);

/* What the tolerance means for the schemes with error control: the error allowed in one step, as a
 * part of the tolerance asked for; ...
 */
static const double LZB_STEP_SHARE = 2e-4;
/* ... no step is asked to be better than this: rounding; ... */
static const double LZB_FINEST = 2e-14;
/* ... contacts slower than this part of the tolerance are left alone while others are at work: what
 * that costs is not in any step's error, and with losses it is what the answer is good for. Elastic
 * contacts separate for good, and more may be left to them.
 */
static const double LZB_QUIET_SHARE = 0.03, LZB_QUIET_SHARE_ELASTIC = 0.3;

/* An impact whose recompressions may have magnified errors by more than this (each by up to 1/e:
 * the energy stored counts e^2-fold in expansion and in full when the contact is pressed again) is
 * gone through twice to see what they did.
 */
static const double LZB_GROWTH_UNSEEN = 10;
/* So is one in which contacts were pressed more often than this on average. */
static const double LZB_COMPRESSIONS_UNSEEN = 3;

/* fmax and fmin are calls, since they must see to numbers that are not. */
static inline double lzb_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double lzb_smaller(double a, double b)
{
    return a < b ? a : b;
}

/* ---- One contact --------------------------------------------------------------------------- */

typedef enum lzb_kind { LZB_LINEAR, LZB_HERTZ, LZB_POWER } lzb_kind;

static inline lzb_kind lzb_kind_of(double exponent)
{
    return exponent == 1.0 ? LZB_LINEAR : exponent == 1.5 ? LZB_HERTZ : LZB_POWER;
}

static inline double lzb_force(double stiffness, double exponent, double x)
{
    if (!(x > 0)) {
        return 0;
    }
    switch (lzb_kind_of(exponent)) {
    case LZB_LINEAR:
        return stiffness * x;
    case LZB_HERTZ:
        return stiffness * x * sqrt(x);
    default:
        return stiffness * pow(x, exponent);
    }
}

static inline double lzb_energy(double stiffness, double exponent, double x)
{
    return x > 0 ? lzb_force(stiffness, exponent, x) * x / (1.0 + exponent) : 0;
}

static inline double lzb_indentation(double stiffness, double exponent, double energy)
{
    return pow((1.0 + exponent) * energy / stiffness, 1.0 / (1.0 + exponent));
}

/* ---- The course of an impact ------------------------------------------------------------------
 */

typedef enum lzb_mode { LZB_OPEN, LZB_COMPRESSING, LZB_EXPANDING } lzb_mode;

/* Everything about the contacts at the present instant; arrays of s entries. */
typedef struct lzb_state {
    const crm_model *model;
    lzb_stiffness stiffness;
    size_t contacts;
    crm_room *room;         /* for arrays that live as long as the state does */
    const double *velocity; /* before the impact */
    double time;
    double opened; /* when the last contact so far let go */
    double speed;  /* scale of the closing speeds, for relative errors */

    double *x; /* above the point where the contact opens */
    double *c;
    double *p;
    uint8_t *mode;
    double *x_open;  /* the indentation there: 0 but in expansion with mono-stiffness */
    double *x_scale; /* indentation if the contact alone took up `speed` */

    double *doubt;  /* sum of the errors of its steps so far, relative */
    double *margin; /* mono-stiffness: the least indentation, relative, by which it was decided
                       whether it opens or is pressed again; 0: never */
    uint32_t *recompressions; /* how often it was pressed again while it stored energy */

    double *loss; /* borrowed from the outcome, as are the next three */
    double *peak; /* the deepest indentation so far; lzb_state_finish makes it a force */
    double *held; /* time in contact */
    uint32_t *compressions;

    const double *bond; /* forces of contacts held as rigid bonds (course/bonds.h); NULL: none */

    double *closing; /* room to close the tail in, 3 (s + n) entries; NULL: not needed so far */
} lzb_state;

/* All arrays are the workspace's, and live until its next call. */

crm_status lzb_state_create(const crm_problem *problem, lzb_stiffness stiffness, lzb_state *state,
                            crm_outcome *outcome, crm_error *error);
void lzb_state_finish(lzb_state *state);
/* May the course of the impact have magnified its errors? */
bool lzb_state_magnifies(const lzb_state *state);
/* The least of all margins; INFINITY: nothing had to be decided. */
double lzb_state_margin(const lzb_state *state);

/* The largest closing speed, or what stored energy could make: the scale of errors. */
double lzb_speed_scale(const crm_problem *problem);
/* Does each contact meet just the one before and the one after? D is stored. */
bool lzb_is_line(const crm_model *model);

/* The whole indentation of contact j. x is kept apart from x_open because what is left to give back
 * may be a tiny part of it (e^2 / (1 + eta)), and must not be lost in its rounding.
 */
static inline double lzb_depth(const lzb_state *state, size_t j)
{
    return state->x[j] + state->x_open[j];
}

/* The part of its depth that a contact of mono-stiffness gives back before it opens. */
static inline double lzb_part_given_back(double restitution, double exponent)
{
    return -expm1(log1p(-restitution * restitution) / (1.0 + exponent));
}

/* dx/dt = rate * c for a contact in this mode. */
static inline double lzb_rate(const lzb_state *state, size_t contact, lzb_mode mode)
{
    double e = state->model->restitution[contact];
    return mode == LZB_OPEN                                          ? 0
           : mode == LZB_COMPRESSING || state->stiffness == LZB_MONO ? 1
                                                                     : 1.0 / (e * e);
}

/* Hand the present state to the recorder, if there is one. */
typedef struct lzb_history {
    const crm_recorder *recorder;
    double *force, *energy, *velocity;
    const double *velocity_before;
    size_t primary;
    double primary_impulse;
    double impulse_before; /* of the primary contact, as it was when it became or stayed so */
    double *work;          /* for the velocities, 2 n entries */
    double next;           /* next multiple of the interval */
} lzb_history;

crm_status lzb_history_create(const crm_problem *problem, lzb_history *history, crm_error *error);
/* The contacts that store energy or close are among these (NULL: among all). */
crm_status lzb_history_record(lzb_history *history, const lzb_state *state,
                              const uint32_t *contacts, size_t count, crm_error *error);

/* Close an endless small tail with the plastic projection if that moves no velocity by more than
 * limit * speed (theory section 2). *closed says whether it was done.
 */
crm_status lzb_close_tail(lzb_state *state, double limit, bool *closed, double *moved,
                          crm_error *error);

#endif
