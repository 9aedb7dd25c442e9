#include "model/values.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

double crm_value_at(crm_values values, size_t index)
{
    return values.each != NULL ? values.each[index] : values.all;
}

double crm_value_for_all(crm_values values)
{
    return values.each == NULL ? values.all : NAN;
}

bool crm_values_given(crm_values values)
{
    return values.each != NULL || !isnan(values.all);
}

double crm_values_first_given(double a, double b)
{
    return isnan(a) ? b : a;
}

static crm_status check_values(const crm_values_check *check, crm_error *error)
{
    crm_values values = check->values;
    if (values.each == NULL) {
        return isnan(values.all) ? CRM_OK
                                 : crm_ranges_check(check->datum, values.all, check->all, 0, error);
    }
    crm_status status = CRM_OK;
    for (size_t i = 0; i < check->count && status == CRM_OK; i++) {
        status = crm_ranges_check(check->datum, values.each[i], check->each, i + 1, error);
    }
    return status;
}

crm_status crm_values_check_all(const crm_values_check *checks, size_t count, crm_error *error)
{
    crm_status status = CRM_OK;
    for (size_t k = 0; k < count && status == CRM_OK; k++) {
        status = check_values(&checks[k], error);
    }
    return status;
}

double crm_values_ball_mass(double radius, double density)
{
    return 4.0 / 3.0 * PI * radius * radius * radius * density;
}

double crm_values_hertz(const crm_material *a, double radius_a, const crm_material *b,
                        double radius_b)
{
    bool elastic = a != NULL && a->young > 0 && b != NULL && b->young > 0;
    bool round = !isnan(radius_a) && !isnan(radius_b);
    return elastic && round ? crm_hertz_stiffness(*a, radius_a, *b, radius_b) : NAN;
}

/* A number that is given replaces a curve, or a rule for restitution, that is not. */
static crm_compliance_def overlay_compliance(const crm_contact_def *over,
                                             const crm_contact_def *under)
{
    crm_compliance_def c = over->compliance;
    bool numbers = !isnan(over->stiffness) || !isnan(over->exponent) || !isnan(over->restitution);
    if (c.made != NULL || (!crm_compliance_is_given(&c) && !numbers)) {
        return c.made != NULL ? c : under->compliance;
    }
    if (c.loading == NULL && isnan(over->stiffness) && isnan(over->exponent)) {
        c.loading = under->compliance.loading;
    }
    if (c.restitution == NULL && c.unloading == NULL && isnan(over->restitution)) {
        c.restitution = under->compliance.restitution;
        c.unloading = under->compliance.unloading;
    }
    return c;
}

crm_contact_def crm_values_overlay(crm_contact_def over, crm_contact_def under)
{
    return (crm_contact_def){crm_values_first_given(over.stiffness, under.stiffness),
                             crm_values_first_given(over.exponent, under.exponent),
                             crm_values_first_given(over.restitution, under.restitution),
                             crm_values_first_given(over.stored_energy, under.stored_energy),
                             crm_values_first_given(over.force, under.force),
                             overlay_compliance(&over, &under),
                             crm_values_first_given(over.friction, under.friction)};
}

/* Hertz' stiffness requires the exponent 1.5: its unit depends on the exponent. */
crm_status crm_values_complete_contact(crm_contact_def *contact, double hertz, const char *place,
                                       crm_error *error)
{
    const crm_contact_def standard = {
        crm_values_first_given(hertz, 1.0), 1.5, 1.0, 0.0, 0.0, {0}, 0.0};
    bool from_materials = isnan(contact->stiffness) && !isnan(hertz);
    *contact = crm_values_overlay(*contact, standard);
    if (from_materials && contact->exponent != 1.5) {
        return crm_fail(error, CRM_ERROR_MODEL, place,
                        "a stiffness from materials is Hertz', with exponent 1.5; for exponent %g "
                        "give stiffness as well",
                        contact->exponent);
    }
    return CRM_OK;
}
