/* e by how a contact was compressed. */
#include <math.h>
#include <stdio.h>

#include "base/elementary.h"
#include "model/compliance/compliance.h"

/* Below this the speed that comes back is less than the rounding of what was there: 0. */
static const double LEAST = 1e-14;

static double in_table(const crm_restitution *r, double at)
{
    size_t last = r->count - 1, k = 0;
    if (!(at > r->at[0])) {
        return r->value[0];
    }
    if (!(at < r->at[last])) {
        return r->value[last];
    }
    while (r->at[k + 1] < at) {
        k++;
    }
    double h = r->at[k + 1] - r->at[k], t = (at - r->at[k]) / h, rest = 1 - t;
    return rest * rest * ((1 + 2 * t) * r->value[k] + t * h * r->slope[k]) +
           t * t * ((3 - 2 * t) * r->value[k + 1] - rest * h * r->slope[k + 1]);
}

static double argument(const crm_restitution *r, double work, double own)
{
    return r->of_work ? work : sqrt(2 * work * own);
}

double crm_restitution_after(const crm_restitution *r, double work, double own)
{
    double at = argument(r, work, own);
    switch (r->form) {
    case CRM_RESTITUTION_TABLE:
        return in_table(r, at);
    case CRM_RESTITUTION_YIELD:
        return at > r->parameter ? 1 / sqrt(sqrt(at / r->parameter)) : 1;
    case CRM_RESTITUTION_VISCOELASTIC:
        return at > 0 ? 1 - r->parameter * crm_pow(at, 0.2) : 1;
    default:
        return r->function(r->context, at);
    }
}

crm_status crm_restitution_find(const crm_restitution *r, double work, double own, size_t contact,
                                double *e, crm_error *error)
{
    double value = crm_restitution_after(r, work, own);
    *e = value < LEAST ? 0 : value;
    if (value >= 0 && value <= 1) {
        return CRM_OK;
    }
    *e = 1;
    char place[48];
    snprintf(place, sizeof place, "contacts[%zu].restitution", contact + 1);
    return crm_fail(error, CRM_ERROR_MODEL, place,
                    "restitution is %g at a %s of %g %s; it must be between 0 and 1", value,
                    r->of_work ? "work" : "speed", argument(r, work, own),
                    r->of_work ? "J" : "m/s");
}
