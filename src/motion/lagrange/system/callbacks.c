/* The user's functions: each result is checked before it is used. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "motion/lagrange/lagrange.h"

static crm_status refuse(const char *callback, size_t index, double value, double t,
                         crm_error *error)
{
    char place[64];
    snprintf(place, sizeof place, "%s[%zu]", callback, index + 1);
    return crm_fail(error, CRM_ERROR_MODEL, place,
                    "the callback %s gave %g as entry %zu at t = %.17g, must be finite", callback,
                    value, index + 1, t);
}

static crm_status check(crm_status answer, const char *callback, const double *values, size_t count,
                        double t, crm_error *error)
{
    if (answer != CRM_OK) {
        return crm_fail(error, CRM_ERROR_STOPPED, callback,
                        "the callback %s returned status %d (%s) at t = %.17g", callback,
                        (int)answer, crm_status_text(answer), t);
    }
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            return refuse(callback, i, values[i], t, error);
        }
    }
    return CRM_OK;
}

crm_status lagrange_mass(lagrange_motion *m, double t, const double *q, double *mass,
                         crm_error *error)
{
    return check(m->def.mass(m->def.context, q, mass), "mass", mass, m->n * m->n, t, error);
}

crm_status lagrange_force(lagrange_motion *m, double t, const double *y, double *force,
                          crm_error *error)
{
    if (m->def.force == NULL) {
        memset(force, 0, m->n * sizeof *force);
        return CRM_OK;
    }
    return check(m->def.force(m->def.context, t, y, y + m->positions, force), "force", force, m->n,
                 t, error);
}

crm_status lagrange_gap(lagrange_motion *m, double t, const double *q, double *gap,
                        crm_error *error)
{
    return m->gaps == 0
               ? CRM_OK
               : check(m->def.gap(m->def.context, t, q, gap), "gap", gap, m->gaps, t, error);
}

crm_status lagrange_gradient(lagrange_motion *m, double t, const double *q, double *w,
                             crm_error *error)
{
    if (m->gaps == 0) {
        return CRM_OK;
    }
    if (m->def.gradient == NULL) {
        return lagrange_gradient_by_differences(m, t, q, w, error);
    }
    return check(m->def.gradient(m->def.context, t, q, w), "gradient", w, m->gaps * m->n, t, error);
}

crm_status lagrange_gap_rate(lagrange_motion *m, double t, const double *q, double *rate,
                             crm_error *error)
{
    if (m->gaps == 0 || (m->def.gap_rate == NULL && !m->def.gaps_move)) {
        memset(rate, 0, m->gaps * sizeof *rate);
        return CRM_OK;
    }
    if (m->def.gap_rate == NULL) {
        return lagrange_gap_rate_by_differences(m, t, q, rate, error);
    }
    return check(m->def.gap_rate(m->def.context, t, q, rate), "gap_rate", rate, m->gaps, t, error);
}

crm_status lagrange_gap_bias(lagrange_motion *m, double t, const double *y, double *bias,
                             crm_error *error)
{
    if (m->gaps == 0) {
        return CRM_OK;
    }
    if (m->def.gap_bias == NULL) {
        return lagrange_gap_bias_by_differences(m, t, y, bias, error);
    }
    return check(m->def.gap_bias(m->def.context, t, y, y + m->positions, bias), "gap_bias", bias,
                 m->gaps, t, error);
}

crm_status lagrange_kinematics(lagrange_motion *m, double t, const double *q, const double *v,
                               double *rate, crm_error *error)
{
    if (m->def.kinematics == NULL) {
        memcpy(rate, v, m->n * sizeof *rate);
        return CRM_OK;
    }
    return check(m->def.kinematics(m->def.context, q, v, rate), "kinematics", rate, m->positions, t,
                 error);
}

crm_status lagrange_potential(lagrange_motion *m, double t, const double *q, double *potential,
                              crm_error *error)
{
    *potential = m->def.potential != NULL ? m->def.potential(m->def.context, t, q) : 0;
    return check(CRM_OK, "potential", potential, 1, t, error);
}
