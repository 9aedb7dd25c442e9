/* Derivatives of an outcome to what it is made of (docs/sensitivity.md).
 *
 * Forward: how the outcome changes along a direction in the space of the data; one direction costs
 * a few solves, whatever the number of outputs. Reverse: the gradient of one number, a weighted sum
 * of outputs, to all data at once; it costs a few solves as well, whatever the number of data.
 *
 * The laws that can: lzb (scheme auto), moreau, newton, generalized-newton, poisson, and binary in
 * any one order. With others the status is CRM_ERROR_OPTION. D must be stored
 * (crm_model_has_delassus).
 */
#ifndef CAROM_SENSITIVITY_H
#define CAROM_SENSITIVITY_H

#include "carom/outcome.h"
#include "carom/workspace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A direction in the space of the data, or the gradient of one number to them. The arrays are the
 * caller's. NULL: the datum does not change, or its part of the gradient is not wanted.
 *
 * `mass` has crm_variation_mass_size entries: the diagonal of M where M is diagonal, else n*n, rows
 * of M. A direction's is symmetric; a gradient's is, too, and counts each entry by itself: the
 * change of the number is the sum of gradient[i*n + k] * dM[i*n + k] over all i and k.
 *
 * `jacobian` has crm_variation_jacobian_size entries: those of W that are not 0, contact after
 * contact, in the order of crm_model_gradient.
 */
typedef struct crm_variation {
    double *velocity;          /* v-, n */
    double *mass;              /* M */
    double *jacobian;          /* W */
    double *boundary_velocity; /* contacts, as are the following */
    double *stiffness;
    double *exponent;
    double *restitution; /* the contacts' own; not a law's option */
    double *stored_energy;
} crm_variation;

CRM_API size_t crm_variation_mass_size(const crm_model *model);
CRM_API size_t crm_variation_jacobian_size(const crm_model *model);

/* The change of an outcome along a direction; or weights, which make one number of an outcome. The
 * arrays are the caller's. NULL: not wanted, or of no weight. What the law does not define (peak
 * forces and durations of laws without time) changes by NAN, and must have no weight.
 */
typedef struct crm_response {
    double *velocity;   /* v+, n */
    double *impulse;    /* contacts, as are the following */
    double *loss;       /* lzb alone */
    double *peak_force; /* lzb alone */
    double energy;      /* T+ */
    double duration;    /* lzb alone */
} crm_response;

/* Is the outcome differentiable along the direction, or for the number, asked for? If not, the
 * derivative given is that of one side (docs/sensitivity.md says which), or NAN: to the restitution
 * of a contact of lzb that has e = 0. Where several places are not, the nearest is
 * reported.
 */
typedef struct crm_smoothness {
    bool differentiable;
    size_t contact;     /* at which it is not, or the nearest to it; SIZE_MAX: none is near */
    const char *reason; /* a constant text; "" when none is near */
    double margin;      /* how far that place is, relative to the largest closing speed or the
                           indentation that it makes; INFINITY: none is near */
} crm_smoothness;

/* workspace: memory from call to call, and who watches; or NULL. The present outcome of a workspace
 * is lost. smoothness: `count` entries, or NULL. What is computed is the derivative of the law
 * itself, along a path of its own that is followed to 1e-12 per step, and not that of the solver's
 * rounding: it does not depend on the option `tolerance`.
 *
 * An impact without an answer or an end (lzb that needs more than a million steps, collisions that
 * go on) has no derivative: CRM_ERROR_NUMERICS. A call that its watch interrupts:
 * CRM_ERROR_STOPPED.
 */
CRM_API crm_status crm_solve_forward(crm_workspace *workspace, const crm_model *model,
                                     const double *velocity, const crm_settings *settings,
                                     size_t count, const crm_variation *directions,
                                     crm_response *responses, crm_smoothness *smoothness,
                                     crm_error *error);
CRM_API crm_status crm_solve_reverse(crm_workspace *workspace, const crm_model *model,
                                     const double *velocity, const crm_settings *settings,
                                     size_t count, const crm_response *weights,
                                     crm_variation *gradients, crm_smoothness *smoothness,
                                     crm_error *error);

#ifdef __cplusplus
}
#endif
#endif
