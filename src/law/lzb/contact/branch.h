/* A contact whose compliance is its own (model/compliance/): on which curve it is. Internal.
 *
 * The law is that of contact.h with any rising curve F. Two things may be added to it:
 *
 * e by the impact. At each turn W_c is E(x), and e = g(W_c) that of the expansion that begins. What
 * follows is as with a number.
 *
 * An unloading curve G. At a turn at x_M the contact changes from F to G, at the y_M with
 * G(y_M) = F(x_M): the force does not jump. On G it gives back what it took, y' = c with either
 * sign of c, until y = 0, where it opens, or until y exceeds y_M, where it goes on along F from
 * x_M. E(x_M) is the work that was done on F, U(y) = integral of G what can be given back; so
 *
 *     lost = E(x_M) - U(y_M)
 *
 * is lost for good, and on F the stored energy is E(x) - lost, continuous at x_M. x_M, y_M remain
 * when the contact has opened: it stays indented until the impact is over, and is loaded again
 * along G. With what is lost later, lost grows: at every x_M it is a function of that alone. It
 * never falls where G is at least as steep as F at equal forces; where it does the definition is
 * refused, as energy could be made of it.
 */
#ifndef CRM_LZB_BRANCH_H
#define CRM_LZB_BRANCH_H

#include "law/lzb/contact/contact.h"
#include "model/model.h"

/* What a contact with a compliance of its own remembers. */
typedef struct lzb_memory {
    uint32_t piece;        /* of the curve it is on */
    bool unloading;        /* that is G */
    double deepest;        /* x_M; 0: none yet */
    double highest;        /* y_M */
    double lost;           /* E(x_M) - U(y_M) */
    double work, returned; /* of the last compression: W_c, and what of it can come back */
} lzb_memory;

/* The present curve, and the stretch of it on which the force is analytic. */
typedef struct lzb_branch {
    const crm_curve *curve; /* NULL: a power */
    size_t piece;
    bool unloading;
    double bottom, top; /* depths; -INFINITY, INFINITY: none */
    double lost;
} lzb_branch;

static const lzb_branch LZB_WHOLE = {.bottom = -INFINITY, .top = INFINITY};

/* ---- The loading curve of contact j ---------------------------------------------------------- */

static inline const crm_curve *lzb_branch_loading(const crm_model *model, size_t j)
{
    const crm_compliance *c = crm_model_compliance(model, j);
    return c != NULL ? c->loading : NULL;
}

static inline const crm_curve *lzb_branch_unloading(const crm_model *model, size_t j)
{
    const crm_compliance *c = crm_model_compliance(model, j);
    return c != NULL ? c->unloading : NULL;
}

static inline double lzb_branch_force(const crm_model *model, size_t j, double x)
{
    const crm_curve *curve = lzb_branch_loading(model, j);
    return curve != NULL ? crm_curve_force(curve, x)
                         : lzb_contact_force(model->stiffness[j], model->exponent[j], x);
}

static inline double lzb_branch_energy(const crm_model *model, size_t j, double x)
{
    const crm_curve *curve = lzb_branch_loading(model, j);
    return curve != NULL ? crm_curve_energy(curve, x)
                         : lzb_contact_energy(model->stiffness[j], model->exponent[j], x);
}

static inline double lzb_branch_indentation(const crm_model *model, size_t j, double energy)
{
    const crm_curve *curve = lzb_branch_loading(model, j);
    return curve != NULL ? crm_curve_at_energy(curve, energy)
                         : lzb_contact_indentation(model->stiffness[j], model->exponent[j], energy);
}

/* The turn of a contact without unloading curve. */
static inline lzb_depth lzb_branch_turn(lzb_stiffness_model stiffness_model, double restitution,
                                        const crm_model *model, size_t j, double x)
{
    const crm_curve *curve = lzb_branch_loading(model, j);
    if (curve == NULL || stiffness_model != LZB_MONO) {
        return lzb_contact_turn(stiffness_model, restitution,
                                curve != NULL ? 1 : model->exponent[j], x);
    }
    double work = crm_curve_energy(curve, x),
           above = crm_curve_way_back(curve, x, restitution * restitution * work);
    return (lzb_depth){above, x - above};
}

/* ---- branch.c -------------------------------------------------------------------------------- */

/* The branch of what it remembers. */
lzb_branch lzb_branch_now(const crm_model *model, size_t j, const lzb_memory *memory);
/* What is stored at an indentation on the present curve. */
double lzb_branch_stored(const crm_model *model, size_t j, const lzb_memory *memory, double x);
double lzb_branch_force_now(const crm_model *model, size_t j, const lzb_memory *memory, double x);

/* The end of a compression at x. *restitution: that of the expansion. With an unloading curve
 * *y is where the contact is on it, and the memory becomes that; else *y is x.
 */
crm_status lzb_branch_end_compression(const crm_model *model, size_t j, lzb_memory *memory,
                                      double x, double *y, double *restitution, crm_error *error);
/* An end of the span is passed: the next piece or, from the end of G, F. Returns x there. */
double lzb_branch_cross(const crm_model *model, size_t j, lzb_memory *memory, double x, bool up);
/* The force that is missed when a knot is passed by so far without notice. */
double lzb_branch_kink(const crm_model *model, size_t j, const lzb_branch *branch, bool up,
                       double far);
/* By how much steeper G is than F where the turn would be now, relative; 0 without G. */
double lzb_branch_stiffening(const crm_model *model, size_t j, double x);

#endif
