/* What a contact alone does with a work of compression. */
#include <math.h>

#include "base/elementary.h"
#include "model/compliance/compliance.h"

static double energy_of(const crm_curve *unloading, double force)
{
    return crm_curve_energy(unloading, crm_curve_at_force(unloading, force));
}

static double force_at(const crm_compliance *c, crm_contact_numbers numbers, double x)
{
    return c->loading != NULL ? crm_curve_force(c->loading, x)
                              : numbers.stiffness * crm_pow(x, numbers.exponent);
}

double crm_compliance_indentation(const crm_compliance *c, crm_contact_numbers numbers, double work)
{
    if (c != NULL && c->loading != NULL) {
        return crm_curve_at_energy(c->loading, work);
    }
    double power = numbers.exponent + 1;
    return crm_pow(power * work / numbers.stiffness, 1 / power);
}

double crm_compliance_effective(const crm_compliance *c, crm_contact_numbers numbers, double work,
                                double own)
{
    if (c == NULL || (c->restitution == NULL && c->unloading == NULL)) {
        return numbers.restitution;
    }
    double e = 1;
    if (c->restitution != NULL) {
        e = crm_restitution_after(c->restitution, work, own);
    } else if (work > 0) {
        double x = crm_compliance_indentation(c, numbers, work);
        e = sqrt(energy_of(c->unloading, force_at(c, numbers, x)) / work);
    }
    return e >= 0 && e <= 1 ? e : NAN;
}
