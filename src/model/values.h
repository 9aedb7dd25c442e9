/* Parameters of balls and contacts that are given for all, listed, or left out: shared by chain and
 * packing. Internal.
 */
#ifndef CRM_VALUES_H
#define CRM_VALUES_H

#include "model/model.h"

/* NAN: not given. */
double crm_value_at(crm_values values, size_t index);
/* The value for all; NAN when there is a list instead. */
double crm_value_for_all(crm_values values);
bool crm_values_given(crm_values values);
double crm_values_first_given(double a, double b);

/* Places are printf formats, as in crm_ranges_check: of an entry, and of the value for all. */
typedef struct crm_values_check {
    crm_datum datum;
    crm_values values;
    size_t count;
    const char *each, *all;
} crm_values_check;

crm_status crm_values_check_all(const crm_values_check *checks, size_t count, crm_error *error);

/* The material of a ball of a chain; NULL: none. */
const crm_material *crm_chain_material(const crm_chain_def *def, size_t ball);

double crm_values_ball_mass(double radius, double density);
/* NAN unless both are elastic and both radii known; INFINITY: a plane. */
double crm_values_hertz(const crm_material *a, double radius_a, const crm_material *b,
                        double radius_b);
/* Sets what is not given. The stiffness is `hertz`, which requires the exponent 1.5 (`place`: of
 * another one, for the message); 1 if hertz is NAN.
 */
crm_status crm_values_complete_contact(crm_contact_def *contact, double hertz, const char *place,
                                       crm_error *error);
/* `over`, with what it does not give taken from `under`. */
crm_contact_def crm_values_overlay(crm_contact_def over, crm_contact_def under);

#endif
