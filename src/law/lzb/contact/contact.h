/* The law of one contact. Internal.
 *
 * Who knows which curve. engine/ alone follows any (branch.h, model/compliance/): it ends its steps
 * where pieces of a curve meet. All others know F = K x^eta, most with loops of their own, one for
 * each of eta = 1, 3/2 and others, compiled for the width of the vectors:
 *
 *     engine/solve_loops.h (members without a curve), derivative/step_loops.h,
 *     extrapolation/kernel/{dynamics_loops.h, leapfrog.c, waves.c},
 *     capturing/kernel/{substep.c, mono.c, pack.h}, batch/series.h, euler.c
 *
 * They use the power beyond F, too: release depths that are a part of the deepest x (capturing/),
 * the indentation from the force (bonds/), the distributing law (euler.c), dF/dK and dF/deta
 * (derivative/), the recurrence x F' = eta x' F of series (batch/series.h). So a model with other
 * curves goes to engine/ (driver/integrator.c), and batch/ takes none (lzb_batch_fit).
 *
 * The state is an indentation x >= 0 that stands for the stored energy E. The loading curve F is
 * any that increases from F(0) = 0 (here a power, F = K x^eta), and
 *
 *     E(x) = integral of F from 0 to x,   force = F(x),   x' = rate c,   so  E' = F rate c,
 *
 * where c is the closing speed and dP = F dt the impulse. By mode:
 *
 *     open           x = 0, no force, until c > 0
 *     compressing    rate = 1: dE = c dP, all work is stored
 *     expanding, bi    rate = 1/e^2: dE = c dP / e^2, so of E no more than e^2 E comes back
 *     expanding, mono  rate = 1: dE = c dP, but the contact opens where E is down to (1 - e^2) W_c
 *
 * Turn (c falls through 0 while compressing). The work of compression is W_c = E(x). Both
 * expansions give back W_r = e^2 W_c whatever the curve: bi on the way to E = 0, mono by opening at
 * the indentation x_open with E(x_open) = (1 - e^2) W_c. What does not come back is dissipated:
 * (1 - e^2) of the energy released so far (bi), or E(x_open), at the opening (mono). For a power
 * x_open is the part (1 - e^2)^(1/(1+eta)) of x. With e = 0 nothing comes back, and x drops to 0 at
 * once.
 *
 * Re-entry (c rises through 0 before the opening). E, and with it x and the force, go on from where
 * they are, up the same curve: only the rate becomes 1 again. Of what is stored, E, the expansion
 * would have given back e^2 E; the rest of the energy released was booked as lost on the way. So
 * the next work of compression is all of E at the next turn, what was stored before included, and
 * x_open of mono-stiffness, which belonged to the turn that is now past, is forgotten.
 *
 * x is kept as above + open, the indentation above the point of opening and that point (0 but in an
 * expansion of mono-stiffness): what is left to give back may be a tiny part of x, some
 * e^2/(1+eta), and must not be lost in its rounding.
 */
#ifndef CRM_LZB_CONTACT_H
#define CRM_LZB_CONTACT_H

#include <math.h>

#include "base/elementary.h"

/* fmax and fmin are calls, since they must see to NaN. */
static inline double lzb_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double lzb_smaller(double a, double b)
{
    return a < b ? a : b;
}

typedef enum lzb_stiffness_model { LZB_BI, LZB_MONO } lzb_stiffness_model;
typedef enum lzb_mode { LZB_OPEN, LZB_COMPRESSING, LZB_EXPANDING } lzb_mode;

/* ---- The loading curve ----------------------------------------------------------------------- */

typedef enum lzb_kind { LZB_LINEAR, LZB_HERTZ, LZB_POWER } lzb_kind;

static inline lzb_kind lzb_contact_kind(double exponent)
{
    return exponent == 1.0 ? LZB_LINEAR : exponent == 1.5 ? LZB_HERTZ : LZB_POWER;
}

/* F(x) */
static inline double lzb_contact_force(double stiffness, double exponent, double x)
{
    if (!(x > 0)) {
        return 0;
    }
    switch (lzb_contact_kind(exponent)) {
    case LZB_LINEAR:
        return stiffness * x;
    case LZB_HERTZ:
        return stiffness * x * sqrt(x);
    default:
        return stiffness * crm_pow(x, exponent);
    }
}

/* F'(x), of the force at x > 0 */
static inline double lzb_contact_slope(double exponent, double force, double x)
{
    return exponent * force / x;
}

/* E(x) */
static inline double lzb_contact_energy(double stiffness, double exponent, double x)
{
    return x > 0 ? lzb_contact_force(stiffness, exponent, x) * x / (1.0 + exponent) : 0;
}

/* The x that stores an energy. */
static inline double lzb_contact_indentation(double stiffness, double exponent, double energy)
{
    return crm_pow((1.0 + exponent) * energy / stiffness, 1.0 / (1.0 + exponent));
}

/* ---- Loading and unloading ------------------------------------------------------------------- */

/* x' = rate c */
static inline double lzb_contact_rate(lzb_stiffness_model stiffness_model, lzb_mode mode,
                                      double restitution)
{
    return mode == LZB_OPEN ? 0
           : mode == LZB_COMPRESSING || stiffness_model == LZB_MONO
               ? 1
               : 1.0 / (restitution * restitution);
}

/* Fraction of the energy released in expansion that comes back as work; ... */
static inline double lzb_contact_returned(lzb_stiffness_model stiffness_model, double restitution)
{
    return stiffness_model == LZB_BI ? restitution * restitution : 1.0;
}

/* ... of the work of compression, the part that is still stored when the contact opens. */
static inline double lzb_contact_stored_at_opening(lzb_stiffness_model stiffness_model,
                                                   double restitution)
{
    return stiffness_model == LZB_MONO ? 1.0 - restitution * restitution : 0;
}

/* The part of its depth that a contact of mono-stiffness gives back before it opens. */
static inline double lzb_contact_given_back(double restitution, double exponent)
{
    return -crm_expm1(crm_log1p(-restitution * restitution) / (1.0 + exponent));
}

typedef struct lzb_depth {
    double above, open;
} lzb_depth;

/* The turn at an indentation x. */
static inline lzb_depth lzb_contact_turn(lzb_stiffness_model stiffness_model, double restitution,
                                         double exponent, double x)
{
    double above =
        stiffness_model == LZB_MONO ? x * lzb_contact_given_back(restitution, exponent) : x;
    return (lzb_depth){above, x - above};
}

#endif
