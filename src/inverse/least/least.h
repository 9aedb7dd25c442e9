/* Nonlinear least squares within bounds.
 *
 * Levenberg's and Marquardt's steps, of a Jacobian whose columns are scaled by the largest norm
 * each has had (Moré), projected on the bounds: unknowns that sit on a bound and would leave it are
 * held, the others step, and a step that crosses a bound ends on it. The predicted reduction is
 * that of the step as it is taken. With damping the step turns into that of the scaled gradient,
 * which descends when projected; so every point that is not stationary is left.
 *
 * A transformation of the unknowns would keep them within their bounds, too, but its derivative
 * vanishes there: a start on a bound would never leave it.
 */
#ifndef CRM_LEAST_H
#define CRM_LEAST_H

#include <stdbool.h>

#include "carom/status.h"

typedef struct crm_least {
    size_t unknowns, residuals;
    const double *from, *to; /* may be infinite */
    double rounding;         /* a sum of squares that nothing but rounding may be left of */
    void *context;
    /* r, and if jacobian is not NULL also dr/dx, residuals * unknowns. CRM_ERROR_MODEL: x has none,
     * and a shorter step is tried; anything else ends the work.
     */
    crm_status (*evaluate)(void *context, const double *x, double *r, double *jacobian,
                           crm_error *error);
} crm_least;

typedef struct crm_least_end {
    bool converged;
    bool linear; /* the residuals were, as far as the steps have shown */
    size_t iterations;
    double sum; /* of squares */
} crm_least_end;

/* From x, which must have residuals, to a minimum. On CRM_OK r and jacobian are those of x. */
crm_status crm_least_solve(const crm_least *problem, double *x, double *r, double *jacobian,
                           crm_least_end *end, crm_error *error);

#endif
