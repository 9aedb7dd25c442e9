/* Derivatives of small systems: a direction written out in full, the library's answers along it,
 * and those of the judge, by differences.
 */
#ifndef CAROM_TEST_SENSITIVITY_CALL_H
#define CAROM_TEST_SENSITIVITY_CALL_H

#include "judge.h"
#include "support.h"

/* A direction or gradient; its arrays are laid out for the model of a small system. */
typedef struct small_variation {
    double velocity[SMALL], mass[SMALL * SMALL], jacobian[SMALL * SMALL];
    double boundary_velocity[SMALL], stiffness[SMALL], exponent[SMALL], restitution[SMALL],
        stored_energy[SMALL];
} small_variation;

typedef struct small_response {
    double velocity[SMALL], impulse[SMALL], loss[SMALL], peak_force[SMALL];
    double energy, duration;
} small_response;

/* Views for the library: all parts. */
crm_variation variation_view(small_variation *variation);
crm_response response_view(small_response *response);

/* Every datum by a random part of itself that keeps it in its range: e = 0 and e = 1, and E0 = 0,
 * stay.
 */
small_variation random_direction(rng *r, const small_system *system, const crm_model *model);
/* The system a part t along the direction. */
small_system moved(const small_system *system, const crm_model *model, const small_variation *by,
                   double t);
/* The sum of products of all entries. */
double variation_product(const crm_model *model, const small_variation *a,
                         const small_variation *b);
double response_product(const crm_model *model, const small_response *a, const small_response *b);

/* Along the direction by central differences of the judge's outcomes, of fourth order, with steps
 * h and 2h. false: it did not terminate.
 */
bool judge_differences(const small_system *system, const crm_model *model, bool mono,
                       const small_variation *by, double h, small_response *response);

#endif
